//! `outflank play`: a game between a person and a player, or two players to watch, line by line.

mod board;
mod keys;
mod lines;
mod session;
mod watch;

use std::io;
use std::time::Duration;

use super::text::help;
use super::{Error, parse_seed, player};
use board::Discs;
use lines::Lines;
use outflank_game::othello::Side;
use outflank_game::player::Player;
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Seed, Stream};
use session::{Session, load};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank play
  outflank play lr2006 --side white
  outflank play mobility@epsilon=0.1 --seed 7
  outflank play lr2006@depth=6 --load game.ggf
  outflank play lr2006 heuristic --delay 0.5

Type a square such as f5, or undo, hint, moves, save, load, watch, new, help, quit,
or only their first letter. On a terminal the arrow keys edit and recall lines.
`watch` lets the players play on: space pauses and goes on, n plays one move, b
takes one back, + and - change the speed, q stops, and you play on from there."))]
pub struct Args {
    /// Your opponent
    #[arg(value_name = "PLAYER", default_value = "ctdl2009-best")]
    player: String,
    /// A second player: it takes White, PLAYER takes Black, and you watch; the keys are below
    #[arg(value_name = "OTHER", conflicts_with = "side")]
    other: Option<String>,
    /// Your colour; Black moves first
    #[arg(long, value_enum, default_value = "black")]
    side: SideArg,
    /// Begin with a game or position: a file of any format, or moves such as f5d6c3
    #[arg(long, value_name = "FILE|GAME", allow_hyphen_values = true)]
    load: Option<String>,
    /// Seconds between moves that you watch on a terminal
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_delay, allow_negative_numbers = true)]
    delay: Duration,
    /// Draw discs as X and O
    #[arg(long)]
    ascii: bool,
    /// Seed of the players' random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SideArg {
    Black,
    White,
}

fn parse_delay(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds from 0 to 3600".into())
}

pub fn run(args: Args) -> Result<(), Error> {
    let seed = Seed(args.seed);
    let opponent = seated(&args.player, seed, 0)?;
    let other = args.other.as_deref().map(|name| seated(name, seed, 1)).transpose()?;
    let you = match (&other, args.side) {
        (Some(_), _) => None,
        (None, SideArg::Black) => Some(Side::Black),
        (None, SideArg::White) => Some(Side::White),
    };
    let mut session = Session::new(Kernel::detect()?, opponent, you, seed);
    if let Some(other) = other {
        session.white = other;
    }
    if let Some(text) = &args.load {
        session.game = load(text).map_err(Error::Usage)?;
    }
    session.discs = Discs::detect(args.ascii);
    let mut stdin = io::stdin().lock();
    let mut lines = Lines::new(&mut stdin);
    session.delay = if lines.is_terminal() { args.delay } else { Duration::ZERO };
    session.play(&mut lines, &mut anstream::stdout().lock())
}

fn seated(name: &str, seed: Seed, seat: u64) -> Result<Player, Error> {
    let player = player(name)?;
    let drawn = player.is_drawn();
    Ok(if drawn { player.drawn(seed.at(Stream::Weights, seat)) } else { player })
}
