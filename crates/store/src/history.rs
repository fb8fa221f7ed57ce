//! `champions.bin`: the champions of a run, one for each probe, in blocks as in [`Partial`]
//! (length, bytes, hash). The first block is the head, which names the format. This crate does not
//! know what a champion is: it has a shape, which rarely changes, and numbers.
//!
//! [`Partial`]: super::Partial

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::RunError;
use super::appended::{Appended, Mark};
use super::blocks::{first_block, sealed};
use super::folder::Folder;
use super::manifest::{Found, Manifest, Status};

/// The name of the file.
pub(super) const CHAMPIONS: &str = "champions.bin";
const MAGIC: &[u8; 8] = b"OUTFLHIS";
/// The version this program writes, and the newest it reads.
const VERSION: u32 = 1;
/// A larger file is not read.
const MAX_BYTES: u64 = 8 << 30;

/// The champion of a run at some moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptChampion {
    /// Games played.
    pub games: u64,
    /// Generations done.
    pub generation: u64,
    /// All but its numbers.
    pub shape: Arc<[u8]>,
    /// Its numbers.
    pub numbers: Arc<[u8]>,
}

/// What a checkpoint records of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HistoryMark {
    /// Its bytes.
    pub file: Mark,
    /// Its blocks, with the head.
    pub records: u64,
    /// The hashes of the shape and the numbers of the last champion.
    pub last: [[u8; 32]; 2],
}

/// A block after the head; a part is left out if it is that of the block before.
#[derive(Serialize, Deserialize)]
struct Record<'a> {
    games: u64,
    generation: u64,
    #[serde(borrow)]
    shape: Option<&'a [u8]>,
    #[serde(borrow)]
    numbers: Option<&'a [u8]>,
}

/// The history of a run that is going on.
#[derive(Debug)]
pub(super) struct History {
    file: Appended,
    records: u64,
    last: [[u8; 32]; 2],
}

/// The beginning of the file.
fn head() -> Vec<u8> {
    sealed(0, &[&MAGIC[..], &VERSION.to_le_bytes()].concat())
}

impl History {
    /// Makes the file again, without champions.
    pub fn begin(folder: &Folder) -> Result<History, RunError> {
        Ok(History::of(Appended::begin(folder, CHAMPIONS, &head())?))
    }

    fn of(file: Appended) -> History {
        // No bytes have this hash.
        History { file, records: 1, last: [[0; 32]; 2] }
    }

    /// Checks the file against a checkpoint; says what is wrong if they disagree.
    pub fn check(folder: &Folder, mark: &HistoryMark) -> Result<Result<History, String>, RunError> {
        let HistoryMark { file, records, last } = mark;
        let checked = Appended::check(folder, CHAMPIONS, &head(), file)?;
        Ok(checked.map(|file| History { file, records: *records, last: *last }))
    }

    /// The file of a finished run, to which nothing is added; empty if there is none.
    pub fn whole(folder: &Folder) -> Result<History, RunError> {
        Ok(History::of(Appended::whole(folder, CHAMPIONS)?.unwrap_or(Appended::none(CHAMPIONS))))
    }

    /// The hash of all that is covered by a checkpoint.
    pub fn hash(&self) -> blake3::Hash {
        self.file.hash()
    }

    /// Cuts off what is not covered by the checkpoint.
    pub fn cut(self, folder: &Folder) -> Result<History, RunError> {
        self.file.cut(folder)?;
        Ok(self)
    }

    /// Adds a champion, at first only in memory.
    pub fn add(&mut self, champion: &KeptChampion) {
        let KeptChampion { games, generation, shape, numbers } = champion;
        let parts = [shape, numbers];
        let hashes = parts.map(|part| *blake3::hash(part).as_bytes());
        let is_new = |part: usize| hashes[part] != self.last[part];
        let [shape, numbers] = [0, 1].map(|part| is_new(part).then_some(&**parts[part]));
        let record = Record { games: *games, generation: *generation, shape, numbers };
        let record = postcard::to_stdvec(&record).expect("bytes can be written to memory");
        self.file.add(&sealed(self.records, &record));
        self.records += 1;
        self.last = hashes;
    }

    /// Writes waiting champions to disk and returns what a checkpoint records. They keep waiting
    /// until [`History::commit`].
    pub fn append(&self, folder: &Folder) -> Result<HistoryMark, RunError> {
        let file = self.file.append(folder)?;
        Ok(HistoryMark { file, records: self.records, last: self.last })
    }

    /// Marks all champions as covered by a checkpoint.
    pub fn commit(&mut self) {
        self.file.commit();
    }
}

/// Reads the champions of a run, the first one first; none if its program kept no history. No lock
/// is taken: of a run that is going on, the champions that were written whole are read.
pub fn read_champions(path: &Path) -> Result<Vec<KeptChampion>, RunError> {
    let folder = Folder::at(path);
    // Read before the champions: of a run that is finished they no longer change.
    let expected = match Manifest::read(&folder)? {
        Found::Whole(manifest) => match manifest.status {
            Status::Finished { champions, .. } => Some(champions),
            Status::Running | Status::Interrupted => None,
        },
        Found::Missing | Found::Foreign | Found::Damaged(_) => None,
    };
    let altered = |problem: String| RunError::Altered { path: folder.file(CHAMPIONS), problem };
    let bytes = folder.read(CHAMPIONS, MAX_BYTES)?;
    let bytes = match (bytes, &expected) {
        (Some(bytes), _) => bytes,
        (None, Some(Some(_))) => return Err(altered("it is missing".into())),
        (None, _) => return Ok(Vec::new()),
    };
    let (champions, rest) = match decode(&bytes) {
        Ok(decoded) => decoded,
        Err(Fault::Damaged(problem)) => return Err(altered(problem)),
        Err(Fault::Newer(version)) => {
            let (path, version) = (folder.file(CHAMPIONS), u64::from(version));
            return Err(RunError::Newer { path, version, newest: VERSION });
        }
    };
    match expected {
        Some(Some(hash)) if blake3::hash(&bytes).to_string() != hash => {
            let problem = match rest {
                0 => "it has changed since the run ended".into(),
                _ => format!("champion {} of its history is damaged", champions.len() + 1),
            };
            Err(altered(problem))
        }
        _ => Ok(champions),
    }
}

/// Why a history cannot be read.
enum Fault {
    Damaged(String),
    Newer(u32),
}

/// The champions before the first incomplete one, and how many bytes follow them.
fn decode(bytes: &[u8]) -> Result<(Vec<KeptChampion>, usize), Fault> {
    let damaged = |problem: &str| Fault::Damaged(problem.into());
    let (head, mut rest) = first_block(0, bytes).ok_or_else(|| damaged("its head is damaged"))?;
    let version = head.strip_prefix(MAGIC).and_then(<[u8]>::first_chunk);
    match version.map(|version| u32::from_le_bytes(*version)) {
        Some(VERSION) => {}
        Some(version) if version > VERSION => return Err(Fault::Newer(version)),
        _ => return Err(damaged("it does not begin like a history of champions")),
    }
    let mut champions: Vec<KeptChampion> = Vec::new();
    while let Some((block, after)) = first_block(1 + champions.len() as u64, rest) {
        // With a correct checksum, some program wrote these bytes.
        let wrong = || damaged("a champion has no shape or numbers");
        let record: Record<'_> = postcard::from_bytes(block).map_err(|_| wrong())?;
        let last = champions.last();
        let shape = record.shape.map(Arc::from).or_else(|| Some(last?.shape.clone()));
        let numbers = record.numbers.map(Arc::from).or_else(|| Some(last?.numbers.clone()));
        let (Some(shape), Some(numbers)) = (shape, numbers) else { return Err(wrong()) };
        let Record { games, generation, .. } = record;
        champions.push(KeptChampion { games, generation, shape, numbers });
        rest = after;
    }
    Ok((champions, rest.len()))
}
