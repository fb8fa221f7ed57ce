//! What is to be solved: positions, games, and files of them in any format.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use outflank_arena::Watch;
use outflank_game::othello::{
    GameRecord, ObfLine, Position, RecordPlace, RecordProblem, RecordsError, SeeRecord,
    check_playable, parse_game, parse_obf, parse_position, parse_records, parse_text, read_records,
};

use crate::Error;

/// A position to be solved.
#[derive(Clone, Debug)]
pub struct Task {
    pub position: Position,
    /// The file and the line, or the number of the game in a database.
    pub place: Option<(Arc<str>, usize)>,
    /// What the file says about it, if anything.
    pub known: Option<Box<ObfLine>>,
}

impl Task {
    /// Where it comes from, in words.
    pub fn source(&self) -> Option<String> {
        self.place.as_ref().map(|(file, line)| format!("{file}:{line}"))
    }
}

/// All that was read.
#[derive(Debug, Default)]
pub struct Tasks {
    pub tasks: Vec<Task>,
    /// Games that have no position with the number of empty squares that was asked for.
    pub too_short: u64,
    /// That number.
    empties: Option<u32>,
}

/// A longer line is not a position.
const MAX_LINE: usize = 1 << 16;

impl Tasks {
    /// Reads all inputs: of each game its last position, or the one with that many empty squares.
    pub fn read(
        inputs: &[String],
        empties: Option<u32>,
        watch: &dyn Watch,
    ) -> Result<Tasks, Error> {
        if inputs.is_empty() {
            return Err(Error::Usage("inputs: expected a position, a game or a file".into()));
        }
        if let Some(empties) = empties.filter(|empties| !(1..=60).contains(empties)) {
            return Err(Error::Usage(format!("empties = {empties}, expected 1 to 60")));
        }
        let mut all = Tasks { empties, ..Tasks::default() };
        for input in inputs {
            let has_ending = Path::new(input)
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("obf"));
            match is_file(input) {
                true if has_ending => all.obf(input, watch)?,
                true => all.games(input, watch)?,
                false => all.text(input)?,
            }
        }
        match (all.tasks.is_empty(), empties) {
            (true, Some(empties)) => Err(Error::Failed(format!(
                "no game has a position with {empties} empty squares (--empties)"
            ))),
            _ => Ok(all),
        }
    }

    /// Adds the position of a game that is asked for. The error does not say where it stands.
    fn add(&mut self, record: &GameRecord, place: Option<(Arc<str>, usize)>) -> Result<(), String> {
        let cut;
        let mut chosen = record;
        if let Some(empties) = self.empties {
            let until = record.until(empties).filter(|until| !until.game.is_over());
            let Some(until) = until else {
                self.too_short += 1;
                return Ok(());
            };
            cut = until;
            chosen = &cut;
        }
        let position = chosen.game.position();
        check_playable(position).map_err(|error| match chosen.game.is_over() {
            true if chosen.moves() > 0 => {
                format!("{error}; --empties N solves its position with N empty squares")
            }
            _ => error.to_string(),
        })?;
        let about = &record.about;
        let known = ObfLine { position, moves: about.scores.clone(), score: about.score };
        // The scores are those of the position in the file.
        let is_known = chosen.moves() == 0 && known.has_scores();
        self.tasks.push(Task { position, place, known: is_known.then(|| Box::new(known)) });
        Ok(())
    }

    /// A transcript has a digit in second place, a position never. What is neither may be pasted
    /// from somewhere.
    fn text(&mut self, text: &str) -> Result<(), Error> {
        let text = text.trim();
        let is_game = text.chars().nth(1).is_some_and(|letter| letter.is_ascii_digit());
        let read = if is_game {
            parse_game(text).map(|game| GameRecord::new(game, None))
        } else {
            parse_position(text.trim_end_matches(';'))
                .map(|position| GameRecord::new(position.into(), None))
        };
        let added = match read {
            Ok(record) => self.add(&record, None),
            Err(error) => match parse_text(text) {
                Ok(records) => records.iter().try_for_each(|record| self.add(record, None)),
                Err(_) => Err(error.to_string()),
            },
        };
        added.map_err(|error| {
            let kind = if is_game { "game" } else { "position" };
            let shown: String = text.chars().take(20).collect();
            let dots = if text.chars().count() > 20 { "..." } else { "" };
            let hint = if is_game || text.chars().count() > 60 {
                ""
            } else {
                "; expected 64 squares and the side to move, moves such as f5d6c3, or a file"
            };
            Error::Usage(format!("{kind} \"{shown}{dots}\": {error}{hint}"))
        })
    }

    /// A file of games, whatever its format; `-` is standard input.
    fn games(&mut self, name: &str, watch: &dyn Watch) -> Result<(), Error> {
        let (file, mut number, mut problem): (Arc<str>, u64, _) = (name.into(), 0, None);
        let mut see = |place: RecordPlace, record: Result<GameRecord, RecordProblem>| {
            number += 1;
            let added = match record {
                _ if number.is_multiple_of(4096) && watch.stop() => Err(Error::Stopped),
                Ok(record) => {
                    let (RecordPlace::Line(at) | RecordPlace::Game(at)) = place;
                    let added = self.add(&record, Some((Arc::clone(&file), at)));
                    added.map_err(|problem| Error::Failed(format!("{name}, {place}: {problem}")))
                }
                Err(wrong) => Err(Error::Failed(format!("{name}, {wrong}"))),
            };
            match added {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    problem = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let see: &mut SeeRecord<'_> = &mut see;
        let read = match name {
            "-" => parse_records(BufReader::new(std::io::stdin().lock()), Path::new("-"), see),
            _ => read_records(Path::new(name), see),
        };
        if let Some(problem) = problem {
            return Err(problem);
        }
        read.map_err(|error| {
            Error::Failed(match error {
                RecordsError::Read { source, .. } => format!("cannot read {name}: {source}"),
                other => other.to_string(),
            })
        })?;
        match number {
            0 => Err(Error::Failed(format!("{name}: there is no game or position in it"))),
            _ => Ok(()),
        }
    }

    /// An Othello Board File. Here every line must be right: nobody writes words into one.
    fn obf(&mut self, name: &str, watch: &dyn Watch) -> Result<(), Error> {
        let failed = |error: std::io::Error| Error::Failed(format!("cannot read {name}: {error}"));
        let mut lines = BufReader::new(File::open(name).map_err(failed)?);
        let file: Arc<str> = name.into();
        let mut is_empty = true;
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let mut line = lines.by_ref().take(MAX_LINE as u64 + 1);
            line.read_until(b'\n', &mut bytes).map_err(failed)?;
            if bytes.is_empty() {
                break;
            }
            if number % 4096 == 0 {
                watch.check()?;
            }
            let wrong = |problem: &dyn std::fmt::Display| {
                Error::Failed(format!("{name}, line {number}: {problem}"))
            };
            if bytes.len() > MAX_LINE {
                return Err(wrong(&format!("longer than {MAX_LINE} bytes, which no position is")));
            }
            let line = std::str::from_utf8(&bytes).map_err(|_| wrong(&"not UTF-8 text"))?;
            // Some editors start a file with a byte order mark.
            let line = line.trim_start_matches('\u{feff}');
            if let Some(obf) = parse_obf(line).map_err(|error| wrong(&error))? {
                is_empty = false;
                let mut record = GameRecord::new(obf.position.into(), None);
                (record.about.scores, record.about.score) = (obf.moves, obf.score);
                let added = self.add(&record, Some((Arc::clone(&file), number)));
                added.map_err(|error| wrong(&error))?;
            }
        }
        match is_empty {
            true => Err(Error::Failed(format!("{name}: no position in it"))),
            false => Ok(()),
        }
    }
}

/// What is there is a file, and so is what has a folder or an ending; but a position may have dots,
/// and so may numbers of moves.
fn is_file(input: &str) -> bool {
    let path = Path::new(input);
    let squares = input.chars().take_while(|letter| "-.XxOo*BbWw".contains(*letter)).count();
    let is_name = path.extension().is_some() || input.contains(std::path::MAIN_SEPARATOR);
    let is_text = squares >= 16 || input.contains("(;") || input.trim().contains(". ");
    input == "-" || path.exists() || is_name && !is_text
}
