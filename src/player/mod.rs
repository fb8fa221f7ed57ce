//! How a move is chosen: a [`Player`] is a brain that scores boards and a policy that turns scores
//! into moves. Players have names, or come from files.

mod file;
mod named;
mod parse;

use std::sync::Arc;

pub use file::{PlayerFile, read_player_file};
pub use named::{NAMED, Named};
pub use parse::{PlayerError, parse_player};

use crate::kernel::{Kernel, Lane};
use crate::model::{Evaluate, View, Wpc, random_weights, to_grid};
use crate::othello::{Position, Side, Square, Squares};
use crate::rng::{Chance, Key, Stream};

/// Someone who plays: the name is how it was asked for.
#[derive(Clone, Debug)]
pub struct Player {
    /// What to call it in tables.
    pub name: String,
    /// What scores boards.
    pub brain: Brain,
    /// What turns scores into moves.
    pub policy: Policy,
}

/// What scores boards.
#[derive(Clone, Debug)]
pub enum Brain {
    /// Nothing: any legal move.
    Random,
    /// A weighted piece counter; plays with its grid.
    Wpc(Arc<Wpc>),
    /// Another WPC in every pair of games, its weights drawn at random.
    RandomWpc,
    /// Any other evaluation function.
    Model {
        /// The function.
        model: Arc<dyn Evaluate>,
        /// Whose discs it counts as own.
        view: View,
    },
}

/// Layers between scores and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Policy {
    /// Chance of a uniformly random legal move instead, at each turn.
    pub epsilon: Chance,
    /// Variance of normal noise added to the value of every candidate move (Handa 2012).
    pub noise: f64,
}

/// A turn to be decided.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Where the game stands.
    pub position: Position,
    /// Its legal moves, at least one.
    pub moves: Squares,
    /// Plies played before, passes included, counted from where the game started.
    pub ply: u32,
    /// The game's random stream.
    pub key: Key,
}

impl Player {
    /// Chooses a move: with chance ε a random one, else the best, ties broken at random.
    pub fn choose(&self, kernel: Kernel, turn: &Turn) -> Square {
        let draw = turn.key.draw(turn.ply);
        let candidates = match &self.brain {
            _ if draw.happens(self.policy.epsilon) => turn.moves,
            Brain::Random => turn.moves,
            Brain::RandomWpc => unreachable!("drawn before the game, see Player::drawn"),
            brain if self.policy.noise > 0.0 => best_noisy(brain, self.policy.noise, turn),
            Brain::Wpc(wpc) => {
                let board = turn.position.board;
                Squares(kernel.best(wpc.scorer(), board.own.0, board.opp.0, turn.moves.0))
            }
            Brain::Model { model, view } => best_by(turn, |at| value(&**model, *view, turn, at)),
        };
        candidates.nth(draw.index(candidates.len()))
    }

    /// What the batch kernel needs to play this player, if it can.
    pub fn lane(&self) -> Option<Lane<'_>> {
        match &self.brain {
            Brain::Random => Some(Lane { weights: None, random: Chance::ALWAYS }),
            Brain::Wpc(wpc) if self.policy.noise <= 0.0 => {
                Some(Lane { weights: Some(wpc.grid()), random: self.policy.epsilon })
            }
            Brain::Wpc(_) | Brain::RandomWpc | Brain::Model { .. } => None,
        }
    }

    /// Says whether the player is drawn anew for every pair of games.
    pub fn is_drawn(&self) -> bool {
        matches!(self.brain, Brain::RandomWpc)
    }

    /// The weights of the player drawn with this key, on the grid.
    pub fn drawn_grid(key: Key) -> [i16; 64] {
        to_grid(&random_weights(&mut key.rng()))
    }

    /// What the batch kernel needs to play a drawn player whose weights are known, if it can.
    pub fn drawn_lane<'a>(&self, grid: &'a [i16; 64]) -> Option<Lane<'a>> {
        (self.policy.noise <= 0.0)
            .then_some(Lane { weights: Some(grid), random: self.policy.epsilon })
    }

    /// The player drawn with this key, with the same policy.
    pub fn drawn(&self, key: Key) -> Player {
        let wpc = Wpc::new(random_weights(&mut key.rng())).expect("weights drawn from [-1, 1)");
        Player { brain: Brain::Wpc(Arc::new(wpc)), ..self.clone() }
    }
}

/// The value of the position after a move, for the player who makes it.
fn value(model: &dyn Evaluate, view: View, turn: &Turn, at: Square) -> f64 {
    let mover = turn.position.side;
    let after = turn.position.play(at);
    match (view, mover) {
        (View::Mover, _) => f64::from(model.value(after.seen_by(mover))),
        (View::Black, Side::Black) => f64::from(model.value(after.seen_by(Side::Black))),
        (View::Black, Side::White) => -f64::from(model.value(after.seen_by(Side::Black))),
    }
}

/// The moves of the highest value. A value that is not a number is the lowest.
fn best_by(turn: &Turn, mut value: impl FnMut(Square) -> f64) -> Squares {
    let (mut best, mut ties) = (f64::NEG_INFINITY, Squares::NONE);
    for at in turn.moves {
        let value = value(at);
        if value > best {
            (best, ties) = (value, at.set());
        } else if value >= best {
            ties = ties | at.set();
        }
    }
    if ties.is_empty() { turn.moves } else { ties }
}

/// The best move after noise on every value, moves in square order.
fn best_noisy(brain: &Brain, variance: f64, turn: &Turn) -> Squares {
    let mut rng = turn.key.rng_at(Stream::Noise, turn.ply);
    let deviation = libm::sqrt(variance);
    best_by(turn, |at| {
        let value = match brain {
            Brain::Model { model, view } => value(&**model, *view, turn, at),
            Brain::Wpc(wpc) => {
                let flips = turn.position.board.flips(at);
                f64::from(wpc.scorer().score(flips.0, at.index() as u32)) * wpc.step()
            }
            Brain::Random | Brain::RandomWpc => 0.0,
        };
        value + deviation * rng.normal()
    })
}
