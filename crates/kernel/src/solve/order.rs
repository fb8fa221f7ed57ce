//! Which moves to try first: those that leave the opponent few replies (fastest first), corners,
//! and moves into odd quadrants. A good order is most of a solver's speed.

use std::mem::MaybeUninit;

use super::geometry::{CORNERS, Parity, spread};
use super::judge::Judge;
use super::stable::stable_edges;
use crate::isa::Isa;
use crate::single::Rules;

/// A move and what it leads to.
#[derive(Clone, Copy)]
pub struct Step {
    /// Discs of the side that moves next.
    pub own: u64,
    /// Discs of the side that moved.
    pub opp: u64,
    /// The replies.
    pub moves: u64,
    /// The higher, the sooner tried.
    pub value: i32,
    /// The square.
    pub at: u8,
}

/// The moves of a position, at most [`MOST`]. Places that are not used are not written, which
/// spares one in twenty instructions.
pub struct Steps {
    steps: [MaybeUninit<Step>; MOST],
    len: usize,
}

/// No position has more than 33 moves.
const MOST: usize = 34;

/// Above every value that [`worth`] gives.
pub const FIRST: i32 = 1 << 30;

/// Below every value that [`worth`] gives.
pub const PUT_OFF: i32 = -FIRST;

impl Steps {
    #[inline(always)]
    pub fn new() -> Steps {
        Steps { steps: [MaybeUninit::uninit(); MOST], len: 0 }
    }

    #[inline(always)]
    pub fn push(&mut self, step: Step) {
        assert!(self.len < MOST, "no position has so many moves");
        self.steps[self.len].write(step);
        self.len += 1;
    }

    #[inline(always)]
    pub fn all(&mut self) -> &mut [Step] {
        let first: *mut Step = self.steps.as_mut_ptr().cast();
        // SAFETY: the first `len` places are written by `push`, and `next` only takes from the end.
        unsafe { std::slice::from_raw_parts_mut(first, self.len) }
    }

    /// Takes out the one with the highest value.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Step> {
        let steps = self.all();
        let last = *steps.last()?;
        let (mut best, mut highest) = (0, i32::MIN);
        for (i, step) in steps.iter().enumerate() {
            if step.value > highest {
                (best, highest) = (i, step.value);
            }
        }
        let found = steps[best];
        steps[best] = last;
        self.len -= 1;
        Some(found)
    }
}

/// How promising a move is without looking further.
#[inline(always)]
pub fn worth(step: &Step, parity: Parity) -> i32 {
    let Step { own, opp, moves, at, .. } = *step;
    let replies = moves.count_ones() + (moves & CORNERS).count_ones();
    let empty = !(own | opp);
    // Empty squares next to the mover's discs: where the opponent may get moves.
    let open = (spread(opp) & empty).count_ones();
    let safe = stable_edges(opp, own).count_ones();
    let odd = parity.odd() >> at & 1;
    let sum = safe as i32 * 64 + odd as i32 * 40 - replies as i32 * 256 - open as i32 * 16;
    // No two are equal: the order must not depend on how it is found.
    64 * sum - i32::from(at)
}

/// What a look ahead adds to the worth of a move.
#[inline(always)]
pub fn ahead<I: Isa + Rules>(isa: I, step: &Step, depth: u32) -> i32 {
    if depth == 0 {
        return 0;
    }
    let Step { own, opp, moves, .. } = *step;
    -64 * Judge::new(isa, [own, opp, moves], depth).value()
}
