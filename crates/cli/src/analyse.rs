//! `outflank analyse`: games move by move.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::output::{
    Replace, TextTable, WholeFile, figure_format, is_svg, parse_figure, print_json,
};
use super::saved_games::SavedGames;
use super::text::{clean, help};
use super::{Error, Terminal, interrupts, to_json};
use outflank_commands::{AnalyseAnswer, AnalyseRequest, Command as _};
use outflank_game::othello::{Side, Square};
use outflank_game::player::MoveValue;
use outflank_lab::{Judged, Loss, leads};
use outflank_report::{FileFormat, figure, leads_chart};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank analyse f5d6c3d3c4f4 --player lr2006
  outflank analyse f5d6c3d3c4f4 --player lr2006 --depth 8 --out game.svg
  outflank analyse '---------------------------OX------XO--------------------------- X' \\
  --player heuristic --depth 6
  outflank match lr2006 heuristic --games 10 --save games.txt
  outflank analyse games.txt --player ctdl2009-best --depth 6 --solve 14 --save judged.ggf

Every move is judged by a player that looks some moves ahead. With few empty
squares moves are solved instead: what they are worth is then exact, in discs (+4
is a win by four). The loss of a move is the difference to the best one; `decided`
if one of the two is known to end the game with a win or a loss and the other is
not. Values and losses are those of the side to move, in the player's own units.

A file has games in any format that `outflank convert` reads: transcripts, GGF, a
WTHOR database and more. --save keeps the games with the values of their moves, in
the format that the name asks for. The figure shows who leads, move by move."))]
pub struct Args {
    /// A transcript, a position (64 squares and the side to move), or a file of games
    #[arg(value_name = "GAME|POSITION|FILE", required = true)]
    games: Vec<String>,
    /// Who judges
    #[arg(long, value_name = "PLAYER")]
    player: String,
    /// How many moves it looks ahead [default: its own depth, else 4]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=60), allow_negative_numbers = true)]
    depth: Option<u32>,
    /// With this many empty squares or fewer, solve all moves; 0 for never
    #[arg(long, value_name = "N", default_value = "12", value_parser = clap::value_parser!(u32).range(0..=24), allow_negative_numbers = true)]
    solve: u32,
    /// The most games to read
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    most: u32,
    /// Draw who leads to an SVG or PDF file
    #[arg(long, value_name = "FILE", value_parser = parse_figure)]
    out: Option<PathBuf>,
    /// Write the games with the values of their moves to a file, best in GGF (games.ggf)
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace the files of --out and --save even if this program did not make them
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    interrupts::catch_or_end();
    let Args { games, player, depth, solve, most, out, save, force, json } = args;
    let saved = save.as_deref().map(|path| SavedGames::create(path, &games, force)).transpose()?;
    let request =
        AnalyseRequest { games, player, depth, solve: Some(solve), most: Some(most as usize) };
    let file = out
        .as_deref()
        .map(|path| WholeFile::create(path, Replace::ours(force, is_svg)))
        .transpose()?;
    let answer = request.run(&Terminal::new())?;
    if let (Some(mut file), Some(path)) = (file, &out) {
        file.bytes(&draw(&answer, path))?;
        file.finish()?;
    }
    if let Some(mut saved) = saved {
        answer.records.iter().try_for_each(|record| saved.add(record))?;
        saved.finish()?;
    }
    if json {
        return print_json(&to_json::<AnalyseRequest>(&answer));
    }
    print(&answer)?;
    if let Some(path) = out {
        writeln!(io::stdout(), "Drawn in {}", clean(&path.display().to_string()))?;
    }
    if let Some(path) = save {
        writeln!(io::stdout(), "Games saved in {}", clean(&path.display().to_string()))?;
    }
    Ok(())
}

/// The bytes of the figure in the format of this file.
fn draw(answer: &AnalyseAnswer, path: &Path) -> Vec<u8> {
    let title = match answer.results.as_slice() {
        [game] if game.game.len() <= 16 => format!("Who leads, move by move: {}", game.name),
        [_] => "Who leads, move by move".into(),
        games => format!("Who leads, move by move, in {} games", games.len()),
    };
    let judge = format!("{} at depth {}", answer.player, answer.depth);
    let leads: Vec<_> = answer.judged.iter().map(|game| leads(game)).collect();
    let svg = leads_chart(title, &judge, &leads).svg();
    match figure_format(path) {
        Some(FileFormat::Pdf) => figure::pdf(&svg),
        _ => (svg + "\n").into_bytes(),
    }
}

/// A value with its sign; discs are whole and have a `d`.
fn worth(value: MoveValue) -> String {
    match value {
        MoveValue::Value(value) => format!("{value:+.3}"),
        MoveValue::Margin(discs) => format!("{discs:+}d"),
    }
}

fn print(answer: &AnalyseAnswer) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let AnalyseAnswer { player, depth, solve, .. } = answer;
    writeln!(
        out,
        "Judged by {} at depth {depth}, solved from {solve} empty squares",
        clean(player)
    )?;
    // Many games are only summed up.
    if answer.results.len() <= 4 {
        for (game, judged) in answer.results.iter().zip(&answer.judged) {
            writeln!(out, "\n{}", clean(&game.name))?;
            match judged.as_slice() {
                [one] if one.played.is_none() => print_position(&mut out, one)?,
                _ => print_game(&mut out, judged)?,
            }
        }
    }
    if answer.judged.iter().flatten().all(|one| one.played.is_none()) {
        return Ok(());
    }
    writeln!(out)?;
    let mut table = TextTable::new(2);
    table.row(["side", "phase", "moves", "mean loss", "exact", "mean loss in discs", "decided"]);
    for row in &answer.losses {
        let mean = |mean: Option<f64>| mean.map_or("-".into(), |mean| format!("{mean:.3}"));
        table.row([
            row.side.to_string(),
            row.phase.into(),
            row.moves.to_string(),
            mean(row.mean_loss),
            row.exact_moves.to_string(),
            mean(row.mean_discs),
            row.decided.to_string(),
        ]);
    }
    Ok(table.print(&mut out)?)
}

fn names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}

/// Every move of a position, best first.
fn print_position(out: &mut impl Write, one: &Judged) -> Result<(), Error> {
    let mut moves = one.moves.clone();
    moves.sort_by(|a, b| b.1.number().total_cmp(&a.1.number()));
    let mut table = TextTable::new(1);
    table.row(["move", "worth"]);
    moves.iter().for_each(|(at, value)| table.row([at.to_string(), worth(*value)]));
    writeln!(out, "{} to move, {}", one.position.side, exactly(one))?;
    Ok(table.print(out)?)
}

fn exactly(one: &Judged) -> &'static str {
    if one.is_exact { "exact" } else { "evaluated" }
}

fn print_game(out: &mut impl Write, judged: &[Judged]) -> Result<(), Error> {
    let mut table = TextTable::new(3);
    table.row(["move", "side", "played", "worth", "loss", "best", "or", "worth", "lead", ""]);
    for one in judged {
        let best = one.best();
        let (other, other_worth) = match one.alternative() {
            Some((at, value)) => (at.to_string(), worth(value)),
            None => ("-".into(), "-".into()),
        };
        let loss = match one.loss() {
            None => "-".into(),
            Some(Loss::Value(loss)) => format!("{loss:.3}"),
            Some(Loss::Discs(loss)) => format!("{loss}d"),
            Some(Loss::Decided) => "decided".into(),
        };
        let made = one.played.and_then(|at| one.value(at)).map_or("-".into(), worth);
        let side = if one.position.side == Side::Black { "black" } else { "white" };
        table.row([
            one.number.to_string(),
            side.into(),
            one.played.map_or("-".into(), |at| at.to_string()),
            made,
            loss,
            if best.len() > 3 { format!("{} moves", best.len()) } else { names(&best) },
            other,
            other_worth,
            worth(one.lead()),
            if one.is_exact { "exact".into() } else { String::new() },
        ]);
    }
    table.print(out)?;
    Ok(writeln!(out, "lead: what the position is worth to Black; or: the best other move")?)
}
