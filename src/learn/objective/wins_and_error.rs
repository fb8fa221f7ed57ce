//! Wins and the error of temporal differences together (Vuurboom 2008, chapter 7).

use serde::{Deserialize, Serialize};

use super::{Judgement, ObjectiveKind, win_shares};
use crate::arena::Payoff;
use crate::learn::Spec;
use crate::learn::fault::{Fault, KeyPath};
use crate::learn::keys::{Key, Shape, Shaped, Table, Word, neutral, table, words};

table! {
/// Wins and errors.
pub struct WinsAndErrorSpec {
    /// What the error does.
    pub error: Sign,
}
}

words! {
/// What an error does to fitness.
pub enum Sign {
    /// It is added, as printed.
    Added = "added",
    /// One minus it is added, as probably meant.
    Subtracted = "subtracted",
}
}

impl ObjectiveKind for WinsAndErrorSpec {
    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        if spec.local.tells_errors() {
            return Ok(());
        }
        let expected =
            "points, distinctions or fronts, unless local.kind is \"store\" or \"games\"";
        Err(at.fault("kind", "\"wins-and-error\"", expected))
    }

    fn judge(&self, rows: usize, payoffs: &[Payoff], errors: &[f64]) -> Vec<Judgement> {
        let error_of = |row: usize| match (self.error, errors.get(row).copied().unwrap_or(0.0)) {
            (Sign::Added, error) => error,
            (Sign::Subtracted, error) => 1.0 - error,
        };
        let shares = win_shares(rows, payoffs);
        (0..rows).map(|row| Judgement::of(50.0 * (shares[row] + error_of(row)))).collect()
    }

    fn sample() -> WinsAndErrorSpec {
        WinsAndErrorSpec { error: Sign::Subtracted }
    }
}
