//! The last four empty squares. No moves are listed: each empty square is tried, those of odd
//! quadrants first, and the very last move is counted, not played.

use super::geometry::{LAST_FLIPS, NEIGHBOURS, Parity, QUADRANT};
use crate::single::Rules;

/// Below any score.
const NONE: i32 = -65;

/// The result of a finished game: the difference in discs, with empty squares for the winner.
#[inline(always)]
pub fn finished(own: u64, opp: u64) -> i32 {
    let (own, opp) = (own.count_ones() as i32, opp.count_ones() as i32);
    let margin = own - opp;
    margin + margin.signum() * (64 - own - opp)
}

/// One empty square. The other side's discs are all others.
#[inline(always)]
fn last_1(own: u64, at: u32) -> i32 {
    // What the result would be if the square were the opponent's and nothing turned.
    let without = 2 * own.count_ones() as i32 - 64;
    let turned = LAST_FLIPS.twice(own, at);
    if turned > 0 {
        return without + turned + 2;
    }
    let lost = LAST_FLIPS.twice(!own & !(1 << at), at);
    if lost > 0 {
        without - lost
    } else if without >= 0 {
        without + 2
    } else {
        without
    }
}

/// What is counted on the way.
pub struct Last<I> {
    pub rules: I,
    pub nodes: u64,
}

impl<I: Rules> Last<I> {
    /// The discs turned by a move, none if it is not legal.
    #[inline(always)]
    fn flips(&self, own: u64, opp: u64, at: u32) -> u64 {
        if NEIGHBOURS[at as usize % 64] & opp == 0 { 0 } else { self.rules.flips_on(own, opp, at) }
    }

    /// Two empty squares: the score if it is at most `alpha`, else something between.
    #[inline(always)]
    fn last_2(&mut self, own: u64, opp: u64, alpha: i32, [a, b]: [u32; 2]) -> i32 {
        self.nodes += 1;
        let mut best = NONE;
        let flips = self.flips(own, opp, a);
        if flips != 0 {
            self.nodes += 1;
            best = -last_1(opp ^ flips, b);
            if best > alpha {
                return best;
            }
        }
        let flips = self.flips(own, opp, b);
        if flips != 0 {
            self.nodes += 1;
            best = best.max(-last_1(opp ^ flips, a));
        }
        if best > NONE { best } else { self.passed_2(own, opp, alpha, [a, b]) }
    }

    /// Two empty squares, and the side to move cannot.
    #[inline(always)]
    fn passed_2(&mut self, own: u64, opp: u64, alpha: i32, [a, b]: [u32; 2]) -> i32 {
        self.nodes += 1;
        let mut best = -NONE;
        let flips = self.flips(opp, own, a);
        if flips != 0 {
            self.nodes += 1;
            best = last_1(own ^ flips, b);
            if best <= alpha {
                return best;
            }
        }
        let flips = self.flips(opp, own, b);
        if flips != 0 {
            self.nodes += 1;
            best = best.min(last_1(own ^ flips, a));
        }
        if best < -NONE { best } else { finished(own, opp) }
    }

    /// Three empty squares.
    #[inline(always)]
    fn last_3(&mut self, own: u64, opp: u64, alpha: i32, squares: [u32; 3]) -> i32 {
        self.nodes += 1;
        let [a, b, c] = odd_first(squares);
        let mut best = NONE;
        for (at, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let flips = self.flips(own, opp, at);
            if flips != 0 {
                let score = -self.last_2(opp ^ flips, own | flips | 1 << at, !alpha, rest);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        if best > NONE {
            return best;
        }
        let mut best = -NONE;
        self.nodes += 1;
        for (at, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let flips = self.flips(opp, own, at);
            if flips != 0 {
                let score = self.last_2(own ^ flips, opp | flips | 1 << at, alpha, rest);
                if score <= alpha {
                    return score;
                }
                best = best.min(score);
            }
        }
        if best < -NONE { best } else { finished(own, opp) }
    }

    /// Four empty squares.
    #[inline(always)]
    pub fn last_4(&mut self, own: u64, opp: u64, alpha: i32, parity: Parity) -> i32 {
        self.nodes += 1;
        let empty = !(own | opp);
        let (mut rest, mut even) = (empty & parity.odd(), empty & !parity.odd());
        let squares: [u32; 4] = std::array::from_fn(|_| {
            if rest == 0 {
                (rest, even) = (even, 0);
            }
            let at = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            at
        });
        let best = self.each_of_4(own, opp, alpha, squares);
        if best > NONE {
            return best;
        }
        self.nodes += 1;
        let best = self.each_of_4(opp, own, !alpha, squares);
        if best > NONE { -best } else { finished(own, opp) }
    }

    #[inline(always)]
    fn each_of_4(&mut self, own: u64, opp: u64, alpha: i32, [a, b, c, d]: [u32; 4]) -> i32 {
        let mut best = NONE;
        for (at, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            let flips = self.flips(own, opp, at);
            if flips != 0 {
                let score = -self.last_3(opp ^ flips, own | flips | 1 << at, !alpha, rest);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }

    /// Fewer than four empty squares, for whoever starts there.
    #[inline(always)]
    pub fn few(&mut self, own: u64, opp: u64, alpha: i32) -> i32 {
        let mut empty = !(own | opp);
        let mut next = || {
            let at = empty.trailing_zeros();
            empty &= empty.wrapping_sub(1);
            at
        };
        match 64 - (own | opp).count_ones() {
            3 => self.last_3(own, opp, alpha, [next(), next(), next()]),
            2 => self.last_2(own, opp, alpha, [next(), next()]),
            1 => {
                self.nodes += 1;
                last_1(own, next())
            }
            _ => finished(own, opp),
        }
    }
}

/// Three squares, first the one that is alone in its quadrant.
#[inline(always)]
fn odd_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    let quadrant = |at: u32| QUADRANT[at as usize % 64];
    if quadrant(a) == quadrant(b) {
        [c, a, b]
    } else if quadrant(a) == quadrant(c) {
        [b, a, c]
    } else {
        [a, b, c]
    }
}
