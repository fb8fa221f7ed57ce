//! `outflank match`: games between two players.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::engine::print_faults;
use super::interrupts;
use super::output::{print_json, thousands};
use super::saved_games::SavedGames;
use super::text::{help, percent, percent2, percents, print_wrapped};
use super::{Error, PlayingArgs, Terminal, answer, parse_games, to_json};
use outflank_arena::PlayedGame;
use outflank_commands::{MatchAnswer, MatchRequest};
use outflank_game::othello::{Game, GameRecord, Square};
use outflank_game::player::parse_entrant;
use outflank_kernel::NO_MOVE;

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank match heuristic random --games 100000 --seed 1
  outflank match lr2006@epsilon=0.1 heuristic@epsilon=0.1 --games 100000
  outflank match lr2006 ctdl2009-best --openings random:6 --save games.txt
  outflank match lr2006@depth=4,solve=12 'gtp:gtp-rhino -l 2@time=5' --games 100

Colours alternate: the first player is Black in every other game. Margins are
in discs, with empty squares counted for the winner. The score counts a draw as
half a win; its 95% interval uses pairs of games as the unit. --save writes a line
for each game: its number, Black, White, Black's margin, the start position (- for
the usual one) and the moves; or GGF, WTHOR and other formats if the name of the
file ends like theirs (games.ggf, games.wtb; see `outflank convert --help`).

An engine (`gtp:COMMAND`) that crashes, is silent, too late or makes an illegal
move loses that game by 64 discs; such games are also reported apart."))]
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
    /// Replace the file of --save even if this program did not make it
    #[arg(long, requires = "save")]
    force: bool,
    #[command(flatten)]
    playing: PlayingArgs,
}

pub fn run(args: Args) -> Result<(), Error> {
    let Args { a, b, games, .. } = &args;
    for input in [a, b] {
        if args.save.as_ref().is_some_and(|path| is_same_file(path, input)) {
            return Err(Error::Usage(format!(
                "--save {input} would overwrite a player of the match"
            )));
        }
    }
    let request =
        MatchRequest { a: a.clone(), b: b.clone(), games: *games, playing: args.playing.request() };
    let Some(path) = &args.save else {
        return answer(&request, args.playing.json)?.map_or(Ok(()), |answer| print(&answer));
    };
    // A misspelt player is reported before a file is created.
    let names = [parse_entrant(a)?.name, parse_entrant(b)?.name];
    interrupts::catch();
    let openings = args.playing.openings.iter().cloned().collect::<Vec<_>>();
    let mut file = SavedGames::create(path, &openings, args.force)?;
    let mut failed = None;
    let mut see = |game: PlayedGame| match file.add(&record(&game, &names)) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    };
    let answer = request.run_and_see(&mut see, &Terminal::new());
    if let Some(error) = failed {
        return Err(error);
    }
    let answer = answer?;
    file.finish()?;
    if args.playing.json {
        return print_json(&to_json::<MatchRequest>(&answer));
    }
    print(&answer)?;
    Ok(writeln!(io::stdout(), "  {:<14} {}", "games saved in", path.display())?)
}

fn print(answer: &MatchAnswer) -> Result<(), Error> {
    let [a, b] = &answer.players;
    let mut out = io::stdout().lock();
    let title = format!("{a} against {b}, {} games", thousands(answer.games));
    print_wrapped(&mut out, &title)?;
    let share = |n: u64| percent(n as f64 / answer.games as f64);
    for (name, n) in [("won", answer.wins), ("drawn", answer.draws), ("lost", answer.losses)] {
        writeln!(out, "  {name:<14} {:>13}  {:>6}", thousands(n), share(n))?;
    }
    let (score, interval) = (percent2(answer.score), percents(answer.interval));
    writeln!(out, "  {:<14} {score:>13}  95%: {interval}", "score")?;
    writeln!(out, "  {:<14} {:>+13.2}  discs", "mean margin", answer.mean_margin)?;
    let about = if answer.distinct_games_exact { "" } else { "  (estimate)" };
    writeln!(out, "  {:<14} {:>13}{about}", "distinct games", thousands(answer.distinct_games))?;
    if answer.distinct_games * 2 < answer.games {
        print_wrapped(
            &mut out,
            "  Games repeat, so the interval is too narrow: try --openings random:6 or @epsilon=0.1",
        )?;
    }
    // Engines take seconds for a game.
    let rate = match answer.games_per_second {
        rate if rate < 10.0 => format!("{rate:.2}"),
        rate => thousands(rate as u64),
    };
    writeln!(out, "  {:<14} {rate:>13}  kernel {}", "games/s", answer.kernel)?;
    print_faults(&mut out, &answer.engine_faults)
}

fn is_same_file(path: &Path, player: &str) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(path).is_some() && real(path) == real(Path::new(player))
}

/// A game as files of games hold it.
fn record(played: &PlayedGame, [a, b]: &[String; 2]) -> GameRecord {
    let (black, white) = if played.game.is_multiple_of(2) { (a, b) } else { (b, a) };
    let mut game = Game::from(played.start);
    for &square in played.moves.iter().filter(|&&square| square != NO_MOVE) {
        // What was played is legal.
        if let Some(at) = Square::new(usize::from(square)) {
            let _ = game.play(at);
        }
    }
    let mut record = GameRecord::new(game, Some(played.margin));
    (record.about.black, record.about.white) = (black.clone(), white.clone());
    record
}
