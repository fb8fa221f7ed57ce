//! How parameters change: tables that several searches share.

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
    /// Standard deviation of gaussian changes, or half the width of uniform ones.
    pub size: f64,
    /// Interval to which changed parameters are clamped.
    pub bounds: [f64; 2],
}
}

words! {
/// The distribution of mutations.
pub enum Noise {
    /// Normal with mean 0.
    Gaussian = "gaussian",
    /// Uniform in [-size, size].
    Uniform = "uniform",
}
}

impl MutationSpec {
    /// Checks all keys except the bounds.
    pub(crate) fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.chance("rate", self.rate)?;
        at.number("size", self.size, 0.0..=MAX_NUMBER)
    }

    /// Small changes within wide bounds, for tests.
    pub(crate) fn sample(noise: Noise, rate: f64) -> MutationSpec {
        MutationSpec { noise, rate, size: 0.25, bounds: [-2.0, 2.0] }
    }
}
