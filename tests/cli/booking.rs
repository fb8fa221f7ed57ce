//! Opening books as a user builds, asks and plays from them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{assert_says, outflank, refused, run, text};

/// What a command prints in a folder, if it works.
fn printed(folder: &Path, args: &[&str]) -> String {
    let output = outflank(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).into()
}

fn object(folder: &Path, args: &[&str]) -> Value {
    let found: Value = serde_json::from_str(&printed(folder, args)).unwrap();
    assert_eq!(found["command"], format!("{} {}", args[0], args[1]));
    found
}

/// The message of a command that fails in a folder.
fn failed(folder: &Path, args: &[&str], code: i32) -> String {
    let output = outflank(args).current_dir(folder).output().unwrap();
    let message = text(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
    assert!(!message.contains("a bug"), "{message}");
    message
}

const BUILD: [&str; 8] =
    ["book", "build", "--player", "lr2006@epsilon=0.1", "--games", "3000", "--depth", "14"];

#[test]
fn a_book_is_built_asked_merged_and_played_from() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let built =
        object(at, &[&BUILD[..], &["--out", "a.book", "--threads", "1", "--json"]].concat());
    assert_eq!((built["games"].as_u64(), built["state"].as_str()), (Some(3000), Some("built")));
    assert!(built["positions"].as_u64().unwrap() > 2000, "{built}");
    let again =
        object(at, &[&BUILD[..], &["--out", "b.book", "--threads", "2", "--json"]].concat());
    assert_eq!(built["hash"], again["hash"]);
    assert_eq!(fs::read(at.join("a.book")).unwrap(), fs::read(at.join("b.book")).unwrap());
    let there = printed(at, &[&BUILD[..], &["--out", "a.book"]].concat());
    assert_says(
        &there,
        &["a.book already existed: ", "3,000 games", "lr2006@epsilon=0.1 with itself"],
    );

    let shown = printed(at, &["book", "show", "--book", "a.book"]);
    assert_says(&shown, &["Black to move, worth ", "d3 c4 f5 e6", "3,000"]);
    let found = object(at, &["book", "show", "f5", "--book", "a.book", "--json"]);
    assert_eq!((&found["in_book"], &found["moves_in_book"]), (&true.into(), &1.into()));
    let best = &found["moves"][0];
    assert_eq!(found["value"], best["value"]);
    let visits = |of: &Value| of["visits"].as_u64().unwrap();
    let sum: u64 = found["moves"].as_array().unwrap().iter().map(visits).sum();
    assert_eq!(sum, 3000);
    assert!(best["line"].as_str().unwrap().starts_with(best["move"].as_str().unwrap()));
    // A position and the game that leads to it are the same.
    let position = found["position"].as_str().unwrap();
    let same = object(at, &["book", "show", position, "--book", "a.book", "--json"]);
    assert_eq!((&same["moves"], &same["moves_in_book"]), (&found["moves"], &Value::Null));

    let stats = printed(at, &["book", "stats", "a.book"]);
    assert_says(&stats, &["moves before", "the start is worth", built["hash"].as_str().unwrap()]);
    let csv = printed(at, &["book", "export", "a.book", "--plies", "1"]);
    assert_eq!(csv.lines().count(), 1 + 1 + found["moves"].as_array().unwrap().len());
    let exported = object(at, &["book", "export", "a.book", "--json"]);
    assert_eq!(exported["results"].as_array().unwrap().len() as u64, built["positions"]);

    let text =
        printed(at, &["match", "lr2006@book=a.book,book-best=2", "lr2006", "--games", "200"]);
    assert_says(&text, &["lr2006@book=a.book,book-best=2 against lr2006"]);
    let other =
        [&["book", "build", "--player", "heuristic"][..], &BUILD[4..], &["--out", "c.book"]];
    printed(at, &other.concat());
    let both = object(at, &["book", "merge", "a.book", "c.book", "--out", "d.book", "--json"]);
    assert_eq!(both["games"], 6000);
    assert_says(
        &failed(at, &["book", "merge", "a.book", "d.book", "--out", "e.book"], 2),
        &["a.book and d.book both have the", "count twice"],
    );
    assert!(!at.join("e.book").exists());
}

#[test]
fn games_of_files_make_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    printed(
        at,
        &["match", "lr2006@epsilon=0.1", "heuristic", "--games", "20", "--save", "saved.txt"],
    );
    fs::write(at.join("some.ggf"), "(;GM[Othello]RE[+6.00:r]B[f5]W[d6];)\n").unwrap();
    fs::write(at.join("lines.txt"), "# wiped out\ne6f4e3f6g5d6e7f5c5\n").unwrap();
    let files = ["--from", "saved.txt", "--from", "some.ggf", "--from", "lines.txt"];
    let args =
        [&["book", "build"][..], &files, &["--depth", "60", "--solve", "8", "--json"]].concat();
    let built = object(at, &args);
    assert_eq!(
        (built["games"].as_u64(), built["file"].as_str()),
        (Some(22), Some("outflank.book"))
    );
    assert!(built["proved"].as_u64().unwrap() > 100, "{built}");
    let end =
        object(at, &["book", "show", "e6f4e3f6g5d6e7f5", "--book", "outflank.book", "--json"]);
    assert_eq!((end["value"].as_f64(), &end["proved"]), (Some(64.0), &true.into()));
    let nowhere = format!("{}XOO-----XXO{} X", "-".repeat(26), "-".repeat(27));
    let out = printed(at, &["book", "show", &nowhere, "--book", "outflank.book"]);
    assert_says(&out, &["to move. The book outflank.book does not have this position"]);
    let hole = format!("XO{} X", "-".repeat(62));
    let error = failed(at, &["book", "show", &hole, "--book", "outflank.book"], 2);
    assert_says(&error, &["d4 is empty, but has a disc from the start of any game"]);

    fs::write(at.join("bad.txt"), "f5d6\n\nf5a1\n").unwrap();
    let args = ["book", "build", "--from", "bad.txt", "--out", "bad.book"];
    assert_says(&failed(at, &args, 1), &["bad.txt: game 1 stops after 2 moves", "--skip"]);
    fs::write(at.join("bad.txt"), "e6f4e3f6g5d6e7f5c5\n\nf5a1\n").unwrap();
    assert_says(&failed(at, &args, 1), &["bad.txt: line 3: move 2: White cannot play a1"]);
    let output = outflank(&[&args[..], &["--skip"]].concat()).current_dir(at).output().unwrap();
    assert!(output.status.success());
    assert_says(text(&output.stderr), &["bad.txt: 1 games were left out"]);
}

#[test]
fn a_book_comes_with_the_program() {
    let shown = text(&run(&["book", "show"]).stdout).to_string();
    assert_says(&shown, &["Black to move, worth", "d3 c4 f5 e6"]);
    let stats = text(&run(&["book", "stats"]).stdout).to_string();
    assert_says(&stats, &["small: ", "with itself (seed"]);
    let played = run(&["match", "lr2006@book=small", "random", "--games", "100"]);
    assert!(played.status.success());
}

#[test]
fn the_small_book_has_its_name_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let same = |named: &[&str], unnamed: &[&str]| {
        let of = |args: &[&str]| object(at, &[args, &["--json"]].concat());
        assert_eq!(of(named), of(unnamed), "{named:?}");
    };
    same(&["book", "show", "small"], &["book", "show"]);
    same(&["book", "show", "small", "f5d6"], &["book", "show", "f5d6"]);
    same(&["book", "show", "f5d6", "small"], &["book", "show", "f5d6"]);
    same(&["book", "show", "f5d6", "--book", "small"], &["book", "show", "f5d6"]);
    same(&["book", "stats", "small"], &["book", "stats"]);
    same(&["book", "export", "small", "--plies", "2"], &["book", "export", "--plies", "2"]);
    let build = ["book", "build", "--player", "random", "--games", "20", "--out", "small"];
    printed(at, &build);
    // The file of this name and the book are not the same.
    for args in [
        &["book", "show", "small"][..],
        &["book", "show", "small", "f5"],
        &["book", "show", "--book", "small"],
        &["book", "stats", "small"],
        &["book", "export", "small"],
        &["book", "merge", "small", "other.book", "--out", "new.book"],
    ] {
        let message = failed(at, args, 2);
        assert_says(&message, &["BOOK small is ambiguous", "Write ./small for the file"]);
    }
    assert_eq!(object(at, &["book", "stats", "./small", "--json"])["games"], 20);
    assert_eq!(object(at, &["book", "show", "./small", "--json"])["book"], "./small");
    let shipped = object(at, &["book", "stats", "--json"]);
    assert_eq!(shipped["book"], "small");
    fs::rename(at.join("small"), at.join("f5d6")).unwrap();
    let message = failed(at, &["book", "show", "f5d6"], 2);
    assert_says(&message, &["\"f5d6\" is ambiguous", "./f5d6 for the file"]);
    assert_eq!(object(at, &["book", "show", "small", "f5d6", "--json"])["moves_in_book"], 2);
    let both = ["book", "merge", "small", "./f5d6", "--out", "both.book", "--json"];
    let games = shipped["games"].as_u64().unwrap() + 20;
    assert_eq!(object(at, &both)["games"], games);
}

#[test]
fn mistakes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (args, code, parts) in [
        (&["book", "build"][..], 2, &["no games", "--player", "--from"][..]),
        (&["book", "build", "--player", "nobody"], 2, &["unknown player \"nobody\""]),
        (&["book", "build", "--player", "random", "--depth", "61"], 2, &["--depth", "61"]),
        (&["book", "build", "--player", "random", "--depth", "0"], 2, &["--depth"]),
        (&["book", "build", "--player", "random", "--depth", "-1"], 2, &["--depth"]),
        (&["book", "build", "--player", "random", "--solve", "60"], 2, &["--solve"]),
        (&["book", "build", "--player", "random", "--explore", "2"], 2, &["explore = 2"]),
        (&["book", "build", "--player", "random", "--explore", "nan"], 2, &["explore = NaN"]),
        (&["book", "build", "--player", "random", "--margin", "-1"], 2, &["margin = -1"]),
        (&["book", "build", "--player", "random", "--games", "0"], 2, &["--games"]),
        (&["book", "build", "--from", "none.txt"], 1, &["none.txt", "No such file"]),
        (&["book", "build", "--from", "."], 1, &["it is not a regular file"]),
        (&["book", "show", "--book", "none.book"], 1, &["cannot read book none.book"]),
        (&["book", "show", "f5f5"], 2, &["GAME \"f5f5\": move 2: White cannot play f5"]),
        (&["book", "show", "--", "---X"], 2, &["POSITION \"---X\": position: 4 squares"]),
        (&["book", "show", "smal"], 2, &["\"smal\" is neither a book nor a position"]),
        (&["book", "show", "none.book", "f5"], 1, &["cannot read book none.book"]),
        (&["book", "show", "small", "x5"], 2, &["GAME \"x5\": move 1"]),
        (&["book", "stats", "none.book"], 1, &["cannot read book none.book"]),
        (&["book", "merge", "a", "--out", "b"], 2, &["BOOK"]),
        (&["match", "lr2006@book=none.book", "random"], 1, &["cannot read book none.book"]),
        (&["match", "lr2006@book-best=1", "random"], 2, &["add book=FILE or book=small"]),
        (&["match", "lr2006@bok=small", "random"], 2, &["did you mean book?"]),
    ] {
        assert_says(&failed(at, args, code), parts);
    }
    assert_eq!(fs::read_dir(at).unwrap().count(), 0);
    assert_says(
        &refused(&["learn", "rsel", "--set", "policy.book='none.book'"], 2),
        &["policy.book", "none.book"],
    );
}

#[test]
fn a_damaged_book_is_never_used() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    printed(at, &["book", "build", "--player", "random", "--games", "500", "--out", "a.book"]);
    let bytes = fs::read(at.join("a.book")).unwrap();
    let write = |bytes: &[u8]| fs::write(at.join("a.book"), bytes).unwrap();
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    write(&flipped);
    for args in [
        &["match", "random@book=a.book", "random"][..],
        &["book", "stats", "a.book"],
        &["book", "export", "a.book"],
    ] {
        assert_says(&failed(at, args, 1), &["a.book is damaged: the checksum of block"]);
    }
    let mut newer = bytes.clone();
    newer[8] = 9;
    write(&newer);
    assert_says(&failed(at, &["book", "stats", "a.book"], 1), &["version 9 is newer"]);
    write(&bytes[..bytes.len() / 2]);
    assert_says(&failed(at, &["book", "show", "--book", "a.book"], 1), &["bytes, expected"]);
    write(b"{\"format\": \"outflank-player\"}");
    assert_says(&failed(at, &["book", "stats", "a.book"], 1), &["is not an opening book"]);
    let args = ["book", "build", "--player", "random", "--out", "a.book"];
    assert_says(&failed(at, &args, 2), &["a.book is already there", "--out"]);
}
