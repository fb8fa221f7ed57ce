//! The rules of Othello: squares, boards, games, symmetries and how they are written.
//!
//! A [`Board`] is seen from the side to move and has no colours; a [`Position`] adds which side
//! that is; a [`Game`] is a start position and the plies played from it.

mod board;
mod game;
mod ggf;
mod notation;
mod obf;
mod opening_name;
mod perft;
mod records;
mod square;
mod symmetry;
mod wthor;

pub use board::Board;
pub use game::{Game, IllegalMove, Outcome, Ply, Position, Side, Why};
pub use ggf::{
    GgfFault, GgfGame, MoveNote, parse_ggf, parse_ggf_notes, write_ggf, write_ggf_notes,
};
pub use notation::{
    NotationError, Problem, check_playable, parse_game, parse_position, write_game, write_position,
};
pub use obf::{ObfLine, parse_obf};
pub use opening_name::{OPENINGS, Opening, opening_of};
pub use perft::{Convention, perft};
pub use records::{
    About, Format, GameRecord, GameWriter, Lost, RecordPlace, RecordProblem, RecordsError,
    SeeRecord, Theory, Unwritable, WrittenGames, parse_records, parse_text, read_records,
};
pub use square::{Square, Squares};
pub use symmetry::Symmetry;
pub use wthor::{
    RecordFault, Wthor, WthorError, WthorFault, WthorGame, WthorList, parse_wthor,
    parse_wthor_names, read_wthor, write_wthor, write_wthor_names,
};
