//! Values by negamax over the book: a move is worth what the position after it is worth to the
//! other side, and a position what its best move is worth. A move that leads out of the book is
//! worth the mean margin of its games.
//!
//! Games say little about a move that few of them made, and the best of many such guesses is always
//! too good. So a value is drawn towards the mean margin of all games of its position, as if
//! [`DOUBT`] more games had ended so. What is exact is not.

use super::Key;
use super::table::{Record, Table, Value, best_value};
use crate::othello::{Board, Square};

/// What follows a move.
pub(super) enum Next {
    /// The game is over; the margin for the side that moved.
    End(i32),
    /// A position, and whether the other side is to move there: it is not if it must pass.
    Turn(Key, bool),
}

/// What follows a legal move.
pub(super) fn next(board: Board, at: Square) -> Next {
    let after = board.play(at);
    if !after.moves().is_empty() {
        return Next::Turn(Key::of(after).0, true);
    }
    match after.pass() {
        again if again.moves().is_empty() => Next::End(again.margin()),
        again => Next::Turn(Key::of(again).0, false),
    }
}

/// Games of equal players end about 20 discs apart (the standard deviation), and moves of a
/// position differ by about 4 in what they are worth: then this many games, (20 / 4)², tell as much
/// about a move as knowing its position does.
const DOUBT: i64 = 25;

/// No game is won by more.
const MOST: Value = Value(6400);

impl Table {
    /// Computes the values of all moves, and which follow from solved positions.
    pub fn back_up(&mut self) {
        // A move adds a disc, so positions with more discs come first; a pass is part of a move.
        let mut order: Vec<u32> = (0..self.places.len() as u32).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.places[*index as usize].key.discs()));
        for index in order {
            self.back_up_place(index as usize);
        }
    }

    fn back_up_place(&mut self, index: usize) {
        let place = self.places[index];
        let board = place.key.board();
        let mut games = Record::default();
        self.moves_of(index).iter().for_each(|of| games.add(&of.record));
        let usual = games.mean();
        for number in self.range(index) {
            let of = self.moves[number];
            if place.proved && of.exact {
                continue;
            }
            let (value, exact) = match next(board, of.at) {
                Next::End(margin) => (Value::of_discs(margin), true),
                Next::Turn(key, others) => match self.index_of(key) {
                    None => (of.record.mean(), false),
                    Some(after) => {
                        let Value(value) = best_value(self.moves_of(after));
                        let value = Value(if others { -value } else { value });
                        (value, self.places[after].proved)
                    }
                },
            };
            let value = if exact { value } else { doubted(value, of.record.visits(), usual) };
            let of = &mut self.moves[number];
            (of.value, of.exact) = (value, exact);
        }
        self.conclude(index, board);
    }

    /// Says whether the value of a position is exact now.
    fn conclude(&mut self, index: usize, board: Board) {
        let range = self.range(index);
        let moves = &self.moves[range.clone()];
        let exact = moves.iter().filter(|of| of.exact).map(|of| of.value).max();
        let all = || moves.iter().all(|of| of.exact) && moves.len() == different(board);
        let proved = self.places[index].proved || exact == Some(MOST) || all();
        self.places[index].proved = proved;
        if let Some(Value(score)) = exact.filter(|_| proved) {
            // Only a best move that is known is worth the score, so that a reader can tell.
            let rest = self.moves[range].iter_mut().filter(|of| !of.exact);
            rest.for_each(|of| of.value = of.value.min(Value(score - 200)));
        }
    }
}

/// A value that is known from this many games, drawn towards the usual one; halves are rounded away
/// from zero.
fn doubted(value: Value, games: u64, usual: Value) -> Value {
    let games = games.min(u64::from(u32::MAX)) as i64;
    let (sum, count) = (games * i64::from(value.0) + DOUBT * i64::from(usual.0), games + DOUBT);
    Value(((2 * sum.abs() + count) / (2 * count) * sum.signum()) as i16)
}

/// The number of legal moves, those that are symmetric to each other counted once.
fn different(board: Board) -> usize {
    let (_, ways) = Key::of(board);
    let mut moves: Vec<Square> = board.moves().map(|at| ways.forth(at)).collect();
    moves.sort_unstable();
    moves.dedup();
    moves.len()
}
