//! Rows in plain Rust, left to the compiler.

use super::{Rows, Runs};
use crate::portable::Portable;
use crate::rules;
use crate::tanh::{Plain, Reals, tanh};

/// Aligned, so that numbers can be added straight from memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Eight<T>(pub [T; 8]);

#[inline(always)]
pub fn eight<T>(f: impl Fn(usize) -> T) -> Eight<T> {
    Eight(std::array::from_fn(f))
}

/// All ones on the squares of a row that are in the set.
#[inline(always)]
fn members(set: u64, row: usize) -> Eight<i32> {
    let byte = (set >> (8 * row)) as i32;
    eight(|i| if byte & (1 << i) != 0 { -1 } else { 0 })
}

impl Reals for Portable {
    type Reals = Eight<f32>;

    #[inline(always)]
    fn real(self, number: f32) -> Eight<f32> {
        Eight([number; 8])
    }
    #[inline(always)]
    fn plus(self, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| a.0[i] + b.0[i])
    }
    #[inline(always)]
    fn minus(self, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| a.0[i] - b.0[i])
    }
    #[inline(always)]
    fn times(self, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| a.0[i] * b.0[i])
    }
    #[inline(always)]
    fn over(self, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| a.0[i] / b.0[i])
    }
    #[inline(always)]
    fn lesser(self, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| Plain.lesser(a.0[i], b.0[i]))
    }
    #[inline(always)]
    fn greater(self, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| Plain.greater(a.0[i], b.0[i]))
    }
    #[inline(always)]
    fn scale(self, a: Eight<f32>, b: Eight<f32>) -> Eight<f32> {
        eight(|i| Plain.scale(a.0[i], b.0[i]))
    }
}

/// The nearest integers, the even one of two, of numbers below 2^31 in size.
#[inline(always)]
pub fn round(reals: Eight<f32>) -> Eight<i32> {
    // With a double this large the integer is in the low bits.
    const LARGE: f64 = 6_755_399_441_055_744.0;
    eight(|i| (f64::from(reals.0[i]) + LARGE).to_bits() as i32)
}

impl Rows for Portable {
    type Ints = Eight<i32>;
    const SCORE_0: i32 = 0;

    #[inline(always)]
    fn find(self, own: u64, opp: u64, runs: &mut Runs) -> u64 {
        *runs = rules::runs(own, opp);
        rules::ends(*runs) & !(own | opp)
    }
    #[inline(always)]
    fn two_tanh(self, x: [f32; 2]) -> [f32; 2] {
        x.map(|x| tanh(Plain, x))
    }
    #[inline(always)]
    fn load(self, numbers: &[f32; 8]) -> Eight<f32> {
        Eight(*numbers)
    }
    #[inline(always)]
    fn store(self, reals: Eight<f32>, numbers: &mut [f32; 8]) {
        *numbers = reals.0;
    }
    #[inline(always)]
    fn round(self, reals: Eight<f32>) -> Eight<i32> {
        round(reals)
    }
    #[inline(always)]
    fn load_ints(self, numbers: &[i32; 8]) -> Eight<i32> {
        Eight(*numbers)
    }
    #[inline(always)]
    fn store_ints(self, ints: Eight<i32>, numbers: &mut [i32; 8]) {
        *numbers = ints.0;
    }
    #[inline(always)]
    fn to_reals(self, ints: Eight<i32>) -> Eight<f32> {
        eight(|i| ints.0[i] as f32)
    }
    #[inline(always)]
    fn subtract(self, a: Eight<i32>, b: Eight<i32>) -> Eight<i32> {
        eight(|i| a.0[i].wrapping_sub(b.0[i]))
    }
    #[inline(always)]
    fn ints(self, number: i32) -> Eight<i32> {
        Eight([number; 8])
    }
    #[inline(always)]
    fn add(self, a: Eight<i32>, b: Eight<i32>) -> Eight<i32> {
        eight(|i| a.0[i].wrapping_add(b.0[i]))
    }
    #[inline(always)]
    fn total(self, a: Eight<i32>) -> i32 {
        a.0.iter().fold(0, |sum, &number| sum.wrapping_add(number))
    }
    #[inline(always)]
    fn rotate_up(self, a: Eight<i32>) -> Eight<i32> {
        eight(|i| a.0[(i + 7) % 8])
    }
    #[inline(always)]
    fn rotate_down(self, a: Eight<i32>) -> Eight<i32> {
        eight(|i| a.0[(i + 1) % 8])
    }
    #[inline(always)]
    fn transpose(self, rows: [Eight<i32>; 8]) -> [Eight<i32>; 8] {
        std::array::from_fn(|i| eight(|j| rows[j].0[i]))
    }
    #[inline(always)]
    fn add_where(self, set: &u64, row: usize, a: Eight<i32>, b: Eight<i32>) -> Eight<i32> {
        let members = members(*set, row);
        eight(|i| a.0[i].wrapping_add(b.0[i]) & members.0[i])
    }
    #[inline(always)]
    fn columns(self, set: u64) -> Eight<i32> {
        eight(|i| i32::from(set.to_le_bytes()[i]))
    }
    #[inline(always)]
    fn add_where_column(
        self,
        set: Eight<i32>,
        column: usize,
        a: Eight<i32>,
        b: Eight<i32>,
    ) -> Eight<i32> {
        eight(|i| {
            let member = if set.0[i] & (1 << column) != 0 { -1 } else { 0 };
            a.0[i].wrapping_add(b.0[i]) & member
        })
    }
    #[inline(always)]
    fn discs(self, own: &u64, opp: &u64, row: usize) -> Eight<i32> {
        let (own, opp) = (members(*own, row), members(*opp, row));
        eight(|i| opp.0[i] - own.0[i])
    }
    #[inline(always)]
    fn signed(self, a: Eight<i32>, discs: Eight<i32>) -> Eight<i32> {
        // SSE2 cannot multiply.
        eight(|i| {
            let (negative, some) = (discs.0[i] >> 1, -(discs.0[i] & 1));
            ((a.0[i] ^ negative) - negative) & some
        })
    }
    #[inline(always)]
    fn signed_twos(self, discs: Eight<i32>) -> Eight<f32> {
        eight(|i| (2 * discs.0[i]) as f32)
    }
    #[inline(always)]
    fn max_where(self, set: &u64, row: usize, a: Eight<i32>, best: Eight<i32>) -> Eight<i32> {
        let members = members(*set, row);
        eight(|i| best.0[i].max((a.0[i] & members.0[i]) | (i32::MIN & !members.0[i])))
    }
    #[inline(always)]
    fn no_score(self) -> Eight<i32> {
        Eight([i32::MIN; 8])
    }
    #[inline(always)]
    fn largest(self, a: Eight<i32>) -> Eight<i32> {
        Eight([a.0.into_iter().fold(i32::MIN, i32::max); 8])
    }
    #[inline(always)]
    fn first(self, a: Eight<i32>) -> i32 {
        a.0[0]
    }
    #[inline(always)]
    fn equal(self, scores: &[Eight<i32>; 8], to: Eight<i32>) -> u64 {
        let row = |row: usize| (0..8).map(|i| u64::from(scores[row].0[i] == to.0[i]) << i).sum();
        (0..8)
            .map(|r| -> u64 {
                let bits: u64 = row(r);
                bits << (8 * r)
            })
            .sum()
    }
}
