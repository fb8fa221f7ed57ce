//! An engine at a board, for one game.

use std::time::Instant;

use super::client::{Client, refused};
use super::{Engine, Fault, FaultKind, Trouble, printable};
use crate::othello::{Ply, Side, Square, Squares, write_game};

/// An engine in one game. Its process goes back to wait for the next game when the seat is left,
/// unless it failed.
#[derive(Debug)]
pub struct Seat<'a> {
    engine: &'a Engine,
    client: Option<Client>,
    /// Plies of the game that it knows of.
    told: usize,
}

/// The game so far, from the usual start.
#[derive(Clone, Copy, Debug)]
pub struct SoFar<'a> {
    /// The plies, Black's first.
    pub plies: &'a [Ply],
    /// The legal moves of the side to move, at least one.
    pub moves: Squares,
}

impl SoFar<'_> {
    fn side(&self) -> Side {
        side_of(self.plies.len())
    }

    /// Where in the game something happened.
    fn place(&self) -> String {
        match write_game(self.plies) {
            start if start.is_empty() => "at the start".into(),
            moves => format!("after {moves}"),
        }
    }
}

impl<'a> Seat<'a> {
    /// A seat at a new game.
    pub fn new(engine: &'a Engine) -> Seat<'a> {
        Seat { engine, client: None, told: 0 }
    }

    /// Asks for a move. A fault is counted, and ends the game for the engine.
    pub fn choose(
        &mut self,
        so_far: SoFar<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Square, Trouble> {
        let chosen = self.ask(so_far, stop).map_err(|trouble| match trouble {
            Trouble::Fault(Fault { kind, what }) => {
                Fault::new(kind, format!("{what} ({})", so_far.place())).into()
            }
            stopped => stopped,
        });
        if let Err(trouble) = &chosen {
            // What it would do next is not known. A process that was only stopped is not needed.
            self.client = None;
            if let Trouble::Fault(fault) = trouble {
                self.engine.note(fault);
            }
        }
        chosen
    }

    fn ask(&mut self, so_far: SoFar<'_>, stop: &dyn Fn() -> bool) -> Result<Square, Trouble> {
        let limit = || Instant::now() + self.engine.move_limit();
        let client = match &mut self.client {
            Some(client) => client,
            None => {
                let client = self.client.insert(self.engine.take(stop)?);
                if let Err(refusal) = client.ask("clear_board", limit(), stop)? {
                    return Err(refused("clear_board", &refusal));
                }
                client
            }
        };
        for (number, ply) in so_far.plies.iter().enumerate().skip(self.told) {
            let side = word(side_of(number));
            match ply {
                Ply::Place(at) => {
                    let command = format!("play {side} {at}");
                    if let Err(refusal) = client.ask(&command, limit(), stop)? {
                        return Err(refused(&command, &refusal));
                    }
                }
                // Some engines pass by themselves when a side cannot move, and refuse this.
                Ply::Pass => drop(client.ask(&format!("play {side} pass"), limit(), stop)?),
            }
        }
        let side = word(so_far.side());
        if let Some(time) = self.engine.command.time.filter(|time| time.as_secs() > 0) {
            client.must(&format!("time_left {side} {} 1", time.as_secs()), limit(), stop)?;
        }
        let command = format!("genmove {side}");
        let text = match client.ask(&command, limit(), stop)? {
            Ok(text) => text,
            Err(refusal) => return Err(refused(&command, &refusal)),
        };
        let at = self::chosen(&text, so_far.moves)?;
        self.told = so_far.plies.len() + 1;
        Ok(at)
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            self.engine.put_back(client);
        }
    }
}

/// The legal move in an answer.
fn chosen(text: &str, moves: Squares) -> Result<Square, Trouble> {
    let fault = |kind, what: &str| Err(Fault::new(kind, what).into());
    let word = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    match word.parse::<Square>() {
        Ok(at) if moves.has(at) => Ok(at),
        Ok(at) => fault(FaultKind::Illegal, &format!("{at} is not a legal move")),
        Err(()) if word == "resign" => fault(FaultKind::Resigned, "it resigned"),
        Err(()) if matches!(&*word, "pass" | "pa" | "ps" | "--") => {
            fault(FaultKind::Illegal, "it passed, but has legal moves")
        }
        Err(()) => {
            let what = format!("{:?} is not a move", printable(text));
            fault(FaultKind::Nonsense, &what)
        }
    }
}

fn side_of(ply: usize) -> Side {
    if ply.is_multiple_of(2) { Side::Black } else { Side::White }
}

fn word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}
