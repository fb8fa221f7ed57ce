//! The formulas of two opponents of Vuurboom 2008, chapter 4, from the point of view of the player
//! that moved.

use super::{Evaluate, mirrored};
use crate::othello::{Board, Squares};

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

impl Evaluate for Formula {
    fn value(&self, board: Board) -> f32 {
        match self {
            Formula::Positional => {
                let values = board.own.map(|at| i32::from(POSITIONAL_VALUES[at.index()]));
                values.sum::<i32>() as f32
            }
            Formula::Mobility => {
                let count = |set: Squares| set.len() as f32;
                let corners =
                    count(board.own & Squares::CORNERS) - count(board.opp & Squares::CORNERS);
                let (own, opp) = (count(board.moves()), count(board.pass().moves()));
                let share = if own + opp > 0.0 { (own - opp) / (own + opp) } else { 0.0 };
                10.0 * corners + share
            }
        }
    }

    fn squares(&self) -> Option<[f32; 64]> {
        (*self == Formula::Positional).then(|| POSITIONAL_VALUES.map(f32::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::parse_position;

    #[test]
    fn positional_counts_own_discs_only() {
        // Black: a1, b2, d5, e4; White: d4, e5, h8.
        let text = "X--------X-----------------OX------XO--------------------------O X";
        let board = parse_position(text).unwrap().board;
        assert_eq!(Formula::Positional.value(board) as i32, 100 - 50 - 1 - 1);
        assert_eq!(Formula::Positional.value(board.pass()) as i32, 100 - 1 - 1);
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
