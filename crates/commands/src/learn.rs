//! Training: one run for each seed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outflank_arena::{News, Watch};
use outflank_game::player::find_folder;
use outflank_kernel::Kernel;
use outflank_lab::{Cost, End, Goal, Order, RunReport, mean_interval, stamp, train};
use outflank_learn::{Method, Quantity, Spec, SpecError, resolve, run_text};
use outflank_store::{BEFORE, Remedy, Study, spec_difference, spec_id};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::teams::thousands;
use crate::{Command, Error, all_cores};

/// Trains players by a method.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearnRequest {
    /// A preset or a spec file.
    pub method: String,
    /// Keys to set, `KEY=VALUE`.
    pub set: Vec<String>,
    /// One run for each.
    pub seeds: Vec<u64>,
    /// The folder of a finished study of the same spec with fewer games, whose runs these continue.
    pub continue_from: Option<PathBuf>,
    /// Games in each run; the method's own number if there is none.
    pub games: Option<u64>,
    /// The folder of the runs; one under `runs/` that is named after the method if there is none.
    pub out: Option<PathBuf>,
    /// Threads; all cores if there is none.
    pub threads: Option<usize>,
    /// The minimum time between two checkpoints of a run, in seconds.
    pub checkpoint_every: f64,
    /// The words of the command, which are stored with the runs.
    pub command: Vec<String>,
}

impl Default for LearnRequest {
    fn default() -> LearnRequest {
        LearnRequest {
            method: String::new(),
            set: Vec::new(),
            seeds: vec![1],
            continue_from: None,
            games: None,
            out: None,
            threads: None,
            checkpoint_every: 5.0,
            command: Vec::new(),
        }
    }
}

/// What became of the runs.
#[derive(Clone, Debug, Serialize)]
pub struct LearnAnswer {
    /// A row for each run, in the order of the seeds.
    pub results: Vec<RunAnswer>,
    /// The last value of each probe over the finished runs.
    pub summary: BTreeMap<String, ProbeSummary>,
}

/// A probe over finished runs.
#[derive(Clone, Debug, Serialize)]
pub struct ProbeSummary {
    /// Number of runs.
    pub runs: usize,
    /// Their mean.
    pub mean: f64,
    /// Its 95% interval.
    pub interval: Option<[f64; 2]>,
}

/// What became of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunAnswer {
    /// Its folder.
    pub run: String,
    /// What the method is called.
    pub preset: String,
    /// Its seed.
    pub seed: u64,
    /// Games played so far.
    pub games: u64,
    /// Generations so far.
    pub generations: u64,
    /// The generation at which it resumed this time.
    pub resumed_at_generation: u64,
    /// Seconds it took this time.
    pub seconds: f64,
    /// What it cost in total.
    pub cost: Option<Cost>,
    /// The file of its champion.
    pub champion: String,
    /// The latest value of each probe.
    pub probes: BTreeMap<String, f64>,
    /// What became of the stage before it, whose games are not among its own; nothing if there is
    /// none, or if the run was finished.
    pub before: Option<Box<RunAnswer>>,
    /// What became of its goal, if it has one and has ended.
    pub goal: Option<Goal>,
    /// How it ended.
    pub state: RunState,
    /// What went wrong, if it failed.
    pub problem: Option<String>,
    /// Whether the request was at fault.
    #[serde(skip)]
    pub is_usage: bool,
    /// What helps, if that is known.
    #[serde(skip)]
    pub remedy: Option<Remedy>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// All games are played, or its goal is reached.
    Finished,
    /// It was finished before.
    AlreadyFinished,
    /// It was stopped, and can be resumed.
    Stopped,
    /// The command was stopped before this run began.
    NotBegun,
    /// It failed.
    Failed,
}

impl RunState {
    /// Says whether all games are played.
    pub fn is_finished(self) -> bool {
        matches!(self, RunState::Finished | RunState::AlreadyFinished)
    }

    /// Says whether repeating the request would continue this run.
    pub fn is_early(self) -> bool {
        matches!(self, RunState::Stopped | RunState::NotBegun)
    }
}

/// A request that was checked: what will be trained.
#[derive(Debug)]
pub struct Prepared {
    /// The method.
    pub method: Method,
    /// The runs to train.
    pub order: Order,
}

impl Command for LearnRequest {
    type Answer = LearnAnswer;
    const NAME: &'static str = "learn";

    fn run(&self, watch: &dyn Watch) -> Result<LearnAnswer, Error> {
        self.prepare()?.run(watch)
    }
}

impl LearnRequest {
    /// Checks the request; nothing is written.
    pub fn prepare(&self) -> Result<Prepared, Error> {
        let method = self.resolve()?;
        if self.seeds.is_empty() {
            return Err(Error::Usage("there are no seeds, expected at least one".into()));
        }
        let text = run_text(&method.spec)?;
        let from = self.continue_from.as_deref().map(find_folder).transpose()?;
        if let Some(from) = &from {
            refuse_other_study(from, &method, &self.seeds)?;
        }
        let out = self.out.clone().unwrap_or_else(|| {
            PathBuf::from("runs").join(format!("{}-{}", method.name, spec_id(&text)))
        });
        let kernel = Kernel::detect()?;
        let threads = self.threads.unwrap_or_else(all_cores);
        let checkpoint_every =
            Duration::try_from_secs_f64(self.checkpoint_every).map_err(|_| {
                Error::Usage(format!(
                    "checkpoint_every = {} is not a number of seconds",
                    self.checkpoint_every
                ))
            })?;
        // A run may begin with data from files; if they are wrong, nothing is left on disk.
        let ready = method.spec.ready()?;
        ready.check(&self.seeds)?;
        let order = Order {
            name: method.name.clone(),
            ready,
            text,
            out,
            from,
            seeds: self.seeds.clone(),
            kernel,
            threads,
            checkpoint_every,
            signature: stamp(&method.spec, kernel),
            extras: Map::from_iter([
                ("kernel".into(), kernel.name().into()),
                ("threads".into(), threads.into()),
                ("command".into(), self.command.clone().into()),
            ]),
        };
        Ok(Prepared { method, order })
    }

    /// The words of the command line that does the same.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec!["outflank".to_string(), "learn".into(), self.method.clone()];
        for set in &self.set {
            words.extend(["--set".into(), set.clone()]);
        }
        let seeds = &self.seeds;
        let is_range = seeds.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1));
        words.push("--seeds".into());
        words.push(match seeds[..] {
            [first, .., last] if is_range => format!("{first}..{last}"),
            _ => seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
        });
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.into_iter().flat_map(|value| [name.to_string(), value]));
        };
        option("--games", self.games.map(|games| games.to_string()));
        option("--threads", self.threads.map(|threads| threads.to_string()));
        option("--out", self.out.as_ref().map(|out| out.to_string_lossy().into_owned()));
        words
    }

    /// The method, with its settings.
    pub(crate) fn resolve(&self) -> Result<Method, Error> {
        let mut set = self.set.clone();
        set.extend(self.games.map(|games| format!("games={games}")));
        let method = resolve(&self.method, &set);
        let method =
            method.map(|method| Method { name: self.own_name().unwrap_or(method.name), ..method });
        match (method, self.games) {
            (Err(SpecError::Refused { fault, .. }), Some(games)) if fault.key == "games" => {
                Err(Error::Usage(format!("games = {games}, expected {}", fault.expected)))
            }
            (method, _) => Ok(method?),
        }
    }

    /// A run takes the name of the study it belongs to, so that it ends with the same bytes.
    fn own_name(&self) -> Option<String> {
        let path = Path::new(&self.method);
        let study = path.parent()?.parent()?;
        let is_spec = path.file_name()? == "spec.toml" && self.set.is_empty();
        let study = find_folder(study).ok().filter(|_| is_spec)?;
        Some(Study::read(&study).ok()?.preset().into())
    }
}

/// Refuses to continue a study unless it is the beginning of the longer one.
fn refuse_other_study(from: &Path, method: &Method, seeds: &[u64]) -> Result<(), Error> {
    let (study, spec) = (Study::read(from)?, &method.spec);
    let refuse = |problem: String| {
        Err(Error::Usage(format!("cannot continue {}: {problem}", from.display())))
    };
    if let Some(key) = spec.local.key_of_length() {
        return refuse(format!(
            "local.{key} changes over a run, so a run of {} games does not begin like a shorter one",
            thousands(spec.games)
        ));
    }
    if spec.until.is_some() {
        return refuse("its runs end at a goal (until), which more games do not change".into());
    }
    // Keys of no table come first in the canonical text.
    let keys = study.spec().lines().take_while(|line| !line.starts_with('['));
    let games = |line: &str| line.strip_prefix("games = ")?.parse().ok();
    let games: u64 = keys.into_iter().find_map(games).unwrap_or(0);
    let shorter = run_text(&Spec { games, ..spec.clone() })?;
    if shorter != study.spec() {
        return refuse(format!("other settings: {}", spec_difference(study.spec(), &shorter)));
    }
    if games >= spec.games {
        let (there, here) = (thousands(games), thousands(spec.games));
        return refuse(format!(
            "its runs have {there} games, and {here} are not more; --games N sets the number"
        ));
    }
    let missing = seeds.iter().find(|seed| !study.seeds().contains(seed));
    if let Some(seed) = missing {
        let known = outflank_report::seeds(study.seeds());
        return refuse(format!("it has no run with seed {seed}; its seeds are {known}"));
    }
    Ok(())
}

impl Prepared {
    /// Trains the runs. Those that fail or are stopped say so in the answer.
    pub fn run(&self, watch: &dyn Watch) -> Result<LearnAnswer, Error> {
        let Prepared { order, .. } = self;
        let study = open_study(order, watch)?;
        // The study keeps its name, even if its spec comes from another file this time.
        let order = &Order { name: study.preset().into(), ..order.clone() };
        watch.tell(News::Study {
            seeds: &order.seeds,
            games: order.spec().all_games(),
            threads: order.threads,
        });
        let reports = train(order, watch)?;
        let results: Vec<RunAnswer> =
            reports.iter().map(|report| of_run(&order.name, report)).collect();
        let mut finals: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for run in results.iter().filter(|run| run.state.is_finished()) {
            for (probe, value) in &run.probes {
                finals.entry(probe.clone()).or_default().push(*value);
            }
        }
        let summary = finals.into_iter().map(|(probe, values)| {
            let (mean, interval) = mean_interval(&values);
            let interval = interval.map(|ends| Quantity::of(&probe).within(ends));
            (probe, ProbeSummary { runs: values.len(), mean, interval })
        });
        Ok(LearnAnswer { results, summary: summary.collect() })
    }
}

/// Opens the study of the runs. Says so if it has to wait for another process or if something was
/// repaired.
fn open_study(order: &Order, watch: &dyn Watch) -> Result<Study, Error> {
    let mut is_told = false;
    let mut patience = || {
        if !is_told {
            let lock = order.out.join("lock");
            let note = format!("waiting for another process that holds {}", lock.display());
            watch.tell(News::Note(&note));
            is_told = true;
        }
        !watch.stop()
    };
    let study = Study::open(&order.out, &order.name, &order.text, &order.seeds, &mut patience);
    watch.check()?;
    let study = study?;
    if let Some(note) = study.note() {
        watch.tell(News::Note(note));
    }
    Ok(study)
}

fn of_run(method: &str, report: &RunReport) -> RunAnswer {
    let (state, problem, failure) = match &report.end {
        End::Finished => (RunState::Finished, None, None),
        End::AlreadyFinished => (RunState::AlreadyFinished, None, None),
        End::Stopped => (RunState::Stopped, None, None),
        End::NotBegun => (RunState::NotBegun, None, None),
        End::Failed { message, usage, remedy } => {
            (RunState::Failed, Some(message.clone()), Some((*usage, *remedy)))
        }
    };
    RunAnswer {
        run: report.path.to_string_lossy().into_owned(),
        preset: method.into(),
        seed: report.seed,
        games: report.games,
        generations: report.generations,
        resumed_at_generation: report.resumed_at,
        seconds: report.seconds,
        cost: report.cost,
        champion: report.path.join("champion.json").to_string_lossy().into_owned(),
        probes: report.probes.clone(),
        before: report
            .before
            .as_ref()
            .map(|before| Box::new(of_run(&format!("{method}-{BEFORE}"), before))),
        goal: report.goal,
        state,
        problem,
        is_usage: failure.is_some_and(|(usage, _)| usage),
        remedy: failure.and_then(|(_, remedy)| remedy),
    }
}
