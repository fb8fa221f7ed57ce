//! Games for a book, kept beside its file until it is finished, so that a build that is stopped
//! goes on with the games it has.

use std::path::Path;

use super::build::BookBuildError;
use super::self_play::PlayedGame;
use outflank_arena::{News, Watch};
use outflank_game::othello::Square;
use outflank_store::{Partial, RunError};

/// Changes whenever kept games are written otherwise.
const VERSION: &str = "games of a book, version 1";

/// The games of a book, piece by piece: first those that were kept, then those played now.
#[derive(Debug)]
pub struct Played {
    partial: Partial,
    kept: std::vec::IntoIter<Vec<u8>>,
    /// Whether anything would be lost if the kept games were removed.
    pub has_games: bool,
}

impl Played {
    /// Continues the games of a book with these sources, or begins them.
    pub fn open(
        out: &Path,
        sources: &[String],
        watch: &dyn Watch,
    ) -> Result<Played, BookBuildError> {
        let head = format!("{VERSION}\n{}", sources.join("\n"));
        let (mut partial, mut kept) = Partial::open(out, head.as_bytes())?;
        if kept.head != head.as_bytes() && kept.blocks.is_empty() {
            // Nothing is lost if something else begins here.
            drop(partial);
            Partial::sweep(out);
            (partial, kept) = Partial::open(out, head.as_bytes())?;
        }
        let path = Partial::path(out);
        if kept.head != head.as_bytes() {
            let found = String::from_utf8_lossy(&kept.head);
            let first = found.lines().nth(1).unwrap_or("unknown").replace(char::is_control, "?");
            let found = format!("games of an unfinished book of other sources ({first})");
            return Err(BookBuildError::Taken { path, found });
        }
        if let Some(damage) = &kept.damage {
            let note = format!("{}: {damage}; the games before them are used", path.display());
            watch.tell(News::Note(&note));
        }
        let has_games = !kept.blocks.is_empty();
        Ok(Played { partial, kept: kept.blocks.into_iter(), has_games })
    }

    /// The next piece: the one that was kept, or else played and kept now. Only the first `depth`
    /// moves of a game matter.
    pub fn piece(
        &mut self,
        depth: u32,
        play: impl FnOnce() -> Vec<PlayedGame>,
    ) -> Result<Vec<PlayedGame>, BookBuildError> {
        if let Some(block) = self.kept.next() {
            let problem = || "it has games that cannot be".into();
            let path = Path::new("the games of the unfinished book");
            return read(&block)
                .ok_or_else(|| RunError::Damaged { path: path.into(), problem: problem() }.into());
        }
        let mut games = play();
        games.iter_mut().for_each(|(moves, _)| moves.truncate(depth as usize));
        self.partial.add(&write(&games))?;
        self.has_games = true;
        Ok(games)
    }

    /// Writes the book, and removes the games.
    pub fn finish(self, book: &[u8]) -> Result<(), RunError> {
        self.partial.finish(book)
    }
}

/// A game is the number of its moves, its moves, and Black's result.
fn write(games: &[PlayedGame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (moves, margin) in games {
        bytes.push(moves.len() as u8);
        bytes.extend(moves.iter().map(|at| at.index() as u8));
        bytes.extend((*margin as i8).to_le_bytes());
    }
    bytes
}

fn read(mut bytes: &[u8]) -> Option<Vec<PlayedGame>> {
    let mut games = Vec::new();
    while let Some((count, rest)) = bytes.split_first() {
        let (moves, rest) = rest.split_at_checked(usize::from(*count))?;
        let (margin, rest) = rest.split_first()?;
        let moves = moves.iter().map(|at| Square::new(usize::from(*at))).collect::<Option<_>>()?;
        games.push((moves, i32::from(i8::from_le_bytes([*margin]))));
        bytes = rest;
    }
    Some(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_they_were_written() {
        let moves = |squares: &[usize]| squares.iter().filter_map(|at| Square::new(*at)).collect();
        let games: Vec<PlayedGame> = vec![(moves(&[0, 63, 5]), -64), (moves(&[]), 64)];
        let bytes = write(&games);
        assert_eq!(read(&bytes), Some(games));
        assert_eq!(read(&bytes[..bytes.len() - 1]), None);
        assert_eq!(read(&[1, 64, 0]), None, "no such square");
    }
}
