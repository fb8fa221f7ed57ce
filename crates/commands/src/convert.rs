//! Files of games from one format to another.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use outflank_arena::Watch;
use outflank_game::othello::{
    Format, GameRecord, GameWriter, RecordProblem, SeeRecord, Square, Unwritable, WthorList,
    parse_records, read_records,
};
use serde::{Deserialize, Serialize};

use crate::games_file::{GamesFile, GamesWritten, beside, lost_parts};
use crate::{Command, Error};

/// Converts games to another format.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConvertRequest {
    /// Files of games of any format, `-` for standard input, or games themselves.
    pub inputs: Vec<String>,
    /// The file to write; `-` for the text in the answer.
    pub out: String,
    /// The format to write; that which the name of the file asks for if there is none.
    pub to: Option<String>,
    /// Cut every game at its position with this many empty squares; games without it are left out.
    pub empties: Option<u32>,
    /// Leave out games that cannot be read or written.
    pub skip: bool,
    /// Replace a file that is there.
    pub force: bool,
}

/// What was converted.
#[derive(Clone, Debug, Serialize)]
pub struct ConvertAnswer {
    /// The files that were written, and what could not be.
    #[serde(flatten)]
    pub written: GamesWritten,
    /// Games that were read, good or bad.
    pub read: u64,
    /// Games that were left out because something is wrong with them.
    pub skipped: u64,
    /// Why the first of them was left out.
    pub first_skipped: Option<String>,
    /// Games that have no position with that number of empty squares.
    pub too_short: u64,
    /// What was written, if no file was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Where the games go.
enum Sink {
    File(GamesFile),
    Text(GameWriter, String),
}

/// What became of the games so far.
struct Conversion<'a> {
    request: &'a ConvertRequest,
    watch: &'a dyn Watch,
    sink: Sink,
    answer: ConvertAnswer,
    problem: Option<Error>,
}

impl Command for ConvertRequest {
    type Answer = ConvertAnswer;
    const NAME: &'static str = "convert";

    fn run(&self, watch: &dyn Watch) -> Result<ConvertAnswer, Error> {
        let format = self.check()?;
        let sink = match self.out.as_str() {
            "-" => Sink::Text(GameWriter::new(format), String::new()),
            path => Sink::File(GamesFile::create(Path::new(path), format, self.force, None)?),
        };
        let answer = ConvertAnswer {
            written: GamesWritten { format: format.name(), ..GamesWritten::default() },
            read: 0,
            skipped: 0,
            first_skipped: None,
            too_short: 0,
            text: None,
        };
        let mut work = Conversion { request: self, watch, sink, answer, problem: None };
        for input in &self.inputs {
            work.input(input)?;
        }
        work.finish()
    }
}

impl ConvertRequest {
    fn check(&self) -> Result<Format, Error> {
        if self.inputs.is_empty() || self.out.is_empty() {
            return Err(Error::Usage("expected files of games and a file to write".into()));
        }
        let names = || Format::ALL.map(Format::name).join(", ");
        let format = match &self.to {
            Some(name) => Format::from_name(name).ok_or_else(|| {
                Error::Usage(format!("to = {name:?}, expected one of {}", names()))
            })?,
            None if self.out == "-" => Format::Transcripts,
            None => Format::of_file(Path::new(&self.out)).ok_or_else(|| {
                let endings: Vec<String> =
                    Format::ALL.iter().map(|format| format!(".{}", format.ending())).collect();
                Error::Usage(format!(
                    "the name {:?} says no format: expected one that ends with {}, or --to with \
                     one of {}",
                    self.out,
                    endings.join(", "),
                    names()
                ))
            })?,
        };
        if self.out == "-" && format == Format::Wthor {
            return Err(Error::Usage("a WTHOR database is not text; name a file for it".into()));
        }
        if let Some(empties) = self.empties.filter(|empties| *empties > 60) {
            return Err(Error::Usage(format!("empties = {empties}, expected 0 to 60")));
        }
        // Even with --force: the games would be read from a file that is being replaced.
        let mut written = vec![PathBuf::from(&self.out)];
        if format == Format::Wthor {
            let lists = [WthorList::Players, WthorList::Tournaments];
            written.extend(lists.map(|list| beside(Path::new(&self.out), list)));
        }
        for input in &self.inputs {
            let real = |path: &Path| path.canonicalize().ok();
            let input_path = real(Path::new(input));
            if input_path.is_some() && written.iter().any(|path| real(path) == input_path) {
                return Err(Error::Usage(format!("{input} would be overwritten by its own games")));
            }
        }
        Ok(format)
    }
}

impl Conversion<'_> {
    fn input(&mut self, input: &str) -> Result<(), Error> {
        let (path, before) = (Path::new(input), self.answer.read);
        let mut see = |_, record: Result<GameRecord, RecordProblem>| self.see(input, record);
        let see: &mut SeeRecord<'_> = &mut see;
        let read = if input == "-" {
            parse_records(BufReader::new(std::io::stdin().lock()), Path::new("-"), see)
        } else if path.exists() || !looks_like_games(input) {
            read_records(path, see)
        } else {
            parse_records(input.as_bytes(), Path::new("the argument"), see)
        };
        if let Some(problem) = self.problem.take() {
            return Err(problem);
        }
        read.map_err(|error| Error::Failed(error.to_string()))?;
        if self.answer.read == before {
            return Err(Error::Failed(format!("games file {input}: there is no game in it")));
        }
        Ok(())
    }

    fn see(&mut self, input: &str, record: Result<GameRecord, RecordProblem>) -> ControlFlow<()> {
        self.answer.read += 1;
        let number = self.answer.read;
        if number.is_multiple_of(1024) && self.watch.stop() {
            self.problem = Some(Error::Stopped);
            return ControlFlow::Break(());
        }
        let place = if input == "-" { "standard input" } else { input };
        let why = match record {
            Ok(record) => match self.write(&record) {
                Ok(Ok(())) => return ControlFlow::Continue(()),
                Ok(Err(unwritable)) => format!("{place}, game {number}: {unwritable}"),
                Err(error) => {
                    self.problem = Some(error);
                    return ControlFlow::Break(());
                }
            },
            Err(problem) => format!("{place}, {problem}"),
        };
        if self.request.skip {
            self.answer.skipped += 1;
            self.answer.first_skipped.get_or_insert(why);
            return ControlFlow::Continue(());
        }
        let advice = "; --skip leaves such games out";
        self.problem = Some(Error::Failed(why + advice));
        ControlFlow::Break(())
    }

    fn write(&mut self, record: &GameRecord) -> Result<Result<(), Unwritable>, Error> {
        let cut;
        let record = match self.request.empties {
            None => record,
            Some(empties) => match record.until(empties) {
                Some(until) => {
                    cut = until;
                    &cut
                }
                None => {
                    self.answer.too_short += 1;
                    return Ok(Ok(()));
                }
            },
        };
        match &mut self.sink {
            Sink::File(file) => file.add(record),
            Sink::Text(writer, all) => Ok(writer.add(record).map(|text| all.push_str(&text))),
        }
    }

    fn finish(self) -> Result<ConvertAnswer, Error> {
        let Conversion { sink, mut answer, .. } = self;
        let games = match &sink {
            Sink::File(file) => file.games(),
            Sink::Text(writer, _) => writer.games(),
        };
        if games == 0 {
            let why = match (&answer.first_skipped, answer.too_short) {
                (Some(why), _) => format!("no game is left; the first was left out: {why}"),
                (None, _) => "no game has a position with that many empty squares".into(),
            };
            return Err(Error::Failed(format!("{why}; nothing was written")));
        }
        match sink {
            Sink::File(file) => answer.written = file.finish()?,
            Sink::Text(writer, text) => {
                answer.written.games = writer.games();
                let end = writer.finish().map_err(|why| Error::Failed(why.to_string()))?;
                answer.written.lost = lost_parts(&end.lost);
                answer.text = Some(text);
            }
        }
        Ok(answer)
    }
}

/// Says whether an argument is games itself rather than a file whose name is misspelt.
pub(crate) fn looks_like_games(text: &str) -> bool {
    let text = text.trim();
    let is_square = |letter: &char| "-.XxOo*BbWw".contains(*letter);
    let is_position = text.chars().take_while(is_square).count() >= 32;
    let is_move = text.get(..2).is_some_and(|first| first.parse::<Square>().is_ok());
    // A file may be called a1.txt.
    let is_transcript = is_move && !text.contains(['.', '/', '\\']);
    is_position || is_transcript || text.contains("(;") || text.contains(['\n', ' '])
}
