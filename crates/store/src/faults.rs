//! Faults for tests. The n-th operation that changes the disk fails, or all from there on, as if
//! the process had been killed. Or power fails: data that was not flushed may be there, or half of
//! it, or none.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::folder::Op;

/// What fails. The first operation has number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An operation and everything after it: a killed process, or a disk that stays full.
    From(usize),
    /// One operation.
    Only(usize),
}

/// What happens to a write that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tear {
    /// Nothing is written.
    Nothing,
    /// Half of it is written.
    Half,
}

thread_local! {
    static PLAN: Cell<Option<(Fault, Tear)>> = const { Cell::new(None) };
    static STEPS: Cell<usize> = const { Cell::new(0) };
    static DISKS: RefCell<Option<Vec<Disk>>> = const { RefCell::new(None) };
}

/// Runs something with a fault, and says whether the fault happened.
pub fn with_fault<T>(fault: Fault, tear: Tear, run: impl FnOnce() -> T) -> (T, bool) {
    PLAN.set(Some((fault, tear)));
    STEPS.set(0);
    let result = run();
    PLAN.set(None);
    let (Fault::From(at) | Fault::Only(at)) = fault;
    (result, STEPS.get() >= at)
}

/// Runs something and returns the disk after each of its operations.
pub fn disks_of(run: impl FnOnce()) -> Vec<Disk> {
    DISKS.set(Some(vec![Disk::default()]));
    run();
    DISKS.take().unwrap_or_default()
}

/// How many disks [`disks_of`] has so far.
pub fn disks_so_far() -> usize {
    DISKS.with_borrow(|disks| disks.as_ref().map_or(0, Vec::len))
}

/// Every operation that changes the disk passes here before it is done.
pub fn step(op: Op<'_>) -> io::Result<()> {
    let number = STEPS.get() + 1;
    STEPS.set(number);
    let (fails, tears) = match PLAN.get() {
        Some((Fault::From(at), tear)) => (number >= at, number == at && tear == Tear::Half),
        Some((Fault::Only(at), tear)) => (number == at, number == at && tear == Tear::Half),
        None => (false, false),
    };
    match op {
        Op::Write { path, offset, bytes } if tears => {
            let bytes = &bytes[..bytes.len() / 2];
            let mut file = File::options().write(true).open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            file.write_all(bytes)?;
            note(Op::Write { path, offset, bytes });
        }
        op if !fails => note(op),
        _ => {}
    }
    if fails { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
}

fn note(op: Op<'_>) {
    DISKS.with_borrow_mut(|disks| {
        if let Some(disks) = disks {
            let mut disk = disks.last().cloned().unwrap_or_default();
            disk.apply(op);
            disks.push(disk);
        }
    });
}

/// What a disk certainly holds, and what waits to be flushed. Files and their names are separate,
/// as in a file system.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    files: Vec<Content>,
    /// Names that survive, and their files.
    names: BTreeMap<PathBuf, usize>,
    /// Names as the process sees them.
    seen: BTreeMap<PathBuf, usize>,
    /// Changes of names that wait.
    renames: Vec<Renaming>,
}

#[derive(Clone, Debug, Default)]
struct Content {
    flushed: Vec<u8>,
    waiting: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    SetLength(usize),
}

#[derive(Clone, Debug)]
enum Renaming {
    Create(PathBuf, usize),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
}

impl Disk {
    fn apply(&mut self, op: Op<'_>) {
        match op {
            Op::MakeFolder => {}
            Op::Create(path) => match self.seen.get(path) {
                // The lock is not emptied, but its content does not matter.
                Some(&file) => self.files[file].waiting.push(Change::SetLength(0)),
                None => {
                    self.files.push(Content::default());
                    self.rename(Renaming::Create(path.into(), self.files.len() - 1));
                }
            },
            Op::Write { path, offset, bytes } => {
                self.waiting(path).push(Change::Write(offset as usize, bytes.into()));
            }
            Op::SetLength { path, length } => {
                self.waiting(path).push(Change::SetLength(length as usize));
            }
            Op::Flush(path) => {
                let content = &mut self.files[self.seen[path]];
                let waiting = std::mem::take(&mut content.waiting);
                waiting.iter().for_each(|change| change.apply(&mut content.flushed));
            }
            Op::Rename { from, to } => self.rename(Renaming::Rename(from.into(), to.into())),
            Op::Remove(path) => self.rename(Renaming::Remove(path.into())),
            Op::FlushFolder(folder) => {
                let of_folder = |path: &Path| path.parent() == Some(folder);
                self.names.retain(|path, _| !of_folder(path));
                self.names
                    .extend(self.seen.clone().into_iter().filter(|(path, _)| of_folder(path)));
                self.renames.retain(|renaming| !of_folder(renaming.path()));
            }
        }
    }

    fn waiting(&mut self, path: &Path) -> &mut Vec<Change> {
        &mut self.files[self.seen[path]].waiting
    }

    fn rename(&mut self, renaming: Renaming) {
        renaming.apply(&mut self.seen);
        self.renames.push(renaming);
    }

    /// What may be on disk after a power failure. `choose(n)` picks a number below n.
    pub fn after_power_loss(
        &self,
        mut choose: impl FnMut(usize) -> usize,
    ) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut names = self.names.clone();
        for renaming in &self.renames {
            if choose(2) == 0 {
                renaming.apply(&mut names);
            }
        }
        let mut content_of = |file: usize| {
            let Content { flushed, waiting } = &self.files[file];
            let mut content = flushed.clone();
            for change in waiting {
                match (choose(4), change) {
                    (0, _) => {}
                    (1, Change::Write(offset, bytes)) => {
                        let part = bytes[..choose(bytes.len() + 1)].to_vec();
                        Change::Write(*offset, part).apply(&mut content);
                    }
                    // The length is written but the bytes are not.
                    (2, Change::Write(offset, bytes)) => {
                        Change::Write(*offset, vec![0; bytes.len()]).apply(&mut content);
                    }
                    (_, change) => change.apply(&mut content),
                }
            }
            content
        };
        names.into_iter().map(|(path, file)| (path, content_of(file))).collect()
    }
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Change::Write(offset, bytes) => {
                let end = offset + bytes.len();
                content.resize(content.len().max(end), 0);
                content[*offset..end].copy_from_slice(bytes);
            }
            Change::SetLength(length) => content.resize(*length, 0),
        }
    }
}

impl Renaming {
    fn path(&self) -> &Path {
        match self {
            Renaming::Create(path, _) | Renaming::Rename(path, _) | Renaming::Remove(path) => path,
        }
    }

    fn apply(&self, names: &mut BTreeMap<PathBuf, usize>) {
        match self {
            Renaming::Create(path, file) => {
                names.insert(path.clone(), *file);
            }
            Renaming::Rename(from, to) => {
                if let Some(file) = names.remove(from) {
                    names.insert(to.clone(), file);
                }
            }
            Renaming::Remove(path) => {
                names.remove(path);
            }
        }
    }
}
