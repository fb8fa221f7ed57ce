//! Othello Board Files: a position in every line, and what is known about its score. Collections of
//! endgames are written so.
//!
//! `--XX...-- X; g8:+18; h1:+12;` has the scores of moves, `--XX...-- X; +18;` that of the
//! position, in discs for the side to move. `%` begins a comment.

use std::fmt;

use super::notation::{Problem, error};
use super::{NotationError, Position, Square, Squares, parse_position, write_position};

/// A line of an Othello Board File. Displayed, it is a line again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObfLine {
    /// The position.
    pub position: Position,
    /// The score of each listed move.
    pub moves: Vec<(Square, i32)>,
    /// A score given without a move.
    pub score: Option<i32>,
}

/// Reads a line of an Othello Board File; `None` for a blank line or a comment (`%`).
pub fn parse_obf(line: &str) -> Result<Option<ObfLine>, NotationError> {
    let text = line.split('%').next().unwrap_or("").trim();
    if text.is_empty() {
        return Ok(None);
    }
    let mut fields = text.split(';').map(str::trim);
    let position = parse_position(fields.next().unwrap_or(""))?;
    let mut obf = ObfLine { position, moves: Vec::new(), score: None };
    let mut listed = Squares::NONE;
    for (number, field) in fields.enumerate().filter(|(_, field)| !field.is_empty()) {
        let wrong = |problem| error(format!("field {}", number + 2), problem);
        let bad = || wrong(Problem::NotAScore(field.into()));
        let (at, score) = match field.split_once(':') {
            Some((at, score)) => (Some(at.trim()), score.trim()),
            None => (None, field),
        };
        let score: i32 = score.parse().map_err(|_| bad())?;
        if score % 2 != 0 || !(-64..=64).contains(&score) {
            return Err(wrong(Problem::Impossible(score)));
        }
        let Some(at) = at else {
            if obf.score.replace(score).is_some() {
                return Err(wrong(Problem::Twice("a score".into())));
            }
            continue;
        };
        let at: Square = at.parse().map_err(|()| bad())?;
        position.check(at).map_err(|illegal| wrong(Problem::Illegal(illegal)))?;
        if listed.has(at) {
            return Err(wrong(Problem::Twice(at.to_string())));
        }
        listed = listed | at.set();
        obf.moves.push((at, score));
    }
    Ok(Some(obf))
}

impl fmt::Display for ObfLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", write_position(self.position))?;
        self.score.iter().try_for_each(|score| write!(f, " {score:+};"))?;
        self.moves.iter().try_for_each(|(at, score)| write!(f, " {at}:{score:+};"))
    }
}

impl ObfLine {
    /// Says whether a score and all moves that reach it agree with what the line says, which may be
    /// only a part. `of` is the form in which scores are compared, such as who wins.
    pub fn agrees(&self, score: i32, best: Squares, of: impl Fn(i32) -> i32) -> bool {
        let listed = |&(at, move_score): &(Square, i32)| {
            let found = of(move_score);
            found <= score && (found == score) == best.has(at)
        };
        self.score.is_none_or(|whole| of(whole) == score) && self.moves.iter().all(listed)
    }

    /// Says whether there is anything to agree with.
    pub fn has_scores(&self) -> bool {
        self.score.is_some() || !self.moves.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    fn line(fields: &str) -> ObfLine {
        parse_obf(&format!("{START}; {fields}")).unwrap().unwrap()
    }

    #[test]
    fn a_line_reads_and_writes() {
        let obf = line("d3:+0; C4:-2; % from memory");
        assert_eq!((obf.position, obf.score), (Position::START, None));
        assert_eq!(obf.moves, [("d3".parse().unwrap(), 0), ("c4".parse().unwrap(), -2)]);
        assert_eq!(line("-4;").score, Some(-4));
        assert_eq!(parse_obf("% only a comment"), Ok(None));
        for fields in ["", "-4; d3:-4; c4:-64", "d3:+64"] {
            let obf = line(fields);
            assert_eq!(parse_obf(&obf.to_string()), Ok(Some(obf)), "{fields}");
        }
    }

    #[test]
    fn a_wrong_field_is_named() {
        let message =
            |fields: &str| parse_obf(&format!("{START}; {fields}")).unwrap_err().to_string();
        assert_eq!(message("d3:+0; x7"), "field 3: \"x7\" is not a move:score such as g8:+18");
        assert_eq!(message("d3:x"), "field 2: \"d3:x\" is not a move:score such as g8:+18");
        assert_eq!(message("a1:+0"), "field 2: Black cannot play a1: it turns no disc");
        assert_eq!(message("d3:0; d3:0"), "field 3: d3 is there twice");
        assert_eq!(message("0; 0"), "field 3: a score is there twice");
        for score in ["+66", "-3"] {
            let expected =
                format!("field 2: no game ends with {score}: scores are even, from -64 to +64");
            assert_eq!(message(score), expected);
        }
    }

    #[test]
    fn a_result_agrees_or_not() {
        let set = |text: &str| {
            text.split(' ').fold(Squares::NONE, |set, at| set | at.parse::<Square>().unwrap().set())
        };
        let exact =
            |fields: &str, score, best: &str| line(fields).agrees(score, set(best), |score| score);
        assert!(exact("d3:+4; c4:+2; f5:+4", 4, "d3 f5"));
        // Unlisted moves may be anything; those listed must be what they are said to be.
        assert!(exact("d3:+4", 4, "d3 e6") && exact("c4:+2", 4, "d3"));
        assert!(!exact("d3:+4", 4, "f5") && !exact("c4:+2", 4, "c4") && !exact("d3:+6", 4, "f5"));
        assert!(exact("+4", 4, "d3") && !exact("+2", 4, "d3"));
        assert!(line("d3:+4; c4:+2; f5:-2").agrees(1, set("d3 c4"), i32::signum));
        assert!(!line("").has_scores() && line("+2").has_scores());
    }
}
