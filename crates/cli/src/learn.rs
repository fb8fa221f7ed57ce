//! `outflank learn`: trains players by a method, one run for each seed.

use outflank_learn::{Method, SpecError, resolve, run_text};
use outflank_store::{Study, spec_id};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::bars::Bars;
use super::measure::{VS, parse_probes};
use super::output::{TextTable, print_json, thousands};
use super::seeds::parse_seeds;
use super::studies::parse_studies;
use super::{Error, all_cores, arena, parse_threads, player, report, show};
use outflank_game::player::Player;
use outflank_kernel::Kernel;
use outflank_kernel::rng::Seed;
use outflank_lab::{Cost, Effort, End, Order, Probe, Report, mean_interval, measure, stamp, train};
use outflank_learn::{Measure, Quantity};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank learn                          a demonstration, about a minute
  outflank learn ctdl-hof --seed 7
  outflank learn rsel --seeds 1..30
  outflank learn ctdl-hof --set local.games=5 --seeds 1..10
  outflank learn my-method.toml --games 100000 --out runs/trial

`outflank presets` lists the methods, `outflank preset NAME` shows all keys of
one that --set can change. Each run has a folder OUT/SEED with its spec,
metrics.csv, champion.json and checkpoints. The same command again resumes runs
that were interrupted and leaves finished ones alone; more seeds extend a study.
A run's folder stands for its champion: outflank play OUT/7")]
pub struct Args {
    /// A preset, or the file of a spec [default: ctdl-hof, as a demonstration]
    #[arg(value_name = "PRESET|SPEC.toml")]
    method: Option<String>,
    /// Set a key of the method
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// The seed of one run
    #[arg(long, value_name = "S", value_parser = super::parse_seed, allow_negative_numbers = true, conflicts_with = "seeds")]
    seed: Option<u64>,
    /// Seeds of several runs, e.g. 1..30 (both included) or 1..5,9
    #[arg(long, value_name = "A..B", value_parser = seeds, allow_hyphen_values = true)]
    seeds: Option<Seeds>,
    /// Games of each run, instead of the method's own number
    #[arg(long, value_name = "N", value_parser = games, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Where the runs go [default: runs/METHOD-SPEC]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A list that clap takes for one value.
#[derive(Clone)]
struct Seeds(Vec<u64>);

fn seeds(text: &str) -> Result<Seeds, String> {
    parse_seeds(text).map(Seeds)
}

/// Whether it is enough for the method is the method's to say.
fn games(text: &str) -> Result<u64, String> {
    let games = text.replace('_', "").parse().ok().filter(|&games| games <= super::MOST_GAMES);
    let most = super::MOST_GAMES;
    games.ok_or_else(|| format!("expected a whole number of games from 1 to {most}"))
}

/// What `outflank learn` shows without arguments.
const DEMONSTRATION: &str = "ctdl-hof";
const DEMONSTRATION_SEEDS: std::ops::RangeInclusive<u64> = 1..=4;

/// The least time between two checkpoints of a run.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(5);

pub fn run(args: Args) -> Result<(), Error> {
    let method = resolve_method(&args)?;
    let seeds = match (&args.seeds, args.seed, &args.method) {
        (Some(Seeds(seeds)), ..) => seeds.clone(),
        (None, Some(seed), _) => vec![seed],
        (None, None, Some(_)) => vec![1],
        (None, None, None) => DEMONSTRATION_SEEDS.collect(),
    };
    let text = run_text(&method.spec)?;
    let out = args.out.clone().unwrap_or_else(|| {
        PathBuf::from("runs").join(format!("{}-{}", method.name, spec_id(&text)))
    });
    let kernel = Kernel::detect()?;
    let order = Order {
        name: method.name.clone(),
        // What a run begins with may be in files; if they are wrong, nothing is left behind.
        ready: method.spec.ready()?,
        text,
        out: out.clone(),
        seeds: seeds.clone(),
        kernel,
        threads: args.threads.unwrap_or_else(all_cores),
        checkpoint_every: checkpoint_every()?,
        signature: stamp(&method.spec, kernel),
        extras: extras(kernel, args.threads.unwrap_or_else(all_cores)),
    };
    super::catch_interrupts();
    Study::open(&out, &method.name, &order.text, &seeds)?;
    let demonstration = args.method.is_none() && !args.json;
    if demonstration {
        introduce(&method, &order)?;
    }
    let bars = Bars::new(order.spec().games, &order.seeds);
    let stop = || super::check_interrupted().is_err();
    let reports = train(&order, &stop, &|seed, event| bars.tell(seed, &event))?;
    drop(bars);
    if args.json {
        print_reports(&method, &reports)?;
    } else {
        print_table(&method, &order, &reports)?;
    }
    conclude(&reports)?;
    match demonstration.then(|| demonstrate(&order, &reports)) {
        // The runs are finished by now.
        Some(Err(Error::Interrupted(signal))) => Err(Error::Resumable(signal)),
        demonstrated => demonstrated.unwrap_or(Ok(())),
    }
}

fn resolve_method(args: &Args) -> Result<Method, Error> {
    let mut overrides = args.overrides.clone();
    overrides.extend(args.games.map(|games| format!("games={games}")));
    let method = resolve(args.method.as_deref().unwrap_or(DEMONSTRATION), &overrides);
    let method =
        method.map(|method| Method { name: own_name(args).unwrap_or(method.name), ..method });
    match (method, args.games) {
        (Err(SpecError::Refused { fault, .. }), Some(games)) if fault.key == "games" => {
            Err(Error::Usage(format!("--games {games}: expected {}", fault.expected)))
        }
        (method, _) => Ok(method?),
    }
}

/// The spec of a run has the name of the study it belongs to, so that it ends with the same bytes.
fn own_name(args: &Args) -> Option<String> {
    let path = Path::new(args.method.as_ref()?);
    let study = path.parent()?.parent()?;
    let is_spec = path.file_name()? == "spec.toml" && args.overrides.is_empty();
    Some(Study::read(study).ok().filter(|_| is_spec)?.preset().into())
}

/// For tests of interruptions, which cannot wait for seconds.
pub fn checkpoint_every() -> Result<Duration, Error> {
    const NAME: &str = "OUTFLANK_CHECKPOINT_SECONDS";
    match std::env::var(NAME) {
        Err(_) => Ok(CHECKPOINT_EVERY),
        Ok(text) => {
            let seconds = text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
            seconds
                .ok_or_else(|| Error::Usage(format!("{NAME} = {text:?} is no number of seconds")))
        }
    }
}

fn extras(kernel: Kernel, threads: usize) -> Map<String, Value> {
    let command: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    Map::from_iter([
        ("kernel".into(), kernel.name().into()),
        ("threads".into(), threads.into()),
        ("command".into(), command.into()),
    ])
}

/// Failed runs that are told of one by one.
const MOST_MESSAGES: usize = 5;

/// The exit code, and how to go on.
fn conclude(reports: &[Report]) -> Result<(), Error> {
    let failed = reports.iter().filter_map(|report| match &report.end {
        End::Failed { message, usage } => Some((message.as_str(), *usage)),
        _ => None,
    });
    let (mut messages, usages): (Vec<&str>, Vec<bool>) = failed.unzip();
    if !messages.is_empty() {
        // What went wrong with one run goes wrong with many.
        let more = messages.len().saturating_sub(MOST_MESSAGES);
        messages.truncate(MOST_MESSAGES);
        let mut text = messages.join("\nerror: ");
        if more > 0 {
            text += &format!("\nerror: and {more} more runs failed");
        }
        let usage = usages.contains(&true);
        return Err(if usage { Error::Usage(text) } else { Error::Failed(text) });
    }
    match super::check_interrupted() {
        Err(Error::Interrupted(signal)) if reports.iter().any(|report| report.end.is_early()) => {
            Err(Error::Resumable(signal))
        }
        _ => Ok(()),
    }
}

fn print_reports(method: &Method, reports: &[Report]) -> Result<(), Error> {
    let results: Vec<Value> = reports
        .iter()
        .map(|report| {
            let (state, problem) = match &report.end {
                End::Finished => ("finished", None),
                End::AlreadyFinished => ("already-finished", None),
                End::Stopped => ("stopped", None),
                End::NotBegun => ("not-begun", None),
                End::Failed { message, .. } => ("failed", Some(message)),
            };
            json!({
                "run": report.path.to_string_lossy(),
                "preset": method.name,
                "seed": report.seed,
                "games": report.games,
                "generations": report.generations,
                "resumed_at_generation": report.resumed_at,
                "seconds": report.seconds,
                "cost": report.cost,
                "champion": report.path.join("champion.json").to_string_lossy(),
                "probes": report.probes,
                "state": state,
                "problem": problem,
            })
        })
        .collect();
    let summary: Map<String, Value> = finals(reports)
        .into_iter()
        .map(|(probe, values)| {
            let (mean, interval) = mean_interval(&values);
            (probe, json!({ "runs": values.len(), "mean": mean, "interval": interval }))
        })
        .collect();
    print_json("learn", json!({ "results": results, "summary": summary }))
}

/// The last values of each probe in the runs that have ended.
fn finals(reports: &[Report]) -> BTreeMap<String, Vec<f64>> {
    let mut finals: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for report in reports.iter().filter(|r| matches!(r.end, End::Finished | End::AlreadyFinished)) {
        for (probe, value) in &report.probes {
            finals.entry(probe.clone()).or_default().push(*value);
        }
    }
    finals
}

fn print_table(method: &Method, order: &Order, reports: &[Report]) -> Result<(), Error> {
    let vs = order.spec().yardsticks();
    let also: Vec<String> = order.spec().probes.also.iter().map(ToString::to_string).collect();
    let probes: Vec<String> = vs.iter().chain(&also).cloned().collect();
    let mut out = io::stdout().lock();
    let mut table = TextTable::new(1);
    let head = ["seed".into(), "games".into(), "generations".into()];
    table.row(head.into_iter().chain(probes.iter().cloned()).chain(["".into()]));
    for report in reports {
        let value = |probe: &String| {
            report.probes.get(probe).map_or("-".into(), |&value| Quantity::of(probe).text(value))
        };
        let state = match &report.end {
            End::Finished => "",
            End::AlreadyFinished => "was finished",
            End::Stopped => "stopped",
            End::NotBegun => "not begun",
            End::Failed { .. } => "failed",
        };
        let numbers = [thousands(report.games), thousands(report.generations)];
        let row = [report.seed.to_string()].into_iter().chain(numbers);
        table.row(row.chain(probes.iter().map(value)).chain([state.into()]));
    }
    let finals = finals(reports);
    let runs = finals.values().map(Vec::len).max().unwrap_or(0);
    if runs > 1 {
        let mut means = vec!["mean".to_string(), String::new(), String::new()];
        let mut widths = vec!["95% ±".to_string(), String::new(), String::new()];
        for probe in &probes {
            let values = finals.get(probe).map_or(&[][..], Vec::as_slice);
            let (mean, interval) = mean_interval(values);
            let text = |value: f64| Quantity::of(probe).text(value);
            means.push(if values.is_empty() { "-".into() } else { text(mean) });
            widths.push(interval.map_or("-".into(), |[low, high]| text((high - low) / 2.0)));
        }
        table.row(means);
        table.row(widths);
    }
    writeln!(out, "{}: {}", method.name, method.summary)?;
    table.print(&mut out)?;
    if let Some(meanings) = describe_probes(&vs, &also) {
        writeln!(out, "{meanings}")?;
    }
    if let Some(cost) = total_cost(reports) {
        writeln!(out, "{}", describe_cost(reports, cost))?;
    }
    writeln!(out, "Runs are in {}", order.out.display())?;
    Ok(())
}

/// What stands in the columns of the probes.
fn describe_probes(vs: &[String], also: &[String]) -> Option<String> {
    let of_vs = vs.iter().filter_map(|probe| {
        let whom = Measure::named(probe)?.played()?.whom;
        Some(format!("{probe}: score against {whom}"))
    });
    let mut meanings: Vec<String> = of_vs.collect();
    let are_players = vs.len() > meanings.len();
    let of_also = also
        .iter()
        .filter_map(|probe| Some(format!("{probe}: {}", Measure::statistic(probe)?.meaning)));
    meanings.extend(of_also);
    match (are_players, meanings.is_empty()) {
        (true, true) => return Some("Share of games won by the champions.".into()),
        (true, false) => meanings.push("other columns: share of games won".into()),
        (false, true) => return None,
        (false, false) => {}
    }
    Some(meanings.join("; ") + ".")
}

/// What all runs cost together, if there is one of which that is known.
fn total_cost(reports: &[Report]) -> Option<Cost> {
    reports.iter().filter_map(|report| report.cost).reduce(|sum, cost| sum + cost)
}

/// The cost of probes beside that of training.
fn describe_cost(reports: &[Report], cost: Cost) -> String {
    let games: u64 = reports.iter().filter(|r| r.cost.is_some()).map(|r| r.games).sum();
    let Cost { training_seconds, probe_seconds, probe_games } = cost;
    let share = 100.0 * probe_seconds / (training_seconds + probe_seconds).max(f64::MIN_POSITIVE);
    format!(
        "Cost: training {} games, {training_seconds:.1} s; probes {} games, {probe_seconds:.1} s ({share:.0}%); \
         seconds on the clock, runs added up.",
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
    writeln!(out, "{count} runs of {games} games each, on {} threads.", order.threads)?;
    Ok(writeln!(out)?)
}

/// How strong the champions became, in fresh games, and what the strongest learned.
fn demonstrate(order: &Order, reports: &[Report]) -> Result<(), Error> {
    let arena = arena(order.threads)?;
    let probes = parse_probes(VS)?;
    let paths: Vec<String> =
        reports.iter().map(|report| report.path.to_string_lossy().into_owned()).collect();
    let mut players: Vec<Player> =
        paths.iter().map(|path| player(path)).collect::<Result<_, _>>()?;
    players.push(player("heuristic")?);
    let effort = Effort { games: 20_000, sample: 10_000 };
    let progress = |_| super::check_interrupted();
    let tallies = measure(&arena, &players, &probes, effort, Seed(1), progress)?;
    let mut out = anstream::stdout().lock();
    writeln!(out)?;
    writeln!(out, "How strong they became, in {} fresh games:", thousands(effort.games))?;
    let mut table = TextTable::new(1);
    let head = |probe: &Probe| match probe.played() {
        Some(played) => played.noun.into(),
        None => format!("beats {}", probe.name),
    };
    table.row(["player".to_string()].into_iter().chain(probes.iter().map(head)));
    for (player, tallies) in players.iter().zip(&tallies) {
        let values = probes.iter().zip(tallies).map(|(p, t)| format!("{:.1}%", 100.0 * p.value(t)));
        table.row([player.name.clone()].into_iter().chain(values));
    }
    table.print(&mut out)?;
    writeln!(out, "Against the heuristic, both sides make one random move in ten.")?;
    let wins = |index: &usize| tallies[*index][1].wins;
    let Some(best) = (0..reports.len()).max_by_key(wins) else { return Ok(()) };
    writeln!(out)?;
    writeln!(
        out,
        "What the best of them against the heuristic, {}, thinks of the squares:",
        paths[best]
    )?;
    show::print_board(&mut out, &players[best])?;
    report_and_suggest(&mut out, order, &paths[best])
}

fn report_and_suggest(out: &mut impl Write, order: &Order, best: &str) -> Result<(), Error> {
    let study = order.out.to_string_lossy().into_owned();
    let studies = parse_studies(std::slice::from_ref(&study))?;
    let report = report::write(&report::Args::on(&order.out, order.threads), &studies)?;
    writeln!(out)?;
    writeln!(out, "Curves, boards and more, for a browser: {}", report.page.display())?;
    writeln!(out)?;
    writeln!(out, "Next:")?;
    writeln!(out, "  outflank play {best}")?;
    writeln!(out, "  outflank measure {study} --vs random,lr2006,utility")?;
    writeln!(out, "  outflank presets")?;
    Ok(writeln!(out, "  outflank learn rsel --seeds 1..10")?)
}
