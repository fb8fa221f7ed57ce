//! Where something is written, and what is wrong there.

use std::fmt;
use std::sync::Arc;

/// Where something is written: a preset, a file or an override.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name in messages.
    pub source: Arc<str>,
    /// The line, counted from 1; an override has none.
    pub line: Option<usize>,
}

impl Place {
    /// Makes a mistake at this place.
    pub fn wrong(&self, problem: impl Into<String>) -> Mistake {
        Mistake { place: self.clone(), problem: problem.into(), lacks: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        self.line.map_or(Ok(()), |line| write!(f, ", line {line}"))
    }
}

/// Something that is written wrongly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Mistake {
    /// Where it is written.
    pub place: Place,
    /// The key, its value and what was expected.
    pub problem: String,
    /// The keys that a table lacks, if that is the mistake, for a caller that can suggest values.
    pub lacks: Option<Box<Lacks>>,
}

/// Keys that a table lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacks {
    /// The path of the table; empty for the whole document.
    pub table: String,
    /// Its kind, if it has one.
    pub kind: Option<String>,
    /// The names of the keys, in order.
    pub keys: Vec<String>,
}
