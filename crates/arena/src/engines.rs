//! Games with engines: other programs, which are told the whole game and may fail in it.

use super::game::{GameScratch, Playing, Step, play};
use super::watch::Stopped;
use outflank_game::engine::{Seat, SoFar, Trouble};
use outflank_game::othello::{Ply, Position, Square};
use outflank_game::player::{Player, Turn};
use outflank_kernel::rng::Key;
use outflank_kernel::{Finished, Kernel};

/// Where a game starts, and the plies that led there from the usual start, if they are known: an
/// engine can only be told moves.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    pub(super) start: Position,
    pub(super) plies: Option<Vec<Ply>>,
}

impl From<Position> for Opened {
    fn from(start: Position) -> Opened {
        Opened { start, plies: (start == Position::START).then(Vec::new) }
    }
}

/// Two players at a table, at least one of them an engine.
struct WithEngines<'a> {
    players: [&'a Player; 2],
    seats: [Option<Seat<'a>>; 2],
    /// The whole game.
    plies: Vec<Ply>,
    table: &'a mut GameScratch,
    stop: &'a dyn Fn() -> bool,
    /// Why the game ended before its end.
    ended: Option<Ended>,
}

/// Why a game ended early.
#[derive(Clone, Copy)]
enum Ended {
    /// The player with this index failed.
    Lost(usize),
    /// We were asked to stop.
    Stopped,
}

impl Playing for WithEngines<'_> {
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        let index = turn.ply as usize % 2;
        let player = self.players[index];
        let Some(seat) = &mut self.seats[index] else {
            return player.choose_with(kernel, turn, self.table.memo(turn.ply));
        };
        let so_far = SoFar { plies: &self.plies, moves: turn.moves };
        let best = |_| match seat.choose(so_far, self.stop) {
            Ok(at) => at.set(),
            Err(trouble) => {
                self.ended = Some(match trouble {
                    Trouble::Fault(_) => Ended::Lost(index),
                    Trouble::Stopped => Ended::Stopped,
                });
                // Any move: it is not recorded.
                turn.moves
            }
        };
        player.policy.choose(kernel, turn, best).at
    }

    fn gives_up(&mut self) -> bool {
        self.ended.is_some()
    }

    fn observe(&mut self, step: &Step) {
        if self.ended.is_none() {
            self.table.note(step);
            self.plies.push(step.at.map_or(Ply::Pass, Ply::Place));
        }
    }
}

/// Plays a game of two players, at least one of them an engine, and records its moves. An engine
/// that fails has lost all squares.
pub(super) fn play_with_engines(
    kernel: Kernel,
    players: [&Player; 2],
    opened: Opened,
    key: Key,
    table: &mut GameScratch,
    stop: &dyn Fn() -> bool,
) -> Result<Finished, Stopped> {
    table.clear();
    let opening = players[0].policy.opening.max(players[1].policy.opening);
    let start = opened.start;
    let plies = opened.plies.expect("openings are looked at before engines play them");
    let seats = players.map(|player| player.engine().map(Seat::new));
    let mut with = WithEngines { players, seats, plies, table, stop, ended: None };
    let end = play(kernel, start, key, opening, &mut with).seen_by(start.side);
    let lost = |index: usize| {
        let [first, second] = [0, 1].map(|other| if other == index { 0 } else { !0 });
        Finished { first, second, print: 0 }
    };
    match with.ended {
        None => Ok(Finished { first: end.own.0, second: end.opp.0, print: 0 }),
        Some(Ended::Lost(index)) => Ok(lost(index)),
        Some(Ended::Stopped) => Err(Stopped),
    }
}
