//! The champions' weights as boards: the best of each study, and others beside it.

use maud::{Markup, html};

use super::text::{number_of, percent, slug};
use super::{Figures, Material, Section};
use crate::lab::Results;
use crate::lab::figure::{Board, Detail};
use crate::player::Player;

/// Small boards of a study; who would look at more?
const MOST: usize = 12;

pub fn section(material: &Material<'_>, figures: &mut Figures<'_>) -> Section {
    let all = material.studies.iter().zip(&material.evidence.teams).enumerate();
    let body = html! {
        p {
            "What the champions think of the squares: green is good, purple is bad, and darker is more. \
             The largest board of a study is its best champion by the last value of its first probe, \
             which the others follow in that order; the percentage is that value."
        }
        @for (number, (study, team)) in all {
            h3 { (study.name) }
            (boards(number + 1, study, &team.players, figures))
        }
    };
    Section { id: "champions", title: "Champions", body }
}

fn boards(
    number: usize,
    study: &Results,
    champions: &[Player],
    figures: &mut Figures<'_>,
) -> Markup {
    let probe = study.probes().first().cloned();
    let value = |index: usize| -> Option<f64> {
        let probe = probe.as_ref()?;
        let mut taken = study.runs[index].measurements.iter().rev();
        Some(taken.find(|measurement| measurement.probe == *probe)?.value)
    };
    let mut order: Vec<usize> = (0..champions.len()).collect();
    order.sort_by(|&a, &b| value(b).unwrap_or(0.0).total_cmp(&value(a).unwrap_or(0.0)));
    let told = |index: usize, detail: Detail| match (&probe, value(index), detail) {
        (Some(probe), Some(value), Detail::Numbers) => format!("{probe}: {}", percent(value)),
        (_, Some(value), Detail::Colours) => percent(value),
        _ => "not measured".into(),
    };
    let mut draw = |index: usize, detail: Detail| {
        let seed = study.runs[index].seed;
        let title = match detail {
            Detail::Numbers => format!("{}, seed {seed}", study.name),
            Detail::Colours => format!("seed {seed}"),
        };
        let board = Board { title, weights: champions[index].squares()?, detail };
        let (kind, file) = match detail {
            Detail::Numbers => ("board", format!("champion-{number}-{}", slug(&study.name))),
            Detail::Colours => {
                ("small", format!("champion-{number}-{}-seed-{seed}", slug(&study.name)))
            }
        };
        Some(figures.add(&file, kind, board.svg(), &told(index, detail)))
    };
    let Some((&best, others)) = order.split_first() else { return html! {} };
    let Some(board) = draw(best, Detail::Numbers) else {
        return html! { p { "Its champions are no weighted piece counters, and have no board." } };
    };
    let more = others.len().saturating_sub(MOST);
    html! {
        div class="study" {
            (board)
            div class="boards" {
                @for &index in others.iter().take(MOST) {
                    (draw(index, Detail::Colours).unwrap_or_default())
                }
            }
        }
        @if more > 0 { p class="note" { "And " (number_of(more, "more champion")) "." } }
    }
}
