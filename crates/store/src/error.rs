//! What can go wrong with a run directory or a study.

use std::io;
use std::path::PathBuf;

/// Why a run directory or a study cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system refused.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried, as in `cannot write`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process works on the run.
    #[error("{} is in use by {owner}; wait for it to end, or choose another --out", path.display())]
    Held {
        /// The run directory.
        path: PathBuf,
        /// The process and its machine.
        owner: String,
    },
    /// The folder is no place for a run.
    #[error("{} holds something else ({found}); choose another --out", path.display())]
    SomethingElse {
        /// The folder.
        path: PathBuf,
        /// What stands in the way.
        found: String,
    },
    /// The run has other settings.
    #[error("{} has other settings: {difference}; choose another --out", path.display())]
    OtherSpec {
        /// The run directory or the study.
        path: PathBuf,
        /// Where the specs differ first.
        difference: String,
    },
    /// The run has another seed.
    #[error("{} is a run with seed {there}, not {here}; choose another --out", path.display())]
    OtherSeed {
        /// The run directory.
        path: PathBuf,
        /// The seed of the run.
        there: u64,
        /// The seed that was asked for.
        here: u64,
    },
    /// The run was begun by a program that gives other results.
    #[error(
        "{} was begun by a program that plays or learns otherwise (version {version}; the stamp of its \
         method is {there:016x} there, {here:016x} here): it would not end with the same bytes; use \
         that version or another --out",
        path.display()
    )]
    OtherSignature {
        /// The run directory.
        path: PathBuf,
        /// The stamp of the method with the program that began the run.
        there: u64,
        /// The version of that program.
        version: String,
        /// The stamp of the method with this program.
        here: u64,
    },
    /// A file is of a version this program does not know.
    #[error(
        "{}: version {version} is newer than this program, which reads up to {newest}; use a newer \
         program or another --out",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
        /// The newest version this program reads.
        newest: u32,
    },
    /// A file that is needed cannot be understood.
    #[error("{} is damaged: {problem}; choose another --out", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file of a finished run has changed since.
    #[error("{}: {problem}; `outflank learn` with the same arguments makes it again", path.display())]
    Altered {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// What the spec names is no longer what it was when the study began.
    #[error("{}: cannot begin: {problem}; the same command again makes a study of how files are now", path.display())]
    Moved {
        /// The run directory.
        path: PathBuf,
        /// What has changed.
        problem: String,
    },
    /// Nothing that `learn` made.
    #[error("{} is neither a study nor a run of `outflank learn`", path.display())]
    NothingLearned {
        /// The path.
        path: PathBuf,
    },
    /// Not a study.
    #[error("{} holds no study: there is no study.json", path.display())]
    NoStudy {
        /// The folder.
        path: PathBuf,
    },
}

impl RunError {
    /// True for mistakes in what was asked for; false for what went wrong in doing it.
    pub fn is_usage(&self) -> bool {
        match self {
            RunError::SomethingElse { .. }
            | RunError::OtherSpec { .. }
            | RunError::OtherSeed { .. }
            | RunError::NothingLearned { .. }
            | RunError::NoStudy { .. } => true,
            RunError::Io { .. }
            | RunError::Held { .. }
            | RunError::OtherSignature { .. }
            | RunError::Newer { .. }
            | RunError::Altered { .. }
            | RunError::Moved { .. }
            | RunError::Damaged { .. } => false,
        }
    }
}
