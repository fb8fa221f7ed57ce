//! Moves and flips of one board in plain integer code: what every other kernel is checked against.
//!
//! A board is two 64-bit sets, a1 = bit 0, h1 = bit 7, h8 = bit 63: the discs of the side to move
//! (`own`) and the others (`opp`).

/// Files b to g: horizontal and diagonal runs of opposing discs cannot include the outer files,
/// which also keeps shifts from wrapping around the board's edge.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Follows runs of `through` from `from` in one direction (parallel prefix, runs of up to six).
macro_rules! flood {
    ($from:expr, $through:expr, $shift:tt, $by:expr) => {{
        let mut run = $through & ($from $shift $by);
        run |= $through & (run $shift $by);
        let pairs = $through & ($through $shift $by);
        run |= pairs & (run $shift (2 * $by));
        run | (pairs & (run $shift (2 * $by)))
    }};
}

/// Runs of opposing discs next to an own disc: east, south, south-west, south-east, and then the
/// four opposite directions.
#[inline]
pub fn runs(own: u64, opp: u64) -> [[u64; 4]; 2] {
    let inner = opp & INNER_FILES;
    [
        [
            flood!(own, inner, <<, 1),
            flood!(own, opp, <<, 8),
            flood!(own, inner, <<, 7),
            flood!(own, inner, <<, 9),
        ],
        [
            flood!(own, inner, >>, 1),
            flood!(own, opp, >>, 8),
            flood!(own, inner, >>, 7),
            flood!(own, inner, >>, 9),
        ],
    ]
}

/// The squares behind the ends of runs.
#[inline]
pub fn ends([forth, back]: [[u64; 4]; 2]) -> u64 {
    (forth[0] << 1 | forth[1] << 8 | forth[2] << 7 | forth[3] << 9)
        | (back[0] >> 1 | back[1] >> 8 | back[2] >> 7 | back[3] >> 9)
}

/// The legal moves: empty squares at the end of a run of opposing discs that starts at an own disc.
#[inline]
pub fn moves(own: u64, opp: u64) -> u64 {
    ends(runs(own, opp)) & !(own | opp)
}

/// The discs turned by a move on the single bit `at`, which must be an empty square; none if the
/// move is not legal.
#[inline]
pub fn flips(own: u64, opp: u64, at: u64) -> u64 {
    macro_rules! bracketed {
        ($through:expr, $shift:tt, $by:expr) => {{
            let run = flood!(at, $through, $shift, $by);
            // All ones if the run is closed by an own disc; no branch, closing is a coin toss.
            let closed = (((run $shift $by) & own != 0) as u64).wrapping_neg();
            run & closed
        }};
    }
    let inner = opp & INNER_FILES;
    bracketed!(inner, <<, 1)
        | bracketed!(inner, >>, 1)
        | bracketed!(opp, <<, 8)
        | bracketed!(opp, >>, 8)
        | bracketed!(inner, <<, 7)
        | bracketed!(inner, >>, 7)
        | bracketed!(inner, <<, 9)
        | bracketed!(inner, >>, 9)
}

/// The `n`-th lowest set bit of `set`, as a set; `n` must be below the number of bits.
#[inline]
pub fn nth_bit(mut set: u64, n: u32) -> u64 {
    for _ in 0..n {
        set &= set - 1;
    }
    set & set.wrapping_neg()
}
