//! Networks as pictures: layers as boards of their nodes, grown networks as nodes and links beside
//! a board. Also as text for Graphviz.

mod dot;
mod layout;
mod route;
mod units;
mod wires;

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
