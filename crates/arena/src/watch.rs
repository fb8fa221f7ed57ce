//! The one way to follow and stop long work: a progress bar, a web page and a script all implement
//! [`Watch`].

use std::collections::BTreeMap;

/// Follows work, from any thread, and may stop it. A closure `|| stop` is a watch that only stops.
pub trait Watch: Sync {
    /// Receives news of the work.
    fn tell(&self, _news: News<'_>) {}

    /// Is asked now and then whether to stop.
    fn stop(&self) -> bool {
        false
    }

    /// Returns an error if the work should stop.
    fn check(&self) -> Result<(), Stopped> {
        if self.stop() { Err(Stopped) } else { Ok(()) }
    }
}

impl<F: Fn() -> bool + Sync> Watch for F {
    fn stop(&self) -> bool {
        self()
    }
}

/// A watch that ignores all news and never stops the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// The work was stopped because its [`Watch`] said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// News of the work.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// It begins: the unit it counts ("games"), and the total.
    Begins {
        /// In the plural.
        unit: &'a str,
        /// How many there are.
        total: u64,
    },
    /// The same for the runs of a study, which are trained side by side.
    Study {
        /// One run for each.
        seeds: &'a [u64],
        /// Games of each run.
        games: u64,
        /// Threads that they share.
        threads: usize,
    },
    /// The part of the work that goes on now.
    Part(&'a str),
    /// Units done so far.
    Done(u64),
    /// Units that an earlier, interrupted call had done.
    Resumed(u64),
    /// Something a person should know.
    Note(&'a str),
    /// News of one of several runs.
    Run {
        /// The run's seed.
        seed: u64,
        /// What happened.
        news: RunNews<'a>,
    },
}

/// News of a run.
#[derive(Clone, Copy, Debug)]
pub enum RunNews<'a> {
    /// It begins, or continues from a generation above 0.
    Began {
        /// Generations done.
        generation: u64,
        /// Games done.
        games: u64,
    },
    /// Something a person should know.
    Warned(&'a str),
    /// Games done so far.
    Played(u64),
    /// Its champion was measured.
    Measured(&'a BTreeMap<String, f64>),
    /// It ended, for whatever reason.
    Ended,
}

/// A part of longer work: its progress is added to what was done before.
pub struct After<'a> {
    watch: &'a dyn Watch,
    before: u64,
}

impl<'a> After<'a> {
    /// Makes a watch of work that begins after `before` units.
    pub fn new(watch: &'a dyn Watch, before: u64) -> After<'a> {
        After { watch, before }
    }
}

impl Watch for After<'_> {
    fn tell(&self, news: News<'_>) {
        self.watch.tell(match news {
            News::Done(done) => News::Done(self.before + done),
            other => other,
        });
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}
