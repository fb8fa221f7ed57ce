//! `outflank presets` and `outflank preset`: the list of methods, and all parameters of one.

use std::io::{self, Write};

use super::output::print_named;
use super::text::{help, print_wrapped};
use super::{Error, answer};
use outflank_commands::{PresetEntry, PresetRequest, PresetsRequest};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank presets
  outflank presets --json

A preset is a method with all its settings, most of them from a paper.
`outflank learn NAME` trains players with it. A WPC is a weighted piece counter:
64 weights, one for each square of the board."))]
pub struct ListArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = help("\
A spec file has the form that this command prints. With `base`, the name of a
preset or of another file, it needs only the keys that differ. `false` removes a
source of opponents, and another `kind` drops the keys that it does not have.
`outflank learn FILE` trains players with it.

Some words: a WPC is a weighted piece counter, 64 weights for the squares. A run
is one training with one seed. A probe is one measurement of the best player
during a run, and `utility` is the score against random WPCs.

Examples:
  outflank preset ctdl-hof
  outflank preset ctdl --set local.alpha=-0.01 --set games=100000
  outflank preset cel --set opponents.peers=false --set opponents.random-wpc.number=50
  outflank preset 2cel --set probes.vs='[\"random\", \"utility\"]' > mine.toml"))]
pub struct ShowArgs {
    /// A preset's name or a spec file
    #[arg(value_name = "NAME|FILE")]
    method: String,
    /// Change a parameter; can be repeated, and the last one wins
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn list(args: ListArgs) -> Result<(), Error> {
    let Some(answer) = answer(&PresetsRequest {}, args.json)? else { return Ok(()) };
    let mut out = io::stdout().lock();
    let work = |method: &PresetEntry| split_citation(&method.paper).0.to_owned();
    // Papers in order of first appearance.
    let mut methods = answer.results;
    let works: Vec<String> = methods.iter().map(work).collect();
    methods.sort_by_key(|method| works.iter().position(|other| *other == work(method)));
    for (index, methods) in methods.chunk_by(|a, b| work(a) == work(b)).enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        print_wrapped(&mut out, &work(&methods[0]))?;
        let row = |method: &PresetEntry| {
            let section = split_citation(&method.paper).1;
            let section = if section.is_empty() { String::new() } else { format!(" ({section})") };
            [format!("  {}", method.name), format!("{}{section}", method.summary)]
        };
        print_named(&mut out, &methods.iter().map(row).collect::<Vec<_>>())?;
    }
    Ok(())
}

pub fn show(args: ShowArgs) -> Result<(), Error> {
    let request = PresetRequest { method: args.method, set: args.set };
    let Some(answer) = answer(&request, args.json)? else { return Ok(()) };
    Ok(write!(io::stdout().lock(), "{}", answer.commented)?)
}

/// Splits a citation into the paper and the section.
fn split_citation(paper: &str) -> (&str, &str) {
    paper.rsplit_once(", section ").unwrap_or((paper, ""))
}
