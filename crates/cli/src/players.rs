//! `outflank players`: who has a name.

use std::io;

use serde_json::json;

use super::Error;
use super::output::{TextTable, print_json};
use outflank_game::player::NAMED;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank players
  outflank players --json")]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    if args.json {
        let players: Vec<_> = NAMED
            .iter()
            .map(|named| json!({ "name": named.name, "summary": named.summary }))
            .collect();
        return print_json("players", json!({ "results": players }));
    }
    let mut table = TextTable::new(2);
    for named in NAMED {
        table.row([named.name, named.summary]);
    }
    Ok(table.print(&mut io::stdout().lock())?)
}
