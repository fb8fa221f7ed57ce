//! `outflank players`: the players that have a name.

use std::io;

use super::output::print_named;
use super::text::help;
use super::{Error, answer};
use outflank_commands::PlayersRequest;

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank players
  outflank players --json

A name can be used wherever a command takes a PLAYER. A WPC is a weighted piece
counter: 64 weights, one for each square of the board."))]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let Some(answer) = answer(&PlayersRequest {}, args.json)? else { return Ok(()) };
    let rows = answer.results.iter().map(|named| [named.name.into(), named.summary.into()]);
    Ok(print_named(&mut io::stdout().lock(), &rows.collect::<Vec<[String; 2]>>())?)
}
