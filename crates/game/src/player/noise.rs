//! Normal noise on the values of moves (Handa 2012). Most moves are so much worse than the best
//! that no noise could make up for it. So each move's random numbers are drawn, but the logarithm
//! and the cosine that make them normal are computed only where they can decide.

use super::Turn;
use super::policy::{Policy, best_of};
use crate::othello::{Square, Squares};
use outflank_kernel::rng::{Normal, Rng, Stream};

/// Normal noise of one turn: a number for each move, in square order.
#[derive(Clone, Debug)]
pub struct Noise {
    deviation: f64,
    rng: Rng,
}

/// Bounds are wider by this share than they are, which is more than rounding can matter.
const SLACK: f64 = 1e-9;

impl Noise {
    /// Not a part of choosing, which is put where games are played.
    #[inline(never)]
    pub(super) fn of(policy: &Policy, turn: &Turn) -> Noise {
        let rng = turn.key.rng_at(Stream::Noise, turn.ply);
        Noise { deviation: libm::sqrt(policy.noise), rng }
    }

    /// The moves with the highest sum of value and noise, as [`best_of`] would find them.
    #[inline]
    pub fn best(&self, moves: Squares, mut value: impl FnMut(Square) -> f64) -> Squares {
        // Numbers are drawn again rather than kept: that is faster.
        let (mut values, mut rng) = ([0.0; 64], self.rng.clone());
        let mut sure = f64::NEG_INFINITY;
        for at in moves {
            let worth = value(at);
            values[at.index() % 64] = worth;
            sure = sure.max(self.bounds(worth, rng.draw_normal())[0]);
        }
        let (mut left, mut rng) = (Squares::NONE, self.rng.clone());
        for at in moves {
            let [_, most] = self.bounds(values[at.index() % 64], rng.draw_normal());
            // Also what is no number, for `best_of` to decide.
            let cannot_win = most < sure;
            left = left | if cannot_win { Squares::NONE } else { at.set() };
        }
        if left.0.is_power_of_two() {
            return left;
        }
        let mut rng = self.rng.clone();
        best_of(moves, |at| {
            let noise = rng.draw_normal();
            let worth = values[at.index() % 64];
            if left.has(at) { worth + self.deviation * noise.value() } else { f64::NAN }
        })
    }

    /// Between what value and noise can add up to.
    #[inline]
    fn bounds(&self, value: f64, noise: Normal) -> [f64; 2] {
        let [low, high] = noise.bounds();
        let slack = SLACK * (value.abs() + self.deviation);
        [value + self.deviation * low - slack, value + self.deviation * high + slack]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Position;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn moves_are_the_same_as_with_all_noise_computed() {
        let mut rng = Seed(3).at(Stream::Weights, 0).rng();
        let mut shares = [0; 2];
        for (game, spread) in (0..6000).zip([0.0, 0.01, 0.3, 3.0, 1e9, f64::INFINITY].repeat(1000))
        {
            // Some values are equal, some are not numbers.
            let values: Vec<f64> = (0..64)
                .map(|_| match rng.below(20) {
                    0 => f64::NAN,
                    1..5 => 0.0,
                    _ => spread * rng.uniform(-1.0, 1.0),
                })
                .collect();
            let moves = Squares(rng.bits() & rng.bits() | 1);
            let (key, ply) = (Seed(4).at(Stream::Game, game), 7);
            let turn = Turn { position: Position::START, moves, ply, key };
            let policy = Policy { noise: 0.01, ..Policy::default() };
            let mut plain = key.rng_at(Stream::Noise, ply);
            let expected =
                best_of(moves, |at| values[at.index()] + libm::sqrt(policy.noise) * plain.normal());
            let found = Noise::of(&policy, &turn).best(moves, |at| values[at.index()]);
            assert_eq!(found, expected, "{spread}");
            shares[usize::from(found.0.is_power_of_two())] += 1;
        }
        assert!(shares[1] > 3000, "{shares:?}");
    }
}
