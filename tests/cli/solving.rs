//! `outflank solve`: exact results, and what becomes of bad input, signals and time limits.

use std::io::Write;
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
