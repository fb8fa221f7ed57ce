//! The transposition table: what is known of boards that were met before, in the same look ahead.
//! Boards are kept whole, so that no two are ever confused.

use super::MOST;
use crate::rng::mix;

/// What is known of a board.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    own: u64,
    opp: u64,
    /// Bounds of what it is worth at this depth.
    pub lower: i32,
    pub upper: i32,
    /// The look ahead that it belongs to.
    generation: u32,
    /// The depth of the tree below it, and 64 more if the side to move owns the eyes.
    depth: u8,
    /// The square of a good move.
    pub best: u8,
}

#[derive(Debug)]
pub struct Table {
    /// Empty until it is needed.
    entries: Vec<Entry>,
    size: usize,
    generation: u32,
}

impl Table {
    pub fn new(entries: usize) -> Table {
        let size = if entries == 0 { 0 } else { entries.next_power_of_two() };
        Table { entries: Vec::new(), size, generation: 0 }
    }

    /// Forgets everything. Whoever does not look far needs no table.
    pub fn forget(&mut self, is_needed: bool) {
        if !is_needed {
            return;
        }
        let is_first = self.entries.is_empty();
        self.generation = self.generation.wrapping_add(1);
        if is_first || self.generation == 0 {
            let nothing = Entry {
                own: 0,
                opp: 0,
                lower: -MOST,
                upper: MOST,
                generation: 0,
                depth: 0,
                best: 0,
            };
            self.generation = 1;
            self.entries.clear();
            self.entries.resize(self.size, nothing);
        }
    }

    #[inline(always)]
    fn index(&self, own: u64, opp: u64) -> usize {
        // A plain product: mixing more costs more than it saves.
        let hash = (own ^ opp.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mix(hash ^ opp) as usize) & (self.size.wrapping_sub(1))
    }

    /// The entry of a board, if it is known. At another depth its bounds mean nothing, but its
    /// move may be good.
    #[inline(always)]
    pub fn get(&self, own: u64, opp: u64, depth: u32, eyes: bool) -> Option<(Entry, bool)> {
        let entry = self.entries.get(self.index(own, opp))?;
        let is_same = entry.own == own && entry.opp == opp && entry.generation == self.generation;
        is_same.then(|| (*entry, entry.depth == of(depth, eyes)))
    }

    /// Keeps what was found out about a board.
    #[inline(always)]
    pub fn put(
        &mut self,
        [own, opp]: [u64; 2],
        depth: u32,
        eyes: bool,
        bounds: [i32; 2],
        best: u64,
    ) {
        let (index, generation) = (self.index(own, opp), self.generation);
        let Some(entry) = self.entries.get_mut(index) else { return };
        let depth = of(depth, eyes);
        let [mut lower, mut upper] = bounds;
        let is_same = entry.own == own
            && entry.opp == opp
            && entry.depth == depth
            && entry.generation == generation;
        if is_same {
            (lower, upper) = (lower.max(entry.lower), upper.min(entry.upper));
        }
        let best = best.trailing_zeros() as u8;
        *entry = Entry { own, opp, lower, upper, generation, depth, best };
    }
}

#[inline(always)]
fn of(depth: u32, eyes: bool) -> u8 {
    depth as u8 | (u8::from(eyes) << 6)
}
