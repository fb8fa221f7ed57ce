//! Many weighted piece counters asked for their moves in one position: all moves are listed once,
//! and each is scored for 64 players at a time, whose weights are next to each other.

use super::GRID;
use super::isa::{Isa, Work};
use super::portable::Portable;
use super::single::Rules;

/// Sixteen players.
type Lanes = [i16; 16];
/// Registers of players whose scores are computed together.
const REGISTERS: usize = 4;
const PLAYERS: usize = 16 * REGISTERS;

/// Weights of some players on one square.
type Square = [Lanes; REGISTERS];

/// Players who are asked for their moves.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// For each group of players and each square their weights.
    groups: Vec<[Square; 64]>,
    players: usize,
}

impl Crowd {
    /// Players with these weights, at most [`GRID`] in size.
    pub fn new<'a>(players: impl IntoIterator<Item = &'a [i16; 64]>) -> Crowd {
        let mut crowd = Crowd { groups: Vec::new(), players: 0 };
        for weights in players {
            let player = crowd.players % PLAYERS;
            if player == 0 {
                crowd.groups.push([[[0; 16]; REGISTERS]; 64]);
            }
            let group = crowd.groups.last_mut().expect("a group was pushed");
            for (square, weight) in group.iter_mut().zip(weights) {
                assert!(weight.abs() <= GRID, "weights off the grid");
                square[player / 16][player % 16] = *weight;
            }
            crowd.players += 1;
        }
        crowd
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.players
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.players == 0
    }
}

/// Sixteen 16-bit numbers at a time; used inside [`Isa::run`].
pub trait Sixteen: Copy {
    /// The numbers.
    type Numbers: Copy;

    /// Numbers as they are in memory.
    fn load(self, numbers: &Lanes) -> Self::Numbers;
    /// 0 in every lane.
    fn none(self) -> Self::Numbers;
    /// a + b
    fn sum(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// The larger of a and b.
    fn most(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// For each lane two bits, which are set where a and b are equal.
    fn same(self, a: Self::Numbers, b: Self::Numbers) -> u32;
}

impl Sixteen for Portable {
    type Numbers = Lanes;

    #[inline(always)]
    fn load(self, numbers: &Lanes) -> Lanes {
        *numbers
    }
    #[inline(always)]
    fn none(self) -> Lanes {
        [0; 16]
    }
    #[inline(always)]
    fn sum(self, a: Lanes, b: Lanes) -> Lanes {
        std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }
    #[inline(always)]
    fn most(self, a: Lanes, b: Lanes) -> Lanes {
        std::array::from_fn(|lane| a[lane].max(b[lane]))
    }
    #[inline(always)]
    fn same(self, a: Lanes, b: Lanes) -> u32 {
        (0..16).fold(0, |bits, lane| bits | (u32::from(a[lane] == b[lane]) * 3) << (2 * lane))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Lanes, Sixteen};
    use crate::avx2::{Avx2, avx2};

    impl Sixteen for Avx2 {
        type Numbers = __m256i;

        #[inline(always)]
        fn load(self, numbers: &Lanes) -> __m256i {
            // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as above.
            unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
        }
        #[inline(always)]
        fn none(self) -> __m256i {
            avx2!(_mm256_setzero_si256())
        }
        #[inline(always)]
        fn sum(self, a: __m256i, b: __m256i) -> __m256i {
            avx2!(_mm256_add_epi16(a, b))
        }
        #[inline(always)]
        fn most(self, a: __m256i, b: __m256i) -> __m256i {
            avx2!(_mm256_max_epi16(a, b))
        }
        #[inline(always)]
        fn same(self, a: __m256i, b: __m256i) -> u32 {
            avx2!(_mm256_movemask_epi8(_mm256_cmpeq_epi16(a, b))) as u32
        }
    }
}

/// A question to a crowd: who would make this move?
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub opp: u64,
    /// Its legal moves.
    pub moves: u64,
    /// One of them, as a set.
    pub at: u64,
    /// A player who is not asked.
    pub except: Option<usize>,
}

/// Asking, as work. Gives the number of players to whom no move is better.
pub struct Ask<'a, I, S> {
    /// With whose instructions.
    pub isa: I,
    /// And whose registers.
    pub lanes: S,
    /// Who is asked.
    pub crowd: &'a Crowd,
    /// What.
    pub question: &'a Question,
}

impl<I: Isa + Rules, S: Sixteen> Work for Ask<'_, I, S> {
    type Output = u32;

    #[inline(always)]
    fn work(self) -> u32 {
        let Ask { isa, lanes, crowd, question } = self;
        let Question { own, opp, moves, at, except } = *question;
        let mut agree = 0;
        let asked = (at, isa.flips(own, opp, at));
        // The other moves, as sets: the square, and the discs that are turned.
        let mut list = [(0, 0); 64];
        let (mut count, mut left) = (0, moves & !at);
        while left != 0 {
            let at = left & left.wrapping_neg();
            left ^= at;
            list[count % 64] = (at, isa.flips(own, opp, at));
            count += 1;
        }
        for (index, weights) in crowd.groups.iter().enumerate() {
            let asked = score(lanes, weights, asked);
            let mut best = asked;
            for other in &list[..count] {
                let other = score(lanes, weights, *other);
                for part in 0..REGISTERS {
                    best[part] = lanes.most(best[part], other[part]);
                }
            }
            for part in 0..REGISTERS {
                let first = index * PLAYERS + 16 * part;
                let mut bits = u64::from(lanes.same(asked[part], best[part]));
                let present = crowd.players.saturating_sub(first).min(16);
                bits &= (1 << (2 * present)) - 1;
                if let Some(except) = except
                    && (first..first + 16).contains(&except)
                {
                    bits &= !(3 << (2 * (except - first)));
                }
                agree += bits.count_ones() / 2;
            }
        }
        agree
    }
}

/// What a move adds to the sums of the players.
#[inline(always)]
fn score<S: Sixteen>(
    lanes: S,
    weights: &[Square; 64],
    (at, mut flips): (u64, u64),
) -> [S::Numbers; REGISTERS] {
    let mut sums = [lanes.none(); REGISTERS];
    while flips != 0 {
        let turned = &weights[flips.trailing_zeros() as usize % 64];
        flips &= flips - 1;
        for part in 0..REGISTERS {
            sums[part] = lanes.sum(sums[part], lanes.load(&turned[part]));
        }
    }
    let placed = &weights[at.trailing_zeros() as usize % 64];
    for part in 0..REGISTERS {
        let twice = lanes.sum(sums[part], sums[part]);
        sums[part] = lanes.sum(twice, lanes.load(&placed[part]));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Seed, Stream};
    use crate::{Kernel, Scorer, flips, moves};

    #[test]
    fn a_crowd_says_what_its_players_say_one_by_one() {
        let mut rng = Seed(6).at(Stream::Weights, 0).rng();
        let mut answers = [0; 2];
        for size in [1, 2, 15, 16, 17, 64, 65, 100] {
            // Few different weights, so that moves are often equal.
            let width = if size % 2 == 0 { 3 } else { 1601 };
            let players: Vec<[i16; 64]> = (0..size)
                .map(|_| std::array::from_fn(|_| rng.below(width) as i16 - (width / 2) as i16))
                .collect();
            let crowd = Crowd::new(&players);
            assert_eq!((crowd.len(), crowd.is_empty()), (size, false));
            let scorers: Vec<Scorer> = players.iter().map(Scorer::new).collect();
            for _ in 0..100 {
                let discs = rng.bits() & rng.bits();
                let mine = rng.bits();
                let (own, opp) = (discs & mine, discs & !mine);
                let moves = moves(own, opp);
                let (mut left, except) = (moves, rng.below(size as u32) as usize);
                while left != 0 {
                    let at = left & left.wrapping_neg();
                    left ^= at;
                    for kernel in Kernel::available() {
                        let ask =
                            |except| kernel.ask(&crowd, &Question { own, opp, moves, at, except });
                        let says = |scorer: &Scorer| kernel.best(scorer, own, opp, moves) & at != 0;
                        let yes: Vec<bool> = scorers.iter().map(says).collect();
                        let all = yes.iter().filter(|yes| **yes).count() as u32;
                        assert_eq!(ask(None), all);
                        assert_eq!(ask(Some(except)), all - u32::from(yes[except]));
                        answers[usize::from(all * 2 > size as u32)] += 1;
                    }
                    assert_ne!(flips(own, opp, at), 0);
                }
            }
        }
        assert!(answers.iter().all(|answer| *answer > 100), "{answers:?}");
    }
}
