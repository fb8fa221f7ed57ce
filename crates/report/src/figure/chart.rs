//! The content of a chart.

use std::fmt::Write as _;

use super::Format;
use super::axis::Axis;
use super::published::Published;
use crate::text::csv_cell;

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
    /// What papers say, as hollow marks and dashed levels.
    pub published: Vec<PublishedMark>,
    /// A note on how it is drawn; may be empty.
    pub note: String,
}

/// A published value in a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedMark {
    /// Its name in the legend.
    pub name: String,
    /// The look of the series that it belongs to; grey if there is none.
    pub look: Option<usize>,
    /// Where it was measured; none for a level of the whole chart.
    pub x: Option<f64>,
    /// The value.
    pub published: Published,
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
    /// A front of two objectives: markers, and the steps below which all is dominated.
    Front,
    /// The steps alone.
    Surface,
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

impl Mark {
    /// Says whether lines go in steps.
    pub(super) fn is_stepped(self) -> bool {
        matches!(self, Mark::Front | Mark::Surface)
    }
}

impl Chart {
    /// Makes an empty chart.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Chart {
        let title = title.into();
        Chart {
            title,
            x,
            y,
            series: Vec::new(),
            references: Vec::new(),
            published: Vec::new(),
            note: String::new(),
        }
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

/// The first lines of the data of charts: every value of every run, and the means.
pub const RUNS_HEAD: &str = "series,run,games,value\n";
/// What the axis of learning curves measures.
pub const TRAINING_GAMES: &str = "training games";
/// See [`RUNS_HEAD`]; with `x` for `games` if that is not what the axis measures.
pub const MEANS_HEAD: &str = "series,games,mean,low,high,n\n";

impl Chart {
    /// Every value of every single run as CSV. Runs are numbered from 1 in each series.
    pub fn runs_csv(&self) -> String {
        let mut text = RUNS_HEAD.to_string();
        for series in &self.series {
            for (run, points) in series.runs.iter().enumerate() {
                for [x, y] in points.iter().filter(|point| point.iter().all(|v| v.is_finite())) {
                    let _ = writeln!(text, "{},{},{x},{y:.6}", csv_cell(&series.name), run + 1);
                }
            }
        }
        text
    }

    /// The means with their intervals as CSV. The last cell is the number of single runs with a
    /// value there, empty if the chart has none.
    pub fn means_csv(&self) -> String {
        let mut text = MEANS_HEAD.to_string();
        if self.x.label != TRAINING_GAMES {
            text = text.replacen("games", "x", 1);
        }
        for series in &self.series {
            for point in series.points.iter().filter(|point| point.is_finite()) {
                let here = |run: &&Vec<[f64; 2]>| {
                    run.iter().any(|[x, y]| x.total_cmp(&point.x).is_eq() && y.is_finite())
                };
                let n = match series.runs.iter().filter(here).count() {
                    0 => String::new(),
                    n => n.to_string(),
                };
                let [low, high] = point.y_interval.map_or([String::new(), String::new()], |ends| {
                    ends.map(|end| format!("{end:.6}"))
                });
                let (name, x, y) = (csv_cell(&series.name), point.x, point.y);
                let _ = writeln!(text, "{name},{x},{y:.6},{low},{high},{n}");
            }
        }
        text
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
