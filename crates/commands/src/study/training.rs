//! Trains the runs of all cases together: all threads take the next run from one list, so that none
//! waits for the last run of a case.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use outflank_arena::{News, RunNews, Watch};
use outflank_lab::{End, Order, RunReport, train};
use outflank_learn::Spec;
use outflank_store::{FinishedRun, Remedy, RunError, Study, spec_difference};
use outflank_study::{Case, CaseKey};

use super::Work;
use super::ledgers::KeptLedger;
use crate::{Error, LearnRequest, Prepared};

/// A case that is ready to be trained.
pub struct PreparedCase {
    /// The study, by its place among all.
    pub study: usize,
    /// The name of the case.
    pub name: String,
    /// Its method and runs.
    pub prepared: Prepared,
    /// What its runs depend on, as its ledger knows it.
    pub key: CaseKey,
    /// The seeds of runs that are neither finished nor in the ledger.
    pub missing: Vec<u64>,
}

/// What was trained.
#[derive(Clone, Debug, Default)]
pub struct Trained {
    /// Runs.
    pub runs: usize,
    /// Their games.
    pub games: u64,
    /// Seconds of threads that runs spent with games and learning, if they began this time.
    pub at_work: f64,
    /// Runs that other processes are at work on, if those are left to them: the case, the seed, and
    /// who has it.
    pub held: Vec<(String, u64, String)>,
}

/// What to do about a run that another process is at work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfHeld {
    /// It is an error.
    Fail,
    /// It is left to the other.
    Leave,
}

/// Checks the wanted cases and finds out what is missing; nothing is written.
pub fn prepare(
    works: &[Work],
    ledgers: &[KeptLedger],
    threads: usize,
    checkpoint_every: f64,
    wanted: &dyn Fn(&Case) -> bool,
) -> Result<Vec<PreparedCase>, Error> {
    let mut all = Vec::new();
    for (study, (work, kept)) in works.iter().zip(ledgers).enumerate() {
        for case in work.design.cases.iter().filter(|case| wanted(case)) {
            let out = work.folder.case(&case.name);
            let request = LearnRequest {
                method: case.based_on.clone(),
                set: case.set.clone(),
                seeds: case.seeds.clone(),
                games: None,
                out: Some(out.clone()),
                continue_from: None,
                threads: Some(threads),
                checkpoint_every,
                command: vec!["outflank".into(), "study".into(), work.design.name.clone()],
            };
            let prepared = request.prepare().map_err(|error| in_case(&case.name, error))?;
            let Order { text, signature, .. } = &prepared.order;
            let key = CaseKey::new(&case.name, text, *signature);
            let is_done = |seed: &u64| {
                let path = out.join(seed.to_string());
                kept.ledger.run(&key, *seed).is_some()
                    || matches!(FinishedRun::read(&path), Ok(Some(_)))
            };
            let missing = case.seeds.iter().copied().filter(|seed| !is_done(seed)).collect();
            all.push(PreparedCase { study, name: case.name.clone(), prepared, key, missing });
        }
    }
    Ok(all)
}

/// An error of a case.
fn in_case(name: &str, error: Error) -> Error {
    match error {
        Error::Usage(text) => Error::Usage(format!("case {name}: {text}")),
        Error::Failed(text) => Error::Failed(format!("case {name}: {text}")),
        other => other,
    }
}

/// Runs that one thread trains side by side.
struct Unit<'a> {
    case: &'a PreparedCase,
    order: Order,
}

/// Every case gets this many runs before any gets more, so that pages made before the end say
/// something about all of them.
const ROUND: usize = 5;

/// The most runs of learning by self-play that go side by side.
const MAX_TOGETHER: usize = 32;

fn units(cases: &[PreparedCase], threads: usize) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    for case in cases.iter().filter(|case| !case.missing.is_empty()) {
        let order = &case.prepared.order;
        let together = match order.spec().local.is_faster_together() {
            true => case.missing.len().div_ceil(threads).clamp(1, MAX_TOGETHER),
            false => 1,
        };
        units.extend(case.missing.chunks(together).map(|seeds| Unit {
            case,
            order: Order { seeds: seeds.to_vec(), threads: 1, ..order.clone() },
        }));
    }
    // Stable: within a round, cases stay in the order of the study, but shorter runs come before
    // those that go on from them.
    units.sort_by_cached_key(|unit| {
        let order = &unit.case.prepared.order;
        let place = order.seeds.iter().position(|seed| unit.order.seeds.contains(seed));
        let shorter = cases.iter().filter(|other| begins(&other.prepared.order, order));
        (place.unwrap_or(0) / ROUND, shorter.count())
    });
    units
}

/// Says whether the longer runs begin as the shorter ones.
fn begins(shorter: &Order, longer: &Order) -> bool {
    let (short, long) = (shorter.spec(), longer.spec());
    short.games < long.games
        && long.is_continuable()
        && *short == Spec { games: short.games, ..long.clone() }
}

/// The games that the missing runs of a case need not play, because shorter runs of another case
/// begin as they do.
pub fn begun_games(cases: &[PreparedCase], case: &PreparedCase) -> u64 {
    let of_seed = |seed: &u64| {
        let is_there = |other: &&PreparedCase| {
            let path = other.prepared.order.out.join(seed.to_string());
            other.missing.contains(seed) || matches!(FinishedRun::read(&path), Ok(Some(_)))
        };
        let shorter =
            cases.iter().filter(|other| begins(&other.prepared.order, &case.prepared.order));
        shorter.filter(is_there).map(|other| other.prepared.order.spec().games).max().unwrap_or(0)
    };
    case.missing.iter().map(of_seed).sum()
}

/// The folder of the longest finished runs with these seeds that those of a unit begin as. They go
/// on from there, and end with the bytes that they would have from the start.
fn beginning(cases: &[PreparedCase], unit: &Unit) -> Option<PathBuf> {
    let is_finished = |order: &&Order| {
        let mut runs = unit.order.seeds.iter().map(|seed| order.out.join(seed.to_string()));
        runs.all(|path| matches!(FinishedRun::read(&path), Ok(Some(_))))
    };
    let orders = cases.iter().map(|case| &case.prepared.order);
    let shorter = orders.filter(|order| begins(order, &unit.order)).filter(is_finished);
    shorter.max_by_key(|order| order.spec().games).map(|order| order.out.clone())
}

/// Trains what is missing.
pub fn train_all(
    cases: &[PreparedCase],
    threads: usize,
    if_held: IfHeld,
    watch: &dyn Watch,
) -> Result<Trained, Error> {
    // A case whose runs are all in the ledger needs no folder.
    let here = |case: &&PreparedCase| !case.missing.is_empty() || case.prepared.order.out.is_dir();
    for case in cases.iter().filter(here) {
        open(&case.prepared.order, watch)?;
    }
    let units = units(cases, threads);
    let workers = threads.min(units.len()).max(1);
    let progress = Progress::new(watch);
    let next = AtomicU64::new(0);
    let problem: Mutex<Option<Error>> = Mutex::new(None);
    let trained = Mutex::new(Trained::default());
    let work = |worker: usize| {
        let share = threads / workers + usize::from(worker < threads % workers);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed) as usize;
            let Some(unit) = units.get(index) else { return };
            if progress.stop() {
                return;
            }
            let own = Own { progress: &progress, case: &unit.case.name };
            if index == 0 || units[index - 1].case.name != unit.case.name {
                watch.tell(News::Part(&unit.case.name));
            }
            let from = beginning(cases, unit);
            let order = Order { threads: share.max(1), from, ..unit.order.clone() };
            match train(&order, &own) {
                Err(error) => progress.fail(&problem, error.into()),
                Ok(reports) => {
                    for report in reports {
                        match report.end {
                            End::Finished | End::AlreadyFinished => {
                                let mut trained = trained.lock().expect("no worker panics");
                                trained.runs += 1;
                                trained.games += all_games(&report);
                                trained.at_work += at_work(&report);
                            }
                            End::Stopped | End::NotBegun => {}
                            End::Failed { message, remedy: Some(Remedy::Wait), .. }
                                if if_held == IfHeld::Leave =>
                            {
                                let held = (unit.case.name.clone(), report.seed, message);
                                trained.lock().expect("no worker panics").held.push(held);
                            }
                            End::Failed { message, usage, .. } => {
                                let text = format!("case {}: {message}", unit.case.name);
                                let error =
                                    if usage { Error::Usage(text) } else { Error::Failed(text) };
                                progress.fail(&problem, error);
                            }
                        }
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let spawn = |worker| std::thread::Builder::new().spawn_scoped(scope, move || work(worker));
        let mut spawned = (1..workers).map(spawn);
        // If the system starts no more threads, the existing ones do all the work.
        let _ = spawned.find(Result::is_err);
        work(0);
    });
    if let Some(error) = problem.into_inner().expect("no worker panics with the lock") {
        return Err(error);
    }
    if watch.stop() {
        return Err(Error::Resumable);
    }
    Ok(trained.into_inner().expect("no worker panics with the lock"))
}

/// Refuses folders with other settings, if nothing is to be trained there.
pub fn agree(cases: &[PreparedCase]) -> Result<(), Error> {
    for order in cases.iter().map(|case| &case.prepared.order) {
        match Study::read(&order.out) {
            Ok(study) if study.spec() != order.text => {
                let difference = spec_difference(study.spec(), &order.text);
                return Err(RunError::OtherSpec { path: order.out.clone(), difference }.into());
            }
            _ => {}
        }
    }
    Ok(())
}

/// The games of a run and of the stages before it.
fn all_games(report: &RunReport) -> u64 {
    report.games + report.before.as_deref().map_or(0, all_games)
}

/// The seconds that a run and the stages before it spent with games and learning, if it began this
/// time.
fn at_work(report: &RunReport) -> f64 {
    let own = report.cost.filter(|_| report.end == End::Finished && report.resumed_at == 0);
    own.map_or(0.0, |cost| cost.training_seconds + cost.probe_seconds)
        + report.before.as_deref().map_or(0.0, at_work)
}

/// Lists the seeds of a case in its folder; refuses a folder with other settings.
fn open(order: &Order, watch: &dyn Watch) -> Result<(), Error> {
    let mut patience = || !watch.stop();
    let study = Study::open(&order.out, &order.name, &order.text, &order.seeds, &mut patience);
    if watch.stop() {
        return Err(Error::Resumable);
    }
    if let Some(note) = study?.note() {
        watch.tell(News::Note(note));
    }
    Ok(())
}

/// The games of all runs together.
struct Progress<'a> {
    watch: &'a dyn Watch,
    is_failed: AtomicBool,
    games: Mutex<Played>,
}

/// The games of each run, by case and seed, and their sum.
#[derive(Default)]
struct Played {
    runs: BTreeMap<(String, u64), u64>,
    sum: u64,
}

impl<'a> Progress<'a> {
    fn new(watch: &'a dyn Watch) -> Progress<'a> {
        Progress { watch, is_failed: AtomicBool::new(false), games: Mutex::default() }
    }

    /// Keeps the first failure and stops the others, which keep their checkpoints.
    fn fail(&self, problem: &Mutex<Option<Error>>, error: Error) {
        problem.lock().expect("no worker panics with the lock").get_or_insert(error);
        self.is_failed.store(true, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.is_failed.load(Ordering::Relaxed) || self.watch.stop()
    }

    fn played(&self, case: &str, seed: u64, games: u64) {
        let mut played = self.games.lock().expect("no worker panics with the lock");
        let before = played.runs.insert((case.to_owned(), seed), games).unwrap_or(0);
        played.sum += games.saturating_sub(before);
        let sum = played.sum;
        drop(played);
        self.watch.tell(News::Done(sum));
    }
}

/// The watch of the runs of a case.
struct Own<'a> {
    progress: &'a Progress<'a>,
    case: &'a str,
}

impl Watch for Own<'_> {
    fn tell(&self, news: News<'_>) {
        match news {
            News::Run { seed, news: RunNews::Played(games) }
            | News::Run { seed, news: RunNews::Began { games, .. } } => {
                self.progress.played(self.case, seed, games);
            }
            News::Run { seed, news: RunNews::Warned(text) } => {
                let text = format!("{}, seed {seed}: {text}", self.case);
                self.progress.watch.tell(News::Note(&text));
            }
            News::Note(text) => self.progress.watch.tell(News::Note(text)),
            _ => {}
        }
    }

    fn stop(&self) -> bool {
        self.progress.stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_arena::Unwatched;

    fn case(out: &std::path::Path, name: &str, method: &str, set: &[&str]) -> PreparedCase {
        let request = LearnRequest {
            method: method.into(),
            set: set.iter().map(ToString::to_string).collect(),
            seeds: vec![1, 2],
            out: Some(out.join(name)),
            ..LearnRequest::default()
        };
        let prepared = request.prepare().unwrap();
        let key = CaseKey::new(name, &prepared.order.text, 0);
        PreparedCase { study: 0, name: name.into(), prepared, key, missing: vec![1, 2] }
    }

    #[test]
    fn longer_runs_come_later_and_go_on_from_shorter_ones_with_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let probes = ["probes.every=1000", "probes.sample=2"];
        let with = |more: &[&'static str]| [&probes[..], more].concat();
        let cases = |out: &std::path::Path| {
            [
                case(out, "long", "rsel", &with(&["games=15_000"])),
                case(out, "other", "rsel", &with(&["games=5000", "search.mutation.size=0.2"])),
                case(out, "short", "rsel", &with(&["games=5000"])),
                case(out, "middle", "rsel", &with(&["games=10_000"])),
            ]
        };
        let all = cases(folder.path());
        let units = units(&all, 1);
        let order: Vec<&str> = units.iter().map(|unit| unit.case.name.as_str()).collect();
        assert_eq!(order, ["other", "other", "short", "short", "middle", "middle", "long", "long"]);
        let long = units.last().unwrap();
        assert_eq!(beginning(&all, long), None, "nothing is finished");
        let begun = all.each_ref().map(|case| begun_games(&all, case));
        assert_eq!(begun, [20_000, 0, 0, 10_000], "two runs each");
        train_all(&all, 2, IfHeld::Fail, &Unwatched).unwrap();
        assert_eq!(beginning(&all, long), Some(folder.path().join("middle")));
        // The same alone, from the start.
        let alone = tempfile::tempdir().unwrap();
        let [only, ..] = cases(alone.path());
        train_all(&[only], 1, IfHeld::Fail, &Unwatched).unwrap();
        for file in ["1/metrics.csv", "2/champion.json", "2/champions.bin", "1/spec.toml"] {
            let read = |folder: &std::path::Path| std::fs::read(folder.join("long").join(file));
            assert_eq!(read(folder.path()).unwrap(), read(alone.path()).unwrap(), "{file}");
        }
        // Where randomness depends on the length of a run, it does not begin as a shorter.
        let falling =
            |games| case(folder.path(), games, "td-lambda", &[games, "local.epsilon=[0.2, 0]"]);
        let [short, long] =
            ["games=20_000", "games=40_000"].map(falling).map(|case| case.prepared.order);
        assert!(!begins(&short, &long));
    }
}
