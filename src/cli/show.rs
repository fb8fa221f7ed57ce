//! `outflank show`: what a player has learned, as a board.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use anstyle::{Color, RgbColor, Style};
use serde_json::json;

use super::output::{WholeFile, print_json};
use super::{Error, player};
use crate::lab::figure::{Board, Detail, board_colour, is_dark, largest_weight, weight_text};
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
    let weights = player.squares();
    if args.svg.is_some() && args.svg == args.player_file {
        return Err(Error::Usage("--svg and --player-file name the same file".into()));
    }
    let need = |what: &str| {
        let name = &player.name;
        weights.ok_or_else(|| Error::Failed(format!("{name} has no weights to {what}")))
    };
    if let Some(path) = &args.svg {
        let mut file = WholeFile::create(path)?;
        let board =
            Board { title: player.name.clone(), weights: need("draw")?, detail: Detail::Numbers };
        file.line(&board.svg())?;
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
    match player.squares() {
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

fn board(weights: &[f32; 64]) -> String {
    let largest = largest_weight(weights);
    let mut text = String::from("   ");
    for column in 'a'..='h' {
        let _ = write!(text, "   {column}   ");
    }
    text.push('\n');
    for (row, weights) in weights.chunks(8).enumerate() {
        let _ = write!(text, " {} ", row + 1);
        for &weight in weights {
            let colour = board_colour(weight, largest);
            let (back, front) = (
                RgbColor(colour.0, colour.1, colour.2),
                match is_dark(colour) {
                    true => RgbColor(255, 255, 255),
                    false => RgbColor(0, 0, 0),
                },
            );
            let style =
                Style::new().bg_color(Some(Color::Rgb(back))).fg_color(Some(Color::Rgb(front)));
            let _ = write!(text, "{style}{:>6} {style:#}", weight_text(weight, largest));
        }
        text.push('\n');
    }
    text
}
