//! Outflank: a laboratory for learning to play Othello.
//!
//! This crate only names the rooms of the house, each a crate of its own. A room uses only rooms before it:
//! [`kernel`] and [`rng`], [`schema`], the game ([`othello`], [`model`], [`player`]), [`arena`], [`learn`],
//! [`store`], [`lab`], [`report`], [`commands`]. ARCHITECTURE.md describes them.

pub use outflank_arena as arena;
pub use outflank_commands as commands;
pub use outflank_game::{model, othello, player};
pub use outflank_kernel as kernel;
pub use outflank_kernel::rng;
pub use outflank_lab as lab;
pub use outflank_learn as learn;
pub use outflank_report as report;
pub use outflank_schema as schema;
pub use outflank_store as store;

/// The examples of the documentation are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/extending.md")]
struct Extending;
