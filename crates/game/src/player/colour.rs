//! Which colours a player has in a series of games.

use crate::othello::Side;
use outflank_schema::words;

words! {
/// The colours of a player in its games.
pub enum Colour {
    /// Both, in turn.
    Both = "both",
    /// It is always Black, and moves first.
    Black = "black",
    /// It is always White, and moves second.
    White = "white",
}
}

impl Colour {
    /// Its side in a game, given that with both colours it would be Black in it.
    pub fn side(self, is_black_in_turn: bool) -> Side {
        match self {
            Colour::Both if is_black_in_turn => Side::Black,
            Colour::Both | Colour::White => Side::White,
            Colour::Black => Side::Black,
        }
    }

    /// Its word in a spec.
    pub fn word(self) -> &'static str {
        match self {
            Colour::Both => "both",
            Colour::Black => "black",
            Colour::White => "white",
        }
    }
}
