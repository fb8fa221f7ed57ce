//! What can go wrong, and the exit code it ends with.

use outflank_learn::SpecError;
use outflank_store::RunError;
use std::fmt;
use std::io;
use std::path::Path;

use outflank_arena::OpeningsError;
use outflank_game::player::{PlayerError, Several};
use outflank_kernel::KernelError;
use outflank_lab::{BuildError, DatabaseError, ResultsError};
use outflank_learn::LearnError;

/// Why a command did not do its work.
#[derive(Debug)]
pub enum Error {
    /// The command was wrong; exit code 2.
    Usage(String),
    /// Something else went wrong; exit code 1.
    Failed(String),
    /// A signal stopped it; exit code 128 and its number: 130 for Ctrl-C, 143 for a request to end.
    Interrupted(u8),
    /// A signal stopped it, and the same command goes on where it was; exit code as above.
    Resumable(u8),
    /// Whoever read our output has had enough, which is no error.
    ClosedPipe,
}

impl Error {
    /// 2 for wrong usage, 130 or 143 when interrupted, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Usage(_) => 2,
            Error::Failed(_) => 1,
            Error::Interrupted(signal) | Error::Resumable(signal) => 128 + signal,
            Error::ClosedPipe => 0,
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(message) | Error::Failed(message) => f.write_str(message),
            Error::Interrupted(_) => f.write_str("interrupted; nothing was written"),
            Error::Resumable(_) => {
                f.write_str("interrupted; the same command again resumes where it stopped")
            }
            Error::ClosedPipe => f.write_str("the output was closed"),
        }
    }
}

impl From<io::Error> for Error {
    /// Errors of standard output; files are named where they are opened.
    fn from(error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error::ClosedPipe,
            _ => Error::Failed(format!("cannot write to standard output: {error}")),
        }
    }
}

impl From<KernelError> for Error {
    fn from(error: KernelError) -> Error {
        Error::Usage(error.to_string())
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Error {
        Error::of(error.is_usage(), error)
    }
}

impl From<LearnError> for Error {
    fn from(error: LearnError) -> Error {
        Error::of(error.is_usage(), error)
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Error {
        Error::of(error.is_usage(), error)
    }
}

impl From<ResultsError> for Error {
    fn from(error: ResultsError) -> Error {
        match error {
            ResultsError::Several(error) => error.into(),
            ResultsError::Run(error) => error.into(),
        }
    }
}

impl From<DatabaseError> for Error {
    fn from(error: DatabaseError) -> Error {
        Error::Failed(error.to_string())
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        match error {
            BuildError::Files(error) => error.into(),
            BuildError::Database(error) => error.into(),
            BuildError::Cap { .. } => Error::Usage(error.to_string()),
            BuildError::Stopped => Error::Failed(error.to_string()),
        }
    }
}

impl From<Several> for Error {
    fn from(error: Several) -> Error {
        Error::Usage(error.to_string())
    }
}

impl From<PlayerError> for Error {
    fn from(error: PlayerError) -> Error {
        Error::of(error.is_usage(), error)
    }
}

impl From<OpeningsError> for Error {
    fn from(error: OpeningsError) -> Error {
        Error::of(error.is_usage(), error)
    }
}
