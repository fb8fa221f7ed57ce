//! `outflank runs`: what is on disk, and how it is removed.

use std::fs;
use std::path::Path;

use super::*;

/// A folder `runs` with a study of two runs that are finished, one in a folder below with other
/// settings, and a link that leads back.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new() -> Disk {
        let disk = Disk(tempfile::tempdir().unwrap());
        disk.learn("runs/plain", &["--seeds", "1..2"]);
        disk.learn("runs/below/other", &["--set", "search.mu=5", "--set", "search.lambda=5"]);
        let back = disk.0.path().join("runs/below/back");
        std::os::unix::fs::symlink(disk.0.path().join("runs"), back).unwrap();
        disk
    }

    fn learn(&self, out: &str, more: &[&str]) {
        let args = ["learn", "rsel", "--games", "5000", "--set", "probes.sample=2", "--out", out];
        let output = self.run(&[&args[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }

    fn run(&self, args: &[&str]) -> Output {
        outflank(args).current_dir(self.0.path()).output().unwrap()
    }

    fn list(&self) -> Vec<Value> {
        let output = self.run(&["runs", "--json"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&value["command"], &value["folder"]), (&"runs".into(), &"runs".into()));
        value["results"].as_array().unwrap().clone()
    }

    fn at(&self, path: &str) -> std::path::PathBuf {
        self.0.path().join(path)
    }
}

fn of<'a>(list: &'a [Value], folder: &str) -> &'a Value {
    list.iter().find(|entry| entry["folder"] == folder).unwrap_or_else(|| panic!("{list:?}"))
}

#[test]
fn studies_are_listed_with_what_they_are_and_how_far() {
    let disk = Disk::new();
    let list = disk.list();
    assert_eq!(list.len(), 2, "the link leads to nothing new: {list:?}");
    let plain = of(&list, "runs/plain");
    assert_eq!(plain["label"], "rsel games=5k sample=2");
    assert_eq!((&plain["runs"], &plain["finished"]), (&2.into(), &2.into()));
    assert_eq!((&plain["probe"], &plain["problem"]), (&"utility".into(), &Value::Null));
    assert!(plain["games"].as_u64() >= Some(10_000) && plain["bytes"].as_u64() > Some(1000));
    assert!(plain["value"].as_f64() > Some(0.2) && plain["age"].as_f64() < Some(600.0));
    let other = of(&list, "runs/below/other");
    assert_eq!(other["label"], "rsel games=5k lambda=5 mu=5 sample=2");
    // The newest is the first.
    assert_eq!(list[0]["folder"], "runs/below/other");
    // People get a table, also on a narrow terminal.
    let output = outflank(&["runs"]).current_dir(disk.0.path()).env("COLUMNS", "60").output();
    let output = output.unwrap();
    let printed = text(&output.stdout);
    assert_says(printed, &["plain", "2/2", "utility", "below/other", "rsel games=5k sample=2"]);
    assert!(printed.lines().all(|line| line.chars().count() <= 60), "{printed}");
}

#[test]
fn what_is_damaged_or_not_begun_is_listed_with_the_others() {
    let disk = Disk::new();
    fs::remove_dir_all(disk.at("runs/plain/2")).unwrap();
    fs::write(disk.at("runs/plain/1/manifest.json"), "{").unwrap();
    fs::create_dir(disk.at("runs/broken")).unwrap();
    fs::write(disk.at("runs/broken/study.json"), "{").unwrap();
    let list = disk.list();
    assert_eq!(list.len(), 3);
    let plain = of(&list, "runs/plain");
    assert_eq!((&plain["stopped"], &plain["waiting"]), (&1.into(), &1.into()));
    assert_says(plain["problem"].as_str().unwrap(), &["manifest.json is damaged"]);
    assert_says(of(&list, "runs/broken")["problem"].as_str().unwrap(), &["study.json is damaged"]);
    assert_eq!(of(&list, "runs/below/other")["problem"], Value::Null);
    let message = refused(&["runs", "/nowhere"], 2);
    assert_says(&message, &["/nowhere is not a folder"]);
    // Nothing at all is no error.
    let empty = tempfile::tempdir().unwrap();
    let output = outflank(&["runs"]).current_dir(empty.path()).output().unwrap();
    assert!(output.status.success());
    assert_says(text(&output.stderr), &["no study in runs"]);
}

#[test]
fn studies_and_runs_are_removed_only_if_that_is_wanted_and_they_are_ours() {
    let disk = Disk::new();
    let exists = |path: &str| Path::new(&disk.at(path)).exists();
    let removed = |args: &[&str]| {
        let output = disk.run(&[&["runs", "rm"], args].concat());
        (output.status.code(), text(&output.stderr).to_owned())
    };
    let (code, message) = removed(&["runs/plain"]);
    assert_eq!(code, Some(2));
    assert_says(&message, &["runs/plain: 2 runs", "not a terminal", "--yes"]);
    // One that is not ours saves the others.
    fs::write(disk.at("runs/below/other/notes.txt"), "mine").unwrap();
    for (folder, expected) in [
        ("runs/below/other", "notes.txt"),
        ("runs/below", "is neither a study nor a run"),
        ("runs/below/back", "a link"),
        ("runs/nothing", "is neither a study nor a run"),
        ("runs/plain/2", "is named twice"),
    ] {
        let (code, message) = removed(&["--yes", "runs/plain", folder]);
        assert_eq!(code, Some(2), "{message}");
        assert_says(&message, &[expected]);
        assert!(exists("runs/plain/1/champion.json"), "{folder}");
    }
    let (code, message) = removed(&["--yes", "runs/plain/1"]);
    assert_eq!(code, Some(0), "{message}");
    assert!(!exists("runs/plain/1") && exists("runs/plain/2"));
    assert_eq!(of(&disk.list(), "runs/plain")["waiting"], 1);
    assert_eq!(removed(&["--yes", "runs/plain"]).0, Some(0));
    assert!(!exists("runs/plain"));
}

/// A small study with a tournament and a profile.
const WHOLE: &str = r#"
title = "Steps"
seeds = "1..2"
[[case]]
name = "step"
method = "rsel"
set = { games = 5000, probes.sample = 2 }
grid = { search.mu = [10, 25] }
[[tournament]]
name = "all"
cases = ["step"]
doubles = 1
[[profile]]
name = "strengths"
cases = ["step"]
opponents = 2000
doubles = 1
[[table]]
name = "ends"
title = "At the end"
of = "finals"
cases = ["step"]
[[figure]]
name = "boxes"
title = "At the end"
of = "boxes"
cases = ["step"]
"#;

#[test]
fn a_whole_study_is_removed_with_its_contests_and_pages() {
    let disk = Disk::new();
    for name in ["one", "two"] {
        fs::write(disk.at(&format!("{name}.toml")), WHOLE).unwrap();
    }
    let make = |args: &[&str], out: &str| {
        let output = disk.run(&[args, &["--out", out]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    make(&["study", "one.toml", "--pdf"], "runs/one");
    make(&["study", "one.toml", "two.toml"], "runs/both");
    let sweep = ["learn", "rsel", "--games", "5000", "--set", "probes.sample=2"];
    make(&[&sweep[..], &["--set", "search.mu=10,25"]].concat(), "runs/sweep");
    let removed = |args: &[&str]| {
        let output = disk.run(&[&["runs", "rm"], args].concat());
        (output.status.code(), text(&output.stderr).to_owned())
    };
    // What is not ours saves everything, wherever it is.
    for place in
        ["notes.txt", "results/notes.csv", "contests/notes.json", "cases/a", "cases/step=10/1/a"]
    {
        let stranger = disk.at("runs/one").join(place);
        fs::write(&stranger, "mine").unwrap();
        let (code, message) = removed(&["--yes", "runs/sweep", "runs/one"]);
        assert_eq!(code, Some(2), "{message}");
        assert_says(&message, &["something else", stranger.file_name().unwrap().to_str().unwrap()]);
        fs::remove_file(stranger).unwrap();
        assert!(
            disk.at("runs/sweep/index.html").exists() && disk.at("runs/one/index.html").exists()
        );
    }
    // A process at work on it holds this file with others.
    let lock = fs::File::open(disk.at("runs/one/lock")).unwrap();
    lock.try_lock_shared().unwrap();
    let (code, message) = removed(&["--yes", "runs/sweep", "runs/one"]);
    assert_eq!(code, Some(1), "{message}");
    assert_says(&message, &["runs/one is in use"]);
    assert!(disk.at("runs/sweep/cases").exists() && disk.at("runs/one/cases/step=10/1").exists());
    drop(lock);
    let (code, message) = removed(&["runs/one", "runs/both"]);
    assert_eq!(code, Some(2));
    assert_says(&message, &["runs/one: the whole study one, 4 runs, ", " kB"]);
    assert_says(&message, &["runs/both: the whole studies one, two, 8 runs, ", "not a terminal"]);
    // What an interrupted removal leaves can be removed.
    fs::remove_dir_all(disk.at("runs/one/cases/step=10/1")).unwrap();
    fs::remove_dir_all(disk.at("runs/one/cases/step=25")).unwrap();
    fs::create_dir(disk.at("runs/one/cases/step=25")).unwrap();
    let (code, message) = removed(&["--yes", "runs/one", "runs/both", "runs/sweep"]);
    assert_eq!(code, Some(0), "{message}");
    for folder in ["runs/one", "runs/both", "runs/sweep"] {
        assert!(!disk.at(folder).exists(), "{folder}");
    }
    assert!(disk.at("runs/plain/1").exists());
}
