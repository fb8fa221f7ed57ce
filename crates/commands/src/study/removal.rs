//! The removal of the whole folder of a study: its runs, contests and pages.

use std::fs;
use std::path::{Path, PathBuf};

use outflank_store::{Removal, RunError};

use super::folder::{Folder, LOCK, PAGES, PLAN};
use super::pieces::BLOCKS;
use crate::Error;

/// The folder of a study, or of several studies beside each other with one page. It was checked:
/// nothing in it is somebody else's.
#[derive(Debug)]
pub struct WholeStudy {
    /// The names of the studies.
    pub names: Vec<String>,
    /// The runs of its cases.
    pub cases: Vec<Removal>,
    /// All that goes after the runs, in order: what is in a folder before the folder, and what a
    /// study is known by last, so that an interrupted removal can be repeated.
    rest: Vec<PathBuf>,
    /// The folders that processes hold while they work on them.
    homes: Vec<PathBuf>,
}

impl WholeStudy {
    /// Looks whether a folder is that of a study; an error if it is, and holds something else.
    pub fn of(path: &Path) -> Result<Option<WholeStudy>, Error> {
        if path.is_symlink() || !path.is_dir() {
            return Ok(None);
        }
        let mut whole = WholeStudy {
            names: Vec::new(),
            cases: Vec::new(),
            rest: Vec::new(),
            homes: Vec::new(),
        };
        if path.join(PLAN).is_file() {
            whole.add(path)?;
            return Ok(Some(whole));
        }
        let inner = entries(path)?;
        let is_study = |(_, entry): &(String, PathBuf)| {
            !entry.is_symlink() && entry.is_dir() && entry.join(PLAN).is_file()
        };
        let has_page = inner.iter().any(|(name, _)| name == PAGES[0]);
        if !has_page || !inner.iter().any(is_study) {
            return Ok(None);
        }
        for (_, study) in inner.iter().filter(|entry| is_study(entry)) {
            whole.add(study)?;
        }
        for (name, entry) in inner.iter().filter(|entry| !is_study(entry)) {
            whole.add_page(path, name, entry)?;
        }
        whole.rest.push(path.into());
        Ok(Some(whole))
    }

    /// Adds the folder of one study.
    fn add(&mut self, path: &Path) -> Result<(), Error> {
        self.names.push(Folder::new(path.into()).study()?);
        self.homes.push(path.into());
        let mut last = Vec::new();
        for (name, entry) in entries(path)? {
            let is_folder = entry.is_dir() && !entry.is_symlink();
            let is_database = name.starts_with("opponents-");
            match name.as_str() {
                PLAN | LOCK => last.push(entry),
                "cases" if is_folder => self.add_cases(&entry)?,
                "contests" if is_folder => {
                    let kinds = ["match-", "tournament-", "profile-", "leads-"];
                    self.add_files(&entry, |name| {
                        kinds.iter().any(|kind| name.starts_with(kind)) && name.ends_with(".json")
                    })?;
                }
                BLOCKS if is_folder => {
                    for (name, contest) in entries(&entry)? {
                        if contest.is_symlink() || !contest.is_dir() {
                            return Err(something_else(&entry, &name));
                        }
                        let endings = [".block", ".lock"];
                        self.add_files(&contest, |name| {
                            endings.iter().any(|ending| name.ends_with(ending))
                        })?;
                    }
                    self.rest.push(entry);
                }
                _ if is_database && is_folder && name.ends_with(".db.part") => {
                    self.add_files(&entry, |name| ["blocks", "blocks.tmp", LOCK].contains(&name))?;
                }
                _ if is_database && (name.ends_with(".db") || name.ends_with(".db.damaged")) => {
                    self.add_file(path, &name, &entry)?;
                }
                _ => self.add_page(path, &name, &entry)?,
            }
        }
        self.rest.append(&mut last);
        self.rest.push(path.into());
        Ok(())
    }

    /// Adds the runs of all cases.
    fn add_cases(&mut self, path: &Path) -> Result<(), Error> {
        for (name, entry) in entries(path)? {
            if entry.is_symlink() || !entry.is_dir() {
                return Err(something_else(path, &name));
            }
            // What an interrupted removal leaves.
            let inner = entries(&entry)?;
            if inner.iter().all(|(name, _)| name == LOCK) {
                self.rest.extend(inner.into_iter().map(|(_, lock)| lock));
                self.rest.push(entry);
                continue;
            }
            self.cases.push(Removal::of(&entry).map_err(Error::Results)?);
        }
        self.rest.push(path.into());
        Ok(())
    }

    /// Adds a page or the folder of its tables and figures, whose names begin with that of a study.
    fn add_page(&mut self, path: &Path, name: &str, entry: &Path) -> Result<(), Error> {
        if name == "results" && entry.is_dir() && !entry.is_symlink() {
            let names = self.names.clone();
            return self.add_files(entry, |file| {
                let is_of = |study: &String| {
                    file.strip_prefix(study.as_str()).is_some_and(|rest| rest.starts_with('-'))
                };
                let endings = [".svg", ".pdf", ".csv"];
                names.iter().any(is_of) && endings.iter().any(|ending| file.ends_with(ending))
            });
        }
        if !PAGES.contains(&name) && !is_temporary(name) {
            return Err(something_else(path, name));
        }
        self.add_file(path, name, entry)
    }

    /// Adds a folder of files, all of which must be ours.
    fn add_files(&mut self, path: &Path, is_ours: impl Fn(&str) -> bool) -> Result<(), Error> {
        for (name, entry) in entries(path)? {
            if !is_ours(&name) && !is_temporary(&name) {
                return Err(something_else(path, &name));
            }
            self.add_file(path, &name, &entry)?;
        }
        self.rest.push(path.into());
        Ok(())
    }

    fn add_file(&mut self, path: &Path, name: &str, entry: &Path) -> Result<(), Error> {
        if entry.is_symlink() || !entry.is_file() {
            return Err(something_else(path, name));
        }
        self.rest.push(entry.into());
        Ok(())
    }

    /// Makes sure that no process works on it; it is held until the locks are dropped.
    pub fn hold(&self) -> Result<Vec<fs::File>, Error> {
        let held = self.homes.iter().map(|home| Folder::new(home.clone()).hold());
        Ok(held.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Removes what is left when the runs are gone. What came in between is not removed.
    pub fn remove_rest(&self) -> Result<(), Error> {
        for path in &self.rest {
            let gone = if path.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) };
            gone.map_err(|error| {
                Error::Failed(format!("cannot remove {}: {error}", path.display()))
            })?;
        }
        Ok(())
    }
}

/// A file that was being written when the program was killed.
fn is_temporary(name: &str) -> bool {
    name.starts_with(".tmp")
}

fn something_else(path: &Path, found: &str) -> Error {
    Error::Results(RunError::SomethingElse { path: path.into(), found: found.into() })
}

/// The names and paths in a folder, sorted.
fn entries(path: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let read = || -> std::io::Result<Vec<(String, PathBuf)>> {
        let named = |entry: std::io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name().to_string_lossy().into_owned(), entry.path()))
        };
        fs::read_dir(path)?.map(named).collect()
    };
    let mut entries = read()
        .map_err(|error| Error::Failed(format!("cannot read {}: {error}", path.display())))?;
    entries.sort();
    Ok(entries)
}
