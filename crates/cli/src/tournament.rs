//! `outflank tournament`: a round robin of players or teams.

use std::io::{self, Write};

use serde_json::json;

use super::output::{Progress, TextTable, print_json, thousands};
use super::teams::{parse_teams, split_name};
use super::{Error, PlayingArgs, parse_games};
use outflank_kernel::rng::Seed;
use outflank_lab::{Standing, Table, Team, play_tournament};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank tournament random heuristic lr2006 ctdl2009-best positional
  outflank tournament heuristic lr2006 --openings random:6 --games 10000 --csv
  outflank tournament --team old=a.json,b.json --team new=c.json --games 100
  outflank tournament runs/ctdl runs/cel
  outflank tournament --team ctdl=runs/ctdl lr2006

A study is a team of the champions of its runs, called as its preset.
Every player meets every player of the other teams; --games counts the games
of such a meeting. Points are 3/1/0 and 1/½/0 for win, draw, loss; the score
is the latter's share of the games. Ratings are Elo around the mean of the
field: the most likely strengths with draws, if everybody had also won half a
game and lost half a game against the mean. Two players who repeat the same
few games look surer than they are: use --openings or @epsilon.")]
pub struct Args {
    /// Players, each on its own; a study is a team of its champions
    #[arg(value_name = "PLAYER|STUDY")]
    players: Vec<String>,
    /// A team of players, whose games are added up
    #[arg(long = "team", value_name = "NAME=PLAYER|STUDY,...")]
    teams: Vec<String>,
    /// Number of single games in each meeting of two players, even [default: 1000; with teams 2]
    #[arg(long, value_name = "N", value_parser = parse_games, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Print the table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    playing: PlayingArgs,
}

pub fn run(args: Args) -> Result<(), Error> {
    let teams = entrants(&args)?;
    // The papers' teams of 30 and of 120 meet in one game as each colour.
    let alone = teams.iter().all(|team| team.players.len() == 1);
    let games = args.games.unwrap_or(if alone { 1000 } else { 2 });
    let openings = args.playing.openings()?;
    let arena = args.playing.arena()?;
    let sizes: Vec<u64> = teams.iter().map(|team| team.players.len() as u64).collect();
    let all: u64 = sizes.iter().sum();
    let meetings = (all * all - sizes.iter().map(|size| size * size).sum::<u64>()) / 2;
    super::catch_interrupts();
    let bar = Progress::new(meetings.saturating_mul(games), "games");
    let (pairs, seed) = (games / 2, Seed(args.playing.seed));
    let table = play_tournament(&arena, &teams, pairs, seed, &openings, |done| {
        bar.set(done);
        super::check_interrupted()
    })?;
    drop(bar);
    if args.playing.json {
        return print_json("tournament", as_json(&table, &args, games, arena.kernel().name()));
    }
    if args.csv {
        return print_csv(&table);
    }
    print_tables(&table)
}

fn entrants(args: &Args) -> Result<Vec<Team>, Error> {
    if let Some(text) = args.teams.iter().find(|text| split_name(text).is_none()) {
        return Err(Error::Usage(format!("--team {text:?}: expected NAME=PLAYER|STUDY,...")));
    }
    let texts: Vec<&str> = args.players.iter().chain(&args.teams).map(String::as_str).collect();
    match texts.len() {
        0 | 1 => Err(Error::Usage(
            "a tournament needs two players or teams, e.g. outflank tournament random heuristic"
                .into(),
        )),
        _ => parse_teams(&texts),
    }
}

/// Best first.
fn ranked(table: &Table) -> Vec<usize> {
    let mut order: Vec<usize> = (0..table.standings.len()).collect();
    let elo = |i: &usize| table.standings[*i].rating.elo;
    order.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    order
}

fn print_tables(table: &Table) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let order = ranked(table);
    let head = [
        "",
        "player",
        "games",
        "won",
        "drawn",
        "lost",
        "3/1/0",
        "1/½/0",
        "score",
        "Elo",
        "95% interval",
    ];
    let mut standings = TextTable::new(2);
    standings.row(head);
    for (rank, &i) in order.iter().enumerate() {
        let Standing { name, total, rating } = &table.standings[i];
        let [low, high] = rating.interval;
        standings.row([
            (rank + 1).to_string(),
            name.clone(),
            thousands(total.games()),
            thousands(total.wins),
            thousands(total.draws),
            thousands(total.losses),
            thousands(table.standings[i].points()),
            halves(total.wins * 2 + total.draws),
            format!("{:.3}", total.score()),
            signed(rating.elo),
            format!("{} to {}", signed(low), signed(high)),
        ]);
    }
    standings.print(&mut out)?;
    writeln!(out, "\nScore of row against column")?;
    let head = (1..=order.len()).map(|rank| rank.to_string());
    let mut cross = TextTable::new(2);
    cross.row(["".into(), "player".into()].into_iter().chain(head));
    for (rank, &i) in order.iter().enumerate() {
        let scores = order.iter().map(|&j| match i == j {
            true => "-".into(),
            false => format!("{:.3}", table.tallies[i][j].score()),
        });
        let name = [(rank + 1).to_string(), table.standings[i].name.clone()];
        cross.row(name.into_iter().chain(scores));
    }
    Ok(cross.print(&mut out)?)
}

/// Half points as points: 64329 as 32,164.5.
fn halves(half_points: u64) -> String {
    format!("{}.{}", thousands(half_points / 2), 5 * (half_points % 2))
}

/// A rounded number with its sign; there is no -0.
fn signed(number: f64) -> String {
    format!("{:+}", number.round() as i64)
}

fn print_csv(table: &Table) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let names: Vec<String> = table.standings.iter().map(|s| quoted(&s.name)).collect();
    writeln!(
        out,
        "player,games,wins,draws,losses,points,half_points,score,elo,elo_low,elo_high,{}",
        names.join(",")
    )?;
    for (i, standing) in table.standings.iter().enumerate() {
        let Standing { total, rating, .. } = standing;
        let [low, high] = rating.interval;
        write!(
            out,
            "{},{},{},{},{},{},{},{},{},{low},{high}",
            names[i],
            total.games(),
            total.wins,
            total.draws,
            total.losses,
            standing.points(),
            standing.half_points(),
            total.score(),
            rating.elo
        )?;
        for (j, tally) in table.tallies[i].iter().enumerate() {
            match i == j {
                true => write!(out, ",")?,
                false => write!(out, ",{}", tally.score())?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A cell of CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

fn as_json(table: &Table, args: &Args, games: u64, kernel: &str) -> serde_json::Value {
    let players: Vec<_> = table
        .standings
        .iter()
        .map(|standing| {
            let Standing { name, total, rating } = standing;
            json!({
                "name": name,
                "games": total.games(),
                "wins": total.wins,
                "draws": total.draws,
                "losses": total.losses,
                "points": standing.points(),
                "half_points": standing.half_points(),
                "score": total.score(),
                "elo": rating.elo,
                "elo_interval": rating.interval,
            })
        })
        .collect();
    let scores: Vec<Vec<Option<f64>>> = table
        .tallies
        .iter()
        .map(|row| row.iter().map(|tally| (tally.games() > 0).then(|| tally.score())).collect())
        .collect();
    json!({
        "players": players,
        "table": scores,
        "games_per_meeting": games,
        "openings": args.playing.openings,
        "seed": args.playing.seed,
        "kernel": kernel,
        "threads": args.playing.threads(),
    })
}
