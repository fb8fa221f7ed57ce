//! The board as the side to move sees it.

use super::{Square, Squares};
use outflank_kernel as kernel;

/// 16 bytes: the discs of the side to move and those of the other.
///
/// ```
/// use outflank_game::othello::Board;
/// let board = Board::START;
/// assert_eq!(board.moves().map(|m| m.to_string()).collect::<Vec<_>>(), ["d3", "c4", "f5", "e6"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub own: Squares,
    /// Discs of the other side.
    pub opp: Squares,
}

impl Board {
    /// The start of a game, Black (d5, e4) to move, White on d4 and e5.
    pub const START: Board =
        Board { own: Squares(0x0000_0008_1000_0000), opp: Squares(0x0000_0010_0800_0000) };

    /// The legal moves; empty if the side to move must pass or the game is over.
    #[inline]
    pub fn moves(self) -> Squares {
        Squares(kernel::moves(self.own.0, self.opp.0))
    }

    /// The discs that a disc on `at` flips.
    #[inline]
    pub fn flips(self, at: Square) -> Squares {
        Squares(kernel::flips(self.own.0, self.opp.0, at.set().0))
    }

    /// The board after a legal move, seen by the opponent, who is to move now.
    #[inline]
    pub fn play(self, at: Square) -> Board {
        let flips = self.flips(at);
        debug_assert!(!flips.is_empty() && (self.empty().has(at)), "{at} is not a legal move");
        Board {
            own: Squares(self.opp.0 ^ flips.0),
            opp: Squares(self.own.0 | flips.0 | at.set().0),
        }
    }

    /// The same discs, seen by the other side.
    #[inline]
    pub fn pass(self) -> Board {
        Board { own: self.opp, opp: self.own }
    }

    /// Says whether neither side can move.
    pub fn is_over(self) -> bool {
        self.moves().is_empty() && self.pass().moves().is_empty()
    }

    /// The squares without a disc.
    pub fn empty(self) -> Squares {
        !(self.own | self.opp)
    }

    /// The result for the side to move if the game is over: the disc difference, with empty squares
    /// counted for the winner, as in tournaments and databases.
    pub fn margin(self) -> i32 {
        let difference = self.own.len() as i32 - self.opp.len() as i32;
        difference + difference.signum() * self.empty().len() as i32
    }
}
