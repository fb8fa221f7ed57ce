//! Whether studies differ: tests of every pair, by each probe that both have.

use maud::{Markup, html};

use super::curves::probes;
use super::results::unit;
use super::text::{number_of, slug};
use super::{Drawing, Figures, Material, Names, table};
use crate::figure::{Axis, Better, RankDiagram, RankedMethod};
use outflank_lab::{
    Comparison, Entry, Measurement, Pair, Question, Results, common_probes, compare,
};
use outflank_learn::{Measure, Quantity};

/// The names of the rank diagrams.
pub const NAMES: Names = Names { stem: "ranks", are_many: true };

/// From this number of studies on, a diagram says more than a table of all pairs, which is folded.
const MANY_STUDIES: usize = 5;

/// A comparison of the studies by one probe.
pub struct Compared {
    /// The probe, and in which games.
    pub by: String,
    /// The name of the probe.
    pub probe: String,
    /// The comparison.
    pub comparison: Comparison,
}

/// Compares studies by the probes that at least two of them share; if no probe is shared by all,
/// also by the main measure in the report's own games.
pub fn compared(material: &Material<'_>) -> Vec<Compared> {
    let question = Question::default();
    let mut all = Vec::new();
    if material.studies.len() < 2 {
        return all;
    }
    for probe in probes(material.studies).into_iter().filter(|p| Quantity::of(p) != Quantity::Count)
    {
        let with = |study: &&Results| !study.finals(&probe).is_empty();
        let studies: Vec<Results> = material.studies.iter().filter(with).cloned().collect();
        if studies.len() > 1 {
            let comparison = compare(&studies, &probe, &question);
            all.push(Compared {
                by: format!("{}, at the end of training", Measure::title_of(&probe)),
                probe,
                comparison,
            });
        }
    }
    if common_probes(material.studies).is_empty() {
        let chief = &material.evidence.chief().0.name;
        let comparison = compare(&in_fresh_games(material), chief, &question);
        let by = format!("{}, in fresh games", Measure::title_of(chief));
        all.push(Compared { by, probe: chief.clone(), comparison });
    }
    all
}

/// The studies with the main measure in the report's own games as their only measurement.
fn in_fresh_games(material: &Material<'_>) -> Vec<Results> {
    let (chief, measured) = material.evidence.chief();
    let mut studies = material.studies.to_vec();
    for (study, values) in studies.iter_mut().zip(measured) {
        for (run, &value) in study.runs.iter_mut().zip(values) {
            run.measurements = vec![Measurement {
                games: run.games,
                generation: run.generations,
                probe: chief.name.clone(),
                value,
                score: Some(value),
                // A comparison needs only their sum.
                wins: Some(chief.games(material.evidence.plan.effort)),
                draws: Some(0),
                losses: Some(0),
            }];
        }
    }
    studies
}

/// The studies, best mean first, with the letters of their groups; with signs between neighbours
/// where not every two were tested.
pub fn ranking(comparison: &Comparison) -> String {
    let Some(groups) = comparison.groups() else { return comparison.ranking() };
    let names = comparison.entries.iter().zip(groups);
    names.map(|(entry, group)| format!("{} ({group})", entry.name)).collect::<Vec<_>>().join(", ")
}

/// Whether any two studies were tested.
pub fn is_tested(comparison: &Comparison) -> bool {
    comparison.pairs.iter().any(|pair| pair.holm.is_some())
}

pub fn tables(material: &Material<'_>, figures: &mut Figures<'_>) -> Markup {
    let all = compared(material);
    html! {
        @if !all.is_empty() { h3 { "Differences between studies" } }
        @for (number, compared) in all.iter().enumerate() {
            @let Compared { by, comparison, probe } = compared;
            @let rows: Vec<Vec<String>> = comparison.pairs.iter().map(|p| row(comparison, p)).collect();
            @let head = HEAD.map(String::from);
            @if is_tested(comparison) {
                p { b { (by) } ": " (ranking(comparison)) }
                @if let Some(diagram) = diagram(compared) {
                    @let name = NAMES.name(number + 1, &slug(probe));
                    @let narrow = Some(diagram.narrow());
                    (figures.add(&name, "chart", Drawing { narrow, ..Drawing::new(diagram.svg()) }, ""))
                }
                @if comparison.entries.len() >= MANY_STUDIES {
                    details {
                        summary { "Tests of " (number_of(rows.len(), "pair")) }
                        (table("", 1, &head, &rows))
                    }
                } @else { (table("", 1, &head, &rows)) }
            } @else { p { b { (by) } ": not tested." } }
            @for note in &comparison.notes { p class="note" { "Note: " (note) "." } }
        }
        @if all.iter().any(|compared| is_tested(&compared.comparison)) {
            p class="note" {
                "Studies with a letter in common, or with ~ between them, are not significantly different (p of 0.05 or \
                 more after Holm's correction over all pairs), which does not mean that they are equal. \
                 Differences of means are in percentage points. t and p are from Welch's two-sided test. A12 is \
                 how often a run of the first study ends with a higher value than a run of the second."
            }
        }
    }
}

/// Many studies in the order of their means; none unless every two of them were tested.
fn diagram(Compared { by, probe, comparison }: &Compared) -> Option<RankDiagram> {
    let letters = comparison.groups()?;
    let method = |(entry, letters): (&Entry, &String)| RankedMethod {
        name: format!("{} ({letters})", entry.name),
        mean: entry.sample.mean,
    };
    let methods: Vec<RankedMethod> = comparison.entries.iter().zip(&letters).map(method).collect();
    (methods.len() >= MANY_STUDIES).then(|| RankDiagram {
        title: by.clone(),
        axis: Axis::new(Measure::axis_of(probe), unit(probe)),
        better: Better::High,
        groups: RankDiagram::groups_of(&letters),
        methods,
        critical: None,
        note: "Bars join studies that have a letter in common.".into(),
    })
}

const HEAD: [&str; 8] =
    ["pair", "difference (points)", "t", "p", "Holm p", "Mann-Whitney p", "A12", "effect"];

fn row(comparison: &Comparison, pair: &Pair) -> Vec<String> {
    let [a, b] = pair.entries.map(|index| &comparison.entries[index].name);
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".into());
    vec![
        format!("{a} – {b}"),
        format!("{:+.2}", 100.0 * pair.difference + 0.0),
        or_dash(pair.means.map(|test| t_text(test.t))),
        or_dash(pair.means.map(|test| chance(test.p))),
        or_dash(pair.holm.map(chance)),
        or_dash(pair.ranks.map(|test| chance(test.p))),
        or_dash(pair.a12.map(|a12| format!("{a12:.3}"))),
        or_dash(pair.effect().map(|effect| effect.word().into())),
    ]
}

/// Samples without variance have an infinite t.
fn t_text(t: f64) -> String {
    if t.is_finite() { format!("{t:.2}") } else { "∞".into() }
}

/// A p with the digits that matter.
fn chance(p: f64) -> String {
    match p {
        p if p < 0.0001 => "< 0.0001".into(),
        p => format!("{p:.4}"),
    }
}
