//! What a board on a page asks for: the position of a game, what a player thinks of its moves and
//! why, and which it makes.
//!
//! Nothing here can keep a server busy for long. Work is bounded by what is counted (boards,
//! positions), not by a clock, so that an answer is the same on every machine; an answer says where
//! a bound was met.

mod choose;
mod explain;
mod judge;
mod pasted;
mod position;

use outflank_game::othello::{
    Game, NotationError, Position, Problem, Side, Square, check_playable, parse_game,
    parse_position,
};
use outflank_game::player::{Brain, Player, parse_player};
use outflank_kernel::rng::{Seed, Stream};
use serde::{Deserialize, Serialize};

use crate::Error;

pub use choose::{ChooseAnswer, ChooseRequest};
pub use explain::{ExplainAnswer, ExplainRequest, ExplainedNode};
pub use judge::{JudgeAnswer, JudgeRequest, JudgedMove};
pub use position::{PositionAnswer, PositionRequest, Step};

/// Boards that may be evaluated to look ahead, with a model of 64 parameters; fewer with larger
/// ones. About two seconds of a core.
const EVALUATIONS: u64 = 60_000_000;
/// How much more work one move further ahead is expected to be.
const GROWTH: u64 = 6;
/// Positions that may be visited to solve endgames: about two seconds of a core.
const NODES: u64 = 60_000_000;
/// With more empty squares a single endgame may take longer than a page waits.
const MOST_SOLVE: u32 = 18;

/// A game so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameSoFar {
    /// Where it started: 64 squares and the side to move; the usual start if there is none.
    pub start: Option<String>,
    /// The moves since, without passes: `f5d6c3`.
    pub moves: String,
}

impl GameSoFar {
    /// The game.
    pub(crate) fn game(&self) -> Result<Game, Error> {
        let wrong = |error: String| Error::Usage(format!("game: {error}"));
        let Some(start) = self.start.as_deref().filter(|start| !start.trim().is_empty()) else {
            return parse_game(&self.moves).map_err(|error| wrong(error.to_string()));
        };
        let start =
            parse_position(start).and_then(whole).map_err(|error| wrong(error.to_string()))?;
        match replay(start, &self.moves) {
            (game, None) => Ok(game),
            (_, Some(problem)) => Err(wrong(problem)),
        }
    }

    /// The game as far as it can be read, and what is wrong with the rest.
    pub(crate) fn as_far(&self) -> (Game, Option<String>) {
        let start = self.start.as_deref().filter(|start| !start.trim().is_empty());
        let start =
            start.map_or(Ok(Position::START), |start| parse_position(start).and_then(whole));
        match start {
            Ok(start) => replay(start, &self.moves),
            Err(error) => (Game::default(), Some(format!("start: {error}"))),
        }
    }
}

/// Refuses a position with a hole in its centre, which no game has and no solver expects. One where
/// the game is over can be looked at.
fn whole(position: Position) -> Result<Position, NotationError> {
    match check_playable(position) {
        Err(error) if !matches!(error.problem, Problem::Over(_)) => Err(error),
        _ => Ok(position),
    }
}

/// Plays moves from a position as long as they are legal, and says which is not; passes may be
/// written or not.
fn replay(start: Position, moves: &str) -> (Game, Option<String>) {
    let mut game = Game::from(start);
    let letters: Vec<char> = moves.chars().filter(|letter| !letter.is_whitespace()).collect();
    for (number, pair) in (1..).zip(letters.chunks(2)) {
        let word: String = pair.iter().collect();
        if matches!(word.to_ascii_lowercase().as_str(), "--" | "ps" | "pa") {
            continue;
        }
        let played = word
            .parse::<Square>()
            .map_err(|()| format!("move {number}: {word:?} is not a square a1 to h8"))
            .and_then(|at| game.play(at).map_err(|illegal| format!("move {number}: {illegal}")));
        if let Err(problem) = played {
            return (game, Some(problem));
        }
    }
    (game, None)
}

/// The player of a name; one that is drawn for every pair of games is drawn with the seed, as in
/// `outflank play`.
fn seated(name: &str, seed: u64) -> Result<Player, Error> {
    Ok(parse_player(name)?.settled(Seed(seed).at(Stream::Weights, 0)))
}

/// Boards that a player may evaluate.
fn evaluations(player: &Player) -> u64 {
    let cost = match &player.brain {
        // Formulas count moves, and are called one board at a time.
        Brain::Model { model, .. } if model.network().is_none() => 10,
        _ => player.params() as u64 / 64,
    };
    EVALUATIONS / cost.max(1)
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// The discs of a position, a1 to h8: `X` black, `O` white, `-` empty.
fn discs(position: Position) -> String {
    outflank_game::othello::write_position(position).chars().take(64).collect()
}

#[cfg(test)]
mod tests;
