//! `outflank presets` and `outflank preset`: the methods there are, and all of one's parameters.

use outflank_learn::{Method, PRESETS, resolve};
use std::io::{self, Write};

use serde_json::json;

use super::Error;
use super::output::{TextTable, print_json};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank presets
  outflank presets --json")]
pub struct ListArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
A spec file looks like what this command prints. It may name a `base`, a preset or
another file, and then has only what differs; `false` takes a source of opponents
away, and another `kind` drops what that kind does not know.

Examples:
  outflank preset ctdl-hof
  outflank preset ctdl --set local.alpha=-0.01 --set games=100000
  outflank preset cel --set opponents.peers=false --set opponents.random-wpc.number=50
  outflank preset 2cel --set probes.vs='[\"random\", \"utility\"]' > mine.toml")]
pub struct ShowArgs {
    /// A preset's name or a spec file
    #[arg(value_name = "NAME|FILE")]
    method: String,
    /// Change a parameter; can be given many times, the last one wins
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn list(args: ListArgs) -> Result<(), Error> {
    let methods = PRESETS.iter().map(|preset| resolve(preset.name, &[]));
    let methods: Vec<Method> = methods.collect::<Result<_, _>>()?;
    if args.json {
        let results: Vec<_> = methods
            .iter()
            .map(|Method { name, summary, paper, .. }| {
                json!({ "name": name, "summary": summary, "paper": paper })
            })
            .collect();
        return print_json("presets", json!({ "results": results }));
    }
    let mut out = io::stdout().lock();
    let work = |method: &Method| split_citation(&method.paper).0.to_owned();
    // Papers in the order in which they first appear.
    let mut methods = methods;
    let works: Vec<String> = methods.iter().map(work).collect();
    methods.sort_by_key(|method| works.iter().position(|other| *other == work(method)));
    for (index, methods) in methods.chunk_by(|a, b| work(a) == work(b)).enumerate() {
        writeln!(out, "{}{}", if index > 0 { "\n" } else { "" }, work(&methods[0]))?;
        let mut table = TextTable::new(3);
        for method in methods {
            let name = format!("  {}", method.name);
            table.row([&name, split_citation(&method.paper).1, &method.summary]);
        }
        table.print(&mut out)?;
    }
    Ok(())
}

pub fn show(args: ShowArgs) -> Result<(), Error> {
    let method = resolve(&args.method, &args.set)?;
    if args.json {
        let spec = serde_json::to_value(&method.spec).map_err(io::Error::from)?;
        let Method { name, summary, paper, .. } = &method;
        let body = json!({ "name": name, "summary": summary, "paper": paper, "spec": spec });
        return print_json("preset", body);
    }
    Ok(write!(io::stdout().lock(), "{}", method.commented())?)
}

/// The paper and the section.
fn split_citation(paper: &str) -> (&str, &str) {
    paper.rsplit_once(", section ").unwrap_or((paper, ""))
}
