//! Speaks the Go Text Protocol, version 2, with an engine that plays Othello.
//!
//! Engines differ (`docs/engines.md`), so little is asked of them: commands have no numbers, words
//! are compared whatever their case, lines before an answer are skipped, and what an engine does
//! not list is not sent.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::process::{NoLine, Process};
use super::{Fault, FaultKind, Trouble, printable};

/// More output than this in one answer is no answer.
const LONGEST_ANSWER: usize = 256 << 10;

/// An engine that is ready for a game.
#[derive(Debug)]
pub(super) struct Client {
    process: Process,
    /// Its commands, if it says which.
    knows: Option<BTreeSet<String>>,
    /// What it calls itself.
    pub(super) title: String,
}

/// An answer of an engine.
type Answer = Result<String, String>;

impl Client {
    /// Starts an engine and prepares it for Othello.
    pub(super) fn start(
        words: &[String],
        limit: Duration,
        move_time: Option<Duration>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Client, Trouble> {
        let process = Process::start(words).map_err(|error| {
            let what = match error.kind() {
                std::io::ErrorKind::NotFound => {
                    "there is no such program; is it installed, and in the PATH?".into()
                }
                _ => error.to_string(),
            };
            Fault::new(FaultKind::Start, what)
        })?;
        let mut client = Client { process, knows: None, title: String::new() };
        let until = Instant::now() + limit;
        client.greet(until, move_time, stop).map_err(|trouble| match trouble {
            Trouble::Fault(Fault { kind, what }) => {
                let is_silent = matches!(kind, FaultKind::Time | FaultKind::Nonsense);
                let advice =
                    if is_silent { "; does it speak GTP, without a further option?" } else { "" };
                Fault::new(FaultKind::Start, what + advice).into()
            }
            stopped => stopped,
        })?;
        Ok(client)
    }

    fn greet(
        &mut self,
        until: Instant,
        move_time: Option<Duration>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Trouble> {
        let listed = self.ask("list_commands", until, stop)?.ok();
        self.knows = listed.map(|list| list.split_whitespace().map(str::to_lowercase).collect());
        let [name, version] = ["name", "version"].map(|word| self.ask(word, until, stop));
        let title = format!("{} {}", name?.unwrap_or_default(), version?.unwrap_or_default());
        self.title = printable(title.trim());
        // An engine for several games is told which one.
        self.must("set_game Othello", until, stop)?;
        self.must("boardsize 8", until, stop)?;
        match move_time {
            // Whole seconds for each move. Less than one cannot be said.
            Some(time) if time.as_secs() > 0 => {
                self.must(&format!("time_settings 0 {} 1", time.as_secs()), until, stop)
            }
            _ => Ok(()),
        }
    }

    /// Sends a command if the engine knows it. If it said that it does, it must not refuse.
    pub(super) fn must(
        &mut self,
        command: &str,
        until: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Trouble> {
        let word = command.split(' ').next().unwrap_or_default();
        if self.knows.as_ref().is_some_and(|known| !known.contains(word)) {
            return Ok(());
        }
        match self.ask(command, until, stop)? {
            Err(refusal) if self.knows.is_some() => Err(refused(command, &refusal)),
            _ => Ok(()),
        }
    }

    /// Sends a command and waits for its answer: the text after `=`, or as the error that after
    /// `?`.
    pub(super) fn ask(
        &mut self,
        command: &str,
        until: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<Answer, Trouble> {
        if self.process.write(command).is_err() {
            return Err(self.crash(command));
        }
        let mut answer: Option<(bool, String)> = None;
        let mut bytes = 0;
        loop {
            let line = match self.process.read(until, stop) {
                Ok(line) => line,
                Err(NoLine::Stopped) => return Err(Trouble::Stopped),
                Err(NoLine::Closed) => return Err(self.crash(command)),
                Err(NoLine::Late) => return Err(late(command, answer.is_some() || bytes > 0)),
            };
            bytes += line.len() + 1;
            if bytes > LONGEST_ANSWER {
                let what =
                    format!("more than {} kB in answer to {command:?}", LONGEST_ANSWER >> 10);
                return Err(Fault::new(FaultKind::Nonsense, what).into());
            }
            match (&mut answer, first_of_answer(&line)) {
                (None, Some(first)) => answer = Some(first),
                // Empty lines and remarks before an answer.
                (None, None) => {}
                (Some((is_success, text)), _) if line.trim().is_empty() => {
                    let text = std::mem::take(text);
                    return Ok(if *is_success { Ok(text) } else { Err(text) });
                }
                (Some((_, text)), _) => {
                    text.push('\n');
                    text.push_str(&line);
                }
            }
        }
    }

    fn crash(&mut self, command: &str) -> Trouble {
        let what = format!("it ended at {command:?}: {}", self.process.epitaph());
        Fault::new(FaultKind::Crash, what).into()
    }
}

pub(super) fn refused(command: &str, refusal: &str) -> Trouble {
    let what = format!("it refused {command:?}: {}", printable(refusal));
    Fault::new(FaultKind::Refusal, what).into()
}

fn late(command: &str, said_something: bool) -> Trouble {
    let said = if said_something { "no whole answer" } else { "no answer" };
    Fault::new(FaultKind::Time, format!("{said} to {command:?} in time")).into()
}

/// The first line of an answer: whether it is one of success, and its text. A number that nobody
/// asked for is skipped.
fn first_of_answer(line: &str) -> Option<(bool, String)> {
    let line = line.trim_start();
    let is_success = line.starts_with('=');
    if !is_success && !line.starts_with('?') {
        return None;
    }
    let text = line[1..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    Some((is_success, text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_begin_with_a_sign_whatever_stands_around_it() {
        let first = |line| first_of_answer(line);
        assert_eq!(first("= F5"), Some((true, "F5".into())));
        assert_eq!(first("=5 F5"), Some((true, "F5".into())));
        assert_eq!(first("="), Some((true, String::new())));
        assert_eq!(first("? illegal move"), Some((false, "illegal move".into())));
        assert_eq!((first("hello"), first("")), (None, None));
    }
}
