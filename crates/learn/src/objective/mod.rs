//! The axis `objective`: how the results of games become fitness. A value is a file here (its
//! table, limits, tests and code) and a line in the axis.

mod distinctions;
mod fronts;
mod points;
mod wins_and_error;

pub use distinctions::DistinctionsSpec;
pub use fronts::{By, FrontsSpec, dominates, undominated};
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
    /// Distinctions: for each pair of opponents that a player distinguishes, it gets 1 / n, where n
    /// is the number of players that make the same distinction.
    Distinctions(DistinctionsSpec) = "distinctions",
    /// The mean of the share of games won and the TD error, times 100.
    WinsAndError(WinsAndErrorSpec) = "wins-and-error",
    /// Several objectives, one for each opponent or source of opponents: the score against it.
    /// Candidates are ranked by nondominated sorting, then by crowding distance (Deb et al. 2002).
    Fronts(FrontsSpec) = "fronts",
}
}

/// How the results of games become fitness.
pub trait ObjectiveKind {
    /// Checks its own keys.
    fn check(&self, _at: &KeyPath) -> Result<(), Fault> {
        Ok(())
    }

    /// Checks it as the objective of the candidates, together with other axes.
    fn check_with(&self, _at: &KeyPath, _spec: &Spec) -> Result<(), Fault> {
        Ok(())
    }

    /// Checks it as the objective of tests that meet this many candidates.
    fn check_for_tests(&self, _at: &KeyPath, _candidates: u64) -> Result<(), Fault> {
        Ok(())
    }

    /// Evaluates every row, over the payoff tables of all sources of opponents together. `errors`
    /// are the TD errors, row by row, if local learning reports them. Objectives that take long ask
    /// `stop`.
    fn judge(
        &self,
        rows: usize,
        payoffs: &[Payoff],
        errors: &[f64],
        stop: &Stop<'_>,
    ) -> Result<Vec<Judgement>, Stopped>;

    /// The number of objectives; 0 if fitness is one number.
    fn objectives(&self, _spec: &Spec) -> u64 {
        0
    }

    /// One of its kind, for tests.
    fn sample() -> Self
    where
        Self: Sized;
}

/// The fitness of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Fitness as one number; higher is better.
    pub fitness: f64,
    /// The value of each objective, if there are several; higher is better.
    pub objectives: Box<[f64]>,
}

impl Judgement {
    /// A judgement with one number.
    pub fn of(fitness: f64) -> Judgement {
        Judgement { fitness, objectives: Box::default() }
    }
}

/// The share of games won by each row.
pub fn win_shares(rows: usize, payoffs: &[Payoff]) -> Vec<f64> {
    let mut games = vec![(0, 0); rows];
    for (row, _, cell) in payoffs.iter().flat_map(Payoff::cells) {
        games[row].0 += cell.wins;
        games[row].1 += cell.wins + cell.draws + cell.losses;
    }
    games.into_iter().map(|(wins, all)| f64::from(wins) / f64::from(all.max(1))).collect()
}

/// Fitness of payoff tables, and cells for these, for tests.
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
