//! Rows on AVX2: a set's bits reach their lanes by a broadcast, an AND isolates each lane's own,
//! and `vpsignd` (0 by 0, unchanged by a positive number) zeroes the lanes whose bit is not set. No
//! lane may test the sign bit.

use std::arch::x86_64::*;

use super::{Rows, Runs};
use crate::avx2::{Avx2, avx2};
use crate::tanh::{Reals, tanh};

/// The bit that each lane tests in the lowest, second and third byte of a word.
const LANE_BITS: [[i32; 8]; 3] = {
    let mut bits = [[0; 8]; 3];
    let mut i = 0;
    while i < 24 {
        bits[i / 8][i % 8] = 1 << i;
        i += 1;
    }
    bits
};

#[inline(always)]
fn lane_bits(byte: usize) -> __m256i {
    // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as in `avx2`.
    unsafe { _mm256_loadu_si256(LANE_BITS[byte].as_ptr().cast()) }
}

/// Four bytes of a set in every lane.
#[inline(always)]
fn broadcast(set: &u64, byte: usize) -> __m256i {
    debug_assert!(byte <= 4);
    // SAFETY: at most byte 4 of 8 and the three that follow; any bits are a number.
    let bits = unsafe { std::ptr::from_ref(set).byte_add(byte).cast::<i32>().read_unaligned() };
    avx2!(_mm256_set1_epi32(bits))
}

/// For each square of a row a positive number if it is in the set, else 0.
#[inline(always)]
fn members(set: &u64, row: usize) -> __m256i {
    let (words, byte) = match row {
        0..=2 => (broadcast(set, 0), row),
        3..=5 => (broadcast(set, 3), row - 3),
        // From byte 4 on, row 7 would reach the sign.
        _ => (avx2!(_mm256_set1_epi16((set >> 48) as i16)), row - 6),
    };
    avx2!(_mm256_and_si256(words, lane_bits(byte)))
}

impl Reals for Avx2 {
    type Reals = __m256;

    #[inline(always)]
    fn real(self, number: f32) -> __m256 {
        avx2!(_mm256_set1_ps(number))
    }
    #[inline(always)]
    fn plus(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_add_ps(a, b))
    }
    #[inline(always)]
    fn minus(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_sub_ps(a, b))
    }
    #[inline(always)]
    fn times(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_mul_ps(a, b))
    }
    #[inline(always)]
    fn over(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_div_ps(a, b))
    }
    #[inline(always)]
    fn lesser(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_min_ps(a, b))
    }
    #[inline(always)]
    fn greater(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_max_ps(a, b))
    }
    #[inline(always)]
    fn scale(self, a: __m256, b: __m256) -> __m256 {
        avx2! {{
            let exponent = _mm256_slli_epi32::<23>(_mm256_castps_si256(b));
            _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(a), exponent))
        }}
    }
}

impl Rows for Avx2 {
    type Ints = __m256i;
    /// Scores are compared as unsigned numbers, so that 0 is below all of them.
    const SCORE_0: i32 = i32::MIN;

    #[inline(always)]
    fn find(self, own: u64, opp: u64, runs: &mut Runs) -> u64 {
        let (up, down, moves) = self.runs_and_moves(own, opp);
        // SAFETY: each array is 32 bytes, which storeu writes at any alignment; AVX2 as above.
        unsafe {
            _mm256_storeu_si256(runs[0].as_mut_ptr().cast(), up);
            _mm256_storeu_si256(runs[1].as_mut_ptr().cast(), down);
        }
        moves
    }
    #[inline(always)]
    fn two_tanh(self, [a, b]: [f32; 2]) -> [f32; 2] {
        avx2! {{
            let both = _mm256_zextps128_ps256(_mm_setr_ps(a, b, 0.0, 0.0));
            let both = _mm256_castps256_ps128(tanh(self, both));
            [_mm_cvtss_f32(both), _mm_cvtss_f32(_mm_movehdup_ps(both))]
        }}
    }
    #[inline(always)]
    fn load(self, numbers: &[f32; 8]) -> __m256 {
        // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as above.
        unsafe { _mm256_loadu_ps(numbers.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, reals: __m256, numbers: &mut [f32; 8]) {
        // SAFETY: the array is 32 bytes, which storeu writes at any alignment; AVX2 as above.
        unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), reals) }
    }
    #[inline(always)]
    fn round(self, reals: __m256) -> __m256i {
        avx2!(_mm256_cvtps_epi32(reals))
    }
    #[inline(always)]
    fn load_ints(self, numbers: &[i32; 8]) -> __m256i {
        // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as in `avx2`.
        unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_ints(self, ints: __m256i, numbers: &mut [i32; 8]) {
        // SAFETY: the array is 32 bytes, which storeu writes at any alignment; AVX2 as in `avx2`.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), ints) }
    }
    #[inline(always)]
    fn to_reals(self, ints: __m256i) -> __m256 {
        avx2!(_mm256_cvtepi32_ps(ints))
    }
    #[inline(always)]
    fn subtract(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sub_epi32(a, b))
    }
    #[inline(always)]
    fn ints(self, number: i32) -> __m256i {
        avx2!(_mm256_set1_epi32(number))
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn total(self, a: __m256i) -> i32 {
        avx2! {{
            let a = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
            let a = _mm_add_epi32(a, _mm_shuffle_epi32::<0x4e>(a));
            _mm_cvtsi128_si32(_mm_add_epi32(a, _mm_shuffle_epi32::<0xb1>(a)))
        }}
    }
    #[inline(always)]
    fn rotate_up(self, a: __m256i) -> __m256i {
        avx2!(_mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6)))
    }
    #[inline(always)]
    fn rotate_down(self, a: __m256i) -> __m256i {
        avx2!(_mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0)))
    }
    #[inline(always)]
    fn transpose(self, rows: [__m256i; 8]) -> [__m256i; 8] {
        avx2! {{
            let [a, b, c, d, e, f, g, h] = rows;
            let (above, below) = (fours([a, b, c, d]), fours([e, f, g, h]));
            [
                _mm256_permute2x128_si256::<0x20>(above[0], below[0]),
                _mm256_permute2x128_si256::<0x20>(above[1], below[1]),
                _mm256_permute2x128_si256::<0x20>(above[2], below[2]),
                _mm256_permute2x128_si256::<0x20>(above[3], below[3]),
                _mm256_permute2x128_si256::<0x31>(above[0], below[0]),
                _mm256_permute2x128_si256::<0x31>(above[1], below[1]),
                _mm256_permute2x128_si256::<0x31>(above[2], below[2]),
                _mm256_permute2x128_si256::<0x31>(above[3], below[3]),
            ]
        }}
    }
    #[inline(always)]
    fn add_where(self, set: &u64, row: usize, a: __m256i, b: __m256i) -> __m256i {
        let words = broadcast(set, if row < 4 { 1 } else { 4 });
        let members = avx2!(_mm256_and_si256(words, lane_bits((row - 1) % 3)));
        avx2!(_mm256_sign_epi32(_mm256_add_epi32(a, b), members))
    }
    #[inline(always)]
    fn columns(self, set: u64) -> __m256i {
        avx2!(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(set as i64)))
    }
    #[inline(always)]
    fn add_where_column(self, set: __m256i, column: usize, a: __m256i, b: __m256i) -> __m256i {
        avx2! {{
            let members = _mm256_and_si256(set, _mm256_set1_epi32(1 << column));
            _mm256_sign_epi32(_mm256_add_epi32(a, b), members)
        }}
    }
    #[inline(always)]
    fn discs(self, own: &u64, opp: &u64, row: usize) -> __m256i {
        avx2!(_mm256_sub_epi32(members(own, row), members(opp, row)))
    }
    #[inline(always)]
    fn signed(self, a: __m256i, discs: __m256i) -> __m256i {
        avx2!(_mm256_sign_epi32(a, discs))
    }
    #[inline(always)]
    fn signed_twos(self, discs: __m256i) -> __m256 {
        // The only float whose negative is also that of its bits taken for an integer.
        avx2! {{
            let twos = _mm256_castps_si256(_mm256_set1_ps(2.0));
            _mm256_castsi256_ps(_mm256_sign_epi32(twos, discs))
        }}
    }
    #[inline(always)]
    fn max_where(self, set: &u64, row: usize, a: __m256i, best: __m256i) -> __m256i {
        avx2!(_mm256_max_epu32(best, _mm256_sign_epi32(a, members(set, row))))
    }
    #[inline(always)]
    fn no_score(self) -> __m256i {
        avx2!(_mm256_setzero_si256())
    }
    #[inline(always)]
    fn largest(self, a: __m256i) -> __m256i {
        avx2! {{
            let a = _mm256_max_epu32(a, _mm256_permute2x128_si256::<0x01>(a, a));
            let a = _mm256_max_epu32(a, _mm256_shuffle_epi32::<0x4e>(a));
            _mm256_max_epu32(a, _mm256_shuffle_epi32::<0xb1>(a))
        }}
    }
    #[inline(always)]
    fn first(self, a: __m256i) -> i32 {
        avx2!(_mm256_cvtsi256_si32(a))
    }
    #[inline(always)]
    fn equal(self, scores: &[__m256i; 8], to: __m256i) -> u64 {
        let [a, b, c, d, e, f, g, h] = *scores;
        u64::from(equal_of_four([a, b, c, d], to))
            | u64::from(equal_of_four([e, f, g, h], to)) << 32
    }
}

/// The columns of four rows, each half on its own: the first holds columns 0 and 4.
#[inline(always)]
fn fours([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    avx2! {{
        let (ab, ab_high) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
        let (cd, cd_high) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
        [
            _mm256_unpacklo_epi64(ab, cd),
            _mm256_unpackhi_epi64(ab, cd),
            _mm256_unpacklo_epi64(ab_high, cd_high),
            _mm256_unpackhi_epi64(ab_high, cd_high),
        ]
    }}
}

/// The squares of four rows with this score.
#[inline(always)]
fn equal_of_four([a, b, c, d]: [__m256i; 4], to: __m256i) -> u32 {
    avx2! {{
        let ab = _mm256_packs_epi32(_mm256_cmpeq_epi32(a, to), _mm256_cmpeq_epi32(b, to));
        let cd = _mm256_packs_epi32(_mm256_cmpeq_epi32(c, to), _mm256_cmpeq_epi32(d, to));
        // The left halves of the rows, and then the right halves.
        let halves = _mm256_packs_epi16(ab, cd);
        let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        _mm256_movemask_epi8(_mm256_permutevar8x32_epi32(halves, order)) as u32
    }}
}
