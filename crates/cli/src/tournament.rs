//! `outflank tournament`: a round robin of players or teams.

use std::io::{self, Write};

use super::engine::print_faults;
use super::output::{TextTable, csv_failed, thousands};
use super::text::{help, parse_whole, percent, print_wrapped};
use super::{Error, PartsArgs, PlayingArgs, answer, parse_games};
use outflank_commands::{
    LeagueAnswer, LeagueRequest, LeagueRound, LeagueRow, TournamentAnswer, TournamentRequest,
};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank tournament random heuristic lr2006 ctdl2009-best positional
  outflank tournament heuristic lr2006 --openings random:6 --games 10000 --csv
  outflank tournament --team old=a.json,b.json --team new=c.json --games 100
  outflank tournament runs/ctdl runs/cel
  outflank tournament --team ctdl=runs/ctdl lr2006
  outflank tournament --league heuristic lr2006 ctdl2009-best runs/seeded-ga
  outflank tournament --league heuristic lr2006 --rounds 0:2,0.05:100

A study (all runs of one method) is a team of the champions of its runs, named
after its preset. Every player meets every player of the other teams; --games is
the number of games in each such meeting.

Points are 3/1/0 or 1/½/0 for a win, a draw and a loss. The score is the share of
points of the second kind. Elo ratings are relative to the mean of the field: the
most likely strengths, with draws, when half a won and half a lost game against
the mean are added for each player. If two players repeat the same few games, the
intervals are too narrow: use --openings or @epsilon.

--league is the format of the competition at CEC 2006: everyone against everyone,
in rounds in which both players move at random with probability 0 (2 games of
each two players), 0.01 and 0.1 (20 games). Each champion of a study is an
entrant. The table has won-drawn-lost and points (1/½/0) of each round and of all,
the best first. At 0 only equally good moves are left to chance, so two games, one
with each colour, say nearly all there is to say; @ties=first leaves nothing."))]
pub struct Args {
    /// Players, each on its own; a study is the team of its champions
    #[arg(value_name = "PLAYER|STUDY")]
    players: Vec<String>,
    /// A team of players; the games of its players are added up
    #[arg(long = "team", value_name = "NAME=PLAYER|STUDY,...")]
    teams: Vec<String>,
    /// Number of single games in each meeting of two players, even [default: 1000, or 2 with teams]
    #[arg(long, value_name = "N", value_parser = parse_games, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Play a league: rounds with no, few and many random moves
    #[arg(long, conflicts_with_all = ["teams", "games", "csv", "parts"])]
    league: bool,
    /// The rounds of a league: the probability of a random move and the games of each two players
    #[arg(long, value_name = "EPSILON:GAMES,...", default_value = "0:2,0.01:20,0.1:20", requires = "league", value_parser = rounds)]
    rounds: Rounds,
    /// Print the table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    parts: PartsArgs,
    #[command(flatten)]
    playing: PlayingArgs,
}

/// A list that clap takes as one value.
#[derive(Clone)]
struct Rounds(Vec<LeagueRound>);

fn rounds(text: &str) -> Result<Rounds, String> {
    let round = |part: &str| {
        let (epsilon, games) = part.split_once(':')?;
        let (epsilon, games) = (epsilon.trim().parse().ok()?, parse_whole(games.trim())?);
        Some(LeagueRound { epsilon, games })
    };
    let wrong = |part: &str| format!("{part:?}, expected EPSILON:GAMES, e.g. 0.1:20");
    let rounds = text.split(',').map(|part| round(part).ok_or_else(|| wrong(part)));
    rounds.collect::<Result<_, _>>().map(Rounds)
}

pub fn run(args: Args) -> Result<(), Error> {
    let playing = args.playing.request();
    if args.league {
        let Rounds(rounds) = args.rounds;
        let request = LeagueRequest { players: args.players, rounds, playing };
        return answer(&request, args.playing.json)?.map_or(Ok(()), |answer| print_league(&answer));
    }
    let Args { players, teams, games, .. } = args;
    let parts = args.parts.request();
    let request = TournamentRequest { players, teams, games, playing, parts };
    let Some(answer) = answer(&request, args.playing.json)? else { return Ok(()) };
    if args.csv { print_csv(&answer) } else { print_tables(&answer) }
}

/// Won-drawn-lost and points of every round and of all, the best in all first.
fn print_league(answer: &LeagueAnswer) -> Result<(), Error> {
    let mut table = TextTable::new(2);
    let head = answer.rounds.iter().map(|round| share(round.epsilon)).chain(["all".into()]);
    let head = head.flat_map(|round| [round, "points".into()]);
    table.row(["".into(), "player".into()].into_iter().chain(head));
    for row in &answer.all {
        let mut cells = vec![row.rank.to_string(), row.name.clone()];
        let of = |rows: &[LeagueRow]| rows.iter().find(|other| other.name == row.name).cloned();
        let rows = answer.rounds.iter().filter_map(|round| of(&round.players));
        for LeagueRow { wins, draws, losses, .. } in rows.chain([row.clone()]) {
            cells.extend([format!("{wins}-{draws}-{losses}"), halves(wins * 2 + draws)]);
        }
        table.row(cells);
    }
    let mut out = io::stdout().lock();
    table.print(&mut out)?;
    let rounds = answer.rounds.iter().map(|round| {
        format!(
            "{} games of each two at {}",
            thousands(round.games_per_meeting),
            share(round.epsilon)
        )
    });
    let rounds: Vec<String> = rounds.collect();
    let text = format!("Won-drawn-lost and points (1/½/0); random moves: {}.", rounds.join(", "));
    print_wrapped(&mut out, &text)?;
    print_faults(&mut out, &answer.engine_faults)
}

/// A probability in percent, as short as it can be.
fn share(epsilon: f64) -> String {
    format!("{}%", (1e6 * epsilon).round() / 1e4)
}

/// The entrants, best first.
fn ranked(answer: &TournamentAnswer) -> Vec<usize> {
    let mut order: Vec<usize> = (0..answer.players.len()).collect();
    let elo = |i: &usize| answer.players[*i].elo;
    order.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    order
}

fn print_tables(answer: &TournamentAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let order = ranked(answer);
    let mut standings = TextTable::new(2);
    let head = ["", "player", "games", "won", "drawn", "lost", "points 3/1/0", "points 1/½/0"];
    standings.row(head.into_iter().chain(["score", "Elo", "95% interval"]));
    for (rank, &i) in order.iter().enumerate() {
        let of = &answer.players[i];
        let [low, high] = of.elo_interval;
        standings.row([
            (rank + 1).to_string(),
            of.name.clone(),
            thousands(of.games),
            thousands(of.wins),
            thousands(of.draws),
            thousands(of.losses),
            thousands(of.points),
            halves(of.wins * 2 + of.draws),
            percent(of.score),
            signed(of.elo),
            format!("{} to {}", signed(low), signed(high)),
        ]);
    }
    standings.print(&mut out)?;
    writeln!(out, "\nScore of the row against the column")?;
    let head = (1..=order.len()).map(|rank| rank.to_string());
    let mut cross = TextTable::new(2);
    cross.row(["".into(), "player".into()].into_iter().chain(head));
    for (rank, &i) in order.iter().enumerate() {
        let scores = order.iter().map(|&j| answer.table[i][j].map_or("-".into(), percent));
        let name = [(rank + 1).to_string(), answer.players[i].name.clone()];
        cross.row(name.into_iter().chain(scores));
    }
    cross.print(&mut out)?;
    print_faults(&mut out, &answer.engine_faults)
}

/// Half points as points: 64329 as 32,164.5.
fn halves(half_points: u64) -> String {
    format!("{}.{}", thousands(half_points / 2), 5 * (half_points % 2))
}

/// A rounded number with its sign; there is no -0.
fn signed(number: f64) -> String {
    format!("{:+}", number.round() as i64)
}

fn print_csv(answer: &TournamentAnswer) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    let head = ["player", "games", "wins", "draws", "losses", "points", "half_points", "score"];
    let head = head.into_iter().chain(["elo", "elo_low", "elo_high"]);
    let names = answer.players.iter().map(|of| of.name.as_str());
    out.write_record(head.chain(names)).map_err(csv_failed)?;
    for (of, row) in answer.players.iter().zip(&answer.table) {
        let counts = [of.games, of.wins, of.draws, of.losses, of.points].map(|n| n.to_string());
        let [low, high] = of.elo_interval;
        let numbers = [of.half_points, of.score, of.elo, low, high].map(|n| n.to_string());
        let scores = row.iter().map(|score| score.map_or(String::new(), |score| score.to_string()));
        let record = [of.name.clone()].into_iter().chain(counts).chain(numbers).chain(scores);
        out.write_record(record).map_err(csv_failed)?;
    }
    Ok(out.flush()?)
}
