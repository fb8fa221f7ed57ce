//! Games won and the TD error together (Vuurboom 2008, chapter 7).

use super::{Judgement, ObjectiveKind, win_shares};
use crate::{LocalSpec, Spec, Stop};
use outflank_arena::{Payoff, Stopped};
use outflank_schema::one_of;
use outflank_schema::{Fault, KeyPath, table, words};

table! {
/// Games won and the TD error.
pub struct WinsAndErrorSpec {
    /// How the TD error enters fitness.
    pub error: Sign,
}
}

words! {
/// How the TD error enters fitness.
pub enum Sign {
    /// It is added, as printed in the thesis.
    Added = "added",
    /// One minus the error is added, as the thesis probably means.
    Subtracted = "subtracted",
}
}

impl ObjectiveKind for WinsAndErrorSpec {
    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        if spec.local.tells_errors() {
            return Ok(());
        }
        let tellers = LocalSpec::samples();
        let tellers = tellers.iter().filter(|local| local.tells_errors());
        let names: Vec<String> = tellers.map(|local| format!("{:?}", local.kind())).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let expected = format!("another kind, or local.kind = {}", one_of(&names));
        Err(at.fault("kind", "\"wins-and-error\"", expected))
    }

    fn judge(
        &self,
        rows: usize,
        payoffs: &[Payoff],
        errors: &[f64],
        _stop: &Stop<'_>,
    ) -> Result<Vec<Judgement>, Stopped> {
        let error_of = |row: usize| match (self.error, errors.get(row).copied().unwrap_or(0.0)) {
            (Sign::Added, error) => error,
            (Sign::Subtracted, error) => 1.0 - error,
        };
        let shares = win_shares(rows, payoffs);
        let judgement = |row| Judgement::of(50.0 * (shares[row] + error_of(row)));
        Ok((0..rows).map(judgement).collect())
    }

    fn sample() -> WinsAndErrorSpec {
        WinsAndErrorSpec { error: Sign::Subtracted }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{cell, fitness};
    use super::*;
    use outflank_arena::Fixtures;

    #[test]
    fn errors_are_half_of_fitness_as_printed_or_as_meant() {
        let payoff = Payoff::new(2, 1, Fixtures::All, vec![cell(30, 10, 10), cell(50, 0, 0)]);
        let worth = |error| {
            let objective = WinsAndErrorSpec { error };
            fitness(&objective, 2, std::slice::from_ref(&payoff), &[0.25, 0.5])
        };
        let near = |a: Vec<f64>, b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near(worth(Sign::Added), [42.5, 75.0]));
        assert!(near(worth(Sign::Subtracted), [67.5, 75.0]));
    }
}
