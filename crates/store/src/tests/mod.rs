//! Run folders under attack. A minimal learner writes them; each file here has one enemy: kills and
//! power failures, damage, other runs, other processes, full disks.

mod crashes;
mod damage;
mod disks;
mod links;
mod others;
mod processes;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value};

use super::appended::METRICS;
use super::faults::Tear;
use super::history::CHAMPIONS;
use super::manifest::MANIFEST;
use super::run_dir::{CHAMPION, CHECKPOINT, FRONT, OLDER, SPEC, STANDING_FRONT, front_file};
use super::*;

const SPEC_TEXT: &str = "games = 40\n\n[search]\nkind = \"es\"\nmu = 5\n";
/// Generations of a whole run.
const LAST: u64 = 4;
const BOTH_TEARS: [Tear; 2] = [Tear::Nothing, Tear::Half];

fn identity() -> Identity<'static> {
    Identity {
        spec: SPEC_TEXT,
        seed: 7,
        version: "0.1.0",
        signature: 0xabc,
        columns: "games,generation,probe,value",
    }
}

fn open_as(path: &Path, identity: &Identity<'_>) -> Result<Opened, RunError> {
    RunDir::open(path, identity, Map::from_iter([("threads".into(), 2.into())]))
}

fn open(path: &Path) -> Result<Opened, RunError> {
    open_as(path, &identity())
}

fn state_at(generation: u64) -> Vec<u8> {
    format!("state {generation}").into_bytes()
}

/// A generation of a minimal learner, and its checkpoint.
fn keep(dir: &mut RunDir, generation: u64) -> Result<(), RunError> {
    let (games, state) = (10 * generation, state_at(generation));
    let champion = format!("{{\"champion\": {generation}}}\n");
    match generation {
        LAST => dir.finish(generation, games, &state, &champion, &front()),
        _ => dir.checkpoint(generation, games, &state, &champion, &front()[..1]),
    }
}

/// Players of the front, as this learner writes them.
fn front() -> [String; 2] {
    ["one\n".into(), "other\n".into()]
}

fn note(dir: &mut RunDir, generation: u64) {
    dir.note(&format!("{},{generation},utility,0.5", 10 * generation));
    dir.remember(&champion_at(generation));
}

/// The champion that this learner had: always of one shape, and in generation 3 that of 2.
fn champion_at(generation: u64) -> KeptChampion {
    let numbers = format!("numbers {}", if generation == 3 { 2 } else { generation });
    KeptChampion {
        games: 10 * generation,
        generation,
        shape: b"shape".as_slice().into(),
        numbers: numbers.as_bytes().into(),
    }
}

fn generation(progress: &Stage) -> u64 {
    match progress {
        Stage::New => 0,
        Stage::Resumed(checkpoint) => {
            assert_eq!(checkpoint.state, state_at(checkpoint.generation));
            assert_eq!(checkpoint.games, 10 * checkpoint.generation);
            checkpoint.generation
        }
        Stage::Finished { generation, games } => {
            assert_eq!((*generation, *games), (LAST, 10 * LAST));
            LAST
        }
    }
}

/// Continues to some generation, and reports each that was saved.
fn go_on(opened: &mut Opened, to: u64, mut kept: impl FnMut(u64)) -> Result<(), RunError> {
    let done = generation(&opened.progress);
    // A run that was stopped between its last checkpoint and its end.
    if done == LAST && matches!(opened.progress, Stage::Resumed(_)) {
        keep(&mut opened.dir, LAST)?;
        kept(LAST);
    }
    for generation in done + 1..=to {
        note(&mut opened.dir, generation);
        keep(&mut opened.dir, generation)?;
        kept(generation);
    }
    Ok(())
}

fn run_to(path: &Path, to: u64) {
    go_on(&mut open(path).unwrap(), to, |_| ()).unwrap();
}

/// The files that must be the same however a run ended.
fn outcome(path: &Path) -> [Vec<u8>; 6] {
    let front = [1, 2].map(|number| format!("{FRONT}/{}", front_file(number)));
    let names = [SPEC, METRICS, CHAMPIONS, CHAMPION, &front[0], &front[1]];
    assert!(!path.join(STANDING_FRONT).exists(), "a finished run has its front in a folder");
    names.map(|name| fs::read(path.join(name)).unwrap())
}

fn whole_outcome() -> [Vec<u8>; 6] {
    let folder = scratch();
    run_to(folder.path(), LAST);
    outcome(folder.path())
}

/// A folder in memory if possible: these tests flush thousands of files.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn names_in(path: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(path).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn refusal(opened: Result<Opened, RunError>) -> (String, bool) {
    let error = opened.unwrap_err();
    (error.to_string(), error.is_usage())
}

fn no_warnings(opened: &Opened) {
    assert_eq!(opened.warnings, Vec::<String>::new());
}

/// Not println, which a passing test hides.
fn say_skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {what}");
}

/// A run at generation 3, whose older checkpoint is of generation 2.
fn stopped_run() -> tempfile::TempDir {
    let folder = scratch();
    run_to(folder.path(), 3);
    folder
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir(to).unwrap();
    for name in names_in(from) {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}

#[test]
fn a_run_begins_resumes_and_finishes() {
    let folder = scratch();
    let path = folder.path().join("runs/es/7");
    let mut opened = open(&path).unwrap();
    assert_eq!(opened.progress, Stage::New);
    assert_eq!(fs::read_to_string(path.join(SPEC)).unwrap(), SPEC_TEXT);
    go_on(&mut opened, 2, |_| ()).unwrap();
    note(&mut opened.dir, 3);
    drop(opened);
    let mut opened = open(&path).unwrap();
    assert_eq!(generation(&opened.progress), 2);
    go_on(&mut opened, LAST, |_| ()).unwrap();
    drop(opened);
    let opened = open(&path).unwrap();
    assert_eq!(opened.progress, Stage::Finished { generation: LAST, games: 10 * LAST });
    no_warnings(&opened);
    assert_eq!(
        fs::read_to_string(opened.dir.metrics()).unwrap(),
        "games,generation,probe,value\n10,1,utility,0.5\n20,2,utility,0.5\n30,3,utility,0.5\n\
         40,4,utility,0.5\n"
    );
    let files = ["lock", SPEC, MANIFEST, METRICS, CHAMPIONS, CHAMPION, CHECKPOINT, OLDER, FRONT];
    assert_eq!(read_champions(&path).unwrap(), [1, 2, 3, 4].map(champion_at));
    let files = files.map(String::from);
    assert_eq!(names_in(&path), files.into());
    let manifest: Value = serde_json::from_slice(&fs::read(path.join(MANIFEST)).unwrap()).unwrap();
    for (key, value) in [
        ("format", "outflank-run".into()),
        ("version", 1.into()),
        ("program", "0.1.0".into()),
        ("signature", "0000000000000abc".into()),
        ("seed", 7.into()),
        ("spec", spec_id(SPEC_TEXT).into()),
        ("status", "finished".into()),
        ("generations", LAST.into()),
        ("games", (10 * LAST).into()),
        ("host", host().into()),
        ("circumstances", serde_json::json!({"threads": 2})),
    ] {
        assert_eq!(manifest[key], value, "{key}");
    }
    for key in ["started", "updated"] {
        assert!(humantime::parse_rfc3339(manifest[key].as_str().unwrap()).is_ok());
    }
}

#[test]
fn a_run_that_was_asked_to_end_says_so_and_goes_on() {
    let (folder, whole) = (scratch(), whole_outcome());
    let path = folder.path();
    let status = || {
        let manifest: Value =
            serde_json::from_slice(&fs::read(path.join(MANIFEST)).unwrap()).unwrap();
        manifest["status"].as_str().unwrap().to_string()
    };
    let mut opened = open(path).unwrap();
    go_on(&mut opened, 2, |_| ()).unwrap();
    assert_eq!(status(), "running");
    opened.dir.interrupt().unwrap();
    assert_eq!(status(), "interrupted");
    drop(opened);
    assert_eq!(FinishedRun::read(path).unwrap(), None);
    let standing = StandingRun::read(path).unwrap().unwrap();
    assert_eq!((standing.seed, standing.generations, standing.games), (7, 2, 20));
    assert_eq!(standing.metrics.lines().count(), 3);
    let other = Identity { signature: 0xdef, ..identity() };
    assert!(refusal(open_as(path, &other)).0.contains("the stamp of its method"));
    let mut opened = open(path).unwrap();
    no_warnings(&opened);
    assert_eq!((generation(&opened.progress), status()), (2, "running".into()));
    // Rows after the checkpoint do not count yet, and nothing is lost while it is replaced.
    fs::write(path.join(METRICS), format!("{}30,3,ut", standing.metrics)).unwrap();
    assert_eq!(StandingRun::read(path).unwrap(), Some(standing.clone()));
    fs::rename(path.join(CHECKPOINT), path.join(OLDER)).unwrap();
    assert_eq!(StandingRun::read(path).unwrap(), Some(standing.clone()));
    fs::rename(path.join(OLDER), path.join(CHECKPOINT)).unwrap();
    fs::write(path.join(METRICS), standing.metrics.replace("0.5", "0.6")).unwrap();
    let message = StandingRun::read(path).unwrap_err().to_string();
    assert!(
        message.ends_with("metrics.csv: it has changed since the last checkpoint"),
        "{message}"
    );
    fs::write(path.join(METRICS), &standing.metrics).unwrap();
    go_on(&mut opened, LAST, |_| ()).unwrap();
    assert_eq!(StandingRun::read(path).unwrap(), None);
    assert_eq!((outcome(path), status()), (whole, "finished".into()));
}
