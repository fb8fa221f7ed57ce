//! WTHOR databases (`.wtb`), the format of the French federation: tournament games, year by year.
//!
//! A header of 16 bytes and a record of 68 bytes per game, little-endian; `docs/formats.md` has the
//! fields. Reading is strict: after one fault there are no games, only an error that says where.
//! The files of 1977 to 2009 allow it: none of their 104,019 games has an illegal move, and the
//! score of each of the 103,586 finished games is that of the board. So any difference is damage.
//!
//! The other 433 games stop early, all but 8 of them with 20 empty squares or fewer; the format
//! does not say why. They are kept: [`Game::is_over`] is false for them, and their
//! [`WthorGame::outcome`] is the recorded one, which the board does not show.

mod names;

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Game, IllegalMove, Outcome, Ply, Position, Side, Square};

pub use names::{WthorList, parse_wthor_names, write_wthor_names};

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wthor {
    /// When the file was written, as recorded: century, year of the century, month, day.
    pub written: [u8; 4],
    /// The year of the games.
    pub year: u16,
    /// The number of empty squares from which theoretical scores assume perfect play.
    pub theoretical_empties: u8,
    /// In the order of the file.
    pub games: Vec<WthorGame>,
}

/// A game of a file. Players and tournament are indices in separate lists of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WthorGame {
    /// The index in the list of tournaments (`.trn`).
    pub tournament: u16,
    /// The index in the list of players (`.jou`).
    pub black: u16,
    /// The index in the list of players (`.jou`).
    pub white: u16,
    /// What was played; not over if the record stops early.
    pub game: Game,
    /// Black's discs at the end, with empty squares counted for the winner.
    pub black_score: u8,
    /// What `black_score` would be had both played perfectly at the end.
    pub theoretical_score: u8,
}

impl WthorGame {
    /// The recorded result for a side, in discs.
    pub fn margin(&self, side: Side) -> i32 {
        let black = 2 * i32::from(self.black_score) - 64;
        if side == Side::Black { black } else { -black }
    }

    /// The recorded result for a side; for a game that stops early it is the only one.
    pub fn outcome(&self, side: Side) -> Outcome {
        Outcome::of(self.margin(side))
    }
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WthorError {
    /// The system refused, as it does for a folder.
    #[error("cannot read WTHOR file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// More than all games ever recorded would need.
    #[error("WTHOR file {}: larger than {} MiB", path.display(), MAX_BYTES >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// Its content is wrong.
    #[error("WTHOR file {}: {fault}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: WthorFault,
    },
}

/// What can be wrong with the bytes of a file. Records and moves are counted from 1, bytes from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WthorFault {
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// Too short for a header.
    #[error("the file ends after {found} of the {HEADER} bytes of its header")]
    Header {
        /// The number of bytes found.
        found: usize,
    },
    /// One of the other two kinds of files.
    #[error("a list of names (.jou or .trn; {names} by its header), expected games (.wtb)")]
    Names {
        /// How many the header says there are.
        names: u16,
    },
    /// A list of names that is too short or too long.
    #[error(
        "the header says {claimed} names of {width} bytes, expected {} bytes, found {found}",
        HEADER + usize::from(*claimed) * width
    )]
    NameCount {
        /// How many names the header says there are.
        claimed: u16,
        /// The bytes of a name.
        width: usize,
        /// The length of the file.
        found: usize,
    },
    /// A board that is not 8x8.
    #[error("byte 12: board size {size}, expected 8 (or 0, which is 8)")]
    BoardSize {
        /// What the header says.
        size: u8,
    },
    /// Solitaires, or an unknown type.
    #[error("byte 13: type {kind}{}, expected 0 (games)", if *kind == 1 { " (solitaires)" } else { "" })]
    Type {
        /// What the header says.
        kind: u8,
    },
    /// The file ends inside a record.
    #[error(
        "record {record}, byte {offset}: the file ends after {found} of the record's {RECORD} bytes; \
         the header says {}",
        games(u64::from(*claimed))
    )]
    Cut {
        /// The record.
        record: usize,
        /// Where it begins.
        offset: usize,
        /// The number of its bytes found.
        found: usize,
        /// How many games the header says there are.
        claimed: u32,
    },
    /// More or fewer records than the header says.
    #[error(
        "the header says {}, expected {} bytes, found {found}, enough for {}",
        games(u64::from(*claimed)),
        length(*claimed),
        games(((found - HEADER) / RECORD) as u64)
    )]
    Count {
        /// How many games the header says there are.
        claimed: u32,
        /// The length of the file.
        found: usize,
    },
    /// Something is wrong with a game.
    #[error("record {record}, byte {offset}: {fault}")]
    Record {
        /// The game.
        record: usize,
        /// The byte of the file.
        offset: usize,
        /// What is wrong there.
        fault: RecordFault,
    },
    /// More games than the header can count.
    #[error("{games} games, a file has at most {}", u32::MAX)]
    TooMany {
        /// How many there are.
        games: usize,
    },
}

/// What can be wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// A score of more than 64 discs.
    Score(u8),
    /// The game is over, and the score is not that of the board.
    ScoreOfBoard {
        /// What is written.
        found: u8,
        /// What the board says.
        board: u8,
    },
    /// A number that is not 10 * row + column.
    NotASquare {
        /// Which move.
        number: usize,
        /// What is written.
        byte: u8,
    },
    /// Refused by the rules.
    Illegal {
        /// Which move.
        number: usize,
        /// The square.
        at: Square,
        /// Why.
        illegal: IllegalMove,
    },
    /// A move after the 0 that ends the moves.
    AfterEnd {
        /// Which move it would be.
        number: usize,
        /// What is written.
        byte: u8,
    },
    /// The game has another start position, which the format cannot store.
    Start,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordFault::Score(score) => write!(f, "a score of {score} discs, expected 0 to 64"),
            RecordFault::ScoreOfBoard { found, board } => {
                write!(f, "{found} discs for Black, expected {board}, the score of the board")
            }
            RecordFault::NotASquare { number, byte } => {
                write!(f, "move {number} is {byte}, expected a square, 11 (a1) to 88 (h8)")
            }
            RecordFault::Illegal { number, at, illegal } => {
                write!(f, "move {number} ({at}): {illegal}")
            }
            RecordFault::AfterEnd { number, byte } => {
                write!(f, "move {number} is {byte} after the end of the moves, expected 0")
            }
            RecordFault::Start => f.write_str("the game does not begin at the usual position"),
        }
    }
}

const HEADER: usize = 16;
const RECORD: usize = 68;
/// The places of fields in a record.
const SCORE: usize = 6;
const THEORETICAL: usize = 7;
const MOVES: usize = 8;
/// Four million games; a year has some thousands.
const MAX_BYTES: u64 = 256 << 20;

/// The length of a file with this many games.
fn length(games: u32) -> u64 {
    HEADER as u64 + RECORD as u64 * u64::from(games)
}

fn games(number: u64) -> String {
    format!("{number} game{}", if number == 1 { "" } else { "s" })
}

/// Reads a file of games.
pub fn read_wthor(path: &Path) -> Result<Wthor, WthorError> {
    let failed = |source| WthorError::Read { path: path.into(), source };
    let file = std::fs::File::open(path).map_err(failed)?;
    let claimed = file.metadata().map_err(failed)?.len();
    let bytes =
        if claimed > MAX_BYTES { None } else { read_up_to(MAX_BYTES, file).map_err(failed)? };
    let bytes = bytes.ok_or_else(|| WthorError::TooLarge { path: path.into() })?;
    parse_wthor(&bytes).map_err(|fault| WthorError::Content { path: path.into(), fault })
}

/// All bytes; `None` if there are more than `most`. A file can grow, and a device has no length.
fn read_up_to(most: u64, source: impl Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Reads the bytes of a file of games.
pub fn parse_wthor(bytes: &[u8]) -> Result<Wthor, WthorFault> {
    if bytes.is_empty() {
        return Err(WthorFault::Empty);
    }
    let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(WthorFault::Header { found: bytes.len() });
    };
    let &[century, year, month, day, a, b, c, d, e, f, g, h, size, kind, depth, _] = header;
    let (claimed, names) = (u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([e, f]));
    if claimed == 0 && names > 0 {
        return Err(WthorFault::Names { names });
    }
    if !matches!(size, 0 | 8) {
        return Err(WthorFault::BoardSize { size });
    }
    if kind != 0 {
        return Err(WthorFault::Type { kind });
    }
    // The number in the header is checked against the file before it is used.
    let (records, rest) = body.as_chunks::<RECORD>();
    let (found, whole) = (bytes.len(), records.len());
    if (found as u64) < length(claimed) && !rest.is_empty() {
        let offset = found - rest.len();
        return Err(WthorFault::Cut { record: whole + 1, offset, found: rest.len(), claimed });
    }
    if found as u64 != length(claimed) {
        return Err(WthorFault::Count { claimed, found });
    }
    let games = records.iter().enumerate().map(|(index, record)| {
        parse_record(record).map_err(|(at, fault)| in_record(index, at, fault))
    });
    Ok(Wthor {
        written: [century, year, month, day],
        year: u16::from_le_bytes([g, h]),
        theoretical_empties: depth,
        games: games.collect::<Result<_, _>>()?,
    })
}

/// Reads a game, or says at which of the record's bytes something is wrong with it.
fn parse_record(record: &[u8; RECORD]) -> Result<WthorGame, (usize, RecordFault)> {
    let mut game = Game::default();
    let mut ended = false;
    for (index, &byte) in record[MOVES..].iter().enumerate() {
        let (number, wrong) = (index + 1, |fault| Err((MOVES + index, fault)));
        match square(byte) {
            None if byte == 0 => ended = true,
            _ if ended => return wrong(RecordFault::AfterEnd { number, byte }),
            None => return wrong(RecordFault::NotASquare { number, byte }),
            // Passes are not written; the game adds them.
            Some(at) => {
                if let Err(illegal) = game.play(at) {
                    return wrong(RecordFault::Illegal { number, at, illegal });
                }
            }
        }
    }
    let name = |at| u16::from_le_bytes([record[at], record[at + 1]]);
    let game = WthorGame {
        tournament: name(0),
        black: name(2),
        white: name(4),
        game,
        black_score: record[SCORE],
        theoretical_score: record[THEORETICAL],
    };
    check_scores(&game)?;
    Ok(game)
}

fn check_scores(game: &WthorGame) -> Result<(), (usize, RecordFault)> {
    for (at, score) in [(SCORE, game.black_score), (THEORETICAL, game.theoretical_score)] {
        if score > 64 {
            return Err((at, RecordFault::Score(score)));
        }
    }
    // A margin is even and -64 to 64.
    let board = ((64 + game.game.margin(Side::Black)) / 2) as u8;
    let found = game.black_score;
    if game.game.is_over() && found != board {
        return Err((SCORE, RecordFault::ScoreOfBoard { found, board }));
    }
    Ok(())
}

fn in_record(index: usize, at: usize, fault: RecordFault) -> WthorFault {
    WthorFault::Record { record: index + 1, offset: HEADER + RECORD * index + at, fault }
}

/// The square of 10 * row + column, both from 1.
fn square(byte: u8) -> Option<Square> {
    let (row, column) = (usize::from(byte / 10), usize::from(byte % 10));
    let on_board = (1..=8).contains(&row) && (1..=8).contains(&column);
    if on_board { Square::new(8 * (row - 1) + column - 1) } else { None }
}

/// Writes a file of games that [`parse_wthor`] reads back as the same; refuses what it would
/// refuse.
pub fn write_wthor(wthor: &Wthor) -> Result<Vec<u8>, WthorFault> {
    let games = wthor.games.len();
    let claimed = u32::try_from(games).map_err(|_| WthorFault::TooMany { games })?;
    let mut bytes = wthor.written.to_vec();
    bytes.extend(claimed.to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend(wthor.year.to_le_bytes());
    bytes.extend([8, 0, wthor.theoretical_empties, 0]);
    for (index, game) in wthor.games.iter().enumerate() {
        let wrong = |(at, fault)| in_record(index, at, fault);
        if game.game.start() != Position::START {
            return Err(wrong((MOVES, RecordFault::Start)));
        }
        check_scores(game).map_err(wrong)?;
        let mut record = [0; RECORD];
        for (at, name) in [(0, game.tournament), (2, game.black), (4, game.white)] {
            record[at..at + 2].copy_from_slice(&name.to_le_bytes());
        }
        record[SCORE] = game.black_score;
        record[THEORETICAL] = game.theoretical_score;
        let squares = game.game.plies().iter().filter_map(|ply| match ply {
            Ply::Place(at) => Some(10 * (at.row() + 1) + at.column() + 1),
            Ply::Pass => None,
        });
        // A game from the usual start has at most 60 moves.
        for (byte, square) in record[MOVES..].iter_mut().zip(squares) {
            *byte = square as u8;
        }
        bytes.extend(record);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
