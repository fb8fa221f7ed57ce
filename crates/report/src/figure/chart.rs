//! What a chart shows.

use super::axis::Axis;

use super::Format;

/// Lines or points between two axes, with a legend beside or below them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The axis below.
    pub x: Axis,
    /// The axis to the left.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// Horizontal lines to compare with.
    pub references: Vec<Reference>,
    /// What is to be said of how it is drawn; may be empty.
    pub note: String,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// Its look: the same number is the same colour, dashes and marker in every chart.
    pub look: usize,
    /// How it is drawn.
    pub mark: Mark,
    /// From left to right. What is not finite is left out.
    pub points: Vec<Point>,
    /// What its points are the mean of, if it is drawn: faint lines behind it.
    pub runs: Vec<Vec<[f64; 2]>>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line, with a marker at its end if there are others; intervals are a band around it.
    Band,
    /// A line through markers; intervals are whiskers.
    Whiskers,
    /// Markers with the name beside them; intervals are whiskers.
    Scatter,
}

/// A point, perhaps with intervals around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along the axis below.
    pub x: f64,
    /// Along the axis to the left.
    pub y: f64,
    /// The interval of x.
    pub x_interval: Option<[f64; 2]>,
    /// The interval of y.
    pub y_interval: Option<[f64; 2]>,
}

/// A horizontal line.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// What the legend calls it.
    pub name: String,
    /// Where it is.
    pub y: f64,
}

impl Chart {
    /// A chart with nothing in it yet.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Chart {
        let title = title.into();
        Chart { title, x, y, series: Vec::new(), references: Vec::new(), note: String::new() }
    }

    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        super::draw::svg(self, Format::Wide)
    }

    /// The same for a telephone.
    pub fn narrow(&self) -> String {
        super::draw::svg(self, Format::Narrow)
    }
}

impl Point {
    /// A point without intervals.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, x_interval: None, y_interval: None }
    }

    /// A point with the interval of y, if it has one.
    pub fn with_interval(x: f64, y: f64, y_interval: Option<[f64; 2]>) -> Point {
        Point { y_interval, ..Point::new(x, y) }
    }

    /// Whether it can be drawn.
    pub(super) fn is_finite(&self) -> bool {
        let interval = |interval: Option<[f64; 2]>| interval.into_iter().flatten();
        [self.x, self.y]
            .into_iter()
            .chain(interval(self.x_interval))
            .chain(interval(self.y_interval))
            .all(f64::is_finite)
    }
}
