//! A file of games that is being written: complete or absent, with its lists of names.

use std::path::{Path, PathBuf};

use outflank_game::othello::{Format, GameRecord, GameWriter, Lost, Unwritable, WthorList};
use outflank_store::WholeFile;
use serde::Serialize;

use crate::Error;

/// A file of games that gets its name only when it is complete.
pub struct GamesFile {
    path: PathBuf,
    format: Format,
    file: WholeFile,
    writer: GameWriter,
    force: bool,
}

/// What was written.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GamesWritten {
    /// The file, and the lists of names beside it.
    pub files: Vec<String>,
    /// The format.
    pub format: &'static str,
    /// Games in it.
    pub games: u64,
    /// What was in the games and is not in the file.
    pub lost: Vec<LostPart>,
    /// What else there is to say.
    pub notes: Vec<String>,
}

/// Something that a format cannot hold.
#[derive(Clone, Debug, Serialize)]
pub struct LostPart {
    /// What it is.
    pub what: &'static str,
    /// How many games had it.
    pub games: u64,
}

/// The parts that were lost, for an answer.
pub(crate) fn lost_parts(lost: &Lost) -> Vec<LostPart> {
    lost.0.iter().map(|&(what, games)| LostPart { what, games }).collect()
}

impl GamesFile {
    /// Begins a file. A file that is there is replaced only if `is_ours` says that the same command
    /// made it; the same holds for lists of names that belong to it.
    pub fn create(
        path: &Path,
        format: Format,
        force: bool,
        is_ours: Option<fn(&Path) -> bool>,
    ) -> Result<GamesFile, Error> {
        let lists = [WthorList::Players, WthorList::Tournaments].map(|list| beside(path, list));
        let lists = lists.iter().filter(|_| format == Format::Wthor).map(PathBuf::as_path);
        for path in std::iter::once(path).chain(lists) {
            let is_there = path.metadata().is_ok_and(|data| data.is_file() && data.len() > 0);
            if is_there && !force && !is_ours.is_some_and(|is_ours| is_ours(path)) {
                let why = if is_ours.is_some() { " and was not made by this command" } else { "" };
                return Err(Error::Usage(format!(
                    "{} is there{why}; choose another name, or --force to replace it",
                    path.display()
                )));
            }
        }
        let file = WholeFile::create(path).map_err(|error| Error::writing(path, &error))?;
        Ok(GamesFile { path: path.into(), format, file, writer: GameWriter::new(format), force })
    }

    /// Adds a game. The inner error says why the format cannot hold it.
    pub fn add(&mut self, record: &GameRecord) -> Result<Result<(), Unwritable>, Error> {
        let text = match self.writer.add(record) {
            Ok(text) => text,
            Err(unwritable) => return Ok(Err(unwritable)),
        };
        let written = self.file.bytes(text.as_bytes());
        written.map_err(|error| Error::writing(&self.path, &error)).map(Ok)
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.writer.games()
    }

    /// Completes the file and gives it its name.
    pub fn finish(self) -> Result<GamesWritten, Error> {
        let GamesFile { path, format, mut file, writer, force } = self;
        let games = writer.games();
        let end = writer.finish().map_err(|why| Error::Failed(why.to_string()))?;
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error: std::io::Error| Error::writing(&path, &error)
        };
        let mut files = vec![path.display().to_string()];
        // The lists come first: a database without its names would be read with others' names.
        for (list, bytes) in &end.lists {
            let beside = beside(&path, *list);
            let mut file = WholeFile::create(&beside).map_err(failed(&beside))?;
            file.bytes(bytes).map_err(failed(&beside))?;
            file.finish().map_err(failed(&beside))?;
            files.push(beside.display().to_string());
        }
        file.bytes(&end.rest).map_err(failed(&path))?;
        file.finish().map_err(failed(&path))?;
        let mut notes = end.notes;
        if format == Format::Wthor && force {
            // Old lists would give the numbers of this database the names of another.
            let listed = |list| end.lists.iter().any(|(other, _)| *other == list);
            for list in [WthorList::Players, WthorList::Tournaments] {
                let stale = beside(&path, list);
                if !listed(list) && stale.is_file() {
                    notes.push(format!("{} is of an older file: remove it", stale.display()));
                }
            }
        }
        let (format, lost) = (format.name(), lost_parts(&end.lost));
        Ok(GamesWritten { files, format, games, lost, notes })
    }
}

/// The file of a list of names of a database.
pub(crate) fn beside(path: &Path, list: WthorList) -> PathBuf {
    path.with_extension(list.ending())
}
