//! `outflank runs`: the studies on disk, and `outflank runs rm`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::output::{TextTable, print_named};
use super::terminal::say;
use super::text::{clean, help, percent2};
use super::{Error, answer, learn};
use outflank_commands::{RemoveRequest, RemovedFolder, RunsRequest, StudyEntry};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = help("\
Examples:
  outflank runs
  outflank runs experiments/mine --json
  outflank runs rm runs/rsel-1a2b3c4d runs/cel/7

A study is a folder with a study.json; those in other folders are found, too. A
study is called by its preset and by what differs from it. `runs` are finished
of all; `now` says how many are going on, stopped (`outflank learn` with the
same arguments continues them) or waiting to begin. The value is the last one of
the first probe, a mean over finished runs, or over those that have begun if
none is finished. `time` is that of training and measuring in finished runs,
`age` the time since something changed."))]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// Where to look
    #[arg(value_name = "FOLDER", default_value = None)]
    folder: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Remove studies or runs
    Rm(RemoveArgs),
}

#[derive(clap::Args)]
#[command(after_help = help("\
Removes the folders of studies or of single runs, after a question. The folder of
`outflank study`, `reproduce` or a sweep goes as a whole, with its contests and
pages. A folder that is none of these, that holds anything else, or on which a
process is at work is refused, and then nothing is removed."))]
pub struct RemoveArgs {
    /// Folders of studies or runs
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    if let Some(Action::Rm(args)) = args.action {
        return remove(args);
    }
    let Some(answer) = answer(&RunsRequest { folder: args.folder }, args.json)? else {
        return Ok(());
    };
    let mut out = io::stdout().lock();
    if answer.results.is_empty() {
        say(&format!("no study in {}; `outflank learn` begins one", clean(&answer.folder)));
        return Ok(());
    }
    let name = |entry: &StudyEntry| {
        let below = Path::new(&entry.folder).strip_prefix(&answer.folder).ok();
        let below = below.filter(|path| !path.as_os_str().is_empty());
        below.map_or_else(|| entry.folder.clone(), |path| path.to_string_lossy().into_owned())
    };
    let mut table = TextTable::new(1);
    let all_done = answer.results.iter().all(|entry| now(entry).is_empty());
    let head = ["study", "runs", "now", "probe", "value", "games", "time", "age", "size"];
    table.row(head.into_iter().filter(|column| !all_done || *column != "now"));
    for entry in &answer.results {
        let now = (!all_done).then(|| now(entry));
        let begin = [name(entry), format!("{}/{}", entry.finished, entry.runs)];
        let end = [
            entry.probe.clone().unwrap_or_default(),
            entry.value.map(percent2).unwrap_or_default(),
            count(entry.games),
            time(entry.seconds),
            entry.age.map(time).unwrap_or_default(),
            size(entry.bytes),
        ];
        table.row(begin.into_iter().chain(now).chain(end));
    }
    table.print(&mut out)?;
    writeln!(out)?;
    let about = |entry: &StudyEntry| {
        let problem = entry.problem.as_ref().map(|problem| format!("problem: {problem}"));
        let label = (!entry.label.is_empty()).then(|| entry.label.clone());
        let missed = (entry.missed > 0).then(|| format!("{} missed the goal", entry.missed));
        let parts: Vec<String> = label.into_iter().chain(missed).chain(problem).collect();
        [name(entry), parts.join("; ")]
    };
    Ok(print_named(&mut out, &answer.results.iter().map(about).collect::<Vec<_>>())?)
}

fn remove(args: RemoveArgs) -> Result<(), Error> {
    let removing = RemoveRequest { folders: args.folders }.prepare()?;
    for RemovedFolder { path, studies, runs, bytes } in removing.folders() {
        let what = match &studies[..] {
            [] => String::new(),
            [one] => format!("the whole study {one}, "),
            several => format!("the whole studies {}, ", several.join(", ")),
        };
        let runs = if *runs == 1 { "1 run".into() } else { format!("{runs} runs") };
        let text = format!("{}: {what}{runs}, {}", path.to_string_lossy(), size(*bytes));
        say(&clean(&text));
    }
    // Every run that goes is held by an open file.
    learn::raise_file_limit();
    if !args.yes {
        if !io::stdin().is_terminal() {
            let message = "cannot ask for confirmation, because standard input is not a terminal; --yes \
                           removes them without a question";
            return Err(Error::Usage(message.into()));
        }
        let mut answer = Vec::new();
        let _ = write!(io::stderr(), "Delete permanently? [y/N] ");
        let _ = io::stdin().lock().read_until(b'\n', &mut answer);
        let answer = String::from_utf8_lossy(&answer).trim().to_lowercase();
        if !["y", "yes"].contains(&answer.as_str()) {
            say("nothing was removed");
            return Ok(());
        }
    }
    for folder in removing.run()?.results {
        say(&format!("removed {}", clean(&folder)));
    }
    Ok(())
}

/// What runs that are not finished do.
fn now(entry: &StudyEntry) -> String {
    let parts = [(entry.going, "going"), (entry.stopped, "stopped"), (entry.waiting, "waiting")];
    let parts = parts.iter().filter(|(runs, _)| *runs > 0);
    parts.map(|(runs, what)| format!("{runs} {what}")).collect::<Vec<_>>().join(", ")
}

/// 2,000,000 as 2M.
fn count(number: u64) -> String {
    in_steps(number as f64, &[(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G")])
}

fn size(bytes: u64) -> String {
    in_steps(bytes as f64, &[(1.0, " B"), (1e3, " kB"), (1e6, " MB"), (1e9, " GB")])
}

fn time(seconds: f64) -> String {
    in_steps(seconds, &[(1.0, " s"), (60.0, " min"), (3600.0, " h"), (86400.0, " d")])
}

/// A number in the largest unit of which there is one, with two digits or all before the point.
fn in_steps(number: f64, units: &[(f64, &str)]) -> String {
    let unit = units.iter().rev().find(|(unit, _)| number >= *unit).unwrap_or(&units[0]);
    let number = number / unit.0;
    // A count of single things has no part.
    match number < 9.95 && number.fract() > 0.0 {
        true => format!("{number:.1}{}", unit.1),
        false => format!("{number:.0}{}", unit.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 999, 1000, 1500, 2_000_000].map(count), ["0", "999", "1k", "1.5k", "2M"]);
        assert_eq!([0, 1_234_567].map(size), ["0 B", "1.2 MB"]);
        let times = [0.0, 0.25, 59.0, 90.0, 7200.0, 2e6].map(time);
        assert_eq!(times, ["0 s", "0.2 s", "59 s", "1.5 min", "2 h", "23 d"]);
    }
}
