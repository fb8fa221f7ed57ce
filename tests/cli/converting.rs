//! `convert`, `--save` and `--openings` with games of all formats; completions and manual pages.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::{assert_says, json, outflank, refused, run, text};

const WIPED: &str = "e6f4e3f6g5d6e7f5c5";

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().into()
    }

    fn with(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

fn converted(args: &[&str]) -> String {
    let output = run(&[&["convert"], args].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stderr).into()
}

#[test]
fn a_match_goes_through_every_format_and_back() {
    let files = Files::new();
    let saved = files.path("games.tsv");
    let args = ["match", "random", "lr2006@epsilon=0.1", "--games", "300", "--save", &saved];
    assert!(run(&args).status.success());
    let mut from = saved;
    for name in ["a.ggf", "b.wtb", "c.playok", "d.json", "e.tsv"] {
        let to = files.path(name);
        converted(&[&from, &to]);
        from = to;
    }
    assert_eq!(files.read("e.tsv"), files.read("games.tsv"));
    assert!(Path::new(&files.path("b.jou")).exists() && Path::new(&files.path("b.trn")).exists());
    // Moves alone, and what is lost is said.
    let said = converted(&[&files.path("a.ggf"), &files.path("f.txt")]);
    assert_says(&said, &["transcripts cannot hold all players (300 games)"]);
    let first = files.read("f.txt");
    assert!(text(&first).lines().count() == 300 && !text(&first).contains('\t'));
}

#[test]
fn a_match_saves_what_the_name_asks_for() {
    let files = Files::new();
    for name in ["games.ggf", "games.wtb", "games.json"] {
        let path = files.path(name);
        let args = ["match", "lr2006", "random", "--games", "20", "--save", &path];
        assert!(run(&args).status.success());
        let read = json(&["convert", &path, &files.path(&format!("{name}.txt")), "--json"]);
        assert_eq!((&read["games"], &read["skipped"]), (&20.into(), &0.into()));
        // Nobody can say who made it.
        assert_says(&refused(&args, 2), &["is there", "--force"]);
    }
    // A database cannot say where games begin.
    let path = files.path("other.wtb");
    let openings = files.with("openings.txt", "f5d6\n");
    let args =
        ["match", "lr2006", "random", "--games", "2", "--save", &path, "--openings", &openings];
    assert_says(&refused(&args, 1), &["does not begin at the usual position", ".ggf"]);
    assert!(!Path::new(&path).exists());
}

#[test]
fn endgames_and_openings_are_cut_from_games() {
    let files = Files::new();
    let games = files.path("games.txt");
    assert!(
        run(&["match", "lr2006", "random", "--games", "20", "--save", &games]).status.success()
    );
    let (obf, openings) = (files.path("ends.obf"), files.path("openings.txt"));
    converted(&[&games, &obf, "--empties", "8"]);
    let solved = json(&["solve", &obf, "--json"]);
    let results = solved["results"].as_array().unwrap();
    assert!(results.len() > 15 && results.iter().all(|of| of["empties"] == 8));
    converted(&[&games, &openings, "--empties", "52"]);
    let args = ["match", "lr2006", "heuristic", "--games", "40", "--openings", &openings, "--json"];
    assert_eq!(json(&args)["games"], 40);
    // Whole games are no openings, and the error says what helps.
    let whole = ["match", "lr2006", "heuristic", "--openings", &games];
    assert_says(&refused(&whole, 1), &["game 1", "over in this position", "--empties 50"]);
}

#[test]
fn games_are_pasted_and_printed() {
    let output = run(&["convert", "1. F5 d6 2. c3 (good) d3", "-", "--to", "ggf"]);
    assert_says(text(&output.stdout), &["(;GM[Othello]", "B[f5]W[d6]B[c3]W[d3];)"]);
    let mut child = outflank(&["convert", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    use std::io::Write;
    child.stdin.take().unwrap().write_all(b"Round 1\nf5\nd6\nc3\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"f5d6c3\n");
    let start = "---------------------------OX------XO--------------------------- X";
    let output = run(&["convert", start, "-", "--to", "positions"]);
    assert_eq!(text(&output.stdout).trim(), start);
}

#[test]
fn values_of_an_analysis_are_kept_in_ggf() {
    let files = Files::new();
    let ggf = files.path("judged.ggf");
    let args = ["analyse", "f5d6c3d3c4", "--player", "lr2006", "--depth", "2", "--save", &ggf];
    let output = run(&args);
    assert_says(text(&output.stdout), &["Games saved in"]);
    let written = files.read("judged.ggf");
    assert_says(text(&written), &["B[f5/"]);
    assert_eq!(text(&written).matches('/').count(), 5, "{}", text(&written));
    assert_says(&refused(&args, 2), &["is there", "--force"]);
    // The file can be judged again, but not into itself.
    let args = ["analyse", &ggf, "--player", "lr2006", "--save", &ggf, "--force"];
    assert_says(&refused(&args, 2), &["would overwrite what is read"]);
}

#[test]
fn bad_files_are_refused_and_leave_nothing() {
    let files = Files::new();
    let out = files.path("out.ggf");
    let cut = {
        let wtb = files.path("w.wtb");
        converted(&[WIPED, &wtb]);
        let bytes = files.read("w.wtb");
        files.with("cut.wtb", &bytes[..bytes.len() - 1])
    };
    let cases = [
        (cut, "the file ends after 67 of the record's 68 bytes"),
        (files.with("illegal.txt", "f5d6\nf5f5\n"), "line 2: move 2: White cannot play f5"),
        (files.with("player.json", "{\"format\": \"outflank-player\"}"), "Othello Quest"),
        (files.with("some.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0"), "WTHOR file"),
        (files.with("latin.txt", b"f5\n\xe9\n"), "line 2: not text"),
        (files.with("prose.txt", "There is no game in this text.\n"), "there is no game in it"),
        (files.with("empty.txt", ""), "there is no game in it"),
        (files.path("w.jou"), "a list of names"),
        (files.path("nosuch.txt"), "cannot read games file"),
        (files.0.path().to_str().unwrap().into(), "not a regular file"),
    ];
    for (file, part) in &cases {
        assert_says(&refused(&["convert", file, &out], 1), &[part]);
        assert!(!Path::new(&out).exists(), "{file}");
    }
    // The good games of a bad file.
    let said = converted(&[&files.path("illegal.txt"), &out, "--skip"]);
    assert_says(&said, &["1 games were left out; the first:", "line 2: move 2"]);
    assert!(text(&files.read("out.ggf")).starts_with("(;GM[Othello]"));
}

#[test]
fn nothing_is_overwritten_unless_asked() {
    let files = Files::new();
    let games = files.with("games.txt", WIPED);
    let there = files.with("there.ggf", "mine");
    assert_says(&refused(&["convert", &games, &there], 2), &["there.ggf is there", "--force"]);
    assert_eq!(files.read("there.ggf"), b"mine");
    converted(&[&games, &there, "--force"]);
    // A list of names would be overwritten.
    let (list, wtb) = (files.with("new.jou", "mine"), files.path("new.wtb"));
    assert_says(&refused(&["convert", &games, &wtb], 2), &[&list, "--force"]);
    // Not even with --force: a file into itself.
    for same in [games.clone(), files.0.path().join("./games.txt").to_str().unwrap().into()] {
        let args = ["convert", &games, &same, "--force"];
        assert_says(&refused(&args, 2), &["would be overwritten by its own games"]);
    }
    assert_eq!(files.read("games.txt"), WIPED.as_bytes());
    assert_says(&refused(&["convert", &games, &files.path("x.doc")], 2), &[".ggf", "--to"]);
    assert_says(&refused(&["convert", &games, "-", "--to", "wthor"], 2), &["not text"]);
    assert_says(&refused(&["convert", &games], 2), &["OUT"]);
}

#[test]
fn names_with_control_characters_stay_names() {
    let files = Files::new();
    let ggf = files.with("evil.ggf", "(;PB[a\u{1b}[31m\u{7}]PW[x\ty\nz]RE[0]B[f5];)");
    for name in ["o.tsv", "o.playok", "o.ggf"] {
        converted(&[&ggf, &files.path(name)]);
        let written = files.read(name);
        assert!(!written.contains(&0x1b) && !written.contains(&7), "{name}");
        let back = files.path(&format!("{name}.tsv"));
        converted(&[&files.path(name), &back]);
        let lines = fs::read_to_string(&back).unwrap();
        assert_eq!(lines.lines().count(), 1, "{lines}");
        assert_eq!(lines.split('\t').nth(2), Some("x y z"));
    }
}

#[test]
fn a_million_games_are_converted() {
    let files = Files::new();
    let many = files.with("many.txt", "f5d6\n".repeat(1_000_000));
    let said = json(&["convert", &many, &files.path("many.ggf"), "--json"]);
    assert_eq!(said["games"], 1_000_000);
}

#[test]
fn shells_and_man_know_the_commands() {
    let bash = run(&["completions", "bash"]);
    assert_says(text(&bash.stdout), &["complete -F _outflank", "convert", "--empties"]);
    assert_says(&refused(&["completions", "cmd"], 2), &["possible values", "fish"]);
    let files = Files::new();
    let folder = files.path("man1");
    assert!(run(&["man", &folder]).status.success());
    let page = fs::read_to_string(Path::new(&folder).join("outflank-convert.1")).unwrap();
    assert_says(&page, &[".TH outflank-convert 1", "empties", "WTH_1999.wtb"]);
    // It can be repeated, but does not replace what somebody else wrote.
    assert!(run(&["man", &folder]).status.success());
    fs::write(Path::new(&folder).join("outflank-learn.1"), "mine").unwrap();
    assert_says(&refused(&["man", &folder], 2), &["outflank-learn.1 is there"]);
    let version = run(&["--version"]);
    let (version, signature) = (text(&version.stdout), outflank::lab::SIGNATURE);
    assert_eq!(
        version.trim(),
        format!("outflank {} (signature {signature:016x})", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn two_players_are_watched_and_games_loaded() {
    let watched = run(&["play", "lr2006", "heuristic"]);
    assert_says(text(&watched.stdout), &["lr2006 against heuristic.", "The game is over."]);
    let files = Files::new();
    let game = files.with("game.ggf", "(;B[f5]W[d6];)");
    let loaded = run(&["play", "lr2006", "--load", &game]);
    assert_says(text(&loaded.stdout), &["last move d6", "Black to move: "]);
    assert_says(&refused(&["play", "--load", "nosuch.ggf"], 2), &["no file of this name"]);
    assert_says(&refused(&["play", "lr2006", "random", "--side", "white"], 2), &["--side"]);
}
