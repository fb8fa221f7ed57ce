//! The kernels for CPUs with AVX-512 as Ice Lake and Zen 4 have it: 512 games in lockstep, sums of
//! 32 games per register, runs read straight into mask registers.

use std::arch::x86_64::*;

use super::avx2::Avx2;
use super::isa::{At, Grid, Isa, Lanes, Work};
use super::single::{Reply, Rules, Scorer};
use super::wide::avx512::Wide;
use crate::rng::Draw;

/// Exists only where the CPU has these instructions.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx512 {
    /// # Safety
    ///
    /// Only for CPUs for which [`Avx512::detect`] gives some.
    pub unsafe fn assume() -> Avx512 {
        Avx512(())
    }

    pub fn detect() -> Option<Avx512> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Avx512(()))
    }
}

#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn with_avx512<W: Work>(work: W) -> W::Output {
    work.work()
}

/// Runs an intrinsic that needs nothing but its instruction.
macro_rules! avx512 {
    ($call:expr) => {
        // SAFETY: an Avx512 value exists, so the CPU has the instruction; it takes values, no
        // pointers.
        unsafe { $call }
    };
}

pub(super) use avx512;

impl Rules for Avx512 {
    #[inline(always)]
    fn pick_one(self, set: u64, draw: Draw) -> u64 {
        // SAFETY: an Avx512 value exists, and with it BMI2.
        unsafe { _pdep_u64(1 << draw.index(set.count_ones()), set) }
    }

    #[inline(always)]
    fn moves(self, own: u64, opp: u64) -> u64 {
        let lines = self.lines(opp);
        avx512! {{
            let runs = self.flood(lines, _mm512_set1_epi64(own as i64));
            self.or_words(_mm512_rolv_epi64(runs, lines.by)) & !(own | opp)
        }}
    }

    #[inline(always)]
    fn flips(self, own: u64, opp: u64, at: u64) -> u64 {
        let lines = self.lines(opp);
        avx512! {{
            let runs = self.flood(lines, _mm512_set1_epi64(at as i64));
            let ends = _mm512_rolv_epi64(runs, lines.by);
            let closed = _mm512_test_epi64_mask(ends, _mm512_set1_epi64(own as i64));
            self.or_words(_mm512_maskz_mov_epi64(closed, runs))
        }}
    }

    /// Scoring rows of all moves takes 16-bit lanes and no masks: AVX2 is as good.
    #[inline(always)]
    fn best(self, scorer: &Scorer, own: u64, opp: u64, moves: u64) -> u64 {
        self.narrow().best(scorer, own, opp, moves)
    }

    #[inline(always)]
    fn best_reply(self, scorer: &Scorer, own: u64, opp: u64) -> Reply {
        self.narrow().best_reply(scorer, own, opp)
    }
}

/// A board's opposing discs in eight directions, as rotations: outer squares are masked off in each
/// direction that could wrap, so that one formula serves all eight.
#[derive(Clone, Copy)]
struct Lines {
    by: __m512i,
    by_two: __m512i,
    through: __m512i,
    pairs: __m512i,
}

/// a | (b & c)
#[inline(always)]
fn or_and(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    avx512!(_mm512_ternarylogic_epi64::<0xf8>(a, b, c))
}

impl Avx512 {
    /// The instructions that every CPU with AVX-512 has besides.
    #[inline(always)]
    fn narrow(self) -> Avx2 {
        // SAFETY: `Avx512::detect` asks for all that `Avx2::detect` asks for.
        unsafe { Avx2::assume() }
    }

    #[inline(always)]
    fn lines(self, opp: u64) -> Lines {
        const FILES: i64 = 0x7e7e_7e7e_7e7e_7e7e;
        const RANKS: i64 = 0x00ff_ffff_ffff_ff00;
        const BOTH: i64 = FILES & RANKS;
        avx512! {{
            let by = _mm512_setr_epi64(1, 8, 7, 9, 63, 56, 57, 55);
            let by_two = _mm512_setr_epi64(2, 16, 14, 18, 62, 48, 50, 46);
            let inner = _mm512_setr_epi64(FILES, RANKS, BOTH, BOTH, FILES, RANKS, BOTH, BOTH);
            let through = _mm512_and_si512(_mm512_set1_epi64(opp as i64), inner);
            let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, by));
            Lines { by, by_two, through, pairs }
        }}
    }

    #[inline(always)]
    fn flood(self, lines: Lines, from: __m512i) -> __m512i {
        avx512! {{
            let run = _mm512_and_si512(lines.through, _mm512_rolv_epi64(from, lines.by));
            let run = or_and(run, lines.through, _mm512_rolv_epi64(run, lines.by));
            let run = or_and(run, lines.pairs, _mm512_rolv_epi64(run, lines.by_two));
            or_and(run, lines.pairs, _mm512_rolv_epi64(run, lines.by_two))
        }}
    }

    #[inline(always)]
    fn or_words(self, a: __m512i) -> u64 {
        avx512! {{
            let a = _mm256_or_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
            let a = _mm_or_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
            _mm_cvtsi128_si64(_mm_or_si128(a, _mm_unpackhi_epi64(a, a))) as u64
        }}
    }
}

impl Isa for Avx512 {
    const GAMES: usize = 512;
    const MANY_REGISTERS: bool = true;
    type Bits = __m512i;
    type Runs = __m512i;
    type Wide = Wide;

    #[inline(always)]
    fn wide(self) -> Wide {
        Wide(self)
    }
    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: an Avx512 value exists, so the CPU has the features of the function.
        unsafe { with_avx512(work) }
    }
    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        avx512!(_mm512_set1_epi64(word as i64))
    }
    #[inline(always)]
    fn words(bits: &__m512i) -> &[u64] {
        // SAFETY: 64 bytes without padding, aligned for u64, any bits are numbers; same lifetime.
        unsafe { std::slice::from_raw_parts(std::ptr::from_ref(bits).cast(), 8) }
    }
    #[inline(always)]
    fn words_mut(bits: &mut __m512i) -> &mut [u64] {
        // SAFETY: as in `words`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(std::ptr::from_mut(bits).cast(), 8) }
    }
    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_and_si512(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_or_si512(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_xor_si512(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_andnot_si512(b, a))
    }
    #[inline(always)]
    fn and_or(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        avx512!(_mm512_ternarylogic_epi64::<0xe0>(a, b, c))
    }
    #[inline(always)]
    fn or_and(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        or_and(a, b, c)
    }
    #[inline(always)]
    fn or3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        avx512!(_mm512_ternarylogic_epi64::<0xfe>(a, b, c))
    }
    #[inline(always)]
    fn shl<const BY: i32>(self, a: __m512i) -> __m512i {
        // A variable shift by a constant: the immediate form wants its constant unsigned.
        avx512!(_mm512_sllv_epi64(a, _mm512_set1_epi64(BY as i64)))
    }
    #[inline(always)]
    fn shr<const BY: i32>(self, a: __m512i) -> __m512i {
        avx512!(_mm512_srlv_epi64(a, _mm512_set1_epi64(BY as i64)))
    }
    #[inline(always)]
    fn exchange<const BY: i32>(self, mask: __m512i, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        let (up, down) = (self.shl::<BY>(b), self.shr::<BY>(a));
        // mask ? a : b
        avx512!((
            _mm512_ternarylogic_epi64::<0xca>(mask, a, up),
            _mm512_ternarylogic_epi64::<0xca>(mask, down, b),
        ))
    }
    #[inline(always)]
    fn add64(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi64(a, b))
    }
    #[inline(always)]
    fn mul64(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_mullo_epi64(a, b))
    }
    #[inline(always)]
    fn less64(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_movm_epi64(_mm512_cmplt_epu64_mask(a, b)))
    }
    #[inline(always)]
    fn pick(self, sets: __m512i, draws: __m512i) -> __m512i {
        let mut picked = avx512! {{
            let product = _mm512_mul_epu32(_mm512_srli_epi64::<32>(draws), _mm512_popcnt_epi64(sets));
            _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_srli_epi64::<32>(product))
        }};
        for (picked, &set) in Self::words_mut(&mut picked).iter_mut().zip(Self::words(&sets)) {
            // SAFETY: an Avx512 value exists, and with it BMI2.
            *picked = unsafe { _pdep_u64(*picked, set) };
        }
        picked
    }
    #[inline(always)]
    fn no_runs(self) -> __m512i {
        self.splat(0)
    }
    #[inline(always)]
    fn spread(self, bits: __m512i, runs: &mut __m512i) {
        *runs = bits;
    }
    #[inline(always)]
    fn keep(self, bits: __m512i, runs: &mut __m512i) {
        *runs = bits;
    }
    #[inline(always)]
    fn gather(self, runs: &__m512i) -> __m512i {
        *runs
    }
    #[inline(always)]
    fn group(bits: &__m512i, group: usize) -> u32 {
        // SAFETY: a register is 16 aligned 32-bit words, and the index is below 16.
        unsafe { *std::ptr::from_ref(bits).cast::<u32>().add(group % 16) }
    }
    #[inline(always)]
    fn set_group(bits: &mut __m512i, group: usize, value: u32) {
        // SAFETY: as in `group`; the borrow is exclusive.
        unsafe { *std::ptr::from_mut(bits).cast::<u32>().add(group % 16) = value }
    }
}

impl Lanes for Avx512 {
    type Isa = Avx512;
    type Number = i16;
    const PARTS: usize = 1;
    type Sums = __m512i;

    #[inline(always)]
    fn game(sum: usize) -> usize {
        sum
    }
    #[inline(always)]
    fn numbers_mut(sums: &mut [__m512i]) -> &mut [i16] {
        // SAFETY: 64 bytes each without padding, aligned for i16, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(sums.as_mut_ptr().cast(), 32 * sums.len()) }
    }
    #[inline(always)]
    fn zero(self) -> __m512i {
        avx512!(_mm512_set1_epi16(0))
    }
    #[inline(always)]
    fn least(self) -> __m512i {
        avx512!(_mm512_set1_epi16(i16::MIN))
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi16(a, b))
    }
    #[inline(always)]
    fn half(self, a: __m512i) -> __m512i {
        avx512!(_mm512_srai_epi16::<1>(a))
    }
    #[inline(always)]
    fn add_where(self, runs: &Grid<__m512i>, at: At, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_maskz_add_epi16(Self::group(&runs[at.row][at.column], at.group), a, b))
    }
    #[inline(always)]
    fn max_where(self, runs: &Grid<__m512i>, at: At, a: __m512i, best: __m512i) -> __m512i {
        let mask = Self::group(&runs[at.row][at.column], at.group);
        avx512!(_mm512_mask_max_epi16(best, mask, best, a))
    }
    #[inline(always)]
    fn equal(self, a: impl Fn(usize) -> __m512i, b: impl Fn(usize) -> __m512i) -> u32 {
        avx512!(_mm512_cmpeq_epi16_mask(a(0), b(0)))
    }
}
