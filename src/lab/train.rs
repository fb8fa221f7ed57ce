//! Runs from their first generation to their last: in which directory, on which threads, with which
//! probes and checkpoints. What comes out depends on the spec and the seed alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::probe::{Effort, Probe, UTILITY, measure};
use super::store::{Identity, Progress, RunDir, RunError, spec_id};
use crate::arena::{Arena, Stopped};
use crate::kernel::{DIVERGED, Kernel};
use crate::learn::{Candidate, Halt, LocalSpec, Run, Spec, Stop, step};
use crate::model::{View, Wpc};
use crate::player::{
    NAMED, Player, PlayerError, PlayerFile, Policy, read_player_file, split_options,
};
use crate::rng::{Seed, Stream};

/// The columns of `metrics.csv`.
pub const COLUMNS: &str = "games,generation,probe,value,score,wins,draws,losses";

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Order {
    /// What the method is called.
    pub name: String,
    /// The method.
    pub spec: Spec,
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
    /// The program's bench signature.
    pub signature: u64,
    /// What else the manifests say.
    pub extras: Map<String, Value>,
}

/// What happens to a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// It begins, or goes on from a generation above 0 with so many games done.
    Began {
        /// Generations done.
        generation: u64,
        /// Games done.
        games: u64,
    },
    /// Something is worth knowing.
    Warned(&'a str),
    /// So many games are done.
    Played(u64),
    /// Its champion was measured.
    Probed(&'a BTreeMap<String, f64>),
    /// It ended, one way or another.
    Ended,
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Report {
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
    },
}

/// What a run depends on besides its seed, as text: the spec, and what is in the files of players that
/// it names, which may change while it does not.
pub fn run_text(spec: &Spec) -> Result<String, PlayerError> {
    let fixed = spec.opponents.fixed.iter().flat_map(|fixed| &fixed.players);
    let mut names: Vec<&str> = fixed
        .chain(&spec.probes.vs)
        .map(|player| split_options(player).0)
        .filter(|name| *name != UTILITY && !NAMED.iter().any(|named| named.name == *name))
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut text = spec.to_toml();
    for name in names {
        let file = read_player_file(Path::new(name))?;
        let bytes = serde_json::to_vec(&file).expect("a player is plain JSON");
        let hash = &blake3::hash(&bytes).to_hex()[..16];
        text += &format!("# player {name:?} is {hash}\n");
    }
    Ok(text)
}

/// Tells of events, from any thread; the number is the run's seed.
pub type Tell<'a> = dyn Fn(u64, Event<'_>) + Sync + 'a;

/// Most runs whose candidates learn side by side: all of them are checkpointed when one is interrupted.
const MOST_TOGETHER: usize = 32;

/// Trains all runs of an order. Runs go on several threads at once; those that learn by themselves go
/// side by side on one, because many learners in a batch are faster.
pub fn train(order: &Order, stop: &Stop<'_>, tell: &Tell<'_>) -> Result<Vec<Report>, PlayerError> {
    for probe in &order.spec.probes.vs {
        Probe::parse(probe)?;
    }
    Run::new(order.spec.clone(), Seed(0), Wpc::uniform)?;
    let workers = order.threads.min(order.seeds.len()).max(1);
    let together = match order.spec.local {
        LocalSpec::None(_) => 1,
        LocalSpec::Td(_) => order.seeds.len().div_ceil(workers).min(MOST_TOGETHER),
    };
    let groups = Mutex::new(order.seeds.chunks(together.max(1)));
    let reports = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (groups, reports) = (&groups, &reports);
            // What does not divide evenly goes to the first workers.
            let threads = order.threads / workers + usize::from(worker < order.threads % workers);
            scope.spawn(move || {
                let next = || groups.lock().expect("no worker panics with the lock").next();
                while let Some(seeds) = next() {
                    let done = train_together(order, seeds, threads, stop, tell);
                    reports.lock().expect("no worker panics with the lock").extend(done);
                }
            });
        }
    });
    let mut reports = reports.into_inner().expect("no worker panics with the lock");
    reports.sort_by_key(|report: &Report| order.seeds.iter().position(|&seed| seed == report.seed));
    Ok(reports)
}

/// Trains runs side by side on some threads.
fn train_together(
    order: &Order,
    seeds: &[u64],
    threads: usize,
    stop: &Stop<'_>,
    tell: &Tell<'_>,
) -> Vec<Report> {
    let mut reports = Vec::new();
    let not_begun = |&seed: &u64| Report { end: End::NotBegun, ..Report::failed(order, seed, "") };
    if stop() {
        return seeds.iter().map(not_begun).collect();
    }
    let arena = match Arena::new(order.kernel, threads) {
        Ok(arena) => arena,
        Err(error) => {
            let failed = format!("cannot start {threads} threads: {error}");
            return seeds.iter().map(|&seed| Report::failed(order, seed, &failed)).collect();
        }
    };
    let mut journeys = Vec::new();
    for &seed in seeds {
        // Opening a directory takes its time, and whoever interrupts many runs should not wait for all.
        if stop() {
            reports.push(not_begun(&seed));
            continue;
        }
        match Journey::begin(order, seed, tell) {
            Ok(Begun::Going(journey)) => journeys.push(*journey),
            Ok(Begun::Ended(report)) => {
                tell(seed, Event::Ended);
                reports.push(report);
            }
            Err(error) => {
                tell(seed, Event::Ended);
                reports.push(Report { end: End::of(&error), ..Report::failed(order, seed, "") });
            }
        }
    }
    let mut pace = Pace::default();
    while !journeys.is_empty() {
        let ended = advance(&mut journeys, &arena, &mut pace, stop, tell);
        // From the last to the first, so that indices stay right.
        for (index, end) in ended.into_iter().rev() {
            let journey = journeys.remove(index);
            tell(journey.seed(), Event::Ended);
            reports.push(journey.report(end));
        }
    }
    reports
}

/// How long generations take.
#[derive(Default)]
struct Pace {
    /// The last one, of all runs together.
    last: Option<Duration>,
}

impl Pace {
    /// A person or a scheduler who asks us to stop waits for at most this long for a generation to end;
    /// longer ones are given up, and the state before them is kept.
    const PATIENCE: Duration = Duration::from_millis(300);

    /// So many games may take longer than that; the last generation may have had fewer.
    const MANY_GAMES: u64 = 100_000;

    fn is_slow(&self, games: u64) -> bool {
        games > Pace::MANY_GAMES || self.last.is_none_or(|last| last > Pace::PATIENCE)
    }
}

/// Takes runs one generation further, with probes and checkpoints where they are due. Tells which have
/// ended, and how.
fn advance<M: Candidate>(
    journeys: &mut [Journey<'_, M>],
    arena: &Arena,
    pace: &mut Pace,
    stop: &Stop<'_>,
    tell: &Tell<'_>,
) -> Vec<(usize, End)> {
    if stop() {
        let stopped = |(index, journey): (usize, &mut Journey<'_, M>)| (index, journey.stop(None));
        return journeys.iter_mut().enumerate().map(stopped).collect();
    }
    let began = Instant::now();
    let games = |journey: &Journey<'_, M>| journey.order.spec.games_per_generation();
    let slow = pace.is_slow(journeys.iter().map(games).fold(0, u64::saturating_add));
    let mut before = Vec::new();
    let waiting: Vec<bool> = journeys.iter().map(Journey::is_waiting).collect();
    let mut runs = Vec::new();
    for (journey, waiting) in journeys.iter_mut().zip(&waiting) {
        before.push(slow.then(|| journey.run.save()));
        if !waiting {
            runs.push(&mut journey.run);
        }
    }
    let never = || false;
    let mut halts = step(&mut runs, arena, if slow { stop } else { &never }).into_iter();
    pace.last = Some(began.elapsed());
    let mut ended = Vec::new();
    for (index, journey) in journeys.iter_mut().enumerate() {
        let stepped = if waiting[index] { Ok(()) } else { halts.next().unwrap_or(Ok(())) };
        let end = match stepped {
            Ok(()) => journey.arrive(arena, stop, tell),
            Err(Halt::Stopped) => Some(journey.stop(before[index].take())),
            Err(Halt::Diverged(game)) => Some(End::Failed {
                message: format!(
                    "{}: diverged at game {game}: a weight grew beyond {DIVERGED}; {}; try a smaller local.alpha (now {})",
                    journey.dir.path().display(),
                    journey.kept(),
                    journey.alpha()
                ),
                usage: false,
            }),
        };
        ended.extend(end.map(|end| (index, end)));
    }
    ended
}

/// A run on its way, and its directory.
struct Journey<'a, M> {
    order: &'a Order,
    run: Run<M>,
    dir: RunDir,
    probes: Vec<Probe>,
    /// Games done when the champion was last looked at.
    seen: u64,
    is_probe_due: bool,
    values: BTreeMap<String, f64>,
    resumed_at: u64,
    began: Instant,
    saved: Instant,
    /// How long the last checkpoint took.
    cost: Duration,
}

enum Begun<'a, M> {
    Going(Box<Journey<'a, M>>),
    Ended(Report),
}

/// What a checkpoint holds.
#[derive(Serialize, Deserialize)]
struct State {
    run: Vec<u8>,
    is_probe_due: bool,
}

impl<'a> Journey<'a, Wpc> {
    /// Opens the directory of a run and takes it up where it was.
    fn begin(order: &'a Order, seed: u64, tell: &Tell<'_>) -> Result<Begun<'a, Wpc>, RunError> {
        let path = order.out.join(seed.to_string());
        let identity = Identity {
            spec: &order.text,
            seed,
            version: env!("CARGO_PKG_VERSION"),
            signature: order.signature,
            columns: COLUMNS,
        };
        let opened = RunDir::open(&path, &identity, order.extras.clone())?;
        for warning in &opened.warnings {
            tell(seed, Event::Warned(warning));
        }
        let mut run = Run::new(order.spec.clone(), Seed(seed), Wpc::uniform)
            .expect("the spec was tried before the first run");
        let mut is_probe_due = false;
        match opened.progress {
            Progress::New => {}
            Progress::Resumed(checkpoint) => {
                let restored = postcard::from_bytes(&checkpoint.state)
                    .and_then(|state: State| run.restore(&state.run).map(|()| state.is_probe_due));
                is_probe_due = restored.map_err(|error| RunError::Damaged {
                    path: path.join("checkpoint.bin"),
                    problem: error.to_string(),
                })?;
            }
            Progress::Finished { generation, games } => {
                let probes = latest_probes(&path);
                let end = End::AlreadyFinished;
                let (generations, resumed_at) = (generation, generation);
                let report = Report {
                    games,
                    generations,
                    resumed_at,
                    probes,
                    end,
                    ..Report::failed(order, seed, "")
                };
                return Ok(Begun::Ended(report));
            }
        }
        tell(seed, Event::Began { generation: run.generation(), games: run.games() });
        let parse = |name: &String| Probe::parse(name).expect("probes were tried before the run");
        let now = Instant::now();
        Ok(Begun::Going(Box::new(Journey {
            order,
            probes: order.spec.probes.vs.iter().map(parse).collect(),
            seen: run.games(),
            is_probe_due,
            values: latest_probes(&path),
            resumed_at: run.generation(),
            run,
            dir: opened.dir,
            began: now,
            saved: now,
            cost: Duration::ZERO,
        })))
    }
}

impl<M: Candidate> Journey<'_, M> {
    fn seed(&self) -> u64 {
        self.run.seed().0
    }

    /// What there is on disk of a run that cannot go on.
    fn kept(&self) -> &'static str {
        match self.dir.champion().exists() {
            true => "the last checkpoint is kept",
            false => "it had no checkpoint yet",
        }
    }

    fn alpha(&self) -> f64 {
        match &self.order.spec.local {
            LocalSpec::Td(td) => td.alpha,
            LocalSpec::None(_) => 0.0,
        }
    }

    /// Says that something comes before the next generation: a probe that was interrupted, or the end
    /// of a run that was killed after its last checkpoint.
    fn is_waiting(&self) -> bool {
        self.is_probe_due || self.run.is_done()
    }

    /// A generation is done: probes, checkpoint, perhaps the end.
    fn arrive(&mut self, arena: &Arena, stop: &Stop<'_>, tell: &Tell<'_>) -> Option<End> {
        let (games, every, done) =
            (self.run.games(), self.order.spec.probes.every, self.run.is_done());
        tell(self.seed(), Event::Played(games));
        // A probe due at g games is taken at the end of the first generation at or past g.
        let passed = every > 0 && games / every > self.seen / every;
        let ended = done && games > self.seen;
        self.is_probe_due |= passed || ended;
        self.seen = games;
        if self.is_probe_due {
            if self.probe(arena, stop).is_err() {
                return Some(self.stop(None));
            }
            self.is_probe_due = false;
            tell(self.seed(), Event::Probed(&self.values));
        }
        if done {
            let (champion, state) = (self.champion(), self.state());
            let finished = self.dir.finish(self.run.generation(), games, &state, &champion);
            return Some(finished.map_or_else(|error| End::of(&error), |()| End::Finished));
        }
        if self.saved.elapsed() >= self.pause() {
            let before = Instant::now();
            if let Err(error) = self.checkpoint() {
                return Some(End::of(&error));
            }
            self.cost = before.elapsed();
            self.saved = Instant::now();
        }
        None
    }

    /// The least time to the next checkpoint: longer if the disk is slow, so that a twentieth of all time
    /// goes to checkpoints at most. Who asks for one after every generation gets it.
    fn pause(&self) -> Duration {
        match self.order.checkpoint_every {
            Duration::ZERO => Duration::ZERO,
            every => every.max(20 * self.cost),
        }
    }

    /// Measures the champion and notes what came of it.
    fn probe(&mut self, arena: &Arena, stop: &Stop<'_>) -> Result<(), Stopped> {
        let probes = &self.order.spec.probes;
        let effort = Effort { games: probes.games, sample: probes.sample };
        let seed = self.run.seed().child(Stream::Probe, self.run.generation());
        let player: Player = self.run.champion().player(Policy::default());
        let asked = |_| if stop() { Err(Stopped) } else { Ok(()) };
        let tallies = measure(arena, &[player], &self.probes, effort, seed, asked)?;
        for (probe, tally) in self.probes.iter().zip(tallies.iter().flatten()) {
            let value = probe.value(tally);
            self.dir.note(&csv_row([
                self.run.games().to_string(),
                self.run.generation().to_string(),
                probe.name.clone(),
                value.to_string(),
                tally.score().to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
            ]));
            self.values.insert(probe.name.clone(), value);
        }
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<(), RunError> {
        let (champion, state) = (self.champion(), self.state());
        self.dir.checkpoint(self.run.generation(), self.run.games(), &state, &champion)
    }

    fn state(&self) -> Vec<u8> {
        let state = State { run: self.run.save(), is_probe_due: self.is_probe_due };
        postcard::to_stdvec(&state).expect("bytes can be written to memory")
    }

    /// Keeps what there is, or the state before a generation that was given up.
    fn stop(&mut self, before: Option<Vec<u8>>) -> End {
        if let Some(before) = before {
            self.run.restore(&before).expect("what was saved a moment ago can be restored");
        }
        self.checkpoint().map_or_else(|error| End::of(&error), |()| End::Stopped)
    }

    /// The champion as a player file.
    fn champion(&self) -> String {
        let name = format!("{}-{}", self.order.name, self.seed());
        let provenance = json!({
            "method": self.order.name,
            "spec": spec_id(&self.order.text),
            "seed": self.seed(),
            "generation": self.run.generation(),
            "games": self.run.games(),
        });
        let provenance = provenance.as_object().cloned().unwrap_or_default();
        let file = PlayerFile::of_model(&name, self.run.champion(), View::Black, provenance);
        let mut text = serde_json::to_string_pretty(&file).expect("a player is plain JSON");
        text.push('\n');
        text
    }

    fn report(self, end: End) -> Report {
        Report {
            seed: self.seed(),
            path: self.dir.path().into(),
            games: self.run.games(),
            generations: self.run.generation(),
            resumed_at: self.resumed_at,
            seconds: self.began.elapsed().as_secs_f64(),
            probes: self.values,
            end,
        }
    }
}

impl End {
    /// Says whether the same command again has something to do because this one was stopped.
    pub fn is_early(&self) -> bool {
        matches!(self, End::Stopped | End::NotBegun)
    }

    fn of(error: &RunError) -> End {
        End::Failed { message: error.to_string(), usage: error.is_usage() }
    }
}

impl Report {
    fn failed(order: &Order, seed: u64, message: &str) -> Report {
        Report {
            seed,
            path: order.out.join(seed.to_string()),
            games: 0,
            generations: 0,
            resumed_at: 0,
            seconds: 0.0,
            probes: BTreeMap::new(),
            end: End::Failed { message: message.into(), usage: false },
        }
    }
}

/// A line of a CSV file. Probes are named by the user, and `a@epsilon=0.1,noise=0.01` has a comma.
fn csv_row(fields: [String; 8]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok());
    let line = written.and_then(|bytes| String::from_utf8(bytes).ok());
    line.expect("text can be written to memory").trim_end().into()
}

/// The last value of each probe in a run's metrics, as far as they can be read.
fn latest_probes(path: &Path) -> BTreeMap<String, f64> {
    let Ok(mut reader) = csv::Reader::from_path(path.join("metrics.csv")) else {
        return BTreeMap::new();
    };
    let rows = reader.records().map_while(Result::ok);
    rows.filter_map(|row| Some((row.get(2)?.to_owned(), row.get(3)?.parse().ok()?))).collect()
}
