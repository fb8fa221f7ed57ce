//! A folder whose files are either complete or absent: a file is written under a temporary name,
//! flushed and renamed, and the folder is flushed. Every operation that changes the disk passes
//! [`step`], where tests make it fail.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::RunError;

/// The file whose kernel lock guards the folder. It is never removed: only the lock on it counts.
pub(super) const LOCK: &str = "lock";

/// A folder, and operations in it.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

/// A kernel lock, released when its process ends for any reason.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough while a newly forked child of this process has it open,
        // too.
        let _ = self.file.unlock();
    }
}

/// An operation that changes the disk, for tests to look at.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(test), allow(dead_code, reason = "only tests look inside"))]
pub(super) enum Op<'a> {
    MakeFolder,
    Create(&'a Path),
    Write { path: &'a Path, offset: u64, bytes: &'a [u8] },
    SetLength { path: &'a Path, length: u64 },
    Flush(&'a Path),
    Rename { from: &'a Path, to: &'a Path },
    Remove(&'a Path),
    FlushFolder(&'a Path),
}

#[cfg(not(test))]
fn step(_: Op<'_>) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
use super::faults::step;

impl Folder {
    /// A folder that may not exist.
    pub fn at(path: &Path) -> Folder {
        Folder { path: path.into() }
    }

    /// Makes the folder and its missing parents.
    pub fn create(path: &Path) -> Result<Folder, RunError> {
        if path.exists() && !path.is_dir() {
            return Err(RunError::SomethingElse {
                path: path.into(),
                found: "not a folder".into(),
            });
        }
        let named = |folder: &&Path| !folder.as_os_str().is_empty();
        let missing = path.ancestors().take_while(named).take_while(|folder| !folder.exists());
        for folder in missing.collect::<Vec<_>>().into_iter().rev() {
            let make = || {
                step(Op::MakeFolder)?;
                match fs::create_dir(folder) {
                    // Another process made it first.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                    made => made,
                }?;
                flush_folder(parent(folder))
            };
            make().map_err(failed("create folder", folder))?;
        }
        Ok(Folder::at(path))
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of one of its files.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Says whether there is a file or folder of this name.
    pub fn has(&self, name: &str) -> bool {
        self.file(name).exists()
    }

    /// An entry that is neither a lock nor an unfinished version of one of these files.
    pub fn stranger(&self, written: &[&str]) -> Result<Option<String>, RunError> {
        let ours = |name: &OsString| {
            *name == *LOCK || written.iter().any(|written| *name == *temporary(written))
        };
        let entries = || -> io::Result<Vec<OsString>> {
            fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name())).collect()
        };
        let names = entries().map_err(failed("read folder", &self.path))?;
        let stranger = names.iter().filter(|name| !ours(name)).min();
        Ok(stranger.map(|name| name.to_string_lossy().replace(char::is_control, "?")))
    }

    /// The content of a file; `None` if there is none, an error if it is too large or not a regular
    /// file. Devices and pipes, which have no end, are not opened.
    pub fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, RunError> {
        let path = self.file(name);
        let too_large = || RunError::TooLarge { path: path.clone(), most };
        let read = || {
            let metadata = fs::metadata(&path)?;
            if !metadata.is_file() {
                return Err(io::Error::other("it is not a regular file"));
            }
            if metadata.len() > most {
                return Ok(None);
            }
            let mut bytes = Vec::new();
            File::open(&path)?.take(most + 1).read_to_end(&mut bytes)?;
            Ok((bytes.len() as u64 <= most).then_some(bytes))
        };
        match present(read()).map_err(failed("read", &path))? {
            None => Ok(None),
            Some(bytes) => bytes.map(Some).ok_or_else(too_large),
        }
    }

    /// Opens a file to read it; `None` if there is none.
    pub fn open(&self, name: &str) -> Result<Option<File>, RunError> {
        let path = self.file(name);
        present(File::open(&path)).map_err(failed("read", &path))
    }

    /// Makes or replaces a file as a whole.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        self.stage(name, bytes)?;
        self.rename(&temporary(name), name)?;
        self.flush()
    }

    /// Writes a file that does not exist yet.
    pub fn write_once(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        if self.has(name) { Ok(()) } else { self.write(name, bytes) }
    }

    /// Writes the bytes of a file under its [`temporary`] name, to be renamed.
    pub fn stage(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.file(&temporary(name));
        let write = || {
            // The rest of an earlier attempt, or a link to somewhere else: it is removed, not
            // followed.
            if is_there(&path) {
                step(Op::Remove(&path))?;
                fs::remove_file(&path)?;
            }
            step(Op::Create(&path))?;
            let mut file = File::create_new(&path)?;
            step(Op::Write { path: &path, offset: 0, bytes })?;
            file.write_all(bytes)?;
            step(Op::Flush(&path))?;
            file.sync_all()
        };
        write().map_err(|error| {
            // A full disk needs the space. If this fails too, the file is removed when the folder
            // is opened.
            let _ = step(Op::Remove(&path)).and_then(|()| fs::remove_file(&path));
            failed("write", &self.file(name))(error)
        })
    }

    /// Renames a file over another.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), RunError> {
        let paths = (self.file(from), self.file(to));
        step(Op::Rename { from: &paths.0, to: &paths.1 })
            .and_then(|()| fs::rename(&paths.0, &paths.1))
            .map_err(failed("write", &paths.1))
    }

    /// Removes a file, if there is one.
    pub fn remove(&self, name: &str) -> Result<(), RunError> {
        let path = self.file(name);
        if !is_there(&path) {
            return Ok(());
        }
        step(Op::Remove(&path))
            .and_then(|()| fs::remove_file(&path))
            .map_err(failed("remove", &path))
    }

    /// Removes the folder, which contains only the lock.
    pub fn remove_with_lock(&self) -> Result<(), RunError> {
        self.remove(LOCK)?;
        step(Op::Remove(&self.path))
            .and_then(|()| fs::remove_dir(&self.path))
            .map_err(failed("remove", &self.path))
    }

    /// Flushes the names of its files.
    pub fn flush(&self) -> Result<(), RunError> {
        flush_folder(&self.path).map_err(failed("flush folder", &self.path))
    }

    /// Makes a file end with these bytes, which begin at `offset`, and flushes it. Repeating it
    /// after a failure never removes a correct byte.
    pub fn write_end(&self, name: &str, offset: u64, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.file(name);
        let write = || {
            let mut file = File::options().write(true).custom_flags(no_follow()).open(&path)?;
            let length = file.metadata()?.len();
            if length < offset {
                let problem = format!("{length} bytes where {offset} were written before");
                return Err(io::Error::other(problem));
            }
            file.seek(SeekFrom::Start(offset))?;
            step(Op::Write { path: &path, offset, bytes })?;
            file.write_all(bytes)?;
            let end = offset + bytes.len() as u64;
            if length > end {
                step(Op::SetLength { path: &path, length: end })?;
                file.set_len(end)?;
            }
            step(Op::Flush(&path))?;
            file.sync_all()
        };
        write().map_err(|error| link_or(&path, error))
    }

    /// Takes the lock, or says who holds it.
    pub fn try_lock(&self) -> Result<Lock, RunError> {
        let path = self.file(LOCK);
        let mut file = self.open_lock()?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::Held { path: self.path.clone(), owner: owner(&path) });
            }
            Err(TryLockError::Error(error)) => return Err(failed("lock", &path)(error)),
        }
        // Only for people to read; the lock does not depend on it.
        let _ = file
            .set_len(0)
            .and_then(|()| writeln!(file, "process {} on {}", std::process::id(), host()));
        Ok(Lock { file })
    }

    /// Takes the lock as soon as it is free. While it is held, `patience` is called again and
    /// again; if it returns false, this fails because another process holds the lock.
    pub fn wait_lock(&self, patience: &mut dyn FnMut() -> bool) -> Result<Lock, RunError> {
        let path = self.file(LOCK);
        let file = self.open_lock()?;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { file }),
                Err(TryLockError::WouldBlock) if patience() => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let owner = "another process".into();
                    return Err(RunError::Held { path: self.path.clone(), owner });
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(TryLockError::Error(error)) => return Err(failed("lock", &path)(error)),
            }
        }
    }

    fn open_lock(&self) -> Result<File, RunError> {
        let path = self.file(LOCK);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false).custom_flags(no_follow());
        step(Op::Create(&path))
            .and_then(|()| options.open(&path))
            .map_err(|error| link_or(&path, error))
    }

    /// Makes a folder in this one; a link to another place is refused.
    pub fn inner(&self, name: &str) -> Result<Folder, RunError> {
        let path = self.file(name);
        if path.is_symlink() {
            return Err(RunError::Link { path });
        }
        Folder::create(&path)
    }
}

/// The time between two attempts to take a lock; locks are rarely held for longer.
const PAUSE: Duration = Duration::from_millis(5);

/// Says whether the name exists, even as a broken link.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The flag that refuses links: a run writes only in its own folder.
fn no_follow() -> i32 {
    rustix::fs::OFlags::NOFOLLOW.bits() as i32
}

/// An error of writing, or that of a link if the file is one.
fn link_or(path: &Path, error: io::Error) -> RunError {
    if path.is_symlink() {
        RunError::Link { path: path.into() }
    } else {
        failed("write", path)(error)
    }
}

/// The name of a file while it is being written.
pub(super) fn temporary(name: &str) -> String {
    format!("{name}.tmp")
}

/// The name of this machine.
pub fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The owner that a lock file names.
fn owner(lock: &Path) -> String {
    // The holder writes its name right after taking the lock.
    for _ in 0..20 {
        let mut text = String::new();
        let read = File::open(lock).and_then(|file| file.take(300).read_to_string(&mut text));
        if read.is_ok() && text.ends_with('\n') {
            return text.trim_end().replace(char::is_control, "?");
        }
        thread::sleep(Duration::from_millis(5));
    }
    "another process".into()
}

fn parent(folder: &Path) -> &Path {
    match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn flush_folder(path: &Path) -> io::Result<()> {
    step(Op::FlushFolder(path))?;
    File::open(path)?.sync_all()
}

fn present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Names the file in an error of the system.
pub(super) fn failed(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> RunError {
    let path = path.to_owned();
    move |source| RunError::Io { doing, path: path.clone(), source }
}
