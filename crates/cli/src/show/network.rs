//! A network in the terminal: what it is made of, what its nodes hear, and what it makes of the squares.

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

/// Boards of nodes that are printed, and how many beside each other.
const MOST_BOARDS: usize = 12;
const ABREAST: usize = 4;
/// Rows of the table of nodes, and connections that are told.
const MOST_NODES: usize = 30;
const MOST_CONNECTIONS: usize = 12;
/// Layers that are told one by one.
const MOST_LAYERS: usize = 8;
/// Connections of a node that are told.
const MOST_HEARD: usize = 3;

/// Prints a network.
pub fn print(out: &mut impl Write, player: &Player, portrait: &Portrait) -> Result<(), Error> {
    write!(out, "{}", summary(portrait))?;
    match portrait.is_grown() {
        true => print_nodes(out, portrait)?,
        false => print_units(out, portrait)?,
    }
    if let Some(worth) = square_worth(player) {
        writeln!(out)?;
        writeln!(
            out,
            "What turning a disc to its side adds to the value, mean over the positions of {WORTH_GAMES} random games:"
        )?;
        write!(out, "{}", board(&worth))?;
    }
    Ok(())
}

fn summary(portrait: &Portrait) -> String {
    let mut layers = vec!["64 squares".to_string()];
    let curve = portrait.hidden.first().map_or("", |node| node.curve.name());
    match portrait.layers() {
        deep if deep.len() > MOST_LAYERS => {
            layers.push(format!("{} {curve}, {} deep", deep.iter().sum::<usize>(), deep.len()));
        }
        few => layers.extend(few.iter().map(|nodes| format!("{nodes} {curve}"))),
    }
    layers.push(format!("1 {}", portrait.output.name()));
    let view = match portrait.view {
        View::Mover => "the player who moves",
        View::Black => "Black",
    };
    let bias = match portrait.connections.iter().any(|link| link.from == Source::One) {
        true => "with biases",
        false => "without biases",
    };
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

/// What the node is that is no hidden one, in a line of its own.
fn counter(portrait: &Portrait) -> String {
    match portrait.counter().map(|node| portrait.node_name(node)) {
        Some(name) => format!(
            "besides them, {name}: tells the output one side's discs less the other's, without weights of its own\n"
        ),
        None => String::new(),
    }
}

/// The nodes of the first layer as small boards.
fn print_units(out: &mut impl Write, portrait: &Portrait) -> Result<(), Error> {
    writeln!(out)?;
    print_strongest(out, portrait)?;
    let units = portrait.units();
    let heard = match units.iter().any(|unit| unit.to_output.is_some()) {
        _ if portrait.hidden.is_empty() => "What the output hears of the squares.",
        true => {
            "What the first layer hears of the squares; above each node is its weight to the output."
        }
        false => {
            "What the first layer hears of the squares; above each node are its weights to the next layer, sizes \
             added up."
        }
    };
    writeln!(out)?;
    writeln!(out, "{heard}")?;
    writeln!(
        out,
        "# is at least half of the largest weight, + an eighth; = and - are the same below 0."
    )?;
    let shown = &units[..units.len().min(MOST_BOARDS)];
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

/// A row of a small board, which can be read without colours, too.
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

/// The nodes of a graph, and what they hear.
fn print_nodes(out: &mut impl Write, portrait: &Portrait) -> Result<(), Error> {
    let output = portrait.hidden.len();
    // Strongest first, for every node.
    let mut inputs: Vec<Vec<Connection>> = vec![Vec::new(); output + 1];
    portrait.strongest().into_iter().for_each(|link| inputs[link.to].push(link));
    let voices = portrait.voices();
    let mut table = TextTable::new(2);
    table.row(["node", "hears most", "squares", "nodes", "bias", "depth", "to output"]);
    let shown = output.min(MOST_NODES);
    for node in (0..shown).chain([output]) {
        let hears = heard(portrait, &inputs[node]);
        let depth = portrait.hidden.get(node).map_or("-".into(), |node| node.depth.to_string());
        let voice = voices.get(node).copied().flatten();
        let voice = voice.map_or("-".into(), |weight| signed(weight, portrait.largest()));
        let row = [portrait.node_name(node).to_string()].into_iter().chain(hears);
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

/// What a node hears: the strongest, how many squares and nodes, and the bias.
fn heard(portrait: &Portrait, inputs: &[Connection]) -> [String; 4] {
    let number = |link: &Connection| signed(link.weight, portrait.largest());
    let told = |link: &Connection| format!("{} {}", portrait.source_name(link.from), number(link));
    let most: Vec<String> = inputs.iter().take(MOST_HEARD).map(told).collect();
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
    let told = |link: &Connection| {
        let (from, to) = (portrait.source_name(link.from), portrait.node_name(link.to));
        format!("{from} -> {to} {}", signed(link.weight, largest))
    };
    let strongest: Vec<String> =
        portrait.strongest().iter().take(MOST_CONNECTIONS).map(told).collect();
    if strongest.is_empty() {
        return Ok(writeln!(out, "It has no connections: all boards are worth the same to it.")?);
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
