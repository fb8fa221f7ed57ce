//! What is to be trained, what is told on the way, and what became of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use outflank_kernel::Kernel;
use outflank_learn::{Ready, Spec};
use outflank_store::{Remedy, RunError};

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Order {
    /// What the method is called.
    pub name: String,
    /// The method, with what its runs need from outside.
    pub ready: Ready,
    /// Its canonical text.
    pub text: String,
    /// Where the runs go, each into the folder of its seed.
    pub out: PathBuf,
    /// A run for each.
    pub seeds: Vec<u64>,
    /// Which kernel plays.
    pub kernel: Kernel,
    /// On how many threads.
    pub threads: usize,
    /// The least time between two checkpoints of a run.
    pub checkpoint_every: Duration,
    /// The stamp of the method: what results of it depend on besides its text.
    pub signature: u64,
    /// What else the manifests say.
    pub extras: Map<String, Value>,
}

impl Order {
    /// The method.
    pub fn spec(&self) -> &Spec {
        self.ready.spec()
    }
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Its seed.
    pub seed: u64,
    /// Its directory.
    pub path: PathBuf,
    /// Games done.
    pub games: u64,
    /// Generations done.
    pub generations: u64,
    /// The generation at which it was taken up this time.
    pub resumed_at: u64,
    /// Seconds it took this time.
    pub seconds: f64,
    /// What it cost, all times together; not known of runs of older programs.
    pub cost: Option<Cost>,
    /// The latest value of each probe.
    pub probes: BTreeMap<String, f64>,
    /// How it ended.
    pub end: End,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All games are played.
    Finished,
    /// They were played before.
    AlreadyFinished,
    /// It was stopped, and can be resumed.
    Stopped,
    /// All were stopped before it was its turn.
    NotBegun,
    /// It could not go on; why, and whether the command was wrong.
    Failed {
        /// What happened.
        message: String,
        /// Whether another command would have helped.
        usage: bool,
        /// What helps, if that is known.
        remedy: Option<Remedy>,
    },
}

impl End {
    /// Says whether the same command again has something to do because this one was stopped.
    pub fn is_early(&self) -> bool {
        matches!(self, End::Stopped | End::NotBegun)
    }

    pub(super) fn of(error: &RunError) -> End {
        let (usage, remedy) = (error.is_usage(), error.remedy());
        End::Failed { message: error.to_string(), usage, remedy }
    }
}

impl RunReport {
    pub(super) fn failed(order: &Order, seed: u64, message: &str) -> RunReport {
        RunReport {
            seed,
            path: order.out.join(seed.to_string()),
            games: 0,
            generations: 0,
            resumed_at: 0,
            seconds: 0.0,
            cost: None,
            probes: BTreeMap::new(),
            end: End::Failed { message: message.into(), usage: false, remedy: None },
        }
    }
}

/// What a run has cost so far. Lost work, after a kill, is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds on the clock in which it was trained; runs side by side share them.
    pub training_seconds: f64,
    /// Seconds in which its champions were measured.
    pub probe_seconds: f64,
    /// Single games in which its champions were measured, which do not count as training.
    pub probe_games: u64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            training_seconds: self.training_seconds + other.training_seconds,
            probe_seconds: self.probe_seconds + other.probe_seconds,
            probe_games: self.probe_games + other.probe_games,
        }
    }
}

/// The name of the cost in a run's manifest.
pub const COST: &str = "cost";
