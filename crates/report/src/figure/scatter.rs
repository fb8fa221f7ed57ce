//! Scatter plots of two objectives: a point for each case with the intervals of both.

use std::fmt::Write as _;

use super::{Axis, Chart, Mark, Point, Reference, Series};
use crate::text::csv_cell;

/// Cases by two measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// What it shows; may be empty.
    pub title: String,
    /// The first measure.
    pub x: Axis,
    /// The second measure.
    pub y: Axis,
    /// The cases. Those that are not finite are left out.
    pub cases: Vec<ScatterCase>,
    /// Horizontal lines to compare with.
    pub references: Vec<Reference>,
    /// A note on how it is drawn; may be empty.
    pub note: String,
}

/// A case of a scatter plot.
#[derive(Clone, Debug, PartialEq)]
pub struct ScatterCase {
    /// Its name.
    pub name: String,
    /// The look, as for a series of a chart.
    pub look: usize,
    /// Where it is, with intervals.
    pub point: Point,
}

impl Scatter {
    /// The same as a chart: names stand beside points, and never cover each other.
    pub fn chart(&self) -> Chart {
        let mut chart = Chart::new(self.title.clone(), self.x.clone(), self.y.clone());
        let series = self.cases.iter().map(|case| Series {
            name: case.name.clone(),
            look: case.look,
            mark: Mark::Scatter,
            points: vec![case.point],
            runs: Vec::new(),
        });
        chart.series = series.collect();
        chart.references = self.references.clone();
        chart.note = self.note.clone();
        chart
    }

    /// The plot as an SVG document.
    pub fn svg(&self) -> String {
        self.chart().svg()
    }

    /// The same for a phone.
    pub fn narrow(&self) -> String {
        self.chart().narrow()
    }

    /// The points as CSV.
    pub fn csv(&self) -> String {
        let mut text = "case,x,x_low,x_high,y,y_low,y_high\n".to_string();
        let ends = |ends: Option<[f64; 2]>| {
            ends.map_or(",".into(), |[low, high]| format!("{low:.6},{high:.6}"))
        };
        for case in self.cases.iter().filter(|case| case.point.is_finite()) {
            let Point { x, y, x_interval, y_interval } = case.point;
            let name = csv_cell(&case.name);
            let _ =
                writeln!(text, "{name},{x:.6},{},{y:.6},{}", ends(x_interval), ends(y_interval));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::AxisUnit;
    use super::*;

    #[test]
    fn cases_have_crosses_and_names() {
        let case = |name: &str, look, x: f64| ScatterCase {
            name: name.into(),
            look,
            point: Point {
                x_interval: Some([x - 0.1, x + 0.1]),
                ..Point::with_interval(x, 0.5, Some([0.4, 0.6]))
            },
        };
        let plot = Scatter {
            title: String::new(),
            x: Axis::new("first", AxisUnit::Percent),
            y: Axis::new("second", AxisUnit::Percent),
            cases: vec![case("<a>", 0, 0.3), case("b", 1, 0.31), case("c", 2, f64::NAN)],
            references: Vec::new(),
            note: String::new(),
        };
        let svg = plot.svg();
        assert!(svg.contains("&lt;a&gt;") && !svg.contains("NaN"));
        assert_eq!(
            plot.csv(),
            "case,x,x_low,x_high,y,y_low,y_high\n\
            <a>,0.300000,0.200000,0.400000,0.500000,0.400000,0.600000\n\
            b,0.310000,0.210000,0.410000,0.500000,0.400000,0.600000\n"
        );
        let empty = Scatter { cases: Vec::new(), ..plot };
        assert!(empty.svg().contains("no data") && empty.narrow().contains("no data"));
    }
}
