//! What is known about positions: bounds of their scores and the moves that were best. Shared by
//! threads without locks.
//!
//! An entry is two words: what is known, and a hash of the position mixed with it, so that a torn
//! entry is recognised as that of another position. The place in the table comes from bits of a
//! second hash: two positions are taken for each other with a probability of 2^-64 at each look.

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::rng::mix;

/// Entries of one cache line.
const WAYS: usize = 4;

/// The entries of a place: a hash and what is known each.
type Bucket = [AtomicU64; 2 * WAYS];

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The score is at least this.
    pub low: i8,
    /// The score is at most this.
    pub high: i8,
    /// The move that was best at last, or 64.
    pub best: u8,
    /// The one that was best before, or 64.
    pub second: u8,
}

impl Known {
    pub const NOTHING: Known = Known { low: -64, high: 64, best: 64, second: 64 };

    fn pack(self, worth: u8, age: u8) -> u64 {
        u64::from_le_bytes([
            self.low as u8,
            self.high as u8,
            self.best,
            self.second,
            worth,
            age,
            1,
            0,
        ])
    }

    fn unpack(word: u64) -> Known {
        let [low, high, best, second, ..] = word.to_le_bytes();
        Known { low: low as i8, high: high as i8, best, second }
    }
}

/// A position's place and hash.
#[derive(Clone, Copy)]
pub struct Key {
    place: u64,
    check: u64,
}

impl Key {
    #[inline(always)]
    pub fn of(own: u64, opp: u64) -> Key {
        let (a, b) =
            (own.wrapping_mul(0x9e37_79b9_7f4a_7c15), opp.wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
        let check = mix(a ^ b.rotate_left(32));
        let place = (own ^ opp.rotate_left(17)).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ check;
        Key { place: place ^ place >> 32, check }
    }

    /// The hash by which a position is known, besides its place.
    #[inline(always)]
    pub fn check(self) -> u64 {
        self.check
    }
}

/// Positions with what is known about them.
pub struct Table {
    /// A bucket more than are used, so that the first can start with a cache line.
    words: Box<[AtomicU64]>,
    /// Words before that.
    offset: usize,
    mask: u64,
    age: u8,
}

/// There is not enough memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table of {0} bytes does not fit into memory")]
pub struct TooLarge(pub usize);

impl Table {
    /// A table of at most this many bytes; the largest power of two is taken.
    pub fn new(bytes: usize) -> Result<Table, TooLarge> {
        let wanted = (bytes / size_of::<Bucket>()).max(1);
        let number = 1 << wanted.ilog2();
        let words = 2 * WAYS * (number + 1);
        let layout = Layout::array::<AtomicU64>(words).map_err(|_| TooLarge(bytes))?;
        // SAFETY: the layout is not empty. Memory that the system has zeroed is fetched only where
        // a table is used, so that a large one costs a short search nothing.
        let memory: *mut AtomicU64 = unsafe { alloc_zeroed(layout) }.cast();
        if memory.is_null() {
            return Err(TooLarge(bytes));
        }
        let offset = memory.align_offset(64).min(2 * WAYS);
        // SAFETY: allocated just now for as many words, by the allocator of boxes; zeros are words.
        let words = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, words)) };
        Ok(Table { words, offset, mask: number as u64 - 1, age: 0 })
    }

    /// Its bytes.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        (self.mask as usize + 1) * size_of::<Bucket>()
    }

    /// Forgets everything and goes on as a new table of this many bytes, a power of two; says
    /// whether there is room for it.
    pub fn start_again(&mut self, bytes: usize) -> bool {
        let number = (bytes / size_of::<Bucket>()).max(1);
        let used = self.offset..self.offset + 2 * WAYS * number;
        // A bucket more than are used was asked for, and no more.
        if used.end > self.words.len() {
            return false;
        }
        self.words[used].iter_mut().for_each(|word| *word.get_mut() = 0);
        (self.mask, self.age) = (number as u64 - 1, 0);
        true
    }

    /// From now on what is there may give way to what comes.
    pub fn grow_old(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &Bucket {
        let first = self.offset + 2 * WAYS * (key.place & self.mask) as usize;
        let words = &self.words[first..first + 2 * WAYS];
        words.first_chunk().expect("as many words as asked for")
    }

    /// What is known about a position.
    #[inline(always)]
    pub fn look(&self, key: Key) -> Option<Known> {
        let bucket = self.bucket(key);
        (0..WAYS).find_map(|way| {
            let data = bucket[2 * way + 1].load(Relaxed);
            let is_it = bucket[2 * way].load(Relaxed) ^ data == key.check && data != 0;
            is_it.then(|| Known::unpack(data))
        })
    }

    /// Notes what was found out with window (alpha, alpha + 1): a score at most alpha is an upper
    /// bound, another a lower one. `worth` is what it took, the more the longer it is kept.
    #[inline(always)]
    pub fn note(&self, key: Key, alpha: i32, score: i32, best: u8, worth: u8) {
        let bucket = self.bucket(key);
        let (mut victim, mut least) = (0, u32::MAX);
        let mut known = Known::NOTHING;
        for way in 0..WAYS {
            let data = bucket[2 * way + 1].load(Relaxed);
            if bucket[2 * way].load(Relaxed) ^ data == key.check && data != 0 {
                known = Known::unpack(data);
                victim = way;
                break;
            }
            let [.., worth, age, _, _] = data.to_le_bytes();
            // Entries of earlier searches go first, then those that took least.
            let value = u32::from(worth) + if age == self.age && data != 0 { 256 } else { 0 };
            if value < least {
                (victim, least) = (way, value);
            }
        }
        if score <= alpha {
            known.high = known.high.min(score as i8);
        } else {
            known.low = known.low.max(score as i8);
        }
        if best != known.best && (score > alpha || known.best == 64) {
            (known.best, known.second) = (best, known.best);
        }
        let data = known.pack(worth, self.age);
        bucket[2 * victim + 1].store(data, Relaxed);
        bucket[2 * victim].store(key.check ^ data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_tells_what_it_was_told() {
        let table = Table::new(1 << 12).unwrap();
        let key = Key::of(3, 4);
        assert_eq!(table.look(key), None);
        table.note(key, 9, 10, 5, 1);
        assert_eq!(table.look(key), Some(Known { low: 10, high: 64, best: 5, second: 64 }));
        table.note(key, 20, 12, 7, 1);
        assert_eq!(table.look(key), Some(Known { low: 10, high: 12, best: 5, second: 64 }));
        table.note(key, 11, 12, 7, 1);
        assert_eq!(table.look(key), Some(Known { low: 12, high: 12, best: 7, second: 5 }));
        assert_eq!(table.look(Key::of(4, 3)), None);
    }

    #[test]
    fn what_took_least_gives_way_and_old_things_first() {
        let mut table = Table::new(1).unwrap();
        assert_eq!(table.bytes(), 64);
        for (own, worth) in [(1, 9), (2, 3), (4, 8), (8, 7), (16, 5)] {
            table.note(Key::of(own, 0), 0, 2, 1, worth);
        }
        assert!(table.look(Key::of(2, 0)).is_none() && table.look(Key::of(16, 0)).is_some());
        table.grow_old();
        table.note(Key::of(32, 0), 0, 2, 1, 1);
        table.note(Key::of(64, 0), 0, 2, 1, 1);
        assert!(table.look(Key::of(1, 0)).is_some() && table.look(Key::of(16, 0)).is_none());
        assert!(table.look(Key::of(32, 0)).is_some());
    }

    #[test]
    fn a_table_that_starts_again_is_as_new_and_of_the_size_asked_for() {
        let mut table = Table::new(1 << 12).unwrap();
        table.note(Key::of(3, 4), 9, 10, 5, 1);
        table.grow_old();
        assert!(!table.start_again(1 << 14) && table.look(Key::of(3, 4)).is_some());
        assert!(table.start_again(1 << 10));
        assert_eq!((table.look(Key::of(3, 4)), table.bytes(), table.age), (None, 1 << 10, 0));
        assert!(table.start_again(1 << 12) && table.bytes() == 1 << 12);
    }

    #[test]
    fn a_table_beyond_memory_is_refused() {
        // Memory that nobody uses need not be had.
        let bytes = |table: Table| std::hint::black_box(&table).bytes();
        assert_eq!(Table::new(usize::MAX / 2).map(bytes), Err(TooLarge(usize::MAX / 2)));
    }
}
