//! Opening books: positions with what was played there, how those games ended, and what each move
//! is worth when both sides go on with the best moves that the book knows.
//!
//! A [`Table`] is a book that grows: games are added to it, tables are joined, and
//! [`Table::back_up`] computes the values. A [`Book`] is a file of one, of which only the parts
//! that are asked for are read. Positions are [`Key`]s, one for all eight symmetric images.

mod back_up;
mod block;
mod file;
mod key;
mod lookup;
mod shared;
mod table;
mod varint;

pub use file::{Book, BookError, BookHead};
pub use key::{Key, Ways};
pub use lookup::{BookLine, Found};
pub use shared::{SMALL, book_of, open_book};
pub use table::{BookMove, Record, Table, TableConflict, Value};

#[cfg(test)]
mod tests;
