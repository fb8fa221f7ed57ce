//! `outflank solve`: the exact result of endgames.

use std::io::{self, Write};
use std::ops::ControlFlow;

use super::interrupts;
use super::output::thousands;
use super::terminal::say;
use super::text::help;
use super::{Error, Terminal, parse_threads};
use outflank_commands::{Command, SCHEMA, SolveRequest, SolveResult, SolveTotal};
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank solve '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'
  outflank solve endgames.obf --threads 2 --json
  outflank solve unfinished.ggf
  outflank solve WTH_2004.wtb --empties 16
  outflank solve endgames.obf --outcome --max-time 60

The score is the difference in discs at the end for the side to move if both sides
play perfectly, with empty squares for the winner. Of a game the position after its
last move is solved, or with --empties the one with that many empty squares. The line
is the rest of the game if both sides always make the first of their best moves,
from a1 to h8; -- is a pass. The format of a file is recognised, as by `outflank
convert`. Lines of positions may have scores, with which the results are compared:
`POSITION; g8:+18; h1:+12;` or `POSITION; +18;`, and comments after %. A file whose
name ends with .obf must have nothing else.

Up to about 24 empty squares take seconds, and each more about 2.6 times as long."))]
pub struct Args {
    /// Positions (64 squares a1 to h8, X black, O white, - empty, and the side to move), games
    /// (f5d6c3...), files of them, or - for standard input
    #[arg(value_name = "POSITION|GAME|FILE", required = true)]
    inputs: Vec<String>,
    /// Solve the position with N empty squares of each game, and leave out games without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60), allow_negative_numbers = true)]
    empties: Option<u32>,
    /// Find out only who wins, which takes less time
    #[arg(long)]
    outcome: bool,
    /// Seconds for each position; what is known by then is printed
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    max_time: Option<f64>,
    /// Memory for what is known about positions, such as 64M or 2G, 0 for none [default: as the
    /// number of empty squares asks for, at most 512M]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    table_size: Option<u64>,
    /// Threads to solve on [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let request = SolveRequest {
        inputs: args.inputs,
        empties: args.empties,
        outcome: args.outcome,
        table_bytes: args.table_size,
        threads: args.threads,
        max_seconds: args.max_time,
    };
    interrupts::catch();
    let mut printer =
        Printer { is_json: args.json, outcome: args.outcome, number: 0, failed: None };
    let mut see = |result: SolveResult| printer.see(&result);
    let total = request.run_and_see(&mut see, &Terminal::new());
    if let Some(error) = printer.failed {
        return Err(error);
    }
    let total = total?;
    printer.finish(&total)?;
    if total.too_short > 0 {
        let games = thousands(total.too_short);
        say(&format!("{games} games have no position with that many empty squares"));
    }
    match interrupts::signal() {
        Some(signal) if total.interrupted => Err(Error::Partial(signal)),
        _ if total.unsolved > 0 => Err(Error::Failed(match total.unsolved {
            1 => "a position was not solved in time".into(),
            unsolved => format!("{} positions were not solved in time", thousands(unsolved)),
        })),
        _ if total.differ > 0 => Err(Error::Failed(match total.differ {
            1 => "a result differs from the file".into(),
            differ => format!("{} results differ from the file", thousands(differ)),
        })),
        _ => Ok(()),
    }
}

/// Writes results as they come: files may have millions of positions.
struct Printer {
    is_json: bool,
    outcome: bool,
    number: u64,
    failed: Option<Error>,
}

impl Printer {
    fn see(&mut self, result: &SolveResult) -> ControlFlow<()> {
        self.number += 1;
        let printed = if self.is_json { self.object(result) } else { self.text(result) };
        match printed {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error.into());
                ControlFlow::Break(())
            }
        }
    }

    fn object(&self, result: &SolveResult) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let result = serde_json::to_string(result)?;
        if self.number == 1 {
            self.head(&mut out)?;
        }
        let comma = if self.number == 1 { "" } else { "," };
        write!(out, "{comma}\n    {result}")
    }

    fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let name = json!(SolveRequest::NAME);
        write!(out, "{{\n  \"schema\": {SCHEMA},\n  \"command\": {name},\n  \"results\": [")
    }

    fn text(&self, result: &SolveResult) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let source = result.source.as_ref().map_or(String::new(), |source| format!("{source}  "));
        let score = match (result.score, result.bounds) {
            (Some(1), _) if self.outcome => "win".into(),
            (Some(0), _) if self.outcome => "draw".into(),
            (Some(_), _) if self.outcome => "loss".into(),
            (Some(score), _) => format!("{score:+}"),
            (None, Some([low, high])) => format!("{low:+} to {high:+}"),
            (None, None) => "?".into(),
        };
        let best = match result.best.join(" ") {
            none if none.is_empty() && result.score.is_some() => "pass".into(),
            none if none.is_empty() => "?".into(),
            best => best,
        };
        let empties = result.empties;
        write!(out, "{source}{empties} empty  {score}  {best}")?;
        if let Some(line) = &result.line {
            write!(out, "  line {line}")?;
        }
        let (nodes, seconds) = (thousands(result.nodes), result.seconds);
        write!(out, "  {nodes} nodes  {seconds:.2} s")?;
        writeln!(
            out,
            "{}",
            match result.agrees {
                Some(true) => "  agrees",
                Some(false) => "  DIFFERS from the file",
                None => "",
            }
        )
    }

    fn finish(&self, total: &SolveTotal) -> Result<(), Error> {
        let mut out = io::stdout().lock();
        if self.is_json {
            if self.number == 0 {
                self.head(&mut out)?;
            }
            let text = serde_json::to_string_pretty(total).map_err(io::Error::from)?;
            // The keys of the total follow those of the object.
            let keys = text.trim_start_matches('{').trim_start_matches('\n');
            return Ok(writeln!(out, "\n  ],\n{keys}")?);
        }
        if self.number < 2 && !total.interrupted {
            return Ok(());
        }
        let SolveTotal { solved, unsolved, agree, differ, nodes, seconds, .. } = total;
        write!(out, "{} solved", thousands(*solved))?;
        if *unsolved > 0 {
            write!(out, ", {} not solved", thousands(*unsolved))?;
        }
        if agree + differ > 0 {
            write!(out, "; {} agree, {} differ", thousands(*agree), thousands(*differ))?;
        }
        let rate = thousands((*nodes as f64 / seconds.max(1e-6)) as u64);
        Ok(writeln!(out, "; {} nodes, {seconds:.2} s, {rate} nodes/s", thousands(*nodes))?)
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("expected a number of seconds above 0".into()),
    }
}

/// Bytes, with a unit of powers of 1024.
fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim().trim_end_matches(['B', 'b']).trim_end_matches('i');
    let units =
        [('k', 10), ('K', 10), ('m', 20), ('M', 20), ('g', 30), ('G', 30), ('t', 40), ('T', 40)];
    let unit = units.iter().find(|(unit, _)| text.ends_with(*unit));
    let digits = unit.map_or(text, |(unit, _)| text.trim_end_matches(*unit));
    let bytes = digits.trim().parse::<u64>().ok();
    bytes
        .and_then(|bytes| bytes.checked_mul(1 << unit.map_or(0, |(_, power)| *power)))
        .filter(|bytes| *bytes <= 1 << 50)
        .ok_or_else(|| "expected a size such as 64M or 2G, or 0".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("0", 0), ("4096", 4096), ("64M", 64 << 20), ("2G", 2 << 30), ("1 GiB", 1 << 30)]
        {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "9999999999999T", "many"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
