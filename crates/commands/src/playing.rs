//! What all commands that play games have in their requests.

use outflank_arena::{Arena, Openings};
use outflank_kernel::Kernel;
use serde::{Deserialize, Serialize};

use crate::Error;

/// How games are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Playing {
    /// Seed of all random choices.
    pub seed: u64,
    /// Threads to play on; all cores if there is none. The results do not depend on it.
    pub threads: Option<usize>,
    /// Where games start: `random:K`, or a file; the usual position if there is none.
    pub openings: Option<String>,
}

impl Default for Playing {
    fn default() -> Playing {
        Playing { seed: 1, threads: None, openings: None }
    }
}

impl Playing {
    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(all_cores)
    }

    pub(crate) fn arena(&self) -> Result<Arena, Error> {
        arena(self.threads())
    }

    pub(crate) fn openings(&self) -> Result<Openings, Error> {
        match &self.openings {
            Some(text) if text.is_empty() => {
                Err(Error::Usage("the openings are empty, expected a file or random:K".into()))
            }
            Some(text) => Ok(Openings::parse(text)?),
            None => Ok(Openings::Start),
        }
    }
}

/// An arena with the best kernel and this many threads.
pub fn arena(threads: usize) -> Result<Arena, Error> {
    Arena::new(Kernel::detect()?, threads)
        .map_err(|error| Error::Failed(format!("cannot start {threads} threads: {error}")))
}

/// The number of cores.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
