//! Grown networks: links from a board to the nodes, each a small board of its weights from the
//! squares, and on to the output.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, html};

use super::super::board::{colour_key, painted, square_name};
use super::super::theme::weight_class;
use super::super::{Detail, SOFT, at, board_colour, document, fitted, printable, weight_text};
use super::layout::{LEAST_BOARD, LEAST_CAPTION, Layout, Order, Spot};
use super::{Marks, NetworkFigure, Scene, Shades, caption, hex, ink, ink_class, route, size_text};
use outflank_game::model::{Connection, Portrait, Unit};
use outflank_kernel::Source;

/// Classes of weights in a small picture.
const BUNDLES: usize = 6;
/// At most this many links are drawn; more would blur into one mass.
const MAX_LINKS: usize = 300;

pub fn svg(network: &NetworkFigure<'_>) -> String {
    let (portrait, numbered) = (network.portrait, network.detail == Detail::Numbers);
    let layout = Layout::new(portrait, Marks::Boards, Order::Voices);
    let mut drawn = portrait.strongest();
    drawn.truncate(MAX_LINKS);
    let name = printable(&network.title);
    let (width, height) = (layout.width, layout.height);
    // A small picture is shown scaled down, and its title with it; there is room for this size
    // above the board.
    let font = if numbered { 18.0 } else { (width / 13.0).clamp(12.0, 84.0) };
    let title = fitted(&name, font, width - 8.0);
    let (shift, height) = if numbered { (0.0, height) } else { (4.0, height - 8.0) };
    let body = html! {
        g text-anchor="middle" {
            text x=(at(width / 2.0)) y=(at(0.9 * font + 8.0)) font-size=(at(font)) class="o-title" {
                (title) @if title != name { title { (name) } }
            }
            @if numbered {
                text x=(at(width / 2.0)) y="46" font-size="12" fill=(SOFT) class="o-soft o-fine" {
                    (fitted(&size_text(portrait, drawn.len()), 12.0, width - 8.0))
                }
                (colour_key(width / 2.0, 63.0))
            }
            g transform=[(!numbered).then(|| format!("translate(0 {shift})"))] {
                (picture(portrait, &drawn, &layout, numbered, Shades::of(portrait)))
            }
        }
    };
    document([width, height], &format!("the network of {name}"), &body)
}

/// A small picture without a title.
pub fn scene(portrait: &Portrait, shades: Shades) -> Scene {
    let layout = Layout::new(portrait, Marks::Boards, Order::Names);
    let mut drawn = portrait.strongest();
    drawn.truncate(MAX_LINKS);
    Scene {
        body: picture(portrait, &drawn, &layout, false, shades),
        anchor: layout.board,
        bounds: layout.bounds(),
    }
}

fn picture(
    portrait: &Portrait,
    drawn: &[Connection],
    layout: &Layout,
    numbered: bool,
    shades: Shades,
) -> Markup {
    let pen = Pen::new(drawn, shades);
    html! {
        (board(layout))
        g fill="none" stroke-linecap="round" {
            @if numbered { (links(portrait, drawn, layout, &pen)) }
            @else { (bundles(drawn, layout, &pen)) }
        }
        @if numbered { (coordinates(layout)) }
        (nodes(portrait, layout, numbered, shades.squares))
    }
}

fn board(layout: &Layout) -> Markup {
    let ([left, top], cell) = (layout.board, layout.cell);
    let lines: String = (0..=8).map(f64::from).fold(String::new(), |mut path, line| {
        let (x, y, side) = (at(left + line * cell), at(top + line * cell), at(8.0 * cell));
        let _ = write!(path, "M{} {y}h{side}M{x} {}v{side}", at(left), at(top));
        path
    });
    html! {
        rect x=(at(left)) y=(at(top)) width=(at(8.0 * cell)) height=(at(8.0 * cell)) fill="#f6f8f6" class="o-empty" {}
        path d=(lines) stroke="#aab" class="o-edge" stroke-width="0.8" fill="none" {}
    }
}

/// Drawn over the links, some of which leave the board upwards.
fn coordinates(layout: &Layout) -> Markup {
    let [left, top] = layout.board;
    html! {
        g font-size="13" fill="#333" class="o-soft o-halo o-fine" paint-order="stroke" stroke="white"
            stroke-width="4" {
            @for (index, column) in (0..8).zip('a'..='h') {
                @let middle = (f64::from(index) + 0.5) * layout.cell;
                text x=(at(left + middle)) y=(at(top - 8.0)) { (column) }
                text x=(at(left - 14.0)) y=(at(top + middle + 5.0)) { (index + 1) }
            }
        }
    }
}

/// How links are drawn.
struct Pen {
    largest: f32,
    /// Links from the board, and links between nodes.
    crowds: [Crowd; 2],
    bold: f64,
}

/// How a link is drawn.
struct Stroke {
    colour: String,
    class: &'static str,
    width: String,
    opacity: String,
}

/// Links that run side by side.
struct Crowd {
    /// How many more there are than can be distinguished.
    excess: f64,
    /// How strongly each is drawn: many of about the same weight would blur into one mass.
    ink: f64,
}

/// The number of links that can be distinguished.
const CLEAR: f64 = 60.0;

impl Crowd {
    /// A crowd of links with these weights, as shares of the largest.
    fn new(shares: &[f64]) -> Crowd {
        let excess = (shares.len() as f64 / CLEAR).max(1.0).ln();
        let crowd = Crowd { excess, ink: 1.0 };
        let all: f64 = shares.iter().map(|share| crowd.strength(*share)).sum();
        Crowd { ink: (CLEAR / all.max(CLEAR)).sqrt(), ..crowd }
    }

    fn strength(&self, share: f64) -> f64 {
        share.powf(0.8 + 0.75 * self.excess)
    }
}

impl Pen {
    /// Makes a pen for these links.
    fn new(drawn: &[Connection], Shades { links: largest, bold, .. }: Shades) -> Pen {
        let crowds = [false, true].map(|inner| {
            let links = drawn.iter().filter(|link| is_inner(link) == inner);
            Crowd::new(&links.map(|link| share(link.weight, largest)).collect::<Vec<_>>())
        });
        Pen { largest, crowds, bold }
    }

    /// Weak links are thin and faint, even more so among many.
    fn stroke(&self, weight: f32, is_inner: bool) -> Stroke {
        let share = share(weight, self.largest);
        let crowd = &self.crowds[usize::from(is_inner)];
        let least = 0.3 / (1.0 + 3.0 * crowd.excess);
        let opacity = crowd.ink * (least + (0.92 - least) * crowd.strength(share));
        Stroke {
            colour: hex(board_colour(weight.signum(), 1.0)),
            class: if weight < 0.0 { "o-minus-line" } else { "o-plus-line" },
            width: format!("{:.2}", self.bold * (0.5 + 3.5 * share * crowd.ink)),
            opacity: format!("{opacity:.3}"),
        }
    }
}

/// The size of a weight as a share of the largest.
fn share(weight: f32, largest: f32) -> f64 {
    if largest > 0.0 { f64::from(weight.abs() / largest) } else { 0.0 }
}

fn is_inner(link: &Connection) -> bool {
    matches!(link.from, Source::Node(_))
}

/// Strong links are drawn last, over the weak.
fn links(portrait: &Portrait, drawn: &[Connection], layout: &Layout, pen: &Pen) -> Markup {
    html! {
        @for link in drawn.iter().rev() {
            @let Stroke { colour, class, width, opacity } = pen.stroke(link.weight, is_inner(link));
            path d=(route::path(layout, link)) stroke=(colour) class=(class) stroke-width=(width)
                stroke-opacity=(opacity) {
                title {
                    (portrait.source_name(link.from)) " → " (portrait.node_name(link.to)) ": "
                    (weight_text(link.weight, pen.largest))
                }
            }
        }
    }
}

/// Links of about the same weight as one path: a page may have many small pictures.
fn bundles(drawn: &[Connection], layout: &Layout, pen: &Pen) -> Markup {
    let mut bundles: BTreeMap<(usize, bool, bool), String> = BTreeMap::new();
    for link in drawn {
        let share = share(link.weight, pen.largest);
        let bundle = ((share * BUNDLES as f64) as usize).min(BUNDLES - 1);
        let key = (bundle, link.weight < 0.0, is_inner(link));
        bundles.entry(key).or_default().push_str(&route::path(layout, link));
    }
    html! {
        @for ((bundle, is_negative, is_inner), path) in &bundles {
            @let weight = pen.largest * (*bundle as f32 + 0.5) / BUNDLES as f32;
            @let weight = if *is_negative { -weight } else { weight };
            @let Stroke { colour, class, width, opacity } = pen.stroke(weight, *is_inner);
            path d=(path) stroke=(colour) class=(class) stroke-width=(width) stroke-opacity=(opacity) {}
        }
    }
}

fn nodes(portrait: &Portrait, layout: &Layout, numbered: bool, largest: f32) -> Markup {
    let units = portrait.units();
    let voices: Vec<Option<f32>> = portrait.voices().into_iter().chain([None]).collect();
    html! {
        @if let Some([x, y]) = layout.one {
            (disc([x, y], 11.0))
            @if numbered { text x=(at(x)) y=(at(y + 4.5)) font-size="13" class="o-fine" { "1" } }
        }
        @for (node, spot) in layout.nodes.iter().enumerate() {
            @let unit = units.iter().find(|unit| unit.node == node);
            @match unit.filter(|_| spot.side >= LEAST_BOARD) {
                Some(unit) => (small_board(portrait, unit, spot, numbered, largest)),
                None => (disc(spot.at, spot.side / 2.0)),
            }
            @if numbered && spot.side >= LEAST_BOARD {
                (label(spot, node == portrait.hidden.len(), voices[node],
                    caption(portrait.node_name(node), voices[node])))
            }
        }
    }
}

/// The name of a node: below it, or beside it and above its outgoing links where nodes are close
/// together.
fn label(spot: &Spot, is_output: bool, voice: Option<f32>, text: String) -> Markup {
    let ([x, y], half) = (spot.at, spot.side / 2.0);
    let (x, y, anchor) = if is_output || spot.side >= LEAST_CAPTION {
        (x, y + half + 12.0, None)
    } else {
        (x + half + 4.0, y - 4.0, Some("start"))
    };
    html! {
        text x=(at(x)) y=(at(y)) font-size="11" text-anchor=[anchor] paint-order="stroke"
            stroke="white" stroke-width="3" fill=(ink(voice)) class={ (ink_class(voice)) " o-halo" } { (text) }
    }
}

fn disc([x, y]: [f64; 2], radius: f64) -> Markup {
    html! { circle cx=(at(x)) cy=(at(y)) r=(at(radius)) fill="white" stroke="#444" class="o-disc"
    stroke-width="1.2" {} }
}

/// The weights from the squares to a node.
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
        rect x=(at(left)) y=(at(top)) width=(side) height=(side) fill="#ececec" class="o-empty" {}
        @if numbered {
            @for ([x, y], square, weight) in squares {
                rect x=(at(x)) y=(at(y)) width=(at(cell)) height=(at(cell))
                    fill=(hex(board_colour(weight, largest))) class=(weight_class(weight, largest)) {
                    title { (square) " → " (name) ": " (weight_text(weight, largest)) }
                }
            }
        } @else {
            (painted(squares.map(|(place, _, weight)| (place, weight)), cell, largest))
        }
        rect x=(at(left)) y=(at(top)) width=(side) height=(side) fill="none" stroke="#444" class="o-line"
            stroke-width="1.2" {}
    }
}
