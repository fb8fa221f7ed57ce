//! Files that grow with a run, `metrics.csv` and `champions.bin`. What is new is appended and
//! flushed before the checkpoint, which records the number of bytes and their hash. Bytes after
//! those are cut off when a run resumes.

use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use super::RunError;
use super::folder::{Folder, failed};

/// The name of the file of measurements.
pub(super) const METRICS: &str = "metrics.csv";

/// The part of such a file that a checkpoint covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    /// Its bytes.
    pub length: u64,
    /// Their hash.
    pub hash: [u8; 32],
}

/// The bytes covered by a checkpoint, and those that wait for the next.
#[derive(Debug)]
pub(super) struct Appended {
    name: &'static str,
    length: u64,
    hasher: blake3::Hasher,
    pending: Vec<u8>,
}

impl Appended {
    /// Makes the file again, with only its beginning.
    pub fn begin(folder: &Folder, name: &'static str, start: &[u8]) -> Result<Appended, RunError> {
        folder.write(name, start)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(start);
        Ok(Appended { name, length: start.len() as u64, hasher, pending: Vec::new() })
    }

    /// Checks the file against a checkpoint; says what is wrong if they disagree.
    pub fn check(
        folder: &Folder,
        name: &'static str,
        start: &[u8],
        mark: &Mark,
    ) -> Result<Result<Appended, String>, RunError> {
        let Some(file) = folder.open(name)? else {
            return Ok(Err(format!("{name} is missing")));
        };
        let length = mark.length;
        let mut found = Vec::new();
        let mut hasher = blake3::Hasher::new();
        let read = || -> io::Result<bool> {
            if file.metadata()?.len() < length {
                return Ok(false);
            }
            let mut file = file.take(length);
            (&mut file).take(start.len() as u64).read_to_end(&mut found)?;
            hasher.update(&found);
            hasher.update_reader(file)?;
            Ok(true)
        };
        if !read().map_err(failed("read", &folder.file(name)))? {
            return Ok(Err(format!("{name} is shorter than {length} bytes")));
        }
        if hasher.finalize() != mark.hash {
            return Ok(Err(format!("the first {length} bytes of {name} have changed")));
        }
        if found != start {
            return Ok(Err(format!("{name} has another beginning")));
        }
        Ok(Ok(Appended { name, length, hasher, pending: Vec::new() }))
    }

    /// The file as it is; `None` if there is none.
    pub fn whole(folder: &Folder, name: &'static str) -> Result<Option<Appended>, RunError> {
        let Some(file) = folder.open(name)? else {
            return Ok(None);
        };
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(file).map_err(failed("read", &folder.file(name)))?;
        Ok(Some(Appended { name, length: hasher.count(), hasher, pending: Vec::new() }))
    }

    /// A file that is not there, of a finished run.
    pub fn none(name: &'static str) -> Appended {
        Appended { name, length: 0, hasher: blake3::Hasher::new(), pending: Vec::new() }
    }

    /// The hash of all bytes covered by a checkpoint.
    pub fn hash(&self) -> blake3::Hash {
        self.hasher.finalize()
    }

    /// Cuts off the bytes not covered by the checkpoint.
    pub fn cut(&self, folder: &Folder) -> Result<(), RunError> {
        folder.write_end(self.name, self.length, b"")
    }

    /// Adds bytes, at first only in memory.
    pub fn add(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Writes waiting bytes to disk and returns what a checkpoint records. They keep waiting until
    /// [`Appended::commit`].
    pub fn append(&self, folder: &Folder) -> Result<Mark, RunError> {
        if !self.pending.is_empty() {
            folder.write_end(self.name, self.length, &self.pending)?;
        }
        let hash = self.hasher.clone().update(&self.pending).finalize();
        Ok(Mark { length: self.length + self.pending.len() as u64, hash: hash.into() })
    }

    /// Marks all bytes as covered by a checkpoint.
    pub fn commit(&mut self) {
        self.hasher.update(&self.pending);
        self.length += self.pending.len() as u64;
        self.pending.clear();
    }
}
