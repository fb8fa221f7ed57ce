//! `--save` of commands: games in the format that the name of a file asks for.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::Error;
use outflank_commands::{GamesFile, GamesWritten};
use outflank_game::othello::{Format, GameRecord};

/// A file of games that is complete or absent.
pub struct SavedGames {
    file: GamesFile,
    path: String,
}

impl SavedGames {
    /// Begins a file. `.txt` and unknown endings mean the lines of saved games, so that a file of
    /// an earlier match can be replaced; others have a format of their own.
    pub fn create(path: &Path, inputs: &[String], force: bool) -> Result<SavedGames, Error> {
        let real = |path: &Path| path.canonicalize().ok();
        let is_out =
            |input: &&String| real(Path::new(input)).is_some_and(|of| Some(of) == real(path));
        if let Some(input) = inputs.iter().find(is_out) {
            return Err(Error::Usage(format!("--save {input} would overwrite what is read")));
        }
        let format = Format::of_file(path).filter(|format| *format != Format::Transcripts);
        SavedGames::begin(path, format.unwrap_or(Format::Saved), force)
    }

    /// Begins a file of a single game, of which `.txt` and unknown endings mean the transcript.
    pub fn create_one(path: &Path, force: bool) -> Result<SavedGames, Error> {
        let format = Format::of_file(path).unwrap_or(Format::Transcripts);
        SavedGames::begin(path, format, force)
    }

    fn begin(path: &Path, format: Format, force: bool) -> Result<SavedGames, Error> {
        let is_ours = (format == Format::Saved).then_some(is_games as fn(&Path) -> bool);
        let file = GamesFile::create(path, format, force, is_ours)?;
        Ok(SavedGames { file, path: path.display().to_string() })
    }

    /// Adds a game.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Error> {
        self.file.add(record)?.map_err(|why| {
            Error::Failed(format!("cannot save a game in {}: {why}; try a file *.ggf", self.path))
        })
    }

    /// Completes the file.
    pub fn finish(self) -> Result<GamesWritten, Error> {
        Ok(self.file.finish()?)
    }
}

/// Says whether every line of a file is a saved game.
fn is_games(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut lines = BufReader::new(file).lines();
    (0..).zip(lines.by_ref()).all(|(number, line): (u64, _)| {
        line.is_ok_and(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let is_margin = fields.get(3).is_some_and(|of| *of == "?" || of.parse::<i32>().is_ok());
            fields.len() == 6 && fields[0].parse() == Ok(number) && is_margin
        })
    })
}
