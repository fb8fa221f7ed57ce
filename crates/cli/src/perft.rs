//! `outflank perft`: the size of the game tree.

use std::io::{self, Write};
use std::time::Instant;

use serde_json::json;

use super::Error;
use super::output::{print_json, thousands};
use outflank_game::othello::{Convention, Position, parse_position, perft, write_position};
use outflank_kernel::Kernel;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank perft --depth 10
  outflank perft --depth 10 --convention edax
  outflank perft --depth 5 \\
  --position '---------------------------OX------XO---------------------------X'")]
pub struct Args {
    /// Plies to look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    /// Where to start: 64 squares a1 to h8 (X black, O white, - empty) and the side to move
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// Whether a game that ended earlier is a leaf (bik) or nothing (edax); a pass is a ply in both
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
    let position = match &args.position {
        Some(text) => {
            let wrong = |error| Error::Usage(format!("--position: {error}"));
            parse_position(text).map_err(wrong)?
        }
        None => Position::START,
    };
    let (convention, name) = match args.convention {
        ConventionArg::Bik => (Convention::Bik, "bik"),
        ConventionArg::Edax => (Convention::Edax, "edax"),
    };
    let kernel = Kernel::detect()?;
    let began = Instant::now();
    let nodes = perft(kernel, position.board, args.depth, convention);
    let rate = nodes as f64 / began.elapsed().as_secs_f64();
    if args.json {
        return print_json(
            "perft",
            json!({
                "depth": args.depth,
                "position": write_position(position),
                "convention": name,
                "nodes": nodes,
                "nodes_per_second": rate,
                "kernel": kernel.name(),
            }),
        );
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{nodes}")?;
    writeln!(out, "{} leaves a second, kernel {}", thousands(rate as u64), kernel.name())?;
    Ok(())
}
