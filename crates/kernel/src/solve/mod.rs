//! The endgame solver: the exact result of a position with perfect play by both sides.
//!
//! All questions are of one kind: is the score above a number ([`search`])? The answers close in on
//! the score, tell which moves reach it, and lead along the line ([`root`]). So whatever order,
//! table and threads do, the answer is the same: a fact about the position. The means are those of
//! Edax and its predecessors: fastest-first order, parity, stable discs, a table, and special code
//! for the last empty squares.

mod geometry;
mod judge;
mod last;
mod order;
mod root;
mod search;
mod stable;
mod table;
mod team;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use self::root::Root;
use self::table::Table;
use crate::Kernel;

pub(crate) use self::judge::Judge;
pub(crate) use self::search::{Node, Scout, Search};
pub use self::table::TooLarge;

/// What is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The difference in discs.
    Exact,
    /// Who wins, which is found sooner.
    Outcome,
}

/// A solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The score for the side to move: the difference in discs at the end, with empty squares for
    /// the winner. With [`Aim::Outcome`] 1 for a win, 0 for a draw and -1 for a loss.
    pub score: i32,
    /// All moves with this score, as a set; none if the side to move cannot move.
    pub best: u64,
    /// How the game ends if both sides always make the first of their best moves, in square order:
    /// squares, or [`crate::NO_MOVE`] for a pass.
    pub line: Vec<u8>,
    /// Positions visited; the only thing that may depend on threads and the table.
    pub nodes: u64,
}

/// What is known while a position is being solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions visited.
    pub nodes: u64,
    /// The score is at least this.
    pub low: i32,
    /// The score is at most this.
    pub high: i32,
    /// Moves that reach `low`, as a set; none if no move is known to.
    pub best: u64,
}

/// Solves positions, and remembers what it found for those that follow.
pub struct Solver {
    kernel: Kernel,
    table: Option<Table>,
    threads: usize,
}

impl Solver {
    /// A solver with a table of at most this many bytes, or without one if there are none.
    pub fn new(kernel: Kernel, table_bytes: usize) -> Result<Solver, TooLarge> {
        let table = if table_bytes == 0 { None } else { Some(Table::new(table_bytes)?) };
        Ok(Solver { kernel, table, threads: 1 })
    }

    /// The same on several threads. They share the table, so without one they are of no use.
    pub fn on_threads(self, threads: usize) -> Solver {
        Solver { threads: threads.max(1), ..self }
    }

    /// Solves a position. `stop` is asked now and then; if it says yes, the error is what is known.
    ///
    /// ```
    /// use outflank_kernel::{Aim, Kernel, Solver};
    /// // Black has h8 and everything else but g8, h7 and f8, which are White's, and e8.
    /// let (white, empty) = (1 << 62 | 1 << 61, 1 << 60u64);
    /// let mut solver = Solver::new(Kernel::detect()?, 1 << 20)?;
    /// let solved = solver.solve(!(white | empty), white, Aim::Exact, &|_| false).unwrap();
    /// assert_eq!((solved.score, solved.best, &solved.line[..]), (64, empty, &[60][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(
        &mut self,
        own: u64,
        opp: u64,
        aim: Aim,
        stop: &(dyn Fn(Progress) -> bool + Sync),
    ) -> Result<Solved, Progress> {
        assert!(own & opp == 0, "two discs on a square");
        if let Some(table) = &mut self.table {
            table.grow_old();
        }
        let Solver { kernel, table, threads } = self;
        Root::new(*kernel, table.as_ref(), *threads, aim, stop).solve(own, opp)
    }
}

/// Up to this many empty squares a search is so short that a table costs more than it spares.
const WITHOUT_TABLE: u32 = 10;

impl Kernel {
    /// All moves with the best exact result, at least one, and the positions visited to find them;
    /// for players at the end of a game. Positions that need a table start with an empty one, so
    /// that what is visited depends on nothing else; each thread keeps the memory for it.
    pub fn perfect_moves(self, own: u64, opp: u64) -> (u64, u64) {
        thread_local! {
            static TABLE: RefCell<Option<Table>> = const { RefCell::new(None) };
        }
        let best = |table: Option<&Table>| {
            Root::new(self, table, 1, Aim::Exact, &|_| false).best(own, opp)
        };
        let empty = (!(own | opp)).count_ones();
        if empty <= WITHOUT_TABLE {
            return best(None);
        }
        TABLE.with_borrow_mut(|kept| {
            // Twice as much for each square more, from 256 kB on.
            let bytes = 1 << (empty + 7).clamp(18, 26);
            if kept.as_mut().is_none_or(|table| !table.start_again(bytes)) {
                // Without memory for it the moves are found without it.
                *kept = Table::new(bytes).ok();
            }
            best(kept.as_ref())
        })
    }
}
