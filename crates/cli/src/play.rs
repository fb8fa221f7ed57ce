//! `outflank play`: a game between a person and a player, line by line.

use std::io::{self, BufRead, Write};

use anstyle::{AnsiColor, Color, Style};

use super::text::help;
use super::{Error, parse_seed, player};
use outflank_game::othello::{Game, Ply, Side, Square, write_game};
use outflank_game::player::{Player, Turn};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Key, Seed, Stream};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank play
  outflank play lr2006 --side white
  outflank play mobility@epsilon=0.1 --seed 7

Type a square such as f5, or undo, hint, moves, help, quit."))]
pub struct Args {
    /// Your opponent
    #[arg(value_name = "PLAYER", default_value = "ctdl2009-best")]
    player: String,
    /// Your colour; Black moves first
    #[arg(long, value_enum, default_value = "black")]
    side: SideArg,
    /// Seed of the opponent's random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SideArg {
    Black,
    White,
}

const HELP: &str = "Type a square such as f5, or:
  undo   take back your last move
  hint   what your opponent would play in your place
  moves  the moves so far
  help   this
  quit   leave";

pub fn run(args: Args) -> Result<(), Error> {
    let mut opponent = player(&args.player)?;
    if opponent.is_drawn() {
        opponent = opponent.drawn(Seed(args.seed).at(Stream::Weights, 0));
    }
    let you = match args.side {
        SideArg::Black => Side::Black,
        SideArg::White => Side::White,
    };
    let key = Seed(args.seed).at(Stream::Game, 0);
    let mut session =
        Session { kernel: Kernel::detect()?, opponent, you, key, game: Game::default() };
    session.play(&mut io::stdin().lock(), &mut anstream::stdout().lock())
}

struct Session {
    kernel: Kernel,
    opponent: Player,
    you: Side,
    key: Key,
    game: Game,
}

impl Session {
    fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Error> {
        writeln!(out, "You are {} against {}.", self.you, self.opponent.name)?;
        writeln!(out, "{HELP}")?;
        loop {
            if !self.game.is_over() && self.game.position().side != self.you {
                let at = self.choose();
                self.place(at, out)?;
                writeln!(out, "\n{} plays {at}.", self.opponent.name)?;
                continue;
            }
            self.draw(out)?;
            if self.game.is_over() {
                return self.end(out);
            }
            if self.ask(input, out)? {
                return Ok(());
            }
        }
    }

    /// Reads lines until one changes the game. Returns whether the person quits.
    fn ask(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool, Error> {
        loop {
            write!(out, "{} to move: ", self.you)?;
            out.flush()?;
            let mut bytes = Vec::new();
            // Not read_line: the input may not be UTF-8.
            let read = input
                .read_until(b'\n', &mut bytes)
                .map_err(|error| Error::Failed(format!("cannot read standard input: {error}")))?;
            if read == 0 {
                writeln!(out)?;
                return Ok(true);
            }
            let line = String::from_utf8_lossy(&bytes).trim().to_lowercase();
            match line.as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(true),
                "help" | "?" => writeln!(out, "{HELP}")?,
                "moves" if self.game.plies().is_empty() => writeln!(out, "None yet.")?,
                "moves" => writeln!(out, "{}", write_game(self.game.plies()))?,
                "hint" => writeln!(out, "{} would play {}.", self.opponent.name, self.choose())?,
                "undo" => {
                    if self.undo() {
                        return Ok(false);
                    }
                    writeln!(out, "There is nothing to take back.")?;
                }
                word => match word.parse::<Square>() {
                    Ok(at) => match self.game.position().check(at) {
                        Ok(()) => return self.place(at, out).map(|()| false),
                        Err(illegal) => writeln!(out, "{illegal}. Legal moves are marked +.")?,
                    },
                    Err(()) => {
                        writeln!(out, "{word:?} is neither a square nor a command; try help.")?
                    }
                },
            }
        }
    }

    /// Plays a move, and prints a line if the other side has to pass.
    fn place(&mut self, at: Square, out: &mut impl Write) -> Result<(), Error> {
        let mover = self.game.position().side;
        self.game.play(at).map_err(|illegal| Error::Failed(illegal.to_string()))?;
        if self.game.plies().last() == Some(&Ply::Pass) {
            let (who, has) =
                if mover == self.you { (&*self.opponent.name, "has") } else { ("You", "have") };
            writeln!(out, "{who} {has} no legal move and must pass.")?;
        }
        Ok(())
    }

    /// The move that the opponent would play for the side to move.
    fn choose(&self) -> Square {
        let position = self.game.position();
        let ply = self.game.plies().len() as u32;
        let turn = Turn { position, moves: position.board.moves(), ply, key: self.key };
        self.opponent.choose(self.kernel, &turn)
    }

    /// Takes back the person's last move and what followed.
    fn undo(&mut self) -> bool {
        let mut trial = self.game.clone();
        while trial.undo().is_some() {
            if trial.position().side == self.you {
                self.game = trial;
                return true;
            }
        }
        false
    }

    fn draw(&self, out: &mut impl Write) -> Result<(), Error> {
        let position = self.game.position();
        let (black, white) = (position.seen_by(Side::Black).own, position.seen_by(Side::White).own);
        let legal = position.board.moves();
        let felt = Style::new().bg_color(Some(Color::Ansi(AnsiColor::Green)));
        let ink = |colour| felt.fg_color(Some(Color::Ansi(colour))).bold();
        writeln!(out, "\n  a b c d e f g h")?;
        for row in 0..8 {
            write!(out, "{} ", row + 1)?;
            for at in Square::all().filter(|at| at.row() == row) {
                let (letter, style) = if black.has(at) {
                    ('X', ink(AnsiColor::Black))
                } else if white.has(at) {
                    ('O', ink(AnsiColor::BrightWhite))
                } else if legal.has(at) {
                    ('+', felt.fg_color(Some(Color::Ansi(AnsiColor::Yellow))))
                } else {
                    ('.', felt.fg_color(Some(Color::Ansi(AnsiColor::Black))))
                };
                write!(out, "{style}{letter} {style:#}")?;
            }
            match row {
                2 => writeln!(out, "   Black X {:>2}", black.len())?,
                3 => writeln!(out, "   White O {:>2}", white.len())?,
                _ => writeln!(out)?,
            }
        }
        Ok(())
    }

    fn end(&self, out: &mut impl Write) -> Result<(), Error> {
        let margin = self.game.margin(self.you);
        let verdict = match margin.signum() {
            1 => "You win",
            0 => "A draw",
            _ => "You lose",
        };
        let black = self.game.position().seen_by(Side::Black);
        let (own, opp) = (black.own.len(), black.opp.len());
        write!(out, "\nThe game is over. {verdict}: Black {own}, White {opp}")?;
        match black.empty().len() {
            0 => writeln!(out, ".")?,
            _ => writeln!(out, " ({margin:+} for you with the empty squares).")?,
        }
        writeln!(out, "{}", write_game(self.game.plies()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::player::parse_player;

    fn session(typed: &str, you: Side) -> (Session, String) {
        session_with(typed, you, 0)
    }

    fn session_with(typed: &str, you: Side, game: u64) -> (Session, String) {
        let opponent = parse_player("random").unwrap();
        let key = Seed(1).at(Stream::Game, game);
        let kernel = Kernel::available()[0];
        let mut session = Session { kernel, opponent, you, key, game: Game::default() };
        let mut out = Vec::new();
        session.play(&mut typed.as_bytes(), &mut out).unwrap();
        let text = anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string();
        (session, text)
    }

    #[test]
    fn a_person_plays_asks_and_leaves() {
        let (session, text) = session("f5\nhint\nmoves\nnonsense\na1\nd4\nquit\n", Side::Black);
        assert_eq!(session.game.plies().len(), 2);
        assert!(text.contains("random would play "));
        assert!(text.contains("\"nonsense\" is neither a square nor a command"));
        assert!(text.contains("Black cannot play a1: it turns no disc"));
        assert!(text.contains("Black cannot play d4: it is occupied"));
        assert!(text.contains("4 . . + O X . . .    White O  2"), "{text}");
    }

    #[test]
    fn undo_takes_back_both_moves() {
        let (session, text) = session("undo\nf5\nundo\n", Side::Black);
        assert_eq!(session.game, Game::default());
        assert!(text.contains("There is nothing to take back."));
    }

    #[test]
    fn a_pass_is_announced() {
        let squares: String = Square::all().map(|at| format!("{at}\n")).collect();
        let (mut yours, mut theirs) = (0, 0);
        for game in 0..30 {
            let (session, text) = session_with(&squares.repeat(60), Side::Black, game);
            let passes = text.matches("must pass").count();
            assert_eq!(
                passes,
                session.game.plies().iter().filter(|ply| **ply == Ply::Pass).count()
            );
            yours += text.matches("You have no legal move").count();
            theirs += text.matches("random has no legal move").count();
        }
        assert!(yours > 0 && theirs > 0);
    }

    #[test]
    fn a_whole_game_ends_with_its_score() {
        // Every square in every turn: the illegal ones are refused.
        let squares: String = Square::all().map(|at| format!("{at}\n")).collect();
        let (session, text) = session(&squares.repeat(60), Side::White);
        assert!(session.game.is_over());
        assert!(text.contains("The game is over. "));
        assert!(text.contains(&write_game(session.game.plies())));
    }
}
