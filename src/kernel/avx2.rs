//! The kernels for CPUs with AVX2 and BMI2: 256 games in lockstep, sums of 16 games per register.
//!
//! There are no mask registers: a run's bits are spread in memory so that one 32-bit broadcast gives
//! every 16-bit lane a word that has its game's bit below the sign, one AND isolates it, and
//! `vpsignw` (0 by 0, unchanged by a positive number) zeroes the lanes whose bit is not set.

use std::arch::x86_64::*;

use super::isa::{Isa, Work};
use super::single::Rules;

/// Exists only where the CPU has AVX2 and BMI2.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
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
        // SAFETY: an Avx2 value exists, so the CPU has the instruction; it takes values, no pointers.
        unsafe {
            $call
        }
    };
}

/// The bits of 256 games, and the same spread for `add_where`: 16 words of 16 bits, the game bits of
/// a part of a group, each beside itself shifted right by one. Even lanes test the first of the two
/// and odd lanes the second, so none tests a sign bit.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct Runs {
    spread: [u32; 16],
    bits: __m256i,
}

/// Lane i of part v holds game 16 (i / 8) + 8 v + i % 8 of its group, the order in which packing two
/// registers and taking their signs gives the group's 32 bits. The word of part v is bytes v and
/// v + 2 of the group's bits, so lane i's bit is number i of it; odd lanes read it shifted by one.
const BIT: [i16; 16] = {
    let mut bit = [0; 16];
    let mut i = 0;
    while i < 16 {
        bit[i] = 1 << (i & !1);
        i += 1;
    }
    bit
};

impl Runs {
    /// Nonzero and positive in the lanes whose bit is set, else 0.
    #[inline(always)]
    fn lanes(&self, group: usize, part: usize) -> __m256i {
        // `spread` interleaves the low and the high half of each 128-bit lane separately: word w of a
        // lane is dword w % 4 of its low (w < 4) or high result.
        let word = 2 * group + part;
        let dword = (word / 8) * 4 + (word % 8 / 4) * 8 + word % 4;
        let bits = self.spread[dword % 16] as i32;
        let lane_bit = load(&BIT);
        avx2!(_mm256_and_si256(_mm256_set1_epi32(bits), lane_bit))
    }
}

#[inline(always)]
fn load(numbers: &[i16; 16]) -> __m256i {
    // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as above.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

impl Rules for Avx2 {
    #[inline(always)]
    fn moves(self, own: u64, opp: u64) -> u64 {
        let (up, down) = self.floods(own, opp);
        let (by, _) = self.shifts();
        let ends = avx2!(_mm256_or_si256(_mm256_sllv_epi64(up, by), _mm256_srlv_epi64(down, by)));
        self.or_words(ends) & !(own | opp)
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
}

impl Avx2 {
    /// How far one and two steps go: along a row, a column, and the two diagonals.
    #[inline(always)]
    fn shifts(self) -> (__m256i, __m256i) {
        avx2!((_mm256_setr_epi64x(1, 8, 7, 9), _mm256_setr_epi64x(2, 16, 14, 18)))
    }

    /// Runs of opposing discs from the squares `from`, in the four directions that shift left and the
    /// four that shift right.
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
    const PARTS: usize = 2;
    type Bits = __m256i;
    type Runs = Runs;
    type Sums = __m256i;

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
    fn select(self, mask: __m256i, a: __m256i, b: __m256i) -> __m256i {
        self.or(self.and(mask, a), self.and_not(b, mask))
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
    fn no_runs(self) -> Runs {
        Runs { spread: [0; 16], bits: self.splat(0) }
    }
    #[inline(always)]
    fn spread(self, bits: __m256i, runs: &mut Runs) {
        self.keep(bits, runs);
        avx2! {{
            let by_part = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15,
            ));
            let words = _mm256_shuffle_epi8(bits, by_part);
            let shifted = _mm256_srli_epi16::<1>(words);
            let to = runs.spread.as_mut_ptr().cast::<__m256i>();
            // `spread` is 64 bytes, 32-byte aligned as the first field of an aligned struct.
            _mm256_store_si256(to, _mm256_unpacklo_epi16(words, shifted));
            _mm256_store_si256(to.add(1), _mm256_unpackhi_epi16(words, shifted));
        }}
    }
    #[inline(always)]
    fn keep(self, bits: __m256i, runs: &mut Runs) {
        runs.bits = bits;
    }
    #[inline(always)]
    fn gather(self, runs: &Runs) -> __m256i {
        runs.bits
    }
    #[inline(always)]
    fn numbers_mut(sums: &mut [__m256i]) -> &mut [i16] {
        // SAFETY: 32 bytes each without padding, aligned for i16, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(sums.as_mut_ptr().cast(), 16 * sums.len()) }
    }
    #[inline(always)]
    fn place(byte: usize) -> (usize, usize) {
        (byte % 2, byte / 2 * 8)
    }
    #[inline(always)]
    fn sums(self, number: i16) -> __m256i {
        avx2!(_mm256_set1_epi16(number))
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
    fn add_where(self, runs: &Runs, group: usize, part: usize, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sign_epi16(_mm256_add_epi16(a, b), runs.lanes(group, part)))
    }
    #[inline(always)]
    fn keep_where(
        self,
        runs: &Runs,
        group: usize,
        part: usize,
        a: __m256i,
        kept: &mut __m256i,
        best: __m256i,
    ) -> __m256i {
        avx2! {{
            let unset = _mm256_cmpeq_epi16(runs.lanes(group, part), _mm256_setzero_si256());
            *kept = _mm256_blendv_epi8(a, _mm256_set1_epi16(i16::MIN), unset);
            _mm256_max_epi16(best, *kept)
        }}
    }
    #[inline(always)]
    fn equal(self, a: impl Fn(usize) -> __m256i, b: impl Fn(usize) -> __m256i) -> u32 {
        avx2! {{
            let low = _mm256_cmpeq_epi16(a(0), b(0));
            let high = _mm256_cmpeq_epi16(a(1), b(1));
            _mm256_movemask_epi8(_mm256_packs_epi16(low, high)) as u32
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
