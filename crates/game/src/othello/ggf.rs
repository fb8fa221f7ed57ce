//! GGF, the Generic Game Format of the server GGS: a game is a list of properties between `(;` and
//! `;)`, such as `PB[name]`, `RE[+14.00]`, `BO[8 ... *]` and `B[F5/eval/time]`.
//!
//! Othello on 8x8 boards is read, from any start position. All properties that are not about the
//! game are kept as they are, and what stands beside a move is a [`MoveNote`].

use std::fmt;

use super::{Game, IllegalMove, Ply, Position, Side, Square, parse_position, write_position};

/// A game in GGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GgfGame {
    /// What was played; not over if it stopped early.
    pub game: Game,
    /// The result for Black in discs, as it is written: some games stop early, or have a komi.
    pub result: Option<i32>,
    /// All other properties, such as `PB` and `DT`, in the order of the text.
    pub properties: Vec<(String, String)>,
}

/// What stands beside a move: `B[f5/+2.50/1.2]`. Texts, because programs write them differently.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNote {
    /// What the position was worth to the side that moved, usually in discs; empty if unknown.
    pub value: String,
    /// The time the move took, usually in seconds; empty if unknown.
    pub time: String,
}

/// What is wrong with a game in GGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GgfFault {
    /// No `(;` at its beginning, or no `;)` at its end.
    NotAGame,
    /// Neither a property nor the end.
    NotAProperty(String),
    /// No `]` after a property.
    Unclosed(String),
    /// Another game than Othello.
    OtherGame(String),
    /// A board that is not 8x8.
    BoardSize(String),
    /// A start position that is none.
    Start(String),
    /// Two start positions or two results, or a start position after moves.
    Twice(&'static str),
    /// A result that is not a whole number of discs.
    Result(String),
    /// Not a square, nor a pass.
    NotAMove {
        /// Which move.
        number: usize,
        /// What is written.
        text: String,
    },
    /// Refused by the rules.
    Illegal {
        /// Which move.
        number: usize,
        /// Why.
        illegal: IllegalMove,
    },
    /// A move of the side that is not to move.
    NotItsTurn {
        /// Which move.
        number: usize,
        /// The side that made it.
        side: Side,
    },
}

impl fmt::Display for GgfFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GgfFault::NotAGame => write!(f, "a game in GGF begins with (; and ends with ;)"),
            GgfFault::NotAProperty(text) => {
                write!(f, "{text:?} is not a property such as PB[name]")
            }
            GgfFault::Unclosed(name) => write!(f, "the property {name} has no ] at its end"),
            GgfFault::OtherGame(game) => write!(f, "GM[{game}] is not Othello"),
            GgfFault::BoardSize(board) => write!(f, "{board:?} is not a board of size 8"),
            GgfFault::Start(problem) => write!(f, "BO: {problem}"),
            GgfFault::Twice(name) => write!(f, "{name} stands twice, or after the moves"),
            GgfFault::Result(text) => {
                write!(f, "RE[{text}] is not a whole number of discs from -64 to 64")
            }
            GgfFault::NotAMove { number, text } => {
                write!(f, "move {number}: {text:?} is not a square a1 to h8, nor PA for a pass")
            }
            GgfFault::Illegal { number, illegal } => write!(f, "move {number}: {illegal}"),
            GgfFault::NotItsTurn { number, side } => {
                write!(f, "move {number}: it is not {side}'s turn")
            }
        }
    }
}

/// A property that was read.
struct Property<'a> {
    name: &'a str,
    value: &'a str,
}

/// Reads a game from `(;` to `;)`.
///
/// ```
/// use outflank_game::othello::parse_ggf;
/// let text = "(;GM[Othello]PB[a]PW[b]RE[+4]B[f5//1.2]W[d6];)";
/// let ggf = parse_ggf(text).unwrap();
/// assert_eq!((ggf.game.plies().len(), ggf.result), (2, Some(4)));
/// ```
pub fn parse_ggf(text: &str) -> Result<GgfGame, GgfFault> {
    parse_ggf_notes(text).map(|(ggf, _)| ggf)
}

/// The same, with a note for each disc that was placed; none at all if all are empty.
pub fn parse_ggf_notes(text: &str) -> Result<(GgfGame, Vec<MoveNote>), GgfFault> {
    let text = text.trim();
    let inner = text.strip_prefix("(;").and_then(|text| text.strip_suffix(";)"));
    let mut rest = inner.ok_or(GgfFault::NotAGame)?.trim_start();
    let (mut reading, mut result) = (Reading::Head(None), None);
    let (mut properties, mut notes) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let (Property { name, value }, after) = property(rest)?;
        rest = after.trim_start();
        match name {
            "GM" if value.eq_ignore_ascii_case("othello") => {}
            "GM" => return Err(GgfFault::OtherGame(value.into())),
            "BO" => reading.start(value)?,
            "RE" if result.is_some() => return Err(GgfFault::Twice("RE")),
            "RE" => result = Some(parse_result(value)?),
            "B" | "W" => {
                let side = if name == "B" { Side::Black } else { Side::White };
                if reading.play(side, value)? {
                    notes.push(note(value));
                }
            }
            _ => properties.push((name.to_owned(), value.to_owned())),
        }
    }
    if notes.iter().all(|note| *note == MoveNote::default()) {
        notes.clear();
    }
    Ok((GgfGame { game: reading.game(), result: result.flatten(), properties }, notes))
}

/// What stands beside a move.
fn note(value: &str) -> MoveNote {
    let mut fields = value.splitn(3, '/').skip(1).map(|field| field.trim().to_owned());
    let (value, time) = (fields.next(), fields.next());
    MoveNote { value: value.unwrap_or_default(), time: time.unwrap_or_default() }
}

/// The first property, and the text after it.
fn property(text: &str) -> Result<(Property<'_>, &str), GgfFault> {
    let bad = || GgfFault::NotAProperty(text.chars().take(20).collect());
    let open = text.find('[').ok_or_else(bad)?;
    let name = &text[..open];
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(bad());
    }
    let inside = &text[open + 1..];
    let close = inside.find(']').ok_or_else(|| GgfFault::Unclosed(name.into()))?;
    Ok((Property { name, value: &inside[..close] }, &inside[close + 1..]))
}

/// `None` where the result is not known. A flag after it says why a game ended.
fn parse_result(text: &str) -> Result<Option<i32>, GgfFault> {
    let number = text.split(':').next().unwrap_or("").trim();
    if matches!(number, "" | "?") {
        return Ok(None);
    }
    let bad = || GgfFault::Result(text.into());
    let discs: f64 = number.parse().map_err(|_| bad())?;
    let is_whole = discs.fract().abs() < 1e-9 && discs.abs() <= 64.0;
    if is_whole { Ok(Some(discs as i32)) } else { Err(bad()) }
}

/// A game of which a part is read.
enum Reading {
    /// Before the moves, with the start position if there is one.
    Head(Option<Position>),
    Moves {
        game: Game,
        number: usize,
        /// The plies at the last written pass, which must be one.
        passed: usize,
    },
}

impl Reading {
    fn start(&mut self, value: &str) -> Result<(), GgfFault> {
        let Reading::Head(start @ None) = self else { return Err(GgfFault::Twice("BO")) };
        let (size, board) = value.trim().split_once(char::is_whitespace).unwrap_or((value, ""));
        if size != "8" {
            return Err(GgfFault::BoardSize(value.chars().take(20).collect()));
        }
        // Rows may stand apart, and the side to move may stand close to them.
        let letters: String = board.chars().filter(|letter| !letter.is_whitespace()).collect();
        let position = parse_position(&letters);
        *start = Some(position.map_err(|error| GgfFault::Start(error.to_string()))?);
        Ok(())
    }

    fn begin(&mut self) -> (&mut Game, &mut usize, &mut usize) {
        if let Reading::Head(start) = self {
            let game = Game::from(start.unwrap_or(Position::START));
            *self = Reading::Moves { game, number: 0, passed: 0 };
        }
        match self {
            Reading::Moves { game, number, passed } => (game, number, passed),
            Reading::Head(_) => unreachable!("it has begun"),
        }
    }

    /// Plays a move or a pass; returns whether a disc was placed.
    fn play(&mut self, side: Side, value: &str) -> Result<bool, GgfFault> {
        let (game, number, passed) = self.begin();
        *number += 1;
        let (number, text) = (*number, value.split('/').next().unwrap_or("").trim());
        if matches!(text.to_ascii_lowercase().as_str(), "pa" | "pass" | "ps" | "--") {
            // The game passes by itself when a side cannot move.
            let fresh = game.plies().len() > *passed && game.plies().last() == Some(&Ply::Pass);
            *passed = game.plies().len();
            if fresh && game.position().side != side {
                return Ok(false);
            }
            let why = if game.is_over() { super::Why::GameOver } else { super::Why::MustMove };
            let illegal = IllegalMove { side, ply: Ply::Pass, why };
            return Err(GgfFault::Illegal { number, illegal });
        }
        let Ok(at) = text.parse::<Square>() else {
            return Err(GgfFault::NotAMove { number, text: text.into() });
        };
        if game.position().side != side && !game.is_over() {
            return Err(GgfFault::NotItsTurn { number, side });
        }
        game.play(at).map_err(|illegal| GgfFault::Illegal { number, illegal })?;
        Ok(true)
    }

    fn game(mut self) -> Game {
        std::mem::take(self.begin().0)
    }
}

/// Writes a game as [`parse_ggf`] reads it, in a line.
pub fn write_ggf(ggf: &GgfGame) -> String {
    write_ggf_notes(ggf, &[])
}

/// The same, with notes beside the discs that were placed, from the first on.
pub fn write_ggf_notes(ggf: &GgfGame, notes: &[MoveNote]) -> String {
    let mut text = String::from("(;GM[Othello]");
    for (name, value) in &ggf.properties {
        text += &format!("{name}[{value}]");
    }
    if let Some(result) = ggf.result {
        text += &format!("RE[{result:+}]");
    }
    text += &format!("BO[8 {}]", write_position(ggf.game.start()).replace('X', "*"));
    let (mut side, mut notes) = (ggf.game.start().side, notes.iter());
    for ply in ggf.game.plies() {
        let letter = if side == Side::Black { 'B' } else { 'W' };
        let word = match ply {
            Ply::Place(at) => match notes.next() {
                Some(MoveNote { value, time }) if !time.is_empty() => {
                    format!("{at}/{value}/{time}")
                }
                Some(MoveNote { value, .. }) if !value.is_empty() => format!("{at}/{value}"),
                _ => at.to_string(),
            },
            Ply::Pass => "PA".into(),
        };
        text += &format!("{letter}[{word}]");
        side = !side;
    }
    text + ";)"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::parse_game;

    const SERVER: &str = "(;GM[Othello]PC[GGS/os]DT[2004.09.18_05:54:38.MDT]PB[ant]PW[bee]\
        RB[1700.1]RW[1811.2]TI[05:00//02:00]TY[8]RE[+14.00:r]BO[8 ---------------------------O*-\
        -----*O--------------------------- *]B[f5//0.2]W[D6/1.50/3]B[c3]W[d3]B[c4];)";

    #[test]
    fn a_game_of_a_server_reads_and_is_written() {
        let ggf = parse_ggf(SERVER).unwrap();
        assert_eq!((ggf.game.plies().len(), ggf.result), (5, Some(14)));
        assert_eq!(ggf.game.start(), Position::START);
        assert_eq!(ggf.game, parse_game("f5d6c3d3c4").unwrap());
        assert!(ggf.properties.contains(&("PB".into(), "ant".into())));
        assert_eq!(parse_ggf(&write_ggf(&ggf)), Ok(ggf));
    }

    #[test]
    fn values_and_times_of_moves_are_kept_as_they_are_written() {
        let (ggf, notes) = parse_ggf_notes(SERVER).unwrap();
        let texts: Vec<_> = notes.iter().map(|note| (&*note.value, &*note.time)).collect();
        assert_eq!(texts, [("", "0.2"), ("1.50", "3"), ("", ""), ("", ""), ("", "")]);
        let text = write_ggf_notes(&ggf, &notes);
        assert!(text.contains("B[f5//0.2]W[d6/1.50/3]B[c3]"), "{text}");
        assert_eq!(parse_ggf_notes(&text), Ok((ggf, notes)));
        assert_eq!(parse_ggf_notes("(;B[f5]W[d6//];)").unwrap().1, []);
    }

    #[test]
    fn passes_are_written_and_read() {
        let mut game = Game::default();
        while let Some(at) = game.position().board.moves().first() {
            game.play(at).unwrap();
        }
        assert!(game.plies().contains(&Ply::Pass));
        let ggf = GgfGame { result: Some(game.margin(Side::Black)), game, properties: vec![] };
        let text = write_ggf(&ggf);
        assert!(text.contains("[PA]"));
        assert_eq!(parse_ggf(&text), Ok(ggf.clone()));
        // Some programs leave passes out.
        let without = text.replace("B[PA]", "").replace("W[PA]", "");
        assert_eq!(parse_ggf(&without), Ok(ggf));
    }

    #[test]
    fn faults_are_named() {
        let message = |text: &str| parse_ggf(text).unwrap_err().to_string();
        assert_eq!(message("(;GM[Othello]"), "a game in GGF begins with (; and ends with ;)");
        assert_eq!(message("(;GM[Chess];)"), "GM[Chess] is not Othello");
        assert_eq!(message("(;GM[Othello;)"), "the property GM has no ] at its end");
        assert!(message("(;gm[Othello];)").contains("is not a property"));
        assert!(message("(;BO[10 ----];)").ends_with("is not a board of size 8"));
        assert!(message("(;BO[8 -*O *];)").starts_with("BO: position: 4 squares"));
        assert_eq!(message("(;RE[2.5];)"), "RE[2.5] is not a whole number of discs from -64 to 64");
        assert_eq!(message("(;RE[2]RE[2];)"), "RE stands twice, or after the moves");
        assert_eq!(message("(;B[f5]W[f5];)"), "move 2: White cannot play f5: it is occupied");
        assert_eq!(message("(;B[f5]B[d6];)"), "move 2: it is not Black's turn");
        assert_eq!(message("(;B[f5]W[PA];)"), "move 2: White may not pass, it has legal moves");
        assert!(message("(;B[x9];)").contains("\"x9\" is not a square"));
    }
}
