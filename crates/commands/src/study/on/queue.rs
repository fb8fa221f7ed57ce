//! Slurm's own commands. Jobs are known by their names, so that a submission whose answer was lost
//! is found again, and repeating a command submits nothing twice.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};

use crate::Error;

/// What the queue says of the jobs of a study.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Tasks by state.
    pub states: BTreeMap<String, usize>,
    /// Why tasks wait.
    pub reasons: BTreeMap<String, usize>,
    /// The numbers of the jobs.
    pub jobs: Vec<String>,
}

impl Queue {
    /// Tasks that are not over.
    pub fn tasks(&self) -> usize {
        self.states.values().sum()
    }

    /// Tasks that wait.
    pub fn pending(&self) -> usize {
        self.states.get("PENDING").copied().unwrap_or(0)
    }

    /// It in a line.
    pub fn summary(&self) -> String {
        let part =
            |(state, number): (&String, &usize)| format!("{number} {}", state.to_lowercase());
        let states: Vec<String> = self.states.iter().map(part).collect();
        let usual = ["None", "Dependency", "JobArrayTaskLimit"];
        let reasons: Vec<&str> =
            self.reasons.keys().map(String::as_str).filter(|r| !usual.contains(r)).collect();
        match (states.is_empty(), reasons.is_empty()) {
            (true, _) => "nothing in the queue".into(),
            (false, true) => states.join(", "),
            (false, false) => format!("{} ({})", states.join(", "), reasons.join(", ")),
        }
    }
}

/// Runs one of Slurm's commands.
fn slurm(program: &str, args: &[String]) -> Result<Output, Error> {
    Command::new(program).args(args).output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::Usage(format!(
            "there is no {program} on the path: jobs are submitted on a machine of a Slurm \
             cluster; --dry-run prints the scripts"
        )),
        _ => Error::Failed(format!("cannot run {program}: {error}")),
    })
}

/// What it printed when it failed, in a line.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let text = if text.trim().is_empty() { String::from_utf8_lossy(&output.stdout) } else { text };
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match lines.is_empty() {
        true => format!("it ended with {}", output.status),
        false => lines.join("; "),
    }
}

/// Looks for jobs with these names.
pub fn queue(names: &[String]) -> Result<Queue, Error> {
    let args = ["-h", "-r", "-o", "%F|%T|%r", "--name"].map(String::from);
    let output = slurm("squeue", &[&args[..], &[names.join(",")]].concat())?;
    if !output.status.success() {
        return Err(Error::Failed(format!("squeue: {}", complaint(&output))));
    }
    let mut queue = Queue::default();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [job, state, reason] = parts[..] else { continue };
        *queue.states.entry(state.into()).or_default() += 1;
        if state == "PENDING" {
            *queue.reasons.entry(reason.into()).or_default() += 1;
        }
        if !queue.jobs.iter().any(|known| known == job) {
            queue.jobs.push(job.into());
        }
    }
    Ok(queue)
}

/// Submits a script, after the end of another job if there is one; returns the number of the job.
pub fn submit(script: &Path, name: &str, after: Option<&str>) -> Result<String, Error> {
    let mut args = vec!["--parsable".to_owned()];
    args.extend(after.map(|job| format!("--dependency=afterany:{job}")));
    args.push(script.to_string_lossy().into_owned());
    let output = slurm("sbatch", &args)?;
    let text = String::from_utf8_lossy(&output.stdout);
    // `123` or `123;cluster`.
    let job = text.trim().split(';').next().unwrap_or_default().to_owned();
    let is_number = !job.is_empty() && job.chars().all(|digit| digit.is_ascii_digit());
    if output.status.success() && is_number {
        return Ok(job);
    }
    // It may say no and do it: then the job is in the queue.
    if let Ok(Some(job)) = queue(&[name.to_owned()]).map(|queue| queue.jobs.first().cloned()) {
        return Ok(job);
    }
    Err(Error::Failed(format!("sbatch refused {}: {}", script.display(), complaint(&output))))
}

/// Takes jobs back.
pub fn cancel(jobs: &[String]) -> Result<(), Error> {
    if !jobs.is_empty() {
        slurm("scancel", jobs)?;
    }
    Ok(())
}
