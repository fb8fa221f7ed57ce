//! What to train, and what became of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use outflank_kernel::Kernel;
use outflank_learn::{Ready, Spec};
use outflank_store::{Remedy, RunError};

/// Runs to train.
#[derive(Clone, Debug)]
pub struct Order {
    /// The name of the method.
    pub name: String,
    /// The method, with the contents of the files that its runs need.
    pub ready: Ready,
    /// Its canonical text.
    pub text: String,
    /// The folder of the runs; each has a folder named after its seed.
    pub out: PathBuf,
    /// The folder of finished, shorter runs of the same spec that these continue.
    pub from: Option<PathBuf>,
    /// One run for each.
    pub seeds: Vec<u64>,
    /// The kernel that plays.
    pub kernel: Kernel,
    /// The number of threads.
    pub threads: usize,
    /// The minimum time between two checkpoints of a run.
    pub checkpoint_every: Duration,
    /// The stamp of the method: what results of it depend on besides its text.
    pub signature: u64,
    /// Other entries of the manifests.
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
    /// Games played so far.
    pub games: u64,
    /// Generations so far.
    pub generations: u64,
    /// The generation at which it resumed this time.
    pub resumed_at: u64,
    /// Seconds it took this time.
    pub seconds: f64,
    /// What it cost in total; unknown for runs of older programs.
    pub cost: Option<Cost>,
    /// The latest value of each probe.
    pub probes: BTreeMap<String, f64>,
    /// What became of the stage before, if there is one and this run is not finished without it.
    pub before: Option<Box<RunReport>>,
    /// What became of its goal, if it has one and has ended.
    pub goal: Option<Goal>,
    /// How it ended.
    pub end: End,
}

/// What became of the goal of a run (the table `until` of its spec).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// Whether it was reached.
    pub reached: bool,
    /// The score at the last probe.
    pub score: f64,
}

/// The key of the goal in a run's manifest.
pub const GOAL: &str = "goal";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All games are played, or its goal is reached.
    Finished,
    /// It was finished before.
    AlreadyFinished,
    /// It was stopped, and can be resumed.
    Stopped,
    /// The command was stopped before this run began.
    NotBegun,
    /// It failed.
    Failed {
        /// What happened.
        message: String,
        /// Whether the command was at fault.
        usage: bool,
        /// What would help, if known.
        remedy: Option<Remedy>,
    },
}

impl End {
    /// Says whether repeating the command would continue this run.
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
            before: None,
            goal: None,
            end: End::Failed { message: message.into(), usage: false, remedy: None },
        }
    }
}

/// What a run has cost so far. Lost work, after a kill, is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Wall-clock seconds of training; runs side by side share them.
    pub training_seconds: f64,
    /// Seconds of measuring its champions.
    pub probe_seconds: f64,
    /// Single games that measured its champions; they do not count as training.
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

/// The key of the cost in a run's manifest.
pub const COST: &str = "cost";
