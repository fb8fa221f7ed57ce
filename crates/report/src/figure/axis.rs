//! Axes: the numbers on them, and how they are written.

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// How its numbers are written.
    pub unit: AxisUnit,
    /// Numbers that it always includes.
    pub shows: Vec<f64>,
}

/// How the numbers of an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisUnit {
    /// As they are: 0.25.
    Plain,
    /// Counts: 500 k, 1.5 M.
    Count,
    /// Shares as percentages: 0.25 as 25%.
    Percent,
}

impl Axis {
    /// Makes an axis as wide as the data.
    pub fn new(label: impl Into<String>, unit: AxisUnit) -> Axis {
        Axis { label: label.into(), unit, shows: Vec::new() }
    }

    /// Includes these numbers too.
    pub fn showing(mut self, numbers: impl IntoIterator<Item = f64>) -> Axis {
        self.shows.extend(numbers);
        self
    }
}

impl AxisUnit {
    /// A value as text, with more digits than a tick.
    pub fn value(self, value: f64) -> String {
        match self {
            AxisUnit::Plain => format!("{value:.4}"),
            // A mean of small counts is rarely whole.
            AxisUnit::Count if value.abs() < 100.0 && !is_whole(value) => format!("{value:.1}"),
            AxisUnit::Count => grouped(value),
            AxisUnit::Percent => format!("{:.2}%", 100.0 * value),
        }
    }
}

/// The numbers on an axis: round ones at equal distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Where the axis begins and ends.
    pub range: [f64; 2],
    /// The numbers, from low to high.
    pub values: Vec<f64>,
    step: f64,
    unit: AxisUnit,
}

impl Ticks {
    /// About `number` ticks for values in this range. The axis ends at ticks or with the data.
    pub fn new(unit: AxisUnit, [low, high]: [f64; 2], number: f64, ends: Ends) -> Ticks {
        // A single value, or none, still gets an axis.
        let (low, high) = match (low, high) {
            (low, high) if !(low.is_finite() && high.is_finite()) => (0.0, 1.0),
            (low, high) if high - low > 1e-9 * low.abs().max(high.abs()).max(1e-6) => (low, high),
            (low, _) => {
                let around = if low.abs() > 0.0 { 0.1 * low.abs() } else { 1.0 };
                // Counts are never below 0.
                let least =
                    if unit == AxisUnit::Count && low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
                ((low - around).max(least), low + around)
            }
        };
        let step = round_step(unit, (high - low) / number);
        let (first, last) = match ends {
            Ends::AtTicks => ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil()),
            Ends::WithData => ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor()),
        };
        // Multiples, not sums: errors do not add up.
        let values: Vec<f64> = (first as i64..=last as i64).map(|k| k as f64 * step).collect();
        let range = match ends {
            Ends::AtTicks => [first * step, last * step],
            Ends::WithData => [low, high],
        };
        Ticks { range, values, step, unit }
    }

    /// A tick as text.
    pub fn text(&self, value: f64) -> String {
        // Enough decimals for ticks to differ; a step is 1, 2, 2.5 or 5 times a power of ten.
        let decimals = |step: f64| (0..12).find(|&d| is_whole(step * 10f64.powi(d))).unwrap_or(12);
        let plain = |value: f64, step: f64| {
            let text = format!("{value:.*}", decimals(step) as usize);
            if text.trim_start_matches('-').bytes().all(|b| matches!(b, b'0' | b'.')) {
                text.trim_start_matches('-').into()
            } else {
                text
            }
        };
        match self.unit {
            AxisUnit::Plain => plain(value, self.step),
            AxisUnit::Percent => plain(100.0 * value, 100.0 * self.step) + "%",
            AxisUnit::Count => {
                let largest = self.range[0].abs().max(self.range[1].abs());
                let (scale, letter) = match largest {
                    x if x >= 1e9 => (1e9, " G"),
                    x if x >= 1e6 => (1e6, " M"),
                    x if x >= 1e4 => (1e3, " k"),
                    _ => return plain(value, self.step),
                };
                if is_whole(value) && value.abs() < 0.5 {
                    return "0".into();
                }
                plain(value / scale, self.step / scale) + letter
            }
        }
    }
}

/// Where an axis ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// At the first tick around the data.
    AtTicks,
    /// Where the data end.
    WithData,
}

/// The smallest step of 1, 2, 2.5 or 5 times a power of ten that is not below this; for counts a
/// whole number.
fn round_step(unit: AxisUnit, least: f64) -> f64 {
    let least = if unit == AxisUnit::Count { least.max(1.0) } else { least };
    let power = 10f64.powf(least.log10().floor());
    let fits =
        |step: f64| step >= least * (1.0 - 1e-9) && (unit != AxisUnit::Count || is_whole(step));
    let multiple = [1.0, 2.0, 2.5, 5.0].into_iter().find(|multiple| fits(multiple * power));
    multiple.unwrap_or(10.0) * power
}

fn is_whole(number: f64) -> bool {
    (number - number.round()).abs() < 1e-6 * number.abs().max(1.0)
}

/// 1234567 as 1,234,567.
fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value <= -0.5 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(unit: AxisUnit, range: [f64; 2], ends: Ends) -> Vec<String> {
        let ticks = Ticks::new(unit, range, 6.0, ends);
        ticks.values.iter().map(|&value| ticks.text(value)).collect()
    }

    #[test]
    fn ticks_are_round_numbers_around_the_data() {
        let found = texts(AxisUnit::Percent, [0.612, 0.874], Ends::AtTicks);
        assert_eq!(found, ["60%", "65%", "70%", "75%", "80%", "85%", "90%"]);
        let found = texts(AxisUnit::Percent, [0.861, 0.866], Ends::AtTicks);
        assert_eq!(found, ["86.1%", "86.2%", "86.3%", "86.4%", "86.5%", "86.6%"]);
        let found = texts(AxisUnit::Plain, [-0.3, 0.31], Ends::AtTicks);
        assert_eq!(found, ["-0.4", "-0.2", "0.0", "0.2", "0.4"]);
    }

    #[test]
    fn counts_have_thousands_and_millions() {
        let found = texts(AxisUnit::Count, [0.0, 4_502_100.0], Ends::WithData);
        assert_eq!(found, ["0", "1 M", "2 M", "3 M", "4 M"]);
        let found = texts(AxisUnit::Count, [0.0, 1_500_000.0], Ends::WithData);
        assert_eq!(found, ["0", "0.25 M", "0.50 M", "0.75 M", "1.00 M", "1.25 M", "1.50 M"]);
        let found = texts(AxisUnit::Count, [2_500.0, 50_000.0], Ends::WithData);
        assert_eq!(found, ["10 k", "20 k", "30 k", "40 k", "50 k"]);
        assert_eq!(texts(AxisUnit::Count, [0.0, 500.0], Ends::WithData)[1], "100");
        assert_eq!(texts(AxisUnit::Count, [0.0, 6e9], Ends::WithData)[1], "1 G");
    }

    #[test]
    fn what_is_counted_has_whole_ticks() {
        for (most, ticks) in [
            (0.0, &["0", "1"][..]),
            (1.0, &["0", "1"]),
            (4.0, &["0", "1", "2", "3", "4"]),
            (13.0, &["0", "5", "10", "15"]),
            (150.0, &["0", "25", "50", "75", "100", "125", "150"]),
        ] {
            assert_eq!(texts(AxisUnit::Count, [0.0, most], Ends::AtTicks), ticks);
        }
        assert_eq!(texts(AxisUnit::Count, [3.0, 3.0], Ends::AtTicks), ["2", "3", "4"]);
    }

    #[test]
    fn one_value_and_none_still_have_an_axis() {
        for range in [[0.5, 0.5], [0.0, 0.0], [f64::INFINITY, f64::NEG_INFINITY], [1e6, 1e6]] {
            let ticks = Ticks::new(AxisUnit::Plain, range, 5.0, Ends::AtTicks);
            assert!(ticks.range[0] < ticks.range[1], "{ticks:?}");
            assert!((2..12).contains(&ticks.values.len()), "{ticks:?}");
        }
    }

    #[test]
    fn values_to_read_off_have_more_digits() {
        assert_eq!(AxisUnit::Count.value(1_234_567.0), "1,234,567");
        assert_eq!(
            (AxisUnit::Count.value(1.333), AxisUnit::Count.value(2.0)),
            ("1.3".into(), "2".into())
        );
        assert_eq!(AxisUnit::Percent.value(0.864_63), "86.46%");
        assert_eq!(AxisUnit::Plain.value(0.5), "0.5000");
    }
}
