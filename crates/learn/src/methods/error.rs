//! What can be wrong with a spec, and where.

use std::path::PathBuf;

use super::PRESETS;
use outflank_game::player::Several;
use outflank_schema::{Fault, Mistake, Place};

/// Why there is no such spec.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// There is neither a preset nor a file with this name.
    #[error("unknown preset {name:?}: {}", suggestion(.nearest.as_deref()))]
    Unknown {
        /// The name.
        name: String,
        /// The most similar preset.
        nearest: Option<String>,
    },
    /// The name of the folder is ambiguous.
    #[error(transparent)]
    Several(Several),
    /// The file cannot be read.
    #[error("cannot read spec file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The text has a mistake.
    #[error(transparent)]
    Content(#[from] Mistake),
    /// The method makes no sense, or two of its keys disagree.
    #[error("{place}: {fault}")]
    Refused {
        /// Where the key is written.
        place: Place,
        /// What is wrong with its value.
        fault: Fault,
    },
}

impl SpecError {
    /// Says whether the spec is wrong, as opposed to unreadable.
    pub fn is_usage(&self) -> bool {
        !matches!(self, SpecError::Read { .. })
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => {
            let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
            format!("there is no such file, and the presets are {}", names.join(", "))
        }
    }
}
