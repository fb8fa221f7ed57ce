//! What can go wrong, and the exit code it ends with.

use std::fmt;
use std::io;
use std::path::Path;

use outflank_game::player::PlayerError;
use outflank_kernel::KernelError;
use outflank_learn::SpecError;
use outflank_store::Remedy;

use crate::interrupts;

/// Why a command did not do its work.
#[derive(Debug)]
pub enum Error {
    /// The command was wrong; exit code 2.
    Usage(String),
    /// Any other failure; exit code 1.
    Failed(String),
    /// A signal stopped it. The exit code is 128 plus its number: 130 for Ctrl-C, 143 for SIGTERM.
    Interrupted(u8),
    /// A signal stopped it, and repeating the command continues the work; exit code as above.
    Resumable(u8),
    /// A signal stopped it, and what is known by then is printed; exit code as above.
    Partial(u8),
    /// A part of the work was done, as asked; what is said is not an error.
    PartDone(String),
    /// The reader closed the pipe, which is not an error.
    ClosedPipe,
}

impl Error {
    /// 2 for wrong usage, 130 or 143 when interrupted, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Usage(_) => 2,
            Error::Failed(_) => 1,
            Error::Interrupted(signal) | Error::Resumable(signal) | Error::Partial(signal) => {
                128 + signal
            }
            Error::ClosedPipe | Error::PartDone(_) => 0,
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
            Error::Usage(message) | Error::Failed(message) | Error::PartDone(message) => {
                f.write_str(message)
            }
            Error::Interrupted(_) => f.write_str("interrupted; nothing was written"),
            Error::Resumable(_) => {
                f.write_str("interrupted; repeat the command to continue where it stopped")
            }
            Error::Partial(_) => f.write_str("interrupted; this is what is known so far"),
            Error::ClosedPipe => f.write_str("the output was closed"),
        }
    }
}

impl From<io::Error> for Error {
    /// Errors of standard output. Errors of files name the file where it is opened.
    fn from(error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error::ClosedPipe,
            _ => Error::Failed(format!("cannot write to standard output: {error}")),
        }
    }
}

impl From<outflank_commands::Error> for Error {
    fn from(error: outflank_commands::Error) -> Error {
        use outflank_commands::Error as Of;
        let signal = interrupts::signal();
        match (&error, signal) {
            (Of::Run(run), _) => Error::of(run.is_usage(), advised(&run.to_string(), run.remedy())),
            (Of::Results(run), _) => {
                Error::of(run.is_usage(), advised_reading(&run.to_string(), run.remedy()))
            }
            (Of::PartDone(done), _) => Error::PartDone(done.to_string()),
            (Of::Stopped, Some(signal)) => Error::Interrupted(signal),
            (Of::Resumable, Some(signal)) => Error::Resumable(signal),
            _ => Error::of(error.is_usage(), error),
        }
    }
}

/// An error of the store and its remedy, in terms of the command line.
pub fn advised(message: &str, remedy: Option<Remedy>) -> String {
    let advice = match remedy {
        None => return message.into(),
        Some(Remedy::ChooseAnotherFolder) => "choose another --out",
        Some(Remedy::Wait) => "wait for it to end, or choose another --out",
        Some(Remedy::UseThatProgram) => "use that version or another --out",
        Some(Remedy::UseNewerProgram) => "use a newer program or another --out",
        Some(Remedy::TrainAgain) => "`outflank learn` with the same arguments makes it again",
        Some(Remedy::RemoveAndTrainAgain) => {
            "remove it, and `outflank learn` with the same arguments makes it again"
        }
        Some(Remedy::BeginAgain) => {
            "repeat the command to train a new study with the files as they are now"
        }
    };
    format!("{message}; {advice}")
}

/// The same for commands that only read, and have no --out to choose.
fn advised_reading(message: &str, remedy: Option<Remedy>) -> String {
    match remedy {
        Some(Remedy::UseThatProgram | Remedy::UseNewerProgram) => {
            format!("{message}; use a newer program")
        }
        Some(Remedy::TrainAgain | Remedy::RemoveAndTrainAgain) => advised(message, remedy),
        _ => message.into(),
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

impl From<PlayerError> for Error {
    fn from(error: PlayerError) -> Error {
        Error::of(error.is_usage(), error)
    }
}
