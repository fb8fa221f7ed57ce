//! Engines: other programs that play, through the Go Text Protocol (GTP).
//!
//! `gtp:COMMAND` names such a player. It is not part of what repeats: the same request can end
//! otherwise the next time, so [`parse_player`](crate::player::parse_player) refuses it, and
//! [`parse_entrant`](crate::player::parse_entrant) is for whatever only plays and counts.
//!
//! An [`Engine`] has one process for each game that is played at a time; a process that fails is
//! ended, and the next game has a new one. A game that an engine cannot finish is lost for it, and
//! why is written down ([`EngineFaults`]).

mod client;
mod command;
mod faults;
mod process;
mod seat;

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use self::client::Client;
pub use self::command::{EngineCommand, EngineError};
pub use self::faults::{EngineFaults, Fault, FaultCount, FaultKind, Trouble};
pub use self::seat::{Seat, SoFar};

/// After this many starts that failed in a row, it is not started again.
const MOST_STARTS: u32 = 3;

/// A program that plays.
#[derive(Debug)]
pub struct Engine {
    command: EngineCommand,
    state: Mutex<State>,
    title: OnceLock<String>,
}

#[derive(Debug, Default)]
struct State {
    /// Processes that wait for a game.
    idle: Vec<Client>,
    faults: Vec<FaultCount>,
    /// Starts that failed since one succeeded.
    failed_starts: u32,
}

impl Engine {
    /// An engine that is not started yet.
    pub fn new(command: EngineCommand) -> Engine {
        Engine { command, state: Mutex::default(), title: OnceLock::new() }
    }

    /// How it is started, and its times.
    pub fn command(&self) -> &EngineCommand {
        &self.command
    }

    /// What it calls itself, with its version; empty before its first start.
    pub fn title(&self) -> &str {
        self.title.get().map_or("", String::as_str)
    }

    /// Starts it if no process waits for a game: a program that is missing or plays no Othello is
    /// an error before any game.
    pub fn ready(&self, stop: &dyn Fn() -> bool) -> Result<(), Trouble> {
        let client = self.take(stop)?;
        self.put_back(client);
        Ok(())
    }

    /// What went wrong in its games so far.
    pub fn faults(&self) -> Vec<FaultCount> {
        self.with(|state| state.faults.clone())
    }

    /// A process that is ready for a game.
    fn take(&self, stop: &dyn Fn() -> bool) -> Result<Client, Trouble> {
        let (idle, failed) = self.with(|state| (state.idle.pop(), state.failed_starts));
        if let Some(client) = idle {
            return Ok(client);
        }
        if failed >= MOST_STARTS {
            let what = format!("{failed} starts in a row failed, so it is not started again");
            return Err(Fault::new(FaultKind::Start, what).into());
        }
        let EngineCommand { words, start, time, .. } = &self.command;
        let started = Client::start(words, *start, *time, stop);
        match &started {
            Ok(client) => {
                self.title.get_or_init(|| client.title.clone());
                self.with(|state| state.failed_starts = 0);
            }
            Err(Trouble::Fault(_)) => self.with(|state| state.failed_starts += 1),
            Err(Trouble::Stopped) => {}
        }
        started
    }

    fn put_back(&self, client: Client) {
        self.with(|state| state.idle.push(client));
    }

    fn note(&self, fault: &Fault) {
        self.with(|state| faults::count(&mut state.faults, fault));
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How long it may take for a move before it loses the game.
    fn move_limit(&self) -> Duration {
        match self.command.time {
            // It is told the time itself; clocks and pipes take a little.
            Some(time) => time + GRACE,
            None => PATIENCE,
        }
    }
}

/// How much later than told a move may come.
const GRACE: Duration = Duration::from_millis(500);
/// The time for a move if none is said.
const PATIENCE: Duration = Duration::from_secs(60);

/// A text of an engine on one line of a terminal: no control characters, and not endless.
fn printable(text: &str) -> String {
    const MOST: usize = 120;
    let clean = |letter: char| if letter.is_control() { ' ' } else { letter };
    let short: String = text.chars().take(MOST).map(clean).collect();
    if text.chars().nth(MOST).is_some() { format!("{short}...") } else { short }
}
