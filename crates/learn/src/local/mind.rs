//! Models that learn by TD(λ) after every move: any model by its gradient, and networks in the
//! kernel, where they stay compiled. WPCs have a mind of their own (`models/wpc.rs`).

use super::self_play::learn_from;
use crate::Candidate;
use outflank_arena::Step;
use outflank_game::model::{Model, View};
use outflank_game::othello::{Position, Side, Square, Squares};
use outflank_game::player::{Turn, best_of};
use outflank_kernel::{DIVERGED, Kernel, Memo, Network, Sight, Student, Taught};

/// A model during a game in which it learns.
pub trait Mind {
    /// Begins a game: traces are empty.
    fn begin(&mut self);

    /// What a move is worth to the player who makes it.
    fn worth(&mut self, kernel: Kernel, turn: &Turn, at: Square) -> f64;

    /// The moves that are worth most.
    fn best(&mut self, kernel: Kernel, turn: &Turn) -> Squares {
        best_of(turn.moves, |at| self.worth(kernel, turn, at))
    }

    /// Learns from a move.
    fn learn(&mut self, kernel: Kernel, step: &Step, alpha: f32, lambda: f32);

    /// Writes what was learned to the model, at the end of the game. Says whether none of it has
    /// diverged.
    fn leave(&mut self) -> bool;
}

/// A step of learning as the kernel takes it: boards as Black sees them.
pub fn taught(kernel: Kernel, step: &Step, alpha: f32, lambda: f32) -> Taught {
    let seen = |position: Position| {
        let board = position.seen_by(Side::Black);
        (board.own.0, board.opp.0)
    };
    let (before, after) = (seen(step.before), seen(step.after));
    let is_over = kernel.moves(after.0, after.1) == 0 && kernel.moves(after.1, after.0) == 0;
    let outcome = || f32::from(after.0.count_ones().cmp(&after.1.count_ones()) as i8);
    Taught { before, after, outcome: is_over.then(outcome), alpha, lambda }
}

/// Any model, by its gradient.
pub struct ByGradient<'a, M> {
    model: &'a mut M,
    traces: Vec<f32>,
}

impl<'a, M: Model> ByGradient<'a, M> {
    /// Prepares a model.
    pub fn new(model: &'a mut M) -> ByGradient<'a, M> {
        let traces = vec![0.0; model.params().len()];
        ByGradient { model, traces }
    }
}

impl<M: Model> Mind for ByGradient<'_, M> {
    fn begin(&mut self) {
        self.traces.fill(0.0);
    }

    fn worth(&mut self, _: Kernel, turn: &Turn, at: Square) -> f64 {
        let value = self.model.value(turn.position.play(at).seen_by(Side::Black));
        f64::from(if turn.position.side == Side::Black { value } else { -value })
    }

    fn learn(&mut self, _: Kernel, step: &Step, alpha: f32, lambda: f32) {
        learn_from(self.model, &mut self.traces, step, alpha, lambda);
    }

    fn leave(&mut self) -> bool {
        self.model.params().iter().all(|param| param.abs() < DIVERGED)
    }
}

/// A network in the kernel.
pub struct InKernel<'a, M> {
    model: &'a mut M,
    student: Student,
    memo: Memo,
}

impl<'a, M: Candidate> InKernel<'a, M> {
    /// Prepares a model, if it is a network.
    pub fn new(model: &'a mut M) -> Option<InKernel<'a, M>> {
        let network = Network::new(&model.wiring()?, model.params());
        Some(InKernel { model, student: Student::new(network), memo: Memo::default() })
    }
}

impl<M: Candidate> Mind for InKernel<'_, M> {
    fn begin(&mut self) {
        self.student.begin();
    }

    fn worth(&mut self, _: Kernel, turn: &Turn, at: Square) -> f64 {
        let board = turn.position.play(at).seen_by(Side::Black);
        let value = self.student.network().value(board.own.0, board.opp.0);
        f64::from(if turn.position.side == Side::Black { value } else { -value })
    }

    fn best(&mut self, kernel: Kernel, turn: &Turn) -> Squares {
        // It has learned since, so nothing that was remembered is true.
        self.memo.forget();
        let own_eyes = self.model.view() == View::Mover || turn.position.side == Side::Black;
        let (board, moves) = (turn.position.board, turn.moves.0);
        let sight = Sight { own: board.own.0, opp: board.opp.0, moves, own_eyes };
        Squares(kernel.best_of(self.student.network(), &mut self.memo, sight))
    }

    fn learn(&mut self, kernel: Kernel, step: &Step, alpha: f32, lambda: f32) {
        kernel.teach_network(&mut self.student, &taught(kernel, step, alpha, lambda));
    }

    fn leave(&mut self) -> bool {
        let params = self.model.params_mut();
        self.student.network().copy_params(params);
        params.iter().all(|param| param.abs() < DIVERGED)
    }
}
