//! The rules of Othello: squares, boards, games, symmetries and how they are written.
//!
//! A [`Board`] is seen from the side to move and has no colours; a [`Position`] adds which side
//! that is; a [`Game`] is a start position and the plies played from it.

mod board;
mod game;
mod notation;
mod perft;
mod square;
mod symmetry;
mod wthor;

pub use board::Board;
pub use game::{Game, IllegalMove, Outcome, Ply, Position, Side, Why};
pub use notation::{
    NotationError, ObfLine, Problem, parse_game, parse_obf, parse_position, write_game,
    write_position,
};
pub use perft::{Convention, perft};
pub use square::{Square, Squares};
pub use symmetry::Symmetry;
pub use wthor::{
    RecordFault, Wthor, WthorError, WthorFault, WthorGame, parse_wthor, read_wthor, write_wthor,
};
