//! `outflank profile`: players against opponents of every strength.

use super::{Error, profile_build};

#[derive(clap::Args)]
#[command(disable_help_subcommand = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make a database of opponents
    Build(profile_build::Args),
}

pub fn run(args: Args) -> Result<(), Error> {
    match args.command {
        Command::Build(args) => profile_build::run(args),
    }
}
