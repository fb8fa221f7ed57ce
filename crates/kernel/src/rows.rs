//! One board with its rows in registers: the operations with which a single learner scores all
//! moves of a position at once. Eight squares of a row are eight 32-bit lanes; run sums go from row
//! to row as the sums of the lockstep kernel go from square to square.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod portable;

use super::single::Rules;
use super::tanh::Reals;

/// Runs of opposing discs next to an own disc: east, south, south-west, south-east, and then the
/// four opposite directions. Runs that follow columns may enter the last row, where they are not
/// read.
pub type Runs = [[u64; 4]; 2];

/// What a single learner asks of a CPU; used inside [`super::isa::Isa::run`].
pub trait Rows: Rules + Reals {
    /// Eight 32-bit integers.
    type Ints: Copy;
    /// What a score of 0 is kept as, for the sake of [`Rows::max_where`].
    const SCORE_0: i32;

    /// Finds the runs and returns the legal moves of a board. The runs go to memory that stays
    /// where it is: copied in pieces, they could not be read as soon as they are written.
    fn find(self, own: u64, opp: u64, runs: &mut Runs) -> u64;
    /// The hyperbolic tangents of two numbers, by [`super::tanh::tanh`].
    fn two_tanh(self, x: [f32; 2]) -> [f32; 2];
    /// Numbers as they are in memory.
    fn load(self, numbers: &[f32; 8]) -> Self::Reals;
    /// Numbers back to memory.
    fn store(self, reals: Self::Reals, numbers: &mut [f32; 8]);
    /// The nearest integers, the even one of two, of numbers below 2^31 in size.
    fn round(self, reals: Self::Reals) -> Self::Ints;

    /// Integers as they are in memory.
    fn load_ints(self, numbers: &[i32; 8]) -> Self::Ints;
    /// Integers back to memory.
    fn store_ints(self, ints: Self::Ints, numbers: &mut [i32; 8]);
    /// The nearest floats.
    fn to_reals(self, ints: Self::Ints) -> Self::Reals;
    /// a - b
    fn subtract(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// The same number in every lane.
    fn ints(self, number: i32) -> Self::Ints;
    /// a + b
    fn add(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// The sum of all lanes.
    fn total(self, a: Self::Ints) -> i32;
    /// The lanes one place up, the last to the first place.
    fn rotate_up(self, a: Self::Ints) -> Self::Ints;
    /// The lanes one place down, the first to the last place.
    fn rotate_down(self, a: Self::Ints) -> Self::Ints;
    /// Rows to columns.
    fn transpose(self, rows: [Self::Ints; 8]) -> [Self::Ints; 8];

    /// a + b on the squares of a row that are in the set, else 0; rows 1 to 6 only.
    fn add_where(self, set: &u64, row: usize, a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// A set as [`Rows::add_where_column`] reads it.
    fn columns(self, set: u64) -> Self::Ints;
    /// a + b on the squares of a column that are in the set, else 0.
    fn add_where_column(
        self,
        set: Self::Ints,
        column: usize,
        a: Self::Ints,
        b: Self::Ints,
    ) -> Self::Ints;
    /// Where a row has own and opposing discs, as [`Rows::signed`] and [`Rows::signed_twos`] read
    /// it.
    fn discs(self, own: &u64, opp: &u64, row: usize) -> Self::Ints;
    /// a for own, -a for opposing discs, else 0.
    fn signed(self, a: Self::Ints, discs: Self::Ints) -> Self::Ints;
    /// 2 for own, -2 for opposing discs, else 0.
    fn signed_twos(self, discs: Self::Ints) -> Self::Reals;

    /// The maximum of `best` and, on the squares of a row that are in the set, the scores `a`.
    fn max_where(self, set: &u64, row: usize, a: Self::Ints, best: Self::Ints) -> Self::Ints;
    /// The least for [`Rows::max_where`].
    fn no_score(self) -> Self::Ints;
    /// The largest score in every lane.
    fn largest(self, a: Self::Ints) -> Self::Ints;
    /// The first lane.
    fn first(self, a: Self::Ints) -> i32;
    /// The squares with this score.
    fn equal(self, scores: &[Self::Ints; 8], to: Self::Ints) -> u64;
}
