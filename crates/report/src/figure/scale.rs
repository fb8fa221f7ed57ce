//! A horizontal scale that several figures draw in the same way: grid, numbers and label.

use maud::{Markup, html};

use super::axis::{Ends, Ticks};
use super::{Axis, SOFT, at, fitted, printable};

/// Values between two places of a figure.
pub struct Scale {
    ticks: Ticks,
    left: f64,
    right: f64,
}

impl Scale {
    /// About this many ticks for values and what the axis always shows. Values that are not finite
    /// count for nothing.
    pub fn new(
        axis: &Axis,
        values: impl Iterator<Item = f64>,
        ticks: f64,
        [left, right]: [f64; 2],
    ) -> Scale {
        let range = extent(values.chain(axis.shows.iter().copied()));
        Scale { ticks: Ticks::new(axis.unit, range, ticks, Ends::AtTicks), left, right }
    }

    /// The place of a value.
    pub fn x(&self, value: f64) -> f64 {
        let [low, high] = self.ticks.range;
        self.left + (self.right - self.left) * (value - low) / (high - low)
    }

    /// The place of its middle.
    pub fn middle(&self) -> f64 {
        (self.left + self.right) / 2.0
    }

    /// Lines at its numbers, between two heights.
    pub fn grid(&self, top: f64, bottom: f64) -> Markup {
        html! {
            g stroke="#ddd" class="o-grid" {
                @for &value in &self.ticks.values {
                    @let x = at(self.x(value));
                    line x1=(x) x2=(x) y1=(at(top)) y2=(at(bottom)) {}
                }
            }
        }
    }

    /// Its numbers, on the line of text with this height.
    pub fn numbers(&self, y: f64) -> Markup {
        html! {
            g fill=(SOFT) class="o-soft" text-anchor="middle" {
                @for &value in &self.ticks.values {
                    text x=(at(self.x(value))) y=(at(y)) { (self.ticks.text(value)) }
                }
            }
        }
    }

    /// What it measures, on the line of text with this height.
    pub fn label(&self, text: &str, y: f64, font: f64, most: f64) -> Markup {
        html! {
            text x=(at(self.middle())) y=(at(y)) fill=(SOFT) class="o-soft" text-anchor="middle" {
                (fitted(&printable(text), font, most))
            }
        }
    }
}

/// The smallest and the largest finite value.
pub fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    values
        .filter(|value| value.is_finite())
        .fold(start, |[low, high], value| [low.min(value), high.max(value)])
}

#[cfg(test)]
mod tests {
    use super::super::AxisUnit;
    use super::*;

    #[test]
    fn values_are_between_the_ends_of_a_scale() {
        let axis = Axis::new("games won", AxisUnit::Percent).showing([0.9]);
        let scale = Scale::new(&axis, [0.5, f64::NAN, 0.7].into_iter(), 4.0, [100.0, 300.0]);
        assert!((scale.x(0.5) - 100.0).abs() < 1e-9 && (scale.x(0.9) - 300.0).abs() < 1e-9);
        assert!(scale.numbers(0.0).into_string().contains(">60%<"));
        let empty = Scale::new(&axis, [].into_iter(), 4.0, [100.0, 300.0]);
        assert!(empty.x(0.9).is_finite());
    }
}
