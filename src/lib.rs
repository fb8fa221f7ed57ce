//! Outflank: a laboratory for learning to play Othello.
//!
//! The rooms stand in a line, and each imports only from rooms to its left:
//! [`rng`], [`kernel`], [`othello`] and on. ARCHITECTURE.md tells the whole.

pub mod kernel;
pub mod othello;
pub mod rng;
