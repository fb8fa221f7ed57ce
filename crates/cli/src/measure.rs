//! `outflank measure`: players by the papers' yardsticks.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value, json};

use super::output::{Progress, TextTable, print_json, thousands};
use super::teams::members;
use super::{Error, all_cores, arena, parse_games, parse_seed, parse_threads};
use outflank_arena::Tally;
use outflank_game::player::Player;
use outflank_kernel::rng::Seed;
use outflank_lab::{Effort, Probe, mean_interval, measure, score_interval};
use outflank_learn::Measure;

#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Args {
    /// Players, run directories, or studies (all their runs)
    #[arg(value_name = "PLAYER|RUN|STUDY", required = true)]
    players: Vec<String>,
    /// Yardsticks, separated by commas
    #[arg(long, default_value = VS, value_name = "PROBE,...")]
    vs: String,
    /// Number of single games against each player, even
    #[arg(long, default_value = "10000", value_name = "N", value_parser = parse_games, allow_negative_numbers = true)]
    games: u64,
    /// Number of double games of `utility`
    #[arg(long, default_value = "25000", value_name = "N", value_parser = parse_sample, allow_negative_numbers = true)]
    sample: u64,
    /// Seed of all random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The yardsticks of the papers.
pub const VS: &str = "random,heuristic,utility";

fn help() -> String {
    let own: String = Measure::yardsticks()
        .filter_map(|measure| Some((measure.name, measure.played()?.how.join("\n             "))))
        .map(|(name, how)| format!("  {name:<10} {how}\n"))
        .collect();
    format!(
        "\
Examples:
  outflank measure heuristic lr2006 ctdl2009-best
  outflank measure runs/ctdl-hof-f6726e7e --vs random,heuristic
  outflank measure best.json --vs utility --sample 100000 --json

Yardsticks:
  random     games against a random mover
  heuristic  or any other player: both make a random move with probability 0.1
             at each turn, unless either says otherwise (lr2006@epsilon=0.05)
{own}`won` is the papers' win probability; the score counts draws as half, and the
95% interval is the score's, by pairs of games."
    )
}

pub fn run(args: Args) -> Result<(), Error> {
    let mut players = Vec::new();
    // Studies of several runs, and where in the list of players these are.
    let mut studies = Vec::new();
    for name in &args.players {
        let members = members(name)?;
        if members.len() > 1 {
            studies.push((name.as_str(), players.len()..players.len() + members.len()));
        }
        players.extend(members);
    }
    let probes = parse_probes(&args.vs)?;
    let effort = Effort { games: args.games, sample: args.sample };
    let arena = arena(args.threads.unwrap_or_else(all_cores))?;
    super::catch_interrupts();
    let per_player: u64 = probes.iter().map(|probe| probe.games(effort)).sum();
    let bar = Progress::new(per_player * players.len() as u64, "games");
    let tallies = measure(&arena, &players, &probes, effort, Seed(args.seed), |done| {
        bar.set(done);
        super::check_interrupted()
    })?;
    drop(bar);
    if args.json {
        let mut results = Vec::new();
        for (player, tallies) in players.iter().zip(&tallies) {
            results.extend(probes.iter().zip(tallies).map(|(p, tally)| object(player, p, tally)));
        }
        let means = means(&studies, &probes, &tallies);
        let means: Vec<Value> = means.iter().map(Mean::to_json).collect();
        let body = json!({ "results": results, "means": means, "seed": args.seed });
        return print_json("measure", body);
    }
    print_table(&players, &probes, &tallies)?;
    print_means(&means(&studies, &probes, &tallies))
}

/// Splits at commas, but not inside of a policy: `a@epsilon=0.1,noise=0.01` is one.
pub fn parse_probes(text: &str) -> Result<Vec<Probe>, Error> {
    let mut names: Vec<String> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let goes_on = part.contains('=') && !part.contains('@');
        match names.last_mut().filter(|last| goes_on && last.contains('@')) {
            Some(last) => *last = format!("{last},{part}"),
            None => names.push(part.into()),
        }
    }
    for (index, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(Error::Usage(format!("--vs {text:?} has an empty name")));
        }
        if names[..index].contains(name) {
            return Err(Error::Usage(format!("--vs names {name:?} twice")));
        }
    }
    Ok(names.iter().map(|name| Probe::parse(name)).collect::<Result<_, _>>()?)
}

/// A number of double games.
pub fn parse_sample(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse::<u64>() {
        Ok(sample) if (1..=super::MOST_GAMES / 2).contains(&sample) => Ok(sample),
        _ => Err(format!("expected a number of double games from 1 to {}", super::MOST_GAMES / 2)),
    }
}

fn won(tally: &Tally) -> f64 {
    tally.wins as f64 / tally.games() as f64
}

/// What the runs of a study come to by a probe.
struct Mean<'a> {
    study: &'a str,
    probe: &'a Probe,
    runs: usize,
    /// Shares of games won and scores, with their 95% intervals.
    won: (f64, Option<[f64; 2]>),
    score: (f64, Option<[f64; 2]>),
}

fn means<'a>(
    studies: &[(&'a str, Range<usize>)],
    probes: &'a [Probe],
    tallies: &[Vec<Tally>],
) -> Vec<Mean<'a>> {
    let mean = |(study, runs): &(&'a str, Range<usize>), number: usize| {
        let of = |value: fn(&Tally) -> f64| {
            let values: Vec<f64> =
                tallies[runs.clone()].iter().map(|t| value(&t[number])).collect();
            mean_interval(&values)
        };
        let probe = &probes[number];
        Mean { study, probe, runs: runs.len(), won: of(won), score: of(Tally::score) }
    };
    let all = studies.iter().flat_map(|study| (0..probes.len()).map(move |probe| (study, probe)));
    all.map(|(study, probe)| mean(study, probe)).collect()
}

impl Mean<'_> {
    fn to_json(&self) -> Value {
        json!({
            "study": self.study,
            "probe": self.probe.name,
            "runs": self.runs,
            "win_probability": self.won.0,
            "win_probability_interval": self.won.1,
            "score": self.score.0,
            "score_interval": self.score.1,
        })
    }
}

fn print_means(means: &[Mean<'_>]) -> Result<(), Error> {
    if means.is_empty() {
        return Ok(());
    }
    let mut table = TextTable::new(2);
    table.row(["study", "against", "runs", "won", "95% ±", "score", "95% ±"]);
    for Mean { study, probe, runs, won, score } in means {
        let number = |(mean, interval): (f64, Option<[f64; 2]>)| {
            let half = interval.map_or(f64::NAN, |[low, high]| (high - low) / 2.0);
            [format!("{mean:.4}"), format!("{half:.4}")]
        };
        let names = [study.to_string(), against(probe), runs.to_string()];
        table.row(names.into_iter().chain(number(*won)).chain(number(*score)));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "\nMeans over the runs of a study")?;
    Ok(table.print(&mut out)?)
}

/// Whom a probe plays, in words.
fn against(probe: &Probe) -> String {
    match probe.played() {
        Some(played) => format!("{} ({})", played.whom, probe.name),
        None => probe.name.clone(),
    }
}

fn object(player: &Player, probe: &Probe, tally: &Tally) -> Value {
    json!({
        "player": player.name,
        "probe": probe.name,
        "games": tally.games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "win_probability": won(tally),
        "score": tally.score(),
        "interval": score_interval(tally),
    })
}

fn print_table(players: &[Player], probes: &[Probe], tallies: &[Vec<Tally>]) -> Result<(), Error> {
    let mut table = TextTable::new(2);
    table.row(["player", "against", "games", "won", "drawn", "lost", "score", "95% interval"]);
    for (player, tallies) in players.iter().zip(tallies) {
        for (probe, tally) in probes.iter().zip(tallies) {
            let share = |n: u64| format!("{:.4}", n as f64 / tally.games() as f64);
            let [low, high] = score_interval(tally);
            table.row([
                player.name.clone(),
                against(probe),
                thousands(tally.games()),
                share(tally.wins),
                share(tally.draws),
                share(tally.losses),
                format!("{:.4}", tally.score()),
                format!("{low:.4} to {high:.4}"),
            ]);
        }
    }
    Ok(table.print(&mut io::stdout().lock()).and_then(|()| io::stdout().flush())?)
}
