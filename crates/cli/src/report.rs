//! `outflank report`: studies as one HTML page with figures.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::measure::parse_sample;
use super::text::{clean, help};
use super::{Error, answer, parse_games, parse_seed, parse_threads};
use outflank_commands::{ReportRequest, split_names};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank report runs/ctdl-hof
  outflank report runs/rsel-* runs/2cel-rs-* --out sampling.html
  outflank report old=runs/a new=runs/b --games 10000
  outflank report runs/td-lambda-* --vs td-greedy,positional,utility

A study is all runs of one method, and a run is one training with one seed. The
page is one file that needs no others: learning curves, final results with
intervals and tests, the champions' boards or networks, a round robin of the
studies and two objectives (with two studies or more), performance profiles,
settings, commands and costs.

The report plays games of its own, so that all champions are measured in the same
way, whatever probes (measurements during training) their studies had. `utility`
is the score against random weighted piece counters (WPCs). The figures are also
written as SVG files to a folder beside the page, report-figures for report.html,
with the numbers of each learning curve as a CSV file."))]
pub struct Args {
    /// Studies or runs of `outflank learn`, as PATH or NAME=PATH
    #[arg(value_name = "STUDY|RUN", required = true)]
    studies: Vec<String>,
    /// The HTML file to write
    #[arg(long, default_value = "report.html", value_name = "FILE")]
    out: PathBuf,
    /// Benchmark opponents of all champions, separated by commas, as in `outflank measure`
    #[arg(long, default_value = VS, value_name = "PROBE,...")]
    vs: String,
    /// Number of single games of each champion against each benchmark opponent, even
    #[arg(long, default_value_t = GAMES, value_name = "N", value_parser = parse_games, allow_negative_numbers = true)]
    games: u64,
    /// Number of double games of each champion for its expected utility
    #[arg(long, default_value_t = SAMPLE, value_name = "N", value_parser = parse_sample, allow_negative_numbers = true)]
    sample: u64,
    /// The database of opponents for performance profiles [default: the one that comes with the
    /// program]
    #[arg(long, value_name = "FILE", conflicts_with = "no_profiles")]
    profile_db: Option<PathBuf>,
    /// Replace the file of --out even if it is not a report
    #[arg(long)]
    force: bool,
    /// Leave out the performance profiles
    #[arg(long)]
    no_profiles: bool,
    /// Seed of the games that the report plays
    #[arg(long, default_value_t = 1, value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const VS: &str = "random,heuristic,lr2006,ctdl2009-best,utility";
const GAMES: u64 = 10_000;
const SAMPLE: u64 = 25_000;

pub fn run(args: Args) -> Result<(), Error> {
    let vs = split_names(&args.vs);
    let Args { studies, out, games, sample, profile_db, no_profiles, seed, threads, .. } = args;
    let (profiles, force) = (!no_profiles, args.force);
    let request = ReportRequest {
        studies,
        out,
        vs,
        games,
        sample,
        profile_db,
        profiles,
        seed,
        threads,
        force,
    };
    let Some(answer) = answer(&request, args.json)? else { return Ok(()) };
    let mut out = io::stdout().lock();
    writeln!(out, "The report is in {}", clean(&answer.report))?;
    let folder = answer.figures.first().and_then(|figure| Path::new(figure).parent());
    if let Some(folder) = folder {
        let folder = folder.display().to_string();
        writeln!(out, "Its {} figures are in {}", answer.figures.len(), clean(&folder))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_asked_for_is_as_in_the_request() {
        let usual = ReportRequest::default();
        assert_eq!((split_names(VS), GAMES, SAMPLE), (usual.vs, usual.games, usual.sample));
    }
}
