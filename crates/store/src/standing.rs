//! Reads runs that are not finished as they stand at their last checkpoint. No lock is taken and
//! nothing is written; the run may be going on.

use std::path::Path;

use serde_json::{Map, Value};

use super::RunError;
use super::appended::{METRICS, Mark};
use super::checkpoint;
use super::finished::MAX_METRICS_BYTES;
use super::folder::Folder;
use super::manifest::{Found, Manifest};
use super::run_dir::{CHECKPOINT, MAX_SPEC_BYTES, OLDER, SPEC};
use super::sealed::SealFault;
use super::spec_text::spec_hash;

/// A run that has games to play, as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct StandingRun {
    /// Its seed.
    pub seed: u64,
    /// The text of `spec.toml`.
    pub spec: String,
    /// The version of the program that began it.
    pub program: String,
    /// The stamp of its method with that program.
    pub signature: u64,
    /// Generations done at the last checkpoint.
    pub generations: u64,
    /// Games played at the last checkpoint.
    pub games: u64,
    /// The text of `metrics.csv` up to that checkpoint.
    pub metrics: String,
    /// Other entries of its manifest.
    pub circumstances: Map<String, Value>,
}

impl StandingRun {
    /// Says whether a run in this folder has begun and is not finished.
    pub fn is_there(path: &Path) -> bool {
        let found = Manifest::read(&Folder::at(path));
        matches!(found, Ok(Found::Whole(manifest)) if !manifest.is_finished())
    }

    /// Reads a run; `None` if it is finished or has no checkpoint yet.
    pub fn read(path: &Path) -> Result<Option<StandingRun>, RunError> {
        let folder = Folder::at(path);
        let Found::Whole(manifest) = Manifest::read(&folder)? else { return Ok(None) };
        if manifest.is_finished() {
            return Ok(None);
        }
        let altered = |name: &str, problem: &str| RunError::Altered {
            path: folder.file(name),
            problem: problem.into(),
        };
        let Some(spec) = folder.read(SPEC, MAX_SPEC_BYTES)? else { return Ok(None) };
        let spec =
            String::from_utf8(spec).ok().filter(|t| spec_hash(t.as_bytes()) == manifest.spec);
        let spec = spec.ok_or_else(|| altered(SPEC, "it has changed since the run began"))?;
        let Some((generations, games, mark)) = newest(&folder, &spec, manifest.seed)? else {
            return Ok(None);
        };
        // Rows are only added, so what the checkpoint covers stays, even if the run goes on.
        let bytes = folder.read(METRICS, MAX_METRICS_BYTES)?.unwrap_or_default();
        let covered = usize::try_from(mark.length).ok().and_then(|length| bytes.get(..length));
        let whole = covered.filter(|bytes| *blake3::hash(bytes).as_bytes() == mark.hash);
        let text = whole.and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        let changed = "it has changed since the last checkpoint";
        Ok(Some(StandingRun {
            seed: manifest.seed,
            spec,
            program: manifest.program,
            signature: manifest.signature,
            generations,
            games,
            metrics: text.ok_or_else(|| altered(METRICS, changed))?,
            circumstances: manifest.circumstances,
        }))
    }
}

/// The generations, games and metrics of the newest checkpoint of a run. While a checkpoint is
/// replaced, there is for a moment only the older one.
fn newest(folder: &Folder, spec: &str, seed: u64) -> Result<Option<(u64, u64, Mark)>, RunError> {
    for name in [CHECKPOINT, OLDER] {
        let Some(bytes) = folder.read(name, checkpoint::MAX_BYTES)? else { continue };
        match checkpoint::decode(&bytes) {
            Ok((header, _)) => {
                let own = (*blake3::hash(spec.as_bytes()).as_bytes(), seed);
                if (header.binding.spec, header.binding.seed) == own {
                    return Ok(Some((header.generation, header.games, header.metrics)));
                }
            }
            Err(SealFault::Newer(version)) => {
                let (path, version) = (folder.file(name), u64::from(version));
                return Err(RunError::Newer { path, version, newest: checkpoint::VERSION });
            }
            // Training goes back to the older one, too.
            Err(SealFault::Damaged(_)) => {}
        }
    }
    Ok(None)
}
