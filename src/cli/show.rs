//! `outflank show`: what a player has learned, as a board.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use anstyle::{Color, RgbColor, Style};
use serde_json::json;

use super::output::{WholeFile, print_json};
use super::{Error, player};
use crate::model::Evaluate;
use crate::player::{Brain, NAMED, Player, PlayerFile, read_player_file, split_options};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank show heuristic
  outflank show best.json --svg best.svg
  outflank show lr2006 --player-file lr2006.json")]
pub struct Args {
    /// The player
    #[arg(value_name = "PLAYER")]
    player: String,
    /// Draw the board to an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the player to a player file
    #[arg(long, value_name = "FILE")]
    player_file: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let player = player(&args.player)?;
    let weights = weights(&player);
    if args.svg.is_some() && args.svg == args.player_file {
        return Err(Error::Usage("--svg and --player-file name the same file".into()));
    }
    let need = |what: &str| {
        let name = &player.name;
        weights.ok_or_else(|| Error::Failed(format!("{name} has no weights to {what}")))
    };
    if let Some(path) = &args.svg {
        let mut file = WholeFile::create(path)?;
        file.line(&svg(&player.name, &need("draw")?))?;
        file.finish()?;
    }
    if let Some(path) = &args.player_file {
        write_player(&args.player, &player, path)?;
    }
    if args.json {
        let policy = json!({
            "epsilon": (1e9 * player.policy.epsilon.probability()).round() / 1e9,
            "noise": player.policy.noise,
        });
        // As few digits as tell the number, which are fewer for single precision.
        let shortest = |weight: f32| weight.to_string().parse::<f64>().unwrap_or(weight.into());
        let weights = weights.map(|weights| weights.map(shortest).to_vec());
        return print_json(
            "show",
            json!({ "player": player.name, "weights": weights, "policy": policy }),
        );
    }
    let mut out = anstream::stdout().lock();
    let (base, _) = split_options(&args.player);
    let summary = NAMED.iter().find(|named| named.name == base).map(|named| named.summary);
    match summary {
        Some(summary) => writeln!(out, "{}: {summary}", player.name)?,
        None => writeln!(out, "{}", player.name)?,
    }
    print_board(&mut out, &player)
}

/// Prints the weights of a player as a board.
pub fn print_board(out: &mut impl Write, player: &Player) -> Result<(), Error> {
    match weights(player) {
        Some(weights) => write!(out, "{}", board(&weights))?,
        None => writeln!(out, "It has no weights to show.")?,
    }
    Ok(())
}

/// Writes a player file: the one it was read from, or a new one for a player with a name.
fn write_player(asked: &str, player: &Player, path: &Path) -> Result<(), Error> {
    let (name, options) = split_options(asked);
    if options.is_some() {
        let message = "a player file holds the model, not the policy: leave out the @";
        return Err(Error::Usage(message.into()));
    }
    let file = match &player.brain {
        _ if !NAMED.iter().any(|named| named.name == name) => read_player_file(Path::new(name))?,
        Brain::Wpc(wpc) => {
            let source = ("source".into(), format!("outflank show {asked}").into());
            PlayerFile::of_wpc(name, wpc, [source].into_iter().collect())
        }
        _ => return Err(Error::Failed(format!("{name} is no WPC; only those have files"))),
    };
    let text = serde_json::to_string_pretty(&file).map_err(std::io::Error::from)?;
    let mut whole = WholeFile::create(path)?;
    whole.line(&text)?;
    whole.finish()
}

/// The player's weights, if a board can show all there is to it.
fn weights(player: &Player) -> Option<[f32; 64]> {
    match &player.brain {
        Brain::Wpc(wpc) => wpc.squares(),
        Brain::Model { model, .. } => model.squares(),
        Brain::Random | Brain::RandomWpc => None,
    }
}

/// White for 0, towards green for good squares and purple for bad ones: told apart by the colour-blind.
fn colour(weight: f32, largest: f32) -> (u8, u8, u8) {
    let share = if largest > 0.0 { f64::from(weight / largest) } else { 0.0 };
    let (red, green, blue) = if share > 0.0 { (0.0, 109.0, 44.0) } else { (84.0, 39.0, 143.0) };
    // The square root shows small weights beside large corners.
    let strength = share.abs().sqrt();
    let channel = |full: f64| (255.0 + (full - 255.0) * strength).round() as u8;
    (channel(red), channel(green), channel(blue))
}

fn is_dark((red, green, blue): (u8, u8, u8)) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) < 128_000
}

fn largest(weights: &[f32; 64]) -> f32 {
    weights.iter().fold(0f32, |most, weight| most.max(weight.abs()))
}

/// As many digits as fit a cell.
fn number(weight: f32, largest: f32) -> String {
    match largest {
        x if x >= 10_000.0 || (x < 0.01 && x > 0.0) => format!("{weight:.0e}"),
        x if x >= 100.0 => format!("{weight:.0}"),
        x if x >= 10.0 => format!("{weight:.1}"),
        _ => format!("{weight:.2}"),
    }
}

fn board(weights: &[f32; 64]) -> String {
    let largest = largest(weights);
    let mut text = String::from("   ");
    for column in 'a'..='h' {
        let _ = write!(text, "   {column}   ");
    }
    text.push('\n');
    for (row, weights) in weights.chunks(8).enumerate() {
        let _ = write!(text, " {} ", row + 1);
        for &weight in weights {
            let colour = colour(weight, largest);
            let (back, front) = (
                RgbColor(colour.0, colour.1, colour.2),
                match is_dark(colour) {
                    true => RgbColor(255, 255, 255),
                    false => RgbColor(0, 0, 0),
                },
            );
            let style =
                Style::new().bg_color(Some(Color::Rgb(back))).fg_color(Some(Color::Rgb(front)));
            let _ = write!(text, "{style}{:>6} {style:#}", number(weight, largest));
        }
        text.push('\n');
    }
    text
}

fn svg(name: &str, weights: &[f32; 64]) -> String {
    const CELL: usize = 56;
    let (left, top) = (32, 64);
    let (width, height) = (left + 8 * CELL + 16, top + 8 * CELL + 16);
    let largest = largest(weights);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"26\" font-size=\"18\">{}</text>\n",
        left + 4 * CELL,
        escaped(name)
    );
    for i in 0..8 {
        let middle = i * CELL + CELL / 2;
        let column = char::from(b'a' + i as u8);
        let (x, y) = (left + middle, top + middle + 5);
        let _ =
            writeln!(text, "<text x=\"{x}\" y=\"{}\" font-size=\"14\">{column}</text>", top - 8);
        let _ =
            writeln!(text, "<text x=\"{}\" y=\"{y}\" font-size=\"14\">{}</text>", left - 14, i + 1);
    }
    for (square, &weight) in weights.iter().enumerate() {
        let (x, y) = (left + square % 8 * CELL, top + square / 8 * CELL);
        let (red, green, blue) = colour(weight, largest);
        let front = if is_dark((red, green, blue)) { "white" } else { "black" };
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" \
             fill=\"rgb({red},{green},{blue})\" stroke=\"#888\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"14\" fill=\"{front}\">{}</text>",
            x + CELL / 2,
            y + CELL / 2 + 5,
            number(weight, largest)
        );
    }
    text.push_str("</svg>");
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_squares_are_darker_green_and_worse_ones_darker_purple() {
        assert_eq!(colour(0.0, 1.0), (255, 255, 255));
        assert_eq!((colour(1.0, 1.0), colour(-1.0, 1.0)), ((0, 109, 44), (84, 39, 143)));
        assert!(colour(0.5, 1.0).0 < colour(0.1, 1.0).0);
        assert_eq!(colour(0.0, 0.0), (255, 255, 255));
    }

    #[test]
    fn numbers_fit_their_cells() {
        for largest in [1e-30, 0.001, 0.5, 5.0, 55.5, 555.5, 99_999.0, 1e30] {
            assert!(number(-largest, largest).len() <= 6, "{}", number(-largest, largest));
        }
    }

    #[test]
    fn a_drawing_has_all_squares_and_no_bare_angle_brackets() {
        let text = svg("a<b&c", &std::array::from_fn(|i| i as f32));
        assert_eq!(text.matches("<rect").count(), 65);
        assert!(text.contains("a&lt;b&amp;c"));
    }
}
