//! `outflank show`: what a player has learned, as a board or a network.

mod network;

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use anstyle::{Color, RgbColor, Style};
use serde_json::{Value, json};

use super::output::{WholeFile, print_json};
use super::{Error, player};
use outflank_game::model::{ModelFile, Portrait};
use outflank_game::player::{NAMED, Player, PlayerFile, read_player_file, split_options};
use outflank_report::figure::{
    Board, Detail, Network, board_colour, is_dark, largest_weight, weight_text,
};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank show heuristic
  outflank show best.json --svg best.svg
  outflank show runs/neat/1 --dot network.dot
  outflank show lr2006 --player-file lr2006.json")]
pub struct Args {
    /// The player
    #[arg(value_name = "PLAYER")]
    player: String,
    /// Draw the board, or the network, to an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the network to a file for Graphviz (neato or dot)
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the player to a player file
    #[arg(long, value_name = "FILE")]
    player_file: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let player = player(&args.player)?;
    let portrait = player.portrait();
    refuse_same_files(&args)?;
    if let Some(path) = &args.svg {
        let svg = draw(&player, portrait.as_ref());
        let svg = svg.ok_or_else(|| lacks(&player, "no weights to draw"))?;
        write_file(path, &svg)?;
    }
    if let Some(path) = &args.dot {
        let portrait = portrait.as_ref().ok_or_else(|| lacks(&player, "no network for --dot"))?;
        let dot = picture(&player, portrait).dot();
        write_file(path, dot.trim_end())?;
    }
    if let Some(path) = &args.player_file {
        write_player(&args.player, &player, path)?;
    }
    if args.json {
        return print_json("show", object(&player, portrait.as_ref()));
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

fn object(player: &Player, portrait: Option<&Portrait>) -> Value {
    // As few digits as tell the number, which are fewer for single precision.
    let shortest = |weight: f32| weight.to_string().parse::<f64>().unwrap_or(weight.into());
    let mut object = json!({
        "player": player.name,
        "weights": player.squares().map(|weights| weights.map(shortest).to_vec()),
        "policy": player.policy,
    });
    if let Some(portrait) = portrait {
        object["hidden"] = portrait.hidden_count().into();
        object["connections"] = portrait.connections.len().into();
        if let Some(ModelFile { kind, view, structure, parameters }) = player.file() {
            object["kind"] = json!(kind);
            object["view"] = json!(view);
            object["structure"] = structure.into();
            object["parameters"] = parameters.into_iter().map(shortest).collect();
        }
    }
    object
}

/// Prints the weights of a player as a board, or its network.
pub fn print_board(out: &mut impl Write, player: &Player) -> Result<(), Error> {
    match (player.squares(), player.portrait()) {
        (Some(weights), _) => write!(out, "{}", board(&weights))?,
        (None, Some(portrait)) => network::print(out, player, &portrait)?,
        (None, None) => writeln!(out, "It has no weights to show.")?,
    }
    Ok(())
}

fn lacks(player: &Player, what: &str) -> Error {
    Error::Failed(format!("{} has {what}", player.name))
}

fn refuse_same_files(args: &Args) -> Result<(), Error> {
    let files = [("--svg", &args.svg), ("--dot", &args.dot), ("--player-file", &args.player_file)];
    for (index, (first, path)) in files.iter().enumerate() {
        let same = files[..index].iter().find(|(_, other)| path.is_some() && other == path);
        if let Some((other, _)) = same {
            return Err(Error::Usage(format!("{other} and {first} name the same file")));
        }
    }
    Ok(())
}

fn picture<'a>(player: &Player, portrait: &'a Portrait) -> Network<'a> {
    Network { title: player.name.clone(), portrait, detail: Detail::Numbers }
}

fn draw(player: &Player, portrait: Option<&Portrait>) -> Option<String> {
    match (player.squares(), portrait) {
        (Some(weights), _) => {
            Some(Board { title: player.name.clone(), weights, detail: Detail::Numbers }.svg())
        }
        (None, portrait) => portrait.map(|portrait| picture(player, portrait).svg()),
    }
}

fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    let mut file = WholeFile::create(path)?;
    file.line(text)?;
    file.finish()
}

/// Writes a player file: the one it was read from, or a new one for a player with a name.
fn write_player(asked: &str, player: &Player, path: &Path) -> Result<(), Error> {
    let (name, options) = split_options(asked);
    if options.is_some() {
        let message = "a player file holds the model, not the policy: leave out the @";
        return Err(Error::Usage(message.into()));
    }
    let file = match NAMED.iter().any(|named| named.name == name) {
        false => read_player_file(Path::new(name))?,
        true => {
            let source = ("source".into(), format!("outflank show {asked}").into());
            let file = PlayerFile::of_player(player, [source].into_iter().collect());
            file.ok_or_else(|| lacks(player, "no model that a player file could hold"))?
        }
    };
    write_file(path, &serde_json::to_string_pretty(&file).map_err(std::io::Error::from)?)
}

/// A background and the better of black and white on it.
fn colours((red, green, blue): (u8, u8, u8)) -> Style {
    let front = match is_dark((red, green, blue)) {
        true => RgbColor(255, 255, 255),
        false => RgbColor(0, 0, 0),
    };
    let back = RgbColor(red, green, blue);
    Style::new().bg_color(Some(Color::Rgb(back))).fg_color(Some(Color::Rgb(front)))
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
            let style = colours(board_colour(weight, largest));
            let _ = write!(text, "{style}{:>6} {style:#}", weight_text(weight, largest));
        }
        text.push('\n');
    }
    text
}
