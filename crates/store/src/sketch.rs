//! How far a run is, and the removal of runs and studies. A sketch takes no lock that anybody waits
//! for and writes nothing.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::RunError;
use super::appended::METRICS;
use super::finished::MAX_METRICS_BYTES;
use super::folder::{Folder, LOCK, Lock, failed, host, temporary};
use super::manifest::{Found, MANIFEST, Manifest, Status};
use super::run_dir::{FRONT, OLDER, SPEC, WRITTEN};
use super::study::{BEFORE, DAMAGED, STUDY, Study};

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It has not begun.
    Waiting,
    /// A process is at work on it.
    Going,
    /// It has begun, and nobody is at work on it.
    Stopped,
    /// It has played all its games.
    Finished,
}

/// A run as it is on disk, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSketch {
    /// How far it is.
    pub progress: Progress,
    /// The text of `metrics.csv`; of a run that is going, up to some moment.
    pub metrics: String,
    /// Other entries of its manifest.
    pub circumstances: Map<String, Value>,
}

impl RunSketch {
    /// Looks at a run. Unlike [`FinishedRun`](super::FinishedRun), hashes are not checked.
    pub fn read(path: &Path) -> Result<RunSketch, RunError> {
        let folder = Folder::at(path);
        let manifest = match Manifest::read(&folder)? {
            Found::Missing => {
                let (metrics, circumstances) = (String::new(), Map::new());
                return Ok(RunSketch { progress: Progress::Waiting, metrics, circumstances });
            }
            Found::Foreign => {
                let found = MANIFEST.into();
                return Err(RunError::SomethingElse { path: path.into(), found });
            }
            Found::Damaged(problem) => {
                return Err(RunError::Damaged { path: folder.file(MANIFEST), problem });
            }
            Found::Whole(manifest) => manifest,
        };
        let progress = match manifest.status {
            Status::Finished { .. } => Progress::Finished,
            _ if is_held(&folder) => Progress::Going,
            _ => Progress::Stopped,
        };
        let metrics = folder.read(METRICS, MAX_METRICS_BYTES)?.unwrap_or_default();
        let metrics = String::from_utf8_lossy(&metrics).into_owned();
        Ok(RunSketch { progress, metrics, circumstances: manifest.circumstances })
    }
}

/// Says whether a process holds the lock of a folder. The lock is tried only if the process that
/// took it last may live: otherwise a run that is about to begin could find it taken.
fn is_held(folder: &Folder) -> bool {
    let Ok(mut file) = File::open(folder.file(LOCK)) else { return false };
    let mut owner = String::new();
    let _ = file.by_ref().take(300).read_to_string(&mut owner);
    let process =
        owner.strip_prefix("process ").and_then(|rest| rest.trim_end().split_once(" on "));
    let is_dead = |(id, at): (&str, &str)| {
        at == host() && Path::new("/proc/self").exists() && !Path::new("/proc").join(id).exists()
    };
    if process.is_some_and(is_dead) {
        return false;
    }
    match file.try_lock_shared() {
        Ok(()) => {
            let _ = file.unlock();
            false
        }
        Err(fs::TryLockError::WouldBlock) => true,
        Err(fs::TryLockError::Error(_)) => false,
    }
}

/// A study or a run that can be removed: nothing in it is somebody else's.
#[derive(Debug)]
pub struct Removal {
    path: PathBuf,
    /// The folders of runs that go.
    runs: Vec<PathBuf>,
    /// The folders of studies that go: itself, if it is one, and its stages.
    studies: Vec<PathBuf>,
}

impl Removal {
    /// Looks whether a folder is a study or a run and holds nothing else.
    pub fn of(path: &Path) -> Result<Removal, RunError> {
        let something_else =
            |found: &str| RunError::SomethingElse { path: path.into(), found: found.into() };
        if path.is_symlink() {
            return Err(something_else("a link"));
        }
        let folder = Folder::at(path);
        if path.is_dir() && (folder.has(SPEC) || folder.has(MANIFEST)) {
            refuse_strangers(path)?;
            let (runs, studies) = (vec![path.into()], Vec::new());
            return Ok(Removal { path: path.into(), runs, studies });
        }
        match Study::read(path) {
            Ok(_) => {}
            Err(RunError::NoStudy { path }) => return Err(RunError::NothingLearned { path }),
            Err(error) => return Err(error),
        }
        let (mut runs, mut studies) = (Vec::new(), vec![path.to_owned()]);
        for (name, entry) in entries(path)? {
            let is_seed = name.parse::<u64>().is_ok_and(|seed| seed.to_string() == name);
            if is_seed && entry.is_dir() && !entry.is_symlink() {
                refuse_strangers(&entry)?;
                runs.push(entry);
            } else if name == BEFORE && entry.is_dir() && !entry.is_symlink() {
                if has_begun(&entry)? {
                    let stage = Removal::of(&entry)?;
                    runs.extend(stage.runs);
                    studies.extend(stage.studies);
                }
            } else if ![STUDY, DAMAGED, LOCK, &temporary(STUDY)].contains(&name.as_str()) {
                return Err(something_else(&name));
            }
        }
        Ok(Removal { path: path.into(), runs, studies })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many runs go.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Removes it, unless a process works on one of its runs.
    pub fn remove(self) -> Result<(), RunError> {
        Removal::remove_all(&[self])
    }

    /// Removes them; none of them if a process works on one of their runs. Interrupted, it can be
    /// repeated.
    pub fn remove_all(all: &[Removal]) -> Result<(), RunError> {
        let mut locks: Vec<Lock> = Vec::new();
        for removal in all {
            for study in &removal.studies {
                locks.push(Folder::at(study).wait_lock(&mut || false)?);
            }
            for run in &removal.runs {
                locks.push(Folder::at(run).try_lock()?);
            }
        }
        for removal in all {
            for run in &removal.runs {
                // Without it the rest is a run that has not begun.
                Folder::at(run).remove(MANIFEST)?;
                fs::remove_dir_all(run).map_err(failed("remove", run))?;
            }
            if !removal.studies.is_empty() {
                let path = &removal.path;
                fs::remove_dir_all(path).map_err(failed("remove", path))?;
            }
        }
        Ok(())
    }
}

/// Says whether the folder of a stage holds more than what a study writes first.
fn has_begun(stage: &Path) -> Result<bool, RunError> {
    let first = [LOCK.to_owned(), temporary(STUDY)];
    Ok(entries(stage)?.iter().any(|(name, _)| !first.contains(name)))
}

/// Refuses the folder of a run with a file that no run has.
fn refuse_strangers(run: &Path) -> Result<(), RunError> {
    for (name, entry) in entries(run)? {
        let is_ours = name == LOCK
            || name == OLDER
            || WRITTEN.iter().any(|written| name == *written || name == temporary(written));
        if name == FRONT && entry.is_dir() && !entry.is_symlink() {
            let is_player = |name: &str| {
                let number = name.strip_suffix(".tmp").unwrap_or(name).strip_suffix(".json");
                number.is_some_and(|number| number.parse::<u64>().is_ok())
            };
            let stranger = entries(&entry)?.into_iter().find(|(name, _)| !is_player(name));
            if let Some((found, _)) = stranger {
                return Err(RunError::SomethingElse { path: entry, found });
            }
        } else if !is_ours {
            return Err(RunError::SomethingElse { path: run.into(), found: name });
        }
    }
    Ok(())
}

/// The names and paths in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, RunError> {
    let read = || -> std::io::Result<Vec<(String, PathBuf)>> {
        let entry = |entry: std::io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name().to_string_lossy().into_owned(), entry.path()))
        };
        fs::read_dir(folder)?.map(entry).collect()
    };
    let mut entries = read().map_err(failed("read folder", folder))?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::super::{Identity, RunDir};
    use super::*;

    const TEXT: &str = "games = 40\n";

    fn study(out: &Path) -> Study {
        Study::open(out, "es", TEXT, &[1, 2, 3], &mut || true).unwrap()
    }

    fn run(out: &Path, seed: u64) -> RunDir {
        let identity =
            Identity { spec: TEXT, seed, version: "0.1.0", signature: 0, columns: "games" };
        RunDir::open(&out.join(seed.to_string()), &identity, Map::new()).unwrap().dir
    }

    fn progress(path: &Path) -> Progress {
        RunSketch::read(path).unwrap().progress
    }

    #[test]
    fn a_sketch_says_how_far_a_run_is() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("study");
        let study = study(&out);
        let mut first = run(&out, 1);
        assert_eq!(progress(&study.run(1)), Progress::Going);
        first.note("40");
        first.checkpoint(1, 40, b"state", "{}", &[]).unwrap();
        first.interrupt().unwrap();
        drop(first);
        assert_eq!(progress(&study.run(1)), Progress::Stopped);
        let mut second = run(&out, 2);
        second.finish(1, 40, b"state", "{}", &[]).unwrap();
        drop(second);
        assert_eq!(progress(&study.run(2)), Progress::Finished);
        assert_eq!(progress(&study.run(3)), Progress::Waiting);
        assert!(!study.run(3).exists(), "nothing is written");
        // The lock file of a dead process is no lock.
        fs::write(study.run(1).join(LOCK), format!("process 999999999 on {}\n", host())).unwrap();
        assert_eq!(progress(&study.run(1)), Progress::Stopped);
        fs::write(study.run(1).join(MANIFEST), "{").unwrap();
        assert!(RunSketch::read(&study.run(1)).is_err());
    }

    #[test]
    fn only_what_is_ours_and_idle_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("study");
        let study = study(&out);
        let going = run(&out, 1);
        drop(run(&out, 2));
        let refused = |path: &Path| Removal::of(path).unwrap_err().to_string();
        assert!(refused(folder.path()).ends_with("is neither a study nor a run"));
        // While one run is going, all stay.
        let error = Removal::of(&out).unwrap().remove().unwrap_err();
        assert!(matches!(error, RunError::Held { .. }), "{error}");
        let both = [2, 1].map(|seed| Removal::of(&study.run(seed)).unwrap());
        assert!(matches!(Removal::remove_all(&both), Err(RunError::Held { .. })));
        assert!(study.run(2).join(SPEC).exists() && out.join(STUDY).exists());
        assert!(matches!(Removal::of(&study.run(1)).unwrap().remove(), Err(RunError::Held { .. })));
        drop(going);
        // Somebody else's files, and links.
        for (place, name) in [(out.clone(), "notes.txt"), (study.run(2), "notes.txt")] {
            fs::write(place.join(name), "mine").unwrap();
            assert!(refused(&out).contains("notes.txt"), "{place:?}");
            fs::remove_file(place.join(name)).unwrap();
        }
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&out, &link).unwrap();
        assert!(refused(&link).contains("a link"));
        // A run, which its study still lists, and then the study.
        Removal::of(&study.run(2)).unwrap().remove().unwrap();
        assert!(!study.run(2).exists() && study.run(1).exists());
        let whole = Removal::of(&out).unwrap();
        assert_eq!(whole.runs(), 1);
        whole.remove().unwrap();
        assert!(!out.exists());
    }
}
