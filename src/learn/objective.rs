//! From games to fitness: points for results, or distinctions shared with whoever makes them too.

use super::{DistinctionsSpec, ObjectiveSpec};
use crate::arena::{Cell, Payoff};

impl ObjectiveSpec {
    /// The fitness of every row, over the tables of all sources of opponents together.
    pub fn fitness(&self, rows: usize, payoffs: &[Payoff]) -> Vec<f64> {
        match self {
            ObjectiveSpec::Points(points) => {
                let value = |cell: Cell| {
                    f64::from(cell.wins) * points.win
                        + f64::from(cell.draws) * points.draw
                        + f64::from(cell.losses) * points.loss
                };
                let mut fitness = vec![0.0; rows];
                for (row, _, cell) in payoffs.iter().flat_map(Payoff::cells) {
                    fitness[row] += value(cell);
                }
                fitness
            }
            ObjectiveSpec::Distinctions(DistinctionsSpec { directed }) => {
                let mut table = vec![Vec::new(); rows];
                for (row, cells) in payoffs.iter().filter_map(Payoff::matrix).flatten().enumerate()
                {
                    table[row % rows].extend(cells.iter().map(|cell| cell.half_points()));
                }
                distinctions(&table, *directed)
            }
        }
    }
}

/// Jaśkowski et al. 2013, section 3: a test (row) distinguishes the ordered pair (a, b) of columns if a
/// did better against it than b, and is paid 1 / (number of tests that do so too). Undirected, both ways
/// of a pair are the same distinction; counted from both ends it is paid twice, by every test.
fn distinctions(scores: &[Vec<u32>], directed: bool) -> Vec<f64> {
    let columns = scores.first().map_or(0, Vec::len);
    // Column by column, so that the tests are neighbours.
    let of = |column: usize| scores.iter().map(|row| row[column]).collect::<Vec<u32>>();
    let by_column: Vec<Vec<u32>> = (0..columns).map(of).collect();
    let mut fitness = vec![0.0; scores.len()];
    for better in &by_column {
        for worse in &by_column {
            // The test's own score is the lower, the better the other did.
            let made = |(a, b): (&u32, &u32)| a < b || (!directed && a > b);
            let makers = better.iter().zip(worse).filter(|pair| made(*pair)).count();
            if makers > 0 {
                let share = 1.0 / makers as f64;
                for ((fitness, a), b) in fitness.iter_mut().zip(better).zip(worse) {
                    *fitness += if made((a, b)) { share } else { 0.0 };
                }
            }
        }
    }
    fitness
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Fixtures;
    use crate::learn::PointsSpec;

    fn cell(wins: u32, draws: u32, losses: u32) -> Cell {
        Cell { wins, draws, losses }
    }

    #[test]
    fn points_add_up_over_all_sources() {
        let all = Payoff::new(2, 1, Fixtures::All, vec![cell(1, 1, 0), cell(0, 0, 2)]);
        let fixtures = Fixtures::Each(vec![vec![], vec![0, 0]]);
        let some = Payoff::new(2, 1, fixtures, vec![cell(0, 1, 0), cell(2, 0, 0)]);
        let points = ObjectiveSpec::Points(PointsSpec { win: 3.0, draw: 1.0, loss: 0.0 });
        assert_eq!(points.fitness(2, &[all.clone(), some.clone()]), [4.0, 7.0]);
        let halves = ObjectiveSpec::Points(PointsSpec { win: 1.0, draw: 0.5, loss: 0.0 });
        assert_eq!(halves.fitness(2, &[all, some]), [1.5, 2.5]);
    }

    #[test]
    fn tests_are_paid_for_distinctions_others_do_not_make() {
        // Three tests, three solutions. The first two tests tell solution 0 from the others, the third
        // also 1 from 2.
        let (won, lost) = (cell(2, 0, 0), cell(0, 0, 2));
        let cells = vec![
            lost,
            won,
            won, //
            lost,
            won,
            won, //
            lost,
            cell(1, 0, 1),
            won,
        ];
        let payoff = Payoff::new(3, 3, Fixtures::All, cells);
        let directed = DistinctionsSpec { directed: true };
        let fitness = ObjectiveSpec::Distinctions(directed).fitness(3, &[payoff]);
        // (0, 1) and (0, 2) are made by all three, (1, 2) by the last alone.
        let expected = [2.0 / 3.0, 2.0 / 3.0, 5.0 / 3.0];
        assert!(fitness.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{fitness:?}");
    }

    #[test]
    fn a_test_that_treats_all_alike_earns_nothing() {
        let payoff = Payoff::new(1, 4, Fixtures::All, vec![cell(1, 0, 1); 4]);
        for directed in [true, false] {
            let objective = ObjectiveSpec::Distinctions(DistinctionsSpec { directed });
            assert_eq!(objective.fitness(1, std::slice::from_ref(&payoff)), [0.0]);
        }
    }

    #[test]
    fn the_direction_of_a_distinction_matters_or_not() {
        // Two tests that see two solutions in opposite order.
        let (won, lost) = (cell(2, 0, 0), cell(0, 0, 2));
        let payoff = Payoff::new(2, 2, Fixtures::All, vec![won, lost, lost, won]);
        let fitness = |directed| {
            let objective = ObjectiveSpec::Distinctions(DistinctionsSpec { directed });
            objective.fitness(2, std::slice::from_ref(&payoff))
        };
        assert_eq!((fitness(true), fitness(false)), (vec![1.0, 1.0], vec![1.0, 1.0]));
        // With a third test on the side of the first, only the directed second is alone.
        let payoff = Payoff::new(3, 2, Fixtures::All, vec![won, lost, lost, won, won, lost]);
        let fitness = |directed| {
            let objective = ObjectiveSpec::Distinctions(DistinctionsSpec { directed });
            objective.fitness(3, std::slice::from_ref(&payoff))
        };
        assert_eq!(fitness(true), [0.5, 1.0, 0.5]);
        assert!(fitness(false).iter().all(|f| (f - 2.0 / 3.0).abs() < 1e-12));
    }
}
