//! The one way to follow long work and to stop it: a progress bar, a web page and a script all implement [`Watch`].

use std::collections::BTreeMap;

/// Follows work, from any thread, and may stop it. A closure `|| stop` is a watch that only stops.
pub trait Watch: Sync {
    /// Is told how the work goes.
    fn tell(&self, _news: News<'_>) {}

    /// Is asked now and then whether to stop.
    fn stop(&self) -> bool {
        false
    }

    /// An error if the work shall stop.
    fn check(&self) -> Result<(), Stopped> {
        if self.stop() { Err(Stopped) } else { Ok(()) }
    }
}

impl<F: Fn() -> bool + Sync> Watch for F {
    fn stop(&self) -> bool {
        self()
    }
}

/// Nobody watches, and nothing stops the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// The work was stopped because its [`Watch`] said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// How work goes.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// It begins: what it counts ("games"), and how many of them there are to do.
    Begins {
        /// In the plural.
        unit: &'a str,
        /// How many there are.
        total: u64,
    },
    /// The same for the runs of a study, which go side by side.
    Study {
        /// A run for each.
        seeds: &'a [u64],
        /// Games of each run.
        games: u64,
        /// Threads that they share.
        threads: usize,
    },
    /// Units done so far.
    Done(u64),
    /// Units that an earlier, interrupted call had done.
    Resumed(u64),
    /// Something a person should know.
    Note(&'a str),
    /// How one of several runs goes.
    Run {
        /// The run's seed.
        seed: u64,
        /// What happened.
        news: RunNews<'a>,
    },
}

/// How a run goes.
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

/// A part of longer work: what it has done is added to what was done before it.
pub struct After<'a> {
    watch: &'a dyn Watch,
    before: u64,
}

impl<'a> After<'a> {
    /// A watch of work that begins when `before` units are done.
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
