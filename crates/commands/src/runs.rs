//! The studies on disk: a list of them, and their removal.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use outflank_arena::{Stopped, Watch};
use outflank_game::player::find_folder;
use outflank_lab::{COST, Cost, GOAL, Goal, Measurement, measurements};
use outflank_learn::{Quantity, label};
use outflank_store::{Progress, Removal, RunError, RunSketch, Study};
use serde::{Deserialize, Serialize};

use crate::study::WholeStudy;
use crate::{Command, Error};

/// Lists the studies below a folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunsRequest {
    /// The folder; `runs` if there is none.
    pub folder: Option<PathBuf>,
}

/// The studies below a folder.
#[derive(Clone, Debug, Serialize)]
pub struct RunsAnswer {
    /// The folder.
    pub folder: String,
    /// The studies, the one that changed last first.
    pub results: Vec<StudyEntry>,
}

/// A study on disk.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StudyEntry {
    /// Its preset and what differs from it; empty if it cannot be read.
    pub label: String,
    /// Its folder.
    pub folder: String,
    /// Runs that it lists.
    pub runs: usize,
    /// Runs that have played all their games.
    pub finished: usize,
    /// Of these, runs that ended without reaching their goal.
    pub missed: usize,
    /// Runs that a process is at work on.
    pub going: usize,
    /// Runs that have begun, and that nobody is at work on: interrupted or failed.
    pub stopped: usize,
    /// Runs that have not begun.
    pub waiting: usize,
    /// The first probe that measures strength.
    pub probe: Option<String>,
    /// The mean of its last values in the finished runs; if there are none, in those that have
    /// begun.
    pub value: Option<f64>,
    /// Training games of all runs, as far as they are measured.
    pub games: u64,
    /// Seconds of training and measuring, for the finished runs.
    pub seconds: f64,
    /// Seconds since something in it changed.
    pub age: Option<f64>,
    /// Bytes on disk.
    pub bytes: u64,
    /// What is wrong with it.
    pub problem: Option<String>,
}

impl Command for RunsRequest {
    type Answer = RunsAnswer;
    const NAME: &'static str = "runs";

    fn run(&self, watch: &dyn Watch) -> Result<RunsAnswer, Error> {
        let folder = self.folder.clone().unwrap_or_else(|| "runs".into());
        if self.folder.is_some() && !folder.is_dir() {
            return Err(Error::Usage(format!("{} is not a folder", folder.display())));
        }
        let mut survey = Survey { watch, seen: BTreeSet::new(), found: Vec::new() };
        if folder.is_dir() {
            survey.walk(&folder)?;
        }
        let mut results = survey.found;
        let age = |entry: &StudyEntry| entry.age.unwrap_or(f64::INFINITY);
        results.sort_by(|a, b| age(a).total_cmp(&age(b)).then(a.folder.cmp(&b.folder)));
        Ok(RunsAnswer { folder: folder.to_string_lossy().into_owned(), results })
    }
}

struct Survey<'a> {
    watch: &'a dyn Watch,
    /// The real paths of the folders seen: links may lead back.
    seen: BTreeSet<PathBuf>,
    found: Vec<StudyEntry>,
}

impl Survey<'_> {
    /// Looks for studies in a folder and all folders in it, except those of runs.
    fn walk(&mut self, folder: &Path) -> Result<(), Stopped> {
        if self.watch.stop() {
            return Err(Stopped);
        }
        let real = folder.canonicalize().unwrap_or_else(|_| folder.into());
        if !self.seen.insert(real) || folder.join("manifest.json").exists() {
            return Ok(());
        }
        let shown = folder.to_string_lossy().into_owned();
        let inner = match fs::read_dir(folder) {
            Ok(entries) => {
                let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
                paths.sort();
                paths
            }
            Err(error) => {
                let problem = Some(format!("cannot read the folder: {error}"));
                self.found.push(StudyEntry { folder: shown, problem, ..StudyEntry::default() });
                return Ok(());
            }
        };
        match Study::read(folder) {
            Err(RunError::NoStudy { .. }) => {}
            Ok(study) => self.found.push(StudyEntry { folder: shown, ..entry(&study, folder) }),
            Err(error) => {
                let mut entry = StudyEntry { folder: shown, ..StudyEntry::default() };
                entry.problem = Some(error.to_string());
                entry.weigh(folder, &inner);
                self.found.push(entry);
            }
        }
        inner.iter().filter(|path| path.is_dir()).try_for_each(|path| self.walk(path))
    }
}

/// What a study is.
fn entry(study: &Study, folder: &Path) -> StudyEntry {
    let mut entry = StudyEntry {
        label: label(study.preset(), study.spec()),
        runs: study.seeds().len(),
        problem: study.note().map(str::to_owned),
        ..StudyEntry::default()
    };
    // By the first probe that measures strength.
    let (mut finished, mut begun): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for run in study.runs() {
        let read = RunSketch::read(&run).map_err(|error| error.to_string()).and_then(|sketch| {
            // A line may be half written.
            let end = sketch.metrics.rfind('\n').map_or(0, |at| at + 1);
            let rows = measurements(&sketch.metrics[..end], &run);
            Ok((sketch, rows.map_err(|error| error.to_string())?))
        });
        let (sketch, rows) = match read {
            Ok(read) => read,
            Err(problem) => {
                entry.stopped += 1;
                entry.problem.get_or_insert(problem);
                continue;
            }
        };
        *match sketch.progress {
            Progress::Finished => &mut entry.finished,
            Progress::Going => &mut entry.going,
            Progress::Stopped => &mut entry.stopped,
            Progress::Waiting => &mut entry.waiting,
        } += 1;
        let is_strength = |row: &&Measurement| Quantity::of(&row.probe) != Quantity::Count;
        if entry.probe.is_none() {
            entry.probe = rows.iter().find(is_strength).map(|row| row.probe.clone());
        }
        let last = rows.iter().rev().find(|row| Some(&row.probe) == entry.probe.as_ref());
        let values = match sketch.progress {
            Progress::Finished => &mut finished,
            _ => &mut begun,
        };
        values.extend(last.map(|row| row.value));
        entry.games += rows.last().map_or(0, |row| row.games);
        let goal = sketch.circumstances.get(GOAL).and_then(|goal| Goal::deserialize(goal).ok());
        entry.missed += usize::from(goal.is_some_and(|goal| !goal.reached));
        let cost = sketch.circumstances.get(COST).and_then(|cost| Cost::deserialize(cost).ok());
        entry.seconds += cost.map_or(0.0, |cost| cost.training_seconds + cost.probe_seconds);
    }
    let values = if finished.is_empty() { begun } else { finished };
    entry.value = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let own = ["study.json", "study.json.damaged", "lock"].map(|name| folder.join(name));
    let all: Vec<PathBuf> = own.into_iter().chain(study.runs()).collect();
    entry.weigh(folder, &all);
    entry
}

impl StudyEntry {
    /// Adds up files, and folders of runs; notes what changed last.
    fn weigh(&mut self, folder: &Path, paths: &[PathBuf]) {
        let (mut bytes, mut newest) = (0, None);
        let mut add = |path: &Path| {
            let Ok(data) = fs::symlink_metadata(path) else { return };
            if data.is_file() {
                bytes += data.len();
                newest = newest.max(data.modified().ok());
            }
        };
        for path in paths {
            add(path);
            // A run has one folder in it, that of its front.
            let inner = |path: &Path| {
                let real = !path.is_symlink() && path.is_dir() && !path.join("study.json").exists();
                let entries = real.then(|| fs::read_dir(path).ok()).flatten();
                entries.into_iter().flatten().flatten().map(|entry| entry.path())
            };
            for file in inner(path) {
                add(&file);
                inner(&file).for_each(|file| add(&file));
            }
        }
        let changed = newest.or_else(|| fs::metadata(folder).ok()?.modified().ok());
        let age = changed.and_then(|at| SystemTime::now().duration_since(at).ok());
        self.bytes = bytes;
        self.age = changed.map(|_| age.unwrap_or_default().as_secs_f64());
    }
}

/// Removes studies and runs. Whoever asks must be sure: nothing is asked here.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RemoveRequest {
    /// The folders of studies and runs; the hash of a study's folder may be left out.
    pub folders: Vec<PathBuf>,
}

/// What was removed.
#[derive(Clone, Debug, Serialize)]
pub struct RemoveAnswer {
    /// Folders that are gone, in the order of the request.
    pub results: Vec<String>,
}

/// Folders that were checked.
#[derive(Debug)]
pub struct Removing {
    folders: Vec<RemovedFolder>,
    runs: Vec<Removal>,
    studies: Vec<WholeStudy>,
}

/// A folder that would go.
#[derive(Clone, Debug)]
pub struct RemovedFolder {
    /// The folder.
    pub path: PathBuf,
    /// The studies of which it holds everything, with their pages; none if it holds runs only.
    pub studies: Vec<String>,
    /// The number of runs in it.
    pub runs: usize,
    /// Bytes on disk.
    pub bytes: u64,
}

impl Removing {
    /// The folders, and what is in each.
    pub fn folders(&self) -> &[RemovedFolder] {
        &self.folders
    }

    /// Removes them; none of them if a process works on one.
    pub fn run(self) -> Result<RemoveAnswer, Error> {
        let held = self.studies.iter().map(WholeStudy::hold);
        let _locks: Vec<Vec<fs::File>> = held.collect::<Result<_, _>>()?;
        Removal::remove_all(&self.runs).map_err(Error::Results)?;
        self.studies.iter().try_for_each(WholeStudy::remove_rest)?;
        let gone = self.folders.iter().map(|folder| folder.path.to_string_lossy().into_owned());
        Ok(RemoveAnswer { results: gone.collect() })
    }
}

/// The bytes of a file, or of all files in a folder; links are not followed.
fn bytes(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| bytes(&entry.path())).sum()
        }
        data => data.map_or(0, |data| data.len()),
    }
}

impl RemoveRequest {
    /// Checks that all of them are studies or runs and hold nothing else; a study with its pages
    /// and contests goes as a whole.
    pub fn prepare(&self) -> Result<Removing, Error> {
        let mut removing = Removing { folders: Vec::new(), runs: Vec::new(), studies: Vec::new() };
        for folder in &self.folders {
            // A link is not followed, and neither is a name that several have.
            let path = if folder.is_symlink() { folder.clone() } else { find_folder(folder)? };
            let is_same = |other: &RemovedFolder| {
                path.starts_with(&other.path) || other.path.starts_with(&path)
            };
            if removing.folders.iter().any(is_same) {
                return Err(Error::Usage(format!("{} is named twice", path.display())));
            }
            let (mut studies, mut runs) = (Vec::new(), 0);
            match WholeStudy::of(&path)? {
                Some(mut whole) => {
                    studies = whole.names.clone();
                    runs += whole.cases.iter().map(Removal::runs).sum::<usize>();
                    removing.runs.append(&mut whole.cases);
                    removing.studies.push(whole);
                }
                None => {
                    let removal = Removal::of(&path).map_err(Error::Results)?;
                    runs += removal.runs();
                    removing.runs.push(removal);
                }
            }
            let bytes = bytes(&path);
            removing.folders.push(RemovedFolder { path, studies, runs, bytes });
        }
        if removing.folders.is_empty() {
            return Err(Error::Usage("no folder to remove".into()));
        }
        Ok(removing)
    }
}

impl Command for RemoveRequest {
    type Answer = RemoveAnswer;
    const NAME: &'static str = "runs rm";

    fn run(&self, _watch: &dyn Watch) -> Result<RemoveAnswer, Error> {
        self.prepare()?.run()
    }
}
