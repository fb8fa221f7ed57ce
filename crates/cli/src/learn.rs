//! `outflank learn`: trains players by a method, one run for each seed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::advised;
use super::output::{TextTable, print_json, thousands};
use super::text::{clean, help, parse_whole, percent, print_wrapped};
use super::{Error, Terminal, interrupts, parse_threads, player, show, study, to_json};
use outflank_commands::{
    Command as _, LearnAnswer, LearnRequest, MeasureRequest, Measured, Prepared, ReportRequest,
    RunAnswer, RunState, StudyRequest, sweep,
};
use outflank_game::player::find_folder;
use outflank_lab::{Cost, Goal, Order};
use outflank_learn::{Measure as Named, Method, Quantity};
use outflank_store::Study;
use outflank_study::{Design, parse_seeds};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank learn
  outflank learn ctdl-hof --seed 7
  outflank learn rsel --seeds 1..30
  outflank learn ctdl-hof --set local.games=5 --seeds 1..10
  outflank learn rsel --set search.mutation.size=0.05,0.1,0.2 --seeds 1..10
  outflank learn my-method.toml --games 100000 --out runs/trial
  outflank learn my-method.toml --games 2M --continue runs/trial

Without arguments it shows a demonstration, which takes about a minute.

A run is one training with one seed; a study is all runs with the same settings.
Without --seed and --seeds there is one run, with seed 1.

`outflank presets` lists the methods. `outflank preset NAME` shows all keys of a
method, which --set can change.

Each run has a folder OUT/SEED with its settings (spec.toml), its measurements
(metrics.csv), its best player (champion.json) and checkpoints. A probe is one
measurement of the champion during a run, for example in 1000 games against
`random`; probe games do not count as games of the run.

Repeating the command resumes interrupted runs and leaves finished ones alone;
more seeds extend a study. A run's folder stands for its champion:
  outflank play OUT/7"))]
pub struct Args {
    /// A preset or a spec file [default: ctdl-hof, as a demonstration]
    #[arg(value_name = "PRESET|SPEC.toml")]
    method: Option<String>,
    /// Set a key of the method; can be repeated. A list (KEY=A,B,C) trains every combination, as a
    /// study with a table, and a heat map for two keys
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// The seed of one run [default: 1]
    #[arg(long, value_name = "S", value_parser = super::parse_seed, allow_negative_numbers = true, conflicts_with = "seeds")]
    seed: Option<u64>,
    /// Seeds of several runs, e.g. 1..30 (both included) or 1..5,9
    #[arg(long, value_name = "A..B", value_parser = seeds, allow_hyphen_values = true)]
    seeds: Option<Seeds>,
    /// Continue the runs of a finished study of the same method with fewer games [its seeds are the
    /// default of --seeds]; the result is that of longer runs from the beginning
    #[arg(long = "continue", value_name = "STUDY", requires = "method")]
    continue_from: Option<PathBuf>,
    /// Number of games in each run [default: the method's own number]
    #[arg(long, value_name = "N", value_parser = games, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Folder for the runs [default: runs/METHOD-HASH]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads to train on [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A list that clap takes as one value.
#[derive(Clone)]
struct Seeds(Vec<u64>);

fn seeds(text: &str) -> Result<Seeds, String> {
    parse_seeds(text).map(Seeds)
}

/// The method checks whether this is enough.
fn games(text: &str) -> Result<u64, String> {
    let max = super::MAX_GAMES;
    let games = parse_whole(text).filter(|games| *games <= max);
    games.ok_or_else(|| format!("expected a whole number of games from 1 to {max}, e.g. 1e6"))
}

/// What `outflank learn` shows without arguments.
const DEMONSTRATION: &str = "ctdl-hof";
const DEMONSTRATION_SEEDS: std::ops::RangeInclusive<u64> = 1..=4;

/// The minimum time between two checkpoints of a run, in seconds.
const CHECKPOINT_EVERY: f64 = 5.0;

/// The seeds of the study that is continued.
fn all_seeds(args: &Args) -> Result<Vec<u64>, Error> {
    let folder = args.continue_from.as_deref().unwrap_or(Path::new(""));
    let folder = find_folder(folder).map_err(|error| Error::Usage(error.to_string()))?;
    let study = Study::read(&folder).map_err(outflank_commands::Error::from)?;
    Ok(study.seeds().to_vec())
}

pub fn run(args: Args) -> Result<(), Error> {
    let seeds = match (&args.seeds, args.seed, &args.method) {
        (Some(Seeds(seeds)), ..) => seeds.clone(),
        (None, Some(seed), _) => vec![seed],
        (None, None, Some(_)) if args.continue_from.is_some() => all_seeds(&args)?,
        (None, None, Some(_)) => vec![1],
        (None, None, None) => DEMONSTRATION_SEEDS.collect(),
    };
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let request = LearnRequest {
        method: args.method.clone().unwrap_or_else(|| DEMONSTRATION.into()),
        set: args.overrides.clone(),
        seeds,
        continue_from: args.continue_from.clone(),
        games: args.games,
        out: args.out.clone(),
        threads: args.threads,
        checkpoint_every: checkpoint_every()?,
        command: words.collect(),
    };
    if let Some(design) = sweep(&request)? {
        let study = StudyRequest {
            studies: vec![format!("{}.toml", design.name)],
            out: Some(request.out.clone().unwrap_or_else(|| sweep_folder(&design))),
            threads: request.threads,
            checkpoint_every: request.checkpoint_every,
            command: shown(&request),
            ..StudyRequest::default()
        };
        return study::run_request(&study, vec![design], args.json);
    }
    let prepared = request.prepare()?;
    let Prepared { method, order } = &prepared;
    interrupts::catch();
    raise_file_limit();
    let demonstration = args.method.is_none() && !args.json;
    if demonstration {
        introduce(method, order)?;
    }
    let answer = prepared.run(&Terminal::new())?;
    if args.json {
        print_json(&to_json::<LearnRequest>(&answer))?;
    } else {
        print_table(method, order, &answer)?;
    }
    conclude(&answer)?;
    match demonstration.then(|| demonstrate(order, &answer)) {
        // The runs are finished by now.
        Some(Err(Error::Interrupted(signal))) => Err(Error::Resumable(signal)),
        demonstrated => demonstrated.unwrap_or(Ok(())),
    }
}

/// The command of a sweep, without the folder and the threads, which do not change its results.
fn shown(request: &LearnRequest) -> Vec<String> {
    let mut words = vec!["outflank".into(), "learn".into(), request.method.clone()];
    words.extend(request.set.iter().flat_map(|set| ["--set".into(), set.clone()]));
    words.extend(["--seeds".into(), outflank_report::seeds(&request.seeds)]);
    words.extend(request.games.into_iter().flat_map(|n| ["--games".into(), n.to_string()]));
    words
}

/// The folder of a sweep: its name and a hash of its cases, so that sweeps do not mix.
fn sweep_folder(design: &Design) -> PathBuf {
    let cases: Vec<String> = design.cases.iter().map(|case| case.set.join(" ")).collect();
    let hash = outflank_store::spec_id(&cases.join("\n"));
    PathBuf::from("runs").join(format!("{}-{hash}", design.name))
}

/// Every run has a lock, and a lock is an open file. This asks for as many as the system
/// allows; if it allows too few, fewer runs go on side by side.
pub fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Can be set in the environment, for tests of interruptions.
pub fn checkpoint_every() -> Result<f64, Error> {
    const NAME: &str = "OUTFLANK_CHECKPOINT_SECONDS";
    match std::env::var(NAME) {
        Err(_) => Ok(CHECKPOINT_EVERY),
        Ok(text) => {
            let seconds = text.parse().ok();
            let seconds = seconds.filter(|s| Duration::try_from_secs_f64(*s).is_ok());
            seconds.ok_or_else(|| {
                Error::Usage(format!("{NAME} = {text:?} is not a number of seconds"))
            })
        }
    }
}

/// At most this many failed runs are named one by one.
const MAX_MESSAGES: usize = 5;

/// The exit code, and how to continue.
fn conclude(answer: &LearnAnswer) -> Result<(), Error> {
    let failed: Vec<&RunAnswer> =
        answer.results.iter().filter(|run| run.state == RunState::Failed).collect();
    if !failed.is_empty() {
        // Runs often fail for the same reason, and one message per run would be too many.
        let problem = |run: &&RunAnswer| Some(advised(run.problem.as_ref()?, run.remedy));
        let problems = failed.iter().take(MAX_MESSAGES).filter_map(problem);
        let mut text = problems.collect::<Vec<String>>().join("\nerror: ");
        if failed.len() > MAX_MESSAGES {
            text += &format!("\nerror: and {} more runs failed", failed.len() - MAX_MESSAGES);
        }
        let usage = failed.iter().any(|run| run.is_usage);
        return Err(if usage { Error::Usage(text) } else { Error::Failed(text) });
    }
    match interrupts::signal() {
        Some(signal) if answer.results.iter().any(|run| run.state.is_early()) => {
            Err(Error::Resumable(signal))
        }
        _ => Ok(()),
    }
}

fn print_table(method: &Method, order: &Order, answer: &LearnAnswer) -> Result<(), Error> {
    let (vs, probes) = (order.spec().yardsticks(), order.spec().probe_names());
    let mut out = io::stdout().lock();
    let mut table = TextTable::new(1);
    let head = ["seed".into(), "games".into(), "generations".into()];
    table.row(head.into_iter().chain(probes.iter().cloned()).chain(["".into()]));
    for run in &answer.results {
        let value = |probe: &String| {
            run.probes.get(probe).map_or("-".into(), |&value| Quantity::of(probe).text(value))
        };
        let state = match run.state {
            RunState::Finished => "",
            RunState::AlreadyFinished => "was finished",
            RunState::Stopped => "stopped",
            RunState::NotBegun => "not begun",
            RunState::Failed => "failed",
        };
        let state = match (state, run.goal) {
            (state, None) => state.to_owned(),
            ("", Some(goal)) => reaching(goal).into(),
            (state, Some(goal)) => format!("{state}, {}", reaching(goal)),
        };
        let numbers = [thousands(run.games), thousands(run.generations)];
        let row = [run.seed.to_string()].into_iter().chain(numbers);
        table.row(row.chain(probes.iter().map(value)).chain([state]));
    }
    if answer.summary.values().any(|summary| summary.runs > 1) {
        let mut means = vec!["mean".to_string(), String::new(), String::new()];
        let mut ends =
            ["95% from", "95% to"].map(|end| vec![end.to_string(), String::new(), String::new()]);
        for probe in &probes {
            let summary = answer.summary.get(probe);
            let text = |value: f64| Quantity::of(probe).text(value);
            means.push(summary.map_or("-".into(), |summary| text(summary.mean)));
            let interval = summary.and_then(|summary| summary.interval);
            for (end, row) in ends.iter_mut().enumerate() {
                row.push(interval.map_or("-".into(), |interval| text(interval[end])));
            }
        }
        table.row(means);
        ends.into_iter().for_each(|row| table.row(row));
    }
    // The study keeps its name, even if its spec comes from another file this time.
    let name = answer.results.first().map_or(&method.name, |run| &run.preset);
    let title = match method.summary.as_str() {
        "" => name.clone(),
        summary => format!("{name}: {summary}"),
    };
    print_wrapped(&mut out, &title)?;
    table.print(&mut out)?;
    if let Some(meanings) = describe_probes(&vs, &probes[vs.len()..]) {
        print_wrapped(&mut out, &meanings)?;
    }
    if let Some(cost) = total_cost(answer) {
        print_wrapped(&mut out, &describe_cost(answer, cost))?;
    }
    if let Some(text) = describe_before(answer) {
        print_wrapped(&mut out, &text)?;
    }
    Ok(writeln!(out, "Runs are in {}", clean(&order.out.display().to_string()))?)
}

/// What the stage before cost; its games are not among those of the runs.
fn describe_before(answer: &LearnAnswer) -> Option<String> {
    let before: Vec<&RunAnswer> =
        answer.results.iter().filter_map(|run| run.before.as_deref()).collect();
    let first = before.first()?;
    let folder = Path::new(&first.run).parent().unwrap_or(Path::new(""));
    let games: u64 = before.iter().map(|run| run.games).sum();
    let seconds: f64 = before.iter().filter_map(|run| run.cost).map(|c| c.training_seconds).sum();
    let reached = before.iter().filter_map(|run| run.goal);
    let (reached, missed): (Vec<Goal>, Vec<Goal>) = reached.partition(|goal| goal.reached);
    let goals = match (reached.len(), missed.len()) {
        (0, 0) => String::new(),
        (reached, missed) => format!("; {reached} reached the goal, {missed} missed it"),
    };
    let runs = if before.len() == 1 { "1 run".into() } else { format!("{} runs", before.len()) };
    Some(format!(
        "The stage before, in {}: {runs}, {} games besides those above, {seconds:.1} s{goals}.",
        clean(&folder.to_string_lossy()),
        thousands(games)
    ))
}

/// What became of a goal.
fn reaching(goal: Goal) -> &'static str {
    if goal.reached { "reached its goal" } else { "missed its goal" }
}

/// Explains the columns of the probes.
fn describe_probes(vs: &[String], others: &[String]) -> Option<String> {
    let of_vs = vs.iter().filter_map(|probe| {
        let whom = Named::named(probe)?.played()?.whom;
        Some(format!("{probe}: score against {whom}"))
    });
    let mut meanings: Vec<String> = of_vs.collect();
    let are_players = vs.len() > meanings.len();
    meanings.extend(others.iter().map(|probe| format!("{probe}: {}", Named::meaning_of(probe))));
    match (are_players, meanings.is_empty()) {
        (true, true) => return Some("Share of games won by the champions.".into()),
        (true, false) => meanings.push("other columns: share of games won".into()),
        (false, true) => return None,
        (false, false) => {}
    }
    Some(meanings.join("; ") + ".")
}

/// What all runs cost together, if the cost of any is known.
fn total_cost(answer: &LearnAnswer) -> Option<Cost> {
    answer.results.iter().filter_map(|run| run.cost).reduce(|sum, cost| sum + cost)
}

/// The cost of training and of probes.
fn describe_cost(answer: &LearnAnswer, cost: Cost) -> String {
    let games: u64 = answer.results.iter().filter(|r| r.cost.is_some()).map(|r| r.games).sum();
    let Cost { training_seconds, probe_seconds, probe_games } = cost;
    let share = 100.0 * probe_seconds / (training_seconds + probe_seconds).max(f64::MIN_POSITIVE);
    format!(
        "Cost: training {} games, {training_seconds:.1} s; probes {} games, {probe_seconds:.1} s \
         ({share:.0}%). Wall-clock seconds, summed over runs.",
        thousands(games),
        thousands(probe_games)
    )
}

fn introduce(method: &Method, order: &Order) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let count = order.seeds.len();
    writeln!(out, "Outflank teaches programs to play Othello, without human knowledge.")?;
    writeln!(out)?;
    writeln!(out, "The method: {} - {}", method.name, method.summary)?;
    writeln!(out, "{}", method.paper)?;
    let games = thousands(order.spec().games);
    let threads =
        if order.threads == 1 { "1 thread".into() } else { format!("{} threads", order.threads) };
    writeln!(out, "{count} runs of {games} games each, on {threads}.")?;
    Ok(writeln!(out)?)
}

/// Measures the champions in fresh games, and shows what the strongest has learned.
fn demonstrate(order: &Order, answer: &LearnAnswer) -> Result<(), Error> {
    let paths: Vec<String> = answer.results.iter().map(|run| run.run.clone()).collect();
    let players = paths.iter().cloned().chain(["heuristic".into()]).collect();
    let request =
        MeasureRequest { players, threads: Some(order.threads), ..MeasureRequest::default() };
    let measured = request.run(&Terminal::new())?;
    let rows: Vec<&[Measured]> = measured.results.chunks(request.vs.len()).collect();
    let mut out = anstream::stdout().lock();
    writeln!(out)?;
    writeln!(out, "How strong they became, in {} fresh games:", thousands(request.games))?;
    let mut table = TextTable::new(1);
    let head = request.vs.iter().map(|probe| match Named::named(probe).and_then(Named::played) {
        Some(played) => played.noun.into(),
        None => format!("won against {probe}"),
    });
    table.row(["player".to_string()].into_iter().chain(head));
    for row in &rows {
        let value = |of: &Measured| match Named::named(&of.probe) {
            Some(_) => percent(of.score),
            None => percent(of.win_probability),
        };
        table.row([row[0].player.clone()].into_iter().chain(row.iter().map(value)));
    }
    table.print(&mut out)?;
    writeln!(out, "Against the heuristic, both sides make one random move in ten.")?;
    let wins = |index: &usize| rows[*index][1].wins;
    let Some(best) = (0..paths.len()).max_by_key(wins) else { return Ok(()) };
    writeln!(out)?;
    writeln!(
        out,
        "The weights of the squares in {}, the best of them against the heuristic:",
        paths[best]
    )?;
    show::print_board(&mut out, &player(&paths[best])?)?;
    report_and_suggest(&mut out, order, &paths[best])
}

fn report_and_suggest(out: &mut impl Write, order: &Order, best: &str) -> Result<(), Error> {
    let study = order.out.to_string_lossy().into_owned();
    let request = ReportRequest {
        studies: vec![study.clone()],
        out: order.out.join("report.html"),
        threads: Some(order.threads),
        ..ReportRequest::default()
    };
    let report = request.run(&Terminal::new())?;
    writeln!(out)?;
    writeln!(out, "Curves, boards and more, for a browser: {}", clean(&report.report))?;
    writeln!(out)?;
    writeln!(out, "Next:")?;
    writeln!(out, "  outflank play {best}")?;
    writeln!(out, "  outflank measure {study} --vs random,lr2006,utility")?;
    writeln!(out, "  outflank presets")?;
    Ok(writeln!(out, "  outflank learn rsel --games 200000 --seeds 1..10")?)
}
