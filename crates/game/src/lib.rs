//! Othello as a game for programs: the rules and notations ([`othello`]), what scores a board ([`model`]), and who
//! plays it ([`player`]), with the files of all three. No threads, no clock.

pub mod model;
pub mod othello;
pub mod player;
