//! `outflank report`: studies as one HTML page with figures.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::measure::parse_sample;
use super::output::{Replace, WholeFile, print_json};
use super::text::help;
use super::{Error, Terminal, interrupts, parse_games, parse_seed, parse_threads, split_names};
use outflank_arena::News;
use outflank_commands::{SCHEMA, Watch, all_cores, arena, parse_probes, parse_studies};
use outflank_kernel::rng::Seed;
use outflank_lab::{Database, Effort, Results, signature};
use outflank_report::{Evidence, Material, Page, Plan};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank report runs/ctdl-hof
  outflank report runs/rsel-* runs/2cel-rs-* --out sampling.html
  outflank report old=runs/a new=runs/b --games 10000
  outflank report runs/td-lambda-* --vs td-greedy,positional,utility

The page needs nothing but itself: learning curves, final results with
intervals and tests, the champions' boards or networks, a round robin of the studies and two
objectives (with two studies or more), performance profiles, specs, commands and
costs. It plays games of its own, so that all champions are measured alike,
whatever probes their studies had. Its figures are also written as SVG files into a folder
beside it, report-figures for report.html, with a CSV file of the numbers behind each
learning curve."))]
pub struct Args {
    /// Studies or runs of `outflank learn`, as PATH or NAME=PATH
    #[arg(value_name = "STUDY|RUN", required = true)]
    studies: Vec<String>,
    /// The page
    #[arg(long, default_value = "report.html", value_name = "FILE")]
    out: PathBuf,
    /// Yardsticks of all champions, separated by commas, as of `outflank measure`
    #[arg(long, default_value = VS, value_name = "PROBE,...")]
    vs: String,
    /// Number of single games of each champion against each of the players it is measured by, even
    #[arg(long, default_value_t = GAMES, value_name = "N", value_parser = parse_games, allow_negative_numbers = true)]
    games: u64,
    /// Number of double games of each champion for its expected utility
    #[arg(long, default_value_t = SAMPLE, value_name = "N", value_parser = parse_sample, allow_negative_numbers = true)]
    sample: u64,
    /// The database of opponents for performance profiles [default: the one that comes with the program]
    #[arg(long, value_name = "FILE", conflicts_with = "no_profiles")]
    profile_db: Option<PathBuf>,
    /// Leave the performance profiles out
    #[arg(long)]
    no_profiles: bool,
    /// Seed of the games the report plays
    #[arg(long, default_value_t = 1, value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const VS: &str = "random,heuristic,lr2006,ctdl2009-best,utility";
const GAMES: u64 = 1000;
const SAMPLE: u64 = 25_000;

/// What was written.
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// The files of its figures.
    pub figures: Vec<PathBuf>,
    /// The numbers behind them.
    pub data: Vec<PathBuf>,
}

impl Args {
    /// The report on a study in its own folder.
    pub fn on(study: &Path, threads: usize) -> Args {
        Args {
            studies: vec![study.to_string_lossy().into_owned()],
            out: study.join("report.html"),
            vs: VS.into(),
            games: GAMES,
            sample: SAMPLE,
            profile_db: None,
            no_profiles: false,
            seed: 1,
            threads: Some(threads),
            json: false,
        }
    }

    /// The command that makes the same report.
    fn command(&self) -> Vec<String> {
        let mut words = vec!["outflank".to_string(), "report".into()];
        words.extend(self.studies.iter().cloned());
        words.extend(["--out".into(), self.out.to_string_lossy().into_owned()]);
        if self.vs != VS {
            words.extend(["--vs".into(), self.vs.clone()]);
        }
        let numbers = [
            ("--games", self.games, GAMES),
            ("--sample", self.sample, SAMPLE),
            ("--seed", self.seed, 1),
        ];
        for (option, number, usual) in numbers {
            if number != usual {
                words.extend([option.into(), number.to_string()]);
            }
        }
        if let Some(path) = &self.profile_db {
            words.extend(["--profile-db".into(), path.to_string_lossy().into_owned()]);
        }
        if self.no_profiles {
            words.push("--no-profiles".into());
        }
        words
    }

    fn plan(&self) -> Result<Plan, Error> {
        let yardsticks = parse_probes(&split_names(&self.vs))?;
        let opponents = match &self.profile_db {
            _ if self.no_profiles => None,
            Some(path) => Some(Database::read(path).map_err(outflank_commands::Error::from)?),
            None => Some(Database::shipped()),
        };
        let effort = Effort { games: self.games, sample: self.sample };
        Ok(Plan { yardsticks, effort, opponents, seed: Seed(self.seed) })
    }
}

pub fn run(args: Args) -> Result<(), Error> {
    interrupts::catch();
    let studies = parse_studies(&args.studies, &Terminal::new())?;
    let written = write(&args, &studies)?;
    if args.json {
        return print_json(&as_json(&args, &studies, &written));
    }
    let mut out = io::stdout().lock();
    let folder = written.figures.first().and_then(|figure| figure.parent());
    writeln!(out, "The report is in {}", written.page.display())?;
    if let Some(folder) = folder {
        writeln!(out, "Its {} figures are in {}", written.figures.len(), folder.display())?;
    }
    Ok(())
}

/// Plays the report's games and writes its files; nothing if anything goes wrong before.
pub fn write(args: &Args, studies: &[Results]) -> Result<Written, Error> {
    let plan = args.plan()?;
    // Whatever cannot be written is known before the work.
    let mut file = WholeFile::create(&args.out, Replace::All)?;
    let folder = NewFolder::create(figures_folder(&args.out))?;
    let arena = arena(args.threads.unwrap_or_else(all_cores))?;
    let teams = Evidence::teams(studies)?;
    let terminal = Terminal::new();
    terminal.tell(News::Begins { unit: "games", total: Evidence::games(&teams, &plan) });
    let stopped = |error| Error::from(outflank_commands::Error::from(error));
    let evidence = Evidence::gather(&arena, teams, plan, &terminal).map_err(stopped)?;
    terminal.clear();
    let page = Page::write(&Material {
        studies,
        evidence: &evidence,
        command: &args.command(),
        folder: &folder.name(),
        signature: signature(arena.kernel()).digest(),
    });
    terminal.check().map_err(stopped)?;
    let mut names = Names::default();
    for figure in &page.figures {
        folder.add(&figure.name, &figure.svg)?;
        names.figures.push(figure.name.clone());
        if let Some((name, csv)) = &figure.data {
            folder.add(name, csv)?;
            names.data.push(name.clone());
        }
    }
    // From here on nothing needs room on the disk but the page, which is whole by itself.
    file.line(&page.html)?;
    file.finish()?;
    let path = folder.arrive(&names)?;
    let [figures, data] =
        [names.figures, names.data].map(|names| names.iter().map(|name| path.join(name)).collect());
    Ok(Written { page: args.out.clone(), figures, data })
}

/// The files of a folder of figures.
#[derive(Default)]
struct Names {
    figures: Vec<String>,
    data: Vec<String>,
}

/// `report-figures` beside `report.html`.
fn figures_folder(page: &Path) -> PathBuf {
    let mut name = page.file_stem().unwrap_or_default().to_os_string();
    name.push("-figures");
    page.with_file_name(name)
}

/// A folder of figures that is filled elsewhere and takes its place when all of them are there. Gone again if
/// anything goes wrong before.
struct NewFolder {
    path: PathBuf,
    /// Inside of the folder if there is one, else beside it.
    temporary: TempDir,
    is_new: bool,
}

impl NewFolder {
    fn create(path: PathBuf) -> Result<NewFolder, Error> {
        let is_new = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(Error::writing(&path, &error)),
            Ok(_) if path.is_dir() => false,
            Ok(_) => {
                let error = io::Error::new(io::ErrorKind::AlreadyExists, "it is no folder");
                return Err(Error::writing(&path, &error));
            }
        };
        let beside = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let temporary = builder.prefix(".figures-").tempdir_in(if is_new { beside } else { &path });
        let temporary = temporary.map_err(|error| Error::writing(&path, &error))?;
        Ok(NewFolder { path, temporary, is_new })
    }

    /// Writes a file that is not there yet.
    fn add(&self, name: &str, text: &str) -> Result<(), Error> {
        let mut file = WholeFile::create(&self.temporary.path().join(name), Replace::All)?;
        file.line(text)?;
        file.finish()
    }

    /// Gives the files their places and removes those of an earlier report; the folder.
    fn arrive(self, names: &Names) -> Result<PathBuf, Error> {
        let NewFolder { path, temporary, is_new } = self;
        if is_new && fs::rename(temporary.path(), &path).is_ok() {
            // What is not there any more need not be removed.
            let _ = temporary.keep();
            return Ok(path);
        }
        // It is there, perhaps since a moment ago.
        let all: Vec<&String> = names.figures.iter().chain(&names.data).collect();
        for name in &all {
            let to = path.join(name);
            fs::rename(temporary.path().join(name), &to)
                .map_err(|error| Error::writing(&to, &error))?;
        }
        forget_others(&path, &all);
        Ok(path)
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Removes figures of earlier reports: what is named like one and begins like one.
fn forget_others(folder: &Path, names: &[&String]) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        // The type is that of a link, not of what it points to.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && !names.contains(&&name) && Page::is_figure(&name) && is_marked(&entry.path())
        {
            // One that stays is no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a report made a file.
fn is_marked(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = fs::File::open(path)
        .and_then(|file| file.take(Page::MARK_LENGTH as u64).read_to_end(&mut beginning));
    read.is_ok() && Page::has_mark(&beginning)
}

fn as_json(args: &Args, studies: &[Results], written: &Written) -> Value {
    let studies: Vec<Value> = studies
        .iter()
        .map(|study| {
            json!({
                "name": study.name,
                "path": study.path.to_string_lossy(),
                "runs": study.runs.len(),
                "unfinished": study.unfinished.len(),
            })
        })
        .collect();
    let [figures, data] = [&written.figures, &written.data]
        .map(|paths| paths.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>());
    json!({
        "schema": SCHEMA,
        "command": "report",
        "report": written.page.to_string_lossy(),
        "figures": figures,
        "data": data,
        "studies": studies,
        "vs": args.vs,
        "games": args.games,
        "sample": args.sample,
        "profiles": !args.no_profiles,
        "seed": args.seed,
    })
}
