//! `outflank bench`: rates of the kernels, and the signature.

use std::io::{self, Write};

use super::output::{TextTable, thousands};
use super::text::{help, percent};
use super::{Error, answer, parse_threads};
use outflank_commands::{
    BenchAnswer, BenchLearningAnswer, BenchLearningRequest, BenchRequest, SignatureRequest,
};
use outflank_lab::{Rate, Workload};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank bench
  outflank bench --windows 101 --json
  outflank bench --signature
  outflank bench --learning

Rates are medians of short windows that are measured in turn: in CPU time on one
thread, in wall-clock time on several, where other work on the machine matters. A
WPC is a weighted piece counter.
  wpc        games in the batch kernel between WPCs, fresh weights every game
  random     games in the batch kernel between random movers
  single     WPC games one at a time, without the batch kernel
  td         games in which one WPC learns by temporal differences
  td-batch   the same with a batch of learners side by side
  mlp        games of a multilayer perceptron (MLP) 64-20-1 against the random player, one at a time
  mlp-10     the same with a 64-10-1 MLP
  graph-10   the same with that MLP as a graph
  td-lambda  games from which a 64-20-1 MLP learns by off-line TD(lambda)
  spatial-2  games of the spatial network of Chong et al. 2005 against the random player, at depth 2
  plain-2    the same with boards evaluated one at a time
  tree-6     boards that a WPC evaluates to look six moves ahead
  ask        moves about which 100 WPCs are asked at once how many of them would make it (+en)
  ask-each   the same, one WPC after the other
  perft      leaves of the game tree

--learning measures every preset on one core, without probes (measurements during
a run) and checkpoints. It alternates with games of 50 WPCs against 50 in the
batch kernel, and gives the rate as a share of that. `tdl x 30` is 30 runs side by
side.

--signature prints a line for each of many fixed games and small runs. If a line
differs between two programs, that result differs. The signature beside the rates
is one number for all lines.

The environment variable OUTFLANK_KERNEL limits the benchmark to one kernel."))]
pub struct Args {
    /// Print hashes of fixed games and small runs, the same on every machine
    #[arg(long)]
    signature: bool,
    /// Measure the presets of `outflank learn` instead
    #[arg(long, conflicts_with = "signature")]
    learning: bool,
    /// Number of windows for each rate
    #[arg(long, default_value_t = 21, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    windows: u32,
    /// Number of threads to compare with one [default: all cores]
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let windows = args.windows as usize;
    if args.signature {
        let Some(answer) = answer(&SignatureRequest {}, args.json)? else { return Ok(()) };
        let mut out = io::stdout().lock();
        return Ok(answer.lines.iter().try_for_each(|line| writeln!(out, "{line}"))?);
    }
    if args.learning {
        let Some(answer) = answer(&BenchLearningRequest { windows }, args.json)? else {
            return Ok(());
        };
        return print_paces(&answer);
    }
    let request = BenchRequest { windows, threads: args.threads };
    answer(&request, args.json)?.map_or(Ok(()), |answer| print_rates(&answer))
}

fn print_paces(answer: &BenchLearningAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}, kernel {}, one thread", answer.cpu, answer.kernel)?;
    let mut table = TextTable::new(1);
    table.row(["", "games/s", "share of kernel"]);
    for pace in &answer.results {
        table.row([pace.name.clone(), thousands(pace.rate as u64), percent(pace.share)]);
    }
    Ok(table.print(&mut out)?)
}

fn print_rates(answer: &BenchAnswer) -> Result<(), Error> {
    let (bench, rates) = &answer.measured;
    let mut out = io::stdout().lock();
    writeln!(out, "{}, signature {}", answer.cpu, answer.signature)?;
    let mut table = TextTable::new(2);
    let head = bench.kernels.iter().flat_map(|kernel| {
        bench.threads.iter().map(move |threads| match threads {
            1 => format!("{}, 1 thread", kernel.name()),
            threads => format!("{}, {threads} threads", kernel.name()),
        })
    });
    table.row(["a second".to_string(), String::new()].into_iter().chain(head));
    for workload in Workload::ALL {
        let medians = bench.kernels.iter().flat_map(|kernel| {
            bench.threads.iter().map(move |&threads| {
                let of = |rate: &&Rate| {
                    (rate.kernel, rate.threads, rate.workload) == (*kernel, threads, workload)
                };
                rates.iter().find(of).map_or("-".into(), |rate| thousands(rate.median() as u64))
            })
        });
        let name = [workload.name().to_string(), workload.unit().to_string()];
        table.row(name.into_iter().chain(medians));
    }
    table.print(&mut out)?;
    Ok(writeln!(out, "Rates are in CPU time for one thread, in wall-clock time for several.")?)
}
