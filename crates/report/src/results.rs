//! Final results: the probes at the end of the runs, and the same benchmark opponents for all.

use maud::{Markup, html};

use super::curves::probes;
use super::text::{
    count, drawn_interval, drawn_interval_of_counts, listed, mean_of, mean_of_probe, slug,
    with_interval,
};
use super::{Drawing, Figures, Material, Names, Section, has_single, table};
use crate::figure::{Axis, AxisUnit, BoxCase, BoxPlot, Row, Strip};
use outflank_lab::Results;
use outflank_learn::{Measure, Played, Quantity};

pub const NAMES: Names = Names { stem: "final", are_many: true };

pub fn section(material: &Material<'_>, figures: &mut Figures<'_>) -> Section {
    let body = html! {
        h3 { "At the end of training" }
        (last_probes(material.studies, figures))
        h3 { "All champions against the same opponents" }
        (yardsticks(material))
        p class="note" {
            "Mean over runs ± half the width of its 95% confidence interval (Student's t). Percentages in \
             points, counts as plain numbers. An interval that would leave the possible values (0–100%, or below \
             0 for counts) is cut there and written “from … to …” in brackets."
            @if has_single(material.studies) { " A study with one run has no interval." }
        }
        (super::pairwise::tables(material, figures))
    };
    Section { id: "results".into(), title: "Final results".into(), body }
}

fn last_probes(studies: &[Results], figures: &mut Figures<'_>) -> Markup {
    let probes = probes(studies);
    let head: Vec<String> =
        ["study".into(), "runs".into()].into_iter().chain(probes.iter().cloned()).collect();
    let row = |study: &Results| -> Vec<String> {
        let values = probes.iter().map(|probe| mean_of_probe(probe, &study.finals(probe)));
        [study.name.clone(), study.runs.len().to_string()].into_iter().chain(values).collect()
    };
    let rows: Vec<Vec<String>> = studies.iter().map(row).collect();
    html! {
        @if probes.is_empty() { p { "The studies recorded no evaluations." } }
        @else {
            (table("", 1, &head, &rows))
            p class="note" {
                @for probe in &probes { (probe) ": " (Measure::meaning_of(probe)) ". " }
                @if studies.iter().any(|study| study.probes().len() < probes.len()) {
                    "–: the study was not measured in this way."
                }
            }
            // A single run is its own mean, which the table has.
            @if studies.iter().any(|study| study.runs.len() > 1) {
                div class="strips" {
                    @for (number, probe) in probes.iter().enumerate() {
                        @let name = NAMES.name(number + 1, &slug(probe));
                        (figures.add(&name, "strip", all_runs(studies, probe), ""))
                    }
                }
            }
        }
    }
}

/// With fewer runs, quartiles say nothing.
const LEAST_BOX: usize = 5;

/// The final value of every run: boxes, or strips where no study has runs enough for a box.
fn all_runs(studies: &[Results], probe: &str) -> Drawing {
    let (svg, narrow) = if studies.iter().any(|study| study.finals(probe).len() >= LEAST_BOX) {
        let boxes = boxes(studies, probe);
        (boxes.svg(), boxes.narrow())
    } else {
        let strip = strip(studies, probe);
        (strip.svg(), strip.narrow())
    };
    Drawing { page: narrow, ..Drawing::new(svg) }
}

fn title(probe: &str) -> String {
    format!("At the end of training: {}", lower_first(&Measure::title_of(probe)))
}

pub fn unit(probe: &str) -> AxisUnit {
    match Quantity::of(probe) {
        Quantity::Strength | Quantity::Training => AxisUnit::Percent,
        Quantity::Count => AxisUnit::Count,
        Quantity::Volume => AxisUnit::Plain,
    }
}

fn boxes(studies: &[Results], probe: &str) -> BoxPlot {
    let case = |(look, study): (usize, &Results)| BoxCase {
        name: study.name.clone(),
        look,
        values: study.finals(probe),
        published: None,
    };
    let cases = studies.iter().enumerate().map(case);
    BoxPlot {
        title: title(probe),
        x: Axis::new(Measure::axis_of(probe), unit(probe)),
        cases: cases.filter(|case| !case.values.is_empty()).collect(),
        note: String::new(),
    }
}

fn strip(studies: &[Results], probe: &str) -> Strip {
    let interval = match unit(probe) {
        AxisUnit::Count => drawn_interval_of_counts,
        AxisUnit::Percent | AxisUnit::Plain => drawn_interval,
    };
    let row = |(look, study): (usize, &Results)| {
        let values = study.finals(probe);
        let (mean, interval) = interval(&values);
        Row { name: study.name.clone(), look, values, mean, interval }
    };
    Strip {
        title: title(probe),
        x: Axis::new(Measure::axis_of(probe), unit(probe)),
        rows: studies.iter().enumerate().map(row).filter(|row| !row.values.is_empty()).collect(),
        note: "Dots: single runs. Bar: their mean. Line: its 95% interval.".into(),
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

fn yardsticks(material: &Material<'_>) -> Markup {
    let evidence = material.evidence;
    let names = evidence.plan.yardsticks.iter().map(|probe| probe.name.clone());
    let head: Vec<String> = ["player".into(), "runs".into()].into_iter().chain(names).collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (study, measured) in material.studies.iter().zip(&evidence.measured) {
        let first = [study.name.clone(), study.runs.len().to_string()];
        rows.push(first.into_iter().chain(measured.iter().map(|values| mean_of(values))).collect());
    }
    for (player, values) in &evidence.known {
        let first = [format!("the player {player}"), "–".into()];
        let values = values.iter().map(|known| with_interval(known.value, known.interval));
        rows.push(first.into_iter().chain(values).collect());
    }
    html! {
        p {
            "The champions of all runs in fresh games, with players from the literature for comparison: "
            (listed(&measures(material))) ". The players from the literature are single players, so \
             their 95% interval is that of the games (Wilson's, with the pair of games as the unit)."
        }
        (table("", 1, &head, &rows))
    }
}

/// What is measured, in words.
fn measures(material: &Material<'_>) -> Vec<String> {
    let plan = &material.evidence.plan;
    let own_policy = plan.yardsticks.iter().any(|probe| probe.name.contains('@'));
    let wins = plan.yardsticks.iter().any(|probe| probe.played().is_none()).then(|| {
        format!(
            "the share won of {} games against each player (both sides move at random with probability 0.1 \
             at each turn, unless the opponent is the random player{})",
            count(plan.effort.games),
            if own_policy { " or has its own policy after @" } else { "" }
        )
    });
    let others = plan.yardsticks.iter().filter_map(|probe| {
        let Played { noun, whom, .. } = probe.played()?;
        let doubles = count(probe.games(plan.effort) / 2);
        Some(format!("the {noun} in {doubles} double games against the same {whom} for all"))
    });
    wins.into_iter().chain(others).collect()
}
