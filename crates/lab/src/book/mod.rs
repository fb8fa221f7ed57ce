//! Making opening books: from games of a player with itself, which explore where the book is in
//! doubt, and from files of games. The same recipe gives the same bytes on any number of threads.

mod build;
mod games;
mod played;
mod self_play;
mod solved;
mod speed;
#[cfg(test)]
mod tests;

pub use build::{BookBuildError, BookRecipe, BuiltBook, build_book, merge_books};
pub use games::FromFiles;
pub use self_play::SelfPlay;
pub use speed::BookSpeed;

/// No game has more moves.
pub const MOST_BOOK_DEPTH: u32 = 60;
/// With more empty squares than these, the positions of a book would take years to solve.
pub const MOST_SOLVED: u32 = 24;
