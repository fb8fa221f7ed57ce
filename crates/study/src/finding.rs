//! What was found for a published value: a number with its spread, or the outcome of a claim.

use outflank_lab::{Sample, student_point};

/// What a source found.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A number.
    Number(Finding),
    /// A claim, tested.
    Claim(Tested),
    /// Nothing, and why.
    Nothing(String),
}

/// A number with its spread.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The value, in the unit of print: shares in percent.
    pub value: f64,
    /// Its standard error, and the degrees of freedom of that; none for a single run.
    pub error: Option<(f64, f64)>,
    /// An interval that was not made from a standard error.
    pub interval: Option<[f64; 2]>,
    /// Number of runs, players or games behind it.
    pub n: u64,
    /// What the n are.
    pub what: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// The standard deviation of a single run, where runs are what is repeated.
    pub deviation: Option<f64>,
}

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share, in percent.
    Percent,
    /// A difference of shares, in percentage points.
    Points,
    /// A number of things, or no unit at all.
    Count,
    /// Training games.
    Games,
    /// A share that is printed from 0 to 1.
    Volume,
}

/// A claim that was tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// What was found, in a line.
    pub found: String,
    /// Whether every part of the claim holds.
    pub holds: bool,
    /// Whether no part of it is contradicted.
    pub is_possible: bool,
    /// The least number of runs of a case.
    pub n: u64,
}

impl From<Result<Finding, String>> for Outcome {
    fn from(found: Result<Finding, String>) -> Outcome {
        found.map_or_else(Outcome::Nothing, Outcome::Number)
    }
}

impl From<Result<Tested, String>> for Outcome {
    fn from(found: Result<Tested, String>) -> Outcome {
        found.map_or_else(Outcome::Nothing, Outcome::Claim)
    }
}

impl Finding {
    /// The mean of a sample of runs.
    pub fn of_runs(sample: &Sample, unit: Unit) -> Finding {
        let error = (sample.n >= 2)
            .then(|| ((sample.variance / sample.n as f64).sqrt(), sample.n as f64 - 1.0));
        Finding {
            value: sample.mean,
            error,
            interval: None,
            n: sample.n,
            what: "runs",
            unit,
            deviation: sample.deviation(),
        }
    }

    /// Its 95% interval.
    pub fn interval(&self) -> Option<[f64; 2]> {
        self.interval.or_else(|| {
            let (error, df) = self.error?;
            let half = student_point(df) * error;
            Some([self.value - half, self.value + half])
        })
    }

    /// The value with its interval, as text.
    pub fn text(&self) -> String {
        match self.interval() {
            _ if !self.value.is_finite() => "–".into(),
            None => self.unit.text(self.value),
            Some([low, high]) if ((low + high) / 2.0 - self.value).abs() < 0.02 * (high - low) => {
                format!("{} ± {}", self.unit.text(self.value), self.unit.bare((high - low) / 2.0))
            }
            Some([low, high]) => format!(
                "{} ({} to {})",
                self.unit.text(self.value),
                self.unit.bare(low),
                self.unit.bare(high)
            ),
        }
    }
}

impl Unit {
    /// The unit of a difference.
    pub fn difference(self) -> Unit {
        match self {
            Unit::Percent => Unit::Points,
            other => other,
        }
    }

    /// A number with as many digits as it deserves.
    pub fn bare(self, value: f64) -> String {
        match self {
            Unit::Percent | Unit::Points => format!("{value:.2}"),
            Unit::Volume => format!("{value:.3}"),
            Unit::Games => outflank_report::count(value.max(0.0).round() as u64),
            Unit::Count if value.abs() >= 1000.0 => {
                let sign = if value < 0.0 { "−" } else { "" };
                format!("{sign}{}", outflank_report::count(value.abs().round() as u64))
            }
            Unit::Count if value.abs() >= 100.0 => format!("{value:.0}"),
            Unit::Count => format!("{value:.2}"),
        }
    }

    /// The number with its unit.
    pub fn text(self, value: f64) -> String {
        let bare = self.bare(value);
        match self {
            Unit::Percent => format!("{bare}%"),
            _ => bare,
        }
    }
}
