//! Distinctions, shared with all who make them too (Jaśkowski et al. 2013, section 3).

use super::{Judgement, ObjectiveKind};
use crate::{Spec, Stop};
use outflank_arena::{Payoff, Stopped};
use outflank_schema::{Fault, KeyPath, table};

table! {
/// Distinctions, shared.
pub struct DistinctionsSpec {
    /// Whether it matters for the same one which of the two did better.
    pub directed: bool,
}
}

/// The most candidates, or opponents, whose pairs are told apart: their number is squared, and times
/// those who do so, which would be hours.
const MAX_TOLD_APART: u64 = 1_000;

/// Pairs that are told apart between two looks at whether to stop.
const SOME: usize = 100;

/// Who is told apart must be two at least, and not too many.
fn check_number(at: &KeyPath, who: &str, number: u64) -> Result<(), Fault> {
    if (2..=MAX_TOLD_APART).contains(&number) {
        return Ok(());
    }
    let expected = format!("2 to {MAX_TOLD_APART} {who} to tell apart, not {number}");
    Err(at.fault("kind", "\"distinctions\"", expected))
}

impl ObjectiveKind for DistinctionsSpec {
    /// Distinctions are made between those whom everybody met: of samples nothing can be said.
    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        let sources = spec.opponents.sources();
        sources.iter().try_for_each(|(at, source)| source.check_all_meet_all(at))?;
        check_number(at, "opponents", spec.opponents_per_candidate())
    }

    fn check_for_tests(&self, at: &KeyPath, candidates: u64) -> Result<(), Fault> {
        check_number(at, "candidates", candidates)
    }

    fn judge(
        &self,
        rows: usize,
        payoffs: &[Payoff],
        _errors: &[f64],
        stop: &Stop<'_>,
    ) -> Result<Vec<Judgement>, Stopped> {
        let mut table = vec![Vec::new(); rows];
        for (row, cells) in payoffs.iter().filter_map(Payoff::matrix).flatten().enumerate() {
            table[row % rows].extend(cells.iter().map(|cell| cell.half_points()));
        }
        let fitness = distinctions(&table, self.directed, stop)?;
        Ok(fitness.into_iter().map(Judgement::of).collect())
    }

    fn sample() -> DistinctionsSpec {
        DistinctionsSpec { directed: true }
    }
}

/// Jaśkowski et al. 2013, section 3: a test (row) distinguishes the ordered pair (a, b) of columns if a
/// did better against it than b, and is paid 1 / (number of tests that do so too). Undirected, both ways
/// of a pair are the same distinction; counted from both ends it is paid twice, by every test.
fn distinctions(scores: &[Vec<u32>], directed: bool, stop: &Stop<'_>) -> Result<Vec<f64>, Stopped> {
    let columns = scores.first().map_or(0, Vec::len);
    // Column by column, so that the tests are neighbours.
    let of = |column: usize| scores.iter().map(|row| row[column]).collect::<Vec<u32>>();
    let by_column: Vec<Vec<u32>> = (0..columns).map(of).collect();
    let mut fitness = vec![0.0; scores.len()];
    for better in &by_column {
        for (index, worse) in by_column.iter().enumerate() {
            if index.is_multiple_of(SOME) && stop.stop() {
                return Err(Stopped);
            }
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
    Ok(fitness)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{cell, fitness};
    use super::*;
    use outflank_arena::Fixtures;

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
        let fitness = fitness(&directed, 3, &[payoff], &[]);
        // (0, 1) and (0, 2) are made by all three, (1, 2) by the last alone.
        let expected = [2.0 / 3.0, 2.0 / 3.0, 5.0 / 3.0];
        assert!(fitness.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{fitness:?}");
    }

    #[test]
    fn telling_many_apart_can_be_interrupted() {
        let payoff = Payoff::new(2, 300, Fixtures::All, vec![cell(1, 0, 1); 600]);
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 7;
        let judged = DistinctionsSpec::sample().judge(2, &[payoff], &[], &stop);
        assert_eq!((judged, asked.into_inner()), (Err(Stopped), 8));
    }

    #[test]
    fn a_test_that_treats_all_alike_earns_nothing() {
        let payoff = Payoff::new(1, 4, Fixtures::All, vec![cell(1, 0, 1); 4]);
        for directed in [true, false] {
            let objective = DistinctionsSpec { directed };
            assert_eq!(fitness(&objective, 1, std::slice::from_ref(&payoff), &[]), [0.0]);
        }
    }

    #[test]
    fn the_direction_of_a_distinction_matters_or_not() {
        // Two tests that see two solutions in opposite order.
        let (won, lost) = (cell(2, 0, 0), cell(0, 0, 2));
        let payoff = Payoff::new(2, 2, Fixtures::All, vec![won, lost, lost, won]);
        let worth = |directed| {
            let objective = DistinctionsSpec { directed };
            fitness(&objective, 2, std::slice::from_ref(&payoff), &[])
        };
        assert_eq!((worth(true), worth(false)), (vec![1.0, 1.0], vec![1.0, 1.0]));
        // With a third test on the side of the first, only the directed second is alone.
        let payoff = Payoff::new(3, 2, Fixtures::All, vec![won, lost, lost, won, won, lost]);
        let worth = |directed| {
            let objective = DistinctionsSpec { directed };
            fitness(&objective, 3, std::slice::from_ref(&payoff), &[])
        };
        assert_eq!(worth(true), [0.5, 1.0, 0.5]);
        assert!(worth(false).iter().all(|f| (f - 2.0 / 3.0).abs() < 1e-12));
    }
}
