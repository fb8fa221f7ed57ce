//! Runs from their first generation to their last: in which directory, on which threads, with which
//! probes and checkpoints. What comes out depends on the spec and the seed alone.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::journey::{Begun, Cost, Journey};
use super::probe::{Probe, UTILITY};
use super::store::RunError;
use crate::arena::Arena;
use crate::kernel::{DIVERGED, Kernel, LARGEST_WEIGHT};
use crate::learn::{
    Candidate, Halt, LocalSpec, ModelSpec, OPPONENTS, Spec, Stop, step, with_model,
};
use crate::player::{NAMED, PlayerError, parse_player, read_player_file, split_options};
use crate::rng::Seed;

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
    },
}

/// What a run depends on besides its seed, as text: the spec, and what is in the files that it names, which may change
/// while it does not.
pub fn run_text(spec: &Spec) -> Result<String, PlayerError> {
    let fixed = spec.opponents.fixed.iter().flat_map(|fixed| &fixed.players);
    let (met, files) = match &spec.local {
        LocalSpec::Games(games) if games.files.is_empty() => (games.players.as_slice(), &[][..]),
        LocalSpec::Games(games) => (&[][..], games.files.as_slice()),
        _ => (&[][..], &[][..]),
    };
    let begins = match &spec.model {
        ModelSpec::Mlp(mlp) | ModelSpec::Spatial(mlp) if !mlp.from.is_empty() => Some(&mlp.from),
        _ => None,
    };
    let mut names: Vec<&str> = fixed
        .chain(&spec.probes.vs)
        .chain(met)
        .chain(begins)
        .map(|player| split_options(player).0)
        .filter(|name| ![UTILITY, OPPONENTS].contains(name))
        .filter(|name| !NAMED.iter().any(|named| named.name == *name))
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut text = spec.to_toml();
    for name in names {
        // A name that is misspelt is no file, and the error knows those there are.
        parse_player(name)?;
        let file = read_player_file(Path::new(name))?;
        let bytes = serde_json::to_vec(&file).expect("a player is plain JSON");
        let hash = &blake3::hash(&bytes).to_hex()[..16];
        text += &format!("# player {name:?} is {hash}\n");
    }
    for name in files {
        let mut content = blake3::Hasher::new();
        // In pieces: a device has no end, and the readers of games say so.
        std::fs::File::open(name)
            .and_then(|file| std::io::copy(&mut file.take(LARGEST_GAMES), &mut content))
            .map_err(|error| PlayerError::Games {
                path: name.into(),
                problem: error.to_string(),
            })?;
        let hash = &content.finalize().to_hex()[..16];
        text += &format!("# games {name:?} are {hash}\n");
    }
    Ok(text)
}

/// Of larger files of games only so much is looked at; nobody reads them.
const LARGEST_GAMES: u64 = 1 << 30;

/// Tells of events, from any thread; the number is the run's seed.
pub type Tell<'a> = dyn Fn(u64, Event<'_>) + Sync + 'a;

/// Most runs whose candidates learn side by side: all of them are checkpointed when one is interrupted.
const MOST_TOGETHER: usize = 32;

/// Trains all runs of an order. Runs go on several threads at once; those that learn by themselves go
/// side by side on one, because many learners in a batch are faster.
pub fn train(order: &Order, stop: &Stop<'_>, tell: &Tell<'_>) -> Result<Vec<Report>, PlayerError> {
    for probe in &order.spec.yardsticks() {
        Probe::parse(probe)?;
    }
    order.spec.begin(Seed(0))?;
    let workers = order.threads.min(order.seeds.len()).max(1);
    let together = match order.spec.local {
        LocalSpec::Td(_) => order.seeds.len().div_ceil(workers).min(MOST_TOGETHER),
        _ => 1,
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
                    let done = with_model!(order.spec.model, M => {
                        train_together::<M>(order, seeds, threads, stop, tell)
                    });
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
fn train_together<M: Candidate>(
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
        match Journey::<M>::begin(order, seed, tell) {
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
    let took = began.elapsed();
    pace.last = Some(took);
    let share = took / waiting.iter().filter(|waiting| !*waiting).count().max(1) as u32;
    let mut ended = Vec::new();
    for (index, journey) in journeys.iter_mut().enumerate() {
        let stepped = if waiting[index] { Ok(()) } else { halts.next().unwrap_or(Ok(())) };
        if !waiting[index] {
            journey.trained(share);
        }
        let end = match stepped {
            Ok(()) => journey.arrive(arena, stop, tell),
            Err(Halt::Stopped) => Some(journey.stop(before[index].take())),
            Err(Halt::Diverged(game)) => Some(End::Failed {
                message: format!(
                    "{}: diverged at game {game}: a weight grew beyond {}; {}; try a smaller local.alpha (now {})",
                    journey.dir.path().display(),
                    if journey.learns_online() { DIVERGED } else { LARGEST_WEIGHT },
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

impl End {
    /// Says whether the same command again has something to do because this one was stopped.
    pub fn is_early(&self) -> bool {
        matches!(self, End::Stopped | End::NotBegun)
    }

    pub(super) fn of(error: &RunError) -> End {
        End::Failed { message: error.to_string(), usage: error.is_usage() }
    }
}

impl Report {
    pub(super) fn failed(order: &Order, seed: u64, message: &str) -> Report {
        Report {
            seed,
            path: order.out.join(seed.to_string()),
            games: 0,
            generations: 0,
            resumed_at: 0,
            seconds: 0.0,
            cost: None,
            probes: BTreeMap::new(),
            end: End::Failed { message: message.into(), usage: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_change_between_runs_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("opponent.txt");
        let weights = |first: &str| format!("{first} {}", "0.5 ".repeat(63));
        std::fs::write(&path, weights("1")).unwrap();
        let sets = [
            format!("opponents.fixed.players=['{}']", path.display()),
            "probes.vs=['random']".into(),
            "probes.games=2".into(),
            "games=10000".into(),
        ];
        let method = super::super::resolve("sane-400", &sets).unwrap();
        let order = Order {
            text: run_text(&method.spec).unwrap(),
            spec: method.spec,
            name: method.name,
            seeds: vec![1],
            out: folder.path().join("out"),
            threads: 1,
            kernel: Kernel::available()[0],
            checkpoint_every: Duration::ZERO,
            signature: 0,
            extras: Map::new(),
        };
        std::fs::write(&path, weights("2")).unwrap();
        let reports = train(&order, &|| false, &|_, _| {}).unwrap();
        let End::Failed { message, .. } = &reports[0].end else { panic!("{:?}", reports[0].end) };
        assert!(message.contains("a file that the spec names has changed"), "{message}");
        assert!(!order.out.join("1/champion.json").exists());
    }
}
