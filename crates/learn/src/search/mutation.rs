//! How parameters change: tables that several searches share.

use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table, words};

words! {
/// How the parameters of two parents are combined.
pub enum Crossover {
    /// No crossover.
    None = "none",
    /// The parents swap all parameters after a random point.
    OnePoint = "one-point",
}
}

table! {
/// How parameters mutate.
pub struct MutationSpec {
    /// Distribution of the changes.
    pub noise: Noise,
    /// Probability that a parameter changes.
    pub rate: f64,
    /// Standard deviation of gaussian changes, half the width of uniform ones, or the size of
    /// steps.
    pub size: f64,
    /// Interval in which changed parameters stay.
    pub bounds: [f64; 2],
    /// What happens to a parameter that a change puts beyond the bounds.
    pub beyond: Beyond = Beyond::Clamp,
}
}

words! {
/// What happens to a parameter that a change puts beyond the bounds.
pub enum Beyond {
    /// It is set to the nearest bound.
    Clamp = "clamp",
    /// The change is drawn again, up to 100 times; then the parameter is drawn again, uniform
    /// within the bounds (as in the library ECJ).
    Redraw = "redraw",
}
}

/// The tries of [`Beyond::Redraw`]; ECJ's default.
const TRIES: usize = 100;

words! {
/// The distribution of mutations.
pub enum Noise {
    /// Normal with mean 0.
    Gaussian = "gaussian",
    /// Uniform in [-size, size].
    Uniform = "uniform",
    /// Either +size or -size, with even odds.
    Step = "step",
}
}

impl MutationSpec {
    /// Checks all keys except the bounds.
    pub(crate) fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.chance("rate", self.rate)?;
        at.number("size", self.size, 0.0..=MAX_NUMBER)
    }

    /// The value that a parameter gets when it changes, given the value it would keep.
    pub(crate) fn changed(&self, from: f64, rng: &mut Rng) -> f64 {
        let MutationSpec { noise, size, bounds: [low, high], beyond, .. } = *self;
        let mut draw = || {
            from + match noise {
                Noise::Gaussian => size * rng.normal(),
                Noise::Uniform => rng.uniform(-size, size),
                Noise::Step if rng.unit() < 0.5 => size,
                Noise::Step => -size,
            }
        };
        match beyond {
            Beyond::Clamp => draw().clamp(low, high),
            // Local learning may have put a parameter so far out that no change brings it back.
            Beyond::Redraw => {
                let within = (0..TRIES).map(|_| draw()).find(|value| (low..=high).contains(value));
                within.unwrap_or_else(|| rng.uniform(low, high))
            }
        }
    }

    /// Small changes within wide bounds, for tests.
    pub(crate) fn sample(noise: Noise, rate: f64) -> MutationSpec {
        MutationSpec { noise, rate, size: 0.25, bounds: [-2.0, 2.0], beyond: Beyond::Clamp }
    }
}
