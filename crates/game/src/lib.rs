//! Othello as a game for programs: the rules and notations ([`othello`]), what scores a board
//! ([`model`]), and what plays it ([`player`]), with the files of all three; and other programs
//! that play ([`engine`]), the only part with threads and a clock.

pub mod book;
pub mod engine;
pub mod model;
pub mod othello;
pub mod player;
