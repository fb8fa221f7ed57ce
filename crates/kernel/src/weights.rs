//! Weights on their way into the registers of the lockstep kernel: from square by square of one
//! player to player by player of one square.

use super::GRID;
use eight::Eight;

/// Puts twice the weights of eight players into every `step`-th element of `to`, square by square.
pub fn spread(players: [&[i16; 64]; 8], to: &mut [[i16; 8]], step: usize) {
    let (mut least, mut most) = (Eight::of(&[0; 8]), Eight::of(&[0; 8]));
    for (row, to) in to.chunks_mut(8 * step).enumerate() {
        let rows = players.map(|weights| Eight::of(&weights.as_chunks::<8>().0[row]));
        for row in rows {
            least = least.min(row);
            most = most.max(row);
        }
        let columns = Eight::transposed(rows);
        for (column, weights) in columns.into_iter().enumerate() {
            to[column * step] = weights.plus(weights).numbers();
        }
    }
    let sane = least.numbers().iter().all(|&weight| weight >= -GRID)
        && most.numbers().iter().all(|&weight| weight <= GRID);
    assert!(sane, "weights off the grid of the batch kernel");
}

/// With instructions that every x86-64 CPU has, and that the compiler does not find by itself.
#[cfg(target_arch = "x86_64")]
mod eight {
    use std::arch::x86_64::*;
    use std::mem::transmute;

    /// Eight numbers.
    #[derive(Clone, Copy)]
    pub struct Eight(__m128i);

    /// Runs an intrinsic of SSE2.
    macro_rules! sse2 {
        ($call:expr) => {
            // SAFETY: SSE2 is part of x86-64; the intrinsics take values, no pointers.
            Eight(unsafe { $call })
        };
    }

    impl Eight {
        #[inline(always)]
        pub fn of(numbers: &[i16; 8]) -> Eight {
            // SAFETY: eight numbers of 16 bits are 128 bits, whatever they are.
            Eight(unsafe { transmute::<[i16; 8], __m128i>(*numbers) })
        }
        #[inline(always)]
        pub fn numbers(self) -> [i16; 8] {
            // SAFETY: as in `of`.
            unsafe { transmute::<__m128i, [i16; 8]>(self.0) }
        }
        #[inline(always)]
        pub fn plus(self, other: Eight) -> Eight {
            sse2!(_mm_add_epi16(self.0, other.0))
        }
        #[inline(always)]
        pub fn min(self, other: Eight) -> Eight {
            sse2!(_mm_min_epi16(self.0, other.0))
        }
        #[inline(always)]
        pub fn max(self, other: Eight) -> Eight {
            sse2!(_mm_max_epi16(self.0, other.0))
        }
        #[inline(always)]
        pub fn transposed(rows: [Eight; 8]) -> [Eight; 8] {
            let low = |a: Eight, b: Eight| sse2!(_mm_unpacklo_epi16(a.0, b.0));
            let high = |a: Eight, b: Eight| sse2!(_mm_unpackhi_epi16(a.0, b.0));
            // A number's place has six bits, three for its row. Interleaving the upper with the
            // lower four rows makes the highest bit the lowest: three times exchanges rows and
            // columns.
            let mut rows = rows;
            for _ in 0..3 {
                let [a, b, c, d, e, f, g, h] = rows;
                rows = [
                    low(a, e),
                    high(a, e),
                    low(b, f),
                    high(b, f),
                    low(c, g),
                    high(c, g),
                    low(d, h),
                    high(d, h),
                ];
            }
            rows
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod eight {
    /// Eight numbers.
    #[derive(Clone, Copy)]
    pub struct Eight([i16; 8]);

    impl Eight {
        pub fn of(numbers: &[i16; 8]) -> Eight {
            Eight(*numbers)
        }
        pub fn numbers(self) -> [i16; 8] {
            self.0
        }
        pub fn plus(self, other: Eight) -> Eight {
            Eight(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
        }
        pub fn min(self, other: Eight) -> Eight {
            Eight(std::array::from_fn(|i| self.0[i].min(other.0[i])))
        }
        pub fn max(self, other: Eight) -> Eight {
            Eight(std::array::from_fn(|i| self.0[i].max(other.0[i])))
        }
        pub fn transposed(rows: [Eight; 8]) -> [Eight; 8] {
            std::array::from_fn(|i| Eight(std::array::from_fn(|j| rows[j].0[i])))
        }
    }
}
