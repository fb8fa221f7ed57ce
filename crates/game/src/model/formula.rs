//! The formulas of two opponents of Vuurboom 2008, chapter 4, from the point of view of the player
//! that moved.

use super::{Evaluate, mirrored};
use crate::othello::{Board, Squares};
use outflank_kernel::{Kernel, moves};

/// A fixed evaluation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The sum of the values of the squares the player's own discs are on.
    Positional,
    /// 10 (corners own − corners opponent) + (m − m′) / (m + m′), with m and m′ the numbers of
    /// legal moves of the player and its opponent; the quotient is 0 when both are 0.
    Mobility,
}

/// The values of [`Formula::Positional`], a1 to h8: Vuurboom 2008.
const POSITIONAL_VALUES: [i16; 64] =
    mirrored([[100, -20, 10, 5], [-20, -50, -2, -2], [10, -2, -1, -1], [5, -2, -1, -1]]);

/// What own discs on the subsets of a row are worth, by row. Rows 5 to 8 mirror rows 4 to 1.
static POSITIONAL_ROWS: [[i16; 256]; 4] = {
    let mut rows = [[0; 256]; 4];
    let mut i = 0;
    while i < 4 * 256 * 8 {
        let (row, subset, column) = (i / 2048, i / 8 % 256, i % 8);
        if subset >> column & 1 != 0 {
            rows[row][subset] += POSITIONAL_VALUES[8 * row + column];
        }
        i += 1;
    }
    rows
};

impl Formula {
    /// The value of a board, given a way to find legal moves.
    #[inline]
    fn judge(self, board: Board, moves: impl Fn(u64, u64) -> u64) -> f32 {
        match self {
            Formula::Positional => {
                let rows = board.own.0.to_le_bytes().into_iter().zip([0, 1, 2, 3, 3, 2, 1, 0]);
                let values = rows.map(|(subset, row)| POSITIONAL_ROWS[row][usize::from(subset)]);
                f32::from(values.sum::<i16>())
            }
            Formula::Mobility => {
                let count = |set: Squares| set.len() as f32;
                let corners =
                    count(board.own & Squares::CORNERS) - count(board.opp & Squares::CORNERS);
                let moves = |own: Squares, opp: Squares| count(Squares(moves(own.0, opp.0)));
                let (own, opp) = (moves(board.own, board.opp), moves(board.opp, board.own));
                let share = if own + opp > 0.0 { (own - opp) / (own + opp) } else { 0.0 };
                10.0 * corners + share
            }
        }
    }
}

impl Evaluate for Formula {
    fn value(&self, board: Board) -> f32 {
        self.judge(board, moves)
    }

    fn value_with(&self, kernel: Kernel, board: Board) -> f32 {
        self.judge(board, |own, opp| kernel.moves(own, opp))
    }

    fn squares(&self) -> Option<[f32; 64]> {
        (*self == Formula::Positional).then(|| POSITIONAL_VALUES.map(f32::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::parse_position;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn positional_counts_own_discs_only() {
        // Black: a1, b2, d5, e4; White: d4, e5, h8.
        let text = "X--------X-----------------OX------XO--------------------------O X";
        let board = parse_position(text).unwrap().board;
        assert_eq!(Formula::Positional.value(board) as i32, 100 - 50 - 1 - 1);
        assert_eq!(Formula::Positional.value(board.pass()) as i32, 100 - 1 - 1);
    }

    #[test]
    fn positional_knows_the_value_of_every_square() {
        for (square, expected) in POSITIONAL_VALUES.into_iter().enumerate() {
            let board = Board { own: Squares(1 << square), opp: Squares(!(1 << square)) };
            let value = Formula::Positional.value(board);
            assert_eq!(value.to_bits(), f32::from(expected).to_bits());
        }
        let sum = POSITIONAL_VALUES.iter().map(|&value| i32::from(value)).sum::<i32>();
        let full = Board { own: Squares(!0), opp: Squares(0) };
        assert_eq!(Formula::Positional.value(full) as i32, sum);
    }

    #[test]
    fn every_kernel_finds_the_same_values() {
        let mut rng = Seed(6).at(Stream::Weights, 0).rng();
        for _ in 0..200 {
            let own = rng.bits() & rng.bits();
            let board = Board { own: Squares(own), opp: Squares(rng.bits() & !own) };
            for formula in [Formula::Positional, Formula::Mobility] {
                for kernel in Kernel::available() {
                    let with = formula.value_with(kernel, board);
                    assert_eq!(with.to_bits(), formula.value(board).to_bits(), "{}", kernel.name());
                }
            }
        }
    }

    #[test]
    fn mobility_counts_corners_and_replies() {
        let start = Board::START;
        assert_eq!(Formula::Mobility.value(start).to_bits(), 0f32.to_bits());
        // After f5 White has three moves, Black (to move again) would have three.
        let after = start.play("f5".parse().unwrap());
        assert_eq!(after.moves().len(), 3);
        let black = after.pass().moves().len() as f32;
        let expected = (black - 3.0) / (black + 3.0);
        assert_eq!(Formula::Mobility.value(after.pass()).to_bits(), expected.to_bits());
        // A wiped-out side and no moves at all: only the corners count.
        let text = "X--------------------------XX------XX--------------------------- X";
        let board = parse_position(text).unwrap().board;
        assert_eq!(Formula::Mobility.value(board).to_bits(), 10f32.to_bits());
    }
}
