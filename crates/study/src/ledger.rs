//! The ledger of a study: what its finished runs and its contests gave, as one text file to be kept
//! beside the study file.
//!
//! Runs take hours and gigabytes; what the pages need of them is a few numbers each. With a ledger
//! a study can go on where another machine left it, and its pages can be made again without
//! training. Every entry says what it depends on (the hash of the run's spec, the stamp of its
//! method, the hash of its champion), so that anybody can train a run again and compare.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use outflank_lab::{FrontPoints, Measurement, RunResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the first line of a ledger says.
const FORMAT: &str = "outflank-ledger";
/// The version this program writes, and the newest it reads.
const VERSION: u32 = 1;

/// The ledger of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    runs: BTreeMap<CaseKey, BTreeMap<u64, LedgerRun>>,
    /// By name and the hash of all that they depend on.
    contests: BTreeMap<(String, String), Value>,
}

/// What the runs of a case depend on: runs with other settings are other entries.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseKey {
    /// The name of the case.
    case: String,
    /// The hash of the text by which its runs are known.
    spec: String,
    /// The stamp of its method.
    stamp: String,
}

impl CaseKey {
    /// The key of a case whose runs are known by this text, with this stamp of their method.
    pub fn new(case: &str, text: &str, stamp: u64) -> CaseKey {
        let spec = blake3::hash(text.as_bytes()).to_hex()[..16].to_owned();
        CaseKey { case: case.into(), spec, stamp: format!("{stamp:016x}") }
    }
}

/// A finished run in a ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerRun {
    /// Training games.
    pub games: u64,
    /// Generations.
    pub generations: u64,
    /// The hash of its champion's file.
    pub champion: String,
    /// How many corners its champion uses, if it is a network.
    pub corners: Option<usize>,
    /// Its front, if it has several objectives.
    pub front: Option<FrontPoints>,
    /// The version of the program that trained it.
    pub program: String,
    /// What was measured, in the order of games.
    pub measured: Vec<Measured>,
}

/// A measurement: games, generation, probe and value.
pub type Measured = (u64, u64, String, f64);

impl LedgerRun {
    /// A finished run as it was read from its folder.
    pub fn of(run: &RunResult, champion: String, corners: Option<usize>) -> LedgerRun {
        let row = |m: &Measurement| (m.games, m.generation, m.probe.clone(), m.value);
        LedgerRun {
            games: run.games,
            generations: run.generations,
            champion,
            corners,
            front: None,
            program: run.program.clone(),
            measured: run.measurements.iter().map(row).collect(),
        }
    }

    /// The run as if it had been read from a folder, which is named but need not be there.
    pub fn result(&self, seed: u64, path: PathBuf, signature: u64) -> RunResult {
        let row = |(games, generation, probe, value): &Measured| Measurement {
            games: *games,
            generation: *generation,
            probe: probe.clone(),
            value: *value,
            score: None,
            wins: None,
            draws: None,
            losses: None,
        };
        RunResult {
            seed,
            path,
            games: self.games,
            generations: self.generations,
            is_finished: true,
            is_cut: false,
            measurements: self.measured.iter().map(row).collect(),
            cost: None,
            command: Vec::new(),
            program: self.program.clone(),
            signature,
        }
    }
}

/// Why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its content is not that of a ledger.
    #[error("{}, line {line}: {problem}; take the file from where it is kept, or remove it", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

/// A line of the file. The first is the head, the last the end; the runs of a case follow it.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Line {
    Head { format: String, version: u32, study: String },
    Case { case: String, spec: String, stamp: String, probes: Vec<String>, times: Vec<(u64, u64)> },
    Run(RunLine),
    Contest { contest: String, key: String, found: Value },
    End { lines: usize, checksum: String },
}

/// A run. Its values are a row for each probe of the case, a column for each of its times; or, if
/// it was measured at other times than the first run of its case, all that was measured.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunLine {
    seed: u64,
    games: u64,
    generations: u64,
    champion: String,
    program: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    corners: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    front: Option<FrontPoints>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    measured: Vec<Measured>,
}

impl Ledger {
    /// The name of the file of a study's ledger.
    pub fn file_name(study: &str) -> String {
        format!("{study}.jsonl")
    }

    /// Reads a ledger; one that is not there is empty.
    pub fn read(path: &Path, study: &str) -> Result<Ledger, LedgerError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Ledger::default());
            }
            Err(source) => return Err(LedgerError::Read { path: path.into(), source }),
        };
        Ledger::parse(&text, study).map_err(|(line, problem)| LedgerError::Wrong {
            path: path.into(),
            line,
            problem,
        })
    }

    /// The finished run of a case with this seed.
    pub fn run(&self, key: &CaseKey, seed: u64) -> Option<&LedgerRun> {
        self.runs.get(key)?.get(&seed)
    }

    /// Says whether it has runs of this case with other settings or of another program only.
    pub fn is_outdated(&self, key: &CaseKey) -> bool {
        !self.runs.contains_key(key) && self.runs.keys().any(|known| known.case == key.case)
    }

    /// Enters a finished run.
    pub fn enter(&mut self, key: &CaseKey, seed: u64, run: LedgerRun) {
        self.runs.entry(key.clone()).or_default().insert(seed, run);
    }

    /// What a contest with this name gave, if it depended on the same.
    pub fn contest(&self, name: &str, key: &str) -> Option<&Value> {
        self.contests.get(&(name.to_owned(), key.to_owned()))
    }

    /// Whether it has anything of a contest with this name.
    pub fn knows_contest(&self, name: &str) -> bool {
        self.contests.keys().any(|(known, _)| known == name)
    }

    /// Enters a contest.
    pub fn enter_contest(&mut self, name: &str, key: &str, found: Value) {
        self.contests.insert((name.into(), key.into()), found);
    }

    /// Adds all entries of another ledger; its own stay where both have one.
    pub fn join(&mut self, other: Ledger) {
        for (key, runs) in other.runs {
            let own = self.runs.entry(key).or_default();
            runs.into_iter().for_each(|(seed, run)| {
                own.entry(seed).or_insert(run);
            });
        }
        for (name, found) in other.contests {
            self.contests.entry(name).or_insert(found);
        }
    }

    /// Its text: entries in a fixed order, with a checksum at the end.
    pub fn to_text(&self, study: &str) -> String {
        let mut lines =
            vec![Line::Head { format: FORMAT.into(), version: VERSION, study: study.into() }];
        for (key, runs) in &self.runs {
            let shape = runs.values().next().map(Shape::of).unwrap_or_default();
            let CaseKey { case, spec, stamp } = key.clone();
            let Shape { probes, times } = shape.clone();
            lines.push(Line::Case { case, spec, stamp, probes, times });
            let row = |(seed, run): (&u64, &LedgerRun)| Line::Run(RunLine::of(*seed, run, &shape));
            lines.extend(runs.iter().map(row));
        }
        for ((name, key), found) in &self.contests {
            let (contest, key, found) = (name.clone(), key.clone(), found.clone());
            lines.push(Line::Contest { contest, key, found });
        }
        let json = |line: &Line| serde_json::to_string(line).expect("a line is plain data") + "\n";
        let mut text: String = lines.iter().map(json).collect();
        let checksum = blake3::hash(text.as_bytes()).to_hex().to_string();
        text += &json(&Line::End { lines: lines.len(), checksum });
        text
    }

    /// Reads the text of a ledger; an error comes with its line.
    fn parse(text: &str, study: &str) -> Result<Ledger, (usize, String)> {
        let mut ledger = Ledger::default();
        let mut case: Option<(CaseKey, Shape)> = None;
        let (mut bytes, mut is_whole) = (0, false);
        for (index, row) in text.lines().enumerate() {
            let number = index + 1;
            let wrong = |problem: &str| (number, problem.to_owned());
            if is_whole {
                return Err(wrong("there is more after its end"));
            }
            if index == 0 {
                check_version(row).map_err(|problem| (number, problem))?;
            }
            let line: Line = serde_json::from_str(row)
                .map_err(|_| wrong("this is not a line of a ledger that this program knows"))?;
            match line {
                Line::Head { study: known, .. } if index == 0 => {
                    if known != study {
                        let problem = format!("it is the ledger of {known}, not of {study}");
                        return Err((number, problem));
                    }
                }
                _ if index == 0 => return Err(wrong("it does not begin as a ledger does")),
                Line::Head { .. } => return Err(wrong("it begins a second time")),
                Line::Case { case: name, spec, stamp, probes, times } => {
                    case = Some((CaseKey { case: name, spec, stamp }, Shape { probes, times }));
                }
                Line::Run(run) => {
                    let (key, shape) =
                        case.as_ref().ok_or_else(|| wrong("a run comes before its case"))?;
                    let seed = run.seed;
                    let run = run.full(shape).map_err(|problem| (number, problem))?;
                    ledger.enter(key, seed, run);
                }
                Line::Contest { contest, key, found } => {
                    ledger.enter_contest(&contest, &key, found);
                }
                Line::End { lines, checksum } => {
                    let known = blake3::hash(&text.as_bytes()[..bytes]).to_hex();
                    if lines != index || known.as_str() != checksum {
                        return Err(wrong("its checksum does not match, so it was changed"));
                    }
                    is_whole = true;
                }
            }
            bytes += row.len() + 1;
        }
        match is_whole {
            true => Ok(ledger),
            false => Err((text.lines().count(), "its end is missing".into())),
        }
    }
}

/// Refuses what does not begin as a ledger that this program can read.
fn check_version(row: &str) -> Result<(), String> {
    let head: Value = serde_json::from_str(row).unwrap_or_default();
    if head["format"] != FORMAT {
        return Err("it does not begin as a ledger does".into());
    }
    match head["version"].as_u64() {
        Some(version) if version > u64::from(VERSION) => {
            Err(format!("it has version {version}, and this program reads up to {VERSION}"))
        }
        _ => Ok(()),
    }
}

/// The probes of a run and the times at which they were taken: games and generation.
#[derive(Clone, Default)]
struct Shape {
    probes: Vec<String>,
    times: Vec<(u64, u64)>,
}

impl Shape {
    fn of(run: &LedgerRun) -> Shape {
        let mut shape = Shape::default();
        for (games, generation, probe, _) in &run.measured {
            if !shape.probes.contains(probe) {
                shape.probes.push(probe.clone());
            }
            if shape.times.last() != Some(&(*games, *generation)) {
                shape.times.push((*games, *generation));
            }
        }
        shape
    }

    /// What is measured, in order, if every probe is taken at every time.
    fn order(&self) -> impl Iterator<Item = (u64, u64, &String)> {
        self.times.iter().flat_map(|(games, generation)| {
            self.probes.iter().map(move |probe| (*games, *generation, probe))
        })
    }
}

impl RunLine {
    fn of(seed: u64, run: &LedgerRun, shape: &Shape) -> RunLine {
        let probes = shape.probes.len();
        let own =
            run.measured.iter().map(|(games, generation, probe, _)| (*games, *generation, probe));
        let (values, measured) = match own.eq(shape.order()) {
            false => (Vec::new(), run.measured.clone()),
            true => {
                let of = |probe: usize| {
                    run.measured.iter().skip(probe).step_by(probes).map(|row| row.3).collect()
                };
                ((0..probes).map(of).collect(), Vec::new())
            }
        };
        let LedgerRun { games, generations, champion, corners, front, program, .. } = run.clone();
        RunLine { seed, games, generations, champion, program, corners, front, values, measured }
    }

    fn full(self, shape: &Shape) -> Result<LedgerRun, String> {
        let Shape { probes, times } = shape;
        let RunLine { games, generations, champion, program, corners, front, .. } = self;
        let measured = match self.values.is_empty() {
            true => self.measured,
            false => {
                let fits = self.values.len() == probes.len()
                    && self.values.iter().all(|row| row.len() == times.len());
                if !fits {
                    return Err("the run has other numbers of values than its case says".into());
                }
                let value = |index: usize| self.values[index % probes.len()][index / probes.len()];
                let row = |(index, (games, generation, probe)): (usize, (u64, u64, &String))| {
                    (games, generation, probe.clone(), value(index))
                };
                shape.order().enumerate().map(row).collect()
            }
        };
        Ok(LedgerRun { games, generations, champion, corners, front, program, measured })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(values: &[f64], probes: &[&str]) -> LedgerRun {
        let mut measured = Vec::new();
        for (time, value) in values.iter().enumerate() {
            for (index, probe) in probes.iter().enumerate() {
                let at = (100 * time as u64, time as u64);
                measured.push((at.0, at.1, (*probe).to_owned(), value + index as f64));
            }
        }
        let front = FrontPoints { objectives: vec!["random".into()], points: vec![vec![0.25]] };
        LedgerRun {
            games: 100,
            generations: 3,
            champion: "abc".into(),
            corners: Some(2),
            front: Some(front),
            program: "0.1.0".into(),
            measured,
        }
    }

    fn ledger() -> (Ledger, CaseKey) {
        let key = CaseKey::new("neat", "text", 7);
        let mut ledger = Ledger::default();
        ledger.enter(&key, 1, run(&[0.1, 1.0 / 3.0], &["random", "hidden"]));
        ledger.enter(&key, 2, run(&[0.5, 0.7], &["random", "hidden"]));
        // Measured at other times, and not at all.
        ledger.enter(&key, 3, run(&[0.5, 0.6, 0.7], &["random"]));
        ledger.enter(&key, 4, run(&[], &[]));
        ledger.enter_contest("tournament all", "key", serde_json::json!({ "wins": 3 }));
        (ledger, key)
    }

    #[test]
    fn a_ledger_is_what_it_was_after_writing_and_reading() {
        let (ledger, key) = ledger();
        let text = ledger.to_text("steps");
        let read = Ledger::parse(&text, "steps").unwrap();
        assert_eq!(read, ledger);
        assert_eq!(read.to_text("steps"), text);
        assert!(read.run(&key, 3).is_some() && read.run(&key, 5).is_none());
        // Another text or stamp is another case.
        for other in [CaseKey::new("neat", "other", 7), CaseKey::new("neat", "text", 8)] {
            assert!(read.run(&other, 1).is_none() && read.is_outdated(&other));
        }
        assert!(!read.is_outdated(&key) && !read.is_outdated(&CaseKey::new("esp", "text", 7)));
        assert!(read.contest("tournament all", "key").is_some());
        assert!(read.contest("tournament all", "other").is_none());
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let text = ledger().0.to_text("steps");
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            assert!(Ledger::parse(&changed, "steps").is_err(), "byte {at}");
            // Without its last line break it is still whole.
            let is_cut = at + 1 < text.len();
            assert_eq!(Ledger::parse(&text[..at], "steps").is_err(), is_cut, "cut at {at}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        let text = ledger().0.to_text("steps");
        let problem = |text: &str| Ledger::parse(text, "steps").unwrap_err();
        assert_eq!(problem("").0, 0);
        assert!(problem(&text.replacen("steps", "others", 1)).1.contains("ledger of others"));
        let newer = text.replacen("\"version\":1", "\"version\":2", 1);
        assert!(problem(&newer).1.contains("version 2, and this program reads up to 1"));
        let (first, rest) = text.split_once('\n').unwrap();
        let run_first = format!("{first}\n{}", rest.split_once('\n').unwrap().1);
        assert_eq!(problem(&run_first), (2, "a run comes before its case".into()));
        let twice = format!("{text}{text}");
        assert!(problem(&twice).1.contains("more after its end"));
        let fewer = text.replacen("[0.1,", "[", 1);
        assert!(problem(&fewer).1.contains("other numbers of values"));
    }

    #[test]
    fn ledgers_join_without_losing_entries() {
        let (mut own, key) = ledger();
        let mut other = Ledger::default();
        other.enter(&key, 1, run(&[0.9], &["random"]));
        other.enter(&key, 9, run(&[0.9], &["random"]));
        let first = own.run(&key, 1).cloned();
        own.join(other);
        assert_eq!(own.run(&key, 1).cloned(), first);
        assert!(own.run(&key, 9).is_some());
    }
}
