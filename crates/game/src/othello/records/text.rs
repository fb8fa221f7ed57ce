//! Games in a text, line by line.

use std::io::{BufRead, Read};
use std::ops::ControlFlow;
use std::path::Path;

use super::pasted::{self, Pasted};
use super::{About, GameRecord, MOST_LINE, RecordPlace, RecordProblem, RecordsError, SeeRecord};
use crate::othello::{Game, Position, parse_game, parse_ggf_notes, parse_obf, parse_position};

/// Reads the games of a text.
pub(super) fn parse(
    mut bytes: impl BufRead,
    path: &Path,
    see: &mut SeeRecord<'_>,
) -> Result<(), RecordsError> {
    let failed = |source| RecordsError::Read { path: path.into(), source };
    let wrong = |line, problem| RecordsError::Line { path: path.into(), line, problem };
    let (mut line, mut number) = (Vec::new(), 0);
    let mut reader = Reader { see, tags: About::default(), result: None, game: None };
    // A game in GGF that goes on, and the line on which it began.
    let mut open: Option<(String, usize)> = None;
    loop {
        line.clear();
        let limit = (MOST_LINE + 1) as u64;
        let read = (&mut bytes).take(limit).read_until(b'\n', &mut line).map_err(failed)?;
        if read == 0 {
            break;
        }
        number += 1;
        if line.len() > MOST_LINE {
            return Err(wrong(number, "longer than 1 MiB, which no game is"));
        }
        let Ok(text) = std::str::from_utf8(&line) else {
            return Err(wrong(number, "not text; expected transcripts, GGF or a WTHOR database"));
        };
        // Some editors start a file with a byte order mark.
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { text };
        // What was there before has no end of a game, unless a half of it.
        let (mut text, began, mut from) = match open.take() {
            Some((before, began)) => {
                let from = before.len() - usize::from(before.ends_with(';'));
                (before + text, began, from)
            }
            // Names may have anything in them, even the beginning of a game in GGF.
            None if is_ggf(text) => {
                if reader.flush().is_break() {
                    return Ok(());
                }
                (text.to_owned(), number, 0)
            }
            None => {
                if reader.line(text, number).is_break() {
                    return Ok(());
                }
                continue;
            }
        };
        while let Some(end) = text[from..].find(";)").map(|end| from + end) {
            from = 0;
            if reader.record(ggf_of(&text[..end + 2]), began).is_break() {
                return Ok(());
            }
            text = text[end + 2..].trim_start().into();
        }
        if text.len() > MOST_LINE {
            return Err(wrong(began, "a game in GGF longer than 1 MiB, which none is"));
        }
        if !text.trim().is_empty() {
            open = Some((text, began));
        }
    }
    if reader.flush().is_continue()
        && let Some((_, line)) = open
    {
        let _ = reader.record(Err("the game in GGF has no ;) at its end".into()), line);
    }
    Ok(())
}

fn is_ggf(text: &str) -> bool {
    text.contains("(;") && fields(text).is_none() && tag(text.trim()).is_none()
}

/// The fields of a game that was saved by a match.
fn fields(text: &str) -> Option<[&str; 6]> {
    let text = text.trim_end_matches(['\r', '\n']);
    if !text.contains('\t') {
        return None;
    }
    text.split('\t').collect::<Vec<&str>>().try_into().ok()
}

/// `[Black "name"]`, as PlayOK writes it.
fn tag(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_name.then_some((name, value))
}

/// A game in GGF. A match of two games at once has their number before them.
fn ggf_of(text: &str) -> Result<GameRecord, String> {
    let begin = text.find("(;").unwrap_or(0);
    let before = text[..begin].trim();
    if !before.is_empty() && before.parse::<u32>().is_err() {
        return Err(format!(
            "unexpected {:?} before the game",
            before.chars().take(20).collect::<String>()
        ));
    }
    let (ggf, notes) = parse_ggf_notes(&text[begin..]).map_err(|fault| fault.to_string())?;
    let mut record = GameRecord::new(ggf.game, ggf.result);
    record.about.notes = notes;
    let about = &mut record.about;
    for (name, value) in ggf.properties {
        let known = match name.as_str() {
            "PB" => &mut about.black,
            "PW" => &mut about.white,
            "PC" => &mut about.event,
            "DT" => &mut about.date,
            _ => {
                about.properties.push((name, value));
                continue;
            }
        };
        if known.is_empty() {
            *known = value.trim().into();
        } else {
            about.properties.push((name, value));
        }
    }
    Ok(record)
}

/// A game whose moves may go on in the next line.
struct Open {
    /// On which it began.
    line: usize,
    game: Game,
    margin: Option<i32>,
    /// Whether it did so before.
    went_on: bool,
}

struct Reader<'a, 'b> {
    see: &'a mut SeeRecord<'b>,
    /// What the lines before a game say about it.
    tags: About,
    /// The result that they say.
    result: Option<i32>,
    game: Option<Open>,
}

impl Reader<'_, '_> {
    fn record(&mut self, game: Result<GameRecord, String>, line: usize) -> ControlFlow<()> {
        let game = game.map_err(|problem| RecordProblem { line, problem });
        (self.see)(RecordPlace::Line(line), game)
    }

    /// The game of the last lines is complete.
    fn flush(&mut self) -> ControlFlow<()> {
        let Some(Open { line, game, margin, .. }) = self.game.take() else {
            return ControlFlow::Continue(());
        };
        let margin = margin.or(self.result.take());
        let about = std::mem::take(&mut self.tags);
        self.record(Ok(GameRecord { about, ..GameRecord::new(game, margin) }), line)
    }

    fn line(&mut self, text: &str, line: usize) -> ControlFlow<()> {
        if let Some(fields) = fields(text) {
            self.flush()?;
            return self.record(saved_game(fields), line);
        }
        if let Some((name, value)) = tag(text.trim()) {
            self.flush()?;
            let value = value.trim();
            match name {
                "Black" => self.tags.black = value.into(),
                "White" => self.tags.white = value.into(),
                "Event" => self.tags.event = value.into(),
                "Date" => self.tags.date = value.into(),
                "Result" => self.result = pasted::result(value),
                _ => {}
            }
            return ControlFlow::Continue(());
        }
        let text = text.split(['%', '#']).next().unwrap_or("").trim();
        if text.is_empty() {
            return self.flush();
        }
        if is_position(text) {
            self.flush()?;
            return self.record(position(text), line);
        }
        self.moves(text, line)
    }

    /// A transcript, with whatever else stands in its line.
    fn moves(&mut self, text: &str, line: usize) -> ControlFlow<()> {
        let goes_on = self.game.as_ref().is_some_and(|open| open.went_on);
        let strict = match parse_game(text) {
            // A move such as c4 can begin a game, but more likely it goes on with one here.
            Ok(_) if goes_on => String::new(),
            Ok(game) => {
                self.flush()?;
                self.game = Some(Open { line, game, margin: None, went_on: false });
                return ControlFlow::Continue(());
            }
            Err(error) => error.to_string(),
        };
        let found = match pasted::parse(text) {
            Ok(found) => found,
            Err(problem) => {
                self.flush()?;
                return self.record(Err(problem), line);
            }
        };
        if found.steps.is_empty() {
            let is_one = !text.contains(char::is_whitespace) && found.others == 1;
            return self.words(&found, is_one.then_some(strict), line);
        }
        let on = self.continued(&found);
        if let (Some(Ok(game)), Some(open)) = (&on, &mut self.game) {
            open.game = game.clone();
            (open.margin, open.went_on) = (found.margin, true);
            return ControlFlow::Continue(());
        }
        self.flush()?;
        let mut game = Game::default();
        match (pasted::play_on(&mut game, &found.steps), on) {
            (Ok(()), _) => {
                self.game = Some(Open { line, game, margin: found.margin, went_on: false });
                ControlFlow::Continue(())
            }
            // The number says that the line was meant to go on.
            (_, Some(Err(problem))) if found.number > Some(1) => self.record(Err(problem), line),
            (Err(problem), _) => self.record(Err(problem), line),
        }
    }

    /// A line without moves. Several words are a heading; a single one may be a damaged game, and
    /// then there is a problem.
    fn words(&mut self, found: &Pasted, problem: Option<String>, line: usize) -> ControlFlow<()> {
        match (found.margin, &mut self.game) {
            (Some(margin), Some(open)) => {
                open.margin = Some(margin);
                self.flush()
            }
            _ => {
                self.flush()?;
                match problem {
                    Some(problem) => self.record(Err(problem), line),
                    None => ControlFlow::Continue(()),
                }
            }
        }
    }

    /// The open game with these moves after its own, if they may go on with it: they have no
    /// number, or one above 1.
    fn continued(&self, found: &Pasted) -> Option<Result<Game, String>> {
        let open = self.game.as_ref()?;
        if found.number == Some(1) || open.game.is_over() || open.margin.is_some() {
            return None;
        }
        let mut game = open.game.clone();
        Some(pasted::play_on(&mut game, &found.steps).map(|()| game))
    }
}

/// Half a board or more, or a shorter piece that is surely one; a row of dashes is a line that
/// somebody drew. A word as long as a board, half of it squares, is a damaged one.
fn is_position(text: &str) -> bool {
    let is_square = |letter: &char| "-.XxOo*BbWw".contains(*letter);
    let word = text.split([' ', '\t', ';']).next().unwrap_or("");
    let is_piece = word.len() > 2
        && word.chars().all(|letter| "-.XO*".contains(letter))
        && word.contains(['X', 'O', '*']);
    let squares = word.chars().filter(is_square).count();
    let is_damaged = word.chars().count() >= 60 && squares >= 32 && squares < word.chars().count();
    is_piece || is_damaged || text.chars().take_while(is_square).count() >= 32
}

/// A position, a line of an Othello Board File, or a position and the moves made from it.
fn position(text: &str) -> Result<GameRecord, String> {
    if text.contains(';') {
        let obf = parse_obf(text).map_err(|error| error.to_string())?;
        let obf = obf.ok_or("there is no position")?;
        let mut record = GameRecord::new(Game::from(obf.position), None);
        (record.about.scores, record.about.score) = (obf.moves, obf.score);
        return Ok(record);
    }
    let squares = text.char_indices().nth(64).map_or(text.len(), |(at, _)| at);
    let after = &text[squares..];
    let blanks = after.len() - after.trim_start().len();
    let side = after[blanks..].chars().next().map_or(0, char::len_utf8);
    let (head, moves) = text.split_at(squares + blanks + side);
    if moves.starts_with(char::is_alphanumeric) {
        // Too many squares, most likely.
        return parse_position(text).map_err(|error| error.to_string()).map(of_position);
    }
    let start = parse_position(head).map_err(|error| error.to_string())?;
    let found = pasted::parse(moves)?;
    if found.others > 0 {
        return Err(format!("unexpected {:?} after the side to move", moves.trim()));
    }
    let mut game = Game::from(start);
    pasted::play_on(&mut game, &found.steps)?;
    Ok(GameRecord::new(game, found.margin))
}

fn of_position(position: Position) -> GameRecord {
    GameRecord::new(Game::from(position), None)
}

fn saved_game([_, black, white, margin, start, moves]: [&str; 6]) -> Result<GameRecord, String> {
    let margin = match margin.parse::<i32>() {
        Ok(discs) if discs.abs() <= 64 => Some(discs),
        Err(_) if margin == "?" => None,
        _ => return Err("the fourth field is not a margin from -64 to 64".into()),
    };
    let start = match start {
        "-" => Position::START,
        text => parse_position(text).map_err(|error| error.to_string())?,
    };
    let mut game = Game::from(start);
    for (index, pair) in moves.trim_end().as_bytes().chunks(2).enumerate() {
        let word = String::from_utf8_lossy(pair);
        let place = |problem: String| format!("move {}: {problem}", index + 1);
        let at = word.parse();
        let at = at.map_err(|()| place(format!("{word:?} is not a square a1 to h8")))?;
        game.play(at).map_err(|illegal| place(illegal.to_string()))?;
    }
    let mut record = GameRecord::new(game, margin);
    (record.about.black, record.about.white) = (black.trim().into(), white.trim().into());
    Ok(record)
}
