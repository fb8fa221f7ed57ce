//! Why a command did not do its work.

use std::path::Path;
use std::{fmt, io};

use outflank_arena::{OpeningsError, Stopped};
use outflank_game::book::BookError;
use outflank_game::player::{PlayerError, Several};
use outflank_kernel::KernelError;
use outflank_lab::{BookBuildError, BuildError, DatabaseError, ResultsError};
use outflank_learn::{LearnError, SpecError};
use outflank_store::RunError;

use crate::parts::PartDone;

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is wrong.
    #[error("{0}")]
    Usage(String),
    /// Something else went wrong.
    #[error("{0}")]
    Failed(String),
    /// A study has no probe yet: later there may be one.
    #[error("{0}")]
    NotYet(String),
    /// A run or a study cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Results cannot be read.
    #[error(transparent)]
    Results(RunError),
    /// A part of the work was done, as asked; others may be missing. Not a failure.
    #[error("{0}")]
    PartDone(PartDone),
    /// The watch stopped it; nothing was written.
    #[error("interrupted; nothing was written")]
    Stopped,
    /// The watch stopped it; repeating the request continues where it stopped.
    #[error("interrupted; repeat the command to continue where it stopped")]
    Resumable,
}

impl Error {
    /// Says whether the request was at fault.
    pub fn is_usage(&self) -> bool {
        match self {
            Error::Usage(_) => true,
            Error::Run(error) | Error::Results(error) => error.is_usage(),
            Error::Failed(_)
            | Error::NotYet(_)
            | Error::PartDone(_)
            | Error::Stopped
            | Error::Resumable => false,
        }
    }

    /// A file that cannot be written.
    pub fn writing(path: &Path, error: &io::Error) -> Error {
        Error::Failed(format!("cannot write {}: {error}", path.display()))
    }

    fn of(usage: bool, error: impl fmt::Display) -> Error {
        if usage { Error::Usage(error.to_string()) } else { Error::Failed(error.to_string()) }
    }
}

impl From<Stopped> for Error {
    fn from(_: Stopped) -> Error {
        Error::Stopped
    }
}

impl From<KernelError> for Error {
    fn from(error: KernelError) -> Error {
        Error::Usage(error.to_string())
    }
}

impl From<Several> for Error {
    fn from(error: Several) -> Error {
        Error::Usage(error.to_string())
    }
}

impl From<DatabaseError> for Error {
    fn from(error: DatabaseError) -> Error {
        Error::Failed(error.to_string())
    }
}

/// Converts errors that know whether the request was at fault.
macro_rules! from_judged {
    ($($error:ty),+) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::of(error.is_usage(), error)
            }
        }
    )+};
}
from_judged!(SpecError, LearnError, PlayerError, OpeningsError);

impl From<ResultsError> for Error {
    fn from(error: ResultsError) -> Error {
        match error {
            ResultsError::Several(error) => error.into(),
            ResultsError::Run(error) => Error::Results(error),
            ResultsError::Player(error) => error.into(),
            ResultsError::TooEarly { .. } => Error::Usage(error.to_string()),
            ResultsError::NoHistory { .. } => Error::Failed(error.to_string()),
        }
    }
}

impl From<BookError> for Error {
    fn from(error: BookError) -> Error {
        Error::Failed(error.to_string())
    }
}

impl From<BookBuildError> for Error {
    fn from(error: BookBuildError) -> Error {
        match error {
            BookBuildError::Files(error) => error.into(),
            BookBuildError::Stopped => Error::Stopped,
            BookBuildError::Resumable => Error::Resumable,
            BookBuildError::Taken { .. }
            | BookBuildError::Shared { .. }
            | BookBuildError::Empty { .. } => Error::Usage(error.to_string()),
            other => Error::Failed(other.to_string()),
        }
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        match error {
            BuildError::Files(error) => error.into(),
            BuildError::Database(error) => error.into(),
            BuildError::Cap { .. } => Error::Usage(error.to_string()),
            BuildError::Stopped(_) => Error::Resumable,
        }
    }
}
