//! What a position may be worth, for the order of moves: a short look ahead at mobility. It takes a
//! small share of the time where trees are large, and a fifth of the nodes away.

use super::geometry::{CORNERS, spread};
use super::last::finished;
use super::stable::stable_edges;
use crate::isa::{Isa, Work};
use crate::single::Rules;

/// Plies to look ahead after a move, by the empty squares before it.
#[inline(always)]
pub fn depth(empty: u32) -> u32 {
    match empty {
        0..14 => 0,
        14..18 => 1,
        18..22 => 2,
        _ => 3,
    }
}

/// No value is larger in size.
pub const MOST: i32 = 1 << 19;

/// A look at a position: its value for the side to move.
pub struct Judge<I> {
    pub isa: I,
    pub own: u64,
    pub opp: u64,
    /// The legal moves.
    pub moves: u64,
    /// Plies to look ahead, at least one.
    pub depth: u32,
    /// Values outside alpha and beta need only be bounds.
    pub alpha: i32,
    pub beta: i32,
}

impl<I: Isa + Rules> Judge<I> {
    /// A look without bounds at a position: own discs, opposing discs and moves.
    pub fn new(isa: I, [own, opp, moves]: [u64; 3], depth: u32) -> Judge<I> {
        Judge { isa, own, opp, moves, depth, alpha: -MOST, beta: MOST }
    }

    pub fn value(self) -> i32 {
        self.isa.run(self)
    }
}

impl<I: Isa + Rules> Work for Judge<I> {
    type Output = i32;

    #[inline(always)]
    fn work(self) -> i32 {
        let Judge { isa, own, opp, mut moves, depth, mut alpha, beta } = self;
        if moves == 0 {
            let moves = isa.moves(opp, own);
            if moves == 0 {
                return finished(own, opp) * (MOST / 64);
            }
            let (own, opp, alpha, beta) = (opp, own, -beta, -alpha);
            return -Judge { own, opp, moves, alpha, beta, ..self }.value();
        }
        let mut best = -MOST;
        while moves != 0 && alpha < beta {
            let at = moves & moves.wrapping_neg();
            moves ^= at;
            let flips = isa.flips_on(own, opp, at.trailing_zeros());
            let (own, opp) = (opp ^ flips, own | flips | at);
            let moves = isa.moves(own, opp);
            let value = if depth == 1 {
                moved(isa, own, opp, moves)
            } else {
                let (depth, alpha, beta) = (depth - 1, -beta, -alpha);
                -Judge { isa, own, opp, moves, depth, alpha, beta }.value()
            };
            best = best.max(value);
            alpha = alpha.max(value);
        }
        best
    }
}

/// The value of a position for the side that has just moved: moves, squares that may become moves,
/// and stable discs on edges.
#[inline(always)]
fn moved<I: Rules>(isa: I, own: u64, opp: u64, moves: u64) -> i32 {
    let weigh = |moves: u64| (moves.count_ones() + (moves & CORNERS).count_ones()) as i32;
    let empty = !(own | opp);
    let open = |discs: u64| (spread(discs) & empty).count_ones() as i32;
    let safe = |own: u64, opp: u64| stable_edges(own, opp).count_ones() as i32;
    256 * (weigh(isa.moves(opp, own)) - weigh(moves))
        + 24 * (open(own) - open(opp))
        + 64 * (safe(opp, own) - safe(own, opp))
}
