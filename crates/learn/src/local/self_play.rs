//! TD(λ) in self-play, after every move, for any model with a gradient: Szubert et al. 2009,
//! section III-B, eq. (2) to (5). The prediction is P = tanh(f(b)), from Black's point of view.
//! After each move that was not random
//!
//! ```text
//! e ← λ e + (1 − P(t)²) ∇f(b(t))
//! w ← w + α (P(t+1) − P(t)) e
//! ```
//!
//! where b(t) is the board before the move and b(t+1) the board after it. At the end of a game its
//! result replaces P(t+1). Nothing is learned from random moves and passes, but eligibility traces
//! survive them. WPCs learn in the kernel instead, by the same rule.

use super::mind::Mind;
use crate::{Candidate, Stop};
use outflank_arena::{Playing, Step, Stopped, play};
use outflank_game::model::Model;
use outflank_game::othello::{Position, Side, Square};
use outflank_game::player::{Policy, Turn};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Chance, Seed, Stream};

/// How to learn, and in how many games.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Games of each model.
    pub games: u32,
    /// Learning rate.
    pub alpha: f32,
    /// Decay of eligibility traces.
    pub lambda: f32,
    /// Probability of a random move.
    pub epsilon: Chance,
}

/// A model that learns, and the root of the random streams of its games.
#[derive(Debug)]
pub struct Pupil<'a, M> {
    /// The model.
    pub model: &'a mut M,
    /// Game g uses the key `seed.at(Stream::Learning, g)`.
    pub seed: Seed,
}

/// Plays all games of a lesson. Returns the game after which it had diverged, if any.
pub fn play_and_learn<M: Candidate>(
    kernel: Kernel,
    pupil: &mut Pupil<'_, M>,
    lesson: &Lesson,
    stop: &Stop<'_>,
) -> Result<Option<u32>, Stopped> {
    let policy = Policy { epsilon: lesson.epsilon, ..Policy::default() };
    let mind = pupil.model.mind();
    let was_random = false;
    let mut learner = Learner { mind, kernel, lesson, policy, was_random, stop, is_stopped: false };
    for game in 0..lesson.games {
        let key = pupil.seed.at(Stream::Learning, u64::from(game));
        learner.mind.begin();
        play(kernel, Position::START, key, 0, &mut learner);
        if learner.is_stopped {
            return Err(Stopped);
        }
        if !learner.mind.leave() {
            return Ok(Some(game));
        }
    }
    Ok(None)
}

/// A model that plays both sides and learns from each move before the next one.
struct Learner<'a> {
    mind: Box<dyn Mind + 'a>,
    kernel: Kernel,
    lesson: &'a Lesson,
    policy: Policy,
    /// Whether the last move was random.
    was_random: bool,
    /// Whether to stop: asked before every move and every update, because a game of a large network
    /// takes minutes.
    stop: &'a Stop<'a>,
    is_stopped: bool,
}

impl Playing for Learner<'_> {
    fn gives_up(&mut self) -> bool {
        self.is_stopped = self.stop.stop();
        self.is_stopped
    }

    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        let chosen = self.policy.choose(kernel, turn, |_| self.mind.best(kernel, turn));
        self.was_random = chosen.is_random;
        chosen.at
    }

    fn observe(&mut self, step: &Step) {
        if step.at.is_none() || self.was_random || self.gives_up() {
            return;
        }
        let Lesson { alpha, lambda, .. } = *self.lesson;
        self.mind.learn(self.kernel, step, alpha, lambda);
    }
}

/// Learns from a move, by the rule above.
pub fn learn_from<M: Model>(
    model: &mut M,
    traces: &mut [f32],
    step: &Step,
    alpha: f32,
    lambda: f32,
) {
    let [before, after] = [step.before, step.after].map(|at| at.seen_by(Side::Black));
    let predicted = libm::tanhf(model.value(before));
    let target = if after.is_over() {
        after.margin().signum() as f32
    } else {
        libm::tanhf(model.value(after))
    };
    let slope = 1.0 - predicted * predicted;
    traces.iter_mut().for_each(|trace| *trace *= lambda);
    model.gradient(before, |param, derivative| traces[param] += slope * derivative);
    let step = alpha * (target - predicted);
    for (param, trace) in model.params_mut().iter_mut().zip(traces.iter()) {
        *param += step * trace;
    }
}
