//! Replays the corpora of the fuzz targets: nothing panics, files named `ok-...` are read, and all
//! others are refused.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

fn replay(name: &str, target: fn(&[u8]) -> Result<(), String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let (mut read, mut refused) = (0, 0);
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let expected = path.file_name().unwrap().to_str().unwrap().starts_with("ok-");
        match target(&bytes) {
            Ok(()) => assert!(expected, "{} was read", path.display()),
            Err(problem) => {
                assert!(!expected && !problem.is_empty(), "{}: {problem}", path.display());
            }
        }
        *(if expected { &mut read } else { &mut refused }) += 1;
    }
    assert!(read > 0 && refused > 0, "{}: {read} read, {refused} refused", folder.display());
}

#[test]
fn wthor_databases() {
    replay("wthor", targets::wthor);
}

#[test]
fn player_files() {
    replay("player", targets::player);
}

#[test]
fn specs() {
    replay("spec", targets::spec);
}

#[test]
fn games_in_ggf() {
    replay("ggf", targets::ggf);
}

#[test]
fn files_of_games() {
    replay("games", targets::games);
}

#[test]
fn opening_books() {
    replay("book", targets::book);
}

#[test]
fn othello_board_files() {
    replay("obf", targets::obf);
}

#[test]
fn games_of_all_formats() {
    replay("convert", targets::convert);
}

#[test]
fn lists_of_names() {
    replay("names", targets::names);
}

#[test]
fn conversations_in_gtp() {
    replay("gtp", targets::gtp);
}

#[test]
fn conversations_of_nboard() {
    replay("nboard", targets::nboard);
}
