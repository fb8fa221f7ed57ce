//! The lockstep kernel in plain Rust: arrays the size of SSE2 registers, which every x86-64 CPU
//! (and NEON on others) has, left to the compiler. The twin that the other kernels are checked
//! against.

use super::isa::{At, Grid, Isa, Lanes, Work};
use super::rules::{self, nth_bit};
use super::single::Rules;
use super::wide::portable::Wide;

#[derive(Clone, Copy)]
pub struct Portable;

impl Portable {
    /// # Safety
    ///
    /// Any CPU will do.
    pub unsafe fn assume() -> Portable {
        Portable
    }
}

type Bits = [u64; 2];
/// Aligned, so that sums can be added straight from memory.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Sums([i16; 8]);

/// Apart from its caller, as the work of the other kernels is.
#[inline(never)]
fn with_any_cpu<W: Work>(work: W) -> W::Output {
    work.work()
}

#[inline(always)]
fn lanes(f: impl Fn(usize) -> i16) -> Sums {
    Sums(std::array::from_fn(f))
}

#[inline(always)]
fn each(f: impl Fn(usize) -> u64) -> Bits {
    [f(0), f(1)]
}

/// The bits of 128 games, and the same spread: for each group its bits in every pair of lanes.
#[derive(Clone, Copy)]
pub struct Runs {
    spread: [Sums; 4],
    bits: Bits,
}

/// Lanes in pairs: bits of the lower and of the upper half of the group's 32, four of each per
/// part.
#[inline(always)]
fn game(sum: usize) -> usize {
    let (part, lane) = (sum / 8, sum % 8);
    4 * part + lane / 2 + 16 * (lane % 2)
}

/// The bit that each lane of a part tests.
#[inline(always)]
fn lane_bits(part: usize) -> Sums {
    lanes(|lane| 1 << (game(8 * part + lane) % 16))
}

/// All ones for the games whose bit is set.
#[inline(always)]
fn mask(runs: &Grid<Runs>, at: At) -> Sums {
    let (words, bits) = (&runs[at.row][at.column].spread[at.group], lane_bits(at.part));
    lanes(|i| if words.0[i] & bits.0[i] == bits.0[i] { -1 } else { 0 })
}

impl Rules for Portable {
    #[inline(always)]
    fn moves(self, own: u64, opp: u64) -> u64 {
        rules::moves(own, opp)
    }
    #[inline(always)]
    fn flips(self, own: u64, opp: u64, at: u64) -> u64 {
        rules::flips(own, opp, at)
    }
}

impl Isa for Portable {
    const GAMES: usize = 128;
    const MANY_REGISTERS: bool = false;
    type Bits = Bits;
    type Runs = Runs;
    type Wide = Wide;

    #[inline(always)]
    fn wide(self) -> Wide {
        Wide(self)
    }
    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        with_any_cpu(work)
    }
    #[inline(always)]
    fn splat(self, word: u64) -> Bits {
        [word; 2]
    }
    #[inline(always)]
    fn words(bits: &Bits) -> &[u64] {
        bits
    }
    #[inline(always)]
    fn words_mut(bits: &mut Bits) -> &mut [u64] {
        bits
    }
    #[inline(always)]
    fn and(self, a: Bits, b: Bits) -> Bits {
        each(|i| a[i] & b[i])
    }
    #[inline(always)]
    fn or(self, a: Bits, b: Bits) -> Bits {
        each(|i| a[i] | b[i])
    }
    #[inline(always)]
    fn xor(self, a: Bits, b: Bits) -> Bits {
        each(|i| a[i] ^ b[i])
    }
    #[inline(always)]
    fn and_not(self, a: Bits, b: Bits) -> Bits {
        each(|i| a[i] & !b[i])
    }
    #[inline(always)]
    fn and_or(self, a: Bits, b: Bits, c: Bits) -> Bits {
        each(|i| a[i] & (b[i] | c[i]))
    }
    #[inline(always)]
    fn or_and(self, a: Bits, b: Bits, c: Bits) -> Bits {
        each(|i| a[i] | (b[i] & c[i]))
    }
    #[inline(always)]
    fn or3(self, a: Bits, b: Bits, c: Bits) -> Bits {
        each(|i| a[i] | b[i] | c[i])
    }
    #[inline(always)]
    fn shl<const BY: i32>(self, a: Bits) -> Bits {
        each(|i| a[i] << BY)
    }
    #[inline(always)]
    fn shr<const BY: i32>(self, a: Bits) -> Bits {
        each(|i| a[i] >> BY)
    }
    #[inline(always)]
    fn add64(self, a: Bits, b: Bits) -> Bits {
        each(|i| a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn mul64(self, a: Bits, b: Bits) -> Bits {
        each(|i| a[i].wrapping_mul(b[i]))
    }
    #[inline(always)]
    fn less64(self, a: Bits, b: Bits) -> Bits {
        each(|i| u64::from(a[i] < b[i]).wrapping_neg())
    }
    #[inline(always)]
    fn pick(self, sets: Bits, draws: Bits) -> Bits {
        each(|i| {
            let n = u64::from(sets[i].count_ones());
            if n == 0 { 0 } else { nth_bit(sets[i], (((draws[i] >> 32) * n) >> 32) as u32) }
        })
    }
    #[inline(always)]
    fn no_runs(self) -> Runs {
        Runs { spread: [Sums([0; 8]); 4], bits: [0; 2] }
    }
    #[inline(always)]
    fn spread(self, bits: Bits, runs: &mut Runs) {
        self.keep(bits, runs);
        for (group, words) in runs.spread.iter_mut().enumerate() {
            let bits = Self::group(&bits, group);
            *words = lanes(|i| (bits >> (16 * (i % 2))) as i16);
        }
    }
    #[inline(always)]
    fn keep(self, bits: Bits, runs: &mut Runs) {
        runs.bits = bits;
    }
    #[inline(always)]
    fn gather(self, runs: &Runs) -> Bits {
        runs.bits
    }
    #[inline(always)]
    fn group(bits: &Bits, group: usize) -> u32 {
        (bits[group / 2] >> (32 * (group % 2))) as u32
    }
    #[inline(always)]
    fn set_group(bits: &mut Bits, group: usize, value: u32) {
        let shift = 32 * (group % 2);
        let word = &mut bits[group / 2];
        *word = (*word & !(0xffff_ffff << shift)) | (u64::from(value) << shift);
    }
}

impl Lanes for Portable {
    type Isa = Portable;
    type Number = i16;
    const PARTS: usize = 4;
    type Sums = Sums;

    #[inline(always)]
    fn game(sum: usize) -> usize {
        game(sum)
    }
    #[inline(always)]
    fn numbers_mut(sums: &mut [Sums]) -> &mut [i16] {
        // SAFETY: 16 bytes each without padding, aligned for i16, any bits are numbers.
        unsafe { std::slice::from_raw_parts_mut(sums.as_mut_ptr().cast(), 8 * sums.len()) }
    }
    #[inline(always)]
    fn zero(self) -> Sums {
        Sums([0; 8])
    }
    #[inline(always)]
    fn least(self) -> Sums {
        Sums([i16::MIN; 8])
    }
    #[inline(always)]
    fn add(self, a: Sums, b: Sums) -> Sums {
        lanes(|i| a.0[i].wrapping_add(b.0[i]))
    }
    #[inline(always)]
    fn half(self, a: Sums) -> Sums {
        lanes(|i| a.0[i] >> 1)
    }
    #[inline(always)]
    fn add_where(self, runs: &Grid<Runs>, at: At, a: Sums, b: Sums) -> Sums {
        let mask = mask(runs, at);
        lanes(|i| a.0[i].wrapping_add(b.0[i]) & mask.0[i])
    }
    #[inline(always)]
    fn max_where(self, runs: &Grid<Runs>, at: At, a: Sums, best: Sums) -> Sums {
        let mask = mask(runs, at);
        lanes(|i| best.0[i].max((a.0[i] & mask.0[i]) | (i16::MIN & !mask.0[i])))
    }
    #[inline(always)]
    fn equal(self, a: impl Fn(usize) -> Sums, b: impl Fn(usize) -> Sums) -> u32 {
        let mut equal = Sums([0; 8]);
        for part in 0..4 {
            let (a, b, bits) = (a(part), b(part), lane_bits(part));
            equal = lanes(|i| equal.0[i] | if a.0[i] == b.0[i] { bits.0[i] } else { 0 });
        }
        // Without the black box the compiler works bit by bit, at ten times the cost.
        let equal = std::hint::black_box(equal);
        // SAFETY: eight numbers of 16 bits are two of 64 bits, whatever they are.
        let [low, high] = unsafe { std::mem::transmute::<Sums, [u64; 2]>(equal) };
        let pairs = low | high;
        let bits = (pairs | pairs >> 32) as u32;
        if cfg!(target_endian = "big") { bits.rotate_left(16) } else { bits }
    }
}
