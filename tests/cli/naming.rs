//! Studies that are named without the hash of their folder.

use std::path::Path;

use crate::{assert_says, json, outflank, run, text};

const SMALL: [&str; 8] = [
    "--games",
    "200",
    "--seeds",
    "1..2",
    "--set",
    "probes.games=10",
    "--set",
    "probes.vs=['random']",
];

/// Runs a command in a folder.
fn run_in(folder: &Path, args: &[&str]) -> std::process::Output {
    outflank(args).current_dir(folder).output().unwrap()
}

/// What it prints, if it works.
fn printed(folder: &Path, args: &[&str]) -> String {
    let output = run_in(folder, args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).into()
}

/// A folder with the study that `learn tdl` made in `runs`, and the name of the study.
fn studied() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    printed(folder.path(), &[&["learn", "tdl"], &SMALL[..]].concat());
    let mut names = std::fs::read_dir(folder.path().join("runs")).unwrap();
    let name = names.next().unwrap().unwrap().file_name().into_string().unwrap();
    assert!(name.starts_with("tdl-") && name.len() == "tdl-".len() + 8, "{name}");
    (folder, name)
}

#[test]
fn a_study_and_its_runs_are_found_without_the_hash() {
    let (folder, name) = studied();
    let whole = format!("runs/{name}");
    let at = folder.path();
    for [short, long] in [["runs/tdl", &*whole], [&whole[..whole.len() - 3], &*whole]] {
        let [first, second] = [short, long].map(|study| [study, "/1"].concat());
        let named = format!("a={short}");
        for args in [
            &["compare", short][..],
            &["compare", &named],
            &["measure", short, "--games", "10", "--vs", "random"],
            &["tournament", short, "random", "--games", "2"],
            &["tournament", "--team", &named, "random"],
            &["show", &first],
            &["show", &first, "--player-file", "copy.json"],
            &["match", &first, "random", "--games", "2"],
            &["match", &[&first, "@epsilon=0.5"].concat(), "random", "--games", "2"],
            &["measure", &first, "--games", "10", "--vs", &second],
            &["preset", &[&first, "/spec.toml"].concat()],
        ] {
            printed(at, args);
        }
        // The same study is not compared with itself.
        let output = run_in(at, &["compare", short, long]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    }
    let report = ["report", "runs/tdl", "--games", "10", "--sample", "10", "--no-profiles"];
    printed(at, &report);
    assert!(at.join("report.html").exists());
    // A run's own spec continues the study: its seeds are finished.
    let again = ["learn", "runs/tdl/1/spec.toml", "--seeds", "1..2", "--out", &whole];
    let again = printed(at, &again);
    assert!(again.starts_with("tdl\n") && again.contains("was finished"), "{again}");
    // From inside the folder.
    printed(&at.join("runs"), &["show", "tdl/2"]);
    printed(&at.join("runs"), &["measure", "tdl", "--games", "10", "--vs", "random"]);
}

#[test]
fn a_name_of_several_studies_is_refused_with_a_list_of_them() {
    let (folder, name) = studied();
    let at = folder.path();
    std::fs::create_dir(at.join("runs/tdl-00000000")).unwrap();
    let both =
        ["runs/tdl may be runs/tdl-00000000 or ", &format!("runs/{name}"), "; name one of them"];
    for args in [
        &["compare", "runs/tdl"][..],
        &["compare", "a=runs/tdl"],
        &["report", "runs/tdl"],
        &["measure", "runs/tdl"],
        &["tournament", "runs/tdl", "random"],
        &["profile", "runs/tdl"],
        &["show", "runs/tdl/1"],
        &["match", "runs/tdl/1@epsilon=0.1", "random"],
        &["play", "runs/tdl/1"],
        &["learn", "runs/tdl/1/spec.toml"],
    ] {
        let output = run_in(at, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_says(text(&output.stderr), &both.map(|part| part));
    }
    // More of the hash, or a folder of that very name, and there is one.
    printed(at, &["show", &format!("runs/{}/1", &name[..name.len() - 1])]);
    std::fs::rename(at.join("runs/tdl-00000000"), at.join("runs/tdl")).unwrap();
    let output = run_in(at, &["compare", "runs/tdl"]);
    assert_says(text(&output.stderr), &["runs/tdl is neither a study nor a run"]);
}

#[test]
fn no_study_of_the_name_is_told_as_before_and_out_is_taken_as_it_is() {
    let (folder, name) = studied();
    let at = folder.path();
    for (args, message) in [
        (["compare", "runs/cel"], "runs/cel is neither a study nor a run"),
        (["show", "runs/tdl/9"], "cannot read player file runs/tdl/9: "),
        (["show", "cel"], "unknown player \"cel\""),
    ] {
        let output = run_in(at, &args);
        assert!(!output.status.success());
        assert_says(text(&output.stderr), &[message]);
    }
    printed(at, &[&["learn", "tdl", "--out", "runs/tdl"], &SMALL[..]].concat());
    assert!(at.join("runs/tdl/study.json").exists() && at.join("runs").join(name).exists());
    let path = at.join("runs/tdl");
    let found = json(&["compare", path.to_str().unwrap(), "--json"]);
    assert_eq!(found["results"][0]["studies"][0]["runs"], 2, "{found}");
    assert!(run(&["show", path.join("1").to_str().unwrap()]).status.success());
}
