//! `outflank solve`: exact results, and what becomes of bad input, signals and time limits.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{assert_says, json, outflank, refused, run, text};

/// Fourteen empty squares; the first of the FFO suite.
const ENDGAME: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
const START: &str = "---------------------------OX------XO--------------------------- X";

fn file(lines: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".obf").tempfile().unwrap();
    file.write_all(lines.as_bytes()).unwrap();
    file
}

#[test]
fn a_solved_position_has_its_keys() {
    for threads in ["1", "3"] {
        let found = json(&["solve", ENDGAME, "--json", "--threads", threads]);
        let result = &found["results"][0];
        assert_eq!((&result["score"], &result["empties"]), (&18.into(), &14.into()));
        assert_eq!((&result["best"], &result["position"]), (&["g8"].into(), &ENDGAME.into()));
        assert!(result["line"].as_str().unwrap().starts_with("g8"));
        assert!(result["nodes"].as_u64().unwrap() > 0 && result["seconds"].is_number());
        assert_eq!((&found["solved"], &found["interrupted"]), (&1.into(), &false.into()));
    }
    let found = json(&["solve", ENDGAME, "--outcome", "--table-size", "0", "--json"]);
    assert_eq!(found["results"][0]["score"], 1);
    let output = run(&["solve", ENDGAME, "f5d6", "--max-time", "0.1"]);
    assert_eq!(output.status.code(), Some(1));
    assert_says(text(&output.stdout), &["14 empty  +18  g8  line g8", "58 empty  -64 to +64"]);
    assert_says(text(&output.stderr), &["not solved in time"]);
}

#[test]
fn a_file_is_compared_with_its_scores() {
    let right = file(&format!("{ENDGAME}; g8:+18; h1:+12;\n{ENDGAME}; +18\n"));
    let output = run(&["solve", right.path().to_str().unwrap()]);
    assert!(output.status.success());
    assert_says(text(&output.stdout), &[":1  14 empty  +18", "  agrees", "2 agree, 0 differ"]);
    let wrong = file(&format!("{ENDGAME}; g8:+18;\n{ENDGAME}; +16\n"));
    let output = run(&["solve", wrong.path().to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_says(text(&output.stderr), &["a result differs from the file"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let agrees: Vec<&Value> = (0..2).map(|i| &found["results"][i]["agrees"]).collect();
    assert_eq!((agrees[0], agrees[1]), (&true.into(), &false.into()));
}

/// A whole game without random moves, as `outflank match --save` has it.
fn whole_game(folder: &Path) -> String {
    let saved = folder.join("saved.txt");
    let game = ["match", "lr2006", "heuristic", "--games", "2", "--save"];
    let output = run(&[&game[..], &[saved.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let line = fs::read_to_string(saved).unwrap();
    line.lines().next().unwrap().split('\t').next_back().unwrap().to_owned()
}

#[test]
fn games_of_every_format_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let whole = whole_game(folder.path());
    let found = json(&["solve", &whole, "--empties", "8", "--json"]);
    let expected = found["results"][0].clone();
    assert_eq!((&expected["empties"], &expected["source"]), (&8.into(), &Value::Null));
    // The whole game in every format that holds one, after a line or a game of its own.
    for name in ["g.txt", "g.tsv", "g.ggf", "g.wtb", "g.playok", "g.json"] {
        let file = at(name);
        let converted = run(&["convert", "f5d6c3d3c4", &whole, &file, "--skip"]);
        assert!(converted.status.success(), "{name}: {}", text(&converted.stderr));
        let output = run(&["solve", &file, "--empties", "8", "--json"]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let result = &found["results"][0];
        for key in ["position", "score", "best", "line"] {
            assert_eq!(result[key], expected[key], "{name}");
        }
        // A database has only games that are over, so it has no short one.
        let is_database = name == "g.wtb";
        let (short, place) = match name {
            "g.wtb" => (0, ":1"),
            // Tags stand before the moves, a line for each.
            "g.playok" => (1, ":"),
            _ => (1, ":2"),
        };
        assert_eq!(found["too_short"], short, "{name}");
        assert!(result["source"].as_str().unwrap().contains(&format!("{file}{place}")), "{result}");
        let note = "1 games have no position with that many empty squares";
        assert_eq!(text(&output.stderr).contains(note), !is_database, "{name}");
        // Without --empties there is nothing to solve at its end.
        let advice = "--empties N solves its position with N empty squares";
        let place = if is_database { "game 1: " } else { "line " };
        let args = ["solve", &file, "--max-time", "0.01"];
        assert_says(&refused(&args, 1), &[&file, place, "the game is over", advice]);
    }
    // Unfinished games need nothing, pasted ones and standard input neither.
    let cut = &whole[..2 * 52];
    let ggf = at("cut.ggf");
    assert!(run(&["convert", cut, &ggf]).status.success());
    let end = |args: &[&str]| json(args)["results"][0]["position"].clone();
    assert_eq!(end(&["solve", &ggf, "--json"]), expected["position"]);
    let pasted = format!("1. {} {} 2. {}", &cut[..2], &cut[2..4], &cut[4..]);
    assert_eq!(end(&["solve", &pasted, "--json"]), expected["position"]);
    let mut child = outflank(&["solve", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(cut.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["results"][0]["position"], expected["position"]);
    assert_eq!(found["results"][0]["source"], "-:1");
}

#[test]
fn wrong_games_are_named_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let whole = whole_game(folder.path());
    let file = at("bad.txt");
    fs::write(&file, format!("# games\n{whole}\n\nf5f5\n")).unwrap();
    let message = refused(&["solve", &file, "--empties", "8"], 1);
    assert_says(&message, &[&file, "line 4", "move 2", "occupied"]);
    fs::write(&file, format!("{START}\n{}\n", START.replacen('-', "?", 1))).unwrap();
    assert_says(&refused(&["solve", &file], 1), &[&file, "line 2", "character 1", "'?'"]);
    fs::write(&file, "only words here\n").unwrap();
    assert_says(&refused(&["solve", &file], 1), &[&file, "there is no game or position in it"]);
    fs::write(&file, format!("{whole}\n")).unwrap();
    let message = refused(&["solve", &file, "f5d6", "--empties", "61"], 2);
    assert_says(&message, &["61", "--empties"]);
    let message = refused(&["solve", "f5d6c3", "--empties", "8"], 1);
    assert_says(&message, &["no game has a position with 8 empty squares", "--empties"]);
    let message = refused(&["solve", &whole], 2);
    assert_says(&message, &["the game is over", "--empties N solves its position"]);
    let none = at("none.ggf");
    assert_says(&refused(&["solve", &none], 1), &["cannot read", &none, "No such file"]);
    let here = at("");
    assert_says(&refused(&["solve", &here], 1), &["cannot read", "it is not a regular file"]);
    fs::write(at("cut.wtb"), [20, 5, 1, 1, 9, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0]).unwrap();
    let message = refused(&["solve", &at("cut.wtb"), "--empties", "8"], 1);
    assert_says(&message, &[&at("cut.wtb")]);
}

#[test]
fn many_lines_are_solved_as_they_come() {
    // Two empty squares each.
    let line = format!("--OOOOOX{} X; +64;\n", "X".repeat(56));
    let many = file(&line.repeat(20_000));
    let output = run(&["solve", many.path().to_str().unwrap(), "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["results"].as_array().unwrap().len(), 20_000);
    let (agree, differ) = (found["agree"].as_u64().unwrap(), found["differ"].as_u64().unwrap());
    assert_eq!(agree + differ, 20_000);
}

#[test]
fn bad_input_is_refused_before_anything_is_printed() {
    let bad = file(&format!("{ENDGAME}\n{START}; a1:+2\n"));
    let path = bad.path().to_str().unwrap();
    assert_says(&refused(&["solve", path], 1), &[path, "line 2", "Black cannot play a1"]);
    assert_says(&refused(&["solve", "f5f5"], 2), &["move 2", "occupied"]);
    assert_says(&refused(&["solve", &START.replace('O', "X")], 2), &["neither side can move"]);
    assert_says(&refused(&["solve", &START.replacen('O', "-", 1)], 2), &["d4 is empty"]);
    assert_says(&refused(&["solve", "none.obf"], 1), &["cannot read none.obf"]);
    for (option, value) in [("--max-time", "0"), ("--threads", "0"), ("--table-size", "lots")] {
        refused(&["solve", ENDGAME, option, value], 2);
    }
    let message = refused(&["solve", ENDGAME, "--table-size", "1000T"], 2);
    assert_says(&message, &["does not fit into memory", "--table-size"]);
    refused(&["solve"], 2);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_what_is_known() {
    let mut child = outflank(&["solve", ENDGAME, START, "--json", "--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let began = Instant::now();
    let status = child.wait().unwrap();
    assert!(began.elapsed() < Duration::from_secs(30));
    let output = child.wait_with_output().unwrap();
    assert_eq!(status.code(), Some(130), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["results"][0]["score"], 18);
    assert_eq!(found["results"][1]["score"], Value::Null);
    assert_eq!(found["interrupted"], true);
    // What it may take was said before.
    assert_says(text(&output.stderr), &["60 empty squares: this may take"]);
}
