//! `outflank book`: opening books are built, shown, counted, merged and exported.

mod ask;
mod build;

use super::Error;
use super::text::help;

#[derive(clap::Args)]
#[command(
    disable_help_subcommand = true,
    after_help = help("\
Examples:
  outflank book show
  outflank book show f5d6c3d3c4
  outflank book stats small
  outflank book build --player lr2006@epsilon=0.05 --games 20000 --out mine.book
  outflank match lr2006@book=mine.book lr2006 --games 1000

A book has the positions of many games, those that a rotation or a reflection
maps to each other as one. It knows how often each move was played, how those
games ended, and what the move is worth if both sides go on with the best moves of
the book. A player with @book=FILE plays one of its best three moves while the
position is in the book; @book=small is the book that comes with the program.")
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Make a book from games of a player with itself, or from files of games
    Build(Box<build::Args>),
    /// Show what a book knows of a position
    Show(ask::ShowArgs),
    /// Check a book, and count what is in it
    Stats(ask::StatsArgs),
    /// Make one book of several
    Merge(build::MergeArgs),
    /// Print all of a book as CSV or JSON
    Export(ask::ExportArgs),
}

pub fn run(args: Args) -> Result<(), Error> {
    match args.action {
        Action::Build(args) => build::run(*args),
        Action::Show(args) => ask::show(args),
        Action::Stats(args) => ask::stats(args),
        Action::Merge(args) => build::merge(args),
        Action::Export(args) => ask::export(args),
    }
}
