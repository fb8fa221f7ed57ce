//! How games and positions are written: transcripts (`f5d6c3...`, passes not written), and
//! positions of 64 squares and the side to move (`---...OX... X`). Positions with scores are in
//! `obf`.

use std::fmt;

use super::{Board, Game, IllegalMove, Ply, Position, Side, Square, Squares};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct NotationError {
    /// Where: "move 5", "square c2 (character 11)", "field 2".
    pub place: String,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Not a square such as `f5`, nor a pass (`--`, `ps`, `pa`).
    NotAMove(String),
    /// Refused by the rules.
    Illegal(IllegalMove),
    /// A letter that is neither a disc nor an empty square.
    NotADisc(char),
    /// Not 64 squares.
    Squares(usize),
    /// No side to move.
    NoSide,
    /// A letter that names no side.
    NotASide(char),
    /// Something after the position.
    Trailing(String),
    /// Not `move:score`.
    NotAScore(String),
    /// No game ends with this score.
    Impossible(i32),
    /// Something that was there before.
    Twice(String),
    /// A centre square without a disc, which no game has.
    Hole(Square),
    /// Neither side can move; the result, for the side to move.
    Over(i32),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NotAMove(text) => write!(f, "{text:?} is not a square a1 to h8"),
            Problem::Illegal(illegal) => illegal.fmt(f),
            Problem::NotADisc(letter) => {
                write!(f, "{letter:?} is none of X (black), O (white), - (empty)")
            }
            Problem::Squares(n) => write!(f, "{n} squares, expected 64 and the side to move"),
            Problem::NoSide => write!(f, "the side to move is missing, X or O"),
            Problem::NotASide(letter) => write!(f, "{letter:?} is neither X (black) nor O (white)"),
            Problem::Trailing(text) => write!(f, "unexpected {text:?} after the side to move"),
            Problem::NotAScore(text) => write!(f, "{text:?} is not a move:score such as g8:+18"),
            Problem::Impossible(score) => {
                write!(f, "no game ends with {score:+}: scores are even, from -64 to +64")
            }
            Problem::Twice(what) => write!(f, "{what} is there twice"),
            Problem::Hole(at) => {
                write!(f, "{at} is empty, but has a disc from the start of any game")
            }
            Problem::Over(score) => {
                write!(
                    f,
                    "neither side can move: the game is over, with {score:+} for the side to move"
                )
            }
        }
    }
}

pub(super) fn error(place: impl Into<String>, problem: Problem) -> NotationError {
    NotationError { place: place.into(), problem }
}

/// Replays a transcript from the start of a game. Blanks are skipped; a written pass must be one.
///
/// ```
/// use outflank_game::othello::parse_game;
/// assert_eq!(parse_game("f5d6 C3").unwrap().plies().len(), 3);
/// assert_eq!(
///     parse_game("f5f6f8").unwrap_err().to_string(),
///     "move 3: Black cannot play f8: it turns no disc",
/// );
/// ```
pub fn parse_game(text: &str) -> Result<Game, NotationError> {
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut game = Game::default();
    let mut plies_at_written_pass = 0;
    for (number, pair) in letters.chunks(2).enumerate() {
        let word: String = pair.iter().collect();
        let place = || format!("move {}", number + 1);
        if matches!(word.to_ascii_lowercase().as_str(), "--" | "ps" | "pa") {
            // The game passes automatically when the last move leaves the opponent without one.
            let fresh = game.plies().len() > plies_at_written_pass;
            plies_at_written_pass = game.plies().len();
            if !(fresh && game.plies().last() == Some(&Ply::Pass)) {
                let side = game.position().side;
                let why = if game.is_over() { super::Why::GameOver } else { super::Why::MustMove };
                let illegal = IllegalMove { side, ply: Ply::Pass, why };
                return Err(error(place(), Problem::Illegal(illegal)));
            }
            continue;
        }
        let at = word.parse().map_err(|()| error(place(), Problem::NotAMove(word)))?;
        game.play(at).map_err(|illegal| error(place(), Problem::Illegal(illegal)))?;
    }
    Ok(game)
}

/// Writes a game's moves as a transcript, without passes.
pub fn write_game(plies: &[Ply]) -> String {
    plies
        .iter()
        .filter_map(|ply| match ply {
            Ply::Place(at) => Some(at.to_string()),
            Ply::Pass => None,
        })
        .collect()
}

/// Reads a position: 64 squares a1 to h8 row by row (`X`, `*` or `B` black, `O` or `W` white, `-`
/// or `.` empty), then the side to move, with or without a blank before it.
pub fn parse_position(text: &str) -> Result<Position, NotationError> {
    let text = text.trim();
    let letters: Vec<char> = text.chars().collect();
    let (mut black, mut white) = (Squares::NONE, Squares::NONE);
    for (index, &letter) in letters.iter().take(64).enumerate() {
        // take(64) keeps the index on the board.
        let Some(square) = Square::new(index) else { break };
        if letter.is_whitespace() {
            return Err(error("position", Problem::Squares(index)));
        }
        match side_or_empty(letter) {
            Some(Some(Side::Black)) => black = black | square.set(),
            Some(Some(Side::White)) => white = white | square.set(),
            Some(None) => {}
            None => {
                let place = format!("square {square} (character {})", index + 1);
                return Err(error(place, Problem::NotADisc(letter)));
            }
        }
    }
    if letters.len() < 64 {
        return Err(error("position", Problem::Squares(letters.len())));
    }
    let rest: String = letters[64..].iter().collect();
    let rest = rest.trim_start();
    let mut after = rest.chars();
    let letter = after.next().ok_or_else(|| error("position", Problem::NoSide))?;
    let Some(Some(side)) = side_or_empty(letter) else {
        let blanks = letters[64..].iter().take_while(|letter| letter.is_whitespace()).count();
        return Err(error(format!("character {}", 65 + blanks), Problem::NotASide(letter)));
    };
    let trailing = after.as_str().trim();
    if !trailing.is_empty() {
        return Err(error("position", Problem::Trailing(trailing.into())));
    }
    let board = match side {
        Side::Black => Board { own: black, opp: white },
        Side::White => Board { own: white, opp: black },
    };
    Ok(Position { board, side })
}

fn side_or_empty(letter: char) -> Option<Option<Side>> {
    match letter {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Some(Side::Black)),
        'O' | 'o' | 'W' | 'w' => Some(Some(Side::White)),
        '-' | '.' => Some(None),
        _ => None,
    }
}

/// Says why a game cannot go on from a position, if so: there is a hole in the centre, or neither
/// side can move.
pub fn check_playable(position: Position) -> Result<(), NotationError> {
    let holes = Squares(position.board.empty().0 & outflank_kernel::CENTRE);
    let problem = match holes.first() {
        Some(hole) => Problem::Hole(hole),
        None if position.board.is_over() => Problem::Over(position.board.margin()),
        None => return Ok(()),
    };
    Err(error("position", problem))
}

/// Writes a position as [`parse_position`] reads it.
pub fn write_position(position: Position) -> String {
    let (black, white) = (position.seen_by(Side::Black).own, position.seen_by(Side::White).own);
    let mut text: String = Square::all()
        .map(|s| {
            if black.has(s) {
                'X'
            } else if white.has(s) {
                'O'
            } else {
                '-'
            }
        })
        .collect();
    text.push(' ');
    text.push(if position.side == Side::Black { 'X' } else { 'O' });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_position_reads_and_writes() {
        assert_eq!(parse_position(START), Ok(Position::START));
        assert_eq!(write_position(Position::START), START);
        let variants = [START.replace(' ', ""), START.replace('X', "*"), START.replace('-', ".")];
        for text in variants {
            assert_eq!(parse_position(&text), Ok(Position::START), "{text}");
        }
    }

    #[test]
    fn a_bad_position_says_where() {
        let message = |text: &str| parse_position(text).unwrap_err().to_string();
        assert_eq!(message(""), "position: 0 squares, expected 64 and the side to move");
        assert_eq!(message(&START[1..]), "position: 63 squares, expected 64 and the side to move");
        assert_eq!(message(&START[..64]), "position: the side to move is missing, X or O");
        assert_eq!(
            message(&START.replacen("O", "Q", 1)),
            "square d4 (character 28): 'Q' is none of X (black), O (white), - (empty)"
        );
        assert_eq!(
            message(&START.replace(" X", " Z")),
            "character 66: 'Z' is neither X (black) nor O (white)"
        );
        assert_eq!(
            message(&format!("{START}X")),
            "position: unexpected \"X\" after the side to move"
        );
    }

    #[test]
    fn a_bad_transcript_says_which_move_and_why() {
        let message = |text: &str| parse_game(text).unwrap_err().to_string();
        assert_eq!(message("f5d9"), "move 2: \"d9\" is not a square a1 to h8");
        assert_eq!(message("f5d6f"), "move 3: \"f\" is not a square a1 to h8");
        assert_eq!(message("f5d6f5"), "move 3: Black cannot play f5: it is occupied");
        assert_eq!(message("f5--"), "move 2: White may not pass, it has legal moves");
        assert_eq!(message("e6f4e3f6g5d6e7f5c5a1"), "move 10: the game is already over");
        assert_eq!(message("fé"), "move 1: \"fé\" is not a square a1 to h8");
    }
}
