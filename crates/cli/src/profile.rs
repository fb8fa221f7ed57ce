//! `outflank profile`: players against opponents of every strength.

use outflank_report::profile_chart;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::output::{Progress, TextTable, WholeFile, print_json, thousands};
use super::profile_build::{recipe_json, recipe_text};
use super::teams::parse_teams;
use super::{Error, all_cores, arena, parse_seed, parse_threads, profile_build};
use outflank_kernel::rng::Seed;
use outflank_lab::{
    BINS, Bin, Database, FEWEST_DOUBLES, Profile, Team, WIDEST_INTERVAL, profile as play_profile,
};

#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  outflank profile heuristic lr2006
  outflank profile rsel=runs/rsel 1cel-rs=runs/1cel-rs --svg profiles.svg
  outflank profile runs/ctdl-hof/1 --db opponents.db --csv
  outflank profile build --out opponents.db

A profile tells how a player does against opponents of every strength
(Jaśkowski et al. 2013). The opponents are random WPCs, sorted into 100 bins by
their own expected utility; the player meets each of them in a double game, one
game with either colour. A team's profile is the mean of its players'. Bins with
120 double games or fewer, or with a 95% interval wider than 0.2, are dropped:
the table leaves them out, CSV and JSON mark them."
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Players, runs, studies (the mean of all their champions), or lists of those
    #[arg(value_name = "PLAYER|RUN|STUDY|NAME=PLAYER,...", required = true)]
    teams: Vec<String>,
    /// The database of opponents [default: the one that comes with the program]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Print all bins as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Draw the profiles into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make a database of opponents
    Build(profile_build::Args),
}

pub fn run(args: Args) -> Result<(), Error> {
    if let Some(Command::Build(args)) = args.command {
        return profile_build::run(args);
    }
    let teams = parse_teams(&args.teams.iter().map(String::as_str).collect::<Vec<_>>())?;
    refuse_drawn(&teams)?;
    let database = match &args.db {
        Some(path) => Database::read(path)?,
        None => Database::shipped(),
    };
    if args.svg.is_some() && same_file(args.svg.as_deref(), args.db.as_deref()) {
        return Err(Error::Usage("--svg would overwrite the database".into()));
    }
    let svg = args.svg.as_deref().map(WholeFile::create).transpose()?;
    let arena = arena(args.threads.unwrap_or_else(all_cores))?;
    super::catch_interrupts();
    let players: usize = teams.iter().map(|team| team.players.len()).sum();
    let bar = Progress::new(2 * (players * database.opponents().len()) as u64, "games");
    let stop = || super::check_interrupted().is_err();
    let profiles =
        play_profile(&arena, &teams, &database, Seed(args.seed), &stop, &mut |done| bar.set(done));
    drop(bar);
    let Ok(profiles) = profiles else {
        super::check_interrupted()?;
        return Err(Error::Failed("stopped".into()));
    };
    if let Some(mut file) = svg {
        file.line(&profile_chart(&profiles).svg())?;
        file.finish()?;
    }
    if args.json {
        return print_json("profile", as_json(&profiles, &args, &database, arena.kernel().name()));
    }
    if args.csv {
        return print_csv(&profiles);
    }
    print_table(&profiles, &args, &database)
}

/// A player who is another one in every pair of games has no profile.
fn refuse_drawn(teams: &[Team]) -> Result<(), Error> {
    match teams.iter().flat_map(|team| &team.players).find(|player| player.is_drawn()) {
        Some(player) => Err(Error::Usage(format!(
            "{} is another player in every pair of games, so it has no profile; name a player, a \
             player file or a run",
            player.name
        ))),
        None => Ok(()),
    }
}

fn same_file(one: Option<&Path>, other: Option<&Path>) -> bool {
    let real = |path: Option<&Path>| path.and_then(|path| path.canonicalize().ok());
    real(one).is_some() && real(one) == real(other)
}

fn print_table(profiles: &[Profile], args: &Args, database: &Database) -> Result<(), Error> {
    let mut table = TextTable::new(1);
    let head = profiles.iter().flat_map(|profile| [profile.name.clone(), "95% interval".into()]);
    table.row(["opponents of".into(), "number".into()].into_iter().chain(head));
    let mut dropped = 0;
    for number in 0..BINS {
        let bins: Vec<&Bin> = profiles.iter().map(|profile| &profile.bins[number]).collect();
        if bins.iter().all(|bin| bin.is_dropped()) {
            dropped += usize::from(bins.iter().any(|bin| bin.double_games > 0));
            continue;
        }
        let strength = format!("{:.2} to {:.2}", bins[0].low, bins[0].high);
        let cells = bins.iter().flat_map(|bin| match (bin.mean, bin.interval) {
            (Some(mean), Some([low, high])) if !bin.is_dropped() => {
                [format!("{mean:.3}"), format!("{low:.3} to {high:.3}")]
            }
            _ => ["-".into(), "-".into()],
        });
        table.row([strength, thousands(bins[0].opponents)].into_iter().chain(cells));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "Mean result of double games against opponents by their expected utility")?;
    table.print(&mut out)?;
    if dropped > 0 {
        writeln!(
            out,
            "Left out: {dropped} bins with {FEWEST_DOUBLES} double games or fewer, or an interval wider \
             than {WIDEST_INTERVAL}"
        )?;
    }
    if table.is_empty() {
        writeln!(
            out,
            "No bin has enough double games: profile more players, or build with more --opponents"
        )?;
    }
    for profile in profiles.iter().filter(|profile| profile.players > 1) {
        writeln!(out, "{} is the mean of {} players", profile.name, profile.players)?;
    }
    let name = match &args.db {
        Some(path) => path.display().to_string(),
        None => "the database that comes with outflank".into(),
    };
    Ok(writeln!(out, "Opponents: {name}: {}", recipe_text(database))?)
}

fn print_csv(profiles: &[Profile]) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    let head = [
        "name",
        "players",
        "bin_low",
        "bin_high",
        "opponents",
        "double_games",
        "mean",
        "low",
        "high",
        "players_low",
        "players_high",
        "dropped",
    ];
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::from(error),
        other => Error::Failed(format!("cannot write CSV: {other:?}")),
    };
    out.write_record(head).map_err(failed)?;
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    for profile in profiles {
        for bin in &profile.bins {
            let ends =
                |interval: Option<[f64; 2]>| [0, 1].map(|end| number(interval.map(|i| i[end])));
            let ([low, high], [players_low, players_high]) =
                (ends(bin.interval), ends(bin.interval_players));
            let record = [
                profile.name.clone(),
                profile.players.to_string(),
                bin.low.to_string(),
                bin.high.to_string(),
                bin.opponents.to_string(),
                bin.double_games.to_string(),
                number(bin.mean),
                low,
                high,
                players_low,
                players_high,
                bin.is_dropped().to_string(),
            ];
            out.write_record(record).map_err(failed)?;
        }
    }
    Ok(out.flush()?)
}

fn as_json(profiles: &[Profile], args: &Args, database: &Database, kernel: &str) -> Value {
    let bin = |bin: &Bin| {
        json!({
            "low": bin.low,
            "high": bin.high,
            "opponents": bin.opponents,
            "double_games": bin.double_games,
            "mean": bin.mean,
            "interval": bin.interval,
            "interval_players": bin.interval_players,
            "dropped": bin.is_dropped(),
        })
    };
    let results: Vec<Value> = profiles
        .iter()
        .map(|profile| {
            json!({
                "name": profile.name,
                "players": profile.players,
                "bins": profile.bins.iter().map(bin).collect::<Vec<_>>(),
            })
        })
        .collect();
    let mut recipe = recipe_json(database);
    recipe["file"] = json!(args.db.as_ref().map(|path| path.to_string_lossy()));
    json!({
        "results": results,
        "database": recipe,
        "seed": args.seed,
        "kernel": kernel,
        "threads": args.threads.unwrap_or_else(all_cores),
    })
}
