//! Two players, watched: at any speed, with pauses, step by step, until somebody stops it.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::board::draw;
use super::keys::{KEYS, Key};
use super::session::Session;
use crate::Error;
use outflank_game::othello::Square;

/// How a watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    ToTheEnd,
    Stopped,
}

/// A source of keys: waits so long for one.
pub type Press<'a> = dyn FnMut(Duration) -> Option<Key> + 'a;

/// What happens next.
enum Next {
    Move,
    Back,
    Stop,
}

/// A watch that goes on.
struct Watching<'a, 'b> {
    press: &'a mut Press<'b>,
    is_paused: bool,
    delay: Duration,
}

/// The fastest and the slowest speed that keys reach, in seconds a move; one faster is no delay.
const SPEEDS: [f64; 2] = [0.0625, 64.0];

/// How often a thinking player is interrupted to look for keys.
const LOOK: Duration = Duration::from_millis(50);

impl Session {
    /// Lets the players move until the game is over or a key stops it. The board is drawn after
    /// every move; the last one drawn is the position that is left.
    pub fn watch(&mut self, press: &mut Press<'_>, out: &mut impl Write) -> Result<Watched, Error> {
        let mut watching = Watching { press, is_paused: false, delay: self.delay };
        self.is_watched = true;
        let ended = self.watch_on(&mut watching, out);
        self.is_watched = false;
        // The next watch is as fast as this one was.
        self.delay = watching.delay;
        ended
    }

    fn watch_on(
        &mut self,
        watching: &mut Watching<'_, '_>,
        out: &mut impl Write,
    ) -> Result<Watched, Error> {
        loop {
            draw(&self.game, self.discs, out)?;
            out.flush()?;
            if self.game.is_over() {
                return Ok(Watched::ToTheEnd);
            }
            let at = match watching.wait(out)? {
                Next::Move => watching.think(self, out)?,
                Next::Back => {
                    if self.game.undo().is_none() {
                        writeln!(out, "There is nothing to take back.")?;
                    }
                    continue;
                }
                Next::Stop => None,
            };
            let Some(at) = at else { return Ok(Watched::Stopped) };
            let side = self.game.position().side;
            let name = self.name(side);
            self.place(at, out)?;
            writeln!(out, "\n{side} ({name}) plays {at}.")?;
        }
    }
}

impl Watching<'_, '_> {
    /// Waits for the time of the next move, or for a key that says what to do.
    fn wait(&mut self, out: &mut impl Write) -> Result<Next, Error> {
        let began = Instant::now();
        loop {
            let left = match self.is_paused {
                true => Duration::from_secs(1),
                false => self.delay.saturating_sub(began.elapsed()),
            };
            match (self.press)(left) {
                Some(key) => {
                    if let Some(next) = self.heed(key, out)? {
                        return Ok(next);
                    }
                }
                None if !self.is_paused && began.elapsed() >= self.delay => return Ok(Next::Move),
                None => {}
            }
        }
    }

    /// Does what a key asks for; what concerns the game is left to the caller.
    fn heed(&mut self, key: Key, out: &mut impl Write) -> Result<Option<Next>, Error> {
        let [least, most] = SPEEDS;
        let seconds = self.delay.as_secs_f64();
        match key {
            Key::Pause => {
                self.is_paused = !self.is_paused;
                let text = if self.is_paused { "Paused; space goes on." } else { "Going on." };
                writeln!(out, "{text}")?;
            }
            Key::Step | Key::Back => {
                self.is_paused = true;
                return Ok(Some(if key == Key::Step { Next::Move } else { Next::Back }));
            }
            Key::Faster | Key::Slower => {
                let changed = match key {
                    Key::Faster if seconds <= least => 0.0,
                    Key::Faster => seconds / 2.0,
                    _ if seconds < least => least,
                    _ => (seconds * 2.0).min(most),
                };
                self.delay = Duration::from_secs_f64(changed);
                writeln!(out, "{changed} seconds a move.")?;
            }
            Key::Stop => return Ok(Some(Next::Stop)),
            Key::Help => writeln!(out, "{KEYS}")?,
        }
        out.flush()?;
        Ok(None)
    }

    /// The move of the player to move; `None` if a key stops it first. Deep trees take minutes, and
    /// keys work in the meantime.
    fn think(&mut self, session: &Session, out: &mut impl Write) -> Result<Option<Square>, Error> {
        let side = session.game.position().side;
        let (player, kernel, turn) = (session.player(side).clone(), session.kernel, session.turn());
        let (send, chosen) = mpsc::channel();
        // A thread that nobody waits for any more ends with the program.
        std::thread::spawn(move || send.send(player.choose(kernel, &turn)));
        loop {
            match chosen.recv_timeout(LOOK) {
                Ok(at) => return Ok(Some(at)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Failed("the player did not choose a move".into()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let Some(key) = (self.press)(Duration::ZERO) else { continue };
            match self.heed(key, out)? {
                Some(Next::Stop) => return Ok(None),
                // The move that is being chosen is the step.
                Some(Next::Move | Next::Back) | None => {}
            }
        }
    }
}
