//! The board as a person sees it.

use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Color, Style};

use crate::Error;
use outflank_game::othello::{Game, Ply, Side, Square, opening_of};

/// What discs are drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discs {
    /// X and O, which every terminal and every reader of screens can show.
    Letters,
    /// ● in two colours.
    Coloured,
    /// ● and ○, where there are no colours.
    Plain,
}

impl Discs {
    /// What the terminal can show.
    pub fn detect(ascii: bool) -> Discs {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        let has_unicode = locale.is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let stdout = std::io::stdout();
        if ascii || !has_unicode || !stdout.is_terminal() {
            return Discs::Letters;
        }
        match anstream::AutoStream::choice(&stdout) {
            anstream::ColorChoice::Never => Discs::Plain,
            _ => Discs::Coloured,
        }
    }

    fn of(self, side: Side) -> char {
        match (self, side) {
            (Discs::Letters, Side::Black) => 'X',
            (Discs::Letters, Side::White) => 'O',
            (Discs::Plain, Side::White) => '○',
            _ => '●',
        }
    }
}

/// Draws a position: discs, legal moves (+), the last move (<) and the numbers of discs.
pub fn draw(game: &Game, discs: Discs, out: &mut impl Write) -> Result<(), Error> {
    let position = game.position();
    let (black, white) = (position.seen_by(Side::Black).own, position.seen_by(Side::White).own);
    let legal = position.board.moves();
    let last = last_move(game);
    let felt = Style::new().bg_color(Some(Color::Ansi(AnsiColor::Green)));
    let ink = |colour| felt.fg_color(Some(Color::Ansi(colour))).bold();
    let (dark, light) = (ink(AnsiColor::Black), ink(AnsiColor::BrightWhite));
    writeln!(out, "\n  a b c d e f g h")?;
    for row in 0..8 {
        write!(out, "{} ", row + 1)?;
        for at in Square::all().filter(|at| at.row() == row) {
            let (letter, style) = if black.has(at) {
                (discs.of(Side::Black), dark)
            } else if white.has(at) {
                (discs.of(Side::White), light)
            } else if legal.has(at) {
                ('+', felt.fg_color(Some(Color::Ansi(AnsiColor::Yellow))))
            } else {
                ('.', felt.fg_color(Some(Color::Ansi(AnsiColor::Black))))
            };
            write!(out, "{style}{letter}{style:#}")?;
            if last == Some(at) {
                let mark = ink(AnsiColor::Red);
                write!(out, "{mark}<{mark:#}")?;
            } else {
                write!(out, "{felt} {felt:#}")?;
            }
        }
        let disc = |side, style: Style, number| {
            let letter = discs.of(side);
            match discs {
                Discs::Coloured => format!("   {side} {style}{letter} {style:#} {number:>2}"),
                _ => format!("   {side} {letter} {number:>2}"),
            }
        };
        match (row, last) {
            (2, _) => writeln!(out, "{}", disc(Side::Black, dark, black.len()))?,
            (3, _) => writeln!(out, "{}", disc(Side::White, light, white.len()))?,
            (4, Some(at)) => writeln!(out, "   last move {at}")?,
            (5, _) => match opening_of(game) {
                Some((opening, _)) => writeln!(out, "   opening {}", opening.name)?,
                None => writeln!(out)?,
            },
            _ => writeln!(out)?,
        }
    }
    Ok(())
}

/// The square of the last disc that was placed.
fn last_move(game: &Game) -> Option<Square> {
    game.plies().iter().rev().find_map(|ply| match ply {
        Ply::Place(at) => Some(*at),
        Ply::Pass => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::othello::parse_game;

    #[test]
    fn the_last_move_is_marked_and_discs_have_shapes() {
        let game = parse_game("f5").unwrap();
        let shown = |discs| {
            let mut out = Vec::new();
            draw(&game, discs, &mut out).unwrap();
            anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
        };
        let letters = shown(Discs::Letters);
        assert!(letters.contains("5 . . . X X X<. .    last move f5"), "{letters}");
        assert!(!letters.contains("opening"));
        assert!(shown(Discs::Plain).contains("4 . . . ○ ● + . .    White ○  1"));
        assert!(shown(Discs::Coloured).contains("4 . . . ● ● + . .    White ●   1"));
    }
}
