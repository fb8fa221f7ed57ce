//! `outflank measure`: measures players against the papers' benchmark opponents.

use std::io::{self, Write};

use super::engine::print_faults;
use super::output::{TextTable, csv_failed, thousands};
use super::text::{help, parse_whole, percent2, percents};
use super::{Error, PartsArgs, answer, parse_at, parse_games, parse_seed, parse_threads};
use outflank_commands::{MeasureAnswer, MeasureRequest, split_names};

#[derive(clap::Args)]
#[command(after_help = examples())]
pub struct Args {
    /// Players, run folders, studies (the champions of all their runs), or folders of study files
    /// (those of all their cases)
    #[arg(value_name = "PLAYER|RUN|STUDY", required = true)]
    players: Vec<String>,
    /// Take every run at its last probe at N training games or before, e.g. 1M or 500k
    #[arg(long, value_name = "N", value_parser = parse_at, allow_negative_numbers = true)]
    at: Option<u64>,
    /// Measure all earlier champions of the runs, too: a learning curve by any measure
    #[arg(long)]
    along: bool,
    /// With --along: at most N champions of each run, evenly spread [default: all]
    #[arg(long, value_name = "N", requires = "along", value_parser = parse_points, allow_negative_numbers = true)]
    points: Option<usize>,
    /// Benchmark opponents, separated by commas
    #[arg(long, default_value = VS, value_name = "PROBE,...")]
    vs: String,
    /// Number of single games against each benchmark opponent, even
    #[arg(long, default_value = "10000", value_name = "N", value_parser = parse_games, allow_negative_numbers = true)]
    games: u64,
    /// Number of double games for `utility`
    #[arg(long, default_value = "25000", value_name = "N", value_parser = parse_sample, allow_negative_numbers = true)]
    sample: u64,
    /// Seed of all random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    #[command(flatten)]
    parts: PartsArgs,
    /// Print the results as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The benchmark opponents of the papers.
pub const VS: &str = "random,heuristic,utility";

fn examples() -> String {
    let own: String = outflank_learn::Measure::yardsticks()
        .filter_map(|measure| Some((measure.name, measure.played()?.how.join(" "))))
        .map(|(name, how)| format!("  {name:<10} {how}\n"))
        .collect();
    help(&format!(
        "\
Examples:
  outflank measure heuristic lr2006 ctdl2009-best
  outflank measure runs/ctdl-hof --vs random,heuristic
  outflank measure best.json --vs utility --sample 100000 --json
  outflank measure best.json --vs utility --sample 1e9 --parts parts --part 3/40
  outflank measure runs/td-lambda --at 500k
  outflank measure runs/td-lambda --along --points 20 --vs td-greedy --csv

Benchmark opponents:
  random     games against a random mover
  heuristic  games against the heuristic player, or any other player named instead; both sides make a random move with probability 0.1 at each turn, unless another policy is given (lr2006@epsilon=0.05)
{own}
`won` is the share of games won, which the papers call the win probability. The
`score` counts a draw as half a win. The 95% interval is that of the score, with
pairs of games as the unit. The same player, opponent, seed and number of games
give the same result in every command that plays fresh games.

A run is one training with one seed; its folder stands for its champion. A study
is all runs of one method. An unfinished run is taken as it stands: its champion
is that of its last probe. Runs keep the champion of every probe, for --at and
--along. A WPC is a weighted piece counter: 64 weights, one for
each square, summed over the discs."
    ))
}

pub fn run(args: Args) -> Result<(), Error> {
    let vs = split_names(&args.vs);
    let Args { players, at, along, points, games, sample, seed, threads, json, csv, .. } = args;
    let parts = args.parts.request();
    let request =
        MeasureRequest { players, at, along, points, vs, games, sample, seed, threads, parts };
    let Some(answer) = answer(&request, json)? else { return Ok(()) };
    if csv {
        return print_csv(&answer);
    }
    print_results(&answer)?;
    print_means(&answer)?;
    print_faults(&mut io::stdout().lock(), &answer.engine_faults)
}

/// Reads a number of double games.
pub fn parse_sample(text: &str) -> Result<u64, String> {
    match parse_whole(text) {
        Some(sample) if (1..=super::MAX_GAMES / 2).contains(&sample) => Ok(sample),
        _ => Err(format!("expected a number of double games from 1 to {}", super::MAX_GAMES / 2)),
    }
}

fn parse_points(text: &str) -> Result<usize, String> {
    let points = parse_whole(text).and_then(|points| usize::try_from(points).ok());
    points
        .filter(|points| *points > 0)
        .ok_or_else(|| "expected a number of champions from 1".into())
}

/// Prints a line for each player and probe.
fn print_csv(answer: &MeasureAnswer) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    let head = ["player", "training_games", "generation", "probe", "games", "wins", "draws"];
    let head = head.into_iter().chain(["losses", "win_probability", "score", "low", "high"]);
    out.write_record(head).map_err(csv_failed)?;
    let known = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    for of in &answer.results {
        let counts = [of.games, of.wins, of.draws, of.losses].map(|n| n.to_string());
        let [low, high] = of.interval;
        let shares = [of.win_probability, of.score, low, high].map(|share| share.to_string());
        let when = [known(of.training_games), known(of.generation)];
        let record = [of.player.clone()].into_iter().chain(when).chain([of.probe.clone()]);
        out.write_record(record.chain(counts).chain(shares)).map_err(csv_failed)?;
    }
    Ok(out.flush()?)
}

fn print_results(answer: &MeasureAnswer) -> Result<(), Error> {
    let mut table = TextTable::new(2);
    let along = answer.results.iter().any(|of| of.training_games.is_some());
    let when = |text: &dyn Fn() -> String| along.then(text);
    let head = ["games", "won", "drawn", "lost", "score", "95% interval"].map(String::from);
    let names = ["player", "against"].map(String::from);
    table.row(names.into_iter().chain(when(&|| "trained on".into())).chain(head));
    for of in &answer.results {
        let share = |n: u64| percent2(n as f64 / of.games as f64);
        let names = [of.player.clone(), against(&of.probe)];
        let trained = when(&|| of.training_games.map_or("-".into(), thousands));
        table.row(names.into_iter().chain(trained).chain([
            thousands(of.games),
            share(of.wins),
            share(of.draws),
            share(of.losses),
            percent2(of.score),
            percents(of.interval),
        ]));
    }
    Ok(table.print(&mut io::stdout().lock()).and_then(|()| io::stdout().flush())?)
}

fn print_means(answer: &MeasureAnswer) -> Result<(), Error> {
    if answer.means.is_empty() {
        return Ok(());
    }
    let mut table = TextTable::new(2);
    let along = answer.means.iter().any(|of| of.training_games.is_some());
    let when = |text: &dyn Fn() -> String| along.then(text);
    let names = ["study", "against"].map(String::from);
    let head = ["runs", "won", "95% interval", "score", "95% interval"].map(String::from);
    table.row(names.into_iter().chain(when(&|| "trained on".into())).chain(head));
    for of in &answer.means {
        let names = [of.study.clone(), against(&of.probe)];
        let trained = when(&|| of.training_games.map_or("-".into(), thousands));
        table.row(names.into_iter().chain(trained).chain([
            of.runs.to_string(),
            percent2(of.win_probability),
            of.win_probability_interval.map_or("-".into(), percents),
            percent2(of.score),
            of.score_interval.map_or("-".into(), percents),
        ]));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "\nMeans over the runs of each study")?;
    Ok(table.print(&mut out)?)
}

/// The opponent of a probe, in words.
fn against(probe: &str) -> String {
    match outflank_learn::Measure::named(probe).and_then(outflank_learn::Measure::played) {
        Some(played) => format!("{} ({probe})", played.whom),
        None => probe.into(),
    }
}
