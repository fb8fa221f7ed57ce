//! `outflank match`: games between two players.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;

use super::output::{Progress, WholeFile, print_json, thousands};
use super::{Error, PlayingArgs, parse_games, player};
use outflank_arena::{Meeting, PlayedGame, Tally, Watch};
use outflank_game::othello::{Position, Square, write_position};
use outflank_kernel::NO_MOVE;
use outflank_kernel::rng::Seed;
use outflank_lab::score_interval;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank match heuristic random --games 100000 --seed 1
  outflank match lr2006@epsilon=0.1 heuristic@epsilon=0.1 --games 100000
  outflank match lr2006 ctdl2009-best --openings random:6 --save games.txt

Colours alternate: the first player is Black in every other game. Margins are
in discs, empty squares to the winner. The 95% interval takes the pair of games
as its unit. --save writes a line for each game: its number, Black, White,
Black's margin, the start position (- for the usual one) and the moves.")]
pub struct Args {
    /// The player whose results are reported
    #[arg(value_name = "PLAYER")]
    a: String,
    /// Its opponent
    #[arg(value_name = "OPPONENT")]
    b: String,
    /// Number of single games, even
    #[arg(long, default_value = "1000", value_name = "N", value_parser = parse_games, allow_negative_numbers = true)]
    games: u64,
    /// Write the games to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    playing: PlayingArgs,
}

pub fn run(args: Args) -> Result<(), Error> {
    let (a, b) = (player(&args.a)?, player(&args.b)?);
    for input in [&args.a, &args.b] {
        if args.save.as_ref().is_some_and(|path| is_same_file(path, input)) {
            return Err(Error::Usage(format!(
                "--save {input} would overwrite a player of the match"
            )));
        }
    }
    let openings = args.playing.openings()?;
    let arena = args.playing.arena()?;
    super::catch_interrupts();
    let mut save = args.save.as_deref().map(WholeFile::create).transpose()?;
    let watch = if save.is_some() { Watch::Games } else { Watch::Distinct };
    let (pairs, seed) = (args.games / 2, Seed(args.playing.seed));
    let meeting = Meeting { a: &a, b: &b, pairs, seed, openings: &openings };
    let bar = Progress::new(args.games, "games");
    let began = Instant::now();
    let progress = |done| {
        bar.set(done);
        super::check_interrupted()
    };
    let mut results = arena.play(&[meeting], watch, progress, |_, game| match &mut save {
        Some(file) => file.line(&game_line(&game, [&a.name, &b.name])),
        None => Ok(()),
    })?;
    let seconds = began.elapsed().as_secs_f64();
    drop(bar);
    if let Some(file) = save {
        file.finish()?;
    }
    let (distinct, exact) = results.distinct.unwrap_or_default();
    let outcome = Outcome {
        names: [a.name, b.name],
        tally: results.tallies.remove(0),
        distinct,
        exact,
        games_per_second: args.games as f64 / seconds,
        kernel: arena.kernel().name(),
    };
    if args.playing.json { outcome.print_json(&args) } else { outcome.print() }
}

/// What is told of a match.
struct Outcome {
    names: [String; 2],
    tally: Tally,
    distinct: u64,
    exact: bool,
    games_per_second: f64,
    kernel: &'static str,
}

impl Outcome {
    fn print_json(&self, args: &Args) -> Result<(), Error> {
        let tally = &self.tally;
        print_json(
            "match",
            json!({
                "players": self.names,
                "games": tally.games(),
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "score": tally.score(),
                "interval": score_interval(tally),
                "mean_margin": tally.mean_margin(),
                "pairs": tally.pairs,
                "distinct_games": self.distinct,
                "distinct_games_exact": self.exact,
                "openings": args.playing.openings,
                "seed": args.playing.seed,
                "kernel": self.kernel,
                "threads": args.playing.threads(),
                "games_per_second": self.games_per_second,
            }),
        )
    }

    fn print(&self) -> Result<(), Error> {
        let (tally, [a, b]) = (&self.tally, &self.names);
        let mut out = io::stdout().lock();
        writeln!(out, "{a} against {b}, {} games", thousands(tally.games()))?;
        let percent = |n: u64| 100.0 * n as f64 / tally.games() as f64;
        for (name, n) in [("wins", tally.wins), ("draws", tally.draws), ("losses", tally.losses)] {
            writeln!(out, "  {name:<14} {:>13}  {:5.1}%", thousands(n), percent(n))?;
        }
        let (score, [low, high]) = (tally.score(), score_interval(tally));
        writeln!(out, "  {:<14} {score:>13.4}  95% interval {low:.4} to {high:.4}", "score")?;
        writeln!(out, "  {:<14} {:>+13.2}  discs", "mean margin", tally.mean_margin())?;
        let about = if self.exact { "" } else { "  (estimate)" };
        writeln!(out, "  {:<14} {:>13}{about}", "distinct games", thousands(self.distinct))?;
        if self.distinct * 2 < tally.games() {
            writeln!(
                out,
                "  Games repeat, so the interval means little: try --openings random:6 or @epsilon=0.1"
            )?;
        }
        let rate = thousands(self.games_per_second as u64);
        writeln!(out, "  {:<14} {rate:>13}  kernel {}", "games a second", self.kernel)?;
        Ok(())
    }
}

fn is_same_file(path: &Path, player: &str) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(path).is_some() && real(path) == real(Path::new(player))
}

/// `12  heuristic  random  +14  -  f5d6c3...`, tab-separated.
fn game_line(game: &PlayedGame, [a, b]: [&str; 2]) -> String {
    let (black, white) = if game.game.is_multiple_of(2) { (a, b) } else { (b, a) };
    let start = match game.start {
        Position::START => "-".into(),
        start => write_position(start),
    };
    let moves: String = game
        .moves
        .iter()
        .filter(|&&square| square != NO_MOVE)
        .filter_map(|&square| Square::new(usize::from(square)))
        .map(|square| square.to_string())
        .collect();
    format!("{}\t{black}\t{white}\t{:+}\t{start}\t{moves}", game.game, game.margin)
}
