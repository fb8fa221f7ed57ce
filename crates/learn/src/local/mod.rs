//! The axis `local`: how a candidate learns by itself before, during or after the fitness games.
//!
//! A value is a file here (its table, limits, effort, tests and code), a line in the axis and one
//! in [`LocalSpec::build`].

use outflank_schema::{Fault, KeyPath, axis, fault};
mod games;
mod given;
mod mind;
mod network;
mod none;
mod self_play;
mod store;
mod td;
mod td_games;
mod td_lambda;
#[cfg(test)]
pub(super) mod testing;

use std::sync::Arc;

pub use games::GamesSpec;
pub use mind::{ByGradient, InKernel, Mind, taught};
pub use none::NoLocalSpec;
use rayon::prelude::*;
pub use self_play::{Lesson, Pupil, play_and_learn};
pub use store::{StoreSpec, Stored};
pub use td::TdSpec;
pub use td_games::{Company, LearnedMoves, OneByOne, Others, TdGamesSpec};
pub use td_lambda::{Against, LearnedValues, TdLambdaSpec};

use super::run::{Halt, Stop};
use super::{Candidate, LearnError, Spec, Unreadable};
use outflank_arena::{Arena, KeptGame, Playing};
use outflank_game::othello::Side;
use outflank_kernel::Kernel;
use outflank_kernel::rng::Seed;
use outflank_schema::one_of;

axis! {
/// The axis `local`.
pub enum LocalSpec: LocalKind {
    /// No local learning: candidates stay as they are.
    None(NoLocalSpec) = "none",
    /// On-line TD(lambda) in self-play: weights are updated after every move.
    Td(TdSpec) = "td",
    /// On-line TD(lambda) in the fitness games, against whoever is met: weights are updated after
    /// every move (Handa 2012).
    TdGames(TdGamesSpec) = "td-games",
    /// Off-line TD(lambda): after each game, backwards, from the positions of both sides.
    TdLambda(TdLambdaSpec) = "td-lambda",
    /// Off-line TD(lambda) from a store of the games of a whole generation.
    Store(StoreSpec) = "store",
    /// Off-line TD(lambda) from given games.
    Games(GamesSpec) = "games",
}
}

impl LocalSpec {
    /// Prepares local learning. Refused if the model cannot learn in this way.
    pub fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        if self.needs_network() && setting.model.wiring().is_none() {
            let others = LocalSpec::samples();
            let others = others.iter().filter(|other| !other.needs_network()).map(LocalSpec::kind);
            let expected = format!(
                "{}, because the model is not a network",
                one_of(&others.collect::<Vec<_>>())
            );
            return Err(fault("local.kind", format!("{:?}", self.kind()), expected).into());
        }
        match self {
            LocalSpec::None(spec) => spec.build(setting),
            LocalSpec::Td(spec) => spec.build(setting),
            LocalSpec::TdGames(spec) => spec.build(setting),
            LocalSpec::TdLambda(spec) => spec.build(setting),
            LocalSpec::Store(spec) => spec.build(setting),
            LocalSpec::Games(spec) => spec.build(setting),
        }
    }
}

/// A kind of local learning, as a spec describes it.
pub trait LocalKind {
    /// Checks its own keys.
    fn check(&self, at: &KeyPath) -> Result<(), Fault>;

    /// Checks its keys against those of other axes.
    fn check_with(&self, _at: &KeyPath, _spec: &Spec) -> Result<(), Fault> {
        Ok(())
    }

    /// Whether candidates learn anything.
    fn learns(&self) -> bool {
        true
    }

    /// Games of all candidates together, in a generation in which they learn.
    fn games(&self, spec: &Spec) -> u64;

    /// The value of the key `games`, if it sets the games of a generation.
    fn games_key(&self) -> Option<String> {
        None
    }

    /// The learning rate; 0 if there is none.
    fn alpha(&self) -> f64 {
        0.0
    }

    /// Weights beyond this have diverged, and learning stops.
    fn diverges_beyond(&self) -> f64;

    /// The largest weights that learning can start from; a little below
    /// [`LocalKind::diverges_beyond`].
    fn begins_within(&self) -> f64 {
        self.diverges_beyond()
    }

    /// Whether candidates must be networks.
    fn needs_network(&self) -> bool {
        false
    }

    /// Whether it reports TD errors.
    fn tells_errors(&self) -> bool {
        false
    }

    /// Whether learning is faster when the candidates of many runs learn in one batch.
    fn is_faster_together(&self) -> bool {
        false
    }

    /// The key of a schedule that depends on the number of games of the whole run, if there is one.
    /// Such a run is not the beginning of a longer one.
    fn key_of_length(&self) -> Option<&'static str> {
        None
    }

    /// Games to learn from that are not played in the run: read or played once per study.
    fn given(&self) -> Result<Given, LearnError> {
        Ok(Given::default())
    }

    /// Whether learners break ties as `policy.ties` says; otherwise they do so at random.
    fn breaks_ties(&self) -> bool {
        true
    }

    /// Makes it small, for the signature that every run records: a few games.
    fn shrink(&mut self);

    /// A small one, for tests of all kinds.
    fn sample() -> Self
    where
        Self: Sized;

    /// Prepares local learning.
    fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError>
    where
        Self: Sized;
}

/// Given games, as lists of moves from the initial position; shared by all runs of a study.
pub type Given = Arc<Vec<Vec<u8>>>;

/// What local learning is built from.
#[derive(Debug)]
pub struct LocalSetting<'a, M> {
    /// The spec of the run.
    pub spec: &'a Spec,
    /// The given games.
    pub given: &'a Given,
    /// A model of the kind that will learn.
    pub model: &'a M,
}

/// Local learning in a run, with its state.
pub trait Local<M>: Send {
    /// Games of each candidate in this generation that count as effort, without those that
    /// [`Local::before`] returns.
    fn games(&self, _generation: u64) -> u64 {
        0
    }

    /// Lets candidates learn before they are evaluated. Returns how many games it played that
    /// [`Local::games`] does not count. Local learning that is faster together gets the candidates
    /// of several runs at once; each must end as it would alone.
    fn before(
        &mut self,
        _candidates: &mut [Learning<'_, M>],
        _scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        Ok(0)
    }

    /// How candidates learn during the fitness games, if they do. Each candidate plays its games
    /// one after the other, so that it plays each with what it learned in the games before.
    fn during(&self) -> Option<&dyn During<M>> {
        None
    }

    /// Whether the fitness games are kept for [`Local::after`].
    fn keeps_games(&self) -> bool {
        false
    }

    /// Lets candidates learn after the fitness games, or keeps these for later. What candidates
    /// learn here is inherited, but does not count for fitness.
    fn after(
        &mut self,
        _candidates: &mut [Learning<'_, M>],
        _games: Vec<KeptGame>,
        _scene: &Scene<'_>,
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// The state as bytes.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Restores what [`Local::save`] returned.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), Unreadable> {
        Ok(())
    }
}

/// Learning during games.
pub trait During<M>: Sync {
    /// Seats the candidate for one game. It chooses its own moves, except in a random opening, and
    /// observes all moves. What it learns is written to the candidate.
    fn seat<'a>(&'a self, candidate: &'a mut M, place: Place) -> Box<dyn Playing + 'a>;

    /// Parameters of this size have diverged.
    fn diverges_beyond(&self) -> f32 {
        f32::INFINITY
    }
}

/// Where a candidate sits.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// With which kernel.
    pub kernel: Kernel,
    /// Its index among the candidates of the generation.
    pub index: usize,
    /// Its side.
    pub side: Side,
    /// Whether it learns; a candidate that diverged plays the rest of its games as it was.
    pub learns: bool,
}

/// Where and when local learning happens.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Where games are played.
    pub arena: &'a Arena,
    /// The root of all random streams of this generation.
    pub root: Seed,
    /// Games of the run so far.
    pub played: u64,
    /// Games of the run.
    pub total: u64,
    /// Whether to stop; asked often.
    pub stop: &'a Stop<'a>,
}

impl std::fmt::Debug for Scene<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scene").field("played", &self.played).finish_non_exhaustive()
    }
}

/// A candidate during local learning.
#[derive(Debug)]
pub struct Learning<'a, M> {
    /// The candidate.
    pub candidate: &'a mut M,
    /// The root of its random streams in this generation.
    pub seed: Seed,
    /// The number of its generation.
    pub generation: u64,
    /// The number of its games after which it diverged, if it did.
    pub diverged: Option<u64>,
    /// The mean TD error, if local learning reports it.
    pub error: f64,
}

/// Lets candidates learn in parallel.
fn each<M: Candidate>(
    candidates: &mut [Learning<'_, M>],
    arena: &Arena,
    teach: impl Fn(&mut Learning<'_, M>) -> Result<(), Halt> + Sync + Send,
) -> Result<(), Halt> {
    match arena.threads() {
        1 => candidates.iter_mut().try_for_each(teach),
        _ => arena.install(|| candidates.par_iter_mut().with_max_len(1).try_for_each(teach)),
    }
}

/// Larger learning rates are mistakes.
const MAX_ALPHA: f64 = 1000.0;

fn check_rates(at: &KeyPath, alpha: f64, lambda: f64) -> Result<(), Fault> {
    at.number("alpha", alpha, -MAX_ALPHA..=MAX_ALPHA)?;
    at.chance("lambda", lambda)
}
