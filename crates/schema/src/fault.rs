//! Invalid values of a spec, and checks of limits.

use std::fmt;
use std::ops::RangeInclusive;

/// An invalid value of a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The full key.
    pub key: String,
    /// Its value; empty if something is missing.
    pub value: String,
    /// What it should be, with the other key where two disagree.
    pub expected: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.as_str() {
            "" => write!(f, "{}: expected {}", self.key, self.expected),
            value => write!(f, "{} = {value}, expected {}", self.key, self.expected),
        }
    }
}

impl std::error::Error for Fault {}

/// No number needs to be larger; parameters are 32-bit numbers.
pub const MAX_NUMBER: f64 = 1_000_000.0;

/// The path of a table in a spec, such as `opponents.tests.search`, with checks of its keys.
#[derive(Clone, Debug)]
pub struct KeyPath(String);

impl KeyPath {
    /// The table of this path.
    pub fn new(path: &str) -> KeyPath {
        KeyPath(path.into())
    }

    /// The table under a key of this one.
    pub fn table(&self, name: &str) -> KeyPath {
        KeyPath(self.key(name))
    }

    /// The full name of a key.
    pub fn key(&self, name: &str) -> String {
        format!("{}.{name}", self.0)
    }

    /// A fault of a key.
    pub fn fault(
        &self,
        name: &str,
        value: impl fmt::Display,
        expected: impl Into<String>,
    ) -> Fault {
        fault(&self.key(name), value, expected)
    }

    /// Checks that a whole number is within limits.
    pub fn whole(&self, name: &str, value: usize, range: RangeInclusive<u64>) -> Result<(), Fault> {
        whole(&self.key(name), value as u64, range)
    }

    /// Checks that a number is within limits.
    pub fn number(&self, name: &str, value: f64, range: RangeInclusive<f64>) -> Result<(), Fault> {
        number(&self.key(name), value, range)
    }

    /// Checks that a number is a probability.
    pub fn chance(&self, name: &str, value: f64) -> Result<(), Fault> {
        self.number(name, value, 0.0..=1.0)
    }

    /// Checks that a number is above 0.
    pub fn positive(&self, name: &str, value: f64, expected: &str) -> Result<(), Fault> {
        if value > 0.0 && value <= MAX_NUMBER {
            return Ok(());
        }
        Err(self.fault(name, value, expected))
    }
}

/// A fault of a full key.
pub fn fault(key: &str, value: impl fmt::Display, expected: impl Into<String>) -> Fault {
    Fault { key: key.into(), value: value.to_string(), expected: expected.into() }
}

/// Checks that a whole number is within limits.
pub fn whole(key: &str, value: u64, range: RangeInclusive<u64>) -> Result<(), Fault> {
    if range.contains(&value) {
        return Ok(());
    }
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    Err(fault(key, value, expected))
}

/// Checks that a number is within limits; NaN never is.
pub fn number(key: &str, value: f64, range: RangeInclusive<f64>) -> Result<(), Fault> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(fault(key, shown(value), format!("a number from {} to {}", range.start(), range.end())))
}

/// A number as a short text.
pub fn shown(value: f64) -> String {
    if value.abs() < 1e9 { value.to_string() } else { format!("{value:e}") }
}
