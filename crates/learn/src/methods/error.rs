//! What can be wrong with a spec, and where.

use std::path::PathBuf;

use super::PRESETS;
use outflank_game::player::Several;
use outflank_schema::{Fault, Mistake, Place};

/// Why a spec cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// Neither a preset nor a file.
    #[error("unknown preset {name:?}: {}", suggestion(.nearest.as_deref()))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The preset most like it.
        nearest: Option<String>,
    },
    /// The file is in a folder that may be one of several.
    #[error(transparent)]
    Several(Several),
    /// The file cannot be read.
    #[error("cannot read spec file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// What is written is wrong.
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
    /// Says whether what was written is wrong, and not that it could not be read.
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
