//! Distinctions, with competitive fitness sharing (Jaśkowski et al. 2013, section 3).

use super::{Judgement, ObjectiveKind};
use crate::{Spec, Stop};
use outflank_arena::{Payoff, Stopped};
use outflank_schema::{Fault, KeyPath, table};

table! {
/// Distinctions, with competitive fitness sharing.
pub struct DistinctionsSpec {
    /// Whether "a above b" and "b above a" are different distinctions.
    pub directed: bool,
}
}

/// The largest number of players to distinguish. The time is their number squared, times the number
/// of tests; more would take hours.
const MAX_TOLD_APART: u64 = 1_000;

/// Pairs that are compared between two checks whether to stop.
const SOME: usize = 100;

/// Checks that there are at least two players to distinguish, and not too many.
fn check_number(at: &KeyPath, who: &str, number: u64) -> Result<(), Fault> {
    if (2..=MAX_TOLD_APART).contains(&number) {
        return Ok(());
    }
    let expected = format!("2 to {MAX_TOLD_APART} {who} to distinguish, not {number}");
    Err(at.fault("kind", "\"distinctions\"", expected))
}

impl ObjectiveKind for DistinctionsSpec {
    /// Every player must have met all those that it distinguishes, so samples are refused.
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

/// Jaśkowski et al. 2013, section 3: a test (row) distinguishes the ordered pair (a, b) of columns
/// if a did better against it than b, and gets 1 / (number of tests that do so too). Undirected,
/// (a, b) and (b, a) are the same distinction; it is counted once from each end, for every test.
fn distinctions(scores: &[Vec<u32>], directed: bool, stop: &Stop<'_>) -> Result<Vec<f64>, Stopped> {
    let columns = scores.first().map_or(0, Vec::len);
    // Column by column, so that the results of the tests are adjacent in memory.
    let of = |column: usize| scores.iter().map(|row| row[column]).collect::<Vec<u32>>();
    let by_column: Vec<Vec<u32>> = (0..columns).map(of).collect();
    let mut fitness = vec![0.0; scores.len()];
    for better in &by_column {
        for (index, worse) in by_column.iter().enumerate() {
            if index.is_multiple_of(SOME) && stop.stop() {
                return Err(Stopped);
            }
            // The better a candidate did, the lower is the test's own score.
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
        // Three tests, three candidates. The first two tests distinguish candidate 0 from the
        // others, the third also 1 from 2.
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
        // (0, 1) and (0, 2) are made by all three tests, (1, 2) only by the last.
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
        // Two tests that order two candidates differently.
        let (won, lost) = (cell(2, 0, 0), cell(0, 0, 2));
        let payoff = Payoff::new(2, 2, Fixtures::All, vec![won, lost, lost, won]);
        let worth = |directed| {
            let objective = DistinctionsSpec { directed };
            fitness(&objective, 2, std::slice::from_ref(&payoff), &[])
        };
        assert_eq!((worth(true), worth(false)), (vec![1.0, 1.0], vec![1.0, 1.0]));
        // A third test agrees with the first. Only if directed is the second still the only one of
        // its kind.
        let payoff = Payoff::new(3, 2, Fixtures::All, vec![won, lost, lost, won, won, lost]);
        let worth = |directed| {
            let objective = DistinctionsSpec { directed };
            fitness(&objective, 3, std::slice::from_ref(&payoff), &[])
        };
        assert_eq!(worth(true), [0.5, 1.0, 0.5]);
        assert!(worth(false).iter().all(|f| (f - 2.0 / 3.0).abs() < 1e-12));
    }
}
