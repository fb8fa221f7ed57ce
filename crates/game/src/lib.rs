//! Othello as a game for programs: the rules and notations ([`othello`]), what scores a board
//! ([`model`]), and what plays it ([`player`]), with the files of all three. No threads and no
//! clock.

pub mod book;
pub mod model;
pub mod othello;
pub mod player;
