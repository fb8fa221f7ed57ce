//! How parameters vary: the tables that several searches have in theirs.

use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table, words};

words! {
/// How two parents' parameters are mixed.
pub enum Crossover {
    /// Not at all.
    None = "none",
    /// All parameters behind a random point change places.
    OnePoint = "one-point",
}
}

table! {
/// How parameters mutate.
pub struct MutationSpec {
    /// The distribution of what is added.
    pub noise: Noise,
    /// Probability that a parameter changes.
    pub rate: f64,
    /// Standard deviation of gaussian noise; half the width of uniform noise.
    pub size: f64,
    /// Changed parameters are clamped to this interval.
    pub bounds: [f64; 2],
}
}

words! {
/// The distribution of mutations.
pub enum Noise {
    /// Normal, mean 0.
    Gaussian = "gaussian",
    /// Uniform in [-size, size].
    Uniform = "uniform",
}
}

impl MutationSpec {
    /// Says what is wrong, but for the bounds.
    pub(crate) fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.chance("rate", self.rate)?;
        at.number("size", self.size, 0.0..=MAX_NUMBER)
    }

    /// Small steps within wide bounds, for tests.
    pub(crate) fn sample(noise: Noise, rate: f64) -> MutationSpec {
        MutationSpec { noise, rate, size: 0.25, bounds: [-2.0, 2.0] }
    }
}
