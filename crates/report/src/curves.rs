//! Learning curves: a chart for every probe, with all studies that took it.

use maud::html;

use super::text::{drawn_interval, drawn_interval_of_counts, listed, slug};
use super::{Figures, Material, Section};
use crate::figure::{Axis, Chart, Mark, Point, Series, Unit};
use outflank_lab::Results;
use outflank_learn::{Measure, Quantity};

pub fn section(material: &Material<'_>, figures: &mut Figures<'_>) -> Section {
    let probes = probes(material.studies);
    let body = html! {
        p {
            "The champions of the runs, measured by the probes of their studies as they learned: \
             the mean over runs, and its 95% interval (Student's t) as a band."
            @if probes.iter().any(|probe| Measure::statistic(probe).is_some()) {
                " What the runs noted of themselves besides, in training games and by counting, stands below \
                 under its own name."
            }
        }
        @if probes.is_empty() { p { "No study has a probe." } }
        @for (number, probe) in probes.iter().enumerate() {
            @let chart = chart(material.studies, probe);
            @let name = format!("curve-{}-{}", number + 1, slug(probe));
            (figures.add(&name, "chart", chart.svg(), &caption(material.studies, probe)))
        }
    };
    Section { id: "curves", title: "Learning curves", body }
}

/// The probes of all studies, each once, in the order in which they come.
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
        Quantity::Strength | Quantity::Training => (Unit::Percent, drawn_interval),
        Quantity::Count => (Unit::Count, drawn_interval_of_counts),
    };
    // A count that hardly changes would seem to leap.
    let from = (unit == Unit::Count).then_some(0.0);
    let mut chart = Chart::new(
        Measure::title_of(probe),
        Axis::new("training games", Unit::Count).showing([0.0]),
        Axis::new(Measure::axis_of(probe), unit).showing(from),
    );
    let series = studies.iter().enumerate().map(|(look, study)| {
        let point = |(games, values): &(u64, Vec<f64>)| {
            let (mean, interval) = interval(values);
            Point::with_interval(*games as f64, mean, interval)
        };
        let points = study.curve(probe).iter().map(point).collect();
        Series { name: study.name.clone(), look, mark: Mark::Band, points }
    });
    chart.series = series.filter(|series| !series.points.is_empty()).collect();
    chart
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
    if !without.is_empty() {
        let names: Vec<&str> = without.iter().map(|study| study.name.as_str()).collect();
        sentences.push(format!("Without this probe: {}.", listed(&names)));
    }
    sentences.join(" ")
}
