//! What it takes to choose moves, counted: the same on every machine, unlike time.

use std::cell::Cell;
use std::iter::Sum;
use std::ops::{AddAssign, Sub};

/// Work of players that look ahead or solve endgames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Boards evaluated to look ahead.
    pub evaluations: u64,
    /// Positions visited to solve endgames.
    pub nodes: u64,
}

thread_local! {
    static DONE: Cell<Work> = const { Cell::new(Work { evaluations: 0, nodes: 0 }) };
}

impl Work {
    /// All work of players on this thread so far. What a game adds to it is the same on every CPU.
    pub fn so_far() -> Work {
        DONE.get()
    }

    pub(super) fn add(work: Work) {
        let mut done = DONE.get();
        done += work;
        DONE.set(done);
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.evaluations += other.evaluations;
        self.nodes += other.nodes;
    }
}

impl Sub for Work {
    type Output = Work;

    fn sub(self, before: Work) -> Work {
        Work {
            evaluations: self.evaluations - before.evaluations,
            nodes: self.nodes - before.nodes,
        }
    }
}

impl Sum for Work {
    fn sum<I: Iterator<Item = Work>>(all: I) -> Work {
        all.fold(Work::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}
