//! The other libraries.

use magpie::othello::{Board, Stone};

use crate::work::Position;

/// `othello`.
#[derive(Clone, Default)]
pub struct Othello(othello::Game);

impl Position for Othello {
    fn moves(&mut self) -> u64 {
        self.0.available_moves()
    }

    fn play(&mut self, at: u64) {
        self.0 = self.0.make_move(at.trailing_zeros() as usize).expect("a legal move");
    }

    fn pass(&mut self) -> bool {
        self.0.pass_move();
        true
    }

    fn discs(&self) -> [u64; 2] {
        self.0.get()
    }
}

/// `magpie`.
#[derive(Clone)]
pub struct Magpie {
    board: Board,
    mover: Stone,
}

impl Default for Magpie {
    fn default() -> Magpie {
        Magpie { board: Board::standard(), mover: Stone::Black }
    }
}

impl Position for Magpie {
    fn moves(&mut self) -> u64 {
        self.board.moves_for(self.mover).raw()
    }

    fn play(&mut self, at: u64) {
        self.board.play(self.mover, at.try_into().expect("a single bit"));
        self.mover = self.mover.flip();
    }

    fn pass(&mut self) -> bool {
        self.mover = self.mover.flip();
        true
    }

    fn discs(&self) -> [u64; 2] {
        [self.mover, self.mover.flip()].map(|stone| self.board.bits_for(stone).raw())
    }
}

/// `rust_reversi_core`, which numbers squares from the highest bit.
#[derive(Clone, Default)]
pub struct Reversi(rust_reversi_core::board::Board);

impl Position for Reversi {
    fn moves(&mut self) -> u64 {
        self.0.get_legal_moves()
    }

    fn play(&mut self, at: u64) {
        self.0.do_move(at.leading_zeros() as usize).expect("a legal move");
    }

    fn pass(&mut self) -> bool {
        self.0.do_pass().is_ok()
    }

    fn discs(&self) -> [u64; 2] {
        let (own, other, _) = self.0.get_board();
        [own, other]
    }
}
