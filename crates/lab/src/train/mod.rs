//! Trains runs from their first generation to their last: folders, threads, probes and checkpoints.
//! The results depend only on the spec and the seed.

mod before;
mod order;
mod progress;

use std::sync::Mutex;
use std::time::{Duration, Instant};

pub use order::{COST, Cost, End, GOAL, Goal, Order, RunReport};

use super::probe::Probe;
use before::{Opened, Stage, train_after};
use outflank_arena::{Arena, News, RunNews, Watch};
use outflank_kernel::rng::Seed;
use outflank_learn::run_text;
use outflank_learn::{Cohort, Halt, LearnError};
use outflank_store::RunError;
use progress::{Begun, Progress};

/// The maximum number of runs whose candidates learn side by side: all of them are checkpointed
/// when one is interrupted.
const MAX_TOGETHER: usize = 32;

/// Trains all runs of an order. Runs go on several threads at once. Runs that only learn by
/// self-play go side by side on one thread, because many learners in a batch are faster.
pub fn train(order: &Order, watch: &dyn Watch) -> Result<Vec<RunReport>, LearnError> {
    for probe in order.spec().yardsticks().iter().chain(&order.spec().front_yardsticks()) {
        Probe::parse(probe)?;
    }
    let stage = match Stage::open(order, watch)? {
        Opened::None => None,
        Opened::Stage(stage) => Some(*stage),
        Opened::Failed(end) => {
            let failed =
                |&seed: &u64| RunReport { end: end.clone(), ..RunReport::failed(order, seed, "") };
            return Ok(order.seeds.iter().map(failed).collect());
        }
    };
    let room = max_open_runs();
    let workers = order.threads.min(order.seeds.len()).min(room).max(1);
    let together = if order.spec().local.is_faster_together() {
        order.seeds.len().div_ceil(workers).min(MAX_TOGETHER).min(room / workers)
    } else {
        1
    };
    let groups = Mutex::new(order.seeds.chunks(together.max(1)));
    let reports = Mutex::new(Vec::new());
    let work = |worker: usize| {
        // The remainder goes to the first workers.
        let threads = order.threads / workers + usize::from(worker < order.threads % workers);
        let next = || groups.lock().expect("no worker panics with the lock").next();
        while let Some(seeds) = next() {
            let done = train_after(order, stage.as_ref(), seeds, threads, watch);
            reports.lock().expect("no worker panics with the lock").extend(done);
        }
    };
    std::thread::scope(|scope| {
        let spawn = |worker| std::thread::Builder::new().spawn_scoped(scope, move || work(worker));
        let mut spawned = (1..workers).map(spawn);
        // If the system starts no more threads, the existing ones do all the work.
        let _ = spawned.find(Result::is_err);
        work(0);
    });
    let mut reports = reports.into_inner().expect("no worker panics with the lock");
    reports
        .sort_by_key(|report: &RunReport| order.seeds.iter().position(|&seed| seed == report.seed));
    Ok(reports)
}

/// How many runs may be open at once: each has a lock, which is an open file, and the system limits
/// the open files of a process.
fn max_open_runs() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit
        .current
        .map_or(usize::MAX, |files| open_runs(usize::try_from(files).unwrap_or(usize::MAX)))
}

/// The same for a limit of open files; some are left for other files.
fn open_runs(files: usize) -> usize {
    const OTHERS: usize = 32;
    (files.saturating_sub(OTHERS) / 2).max(1)
}

/// An arena with this many threads, or as many as the system starts.
fn arena_of(order: &Order, threads: usize) -> std::io::Result<Arena> {
    let mut threads = threads;
    loop {
        match Arena::new(order.kernel, threads) {
            Ok(arena) => return Ok(arena),
            Err(_) if threads > 1 => threads /= 2,
            Err(error) => return Err(std::io::Error::other(error)),
        }
    }
}

/// Trains runs side by side on some threads.
fn train_together(
    order: &Order,
    seeds: &[u64],
    threads: usize,
    watch: &dyn Watch,
) -> Vec<RunReport> {
    let mut reports = Vec::new();
    let not_begun =
        |&seed: &u64| RunReport { end: End::NotBegun, ..RunReport::failed(order, seed, "") };
    if watch.stop() {
        return seeds.iter().map(not_begun).collect();
    }
    let arena = match arena_of(order, threads) {
        Ok(arena) => arena,
        Err(error) => {
            let failed = format!("cannot start a thread: {error}");
            return seeds.iter().map(|&seed| RunReport::failed(order, seed, &failed)).collect();
        }
    };
    let seeds: Vec<u64> = seeds.to_vec();
    let mut cohort = match begin(order, &seeds) {
        Ok(cohort) => cohort,
        Err(problem) => {
            let moved = |&seed: &u64| {
                watch.tell(News::Run { seed, news: RunNews::Ended });
                let path = order.out.join(seed.to_string());
                let end = End::of(&RunError::Moved { path, problem: problem.clone() });
                RunReport { end, ..RunReport::failed(order, seed, "") }
            };
            return seeds.iter().map(moved).collect();
        }
    };
    let mut going: Vec<Progress<'_>> = Vec::new();
    for &seed in &seeds {
        let report = if watch.stop() {
            // Opening a folder takes time, and an interruption of many runs should not wait for
            // all.
            not_begun(&seed)
        } else {
            match Progress::begin(order, seed, cohort.run_mut(going.len()), watch) {
                Ok(Begun::Going(progress)) => {
                    going.push(*progress);
                    continue;
                }
                Ok(Begun::Ended(report)) => {
                    watch.tell(News::Run { seed, news: RunNews::Ended });
                    report
                }
                Err(error) => {
                    watch.tell(News::Run { seed, news: RunNews::Ended });
                    RunReport { end: End::of(&error), ..RunReport::failed(order, seed, "") }
                }
            }
        };
        cohort.remove(going.len());
        reports.push(report);
    }
    let mut pace = Pace::default();
    while !going.is_empty() {
        let ended = advance(&mut *cohort, &mut going, &arena, &mut pace, watch);
        // From the last to the first, so that indices stay valid.
        for (index, end) in ended.into_iter().rev() {
            let progress = going.remove(index);
            watch.tell(News::Run { seed: progress.seed(), news: RunNews::Ended });
            reports.push(progress.report(cohort.run(index), end));
            cohort.remove(index);
        }
    }
    reports
}

/// The runs of these seeds at their beginning. The files that a spec names are part of the study,
/// which recorded their contents before the first run.
fn begin(order: &Order, seeds: &[u64]) -> Result<Box<dyn Cohort>, String> {
    match run_text(order.spec()) {
        Ok(text) if text == order.text => {}
        Ok(_) => return Err("a file that the spec names has changed".into()),
        Err(error) => return Err(error.to_string()),
    }
    let seeds: Vec<Seed> = seeds.iter().copied().map(Seed).collect();
    order.ready.begin(&seeds).map_err(|error| error.to_string())
}

/// How long generations take.
#[derive(Default)]
struct Pace {
    /// The time of the last one, for all runs together.
    last: Option<Duration>,
}

impl Pace {
    /// After a request to stop, a person or a scheduler waits at most this long for a generation to
    /// end; a longer one is given up, and the state before it is kept.
    const PATIENCE: Duration = Duration::from_millis(300);

    /// This many games of WPCs, or fewer with larger models, may take longer than that; the last
    /// generation may have had fewer.
    const MANY_GAMES: u64 = 100_000;

    /// Says whether a generation of this many games and parameters may take longer.
    fn is_slow(&self, games: u64, params: u64) -> bool {
        let many = games.saturating_mul(params) > Pace::MANY_GAMES * 64;
        many || self.last.is_none_or(|last| last > Pace::PATIENCE)
    }
}

/// The watch of a generation: it may stop only one that takes long.
struct Within<'a> {
    watch: &'a dyn Watch,
    slow: bool,
}

impl Watch for Within<'_> {
    fn tell(&self, news: News<'_>) {
        self.watch.tell(news);
    }

    fn stop(&self) -> bool {
        self.slow && self.watch.stop()
    }
}

/// Advances runs by one generation, with probes and checkpoints where they are due. Returns which
/// have ended, and how.
fn advance(
    cohort: &mut dyn Cohort,
    going: &mut [Progress<'_>],
    arena: &Arena,
    pace: &mut Pace,
    watch: &dyn Watch,
) -> Vec<(usize, End)> {
    if watch.stop() {
        let stopped = |(index, progress): (usize, &mut Progress<'_>)| {
            (index, progress.stop(cohort.run_mut(index), None))
        };
        return going.iter_mut().enumerate().map(stopped).collect();
    }
    let began = Instant::now();
    let spec = cohort.run(0).spec();
    let games = spec.games_per_generation().saturating_mul(going.len() as u64);
    let slow = pace.is_slow(games, spec.model.params());
    let mut before: Vec<Option<Vec<u8>>> =
        (0..going.len()).map(|index| slow.then(|| cohort.run(index).save())).collect();
    let stepping: Vec<usize> =
        (0..going.len()).filter(|&index| !going[index].is_waiting(cohort.run(index))).collect();
    let mut halts = cohort.step(&stepping, arena, &Within { watch, slow }).into_iter();
    let took = began.elapsed();
    pace.last = Some(took);
    let share = took / stepping.len().max(1) as u32;
    let mut ended = Vec::new();
    for (index, progress) in going.iter_mut().enumerate() {
        let run = cohort.run_mut(index);
        let stepped = if stepping.contains(&index) {
            progress.trained(share);
            halts.next().unwrap_or(Ok(()))
        } else {
            Ok(())
        };
        let end = match stepped {
            Ok(()) => progress.arrive(run, arena, watch),
            Err(Halt::Stopped) => Some(progress.stop(run, before[index].take())),
            Err(halt) => Some(progress.failed(&halt)),
        };
        ended.extend(end.map(|end| (index, end)));
    }
    ended
}

#[cfg(test)]
mod tests;
