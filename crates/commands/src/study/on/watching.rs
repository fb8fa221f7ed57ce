//! A study on Slurm from its first submission to its pages: submits what is missing, watches the
//! queue, asks again for what got lost, and puts all together. Interrupted and repeated, it takes
//! up what is in the queue.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use outflank_arena::{News, Watch};
use outflank_store::FileLock;

use super::super::pick::ranges;
use super::super::{GatherRequest, StudyRequest};
use super::queue::{self, Queue};
use super::slurm::{self, Script};
use super::{Job, OnAnswer};
use crate::{Command, Error};

/// The queue may not answer for so long, while its controller is restarted.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// Submits, watches and gathers.
pub fn run(job: &Job<'_>, watch: &dyn Watch) -> Result<OnAnswer, Error> {
    let scripts = slurm::scripts(job)?;
    let texts = |scripts: &[Script]| {
        let mut all = Vec::new();
        for script in scripts {
            all.push((format!("{}.sh", script.kind), script.text.clone()));
            if !script.tasks.is_empty() {
                all.push((format!("{}.tasks", script.kind), script.tasks.clone()));
            }
        }
        all
    };
    let mut answer = job.answer(texts(&scripts));
    if job.request.dry_run {
        return Ok(answer);
    }
    let home = job.scripts();
    fs::create_dir_all(&home).map_err(|error| Error::writing(&home, &error))?;
    let lock = FileLock::wait(&home.join("lock"), &mut || false)?;
    let Some(_lock) = lock else {
        let path = home.display();
        return Err(Error::Failed(format!(
            "another process submits and watches {path}; wait for it"
        )));
    };
    let names: Vec<String> =
        ["runs", "contests", "gather"].map(|kind| slurm::job_name(job, kind)).to_vec();
    let begun = queue::queue(&names)?;
    if begun.tasks() > 0 {
        let text = format!("jobs {} are in the queue already", begun.jobs.join(", "));
        watch.tell(News::Note(&text));
        answer.jobs = begun.jobs;
    } else if answer.missing > 0 {
        answer.jobs = submit(job, &scripts)?;
        answer.submissions = 1;
        watch.tell(News::Note(&submitted(job, &answer)));
    }
    if job.request.submit_only {
        return Ok(answer);
    }
    wait(job, &names, &mut answer, watch)?;
    let study = StudyRequest { plan: false, ..job.request.study.clone() };
    let gather = GatherRequest { study, ..GatherRequest::default() };
    answer.found = Some(gather.run(watch)?);
    Ok(answer)
}

fn submitted(job: &Job<'_>, answer: &OnAnswer) -> String {
    format!(
        "submitted jobs {}: {} pieces in {} task(s); scripts and logs are in {}",
        answer.jobs.join(", "),
        answer.missing,
        answer.tasks,
        job.scripts().display()
    )
}

/// Submits scripts, each after the end of the one before. If one is refused, none stays.
fn submit(job: &Job<'_>, scripts: &[Script]) -> Result<Vec<String>, Error> {
    slurm::write(job, scripts)?;
    let mut jobs: Vec<String> = Vec::new();
    for script in scripts {
        let path = slurm::path(&job.scripts(), script);
        match queue::submit(&path, &script.name, jobs.last().map(String::as_str)) {
            Ok(number) => jobs.push(number),
            Err(error) => {
                let _ = queue::cancel(&jobs);
                let taken = match jobs.is_empty() {
                    true => "nothing was submitted".into(),
                    false => format!("jobs {} were cancelled", jobs.join(", ")),
                };
                return Err(match error {
                    Error::Failed(text) => Error::Failed(format!(
                        "{text}; {taken}; change what it complains about, e.g. with --partition, \
                         --time or --sbatch"
                    )),
                    other => other,
                });
            }
        }
    }
    Ok(jobs)
}

/// Watches until all pieces are done.
fn wait(
    job: &Job<'_>,
    names: &[String],
    answer: &mut OnAnswer,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let mut seen = Seen::new(job.list.pieces.len() - answer.missing);
    watch.tell(News::Begins { unit: "pieces", total: answer.pieces as u64 });
    loop {
        let found = queue::queue(names);
        let missing: Vec<usize> = [1, 2]
            .into_iter()
            .flat_map(|wave| job.missing(wave))
            .map(|piece| piece.number)
            .collect();
        let done = answer.pieces - missing.len();
        watch.tell(News::Done(done as u64));
        match found {
            Ok(queue) if queue.tasks() == 0 => {
                if missing.is_empty() {
                    return Ok(());
                }
                seen.again(job, answer, done, &missing, watch)?;
            }
            Ok(queue) => seen.look(job, &queue, done, answer.pieces, watch)?,
            Err(error) => seen.trouble(error, watch)?,
        }
        pause(job.request.poll, answer, watch)?;
    }
}

/// What was seen so far.
struct Seen {
    /// What was told last.
    told: String,
    /// Pieces that were done when it was last submitted, and how often in a row nothing was added.
    done_before: usize,
    in_vain: usize,
    /// When something last ran or ended.
    alive: Instant,
    /// Since when the queue does not answer.
    silent: Option<Instant>,
}

impl Seen {
    fn new(done: usize) -> Seen {
        let (told, alive) = (String::new(), Instant::now());
        Seen { told, done_before: done, in_vain: 0, alive, silent: None }
    }

    fn look(
        &mut self,
        job: &Job<'_>,
        queue: &Queue,
        done: usize,
        all: usize,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        self.silent = None;
        let text = format!("slurm: {}; {done} of {all} pieces are done", queue.summary());
        if text != self.told {
            watch.tell(News::Note(&text));
            self.told = text;
        }
        if queue.pending() < queue.tasks() || done > self.done_before {
            self.alive = Instant::now();
            self.done_before = self.done_before.max(done);
        }
        let limit = job.request.give_up.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
        if limit.is_some_and(|limit| self.alive.elapsed() > limit) {
            let jobs = queue.jobs.join(" ");
            let reasons: Vec<&str> = queue.reasons.keys().map(String::as_str).collect();
            return Err(Error::Failed(format!(
                "nothing was started for {} minutes: {} tasks wait ({}); they stay in the queue, \
                 and the same command watches them again; `scancel {jobs}` takes them back",
                job.request.give_up.unwrap_or(0.0),
                queue.pending(),
                reasons.join(", ")
            )));
        }
        Ok(())
    }

    /// The queue is empty, and pieces are missing: they are asked for again.
    fn again(
        &mut self,
        job: &Job<'_>,
        answer: &mut OnAnswer,
        done: usize,
        missing: &[usize],
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        self.in_vain = if done > self.done_before { 0 } else { self.in_vain + 1 };
        self.done_before = done;
        if self.in_vain >= job.request.attempts || answer.submissions >= 100 {
            return Err(Error::Failed(format!(
                "pieces {} are not done after {} submissions, the last {} of which did none; the \
                 logs in {} say why{}",
                ranges(missing.iter().copied()),
                answer.submissions,
                self.in_vain,
                job.scripts().join("logs").display(),
                last_words(job)
            )));
        }
        answer.jobs = submit(job, &slurm::scripts(job)?)?;
        answer.submissions += 1;
        self.alive = Instant::now();
        let (jobs, number) = (answer.jobs.join(", "), missing.len());
        watch.tell(News::Note(&format!(
            "{number} pieces are missing ({}); submitted jobs {jobs}",
            ranges(missing.iter().copied())
        )));
        Ok(())
    }

    fn trouble(&mut self, error: Error, watch: &dyn Watch) -> Result<(), Error> {
        if let Error::Usage(_) = error {
            return Err(error);
        }
        let since = *self.silent.get_or_insert_with(|| {
            watch.tell(News::Note(&format!("{error}; trying again")));
            Instant::now()
        });
        if since.elapsed() < PATIENCE { Ok(()) } else { Err(error) }
    }
}

/// The last line of the log that was written last.
fn last_words(job: &Job<'_>) -> String {
    let entries = fs::read_dir(job.scripts().join("logs"));
    let logs = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let newest = logs.max_by_key(|log| log.metadata().and_then(|meta| meta.modified()).ok());
    let text = newest.map(fs::read).transpose().ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map_or(String::new(), |line| format!(" (the last: {line})"))
}

/// Waits for the next look.
fn pause(seconds: f64, answer: &OnAnswer, watch: &dyn Watch) -> Result<(), Error> {
    let until = Instant::now() + Duration::from_secs_f64(seconds.min(3600.0));
    while Instant::now() < until {
        if watch.stop() {
            watch.tell(News::Note(&format!("jobs {} go on without it", answer.jobs.join(", "))));
            return Err(Error::Resumable);
        }
        thread::sleep(Duration::from_millis(20).min(until - Instant::now().min(until)));
    }
    Ok(())
}
