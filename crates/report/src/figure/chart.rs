//! The content of a chart.

use super::axis::Axis;

use super::Format;

/// Lines or points between two axes, with a legend beside or below them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Its title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// Horizontal lines to compare with.
    pub references: Vec<Reference>,
    /// A note on how it is drawn; may be empty.
    pub note: String,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its look: the same number is the same colour, dashes and marker in every chart.
    pub look: usize,
    /// How it is drawn.
    pub mark: Mark,
    /// From left to right. Points that are not finite are left out.
    pub points: Vec<Point>,
    /// The single runs behind the mean, drawn as faint lines; may be empty.
    pub runs: Vec<Vec<[f64; 2]>>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line with a band of intervals, and a marker at its end if there are other series.
    Band,
    /// A line through markers, with intervals as whiskers.
    Whiskers,
    /// Markers with the name beside them, and intervals as whiskers.
    Scatter,
}

/// A point, perhaps with intervals around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// On the horizontal axis.
    pub x: f64,
    /// On the vertical axis.
    pub y: f64,
    /// The interval of x.
    pub x_interval: Option<[f64; 2]>,
    /// The interval of y.
    pub y_interval: Option<[f64; 2]>,
}

/// A horizontal line.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its name in the legend.
    pub name: String,
    /// Where it is.
    pub y: f64,
}

impl Chart {
    /// Makes an empty chart.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Chart {
        let title = title.into();
        Chart { title, x, y, series: Vec::new(), references: Vec::new(), note: String::new() }
    }

    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        super::draw::svg(self, Format::Wide)
    }

    /// The same for a phone.
    pub fn narrow(&self) -> String {
        super::draw::svg(self, Format::Narrow)
    }
}

impl Point {
    /// Makes a point without intervals.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, x_interval: None, y_interval: None }
    }

    /// Makes a point with an interval of y, if there is one.
    pub fn with_interval(x: f64, y: f64, y_interval: Option<[f64; 2]>) -> Point {
        Point { y_interval, ..Point::new(x, y) }
    }

    /// Says whether it can be drawn.
    pub(super) fn is_finite(&self) -> bool {
        let interval = |interval: Option<[f64; 2]>| interval.into_iter().flatten();
        [self.x, self.y]
            .into_iter()
            .chain(interval(self.x_interval))
            .chain(interval(self.y_interval))
            .all(f64::is_finite)
    }
}
