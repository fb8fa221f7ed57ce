//! Layers: the weights from the squares to each node of the first layer, as small boards with one
//! colour scale.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::super::board::{colour_key, painted, square_name};
use super::super::theme::weight_class;
use super::super::{Detail, SOFT, at, board_colour, document, fitted, printable, weight_text};
use super::{NetworkFigure, Scene, Shades, caption, hex, ink, ink_class, size_text};
use outflank_game::model::{Portrait, Unit};

/// At most this many boards are drawn.
const MAX_BOARDS: usize = 120;
/// At most this many boards are drawn in a small picture.
const MAX_SMALL_BOARDS: usize = 20;
/// From one line of text to the next.
const LINE: f64 = 16.0;

/// Where the boards are.
struct Grid {
    columns: usize,
    /// The width of a square.
    cell: f64,
    /// From one board to the next.
    pitch: [f64; 2],
    margin: f64,
    /// Where the first row begins; a few boards are centred.
    left: f64,
    top: f64,
}

impl Grid {
    /// A grid for this many boards below this many lines of text.
    fn new(boards: usize, lines: usize, detail: Detail) -> Grid {
        // Square, or somewhat wider.
        let columns = (1.35 * boards as f64).sqrt().ceil().max(1.0);
        let (cell, gap, caption, margin, top) = match detail {
            Detail::Numbers => (11.0, 16.0, 20.0, 20.0, 50.0 + LINE * lines as f64),
            Detail::Colours => (4.0, 6.0, 0.0, 6.0, 24.0),
        };
        let least = if detail == Detail::Numbers { 5.0 } else { 3.0 };
        let (columns, pitch) = (columns.max(least), 8.0 * cell + gap);
        let free = (columns - boards as f64).max(0.0) * pitch;
        Grid {
            columns: columns as usize,
            cell,
            pitch: [pitch, pitch + caption],
            margin,
            left: margin + free / 2.0,
            top,
        }
    }

    fn place(&self, index: usize) -> [f64; 2] {
        let (row, column) = (index / self.columns, index % self.columns);
        [self.left + self.pitch[0] * column as f64, self.top + self.pitch[1] * row as f64]
    }

    fn size(&self, boards: usize) -> [f64; 2] {
        let rows = boards.div_ceil(self.columns);
        let gap = self.pitch[0] - 8.0 * self.cell;
        let width = 2.0 * self.margin + self.pitch[0] * self.columns as f64 - gap;
        [width, self.top + self.pitch[1] * rows as f64]
    }
}

pub fn svg(network: &NetworkFigure<'_>) -> String {
    let numbered = network.detail == Detail::Numbers;
    let all = network.portrait.units();
    let shown = &all[..all.len().min(if numbered { MAX_BOARDS } else { MAX_SMALL_BOARDS })];
    let largest = Shades::of(network.portrait).squares;
    let notes = notes(network.portrait, shown, all.len());
    let grid = Grid::new(shown.len(), notes.len() + 1, network.detail);
    let [width, height] = grid.size(shown.len());
    let name = printable(&network.title);
    let font = if numbered { 18.0 } else { (width / 13.0).clamp(12.0, 18.0) };
    let title = fitted(&name, font, width - 8.0);
    let body = html! {
        g text-anchor="middle" {
            text x=(at(width / 2.0)) y=(at(font + 5.0)) font-size=(at(font)) class="o-title" {
                (title) @if title != name { title { (name) } }
            }
            @if numbered {
                @for (line, note) in notes.iter().enumerate() {
                    text x=(at(width / 2.0)) y=(at(46.0 + LINE * line as f64)) font-size="12" fill=(SOFT)
                        class="o-soft o-fine" {
                        (fitted(note, 12.0, width - 8.0))
                    }
                }
                (colour_key(width / 2.0, 46.0 + LINE * notes.len() as f64))
                g stroke="#bbb" class="o-edge" stroke-width="0.4" font-size="11" {
                    @for (index, unit) in shown.iter().enumerate() {
                        (board(network.portrait, unit, grid.place(index), grid.cell, largest))
                    }
                }
            } @else {
                (small_boards(shown, &grid, largest))
            }
        }
    };
    document([width, height], &format!("the network of {name}"), &body)
}

/// The size of the network; what is not drawn and what the numbers mean, if needed.
fn notes(portrait: &Portrait, shown: &[Unit], all: usize) -> Vec<String> {
    let (layers, more) = (portrait.layers().len(), all - shown.len());
    let below = if shown.iter().any(|unit| unit.to_output.is_some()) {
        "below: weight to the output"
    } else {
        "below: weights to the next layer, sizes added up"
    };
    [
        Some(size_text(portrait, portrait.connections.len())),
        (layers > 1).then(|| format!("drawn: the first of {layers} hidden layers")),
        (more > 0).then(|| format!("{more} more not drawn")),
        shown.iter().any(|unit| unit.heard > 0.0).then(|| below.into()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn board(portrait: &Portrait, unit: &Unit, [x, y]: [f64; 2], cell: f64, largest: f32) -> Markup {
    let name = portrait.node_name(unit.node);
    let squares = (0..64i32).zip(&unit.squares).filter_map(|(index, weight)| {
        let place = [x + cell * f64::from(index % 8), y + cell * f64::from(index / 8)];
        Some((place, square_name(index), (*weight)?))
    });
    let text = match unit.to_output {
        None if unit.heard > 0.0 => format!("{name}: {}", weight_text(unit.heard, unit.heard)),
        weight => caption(name, weight),
    };
    let side = at(8.0 * cell);
    html! {
        rect x=(at(x)) y=(at(y)) width=(side) height=(side) fill="#f2f2f2" class="o-empty o-edge" stroke="#888" {}
        @for ([x, y], square, weight) in squares {
            rect x=(at(x)) y=(at(y)) width=(cell) height=(cell) fill=(hex(board_colour(weight, largest)))
                class=(weight_class(weight, largest)) {
                title { (square) " → " (name) ": " (weight_text(weight, largest)) }
            }
        }
        text x=(at(x + 4.0 * cell)) y=(at(y + 8.0 * cell + 14.0)) stroke="none" fill=(ink(unit.to_output))
            class=(ink_class(unit.to_output)) {
            (text)
        }
    }
}

/// The nodes of the first layer that a small picture has room for, in their own order.
pub fn shown_nodes(portrait: &Portrait) -> Vec<usize> {
    let units = portrait.units();
    let mut nodes: Vec<usize> = units.iter().map(|unit| unit.node).collect();
    nodes.truncate(MAX_SMALL_BOARDS);
    nodes.sort_unstable();
    nodes
}

/// A small picture of these nodes without a title.
pub fn scene(portrait: &Portrait, nodes: &[usize], shades: Shades) -> Scene {
    let units = portrait.units();
    let find = |node: &usize| units.iter().find(|unit| unit.node == *node).cloned();
    let shown: Vec<Unit> = nodes.iter().filter_map(find).collect();
    let grid = Grid { top: 0.0, ..Grid::new(nodes.len(), 0, Detail::Colours) };
    let [right, bottom] = grid.size(nodes.len());
    let gap = grid.pitch[1] - 8.0 * grid.cell;
    Scene {
        body: small_boards(&shown, &grid, shades.squares),
        anchor: [0.0, 0.0],
        bounds: [grid.left, 0.0, right - grid.left, bottom - gap],
    }
}

fn small_boards(units: &[Unit], grid: &Grid, largest: f32) -> Markup {
    let (cell, side) = (grid.cell, 8.0 * grid.cell);
    let mut frames = String::new();
    for index in 0..units.len() {
        let [x, y] = grid.place(index);
        let _ = write!(frames, "M{} {}h{side}v{side}h-{side}z", at(x), at(y));
    }
    let squares = units.iter().enumerate().flat_map(|(index, unit)| {
        let [x, y] = grid.place(index);
        (0..8u8)
            .flat_map(move |row| (0..8u8).map(move |column| [column, row]))
            .zip(unit.squares)
            .filter_map(move |([column, row], weight)| {
                Some(([x + cell * f64::from(column), y + cell * f64::from(row)], weight?))
            })
    });
    html! {
        path d=(frames) fill="#f2f2f2" class="o-empty o-edge" stroke="#888" stroke-width="0.5" {}
        (painted(squares, cell, largest))
    }
}
