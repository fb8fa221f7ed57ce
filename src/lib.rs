//! Outflank: a laboratory for learning to play Othello.
//!
//! The rooms stand in a line, and each imports only from rooms to its left: [`rng`], [`kernel`],
//! [`othello`], [`model`], [`player`], [`arena`], [`learn`], [`lab`], [`cli`]. ARCHITECTURE.md tells the whole.

pub mod arena;
pub mod cli;
pub mod kernel;
pub mod lab;
pub mod learn;
pub mod model;
pub mod othello;
pub mod player;
pub mod rng;

/// The examples of the documentation are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/extending.md")]
struct Extending;
