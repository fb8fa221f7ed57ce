//! `outflank measure`: measures players against the papers' benchmark opponents.

use std::io::{self, Write};

use super::output::{TextTable, thousands};
use super::text::{help, parse_whole, percent2, percents};
use super::{Error, answer, parse_games, parse_seed, parse_threads};
use outflank_commands::{MeasureAnswer, MeasureRequest, split_names};

#[derive(clap::Args)]
#[command(after_help = examples())]
pub struct Args {
    /// Players, run folders, or studies (the champions of all their runs)
    #[arg(value_name = "PLAYER|RUN|STUDY", required = true)]
    players: Vec<String>,
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

Benchmark opponents:
  random     games against a random mover
  heuristic  games against the heuristic player, or any other player named instead; both sides make a random move with probability 0.1 at each turn, unless another policy is given (lr2006@epsilon=0.05)
{own}
`won` is the share of games won, which the papers call the win probability. The
`score` counts a draw as half a win. The 95% interval is that of the score, with
pairs of games as the unit. The same player, opponent, seed and number of games
give the same result in every command that plays fresh games.

A run is one training with one seed; its folder stands for its champion. A study
is all runs of one method. A WPC is a weighted piece counter: 64 weights, one for
each square, summed over the discs."
    ))
}

pub fn run(args: Args) -> Result<(), Error> {
    let vs = split_names(&args.vs);
    let Args { players, games, sample, seed, threads, json, .. } = args;
    let request = MeasureRequest { players, vs, games, sample, seed, threads };
    let Some(answer) = answer(&request, json)? else { return Ok(()) };
    print_results(&answer)?;
    print_means(&answer)
}

/// Reads a number of double games.
pub fn parse_sample(text: &str) -> Result<u64, String> {
    match parse_whole(text) {
        Some(sample) if (1..=super::MAX_GAMES / 2).contains(&sample) => Ok(sample),
        _ => Err(format!("expected a number of double games from 1 to {}", super::MAX_GAMES / 2)),
    }
}

fn print_results(answer: &MeasureAnswer) -> Result<(), Error> {
    let mut table = TextTable::new(2);
    table.row(["player", "against", "games", "won", "drawn", "lost", "score", "95% interval"]);
    for of in &answer.results {
        let share = |n: u64| percent2(n as f64 / of.games as f64);
        table.row([
            of.player.clone(),
            against(&of.probe),
            thousands(of.games),
            share(of.wins),
            share(of.draws),
            share(of.losses),
            percent2(of.score),
            percents(of.interval),
        ]);
    }
    Ok(table.print(&mut io::stdout().lock()).and_then(|()| io::stdout().flush())?)
}

fn print_means(answer: &MeasureAnswer) -> Result<(), Error> {
    if answer.means.is_empty() {
        return Ok(());
    }
    let mut table = TextTable::new(2);
    table.row(["study", "against", "runs", "won", "95% interval", "score", "95% interval"]);
    for of in &answer.means {
        table.row([
            of.study.clone(),
            against(&of.probe),
            of.runs.to_string(),
            percent2(of.win_probability),
            of.win_probability_interval.map_or("-".into(), percents),
            percent2(of.score),
            of.score_interval.map_or("-".into(), percents),
        ]);
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
