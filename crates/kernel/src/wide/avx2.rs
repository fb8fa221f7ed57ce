//! 32-bit sums of eight games per register. As with 16 bits, one broadcast, one AND and `vpsignd`
//! zero the lanes of other games.

use std::arch::x86_64::*;

use crate::avx2::{Avx2, avx2, broadcast};
use crate::isa::{At, Grid, Isa, Lanes, WideLanes};

/// 32-bit sums on AVX2.
#[derive(Clone, Copy)]
pub struct Wide(pub Avx2);

/// The games of the lanes: of bytes 0 and 2 of the group's bits for parts 0 and 1, of bytes 1 and 3
/// for parts 2 and 3. Seen from byte 0 or 1 on, none is the sign. What [`Lanes::equal`] gives is
/// then in the same order as with 16 bits.
const fn game(sum: usize) -> usize {
    let (part, lane) = (sum / 8, sum % 8);
    4 * part + lane / 4 + (lane & 2) + 16 * (lane % 2)
}

/// The bit that each lane of a part tests.
const BITS: [[u32; 8]; 4] = {
    let mut bits = [[0; 8]; 4];
    let mut i = 0;
    while i < 32 {
        bits[i / 8][i % 8] = 1 << game(i);
        i += 1;
    }
    bits
};

#[inline(always)]
fn lane_bits(part: usize) -> __m256i {
    // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as in `avx2`.
    unsafe { _mm256_loadu_si256(BITS[part].as_ptr().cast()) }
}

/// For each lane a positive number if its game's bit is set, else 0. Not for the last byte of h8.
#[inline(always)]
fn members(bits: &Grid<__m256i>, at: At) -> __m256i {
    let words = broadcast(bits, at.row, at.column, 4 * at.group + at.part / 2);
    avx2!(_mm256_and_si256(words, lane_bits(at.part % 2)))
}

/// The same for any square of a group, with no byte read beyond it.
#[inline(always)]
fn members_of_group(bits: &__m256i, group: usize, part: usize) -> __m256i {
    let word = Avx2::group(bits, group) >> (8 * (part / 2));
    avx2!(_mm256_and_si256(_mm256_set1_epi32(word as i32), lane_bits(part % 2)))
}

impl Lanes for Wide {
    type Isa = Avx2;
    type Number = i32;
    const PARTS: usize = 4;
    type Sums = __m256i;

    #[inline(always)]
    fn game(sum: usize) -> usize {
        game(sum)
    }
    #[inline(always)]
    fn numbers_mut(sums: &mut [__m256i]) -> &mut [i32] {
        // SAFETY: 32 bytes each without padding, aligned for i32, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(sums.as_mut_ptr().cast(), 8 * sums.len()) }
    }
    #[inline(always)]
    fn zero(self) -> __m256i {
        avx2!(_mm256_setzero_si256())
    }
    #[inline(always)]
    fn least(self) -> __m256i {
        avx2!(_mm256_set1_epi32(i32::MIN))
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn half(self, a: __m256i) -> __m256i {
        avx2!(_mm256_srai_epi32::<1>(a))
    }
    #[inline(always)]
    fn add_where(self, runs: &Grid<__m256i>, at: At, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sign_epi32(_mm256_add_epi32(a, b), members(runs, at)))
    }
    #[inline(always)]
    fn max_where(self, runs: &Grid<__m256i>, at: At, a: __m256i, best: __m256i) -> __m256i {
        // Of h8 no byte must be read beyond the last group's: the bits stay where they are.
        let words = broadcast(runs, at.row, at.column, 4 * at.group);
        let lane_bit = lane_bits(at.part);
        avx2! {{
            let set = _mm256_cmpeq_epi32(_mm256_and_si256(words, lane_bit), lane_bit);
            let kept = _mm256_blendv_epi8(_mm256_set1_epi32(i32::MIN), a, set);
            _mm256_max_epi32(best, kept)
        }}
    }
    #[inline(always)]
    fn equal(self, a: impl Fn(usize) -> __m256i, b: impl Fn(usize) -> __m256i) -> u32 {
        avx2! {{
            let first = _mm256_cmpeq_epi32(a(0), b(0));
            let second = _mm256_cmpeq_epi32(a(1), b(1));
            let third = _mm256_cmpeq_epi32(a(2), b(2));
            let fourth = _mm256_cmpeq_epi32(a(3), b(3));
            let low = _mm256_packs_epi32(first, second);
            let high = _mm256_packs_epi32(third, fourth);
            _mm256_movemask_epi8(_mm256_packs_epi16(low, high)) as u32
        }}
    }
}

impl WideLanes for Wide {
    type Floats = Avx2;
    /// Positive numbers for own, negative ones for opposing discs, else 0.
    type Discs = __m256i;

    #[inline(always)]
    fn floats(self) -> Avx2 {
        self.0
    }
    #[inline(always)]
    fn floats_mut(floats: &mut [__m256]) -> &mut [f32] {
        // SAFETY: 32 bytes each without padding, aligned for f32, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(floats.as_mut_ptr().cast(), 8 * floats.len()) }
    }
    #[inline(always)]
    fn round(self, floats: __m256) -> __m256i {
        avx2!(_mm256_cvtps_epi32(floats))
    }
    #[inline(always)]
    fn to_floats(self, sums: __m256i) -> __m256 {
        avx2!(_mm256_cvtepi32_ps(sums))
    }
    #[inline(always)]
    fn float_where(self, bits: &__m256i, group: usize, part: usize, a: __m256) -> __m256 {
        let members = members_of_group(bits, group, part);
        avx2! {{
            let set = _mm256_cmpgt_epi32(members, _mm256_setzero_si256());
            _mm256_and_ps(a, _mm256_castsi256_ps(set))
        }}
    }
    #[inline(always)]
    fn discs<const LAST: bool>(self, own: &Grid<__m256i>, opp: &Grid<__m256i>, at: At) -> __m256i {
        let (own, opp) = if LAST {
            (
                members_of_group(&own[7][7], at.group, at.part),
                members_of_group(&opp[7][7], at.group, at.part),
            )
        } else {
            (members(own, at), members(opp, at))
        };
        avx2!(_mm256_sub_epi32(own, opp))
    }
    #[inline(always)]
    fn add_signed(self, sum: __m256i, a: __m256i, discs: __m256i) -> __m256i {
        avx2!(_mm256_add_epi32(sum, _mm256_sign_epi32(a, discs)))
    }
    #[inline(always)]
    fn step_signed(self, from: __m256, half: __m256, discs: __m256i) -> __m256 {
        // 2 is the only float whose negative is also that of its bits taken for an integer.
        avx2! {{
            let twos = _mm256_castps_si256(_mm256_set1_ps(2.0));
            let signed = _mm256_castsi256_ps(_mm256_sign_epi32(twos, discs));
            _mm256_add_ps(from, _mm256_mul_ps(half, signed))
        }}
    }
}
