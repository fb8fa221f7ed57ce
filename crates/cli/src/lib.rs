//! The command line: arguments in, tables or one JSON object out. Results go to standard output,
//! progress and complaints to standard error. Exit code 2 for wrong usage, 1 for failures.

mod bars;
mod bench;
mod compare;
mod error;
mod learn;
mod measure;
mod output;
mod perft;
mod play;
mod players;
mod presets;
mod profile;
mod profile_build;
mod report;
mod seeds;
mod show;
mod studies;
mod teams;
mod tournament;
mod two_players;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use clap::{Args, Parser, Subcommand};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use outflank_arena::{Arena, Openings};
use outflank_game::player::{OPTIONS, Player, parse_player};
use outflank_kernel::Kernel;

pub use error::Error;

#[derive(Parser)]
#[command(
    name = "outflank",
    version,
    about = "A laboratory for learning to play Othello",
    after_help = players_help(),
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What a player argument can be; shown with the list of commands.
fn players_help() -> String {
    let policies: String = OPTIONS
        .iter()
        .map(|option| format!("  {:<24} {}\n", option.example, option.meaning))
        .collect();
    format!(
        "\
A PLAYER is a name (`outflank players` lists them), the folder of a run of
`outflank learn` (its champion), or a file: JSON as written by this program, or
64 numbers, the weights of a WPC from a1 to h8.
A study may be named without the hash of its folder if it is the only one of its
method: runs/ctdl-hof, and runs/ctdl-hof/7 for its run with seed 7.
Behind @ stands its policy:
{policies}
OUTFLANK_KERNEL=avx512|avx2|portable in the environment picks the kernel; the
results are the same."
    )
}

#[derive(Subcommand)]
enum Command {
    /// Train players by a method (without arguments: a demonstration)
    Learn(Box<learn::Args>),
    /// Measure players by the papers' yardsticks
    Measure(measure::Args),
    /// Compare studies: which method is better, and is it sure?
    Compare(compare::Args),
    /// Profile players by opponents of every strength
    Profile(profile::Args),
    /// Play two players against each other
    Match(two_players::Args),
    /// Play a round robin of players or teams
    Tournament(tournament::Args),
    /// Write an HTML report on studies, with figures
    Report(report::Args),
    /// List the players that have names
    Players(players::Args),
    /// List the methods of the papers
    Presets(presets::ListArgs),
    /// Print all parameters of a method, with what they mean
    Preset(presets::ShowArgs),
    /// Show what a player has learned, as a board or a network
    Show(show::Args),
    /// Play against a player in the terminal
    Play(play::Args),
    /// Count the game tree to a depth
    Perft(perft::Args),
    /// Measure how fast the kernels are
    Bench(bench::Args),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or("an unknown place".into(), ToString::to_string);
        let payload = panic.payload();
        let message = payload
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        eprintln!("error: a bug in outflank at {place}: {message}");
        eprintln!("Please report it with the command that led here.");
    }));
    let cli = Cli::parse();
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match cli.command {
        Command::Learn(args) => learn::run(*args),
        Command::Measure(args) => measure::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Profile(args) => profile::run(args),
        Command::Match(args) => two_players::run(args),
        Command::Tournament(args) => tournament::run(args),
        Command::Report(args) => report::run(args),
        Command::Players(args) => players::run(args),
        Command::Presets(args) => presets::list(args),
        Command::Preset(args) => presets::show(args),
        Command::Show(args) => show::run(args),
        Command::Play(args) => play::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Bench(args) => bench::run(args),
    }));
    match done {
        Ok(Ok(())) | Ok(Err(Error::ClosedPipe)) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
        Err(_) => ExitCode::from(1),
    }
}

/// Options of every command that plays games.
#[derive(Args)]
struct PlayingArgs {
    /// Seed of all random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Where games start: `random:K` for K random plies, or a file with a transcript or a position
    /// in every line; both games of a pair share the opening
    #[arg(long, value_name = "FILE|random:K")]
    openings: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl PlayingArgs {
    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(all_cores)
    }

    fn arena(&self) -> Result<Arena, Error> {
        arena(self.threads())
    }

    fn openings(&self) -> Result<Openings, Error> {
        match &self.openings {
            Some(text) if text.is_empty() => {
                Err(Error::Usage("--openings is empty, expected a file or random:K".into()))
            }
            Some(text) => Ok(Openings::parse(text)?),
            None => Ok(Openings::Start),
        }
    }
}

fn arena(threads: usize) -> Result<Arena, Error> {
    Arena::new(Kernel::detect()?, threads)
        .map_err(|error| Error::Failed(format!("cannot start {threads} threads: {error}")))
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn player(text: &str) -> Result<Player, Error> {
    Ok(parse_player(text)?)
}

/// More threads than any machine has would only fail in the system's own words.
const MOST_THREADS: usize = 4096;

fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=MOST_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!("expected a number of threads from 1 to {MOST_THREADS}")),
    }
}

/// Centuries of play.
const MOST_GAMES: u64 = 1_000_000_000_000_000;

/// An even number of games, 2 or more: colours alternate in pairs.
fn parse_games(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse::<u64>() {
        Ok(games) if (2..=MOST_GAMES).contains(&games) && games.is_multiple_of(2) => Ok(games),
        Ok(games) if games < MOST_GAMES && games % 2 == 1 => {
            Err(format!("colours alternate in pairs, so it must be even; try {}", games + 1))
        }
        _ => Err(format!("expected an even number of games from 2 to {MOST_GAMES}")),
    }
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// From now on an interruption is noticed by [`check_interrupted`] instead of ending the process, so
/// that temporary files are cleaned up.
fn catch_interrupts() {
    for signal in [SIGINT, SIGTERM] {
        let already = Arc::new(AtomicBool::new(false));
        // The second time nobody waits. Where a handler cannot be installed, the system's own way of
        // ending remains.
        let code = 128 + signal;
        let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&already));
        let _ = flag::register(signal, already);
        let _ = flag::register_usize(signal, Arc::clone(&INTERRUPTED), signal as usize);
    }
}

/// The signal that asked us to end, or 0.
static INTERRUPTED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

fn check_interrupted() -> Result<(), Error> {
    match INTERRUPTED.load(Ordering::SeqCst) {
        0 => Ok(()),
        signal => Err(Error::Interrupted(signal as u8)),
    }
}
