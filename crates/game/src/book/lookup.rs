//! Asking a book about a position, whatever way round it lies on the board.

use super::block::Entry;
use super::{Book, BookError, Key, Record, Value, Ways};
use crate::othello::{Board, Squares};

/// A position that is in a book.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    entry: Entry<'a>,
    ways: Ways,
}

/// A move of a position in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// The square; several if the position is symmetric.
    pub squares: Squares,
    /// The games in which it was played.
    pub record: Record,
    /// What it is worth to the side that makes it.
    pub value: Value,
    /// Whether the value is exact and the best there is.
    pub exact: bool,
}

impl Book {
    /// The position, if it is in the book.
    #[inline]
    pub fn find(&self, board: Board) -> Result<Option<Found<'_>>, BookError> {
        if (board.own | board.opp).len() > self.head().most_discs {
            return Ok(None);
        }
        let (key, ways) = Key::of(board);
        Ok(self.entry(key)?.map(|entry| Found { entry, ways }))
    }
}

impl<'a> Found<'a> {
    /// Its moves, the best first.
    pub fn moves(self) -> impl Iterator<Item = BookLine> + use<'a> {
        self.entry.moves.iter().map(move |of| BookLine {
            squares: self.ways.back(of.at),
            record: of.record,
            value: of.value,
            exact: of.exact,
        })
    }

    /// The squares of its best moves: at most this many, and none that is worth less than the best
    /// by more than the margin. Moves that are symmetric to each other are one.
    #[inline]
    pub fn best(self, most: usize, margin: Value) -> Squares {
        let least = i32::from(self.value().0) - i32::from(margin.0);
        let good = self.entry.moves.iter().take(most);
        let good = good.take_while(|of| i32::from(of.value.0) >= least);
        good.fold(Squares::NONE, |squares, of| squares | self.ways.back(of.at))
    }

    /// What the position is worth to the side to move.
    #[inline]
    pub fn value(self) -> Value {
        self.entry.moves.first().map(|of| of.value).unwrap_or_default()
    }

    /// Whether that is exact.
    pub fn is_proved(self) -> bool {
        self.entry.proved
    }
}
