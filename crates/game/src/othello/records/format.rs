//! The formats in which games are written, and what each of them can hold.

use std::path::Path;

use super::{About, GameRecord, Theory};
use crate::othello::{Game, MoveNote, Position, WthorList};

/// A format of files of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A game in a line: `f5d6c3...`, after its position if it began elsewhere.
    Transcripts,
    /// A game in a line, with tabs: number, Black, White, margin, start, moves.
    Saved,
    /// The Generic Game Format of the server GGS.
    Ggf,
    /// A database of the French federation, with its lists of names.
    Wthor,
    /// The texts of PlayOK: tags, numbered moves, result.
    PlayOk,
    /// The JSON of Othello Quest, a game in a line.
    Quest,
    /// A position in a line: 64 squares and the side to move.
    Positions,
    /// A position in a line, with the scores of moves.
    Obf,
}

/// What was in games and could not be written, as numbers of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost(pub Vec<(&'static str, u64)>);

impl Lost {
    fn add(&mut self, what: &'static str) {
        match self.0.iter_mut().find(|(other, _)| *other == what) {
            Some((_, games)) => *games += 1,
            None => self.0.push((what, 1)),
        }
    }

    /// Notes what a game has and what is left of it.
    pub(super) fn note(&mut self, was: &GameRecord, is: &GameRecord) {
        let (a, b) = (&was.about, &is.about);
        let texts = |about: &About| [&about.black, &about.white].map(String::clone);
        let shorter = |a: &str, b: &str| !a.is_empty() && a != b;
        let pairs = [
            ("moves", was.moves() > is.moves()),
            ("players", texts(a).iter().zip(texts(b)).any(|(a, b)| shorter(a, &b))),
            ("events", shorter(&a.event, &b.event)),
            ("dates", shorter(&a.date, &b.date)),
            ("results of games that stop early", was.margin.is_some() && was.margin != is.margin),
            ("values and times of moves", !a.notes.is_empty() && a.notes != b.notes),
            ("scores of positions", (&a.scores, a.score) != (&b.scores, b.score)),
            (
                "scores of perfect play",
                a.theory.is_some_and(|of| of.empties > 0) && b.theory.is_none(),
            ),
            ("other properties", !a.properties.is_empty() && a.properties != b.properties),
        ];
        pairs.into_iter().filter(|(_, is_lost)| *is_lost).for_each(|(what, _)| self.add(what));
    }
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 8] = [
        Format::Transcripts,
        Format::Saved,
        Format::Ggf,
        Format::Wthor,
        Format::PlayOk,
        Format::Quest,
        Format::Positions,
        Format::Obf,
    ];

    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Transcripts => "transcripts",
            Format::Saved => "saved",
            Format::Ggf => "ggf",
            Format::Wthor => "wthor",
            Format::PlayOk => "playok",
            Format::Quest => "quest",
            Format::Positions => "positions",
            Format::Obf => "obf",
        }
    }

    /// The format with a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// How the names of its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Transcripts => "txt",
            Format::Saved => "tsv",
            Format::Ggf => "ggf",
            Format::Wthor => "wtb",
            Format::PlayOk => "playok",
            Format::Quest => "json",
            Format::Positions => "pos",
            Format::Obf => "obf",
        }
    }

    /// The format that the name of a file asks for.
    pub fn of_file(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::ALL.into_iter().find(|format| format.ending() == ending)
    }

    /// Says whether it has positions and no moves.
    pub fn is_of_positions(self) -> bool {
        matches!(self, Format::Positions | Format::Obf)
    }

    /// Says whether its games can begin anywhere.
    pub(super) fn has_starts(self) -> bool {
        !matches!(self, Format::Wthor | Format::PlayOk | Format::Quest)
    }

    /// A game as it comes back from a file of this format.
    pub fn kept(self, record: &GameRecord) -> GameRecord {
        let a = &record.about;
        let text = |text: &str| self.text(text);
        let mut game = record.game.clone();
        let mut about = About::default();
        let mut margin = None;
        match self {
            Format::Transcripts => {}
            Format::Positions | Format::Obf => {
                game = Game::from(shown(record));
                if self == Format::Obf && record.moves() == 0 {
                    (about.scores, about.score) = (a.scores.clone(), a.score);
                }
            }
            Format::Saved | Format::Quest => {
                (about.black, about.white) = (text(&a.black), text(&a.white));
                margin = record.margin.filter(|_| self == Format::Saved);
            }
            Format::PlayOk => {
                (about.black, about.white) = (text(&a.black), text(&a.white));
                (about.event, about.date) = (text(&a.event), text(&a.date));
                margin = record.margin.filter(|margin| margin % 2 == 0);
            }
            Format::Ggf => {
                (about.black, about.white) = (text(&a.black), text(&a.white));
                (about.event, about.date) = (text(&a.event), text(&a.date));
                margin = record.margin;
                about.notes = self.notes(record);
                let property = |(name, value): &(String, String)| (name.clone(), text(value));
                about.properties = a.properties.iter().map(property).collect();
            }
            Format::Wthor => {
                (about.black, about.white) = (text(&a.black), text(&a.white));
                about.event = WthorList::Tournaments.fitted(&a.event);
                about.date = year(&a.date).map_or(String::new(), |year| year.to_string());
                margin = record.margin;
                let black_score = ((64 + margin.unwrap_or(0)) / 2) as u8;
                let unknown = Theory { written: [0; 4], empties: 0, black_score };
                about.theory = Some(a.theory.unwrap_or(unknown));
            }
        }
        GameRecord { about, ..GameRecord::new(game, margin) }
    }

    fn notes(self, record: &GameRecord) -> Vec<MoveNote> {
        let mut notes: Vec<MoveNote> = record
            .about
            .notes
            .iter()
            .map(|note| MoveNote {
                value: self.text(&note.value).replace('/', "|"),
                time: self.text(&note.time),
            })
            .collect();
        notes.resize(record.moves(), MoveNote::default());
        if notes.iter().all(|note| *note == MoveNote::default()) {
            notes.clear();
        }
        notes
    }

    /// A name as the format can hold it: without control characters and what it uses itself.
    fn text(self, text: &str) -> String {
        if self == Format::Wthor {
            return WthorList::Players.fitted(text);
        }
        let letter = |letter: char| match (self, letter) {
            (_, '\t' | '\n' | '\r') => ' ',
            (_, letter) if letter.is_control() => '?',
            (_, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => '?',
            (Format::Ggf, '[') => '(',
            (Format::Ggf, ']') => ')',
            (Format::Ggf, ';') => ',',
            (Format::PlayOk, '"') => '\'',
            (_, letter) => letter,
        };
        text.trim().chars().map(letter).collect::<String>().trim().into()
    }
}

/// The position that stands for a game: its last one, or its start if there are no moves.
pub(super) fn shown(record: &GameRecord) -> Position {
    if record.moves() == 0 { record.game.start() } else { record.game.position() }
}

/// The first four digits in a row.
fn year(date: &str) -> Option<u16> {
    let mut digits = date.split(|letter: char| !letter.is_ascii_digit());
    digits.find(|digits| digits.len() == 4)?.parse().ok().filter(|year| *year > 0)
}
