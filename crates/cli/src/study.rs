//! `outflank study` and `outflank reproduce`: whole experiments.

use std::io::{self, Write};
use std::path::PathBuf;

use super::output::{TextTable, print_json, thousands};
use super::report::parse_width;
use super::text::{clean, help, parse_whole, print_wrapped};
use super::{Error, Terminal, interrupts, learn, parse_threads, pieces, to_json};
use outflank_commands::{LEAST_SCALE, StudyAnswer, StudyRequest};
use outflank_study::{Design, PAPERS};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = help("\
Examples:
  outflank study my-study.toml --plan
  outflank study my-study.toml
  outflank study my-study.toml --scale 0.05
  outflank study my-study.toml --as-is
  outflank study my-study.toml --on slurm
  outflank study show my-study.toml

A study is a TOML file: cases to train, contests between them, published values,
and the tables and figures to make. A small one:
  title = \"Is a larger step better?\"
  [[case]]
  name = \"step\"
  method = \"rsel\"
  grid = { search.mutation.size = [0.05, 0.1, 0.2] }
docs/studies.md describes every key.

The command trains what is missing, measures, compares and writes OUT/index.html,
OUT/results.md, OUT/results.json and OUT/results/. Repeating it continues where it
was interrupted, with the same results."))]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    own: OwnArgs,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Print a study in full, with the meaning of every key
    Show {
        /// A study file, or a paper
        #[arg(value_name = "STUDY.toml|PAPER")]
        study: String,
    },
    /// Put together the pieces of a study that several processes or machines did
    Gather(pieces::GatherArgs),
}

#[derive(clap::Args)]
struct OwnArgs {
    /// Study files
    #[arg(value_name = "STUDY.toml")]
    studies: Vec<String>,
    #[command(flatten)]
    how: How,
}

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank reproduce ctdl2009 --scale 0.02
  outflank reproduce sampling2013 --plan
  outflank reproduce neuro2008 --only fig4-13
  outflank reproduce all --out runs/papers

Repeats the experiments of a paper and puts our figures beside the published
ones. `outflank study show PAPER` prints the study. Verdicts are computed:
agrees, same order, differs or not comparable."))]
pub struct ReproduceArgs {
    /// A paper, or `all`
    #[arg(value_name = "PAPER", value_parser = papers())]
    paper: String,
    #[command(flatten)]
    how: How,
}

fn papers() -> clap::builder::PossibleValuesParser {
    let names = PAPERS.iter().map(|(name, _)| *name).chain(["all"]);
    clap::builder::PossibleValuesParser::new(names)
}

/// The size of a study and its folder.
#[derive(clap::Args)]
pub struct Size {
    /// Folder for everything that is made [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do about this share of the work, with fewer and shorter runs
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_scale, allow_negative_numbers = true)]
    scale: f64,
    /// At most N runs of each case
    #[arg(long = "runs", visible_alias = "seeds", value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    runs: Option<u64>,
    /// At most N games in each run
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Make only these tables and figures (or values of a section, e.g. 4.2.3), and train what they
    /// need
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Write every figure as PDF, too
    #[arg(long)]
    pdf: bool,
    /// The width of the files of figures, in cm, mm or in; below 13 cm they are drawn for a column
    #[arg(long, value_name = "LENGTH", value_parser = parse_width, allow_negative_numbers = true)]
    width: Option<f64>,
    /// Leave the titles out of the files of figures
    #[arg(long)]
    no_titles: bool,
    /// Cut contests into blocks of about N games of WPCs [default: 20000000]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    block_games: Option<u64>,
    /// Threads [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Options of both commands.
#[derive(clap::Args)]
struct How {
    #[command(flatten)]
    size: Size,
    /// Print what would be done and about how long it takes, and do nothing
    #[arg(long)]
    plan: bool,
    /// Train nothing: take the runs as they stand
    #[arg(long, conflicts_with = "plan")]
    as_is: bool,
    /// Folder of ledgers (DIR/NAME.jsonl): what they tell of is not trained or played again, and
    /// what ends is entered
    #[arg(long, value_name = "DIR")]
    ledger: Option<PathBuf>,
    #[command(flatten)]
    pieces: pieces::PieceArgs,
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale| (LEAST_SCALE..=1.0).contains(scale));
    scale.ok_or_else(|| format!("expected a number from {LEAST_SCALE} to 1"))
}

pub fn parse_count(text: &str) -> Result<u64, String> {
    let max = super::MAX_GAMES;
    let count = parse_whole(text).filter(|count| (1..=max).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 1 to {max}"))
}

impl Size {
    /// The request for these studies.
    pub fn request(&self, studies: Vec<String>) -> Result<StudyRequest, Error> {
        Ok(StudyRequest {
            studies,
            out: self.out.clone(),
            scale: self.scale,
            runs: self.runs.map(|runs| usize::try_from(runs).unwrap_or(usize::MAX)),
            games: self.games,
            only: self.only.clone(),
            pdf: self.pdf,
            width: self.width,
            titles: !self.no_titles,
            block_games: self.block_games,
            threads: self.threads,
            checkpoint_every: learn::checkpoint_every()?,
            ..StudyRequest::default()
        })
    }
}

impl How {
    fn request(&self, studies: Vec<String>) -> Result<StudyRequest, Error> {
        let (plan, as_is, ledger) = (self.plan, self.as_is, self.ledger.clone());
        Ok(StudyRequest { plan, as_is, ledger, ..self.size.request(studies)? })
    }

    fn run(&self, request: &StudyRequest) -> Result<(), Error> {
        if self.pieces.run(request, self.size.json)? {
            return Ok(());
        }
        run_request(request, request.designs()?, self.size.json)
    }
}

pub fn run(args: Args) -> Result<(), Error> {
    match args.action {
        Some(Action::Gather(args)) => return args.run(),
        Some(Action::Show { study }) => {
            let request = StudyRequest { studies: vec![study], ..StudyRequest::default() };
            let mut out = io::stdout().lock();
            for design in request.designs()? {
                write!(out, "{}", design.explained())?;
            }
            return Ok(());
        }
        None => {}
    }
    let request = args.own.how.request(args.own.studies)?;
    if request.studies.is_empty() {
        return Err(Error::Usage(
            "no study is named; expected a file, e.g. outflank study my-study.toml".into(),
        ));
    }
    args.own.how.run(&request)
}

pub fn reproduce(args: ReproduceArgs) -> Result<(), Error> {
    let studies = match args.paper.as_str() {
        "all" => PAPERS.iter().map(|(name, _)| name.to_string()).collect(),
        paper => vec![paper.to_owned()],
    };
    args.how.run(&args.how.request(studies)?)
}

/// Runs studies that were read, and prints what they found.
pub fn run_request(request: &StudyRequest, designs: Vec<Design>, json: bool) -> Result<(), Error> {
    interrupts::catch();
    learn::raise_file_limit();
    let answer = request.run_designs(designs, &Terminal::new())?;
    print_answer(request, &answer, json)
}

/// Prints what studies found.
pub fn print_answer(request: &StudyRequest, answer: &StudyAnswer, json: bool) -> Result<(), Error> {
    match (json, request.plan) {
        (true, _) => print_json(&to_json::<StudyRequest>(answer))?,
        (false, true) => print_plan(answer)?,
        (false, false) => print_found(answer)?,
    }
    if answer.damaged.is_empty() {
        return Ok(());
    }
    let advice = match request.as_is {
        true => "the same command without --as-is repairs it",
        false => "remove the run, and the same command makes it again",
    };
    let problems: Vec<String> =
        answer.damaged.iter().map(|problem| format!("{problem}; {advice}")).collect();
    Err(Error::Failed(problems.join("\nerror: ")))
}

fn print_plan(answer: &StudyAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let plan = &answer.plan;
    let mut table = TextTable::new(1);
    table.row(["case", "runs", "missing", "games", "probes", "time"].map(String::from));
    for case in &plan.cases {
        table.row([
            case.case.clone(),
            case.runs.to_string(),
            case.missing.to_string(),
            thousands(case.games),
            thousands(case.probe_games),
            case.seconds.map_or("-".into(), |seconds| time(seconds / plan.threads as f64)),
        ]);
    }
    table.print(&mut out)?;
    for note in &answer.notes {
        print_wrapped(&mut out, note)?;
    }
    let about = plan.seconds.map_or(String::new(), |s| format!(", about {}", time(s)));
    let contests = match plan.contest_games {
        0 => String::new(),
        games => format!(", and at most {} games of contests", thousands(games)),
    };
    let text = match (plan.missing, plan.contest_games) {
        (0, 0) => "Nothing is missing; only pages are left to be written.".to_owned(),
        _ => format!(
            "Missing: {}, {} games with their probes{contests}{about} on {} threads. Times are \
             estimates from short trials.",
            runs(plan.missing as u64),
            thousands(plan.games),
            plan.threads
        ),
    };
    print_wrapped(&mut out, &text)?;
    Ok(writeln!(out, "Everything goes to {}", clean(&answer.out))?)
}

/// A number of runs.
fn runs(number: u64) -> String {
    match number {
        1 => "1 run".into(),
        number => format!("{} runs", thousands(number)),
    }
}

/// Seconds as people say them.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Tables with more columns do not fit a terminal; the page has them.
const MOST_COLUMNS: usize = 9;

fn print_found(answer: &StudyAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    for table in answer.tables.iter().filter(|table| table.head.len() <= MOST_COLUMNS) {
        print_wrapped(&mut out, &table.title)?;
        let mut text = TextTable::new(1);
        text.row(table.head.iter().cloned());
        table.rows.iter().for_each(|row| text.row(row.iter().cloned()));
        text.print(&mut out)?;
        writeln!(out)?;
    }
    if !answer.results.is_empty() {
        print_wrapped(&mut out, &answer.verdicts)?;
    }
    for note in &answer.notes {
        print_wrapped(&mut out, note)?;
    }
    let seconds = answer.seconds;
    let all = seconds.planning + seconds.training + seconds.contests + seconds.writing;
    let text = format!(
        "{} trained. Time: {} ({:.0}% training, {:.0}% contests, {:.0}% all else).",
        runs(answer.trained as u64),
        time(all),
        100.0 * seconds.training / all.max(1e-9),
        100.0 * seconds.contests / all.max(1e-9),
        100.0 * (seconds.planning + seconds.writing) / all.max(1e-9)
    );
    print_wrapped(&mut out, &text)?;
    for page in answer.page.iter().chain(&answer.markdown) {
        writeln!(out, "{}", clean(page))?;
    }
    Ok(())
}
