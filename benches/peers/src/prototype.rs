//! A prototype of the incremental perceptron, in floats: the sums of the hidden nodes are kept from
//! move to move, and the weights of changed discs are added or subtracted, eight nodes in a
//! register. It was written for AVX-512; this is the same for AVX2, with the rules in two registers
//! of four directions each. Of equally good moves it takes the first.

use std::arch::x86_64::*;

use outflank::model::{Mlp, Model};
use outflank::othello::Board;
use outflank::rng::Key;

use crate::networks::{HIDDEN, larger};
use crate::work::{Work, half_points, key, nth_bit};

/// The prototype as a contestant.
pub struct Prototype {
    perceptron: Box<Perceptron>,
    played: u64,
}

impl Prototype {
    /// `None` if the CPU cannot run it.
    pub fn new() -> Option<Box<Prototype>> {
        let perceptron = Perceptron::new(&larger())?;
        Some(Box::new(Prototype { perceptron, played: 0 }))
    }
}

impl Work for Prototype {
    fn work(&mut self, workload: &str, units: u64) -> Result<(u64, u64), String> {
        if workload != "mlp-20" {
            return Err(format!("the prototype cannot {workload}"));
        }
        let games = self.played..self.played + units;
        self.played = games.end;
        Ok((units, games.map(|game| self.perceptron.play(key(game), game % 2 == 0)).sum()))
    }
}

/// Registers for the hidden nodes; those beyond the last have weights of 0.
const BLOCKS: usize = HIDDEN.div_ceil(8);
type Nodes = [__m256; BLOCKS];

/// A perceptron with one hidden layer of [`HIDDEN`] nodes, whose curve is the hyperbolic tangent.
struct Perceptron {
    rows: [Nodes; 64],
    bias: Nodes,
    output: Nodes,
    output_bias: f32,
}

impl Perceptron {
    /// The same perceptron; `None` if the CPU cannot run this.
    fn new(model: &Mlp) -> Option<Box<Perceptron>> {
        let runs = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        // For each node the bias comes first.
        let (hidden, output) = model.params().split_at(HIDDEN * 65);
        let of_hidden = |at: usize| move |node: usize| hidden[65 * node + at];
        runs.then(|| {
            Box::new(Perceptron {
                rows: std::array::from_fn(|square| blocks(of_hidden(1 + square))),
                bias: blocks(of_hidden(0)),
                output: blocks(|node| output[1 + node]),
                output_bias: output[0],
            })
        })
    }

    /// Plays a game with the random mover; returns the half points of the perceptron.
    fn play(&self, key: Key, is_first: bool) -> u64 {
        // SAFETY: `new` has checked the CPU features.
        unsafe { self.game(key, is_first) }
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    fn game(&self, key: Key, is_first: bool) -> u64 {
        let Board { own, opp } = Board::START;
        let (mut own, mut opp, mut to_move, mut passed) = (own.0, opp.0, is_first, false);
        let (eyes, others) = if is_first { (own, opp) } else { (opp, own) };
        let mut sums = add(self.bias, 1.0, self.sum_of(eyes));
        sums = add(sums, -1.0, self.sum_of(others));
        for ply in 0.. {
            let rays = Rays::new(opp);
            let moves = rays.moves(own, opp);
            if moves == 0 {
                if passed {
                    break;
                }
                (own, opp, to_move, passed) = (opp, own, !to_move, true);
                continue;
            }
            passed = false;
            let (at, flips);
            if to_move {
                (at, flips, sums) = self.best(&rays, own, moves, sums);
            } else {
                at = nth_bit(moves, key.draw(ply).index(moves.count_ones()));
                flips = rays.flips(own, at);
                sums = add(sums, -1.0, self.change(at, flips));
            }
            (own, opp, to_move) = (opp ^ flips, own | flips | at, !to_move);
        }
        let [mine, theirs] = if to_move { [own, opp] } else { [opp, own] };
        half_points(mine.count_ones(), theirs.count_ones())
    }

    /// The first best move, the discs it flips, and the sums after it.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn best(&self, rays: &Rays, own: u64, mut moves: u64, sums: Nodes) -> (u64, u64, Nodes) {
        let (mut best, mut highest) = ((0, 0, sums), f32::NEG_INFINITY);
        while moves != 0 {
            let at = moves & moves.wrapping_neg();
            moves ^= at;
            let flips = rays.flips(own, at);
            let after = add(sums, 1.0, self.change(at, flips));
            let value = self.value(after);
            if value > highest {
                (best, highest) = ((at, flips, after), value);
            }
        }
        best
    }

    /// What a move changes in the sums of its player: the square, and twice the discs it turns.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn change(&self, at: u64, flips: u64) -> Nodes {
        add(self.rows[at.trailing_zeros() as usize], 2.0, self.sum_of(flips))
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn sum_of(&self, mut squares: u64) -> Nodes {
        let mut sums = [_mm256_setzero_ps(); BLOCKS];
        while squares != 0 {
            let row = &self.rows[squares.trailing_zeros() as usize];
            squares &= squares - 1;
            for block in 0..BLOCKS {
                sums[block] = _mm256_add_ps(sums[block], row[block]);
            }
        }
        sums
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn value(&self, sums: Nodes) -> f32 {
        let mut sum = _mm256_setzero_ps();
        for (node, weight) in sums.into_iter().zip(self.output) {
            sum = _mm256_fmadd_ps(tanh(node), weight, sum);
        }
        let half = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum));
        let pair = _mm_add_ps(half, _mm_movehl_ps(half, half));
        _mm_cvtss_f32(_mm_add_ss(pair, _mm_movehdup_ps(pair))) + self.output_bias
    }
}

/// Numbers of nodes, eight to a register.
fn blocks(of_node: impl Fn(usize) -> f32) -> Nodes {
    std::array::from_fn(|block| {
        let lane = |lane| if 8 * block + lane < HIDDEN { of_node(8 * block + lane) } else { 0.0 };
        let lanes: [f32; 8] = std::array::from_fn(lane);
        // SAFETY: both are 32 bytes, and any bits are numbers.
        unsafe { std::mem::transmute::<[f32; 8], __m256>(lanes) }
    })
}

/// a + factor · b
#[target_feature(enable = "avx2,fma")]
#[inline]
fn add(mut a: Nodes, factor: f32, b: Nodes) -> Nodes {
    for block in 0..BLOCKS {
        a[block] = _mm256_fmadd_ps(_mm256_set1_ps(factor), b[block], a[block]);
    }
    a
}

/// (e - 1) / (e + 1), where e = 2^(2 x / ln 2)
#[target_feature(enable = "avx2,fma")]
#[inline]
fn tanh(x: __m256) -> __m256 {
    let (limit, one) = (_mm256_set1_ps(9.0), _mm256_set1_ps(1.0));
    let x = _mm256_max_ps(_mm256_min_ps(x, limit), _mm256_set1_ps(-9.0));
    let e = power_of_two(_mm256_mul_ps(x, _mm256_set1_ps(2.0 * std::f32::consts::LOG2_E)));
    _mm256_div_ps(_mm256_sub_ps(e, one), _mm256_add_ps(e, one))
}

/// The power of the fraction by its Taylor series, times that of the whole.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn power_of_two(x: __m256) -> __m256 {
    const SERIES: [f32; 5] =
        [9.618_129e-3, 5.550_411e-2, 2.402_265e-1, std::f32::consts::LN_2, 1.0];
    let whole = _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(x);
    let rest = _mm256_sub_ps(x, whole);
    let mut power = _mm256_set1_ps(1.333_355_8e-3);
    for term in SERIES {
        power = _mm256_fmadd_ps(power, rest, _mm256_set1_ps(term));
    }
    let exponent = _mm256_slli_epi32::<23>(_mm256_cvtps_epi32(whole));
    _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(power), exponent))
}

/// The opposing discs of a position and the pairs of them, along a row, a column and two diagonals:
/// the same for all its moves. Pairs are those of directions that shift left and that shift right.
struct Rays {
    discs: __m256i,
    pairs: [__m256i; 2],
}

impl Rays {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn new(opp: u64) -> Rays {
        // Runs of discs that cross columns end at the edge.
        const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
        let inner = _mm256_setr_epi64x(INNER, -1, INNER, INNER);
        let discs = _mm256_and_si256(_mm256_set1_epi64x(opp as i64), inner);
        let (left, right) = (_mm256_sllv_epi64(discs, step()), _mm256_srlv_epi64(discs, step()));
        let pairs = [_mm256_and_si256(discs, left), _mm256_and_si256(discs, right)];
        Rays { discs, pairs }
    }

    /// Runs of opposing discs from the squares `from`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn runs(&self, from: u64) -> [__m256i; 2] {
        let (from, one, two) = (_mm256_set1_epi64x(from as i64), step(), two_steps());
        let mut left = _mm256_and_si256(self.discs, _mm256_sllv_epi64(from, one));
        let mut right = _mm256_and_si256(self.discs, _mm256_srlv_epi64(from, one));
        let next = _mm256_and_si256(self.discs, _mm256_sllv_epi64(left, one));
        left = _mm256_or_si256(left, next);
        let next = _mm256_and_si256(self.discs, _mm256_srlv_epi64(right, one));
        right = _mm256_or_si256(right, next);
        for _ in 0..2 {
            let next = _mm256_and_si256(self.pairs[0], _mm256_sllv_epi64(left, two));
            left = _mm256_or_si256(left, next);
            let next = _mm256_and_si256(self.pairs[1], _mm256_srlv_epi64(right, two));
            right = _mm256_or_si256(right, next);
        }
        [left, right]
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn moves(&self, own: u64, opp: u64) -> u64 {
        let [left, right] = self.runs(own);
        let (left, right) = (_mm256_sllv_epi64(left, step()), _mm256_srlv_epi64(right, step()));
        union(_mm256_or_si256(left, right)) & !(own | opp)
    }

    /// The discs turned by a move on the single bit `at`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn flips(&self, own: u64, at: u64) -> u64 {
        let ([left, right], zero) = (self.runs(at), _mm256_setzero_si256());
        let own = _mm256_set1_epi64x(own as i64);
        let open_left = _mm256_and_si256(_mm256_sllv_epi64(left, step()), own);
        let open_right = _mm256_and_si256(_mm256_srlv_epi64(right, step()), own);
        let left = _mm256_andnot_si256(_mm256_cmpeq_epi64(open_left, zero), left);
        let right = _mm256_andnot_si256(_mm256_cmpeq_epi64(open_right, zero), right);
        union(_mm256_or_si256(left, right))
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn step() -> __m256i {
    _mm256_setr_epi64x(1, 8, 7, 9)
}

#[target_feature(enable = "avx2")]
#[inline]
fn two_steps() -> __m256i {
    _mm256_setr_epi64x(2, 16, 14, 18)
}

#[target_feature(enable = "avx2")]
#[inline]
fn union(sets: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(sets), _mm256_extracti128_si256::<1>(sets));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}
