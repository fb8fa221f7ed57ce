//! What is to be solved: positions, games and Othello Board Files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use outflank_arena::Watch;
use outflank_game::othello::{
    NotationError, ObfLine, Position, check_playable, parse_game, parse_obf, parse_position,
};

use crate::Error;

/// A position to be solved.
#[derive(Clone, Debug)]
pub struct Task {
    pub position: Position,
    /// The file and the line.
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

/// A longer line is not a position.
const MAX_LINE: usize = 1 << 16;

/// Reads all inputs.
pub fn read_tasks(inputs: &[String], watch: &dyn Watch) -> Result<Vec<Task>, Error> {
    if inputs.is_empty() {
        return Err(Error::Usage("inputs: expected a position, a game or a file".into()));
    }
    let mut tasks = Vec::new();
    for input in inputs {
        if is_file(input) {
            read_file(input, &mut tasks, watch)?;
        } else {
            tasks.push(read_text(input)?);
        }
    }
    Ok(tasks)
}

/// What is there is a file, and so is what has a folder or an ending; but a position may have dots.
fn is_file(input: &str) -> bool {
    let path = Path::new(input);
    let squares = input.chars().take_while(|letter| "-.XxOo*BbWw".contains(*letter)).count();
    let is_name = path.extension().is_some() || input.contains(std::path::MAIN_SEPARATOR);
    path.is_file() || is_name && squares < 16
}

/// A transcript has a digit in second place, a position never.
fn read_text(text: &str) -> Result<Task, Error> {
    let text = text.trim();
    let is_game = text.chars().nth(1).is_some_and(|letter| letter.is_ascii_digit());
    let read = if is_game {
        parse_game(text).map(|game| game.position())
    } else {
        parse_position(text.trim_end_matches(';'))
    };
    let position = read.and_then(|position| check_playable(position).map(|()| position));
    let wrong = |error: NotationError| {
        let kind = if is_game { "game" } else { "position" };
        let shown: String = text.chars().take(20).collect();
        let dots = if text.chars().count() > 20 { "..." } else { "" };
        let hint = if is_game || text.chars().count() > 60 {
            ""
        } else {
            "; expected 64 squares and the side to move, moves such as f5d6c3, or a file"
        };
        Error::Usage(format!("{kind} \"{shown}{dots}\": {error}{hint}"))
    };
    Ok(Task { position: position.map_err(wrong)?, place: None, known: None })
}

fn read_file(name: &str, tasks: &mut Vec<Task>, watch: &dyn Watch) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::Failed(format!("cannot read {name}: {error}"));
    let mut lines = BufReader::new(File::open(name).map_err(failed)?);
    let file: Arc<str> = name.into();
    let before = tasks.len();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        lines.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes).map_err(failed)?;
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
        if let Some(known) = parse_obf(line).map_err(|error| wrong(&error))? {
            let position = known.position;
            check_playable(position).map_err(|error| wrong(&error))?;
            let known = known.has_scores().then(|| Box::new(known));
            tasks.push(Task { position, place: Some((Arc::clone(&file), number)), known });
        }
    }
    if tasks.len() == before {
        return Err(Error::Failed(format!("{name}: no position in it")));
    }
    Ok(())
}
