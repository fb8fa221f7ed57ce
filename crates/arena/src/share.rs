//! Numbered work on all threads.

use std::ops::Range;

use rayon::prelude::*;

use super::Arena;

impl Arena {
    /// Does each piece of some numbered work on some thread, and returns the results in order.
    pub fn share<T: Send>(&self, pieces: Range<u64>, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
        match self.threads() {
            1 => pieces.map(work).collect(),
            _ => self.install(|| pieces.into_par_iter().map(&work).collect()),
        }
    }
}
