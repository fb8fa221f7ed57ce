//! 32-bit sums of eight games, two registers of SSE2, left to the compiler.

use crate::isa::{At, Grid, Isa, Lanes, WideLanes};
use crate::portable::{Portable, Runs};
use crate::rows::portable::{Eight, eight, round};

/// 32-bit sums in plain Rust.
#[derive(Clone, Copy)]
pub struct Wide(pub Portable);

/// All ones for the games of a part whose bit is set.
#[inline(always)]
fn members(bits: &[u64; 2], group: usize, part: usize) -> Eight<i32> {
    let word = Portable::group(bits, group) >> (8 * part);
    eight(|i| if word & (1 << i) != 0 { -1 } else { 0 })
}

#[inline(always)]
fn run_members(runs: &Grid<Runs>, at: At) -> Eight<i32> {
    members(&Portable.gather(&runs[at.row][at.column]), at.group, at.part)
}

impl Lanes for Wide {
    type Isa = Portable;
    type Number = i32;
    const PARTS: usize = 4;
    type Sums = Eight<i32>;

    #[inline(always)]
    fn game(sum: usize) -> usize {
        sum
    }
    #[inline(always)]
    fn numbers_mut(sums: &mut [Eight<i32>]) -> &mut [i32] {
        // SAFETY: 32 bytes each without padding, aligned for i32, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(sums.as_mut_ptr().cast(), 8 * sums.len()) }
    }
    #[inline(always)]
    fn zero(self) -> Eight<i32> {
        Eight([0; 8])
    }
    #[inline(always)]
    fn least(self) -> Eight<i32> {
        Eight([i32::MIN; 8])
    }
    #[inline(always)]
    fn add(self, a: Eight<i32>, b: Eight<i32>) -> Eight<i32> {
        eight(|i| a.0[i].wrapping_add(b.0[i]))
    }
    #[inline(always)]
    fn half(self, a: Eight<i32>) -> Eight<i32> {
        eight(|i| a.0[i] >> 1)
    }
    #[inline(always)]
    fn add_where(self, runs: &Grid<Runs>, at: At, a: Eight<i32>, b: Eight<i32>) -> Eight<i32> {
        let members = run_members(runs, at);
        eight(|i| a.0[i].wrapping_add(b.0[i]) & members.0[i])
    }
    #[inline(always)]
    fn max_where(self, runs: &Grid<Runs>, at: At, a: Eight<i32>, best: Eight<i32>) -> Eight<i32> {
        let members = run_members(runs, at);
        eight(|i| best.0[i].max((a.0[i] & members.0[i]) | (i32::MIN & !members.0[i])))
    }
    #[inline(always)]
    fn equal(self, a: impl Fn(usize) -> Eight<i32>, b: impl Fn(usize) -> Eight<i32>) -> u32 {
        let mut equal = Eight([0; 8]);
        for part in 0..4 {
            let (a, b) = (a(part), b(part));
            equal = eight(|i| {
                let bit = 1 << (8 * part + i);
                equal.0[i] | if a.0[i] == b.0[i] { bit } else { 0 }
            });
        }
        // Without the black box the compiler works bit by bit.
        std::hint::black_box(equal).0.into_iter().fold(0, |bits, lane: u32| bits | lane)
    }
}

impl WideLanes for Wide {
    type Floats = Portable;
    /// -1 for own, 1 for opposing discs, else 0.
    type Discs = (Eight<i32>, Eight<i32>);

    #[inline(always)]
    fn floats(self) -> Portable {
        self.0
    }
    #[inline(always)]
    fn floats_mut(floats: &mut [Eight<f32>]) -> &mut [f32] {
        // SAFETY: 32 bytes each without padding, aligned for f32, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(floats.as_mut_ptr().cast(), 8 * floats.len()) }
    }
    #[inline(always)]
    fn round(self, floats: Eight<f32>) -> Eight<i32> {
        round(floats)
    }
    #[inline(always)]
    fn to_floats(self, sums: Eight<i32>) -> Eight<f32> {
        eight(|i| sums.0[i] as f32)
    }
    #[inline(always)]
    fn float_where(self, bits: &[u64; 2], group: usize, part: usize, a: Eight<f32>) -> Eight<f32> {
        let members = members(bits, group, part);
        eight(|i| f32::from_bits(a.0[i].to_bits() & members.0[i] as u32))
    }
    #[inline(always)]
    fn discs<const LAST: bool>(
        self,
        own: &Grid<[u64; 2]>,
        opp: &Grid<[u64; 2]>,
        at: At,
    ) -> (Eight<i32>, Eight<i32>) {
        (
            members(&own[at.row][at.column], at.group, at.part),
            members(&opp[at.row][at.column], at.group, at.part),
        )
    }
    #[inline(always)]
    fn add_signed(
        self,
        sum: Eight<i32>,
        a: Eight<i32>,
        (own, opp): (Eight<i32>, Eight<i32>),
    ) -> Eight<i32> {
        eight(|i| sum.0[i].wrapping_add(a.0[i] & own.0[i]).wrapping_sub(a.0[i] & opp.0[i]))
    }
    #[inline(always)]
    fn step_signed(
        self,
        from: Eight<f32>,
        half: Eight<f32>,
        (own, opp): (Eight<i32>, Eight<i32>),
    ) -> Eight<f32> {
        eight(|i| {
            let by = (half.0[i] + half.0[i]).to_bits();
            let own = f32::from_bits(by & own.0[i] as u32);
            from.0[i] + own - f32::from_bits(by & opp.0[i] as u32)
        })
    }
}
