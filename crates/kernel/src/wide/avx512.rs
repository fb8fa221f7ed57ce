//! 32-bit sums of 16 games per register, runs read straight into mask registers.

use std::arch::x86_64::*;

use crate::avx512::{Avx512, avx512};
use crate::isa::{At, Grid, Lanes, WideLanes};
use crate::tanh::Reals;

/// 32-bit sums on AVX-512.
#[derive(Clone, Copy)]
pub struct Wide(pub Avx512);

/// The bits of a part's games.
#[inline(always)]
fn members(bits: &__m512i, group: usize, part: usize) -> __mmask16 {
    // SAFETY: a register is 32 aligned 16-bit words, and the index is below 32.
    unsafe { *std::ptr::from_ref(bits).cast::<u16>().add((2 * group + part) % 32) }
}

impl Lanes for Wide {
    type Isa = Avx512;
    type Number = i32;
    const PARTS: usize = 2;
    type Sums = __m512i;

    #[inline(always)]
    fn game(sum: usize) -> usize {
        sum
    }
    #[inline(always)]
    fn numbers_mut(sums: &mut [__m512i]) -> &mut [i32] {
        // SAFETY: 64 bytes each without padding, aligned for i32, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(sums.as_mut_ptr().cast(), 16 * sums.len()) }
    }
    #[inline(always)]
    fn zero(self) -> __m512i {
        avx512!(_mm512_setzero_si512())
    }
    #[inline(always)]
    fn least(self) -> __m512i {
        avx512!(_mm512_set1_epi32(i32::MIN))
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi32(a, b))
    }
    #[inline(always)]
    fn half(self, a: __m512i) -> __m512i {
        avx512!(_mm512_srai_epi32::<1>(a))
    }
    #[inline(always)]
    fn add_where(self, runs: &Grid<__m512i>, at: At, a: __m512i, b: __m512i) -> __m512i {
        let mask = members(&runs[at.row][at.column], at.group, at.part);
        avx512!(_mm512_maskz_add_epi32(mask, a, b))
    }
    #[inline(always)]
    fn max_where(self, runs: &Grid<__m512i>, at: At, a: __m512i, best: __m512i) -> __m512i {
        let mask = members(&runs[at.row][at.column], at.group, at.part);
        avx512!(_mm512_mask_max_epi32(best, mask, best, a))
    }
    #[inline(always)]
    fn equal(self, a: impl Fn(usize) -> __m512i, b: impl Fn(usize) -> __m512i) -> u32 {
        let low = avx512!(_mm512_cmpeq_epi32_mask(a(0), b(0)));
        let high = avx512!(_mm512_cmpeq_epi32_mask(a(1), b(1)));
        u32::from(low) | u32::from(high) << 16
    }
}

impl WideLanes for Wide {
    type Floats = Wide;
    /// Own and opposing discs.
    type Discs = (__mmask16, __mmask16);

    #[inline(always)]
    fn floats(self) -> Wide {
        self
    }
    #[inline(always)]
    fn floats_mut(floats: &mut [__m512]) -> &mut [f32] {
        // SAFETY: 64 bytes each without padding, aligned for f32, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(floats.as_mut_ptr().cast(), 16 * floats.len()) }
    }
    #[inline(always)]
    fn round(self, floats: __m512) -> __m512i {
        avx512!(_mm512_cvtps_epi32(floats))
    }
    #[inline(always)]
    fn to_floats(self, sums: __m512i) -> __m512 {
        avx512!(_mm512_cvtepi32_ps(sums))
    }
    #[inline(always)]
    fn float_where(self, bits: &__m512i, group: usize, part: usize, a: __m512) -> __m512 {
        avx512!(_mm512_maskz_mov_ps(members(bits, group, part), a))
    }
    #[inline(always)]
    fn discs<const LAST: bool>(
        self,
        own: &Grid<__m512i>,
        opp: &Grid<__m512i>,
        at: At,
    ) -> (__mmask16, __mmask16) {
        let of = (at.group, at.part);
        (members(&own[at.row][at.column], of.0, of.1), members(&opp[at.row][at.column], of.0, of.1))
    }
    #[inline(always)]
    fn add_signed(self, sum: __m512i, a: __m512i, (own, opp): (u16, u16)) -> __m512i {
        avx512! {{
            let sum = _mm512_mask_add_epi32(sum, own, sum, a);
            _mm512_mask_sub_epi32(sum, opp, sum, a)
        }}
    }
    #[inline(always)]
    fn step_signed(self, from: __m512, half: __m512, (own, opp): (u16, u16)) -> __m512 {
        avx512! {{
            let by = _mm512_add_ps(half, half);
            let from = _mm512_mask_add_ps(from, own, from, by);
            _mm512_mask_sub_ps(from, opp, from, by)
        }}
    }
}

impl Reals for Wide {
    type Reals = __m512;

    #[inline(always)]
    fn real(self, number: f32) -> __m512 {
        avx512!(_mm512_set1_ps(number))
    }
    #[inline(always)]
    fn plus(self, a: __m512, b: __m512) -> __m512 {
        avx512!(_mm512_add_ps(a, b))
    }
    #[inline(always)]
    fn minus(self, a: __m512, b: __m512) -> __m512 {
        avx512!(_mm512_sub_ps(a, b))
    }
    #[inline(always)]
    fn times(self, a: __m512, b: __m512) -> __m512 {
        avx512!(_mm512_mul_ps(a, b))
    }
    #[inline(always)]
    fn over(self, a: __m512, b: __m512) -> __m512 {
        avx512!(_mm512_div_ps(a, b))
    }
    #[inline(always)]
    fn lesser(self, a: __m512, b: __m512) -> __m512 {
        avx512!(_mm512_min_ps(a, b))
    }
    #[inline(always)]
    fn greater(self, a: __m512, b: __m512) -> __m512 {
        avx512!(_mm512_max_ps(a, b))
    }
    #[inline(always)]
    fn scale(self, a: __m512, b: __m512) -> __m512 {
        avx512! {{
            let exponent = _mm512_slli_epi32::<23>(_mm512_castps_si512(b));
            _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(a), exponent))
        }}
    }
}
