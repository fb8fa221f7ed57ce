//! Temporal-difference learning of a weighted piece counter by self-play, one learner at a time:
//! TD(0) as in Szubert, Jaśkowski and Krawiec 2009, and TD(λ).
//!
//! Bits must not depend on the CPU. The weights are floats, and only ever changed one by one.
//! Whatever is a sum (a move's score, the value of a board) adds up an integer image of the
//! weights, exact in any order.

use super::isa::Work;
use super::rows::{Rows, Runs};
use crate::rng::{Chance, Key, Seed, Stream};

/// A weighted piece counter that learns by playing against itself.
#[derive(Debug)]
pub struct Learner<'a> {
    /// What it learns: the weights of the squares, row by row from a1.
    pub weights: &'a mut [f32; 64],
    /// Step size, at most [`MOST_ALPHA`] in size; may be negative.
    pub alpha: f32,
    /// How much of a trace lives on from one learning move to the next, 0 to 1.
    pub lambda: f32,
    /// Chance of a random move at each turn, from which nothing is learned.
    pub epsilon: Chance,
    /// Game g has the key `seed.at(Stream::Learning, g)`.
    pub seed: Seed,
}

/// The largest step size; beyond it steps might not be finite.
pub const MOST_ALPHA: f32 = 1e6;

/// Weights of this size have diverged. All 64 of them, in the image, still add up to less than
/// 2^31.
pub const DIVERGED: f32 = 127.0;

/// The image has 2^18 steps to 1.
pub(super) const IMAGE: f32 = 262_144.0;

/// The discs of the first and of the second mover at the start of a game.
pub(super) const START: (u64, u64) = (0x0000_0008_1000_0000, 0x0000_0010_0800_0000);

impl Learner<'_> {
    pub(super) fn assert_sane(&self) {
        assert!(self.alpha.abs() <= MOST_ALPHA, "alpha = {} is no step size", self.alpha);
        assert!((0.0..=1.0).contains(&self.lambda), "lambda = {} is not within 0..1", self.lambda);
    }

    pub(super) fn key(&self, game: u32) -> Key {
        self.seed.at(Stream::Learning, u64::from(game))
    }

    /// Says whether the weights have diverged. What is not a number gets bits of its own then,
    /// because CPUs differ in them.
    pub(super) fn has_diverged(&mut self) -> bool {
        let sane = self.weights.iter().all(|weight| weight.abs() < DIVERGED);
        if !sane {
            self.weights.iter_mut().filter(|weight| weight.is_nan()).for_each(|w| *w = f32::NAN);
        }
        !sane
    }
}

/// How far a game goes from the value of a board: the value as an integer of the image, to a float.
#[inline(always)]
pub(super) fn value(image: i32) -> f32 {
    image as f32 * (1.0 / IMAGE)
}

/// A learner on its own, as work: the first game after which it had diverged.
pub struct LearnAlone<'a, 'b, I> {
    pub isa: I,
    pub learner: &'a mut Learner<'b>,
    pub games: u32,
}

impl<I: Rows> Work for LearnAlone<'_, '_, I> {
    type Output = Option<u32>;
    #[inline(always)]
    fn work(self) -> Option<u32> {
        let LearnAlone { isa, learner, games } = self;
        // No closures: what is not inlined is compiled without the instructions.
        for game in 0..games {
            let mut mind = Mind::new(isa, learner);
            let key = learner.key(game);
            if learner.lambda > 0.0 {
                mind.play::<true>(learner, key);
            } else {
                mind.play::<false>(learner, key);
            }
            mind.leave(learner);
            if learner.has_diverged() {
                return Some(game);
            }
        }
        None
    }
}

/// A learner's weights during a game, in rows.
struct Mind<R: Rows> {
    isa: R,
    weights: [R::Reals; 8],
    /// The integer image.
    image: [R::Ints; 8],
    /// Twice the image, and the same in columns.
    twice: [R::Ints; 8],
    columns: [R::Ints; 8],
    /// The gradients of past values with regard to the weights, fading, as the first mover sees
    /// them.
    trace: [R::Reals; 8],
}

/// A learning move: the board before it, seen by the mover, and what followed.
struct Step {
    own: u64,
    opp: u64,
    /// The image's value of the board before the move.
    value: i32,
    /// And how much the move added.
    score: i32,
    /// The outcome for the mover, if the game was over.
    outcome: Option<f32>,
    /// Whether the first mover moved.
    first: bool,
}

/// Does something for some rows, with constants.
macro_rules! each {
    ($row:ident in [$($number:literal),*] => $body:block) => {$({
        const $row: usize = $number;
        $body
    })*};
}

impl<R: Rows> Mind<R> {
    #[inline(always)]
    fn new(isa: R, learner: &Learner<'_>) -> Mind<R> {
        let (rows, _) = learner.weights.as_chunks::<8>();
        let none = isa.real(0.0);
        // Adding 0 makes 0 of -0, which no sum below will bring back: unchanged is the same as plus
        // 0.
        let mut weights = [none; 8];
        for (weights, row) in weights.iter_mut().zip(rows) {
            *weights = isa.plus(isa.load(row), none);
        }
        let zeros = [isa.ints(0); 8];
        let mut mind =
            Mind { isa, weights, image: zeros, twice: zeros, columns: zeros, trace: [none; 8] };
        mind.refresh();
        mind
    }

    #[inline(always)]
    fn leave(&self, learner: &mut Learner<'_>) {
        let (rows, _) = learner.weights.as_chunks_mut::<8>();
        for (row, weights) in rows.iter_mut().zip(self.weights) {
            self.isa.store(weights, row);
        }
    }

    /// Makes the image of the weights.
    #[inline(always)]
    fn refresh(&mut self) {
        let isa = self.isa;
        each!(ROW in [0, 1, 2, 3, 4, 5, 6, 7] => {
            let low = isa.lesser(self.weights[ROW], isa.real(DIVERGED));
            let clamped = isa.greater(low, isa.real(-DIVERGED));
            self.image[ROW] = isa.round(isa.times(clamped, isa.real(IMAGE)));
            self.twice[ROW] = isa.add(self.image[ROW], self.image[ROW]);
        });
        self.columns = isa.transpose(self.twice);
    }

    #[inline(always)]
    fn play<const TRACES: bool>(&mut self, learner: &Learner<'_>, key: Key) {
        let isa = self.isa;
        let (mut own, mut opp) = START;
        let mut runs = [[0; 4]; 2];
        let mut moves = isa.find(own, opp, &mut runs);
        let mut ply = 0;
        loop {
            let draw = key.draw(ply);
            let random = draw.happens(learner.epsilon);
            let mut step =
                Step { own, opp, value: 0, score: 0, outcome: None, first: ply % 2 == 0 };
            let mut candidates = moves;
            if !random {
                step.value = self.value_of(&own, &opp);
                (step.score, candidates) = self.best(&runs, &moves);
            }
            let at = isa.pick_one(candidates, draw);
            let flips = isa.flips(own, opp, at);
            (own, opp) = (opp ^ flips, own | flips | at);
            ply += 1;
            moves = isa.find(own, opp, &mut runs);
            if moves == 0 {
                (own, opp) = (opp, own);
                ply += 1;
                moves = isa.find(own, opp, &mut runs);
                if moves == 0 {
                    let discs = own.count_ones().cmp(&opp.count_ones());
                    step.outcome = Some(f32::from(discs as i8));
                }
            }
            let over = step.outcome.is_some();
            if !random {
                self.learn::<TRACES>(learner, step);
            }
            if over {
                return;
            }
        }
    }

    /// The value of a board, in the image.
    #[inline(always)]
    fn value_of(&self, own: &u64, opp: &u64) -> i32 {
        let isa = self.isa;
        let mut sum = isa.ints(0);
        each!(ROW in [0, 1, 2, 3, 4, 5, 6, 7] => {
            sum = isa.add(sum, isa.signed(self.image[ROW], isa.discs(own, opp, ROW)));
        });
        isa.total(sum)
    }

    /// The best score and the moves that have it.
    #[inline(always)]
    fn best(&self, runs: &Runs, moves: &u64) -> (i32, u64) {
        let isa = self.isa;
        let [[east, south, south_west, south_east], [west, north, north_east, north_west]] = runs;
        let mut scores = [isa.ints(R::SCORE_0); 8];
        let (east, west) = (isa.columns(*east), isa.columns(*west));
        let mut sum = isa.ints(0);
        each!(COLUMN in [1, 2, 3, 4, 5, 6] => {
            sum = isa.add_where_column(east, COLUMN, sum, self.columns[COLUMN]);
            scores[COLUMN + 1] = isa.add(scores[COLUMN + 1], sum);
        });
        sum = isa.ints(0);
        each!(COLUMN in [6, 5, 4, 3, 2, 1] => {
            sum = isa.add_where_column(west, COLUMN, sum, self.columns[COLUMN]);
            scores[COLUMN - 1] = isa.add(scores[COLUMN - 1], sum);
        });
        let mut scores = isa.transpose(scores);
        let (mut sum, mut left, mut right) = (isa.ints(0), isa.ints(0), isa.ints(0));
        each!(ROW in [1, 2, 3, 4, 5, 6] => {
            let weights = self.twice[ROW];
            // Outer squares have no sums on diagonals, so nothing wraps around.
            sum = isa.add_where(south, ROW, sum, weights);
            left = isa.rotate_down(isa.add_where(south_west, ROW, left, weights));
            right = isa.rotate_up(isa.add_where(south_east, ROW, right, weights));
            scores[ROW + 1] = isa.add(isa.add(scores[ROW + 1], sum), isa.add(left, right));
        });
        (sum, left, right) = (isa.ints(0), isa.ints(0), isa.ints(0));
        each!(ROW in [6, 5, 4, 3, 2, 1] => {
            let weights = self.twice[ROW];
            sum = isa.add_where(north, ROW, sum, weights);
            left = isa.rotate_down(isa.add_where(north_west, ROW, left, weights));
            right = isa.rotate_up(isa.add_where(north_east, ROW, right, weights));
            scores[ROW - 1] = isa.add(isa.add(scores[ROW - 1], sum), isa.add(left, right));
        });
        let mut best = isa.no_score();
        each!(ROW in [0, 1, 2, 3, 4, 5, 6, 7] => {
            scores[ROW] = isa.add(scores[ROW], self.image[ROW]);
            best = isa.max_where(moves, ROW, scores[ROW], best);
        });
        let best = isa.largest(best);
        (isa.first(best).wrapping_sub(R::SCORE_0), isa.equal(&scores, best) & moves)
    }

    /// Changes the weights by what a move taught.
    #[inline(always)]
    fn learn<const TRACES: bool>(&mut self, learner: &Learner<'_>, step: Step) {
        let isa = self.isa;
        let [now, next] = isa.two_tanh([value(step.value), value(step.value + step.score)]);
        let next = step.outcome.unwrap_or(next);
        // Halves: the discs count ±2.
        let change = (0.5 * learner.alpha) * (next - now);
        let slope = 1.0 - now * now;
        if !TRACES {
            let by = isa.real(change * slope);
            each!(ROW in [0, 1, 2, 3, 4, 5, 6, 7] => {
                let twos = isa.signed_twos(isa.discs(&step.own, &step.opp, ROW));
                self.weights[ROW] = isa.plus(self.weights[ROW], isa.times(by, twos));
            });
        } else {
            let (first, second, view) = match step.first {
                true => (&step.own, &step.opp, 2.0),
                false => (&step.opp, &step.own, -2.0),
            };
            let (slope, lambda) = (isa.real(0.5 * slope), isa.real(learner.lambda));
            let by = isa.real(view * change);
            each!(ROW in [0, 1, 2, 3, 4, 5, 6, 7] => {
                let twos = isa.signed_twos(isa.discs(first, second, ROW));
                let faded = isa.times(lambda, self.trace[ROW]);
                self.trace[ROW] = isa.plus(faded, isa.times(slope, twos));
                self.weights[ROW] = isa.plus(self.weights[ROW], isa.times(by, self.trace[ROW]));
            });
        }
        self.refresh();
    }
}
