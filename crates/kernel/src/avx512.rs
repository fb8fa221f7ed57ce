//! The kernels for CPUs with AVX-512 as Ice Lake and Zen 4 have it: 512 games in lockstep, sums of 32
//! games per register, runs read straight into mask registers.

use std::arch::x86_64::*;

use super::isa::{At, Grid, Isa, Lanes, Work};
use super::single::{PLANES, Rules, Scorer};
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
        // SAFETY: an Avx512 value exists, so the CPU has the instruction; it takes values, no pointers.
        unsafe {
            $call
        }
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

    /// Eight moves at a time, one per 64-bit lane.
    #[inline(always)]
    fn best(self, scorer: &Scorer, own: u64, opp: u64, moves: u64) -> u64 {
        avx512! {{
            let lines = Steps::new(self.lines(opp));
            let own = _mm512_set1_epi64(own as i64);
            let mut list = _mm512_maskz_compress_epi8(moves, squares());
            let (mut best, mut ties) = (i32::MIN, 0);
            let mut left = moves.count_ones();
            loop {
                let lanes = if left >= 8 { 0xff } else { (1u8 << left) - 1 };
                let square = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(list));
                let at = _mm512_maskz_sllv_epi64(lanes, _mm512_set1_epi64(1), square);
                let flips = lines.flips(own, at);
                let score = self.scores(scorer, flips, square, lanes);
                let most = largest(score);
                if most >= best {
                    let equal = _mm256_cmpeq_epi32_mask(score, _mm256_set1_epi32(most));
                    let at = _mm512_maskz_mov_epi64(equal, at);
                    ties = self.or_words(at) | if most > best { 0 } else { ties };
                    best = most;
                }
                if left <= 8 {
                    return ties;
                }
                left -= 8;
                list = _mm512_alignr_epi64::<1>(list, list);
            }
        }}
    }
}

/// The largest of eight numbers.
#[inline(always)]
fn largest(a: __m256i) -> i32 {
    avx512! {{
        let a = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
        let a = _mm_max_epi32(a, _mm_shuffle_epi32::<0x4e>(a));
        _mm_cvtsi128_si32(_mm_max_epi32(a, _mm_shuffle_epi32::<0xb1>(a)))
    }}
}

/// 0 to 63.
#[inline(always)]
fn squares() -> __m512i {
    const SQUARES: [u8; 64] = {
        let mut squares = [0; 64];
        let mut i = 0;
        while i < 64 {
            squares[i] = i as u8;
            i += 1;
        }
        squares
    };
    // SAFETY: the array is 64 bytes, which loadu reads at any alignment; AVX-512 as above.
    unsafe { _mm512_loadu_si512(SQUARES.as_ptr().cast()) }
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

/// The same with the directions apart, for eight moves at a time.
struct Steps {
    through: [u64; 8],
    pairs: [u64; 8],
}

impl Steps {
    #[inline(always)]
    fn new(lines: Lines) -> Steps {
        let mut steps = Steps { through: [0; 8], pairs: [0; 8] };
        // SAFETY: both arrays are 64 bytes, which storeu writes at any alignment; AVX-512 as above.
        unsafe {
            _mm512_storeu_si512(steps.through.as_mut_ptr().cast(), lines.through);
            _mm512_storeu_si512(steps.pairs.as_mut_ptr().cast(), lines.pairs);
        }
        steps
    }

    /// The discs turned by the move in each lane.
    #[inline(always)]
    fn flips(&self, own: __m512i, at: __m512i) -> __m512i {
        let mut all = avx512!(_mm512_setzero_si512());
        macro_rules! direction {
            ($d:literal, $by:literal) => {
                avx512! {{
                    const TWO: i32 = 2 * $by % 64;
                    let through = _mm512_set1_epi64(self.through[$d] as i64);
                    let pairs = _mm512_set1_epi64(self.pairs[$d] as i64);
                    let run = _mm512_and_si512(through, _mm512_rol_epi64::<$by>(at));
                    let run = or_and(run, through, _mm512_rol_epi64::<$by>(run));
                    let run = or_and(run, pairs, _mm512_rol_epi64::<TWO>(run));
                    let run = or_and(run, pairs, _mm512_rol_epi64::<TWO>(run));
                    let closed = _mm512_test_epi64_mask(_mm512_rol_epi64::<$by>(run), own);
                    all = _mm512_mask_or_epi64(all, closed, all, run);
                }}
            };
        }
        direction!(0, 1);
        direction!(1, 8);
        direction!(2, 7);
        direction!(3, 9);
        direction!(4, 63);
        direction!(5, 56);
        direction!(6, 57);
        direction!(7, 55);
        all
    }
}

/// The weights of eight squares, each below 64.
#[inline(always)]
fn gather(weights: &[i32; 64], squares: __m256i) -> __m256i {
    let inside = avx512!(_mm256_and_si256(squares, _mm256_set1_epi32(63)));
    // SAFETY: every index is below 64, the length of the array; AVX2 comes with AVX-512.
    unsafe { _mm256_i32gather_epi32::<4>(weights.as_ptr(), inside) }
}

/// a | (b & c)
#[inline(always)]
fn or_and(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    avx512!(_mm512_ternarylogic_epi64::<0xf8>(a, b, c))
}

impl Avx512 {
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

    /// w(square) + 2 Σ w(flips) for the used lanes, counting the flips in each bit plane of the
    /// weights; the least number for the others.
    #[inline(always)]
    fn scores(self, scorer: &Scorer, flips: __m512i, square: __m512i, lanes: u8) -> __m256i {
        avx512! {{
            let count = |plane: usize| {
                let plane = _mm512_set1_epi64(scorer.planes[plane] as i64);
                _mm512_popcnt_epi64(_mm512_and_si512(flips, plane))
            };
            let mut sum = _mm512_sub_epi64(_mm512_setzero_si512(), count(PLANES - 1));
            for plane in (0..PLANES - 1).rev() {
                sum = _mm512_add_epi64(_mm512_add_epi64(sum, sum), count(plane));
            }
            let squares = _mm512_cvtepi64_epi32(square);
            let placed = gather(&scorer.weights, squares);
            let turned = _mm512_cvtepi64_epi32(_mm512_add_epi64(sum, sum));
            let least = _mm256_set1_epi32(i32::MIN);
            _mm256_mask_add_epi32(least, lanes, turned, placed)
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
