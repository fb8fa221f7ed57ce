//! From games to fitness: points for results, or distinctions shared with whoever makes them too.

use super::{DistinctionsSpec, ObjectiveSpec, Sign, WinsAndErrorSpec};
use crate::arena::{Cell, Payoff};

impl ObjectiveSpec {
    /// The fitness of every row, over the tables of all sources of opponents together. `errors` are those of temporal
    /// differences, row by row, where local learning has told them.
    pub fn fitness(&self, rows: usize, payoffs: &[Payoff], errors: &[f64]) -> Vec<f64> {
        match self {
            ObjectiveSpec::WinsAndError(WinsAndErrorSpec { error }) => {
                let error_of = |row: usize| match (error, errors.get(row).copied().unwrap_or(0.0)) {
                    (Sign::Added, error) => error,
                    (Sign::Subtracted, error) => 1.0 - error,
                };
                let shares = win_shares(rows, payoffs);
                (0..rows).map(|row| 50.0 * (shares[row] + error_of(row))).collect()
            }
            ObjectiveSpec::Fronts(_) => {
                let mut points: Vec<Vec<f64>> = vec![Vec::new(); rows];
                for (row, _, cell) in payoffs.iter().flat_map(Payoff::cells) {
                    points[row].push(f64::from(cell.half_points()));
                }
                fronts(&points)
            }
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

/// The share of games that each row won.
pub fn win_shares(rows: usize, payoffs: &[Payoff]) -> Vec<f64> {
    let mut games = vec![(0, 0); rows];
    for (row, _, cell) in payoffs.iter().flat_map(Payoff::cells) {
        games[row].0 += cell.wins;
        games[row].1 += cell.wins + cell.draws + cell.losses;
    }
    games.into_iter().map(|(wins, all)| f64::from(wins) / f64::from(all.max(1))).collect()
}

/// Ranks by fronts (Deb et al. 2002): the first front is of those whom nobody beats in one objective without losing to
/// them in another, the next of those who remain. The whole part is the number of fronts behind; within a front, who
/// stands far from its neighbours is worth more.
fn fronts(points: &[Vec<f64>]) -> Vec<f64> {
    let beats = |a: &[f64], b: &[f64]| {
        a.iter().zip(b).all(|(a, b)| a >= b) && a.iter().zip(b).any(|(a, b)| a > b)
    };
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut all: Vec<Vec<usize>> = Vec::new();
    while !left.is_empty() {
        let front: Vec<usize> = left
            .iter()
            .copied()
            .filter(|row| !left.iter().any(|other| beats(&points[*other], &points[*row])))
            .collect();
        left.retain(|row| !front.contains(row));
        all.push(front);
    }
    let mut fitness = vec![0.0; points.len()];
    for (behind, front) in all.iter().rev().enumerate() {
        for (row, room) in front.iter().zip(rooms(points, front)) {
            // Between 0 and 1, so that no crowd matters more than a front.
            fitness[*row] =
                behind as f64 + if room.is_finite() { room / (1.0 + room) } else { 1.0 - 1e-9 };
        }
    }
    fitness
}

/// How far each member of a front stands from its neighbours, summed over objectives; the ends are infinitely far.
fn rooms(points: &[Vec<f64>], front: &[usize]) -> Vec<f64> {
    let mut rooms = vec![0.0; front.len()];
    let objectives = points[front[0]].len();
    for value in (0..objectives).map(|objective| move |at: usize| points[front[at]][objective]) {
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
        let (first, last) = (order[0], order[order.len() - 1]);
        let width = value(last) - value(first);
        (rooms[first], rooms[last]) = (f64::INFINITY, f64::INFINITY);
        if width > 0.0 {
            order
                .windows(3)
                .for_each(|near| rooms[near[1]] += (value(near[2]) - value(near[0])) / width);
        }
    }
    rooms
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
    use crate::learn::{FrontsSpec, PointsSpec};

    fn cell(wins: u32, draws: u32, losses: u32) -> Cell {
        Cell { wins, draws, losses }
    }

    #[test]
    fn points_add_up_over_all_sources() {
        let all = Payoff::new(2, 1, Fixtures::All, vec![cell(1, 1, 0), cell(0, 0, 2)]);
        let fixtures = Fixtures::Each(vec![vec![], vec![0, 0]]);
        let some = Payoff::new(2, 1, fixtures, vec![cell(0, 1, 0), cell(2, 0, 0)]);
        let points = ObjectiveSpec::Points(PointsSpec { win: 3.0, draw: 1.0, loss: 0.0 });
        assert_eq!(points.fitness(2, &[all.clone(), some.clone()], &[]), [4.0, 7.0]);
        let halves = ObjectiveSpec::Points(PointsSpec { win: 1.0, draw: 0.5, loss: 0.0 });
        assert_eq!(halves.fitness(2, &[all, some], &[]), [1.5, 2.5]);
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
        let fitness = ObjectiveSpec::Distinctions(directed).fitness(3, &[payoff], &[]);
        // (0, 1) and (0, 2) are made by all three, (1, 2) by the last alone.
        let expected = [2.0 / 3.0, 2.0 / 3.0, 5.0 / 3.0];
        assert!(fitness.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{fitness:?}");
    }

    #[test]
    fn a_test_that_treats_all_alike_earns_nothing() {
        let payoff = Payoff::new(1, 4, Fixtures::All, vec![cell(1, 0, 1); 4]);
        for directed in [true, false] {
            let objective = ObjectiveSpec::Distinctions(DistinctionsSpec { directed });
            assert_eq!(objective.fitness(1, std::slice::from_ref(&payoff), &[]), [0.0]);
        }
    }

    #[test]
    fn the_direction_of_a_distinction_matters_or_not() {
        // Two tests that see two solutions in opposite order.
        let (won, lost) = (cell(2, 0, 0), cell(0, 0, 2));
        let payoff = Payoff::new(2, 2, Fixtures::All, vec![won, lost, lost, won]);
        let fitness = |directed| {
            let objective = ObjectiveSpec::Distinctions(DistinctionsSpec { directed });
            objective.fitness(2, std::slice::from_ref(&payoff), &[])
        };
        assert_eq!((fitness(true), fitness(false)), (vec![1.0, 1.0], vec![1.0, 1.0]));
        // With a third test on the side of the first, only the directed second is alone.
        let payoff = Payoff::new(3, 2, Fixtures::All, vec![won, lost, lost, won, won, lost]);
        let fitness = |directed| {
            let objective = ObjectiveSpec::Distinctions(DistinctionsSpec { directed });
            objective.fitness(3, std::slice::from_ref(&payoff), &[])
        };
        assert_eq!(fitness(true), [0.5, 1.0, 0.5]);
        assert!(fitness(false).iter().all(|f| (f - 2.0 / 3.0).abs() < 1e-12));
    }

    #[test]
    fn errors_are_half_of_fitness_as_printed_or_as_meant() {
        let payoff = Payoff::new(2, 1, Fixtures::All, vec![cell(30, 10, 10), cell(50, 0, 0)]);
        let fitness = |error| {
            let objective = ObjectiveSpec::WinsAndError(WinsAndErrorSpec { error });
            objective.fitness(2, std::slice::from_ref(&payoff), &[0.25, 0.5])
        };
        let near = |a: Vec<f64>, b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near(fitness(Sign::Added), [42.5, 75.0]));
        assert!(near(fitness(Sign::Subtracted), [67.5, 75.0]));
    }

    #[test]
    fn fronts_come_before_room() {
        // Against two opponents: 0 and 1 are the best at one each, 2 is between, 3 is beaten by 2, 4 by all.
        let wins = [(10, 0), (0, 10), (5, 5), (5, 4), (0, 0)];
        let cells =
            wins.iter().flat_map(|(a, b)| [cell(*a, 0, 10 - a), cell(*b, 0, 10 - b)]).collect();
        let payoff = Payoff::new(5, 2, Fixtures::All, cells);
        let fitness = ObjectiveSpec::Fronts(FrontsSpec {}).fitness(5, &[payoff], &[]);
        assert_eq!(fitness.iter().map(|f| *f as u32).collect::<Vec<_>>(), [2, 2, 2, 1, 0]);
        assert!(fitness[0] > fitness[2] && fitness[1] > fitness[2]);
    }
}
