//! Finished runs, to be read: no lock is taken and nothing is written.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::RunError;
use super::folder::Folder;
use super::manifest::{Found, MANIFEST, Manifest, Status};
use super::metrics::METRICS;
use super::run_dir::{CHAMPION, FRONT, LARGEST_TEXT, SPEC, front_file};

/// A run that has played all its games.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedRun {
    /// Its seed.
    pub seed: u64,
    /// The text of `spec.toml`.
    pub spec: String,
    /// The version of the program that made it.
    pub program: String,
    /// The stamp of its method with that program.
    pub signature: u64,
    /// Generations done.
    pub generations: u64,
    /// Games played.
    pub games: u64,
    /// The text of `metrics.csv`.
    pub metrics: String,
    /// The file of its champion.
    pub champion: PathBuf,
    /// The files of the players of its front, if it had several objectives.
    pub front: Vec<PathBuf>,
    /// What else its manifest keeps.
    pub circumstances: Map<String, Value>,
}

impl FinishedRun {
    /// Says whether a run has begun in this folder.
    pub fn is_begun(path: &Path) -> bool {
        let folder = Folder::at(path);
        folder.has(SPEC) && folder.has(MANIFEST)
    }

    /// Reads a run; `None` if it is not finished, an error if what it made is not what it was.
    pub fn read(path: &Path) -> Result<Option<FinishedRun>, RunError> {
        let folder = Folder::at(path);
        let manifest = match Manifest::read(&folder)? {
            Found::Missing => return Ok(None),
            Found::Foreign => {
                let found = MANIFEST.into();
                return Err(RunError::SomethingElse { path: path.into(), found });
            }
            Found::Damaged(problem) => {
                return Err(RunError::Altered { path: folder.file(MANIFEST), problem });
            }
            Found::Whole(manifest) => *manifest,
        };
        let Status::Finished { generations, games, metrics, champion, front } = &manifest.status
        else {
            return Ok(None);
        };
        let whole = |name: &str, hash: Option<&String>| {
            let bytes = folder.read(name, LARGEST_TEXT)?.unwrap_or_default();
            let same = hash.is_none_or(|hash| blake3::hash(&bytes).to_string() == *hash);
            let text = String::from_utf8(bytes).ok().filter(|text| same && !text.is_empty());
            let problem = "it is not what it was when the run ended".into();
            text.ok_or_else(|| RunError::Altered { path: folder.file(name), problem })
        };
        whole(CHAMPION, Some(champion))?;
        let mut players = Vec::new();
        for (number, hash) in (1..).zip(front) {
            let name = format!("{FRONT}/{}", front_file(number));
            whole(&name, Some(hash))?;
            players.push(folder.file(&name));
        }
        Ok(Some(FinishedRun {
            seed: manifest.seed,
            spec: whole(SPEC, None)?,
            metrics: whole(METRICS, Some(metrics))?,
            champion: folder.file(CHAMPION),
            front: players,
            generations: *generations,
            games: *games,
            program: manifest.program,
            signature: manifest.signature,
            circumstances: manifest.circumstances,
        }))
    }
}
