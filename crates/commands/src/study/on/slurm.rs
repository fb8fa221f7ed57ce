//! The scripts of a study for Slurm: an array for the runs, one for the contests, which begins when
//! the first has ended, and a job that puts all together.

use std::fmt::Write;
use std::path::Path;

use super::super::folder::put;
use super::super::pick::ranges;
use super::{Job, quoted};
use crate::Error;

/// An array of tasks, or a single job.
pub struct Script {
    /// `runs`, `contests` or `gather`.
    pub kind: &'static str,
    /// The name of the job, by which it is found in the queue.
    pub name: String,
    /// The text.
    pub text: String,
    /// For each task the pieces it does.
    pub tasks: String,
}

/// Slurm sends SIGTERM this number of seconds before the time limit.
const WARNING: u64 = 120;
/// The limit is looked at once a minute, so the signal may come earlier by that.
const EARLY: u64 = 80;
/// A task that was cut by its limit goes on so often by itself.
const MOST_RESTARTS: u32 = 50;

/// The names of the jobs of a study in its folder. The same study in another folder has others.
pub fn job_name(job: &Job<'_>, kind: &str) -> String {
    let place = blake3::hash(job.out.to_string_lossy().as_bytes()).to_hex();
    format!("outflank-{}-{}-{kind}", &job.list.plan[..8], &place[..4])
}

/// The scripts of what is missing; the last puts all together.
pub fn scripts(job: &Job<'_>) -> Result<Vec<Script>, Error> {
    let mut all = Vec::new();
    for (wave, kind) in [(1, "runs"), (2, "contests")] {
        let tasks = job.tasks(&job.missing(wave));
        if !tasks.is_empty() {
            all.push(array(job, kind, &tasks)?);
        }
    }
    let name = job_name(job, "gather");
    let line = job.line(&["gather"]);
    let mut text = head(job, "gather", &name, None, &limit(job, 0.0)?);
    let _ = writeln!(text, "exec srun --ntasks=1 {line} --threads {}", job.request.cores);
    all.push(Script { kind: "gather", name, text, tasks: String::new() });
    Ok(all)
}

fn array(job: &Job<'_>, kind: &'static str, tasks: &[Vec<usize>]) -> Result<Script, Error> {
    let seconds = |task: &Vec<usize>| {
        let all: f64 = task.iter().map(|&number| job.estimates.seconds[number]).sum();
        all / job.request.cores as f64
    };
    let longest = tasks.iter().map(seconds).fold(0.0, f64::max);
    let limit = limit(job, longest)?;
    let name = job_name(job, kind);
    let mut text = head(job, kind, &name, Some(tasks.len()), &limit);
    let list = job.scripts().join(format!("{kind}.tasks"));
    let list = quoted(&list.to_string_lossy());
    let line = job.line(&[]);
    let nearly = parse_limit(&limit)?.saturating_sub(WARNING + EARLY);
    let cores = job.request.cores;
    // A signal must not end the script before it has seen how the program ended.
    let _ = write!(
        text,
        "pieces=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {list})\n\
         trap : TERM\n\
         srun --ntasks=1 {line} --threads {cores} --piece \"$pieces\"\n\
         code=$?\n\
         # Cut by the time limit: it goes on where it was. Not after scancel or a failure.\n\
         if [ $code -eq 143 ] && [ $SECONDS -ge {nearly} ] && \\\n   \
         [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt {MOST_RESTARTS} ]; then\n  \
         scontrol requeue \"$SLURM_JOB_ID\"\n\
         fi\n\
         exit $code\n"
    );
    let tasks = tasks.iter().map(|task| ranges(task.iter().copied()) + "\n").collect();
    Ok(Script { kind, name, text, tasks })
}

/// What Slurm reads.
fn head(job: &Job<'_>, kind: &str, name: &str, tasks: Option<usize>, limit: &str) -> String {
    let request = job.request;
    let log = if tasks.is_some() { format!("{kind}-%a.log") } else { format!("{kind}.log") };
    let log = job.scripts().join("logs").join(log);
    let mut text = String::from("#!/bin/bash\n");
    let mut option = |text_of: &str| {
        let _ = writeln!(text, "#SBATCH {text_of}");
    };
    option(&format!("--job-name={name}"));
    if let Some(tasks) = tasks {
        option(&format!("--array=0-{}", tasks - 1));
    }
    option("--ntasks=1");
    option(&format!("--cpus-per-task={}", request.cores));
    option(&format!("--time={limit}"));
    option("--requeue");
    option("--open-mode=append");
    option(&format!("--signal=TERM@{WARNING}"));
    option(&format!("--output=\"{}\"", log.display()));
    for (name, value) in [("partition", &request.partition), ("account", &request.account)] {
        if let Some(value) = value {
            option(&format!("--{name}={value}"));
        }
    }
    request.options.iter().for_each(|other| option(other));
    let _ = writeln!(text, "cd {} || exit 1", quoted(&job.here.to_string_lossy()));
    text
}

/// Options of `sbatch` that the scripts set themselves, with their letters, and the option of ours
/// that changes them, if there is one.
const OWN: [(&str, &str, &str); 16] = [
    ("account", "A", "--account"),
    ("array", "a", "--tasks"),
    ("cpus-per-task", "c", "--task-cores"),
    ("dependency", "d", ""),
    ("job-name", "J", ""),
    ("no-requeue", "", ""),
    ("ntasks", "n", ""),
    ("open-mode", "", ""),
    ("output", "o", ""),
    ("parsable", "", ""),
    ("partition", "p", "--partition"),
    ("requeue", "", ""),
    ("signal", "", ""),
    ("time", "t", "--time"),
    ("wait", "W", ""),
    ("wrap", "", ""),
];

/// Refuses what is no option of `sbatch`, or one of those that the scripts need as they are. Which
/// others there are only Slurm knows.
pub fn check_option(text: &str) -> Result<(), Error> {
    let wrong = |why: &str| Error::Usage(format!("--sbatch={text:?}: {why}"));
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let (name, letter) = match (text.strip_prefix("--"), text.strip_prefix('-')) {
        (Some(long), _) => (long.split(['=', ' ']).next().unwrap_or(""), ""),
        (None, Some(short)) => ("", short.get(..1).unwrap_or("")),
        (None, None) => ("", ""),
    };
    let begins = name.chars().chain(letter.chars()).next().is_some_and(|c| c.is_ascii_alphabetic());
    if !begins || !name.chars().all(is_letter) || text.chars().any(char::is_control) {
        return Err(wrong("expected an option of sbatch, e.g. --sbatch=--mem=2G"));
    }
    let is_own = |own: &&(&str, &str, &str)| own.0 == name || !own.1.is_empty() && own.1 == letter;
    match OWN.iter().find(is_own) {
        Some((name, _, "")) => Err(wrong(&format!("the scripts set --{name} themselves"))),
        Some((.., ours)) => Err(wrong(&format!("use {ours} instead"))),
        None => Ok(()),
    }
}

/// The time limit of a task that takes about so long.
fn limit(job: &Job<'_>, seconds: f64) -> Result<String, Error> {
    if let Some(time) = &job.request.time {
        return Ok(time.clone());
    }
    // Twice as long on a slow node, and a time to read and write.
    let minutes = ((2.0 * seconds / 60.0).ceil() as u64 + 20).div_ceil(10) * 10;
    Ok(format!("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60))
}

/// Seconds of a time as Slurm writes it: `30`, `30:00`, `2:00:00`, `1-12`, `1-12:30`,
/// `1-12:30:00`.
pub fn parse_limit(text: &str) -> Result<u64, Error> {
    let wrong =
        || Error::Usage(format!("time = {text:?}, expected minutes or e.g. 2:00:00 or 1-12:00:00"));
    let number = |part: &str| part.parse::<u64>().ok().filter(|n| *n < 1_000_000).ok_or_else(wrong);
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(number(days)?), rest),
        None => (None, text),
    };
    let parts: Vec<u64> = rest.split(':').map(number).collect::<Result<_, _>>()?;
    let seconds = match (days, &parts[..]) {
        (None, [minutes]) => 60 * minutes,
        (None, [minutes, seconds]) => 60 * minutes + seconds,
        (_, [hours, minutes, seconds]) => 3600 * hours + 60 * minutes + seconds,
        (Some(_), [hours]) => 3600 * hours,
        (Some(_), [hours, minutes]) => 3600 * hours + 60 * minutes,
        _ => return Err(wrong()),
    };
    match days.unwrap_or(0) * 86_400 + seconds {
        0 => Err(wrong()),
        seconds => Ok(seconds),
    }
}

/// Writes the scripts into their folder.
pub fn write(job: &Job<'_>, scripts: &[Script]) -> Result<(), Error> {
    let home = job.scripts();
    let logs = home.join("logs");
    std::fs::create_dir_all(&logs).map_err(|error| Error::writing(&logs, &error))?;
    for script in scripts {
        put(&path(&home, script), &script.text)?;
        if !script.tasks.is_empty() {
            put(&home.join(format!("{}.tasks", script.kind)), &script.tasks)?;
        }
    }
    Ok(())
}

/// The file of a script.
pub fn path(home: &Path, script: &Script) -> std::path::PathBuf {
    home.join(format!("{}.sh", script.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_sbatch_are_checked() {
        for good in ["--mem=2G", "--exclusive", "-C avx2", "-Cavx2", "--mail-type END", "--qos=a,b"]
        {
            assert!(check_option(good).is_ok(), "{good}");
        }
        let problem = |text: &str| check_option(text).unwrap_err().to_string();
        for bad in
            ["", "-", "--", "mem=2G", "--=3", "-=3", "--m\u{e9}m", "--mem=2G\nrm -r x", "---a"]
        {
            assert!(problem(bad).contains("expected an option of sbatch"), "{bad:?}");
        }
        assert!(problem("--array=0-3").contains("use --tasks instead"));
        assert!(problem("-p main").contains("use --partition instead"));
        assert!(problem("--signal=KILL").contains("the scripts set --signal themselves"));
    }

    #[test]
    fn time_limits_are_read_as_slurm_reads_them() {
        for (text, seconds) in [
            ("30", 1800),
            ("30:10", 1810),
            ("2:00:00", 7200),
            ("1-12", 129_600),
            ("1-12:30", 131_400),
            ("0-00:30:05", 1805),
        ] {
            assert_eq!(parse_limit(text).unwrap(), seconds, "{text}");
        }
        for bad in ["", "x", "0", "1:2:3:4", "-1", "1-", "1h", "99999999999999999999"] {
            assert!(parse_limit(bad).unwrap_err().to_string().contains("expected"), "{bad}");
        }
    }
}
