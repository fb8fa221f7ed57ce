//! Several threads on one search. All search the same tree and share the table. A thread puts off a
//! move that another is searching just now: when it comes back to it, the table knows the result.
//! The first that is done with the whole has the answer, which is the same whoever it is.
//! (T. Kerrigan's simplified form of Weill's ABDADA.)

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::search::{Node, Scout};
use super::table::{Key, Table};
use crate::Kernel;

/// What threads know of each other.
pub struct Team {
    /// Hashes of positions that are being searched; one that is overwritten is searched twice.
    busy: [AtomicU64; 1 << 12],
    is_done: AtomicBool,
}

impl Team {
    /// Searches with fewer empty squares are over before threads have started.
    pub const PAYS_FROM: u32 = 15;

    /// Positions with fewer empty squares are searched by whoever comes.
    pub const SHARED_FROM: u32 = 12;

    pub fn new() -> Team {
        Team { busy: [const { AtomicU64::new(0) }; 1 << 12], is_done: AtomicBool::new(false) }
    }

    #[inline(always)]
    pub fn is_done(&self) -> bool {
        self.is_done.load(Relaxed)
    }

    fn place(&self, key: Key) -> &AtomicU64 {
        &self.busy[key.check() as usize % self.busy.len()]
    }

    /// Says whether another thread is searching a position.
    pub fn is_busy(&self, key: Key) -> bool {
        self.place(key).load(Relaxed) == key.check()
    }

    /// Tells the others that a position is being searched.
    pub fn begin(&self, key: Key) {
        self.place(key).store(key.check(), Relaxed);
    }

    /// Tells the others that it is no longer.
    pub fn end(&self, key: Key) {
        let place = self.place(key);
        if place.load(Relaxed) == key.check() {
            place.store(0, Relaxed);
        }
    }

    /// Searches a node on several threads. Returns the nodes of all, and the score unless it was
    /// stopped.
    pub fn search(
        self,
        kernel: Kernel,
        table: &Table,
        threads: usize,
        node: Node,
        stop: &(dyn Fn(u64) -> bool + Sync),
    ) -> (u64, Option<i32>) {
        let one = |stop: &(dyn Fn(u64) -> bool + Sync)| {
            let mut scout = Scout::new(Some(table), Some(&self), stop);
            let score = (kernel.0.search)(&mut scout, node);
            // Whoever is stopped has stopped the others, or was stopped by them.
            self.is_done.store(true, Relaxed);
            (scout.nodes, (!scout.stopped).then_some(score))
        };
        std::thread::scope(|scope| {
            let helper = || std::thread::Builder::new().spawn_scoped(scope, || one(&|_| false));
            // As many as the system allows: they only make it faster.
            let helpers: Vec<_> = (1..threads).map_while(|_| helper().ok()).collect();
            let (mut nodes, mut score) = one(stop);
            for helper in helpers {
                // A helper that panicked has no answer; the first thread has one.
                let (more, found) = helper.join().unwrap_or_default();
                nodes += more;
                score = score.or(found);
            }
            (nodes, score)
        })
    }
}
