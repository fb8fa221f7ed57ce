//! `outflank profile build`: the opponents of performance profiles.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use super::learn::checkpoint_every;
use super::output::{Progress, print_json, thousands};
use super::{Error, all_cores, arena, parse_seed, parse_threads};
use outflank_lab::{
    BuildError, Built, Database, MOST_DOUBLES, MOST_OPPONENTS, Recipe, Step, build, cut,
};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank profile build --out opponents.db
  outflank profile build --opponents 20000 --doubles 100 --out quick.db
  outflank profile build --from opponents.db --cap 500 --out small.db

The defaults are those of Jaśkowski et al. 2013: 1,000,000,000 games. Interrupted,
the same command goes on where it was (what is done is kept in OUT.part). The same
settings make the same bytes, on any number of threads.")]
pub struct Args {
    /// The file to make; one of the same settings is left as it is, another is not overwritten
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Random WPCs to judge
    #[arg(long, default_value = "500000", value_name = "N", value_parser = parse_opponents, allow_negative_numbers = true)]
    opponents: u64,
    /// Double games of each, against as many other random WPCs
    #[arg(long, default_value = "1000", value_name = "N", value_parser = parse_doubles, allow_negative_numbers = true)]
    doubles: u64,
    /// Keep the first N opponents of each bin only
    #[arg(long, value_name = "N", value_parser = parse_opponents, allow_negative_numbers = true)]
    cap: Option<u64>,
    /// Take opponents and games from a database of a larger cap or none
    #[arg(long, value_name = "FILE", requires = "cap", conflicts_with_all = ["opponents", "doubles", "seed", "threads"])]
    from: Option<PathBuf>,
    /// Seed of the opponents and of their games
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; the bytes do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let began = Instant::now();
    super::catch_interrupts();
    let built = match (&args.from, args.cap) {
        (Some(from), Some(cap)) => cut(&Database::read(from)?, cap, &args.out)?,
        _ => play(&args)?,
    };
    let (state, database) = match &built {
        Built::New(database) => ("built", database),
        Built::AlreadyThere(database) => ("already-there", database),
    };
    if args.json {
        let mut body = recipe_json(database);
        body["file"] = json!(args.out.to_string_lossy());
        body["state"] = json!(state);
        body["seconds"] = json!(began.elapsed().as_secs_f64());
        return print_json("profile build", body);
    }
    let mut out = io::stdout().lock();
    let was = if state == "built" { "" } else { " was there" };
    writeln!(out, "{}{was}: {}", args.out.display(), recipe_text(database))?;
    Ok(())
}

fn play(args: &Args) -> Result<Built, Error> {
    let recipe =
        Recipe { seed: args.seed, opponents: args.opponents, doubles: args.doubles, cap: args.cap };
    let arena = arena(args.threads.unwrap_or_else(all_cores))?;
    let keep_every = checkpoint_every()?;
    let bar = Progress::new(recipe.games(), "games");
    let stop = || super::check_interrupted().is_err();
    let built = build(&arena, &recipe, &args.out, keep_every, &stop, &mut |step| match step {
        Step::Played(games) => bar.set(games),
        Step::Resumed(games) => {
            bar.resume(games);
            bar.say(&format!("resumed after {} games", thousands(games)));
        }
        Step::Warned(text) => bar.say(text),
    });
    drop(bar);
    match built {
        Err(BuildError::Stopped) => match super::check_interrupted() {
            Err(Error::Interrupted(signal)) => Err(Error::Resumable(signal)),
            _ => Err(BuildError::Stopped.into()),
        },
        built => Ok(built?),
    }
}

/// What a database is made of, in words.
pub fn recipe_text(database: &Database) -> String {
    let Recipe { seed, opponents, doubles, cap } = *database.recipe();
    let kept = match cap {
        None => String::new(),
        Some(cap) => format!(
            "; {} of them kept, at most {} of a bin",
            thousands(database.opponents().len() as u64),
            thousands(cap)
        ),
    };
    format!(
        "{} random WPCs (seed {seed}), each judged by {} double games against random WPCs, {} games \
         in all{kept}",
        thousands(opponents),
        thousands(doubles),
        thousands(database.recipe().games())
    )
}

/// The same as an object.
pub fn recipe_json(database: &Database) -> Value {
    let Recipe { seed, opponents, doubles, cap } = *database.recipe();
    json!({
        "seed": seed,
        "opponents": opponents,
        "doubles": doubles,
        "cap": cap,
        "kept": database.opponents().len(),
        "games": database.recipe().games(),
    })
}

fn parse_opponents(text: &str) -> Result<u64, String> {
    parse_up_to(text, MOST_OPPONENTS, "opponents")
}

fn parse_doubles(text: &str) -> Result<u64, String> {
    parse_up_to(text, MOST_DOUBLES, "double games")
}

fn parse_up_to(text: &str, most: u64, what: &str) -> Result<u64, String> {
    match text.replace('_', "").parse::<u64>() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("expected a number of {what} from 1 to {most}")),
    }
}
