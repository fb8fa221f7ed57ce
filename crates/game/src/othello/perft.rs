//! Counting the tree of games to a depth, the usual check and benchmark of a move generator.

use super::Board;
use outflank_kernel::Kernel;

/// What counts as a leaf once games have ended before the depth; the two published tables differ
/// from depth 10 on. In both, a pass is one ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Aart Bik's: a game that ended earlier counts as one leaf.
    Bik,
    /// Edax's: a game that ended earlier does not count.
    Edax,
}

/// Counts the leaves below a board at `depth` plies.
///
/// ```
/// use outflank_game::othello::{Board, Convention, perft};
/// use outflank_kernel::Kernel;
/// let kernel = Kernel::detect().unwrap();
/// assert_eq!(perft(kernel, Board::START, 6, Convention::Bik), 8200);
/// ```
pub fn perft(kernel: Kernel, board: Board, depth: u32, convention: Convention) -> u64 {
    let ended = match convention {
        Convention::Bik => 1,
        Convention::Edax => 0,
    };
    kernel.perft(board.own.0, board.opp.0, depth, ended)
}
