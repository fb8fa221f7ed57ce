//! The champions' weights as boards, or their networks: the best of each study large, others small.

use maud::{Markup, html};

use super::text::{number_of, percent, slug};
use super::{Drawing, Figures, Material, Names, Section};
use crate::figure::{BoardFigure, Detail, NetworkFigure};
use outflank_game::player::Player;
use outflank_lab::Results;

pub const NAMES: Names = Names { stem: "champion", are_many: true };

/// At most this many small boards are drawn for a study.
const MAX_SMALL: usize = 12;

pub fn section(material: &Material<'_>, figures: &mut Figures<'_>) -> Section {
    let all = material.studies.iter().zip(&material.evidence.teams).enumerate();
    let body = html! {
        p {
            "The weights that the champions give to the squares: green is good, purple is bad, and a stronger colour \
             is a larger weight. The large board is the run with the best final value of the first measure (the percentage \
             below it). The small boards are the other runs, best first. Choose a small board to enlarge it; its SVG \
             file has the numbers."
            @if material.evidence.teams.iter().flat_map(|team| team.players.first()).any(is_network) {
                " For a multilayer perceptron, each small board shows the weights from the 64 squares to one hidden \
                 node (same colour scale for all); the number below is that node's weight to the output. A network \
                 that was grown is drawn as a board, hidden nodes with small boards of the squares they are connected \
                 to, and connections: green ones add, purple ones subtract."
            }
        }
        @for (index, (study, team)) in all {
            @let (number, probe) = (index + 1, study.measures().first().cloned());
            h3 { (study.name) }
            (boards(&Gallery { number, study, champions: &team.players, probe }, figures))
        }
    };
    Section { id: "champions".into(), title: "Champions".into(), body }
}

/// The champions of a study.
struct Gallery<'a> {
    /// The number of the study in the report, from 1.
    number: usize,
    study: &'a Results,
    champions: &'a [Player],
    /// The probe by which they are ranked.
    probe: Option<String>,
}

impl Gallery<'_> {
    /// The last value of the probe for a champion.
    fn value(&self, index: usize) -> Option<f64> {
        let probe = self.probe.as_ref()?;
        let measurements = &self.study.runs[index].measurements;
        Some(measurements.iter().rfind(|measurement| measurement.probe == *probe)?.value)
    }

    /// The champions, best first.
    fn ranked(&self) -> Vec<usize> {
        let value = |index: usize| self.value(index).unwrap_or(f64::NEG_INFINITY);
        let mut order: Vec<usize> = (0..self.champions.len()).collect();
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        order
    }

    /// The board or network of a champion; none for a player without weights. The file of a small
    /// figure has the numbers.
    fn draw(&self, index: usize, detail: Detail, figures: &mut Figures<'_>) -> Option<Markup> {
        let (seed, name) = (self.study.runs[index].seed, &self.study.name);
        let file = NAMES.name(self.number, &format!("{}-seed-{seed}", slug(name)));
        let value = self.value(index).map_or("not measured".into(), percent);
        let title = format!("{name}, seed {seed}");
        let player = &self.champions[index];
        let drawing = match detail {
            Detail::Numbers => Drawing::new(picture(player, title, detail)?),
            Detail::Colours => Drawing {
                page: picture(player, format!("seed {seed}"), detail)?,
                ..Drawing::new(picture(player, title, Detail::Numbers)?)
            },
        };
        let (kind, caption) = match (detail, &self.probe) {
            (Detail::Colours, _) => ("small", value),
            (Detail::Numbers, probe) => (
                if is_network(player) { "network" } else { "board" },
                format!(
                    "seed {seed}, {}",
                    probe.as_ref().map_or(value.clone(), |probe| format!("{probe}: {value}"))
                ),
            ),
        };
        Some(figures.add(&file, kind, drawing, &caption))
    }
}

/// A player's weights or network.
fn picture(player: &Player, title: String, detail: Detail) -> Option<String> {
    match (player.squares(), player.portrait()) {
        (Some(weights), _) => Some(BoardFigure { title, weights, detail }.svg()),
        (None, Some(portrait)) => Some(NetworkFigure { title, portrait: &portrait, detail }.svg()),
        (None, None) => None,
    }
}

fn is_network(player: &Player) -> bool {
    player.portrait().is_some()
}

fn boards(gallery: &Gallery<'_>, figures: &mut Figures<'_>) -> Markup {
    let order = gallery.ranked();
    let Some((&best, others)) = order.split_first() else { return html! {} };
    let Some(board) = gallery.draw(best, Detail::Numbers, figures) else {
        return html! { p { "Its champions have no weights and no network that could be drawn." } };
    };
    let others_class =
        if is_network(&gallery.champions[best]) { "boards networks" } else { "boards" };
    let more = others.len().saturating_sub(MAX_SMALL);
    html! {
        div class="study" {
            (board)
            div class=(others_class) {
                @for &index in others.iter().take(MAX_SMALL) {
                    (gallery.draw(index, Detail::Colours, figures).unwrap_or_default())
                }
            }
        }
        @if more > 0 { p class="note" { "And " (number_of(more, "more champion")) "." } }
    }
}
