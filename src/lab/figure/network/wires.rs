//! Grown networks: links from a board to nodes, which show in small what they hear of it, and on to the output.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, html};

use super::super::board::square_name;
use super::super::{Detail, at, board_colour, fitted, printable, weight_text};
use super::layout::{LEAST_BOARD, Layout, Spot};
use super::{Network, caption, hex, ink, size_text};
use crate::kernel::Source;
use crate::model::{Connection, Portrait, Unit};

/// Sizes of weights that a small picture tells apart.
const BUNDLES: usize = 6;

pub fn svg(network: &Network<'_>) -> String {
    let (portrait, numbered) = (network.portrait, network.detail == Detail::Numbers);
    let layout = Layout::new(portrait);
    let name = printable(&network.title);
    let (width, height) = (layout.width, layout.height);
    // A small picture is shown at a fifth of its size, and so is its title.
    let font = if numbered { 18.0 } else { 60.0 };
    let title = fitted(&name, font, width - 8.0);
    let (shift, height) = if numbered { (0.0, height) } else { (20.0, height + 8.0) };
    let figure = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(at(width)) height=(at(height))
            viewBox={ "0 0 " (at(width)) " " (at(height)) } font-family="sans-serif"
            text-anchor="middle" role="img" aria-label={ "the network of " (name) } {
            rect width=(at(width)) height=(at(height)) fill="white" {}
            text x=(at(width / 2.0)) y=(at(0.9 * font + 8.0)) font-size=(font) {
                (title) @if title != name { title { (name) } }
            }
            @if numbered {
                text x=(at(width / 2.0)) y="46" font-size="12" fill="#555" {
                    (fitted(&size_text(portrait), 12.0, width - 8.0))
                }
            }
            g transform=[(!numbered).then(|| format!("translate(0 {shift})"))] {
                (board(&layout, numbered))
                g fill="none" stroke-linecap="round" {
                    @if numbered { (links(portrait, &layout)) } @else { (bundles(portrait, &layout)) }
                }
                (nodes(portrait, &layout, numbered))
            }
        }
    };
    figure.into_string()
}

fn board(layout: &Layout, numbered: bool) -> Markup {
    let ([left, top], cell) = (layout.board, layout.cell);
    let lines: String = (0..=8).map(f64::from).fold(String::new(), |mut path, line| {
        let (x, y, side) = (at(left + line * cell), at(top + line * cell), at(8.0 * cell));
        let _ = write!(path, "M{} {y}h{side}M{x} {}v{side}", at(left), at(top));
        path
    });
    html! {
        rect x=(at(left)) y=(at(top)) width=(at(8.0 * cell)) height=(at(8.0 * cell)) fill="#f6f8f6" {}
        path d=(lines) stroke="#aab" stroke-width="0.8" fill="none" {}
        @if numbered {
            g font-size="13" fill="#333" {
                @for (index, column) in (0..8).zip('a'..='h') {
                    @let middle = (f64::from(index) + 0.5) * cell;
                    text x=(at(left + middle)) y=(at(top - 8.0)) { (column) }
                    text x=(at(left - 14.0)) y=(at(top + middle + 5.0)) { (index + 1) }
                }
            }
        }
    }
}

/// How links are drawn.
struct Pen {
    largest: f32,
    /// How many more there are than can be told apart, of those from the board and of those between nodes.
    crowds: [f64; 2],
}

impl Pen {
    fn new(portrait: &Portrait) -> Pen {
        let inner = portrait.connections.iter().filter(|link| is_inner(link)).count();
        let crowd = |links: usize| (links as f64 / 60.0).max(1.0).ln();
        let crowds = [crowd(portrait.connections.len() - inner), crowd(inner)];
        Pen { largest: portrait.largest(), crowds }
    }

    /// The weaker, the thinner and the fainter, all the more among many: colour, width and opacity.
    fn stroke(&self, weight: f32, is_inner: bool) -> (String, String, String) {
        let share = if self.largest > 0.0 { f64::from(weight.abs() / self.largest) } else { 0.0 };
        let crowd = self.crowds[usize::from(is_inner)];
        let least = 0.3 / (1.0 + 3.0 * crowd);
        let opacity = least + (0.92 - least) * share.powf(0.8 + 0.75 * crowd);
        let colour = hex(board_colour(weight.signum(), 1.0));
        (colour, format!("{:.2}", 0.5 + 3.5 * share), format!("{opacity:.3}"))
    }
}

fn is_inner(link: &Connection) -> bool {
    matches!(link.from, Source::Node(_))
}

/// A bow from left to right.
fn bow(layout: &Layout, link: &Connection) -> String {
    let ([x, y], [to_x, to_y]) = (layout.start(link.from), layout.end(link.to));
    let bend = 0.45 * (to_x - x);
    let (first, second) = (at(x + bend), at(to_x - bend));
    format!(
        "M{} {}C{first} {} {second} {} {} {}",
        at(x),
        at(y),
        at(y),
        at(to_y),
        at(to_x),
        at(to_y)
    )
}

/// The strong ones are drawn last, over the weak.
fn links(portrait: &Portrait, layout: &Layout) -> Markup {
    let (strongest, pen) = (portrait.strongest(), Pen::new(portrait));
    html! {
        @for link in strongest.iter().rev() {
            @let (colour, width, opacity) = pen.stroke(link.weight, is_inner(link));
            path d=(bow(layout, link)) stroke=(colour) stroke-width=(width) stroke-opacity=(opacity) {
                title {
                    (portrait.source_name(link.from)) " → " (portrait.node_name(link.to)) ": "
                    (weight_text(link.weight, pen.largest))
                }
            }
        }
    }
}

/// Links of about the same weight as one path: a page may have many small pictures.
fn bundles(portrait: &Portrait, layout: &Layout) -> Markup {
    let pen = Pen::new(portrait);
    let mut bundles: BTreeMap<(usize, bool, bool), String> = BTreeMap::new();
    for link in &portrait.connections {
        let share = if pen.largest > 0.0 { link.weight.abs() / pen.largest } else { 0.0 };
        let bundle = ((share * BUNDLES as f32) as usize).min(BUNDLES - 1);
        let key = (bundle, link.weight < 0.0, is_inner(link));
        bundles.entry(key).or_default().push_str(&bow(layout, link));
    }
    html! {
        @for ((bundle, is_negative, is_inner), path) in &bundles {
            @let weight = pen.largest * (*bundle as f32 + 0.5) / BUNDLES as f32;
            @let weight = if *is_negative { -weight } else { weight };
            @let (colour, width, opacity) = pen.stroke(weight, *is_inner);
            path d=(path) stroke=(colour) stroke-width=(width) stroke-opacity=(opacity) {}
        }
    }
}

fn nodes(portrait: &Portrait, layout: &Layout, numbered: bool) -> Markup {
    let units = portrait.units();
    let heard = units.iter().flat_map(|unit| unit.squares.iter().flatten());
    let largest = heard.fold(0f32, |most, weight| most.max(weight.abs()));
    let voices: Vec<Option<f32>> = portrait.voices().into_iter().chain([None]).collect();
    html! {
        @if let Some([x, y]) = layout.one {
            (disc([x, y], 11.0))
            @if numbered { text x=(at(x)) y=(at(y + 4.5)) font-size="13" { "1" } }
        }
        @for (node, spot) in layout.nodes.iter().enumerate() {
            @let unit = units.iter().find(|unit| unit.node == node);
            @match unit.filter(|_| spot.side >= LEAST_BOARD) {
                Some(unit) => (small_board(portrait, unit, spot, numbered, largest)),
                None => (disc(spot.at, spot.side / 2.0)),
            }
            @if numbered && spot.side >= LEAST_BOARD {
                text x=(at(spot.at[0])) y=(at(spot.at[1] + spot.side / 2.0 + 12.0)) font-size="11"
                    paint-order="stroke" stroke="white" stroke-width="3"
                    fill=(ink(voices[node])) { (caption(portrait.node_name(node), voices[node])) }
            }
        }
    }
}

fn disc([x, y]: [f64; 2], radius: f64) -> Markup {
    html! { circle cx=(at(x)) cy=(at(y)) r=(at(radius)) fill="white" stroke="#444" stroke-width="1.2" {} }
}

/// What a node hears of the board.
fn small_board(
    portrait: &Portrait,
    unit: &Unit,
    spot: &Spot,
    numbered: bool,
    largest: f32,
) -> Markup {
    let [left, top] = spot.at.map(|middle| middle - spot.side / 2.0);
    let cell = spot.side / 8.0;
    let squares = (0..64i32).zip(&unit.squares).filter_map(|(index, weight)| {
        let place = [left + cell * f64::from(index % 8), top + cell * f64::from(index / 8)];
        Some((place, square_name(index), (*weight)?))
    });
    let (side, name) = (at(spot.side), portrait.node_name(unit.node));
    html! {
        rect x=(at(left)) y=(at(top)) width=(side) height=(side) fill="#ececec" {}
        @for ([x, y], square, weight) in squares {
            rect x=(at(x)) y=(at(y)) width=(at(cell)) height=(at(cell))
                fill=(hex(board_colour(weight, largest))) {
                @if numbered { title { (square) " → " (name) ": " (weight_text(weight, largest)) } }
            }
        }
        rect x=(at(left)) y=(at(top)) width=(side) height=(side) fill="none" stroke="#444" stroke-width="1.2" {}
    }
}
