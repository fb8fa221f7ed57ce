//! What each fuzz target does with some bytes: read them, and hold what was read to its laws.
//!
//! `tests/fuzz_corpus.rs` compiles this file too and does the same with the committed corpora, so
//! that every test run replays them, without a fuzzer.

use outflank::book::Book;
use outflank::kernel::Kernel;
use outflank::learn::resolve_text;
use std::ops::ControlFlow;
use std::path::Path;
use std::str;

use outflank::othello::{
    Format, GameRecord, GameWriter, GgfGame, RecordProblem, WthorList, check_playable, parse_ggf,
    parse_ggf_notes, parse_obf, parse_records, parse_wthor, parse_wthor_names, write_ggf,
    write_ggf_notes, write_wthor, write_wthor_names,
};
use outflank::player::{parse_player, parse_player_file};
use outflank::protocol::{Gtp, Nboard, Speaks, Table};
use outflank::rng::Seed;

/// Reads a WTHOR database; what was read, written and read again is the same.
pub fn wthor(bytes: &[u8]) -> Result<(), String> {
    let read = parse_wthor(bytes).map_err(|fault| fault.to_string())?;
    let written = write_wthor(&read).expect("what was read can be written");
    assert_eq!(parse_wthor(&written), Ok(read));
    Ok(())
}

/// Reads a player file; it holds a player, and written as JSON and read again it is the same.
pub fn player(bytes: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let read = parse_player_file(text, "some file")?;
    assert!(read.player().is_some());
    let written = serde_json::to_string(&read).expect("a player file is JSON");
    assert_eq!(parse_player_file(&written, "another file"), Ok(read));
    Ok(())
}

/// Resolves a spec, with an override in every line after a line `---`; the method, written in full
/// and resolved again, is the same.
pub fn spec(bytes: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let (text, overrides) = text.split_once("\n---\n").unwrap_or((text, ""));
    let overrides: Vec<String> = overrides.lines().map(String::from).collect();
    let method = resolve_text("some", text, &overrides).map_err(|error| error.to_string())?;
    let again = resolve_text("some", &method.commented(), &[]);
    assert_eq!(again.expect("a method in full is a spec"), method);
    Ok(())
}

/// Reads a game in GGF; written and read again it is the same.
pub fn ggf(bytes: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let read = parse_ggf_notes(text).map_err(|fault| fault.to_string())?;
    assert_eq!(parse_ggf_notes(&write_ggf_notes(&read.0, &read.1)), Ok(read));
    Ok(())
}

/// Reads a list of names of a WTHOR database; what was read, written and read again fits.
pub fn names(bytes: &[u8]) -> Result<(), String> {
    let list = WthorList::Players;
    let read = parse_wthor_names(bytes, list).map_err(|fault| fault.to_string())?;
    let written = write_wthor_names(&read, list, [0; 4]).expect("what was read can be written");
    let fitted: Vec<String> = read.iter().map(|name| list.fitted(name)).collect();
    assert_eq!(parse_wthor_names(&written, list), Ok(fitted));
    Ok(())
}

/// Reads games of any format and writes them in all others; what comes back is what the format
/// says that it keeps.
pub fn convert(bytes: &[u8]) -> Result<(), String> {
    let records = records(bytes)?;
    for format in Format::ALL {
        let (mut writer, mut written, mut kept) = (GameWriter::new(format), Vec::new(), Vec::new());
        for record in &records {
            // What cannot be written says why.
            if let Ok(text) = writer.add(record) {
                written.extend(text.into_bytes());
                kept.push(format.kept(record));
            }
        }
        if kept.is_empty() {
            continue;
        }
        let Ok(end) = writer.finish() else { continue };
        written.extend(&end.rest);
        let back = self::records(&written).expect("what was written can be read");
        assert_eq!(back.len(), kept.len(), "{format:?}");
        for (back, kept) in back.iter().zip(&kept) {
            assert_eq!((&back.game, back.margin), (&kept.game, kept.margin), "{format:?}");
            // Names of a database stand in other files.
            if format != Format::Wthor {
                assert_eq!(back.about, kept.about, "{format:?}");
            }
        }
    }
    Ok(())
}

/// All games of some bytes, or the first problem.
fn records(bytes: &[u8]) -> Result<Vec<GameRecord>, String> {
    let (mut games, mut first) = (Vec::new(), None);
    let mut see = |_, record: Result<GameRecord, RecordProblem>| {
        match record {
            Ok(record) => games.push(record),
            Err(problem) => first = first.take().or(Some(problem.to_string())),
        }
        ControlFlow::Continue(())
    };
    parse_records(bytes, Path::new("some"), &mut see).map_err(|error| error.to_string())?;
    match first {
        Some(problem) => Err(problem),
        None if games.is_empty() => Err("no games".into()),
        None => Ok(games),
    }
}

/// Reads a file of games, whatever its format; each game, written as GGF, reads as itself.
pub fn games(bytes: &[u8]) -> Result<(), String> {
    let mut number = 0;
    let mut first = None;
    let mut see = |_, record: Result<GameRecord, RecordProblem>| {
        match record {
            Ok(record) => {
                let (game, result, properties) = (record.game, record.margin, Vec::new());
                let ggf = GgfGame { game, result, properties };
                assert_eq!(parse_ggf(&write_ggf(&ggf)), Ok(ggf));
                number += 1;
            }
            Err(problem) => first = first.take().or(Some(problem.to_string())),
        }
        ControlFlow::Continue(())
    };
    parse_records(bytes, Path::new("some"), &mut see).map_err(|error| error.to_string())?;
    match first {
        Some(problem) => Err(problem),
        None if number == 0 => Err("no games".into()),
        None => Ok(()),
    }
}

/// Reads an opening book; all of it, written and read again, is the same.
pub fn book(bytes: &[u8]) -> Result<(), String> {
    let book = Book::from_bytes(bytes.to_vec().into(), "some").map_err(|e| e.to_string())?;
    let table = book.table().map_err(|error| error.to_string())?;
    for (key, _, moves) in table.positions() {
        let found = book.find(key.board()).expect("it was read").expect("it is in the book");
        assert_eq!(found.moves().count(), moves.len());
    }
    let written = Book::write(&table, book.head().sources.clone());
    let again = Book::from_bytes(written.into(), "again").expect("what was written is a book");
    assert!(again.table().expect("all of it") == table);
    Ok(())
}

/// Reads an Othello Board File line by line; a line written and read again is the same.
pub fn obf(bytes: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(bytes).map_err(|error| error.to_string())?;
    for line in text.lines() {
        let Some(read) = parse_obf(line).map_err(|error| error.to_string())? else { continue };
        check_playable(read.position).map_err(|error| error.to_string())?;
        assert_eq!(parse_obf(&read.to_string()), Ok(Some(read)));
    }
    Ok(())
}

/// Speaks GTP, a command in each line; answers have their form, and the first refusal is the
/// error.
pub fn gtp(bytes: &[u8]) -> Result<(), String> {
    let mut engine = Gtp::new(table("heuristic@ties=first,solve=4"));
    let mut refused = Ok(());
    for line in String::from_utf8_lossy(bytes).split('\n').take(MOST_LINES) {
        let answer = engine.answer(line);
        if answer.text.is_empty() {
            assert!(!answer.quits);
            continue;
        }
        let body = answer.text.strip_suffix("\n\n").expect("an empty line at the end");
        assert!(body.starts_with(['=', '?']) && !body.contains("\n\n"), "{body:?}");
        if body.starts_with('?') && refused.is_ok() {
            refused = Err(body.to_owned());
        }
        if answer.quits {
            break;
        }
    }
    refused
}

/// Speaks NBoard's protocol, a command in each line; answers have their form, and the first that is
/// not understood is the error.
pub fn nboard(bytes: &[u8]) -> Result<(), String> {
    const WORDS: [&str; 8] =
        ["set", "status", "search", "book", "===", "pong", "analysis", "learned"];
    let mut engine = Nboard::new(table("heuristic@ties=first,depth=2,solve=4"));
    let mut problem = Ok(());
    for line in String::from_utf8_lossy(bytes).split('\n').take(MOST_LINES) {
        let answer = engine.answer(line);
        assert!(answer.text.is_empty() || answer.text.ends_with('\n'));
        for said in answer.text.lines() {
            assert!(WORDS.contains(&said.split(' ').next().unwrap_or("")), "{said:?}");
        }
        let wrong = ["status move: ", "status set "].iter().any(|w| answer.text.starts_with(w));
        let said = if wrong { Some(answer.text) } else { answer.note };
        problem = problem.and(said.map_or(Ok(()), Err));
        if answer.quits {
            break;
        }
    }
    problem
}

/// More lines only repeat what these do.
const MOST_LINES: usize = 300;

fn table(player: &str) -> Table {
    let player = parse_player(player).expect("a player");
    Table::new(Kernel::detect().expect("a kernel"), player, Seed(1))
}
