//! `outflank profile build`: the opponents of performance profiles.

use std::io;
use std::path::PathBuf;

use super::learn::checkpoint_every;
use super::output::thousands;
use super::text::{help, parse_whole, print_wrapped};
use super::{Error, PartsArgs, answer, parse_seed, parse_threads};
use outflank_commands::{DatabaseAnswer, ProfileBuildRequest};
use outflank_lab::{MOST_DOUBLES, MOST_OPPONENTS};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank profile build --out opponents.db
  outflank profile build --opponents 20000 --doubles 100 --out quick.db
  outflank profile build --out opponents.db --parts parts --part 3/40
  outflank profile build --from opponents.db --cap 500 --out small.db

The opponents are random weighted piece counters (WPCs). Each is rated by its
expected utility, its score in double games (one game with each colour) against
other random WPCs. The defaults are those of Jaśkowski et al. 2013 and take
1,000,000,000 games. Repeating an interrupted command continues the work, which is
kept in OUT.part. The same settings give the same file, byte for byte, on any
number of threads."))]
pub struct Args {
    /// Output file. A file made with the same settings is left as it is; any other file is never
    /// overwritten
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of random WPCs to rate
    #[arg(long, default_value = "500000", value_name = "N", value_parser = parse_opponents, allow_negative_numbers = true)]
    opponents: u64,
    /// Number of double games of each, against as many other random WPCs
    #[arg(long, default_value = "1000", value_name = "N", value_parser = parse_doubles, allow_negative_numbers = true)]
    doubles: u64,
    /// Keep only the first N opponents of each bin
    #[arg(long, value_name = "N", value_parser = parse_opponents, allow_negative_numbers = true)]
    cap: Option<u64>,
    /// Take opponents and games from a database with a larger cap or none
    #[arg(long, value_name = "FILE", requires = "cap", conflicts_with_all = ["opponents", "doubles", "seed", "threads"])]
    from: Option<PathBuf>,
    /// Seed of the opponents and of their games
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; the file does not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    #[command(flatten)]
    parts: PartsArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let Args { out, opponents, doubles, cap, from, seed, threads, parts, json } = args;
    let parts = parts.request();
    let keep_every = checkpoint_every()?;
    let request = ProfileBuildRequest {
        out,
        opponents,
        doubles,
        cap,
        from,
        seed,
        threads,
        keep_every,
        parts,
    };
    let Some(answer) = answer(&request, json)? else { return Ok(()) };
    let was = if answer.state == "built" { "" } else { " already existed" };
    let text = format!("{}{was}: {}", request.out.display(), recipe_text(&answer.database));
    Ok(print_wrapped(&mut io::stdout().lock(), &text)?)
}

/// Says how a database was made.
pub fn recipe_text(database: &DatabaseAnswer) -> String {
    let DatabaseAnswer { seed, opponents, doubles, cap, kept, games, .. } = database;
    let kept = match cap {
        None => String::new(),
        Some(cap) => format!(
            "; {} of them kept, at most {} in each bin",
            thousands(*kept as u64),
            thousands(*cap)
        ),
    };
    format!(
        "{} random WPCs (seed {seed}), each rated by {} double games against random WPCs, {} games \
         in all{kept}",
        thousands(*opponents),
        thousands(*doubles),
        thousands(*games)
    )
}

fn parse_opponents(text: &str) -> Result<u64, String> {
    parse_up_to(text, MOST_OPPONENTS, "opponents")
}

fn parse_doubles(text: &str) -> Result<u64, String> {
    parse_up_to(text, MOST_DOUBLES, "double games")
}

fn parse_up_to(text: &str, most: u64, what: &str) -> Result<u64, String> {
    match parse_whole(text) {
        Some(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("expected a number of {what} from 1 to {most}")),
    }
}
