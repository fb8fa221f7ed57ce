//! Games into files of any format.

use super::database::{Made, make};
use super::format::shown;
use super::{Format, GameRecord, Lost, quest};
use crate::othello::{
    GgfGame, ObfLine, Ply, Position, WthorList, write_game, write_ggf_notes, write_position,
    write_wthor, write_wthor_names,
};

/// Why a game cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// It begins elsewhere.
    #[error("the game does not begin at the usual position, and {0} cannot say where")]
    Start(&'static str),
    /// It has no moves.
    #[error("it has no moves, and {0} cannot hold a position")]
    NoMoves(&'static str),
    /// It stops early, and nobody knows how it ended.
    #[error("the game stops early and has no result, which a WTHOR database needs")]
    NoResult,
    /// An odd number, as after a komi.
    #[error("the result {0:+} is odd, and a WTHOR database counts Black's discs of 64")]
    OddResult(i32),
    /// More names than a list can hold.
    #[error("more than 65,535 names, which no list of a WTHOR database can hold")]
    Names,
    /// Something else; the text says what.
    #[error("{0}")]
    Database(String),
}

/// Writes games, one after another.
pub struct GameWriter {
    format: Format,
    number: u64,
    /// Games of a database, which is written at the end.
    kept: Vec<GameRecord>,
    lost: Lost,
}

/// What is written at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenGames {
    /// The rest of the file.
    pub rest: Vec<u8>,
    /// Lists of names to be put beside it.
    pub lists: Vec<(WthorList, Vec<u8>)>,
    /// What was in the games and is not in the file.
    pub lost: Lost,
    /// What else there is to say about it.
    pub notes: Vec<String>,
}

impl GameWriter {
    /// Begins a file.
    pub fn new(format: Format) -> GameWriter {
        GameWriter { format, number: 0, kept: Vec::new(), lost: Lost::default() }
    }

    /// Games written so far.
    pub fn games(&self) -> u64 {
        self.number
    }

    /// Adds a game; returns the text to be added to the file, with its line ends.
    pub fn add(&mut self, record: &GameRecord) -> Result<String, Unwritable> {
        let format = self.format;
        if !format.has_starts() && record.game.start() != Position::START {
            return Err(Unwritable::Start(format.name()));
        }
        let kept = format.kept(record);
        let text = match format {
            Format::Transcripts => transcript(record) + "\n",
            Format::Saved => saved(self.number, &kept) + "\n",
            Format::Ggf => ggf(&kept) + "\n",
            Format::Quest => quest::write(&kept) + "\n",
            Format::PlayOk if record.moves() == 0 => return Err(Unwritable::NoMoves("playok")),
            Format::PlayOk => playok(&kept),
            Format::Positions => write_position(shown(record)) + "\n",
            Format::Obf => {
                let (position, about) = (shown(record), &kept.about);
                let line = ObfLine { position, moves: about.scores.clone(), score: about.score };
                format!("{line}\n")
            }
            Format::Wthor => {
                match record.margin {
                    None => return Err(Unwritable::NoResult),
                    Some(margin) if margin % 2 != 0 => return Err(Unwritable::OddResult(margin)),
                    Some(_) => {}
                }
                String::new()
            }
        };
        self.lost.note(record, &kept);
        if format == Format::Wthor {
            self.kept.push(kept);
        }
        self.number += 1;
        Ok(text)
    }

    /// Ends the file.
    pub fn finish(self) -> Result<WrittenGames, Unwritable> {
        let mut written = WrittenGames { lost: self.lost, ..WrittenGames::default() };
        if self.format != Format::Wthor {
            return Ok(written);
        }
        let Made { wthor, players, tournaments, notes } =
            make(&self.kept).ok_or(Unwritable::Names)?;
        let wrong = |fault: crate::othello::WthorFault| Unwritable::Database(fault.to_string());
        written.rest = write_wthor(&wthor).map_err(wrong)?;
        for (list, names) in [(WthorList::Players, players), (WthorList::Tournaments, tournaments)]
        {
            if !names.is_empty() {
                let bytes = write_wthor_names(&names, list, wthor.written);
                written.lists.push((list, bytes.ok_or(Unwritable::Names)?));
            }
        }
        written.notes = notes;
        Ok(written)
    }
}

/// Moves alone, if the game begins as usual; a position is written if there are none.
fn transcript(record: &GameRecord) -> String {
    let (start, moves) = (record.game.start(), write_game(record.game.plies()));
    match (start, moves.as_str()) {
        (_, "") => write_position(start),
        (Position::START, _) => moves,
        _ => format!("{} {moves}", write_position(start)),
    }
}

fn saved(number: u64, record: &GameRecord) -> String {
    let start = match record.game.start() {
        Position::START => "-".into(),
        start => write_position(start),
    };
    let margin = record.margin.map_or("?".into(), |margin| format!("{margin:+}"));
    let (black, white) = (&record.about.black, &record.about.white);
    let moves = write_game(record.game.plies());
    format!("{number}\t{black}\t{white}\t{margin}\t{start}\t{moves}")
}

fn ggf(record: &GameRecord) -> String {
    let about = &record.about;
    let known =
        [("PC", &about.event), ("DT", &about.date), ("PB", &about.black), ("PW", &about.white)];
    let known = known.into_iter().filter(|(_, value)| !value.is_empty());
    let mut properties: Vec<(String, String)> =
        known.map(|(name, value)| (name.into(), value.clone())).collect();
    properties.extend(about.properties.iter().cloned());
    // Its own programs want to know that the board is 8x8.
    let game = GgfGame { game: record.game.clone(), result: record.margin, properties };
    write_ggf_notes(&game, &about.notes)
}

/// Tags, numbered moves and the result, and an empty line.
fn playok(record: &GameRecord) -> String {
    let about = &record.about;
    let tags = [
        ("Event", &about.event),
        ("Date", &about.date),
        ("Black", &about.black),
        ("White", &about.white),
    ];
    let mut text = String::new();
    for (name, value) in tags.into_iter().filter(|(_, value)| !value.is_empty()) {
        text += &format!("[{name} \"{value}\"]\n");
    }
    for (index, ply) in record.game.plies().iter().enumerate() {
        if index % 2 == 0 {
            text += &format!("{}. ", index / 2 + 1);
        }
        match ply {
            Ply::Place(at) => text += &format!("{at} "),
            Ply::Pass => text += "-- ",
        }
    }
    if let Some(margin) = record.margin {
        text += &format!("{}-{}", (64 + margin) / 2, (64 - margin) / 2);
    }
    format!("{}\n\n", text.trim_end())
}
