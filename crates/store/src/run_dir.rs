//! A run folder: `spec.toml`, `manifest.json`, `metrics.csv`, `champions.bin`, `champion.json`,
//! `checkpoint.bin` and the one before it, `lock`, and the front of a run with several objectives:
//! `front/` if it is finished, else `front.json`.
//! At every moment the disk holds the state of the last checkpoint or of the one before, whatever
//! happens to the process.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::RunError;
use super::appended::{Appended, METRICS};
use super::checkpoint::{self, Binding, Checkpoint, Header};
use super::folder::{Folder, Lock, temporary};
use super::history::{CHAMPIONS, History, KeptChampion};
use super::manifest::{Found, MANIFEST, Manifest, Status};
use super::sealed::SealFault;
use super::spec_text::{spec_difference, spec_hash, spec_id};

pub(super) const SPEC: &str = "spec.toml";
pub(super) const CHAMPION: &str = "champion.json";
pub(super) const CHECKPOINT: &str = "checkpoint.bin";
pub(super) const OLDER: &str = "checkpoint.older.bin";
/// The folder of a front, whose players are `1.json` and so on.
pub(super) const FRONT: &str = "front";
/// The players of the front at the last checkpoint, while a run is not finished.
pub(super) const STANDING_FRONT: &str = "front.json";

/// The files that are written as a whole.
pub(super) const WRITTEN: [&str; 7] =
    [SPEC, METRICS, CHAMPIONS, MANIFEST, CHECKPOINT, CHAMPION, STANDING_FRONT];
/// A larger spec is not ours.
pub(super) const MAX_SPEC_BYTES: u64 = 16 << 20;
/// A larger champion is not ours: no larger player is read.
pub(super) const MAX_PLAYER_BYTES: u64 = 64 << 20;

/// What a run directory must agree with to be continued.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// The resolved spec as TOML: the text of `spec.toml`.
    pub spec: &'a str,
    /// The seed of the run.
    pub seed: u64,
    /// The version of the program.
    pub version: &'a str,
    /// The stamp of the method with the program.
    pub signature: u64,
    /// The first line of `metrics.csv`.
    pub columns: &'a str,
}

/// A run directory that this process alone writes to.
#[derive(Debug)]
pub struct RunDir {
    folder: Folder,
    manifest: Manifest,
    binding: Binding,
    metrics: Appended,
    champions: History,
    _lock: Lock,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// At its beginning.
    New,
    /// At a checkpoint. It may be the last one of a run that was not yet marked as finished.
    Resumed(Checkpoint),
    /// At its end.
    Finished {
        /// Generations done.
        generation: u64,
        /// Games played.
        games: u64,
    },
}

/// A run directory, just opened.
#[derive(Debug)]
pub struct Opened {
    /// The directory.
    pub dir: RunDir,
    /// How far its run is.
    pub progress: Stage,
    /// Damage that was repaired.
    pub warnings: Vec<String>,
}

impl RunDir {
    /// Opens a run folder, or makes one; refuses the folder of another run. `circumstances` are
    /// kept in the manifest and change no results.
    pub fn open(
        path: &Path,
        identity: &Identity<'_>,
        circumstances: Map<String, Value>,
    ) -> Result<Opened, RunError> {
        let folder = Folder::create(path)?;
        // Before the lock, so that nothing is left in a folder that is not ours.
        agreed_manifest(&folder, identity)?;
        let lock = folder.try_lock()?;
        let found = agreed_manifest(&folder, identity)?;
        for name in WRITTEN {
            folder.remove(&temporary(name))?;
        }
        // Without a flush, a power failure could still lose what is visible now.
        folder.flush()?;
        let mut warnings = Vec::new();
        if folder.read(SPEC, MAX_SPEC_BYTES)?.is_some_and(|spec| spec != identity.spec.as_bytes()) {
            folder.write(SPEC, identity.spec.as_bytes())?;
            let path = folder.file(SPEC);
            warnings.push(format!("{} was damaged; wrote it again", path.display()));
        }
        let mut manifest = identity.manifest();
        match found {
            Found::Missing | Found::Foreign => {}
            Found::Damaged(problem) => {
                let path = folder.file(MANIFEST);
                warnings.push(format!("{} is damaged: {problem}; wrote it again", path.display()));
            }
            Found::Whole(whole) => manifest = *whole,
        }
        let binding = identity.binding();
        if let Status::Finished { generations, games, .. } = manifest.status {
            match outcome(&folder, &manifest.status)? {
                Ok((metrics, champions)) => {
                    folder.write_once(SPEC, identity.spec.as_bytes())?;
                    let dir = RunDir { folder, manifest, binding, metrics, champions, _lock: lock };
                    let progress = Stage::Finished { generation: generations, games };
                    return Ok(Opened { dir, progress, warnings });
                }
                Err(problem) => {
                    warnings.push(format!("{}: {problem}; made it again", path.display()));
                }
            }
            refuse_other_signature(&folder, &manifest, identity)?;
        }
        folder.write_once(SPEC, identity.spec.as_bytes())?;
        let (progress, metrics, champions) =
            match latest(&folder, identity, &manifest, &mut warnings)? {
                Some((checkpoint, metrics, champions)) => {
                    (Stage::Resumed(checkpoint), metrics, champions)
                }
                None => {
                    let metrics = Appended::begin(&folder, METRICS, &identity.first_line())?;
                    (Stage::New, metrics, History::begin(&folder)?)
                }
            };
        manifest.status = Status::Running;
        manifest.circumstances = circumstances;
        manifest.write(&folder)?;
        let dir = RunDir { folder, manifest, binding, metrics, champions, _lock: lock };
        Ok(Opened { dir, progress, warnings })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The file of its champion, which exists after the first checkpoint.
    pub fn champion(&self) -> PathBuf {
        self.folder.file(CHAMPION)
    }

    /// The file of its metrics.
    pub fn metrics(&self) -> PathBuf {
        self.folder.file(METRICS)
    }

    /// An entry of the manifest that changes no results.
    pub fn circumstance(&self, key: &str) -> Option<&Value> {
        self.manifest.circumstances.get(key)
    }

    /// Sets an entry of the manifest, which [`RunDir::finish`] writes.
    pub fn set_circumstance(&mut self, key: &str, value: Value) {
        self.manifest.circumstances.insert(key.into(), value);
    }

    /// Adds a row to the metrics; the next checkpoint writes it.
    pub fn note(&mut self, row: &str) {
        debug_assert!(!row.contains('\n'), "a row is a line: {row:?}");
        self.metrics.add(format!("{row}\n").as_bytes());
    }

    /// Adds the champion of this moment to the history; the next checkpoint writes it. A part that
    /// is that of the champion before is not written again.
    pub fn remember(&mut self, champion: &KeptChampion) {
        self.champions.add(champion);
    }

    /// Writes all rows and remembered champions, the state, the champion (the text of
    /// `champion.json`) and the players of the front, if any (as texts in one file). After an error
    /// the run on disk is either as before or as it should be, and the call may be repeated.
    pub fn checkpoint(
        &mut self,
        generation: u64,
        games: u64,
        state: &[u8],
        champion: &str,
        front: &[String],
    ) -> Result<(), RunError> {
        assert!(!self.manifest.is_finished(), "a finished run is not written to");
        let metrics = self.metrics.append(&self.folder)?;
        let champions = Some(self.champions.append(&self.folder)?);
        let header = Header { binding: self.binding, generation, games, metrics, champions };
        self.folder.stage(CHECKPOINT, &checkpoint::encode(&header, state))?;
        if self.folder.has(CHECKPOINT) {
            self.folder.rename(CHECKPOINT, OLDER)?;
        }
        self.folder.rename(&temporary(CHECKPOINT), CHECKPOINT)?;
        self.metrics.commit();
        self.champions.commit();
        self.folder.flush()?;
        self.folder.write(CHAMPION, champion.as_bytes())?;
        if front.is_empty() {
            return self.folder.remove(STANDING_FRONT);
        }
        let texts = serde_json::to_vec(front).expect("texts are plain JSON");
        self.folder.write(STANDING_FRONT, &texts)
    }

    /// Marks the run as interrupted in the manifest. It can continue from its last checkpoint.
    pub fn interrupt(&mut self) -> Result<(), RunError> {
        assert!(!self.manifest.is_finished(), "a finished run is not written to");
        self.manifest.status = Status::Interrupted;
        self.manifest.write(&self.folder)
    }

    /// Writes the last checkpoint, the players of the front, if any, and then the finished
    /// manifest.
    pub fn finish(
        &mut self,
        generation: u64,
        games: u64,
        state: &[u8],
        champion: &str,
        front: &[String],
    ) -> Result<(), RunError> {
        self.checkpoint(generation, games, state, champion, &[])?;
        if !front.is_empty() {
            let folder = self.folder.inner(FRONT)?;
            for (number, player) in (1..).zip(front) {
                folder.write(&front_file(number), player.as_bytes())?;
            }
        }
        let mut manifest = self.manifest.clone();
        manifest.status = Status::Finished {
            generations: generation,
            games,
            metrics: self.metrics.hash().to_string(),
            champion: blake3::hash(champion.as_bytes()).to_string(),
            champions: Some(self.champions.hash().to_string()),
            front: front.iter().map(|text| blake3::hash(text.as_bytes()).to_string()).collect(),
        };
        manifest.write(&self.folder)?;
        self.manifest = manifest;
        Ok(())
    }
}

/// The file of a player of a front.
pub(super) fn front_file(number: usize) -> String {
    format!("{number}.json")
}

impl Identity<'_> {
    fn binding(&self) -> Binding {
        let spec = blake3::hash(self.spec.as_bytes()).into();
        Binding { spec, seed: self.seed, signature: self.signature }
    }

    /// The beginning of `metrics.csv`.
    fn first_line(&self) -> Vec<u8> {
        format!("{}\n", self.columns).into_bytes()
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(self.version, self.signature, self.seed, spec_id(self.spec))
    }
}

/// Reads the manifest; an error unless the folder is empty or belongs to the requested run.
fn agreed_manifest(folder: &Folder, identity: &Identity<'_>) -> Result<Found, RunError> {
    let path = || folder.path().to_owned();
    let something_else =
        |found: &str| RunError::SomethingElse { path: path(), found: found.into() };
    // Listed before looking for the spec: a process that begins a run writes that first.
    let stranger = folder.stranger(&WRITTEN)?;
    let spec = folder.read(SPEC, MAX_SPEC_BYTES)?;
    let found = Manifest::read(folder)?;
    let here = spec_id(identity.spec);
    match (&spec, &found) {
        (_, Found::Foreign) => return Err(something_else(MANIFEST)),
        (None, Found::Missing | Found::Damaged(_)) => {
            if let Some(stranger) = stranger {
                return Err(something_else(&stranger));
            }
        }
        // The manifest shows which of the two specs was changed.
        (Some(spec), Found::Whole(manifest))
            if manifest.spec == here && spec_hash(spec) != manifest.spec => {}
        (Some(spec), _) if spec != identity.spec.as_bytes() => {
            let difference = spec_difference(&String::from_utf8_lossy(spec), identity.spec);
            return Err(RunError::OtherSpec { path: path(), difference });
        }
        (_, Found::Whole(manifest)) if manifest.spec != here => {
            let difference = format!("the hash is {} there, {here} here", manifest.spec);
            return Err(RunError::OtherSpec { path: path(), difference });
        }
        _ => {}
    }
    if let Found::Whole(manifest) = &found {
        let (there, here) = (manifest.seed, identity.seed);
        if there != here {
            return Err(RunError::OtherSeed { path: path(), there, here });
        }
        if !manifest.is_finished() {
            refuse_other_signature(folder, manifest, identity)?;
        }
    }
    Ok(found)
}

fn refuse_other_signature(
    folder: &Folder,
    manifest: &Manifest,
    identity: &Identity<'_>,
) -> Result<(), RunError> {
    if manifest.signature == identity.signature {
        return Ok(());
    }
    Err(RunError::OtherSignature {
        path: folder.path().into(),
        there: manifest.signature,
        version: manifest.program.clone(),
        here: identity.signature,
    })
}

/// Checks the files of a finished run against its manifest; says what is wrong.
fn outcome(
    folder: &Folder,
    status: &Status,
) -> Result<Result<(Appended, History), String>, RunError> {
    let Status::Finished { metrics, champion, champions, front, .. } = status else {
        return Ok(Err("not finished".into()));
    };
    let hash_of = |folder: &Folder, name: &str| match folder.read(name, MAX_PLAYER_BYTES) {
        Err(RunError::TooLarge { .. }) => Ok(None),
        read => Ok(read?.map(|bytes| blake3::hash(&bytes).to_string())),
    };
    if hash_of(folder, CHAMPION)?.as_ref() != Some(champion) {
        return Ok(Err(format!("{CHAMPION} has changed")));
    }
    let players = Folder::at(&folder.file(FRONT));
    for (number, expected) in (1..).zip(front) {
        let file = front_file(number);
        if hash_of(&players, &file)?.as_ref() != Some(expected) {
            return Ok(Err(format!("{FRONT}/{file} has changed")));
        }
    }
    let history = History::whole(folder)?;
    if champions.as_ref().is_some_and(|champions| history.hash().to_string() != *champions) {
        return Ok(Err(format!("{CHAMPIONS} has changed")));
    }
    Ok(match Appended::whole(folder, METRICS)? {
        Some(whole) if whole.hash().to_string() == *metrics => Ok((whole, history)),
        _ => Err(format!("{METRICS} has changed")),
    })
}

/// Makes the newest usable checkpoint `checkpoint.bin`, and cuts metrics and champions to it. If
/// there is none, the old files are removed.
fn latest(
    folder: &Folder,
    identity: &Identity<'_>,
    manifest: &Manifest,
    warnings: &mut Vec<String>,
) -> Result<Option<Restored>, RunError> {
    let mut problems = Vec::new();
    for name in [CHECKPOINT, OLDER] {
        match read_checkpoint(folder, name, identity, manifest)? {
            None => {}
            Some(Err(problem)) => {
                problems.push(format!("{} is unusable: {problem}", folder.file(name).display()));
            }
            Some(Ok((checkpoint, metrics, champions))) => {
                if name == OLDER {
                    // Otherwise the next checkpoint would replace it by the damaged one.
                    folder.rename(OLDER, CHECKPOINT)?;
                    folder.flush()?;
                }
                metrics.cut(folder)?;
                let champions = match champions {
                    Some(champions) => champions.cut(folder)?,
                    None => History::begin(folder)?,
                };
                warnings
                    .extend(problems.iter().map(|p| format!("{p}; went back to the one before")));
                return Ok(Some((checkpoint, metrics, champions)));
            }
        }
    }
    if !problems.is_empty() {
        folder.remove(CHECKPOINT)?;
        folder.remove(OLDER)?;
        warnings.push(format!(
            "{}; restarted from the beginning; the result will be the same",
            problems.join("; ")
        ));
    }
    Ok(None)
}

/// A checkpoint, with the files that grow as they were then.
type Restored = (Checkpoint, Appended, History);
/// The same, or why it cannot be used. A checkpoint of an older program has no history.
type Usable = Result<(Checkpoint, Appended, Option<History>), String>;

/// Reads a checkpoint, or says why it cannot be used; `None` if there is none.
fn read_checkpoint(
    folder: &Folder,
    name: &str,
    identity: &Identity<'_>,
    manifest: &Manifest,
) -> Result<Option<Usable>, RunError> {
    let bytes = match folder.read(name, checkpoint::MAX_BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(None),
        Err(RunError::TooLarge { .. }) => return Ok(Some(Err("it is too large".into()))),
        Err(error) => return Err(error),
    };
    let (header, state) = match checkpoint::decode(&bytes) {
        Ok(decoded) => decoded,
        Err(SealFault::Damaged(problem)) => return Ok(Some(Err(problem))),
        Err(SealFault::Newer(version)) => {
            let (path, version) = (folder.file(name), u64::from(version));
            return Err(RunError::Newer { path, version, newest: checkpoint::VERSION });
        }
    };
    let (there, here) = (header.binding, identity.binding());
    if (there.spec, there.seed) != (here.spec, here.seed) {
        return Ok(Some(Err("it belongs to another run".into())));
    }
    let signed = Manifest { signature: there.signature, ..manifest.clone() };
    refuse_other_signature(folder, &signed, identity)?;
    let metrics = Appended::check(folder, METRICS, &identity.first_line(), &header.metrics)?;
    let champions = match &header.champions {
        Some(mark) => History::check(folder, mark)?.map(Some),
        None => Ok(None),
    };
    let Header { generation, games, .. } = header;
    let checkpoint = Checkpoint { generation, games, state: state.to_vec() };
    Ok(Some(metrics.and_then(|metrics| Ok((checkpoint, metrics, champions?)))))
}
