//! Long work that is started from the page: threads that go on when the page is closed.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use outflank_arena::{News, RunNews};
use outflank_commands::{Error, Watch, answer};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::door::caught;
use crate::work::Prepared;

/// Jobs that run at a time; each uses all cores unless it says otherwise.
const MAX_RUNNING: usize = 8;
/// Jobs that have ended and are still listed.
const MAX_ENDED: usize = 30;
/// Notes of a job that are kept.
const MAX_NOTES: usize = 20;
/// Runs of a job whose progress is told.
const MAX_RUNS: usize = 200;

/// All jobs.
pub struct Jobs {
    all: Mutex<VecDeque<Arc<Job>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Changes whenever a job does.
    changes: watch::Sender<u64>,
}

/// A job.
struct Job {
    id: u64,
    command: String,
    title: String,
    request: Value,
    began: Instant,
    is_stopped: AtomicBool,
    progress: Mutex<Progress>,
    changes: watch::Sender<u64>,
}

/// How far a job is.
#[derive(Default)]
struct Progress {
    unit: String,
    total: u64,
    done: u64,
    /// Units of an earlier, interrupted job.
    before: u64,
    part: String,
    notes: VecDeque<String>,
    runs: BTreeMap<u64, Run>,
    /// Seconds it took, when it has ended.
    ended: Option<f64>,
    answer: Option<Result<Value, Error>>,
}

/// A run of a job.
#[derive(Default, Serialize)]
struct Run {
    seed: u64,
    games: u64,
    values: BTreeMap<String, f64>,
    ended: bool,
    #[serde(skip)]
    before: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jobs {
    pub fn new() -> Jobs {
        let changes = watch::Sender::new(0);
        Jobs { all: Mutex::default(), threads: Mutex::default(), changes }
    }

    /// Follows changes of any job.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Starts a job, and returns its number.
    pub fn start(&self, job: Prepared) -> Result<u64, String> {
        let Prepared { command, title, request } = job;
        let mut all = lock(&self.all);
        if all.iter().filter(|job| job.is_running()).count() >= MAX_RUNNING {
            return Err(format!("{MAX_RUNNING} jobs are running; wait for one to end, or stop it"));
        }
        let id = all.iter().map(|job| job.id).max().unwrap_or(0) + 1;
        let job = Arc::new(Job {
            id,
            command,
            title,
            request,
            began: Instant::now(),
            is_stopped: AtomicBool::new(false),
            progress: Mutex::default(),
            changes: self.changes.clone(),
        });
        all.push_back(Arc::clone(&job));
        while all.iter().filter(|job| !job.is_running()).count() > MAX_ENDED {
            let oldest = all.iter().position(|job| !job.is_running());
            oldest.and_then(|oldest| all.remove(oldest));
        }
        let name = format!("job {id}");
        let thread = std::thread::Builder::new().name(name).spawn(move || job.run());
        let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
        let mut threads = lock(&self.threads);
        threads.retain(|thread| !thread.is_finished());
        threads.push(thread);
        self.changes.send_modify(|change| *change += 1);
        Ok(id)
    }

    /// Asks a job to stop where it can be resumed. Says whether there is one.
    pub fn stop(&self, id: u64) -> bool {
        let all = lock(&self.all);
        let job = all.iter().find(|job| job.id == id);
        if let Some(job) = job {
            job.is_stopped.store(true, Ordering::Relaxed);
        }
        self.changes.send_modify(|change| *change += 1);
        job.is_some()
    }

    /// Takes a job that has ended off the list. Says whether there was one.
    pub fn forget(&self, id: u64) -> bool {
        let mut all = lock(&self.all);
        let before = all.len();
        all.retain(|job| job.id != id || job.is_running());
        self.changes.send_modify(|change| *change += 1);
        all.len() < before
    }

    /// Stops all jobs, and waits until each has written its checkpoint.
    pub fn end(&self) {
        lock(&self.all).iter().for_each(|job| job.is_stopped.store(true, Ordering::Relaxed));
        for thread in std::mem::take(&mut *lock(&self.threads)) {
            // A bug in a job was caught in it.
            let _ = thread.join();
        }
    }

    /// All jobs, the latest first.
    pub fn list(&self) -> Value {
        let all = lock(&self.all);
        json!({ "jobs": all.iter().rev().map(|job| job.describe()).collect::<Vec<Value>>() })
    }
}

impl Job {
    fn run(&self) {
        let answer = caught(|| answer(&self.command, self.request.clone(), self));
        let mut progress = lock(&self.progress);
        progress.ended = Some(self.began.elapsed().as_secs_f64());
        progress.answer = Some(answer);
        drop(progress);
        self.changed();
    }

    fn changed(&self) {
        self.changes.send_modify(|change| *change += 1);
    }

    fn is_running(&self) -> bool {
        lock(&self.progress).ended.is_none()
    }

    fn describe(&self) -> Value {
        let progress = lock(&self.progress);
        let is_stopped = self.is_stopped.load(Ordering::Relaxed);
        let seconds = progress.ended.unwrap_or_else(|| self.began.elapsed().as_secs_f64());
        let (state, problem, answer) = match &progress.answer {
            None if is_stopped => ("stopping", None, None),
            None => ("running", None, None),
            Some(Err(Error::Stopped | Error::Resumable)) => ("stopped", None, None),
            Some(Err(error)) => ("failed", Some(error.to_string()), None),
            Some(Ok(answer)) => {
                let failed = failed_run(answer);
                let is_early = is_stopped && has_early_run(answer);
                let state = match (is_early, &failed) {
                    (true, _) => "stopped",
                    (_, Some(_)) => "failed",
                    _ => "done",
                };
                // The runs are told as they go; thousands of them need not be told again.
                (state, failed, (self.command != "learn").then_some(answer))
            }
        };
        let (done, before) = progress.units();
        let runs: Vec<&Run> = progress.runs.values().take(MAX_RUNS).collect();
        json!({
            "id": self.id, "command": self.command, "title": self.title, "request": self.request,
            "state": state, "unit": progress.unit, "done": done, "total": progress.total,
            "rate": if seconds > 0.0 { done.saturating_sub(before) as f64 / seconds } else { 0.0 },
            "part": progress.part, "seconds": seconds, "notes": progress.notes, "runs": runs,
            "problem": problem, "answer": answer,
        })
    }
}

/// What went wrong with the first run that failed.
fn failed_run(answer: &Value) -> Option<String> {
    let runs = answer.get("results")?.as_array()?;
    let failed = runs.iter().find(|run| run["state"] == "failed")?;
    let problem = failed["problem"].as_str().unwrap_or("it failed");
    Some(format!("run {}: {problem}", failed["seed"]))
}

/// Says whether a run was stopped before its end.
fn has_early_run(answer: &Value) -> bool {
    let runs = answer.get("results").and_then(Value::as_array);
    runs.is_some_and(|runs| {
        runs.iter().any(|run| run["state"] == "stopped" || run["state"] == "not-begun")
    })
}

impl Progress {
    /// Units done so far, and how many of them earlier.
    fn units(&self) -> (u64, u64) {
        let runs = || self.runs.values();
        match self.runs.is_empty() {
            true => (self.done, self.before),
            false => (runs().map(|run| run.games).sum(), runs().map(|run| run.before).sum()),
        }
    }

    fn note(&mut self, text: &str) {
        self.notes.push_back(text.to_owned());
        if self.notes.len() > MAX_NOTES {
            self.notes.pop_front();
        }
    }

    fn tell(&mut self, news: News<'_>) {
        match news {
            News::Begins { unit, total } => {
                (self.unit, self.total) = (unit.to_owned(), total);
                (self.done, self.before) = (0, 0);
                self.runs.clear();
            }
            News::Study { seeds, games, .. } => {
                (self.unit, self.total) = ("games".into(), games * seeds.len() as u64);
                let run = |&seed: &u64| (seed, Run { seed, ..Run::default() });
                self.runs = seeds.iter().map(run).collect();
            }
            News::Part(part) => self.part = part.to_owned(),
            News::Done(done) => self.done = done,
            News::Resumed(done) => (self.done, self.before) = (done, done),
            News::Note(text) => self.note(text),
            News::Run { seed, news } => {
                if let RunNews::Warned(text) = news {
                    self.note(&format!("run {seed}: {text}"));
                }
                let run = self.runs.entry(seed).or_default();
                run.seed = seed;
                match news {
                    RunNews::Began { games, .. } => (run.games, run.before) = (games, games),
                    RunNews::Played(games) => run.games = games,
                    RunNews::Measured(values) => run.values = values.clone(),
                    RunNews::Ended => run.ended = true,
                    RunNews::Warned(_) => {}
                }
            }
        }
    }
}

impl Watch for Job {
    fn tell(&self, news: News<'_>) {
        lock(&self.progress).tell(news);
        self.changed();
    }

    fn stop(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}
