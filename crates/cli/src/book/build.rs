//! `outflank book build` and `outflank book merge`.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::output::thousands;
use crate::text::{clean, help, parse_whole, print_wrapped};
use crate::{Error, answer, parse_seed, parse_threads};
use outflank_commands::{BookBuildAnswer, BookBuildRequest, BookMergeRequest, BookSummary};
use outflank_lab::{MOST_BOOK_DEPTH, MOST_SOLVED};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank book build --player lr2006@epsilon=0.05 --games 20000 --out mine.book
  outflank book build --from WTH_2004.wtb --from games.ggf --depth 30
  outflank book build --from games.txt --depth 60 --solve 14 --out ends.book

Games come from files (WTHOR databases, GGF, transcripts with one game a line, the
games of `outflank match --save`; the content says which), or are played. While
such a game is in the book so far, it follows one of the moves that are almost as
good as the best, or, now and then, makes the move that the player likes best of
some not tried there. So the book grows where its values are in doubt. Options
of the player such as @epsilon=0.05 add to the variety. The same command makes the
same file, byte for byte, on any number of threads. Interrupted, it keeps the games
in FILE.part; repeat the command to continue."))]
pub struct Args {
    /// The player whose games with itself make the book
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// Number of games of the player with itself
    #[arg(long, default_value = "10000", value_name = "N", value_parser = parse_count, allow_negative_numbers = true, requires = "player")]
    games: u64,
    /// A file of games; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// Leave out games of files that cannot be used, instead of stopping at the first
    #[arg(long, requires = "from")]
    skip: bool,
    /// Output file. A file made by the same command is left as it is; any other file is never
    /// overwritten
    #[arg(long, value_name = "FILE", default_value = "outflank.book")]
    out: PathBuf,
    /// Moves of a game that are added
    #[arg(long, default_value = "24", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_BOOK_DEPTH)), allow_negative_numbers = true)]
    depth: u32,
    /// Probability, at each position of the book, of a move that was not tried there
    #[arg(long, default_value = "0.25", value_name = "P", allow_negative_numbers = true)]
    explore: f64,
    /// How many discs worse than the best a move may be for a game to follow it
    #[arg(long, default_value = "2", value_name = "DISCS", allow_negative_numbers = true)]
    margin: f64,
    /// Drop moves that were made in fewer games
    #[arg(long, default_value = "1", value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    least_visits: u64,
    /// Solve positions with this many empty squares or fewer, and mark them as proved
    #[arg(long, default_value = "10", value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_SOLVED)), allow_negative_numbers = true)]
    solve: u32,
    /// Seed of the games
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; the file does not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = help("\
Example:
  outflank book merge one.book two.book --out both.book

The games of all books are counted together, and values are computed again: the
same as a book built from all these games. Books that share a source of games are
refused, because its games would count twice."))]
pub struct MergeArgs {
    /// The books: files, or small for the one that comes with the program
    #[arg(value_name = "BOOK", required = true, num_args = 2..)]
    from: Vec<PathBuf>,
    /// Output file; never overwritten
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let Args { player, games, from, skip, out, depth, explore, margin, .. } = args;
    let Args { least_visits, solve, seed, threads, json, .. } = args;
    let request = BookBuildRequest {
        out,
        player,
        games,
        from,
        skip,
        depth,
        explore,
        margin,
        least_visits,
        solve,
        seed,
        threads,
    };
    answer(&request, json)?.map_or(Ok(()), |answer| print(&answer))
}

pub fn merge(args: MergeArgs) -> Result<(), Error> {
    let MergeArgs { from, out, json } = args;
    let request = BookMergeRequest { from, out };
    answer(&request, json)?.map_or(Ok(()), |answer| print(&answer))
}

fn print(answer: &BookBuildAnswer) -> Result<(), Error> {
    let was = if answer.state == "built" { "" } else { " already existed" };
    let mut out = io::stdout().lock();
    let text = format!("{}{was}: {}", clean(&answer.file), summary_text(&answer.summary));
    print_wrapped(&mut out, &text)?;
    answer.summary.sources.iter().try_for_each(|line| writeln!(out, "  {}", clean(line)))?;
    Ok(())
}

/// A book in a line.
pub fn summary_text(summary: &BookSummary) -> String {
    let BookSummary { bytes, games, positions, moves, proved, .. } = summary;
    format!(
        "{} positions with {} moves of {} games, {} positions proved, {} bytes",
        thousands(*positions),
        thousands(*moves),
        thousands(*games),
        thousands(*proved),
        thousands(*bytes)
    )
}

/// More would take a lifetime.
const MOST_COUNT: u64 = 1_000_000_000;

fn parse_count(text: &str) -> Result<u64, String> {
    match parse_whole(text) {
        Some(number) if (1..=MOST_COUNT).contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from 1 to {MOST_COUNT}, e.g. 20000 or 20k")),
    }
}
