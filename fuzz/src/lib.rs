//! What each fuzz target does with some bytes: read them, and hold what was read to its laws.
//!
//! `tests/fuzz_corpus.rs` compiles this file too and does the same with the committed corpora, so
//! that every test run replays them, without a fuzzer.

use outflank::learn::resolve_text;
use std::str;

use outflank::othello::{parse_wthor, write_wthor};
use outflank::player::parse_player_file;

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
