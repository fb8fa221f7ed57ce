//! How parameters vary: the tables that several searches have in theirs.

use serde::{Deserialize, Serialize};

use crate::learn::fault::{Fault, KeyPath, MAX_NUMBER, fault, shown};
use crate::learn::keys::{Key, Shape, Shaped, Table, Word, neutral, table, words};

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
    /// Says what is wrong, also with where parameters start: a key and its value.
    pub(in crate::learn) fn check(
        &self,
        at: &KeyPath,
        (start_key, start): (&str, f64),
    ) -> Result<(), Fault> {
        at.chance("rate", self.rate)?;
        at.number("size", self.size, 0.0..=MAX_NUMBER)?;
        let [low, high] = self.bounds;
        if !(low < high && low >= -MAX_NUMBER && high <= MAX_NUMBER) {
            let expected =
                format!("two numbers from -{MAX_NUMBER} to {MAX_NUMBER}, the smaller first");
            return Err(at.fault("bounds", format!("[{}, {}]", shown(low), shown(high)), expected));
        }
        if -start < low || start > high {
            let expected = format!("[-start, start] within {} = [{low}, {high}]", at.key("bounds"));
            return Err(fault(start_key, start, expected));
        }
        Ok(())
    }

    /// Small steps within wide bounds, for tests.
    pub(in crate::learn) fn sample(noise: Noise, rate: f64) -> MutationSpec {
        MutationSpec { noise, rate, size: 0.25, bounds: [-2.0, 2.0] }
    }
}
