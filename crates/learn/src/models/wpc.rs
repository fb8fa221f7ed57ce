//! The weighted piece counter as a model. It learns in the kernel, in one batch with others.

use std::sync::Arc;

use super::{Copies, First, ModelKind, ModelSpec, Offer};
use crate::local::{Company, Lesson, Mind, Pupil, taught};
use crate::search::Breeds;
use crate::{Candidate, LearnError, Stop};
use outflank_arena::{Step, Stopped, games_at_once};
use outflank_game::model::{ModelFile, ModelName, Wpc};
use outflank_game::othello::Square;
use outflank_game::player::{Brain, Turn};
use outflank_kernel::rng::Rng;
use outflank_kernel::{Apprentice, Crowd, Kernel, Learner, Question};
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, OriginName, table};

table! {
/// A weighted piece counter.
pub struct WpcSpec {
    /// Initial weights are uniform in [-start, start], unless `first` says otherwise; 0 for all
    /// zero.
    pub start: f64,
    /// Distribution of the initial weights.
    pub first: First = First::Uniform,
    /// Player whose parameters candidates start from: a name, a file, a run (its champion), or a
    /// study (the champion of the run with the same seed); of the same shape. Empty for random
    /// parameters.
    pub from: OriginName = OriginName::default(),
    /// How the first candidates differ from that player.
    pub copies: Copies = Copies::Exact,
}
}

/// Learners in one batch of the kernel: a multiple of the width of every kernel.
const BATCH: usize = 256;

impl ModelKind for WpcSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.number("start", self.start, 0.0..=MAX_NUMBER)
    }

    fn start(&self) -> f64 {
        self.start
    }

    fn first(&self) -> First {
        self.first
    }

    fn from(&self) -> &OriginName {
        &self.from
    }

    fn origin_mut(&mut self) -> &mut OriginName {
        &mut self.from
    }

    fn copies(&self) -> Copies {
        self.copies
    }

    fn params(&self) -> u64 {
        64
    }

    fn offers(&self, breeds: Breeds) -> Offer {
        match breeds {
            Breeds::Parameters | Breeds::Places => Offer::Yes,
            Breeds::Neurons | Breeds::Graphs => Offer::No,
        }
    }

    fn is_network(&self) -> bool {
        false
    }

    fn learns_online(&self) -> bool {
        true
    }

    fn shrink(&mut self) {}

    fn sample() -> WpcSpec {
        let from = OriginName::default();
        WpcSpec { start: 0.1, first: First::Uniform, from, copies: Copies::Exact }
    }
}

impl Candidate for Wpc {
    fn first(spec: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Wpc, LearnError> {
        Ok(Wpc::drawn(|| spec.first().draw(start, rng)))
    }

    fn read(file: &ModelFile) -> Result<Wpc, String> {
        match file.kind {
            ModelName::Wpc => Wpc::read(file),
            other => Err(format!("it is {}", other.in_words())),
        }
    }

    fn shape(&self) -> String {
        ModelName::Wpc.in_words().into()
    }

    fn brain(&self) -> Brain {
        Brain::Wpc(Arc::new(self.clone()))
    }

    /// Learns in the kernel, in batches.
    fn self_play(
        kernel: Kernel,
        pupils: &mut [Pupil<'_, Self>],
        lesson: &Lesson,
        stop: &Stop<'_>,
    ) -> Result<Vec<Option<u32>>, Stopped> {
        let Lesson { games, alpha, lambda, epsilon } = *lesson;
        let mut learners: Vec<Learner<'_>> = pupils
            .iter_mut()
            .map(|pupil| Learner {
                weights: pupil.model.weights_mut(),
                alpha,
                lambda,
                epsilon,
                seed: pupil.seed,
            })
            .collect();
        // Only whole batches.
        let some = (games_at_once(64) / games.max(1) as usize).max(BATCH) / BATCH * BATCH;
        let mut diverged = Vec::with_capacity(learners.len());
        for learners in learners.chunks_mut(some) {
            if stop.stop() {
                return Err(Stopped);
            }
            diverged.extend(kernel.self_play(learners, games));
        }
        Ok(diverged)
    }

    fn mind(&mut self) -> Box<dyn Mind + '_> {
        let apprentice = Apprentice::new(self.weights());
        Box::new(InGame { wpc: self, apprentice })
    }

    fn company(all: Vec<Wpc>) -> Box<dyn Company> {
        Box::new(SideBySide(Crowd::new(all.iter().map(Wpc::grid))))
    }
}

/// A WPC during a game in which it learns: in the kernel.
struct InGame<'a> {
    wpc: &'a mut Wpc,
    apprentice: Apprentice,
}

impl Mind for InGame<'_> {
    fn begin(&mut self) {
        self.apprentice = Apprentice::new(self.wpc.weights());
    }

    fn worth(&mut self, kernel: Kernel, turn: &Turn, at: Square) -> f64 {
        let board = turn.position.board;
        let flips = kernel.flips(board.own.0, board.opp.0, at.set().0);
        self.apprentice.worth(flips, at.index())
    }

    fn learn(&mut self, kernel: Kernel, step: &Step, alpha: f32, lambda: f32) {
        kernel.teach(&mut self.apprentice, &taught(kernel, step, alpha, lambda));
    }

    fn leave(&mut self) -> bool {
        self.wpc.weights_mut().copy_from_slice(self.apprentice.weights());
        self.apprentice.weights().iter().all(|weight| weight.is_finite())
    }
}

/// WPCs asked in the kernel, all at once.
struct SideBySide(Crowd);

impl Company for SideBySide {
    fn agreeing(&self, kernel: Kernel, turn: &Turn, at: Square, except: usize) -> usize {
        let (board, moves) = (turn.position.board, turn.moves.0);
        let (own, opp, at) = (board.own.0, board.opp.0, at.set().0);
        kernel.ask(&self.0, &Question { own, opp, moves, at, except: Some(except) }) as usize
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}
