//! The best moves of a weighted piece counter on AVX2. All moves are scored at once, whatever their
//! number: run sums of 16 bits go from row to row as the sums of the lockstep kernel go from square
//! to square. A register holds two rows, one in each half, and the upper half goes the opposite
//! way: what the lower half does for row r, the upper half does for row 7 - r. For runs along the
//! rows, columns take the place of rows, and the sums are transposed.
//!
//! Sums are negative, so that the best move has the least score: there is an instruction that finds
//! the least of eight unsigned numbers.

use std::arch::x86_64::*;

use super::Scorer;
use crate::avx2::{Avx2, avx2};

/// Two rows of 16-bit numbers.
type Pair = [i16; 16];

/// Weights, two rows or columns at a time.
#[derive(Clone, Debug)]
pub struct Paired {
    /// Minus twice the weights of rows r and 7 - r.
    rows: [Pair; 8],
    /// The same of columns.
    columns: [Pair; 8],
    /// [`NOTHING`] minus the weights of rows r and 7 - r.
    placed: [Pair; 4],
}

/// The score of a move that adds nothing. Scores are within 39 weights of it, so that no score is
/// as large as [`u16::MAX`], which marks squares where no move is.
const NOTHING: i16 = i16::MAX;

impl Paired {
    pub fn new(weights: &[i16; 64]) -> Paired {
        // Lane by lane: the square, and the one on the line as far from the other edge.
        let of = |line: usize, lane: usize, step: usize, across: usize| {
            let line = if lane < 8 { line } else { 7 - line };
            weights[step * line + across * (lane % 8)]
        };
        let pairs = |step, across| {
            std::array::from_fn(|line| {
                std::array::from_fn(|lane| -2 * of(line, lane, step, across))
            })
        };
        Paired {
            rows: pairs(8, 1),
            columns: pairs(1, 8),
            placed: std::array::from_fn(|row| {
                std::array::from_fn(|lane| NOTHING.wrapping_sub(of(row, lane, 8, 1)))
            }),
        }
    }
}

/// The bit of each lane in the byte of its row.
const BIT: Pair = {
    let mut bits = [0; 16];
    let mut lane = 0;
    while lane < 16 {
        bits[lane] = 1 << (lane % 8);
        lane += 1;
    }
    bits
};

/// The bits of columns c and 7 - c, by c.
const COLUMN: [Pair; 8] = {
    let mut bits = [[0; 16]; 8];
    let mut i = 0;
    while i < 8 * 16 {
        let (column, lane) = (i / 16, i % 16);
        bits[column][lane] = 1 << if lane < 8 { column } else { 7 - column };
        i += 1;
    }
    bits
};

/// Takes byte r of the first or second word of the lower half, and byte 7 - r of the upper half, to
/// all lanes of the half; by word and r.
const ROW: [[[u8; 32]; 8]; 2] = {
    let mut bytes = [[[0; 32]; 8]; 2];
    let mut i = 0;
    while i < 2 * 8 * 32 {
        let (word, row, byte) = (i / 256, i / 32 % 8, i % 32);
        bytes[word][row][byte] = (8 * word + if byte < 16 { row } else { 7 - row }) as u8;
        i += 1;
    }
    bytes
};

/// For a shuffle: nothing comes here.
const NONE: u8 = 0x80;

/// Takes the bytes of the first word of a half to its lanes.
const BYTES: [u8; 32] = {
    let mut bytes = [NONE; 32];
    let mut row = 0;
    while row < 8 {
        bytes[2 * row] = row as u8;
        bytes[16 + 2 * row] = row as u8;
        row += 1;
    }
    bytes
};

/// Moves lanes to the column before in the lower and to the one behind in the upper half; and the
/// other way round.
const ASIDE: [[u8; 32]; 2] = {
    let mut bytes = [[NONE; 32]; 2];
    let mut byte = 0;
    while byte < 14 {
        (bytes[0][byte], bytes[1][16 + byte]) = (byte as u8 + 2, byte as u8 + 2);
        (bytes[0][18 + byte], bytes[1][2 + byte]) = (byte as u8, byte as u8);
        byte += 1;
    }
    bytes
};

#[inline(always)]
fn lanes(numbers: &Pair) -> __m256i {
    // SAFETY: the array is 32 bytes, which loadu reads at any alignment; AVX2 as in `avx2`.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

#[inline(always)]
fn shuffle(a: __m256i, bytes: &[u8; 32]) -> __m256i {
    // SAFETY: as in `lanes`.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    avx2!(_mm256_shuffle_epi8(a, bytes))
}

#[inline(always)]
fn add(a: __m256i, b: __m256i) -> __m256i {
    avx2!(_mm256_add_epi16(a, b))
}

/// sum + weights where the run goes on, else 0.
#[inline(always)]
fn carry(sum: __m256i, weights: &Pair, runs: __m256i, bits: &Pair) -> __m256i {
    let runs = avx2!(_mm256_and_si256(runs, lanes(bits)));
    // 0 by 0, and unchanged by a positive number.
    avx2!(_mm256_sign_epi16(add(sum, lanes(weights)), runs))
}

/// Adds up what the halves have for each of the rows r and 7 - r, for r below 4. No sums come to
/// the first two rows on anyone's way.
#[inline(always)]
fn fold(sums: [__m256i; 8]) -> [__m256i; 4] {
    let turned = |row: usize| avx2!(_mm256_permute4x64_epi64::<0x4e>(sums[row]));
    [turned(7), turned(6), add(sums[2], turned(5)), add(sums[3], turned(4))]
}

/// Pairs of columns to pairs of rows.
#[inline(always)]
fn transpose(columns: [__m256i; 4]) -> [__m256i; 4] {
    let [a, b, c, d] = columns;
    let low = avx2!(_mm256_unpacklo_epi16(a, b));
    let high = avx2!(_mm256_unpackhi_epi16(a, b));
    let inner_low = avx2!(_mm256_unpacklo_epi16(c, d));
    let inner_high = avx2!(_mm256_unpackhi_epi16(c, d));
    // Halves of two rows: the columns a to d, and h to e.
    let rows = [
        avx2!(_mm256_unpacklo_epi32(low, inner_low)),
        avx2!(_mm256_unpackhi_epi32(low, inner_low)),
        avx2!(_mm256_unpacklo_epi32(high, inner_high)),
        avx2!(_mm256_unpackhi_epi32(high, inner_high)),
    ];
    let whole = |i: usize| {
        let halves = avx2!(_mm256_permute4x64_epi64::<0b11_01_10_00>(rows[i]));
        avx2!(_mm256_shufflehi_epi16::<0b00_01_10_11>(halves))
    };
    // Rows 1 and 2, 3 and 4, 5 and 6, 7 and 8.
    let rows = [whole(0), whole(1), whole(2), whole(3)];
    [
        avx2!(_mm256_blend_epi32::<0xf0>(rows[0], rows[3])),
        avx2!(_mm256_permute2x128_si256::<0x21>(rows[0], rows[3])),
        avx2!(_mm256_blend_epi32::<0xf0>(rows[1], rows[2])),
        avx2!(_mm256_permute2x128_si256::<0x21>(rows[1], rows[2])),
    ]
}

impl Scorer {
    /// The moves among `moves`, at least one, with the best score. `up` has the runs east, south,
    /// south-west and south-east, `down` those of the opposite directions.
    #[inline(always)]
    pub fn best(&self, isa: Avx2, up: __m256i, down: __m256i, moves: u64) -> u64 {
        let scores = self.scores(isa, up, down, moves);
        let best = avx2!(_mm256_broadcastw_epi16(least(scores)));
        let equal = |i: usize| avx2!(_mm256_cmpeq_epi16(scores[i], best));
        let bits = |i: usize| {
            avx2!(_mm256_movemask_epi8(_mm256_packs_epi16(equal(i), equal(i + 1)))) as u32
        };
        // Rows 1, 2, 8, 7 and rows 3, 4, 6, 5.
        let (outer, inner) = (bits(0), bits(2));
        let low = outer & 0xffff | inner << 16;
        let high = (outer >> 16 | inner & 0xffff_0000).swap_bytes();
        (u64::from(low) | u64::from(high) << 32) & moves
    }

    /// The best score of the moves among `moves`, at least one.
    #[inline(always)]
    pub fn best_score(&self, isa: Avx2, up: __m256i, down: __m256i, moves: u64) -> i32 {
        let least = least(self.scores(isa, up, down, moves));
        i32::from(NOTHING) - (avx2!(_mm_cvtsi128_si32(least)) & 0xffff)
    }

    /// The scores of all squares, negative and from [`NOTHING`] on, two rows at a time.
    #[inline(always)]
    fn scores(&self, _: Avx2, up: __m256i, down: __m256i, moves: u64) -> [__m256i; 4] {
        let Paired { rows, columns, placed } = &self.paired;
        let lines = avx2!(_mm256_permute2x128_si256::<0x20>(up, down));
        let diagonals = avx2!(_mm256_permute2x128_si256::<0x31>(up, down));
        let zero = avx2!(_mm256_setzero_si256());

        let mut scores = [zero; 8];
        let (mut sum, mut left, mut right) = (zero, zero, zero);
        for row in 1..7 {
            let weights = &rows[row];
            sum = carry(sum, weights, shuffle(lines, &ROW[1][row]), &BIT);
            // Outer squares have no sums on diagonals, so none are lost.
            let next_left = carry(left, weights, shuffle(diagonals, &ROW[0][row]), &BIT);
            let next_right = carry(right, weights, shuffle(diagonals, &ROW[1][row]), &BIT);
            left = shuffle(next_left, &ASIDE[0]);
            right = shuffle(next_right, &ASIDE[1]);
            scores[row + 1] = add(sum, add(left, right));
        }
        let scores = fold(scores);

        let mut across = [zero; 8];
        let runs = shuffle(lines, &BYTES);
        let mut sum = zero;
        for column in 1..7 {
            sum = carry(sum, &columns[column], runs, &COLUMN[column]);
            across[column + 1] = sum;
        }
        let across = transpose(fold(across));

        let legal = avx2!(_mm256_set1_epi64x(moves as i64));
        let score = |i: usize| {
            let is_legal = avx2!(_mm256_and_si256(shuffle(legal, &ROW[0][i]), lanes(&BIT)));
            let score = add(add(lanes(&placed[i]), scores[i]), across[i]);
            avx2!(_mm256_or_si256(score, _mm256_cmpeq_epi16(is_legal, zero)))
        };
        [score(0), score(1), score(2), score(3)]
    }
}

/// The least of all numbers, unsigned, in the first lane.
#[inline(always)]
fn least([a, b, c, d]: [__m256i; 4]) -> __m128i {
    let all = avx2!(_mm256_min_epu16(_mm256_min_epu16(a, b), _mm256_min_epu16(c, d)));
    let (low, high) =
        (avx2!(_mm256_castsi256_si128(all)), avx2!(_mm256_extracti128_si256::<1>(all)));
    avx2!(_mm_minpos_epu16(_mm_min_epu16(low, high)))
}
