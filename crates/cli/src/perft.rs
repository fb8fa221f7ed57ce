//! `outflank perft`: counts the leaves of the game tree, a usual check of the rules.

use std::io::{self, Write};

use super::output::thousands;
use super::text::help;
use super::{Error, answer};
use outflank_commands::PerftRequest;

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank perft --depth 10
  outflank perft --depth 10 --convention edax
  outflank perft --depth 5 \\
  --position '---------------------------OX------XO---------------------------X'"))]
pub struct Args {
    /// Plies to look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    /// Where to start: 64 squares a1 to h8 (X black, O white, - empty) and the side to move
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// Whether a game that ends earlier counts as a leaf (bik) or not (edax); a pass is a ply in
    /// both
    #[arg(long, default_value = "bik")]
    convention: ConventionArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ConventionArg {
    Bik,
    Edax,
}

pub fn run(args: Args) -> Result<(), Error> {
    let convention = match args.convention {
        ConventionArg::Bik => "bik",
        ConventionArg::Edax => "edax",
    };
    let Args { depth, position, .. } = args;
    let request = PerftRequest { depth, position, convention: convention.into() };
    let Some(answer) = answer(&request, args.json)? else { return Ok(()) };
    let mut out = io::stdout().lock();
    writeln!(out, "{}", answer.nodes)?;
    let rate = thousands(answer.nodes_per_second as u64);
    Ok(writeln!(out, "{rate} leaves per second, kernel {}", answer.kernel)?)
}
