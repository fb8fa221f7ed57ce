//! A game as a page shows it: the board after every move, legal moves, the result, the opening.

use outflank_arena::Watch;
use outflank_game::othello::{
    Game, GgfGame, Ply, Position, Side, Square, opening_of, write_game, write_ggf, write_position,
};
use serde::{Deserialize, Serialize};

use super::{GameSoFar, colour, discs, pasted};
use crate::{Command, Error};

/// Replays a game, or reads one from a text in any format.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PositionRequest {
    /// The game.
    pub game: GameSoFar,
    /// A text to read instead: a transcript, GGF, a position, OBF, or moves among other words.
    pub text: Option<String>,
    /// Which game of the text, from 1.
    pub number: Option<usize>,
    /// Takes as much as can be read, and tells what is wrong with the rest, instead of refusing it.
    pub as_far: bool,
    /// Who plays Black, for the file of the game.
    pub black: Option<String>,
    /// Who plays White.
    pub white: Option<String>,
}

/// A game, move by move.
#[derive(Clone, Debug, Serialize)]
pub struct PositionAnswer {
    /// Where it started; none if at the usual start.
    pub start: Option<String>,
    /// Its moves, without passes.
    pub moves: String,
    /// The position before every move, and the one after the last.
    pub steps: Vec<Step>,
    /// Whether neither side can move.
    pub over: bool,
    /// Black's result in discs, if it is over; empty squares count for the winner.
    pub margin: Option<i32>,
    /// The name of its opening.
    pub opening: Option<&'static str>,
    /// After how many moves it had that name.
    pub opening_moves: Option<usize>,
    /// The position at its end: 64 squares and the side to move.
    pub position: String,
    /// The game in GGF.
    pub ggf: String,
    /// What the text was taken for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// How many games the text has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// What is wrong with the rest, of which nothing was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The move that led here; none at the start.
    pub at: Option<String>,
    /// Who made it.
    pub by: Option<&'static str>,
    /// Discs that it turned.
    pub turned: Vec<String>,
    /// Who had to pass before the side to move: the one that would have been to move.
    pub passed: Option<&'static str>,
    /// The discs, a1 to h8: `X` black, `O` white, `-` empty.
    pub board: String,
    /// Who is to move; none at the end of the game.
    pub side: Option<&'static str>,
    /// Its legal moves.
    pub legal: Vec<String>,
    /// Black's discs and White's.
    pub discs: [u32; 2],
}

impl Command for PositionRequest {
    type Answer = PositionAnswer;
    const NAME: &'static str = "position";

    fn run(&self, _watch: &dyn Watch) -> Result<PositionAnswer, Error> {
        let Some(text) = &self.text else {
            if self.as_far {
                let (game, problem) = self.game.as_far();
                return Ok(PositionAnswer { problem, ..self.answer(&game) });
            }
            return Ok(self.answer(&self.game.game()?));
        };
        let mut pasted = match pasted::read(text) {
            Ok(pasted) => pasted,
            Err(problem) => {
                let game = pasted::as_far(text).filter(|_| self.as_far);
                let game = game.ok_or(Error::Usage(problem.clone()))?;
                return Ok(PositionAnswer { problem: Some(problem), ..self.answer(&game) });
            }
        };
        let (games, number) = (pasted.games.len(), self.number.unwrap_or(1));
        if !(1..=games).contains(&number) {
            return Err(Error::Usage(format!("number = {number}, but the text has {games} games")));
        }
        let game = pasted.games.swap_remove(number - 1);
        Ok(PositionAnswer { format: Some(pasted.format), games: Some(games), ..self.answer(&game) })
    }
}

impl PositionRequest {
    fn answer(&self, game: &Game) -> PositionAnswer {
        let opening = opening_of(game);
        let margin = game.is_over().then(|| game.margin(Side::Black));
        let player = |name: &Option<String>, key: &str| {
            let clean = |name: &String| (key.to_owned(), name.replace(['[', ']'], "?"));
            name.as_ref().map(clean)
        };
        let properties = [player(&self.black, "PB"), player(&self.white, "PW")];
        let properties = properties.into_iter().flatten().collect();
        let ggf = GgfGame { game: game.clone(), result: margin, properties };
        PositionAnswer {
            start: (game.start() != Position::START).then(|| write_position(game.start())),
            moves: write_game(game.plies()),
            steps: steps(game),
            over: game.is_over(),
            margin,
            opening: opening.map(|(opening, _)| opening.name),
            opening_moves: opening.map(|(_, moves)| moves),
            position: write_position(game.position()),
            ggf: write_ggf(&ggf),
            format: None,
            games: None,
            problem: None,
        }
    }
}

fn steps(game: &Game) -> Vec<Step> {
    let mut now = Game::from(game.start());
    let mut steps = vec![step(&now, None, (now.plies().len() == 1).then_some(game.start().side))];
    for ply in game.plies() {
        let Ply::Place(at) = *ply else { continue };
        let before = now.position();
        if now.play(at).is_err() {
            break;
        }
        let passed = now.plies().last() == Some(&Ply::Pass);
        steps.push(step(&now, Some((at, before)), passed.then_some(!before.side)));
    }
    steps
}

fn step(now: &Game, made: Option<(Square, Position)>, passed: Option<Side>) -> Step {
    let position = now.position();
    let names =
        |squares: outflank_game::othello::Squares| squares.map(|at| at.to_string()).collect();
    let count = |side: Side| position.seen_by(side).own.len();
    Step {
        at: made.map(|(at, _)| at.to_string()),
        by: made.map(|(_, before)| colour(before.side)),
        turned: made.map_or(Vec::new(), |(at, before)| names(before.board.flips(at))),
        passed: passed.map(colour),
        board: discs(position),
        side: (!now.is_over()).then(|| colour(position.side)),
        legal: names(position.board.moves()),
        discs: [count(Side::Black), count(Side::White)],
    }
}
