//! The kernels for CPUs with AVX2 and BMI2: 256 games in lockstep, sums of 16 games per register.
//!
//! There are no mask registers: one 32-bit broadcast from a run's bits gives every 16-bit lane a
//! word that has its game's bit below the sign, one AND isolates it, and `vpsignw` (0 by 0,
//! unchanged by a positive number) zeroes the lanes whose bit is not set.

use std::arch::x86_64::*;

use super::isa::{At, Grid, Isa, Lanes, Work};
use super::single::rays::{RAYS, Rays};
use super::single::{Reply, Rules, Scorer};
use super::wide::avx2::Wide;
use crate::rng::Draw;

/// Exists only where the CPU has AVX2 and BMI2.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    /// # Safety
    ///
    /// Only for CPUs for which [`Avx2::detect`] gives some.
    pub unsafe fn assume() -> Avx2 {
        Avx2(())
    }

    pub fn detect() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Avx2(()))
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.work()
}

/// Runs an intrinsic that needs nothing but its instruction.
macro_rules! avx2 {
    ($call:expr) => {
        // SAFETY: an Avx2 value exists, so the CPU has the instruction; it takes values, no
        // pointers.
        unsafe { $call }
    };
}

/// The games of the lanes. A broadcast of four bytes shows the first two to even lanes and the
/// others to odd lanes. So that no lane tests a sign bit, a part of a group looks at the lower
/// byte: part 0 at bytes 0 and 2 of the group's bits, part 1, by reading them from byte 1 on, at
/// bytes 1 and 3. The lower half of a register takes even bits, the upper half odd bits.
const fn game(sum: usize) -> usize {
    let (part, half, lane) = (sum / 16, sum / 8 % 2, sum % 8);
    8 * part + 16 * (lane % 2) + (lane / 2 * 2) + half
}

/// The bit that each lane tests.
const BIT: [i16; 16] = {
    let mut bit = [0; 16];
    let mut i = 0;
    while i < 16 {
        bit[i] = 1 << (game(i) % 8);
        i += 1;
    }
    bit
};

/// The same, seen by part 1 without moving its bytes.
const UPPER_BIT: [i16; 16] = {
    let mut bit = BIT;
    let mut i = 0;
    while i < 16 {
        bit[i] <<= 8;
        i += 1;
    }
    bit
};

/// All lanes' words, beginning with byte `byte` of a square's bits.
#[inline(always)]
pub fn broadcast(runs: &Grid<__m256i>, row: usize, column: usize, byte: usize) -> __m256i {
    let byte = 32 * (8 * row + column) + byte;
    debug_assert!(byte + 4 <= size_of_val(runs));
    // SAFETY: a square is below 64 and byte, with the three that follow, within its 32; the last
    // byte of the last group may be followed by one of the next square, but h8 is not read that
    // way. Any bits are a number, and the read is unaligned.
    let bits = unsafe { std::ptr::from_ref(runs).byte_add(byte).cast::<i32>().read_unaligned() };
    avx2!(_mm256_set1_epi32(bits))
}

#[inline(always)]
fn load(numbers: &[i16; 16]) -> __m256i {
    // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as above.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

/// Four words in a register.
#[inline(always)]
fn words(words: &[u64; 4]) -> __m256i {
    // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as in `avx2`.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

pub(super) use avx2;

impl Rules for Avx2 {
    #[inline(always)]
    fn pick_one(self, set: u64, draw: Draw) -> u64 {
        // SAFETY: an Avx2 value exists, and with it BMI2.
        unsafe { _pdep_u64(1 << draw.index(set.count_ones()), set) }
    }

    #[inline(always)]
    fn moves(self, own: u64, opp: u64) -> u64 {
        self.runs_and_moves(own, opp).2
    }

    #[inline(always)]
    fn flips(self, own: u64, opp: u64, at: u64) -> u64 {
        let (up, down) = self.floods(at, opp);
        let (by, _) = self.shifts();
        avx2! {{
            let own = _mm256_set1_epi64x(own as i64);
            let zero = _mm256_setzero_si256();
            let closed_up = _mm256_and_si256(_mm256_sllv_epi64(up, by), own);
            let closed_down = _mm256_and_si256(_mm256_srlv_epi64(down, by), own);
            let up = _mm256_andnot_si256(_mm256_cmpeq_epi64(closed_up, zero), up);
            let down = _mm256_andnot_si256(_mm256_cmpeq_epi64(closed_down, zero), down);
            self.or_words(_mm256_or_si256(up, down))
        }}
    }

    /// A line ends at the first square without an opposing disc. Upwards that is the lowest bit,
    /// downwards all squares behind it are filled to find it.
    #[inline(always)]
    fn flips_on(self, own: u64, opp: u64, at: u32) -> u64 {
        let Rays { up, down } = &RAYS[at as usize % 64];
        let (up, down) = (words(up), words(down));
        let (by, by_two) = self.shifts();
        avx2! {{
            let (own, opp) = (_mm256_set1_epi64x(own as i64), _mm256_set1_epi64x(opp as i64));
            let (zero, by_four) = (_mm256_setzero_si256(), _mm256_slli_epi64::<1>(by_two));
            let open = _mm256_andnot_si256(opp, up);
            let end = _mm256_and_si256(open, _mm256_sub_epi64(zero, open));
            let closed = _mm256_and_si256(end, own);
            let before = _mm256_add_epi64(closed, _mm256_set1_epi64x(-1));
            let is_open = _mm256_cmpeq_epi64(closed, zero);
            let flips_up = _mm256_andnot_si256(is_open, _mm256_and_si256(up, before));

            let open = _mm256_andnot_si256(opp, down);
            let open = _mm256_or_si256(open, _mm256_srlv_epi64(open, by));
            let open = _mm256_or_si256(open, _mm256_srlv_epi64(open, by_two));
            let open = _mm256_or_si256(open, _mm256_srlv_epi64(open, by_four));
            let end = _mm256_andnot_si256(_mm256_srlv_epi64(open, by), open);
            let is_open = _mm256_cmpeq_epi64(_mm256_and_si256(end, own), zero);
            let run = _mm256_andnot_si256(open, down);
            let flips_down = _mm256_andnot_si256(is_open, run);
            self.or_words(_mm256_or_si256(flips_up, flips_down))
        }}
    }

    #[inline(always)]
    fn best(self, scorer: &Scorer, own: u64, opp: u64, moves: u64) -> u64 {
        let (up, down) = self.floods(own, opp);
        scorer.best(self, up, down, moves)
    }

    #[inline(always)]
    fn best_reply(self, scorer: &Scorer, own: u64, opp: u64) -> Reply {
        let (up, down, moves) = self.runs_and_moves(own, opp);
        let score = if moves == 0 { 0 } else { scorer.best_score(self, up, down, moves) };
        Reply { moves, score }
    }
}

impl Avx2 {
    /// Runs of opposing discs next to own discs, in the four directions that shift left and the
    /// four that shift right, and the legal moves at their ends.
    #[inline(always)]
    pub fn runs_and_moves(self, own: u64, opp: u64) -> (__m256i, __m256i, u64) {
        let (up, down) = self.floods(own, opp);
        let (by, _) = self.shifts();
        let ends = avx2!(_mm256_or_si256(_mm256_sllv_epi64(up, by), _mm256_srlv_epi64(down, by)));
        (up, down, self.or_words(ends) & !(own | opp))
    }

    /// How far one and two steps go: along a row, a column, and the two diagonals.
    #[inline(always)]
    fn shifts(self) -> (__m256i, __m256i) {
        avx2!((_mm256_setr_epi64x(1, 8, 7, 9), _mm256_setr_epi64x(2, 16, 14, 18)))
    }

    /// Runs of opposing discs from the squares `from`, in the four directions that shift left and
    /// the four that shift right.
    #[inline(always)]
    fn floods(self, from: u64, opp: u64) -> (__m256i, __m256i) {
        const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
        let (by, by_two) = self.shifts();
        avx2! {{
            let from = _mm256_set1_epi64x(from as i64);
            let inner = _mm256_setr_epi64x(INNER, -1, INNER, INNER);
            let opp = _mm256_and_si256(_mm256_set1_epi64x(opp as i64), inner);
            let mut up = _mm256_and_si256(opp, _mm256_sllv_epi64(from, by));
            let mut down = _mm256_and_si256(opp, _mm256_srlv_epi64(from, by));
            up = _mm256_or_si256(up, _mm256_and_si256(opp, _mm256_sllv_epi64(up, by)));
            down = _mm256_or_si256(down, _mm256_and_si256(opp, _mm256_srlv_epi64(down, by)));
            let pairs_up = _mm256_and_si256(opp, _mm256_sllv_epi64(opp, by));
            let pairs_down = _mm256_srlv_epi64(pairs_up, by);
            for _ in 0..2 {
                let step_up = _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, by_two));
                let step_down = _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, by_two));
                up = _mm256_or_si256(up, step_up);
                down = _mm256_or_si256(down, step_down);
            }
            (up, down)
        }}
    }

    #[inline(always)]
    fn or_words(self, a: __m256i) -> u64 {
        avx2! {{
            let half = _mm_or_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
            _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
        }}
    }
}

impl Isa for Avx2 {
    const GAMES: usize = 256;
    const MANY_REGISTERS: bool = false;
    type Bits = __m256i;
    type Runs = __m256i;
    type Wide = Wide;

    #[inline(always)]
    fn wide(self) -> Wide {
        Wide(self)
    }
    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: an Avx2 value exists, so the CPU has the features of the function.
        unsafe { with_avx2(work) }
    }
    #[inline(always)]
    fn splat(self, word: u64) -> __m256i {
        avx2!(_mm256_set1_epi64x(word as i64))
    }
    #[inline(always)]
    fn words(bits: &__m256i) -> &[u64] {
        // SAFETY: 32 bytes without padding, aligned for u64, any bits are numbers; same lifetime.
        unsafe { std::slice::from_raw_parts(std::ptr::from_ref(bits).cast(), 4) }
    }
    #[inline(always)]
    fn words_mut(bits: &mut __m256i) -> &mut [u64] {
        // SAFETY: as in `words`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(std::ptr::from_mut(bits).cast(), 4) }
    }
    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_xor_si256(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_andnot_si256(b, a))
    }
    #[inline(always)]
    fn and_or(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        self.and(a, self.or(b, c))
    }
    #[inline(always)]
    fn or_and(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        self.or(a, self.and(b, c))
    }
    #[inline(always)]
    fn or3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        self.or(a, self.or(b, c))
    }
    #[inline(always)]
    fn shl<const BY: i32>(self, a: __m256i) -> __m256i {
        avx2!(_mm256_slli_epi64::<BY>(a))
    }
    #[inline(always)]
    fn shr<const BY: i32>(self, a: __m256i) -> __m256i {
        avx2!(_mm256_srli_epi64::<BY>(a))
    }
    #[inline(always)]
    fn exchange<const BY: i32>(self, mask: __m256i, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        if BY < 8 {
            let differ = self.and(self.xor(self.shr::<BY>(a), b), mask);
            return (self.xor(a, self.shl::<BY>(differ)), self.xor(b, differ));
        }
        // Whole bytes can be blended.
        let (up, down) = (self.shl::<BY>(b), self.shr::<BY>(a));
        avx2!((_mm256_blendv_epi8(up, a, mask), _mm256_blendv_epi8(b, down, mask)))
    }
    #[inline(always)]
    fn add64(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi64(a, b))
    }
    #[inline(always)]
    fn mul64(self, a: __m256i, b: __m256i) -> __m256i {
        avx2! {{
            let cross = _mm256_mullo_epi32(a, _mm256_shuffle_epi32::<0b10_11_00_01>(b));
            let high = _mm256_add_epi32(cross, _mm256_srli_epi64::<32>(cross));
            _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64::<32>(high))
        }}
    }
    #[inline(always)]
    fn less64(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_cmpgt_epi64(b, a))
    }
    #[inline(always)]
    fn pick(self, sets: __m256i, draws: __m256i) -> __m256i {
        let mut picked = sets;
        for (set, draw) in Self::words_mut(&mut picked).iter_mut().zip(Self::words(&draws)) {
            let index = ((draw >> 32) * u64::from(set.count_ones())) >> 32;
            // SAFETY: an Avx2 value exists, and with it BMI2.
            *set = unsafe { _pdep_u64(1 << index, *set) };
        }
        picked
    }
    #[inline(always)]
    fn no_runs(self) -> __m256i {
        self.splat(0)
    }
    #[inline(always)]
    fn spread(self, bits: __m256i, runs: &mut __m256i) {
        *runs = bits;
    }
    #[inline(always)]
    fn keep(self, bits: __m256i, runs: &mut __m256i) {
        *runs = bits;
    }
    #[inline(always)]
    fn gather(self, runs: &__m256i) -> __m256i {
        *runs
    }
    /// Bit 16 half + 8 part + lane of a group comes from its game 8 part + 16 (lane % 2) + ... +
    /// half: bits 0 and 4 of the index change places.
    #[inline(always)]
    fn in_order(self, bits: __m256i) -> __m256i {
        avx2! {{
            let odd_of_low_half = _mm256_set1_epi32(0xaaaa);
            let differ = _mm256_xor_si256(bits, _mm256_srli_epi32::<15>(bits));
            let swap = _mm256_and_si256(differ, odd_of_low_half);
            let swaps = _mm256_or_si256(swap, _mm256_slli_epi32::<15>(swap));
            _mm256_xor_si256(bits, swaps)
        }}
    }
    #[inline(always)]
    fn group(bits: &__m256i, group: usize) -> u32 {
        (Self::words(bits)[group / 2] >> (32 * (group % 2))) as u32
    }
    #[inline(always)]
    fn set_group(bits: &mut __m256i, group: usize, value: u32) {
        // SAFETY: a register is 8 aligned 32-bit words, and the index is below 8.
        unsafe { *std::ptr::from_mut(bits).cast::<u32>().add(group % 8) = value }
    }
}

impl Lanes for Avx2 {
    type Isa = Avx2;
    type Number = i16;
    const PARTS: usize = 2;
    type Sums = __m256i;

    #[inline(always)]
    fn game(sum: usize) -> usize {
        game(sum)
    }
    #[inline(always)]
    fn numbers_mut(sums: &mut [__m256i]) -> &mut [i16] {
        // SAFETY: 32 bytes each without padding, aligned for i16, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(sums.as_mut_ptr().cast(), 16 * sums.len()) }
    }
    #[inline(always)]
    fn zero(self) -> __m256i {
        avx2!(_mm256_set1_epi16(0))
    }
    #[inline(always)]
    fn least(self) -> __m256i {
        avx2!(_mm256_set1_epi16(i16::MIN))
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi16(a, b))
    }
    #[inline(always)]
    fn half(self, a: __m256i) -> __m256i {
        avx2!(_mm256_srai_epi16::<1>(a))
    }
    #[inline(always)]
    fn add_where(self, runs: &Grid<__m256i>, at: At, a: __m256i, b: __m256i) -> __m256i {
        let words = broadcast(runs, at.row, at.column, 4 * at.group + at.part);
        let lane_bit = load(&BIT);
        avx2!(_mm256_sign_epi16(_mm256_add_epi16(a, b), _mm256_and_si256(words, lane_bit)))
    }
    #[inline(always)]
    fn max_where(self, runs: &Grid<__m256i>, at: At, a: __m256i, best: __m256i) -> __m256i {
        // Of h8 no byte must be read beyond the last group's: the bits stay where they are.
        let words = broadcast(runs, at.row, at.column, 4 * at.group);
        let lane_bit = load(if at.part == 0 { &BIT } else { &UPPER_BIT });
        avx2! {{
            let set = _mm256_cmpeq_epi16(_mm256_and_si256(words, lane_bit), lane_bit);
            let kept = _mm256_blendv_epi8(_mm256_set1_epi16(i16::MIN), a, set);
            _mm256_max_epi16(best, kept)
        }}
    }
    #[inline(always)]
    fn equal(self, a: impl Fn(usize) -> __m256i, b: impl Fn(usize) -> __m256i) -> u32 {
        avx2! {{
            let first = _mm256_cmpeq_epi16(a(0), b(0));
            let second = _mm256_cmpeq_epi16(a(1), b(1));
            _mm256_movemask_epi8(_mm256_packs_epi16(first, second)) as u32
        }}
    }
}
