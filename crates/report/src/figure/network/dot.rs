//! Networks in the language of Graphviz. All nodes are pinned as in the SVG: the squares as a
//! board, and a column for each depth. The text asks for the layout `neato`, which keeps them
//! there, so that `dot` draws the same.

use std::fmt::Write as _;

use super::super::{board_colour, text_width, weight_text};
use super::layout::{Layout, Order};
use super::{Marks, NetworkFigure, hex};
use outflank_game::model::Portrait;
use outflank_kernel::Source;

/// With more connections, their labels would overlap.
const MAX_LABELS: usize = 60;
/// Pixels per inch.
const INCH: f64 = 72.0;
const FONT: f64 = 10.0;
/// A hidden node. It is transparent, because a link behind it would seem to end there.
const HIDDEN: &str = "shape=box, style=\"rounded,filled\", fillcolor=\"#ffffffb0\"";

pub fn text(network: &NetworkFigure<'_>) -> String {
    let (portrait, layout) =
        (network.portrait, Layout::new(network.portrait, Marks::Names, Order::Voices));
    let mut text = format!(
        "digraph {} {{\n  graph [layout=neato, outputorder=edgesfirst, label={}, labelloc=t];\n  \
         node [fixedsize=true, fontname=\"sans-serif\", fontsize={FONT}];\n  \
         edge [arrowhead=none, fontname=\"sans-serif\", fontsize=8];\n",
        quoted(&network.title),
        quoted(&network.title)
    );
    let mut node = |name: &str, look: &str, [width, height]: [f64; 2], [x, y]: [f64; 2]| {
        let (x, y) = (x / INCH, (layout.height - y) / INCH);
        let _ = writeln!(
            text,
            "  {} [{look}, width={:.3}, height={:.3}, pos=\"{x:.3},{y:.3}!\"];",
            quoted(name),
            width / INCH,
            height / INCH
        );
    };
    for square in 0..64 {
        let name = portrait.source_name(Source::Square(square));
        node(&name, "shape=square", [layout.cell; 2], layout.square(square));
    }
    if let Some(one) = layout.one {
        node(&portrait.source_name(Source::One), "shape=circle", [34.0; 2], one);
    }
    for (index, hidden) in portrait.hidden.iter().enumerate() {
        let spot = layout.nodes[index];
        let width = FONT * text_width(&hidden.name) + 10.0;
        node(&hidden.name, HIDDEN, [width, spot.side], spot.at);
    }
    let output = portrait.hidden.len();
    node(portrait.node_name(output), "shape=circle", [36.0; 2], layout.nodes[output].at);
    text + &edges(portrait) + "}\n"
}

/// Weak links first, because later ones are drawn over them.
fn edges(portrait: &Portrait) -> String {
    let largest = portrait.largest();
    let is_labelled = portrait.connections.len() <= MAX_LABELS;
    let mut text = String::new();
    for link in portrait.strongest().iter().rev() {
        let share = if largest > 0.0 { f64::from(link.weight.abs() / largest) } else { 0.0 };
        let colour = hex(board_colour(link.weight.signum(), 1.0));
        let opacity = (40.0 + 215.0 * share).round() as u8;
        let [from, to] = [portrait.source_name(link.from), portrait.node_name(link.to).to_string()];
        let number = weight_text(link.weight, largest);
        let label = if is_labelled { format!(", label=\"{number}\"") } else { String::new() };
        let _ = writeln!(
            text,
            "  {} -> {} [color=\"{colour}{opacity:02x}\", penwidth={:.2}, tooltip=\"{number}\"{label}];",
            quoted(&from),
            quoted(&to),
            0.3 + 3.2 * share
        );
    }
    text
}

/// A name in quotes for Graphviz: quotes and backslashes are escaped.
fn quoted(name: &str) -> String {
    let name = super::super::printable(name);
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
