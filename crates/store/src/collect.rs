//! Finished runs from other folders: checked file by file, and copied so that at every moment the
//! run is either whole or can be continued.

use std::fs;
use std::path::Path;

use super::RunError;
use super::appended::METRICS;
use super::finished::FinishedRun;
use super::folder::{Folder, failed, temporary};
use super::history::{CHAMPIONS, History};
use super::manifest::{Found, MANIFEST, Manifest, Status};
use super::run_dir::{CHAMPION, CHECKPOINT, FRONT, OLDER, SPEC, front_file};

/// A finished run all of whose files are as they were written.
#[derive(Clone, Debug)]
pub struct WholeRun {
    /// The run.
    pub run: FinishedRun,
    /// The hash of its results: equal runs have equal ones, whenever and wherever they ran.
    pub digest: String,
}

impl WholeRun {
    /// Reads a run; `None` if it is not finished, an error if a file is missing or has changed.
    pub fn read(path: &Path) -> Result<Option<WholeRun>, RunError> {
        let folder = Folder::at(path);
        let Some(run) = FinishedRun::read(path)? else { return Ok(None) };
        let Found::Whole(manifest) = Manifest::read(&folder)? else { return Ok(None) };
        let Status::Finished { metrics, champion, champions, front, .. } = &manifest.status else {
            return Ok(None);
        };
        if let Some(expected) = champions
            && History::whole(&folder)?.hash().to_string() != *expected
        {
            let problem = "it has changed since the run ended".into();
            return Err(RunError::Altered { path: folder.file(CHAMPIONS), problem });
        }
        let results = (&manifest.spec, manifest.seed, metrics, champion, champions, front);
        let digest = blake3::hash(format!("{results:?}").as_bytes()).to_hex().to_string();
        Ok(Some(WholeRun { run, digest }))
    }
}

/// Copies a finished run. Its manifest comes last, so that a copy that was interrupted is not
/// taken for a finished run; copying again, or training, makes it whole.
pub fn copy_run(from: &Path, to: &Path) -> Result<(), RunError> {
    let (source, target) = (Folder::at(from), Folder::create(to)?);
    let _lock = target.try_lock()?;
    let copy = |from: &Folder, to: &Folder, name: &str| -> Result<(), RunError> {
        let path = from.file(name);
        if !path.exists() {
            return Ok(());
        }
        let bytes = fs::read(&path).map_err(failed("read", &path))?;
        to.write(name, &bytes)
    };
    // A checkpoint vouches for the beginning of files that grow, so they are there before it.
    for name in [SPEC, METRICS, CHAMPIONS, CHAMPION, OLDER, CHECKPOINT] {
        target.remove(&temporary(name))?;
        copy(&source, &target, name)?;
    }
    if source.has(FRONT) {
        let (players, own) = (Folder::at(&source.file(FRONT)), target.inner(FRONT)?);
        let mut number = 1;
        while players.has(&front_file(number)) {
            copy(&players, &own, &front_file(number))?;
            number += 1;
        }
    }
    copy(&source, &target, MANIFEST)
}

#[cfg(test)]
mod tests {
    use super::super::faults::{Fault, Tear, with_fault};
    use super::super::{Identity, RunDir, Stage};
    use super::*;
    use serde_json::Map;

    const IDENTITY: Identity<'_> = Identity {
        spec: "games = 40\n",
        seed: 7,
        version: "0.1.0",
        signature: 1,
        columns: "games",
    };

    fn finished(path: &Path) {
        let mut run = RunDir::open(path, &IDENTITY, Map::new()).unwrap().dir;
        run.note("20");
        run.checkpoint(1, 20, b"half", "{}", &[]).unwrap();
        run.note("40");
        run.finish(2, 40, b"end", "{\"a\":1}", &["x".into(), "y".into()]).unwrap();
    }

    #[test]
    fn a_copy_is_the_run_whenever_it_is_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        finished(&from);
        let expected = WholeRun::read(&from).unwrap().unwrap();
        for at in 1.. {
            let (_, reached) = with_fault(Fault::From(at), Tear::Half, || copy_run(&from, &to));
            if !reached {
                assert!(at > 20, "{at}");
                break;
            }
            assert!(WholeRun::read(&to).unwrap().is_none_or(|run| run.digest == expected.digest));
            // Whoever goes on with it ends with the same.
            if at % 5 == 0 {
                let opened = RunDir::open(&to, &IDENTITY, Map::new()).unwrap();
                assert!(matches!(
                    opened.progress,
                    Stage::New | Stage::Resumed(_) | Stage::Finished { .. }
                ));
            }
            copy_run(&from, &to).unwrap();
            assert_eq!(WholeRun::read(&to).unwrap().unwrap().digest, expected.digest);
            fs::remove_dir_all(&to).unwrap();
        }
    }

    #[test]
    fn a_changed_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        finished(&run);
        assert!(WholeRun::read(&folder.path().join("none")).unwrap().is_none());
        for name in [SPEC, METRICS, CHAMPIONS, CHAMPION, "front/2.json"] {
            let good = fs::read(run.join(name)).unwrap();
            fs::write(run.join(name), &good[1..]).unwrap();
            let error = WholeRun::read(&run).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
            fs::write(run.join(name), &good).unwrap();
        }
        WholeRun::read(&run).unwrap().unwrap();
    }
}
