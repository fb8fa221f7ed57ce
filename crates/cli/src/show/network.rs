//! A network in the terminal: its size, the inputs of its nodes, and what each square is worth to
//! it.

use std::fmt::Write as _;
use std::io::Write;

use super::{board, colours};
use crate::Error;
use crate::output::TextTable;
use outflank_game::model::{Connection, Portrait, Unit, View};
use outflank_game::player::Player;
use outflank_kernel::Source;
use outflank_lab::{WORTH_GAMES, square_worth};
use outflank_report::figure::{board_colour, count_text, weight_text};

/// At most this many boards of nodes are printed, and how many side by side.
const MAX_BOARDS: usize = 12;
const ABREAST: usize = 4;
/// Maximum rows in the table of nodes, and connections in the list.
const MAX_NODES: usize = 30;
const MAX_CONNECTIONS: usize = 12;
/// Up to this many layers are listed one by one.
const MAX_LAYERS: usize = 8;
/// Connections that are listed for a node.
const MAX_INPUTS: usize = 3;

/// Prints a network.
pub fn print(out: &mut impl Write, player: &Player, portrait: &Portrait) -> Result<(), Error> {
    write!(out, "{}", summary(portrait))?;
    if portrait.is_grown() {
        print_nodes(out, portrait)?
    } else {
        print_units(out, portrait)?
    }
    if let Some(worth) = square_worth(player) {
        writeln!(out)?;
        writeln!(
            out,
            "Change of the value when a disc is flipped to its own side, mean over the positions of {WORTH_GAMES} random games:"
        )?;
        write!(out, "{}", board(&worth))?;
    }
    Ok(())
}

fn summary(portrait: &Portrait) -> String {
    let mut layers = vec!["64 squares".to_string()];
    let curve = portrait.hidden.first().map_or("", |node| node.curve.name());
    match portrait.layers() {
        deep if deep.len() > MAX_LAYERS => {
            layers.push(format!("{} {curve}, {} deep", deep.iter().sum::<usize>(), deep.len()));
        }
        few => layers.extend(few.iter().map(|nodes| format!("{nodes} {curve}"))),
    }
    layers.push(format!("1 {}", portrait.output.name()));
    let view = match portrait.view {
        View::Mover => "the player who moves",
        View::Black => "Black",
    };
    let has_biases = portrait.connections.iter().any(|link| link.from == Source::One);
    let bias = if has_biases { "with biases" } else { "without biases" };
    let kind = portrait.kind.in_words();
    let largest = portrait.largest();
    let weights = portrait.connections.iter().map(|link| link.weight);
    let range = weights
        .map(|weight| (weight, weight))
        .reduce(|(low, high), (weight, _)| (low.min(weight), high.max(weight)))
        .map(|ends| <[f32; 2]>::from(ends).map(|weight| weight_text(weight, largest)))
        .map_or(String::new(), |[low, high]| format!(", weights from {low} to {high}"));
    format!(
        "{kind}: {}, {bias}; sees the board as {view}\n{}, {}{range}\n{}",
        layers.join(" -> "),
        count_text(portrait.hidden_count(), "hidden node"),
        count_text(portrait.connections.len(), "connection"),
        counter(portrait),
    )
}

/// Describes the node that counts discs, if there is one.
fn counter(portrait: &Portrait) -> String {
    match portrait.counter().map(|node| portrait.node_name(node)) {
        Some(name) => format!(
            "in addition, {name}: passes one side's discs minus the other's to the output, without weights of its own\n"
        ),
        None => String::new(),
    }
}

/// The nodes of the first layer as small boards.
fn print_units(out: &mut impl Write, portrait: &Portrait) -> Result<(), Error> {
    writeln!(out)?;
    print_strongest(out, portrait)?;
    let units = portrait.units();
    let title = match units.iter().any(|unit| unit.to_output.is_some()) {
        _ if portrait.hidden.is_empty() => "Weights from the squares to the output.",
        true => {
            "Weights from the squares to the first layer; above each node is its weight to the output."
        }
        false => {
            "Weights from the squares to the first layer; above each node is the sum of the sizes of its \
             weights to the next layer."
        }
    };
    writeln!(out)?;
    writeln!(out, "{title}")?;
    writeln!(
        out,
        "# is at least half of the largest weight, + at least an eighth; = and - for negative weights."
    )?;
    let shown = &units[..units.len().min(MAX_BOARDS)];
    let weights = units.iter().flat_map(|unit| unit.squares.iter().flatten());
    let largest = weights.fold(0f32, |most, weight| most.max(weight.abs()));
    for row in shown.chunks(ABREAST) {
        writeln!(out)?;
        let heads = row.iter().map(|unit| format!("{:<18}", head(portrait, unit)));
        writeln!(out, "{}", heads.collect::<String>().trim_end())?;
        for line in 0..8 {
            let lines = row.iter().map(|unit| small_row(unit, line, largest));
            writeln!(out, "{}", lines.collect::<Vec<_>>().join("  "))?;
        }
    }
    let more = units.len() - shown.len();
    if more > 0 {
        writeln!(out, "And {more} more; --svg draws them.")?;
    }
    Ok(())
}

fn head(portrait: &Portrait, unit: &Unit) -> String {
    let name = portrait.node_name(unit.node);
    match unit.to_output {
        Some(weight) => format!("{name} {}", signed(weight, weight.abs())),
        None if unit.heard > 0.0 => format!("{name} {}", weight_text(unit.heard, unit.heard)),
        None => name.into(),
    }
}

/// A row of a small board, readable without colours.
fn small_row(unit: &Unit, row: usize, largest: f32) -> String {
    let mut text = String::new();
    for weight in &unit.squares[8 * row..8 * row + 8] {
        let Some(weight) = *weight else {
            text.push_str("  ");
            continue;
        };
        let style = colours(board_colour(weight, largest));
        let sign = match (weight > 0.0, weight.abs() / largest.max(f32::MIN_POSITIVE)) {
            (_, share) if share < 0.125 => " .",
            (true, share) if share < 0.5 => " +",
            (true, _) => " #",
            (false, share) if share < 0.5 => " -",
            (false, _) => " =",
        };
        let _ = write!(text, "{style}{sign}{style:#}");
    }
    text
}

/// The nodes of a graph and their inputs.
fn print_nodes(out: &mut impl Write, portrait: &Portrait) -> Result<(), Error> {
    let output = portrait.hidden.len();
    // Strongest first, for every node.
    let mut inputs: Vec<Vec<Connection>> = vec![Vec::new(); output + 1];
    portrait.strongest().into_iter().for_each(|link| inputs[link.to].push(link));
    let voices = portrait.voices();
    let mut table = TextTable::new(2);
    table.row(["node", "strongest inputs", "squares", "nodes", "bias", "depth", "to output"]);
    let shown = output.min(MAX_NODES);
    for node in (0..shown).chain([output]) {
        let cells = input_cells(portrait, &inputs[node]);
        let depth = portrait.hidden.get(node).map_or("-".into(), |node| node.depth.to_string());
        let voice = voices.get(node).copied().flatten();
        let voice = voice.map_or("-".into(), |weight| signed(weight, portrait.largest()));
        let row = [portrait.node_name(node).to_string()].into_iter().chain(cells);
        table.row(row.chain([depth, voice]));
    }
    writeln!(out)?;
    table.print(out)?;
    if output > shown {
        writeln!(out, "And {}.", count_text(output - shown, "more hidden node"))?;
    }
    writeln!(out)?;
    print_strongest(out, portrait)
}

/// The inputs of a node: the strongest, the numbers of squares and nodes, and the bias.
fn input_cells(portrait: &Portrait, inputs: &[Connection]) -> [String; 4] {
    let number = |link: &Connection| signed(link.weight, portrait.largest());
    let text = |link: &Connection| format!("{} {}", portrait.source_name(link.from), number(link));
    let most: Vec<String> = inputs.iter().take(MAX_INPUTS).map(text).collect();
    let count = |test: fn(Source) -> bool| inputs.iter().filter(|link| test(link.from)).count();
    let bias = inputs.iter().find(|link| link.from == Source::One);
    [
        most.join(", "),
        count(|from| matches!(from, Source::Square(_))).to_string(),
        count(|from| matches!(from, Source::Node(_))).to_string(),
        bias.map_or("-".into(), number),
    ]
}

fn print_strongest(out: &mut impl Write, portrait: &Portrait) -> Result<(), Error> {
    let largest = portrait.largest();
    let text = |link: &Connection| {
        let (from, to) = (portrait.source_name(link.from), portrait.node_name(link.to));
        format!("{from} -> {to} {}", signed(link.weight, largest))
    };
    let strongest: Vec<String> =
        portrait.strongest().iter().take(MAX_CONNECTIONS).map(text).collect();
    if strongest.is_empty() {
        return Ok(writeln!(out, "It has no connections: all boards have the same value.")?);
    }
    writeln!(out, "The strongest connections:")?;
    let width = strongest.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    for row in strongest.chunks(3) {
        let cells = row.iter().map(|text| format!("  {text:<width$}"));
        writeln!(out, "{}", cells.collect::<String>().trim_end())?;
    }
    Ok(())
}

fn signed(weight: f32, largest: f32) -> String {
    let text = weight_text(weight, largest);
    if weight > 0.0 { format!("+{text}") } else { text }
}
