//! Learning curves: a chart for every probe, with all studies that took it.

use std::fmt::Write as _;

use maud::html;

use super::text::{csv_cell, drawn_interval, drawn_interval_of_counts, listed, slug};
use super::{Drawing, Figure, Figures, MARK, Material, Names, Section};
use crate::figure::{Axis, AxisUnit, Chart, Mark, Point, Series};
use outflank_lab::Results;
use outflank_learn::{Measure, Quantity};

pub const NAMES: Names = Names { stem: "curve", are_many: true };

/// The first line of the data of a curve.
pub const CSV_HEAD: &str = "study,training_games,runs,mean,low,high\n";
/// The first line of the data of their single runs.
pub const RUNS_HEAD: &str = "study,seed,training_games,value\n";

/// At most this many runs of a study are drawn; more would blur into one mass.
const MAX_RUNS: usize = 60;

pub fn section(material: &Material<'_>, figures: &mut Figures<'_>) -> Section {
    let probes = probes(material.studies);
    let body = html! {
        p {
            "How the champions of the runs did as they learned. The thick line is the mean over the runs of a \
             study, the band its 95% confidence interval (Student's t). The thin lines are the single runs."
            @if probes.iter().any(|probe| Measure::statistic(probe).is_some()) {
                " Other quantities recorded during training, such as the size of the networks, are plotted below."
            }
        }
        @if probes.is_empty() { p { "The studies recorded no evaluations." } }
        @for (number, probe) in probes.iter().enumerate() {
            @let chart = chart(material.studies, probe);
            @let name = NAMES.name(number + 1, &slug(probe));
            @let drawing = Drawing { data: data(&chart, material.studies, probe), ..Drawing::of_chart(&chart) };
            (figures.add(&name, "chart", drawing, &caption(material.studies, probe)))
        }
        p class="note" {
            "Intervals are cut at impossible values: a share cannot leave 0–100%, and a count cannot be below 0."
        }
    };
    Section { id: "curves".into(), title: "Learning curves".into(), body }
}

/// The learning curves of studies by one probe, alone: as a file, and its data.
pub fn curve_figure(studies: &[Results], probe: &str) -> Figure {
    let chart = chart(studies, probe);
    let name = format!("{}-{}", NAMES.stem, slug(probe));
    Figure {
        svg: MARK.to_string() + &chart.svg(),
        small: Some(MARK.to_string() + &chart.narrow()),
        data: data(&chart, studies, probe)
            .into_iter()
            .map(|(part, text)| (format!("{name}{part}.csv"), text))
            .collect(),
        name: format!("{name}.svg"),
    }
}

/// The data of the curves of a measure: means, and single runs.
fn data(chart: &Chart, studies: &[Results], probe: &str) -> Vec<(&'static str, String)> {
    vec![("", csv(chart, studies, probe)), ("-runs", runs_csv(studies, probe))]
}

/// Every value of every run.
fn runs_csv(studies: &[Results], probe: &str) -> String {
    let mut text = RUNS_HEAD.to_string();
    for study in studies {
        let name = csv_cell(&study.name);
        for run in &study.runs {
            for own in run.measurements.iter().filter(|measured| measured.probe == probe) {
                let _ = writeln!(text, "{name},{},{},{:.6}", run.seed, own.games, own.value);
            }
        }
    }
    text.trim_end().into()
}

/// The means of the curves of a measure.
fn csv(chart: &Chart, studies: &[Results], probe: &str) -> String {
    let mut text = CSV_HEAD.to_string();
    for series in &chart.series {
        let runs = studies[series.look].curve(probe);
        for (point, (games, values)) in series.points.iter().zip(runs) {
            let [low, high] = point
                .y_interval
                .map_or([String::new(), String::new()], |ends| ends.map(|end| format!("{end:.6}")));
            let (name, runs) = (csv_cell(&series.name), values.len());
            let _ = writeln!(text, "{name},{games},{runs},{:.6},{low},{high}", point.y);
        }
    }
    text.trim_end().into()
}

/// The probes of all studies, each once, in order of first appearance.
pub fn probes(studies: &[Results]) -> Vec<String> {
    let mut probes: Vec<String> = Vec::new();
    for probe in studies.iter().flat_map(Results::probes) {
        if !probes.contains(&probe) {
            probes.push(probe);
        }
    }
    probes
}

fn chart(studies: &[Results], probe: &str) -> Chart {
    let (unit, interval): (_, fn(&[f64]) -> _) = match Quantity::of(probe) {
        Quantity::Strength | Quantity::Training => (AxisUnit::Percent, drawn_interval),
        Quantity::Count => (AxisUnit::Count, drawn_interval_of_counts),
        Quantity::Volume => (AxisUnit::Plain, drawn_interval),
    };
    // Otherwise a count that hardly changes would seem to jump.
    let from = (unit == AxisUnit::Count).then_some(0.0);
    let mut chart = Chart::new(
        Measure::title_of(probe),
        Axis::new("training games", AxisUnit::Count).showing([0.0]),
        Axis::new(Measure::axis_of(probe), unit).showing(from),
    );
    let series = studies.iter().enumerate().map(|(look, study)| {
        let point = |(games, values): &(u64, Vec<f64>)| {
            let (mean, interval) = interval(values);
            Point::with_interval(*games as f64, mean, interval)
        };
        let points = study.curve(probe).iter().map(point).collect();
        let runs = single_runs(study, probe);
        Series { name: study.name.clone(), look, mark: Mark::Band, points, runs }
    });
    chart.series = series.filter(|series| !series.points.is_empty()).collect();
    if chart.series.iter().any(|series| !series.runs.is_empty()) {
        chart.note =
            "Thick line: mean over runs. Band: its 95% interval. Thin lines: single runs.".into();
    }
    chart
}

/// The single runs of a study; none if there is only one, which is the mean.
fn single_runs(study: &Results, probe: &str) -> Vec<Vec<[f64; 2]>> {
    let measured = study.runs.iter().map(|run| {
        let of_probe = run.measurements.iter().filter(|measured| measured.probe == probe);
        of_probe.map(|measured| [measured.games as f64, measured.value]).collect::<Vec<_>>()
    });
    let runs: Vec<Vec<[f64; 2]>> = measured.filter(|run| !run.is_empty()).collect();
    match runs.len() {
        1 => Vec::new(),
        _ => runs.into_iter().take(MAX_RUNS).collect(),
    }
}

fn caption(studies: &[Results], probe: &str) -> String {
    let (with, without): (Vec<&Results>, Vec<&Results>) =
        studies.iter().partition(|study| !study.finals(probe).is_empty());
    let single: Vec<&str> = with
        .iter()
        .filter(|study| study.finals(probe).len() == 1)
        .map(|study| study.name.as_str())
        .collect();
    let mut sentences = Vec::new();
    if !single.is_empty() {
        sentences.push(format!("One run, so no interval: {}.", listed(&single)));
    }
    for study in with.iter().filter(|study| study.finals(probe).len() > MAX_RUNS) {
        sentences.push(format!(
            "Of the {} runs of {}, the first {MAX_RUNS} are drawn.",
            study.finals(probe).len(),
            study.name
        ));
    }
    if !without.is_empty() {
        let names: Vec<&str> = without.iter().map(|study| study.name.as_str()).collect();
        sentences.push(format!("Not measured in this way: {}.", listed(&names)));
    }
    sentences.join(" ")
}
