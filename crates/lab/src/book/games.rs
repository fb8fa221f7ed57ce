//! Games for a book from files that a user brings.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::build::BookBuildError;
use outflank_arena::{News, Watch};
use outflank_game::book::Table;
use outflank_game::othello::{
    Game, GameRecord, Ply, Position, RecordProblem, Square, read_records,
};

/// Files of games.
#[derive(Clone, Debug, Default)]
pub struct FromFiles {
    /// The files, of any format that can be read.
    pub files: Vec<PathBuf>,
    /// Whether games that cannot be used are left out, instead of ending the work.
    pub skip: bool,
}

/// Games that are added to a table at once: enough to make sorting them worth it.
const BATCH: usize = 1 << 16;

impl FromFiles {
    /// A line about each file: its name and a hash of its content, which is read for that.
    pub(super) fn sources(&self) -> Result<Vec<String>, BookBuildError> {
        let of = |path: &PathBuf| {
            let failed = |source: io::Error| BookBuildError::Games {
                path: path.clone(),
                problem: source.to_string(),
            };
            if !std::fs::metadata(path).map_err(failed)?.is_file() {
                return Err(failed(io::Error::other("it is not a regular file")));
            }
            let mut hash = blake3::Hasher::new();
            io::copy(&mut File::open(path).map_err(failed)?, &mut hash).map_err(failed)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.replace(char::is_control, "?");
            Ok(format!("games of {name} (blake3 {})", &hash.finalize().to_hex()[..16]))
        };
        self.files.iter().map(of).collect()
    }

    /// Adds the games of all files to a table.
    pub(super) fn add(
        &self,
        mut table: Table,
        depth: u32,
        watch: &dyn Watch,
    ) -> Result<Table, BookBuildError> {
        for path in &self.files {
            table = self.add_file(table, path, depth, watch)?;
        }
        Ok(table)
    }

    fn add_file(
        &self,
        mut table: Table,
        path: &Path,
        depth: u32,
        watch: &dyn Watch,
    ) -> Result<Table, BookBuildError> {
        let (mut batch, mut skipped, mut end) = (Vec::new(), Skipped::default(), None);
        let (before, mut number) = (table.games(), 0);
        let see = &mut |_, record: Result<GameRecord, RecordProblem>| {
            number += 1;
            match usable(record, number) {
                Ok(game) => batch.push(game),
                Err(problem) if self.skip => skipped.add(problem),
                Err(problem) => {
                    end = Some(BookBuildError::Games { path: path.into(), problem });
                    return ControlFlow::Break(());
                }
            }
            if batch.len() == BATCH {
                table = joined(&table, &batch, depth);
                batch.clear();
                if watch.stop() {
                    end = Some(BookBuildError::Stopped);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        read_records(path, see)?;
        if let Some(end) = end {
            return Err(end);
        }
        let table = joined(&table, &batch, depth);
        if table.games() == before {
            let problem = "there are no games in it that can be used".into();
            return Err(BookBuildError::Games { path: path.into(), problem });
        }
        if let Some(first) = skipped.first {
            let note = format!(
                "{}: {} games were left out, the first because of {first}",
                path.display(),
                skipped.number
            );
            watch.tell(News::Note(&note));
        }
        Ok(table)
    }
}

/// Games that were left out.
#[derive(Default)]
struct Skipped {
    number: u64,
    first: Option<String>,
}

impl Skipped {
    fn add(&mut self, problem: String) {
        self.number += 1;
        self.first.get_or_insert(problem);
    }
}

/// A game: where it starts, its moves, and Black's margin.
type Usable = (Position, Vec<Square>, i32);

/// A game that has a result; the file has it at this place.
fn usable(record: Result<GameRecord, RecordProblem>, number: u64) -> Result<Usable, String> {
    let GameRecord { game, margin, .. } = record.map_err(|problem| problem.to_string())?;
    let unfinished = || {
        let moves = squares(&game).len();
        format!("game {number} stops after {moves} moves, without a result; --skip leaves it out")
    };
    let margin = margin.ok_or_else(unfinished)?;
    Ok((game.start(), squares(&game), margin))
}

fn squares(game: &Game) -> Vec<Square> {
    let square = |ply: &Ply| match ply {
        Ply::Place(at) => Some(*at),
        Ply::Pass => None,
    };
    game.plies().iter().filter_map(square).collect()
}

/// A table and some games.
fn joined(table: &Table, games: &[Usable], depth: u32) -> Table {
    let games = games.iter().map(|(start, moves, margin)| (*start, &moves[..], *margin));
    super::build::join(table, &Table::of_games(games, depth))
}
