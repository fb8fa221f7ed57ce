//! Distinctions, shared with all who make them too (Jaśkowski et al. 2013, section 3).

use serde::{Deserialize, Serialize};

use super::{Judgement, ObjectiveKind};
use crate::arena::Payoff;
use crate::learn::Spec;
use crate::learn::fault::{Fault, KeyPath};
use crate::learn::keys::{Key, Shape, Shaped, Table, neutral, table};

table! {
/// Distinctions, shared.
pub struct DistinctionsSpec {
    /// Whether it matters for the same one which of the two did better.
    pub directed: bool,
}
}

/// The most candidates, or opponents, whose pairs are told apart: their number is squared, and times
/// those who do so, which would be seconds in which nobody can interrupt us.
const MAX_TOLD_APART: u64 = 1_000;

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

    fn judge(&self, rows: usize, payoffs: &[Payoff], _errors: &[f64]) -> Vec<Judgement> {
        let mut table = vec![Vec::new(); rows];
        for (row, cells) in payoffs.iter().filter_map(Payoff::matrix).flatten().enumerate() {
            table[row % rows].extend(cells.iter().map(|cell| cell.half_points()));
        }
        distinctions(&table, self.directed).into_iter().map(Judgement::of).collect()
    }

    fn sample() -> DistinctionsSpec {
        DistinctionsSpec { directed: true }
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
