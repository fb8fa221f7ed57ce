//! A block of a large piece of work that several processes share: one small sealed file. It says
//! what it is a block of (a key: the hash of all that the work depends on) and which one, so that a
//! block of other work, of another cut or with a flipped bit is never taken for it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::folder::{Folder, failed};
use super::{RunError, Seal, SealFault, WholeFile};

const SEAL: Seal = Seal { magic: b"OFBLOCK\0", version: 1, kind: "a block" };
/// A larger file is not a block.
const MAX_BYTES: u64 = 1 << 30;

/// Which block of which work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockName {
    /// The hash of all that the work depends on.
    pub key: String,
    /// The number of the block, from 0.
    pub number: u64,
    /// The number of blocks.
    pub of: u64,
}

impl BlockName {
    /// The name of its file: `3-of-8.block`.
    pub fn file(&self) -> String {
        format!("{}-of-{}.block", self.number, self.of)
    }

    /// Reads the block from a folder; nothing if it is not there.
    pub fn read(&self, folder: &Path) -> Result<Option<Vec<u8>>, RunError> {
        let (path, name) = (folder.join(self.file()), self.file());
        let Some(bytes) = Folder::at(folder).read(&name, MAX_BYTES)? else { return Ok(None) };
        let damaged = |problem: String| RunError::Damaged { path: path.clone(), problem };
        let content = SEAL.open(&bytes).map_err(|fault| match fault {
            SealFault::Damaged(problem) => damaged(problem),
            SealFault::Newer(version) => {
                let (version, newest) = (version.into(), SEAL.version);
                RunError::Newer { path: path.clone(), version, newest }
            }
        })?;
        let (there, rest) = postcard::take_from_bytes::<BlockName>(content)
            .map_err(|_| damaged("it does not say what it is".into()))?;
        if there != *self {
            let problem = "it is a block of other work".into();
            return Err(RunError::Foreign { path, problem });
        }
        Ok(Some(rest.to_vec()))
    }

    /// Writes the block: whole, or not at all. Two processes may write it at once; it has the same
    /// bytes.
    pub fn write(&self, folder: &Path, content: &[u8]) -> Result<(), RunError> {
        Folder::create(folder)?;
        let mut bytes = SEAL.begin();
        bytes.extend(postcard::to_stdvec(self).expect("plain data"));
        bytes.extend_from_slice(content);
        let path = folder.join(self.file());
        let write = || {
            let mut file = WholeFile::create(&path)?;
            file.bytes(&SEAL.close(bytes))?;
            file.finish()
        };
        write().map_err(failed("write", &path))
    }
}

/// A kernel lock on a file of any name, released when its process ends for any reason.
#[derive(Debug)]
pub struct FileLock {
    file: Option<File>,
}

impl FileLock {
    /// Takes the lock as soon as it is free. While another process has it, `patience` is called
    /// again and again; nothing if it returns false. On a file system without locks it is not a
    /// lock: [`FileLock::is_real`].
    pub fn wait(
        path: &Path,
        patience: &mut dyn FnMut() -> bool,
    ) -> Result<Option<FileLock>, RunError> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(failed("write", path))?;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(FileLock { file: Some(file) })),
                Err(TryLockError::WouldBlock) if patience() => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(TryLockError::Error(_)) => return Ok(Some(FileLock { file: None })),
            }
        }
    }

    /// Whether the file system has locks.
    pub fn is_real(&self) -> bool {
        self.file.is_some()
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        let _ = self.file.as_ref().map(File::unlock);
    }
}

/// The time between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(50);

/// Tries whether locks work in a folder: one file, opened twice, must not be locked twice. What is
/// wrong is returned as text. A file system may still keep locks of different machines apart.
pub fn locks_work(folder: &Path) -> Result<Option<String>, RunError> {
    Folder::create(folder)?;
    let path = folder.join(format!(".tmp-locks-{}", std::process::id()));
    let try_it = || -> io::Result<Option<String>> {
        let first = File::create(&path)?;
        let second = File::options().write(true).open(&path)?;
        Ok(match (first.try_lock(), second.try_lock()) {
            (Ok(()), Err(TryLockError::WouldBlock)) => None,
            (Ok(()), Ok(())) => Some("it gives a lock to two at once".into()),
            (Err(error), _) | (_, Err(error)) => Some(error.to_string()),
        })
    };
    let tried = try_it().map_err(failed("write", &path));
    let _ = fs::remove_file(&path);
    tried
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(key: &str, number: u64) -> BlockName {
        BlockName { key: key.into(), number, of: 8 }
    }

    #[test]
    fn a_block_is_what_it_was_or_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let (home, own) = (folder.path(), name("key", 3));
        assert_eq!(own.read(home).unwrap(), None);
        own.write(home, b"content").unwrap();
        own.write(home, b"content").unwrap();
        assert_eq!(own.read(home).unwrap().unwrap(), b"content");
        assert_eq!(fs::read_dir(home).unwrap().count(), 1);
        let path = home.join("3-of-8.block");
        let bytes = fs::read(&path).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &changed).unwrap();
            let error = own.read(home).unwrap_err().to_string();
            assert!(error.contains("3-of-8.block is damaged"), "{error}");
        }
        for cut in 0..bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            assert!(matches!(own.read(home), Err(RunError::Damaged { .. })), "{cut}");
        }
        // Of other work, and another block under this name.
        for other in [name("other", 3), name("key", 4)] {
            other.write(home, b"content").unwrap();
            fs::rename(home.join(other.file()), &path).unwrap_or_default();
            assert!(matches!(own.read(home), Err(RunError::Foreign { .. })));
        }
        let mut newer = SEAL.begin();
        newer[8] = 2;
        fs::write(&path, SEAL.close(newer)).unwrap();
        assert!(matches!(own.read(home), Err(RunError::Newer { version: 2, .. })));
    }

    #[test]
    fn one_of_two_has_the_lock_and_locks_are_tried() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(locks_work(folder.path()).unwrap(), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let path = folder.path().join("lock");
        let held = FileLock::wait(&path, &mut || false).unwrap().unwrap();
        assert!(held.is_real());
        let mut asked = 0;
        let mut patience = || {
            asked += 1;
            asked < 3
        };
        assert!(FileLock::wait(&path, &mut patience).unwrap().is_none());
        drop(held);
        assert!(FileLock::wait(&path, &mut || false).unwrap().is_some());
    }
}
