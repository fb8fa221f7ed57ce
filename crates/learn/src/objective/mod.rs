//! The axis `objective`: from games to fitness. A value is a file here (its table, limits, tests and
//! code) and a line in the axis.

mod distinctions;
mod fronts;
mod points;
mod wins_and_error;

pub use distinctions::DistinctionsSpec;
pub use fronts::{FrontsSpec, undominated};
pub use points::PointsSpec;
pub use wins_and_error::{Sign, WinsAndErrorSpec};

use super::{Spec, Stop};
use outflank_arena::{Payoff, Stopped};
use outflank_schema::{Fault, KeyPath, axis};

axis! {
/// The axis `objective`.
pub enum ObjectiveSpec: ObjectiveKind {
    /// Points for a win, a draw and a loss.
    Points(PointsSpec) = "points",
    /// 1 / (opponents that make the same one) for each pair of the others that did not do
    /// equally well against it.
    Distinctions(DistinctionsSpec) = "distinctions",
    /// The mean of the percentage of games won and of the error of temporal differences, in hundredths.
    WinsAndError(WinsAndErrorSpec) = "wins-and-error",
    /// The percentages won against each opponent as separate objectives: candidates rank by fronts of those that no
    /// other beats in all, and within a front by how far they stand from others.
    Fronts(FrontsSpec) = "fronts",
}
}

/// How games become fitness.
pub trait ObjectiveKind {
    /// Says what is wrong with its own keys.
    fn check(&self, _at: &KeyPath) -> Result<(), Fault> {
        Ok(())
    }

    /// Says what is wrong with it as the candidates' objective, beside other axes.
    fn check_with(&self, _at: &KeyPath, _spec: &Spec) -> Result<(), Fault> {
        Ok(())
    }

    /// Says what is wrong with it as the objective of tests that meet this many candidates.
    fn check_for_tests(&self, _at: &KeyPath, _candidates: u64) -> Result<(), Fault> {
        Ok(())
    }

    /// What every row is worth, over the tables of all sources of opponents together. `errors` are those
    /// of temporal differences, row by row, where local learning has told them. `stop` is asked by what takes long.
    fn judge(
        &self,
        rows: usize,
        payoffs: &[Payoff],
        errors: &[f64],
        stop: &Stop<'_>,
    ) -> Result<Vec<Judgement>, Stopped>;

    /// One of its kind, for tests.
    fn sample() -> Self
    where
        Self: Sized;
}

/// What a candidate is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// One number for all; higher is better.
    pub fitness: f64,
    /// What it did in each objective, higher is better, if there are several.
    pub objectives: Box<[f64]>,
}

impl Judgement {
    /// A judgement that is a number.
    pub fn of(fitness: f64) -> Judgement {
        Judgement { fitness, objectives: Box::default() }
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

/// What an objective makes of the rows of tables, and cells of them, for tests.
#[cfg(test)]
mod testing {
    use super::*;
    use outflank_arena::Cell;

    pub fn fitness(
        objective: &dyn ObjectiveKind,
        rows: usize,
        payoffs: &[Payoff],
        errors: &[f64],
    ) -> Vec<f64> {
        let judged = objective.judge(rows, payoffs, errors, &|| false).unwrap();
        judged.into_iter().map(|judged| judged.fitness).collect()
    }

    pub fn cell(wins: u32, draws: u32, losses: u32) -> Cell {
        Cell { wins, draws, losses }
    }
}
