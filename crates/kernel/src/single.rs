//! One board at a time: rules with a CPU's own instructions, and the best moves of a weighted piece
//! counter. Behind the single-game engine, for everything the lockstep kernel cannot play.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod rays;

use super::isa::{Isa, Work};
use super::rules::nth_bit;
use crate::rng::Draw;

/// Rules on one CPU; used inside [`Isa::run`].
pub trait Rules: Copy {
    /// The legal moves.
    fn moves(self, own: u64, opp: u64) -> u64;
    /// The discs turned by a move on the single bit `at`.
    fn flips(self, own: u64, opp: u64, at: u64) -> u64;

    /// The same for a square by its number, which may be faster: lines can be looked up.
    #[inline(always)]
    fn flips_on(self, own: u64, opp: u64, at: u32) -> u64 {
        self.flips(own, opp, 1 << (at % 64))
    }

    /// What a move on the single bit `at` leads to.
    #[inline(always)]
    fn place(self, own: u64, opp: u64, at: u64) -> Next {
        let flips = self.flips(own, opp, at);
        let (own, opp) = (opp ^ flips, own | flips | at);
        Next { own, opp, moves: self.moves(own, opp) }
    }

    /// The member of a set, not empty, that a draw picks.
    #[inline(always)]
    fn pick_one(self, set: u64, draw: Draw) -> u64 {
        nth_bit(set, draw.index(set.count_ones()))
    }

    /// The moves among `moves` with the best score.
    #[inline(always)]
    fn best(self, scorer: &Scorer, own: u64, opp: u64, mut moves: u64) -> u64 {
        let (mut best, mut ties) = (i32::MIN, 0);
        while moves != 0 {
            let at = moves & moves.wrapping_neg();
            moves ^= at;
            let score = scorer.score(self.flips(own, opp, at), at.trailing_zeros());
            // Both updates without a branch: which move is better cannot be predicted.
            ties = if score > best { 0 } else { ties };
            ties |= if score >= best { at } else { 0 };
            best = best.max(score);
        }
        ties
    }

    /// The legal moves of a board, and the best score among them.
    #[inline(always)]
    fn best_reply(self, scorer: &Scorer, own: u64, opp: u64) -> Reply {
        let moves = self.moves(own, opp);
        let (mut score, mut left) = (if moves == 0 { 0 } else { i32::MIN }, moves);
        while left != 0 {
            let at = left & left.wrapping_neg();
            left ^= at;
            score = score.max(scorer.score(self.flips(own, opp, at), at.trailing_zeros()));
        }
        Reply { moves, score }
    }
}

/// What the side to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The legal moves.
    pub moves: u64,
    /// The best score among them; 0 if there are none.
    pub score: i32,
}

/// A board after a move, as the other side sees it, who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// Discs of the side that moves next.
    pub own: u64,
    /// Discs of the side that moved.
    pub opp: u64,
    /// The legal moves.
    pub moves: u64,
}

/// Weights prepared for scoring single moves.
#[derive(Clone, Debug)]
pub struct Scorer {
    weights: [i32; 64],
    /// Twice the sum of the weights of each subset of each row.
    rows: Box<[[i16; 256]; 8]>,
    /// The weights as registers take them that hold two rows.
    #[cfg(target_arch = "x86_64")]
    paired: avx2::Paired,
}

impl Scorer {
    /// Prepares weights of at most [`super::GRID`] in size.
    pub fn new(weights: &[i16; 64]) -> Scorer {
        assert!(weights.iter().all(|weight| weight.abs() <= super::GRID), "weights off the grid");
        let mut rows = Box::new([[0; 256]; 8]);
        for (square, &weight) in weights.iter().enumerate() {
            let (row, bit) = (&mut rows[square / 8], 1 << (square % 8));
            for subset in 0..bit {
                row[bit + subset] = row[subset] + 2 * weight;
            }
        }
        Scorer {
            weights: weights.map(i32::from),
            rows,
            #[cfg(target_arch = "x86_64")]
            paired: avx2::Paired::new(weights),
        }
    }

    /// The mover's sum of weights, times the grid.
    #[inline(always)]
    pub fn sum(&self, own: u64, opp: u64) -> i32 {
        let of = |set: u64| {
            let bytes = set.to_le_bytes().into_iter();
            // Rows have twice the sums.
            self.rows.iter().zip(bytes).map(|(row, byte)| i32::from(row[usize::from(byte)])).sum()
        };
        let [own, opp]: [i32; 2] = [of(own), of(opp)];
        (own - opp) / 2
    }

    /// What a move adds to the mover's sum of weights, times the grid.
    #[inline(always)]
    pub fn score(&self, flips: u64, at: u32) -> i32 {
        let bytes = flips.to_le_bytes();
        let turned: i32 =
            self.rows.iter().zip(bytes).map(|(row, byte)| i32::from(row[usize::from(byte)])).sum();
        turned + self.weights[at as usize % 64]
    }
}

/// [`Rules::moves`] as work.
pub struct FindMoves<I>(pub I, pub u64, pub u64);
/// [`Rules::flips`] as work.
pub struct FindFlips<I>(pub I, pub u64, pub u64, pub u64);
/// [`Rules::place`] as work.
pub struct PlaceDisc<I>(pub I, pub u64, pub u64, pub u64);
/// [`Rules::best`] as work.
pub struct FindBest<'a, I>(pub I, pub &'a Scorer, pub u64, pub u64, pub u64);

/// [`Rules::pick_one`] as work.
pub struct PickOne<I>(pub I, pub u64, pub Draw);

impl<I: Isa + Rules> Work for PickOne<I> {
    type Output = u64;
    #[inline(always)]
    fn work(self) -> u64 {
        self.0.pick_one(self.1, self.2)
    }
}

impl<I: Isa + Rules> Work for FindMoves<I> {
    type Output = u64;
    #[inline(always)]
    fn work(self) -> u64 {
        self.0.moves(self.1, self.2)
    }
}

impl<I: Isa + Rules> Work for FindFlips<I> {
    type Output = u64;
    #[inline(always)]
    fn work(self) -> u64 {
        self.0.flips(self.1, self.2, self.3)
    }
}

impl<I: Isa + Rules> Work for PlaceDisc<I> {
    type Output = Next;
    #[inline(always)]
    fn work(self) -> Next {
        self.0.place(self.1, self.2, self.3)
    }
}

impl<I: Isa + Rules> Work for FindBest<'_, I> {
    type Output = u64;
    #[inline(always)]
    fn work(self) -> u64 {
        self.0.best(self.1, self.2, self.3, self.4)
    }
}
