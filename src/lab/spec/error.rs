//! What can be wrong with a spec, and where.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::PRESETS;
use crate::learn::Fault;
use crate::player::Several;

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
    #[error("{place}: {problem}")]
    Content {
        /// Where it is written.
        place: Place,
        /// The key, its value and what was expected.
        problem: String,
    },
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

/// Where something is written: a preset, a file or an override.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What it is called in messages.
    pub source: Arc<str>,
    /// Counted from 1; an override has none.
    pub line: Option<usize>,
}

impl Place {
    /// An error here.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> SpecError {
        SpecError::Content { place: self.clone(), problem: problem.into() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        self.line.map_or(Ok(()), |line| write!(f, ", line {line}"))
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
