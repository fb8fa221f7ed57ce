//! Colours, positions, and games as sequences of plies.

use std::fmt;
use std::ops::Not;

use super::{Board, Square};

/// Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Side {
    Black,
    White,
}

impl Not for Side {
    type Output = Side;
    #[inline]
    fn not(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Black => "Black",
            Side::White => "White",
        })
    }
}

/// A board and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The discs as the side to move sees them.
    pub board: Board,
    /// The side to move.
    pub side: Side,
}

impl Position {
    /// The start of a game.
    pub const START: Position = Position { board: Board::START, side: Side::Black };

    /// The same discs as one of the sides sees them.
    #[inline]
    pub fn seen_by(self, side: Side) -> Board {
        if side == self.side { self.board } else { self.board.pass() }
    }

    /// Says why a move is not legal, if so.
    pub fn check(self, at: Square) -> Result<(), IllegalMove> {
        let refuse = |why| Err(IllegalMove { side: self.side, ply: Ply::Place(at), why });
        if self.board.moves().has(at) {
            Ok(())
        } else if self.board.is_over() {
            refuse(Why::GameOver)
        } else if !self.board.empty().has(at) {
            refuse(Why::Occupied)
        } else {
            refuse(Why::TurnsNothing)
        }
    }

    /// The position after a legal move.
    #[inline]
    pub fn play(self, at: Square) -> Position {
        Position { board: self.board.play(at), side: !self.side }
    }

    /// The position after a pass.
    #[inline]
    pub fn pass(self) -> Position {
        Position { board: self.board.pass(), side: !self.side }
    }
}

/// How a game ended for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

impl Outcome {
    /// From a margin in discs.
    pub fn of(margin: i32) -> Outcome {
        match margin.signum() {
            -1 => Outcome::Loss,
            0 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }
}

/// One turn: a disc placed, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ply {
    /// A disc on this square.
    Place(Square),
    /// No legal move.
    Pass,
}

/// Why a ply cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// There is a disc on the square.
    Occupied,
    /// The move would turn no disc.
    TurnsNothing,
    /// Passing is only allowed without a legal move.
    MustMove,
    /// Neither side can move.
    GameOver,
}

/// A refused ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The side that tried.
    pub side: Side,
    /// What was tried.
    pub ply: Ply,
    /// What is wrong with it.
    pub why: Why,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.side;
        match (self.ply, self.why) {
            (_, Why::GameOver) => write!(f, "the game is already over"),
            (Ply::Pass, _) => write!(f, "{side} may not pass, it has legal moves"),
            (Ply::Place(at), Why::Occupied) => write!(f, "{side} cannot play {at}: it is occupied"),
            (Ply::Place(at), _) => write!(f, "{side} cannot play {at}: it turns no disc"),
        }
    }
}

/// A game: its start, its plies and its current position. A side without a legal move passes
/// automatically, and the pass is recorded as a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    now: Position,
    plies: Vec<Ply>,
}

impl Default for Game {
    fn default() -> Game {
        Game::from(Position::START)
    }
}

impl From<Position> for Game {
    /// Starts a game at a position; if its side to move cannot move, that pass is the first ply.
    fn from(start: Position) -> Game {
        let mut game = Game { start, now: start, plies: Vec::new() };
        game.pass_if_stuck();
        game
    }
}

impl Game {
    /// Where the game started.
    pub fn start(&self) -> Position {
        self.start
    }

    /// The current position.
    pub fn position(&self) -> Position {
        self.now
    }

    /// What was played.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Says whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.now.board.moves().is_empty()
    }

    /// The result so far for a side, in discs, with empty squares counted for the winner.
    pub fn margin(&self, side: Side) -> i32 {
        self.now.seen_by(side).margin()
    }

    /// Places a disc for the side to move, and passes for the other if it cannot answer.
    pub fn play(&mut self, at: Square) -> Result<(), IllegalMove> {
        self.now.check(at)?;
        self.now = self.now.play(at);
        self.plies.push(Ply::Place(at));
        self.pass_if_stuck();
        Ok(())
    }

    /// Takes back the last disc placed and any pass after it; `None` at the start.
    pub fn undo(&mut self) -> Option<Square> {
        let last = self.plies.iter().rposition(|ply| matches!(ply, Ply::Place(_)))?;
        let Ply::Place(at) = self.plies[last] else { return None };
        let kept = self.plies[..last].to_vec();
        *self = Game::from(self.start);
        for ply in kept {
            if let Ply::Place(at) = ply {
                self.now = self.now.play(at);
                self.plies.push(ply);
                self.pass_if_stuck();
            }
        }
        Some(at)
    }

    fn pass_if_stuck(&mut self) {
        let after = self.now.pass();
        if self.now.board.moves().is_empty() && !after.board.moves().is_empty() {
            self.now = after;
            self.plies.push(Ply::Pass);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_returns_to_the_position_before_the_move() {
        let mut game = Game::default();
        let mut seen = vec![game.clone()];
        // The first legal move each time leads through several passes.
        while let Some(at) = game.position().board.moves().first() {
            game.play(at).unwrap();
            seen.push(game.clone());
        }
        assert!(game.is_over() && game.plies().contains(&Ply::Pass));
        while let Some(before) = seen.pop() {
            assert_eq!(game, before);
            assert_eq!(game.undo().is_some(), !seen.is_empty());
        }
    }

    #[test]
    fn the_winner_gets_the_empty_squares() {
        // The shortest game: Black wipes White out in nine moves.
        let mut game = Game::default();
        for at in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] {
            game.play(at.parse().unwrap()).unwrap();
        }
        assert!(game.is_over());
        assert_eq!((game.margin(Side::Black), game.margin(Side::White)), (64, -64));
    }
}
