//! `outflank front`: the fronts of studies with several objectives.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::output::{
    Replace, TextTable, WholeFile, figure_format, is_svg, parse_figure, print_json,
};
use super::text::{clean, help, percent};
use super::{Error, Terminal, interrupts, to_json};
use outflank_commands::{Command as _, FrontAnswer, FrontMean, FrontRequest, StudyFronts};
use outflank_lab::Fronts;
use outflank_learn::Quantity;
use outflank_report::{FileFormat, attainment_chart, csv_cell, figure, fronts_chart};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank front runs/mopso
  outflank front runs/mopso/3
  outflank front plain=runs/mopso td=runs/mopso-td --out fronts.svg
  outflank front runs/mopso runs/mopso-td --attained 50% --out median.pdf
  outflank front runs/mopso --csv fronts.csv
  outflank match runs/mopso/3#2 heuristic

A run with several objectives (objective.kind = \"fronts\") ends with a front: the
players that no other dominates, which is to be nowhere worse and somewhere
better. Player 2 of the front of run 3 is runs/mopso/3#2, wherever a player is
named. Its shares are the points it had against each opponent in the games of
training; as the best of many are kept, they are too good by chance.

The hypervolume is the share of all possible results that are worse than some
player of the front, from the reference point 0 to 1. A * marks the front of all
runs together, the reconstructed front.

The figure has the front of all runs of each study. For a single study it also has
the front of each run, and what 25, 50 and 75% of the runs attain. --attained
draws what that share of the runs of each study attains instead."))]
pub struct Args {
    /// Studies or runs with several objectives
    #[arg(value_name = "[NAME=]STUDY|RUN", required = true)]
    studies: Vec<String>,
    /// Draw the fronts of two objectives to an SVG or PDF file
    #[arg(long, value_name = "FILE", value_parser = parse_figure)]
    out: Option<PathBuf>,
    /// Draw what this share of the runs of each study attains, e.g. 50%
    #[arg(long, value_name = "SHARE", value_parser = parse_attained, requires = "out", allow_negative_numbers = true)]
    attained: Option<f64>,
    /// Write the players to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Replace the files of --out and --csv even if this program did not make them
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn parse_attained(text: &str) -> Result<f64, String> {
    let share = super::text::parse_share(text);
    let above = share.filter(|share| *share > 0.0 && *share <= 1.0);
    above.ok_or_else(|| "expected a share above 0 and up to 1, e.g. 0.5 or 50%".into())
}

/// The beginning of the files of --csv.
const HEAD: &str = "study,seed,number,player,of_all_runs,objective,share";

pub fn run(args: Args) -> Result<(), Error> {
    interrupts::catch();
    let request = FrontRequest { studies: args.studies };
    let is_csv = |path: &Path| super::output::beginning(path).starts_with(HEAD.as_bytes());
    let ours = Replace::ours(args.force, is_csv);
    let csv = args.csv.as_deref().map(|path| WholeFile::create(path, ours)).transpose()?;
    let out = args.out.as_deref();
    let ours = Replace::ours(args.force, is_svg);
    let figure = out.map(|path| WholeFile::create(path, ours)).transpose()?;
    let answer = request.run(&Terminal::new())?;
    if let Some((mut file, path)) = figure.zip(out) {
        file.bytes(&draw(&answer.fronts, args.attained, path)?)?;
        file.finish()?;
    }
    if let Some(mut file) = csv {
        file.line(HEAD)?;
        answer.results.iter().flat_map(csv_lines).try_for_each(|line| file.line(&line))?;
        file.finish()?;
    }
    if args.json {
        return print_json(&to_json::<FrontRequest>(&answer));
    }
    print(&answer)?;
    for (what, path) in [("Drawn in", &args.out), ("Players are in", &args.csv)] {
        if let Some(path) = path {
            writeln!(io::stdout(), "{what} {}", clean(&path.display().to_string()))?;
        }
    }
    Ok(())
}

/// The bytes of a figure in the format of this file.
fn draw(fronts: &[Fronts], attained: Option<f64>, path: &Path) -> Result<Vec<u8>, Error> {
    let chart = match attained {
        Some(share) => attainment_chart(fronts, share),
        None => fronts_chart(fronts),
    };
    let svg = chart.map_err(Error::Usage)?.svg();
    Ok(match figure_format(path) {
        Some(FileFormat::Pdf) => figure::pdf(&svg),
        _ => (svg + "\n").into_bytes(),
    })
}

fn csv_lines(study: &StudyFronts) -> Vec<String> {
    let mut lines = Vec::new();
    for player in &study.players {
        for (objective, share) in study.objectives.iter().zip(&player.shares) {
            let (name, objective) = (csv_cell(&study.name), csv_cell(objective));
            let (seed, number, of_all) = (player.seed, player.number, player.of_all_runs);
            let player = csv_cell(&player.player);
            lines.push(format!("{name},{seed},{number},{player},{of_all},{objective},{share}"));
        }
    }
    lines
}

fn print(answer: &FrontAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    for (index, study) in answer.results.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", clean(&study.name))?;
        print_study(&mut out, study)?;
    }
    Ok(())
}

fn print_study(out: &mut impl Write, study: &StudyFronts) -> Result<(), Error> {
    let mut players = TextTable::new(1);
    let head = ["player".to_string()].into_iter().chain(study.objectives.iter().cloned());
    players.row(head.chain(["".into()]));
    for one in &study.players {
        let shares = one.shares.iter().map(|share| percent(*share));
        let mark = if one.of_all_runs { "*" } else { "" };
        players.row([one.player.clone()].into_iter().chain(shares).chain([mark.into()]));
    }
    players.print(out)?;
    writeln!(out)?;
    let volume = |value: Option<f64>| value.map_or("-".into(), |v| Quantity::Volume.text(v));
    let mut runs = TextTable::new(1);
    runs.row(["run", "players", "hypervolume"]);
    for run in &study.runs {
        runs.row([run.seed.to_string(), run.size.to_string(), volume(run.hypervolume)]);
    }
    if study.runs.len() > 1 {
        let volumes = study.hypervolume.as_ref();
        let interval = |mean: Option<&FrontMean>, end: usize| Some(mean?.interval?[end]);
        let size = |value: Option<f64>| value.map_or("-".into(), |v| Quantity::Count.text(v));
        let mean = size(Some(study.size.mean));
        runs.row(["mean".into(), mean, volume(volumes.map(|all| all.mean))]);
        for (name, end) in [("95% from", 0), ("95% to", 1)] {
            let size = size(interval(Some(&study.size), end));
            runs.row([name.into(), size, volume(interval(volumes, end))]);
        }
        let best = study.players.iter().filter(|player| player.of_all_runs).count();
        runs.row([
            "all runs (*)".into(),
            best.to_string(),
            volume(study.reconstructed_hypervolume),
        ]);
    }
    Ok(runs.print(out)?)
}
