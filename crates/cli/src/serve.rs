//! `outflank serve`: the page on which runs are watched and players are played.

use std::io::{self, Write};
use std::net::IpAddr;
use std::path::PathBuf;

use outflank_serve::{Options, Server};
use serde_json::json;

use super::terminal::say;
use super::text::help;
use super::{Error, interrupts, output};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank serve
  outflank serve experiments/mine --port 8000
  ssh -L 8000:localhost:8000 machine outflank serve --port 8000

Prints an address; open it in a browser. Only this machine can reach it, and only
who knows the token in it. The page reads and writes nothing outside FOLDER. What
it starts is the same work as that of `outflank learn`, with the same bytes; when
the server ends, it stops where it can be resumed.

The token is new at each start. The environment variable OUTFLANK_TOKEN sets one
that stays, so that open pages go on after a restart."))]
pub struct Args {
    /// The folder with runs, studies and players
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value = "0")]
    port: u16,
    /// Let other machines reach it at this address of this one; whoever has the token may then
    /// start work here, and the network can read what is sent
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// Print one JSON object with the address
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let usual = Options::default();
    let failed = |error: outflank_serve::Error| match error {
        outflank_serve::Error::System(_) => Error::Failed(error.to_string()),
        _ => Error::Usage(error.to_string()),
    };
    let server = Server::bind(Options {
        folder: args.folder,
        listen: args.listen.unwrap_or(usual.listen),
        port: args.port,
        token: std::env::var("OUTFLANK_TOKEN").ok().filter(|token| !token.is_empty()),
        web: std::env::var_os("OUTFLANK_WEB").map(PathBuf::from),
    })
    .map_err(failed)?;
    interrupts::catch();
    if args.listen.is_some_and(|address| !address.is_loopback()) {
        say("warning: other machines can reach this page at the address of this one; whoever has \
             the token can start work here, and what is sent is not encrypted");
    }
    let folder = server.folder().to_string_lossy().into_owned();
    let mut out = io::stdout().lock();
    if args.json {
        let about = json!({ "schema": outflank_commands::SCHEMA, "command": "serve", "url": server.url(), "folder": folder });
        output::print_json(&about)?;
    } else {
        writeln!(out, "{}\nserves {folder}; Ctrl-C ends it", server.url())?;
    }
    out.flush()?;
    drop(out);
    server.run(|| interrupts::signal().is_some()).map_err(failed)?;
    Ok(())
}
