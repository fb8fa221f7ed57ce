//! From a recipe to a file: games, values, proofs, and a book that is whole or not there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::games::FromFiles;
use super::played::Played;
use super::self_play::SelfPlay;
use super::solved::solve;
use outflank_arena::{Arena, News, Stopped, Unwatched, Watch};
use outflank_game::book::{Book, BookError, Table, TableConflict, open_book};
use outflank_game::othello::{Position, RecordsError, Side, write_position};
use outflank_game::player::PlayerFile;
use outflank_store::{Partial, RunError};

/// How a book is made.
#[derive(Clone, Debug, Default)]
pub struct BookRecipe {
    /// Games from files, which come first.
    pub files: FromFiles,
    /// Games of a player with itself.
    pub self_play: Option<SelfPlay>,
    /// Moves of a game that are added.
    pub depth: u32,
    /// Moves of fewer games are dropped in the end.
    pub least_visits: u64,
    /// Positions with this many empty squares or fewer are solved.
    pub solve: u32,
}

/// Why there is no book at the end.
#[derive(Debug, thiserror::Error)]
pub enum BookBuildError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Records(#[from] RecordsError),
    /// A file has a game that cannot be used, or none that can.
    #[error("games file {}: {problem}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The file cannot be made.
    #[error(transparent)]
    Files(#[from] RunError),
    /// The file is there, and is something else.
    #[error("{} is already there: {found}; choose another --out, or remove it", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// Games would count twice.
    #[error("{} and {} both have the {source_line:?}, which would count twice", paths[0].display(), paths[1].display())]
    Shared {
        /// The books.
        paths: [PathBuf; 2],
        /// What they share.
        source_line: String,
    },
    /// One of two books is wrong.
    #[error(
        "{} and {} disagree about a solved position, {position}: {} and {}; build one of them again",
        paths[0].display(), paths[1].display(), values[0], values[1]
    )]
    Conflict {
        /// The books.
        paths: [PathBuf; 2],
        /// The position.
        position: String,
        /// Its values in discs.
        values: [String; 2],
    },
    /// Nothing is left to write.
    #[error("no position is left: no move was made in {least_visits} games or more")]
    Empty {
        /// What was asked for.
        least_visits: u64,
    },
    /// Too little memory.
    #[error("cannot solve positions: {0}")]
    Memory(String),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// It was stopped, and goes on with the games that were played.
    #[error("stopped; the games so far are kept")]
    Resumable,
}

impl From<Stopped> for BookBuildError {
    fn from(_: Stopped) -> BookBuildError {
        BookBuildError::Stopped
    }
}

/// A book, and whether it was there before.
#[derive(Debug)]
pub struct BuiltBook {
    /// The book.
    pub book: Book,
    /// Whether the file had been made before, with the same recipe.
    pub was_there: bool,
}

/// Games between two times at which values are computed; the book that games follow is never older.
const LARGEST_ROUND: u64 = 1 << 16;
/// The first games do not have a book to follow, so they are few.
const FIRST_ROUND: u64 = 1 << 10;
/// Games between two looks at the watch.
const PIECE: u64 = 1 << 11;

/// Makes the book of a recipe. A file that was made with the same recipe is left as it is. Games
/// are kept until the book is finished: a build that was stopped or killed goes on with them, and
/// ends with the same bytes.
pub fn build_book(
    arena: &Arena,
    recipe: &BookRecipe,
    out: &Path,
    watch: &dyn Watch,
) -> Result<BuiltBook, BookBuildError> {
    keep(out, recipe.sources()?, watch, |played| recipe.table(arena, played, watch))
}

/// Makes one book of several: all their games, with values computed again.
pub fn merge_books(from: &[PathBuf], out: &Path) -> Result<BuiltBook, BookBuildError> {
    // A name that is no text is that of a file.
    let open = |path: &PathBuf| match path.to_str() {
        Some(name) => open_book(name),
        None => Book::open(path).map(Arc::new),
    };
    let books = from.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let mut sources: Vec<(String, &Path)> = Vec::new();
    for (book, path) in books.iter().zip(from) {
        for line in &book.head().sources {
            if let Some((_, first)) = sources.iter().find(|(source, _)| source == line) {
                let paths = [first.to_path_buf(), path.clone()];
                return Err(BookBuildError::Shared { paths, source_line: line.clone() });
            }
            sources.push((line.clone(), path));
        }
    }
    let sources = sources.into_iter().map(|(line, _)| line).collect();
    keep(out, sources, &Unwatched, |_| {
        let mut table = Table::default();
        for (book, path) in books.iter().zip(from) {
            let more = book.table()?;
            table = table.join(&more).map_err(|TableConflict { board, values }| {
                let position = write_position(Position { board, side: Side::Black });
                let values = values.map(|value| value.to_string());
                let paths = [from[0].clone(), path.clone()];
                BookBuildError::Conflict { paths, position, values }
            })?;
        }
        table.back_up();
        Ok(table)
    })
}

/// Writes a book, unless it is there already. Only one process at a time does so.
fn keep(
    out: &Path,
    sources: Vec<String>,
    watch: &dyn Watch,
    make: impl FnOnce(&mut Played) -> Result<Table, BookBuildError>,
) -> Result<BuiltBook, BookBuildError> {
    if let Some(book) = made_before(out, &sources)? {
        return Ok(BuiltBook { book, was_there: true });
    }
    let mut played = Played::open(out, &sources, watch)?;
    // Another process may have finished it since the first look.
    let made = match made_before(out, &sources) {
        Ok(None) => make(&mut played).map(|table| Book::write(&table, sources)),
        other => {
            drop(played);
            Partial::sweep(out);
            let book = other?.ok_or(BookBuildError::Stopped)?;
            return Ok(BuiltBook { book, was_there: true });
        }
    };
    match made {
        Ok(bytes) => played.finish(&bytes)?,
        Err(BookBuildError::Stopped) if played.has_games => return Err(BookBuildError::Resumable),
        Err(error) => {
            drop(played);
            Partial::sweep(out);
            return Err(error);
        }
    }
    Ok(BuiltBook { book: Book::open(out)?, was_there: false })
}

/// The book, if it is there with the same sources. Anything else is refused.
fn made_before(out: &Path, sources: &[String]) -> Result<Option<Book>, BookBuildError> {
    if out.symlink_metadata().is_err() {
        return Ok(None);
    }
    let taken = |found: String| BookBuildError::Taken { path: out.into(), found };
    let book = Book::open(out).map_err(|error| taken(error.to_string()))?;
    if book.head().sources != sources {
        let first = book.head().sources.first().cloned().unwrap_or_default();
        return Err(taken(format!("a book of other games ({first})")));
    }
    Partial::sweep(out);
    Ok(Some(book))
}

impl BookRecipe {
    /// A line about each source of games, with all settings that its part of the book depends on.
    fn sources(&self) -> Result<Vec<String>, BookBuildError> {
        let mut settings = format!("depth {}", self.depth);
        if self.least_visits > 1 {
            settings += &format!(", moves of {} games or more", self.least_visits);
        }
        if self.solve > 0 {
            settings += &format!(", solved at {} empty squares", self.solve);
        }
        let mut sources: Vec<String> =
            self.files.sources()?.iter().map(|line| format!("{line}, {settings}")).collect();
        if let Some(of) = &self.self_play {
            let SelfPlay { player, games, seed, explore, margin } = of;
            let name = player.name.replace(char::is_control, "?");
            let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
            sources.push(format!(
                "{games} games of {name}{} with itself (seed {seed}), exploring {explore} within \
                 {margin} discs, {settings}",
                hash_of(player)
            ));
        }
        Ok(sources)
    }

    fn table(
        &self,
        arena: &Arena,
        played: &mut Played,
        watch: &dyn Watch,
    ) -> Result<Table, BookBuildError> {
        let mut table = self.files.add(Table::default(), self.depth, watch)?;
        table.back_up();
        let (mut done, total) = (0, self.self_play.as_ref().map_or(0, |of| of.games));
        watch.tell(News::Begins { unit: "games", total });
        while let Some(of) = self.self_play.as_ref().filter(|_| done < total) {
            // Each round is as large as all before it, so that values are computed a few times.
            let end = total.min(done + done.clamp(FIRST_ROUND, LARGEST_ROUND));
            let mut games = Vec::new();
            while done < end {
                let piece = done..end.min(done + PIECE);
                done = piece.end;
                let play = || of.play(arena, piece, &table, self.depth);
                games.extend(played.piece(self.depth, play)?);
                watch.tell(News::Done(done));
                watch.check()?;
            }
            let games = games.iter().map(|(moves, margin)| (Position::START, &moves[..], *margin));
            table = join(&table, &Table::of_games(games, self.depth));
            table.back_up();
        }
        self.finished(table, arena, watch)
    }

    /// Drops what was seen too rarely, solves what is near the end, and computes the values.
    fn finished(
        &self,
        mut table: Table,
        arena: &Arena,
        watch: &dyn Watch,
    ) -> Result<Table, BookBuildError> {
        if self.least_visits > 1 {
            table = table.keep_visited(self.least_visits);
        }
        if table.is_empty() {
            return Err(BookBuildError::Empty { least_visits: self.least_visits });
        }
        if self.solve > 0 {
            solve(&mut table, self.solve, arena, watch)?;
        }
        table.back_up();
        Ok(table)
    }
}

/// Two tables of games in one. No position of either has been solved by a solver yet.
pub(super) fn join(table: &Table, more: &Table) -> Table {
    table.join(more).expect("what follows from the rules is the same in both")
}

/// A hash of a player that comes from a file, whose name says little.
fn hash_of(player: &outflank_game::player::Player) -> String {
    let is_named = outflank_game::player::NAMED
        .iter()
        .any(|named| player.name.split('@').next() == Some(named.name));
    let file = PlayerFile::of_player(player, serde_json::Map::new()).filter(|_| !is_named);
    let Some(bytes) = file.and_then(|file| serde_json::to_vec(&file).ok()) else {
        return String::new();
    };
    format!(" (blake3 {})", &blake3::hash(&bytes).to_hex()[..16])
}
