//! A weighted piece counter that learns by TD(λ) while it plays against others: one step of
//! learning at a time, since the opponent's moves come from elsewhere. As in [`super::learner`],
//! weights are floats that change one by one, and whatever is a sum adds up their integer image.

use super::isa::Work;
use super::learner::{DIVERGED, IMAGE, value};
use super::rows::Rows;

/// The weights during a game.
#[derive(Clone, Debug)]
pub struct Apprentice {
    weights: [[f32; 8]; 8],
    image: [[i32; 8]; 8],
    /// The gradients of past values with regard to the weights, fading, as the first mover sees
    /// them.
    trace: [[f32; 8]; 8],
}

/// A move from which to learn: boards as (discs of the first mover, discs of the second).
#[derive(Clone, Copy, Debug)]
pub struct Taught {
    /// The board before the move.
    pub before: (u64, u64),
    /// The board after it.
    pub after: (u64, u64),
    /// The outcome for the first mover, -1 to 1, if the game is over; else the value of the board
    /// after the move is the target.
    pub outcome: Option<f32>,
    /// The step size.
    pub alpha: f32,
    /// How much of the trace lives on.
    pub lambda: f32,
}

impl Apprentice {
    /// Begins a game with these weights.
    pub fn new(weights: &[f32; 64]) -> Apprentice {
        let mut rows = [[0.0; 8]; 8];
        rows.as_flattened_mut().copy_from_slice(weights);
        let image = rows.map(|row| row.map(to_image));
        Apprentice { weights: rows, image, trace: [[0.0; 8]; 8] }
    }

    /// The weights, row by row from a1.
    pub fn weights(&self) -> &[f32] {
        self.weights.as_flattened()
    }

    /// Says whether a weight has diverged: it is [`DIVERGED`] or more in size, or no number.
    pub fn has_diverged(&self) -> bool {
        !self.weights().iter().all(|weight| weight.abs() < DIVERGED)
    }

    /// What a move on the square `at` that turns the discs `flips` is worth to its mover.
    #[inline]
    pub fn worth(&self, mut flips: u64, at: usize) -> f64 {
        let image = self.image.as_flattened();
        let mut turned = 0;
        while flips != 0 {
            turned += image[flips.trailing_zeros() as usize % 64];
            flips &= flips - 1;
        }
        f64::from(image[at % 64] + 2 * turned) / f64::from(IMAGE)
    }
}

fn to_image(weight: f32) -> i32 {
    let weight = if weight.is_nan() { DIVERGED } else { weight };
    (weight.clamp(-DIVERGED, DIVERGED) * IMAGE).round_ties_even() as i32
}

/// A step of learning, as work.
pub struct Teach<'a, R> {
    /// With whose instructions.
    pub isa: R,
    /// Who learns.
    pub apprentice: &'a mut Apprentice,
    /// From what.
    pub taught: &'a Taught,
}

impl<R: Rows> Work for Teach<'_, R> {
    type Output = ();

    #[inline(always)]
    fn work(self) {
        let Teach { isa, apprentice, taught } = self;
        let Taught { before, after, outcome, alpha, lambda } = taught;
        let Apprentice { weights, image, trace } = apprentice;
        let (mut now, mut next) = (isa.ints(0), isa.ints(0));
        for row in 0..8 {
            let image = isa.load_ints(&image[row]);
            now = isa.add(now, isa.signed(image, isa.discs(&before.0, &before.1, row)));
            next = isa.add(next, isa.signed(image, isa.discs(&after.0, &after.1, row)));
        }
        let [now, next] = isa.two_tanh([value(isa.total(now)), value(isa.total(next))]);
        let next = match outcome {
            Some(outcome) => *outcome,
            None => next,
        };
        // Halves: the discs count ±2.
        let slope = isa.real(0.5 * (1.0 - now * now));
        let (by, lambda) = (isa.real(alpha * (next - now)), isa.real(*lambda));
        for row in 0..8 {
            let twos = isa.signed_twos(isa.discs(&before.0, &before.1, row));
            let faded = isa.times(lambda, isa.load(&trace[row]));
            let fresh = isa.plus(faded, isa.times(slope, twos));
            isa.store(fresh, &mut trace[row]);
            let learned = isa.plus(isa.load(&weights[row]), isa.times(by, fresh));
            isa.store(learned, &mut weights[row]);
            let low = isa.lesser(learned, isa.real(DIVERGED));
            let clamped = isa.greater(low, isa.real(-DIVERGED));
            isa.store_ints(isa.round(isa.times(clamped, isa.real(IMAGE))), &mut image[row]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;
    use crate::rng::{Rng, Seed, Stream};

    fn rng() -> Rng {
        Seed(2).at(Stream::Weights, 0).rng()
    }

    fn board(rng: &mut Rng) -> (u64, u64) {
        let (a, b) = (rng.bits(), rng.bits());
        (a & b, !a & b)
    }

    fn weights(rng: &mut Rng) -> [f32; 64] {
        std::array::from_fn(|_| rng.uniform(-0.2, 0.2) as f32)
    }

    #[test]
    fn all_kernels_learn_the_same() {
        let mut rng = rng();
        let start = weights(&mut rng);
        let steps: Vec<Taught> = (0..200)
            .map(|step| Taught {
                before: board(&mut rng),
                after: board(&mut rng),
                outcome: (step % 60 == 59).then(|| rng.uniform(-1.0, 1.0) as f32),
                alpha: 0.1,
                lambda: 0.9,
            })
            .collect();
        let learned: Vec<Vec<u32>> = Kernel::available()
            .into_iter()
            .map(|kernel| {
                let mut apprentice = Apprentice::new(&start);
                steps.iter().for_each(|step| kernel.teach(&mut apprentice, step));
                // The image follows the weights.
                let again = Apprentice::new(apprentice.weights().try_into().unwrap());
                assert_eq!(again.image, apprentice.image);
                apprentice.weights().iter().map(|weight| weight.to_bits()).collect()
            })
            .collect();
        assert!(learned.iter().all(|other| *other == learned[0]));
        assert_ne!(learned[0], start.map(f32::to_bits));
    }

    #[test]
    fn a_step_is_what_the_formula_says() {
        // w ← w + α (v(t+1) − v(t)) e, e = Σ λ^(t−k) (1 − v(k)²) x(k), in double precision.
        let mut rng = rng();
        let start = weights(&mut rng);
        let mut apprentice = Apprentice::new(&start);
        let (mut plain, mut trace) = (start.map(f64::from), [0.0; 64]);
        let (alpha, lambda) = (0.05, 0.7);
        let sign = |(own, opp): (u64, u64), at: usize| {
            f64::from((own >> at & 1) as i8) - f64::from((opp >> at & 1) as i8)
        };
        let mut before = board(&mut rng);
        for step in 0..60 {
            let after = board(&mut rng);
            let outcome = (step == 59).then_some(-1.0);
            let taught = Taught { before, after, outcome, alpha, lambda };
            Kernel::available()[0].teach(&mut apprentice, &taught);
            let sum = |board| (0..64).map(|at| plain[at] * sign(board, at)).sum::<f64>().tanh();
            let (now, next) = (sum(before), outcome.map_or(sum(after), f64::from));
            for at in 0..64 {
                let slope = (1.0 - now * now) * sign(before, at);
                trace[at] = f64::from(lambda) * trace[at] + slope;
                plain[at] += f64::from(alpha) * (next - now) * trace[at];
            }
            before = after;
        }
        for (learned, plain) in apprentice.weights().iter().zip(plain) {
            assert!((f64::from(*learned) - plain).abs() < 1e-4, "{learned} {plain}");
        }
    }

    #[test]
    fn a_move_is_worth_its_square_and_twice_what_it_turns() {
        let apprentice = Apprentice::new(&std::array::from_fn(|at| at as f32 / 64.0));
        assert!(
            (apprentice.worth(1 << 63 | 1 << 32, 16) - (0.25 + 1.0 + 126.0 / 64.0)).abs() < 1e-9
        );
        assert!(!apprentice.has_diverged());
        for bad in [f32::NAN, 127.0, -1e9, f32::INFINITY] {
            let mut weights = [0.1; 64];
            weights[9] = bad;
            assert!(Apprentice::new(&weights).has_diverged(), "{bad}");
        }
    }
}
