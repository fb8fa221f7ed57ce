//! Random streams. Every draw is a function of (seed, what it is for, index): there is no generator
//! state to share, save or lock, so results do not depend on threads, batches or restarts.
//!
//! A game owns a [`Key`] and reads one 64-bit [`Key::draw`] per ply, passes included, used or not.
//! The generator behind it is SplitMix64 (Steele, Lea & Flood 2014) read at a position instead of
//! in sequence: a lockstep kernel and a single-game loop can both do that, and pay only for the
//! draws they use. Whatever needs many numbers (weights, noise) takes a [`Rng`], xoshiro256++.
//!
//! The streams are part of every published result, so tests pin their values.

use std::collections::BTreeMap;

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The increment of SplitMix64, the odd integer nearest to 2^64 / golden ratio.
pub const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a random stream is for. The numbers are part of the results: append, never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Stream {
    /// The per-ply draws of a game; index = game.
    Game = 1,
    /// Noise on evaluations; index = ply, under the game's own key.
    Noise = 2,
    /// Random openings; index = pair of games.
    Opening = 3,
    /// Weights of randomly drawn players; index = player.
    Weights = 4,
    /// The games between two players of a tournament; index = pairing.
    Pairing = 5,
    /// Fixed games of the bench signature and of stamps; index = hash of a name.
    Signature = 6,
    /// Games in which a candidate learns, under the candidate's own seed; index = game.
    Learning = 7,
    /// Everything random in one generation of a run; index = generation.
    Generation = 8,
    /// A candidate of a generation; index = candidate.
    Candidate = 9,
    /// A source of opponents, under the generation's seed; index = source.
    Source = 10,
    /// Proposing and replacing candidates, under the generation's seed; index = step.
    Search = 11,
    /// The games of a probe, under the run's seed; index = generation.
    Probe = 12,
    /// The games that say how strong an opponent of performance profiles is; index = opponent.
    Performance = 13,
    /// The games of players against the opponents of performance profiles; index = chunk of
    /// opponents.
    Profile = 14,
}

/// The root of all streams of one command or run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Seed {
    /// Derives the key of item `index` of a stream.
    pub fn at(self, stream: Stream, index: u64) -> Key {
        let stream_key = mix(mix(self.0.wrapping_add(GAMMA)) ^ (stream as u64).wrapping_mul(GAMMA));
        Key(mix(stream_key.wrapping_add(index.wrapping_mul(GAMMA))))
    }

    /// Derives an independent seed, for a part of the work that has streams of its own.
    pub fn child(self, stream: Stream, index: u64) -> Seed {
        Seed(self.at(stream, index).0)
    }
}

/// The start of one item's stream: a game's, an opening's, a player's weights'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(pub u64);

impl Key {
    /// The 64 random bits of ply `ply`: element `ply` of the SplitMix64 sequence seeded with the
    /// key.
    #[inline]
    pub fn draw(self, ply: u32) -> Draw {
        Draw(mix(self.0.wrapping_add(GAMMA.wrapping_mul(u64::from(ply) + 1))))
    }

    /// A sequential generator that starts from this key.
    pub fn rng(self) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(self.0))
    }

    /// A sequential generator for what one ply needs beyond its draw.
    pub fn rng_at(self, stream: Stream, ply: u32) -> Rng {
        Seed(self.0).at(stream, u64::from(ply)).rng()
    }
}

/// One ply's random bits: the low half decides whether the move is random, the high half picks
/// among the candidate moves in square order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw(pub u64);

impl Draw {
    /// Says whether an event of probability `chance` happens.
    #[inline]
    pub fn happens(self, chance: Chance) -> bool {
        (self.0 & 0xffff_ffff) < chance.0
    }

    /// Picks an index below `n`, which must not be 0.
    #[inline]
    pub fn index(self, n: u32) -> u32 {
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// A probability as a threshold on 32 random bits: 0 is never, 2^32 is always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Chance(u64);

impl Chance {
    /// Never happens.
    pub const NEVER: Chance = Chance(0);
    /// Always happens.
    pub const ALWAYS: Chance = Chance(1 << 32);

    /// Rounds a probability to the grid of 2^-32; `None` outside [0, 1].
    pub fn new(probability: f64) -> Option<Chance> {
        (0.0..=1.0)
            .contains(&probability)
            .then(|| Chance((probability * 4_294_967_296.0).round() as u64))
    }

    /// The threshold, at most 2^32.
    pub fn threshold(self) -> u64 {
        self.0
    }

    /// The probability it stands for.
    pub fn probability(self) -> f64 {
        self.0 as f64 / 4_294_967_296.0
    }
}

/// A sequential generator (xoshiro256++) with our own distributions, so that no library's change of
/// method can change a published number.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, which must not be 0; uniform up to 2^-32.
    pub fn below(&mut self, n: u32) -> u32 {
        Draw(self.bits()).index(n)
    }

    /// Some of the numbers below `n`, in random order: the beginning of a Fisher-Yates shuffle, of
    /// which only what has changed places is kept, so that a few of many cost little.
    pub fn without_replacement(&mut self, n: usize, sample: usize) -> Vec<usize> {
        let mut moved = BTreeMap::new();
        let draw = |i: usize| {
            let j = i + self.below((n - i) as u32) as usize;
            let here = moved.get(&i).copied().unwrap_or(i);
            moved.insert(j, here).unwrap_or(j)
        };
        (0..sample.min(n)).map(draw).collect()
    }

    /// Uniform in [0, 1), 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Standard normal, by Box and Muller with `libm`, whose bits are the same on every CPU.
    pub fn normal(&mut self) -> f64 {
        self.draw_normal().value()
    }

    /// The same, but not yet computed.
    #[inline]
    pub fn draw_normal(&mut self) -> Normal {
        Normal { chance: 1.0 - self.unit(), turn: self.unit() }
    }
}

/// A standard normal number that was drawn. Computing it takes long; bounds do not.
#[derive(Clone, Copy, Debug)]
pub struct Normal {
    /// In (0, 1]; the smaller, the farther from 0 the number may be.
    chance: f64,
    /// The angle as a part of a full turn.
    turn: f64,
}

impl Normal {
    /// The number.
    pub fn value(self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(self.chance));
        radius * libm::cos(2.0 * std::f64::consts::PI * self.turn)
    }

    /// What the number is between, up to rounding.
    #[inline]
    pub fn bounds(self) -> [f64; 2] {
        // The chance is at least 2^exponent.
        let exponent = (self.chance.to_bits() >> 52) as i32 - 1023;
        let radius = LARGEST[(-exponent) as usize % LARGEST.len()];
        // The cosine is negative in the second and third quarter of a turn.
        if (0.25..=0.75).contains(&self.turn) { [-radius, 0.0] } else { [0.0, radius] }
    }
}

/// √(2 n ln 2), rounded up: no number is larger whose chance is 2^-n or more.
static LARGEST: [f64; 64] = {
    let mut all = [0.0; 64];
    let mut n = 1;
    while n < 64 {
        let square = 2.0 * std::f64::consts::LN_2 * n as f64;
        // Newton's method, from above.
        let (mut root, mut step) = (square + 1.0, 0);
        while step < 60 {
            root = 0.5 * (root + square / root);
            step += 1;
        }
        all[n] = root * (1.0 + 1e-12);
        n += 1;
    }
    all
};

/// The output function of SplitMix64, a bijection that scatters neighbouring inputs.
#[inline]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::SplitMix64;

    #[test]
    fn draws_are_the_splitmix_sequence() {
        let mut sequence = SplitMix64::seed_from_u64(0);
        // seed_from_u64 of SplitMix64 takes the seed as it is.
        for ply in 0..100 {
            assert_eq!(Key(0).draw(ply).0, sequence.next_u64());
        }
        assert_eq!(Key(1_234_567).draw(0).0, 6_457_827_717_110_365_317);
    }

    #[test]
    fn streams_are_pinned() {
        let keys: Vec<u64> = [
            (1, Stream::Game, 0),
            (1, Stream::Game, 1),
            (1, Stream::Noise, 0),
            (2, Stream::Game, 0),
        ]
        .map(|(seed, stream, index)| Seed(seed).at(stream, index).0)
        .to_vec();
        assert_eq!(keys, PINNED_KEYS);
        let mut rng = Seed(7).at(Stream::Weights, 3).rng();
        assert_eq!(rng.bits(), PINNED_BITS);
    }
    const PINNED_KEYS: [u64; 4] = [
        10_330_607_330_189_823_040,
        6_654_953_048_204_110_715,
        13_456_155_783_880_818_223,
        15_307_887_596_695_166_779,
    ];
    const PINNED_BITS: u64 = 15_061_677_606_000_853_896;

    #[test]
    fn the_ends_of_the_chance_scale_are_certain() {
        for ply in 0..1000 {
            let draw = Key(9).draw(ply);
            assert!(!draw.happens(Chance::NEVER) && draw.happens(Chance::ALWAYS));
        }
        assert_eq!(Chance::new(0.0), Some(Chance::NEVER));
        assert_eq!(Chance::new(1.0), Some(Chance::ALWAYS));
        for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Chance::new(bad), None);
        }
    }

    #[test]
    fn normal_numbers_are_within_their_bounds_and_often_near_them() {
        let mut rng = Seed(5).at(Stream::Noise, 1).rng();
        let mut width = 0.0;
        for _ in 0..100_000 {
            let normal = rng.draw_normal();
            let ([low, high], value) = (normal.bounds(), normal.value());
            assert!(low - 1e-12 <= value && value <= high + 1e-12, "{normal:?}");
            width += (high - low) / 100_000.0;
        }
        assert!(width < 1.7, "{width}");
        for chance in [f64::EPSILON / 2.0, 0.5, 1.0] {
            let normal = Normal { chance, turn: 0.0 };
            assert!(normal.value() <= normal.bounds()[1] && normal.bounds()[1] < 8.6);
        }
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let mut rng = Seed(5).at(Stream::Noise, 0).rng();
        let n = 100_000;
        let numbers: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / f64::from(n);
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / f64::from(n);
        let error = 1.0 / f64::from(n).sqrt();
        assert!(mean.abs() < 4.0 * error, "{mean}");
        assert!((variance - 1.0).abs() < 4.0 * error * 2f64.sqrt(), "{variance}");
    }
}
