//! TD(λ) during the fitness games (Handa 2012): a candidate learns after every move of a game,
//! whoever made it, and plays the next one with what it learned. The rule is that of
//! [`super::self_play`], with boards as Black sees them.
//!
//! With `others = "weighed"` (+en in the paper) a step is multiplied by 1 − c, where c is the share
//! of the *other* candidates of the generation that would make the same move there. A move that
//! all would make teaches nothing. The others are asked as they were when the generation began,
//! so that it does not matter who plays first.

use super::mind::Mind;
use super::{During, Learning, Local, LocalKind, LocalSetting, Place, Scene, check_rates};
use crate::{Candidate, Halt, LearnError, Spec};
use outflank_arena::{Playing, Step};
use outflank_game::othello::{Position, Square, Squares};
use outflank_game::player::{Manner, Player, Policy, Turn};
use outflank_kernel::rng::Key;
use outflank_kernel::{DIVERGED, Kernel};
use outflank_schema::{Fault, KeyPath, fault, table, words};

table! {
/// TD(lambda) in the fitness games.
pub struct TdGamesSpec {
    /// Learning rate.
    pub alpha: f64,
    /// Decay of eligibility traces, 0 to 1.
    pub lambda: f64,
    /// The moves that are learned from. Nothing is learned from a candidate's own random moves.
    pub moves: LearnedMoves,
    /// Whether the moves of the other candidates matter.
    pub others: Others = Others::Ignored,
}
}

words! {
/// The moves that are learned from.
pub enum LearnedMoves {
    /// Those of both sides.
    All = "all",
    /// Only the candidate's own.
    Own = "own",
}
}

words! {
/// Whether the moves of the other candidates matter.
pub enum Others {
    /// They do not.
    Ignored = "ignored",
    /// The more of the other candidates would make the same move, the smaller is the step.
    Weighed = "weighed",
}
}

/// The largest weights that learning can start from; beyond [`DIVERGED`] it stops.
const LARGEST_LEARNED: f64 = 100.0;

impl LocalKind for TdGamesSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        check_rates(at, self.alpha, self.lambda)
    }

    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        if !spec.model.learns_online() {
            let expected = "td-lambda, or model.output = \"linear\" and model.view = \"black\"";
            return Err(fault(&at.key("kind"), "\"td-games\"", expected));
        }
        if spec.opponents.games == 0 || spec.opponents_per_candidate() == 0 {
            let expected = "another kind, or opponents to play against: it learns in their games";
            return Err(fault(&at.key("kind"), "\"td-games\"", expected));
        }
        if spec.policy.depth > 1 {
            let expected = format!(
                "0 or 1, because {} = \"td-games\" learns from the moves that candidates make by \
                 their own evaluation",
                at.key("kind")
            );
            return Err(fault("policy.depth", spec.policy.depth, expected));
        }
        if self.others == Others::Weighed && spec.search.candidates() < 2 {
            let expected = format!(
                "\"ignored\", because search.kind = {:?} has one candidate only",
                spec.search.kind()
            );
            return Err(fault(&at.key("others"), "\"weighed\"", expected));
        }
        Ok(())
    }

    fn games(&self, _: &Spec) -> u64 {
        0
    }

    fn alpha(&self) -> f64 {
        self.alpha
    }

    fn diverges_beyond(&self) -> f64 {
        f64::from(DIVERGED)
    }

    fn begins_within(&self) -> f64 {
        LARGEST_LEARNED
    }

    fn shrink(&mut self) {}

    fn sample() -> TdGamesSpec {
        let (moves, others) = (LearnedMoves::All, Others::Ignored);
        TdGamesSpec { alpha: 0.01, lambda: 0.9, moves, others }
    }

    fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        let policy = setting.spec.policy.policy()?;
        Ok(Box::new(TdGames { spec: self.clone(), policy, company: None }))
    }
}

/// How candidates play, and whom they ask.
struct TdGames {
    spec: TdGamesSpec,
    policy: Policy,
    /// The candidates of this generation as they were at its beginning; only if they matter.
    company: Option<Box<dyn Company>>,
}

impl<M: Candidate> Local<M> for TdGames {
    fn before(
        &mut self,
        candidates: &mut [Learning<'_, M>],
        _scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        self.company = (self.spec.others == Others::Weighed)
            .then(|| M::company(candidates.iter().map(|one| one.candidate.clone()).collect()));
        Ok(0)
    }

    fn during(&self) -> Option<&dyn During<M>> {
        Some(self)
    }
}

impl<M: Candidate> During<M> for TdGames {
    fn seat<'a>(&'a self, candidate: &'a mut M, place: Place) -> Box<dyn Playing + 'a> {
        let mind = candidate.mind();
        Box::new(Seat { local: self, mind, place, was_random: false, open: None })
    }

    fn diverges_beyond(&self) -> f32 {
        DIVERGED
    }
}

/// Models that are asked for their moves, without any randomness.
pub trait Company: Send + Sync {
    /// How many of them, but for one, would make this move, or another one that is as good to
    /// them.
    fn agreeing(&self, kernel: Kernel, turn: &Turn, at: Square, except: usize) -> usize;

    /// How many there are.
    fn len(&self) -> usize;

    /// Says whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A candidate in a game.
struct Seat<'a> {
    local: &'a TdGames,
    mind: Box<dyn Mind + 'a>,
    place: Place,
    /// Whether its own last move was random.
    was_random: bool,
    /// Of one that learns from its own moves only: the last one with its step size. What it led to
    /// is known at its next turn, or at the end of the game.
    open: Option<(Step, f32)>,
}

impl Seat<'_> {
    /// The step size for a move: smaller, the more of the others would make it.
    fn alpha(&self, step: &Step, at: Square) -> f32 {
        let alpha = self.local.spec.alpha as f32;
        let Some(company) = &self.local.company else { return alpha };
        let (kernel, board) = (self.place.kernel, step.before.board);
        let moves = Squares(kernel.moves(board.own.0, board.opp.0));
        // Nothing is drawn: the players that are asked have no policy.
        let turn = Turn { position: step.before, moves, ply: 0, key: Key(0) };
        let agree = company.agreeing(kernel, &turn, at, self.place.index);
        alpha * (1.0 - agree as f32 / (company.len() - 1).max(1) as f32)
    }

    fn learn(&mut self, step: &Step, alpha: f32) {
        self.mind.learn(self.place.kernel, step, alpha, self.local.spec.lambda as f32);
    }

    /// Learns from its last own move, which has led here.
    fn close(&mut self, after: Position) {
        if let Some((step, alpha)) = self.open.take() {
            self.learn(&Step { after, ..step }, alpha);
        }
    }
}

impl Playing for Seat<'_> {
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        self.close(turn.position);
        let Seat { local, mind, .. } = self;
        let chosen = local.policy.choose(kernel, turn, |manner| match manner {
            Manner::Greedy => mind.best(kernel, turn),
            Manner::Noisy(noise) => noise.best(turn.moves, |at| mind.worth(kernel, turn, at)),
        });
        self.was_random = chosen.is_random;
        chosen.at
    }

    fn observe(&mut self, step: &Step) {
        let Some(at) = step.at.filter(|_| self.place.learns) else { return };
        let is_own = step.before.side == self.place.side;
        let is_random = is_own && self.was_random;
        match self.local.spec.moves {
            LearnedMoves::All if !is_random => self.learn(step, self.alpha(step, at)),
            LearnedMoves::Own if is_own && !is_random => {
                self.open = Some((*step, self.alpha(step, at)));
            }
            _ => {}
        }
        let (board, other) = (step.after.board, step.after.board.pass());
        if board.moves().is_empty() && other.moves().is_empty() {
            self.close(step.after);
        }
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if self.place.learns {
            self.mind.leave();
        }
    }
}

/// Players that are asked one after the other.
pub struct OneByOne(Vec<Player>);

impl OneByOne {
    /// Asks these models.
    pub fn new<M: Candidate>(all: &[M]) -> OneByOne {
        OneByOne(all.iter().map(|model| model.player(Policy::default())).collect())
    }
}

impl Company for OneByOne {
    fn agreeing(&self, kernel: Kernel, turn: &Turn, at: Square, except: usize) -> usize {
        let others = self.0.iter().enumerate().filter(|(index, _)| *index != except);
        others.filter(|(_, player)| player.best(kernel, turn).has(at)).count()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests;
