//! The sweeps of the lockstep kernel over the board: runs, flips along them, sums of weights on
//! them. A sweep goes forwards from a1 or, turned by 180 degrees, backwards from h8, and follows
//! four directions: along the row, and from the row before straight on and from both sides.

use super::isa::{At, Grid, Isa, Lanes};

/// No game can be asked for a move on the four squares where it starts. They are left out where
/// rows are unrolled, and the compiler knows them.
#[inline(always)]
pub fn is_left_out<I: Isa>(row: usize, column: usize) -> bool {
    I::MANY_REGISTERS && (row == 3 || row == 4) && (column == 3 || column == 4)
}

/// Does something for each column of a row, with constants: not every loop of eight is unrolled by
/// the compiler, and only then the columns of a row stay in registers.
macro_rules! each_column {
    ($column:ident => $body:block) => {
        each_column!($column => $body, 0, 1, 2, 3, 4, 5, 6, 7)
    };
    ($column:ident => $body:block, $($number:literal),*) => {$({
        let $column: usize = $number;
        $body
    })*};
}

pub(super) use each_column;

/// Runs in the directions of one sweep: along the row and from the row swept before. `BACK` turns
/// the board by 180 degrees. Calls `end` for every square with the games in which a run ends before
/// it.
#[inline(always)]
pub fn sweep_runs<I: Isa, const BACK: bool, const SCORED: bool>(
    isa: I,
    own: &Grid<I::Bits>,
    opp: &Grid<I::Bits>,
    runs: &mut [Grid<I::Runs>; 4],
    mut end: impl FnMut(usize, usize, I::Bits),
) {
    row_of_runs::<I, true, BACK, SCORED>(isa, 0, own, opp, runs, &mut end);
    for row in 1..7 {
        row_of_runs::<I, false, BACK, SCORED>(isa, row, own, opp, runs, &mut end);
    }
    row_of_runs::<I, true, BACK, SCORED>(isa, 7, own, opp, runs, &mut end);
}

/// One row of [`sweep_runs`]. The runs of the row before are read where they were stored: carried
/// along they would not fit in registers. On an `EDGE` of the board only runs along the row go on;
/// no others are ever stored there, so that the first row can take itself for the row before.
#[inline(always)]
fn row_of_runs<I: Isa, const EDGE: bool, const BACK: bool, const SCORED: bool>(
    isa: I,
    row: usize,
    own: &Grid<I::Bits>,
    opp: &Grid<I::Bits>,
    [along, right, straight, left]: &mut [Grid<I::Runs>; 4],
    end: &mut impl FnMut(usize, usize, I::Bits),
) {
    let turn = |i: usize| if BACK { 7 - i } else { i };
    let r = turn(row);
    let before = turn(row.max(1) - 1);
    let mut run = isa.splat(0);
    each_column!(column => {
        let c = turn(column);
        let inner = (1..=6).contains(&column);
        let from_straight = isa.gather(&straight[before][c]);
        let mut ends = from_straight;
        if column >= 2 {
            ends = isa.or3(ends, run, isa.gather(&right[before][turn(column - 1)]));
        }
        if column <= 5 {
            ends = isa.or(ends, isa.gather(&left[before][turn(column + 1)]));
        }
        end(r, c, ends);
        let through = opp[r][c];
        if inner {
            run = isa.and_or(through, run, own[r][turn(column - 1)]);
            put::<I, SCORED>(isa, run, &mut along[r][c]);
        }
        if !EDGE {
            let next = isa.and_or(through, from_straight, own[before][c]);
            put::<I, SCORED>(isa, next, &mut straight[r][c]);
        }
        if !EDGE && inner {
            for (runs, from) in [(&mut *right, column - 1), (&mut *left, column + 1)] {
                let from_before = isa.gather(&runs[before][turn(from)]);
                let next = isa.and_or(through, from_before, own[before][turn(from)]);
                put::<I, SCORED>(isa, next, &mut runs[r][c]);
            }
        }
    });
}

/// Stores bits as runs; without scoring only [`Isa::gather`] reads them.
#[inline(always)]
fn put<I: Isa, const SCORED: bool>(isa: I, bits: I::Bits, runs: &mut I::Runs) {
    if SCORED { isa.spread(bits, runs) } else { isa.keep(bits, runs) }
}

/// Carries the chosen moves back along the runs that end at them. `BACK` sweeps from h8 to a1, for
/// the runs that were found from a1 to h8.
#[inline(always)]
pub fn sweep_flips<I: Isa, const BACK: bool>(
    isa: I,
    runs: &[Grid<I::Runs>; 4],
    chosen: &Grid<I::Bits>,
    mut turned: impl FnMut(usize, usize, I::Bits),
) {
    let mut from = [[isa.splat(0); 8]; 3];
    row_of_flips::<I, true, BACK>(isa, 0, runs, chosen, &mut from, &mut turned);
    for row in 1..7 {
        row_of_flips::<I, false, BACK>(isa, row, runs, chosen, &mut from, &mut turned);
    }
    row_of_flips::<I, true, BACK>(isa, 7, runs, chosen, &mut from, &mut turned);
}

/// One row of [`sweep_flips`]. `from` holds the flips of the row before, from the right, straight
/// and from the left, and then those of this row.
#[inline(always)]
#[allow(unused_assignments, reason = "nothing follows the last column")]
fn row_of_flips<I: Isa, const EDGE: bool, const BACK: bool>(
    isa: I,
    row: usize,
    [along, right, straight, left]: &[Grid<I::Runs>; 4],
    chosen: &Grid<I::Bits>,
    [from_right, from_straight, from_left]: &mut [[I::Bits; 8]; 3],
    turned: &mut impl FnMut(usize, usize, I::Bits),
) {
    let turn = |i: usize| if BACK { 7 - i } else { i };
    let r = turn(row);
    let before = turn(row.max(1) - 1);
    let mut flip = isa.splat(0);
    // Column 0 is never reached from the right.
    let mut came_right = isa.splat(0);
    each_column!(column => {
        let c = turn(column);
        let inner = (1..=6).contains(&column);
        let mut flips = isa.splat(0);
        if inner {
            flip = isa.and_or(isa.gather(&along[r][c]), flip, chosen[r][turn(column - 1)]);
            flips = flip;
        }
        if !EDGE {
            let through = isa.gather(&straight[r][c]);
            let next = isa.and_or(through, from_straight[column], chosen[before][c]);
            from_straight[column] = next;
            flips = isa.or(flips, next);
        }
        if !EDGE && inner {
            let through = isa.gather(&right[r][c]);
            let next_right = isa.and_or(through, came_right, chosen[before][turn(column - 1)]);
            came_right = std::mem::replace(&mut from_right[column], next_right);
            let through = isa.gather(&left[r][c]);
            let by_left = chosen[before][turn(column + 1)];
            from_left[column] = isa.and_or(through, from_left[column + 1], by_left);
            flips = isa.or3(flips, next_right, from_left[column]);
        }
        turned(r, c, flips);
    });
}

/// Run sums on their way over the board. `BACK` turns it by 180 degrees; a sweep follows straight
/// `LINES`, `DIAGONALS` or both.
pub struct Sweep<'a, L: Lanes> {
    pub lanes: L,
    pub runs: &'a [[Grid<<L::Isa as Isa>::Runs>; 4]; 2],
    pub weights: &'a Grid<L::Sums>,
    pub scores: &'a mut Grid<L::Sums>,
    pub group: usize,
    pub part: usize,
}

impl<L: Lanes> Sweep<'_, L> {
    /// Scores all moves of one register of games, legal or not.
    #[inline(always)]
    pub fn score(&mut self) {
        if L::Isa::MANY_REGISTERS {
            self.run::<false, true, true>();
            self.run::<true, true, true>();
        } else {
            self.run::<false, true, false>();
            self.run::<false, false, true>();
            self.run::<true, true, false>();
            self.run::<true, false, true>();
        }
    }

    #[inline(always)]
    fn run<const BACK: bool, const LINES: bool, const DIAGONALS: bool>(&mut self) {
        let mut sums = [[self.lanes.zero(); 8]; 3];
        self.row::<true, BACK, LINES, DIAGONALS>(0, &mut sums);
        if L::Isa::MANY_REGISTERS {
            // Rows known to the compiler save some instructions.
            self.row::<false, BACK, LINES, DIAGONALS>(1, &mut sums);
            self.row::<false, BACK, LINES, DIAGONALS>(2, &mut sums);
            self.row::<false, BACK, LINES, DIAGONALS>(3, &mut sums);
            self.row::<false, BACK, LINES, DIAGONALS>(4, &mut sums);
            self.row::<false, BACK, LINES, DIAGONALS>(5, &mut sums);
            self.row::<false, BACK, LINES, DIAGONALS>(6, &mut sums);
        } else {
            // Unrolled, the code would not fit in the cache of decoded instructions.
            for row in 1..7 {
                self.row::<false, BACK, LINES, DIAGONALS>(row, &mut sums);
            }
        }
        self.row::<true, BACK, LINES, DIAGONALS>(7, &mut sums);
    }

    /// One row of a sweep: takes the run sums of the row before (from the right, straight, from the
    /// left) and leaves those of this row. From an `EDGE` of the board no run goes on to another
    /// row.
    #[inline(always)]
    #[allow(unused_assignments, reason = "nothing follows the last column")]
    fn row<const EDGE: bool, const BACK: bool, const LINES: bool, const DIAGONALS: bool>(
        &mut self,
        row: usize,
        [from_right, from_straight, from_left]: &mut [[L::Sums; 8]; 3],
    ) {
        let lanes = self.lanes;
        let turn = |i: usize| if BACK { 7 - i } else { i };
        let [along, right, straight, left] = &self.runs[usize::from(BACK)];
        let r = turn(row);
        let mut sum = lanes.zero();
        // Column 0 is never reached from the right.
        let mut came_right = lanes.zero();
        each_column!(column => {
            let c = turn(column);
            let at = At { row: r, column: c, group: self.group, part: self.part };
            let weight = self.weights[r][c];
            if !is_left_out::<L::Isa>(r, c) {
                let first = !BACK && LINES;
                let mut score = if first { lanes.half(weight) } else { self.scores[r][c] };
                if LINES && column >= 2 {
                    score = lanes.add(score, sum);
                }
                let reached = if L::Isa::MANY_REGISTERS { row >= 2 } else { row >= 1 };
                if LINES && reached {
                    score = lanes.add(score, from_straight[column]);
                }
                if DIAGONALS && reached && column >= 2 {
                    score = lanes.add(score, came_right);
                }
                if DIAGONALS && reached && column <= 5 {
                    score = lanes.add(score, from_left[column + 1]);
                }
                self.scores[r][c] = score;
            }
            let add = |runs, sum| lanes.add_where(runs, at, sum, weight);
            let inner = (1..=6).contains(&column);
            if LINES && inner {
                sum = add(along, sum);
            }
            if LINES && !EDGE {
                from_straight[column] = add(straight, from_straight[column]);
            }
            if DIAGONALS && !EDGE && inner {
                let next_right = add(right, came_right);
                came_right = std::mem::replace(&mut from_right[column], next_right);
                from_left[column] = add(left, from_left[column + 1]);
            } else if DIAGONALS {
                came_right = from_right[column];
            }
        });
    }
}
