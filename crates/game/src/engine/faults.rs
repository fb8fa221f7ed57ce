//! What can go wrong with an engine, counted by kind.

use serde::Serialize;

/// How a game was lost other than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// It ended, or closed its output.
    Crash,
    /// It did not answer in time.
    Time,
    /// It made a move that the rules do not allow, or passed though it could move.
    Illegal,
    /// It answered something that is no move.
    Nonsense,
    /// It refused a legal move of the game, or to move.
    Refusal,
    /// It resigned, which is no mistake.
    Resigned,
    /// It could not be started again.
    Start,
}

impl FaultKind {
    /// In words, for games that were lost by it.
    pub fn words(self) -> &'static str {
        match self {
            FaultKind::Crash => "crashed",
            FaultKind::Time => "no answer in time",
            FaultKind::Illegal => "illegal move",
            FaultKind::Nonsense => "not a move",
            FaultKind::Refusal => "refused a legal move",
            FaultKind::Resigned => "resigned",
            FaultKind::Start => "did not start again",
        }
    }
}

/// A fault of an engine in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Of which kind.
    pub kind: FaultKind,
    /// What happened.
    pub what: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, what: impl Into<String>) -> Fault {
        Fault { kind, what: what.into() }
    }
}

/// Why an engine has no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It failed.
    Fault(Fault),
    /// Whoever waits for it was asked to stop.
    Stopped,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

/// The games lost by one kind of fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultCount {
    /// The kind.
    pub kind: FaultKind,
    /// Games lost by it.
    pub games: u64,
    /// What happened in the first of them.
    pub first: String,
}

/// The faults of an engine in a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineFaults {
    /// The player.
    pub player: String,
    /// What the engine calls itself, with its version.
    pub engine: String,
    /// Games that it lost by faults.
    pub games: u64,
    /// By kind.
    pub faults: Vec<FaultCount>,
}

/// Adds a fault to the counts, which are in the order of kinds.
pub(super) fn count(counts: &mut Vec<FaultCount>, fault: &Fault) {
    match counts.binary_search_by_key(&fault.kind, |count| count.kind) {
        Ok(at) => counts[at].games += 1,
        Err(at) => {
            let first = fault.what.clone();
            counts.insert(at, FaultCount { kind: fault.kind, games: 1, first });
        }
    }
}
