//! What networks that learn side by side ask of a CPU: registers of floats, a network a lane, and
//! sets of lanes.

use crate::portable::Portable;
use crate::rows::portable::{Eight, eight};
use crate::tanh::Reals;

/// Boards of one colour, a lane each: squares 0 to 31, and the others.
pub type Words = [[u32; 16]; 2];

/// Registers with a lane for each network; used inside [`crate::isa::Isa::run`].
pub trait Lanes: Reals {
    /// Networks, at most 16.
    const LANES: usize;
    /// Some of them.
    type Some: Copy;
    /// The same in little memory.
    type Packed: Copy;
    /// The lanes with a disc of one colour, by square.
    type Discs;

    /// The lanes whose bit is set.
    fn packed(bits: u16) -> Self::Packed;
    /// The same for use.
    fn some(self, packed: Self::Packed) -> Self::Some;
    /// Those in a, b or both.
    fn any(self, a: Self::Some, b: Self::Some) -> Self::Some;
    /// Those in a and b.
    fn both(self, a: Self::Some, b: Self::Some) -> Self::Some;
    /// Discs from boards; with `SECOND` from those of the lanes after these.
    fn discs<const SECOND: bool>(self, boards: &Words, discs: &mut Self::Discs);
    /// No discs.
    fn no_discs(self) -> Self::Discs;
    /// The lanes with a disc on a square.
    fn on(discs: &Self::Discs, square: u8) -> Self::Some;

    /// a + b in some lanes, else a, which is not -0.
    fn add_where(self, lanes: Self::Some, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// a - b in some lanes, else a, which is not -0.
    fn take_where(self, lanes: Self::Some, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// -a in some lanes, else a; 0 may have any sign.
    fn negative_where(self, lanes: Self::Some, a: Self::Reals) -> Self::Reals;
    /// b in some lanes, else a.
    fn either(self, lanes: Self::Some, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// Registers as plain numbers.
    fn numbers(reals: &mut [Self::Reals]) -> &mut [f32];
}

impl Lanes for Portable {
    const LANES: usize = 8;
    /// All ones in these lanes.
    type Some = Eight<u32>;
    type Packed = Eight<u32>;
    type Discs = [Eight<u32>; 64];

    #[inline(always)]
    fn packed(bits: u16) -> Eight<u32> {
        eight(|lane| if bits & (1 << lane) != 0 { u32::MAX } else { 0 })
    }
    #[inline(always)]
    fn some(self, packed: Eight<u32>) -> Eight<u32> {
        packed
    }
    #[inline(always)]
    fn any(self, a: Eight<u32>, b: Eight<u32>) -> Eight<u32> {
        eight(|i| a.0[i] | b.0[i])
    }
    #[inline(always)]
    fn both(self, a: Eight<u32>, b: Eight<u32>) -> Eight<u32> {
        eight(|i| a.0[i] & b.0[i])
    }
    #[inline(always)]
    fn discs<const SECOND: bool>(self, boards: &Words, discs: &mut [Eight<u32>; 64]) {
        let first = if SECOND { 8 } else { 0 };
        for (words, squares) in boards.iter().zip(discs.chunks_mut(32)) {
            for (at, square) in squares.iter_mut().enumerate() {
                *square = eight(|i| 0u32.wrapping_sub(words[first + i] >> at & 1));
            }
        }
    }
    #[inline(always)]
    fn no_discs(self) -> [Eight<u32>; 64] {
        [Eight([0; 8]); 64]
    }
    #[inline(always)]
    fn on(discs: &[Eight<u32>; 64], square: u8) -> Eight<u32> {
        discs[usize::from(square % 64)]
    }
    #[inline(always)]
    fn add_where(self, lanes: Eight<u32>, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| a.0[i] + f32::from_bits(b.0[i].to_bits() & lanes.0[i]))
    }
    #[inline(always)]
    fn take_where(self, lanes: Eight<u32>, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| a.0[i] - f32::from_bits(b.0[i].to_bits() & lanes.0[i]))
    }
    #[inline(always)]
    fn negative_where(self, lanes: Eight<u32>, a: Eight<f32>) -> Eight<f32> {
        eight(|i| f32::from_bits(a.0[i].to_bits() ^ (lanes.0[i] & 1 << 31)))
    }
    #[inline(always)]
    fn either(self, lanes: Eight<u32>, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| {
            let bits = (a.0[i].to_bits() & !lanes.0[i]) | (b.0[i].to_bits() & lanes.0[i]);
            f32::from_bits(bits)
        })
    }
    #[inline(always)]
    fn numbers(reals: &mut [Eight<f32>]) -> &mut [f32] {
        // SAFETY: 32 bytes each without padding, aligned for f32, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(reals.as_mut_ptr().cast(), 8 * reals.len()) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Lanes, Two, Words};
    use crate::avx2::{Avx2, avx2};
    use crate::avx512::{Avx512, avx512};
    use crate::wide::avx512::Wide;

    /// For each bit of the index a byte of ones.
    static BYTES: [u64; 256] = {
        let mut bytes = [0; 256];
        let mut at = 0;
        while at < 8 * 256 {
            let (index, bit) = (at / 8, at % 8);
            bytes[index] |= ((index as u64 >> bit & 1) * 0xff) << (8 * bit);
            at += 1;
        }
        bytes
    };

    impl Two<Avx2> {
        /// # Safety
        ///
        /// Only for CPUs that have AVX2.
        pub unsafe fn assume() -> Two<Avx2> {
            // SAFETY: as the caller says.
            Two(unsafe { Avx2::assume() })
        }
    }

    impl Wide {
        /// # Safety
        ///
        /// Only for CPUs for which [`Avx512::detect`] gives some.
        pub unsafe fn assume() -> Wide {
            // SAFETY: as the caller says.
            Wide(unsafe { Avx512::assume() })
        }
    }

    impl Lanes for Avx2 {
        const LANES: usize = 8;
        /// All ones in these lanes.
        type Some = __m256;
        /// A byte each.
        type Packed = u64;
        type Discs = [__m256; 64];

        #[inline(always)]
        fn packed(bits: u16) -> u64 {
            BYTES[usize::from(bits % 256)]
        }
        #[inline(always)]
        fn some(self, packed: u64) -> __m256 {
            avx2! {{
                _mm256_castsi256_ps(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128(packed as i64)))
            }}
        }
        #[inline(always)]
        fn any(self, a: __m256, b: __m256) -> __m256 {
            avx2!(_mm256_or_ps(a, b))
        }
        #[inline(always)]
        fn both(self, a: __m256, b: __m256) -> __m256 {
            avx2!(_mm256_and_ps(a, b))
        }
        #[inline(always)]
        fn discs<const SECOND: bool>(self, boards: &Words, discs: &mut [__m256; 64]) {
            let half = if SECOND { 1 } else { 0 };
            for (words, squares) in boards.iter().zip(discs.chunks_mut(32)) {
                // SAFETY: the array is two times 32 bytes, which loadu reads at any alignment; AVX2
                // as in `avx2`.
                let mut words =
                    unsafe { _mm256_loadu_si256(words.as_ptr().cast::<__m256i>().add(half)) };
                // The last square's bit is the sign, which becomes all bits.
                for square in squares.iter_mut().rev() {
                    *square = avx2!(_mm256_castsi256_ps(_mm256_srai_epi32::<31>(words)));
                    words = avx2!(_mm256_slli_epi32::<1>(words));
                }
            }
        }
        #[inline(always)]
        fn no_discs(self) -> [__m256; 64] {
            [avx2!(_mm256_setzero_ps()); 64]
        }
        #[inline(always)]
        fn on(discs: &[__m256; 64], square: u8) -> __m256 {
            discs[usize::from(square % 64)]
        }
        #[inline(always)]
        fn add_where(self, lanes: __m256, a: __m256, b: __m256) -> __m256 {
            avx2!(_mm256_add_ps(a, _mm256_and_ps(b, lanes)))
        }
        #[inline(always)]
        fn take_where(self, lanes: __m256, a: __m256, b: __m256) -> __m256 {
            avx2!(_mm256_sub_ps(a, _mm256_and_ps(b, lanes)))
        }
        #[inline(always)]
        fn negative_where(self, lanes: __m256, a: __m256) -> __m256 {
            avx2!(_mm256_xor_ps(a, _mm256_and_ps(lanes, _mm256_set1_ps(-0.0))))
        }
        #[inline(always)]
        fn either(self, lanes: __m256, a: __m256, b: __m256) -> __m256 {
            avx2!(_mm256_blendv_ps(a, b, lanes))
        }
        #[inline(always)]
        fn numbers(reals: &mut [__m256]) -> &mut [f32] {
            // SAFETY: 32 bytes each without padding, aligned for f32, any bits are numbers.
            unsafe { std::slice::from_raw_parts_mut(reals.as_mut_ptr().cast(), 8 * reals.len()) }
        }
    }

    impl Lanes for Wide {
        const LANES: usize = 16;
        type Some = __mmask16;
        type Packed = u16;
        type Discs = [__mmask16; 64];

        #[inline(always)]
        fn packed(bits: u16) -> u16 {
            bits
        }
        #[inline(always)]
        fn some(self, bits: u16) -> __mmask16 {
            bits
        }
        #[inline(always)]
        fn any(self, a: __mmask16, b: __mmask16) -> __mmask16 {
            a | b
        }
        #[inline(always)]
        fn both(self, a: __mmask16, b: __mmask16) -> __mmask16 {
            a & b
        }
        #[inline(always)]
        fn discs<const SECOND: bool>(self, boards: &Words, discs: &mut [__mmask16; 64]) {
            const { assert!(!SECOND, "all lanes are in one register") };
            for (words, squares) in boards.iter().zip(discs.chunks_mut(32)) {
                // SAFETY: the array is 64 bytes, which loadu reads at any alignment; AVX-512 as in
                // `avx512`.
                let words = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
                let mut bit = avx512!(_mm512_set1_epi32(1));
                for square in squares {
                    *square = avx512!(_mm512_test_epi32_mask(words, bit));
                    bit = avx512!(_mm512_add_epi32(bit, bit));
                }
            }
        }
        #[inline(always)]
        fn no_discs(self) -> [__mmask16; 64] {
            [0; 64]
        }
        #[inline(always)]
        fn on(discs: &[__mmask16; 64], square: u8) -> __mmask16 {
            discs[usize::from(square % 64)]
        }
        #[inline(always)]
        fn add_where(self, lanes: __mmask16, a: __m512, b: __m512) -> __m512 {
            avx512!(_mm512_mask_add_ps(a, lanes, a, b))
        }
        #[inline(always)]
        fn take_where(self, lanes: __mmask16, a: __m512, b: __m512) -> __m512 {
            avx512!(_mm512_mask_sub_ps(a, lanes, a, b))
        }
        #[inline(always)]
        fn negative_where(self, lanes: __mmask16, a: __m512) -> __m512 {
            avx512!(_mm512_mask_sub_ps(a, lanes, _mm512_setzero_ps(), a))
        }
        #[inline(always)]
        fn either(self, lanes: __mmask16, a: __m512, b: __m512) -> __m512 {
            avx512!(_mm512_mask_blend_ps(lanes, a, b))
        }
        #[inline(always)]
        fn numbers(reals: &mut [__m512]) -> &mut [f32] {
            // SAFETY: 64 bytes each without padding, aligned for f32, any bits are numbers.
            unsafe { std::slice::from_raw_parts_mut(reals.as_mut_ptr().cast(), 16 * reals.len()) }
        }
    }
}

/// Two registers as one, so that the waits for one are filled by the other.
#[derive(Clone, Copy)]
pub struct Two<L>(L);

impl<L: Lanes> Reals for Two<L> {
    type Reals = [L::Reals; 2];

    #[inline(always)]
    fn real(self, number: f32) -> Self::Reals {
        [self.0.real(number); 2]
    }
    #[inline(always)]
    fn plus(self, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.plus(a[0], b[0]), self.0.plus(a[1], b[1])]
    }
    #[inline(always)]
    fn minus(self, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.minus(a[0], b[0]), self.0.minus(a[1], b[1])]
    }
    #[inline(always)]
    fn times(self, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.times(a[0], b[0]), self.0.times(a[1], b[1])]
    }
    #[inline(always)]
    fn over(self, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.over(a[0], b[0]), self.0.over(a[1], b[1])]
    }
    #[inline(always)]
    fn lesser(self, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.lesser(a[0], b[0]), self.0.lesser(a[1], b[1])]
    }
    #[inline(always)]
    fn greater(self, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.greater(a[0], b[0]), self.0.greater(a[1], b[1])]
    }
    #[inline(always)]
    fn scale(self, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.scale(a[0], b[0]), self.0.scale(a[1], b[1])]
    }
}

impl<L: Lanes> Lanes for Two<L> {
    const LANES: usize = 2 * L::LANES;
    type Some = [L::Some; 2];
    type Packed = [L::Packed; 2];
    type Discs = [L::Discs; 2];

    #[inline(always)]
    fn packed(bits: u16) -> Self::Packed {
        [L::packed(bits), L::packed(bits >> L::LANES)]
    }
    #[inline(always)]
    fn some(self, packed: Self::Packed) -> Self::Some {
        [self.0.some(packed[0]), self.0.some(packed[1])]
    }
    #[inline(always)]
    fn any(self, a: Self::Some, b: Self::Some) -> Self::Some {
        [self.0.any(a[0], b[0]), self.0.any(a[1], b[1])]
    }
    #[inline(always)]
    fn both(self, a: Self::Some, b: Self::Some) -> Self::Some {
        [self.0.both(a[0], b[0]), self.0.both(a[1], b[1])]
    }
    #[inline(always)]
    fn discs<const SECOND: bool>(self, boards: &Words, [first, second]: &mut Self::Discs) {
        const { assert!(!SECOND, "there are no more than two registers") };
        self.0.discs::<false>(boards, first);
        self.0.discs::<true>(boards, second);
    }
    #[inline(always)]
    fn no_discs(self) -> Self::Discs {
        [self.0.no_discs(), self.0.no_discs()]
    }
    #[inline(always)]
    fn on([first, second]: &Self::Discs, square: u8) -> Self::Some {
        [L::on(first, square), L::on(second, square)]
    }
    #[inline(always)]
    fn add_where(self, lanes: Self::Some, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.add_where(lanes[0], a[0], b[0]), self.0.add_where(lanes[1], a[1], b[1])]
    }
    #[inline(always)]
    fn take_where(self, lanes: Self::Some, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.take_where(lanes[0], a[0], b[0]), self.0.take_where(lanes[1], a[1], b[1])]
    }
    #[inline(always)]
    fn negative_where(self, lanes: Self::Some, a: Self::Reals) -> Self::Reals {
        [self.0.negative_where(lanes[0], a[0]), self.0.negative_where(lanes[1], a[1])]
    }
    #[inline(always)]
    fn either(self, lanes: Self::Some, a: Self::Reals, b: Self::Reals) -> Self::Reals {
        [self.0.either(lanes[0], a[0], b[0]), self.0.either(lanes[1], a[1], b[1])]
    }
    #[inline(always)]
    fn numbers(reals: &mut [Self::Reals]) -> &mut [f32] {
        L::numbers(reals.as_flattened_mut())
    }
}
