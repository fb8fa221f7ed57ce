//! Studies on other machines: the same pieces, started by Slurm, by Kubernetes or by GNU parallel.
//! There is no queue of our own: schedulers start processes, pieces lie in a shared folder, and
//! what is missing is asked for again.

mod estimate;
mod others;
mod queue;
mod slurm;
mod watching;

use std::path::{Path, PathBuf};

use outflank_arena::Watch;
use serde::{Deserialize, Serialize};

pub use estimate::Estimates;
use slurm::parse_limit;

use super::pieces::{Piece, PieceList, Stands, State};
use super::{StudyAnswer, StudyRequest, Work};
use crate::{Command, Error};

/// Who starts the processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduler {
    /// Slurm: arrays of jobs are submitted and watched.
    #[default]
    Slurm,
    /// Kubernetes: manifests of indexed jobs are printed.
    Kubernetes,
    /// GNU parallel: command lines are printed.
    Parallel,
}

/// Runs a study by a scheduler.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OnRequest {
    /// The study, its size and its folder, which all machines share.
    pub study: StudyRequest,
    /// Who starts the processes.
    pub on: Scheduler,
    /// Slurm: the partition.
    pub partition: Option<String>,
    /// Slurm: the account.
    pub account: Option<String>,
    /// Slurm: the time limit of a task, as Slurm writes it; made from the estimates if there is
    /// none.
    pub time: Option<String>,
    /// Other options for `sbatch`, as they are.
    pub options: Vec<String>,
    /// Pieces are packed so that a task takes about this number of minutes.
    pub task_minutes: f64,
    /// The most tasks of an array.
    pub most_tasks: usize,
    /// Cores of a task.
    pub cores: usize,
    /// Seconds between two looks at the queue.
    pub poll: f64,
    /// Give up if nothing was started after this number of minutes; wait for ever if there is none.
    pub give_up: Option<f64>,
    /// Submissions of what is missing before giving up.
    pub attempts: usize,
    /// Print the scripts, and do nothing.
    pub dry_run: bool,
    /// Submit, and do not wait for the end.
    pub submit_only: bool,
    /// Kubernetes: the image with the program.
    pub image: String,
    /// Kubernetes: the claim of the volume that all pods share.
    pub claim: String,
}

impl Default for OnRequest {
    fn default() -> OnRequest {
        OnRequest {
            study: StudyRequest::default(),
            on: Scheduler::Slurm,
            partition: None,
            account: None,
            time: None,
            options: Vec::new(),
            task_minutes: 10.0,
            most_tasks: 1000,
            cores: 1,
            poll: 30.0,
            give_up: None,
            attempts: 5,
            dry_run: false,
            submit_only: false,
            image: "outflank:latest".into(),
            claim: "outflank".into(),
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, Serialize)]
pub struct OnAnswer {
    /// The study.
    pub study: String,
    /// The name of the plan.
    pub plan: String,
    /// All pieces.
    pub pieces: usize,
    /// Those that were missing at the beginning.
    pub missing: usize,
    /// Tasks in which they are packed.
    pub tasks: usize,
    /// About how many seconds of one core they take.
    pub seconds: f64,
    /// The scripts or manifests: names and texts.
    pub scripts: Vec<(String, String)>,
    /// The jobs that were submitted.
    pub jobs: Vec<String>,
    /// How often something was submitted.
    pub submissions: usize,
    /// What the study found, if it was waited for.
    pub found: Option<StudyAnswer>,
}

impl Command for OnRequest {
    type Answer = OnAnswer;
    const NAME: &'static str = "study on";

    fn run(&self, watch: &dyn Watch) -> Result<OnAnswer, Error> {
        self.check()?;
        let work = self.study.one()?;
        work.folder.check(&work.design)?;
        work.folder.agree(&work.design)?;
        let list = PieceList::of(&work.design, self.study.block_games())?;
        let job = Job::new(self, &work, &list)?;
        match self.on {
            Scheduler::Slurm => watching::run(&job, watch),
            Scheduler::Kubernetes => Ok(job.answer(others::kubernetes(&job))),
            Scheduler::Parallel => Ok(job.answer(others::parallel(&job))),
        }
    }
}

impl OnRequest {
    fn check(&self) -> Result<(), Error> {
        let positive = |name: &str, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(Error::Usage(format!("{name} = {value}, expected a number above 0"))),
        };
        positive("task-minutes", self.task_minutes)?;
        positive("poll", self.poll)?;
        positive("cores of a task", self.cores as f64)?;
        positive("tasks", self.most_tasks as f64)?;
        positive("attempts", self.attempts as f64)?;
        self.give_up.map_or(Ok(()), |minutes| positive("give-up", minutes))?;
        if self.study.ledger.is_some() || self.study.as_is {
            return Err(Error::Usage("pieces go neither with a ledger nor with as-is".into()));
        }
        if let Some(time) = &self.time {
            parse_limit(time)?;
        }
        let words = [("partition", &self.partition), ("account", &self.account)];
        for (name, value) in words {
            let Some(value) = value else { continue };
            let is_word = |letter: char| !letter.is_whitespace() && !letter.is_control();
            if value.is_empty() || !value.chars().all(is_word) {
                return Err(Error::Usage(format!("{name} = {value:?}, expected a name")));
            }
        }
        self.options.iter().try_for_each(|option| slurm::check_option(option))?;
        let of_slurm = [
            ("partition", self.partition.is_some()),
            ("account", self.account.is_some()),
            ("time", self.time.is_some()),
            ("sbatch", !self.options.is_empty()),
        ];
        match of_slurm.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) if self.on != Scheduler::Slurm => {
                Err(Error::Usage(format!("{name} is for Slurm: expected it with on = \"slurm\"")))
            }
            _ => Ok(()),
        }
    }
}

/// A study to be started: where everything is, by full paths, since tasks begin elsewhere.
struct Job<'a> {
    request: &'a OnRequest,
    work: &'a Work,
    list: &'a PieceList,
    /// This program.
    program: PathBuf,
    /// Where it was called.
    here: PathBuf,
    /// The folder of the study.
    out: PathBuf,
    /// About how long each piece takes.
    estimates: Estimates,
}

impl<'a> Job<'a> {
    fn new(request: &'a OnRequest, work: &'a Work, list: &'a PieceList) -> Result<Job<'a>, Error> {
        let failed = |error: std::io::Error| {
            Error::Failed(format!("cannot find out where this program is: {error}"))
        };
        let program = std::env::current_exe().map_err(failed)?;
        let here = std::env::current_dir().map_err(failed)?;
        let out = here.join(work.folder.path());
        let estimates = Estimates::of(work, list, &request.study)?;
        Ok(Job { request, work, list, program, here, out, estimates })
    }

    /// The scripts and logs: beside the folder of the study.
    fn scripts(&self) -> PathBuf {
        let mut path = self.out.clone().into_os_string();
        path.push(".slurm");
        path.into()
    }

    /// The words of a command on the study: `study FILE --scale S --out OUT ...`.
    fn words(&self, action: &[&str], program: &str, out: &str) -> Vec<String> {
        let study = &self.request.study;
        let mut words = vec![program.to_owned(), "study".into()];
        words.extend(action.iter().map(ToString::to_string));
        // As it was typed, since pages show it: tasks begin where this was called.
        words.extend(study.studies.iter().cloned());
        words.extend(["--out".into(), out.to_owned(), "--of".into(), self.list.plan.clone()]);
        if study.scale < 1.0 {
            words.extend(["--scale".into(), study.scale.to_string()]);
        }
        let numbers = [
            ("--runs", study.runs.map(|runs| runs as u64)),
            ("--games", study.games),
            ("--block-games", study.block_games),
        ];
        for (option, number) in numbers {
            words.extend(number.into_iter().flat_map(|n| [option.to_owned(), n.to_string()]));
        }
        if !study.only.is_empty() {
            words.extend(["--only".into(), study.only.join(",")]);
        }
        words
    }

    /// The same as a line for a shell.
    fn line(&self, action: &[&str]) -> String {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let words = self.words(action, &text(&self.program), &text(&self.out));
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// The pieces of a wave that are not done.
    fn missing(&self, wave: u8) -> Vec<&Piece> {
        let homes = [self.out.clone()];
        let stands = Stands::new(self.list, &homes);
        let own = self.list.pieces.iter().filter(|piece| piece.wave == wave);
        own.filter(|piece| stands.of(piece) != State::Done).collect()
    }

    /// Pieces packed into tasks of about the wanted length.
    fn tasks(&self, pieces: &[&Piece]) -> Vec<Vec<usize>> {
        // GNU parallel starts a task at once, and nobody waits in a queue.
        let minutes = match self.request.on {
            Scheduler::Parallel => self.request.task_minutes.min(1.0 / 6.0),
            _ => self.request.task_minutes,
        };
        let seconds = |number: usize| self.estimates.seconds[number] / self.request.cores as f64;
        let all: f64 = pieces.iter().map(|piece| seconds(piece.number)).sum();
        let wanted = (all / (60.0 * minutes)).ceil() as usize;
        let tasks = wanted.clamp(1, self.request.most_tasks.max(1)).min(pieces.len());
        let work: Vec<(usize, u64)> = pieces
            .iter()
            .map(|piece| (piece.number, (1000.0 * seconds(piece.number)) as u64))
            .collect();
        super::pick::shares(&work, tasks)
    }

    fn answer(&self, scripts: Vec<(String, String)>) -> OnAnswer {
        let missing: Vec<&Piece> = [1, 2].into_iter().flat_map(|wave| self.missing(wave)).collect();
        let tasks = [1, 2].map(|wave| self.tasks(&self.missing(wave)).len());
        OnAnswer {
            study: self.work.design.name.clone(),
            plan: self.list.plan.clone(),
            pieces: self.list.pieces.len(),
            missing: missing.len(),
            tasks: tasks.iter().sum(),
            seconds: missing.iter().map(|piece| self.estimates.seconds[piece.number]).sum(),
            scripts,
            jobs: Vec::new(),
            submissions: 0,
            found: None,
        }
    }
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./,=:+".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_safe_in_a_shell() {
        assert_eq!(quoted("runs/a-1.toml"), "runs/a-1.toml");
        assert_eq!(quoted("my study"), "'my study'");
        assert_eq!(quoted("it's $(x)"), r"'it'\''s $(x)'");
        assert_eq!(quoted(""), "''");
    }
}
