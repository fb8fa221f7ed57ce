//! Looking ahead: the game tree to a depth, for any evaluation of boards. Alpha-beta with null
//! windows around the first move (principal variation search), iterative deepening, a
//! transposition table and moves in a good order; none of these changes what comes out. That is
//! the minimax value of every best move, exactly, so that ties are ties.
//!
//! **Depth counts moves; a pass is none.** At depth 1 the boards after each move are evaluated, at
//! depth 2 those after each reply. A game that has ended is seen when a side has to move and
//! neither can, or when the board is full: then discs decide, and no evaluation is worth more than
//! a won game or less than a lost one. All boards of a tree are seen with the same eyes.

mod any;
mod network;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod wpc;

use super::isa::{Isa, Work};
use super::rows::Rows;
use super::single::{Rules, Scorer};
use super::{Kernel, Network};
use network::Lanes;
use search::{Child, Search};
use table::Table;

/// What a board is worth to the side to move, in units of its evaluation; or how a game ended.
/// Larger is better, and the negative is what it is worth to the other side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(i32);

/// Above all evaluations: the bits of infinity, and a place beyond.
const ENDED: i32 = 0x7f80_0001;
/// Above everything.
const MOST: i32 = i32::MAX;

impl Worth {
    /// A number as an evaluation. What is no number is worth less than any.
    #[inline(always)]
    pub fn of(number: f32) -> Worth {
        if number.is_nan() {
            return Worth(-ENDED);
        }
        let size = (number.to_bits() & 0x7fff_ffff) as i32;
        Worth(if number.is_sign_negative() { -size } else { size })
    }

    /// A sum of weights of the grid.
    #[inline(always)]
    pub fn of_steps(steps: i32) -> Worth {
        Worth(steps)
    }

    /// The end of a game with this disc difference, empty squares counted for the winner.
    #[inline(always)]
    pub fn of_margin(margin: i32) -> Worth {
        Worth(margin.signum() * ENDED + margin)
    }

    /// The disc difference with which the game ends, unless it is a draw or an evaluation.
    pub fn margin(self) -> Option<i32> {
        let beyond = self.0.abs() - ENDED;
        (beyond > 0).then(|| self.0.signum() * beyond)
    }

    /// The number that it was made of, if it was no end of a game.
    pub fn number(self) -> f32 {
        match self.0.abs() {
            ENDED => f32::NAN,
            size => f32::from_bits(size as u32).copysign(self.0 as f32),
        }
    }

    /// The steps of the grid that it was made of.
    pub fn steps(self) -> i32 {
        self.0
    }

    /// The same for the other side.
    #[must_use]
    pub fn reversed(self) -> Worth {
        Worth(-self.0)
    }
}

/// What evaluates the boards of a tree.
#[derive(Clone, Copy)]
pub enum Evaluation<'a> {
    /// A weighted piece counter, in steps of its grid.
    Wpc(&'a Scorer),
    /// A network: the input of its last curve.
    Network {
        /// The network.
        network: &'a Network,
        /// Whether boards are seen with the eyes of the side to move at the root.
        own_eyes: bool,
    },
    /// Anything else: the value of a board with these discs and those of the other side.
    Any {
        /// The evaluation.
        value: &'a dyn Fn(u64, u64) -> f32,
        /// Whether boards are seen with the eyes of the side to move at the root.
        own_eyes: bool,
    },
}

/// A board from which to look ahead.
#[derive(Clone, Copy)]
pub struct Ahead<'a> {
    /// Discs of the side to move.
    pub own: u64,
    /// The others.
    pub opp: u64,
    /// Legal moves to choose from, at least one.
    pub moves: u64,
    /// How many moves to look ahead, at least 1.
    pub depth: u32,
    /// What evaluates boards.
    pub evaluation: Evaluation<'a>,
    /// What to find out.
    pub wish: Wish,
}

/// What to find out about moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Which are best.
    Best,
    /// What each is worth.
    Every,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// All moves of the highest worth.
    pub best: u64,
    /// By square: what each best move is worth, or every move if that was the wish.
    pub worth: [Worth; 64],
    /// Boards whose value was computed.
    pub evaluations: u64,
}

/// Memory for looking ahead; what is found does not depend on it.
#[derive(Debug)]
pub struct Tree {
    table: Table,
    children: Vec<Child>,
    lanes: Lanes,
}

/// Entries of the table: 4 MB, about as much as stays near a core. Trees of depth 8 with a
/// weighted piece counter take no more time than with ten times as many.
const ENTRIES: usize = 1 << 17;

impl Default for Tree {
    fn default() -> Tree {
        Tree::with_entries(ENTRIES)
    }
}

impl Tree {
    /// With a table of this many entries, rounded up to a power of two; 0 for no table.
    pub fn with_entries(entries: usize) -> Tree {
        Tree { table: Table::new(entries), children: Vec::new(), lanes: Lanes::default() }
    }
}

impl Kernel {
    /// Looks ahead.
    pub fn look_ahead(self, tree: &mut Tree, ahead: &Ahead<'_>) -> Found {
        assert!(ahead.moves != 0 && ahead.depth > 0, "nothing to look at");
        (self.0.look_ahead)(tree, ahead)
    }
}

/// Looking ahead as work.
pub struct LookAhead<'a, I, R> {
    pub isa: I,
    pub rows: R,
    pub tree: &'a mut Tree,
    pub ahead: &'a Ahead<'a>,
}

impl<I: Isa + Rules, R: Rows> Work for LookAhead<'_, I, R> {
    type Output = Found;

    #[inline(always)]
    fn work(self) -> Found {
        let LookAhead { isa, rows, tree, ahead } = self;
        let Tree { table, children, lanes } = tree;
        match ahead.evaluation {
            Evaluation::Wpc(scorer) => {
                let judge = wpc::Counting { isa, scorer };
                Search::new(isa, judge, table, children)
                    .root(ahead, scorer.sum(ahead.own, ahead.opp))
            }
            Evaluation::Network { network, own_eyes } => {
                let judge = network::Networked::new(isa, rows, network, lanes, ahead, own_eyes);
                Search::new(isa, judge, table, children)
                    .root(ahead, network::Seen { ply: 0, own_eyes })
            }
            Evaluation::Any { value, own_eyes } => {
                Search::new(isa, any::Called { isa, value, own_eyes }, table, children)
                    .root(ahead, own_eyes)
            }
        }
    }
}
