//! Players as engines for other programs: the Go Text Protocol ([`Gtp`]) as Edax, GRhino and GoGui
//! speak it, and NBoard's protocol ([`Nboard`]).
//!
//! An engine is a state and a function from a line to an answer, without files, threads or a
//! clock that matters; whoever owns the standard input and output carries lines to and fro.
//!
//! ```
//! use outflank_game::player::parse_player;
//! use outflank_kernel::{Kernel, rng::Seed};
//! use outflank_protocol::{Gtp, Speaks, Table};
//!
//! let player = parse_player("heuristic@ties=first").unwrap();
//! let mut engine = Gtp::new(Table::new(Kernel::detect()?, player, Seed(1)));
//! assert_eq!(engine.answer("7 genmove black").text, "=7 D3\n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod gtp;
mod nboard;
mod table;
#[cfg(test)]
mod tests;

pub use gtp::{GTP_COMMANDS, Gtp};
pub use nboard::Nboard;
pub use table::{Hint, Table};

/// A longer line is no command.
pub const LONGEST_LINE: usize = 64 << 10;

/// An engine in some protocol.
pub trait Speaks {
    /// Answers a line.
    fn answer(&mut self, line: &str) -> Answer;
}

/// What an engine says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// For the other program: whole lines, or nothing.
    pub text: String,
    /// For a person, such as what has no effect.
    pub note: Option<String>,
    /// Whether this was the end.
    pub quits: bool,
}
