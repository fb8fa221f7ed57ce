//! Networks as pictures: layers as boards of their nodes, grown networks as nodes and links beside
//! a board. Also as text for Graphviz.

mod dot;
mod layout;
mod route;
mod units;
mod wires;

use maud::Markup;

use super::{AxisUnit, Detail, board_colour, weight_text};
use outflank_game::model::Portrait;

/// A picture of a network.
#[derive(Clone, Debug)]
pub struct NetworkFigure<'a> {
    /// The name of its player.
    pub title: String,
    /// The network.
    pub portrait: &'a Portrait,
    /// With names and numbers, or small.
    pub detail: Detail,
}

impl NetworkFigure<'_> {
    /// The picture as an SVG document.
    pub fn svg(&self) -> String {
        if self.portrait.is_grown() { wires::svg(self) } else { units::svg(self) }
    }

    /// The network in the language of Graphviz, with all nodes in their places.
    pub fn dot(&self) -> String {
        dot::text(self)
    }
}

/// The largest weights, which have the strongest colours. Pictures of several networks can be
/// compared if they share them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shades {
    /// From squares, in boards of nodes.
    squares: f32,
    /// Of all links.
    links: f32,
    /// How wide links are, 1 as usual.
    bold: f64,
}

impl Shades {
    /// The shades of a picture that is alone.
    pub fn of(portrait: &Portrait) -> Shades {
        let units = portrait.units();
        let squares = units.iter().flat_map(|unit| unit.squares.iter().flatten());
        Shades {
            squares: squares.fold(0f32, |most, weight| most.max(weight.abs())),
            links: portrait.largest(),
            bold: 1.0,
        }
    }

    /// Shades for both.
    pub fn join(self, other: Shades) -> Shades {
        Shades {
            squares: self.squares.max(other.squares),
            links: self.links.max(other.links),
            bold: self.bold.max(other.bold),
        }
    }

    /// Shades with links this many times as wide, for pictures that are scaled down.
    pub fn bolder(self, times: f64) -> Shades {
        Shades { bold: self.bold * times, ..self }
    }
}

/// A small picture without a title, as part of a figure.
pub struct Scene {
    /// What is drawn.
    pub body: Markup,
    /// A place that stays the same when a network grows: the corner of its board.
    pub anchor: [f64; 2],
    /// Left, top, right, bottom.
    pub bounds: [f64; 4],
}

/// The nodes that scenes of networks like this one show. Of layers there may be too many.
pub fn shown_nodes(portrait: &Portrait) -> Vec<usize> {
    if portrait.is_grown() { Vec::new() } else { units::shown_nodes(portrait) }
}

/// A small picture of a network; of layers, only these nodes.
pub fn scene(portrait: &Portrait, nodes: &[usize], shades: Shades) -> Scene {
    if portrait.is_grown() {
        wires::scene(portrait, shades)
    } else {
        units::scene(portrait, nodes, shades)
    }
}

/// What nodes look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marks {
    /// Boards of their weights from the squares.
    Boards,
    /// Their names.
    Names,
}

/// A colour that SVG and Graphviz understand.
fn hex((red, green, blue): (u8, u8, u8)) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Green for nodes with a positive weight to the output, purple for negative ones.
fn ink(to_output: Option<f32>) -> String {
    match to_output {
        Some(weight) if weight > 0.0 => hex(board_colour(1.0, 1.0)),
        Some(weight) if weight < 0.0 => hex(board_colour(-1.0, 1.0)),
        _ => "#333333".into(),
    }
}

/// The CSS class of text in that colour.
fn ink_class(to_output: Option<f32>) -> &'static str {
    match to_output {
        Some(weight) if weight > 0.0 => "o-plus o-fine",
        Some(weight) if weight < 0.0 => "o-minus o-fine",
        _ => "o-soft o-fine",
    }
}

/// A node and its weight to the output.
fn caption(name: &str, to_output: Option<f32>) -> String {
    match to_output {
        Some(weight) => {
            let sign = if weight > 0.0 { "+" } else { "" };
            format!("{name}: {sign}{}", weight_text(weight, weight.abs().max(0.01)))
        }
        None => name.into(),
    }
}

/// `20 hidden nodes, 1,321 connections, weights up to 4.10`, and how many are drawn if not all.
fn size_text(portrait: &Portrait, drawn: usize) -> String {
    let (all, largest) = (portrait.connections.len(), portrait.largest());
    let strongest = if drawn < all {
        format!("the strongest {} of ", AxisUnit::Count.value(drawn as f64))
    } else {
        String::new()
    };
    format!(
        "{}, {strongest}{}, weights up to {}",
        count_text(portrait.hidden_count(), "hidden node"),
        count_text(all, "connection"),
        weight_text(largest, largest)
    )
}

/// `1 connection`, `1,321 connections`.
pub fn count_text(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", AxisUnit::Count.value(number as f64))
}

#[cfg(test)]
mod tests;
