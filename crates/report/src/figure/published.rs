//! What a paper says, to be drawn beside our own values.

use super::AxisUnit;

/// A published value, perhaps with what is around it; or only a range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Published {
    /// The value; none if the paper gives only a range.
    pub value: Option<f64>,
    /// What is around it.
    pub spread: Option<Spread>,
}

/// What is around a published value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// A confidence interval.
    Interval([f64; 2]),
    /// The smallest and the largest value, or a reading of a plot between two limits.
    Range([f64; 2]),
}

impl Spread {
    /// Its ends.
    pub fn ends(self) -> [f64; 2] {
        match self {
            Spread::Interval(ends) | Spread::Range(ends) => ends,
        }
    }
}

impl Published {
    /// A single number.
    pub fn value(value: f64) -> Published {
        Published { value: Some(value), spread: None }
    }

    /// A number with its interval.
    pub fn with_interval(value: f64, interval: [f64; 2]) -> Published {
        Published { value: Some(value), spread: Some(Spread::Interval(interval)) }
    }

    /// Only a range.
    pub fn range(range: [f64; 2]) -> Published {
        Published { value: None, spread: Some(Spread::Range(range)) }
    }

    /// The same without what cannot be drawn; none if nothing is left.
    pub(super) fn finite(self) -> Option<Published> {
        let value = self.value.filter(|value| value.is_finite());
        let spread = self.spread.filter(|spread| spread.ends().iter().all(|end| end.is_finite()));
        (value.is_some() || spread.is_some()).then_some(Published { value, spread })
    }

    /// All of its numbers.
    pub(super) fn numbers(self) -> impl Iterator<Item = f64> {
        self.value.into_iter().chain(self.spread.into_iter().flat_map(Spread::ends))
    }

    /// As text.
    pub(super) fn text(self, unit: AxisUnit) -> String {
        let ends = |[low, high]: [f64; 2]| format!("{} to {}", unit.value(low), unit.value(high));
        match (self.value, self.spread) {
            (Some(value), None) => unit.value(value),
            (Some(value), Some(spread)) => {
                format!("{} ({})", unit.value(value), ends(spread.ends()))
            }
            (None, Some(spread)) => ends(spread.ends()),
            (None, None) => "–".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_left_out() {
        let half = Published { value: Some(f64::NAN), ..Published::range([0.1, 0.2]) };
        assert_eq!(half.finite(), Some(Published::range([0.1, 0.2])));
        assert_eq!(Published::value(f64::INFINITY).finite(), None);
        assert_eq!(Published::with_interval(0.5, [0.4, 0.6]).numbers().count(), 3);
        assert_eq!(
            Published::with_interval(0.5, [0.4, 0.6]).text(AxisUnit::Percent),
            "50.00% (40.00% to 60.00%)"
        );
    }
}
