//! Reads finished runs. No lock is taken and nothing is written.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::RunError;
use super::appended::METRICS;
use super::checkpoint::{self, Binding};
use super::folder::Folder;
use super::manifest::{Found, MANIFEST, Manifest, Status};
use super::run_dir::{
    CHAMPION, CHECKPOINT, FRONT, MAX_PLAYER_BYTES, MAX_SPEC_BYTES, SPEC, front_file,
};
use super::sealed::SealFault;
use super::spec_text::spec_hash;

/// A larger file is not read.
pub(super) const MAX_METRICS_BYTES: u64 = 1 << 30;

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
    /// The text of `champion.json`.
    pub champion: String,
    /// The files of the players of its front, if it had several objectives.
    pub front: Vec<PathBuf>,
    /// Other entries of its manifest.
    pub circumstances: Map<String, Value>,
}

impl FinishedRun {
    /// Says whether a run has begun in this folder.
    pub fn is_begun(path: &Path) -> bool {
        let folder = Folder::at(path);
        folder.has(SPEC) && folder.has(MANIFEST)
    }

    /// The learner's state at the end of this run, from its last checkpoint.
    pub fn state(&self, path: &Path) -> Result<Vec<u8>, RunError> {
        let folder = Folder::at(path);
        let altered =
            |problem: String| RunError::Altered { path: folder.file(CHECKPOINT), problem };
        let bytes = folder.read(CHECKPOINT, checkpoint::MAX_BYTES)?;
        let bytes = bytes.ok_or_else(|| altered("it is missing".into()))?;
        let (header, state) = match checkpoint::decode(&bytes) {
            Ok(decoded) => decoded,
            Err(SealFault::Damaged(problem)) => return Err(altered(problem)),
            Err(SealFault::Newer(version)) => {
                let (path, version) = (folder.file(CHECKPOINT), u64::from(version));
                return Err(RunError::Newer { path, version, newest: checkpoint::VERSION });
            }
        };
        let spec = *blake3::hash(self.spec.as_bytes()).as_bytes();
        let binding = Binding { spec, seed: self.seed, signature: self.signature };
        let end = (binding, self.generations, self.games);
        if (header.binding, header.generation, header.games) != end {
            return Err(altered("it is not that of the end of the run".into()));
        }
        Ok(state.to_vec())
    }

    /// Reads a run; `None` if it is not finished, an error if its files have changed since.
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
        let Status::Finished { generations, games, metrics, champion, front, .. } =
            &manifest.status
        else {
            return Ok(None);
        };
        // A file that is too large has changed as well.
        let whole = |name: &str, most: u64, is_it: &dyn Fn(&[u8]) -> bool| {
            let problem = "it has changed since the run ended".into();
            let altered = || RunError::Altered { path: folder.file(name), problem };
            let bytes = match folder.read(name, most) {
                Err(RunError::TooLarge { .. }) => None,
                read => read?,
            };
            let text = bytes.filter(|bytes| is_it(bytes)).and_then(|b| String::from_utf8(b).ok());
            text.ok_or_else(altered)
        };
        let has = |hash: &String| {
            let hash = hash.clone();
            move |bytes: &[u8]| blake3::hash(bytes).to_string() == hash
        };
        let champion = whole(CHAMPION, MAX_PLAYER_BYTES, &has(champion))?;
        let mut players = Vec::new();
        for (number, hash) in (1..).zip(front) {
            let name = format!("{FRONT}/{}", front_file(number));
            whole(&name, MAX_PLAYER_BYTES, &has(hash))?;
            players.push(folder.file(&name));
        }
        Ok(Some(FinishedRun {
            seed: manifest.seed,
            spec: whole(SPEC, MAX_SPEC_BYTES, &|bytes| spec_hash(bytes) == manifest.spec)?,
            metrics: whole(METRICS, MAX_METRICS_BYTES, &has(metrics))?,
            champion,
            front: players,
            generations: *generations,
            games: *games,
            program: manifest.program,
            signature: manifest.signature,
            circumstances: manifest.circumstances,
        }))
    }
}
