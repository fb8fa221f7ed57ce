//! `outflank profile`: players against opponents of every strength.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::output::{Replace, TextTable, WholeFile, csv_failed, is_svg, print_json, thousands};
use super::profile_build::recipe_text;
use super::text::{clean, help, percent, print_wrapped};
use super::{Error, Terminal, interrupts, parse_seed, parse_threads, profile_build, to_json};
use outflank_commands::{BinAnswer, Command as _, ProfileAnswer, ProfileRequest};
use outflank_lab::{BINS, FEWEST_DOUBLES, WIDEST_INTERVAL};
use outflank_report::profile_chart;

#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = help("\
Examples:
  outflank profile heuristic lr2006
  outflank profile rsel=runs/rsel 1cel-rs=runs/1cel-rs --svg profiles.svg
  outflank profile runs/ctdl-hof/1 --db opponents.db --csv
  outflank profile build --out opponents.db

A profile shows how a player does against opponents of every strength
(Jaśkowski et al. 2013). The opponents are random weighted piece counters (WPCs),
sorted into 100 bins by their own expected utility, which is their score against
random WPCs. The player meets each of them in a double game, one game with each
colour. A study (all runs of one method) is a team of the champions of its runs;
a team's profile is the mean of its players' profiles. Bins with 120 double games
or fewer, or with a 95% interval wider than 20 points, are dropped: the table
leaves them out, CSV and JSON mark them.")
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Players, runs, studies (the mean over their champions), or lists of these
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
    /// Draw the profiles to an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace the file of --svg even if this program did not make it
    #[arg(long, requires = "svg")]
    force: bool,
    /// Seed of all random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; the results do not depend on it
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
    if args.svg.is_some() && same_file(args.svg.as_deref(), args.db.as_deref()) {
        return Err(Error::Usage("--svg would overwrite the database".into()));
    }
    interrupts::catch();
    let Args { teams, db, seed, threads, .. } = args;
    let request = ProfileRequest { teams, db, seed, threads };
    // A file that cannot be written fails before the work.
    let replace = Replace::ours(args.force, is_svg);
    let svg = args.svg.as_deref().map(|path| WholeFile::create(path, replace)).transpose()?;
    let answer = request.run(&Terminal::new())?;
    if let Some(mut file) = svg {
        file.line(&profile_chart(&answer.profiles).svg())?;
        file.finish()?;
    }
    if args.json {
        return print_json(&to_json::<ProfileRequest>(&answer));
    }
    if args.csv {
        return print_csv(&answer);
    }
    print_table(&answer)?;
    match &args.svg {
        Some(path) => Ok(writeln!(io::stdout(), "Drawn in {}", path.display())?),
        None => Ok(()),
    }
}

fn same_file(one: Option<&Path>, other: Option<&Path>) -> bool {
    let real = |path: Option<&Path>| path.and_then(|path| path.canonicalize().ok());
    real(one).is_some() && real(one) == real(other)
}

fn print_table(answer: &ProfileAnswer) -> Result<(), Error> {
    let profiles = &answer.results;
    let mut table = TextTable::new(1);
    let head = profiles.iter().flat_map(|profile| [profile.name.clone(), "95% interval".into()]);
    table.row(["utility".into(), "opponents".into()].into_iter().chain(head));
    let mut dropped = 0;
    for number in 0..BINS {
        let bins: Vec<&BinAnswer> = profiles.iter().map(|of| &of.bins[number]).collect();
        if bins.iter().all(|bin| bin.dropped) {
            dropped += usize::from(bins.iter().any(|bin| bin.double_games > 0));
            continue;
        }
        let whole = |share: f64| format!("{:.0}%", 100.0 * share);
        let strength = format!("{} to {}", whole(bins[0].low), whole(bins[0].high));
        let cells = bins.iter().flat_map(|bin| match (bin.mean, bin.interval) {
            (Some(mean), Some([low, high])) if !bin.dropped => {
                [percent(mean), format!("{} to {}", percent(low), percent(high))]
            }
            _ => ["-".into(), "-".into()],
        });
        table.row([strength, thousands(bins[0].opponents)].into_iter().chain(cells));
    }
    let mut out = io::stdout().lock();
    print_wrapped(&mut out, "Score in double games, by the expected utility of the opponents")?;
    table.print(&mut out)?;
    if dropped > 0 {
        let widest = percent(WIDEST_INTERVAL);
        let text = format!(
            "Left out: {dropped} bins with {FEWEST_DOUBLES} double games or fewer, or an interval wider \
             than {widest}"
        );
        print_wrapped(&mut out, &text)?;
    }
    if table.is_empty() {
        print_wrapped(
            &mut out,
            "No bin has enough double games: profile more players, or build with more --opponents",
        )?;
    }
    for profile in profiles.iter().filter(|profile| profile.players > 1) {
        writeln!(out, "{} is the mean of {} players", clean(&profile.name), profile.players)?;
    }
    let name = match &answer.database.file {
        Some(path) => path.as_str(),
        None => "the database that comes with outflank",
    };
    let text = format!("Opponents: {name}: {}", recipe_text(&answer.database));
    Ok(print_wrapped(&mut out, &text)?)
}

fn print_csv(answer: &ProfileAnswer) -> Result<(), Error> {
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
    out.write_record(head).map_err(csv_failed)?;
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    for profile in &answer.results {
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
                bin.dropped.to_string(),
            ];
            out.write_record(record).map_err(csv_failed)?;
        }
    }
    Ok(out.flush()?)
}
