//! `outflank bench`: rates of the kernels, and the signature.

use std::io::{self, Write};

use serde_json::{Map, json};

use super::output::{Progress, TextTable, print_json, thousands};
use super::{Error, all_cores, parse_threads};
use outflank_kernel::Kernel;
use outflank_lab::{Bench, Rate, Signature, Workload, bench_learning, courses_count, signature};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank bench
  outflank bench --windows 101 --json
  outflank bench --signature
  outflank bench --learning

Rates are medians of short windows taken in turn: of CPU time on one thread,
of wall-clock time on several, which other work on the machine slows down.
  wpc        games in the batch kernel between WPCs, fresh weights every game
  random     games in the batch kernel between random movers
  single     WPC games one at a time, as players play that have no lane
  td         games in which one WPC learns by temporal differences
  td-batch   the same, a batch of learners side by side
  mlp        games of a perceptron 64-20-1 against the random player, one at a time
  mlp-10     the same of a perceptron 64-10-1
  graph-10   the same of that perceptron as a graph
  td-lambda  games from which a perceptron 64-20-1 learns by TD(lambda) off-line
  perft      leaves of the game tree
--learning measures every preset on one core, without probes and checkpoints,
in turn with 50 WPCs against 50 in the batch kernel, and gives the share of its
rate; `tdl x 30` is 30 runs side by side.
--signature prints a line for each of many fixed games and small runs; a line that
differs between two programs is a result that differs. The signature beside the
rates is one number for all lines.
OUTFLANK_KERNEL limits it to one kernel.")]
pub struct Args {
    /// Print hashes of fixed games and small runs, the same on every machine
    #[arg(long)]
    signature: bool,
    /// Measure the presets of `outflank learn` instead
    #[arg(long, conflicts_with = "signature")]
    learning: bool,
    /// Windows for each rate
    #[arg(long, default_value_t = 21, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    windows: u32,
    /// Threads to compare one with [default: all cores]
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let best = Kernel::detect()?;
    let signature = signature(best);
    if args.signature {
        return print_signature(&signature, args.json);
    }
    if args.learning {
        return learning(best, &args);
    }
    let forced = std::env::var_os("OUTFLANK_KERNEL").is_some_and(|name| !name.is_empty());
    let kernels = if forced { vec![best] } else { Kernel::available() };
    let mut threads = vec![1, args.threads.unwrap_or_else(all_cores)];
    threads.dedup();
    let bench = Bench { kernels, threads, windows: args.windows as usize };
    let progress = Progress::new(bench.steps() as u64, "windows");
    let rates = bench.run(|| progress.step());
    drop(progress);
    if !args.json {
        return print_rates(&bench, &rates, &signature);
    }
    let name =
        |rate: &Rate| format!("{}-{}-{}", rate.kernel.name(), rate.workload.name(), rate.threads);
    let medians: Map<_, _> = rates.iter().map(|rate| (name(rate), rate.median().into())).collect();
    print_json(
        "bench",
        json!({
            "kernel": best.name(),
            "cpu": cpu_name(),
            "signature": format!("{:016x}", signature.digest()),
            "windows": args.windows,
            "rates": medians,
        }),
    )
}

fn learning(kernel: Kernel, args: &Args) -> Result<(), Error> {
    let windows = args.windows as usize;
    let bar = Progress::new((windows * courses_count(kernel)) as u64, "windows");
    let paces = bench_learning(kernel, windows, || bar.step());
    drop(bar);
    if args.json {
        let results: Vec<_> = paces
            .iter()
            .map(|pace| json!({ "name": pace.name, "rate": pace.rate, "share": pace.share }))
            .collect();
        let body = json!({ "kernel": kernel.name(), "cpu": cpu_name(), "results": results });
        return print_json("bench", body);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}, kernel {}, one thread", cpu_name(), kernel.name())?;
    let mut table = TextTable::new(1);
    table.row(["", "games a second", "of the kernel's"]);
    for pace in &paces {
        let share = format!("{:.1}%", 100.0 * pace.share);
        table.row([pace.name.clone(), thousands(pace.rate as u64), share]);
    }
    Ok(table.print(&mut out)?)
}

fn print_signature(signature: &Signature, as_json: bool) -> Result<(), Error> {
    if as_json {
        let item = |(name, hash): &(String, u64)| (name.clone(), format!("{hash:016x}").into());
        let items: Map<_, _> = signature.items.iter().map(item).collect();
        let digest = format!("{:016x}", signature.digest());
        return print_json("bench", json!({ "signature": digest, "items": items }));
    }
    let mut out = io::stdout().lock();
    for line in signature.lines() {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn print_rates(bench: &Bench, rates: &[Rate], signature: &Signature) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}, signature {:016x}", cpu_name(), signature.digest())?;
    let head = Workload::ALL.map(|workload| format!("{} ({})", workload.name(), workload.unit()));
    let mut table = TextTable::new(1);
    table.row(["per second".into(), "threads".into()].into_iter().chain(head));
    for kernel in &bench.kernels {
        for &threads in &bench.threads {
            let of_row = |rate: &&Rate| rate.kernel == *kernel && rate.threads == threads;
            let medians = rates.iter().filter(of_row).map(|rate| thousands(rate.median() as u64));
            let name = [kernel.name().into(), threads.to_string()];
            table.row(name.into_iter().chain(medians));
        }
    }
    table.print(&mut out)?;
    writeln!(out, "One thread: of CPU time. Several: of wall-clock time.")?;
    Ok(())
}

fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into())
}
