//! Counting the game tree. The last ply is counted, not played.

use super::isa::{Isa, Work};
use super::single::Rules;

/// The tree below a board; a game that ended above the depth counts `ended`.
pub struct Perft<I> {
    pub isa: I,
    pub own: u64,
    pub opp: u64,
    pub depth: u32,
    pub ended: u64,
}

impl<I: Isa + Rules> Perft<I> {
    pub fn count(self) -> u64 {
        self.isa.run(self)
    }
}

impl<I: Isa + Rules> Work for Perft<I> {
    type Output = u64;

    #[inline(always)]
    fn work(self) -> u64 {
        let Perft { isa, own, opp, depth, ended } = self;
        if depth == 0 {
            return 1;
        }
        let mut moves = isa.moves(own, opp);
        if moves == 0 {
            return match isa.moves(opp, own) {
                0 => ended,
                _ => Perft { isa, own: opp, opp: own, depth: depth - 1, ended }.count(),
            };
        }
        if depth == 1 {
            return u64::from(moves.count_ones());
        }
        let mut count = 0;
        while moves != 0 {
            let at = moves & moves.wrapping_neg();
            moves ^= at;
            let flips = isa.flips(own, opp, at);
            let next =
                Perft { isa, own: opp ^ flips, opp: own | flips | at, depth: depth - 1, ended };
            count += next.count();
        }
        count
    }
}
