//! `outflank report`: studies as one HTML page with figures.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::measure::parse_sample;
use super::text::{clean, help};
use super::{Error, answer, interrupts, parse_games, parse_seed, parse_threads};
use outflank_arena::Unwatched;
use outflank_commands::{ReportAnswer, ReportRequest, parse_studies, split_names};
use outflank_lab::{Results, RunResult};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank report runs/ctdl-hof
  outflank report runs/rsel-* runs/2cel-rs-* --out sampling.html
  outflank report old=runs/a new=runs/b --games 10000
  outflank report runs/td-lambda-* --vs td-greedy,positional,utility
  outflank report runs/rsel --figures-as pdf,svg --width 8.5cm --no-titles
  outflank report runs/td-lambda-* --watch 300

A study is all runs of one method, and a run is one training with one seed. The
page is one file that needs no others: learning curves, final results with
intervals and tests, the champions' boards or networks, a round robin of the
studies and two objectives (with two studies or more), performance profiles,
settings, commands and costs.

Unfinished runs are taken as they stand at their last probe, and the page says
so; runs without a probe are left out.

The report plays games of its own, so that all champions are measured in the same
way, whatever probes (measurements during training) their studies had. `utility`
is the score against random weighted piece counters (WPCs). The figures are also
written as SVG files to a folder beside the page, report-figures for report.html,
with the numbers of each learning curve as a CSV file. For a paper, --figures-as
makes them PDF files, --width as wide as a column or a page, and --no-titles
leaves what they show to the caption."))]
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
    /// The files of each figure, separated by commas: svg, pdf
    #[arg(long, default_value = "svg", value_name = "FORMAT,...")]
    figures_as: String,
    /// The width of the files of figures, in cm, mm or in; below 13 cm they are drawn for a column
    #[arg(long, value_name = "LENGTH", value_parser = parse_width, allow_negative_numbers = true)]
    width: Option<f64>,
    /// Leave the titles out of the files of figures
    #[arg(long)]
    no_titles: bool,
    /// Threads to play on [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Write the page again whenever the studies have new probes, until all their runs are finished
    /// or Ctrl-C; look every SECONDS seconds
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "60", value_parser = parse_pause, conflicts_with = "json", allow_negative_numbers = true)]
    watch: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const VS: &str = "random,heuristic,lr2006,ctdl2009-best,utility";
const GAMES: u64 = 10_000;
const SAMPLE: u64 = 25_000;

/// A length in centimetres.
pub fn parse_width(text: &str) -> Result<f64, String> {
    let unit = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let scale = match unit.trim() {
        "cm" => Some(1.0),
        "mm" => Some(0.1),
        "in" => Some(2.54),
        _ => None,
    };
    let [least, most] = ReportRequest::WIDTHS;
    let width = number.trim().parse::<f64>().ok().zip(scale).map(|(number, scale)| number * scale);
    // Without the rest of tenths, so that 85 mm are 8.5 cm.
    let width = width.map(|width| (1e4 * width).round() / 1e4);
    width.filter(|width| (least..=most).contains(width)).ok_or_else(|| {
        format!(
            "expected a width from {least} to {most} cm with its unit, e.g. 8.5cm, 85mm or 3.35in"
        )
    })
}

pub fn run(args: Args) -> Result<(), Error> {
    let vs = split_names(&args.vs);
    let Args { studies, out, games, sample, profile_db, no_profiles, seed, threads, .. } = args;
    let (profiles, force, titles) = (!no_profiles, args.force, !args.no_titles);
    let (figures_as, width) = (split_names(&args.figures_as), args.width);
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
        figures_as,
        width,
        titles,
    };
    if let Some(pause) = args.watch {
        return watch(&request, Duration::from_secs_f64(pause));
    }
    let Some(answer) = answer(&request, args.json)? else { return Ok(()) };
    print(&answer)
}

/// Reads a number of seconds.
fn parse_pause(text: &str) -> Result<f64, String> {
    let seconds = text.trim().parse().ok();
    let seconds = seconds.filter(|seconds: &f64| (0.1..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds from 0.1 to 86400".into())
}

/// Writes the report whenever its studies have new probes, until all runs are finished.
fn watch(request: &ReportRequest, pause: Duration) -> Result<(), Error> {
    interrupts::catch();
    let mut reported = None;
    loop {
        match parse_studies(&request.studies, None, &Unwatched) {
            Ok(studies) => {
                let runs = studies.iter().flat_map(|study| &study.runs);
                let state = |run: &RunResult| (run.path.clone(), run.games, run.is_finished);
                let found: Vec<_> = runs.map(state).collect();
                if reported.as_ref() != Some(&found) {
                    let Some(answer) = answer(request, false)? else { return Ok(()) };
                    print(&answer)?;
                    reported = Some(found);
                }
                let is_done = |study: &Results| {
                    study.left_out.is_empty() && study.standing().next().is_none()
                };
                if studies.iter().all(is_done) {
                    return Ok(());
                }
            }
            Err(outflank_commands::Error::NotYet(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let until = Instant::now() + pause;
        while Instant::now() < until {
            // The page is there: to end is not to fail.
            if interrupts::signal().is_some() {
                return Ok(());
            }
            let left = until.saturating_duration_since(Instant::now());
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }
}

fn print(answer: &ReportAnswer) -> Result<(), Error> {
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
        assert_eq!((split_names("svg"), None, true), (usual.figures_as, usual.width, usual.titles));
        assert_eq!((split_names(VS), GAMES, SAMPLE), (usual.vs, usual.games, usual.sample));
    }

    #[test]
    fn widths_have_units() {
        for (text, width) in [("8.5cm", 8.5), ("85mm", 8.5), ("85 mm", 8.5), ("3.3in", 8.382)] {
            assert!(parse_width(text).is_ok_and(|found| (found - width).abs() < 1e-9), "{text}");
        }
        for wrong in ["8.5", "cm", "0cm", "-8cm", "1km", "200cm", "NaNcm", "", "infcm"] {
            assert!(parse_width(wrong).is_err_and(|message| message.contains("8.5cm")), "{wrong}");
        }
    }
}
