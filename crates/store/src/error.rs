//! What can go wrong with a run folder or a study.

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
    #[error("{} is in use by {owner}", path.display())]
    Held {
        /// The run directory.
        path: PathBuf,
        /// The process and its machine.
        owner: String,
    },
    /// The folder holds something else.
    #[error("{} holds something else ({found})", path.display())]
    SomethingElse {
        /// The folder.
        path: PathBuf,
        /// What was found there.
        found: String,
    },
    /// The run has other settings.
    #[error("{} has other settings: {difference}", path.display())]
    OtherSpec {
        /// The run directory or the study.
        path: PathBuf,
        /// Where the specs differ first.
        difference: String,
    },
    /// The run has another seed.
    #[error("{} is a run with seed {there}, not {here}", path.display())]
    OtherSeed {
        /// The run directory.
        path: PathBuf,
        /// The seed of the run.
        there: u64,
        /// The requested seed.
        here: u64,
    },
    /// The run was begun by a program that gives other results.
    #[error(
        "{} was begun by a program that plays or learns differently (version {version}; the stamp of its \
         method is {there:016x} there, {here:016x} here): it would not end with the same bytes",
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
    #[error("{}: version {version} is newer than this program, which reads up to {newest}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
        /// The newest version this program reads.
        newest: u32,
    },
    /// A necessary file cannot be read.
    #[error("{} is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file is larger than any file of a run or a study.
    #[error("{} is larger than {} MiB, too large for such a file", path.display(), most >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The maximum size in bytes.
        most: u64,
    },
    /// A file to be written is a link, which may lead anywhere.
    #[error("{} is a link, and nothing is written through links; remove it", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// A folder that a study lists is not one of its runs, or a result is impossible.
    #[error("{}: {problem}", path.display())]
    Foreign {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file of a finished run has changed since.
    #[error("{}: {problem}", path.display())]
    Altered {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file that the spec names has changed since the study began.
    #[error("{}: cannot begin: {problem}", path.display())]
    Moved {
        /// The run directory.
        path: PathBuf,
        /// What has changed.
        problem: String,
    },
    /// Neither a study nor a run.
    #[error("{} is neither a study nor a run", path.display())]
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

/// What helps against an error. The caller words it: a command line names its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The folder is taken: choose another.
    ChooseAnotherFolder,
    /// Another process is at work: wait for it, or choose another folder.
    Wait,
    /// Use the program that began the run, or choose another folder.
    UseThatProgram,
    /// Use a newer program, or choose another folder.
    UseNewerProgram,
    /// Training with the same spec and seed makes the file again.
    TrainAgain,
    /// Move it away; training with the same spec and seed makes it again.
    RemoveAndTrainAgain,
    /// Begin again: with the present files it is another study.
    BeginAgain,
}

impl RunError {
    /// What would help, if known.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            RunError::SomethingElse { .. }
            | RunError::OtherSpec { .. }
            | RunError::OtherSeed { .. }
            | RunError::Damaged { .. } => Some(Remedy::ChooseAnotherFolder),
            RunError::Held { .. } => Some(Remedy::Wait),
            RunError::OtherSignature { .. } => Some(Remedy::UseThatProgram),
            RunError::Newer { .. } => Some(Remedy::UseNewerProgram),
            RunError::Altered { .. } => Some(Remedy::TrainAgain),
            RunError::Foreign { .. } | RunError::TooLarge { .. } => {
                Some(Remedy::RemoveAndTrainAgain)
            }
            RunError::Moved { .. } => Some(Remedy::BeginAgain),
            RunError::Io { .. }
            | RunError::Link { .. }
            | RunError::NothingLearned { .. }
            | RunError::NoStudy { .. } => None,
        }
    }

    /// Says whether the request was at fault, not its execution.
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
            | RunError::Foreign { .. }
            | RunError::TooLarge { .. }
            | RunError::Link { .. }
            | RunError::Moved { .. }
            | RunError::Damaged { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_know_nothing_of_a_command_line() {
        let path = || PathBuf::from("here");
        let text = || String::from("why");
        for error in [
            RunError::Held { path: path(), owner: text() },
            RunError::SomethingElse { path: path(), found: text() },
            RunError::OtherSpec { path: path(), difference: text() },
            RunError::OtherSeed { path: path(), there: 1, here: 2 },
            RunError::OtherSignature { path: path(), there: 1, version: text(), here: 2 },
            RunError::Newer { path: path(), version: 2, newest: 1 },
            RunError::Damaged { path: path(), problem: text() },
            RunError::Altered { path: path(), problem: text() },
            RunError::Foreign { path: path(), problem: text() },
            RunError::TooLarge { path: path(), most: 1 << 20 },
            RunError::Moved { path: path(), problem: text() },
        ] {
            let message = error.to_string();
            assert!(message.starts_with("here"), "{message}");
            assert!(!message.contains("--") && !message.contains("outflank"), "{message}");
            assert!(!message.contains("command"), "{message}");
            assert!(error.remedy().is_some(), "{message}");
        }
        assert_eq!(RunError::NoStudy { path: path() }.remedy(), None);
    }
}
