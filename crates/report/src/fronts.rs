//! Fronts of runs with several objectives: the front of all runs together, attainment surfaces, and
//! every player by the name with which commands take it.

use std::fmt::Write as _;

use maud::html;

use super::text::{csv_cell, listed, mean_of_probe, percent, slug};
use super::{Drawing, Figures, Material, Names, Section, table};
use crate::figure::{Axis, AxisUnit, Chart, Mark, Point, Series};
use outflank_lab::Fronts;

pub const NAMES: Names = Names { stem: "front", are_many: true };

/// The first line of the data of fronts.
pub const FRONTS_HEAD: &str = "study,what,player,x,y\n";

/// The surfaces of a single study.
const SURFACES: [f64; 3] = [0.25, 0.5, 0.75];

/// At most this many players are listed in a page; the command lists all.
const MAX_LISTED: usize = 100;

/// An empty chart of two objectives.
fn plane(title: String, fronts: &[Fronts]) -> Result<Chart, String> {
    let first = fronts.first().ok_or("there is no front")?;
    let [x, y] = first.objectives.as_slice() else {
        let number = first.objectives.len();
        return Err(format!(
            "a figure of a front needs two objectives; {} has {number}",
            first.name
        ));
    };
    if let Some(other) = fronts.iter().find(|other| other.objectives != first.objectives) {
        return Err(format!(
            "{} has the objectives {}, but {} has {}: they cannot be in one figure",
            first.name,
            first.objectives.join(", "),
            other.name,
            other.objectives.join(", ")
        ));
    }
    // From the reference point, so that the area below the steps is the hypervolume.
    let axis =
        |name: &str| Axis::new(format!("score against {name}"), AxisUnit::Percent).showing([0.0]);
    Ok(Chart::new(title, axis(x), axis(y)))
}

/// The corners of the steps of points, from left to right.
fn corners(points: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let mut corners: Vec<[f64; 2]> =
        points.iter().filter_map(|point| point.as_slice().try_into().ok()).collect();
    corners.sort_by(|a, b| a[0].total_cmp(&b[0]).then(b[1].total_cmp(&a[1])));
    corners
}

fn series(name: String, look: usize, mark: Mark, points: &[[f64; 2]]) -> Series {
    let points = points.iter().map(|[x, y]| Point::new(*x, *y)).collect();
    Series { name, look, mark, points, runs: Vec::new() }
}

fn surface(fronts: &Fronts, share: f64, look: usize, name: String) -> Series {
    series(name, look, Mark::Surface, &fronts.attained(share))
}

/// The front of all runs of each study together, as in Fig. 3 of the swarm paper (2012); of one
/// study also its runs and what a quarter, half and three quarters of them attain.
pub fn fronts_chart(fronts: &[Fronts]) -> Result<Chart, String> {
    let mut chart = plane("Players that no player of any run dominates".into(), fronts)?;
    for (look, study) in fronts.iter().enumerate() {
        let points = corners(&study.reconstructed_points());
        chart.series.push(series(study.name.clone(), look, Mark::Front, &points));
    }
    chart.note =
        "Markers: the front of all runs of a study together; all below its steps is dominated."
            .into();
    let ([study], [own]) = (fronts, chart.series.as_mut_slice()) else { return Ok(chart) };
    if study.runs.len() > 1 {
        own.name = "front of all runs".into();
        own.runs = study.runs.iter().map(|run| corners(&run.points)).collect();
        for (look, share) in (1..).zip(SURFACES) {
            let name = format!("{:.0}% of runs attain", 100.0 * share);
            chart.series.push(surface(study, share, look, name));
        }
        chart.note +=
            " Thin lines: the front of each run. Lines: what that share of the runs attains.";
    }
    Ok(chart)
}

/// What a share of the runs of each study attains.
pub fn attainment_chart(fronts: &[Fronts], share: f64) -> Result<Chart, String> {
    let percent = (10_000.0 * share).round() / 100.0;
    let mut chart = plane(format!("What {percent}% of the runs attain"), fronts)?;
    for (look, study) in fronts.iter().enumerate() {
        chart.series.push(surface(study, share, look, study.name.clone()));
    }
    chart.note = format!(
        "Below its line, a point is dominated by the fronts of {percent}% of a study's runs."
    );
    Ok(chart)
}

/// The players of all fronts as CSV, and those of the front of all runs together once more.
pub fn fronts_csv(fronts: &[Fronts]) -> String {
    let mut text = FRONTS_HEAD.to_string();
    for study in fronts {
        let mut line = |what: &str, player: &str, point: &[f64]| {
            let shares: Vec<String> = point.iter().map(|share| format!("{share:.6}")).collect();
            let cells = [csv_cell(&study.name), what.into(), csv_cell(player), shares.join(",")];
            let _ = writeln!(text, "{}", cells.join(","));
        };
        for (run, front) in study.runs.iter().enumerate() {
            for player in 0..front.points.len() {
                let place = (run, player);
                line("run", &study.reference(place), study.point(place));
            }
        }
        for place in study.reconstructed() {
            line("all runs", &study.reference(place), study.point(place));
        }
        for share in SURFACES {
            let what = format!("attained by {:.0}%", 100.0 * share);
            study.attained(share).iter().for_each(|point| line(&what, "", point));
        }
    }
    text
}

/// The section of studies with several objectives; none if there is no such study.
pub fn section(material: &Material<'_>, figures: &mut Figures<'_>) -> Option<Section> {
    let all = material.fronts;
    if all.is_empty() {
        return None;
    }
    let mut number = 0;
    let mut draw = |fronts: &[Fronts], rest: &str, chart: Result<Chart, String>| {
        let chart = chart.ok()?;
        number += 1;
        let data = vec![("", fronts_csv(fronts))];
        let drawing = Drawing { data, ..Drawing::of_chart(&chart) };
        Some(figures.add(&NAMES.name(number, &slug(rest)), "chart", drawing, ""))
    };
    let mut drawn = Vec::new();
    if all.len() > 1 {
        drawn.extend(draw(all, "all", fronts_chart(all)));
        drawn.extend(draw(all, "median", attainment_chart(all, 0.5)));
    }
    for study in all {
        let one = std::slice::from_ref(study);
        let mut chart = fronts_chart(one);
        if let (true, Ok(chart)) = (all.len() > 1, &mut chart) {
            chart.title = format!("Fronts of {}", study.name);
        }
        drawn.extend(draw(one, &study.name, chart));
    }
    let head = ["study", "runs", "objectives", "hypervolume", "players of a front"];
    let summary: Vec<Vec<String>> = all
        .iter()
        .map(|study| {
            let volume = study.volumes().map(|all| mean_of_probe("hypervolume", &all));
            vec![
                study.name.clone(),
                study.runs.len().to_string(),
                listed(&study.objectives),
                volume.unwrap_or_else(|| "–".into()),
                mean_of_probe("front-size", &study.sizes()),
            ]
        })
        .collect();
    let body = html! {
        p {
            "These studies have several objectives: the score against each opponent (a draw is half a point), in \
             the games of training. A player is dominated if another is nowhere worse and somewhere better; the \
             front of a run is its players that nobody dominates. The hypervolume is the share of all possible \
             results that are worse than some player of the front, from 0 (reference point) to 1; means over runs \
             have 95% confidence intervals. Results of training are too good by chance: the best of many are \
             chosen by the games that are counted."
        }
        (super::table_of("", &|column| column == 0 || column == 2, &head.map(String::from), &summary))
        @for figure in drawn { (figure) }
        @for study in all { (players(study)) }
        p class="note" {
            "Any player can be named as it stands in the first column, for example in " code { "outflank play" }
            ", " code { "match" } ", " code { "measure" } " or " code { "show" } "."
        }
    };
    Some(Section { id: "fronts".into(), title: "Fronts".into(), body })
}

/// The players of the front of all runs of a study.
fn players(study: &Fronts) -> maud::Markup {
    let best = study.reconstructed();
    let mut head = vec!["player".to_string()];
    head.extend(study.objectives.iter().map(|name| format!("score against {name}")));
    let row = |place: &(usize, usize)| -> Vec<String> {
        let shares = study.point(*place).iter().map(|share| percent(*share));
        [study.reference(*place)].into_iter().chain(shares).collect()
    };
    let rows: Vec<Vec<String>> = best.iter().take(MAX_LISTED).map(row).collect();
    let more = best.len().saturating_sub(MAX_LISTED);
    html! {
        (table(&format!("{}: the players that no player of any run dominates", study.name), 1, &head, &rows))
        @if more > 0 { p class="note" { (more) " more are in the CSV file of the figure." } }
    }
}
