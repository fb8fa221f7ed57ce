//! How fast a book is opened and asked, on this machine, now: in CPU time of the thread, because
//! machines are shared.

use std::path::Path;

use outflank_game::book::{Book, BookError, Table};
use outflank_game::othello::{Board, Symmetry};
use outflank_kernel::rng::{Seed, Stream};
use rustix::time::{ClockId, clock_gettime};

/// How fast a book is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookSpeed {
    /// Seconds to open it, which reads its head only.
    pub open: f64,
    /// Seconds to read and check all of it, as a player does once.
    pub load: f64,
    /// Nanoseconds to look up a position that was looked up before.
    pub look_up: f64,
}

/// Positions that are looked up, if there are that many.
const LOOK_UPS: usize = 1_000_000;

impl BookSpeed {
    /// Measures the book of a file, whose positions are those of a table.
    pub fn of(path: &Path, table: &Table) -> Result<BookSpeed, BookError> {
        let began = seconds();
        drop(Book::open(path)?);
        let open = seconds() - began;
        let began = seconds();
        let book = Book::load(path)?;
        let load = seconds() - began;
        // In any order and any way round, as in games.
        let mut rng = Seed(1).at(Stream::Weights, 0).rng();
        let mut boards: Vec<Board> = table.positions().map(|(key, ..)| key.board()).collect();
        for index in (1..boards.len()).rev() {
            boards.swap(index, rng.below(index as u32 + 1) as usize);
        }
        boards.truncate(LOOK_UPS);
        for board in &mut boards {
            *board = Symmetry::ALL[rng.below(8) as usize].board(*board);
        }
        find_all(&book, &boards)?;
        let began = seconds();
        find_all(&book, &boards)?;
        let look_up = 1e9 * (seconds() - began) / boards.len().max(1) as f64;
        Ok(BookSpeed { open, load, look_up })
    }
}

/// CPU seconds of this thread.
fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn find_all(book: &Book, boards: &[Board]) -> Result<usize, BookError> {
    let mut found = 0;
    for board in boards {
        found += usize::from(book.find(*board)?.is_some());
    }
    Ok(std::hint::black_box(found))
}
