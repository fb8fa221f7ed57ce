//! Files of games, whatever their format: WTHOR databases, GGF, Othello Quest, PlayOK, transcripts
//! with or without what a page has around them, positions, OBF, and the lines of `outflank match
//! --save`. The bytes say which it is; a text may mix them. Text is read line by line, so a file
//! may be of any size.

mod database;
mod format;
mod pasted;
mod quest;
mod text;
mod write;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{Game, MoveNote, Ply, Side, Square, WthorError};

pub use format::{Format, Lost};
pub use write::{GameWriter, Unwritable, WrittenGames};

/// A game of a file, or a position, which is a game without moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// What was played; not over if it stopped early.
    pub game: Game,
    /// The result for Black in discs: that of the board if the game is over, else what is written.
    pub margin: Option<i32>,
    /// Who played, where and when, and what somebody thought of it.
    pub about: About,
}

/// What is known of a game besides its moves. Empty texts and lists are not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Black's name. `#12` is number 12 of a list of names that is not at hand.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The tournament or the place.
    pub event: String,
    /// When it was played, as it is written; of WTHOR only the year.
    pub date: String,
    /// Values and times beside the discs that were placed, from the first on.
    pub notes: Vec<MoveNote>,
    /// What moves of the start position are worth, in discs for the side to move (OBF).
    pub scores: Vec<(Square, i32)>,
    /// What the start position is worth (OBF).
    pub score: Option<i32>,
    /// What a WTHOR database says of perfect play at the end.
    pub theory: Option<Theory>,
    /// Other properties of GGF.
    pub properties: Vec<(String, String)>,
}

/// What a WTHOR database says of perfect play at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theory {
    /// When the database was written: century, year of the century, month, day.
    pub written: [u8; 4],
    /// With this number of empty squares or fewer, play is perfect.
    pub empties: u8,
    /// Black's discs then.
    pub black_score: u8,
}

impl GameRecord {
    /// A game with the result that is written, if any; that of the board counts if it is over.
    pub fn new(game: Game, written: Option<i32>) -> GameRecord {
        let margin = if game.is_over() { Some(game.margin(Side::Black)) } else { written };
        GameRecord { game, margin, about: About::default() }
    }

    /// The game up to the position with this many empty squares; `None` if it has none.
    pub fn until(&self, empties: u32) -> Option<GameRecord> {
        let mut game = Game::from(self.game.start());
        let mut placed = self.game.plies().iter().filter_map(|ply| match ply {
            Ply::Place(at) => Some(*at),
            Ply::Pass => None,
        });
        let mut number = 0;
        while game.position().board.empty().len() > empties {
            game.play(placed.next()?).ok()?;
            number += 1;
        }
        if game.position().board.empty().len() < empties {
            return None;
        }
        let mut about = self.about.clone();
        about.notes.truncate(number);
        Some(GameRecord { about, ..GameRecord::new(game, None) })
    }

    /// How many discs were placed.
    pub fn moves(&self) -> usize {
        self.game.plies().iter().filter(|ply| matches!(ply, Ply::Place(_))).count()
    }
}

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RecordProblem {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// Where a game begins in a file. Displayed, it is `line 3` or `game 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordPlace {
    /// On this line of a text, from 1.
    Line(usize),
    /// This is its number in a database, which has no lines, from 1.
    Game(usize),
}

impl std::fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RecordPlace::Line(line) => write!(f, "line {line}"),
            RecordPlace::Game(number) => write!(f, "game {number}"),
        }
    }
}

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// The system refused.
    #[error("cannot read games file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not text, or a line is absurdly long.
    #[error("games file {}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// It is a WTHOR database, or a list of names of one, and a wrong one.
    #[error(transparent)]
    Wthor(#[from] WthorError),
}

/// A longer line, or a longer game in GGF, is none.
const MOST_LINE: usize = 1 << 20;
/// The bytes of the header of a WTHOR database, which always has a zero; text has none.
const HEADER: usize = 16;
/// Four million games, as for other WTHOR databases; JSON is read whole, too.
const MOST_WHOLE: u64 = 256 << 20;

/// What is told of each game, in the order of the file; it can end the reading.
pub type SeeRecord<'a> =
    dyn FnMut(RecordPlace, Result<GameRecord, RecordProblem>) -> ControlFlow<()> + 'a;

/// Reads the games of a file and passes on each, or what is wrong with it. The names of a WTHOR
/// database are those of the lists beside it (`.jou`, `.trn`), if there are any.
pub fn read_records(path: &Path, see: &mut SeeRecord<'_>) -> Result<(), RecordsError> {
    let failed = |source| RecordsError::Read { path: path.into(), source };
    // A device is endless, and a pipe may block forever: neither is opened.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(failed(io::Error::other("it is not a regular file")));
    }
    let file = File::open(path).map_err(failed)?;
    let names = || database::Lists::beside(path);
    parse(BufReader::with_capacity(1 << 16, file), path, names, see)
}

/// The same for a file that is open or in memory; errors name the path.
pub fn parse_records(
    bytes: impl BufRead,
    path: &Path,
    see: &mut SeeRecord<'_>,
) -> Result<(), RecordsError> {
    parse(bytes, path, || Ok(database::Lists::default()), see)
}

/// The games of a text that somebody typed or pasted, all of which must be right.
pub fn parse_text(text: &str) -> Result<Vec<GameRecord>, String> {
    let (mut games, mut problem) = (Vec::new(), None);
    let mut see = |_, record| {
        match record {
            Ok(game) => games.push(game),
            Err(RecordProblem { line, problem: wrong }) => {
                let place =
                    if text.trim().contains('\n') { format!("line {line}: ") } else { "".into() };
                problem = Some(place + &wrong);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let read = parse_records(text.as_bytes(), Path::new("the text"), &mut see);
    match (problem, read) {
        (Some(problem), _) => Err(problem),
        (None, Err(error)) => Err(error.to_string()),
        (None, Ok(())) if games.is_empty() => Err("there is no game in it".into()),
        (None, Ok(())) => Ok(games),
    }
}

fn parse(
    mut bytes: impl BufRead,
    path: &Path,
    names: impl FnOnce() -> Result<database::Lists, WthorError>,
    see: &mut SeeRecord<'_>,
) -> Result<(), RecordsError> {
    let failed = |source| RecordsError::Read { path: path.into(), source };
    let beginning = bytes.fill_buf().map_err(failed)?;
    if beginning.iter().take(HEADER).any(|byte| *byte == 0) {
        let all = whole(bytes, path)?;
        return Ok(database::parse(&all, path, names, see)?);
    }
    if quest::is_json(beginning) {
        let all = whole(bytes, path)?;
        quest::parse(&all, see);
        return Ok(());
    }
    text::parse(bytes, path, see)
}

/// All bytes of a format that cannot be read piece by piece.
fn whole(bytes: impl BufRead, path: &Path) -> Result<Vec<u8>, RecordsError> {
    let mut all = Vec::new();
    let read = bytes.take(MOST_WHOLE + 1).read_to_end(&mut all);
    read.map_err(|source| RecordsError::Read { path: path.into(), source })?;
    if all.len() as u64 > MOST_WHOLE {
        let problem = "the file is larger than 256 MiB, and can only be read as a whole";
        return Err(RecordsError::Line { path: path.into(), line: 1, problem });
    }
    Ok(all)
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
