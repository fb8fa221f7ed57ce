//! The command line: arguments in, tables or one JSON object out. Results go to standard output,
//! progress and messages to standard error. The exit code is 2 for wrong usage and 1 for failures.

mod analyse;
mod bench;
mod book;
mod compare;
mod convert;
mod engine;
mod error;
mod front;
mod interrupts;
mod learn;
mod match_;
mod measure;
mod output;
mod perft;
mod pieces;
mod play;
mod players;
mod presets;
mod profile;
mod profile_build;
mod report;
mod runs;
mod saved_games;
#[cfg(feature = "serve")]
mod serve;
mod shell;
mod show;
mod solve;
mod study;
mod terminal;
mod text;
mod tournament;

use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{Args, ColorChoice, Parser, Subcommand};
use outflank_commands::{Playing, part_json, to_json};
use outflank_game::player::{OPTIONS, Player, parse_player};
use terminal::{Terminal, say};
use text::{help, parse_whole};

pub use error::Error;

#[derive(Parser)]
#[command(
    name = "outflank",
    version = VERSION.as_str(),
    about = "A laboratory for learning to play Othello",
    after_help = players_help(),
    max_term_width = 100
)]
struct Cli {
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

/// The version, and the bench signature: programs with the same one play the same games.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    format!("{} (signature {:016x})", env!("CARGO_PKG_VERSION"), outflank_lab::SIGNATURE)
});

/// What a player argument can be; shown with the list of commands.
fn players_help() -> String {
    let policies: String = OPTIONS
        .iter()
        .map(|option| format!("  {:<24} {}\n", option.example, option.meaning))
        .collect();
    help(&format!(
        "\
A PLAYER is a name (`outflank players` lists them), the folder of a run of
`outflank learn` (its champion), or a file: JSON as written by this program, or
64 numbers, the weights of a weighted piece counter (WPC) from a1 to h8. A WPC
values a board by the sum of the weights under its own discs minus the sum under
its opponent's.

A run is one training with one seed. A study is all runs of one method with the
same settings.

The hash at the end of a study's folder may be left out if the rest is unique:
runs/ctdl-hof, and runs/ctdl-hof/7 for its run with seed 7. A run with several
objectives has a front of players: runs/mopso/3#2 is player 2 of run 3.

Another program that speaks GTP can play in match, tournament and measure:
'gtp:gtp-rhino -l 3'; @time=5 allows it five seconds a move.

After @ you can say how the player chooses moves:
{policies}
The environment variable OUTFLANK_KERNEL (avx512, avx2 or portable) picks the
code that plays the games; the results are the same."
    ))
}

#[derive(Subcommand)]
enum Command {
    /// Train players by a method (without arguments: a demonstration)
    Learn(Box<learn::Args>),
    /// Measure players against the papers' benchmark opponents
    Measure(measure::Args),
    /// Compare studies: which method is better, and is it certain?
    Compare(compare::Args),
    /// Profile players against opponents of every strength
    Profile(profile::Args),
    /// Play two players against each other
    Match(match_::Args),
    /// Play a round robin of players or teams
    Tournament(tournament::Args),
    /// Judge every move of games: what it lost, and who leads
    Analyse(analyse::Args),
    /// Convert games and positions between formats: GGF, WTHOR, OBF, transcripts and more
    Convert(convert::Args),
    /// List and draw the fronts of studies with several objectives
    Front(front::Args),
    /// Write an HTML report on studies, with figures
    Report(report::Args),
    /// Run a whole experiment from a file: cases, contests, tables and figures
    Study(Box<study::Args>),
    /// Repeat a paper, and put our figures beside the published ones
    Reproduce(Box<study::ReproduceArgs>),
    /// List the studies on disk, or remove some
    Runs(runs::Args),
    /// List the players that have a name
    Players(players::Args),
    /// List the methods of the papers
    Presets(presets::ListArgs),
    /// Print all parameters of a method with their meaning
    Preset(presets::ShowArgs),
    /// Show what a player has learned, as a board or a network
    Show(show::Args),
    /// Play against a player in the terminal
    Play(play::Args),
    /// A player as an engine for GoGui, Quarry and other programs that speak GTP
    Gtp(engine::GtpArgs),
    /// A player as an engine for NBoard
    Nboard(engine::NboardArgs),
    /// Solve endgames: the exact result, all best moves and a line
    Solve(solve::Args),
    /// Count the leaves of the game tree at a depth
    Perft(perft::Args),
    /// Measure how fast the kernels are
    Bench(bench::Args),
    /// Build opening books and ask them
    Book(book::Args),
    /// Print completions for a shell
    Completions(shell::CompletionsArgs),
    /// Write manual pages
    Man(shell::ManArgs),
    /// Watch runs, look into players and play them on a page in the browser
    #[cfg(feature = "serve")]
    Serve(serve::Args),
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
        say(&format!("error: a bug in outflank at {place}: {message}"));
        say("Please report it with the command that led here.");
    }));
    let cli = Cli::parse_from(std::env::args_os().map(text::shield));
    match cli.color {
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        ColorChoice::Auto => {}
    }
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match cli.command {
        Command::Learn(args) => learn::run(*args),
        Command::Measure(args) => measure::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Profile(args) => profile::run(args),
        Command::Match(args) => match_::run(args),
        Command::Tournament(args) => tournament::run(args),
        Command::Analyse(args) => analyse::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Front(args) => front::run(args),
        Command::Report(args) => report::run(args),
        Command::Study(args) => study::run(*args),
        Command::Reproduce(args) => study::reproduce(*args),
        Command::Runs(args) => runs::run(args),
        Command::Players(args) => players::run(args),
        Command::Presets(args) => presets::list(args),
        Command::Preset(args) => presets::show(args),
        Command::Show(args) => show::run(args),
        Command::Play(args) => play::run(args),
        Command::Gtp(args) => engine::gtp(&args),
        Command::Nboard(args) => engine::nboard(&args),
        Command::Solve(args) => solve::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Book(args) => book::run(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args),
    }));
    match done {
        Ok(Ok(())) | Ok(Err(Error::ClosedPipe)) => ExitCode::SUCCESS,
        Ok(Err(error @ Error::PartDone(_))) => {
            say(&error.to_string());
            ExitCode::SUCCESS
        }
        Ok(Err(error)) => {
            say(&format!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
        Err(_) => ExitCode::from(1),
    }
}

/// Runs a request, with progress on standard error. Prints the answer if JSON is wanted; otherwise
/// returns it, to be printed as text.
fn answer<C: outflank_commands::Command>(
    request: &C,
    json: bool,
) -> Result<Option<C::Answer>, Error> {
    interrupts::catch();
    let answer = match request.run(&Terminal::new()) {
        Err(outflank_commands::Error::PartDone(done)) if json => {
            output::print_json(&part_json::<C>(&done))?;
            // As without JSON, where nothing else is printed.
            return Err(Error::PartDone(done.to_string()));
        }
        answer => answer?,
    };
    if json {
        output::print_json(&to_json::<C>(&answer))?;
        return Ok(None);
    }
    Ok(Some(answer))
}

/// Options of every command that plays games.
#[derive(Args)]
struct PlayingArgs {
    /// Seed of all random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Where games start: `random:K` for K random plies, or a file of transcripts, positions or
    /// games; both games of a pair share the opening
    #[arg(long, value_name = "FILE|random:K")]
    openings: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl PlayingArgs {
    fn request(&self) -> Playing {
        let PlayingArgs { seed, threads, openings, .. } = self;
        Playing { seed: *seed, threads: *threads, openings: openings.clone() }
    }
}

/// Options of commands that can be done in parts.
#[derive(Args)]
struct PartsArgs {
    /// Folder of parts that several processes made: puts them together
    #[arg(long, value_name = "DIR")]
    parts: Option<std::path::PathBuf>,
    /// With --parts: make only this part, e.g. 3/40 (the fourth of forty) or env/40 (the number of
    /// this task of an array)
    #[arg(long, value_name = "K/N", requires = "parts")]
    part: Option<String>,
}

impl PartsArgs {
    fn request(self) -> outflank_commands::Parts {
        outflank_commands::Parts { folder: self.parts, part: self.part }
    }
}

fn player(text: &str) -> Result<Player, Error> {
    Ok(parse_player(text)?)
}

/// More than any machine has; a larger number would fail with a message of the system.
const MAX_THREADS: usize = 4096;

fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!("expected a number of threads from 1 to {MAX_THREADS}")),
    }
}

/// Centuries of games.
const MAX_GAMES: u64 = 1_000_000_000_000_000;

/// An even number of games, 2 or more: colours alternate in pairs.
fn parse_games(text: &str) -> Result<u64, String> {
    match parse_whole(text) {
        Some(games) if (2..=MAX_GAMES).contains(&games) && games.is_multiple_of(2) => Ok(games),
        Some(games) if games < MAX_GAMES && games % 2 == 1 => {
            Err(format!("colours alternate in pairs, so it must be even; try {}", games + 1))
        }
        _ => {
            Err(format!("expected an even number of games from 2 to {MAX_GAMES}, e.g. 1000 or 1e6"))
        }
    }
}

/// Reads a moment of a run.
fn parse_at(text: &str) -> Result<u64, String> {
    parse_whole(text).ok_or_else(|| "expected a number of training games, e.g. 1M or 500k".into())
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}
