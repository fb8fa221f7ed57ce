//! The axis `local`: how a candidate improves by itself, before, during or after the games that count.
//!
//! A value is a file here (its table, limits, effort, tests and code), a line in the axis and one in
//! [`LocalSpec::build`].

use outflank_schema::{Fault, KeyPath, axis, fault};
mod games;
mod given;
mod network;
mod none;
mod self_play;
mod store;
mod td;
mod td_lambda;
#[cfg(test)]
pub(super) mod testing;

use std::sync::Arc;

pub use games::GamesSpec;
pub use none::NoLocalSpec;
use rayon::prelude::*;
pub use self_play::{Lesson, Pupil, play_and_learn};
pub use store::{StoreSpec, Stored};
pub use td::TdSpec;
pub use td_lambda::{Against, TdLambdaSpec};

use super::run::{Halt, Stop};
use super::{Candidate, LearnError, Spec, Unreadable};
use outflank_arena::{Arena, KeptGame, Playing};
use outflank_game::othello::Side;
use outflank_kernel::rng::Seed;
use outflank_schema::one_of;

axis! {
/// The axis `local`.
pub enum LocalSpec: LocalKind {
    /// Candidates stay as they were proposed.
    None(NoLocalSpec) = "none",
    /// TD(lambda) in self-play, weights updated move by move.
    Td(TdSpec) = "td",
    /// TD(lambda) off-line: after each game, backwards, from the positions of both sides.
    TdLambda(TdLambdaSpec) = "td-lambda",
    /// The same from a store of games of the whole generation.
    Store(StoreSpec) = "store",
    /// The same from given games.
    Games(GamesSpec) = "games",
}
}

impl LocalSpec {
    /// Local learning at its beginning; refused if the model is not one that can learn so.
    pub fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        if self.needs_network() && setting.model.wiring().is_none() {
            let others = LocalSpec::samples();
            let others = others.iter().filter(|other| !other.needs_network()).map(LocalSpec::kind);
            let expected = format!(
                "{}, for the model is no network to learn in",
                one_of(&others.collect::<Vec<_>>())
            );
            return Err(fault("local.kind", format!("{:?}", self.kind()), expected).into());
        }
        match self {
            LocalSpec::None(spec) => spec.build(setting),
            LocalSpec::Td(spec) => spec.build(setting),
            LocalSpec::TdLambda(spec) => spec.build(setting),
            LocalSpec::Store(spec) => spec.build(setting),
            LocalSpec::Games(spec) => spec.build(setting),
        }
    }
}

/// What is asked of a way of learning before there is one.
pub trait LocalKind {
    /// Says what is wrong with its own keys.
    fn check(&self, at: &KeyPath) -> Result<(), Fault>;

    /// Says what is wrong with its keys beside those of other axes.
    fn check_with(&self, _at: &KeyPath, _spec: &Spec) -> Result<(), Fault> {
        Ok(())
    }

    /// Whether candidates learn anything.
    fn learns(&self) -> bool {
        true
    }

    /// Games of a generation that has them, of all candidates together.
    fn games(&self, spec: &Spec) -> u64;

    /// What the key `games` says, if the games of a generation are its own.
    fn games_key(&self) -> Option<String> {
        None
    }

    /// The learning rate; 0 if there is none.
    fn alpha(&self) -> f64 {
        0.0
    }

    /// Weights beyond this have diverged; learning gives them up.
    fn diverges_beyond(&self) -> f64;

    /// The largest weights with which learning can begin; a little below [`LocalKind::diverges_beyond`].
    fn begins_within(&self) -> f64 {
        self.diverges_beyond()
    }

    /// Whether candidates must be networks.
    fn needs_network(&self) -> bool {
        false
    }

    /// Whether it tells how large the errors of temporal differences were.
    fn tells_errors(&self) -> bool {
        false
    }

    /// Whether the candidates of many runs learn faster side by side.
    fn is_faster_together(&self) -> bool {
        false
    }

    /// Games to learn from that nobody in a run plays: read or played once a study.
    fn given(&self) -> Result<Given, LearnError> {
        Ok(Given::default())
    }

    /// Makes it small, for the stamp that every run has: a few games.
    fn shrink(&mut self);

    /// A small one, for tests of what all keep.
    fn sample() -> Self
    where
        Self: Sized;

    /// Local learning at its beginning.
    fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError>
    where
        Self: Sized;
}

/// Games that are given, as lists of moves from the start of the game; shared by all runs of a study.
pub type Given = Arc<Vec<Vec<u8>>>;

/// What local learning is made with.
#[derive(Debug)]
pub struct LocalSetting<'a, M> {
    /// The spec of the run.
    pub spec: &'a Spec,
    /// Its given games.
    pub given: &'a Given,
    /// A model like those that will learn.
    pub model: &'a M,
}

/// A way of learning at work in a run, with all that it remembers from one generation to the next.
pub trait Local<M>: Send {
    /// Games of each candidate in this generation that count as effort, but for those that
    /// [`Local::before`] tells of.
    fn games(&self, _generation: u64) -> u64 {
        0
    }

    /// Lets candidates learn before they are judged. Tells how many games it played that
    /// [`Local::games`] does not know of. Of ways that are faster together, this gets the candidates of
    /// several runs at once; each must become what it would have become alone.
    fn before(
        &mut self,
        _candidates: &mut [Learning<'_, M>],
        _scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        Ok(0)
    }

    /// How candidates learn during the games that count, if they do: each plays its games one after the
    /// other, and is in each what it has become in those before.
    fn during(&self) -> Option<&dyn During<M>> {
        None
    }

    /// Whether the games that count are to be kept for [`Local::after`].
    fn keeps_games(&self) -> bool {
        false
    }

    /// Lets candidates learn after the games that count, or keeps those for later. What candidates learn
    /// here is inherited, but was not judged.
    fn after(
        &mut self,
        _candidates: &mut [Learning<'_, M>],
        _games: Vec<KeptGame>,
        _scene: &Scene<'_>,
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// What must survive an interruption, as bytes.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes up what [`Local::save`] gave.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), Unreadable> {
        Ok(())
    }
}

/// Learning during games.
pub trait During<M>: Sync {
    /// The candidate at the board, for one game as one side: it is asked for its own moves, but for
    /// those of a random opening, and shown all. What it learns from them is in the candidate.
    fn seat<'a>(&'a self, candidate: &'a mut M, side: Side) -> Box<dyn Playing + 'a>;
}

/// Where and when local learning happens.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Where games are played.
    pub arena: &'a Arena,
    /// The root of all streams of this generation.
    pub root: Seed,
    /// Games played before this generation, or in it.
    pub played: u64,
    /// Games of the run.
    pub total: u64,
    /// Whether to stop; to be asked often.
    pub stop: &'a Stop<'a>,
}

impl std::fmt::Debug for Scene<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scene").field("played", &self.played).finish_non_exhaustive()
    }
}

/// A candidate on its way to be judged.
#[derive(Debug)]
pub struct Learning<'a, M> {
    /// The candidate.
    pub candidate: &'a mut M,
    /// The root of its streams in this generation.
    pub seed: Seed,
    /// The number of its generation.
    pub generation: u64,
    /// When it diverged: after this many of its games.
    pub diverged: Option<u64>,
    /// The mean error of temporal differences, if its learning tells.
    pub error: f64,
}

/// Lets candidates learn, each on some thread.
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

/// Learning rates beyond are slips of the pen.
const MAX_ALPHA: f64 = 1000.0;

fn check_rates(at: &KeyPath, alpha: f64, lambda: f64) -> Result<(), Fault> {
    at.number("alpha", alpha, -MAX_ALPHA..=MAX_ALPHA)?;
    at.chance("lambda", lambda)
}
