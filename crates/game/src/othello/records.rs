//! Files of games, whatever their format: WTHOR databases, games in GGF, transcripts with one game
//! a line, and the lines of `outflank match --save`. The bytes say which it is; a text may mix
//! them. Text is read line by line, so a file may be of any size.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{
    Game, Side, WthorError, WthorFault, parse_game, parse_ggf, parse_position, parse_wthor,
};

/// A game of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// What was played; not over if it stopped early.
    pub game: Game,
    /// The result for Black in discs: that of the board if the game is over, else what is written.
    pub margin: Option<i32>,
}

impl GameRecord {
    fn new(game: Game, written: Option<i32>) -> GameRecord {
        let margin = if game.is_over() { Some(game.margin(Side::Black)) } else { written };
        GameRecord { game, margin }
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
    /// It is a WTHOR database, and a wrong one.
    #[error(transparent)]
    Wthor(#[from] WthorError),
}

/// A longer line, or a longer game in GGF, is none.
const MOST_LINE: usize = 1 << 20;
/// The bytes of the header of a WTHOR database, which always has a zero; text has none.
const HEADER: usize = 16;
/// Four million games, as for other WTHOR databases.
const MOST_WTHOR: u64 = 256 << 20;

/// What is told of each game, in the order of the file; it can end the reading.
pub type SeeRecord<'a> = dyn FnMut(Result<GameRecord, RecordProblem>) -> ControlFlow<()> + 'a;

/// Reads the games of a file and passes on each, or what is wrong with it.
pub fn read_records(path: &Path, see: &mut SeeRecord<'_>) -> Result<(), RecordsError> {
    let failed = |source| RecordsError::Read { path: path.into(), source };
    // A device is endless, and a pipe may block forever: neither is opened.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(failed(io::Error::other("it is not a regular file")));
    }
    let file = File::open(path).map_err(failed)?;
    parse_records(BufReader::with_capacity(1 << 16, file), path, see)
}

/// The same for a file that is open or in memory; errors name the path.
pub fn parse_records(
    mut bytes: impl BufRead,
    path: &Path,
    see: &mut SeeRecord<'_>,
) -> Result<(), RecordsError> {
    let failed = |source| RecordsError::Read { path: path.into(), source };
    let beginning = bytes.fill_buf().map_err(failed)?;
    if beginning.iter().take(HEADER).any(|byte| *byte == 0) {
        return parse_database(bytes, path, see);
    }
    let wrong = |line, problem| RecordsError::Line { path: path.into(), line, problem };
    let (mut line, mut number) = (Vec::new(), 0);
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
            None if text.contains("(;") => (text.to_owned(), number, 0),
            None => {
                if see_line(text, number, see).is_break() {
                    return Ok(());
                }
                continue;
            }
        };
        while let Some(end) = text[from..].find(";)").map(|end| from + end) {
            from = 0;
            let game = ggf_of(&text[..end + 2]);
            if see(game.map_err(|problem| RecordProblem { line: began, problem })).is_break() {
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
    if let Some((_, line)) = open {
        let problem = "the game in GGF has no ;) at its end".into();
        let _ = see(Err(RecordProblem { line, problem }));
    }
    Ok(())
}

fn parse_database(
    mut bytes: impl BufRead,
    path: &Path,
    see: &mut SeeRecord<'_>,
) -> Result<(), RecordsError> {
    let failed = |source| RecordsError::Read { path: path.into(), source };
    let mut all = Vec::new();
    (&mut bytes).take(MOST_WTHOR + 1).read_to_end(&mut all).map_err(failed)?;
    let path = || path.to_owned();
    if all.len() as u64 > MOST_WTHOR {
        return Err(WthorError::TooLarge { path: path() }.into());
    }
    let wrong = |fault: WthorFault| WthorError::Content { path: path(), fault };
    for of in parse_wthor(&all).map_err(wrong)?.games {
        let margin = of.margin(Side::Black);
        if see(Ok(GameRecord::new(of.game, Some(margin)))).is_break() {
            break;
        }
    }
    Ok(())
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
    let ggf = parse_ggf(&text[begin..]).map_err(|fault| fault.to_string())?;
    Ok(GameRecord::new(ggf.game, ggf.result))
}

/// A transcript, or a game that was saved by a match. Text after `%` or `#` is ignored.
fn see_line(text: &str, line: usize, see: &mut SeeRecord<'_>) -> ControlFlow<()> {
    let text = text.split(['%', '#']).next().unwrap_or("").trim();
    if text.is_empty() {
        return ControlFlow::Continue(());
    }
    let game = match text.split('\t').collect::<Vec<&str>>()[..] {
        [_, _, _, margin, start, moves] => saved_game(margin, start, moves),
        _ => parse_game(text)
            .map(|game| GameRecord::new(game, None))
            .map_err(|error| error.to_string()),
    };
    see(game.map_err(|problem| RecordProblem { line, problem }))
}

fn saved_game(margin: &str, start: &str, moves: &str) -> Result<GameRecord, String> {
    let margin = margin.parse::<i32>().ok().filter(|discs| discs.abs() <= 64);
    let margin = margin.ok_or("the fourth field is not a margin from -64 to 64")?;
    let start = match start {
        "-" => super::Position::START,
        text => parse_position(text).map_err(|error| error.to_string())?,
    };
    let mut game = Game::from(start);
    for (index, pair) in moves.as_bytes().chunks(2).enumerate() {
        let word = String::from_utf8_lossy(pair);
        let place = |problem: String| format!("move {}: {problem}", index + 1);
        let at = word.parse();
        let at = at.map_err(|()| place(format!("{word:?} is not a square a1 to h8")))?;
        game.play(at).map_err(|illegal| place(illegal.to_string()))?;
    }
    Ok(GameRecord::new(game, Some(margin)))
}

#[cfg(test)]
mod tests {
    use super::super::{Wthor, WthorGame, write_wthor};
    use super::*;

    type Seen = Vec<Result<GameRecord, RecordProblem>>;

    fn read(bytes: &[u8]) -> Result<Seen, RecordsError> {
        let mut seen = Vec::new();
        let mut see = |record| {
            seen.push(record);
            ControlFlow::Continue(())
        };
        parse_records(bytes, Path::new("some"), &mut see)?;
        Ok(seen)
    }

    const WIPED: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn formats_are_recognised_and_give_the_same_game() {
        let game = parse_game(WIPED).unwrap();
        let expected = Ok(GameRecord { game: game.clone(), margin: Some(64) });
        let record = WthorGame {
            tournament: 0,
            black: 0,
            white: 0,
            game: game.clone(),
            black_score: 64,
            theoretical_score: 32,
        };
        let wthor = write_wthor(&Wthor { games: vec![record], ..Wthor::default() }).unwrap();
        let ggf = super::super::write_ggf(&super::super::GgfGame {
            game,
            result: None,
            properties: vec![("PB".into(), "a # b".into())],
        });
        let broken = ggf.replace("W[", "\r\nW[");
        let saved = format!("0\theuristic\trandom\t+64\t-\t{WIPED}");
        let text = format!("# games\r\n\n{WIPED} % wiped out\n{saved}\n2 {ggf}{broken}\n");
        assert_eq!(read(&wthor).unwrap(), std::slice::from_ref(&expected));
        assert_eq!(read(text.as_bytes()).unwrap(), vec![expected; 4]);
    }

    #[test]
    fn what_stops_early_has_the_result_that_is_written_if_any() {
        let margins = |text: &str| -> Vec<Option<i32>> {
            read(text.as_bytes()).unwrap().into_iter().map(|game| game.unwrap().margin).collect()
        };
        let saved = "0\ta\tb\t-8\t-\tf5d6";
        let text = format!("f5d6\n(;B[f5]W[d6];)\n(;RE[-4.00:t]B[f5];)\n{saved}\n");
        assert_eq!(margins(&text), [None, None, Some(-4), Some(-8)]);
    }

    #[test]
    fn a_bad_game_names_its_line_and_the_rest_is_read() {
        let text = format!("{WIPED}\nf5f5\n(;B[f5]\nW[a1];)\n0\ta\tb\tx\t-\tf5\nzz\n(;B[f5]\n");
        let seen = read(text.as_bytes()).unwrap();
        let problems: Vec<String> =
            seen.iter().filter_map(|game| game.as_ref().err()).map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                "line 2: move 2: White cannot play f5: it is occupied",
                "line 3: move 2: White cannot play a1: it turns no disc",
                "line 5: the fourth field is not a margin from -64 to 64",
                "line 6: move 1: \"zz\" is not a square a1 to h8",
                "line 7: the game in GGF has no ;) at its end",
            ]
        );
        assert_eq!(seen.len(), 6);
        let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert_eq!(
            error(b"f5d6\n\xff\xfe\n"),
            "games file some, line 2: not text; expected transcripts, GGF or a WTHOR database"
        );
        assert!(error(&vec![b'f'; (1 << 20) + 1]).contains("line 1: longer than 1 MiB"));
        assert!(error(&[0; 20]).starts_with("WTHOR file some: "));
        let endless = format!("(;B[f5]{}", "\nC[x]".repeat(300_000));
        assert!(error(endless.as_bytes()).contains("longer than 1 MiB"));
    }

    #[test]
    fn a_million_lines_are_read_one_by_one() {
        let text = format!("{WIPED}\n").repeat(1_000_000);
        let mut number = 0;
        let mut see = |record: Result<GameRecord, RecordProblem>| {
            assert_eq!(record.unwrap().margin, Some(64));
            number += 1;
            if number == 1_000_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        parse_records(text.as_bytes(), Path::new("some"), &mut see).unwrap();
        assert_eq!(number, 1_000_000);
    }
}
