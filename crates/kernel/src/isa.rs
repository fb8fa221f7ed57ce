//! What the lockstep kernel asks of a CPU, in terms of Othello: registers that hold one bit of each
//! game, and registers that hold one sum of each game, of 16 or 32 bits.
//!
//! An implementation is a value that exists only where the CPU has its instructions, so that its
//! methods are safe to call. All are `#[inline(always)]` and are used inside [`Isa::run`], which is
//! compiled for the instructions.

use super::tanh::Reals;

/// Games whose sums are computed together; their bits are one 32-bit word of a [`Isa::Bits`].
pub const GROUP: usize = 32;

/// A value per square, row by row from a1.
pub type Grid<T> = [[T; 8]; 8];

/// Something to do inside [`Isa::run`]. Not a closure, because [`Work::work`] must be
/// `#[inline(always)]`: what is not inlined is compiled without the instructions.
pub trait Work {
    /// What comes out.
    type Output;
    /// Does it.
    fn work(self) -> Self::Output;
}

/// A square, and games on it whose sums are in one register.
#[derive(Clone, Copy)]
pub struct At {
    /// Row of the square.
    pub row: usize,
    /// Column of the square.
    pub column: usize,
    /// The group of games.
    pub group: usize,
    /// The register of the group.
    pub part: usize,
}

/// The operations of the lockstep kernel on one kind of CPU, with 16-bit sums.
pub trait Isa: Lanes<Isa = Self, Number = i16> + Send + Sync + 'static {
    /// Games in a batch: the bits of a [`Isa::Bits`].
    const GAMES: usize;
    /// Whether there are registers for a row's run sums in all four directions of a sweep.
    const MANY_REGISTERS: bool;
    /// One bit per game.
    type Bits: Copy;
    /// Bits in the form that [`Lanes::add_where`] reads fastest.
    type Runs: Copy;
    /// 32-bit sums.
    type Wide: WideLanes<Isa = Self>;

    /// The 32-bit sums of this CPU.
    fn wide(self) -> Self::Wide;

    /// Does work compiled for this CPU's instructions.
    fn run<W: Work>(self, work: W) -> W::Output;

    /// The same 64 bits for every 64 games.
    fn splat(self, word: u64) -> Self::Bits;
    /// The bits as 64-bit words: bit i of word k is game 64 k + i.
    fn words(bits: &Self::Bits) -> &[u64];
    /// The bits as 64-bit words.
    fn words_mut(bits: &mut Self::Bits) -> &mut [u64];
    /// a & b
    fn and(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// a | b
    fn or(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// a ^ b
    fn xor(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// a & !b
    fn and_not(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// a & (b | c)
    fn and_or(self, a: Self::Bits, b: Self::Bits, c: Self::Bits) -> Self::Bits;
    /// a | (b & c)
    fn or_and(self, a: Self::Bits, b: Self::Bits, c: Self::Bits) -> Self::Bits;
    /// a | b | c
    fn or3(self, a: Self::Bits, b: Self::Bits, c: Self::Bits) -> Self::Bits;
    /// Each 64-bit word shifted left.
    fn shl<const BY: i32>(self, a: Self::Bits) -> Self::Bits;
    /// Each 64-bit word shifted right.
    fn shr<const BY: i32>(self, a: Self::Bits) -> Self::Bits;
    /// Exchanges the bits of a outside the mask with the bits of b inside it, `BY` places lower.
    #[inline(always)]
    fn exchange<const BY: i32>(
        self,
        mask: Self::Bits,
        a: Self::Bits,
        b: Self::Bits,
    ) -> (Self::Bits, Self::Bits) {
        let differ = self.and(self.xor(self.shr::<BY>(a), b), mask);
        (self.xor(a, self.shl::<BY>(differ)), self.xor(b, differ))
    }
    /// Sums of 64-bit words.
    fn add64(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Low halves of the products of 64-bit words.
    fn mul64(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// All ones in the 64-bit words where a < b, both below 2^63.
    fn less64(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// For each 64-bit word of `sets` the member that the draw's high half picks; empty stays
    /// empty.
    fn pick(self, sets: Self::Bits, draws: Self::Bits) -> Self::Bits;

    /// Runs of no game.
    fn no_runs(self) -> Self::Runs;
    /// Prepares bits for [`Lanes::add_where`].
    fn spread(self, bits: Self::Bits, runs: &mut Self::Runs);
    /// Keeps bits where only [`Isa::gather`] will read them.
    fn keep(self, bits: Self::Bits, runs: &mut Self::Runs);
    /// The bits of the runs.
    fn gather(self, runs: &Self::Runs) -> Self::Bits;

    /// Puts the bits that [`Lanes::equal`] gave for all groups in the order of the games.
    #[inline(always)]
    fn in_order(self, bits: Self::Bits) -> Self::Bits {
        bits
    }
    /// The bits of one group.
    fn group(bits: &Self::Bits, group: usize) -> u32;
    /// Sets the bits of one group.
    fn set_group(bits: &mut Self::Bits, group: usize, value: u32);
}

/// Sums of the games of a batch, one each.
pub trait Lanes: Copy {
    /// The CPU.
    type Isa: Isa;
    /// A sum of one game.
    type Number: Copy;
    /// Registers that hold the sums of one group of games, at most 4.
    const PARTS: usize;
    /// A sum for each of `GROUP / PARTS` games.
    type Sums: Copy;

    /// The game of each sum of a group, counted register by register.
    fn game(sum: usize) -> usize;
    /// The sums as plain numbers.
    fn numbers_mut(sums: &mut [Self::Sums]) -> &mut [Self::Number];
    /// 0 for every game.
    fn zero(self) -> Self::Sums;
    /// The least sum, for every game.
    fn least(self) -> Self::Sums;
    /// a + b
    fn add(self, a: Self::Sums, b: Self::Sums) -> Self::Sums;
    /// a / 2 for even a
    fn half(self, a: Self::Sums) -> Self::Sums;
    /// a + b in the games whose bit is set, else 0. Not for corners, where no run passes.
    fn add_where(
        self,
        runs: &Grid<<Self::Isa as Isa>::Runs>,
        at: At,
        a: Self::Sums,
        b: Self::Sums,
    ) -> Self::Sums;
    /// The maximum of `best` and, in the games whose bit is set, `a`.
    fn max_where(
        self,
        runs: &Grid<<Self::Isa as Isa>::Runs>,
        at: At,
        a: Self::Sums,
        best: Self::Sums,
    ) -> Self::Sums;
    /// One bit for each game of a group, whose sums are in `PARTS` registers: is a equal to b? The
    /// bits come in an order that [`Isa::in_order`] knows.
    fn equal(self, a: impl Fn(usize) -> Self::Sums, b: impl Fn(usize) -> Self::Sums) -> u32;
}

/// 32-bit sums, and floats to learn with.
pub trait WideLanes: Lanes<Number = i32> {
    /// Floats in registers of as many lanes.
    type Floats: Reals;

    /// Where the discs of the games of a register are on some square.
    type Discs: Copy;

    /// The arithmetic of the floats.
    fn floats(self) -> Self::Floats;
    /// The floats as plain numbers.
    fn floats_mut(floats: &mut [Real<Self>]) -> &mut [f32];
    /// The nearest integers, the even one of two, of numbers below 2^31 in size.
    fn round(self, floats: Real<Self>) -> Self::Sums;
    /// The nearest floats.
    fn to_floats(self, sums: Self::Sums) -> Real<Self>;
    /// a in the games of a register whose bit is set, else 0.
    fn float_where(
        self,
        bits: &<Self::Isa as Isa>::Bits,
        group: usize,
        part: usize,
        a: Real<Self>,
    ) -> Real<Self>;
    /// Reads the discs of a square; it must be said whether it is the `LAST`, h8.
    fn discs<const LAST: bool>(
        self,
        own: &Grid<<Self::Isa as Isa>::Bits>,
        opp: &Grid<<Self::Isa as Isa>::Bits>,
        at: At,
    ) -> Self::Discs;
    /// sum + a for own, sum - a for opposing discs, else sum.
    fn add_signed(self, sum: Self::Sums, a: Self::Sums, discs: Self::Discs) -> Self::Sums;
    /// from + 2 half for own, from - 2 half for opposing discs, else from, which is not -0.
    fn step_signed(self, from: Real<Self>, half: Real<Self>, discs: Self::Discs) -> Real<Self>;
}

/// A register of floats.
pub type Real<L> = <<L as WideLanes>::Floats as Reals>::Reals;
