//! `outflank show`: what a player has learned, as a board or a network.

mod network;

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use anstyle::{Ansi256Color, Color, RgbColor, Style};

use super::output::{Replace, WholeFile, beginning, is_svg, print_json};
use super::terminal::Terminal;
use super::text::{clean, help, print_wrapped};
use super::{Error, parse_at, parse_whole, to_json};
use outflank_commands::{Command as _, ShowRequest};
use outflank_game::player::{Player, read_player_file};
use outflank_report::figure::{board_colour, is_dark, largest_weight, weight_text};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank show heuristic
  outflank show best.json --svg best.svg
  outflank show runs/neat/1 --dot network.dot
  outflank show runs/ctdl/1 --at 500k
  outflank show runs/ctdl/1 --history growth.svg --animate film.svg
  outflank show lr2006 --player-file lr2006.json

For a weighted piece counter (WPC) this is a board of its 64 weights, for a
network its size, its strongest connections and the weights of its nodes. The
folder of a run stands for its champion; of an unfinished run it is that of the
last probe. --history and --animate draw the champions of a run at its probes,
from the first to the last, with one scale of colours."))]
pub struct Args {
    /// The player
    #[arg(value_name = "PLAYER")]
    player: String,
    /// Take the run at its last probe at N training games or before, e.g. 1M or 500k
    #[arg(long, value_name = "N", value_parser = parse_at, allow_negative_numbers = true)]
    at: Option<u64>,
    /// Draw the board or the network to an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the network to a Graphviz file (for neato or dot)
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the player to a player file
    #[arg(long, value_name = "FILE")]
    player_file: Option<PathBuf>,
    /// Draw how the champion of a run changed, as a strip of pictures, to an SVG file
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Draw the same as an animated SVG file, for a browser
    #[arg(long, value_name = "FILE")]
    animate: Option<PathBuf>,
    /// Number of pictures of --history [default: 8] and --animate [default: 40]
    #[arg(long, value_name = "N", value_parser = parse_points, allow_negative_numbers = true)]
    points: Option<usize>,
    /// Replace existing files even if this program did not make them
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The usual number of pictures of a strip and of a film.
const STRIP: usize = 8;
const FILM: usize = 40;
/// More would make a file that browsers are slow to show.
const MOST: usize = 200;

pub fn run(args: Args) -> Result<(), Error> {
    let files = [
        ("--svg", &args.svg),
        ("--dot", &args.dot),
        ("--player-file", &args.player_file),
        ("--history", &args.history),
        ("--animate", &args.animate),
    ];
    refuse_same_files(&files)?;
    let history = args.history.is_some() || args.animate.is_some();
    if args.points.is_some() && !history {
        return Err(Error::Usage("--points needs --history or --animate".into()));
    }
    let request = ShowRequest { player: args.player.clone(), at: args.at, history };
    let shown = request.run(&Terminal::new())?;
    // All or nothing: what cannot be written is known before the first file is.
    let mut begun = Vec::new();
    for (option, path) in files {
        let Some(path) = path else { continue };
        let (text, is_ours): (String, fn(&Path) -> bool) = match option {
            "--svg" => (shown.svg()?, is_svg),
            "--history" => (shown.growth(args.points.unwrap_or(STRIP))?.strip(), is_svg),
            "--animate" => (shown.growth(args.points.unwrap_or(FILM))?.film(), is_svg),
            "--dot" => (shown.dot()?.trim_end().into(), is_dot),
            _ => {
                let file = shown.player_file()?;
                (serde_json::to_string_pretty(&file).map_err(std::io::Error::from)?, is_player)
            }
        };
        begun.push((WholeFile::create(path, Replace::ours(args.force, is_ours))?, text, path));
    }
    let mut written = Vec::new();
    for (mut file, text, path) in begun {
        file.line(&text)?;
        file.finish()?;
        written.push(path.display().to_string());
    }
    if args.json {
        return print_json(&to_json::<ShowRequest>(&shown));
    }
    let mut out = anstream::stdout().lock();
    let name = clean(&shown.name);
    match shown.summary {
        Some(summary) => print_wrapped(&mut out, &format!("{name}: {summary}"))?,
        None => writeln!(out, "{name}")?,
    }
    print_board(&mut out, &shown.player)?;
    if !written.is_empty() {
        writeln!(out, "Written: {}", clean(&written.join(", ")))?;
    }
    Ok(())
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

/// Says whether a file is a network that this program wrote for Graphviz.
fn is_dot(path: &Path) -> bool {
    let start = beginning(path);
    let text = String::from_utf8_lossy(&start);
    text.starts_with("digraph \"") && text.contains("outputorder=edgesfirst")
}

/// Says whether a file is a player file, and not the champion of a run, which is part of its
/// results.
fn is_player(path: &Path) -> bool {
    let is_of_a_run = |folder: &Path| folder.join("manifest.json").exists();
    let folders = path.canonicalize().unwrap_or_else(|_| path.into());
    !folders.ancestors().skip(1).take(2).any(is_of_a_run) && read_player_file(path).is_ok()
}

fn parse_points(text: &str) -> Result<usize, String> {
    let points = parse_whole(text).and_then(|points| usize::try_from(points).ok());
    points
        .filter(|points| (2..=MOST).contains(points))
        .ok_or_else(|| format!("expected a number of pictures from 2 to {MOST}"))
}

fn refuse_same_files(files: &[(&str, &Option<PathBuf>)]) -> Result<(), Error> {
    for (index, (first, path)) in files.iter().enumerate() {
        let same = files[..index].iter().find(|(_, other)| path.is_some() && other == path);
        if let Some((other, _)) = same {
            return Err(Error::Usage(format!("{other} and {first} name the same file")));
        }
    }
    Ok(())
}

/// A background, and black or white text, whichever reads better on it.
fn colours((red, green, blue): (u8, u8, u8)) -> Style {
    let is_dark = is_dark((red, green, blue));
    let (back, front): (Color, Color) = if has_true_colour() {
        let level = if is_dark { 255 } else { 0 };
        (RgbColor(red, green, blue).into(), RgbColor(level, level, level).into())
    } else {
        (
            nearest_of_256([red, green, blue]).into(),
            Ansi256Color(if is_dark { 231 } else { 16 }).into(),
        )
    };
    Style::new().bg_color(Some(back)).fg_color(Some(front))
}

/// Says whether the terminal has 24-bit colours, by what it says in the environment.
fn has_true_colour() -> bool {
    std::env::var("COLORTERM").is_ok_and(|text| text == "truecolor" || text == "24bit")
}

/// The nearest colour of the 6 x 6 x 6 cube of terminals with 256 colours.
fn nearest_of_256(colour: [u8; 3]) -> Ansi256Color {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest = |value: u8| {
        let near = LEVELS.iter().enumerate().min_by_key(|(_, level)| level.abs_diff(value));
        near.map_or(0, |(index, _)| index as u8)
    };
    let [red, green, blue] = colour.map(nearest);
    Ansi256Color(16 + 36 * red + 6 * green + blue)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_a_neighbour_among_256() {
        let found = [[0, 0, 0], [255, 255, 255], [255, 0, 0], [90, 140, 200]].map(nearest_of_256);
        assert_eq!(found, [16, 231, 196, 16 + 36 + 12 + 4].map(Ansi256Color));
    }
}
