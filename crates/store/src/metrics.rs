//! `metrics.csv`: rows are appended and flushed before the checkpoint, which records the number of
//! bytes and their hash. Bytes after those are cut off when a run resumes.

use std::io::{self, Read};

use super::RunError;
use super::folder::{Folder, failed};

/// The name of the file.
pub(super) const METRICS: &str = "metrics.csv";

/// The rows covered by a checkpoint, and those that wait for the next.
#[derive(Debug)]
pub(super) struct Metrics {
    length: u64,
    hasher: blake3::Hasher,
    pending: String,
}

impl Metrics {
    /// Makes the file again, with only the names of the columns.
    pub fn begin(folder: &Folder, columns: &str) -> Result<Metrics, RunError> {
        let line = format!("{columns}\n");
        folder.write(METRICS, line.as_bytes())?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(line.as_bytes());
        Ok(Metrics { length: line.len() as u64, hasher, pending: String::new() })
    }

    /// Checks the file against a checkpoint; says what is wrong if they disagree.
    pub fn check(
        folder: &Folder,
        columns: &str,
        length: u64,
        hash: &[u8; 32],
    ) -> Result<Result<Metrics, String>, RunError> {
        let Some(file) = folder.open(METRICS)? else {
            return Ok(Err(format!("{METRICS} is missing")));
        };
        let mut start = Vec::new();
        let mut hasher = blake3::Hasher::new();
        let read = || -> io::Result<bool> {
            if file.metadata()?.len() < length {
                return Ok(false);
            }
            let mut file = file.take(length);
            (&mut file).take(columns.len() as u64 + 1).read_to_end(&mut start)?;
            hasher.update(&start);
            hasher.update_reader(file)?;
            Ok(true)
        };
        if !read().map_err(failed("read", &folder.file(METRICS)))? {
            return Ok(Err(format!("{METRICS} is shorter than {length} bytes")));
        }
        if hasher.finalize() != *hash {
            return Ok(Err(format!("the first {length} bytes of {METRICS} have changed")));
        }
        if start != format!("{columns}\n").as_bytes() {
            return Ok(Err(format!("{METRICS} has other columns")));
        }
        Ok(Ok(Metrics { length, hasher, pending: String::new() }))
    }

    /// The file as it is; `None` if there is none.
    pub fn whole(folder: &Folder) -> Result<Option<Metrics>, RunError> {
        let Some(file) = folder.open(METRICS)? else {
            return Ok(None);
        };
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(file).map_err(failed("read", &folder.file(METRICS)))?;
        Ok(Some(Metrics { length: hasher.count(), hasher, pending: String::new() }))
    }

    /// The hash of all rows covered by a checkpoint.
    pub fn hash(&self) -> blake3::Hash {
        self.hasher.finalize()
    }

    /// Cuts off the rows not covered by the checkpoint.
    pub fn cut(&self, folder: &Folder) -> Result<(), RunError> {
        folder.write_end(METRICS, self.length, b"")
    }

    /// Adds a row, at first only in memory.
    pub fn note(&mut self, row: &str) {
        debug_assert!(!row.contains('\n'), "a row is a line: {row:?}");
        self.pending.push_str(row);
        self.pending.push('\n');
    }

    /// Writes waiting rows to disk and returns the length and hash for a checkpoint. They keep
    /// waiting until [`Metrics::commit`].
    pub fn append(&self, folder: &Folder) -> Result<(u64, [u8; 32]), RunError> {
        if !self.pending.is_empty() {
            folder.write_end(METRICS, self.length, self.pending.as_bytes())?;
        }
        let hash = self.hasher.clone().update(self.pending.as_bytes()).finalize();
        Ok((self.length + self.pending.len() as u64, hash.into()))
    }

    /// Marks all rows as covered by a checkpoint.
    pub fn commit(&mut self) {
        self.hasher.update(self.pending.as_bytes());
        self.length += self.pending.len() as u64;
        self.pending.clear();
    }
}
