//! `outflank book show`, `stats` and `export`.

use std::io::{self, Write};
use std::path::Path;

use super::build::summary_text;
use crate::output::{TextTable, csv_failed, thousands};
use crate::text::{clean, help, print_wrapped};
use crate::{Error, answer};
use outflank_commands::{
    BookExportAnswer, BookExportRequest, BookShowAnswer, BookShowRequest, BookStatsAnswer,
    BookStatsRequest,
};
use outflank_game::book::SMALL;
use outflank_game::othello::Square;

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank book show
  outflank book show f5d6c3
  outflank book show mine.book f5d6c3
  outflank book show small \\
  '---------------------------OX------XO---------------------------X'

Values are in discs, for the side that makes the move: what it is worth if both go
on with the best moves of the book. An = before a value says that it is exact, the
best that there is. Games are those in which the move was made: won, drawn, lost,
and their mean margin. The line is how it goes on."))]
pub struct ShowArgs {
    /// The book: a file, or small for the one that comes with the program, which is meant if there
    /// is none
    #[arg(value_name = "BOOK", allow_hyphen_values = true)]
    first: Option<String>,
    /// Moves of a game, or 64 squares a1 to h8 (X black, O white, - empty) and the side to move
    /// [default: the start of the game]
    #[arg(value_name = "POSITION|GAME", allow_hyphen_values = true)]
    second: Option<String>,
    /// The same as BOOK
    #[arg(long, value_name = "BOOK", conflicts_with = "second")]
    book: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank book stats small
  outflank book stats mine.book

Reads all of the book: a damaged one is an error."))]
pub struct StatsArgs {
    /// The book: a file, or small for the one that comes with the program, which is meant if there
    /// is none
    #[arg(value_name = "BOOK", default_value = "", hide_default_value = true)]
    book: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank book export small --plies 8 > openings.csv
  outflank book export mine.book --least-visits 10 --json

A line of CSV for each move of each position. Positions are seen with Black to
move, and one of eight symmetric ones stands for all."))]
pub struct ExportArgs {
    /// The book: a file, or small for the one that comes with the program, which is meant if there
    /// is none
    #[arg(value_name = "BOOK", default_value = "", hide_default_value = true)]
    book: String,
    /// Leave out positions after more moves
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// Leave out moves that were made in fewer games
    #[arg(long, value_name = "N", default_value = "0")]
    least_visits: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn show(args: ShowArgs) -> Result<(), Error> {
    let (book, position) = match (args.book, args.first, args.second) {
        // In either order: the two cannot be confused.
        (None, Some(word), Some(book))
            if matches!((is_book(&word), is_book(&book)), (Ok(false), Ok(true))) =>
        {
            (book, word)
        }
        (None, Some(book), Some(position)) => (book, position),
        (None, Some(word), None) if is_book(&word)? => (word, String::new()),
        (book, position, _) => (book.unwrap_or_default(), position.unwrap_or_default()),
    };
    let request = BookShowRequest { book, position };
    answer(&request, args.json)?.map_or(Ok(()), |answer| print_show(&answer))
}

/// Says whether a word that stands alone is a book rather than a position.
fn is_book(word: &str) -> Result<bool, Error> {
    let is_square = |letter: &char| "-.XxOo*BbWw".contains(*letter);
    let is_moves = word.get(..2).is_some_and(|first| first.parse::<Square>().is_ok())
        && !word.contains(['.', '/', '\\']);
    let is_position = is_moves || word.chars().take_while(is_square).count() >= 32;
    match Path::new(word).is_file() {
        _ if word == SMALL => Ok(true),
        true if is_position => Err(Error::Usage(format!(
            "{word:?} is ambiguous: it may be a position, and there is a file of this name. Write \
             ./{word} for the file, or name a book before the position"
        ))),
        true => Ok(true),
        false if is_position || word.chars().all(|letter| is_square(&letter)) => Ok(false),
        false => Err(Error::Usage(format!(
            "{word:?} is neither a book nor a position: expected small, a file, moves such as \
             f5d6c3, or 64 squares and the side to move"
        ))),
    }
}

fn print_show(answer: &BookShowAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let (board, side) = answer.position.split_once(' ').unwrap_or((&answer.position, ""));
    for row in 0..8 {
        let squares: Vec<String> =
            board.chars().skip(8 * row).take(8).map(|square| square.to_string()).collect();
        writeln!(out, "  {} {}", row + 1, squares.join(" "))?;
    }
    writeln!(out, "    a b c d e f g h")?;
    let side = if side == "X" { "Black" } else { "White" };
    if let Some(number) = answer.moves_in_book {
        let moves = if number == 1 { "move is" } else { "moves are" };
        writeln!(out, "{number} {moves} in the book {}", clean(&answer.book))?;
    }
    let Some(value) = answer.value else {
        return Ok(print_wrapped(
            &mut out,
            &format!(
                "{side} to move. The book {} does not have this position.",
                clean(&answer.book)
            ),
        )?);
    };
    let proved = if answer.proved { ", which is proved" } else { "" };
    writeln!(out, "{side} to move, worth {value:+.2} discs{proved}")?;
    let mut table = TextTable::new(1);
    table.row(["move", "value", "games", "won", "drawn", "lost", "mean", "line"]);
    for of in &answer.moves {
        let exact = if of.exact { "=" } else { "" };
        table.row([
            of.squares.join(" "),
            format!("{exact}{:+.2}", of.value),
            thousands(of.visits),
            thousands(of.wins.into()),
            thousands(of.draws.into()),
            thousands(of.losses.into()),
            format!("{:+.2}", of.mean_margin),
            of.line.chars().take(2 * SHOWN).collect(),
        ]);
    }
    Ok(table.print(&mut out)?)
}

/// Moves of a line that are shown.
const SHOWN: usize = 10;

pub fn stats(args: StatsArgs) -> Result<(), Error> {
    let StatsArgs { book, json } = args;
    answer(&BookStatsRequest { book }, json)?.map_or(Ok(()), |answer| print_stats(&answer))
}

fn print_stats(answer: &BookStatsAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let text = format!("{}: {}", clean(&answer.book), summary_text(&answer.summary));
    print_wrapped(&mut out, &text)?;
    for line in &answer.summary.sources {
        writeln!(out, "  {}", clean(line))?;
    }
    writeln!(out, "  hash {}", answer.summary.hash)?;
    if let Some(value) = answer.start_value {
        writeln!(out, "  the start is worth {value:+.2} discs to Black")?;
    }
    if let (Some(open), Some(load), Some(look_up)) =
        (answer.open_seconds, answer.load_seconds, answer.look_up_nanoseconds)
    {
        let milliseconds = |seconds: f64| format!("{:.1} ms", 1000.0 * seconds);
        let (open, load) = (milliseconds(open), milliseconds(load));
        writeln!(out, "  opened in {open}, read in {load}, a look-up in {look_up:.0} ns")?;
    }
    let mut table = TextTable::new(0);
    table.row(["moves before", "positions", "proved", "moves", "games through"]);
    for of in &answer.by_ply {
        let counts = [of.positions, of.proved, of.moves, of.visits].map(thousands);
        table.row([of.ply.to_string()].into_iter().chain(counts));
    }
    Ok(table.print(&mut out)?)
}

pub fn export(args: ExportArgs) -> Result<(), Error> {
    let ExportArgs { book, plies, least_visits, json } = args;
    let request = BookExportRequest { book, plies, least_visits };
    answer(&request, json)?.map_or(Ok(()), |answer| print_csv(&answer))
}

fn print_csv(answer: &BookExportAnswer) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    let head = [
        "position",
        "ply",
        "proved",
        "move",
        "value",
        "visits",
        "wins",
        "draws",
        "losses",
        "mean_margin",
    ];
    out.write_record(head).map_err(csv_failed)?;
    for of in &answer.results {
        for line in &of.moves {
            let record = [
                of.position.clone(),
                of.ply.to_string(),
                of.proved.to_string(),
                line.at.clone(),
                line.value.to_string(),
                line.visits.to_string(),
                line.wins.to_string(),
                line.draws.to_string(),
                line.losses.to_string(),
                line.mean_margin.to_string(),
            ];
            out.write_record(record).map_err(csv_failed)?;
        }
    }
    Ok(out.flush()?)
}
