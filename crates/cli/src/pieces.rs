//! Pieces of studies: `outflank study FILE --pieces`, `--piece`, `--on`, and `outflank study
//! gather`.

use std::io::{self, Write};
use std::path::PathBuf;

use super::output::{TextTable, print_json, thousands};
use super::study::{Size, parse_count, print_answer, time};
use super::text::{clean, help, print_wrapped};
use super::{Error, Terminal, interrupts, learn, to_json};
use outflank_commands::{
    Command, GatherRequest, OnAnswer, OnRequest, PieceAnswer, PieceRequest, PieceState,
    PiecesAnswer, PiecesRequest, ScaleAnswer, ScaleRequest, Scheduler, StudyRequest,
};

/// Options that divide a study among processes and machines.
#[derive(clap::Args)]
#[command(next_help_heading = "Pieces, clusters")]
pub struct PieceArgs {
    /// List the pieces of the study: runs and blocks of contests, with their numbers
    #[arg(long, conflicts_with_all = ["piece", "on", "plan", "as_is"])]
    pieces: bool,
    /// Do these pieces only, e.g. 3, 10..19, 7/40 (one of forty shares), env (the number of this
    /// task of an array) or env/40; a piece that another process has is waited for
    #[arg(long, value_name = "WHICH", num_args = 0..=1, default_missing_value = "env",
          conflicts_with_all = ["on", "plan", "as_is", "ledger"])]
    piece: Option<String>,
    /// Pieces of one wave: 1 for runs and all that depends on nothing, 2 for what needs the runs
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u8).range(1..=2))]
    wave: Option<u8>,
    /// Refuse to work if this is not the plan; --pieces prints it
    #[arg(long, value_name = "PLAN")]
    of: Option<String>,
    /// Folders with finished pieces that these need, if they are not in OUT
    #[arg(long, value_name = "DIR", requires = "piece")]
    from: Vec<PathBuf>,
    /// With --plan: how long it would take on these numbers of cores, e.g. 1,10,100, by simulation
    #[arg(long, value_name = "N,...", value_delimiter = ',', requires = "plan",
          value_parser = parse_count)]
    cores: Vec<u64>,
    /// With --cores: write a figure of the efficiency to this SVG file
    #[arg(long, value_name = "FILE", requires = "cores")]
    figure: Option<PathBuf>,
    /// Run the study on a cluster: submit it to Slurm and wait for it, or print what to do for the
    /// others
    #[arg(long, value_name = "SCHEDULER", conflicts_with_all = ["plan", "as_is", "ledger"])]
    on: Option<On>,
    /// Print the scripts, and submit nothing
    #[arg(long, requires = "on")]
    dry_run: bool,
    /// Slurm's partition
    #[arg(long, value_name = "P", requires = "on")]
    partition: Option<String>,
    /// Slurm's account
    #[arg(long, value_name = "A", requires = "on")]
    account: Option<String>,
    /// Time limit of a task, e.g. 2:00:00 [default: from the estimates]
    #[arg(long, value_name = "T", requires = "on")]
    time: Option<String>,
    /// Any other option of sbatch, e.g. --sbatch=--mem=2G; may be repeated
    #[arg(long, value_name = "OPTION", requires = "on", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Pack pieces so that a task takes about M minutes [default: 10]
    #[arg(long, value_name = "M", requires = "on")]
    task_minutes: Option<f64>,
    /// At most N tasks in an array [default: 1000]
    #[arg(long, value_name = "N", requires = "on", value_parser = parse_count)]
    tasks: Option<u64>,
    /// Cores of a task [default: 1]
    #[arg(long, value_name = "C", requires = "on", value_parser = parse_count)]
    task_cores: Option<u64>,
    /// Seconds between two looks at the queue [default: 30]
    #[arg(long, value_name = "S", requires = "on")]
    poll: Option<f64>,
    /// Give up if nothing was started for M minutes [default: never]
    #[arg(long, value_name = "M", requires = "on")]
    give_up: Option<f64>,
    /// Submit, and do not wait for the end
    #[arg(long, requires = "on")]
    submit_only: bool,
    /// Kubernetes: the image with the program [default: outflank:latest]
    #[arg(long, value_name = "IMAGE", requires = "on")]
    image: Option<String>,
    /// Kubernetes: the claim of the volume that all pods share [default: outflank]
    #[arg(long, value_name = "NAME", requires = "on")]
    claim: Option<String>,
}

/// Who starts the processes.
#[derive(Clone, Copy, clap::ValueEnum)]
enum On {
    /// Arrays of jobs are submitted, watched and gathered
    Slurm,
    /// Manifests of indexed jobs are printed
    Kubernetes,
    /// Lines for GNU parallel are printed
    Parallel,
}

/// Arguments of `study gather`.
#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank study gather my-study.toml --out runs/my-study
  outflank study gather my-study.toml --from node1 node2 --out runs/my-study

Checks every piece, refuses what is missing, foreign, damaged or of another plan,
copies the runs of other folders and makes the pages. They have the bytes of a
study that one machine did. Gathering may be repeated and interrupted."))]
pub struct GatherArgs {
    /// A study file, or a paper
    #[arg(value_name = "STUDY.toml|PAPER")]
    study: String,
    /// Folders in which pieces were done, if not all of them were done in OUT
    #[arg(long, value_name = "DIR", num_args = 1..)]
    from: Vec<PathBuf>,
    /// With 1: gather only what the pieces of wave 2 need, and make no pages
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u8).range(1..=1))]
    wave: Option<u8>,
    /// Refuse to work if this is not the plan; --pieces prints it
    #[arg(long, value_name = "PLAN")]
    of: Option<String>,
    #[command(flatten)]
    size: Size,
}

impl GatherArgs {
    /// Runs the command.
    pub fn run(self) -> Result<(), Error> {
        let study = self.size.request(vec![self.study])?;
        let (from, wave, plan) = (self.from, self.wave, self.of);
        let request = GatherRequest { study, from, wave, plan };
        interrupts::catch();
        learn::raise_file_limit();
        let answer = request.run(&Terminal::new())?;
        if wave == Some(1) && !self.size.json {
            return Ok(writeln!(
                io::stdout(),
                "The pieces of wave 1 are in {}",
                clean(&answer.out)
            )?);
        }
        print_answer(&request.study, &answer, self.size.json)
    }
}

impl PieceArgs {
    /// Runs what was asked for; false if it is not about pieces.
    pub fn run(&self, study: &StudyRequest, json: bool) -> Result<bool, Error> {
        self.check(study)?;
        let study = study.clone();
        if !self.cores.is_empty() {
            let (cores, figure) = (self.cores.clone(), self.figure.clone());
            let study = StudyRequest { plan: false, ..study };
            if let Some(answer) = super::answer(&ScaleRequest { study, cores, figure }, json)? {
                print_scale(&answer)?;
            }
        } else if self.pieces {
            let request = PiecesRequest { study, wave: self.wave, plan: self.of.clone() };
            if let Some(answer) = super::answer(&request, json)? {
                print_pieces(&answer)?;
            }
        } else if let Some(pieces) = &self.piece {
            let (wave, plan, from) = (self.wave, self.of.clone(), self.from.clone());
            let request = PieceRequest { study, pieces: pieces.clone(), wave, plan, from };
            learn::raise_file_limit();
            if let Some(answer) = super::answer(&request, json)? {
                print_done(&answer)?;
            }
        } else if let Some(on) = self.on {
            let request = self.on(study, on);
            interrupts::catch();
            learn::raise_file_limit();
            let answer = request.run(&Terminal::new())?;
            match json {
                true => print_json(&to_json::<OnRequest>(&answer))?,
                false => print_on(&request, &answer)?,
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Refuses options that would do nothing. What an option of clap requires it does not miss
    /// beside another that conflicts with it.
    fn check(&self, study: &StudyRequest) -> Result<(), Error> {
        let listing = self.pieces || self.piece.is_some();
        let on = [
            ("--dry-run", self.dry_run),
            ("--partition", self.partition.is_some()),
            ("--account", self.account.is_some()),
            ("--time", self.time.is_some()),
            ("--sbatch", !self.sbatch.is_empty()),
            ("--task-minutes", self.task_minutes.is_some()),
            ("--tasks", self.tasks.is_some()),
            ("--task-cores", self.task_cores.is_some()),
            ("--poll", self.poll.is_some()),
            ("--give-up", self.give_up.is_some()),
            ("--submit-only", self.submit_only),
            ("--image", self.image.is_some()),
            ("--claim", self.claim.is_some()),
        ];
        let needs = [
            ("--wave", self.wave.is_some(), listing, "--pieces or --piece"),
            ("--of", self.of.is_some(), listing, "--pieces or --piece"),
            ("--from", !self.from.is_empty(), self.piece.is_some(), "--piece"),
            ("--cores", !self.cores.is_empty(), study.plan, "--plan"),
        ];
        let on = on.map(|(name, is_given)| (name, is_given, self.on.is_some(), "--on"));
        match needs.iter().chain(&on).find(|(_, is_given, is_used, _)| *is_given && !is_used) {
            Some((name, _, _, with)) => Err(Error::Usage(format!("{name} goes with {with}"))),
            None => Ok(()),
        }
    }

    fn on(&self, study: StudyRequest, on: On) -> OnRequest {
        let usual = OnRequest::default();
        let whole = |number: Option<u64>, usual: usize| {
            number.map_or(usual, |number| usize::try_from(number).unwrap_or(usize::MAX))
        };
        OnRequest {
            study,
            on: match on {
                On::Slurm => Scheduler::Slurm,
                On::Kubernetes => Scheduler::Kubernetes,
                On::Parallel => Scheduler::Parallel,
            },
            partition: self.partition.clone(),
            account: self.account.clone(),
            time: self.time.clone(),
            options: self.sbatch.clone(),
            task_minutes: self.task_minutes.unwrap_or(usual.task_minutes),
            most_tasks: whole(self.tasks, usual.most_tasks),
            cores: whole(self.task_cores, usual.cores),
            poll: self.poll.unwrap_or(usual.poll),
            give_up: self.give_up,
            dry_run: self.dry_run,
            submit_only: self.submit_only,
            image: self.image.clone().unwrap_or(usual.image),
            claim: self.claim.clone().unwrap_or(usual.claim),
            attempts: usual.attempts,
        }
    }
}

fn print_pieces(answer: &PiecesAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let mut table = TextTable::new(2);
    table.row(["piece", "what", "wave", "games", "state"].map(String::from));
    for (piece, state) in &answer.pieces {
        let state = match state {
            PieceState::Missing => "missing",
            PieceState::Begun => "begun",
            PieceState::Going => "going",
            PieceState::Done => "done",
        };
        table.row([
            piece.number.to_string(),
            clean(&piece.name),
            piece.wave.to_string(),
            thousands(piece.games),
            state.into(),
        ]);
    }
    table.print(&mut out)?;
    let done = answer.pieces.iter().filter(|(_, state)| *state == PieceState::Done).count();
    let text = format!(
        "{done} of {} pieces are done in {}. Plan {}.",
        answer.pieces.len(),
        answer.out,
        answer.plan
    );
    Ok(print_wrapped(&mut out, &text)?)
}

fn print_scale(answer: &ScaleAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let mut table = TextTable::new(1);
    let head = ["study", "pieces", "cores", "time", "speed-up", "efficiency", "limited by"];
    table.row(head.map(String::from));
    for row in &answer.results {
        table.row([
            clean(&row.study),
            thousands(row.pieces as u64),
            thousands(row.cores),
            time(row.seconds),
            format!("{:.1}", row.speedup),
            format!("{:.0}%", 100.0 * row.efficiency),
            clean(&row.limit),
        ]);
    }
    table.print(&mut out)?;
    let text = "Simulated: pieces take as long as rates measured here say.";
    Ok(print_wrapped(&mut out, text)?)
}

fn print_done(answer: &PieceAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    for piece in &answer.pieces {
        let before = if piece.was_done { ", done before" } else { "" };
        writeln!(out, "piece {}: {}{before}", piece.number, clean(&piece.name))?;
    }
    let seconds = answer.seconds;
    let all = seconds.planning + seconds.training + seconds.contests + seconds.waiting;
    let text = format!("{} done in {} ({}).", answer.pieces.len(), answer.out, time(all));
    Ok(print_wrapped(&mut out, &text)?)
}

fn print_on(request: &OnRequest, answer: &OnAnswer) -> Result<(), Error> {
    if let Some(found) = &answer.found {
        return print_answer(&request.study, found, false);
    }
    let mut out = io::stdout().lock();
    if request.on != Scheduler::Slurm || request.dry_run {
        for (name, text) in &answer.scripts {
            if answer.scripts.len() > 1 {
                writeln!(out, "# --- {name}")?;
            }
            write!(out, "{text}")?;
        }
        let text = format!(
            "# {} of {} pieces are missing: {} of one core in {} tasks.",
            answer.missing,
            answer.pieces,
            time(answer.seconds),
            answer.tasks
        );
        return Ok(writeln!(out, "{text}")?);
    }
    match answer.jobs.is_empty() {
        true => print_wrapped(&mut out, "All pieces are done; gather them.")?,
        false => print_wrapped(
            &mut out,
            &format!("Submitted jobs {}; the same command waits for them.", answer.jobs.join(", ")),
        )?,
    }
    Ok(())
}
