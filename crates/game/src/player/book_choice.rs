//! Moves from an opening book: one of the best that it has, drawn, while the position is in it.

use std::fmt;
use std::sync::Arc;

use super::Turn;
use crate::book::{Book, BookError, Value, book_of};
use crate::othello::Squares;

/// A book, and how it is used.
#[derive(Clone)]
pub struct BookChoice {
    /// A file, or the name of the book that comes with the program; none if there is no book.
    pub(super) name: Option<String>,
    /// How many of the best moves one is drawn from (Kim et al. 2007: three).
    pub best: usize,
    /// How many discs worse than the best such a move may be.
    pub margin: f64,
    book: Option<Arc<Book>>,
}

/// No two moves differ by more discs.
pub const MOST_BOOK_MARGIN: f64 = 128.0;

impl Default for BookChoice {
    /// No book. The paper's number of moves, however much they differ.
    fn default() -> BookChoice {
        BookChoice { name: None, best: 3, margin: MOST_BOOK_MARGIN, book: None }
    }
}

impl BookChoice {
    /// A choice from the book of this name, which is opened and checked.
    pub fn of(name: &str, best: usize, margin: f64) -> Result<BookChoice, BookError> {
        let name = Some(name.to_owned()).filter(|name| !name.is_empty());
        let mut choice = BookChoice { name, best, margin, book: None };
        choice.open()?;
        Ok(choice)
    }

    /// Says whether there is no book.
    #[inline]
    pub fn is_off(&self) -> bool {
        self.name.is_none()
    }

    /// The book.
    pub fn book(&self) -> Option<&Book> {
        self.book.as_deref()
    }

    /// Opens the book, if there is one.
    pub(super) fn open(&mut self) -> Result<(), BookError> {
        self.book = self.name.as_deref().map(book_of).transpose()?;
        Ok(())
    }

    /// The moves of which one is drawn; none if the position is not in the book.
    #[inline(never)]
    pub(super) fn moves(&self, turn: &Turn) -> Option<Squares> {
        // The book was checked as a whole when it was opened. Only a file made to deceive, with
        // correct checksums of nonsense, can fail here; its positions are in no book.
        let found = self.book()?.find(turn.position.board).ok()??;
        // Beyond the largest difference there is nothing, so the rounding does not matter.
        let margin = Value((100.0 * self.margin).min(f64::from(i16::MAX)).round() as i16);
        let moves = Squares(found.best(self.best, margin).0 & turn.moves.0);
        (!moves.is_empty()).then_some(moves)
    }
}

/// Equal books have equal content, whatever their files are called.
impl PartialEq for BookChoice {
    fn eq(&self, other: &BookChoice) -> bool {
        let hash = |choice: &BookChoice| choice.book().map(Book::hash);
        let same_margin = self.margin.to_bits() == other.margin.to_bits();
        self.best == other.best && same_margin && hash(self) == hash(other)
    }
}

impl fmt::Debug for BookChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = self.book().map(Book::hash);
        let BookChoice { name, best, margin, .. } = self;
        write!(f, "BookChoice({name:?}, {hash:?}, best {best}, margin {margin})")
    }
}
