//! How a chart becomes SVG: the frame, the series from back to front, the legend to their right.

use maud::{Markup, html};

use super::axis::{Ends, Ticks};
use super::chart::{Chart, Mark, Point, Series};
use super::labels::Labels;
use super::palette::Look;
use super::{at, fitted, printable, text_width};

const WIDTH: f64 = 860.0;
const TOP: f64 = 62.0;
const PLOT_HEIGHT: f64 = 320.0;
const BOTTOM: f64 = 50.0;
const FONT: f64 = 12.5;
/// From one entry of the legend to the next.
const ENTRY: f64 = 22.0;
const LEGEND_MARK: f64 = 34.0;
const LEGEND_TEXT: f64 = 190.0;
/// Markers along a line, and points of it that tell their values.
const MARKERS: usize = 8;
const TOLD: usize = 50;
const GREY: &str = "#555";

/// Where the data are drawn, and the scales.
struct Frame {
    left: f64,
    right: f64,
    x: Ticks,
    y: Ticks,
}

impl Frame {
    fn new(chart: &Chart, legend: f64) -> Frame {
        let xs = points(chart).flat_map(|p| spread(p.x, p.x_interval)).chain(chart.x.shows.clone());
        let ys = points(chart).flat_map(|p| spread(p.y, p.y_interval)).chain(chart.y.shows.clone());
        let ys = ys.chain(chart.references.iter().map(|line| line.y));
        let scatter = chart.series.iter().any(|series| series.mark == Mark::Scatter);
        let ends = if scatter { Ends::AtTicks } else { Ends::WithData };
        let x = Ticks::new(chart.x.unit, extent(xs), 6.0, ends);
        let y = Ticks::new(chart.y.unit, extent(ys), 6.0, Ends::AtTicks);
        let widest = y.values.iter().map(|&value| text_width(&y.text(value))).fold(0.0, f64::max);
        Frame { left: 18.0 + FONT * widest, right: WIDTH - 24.0 - legend, x, y }
    }

    fn bottom(&self) -> f64 {
        TOP + PLOT_HEIGHT
    }

    fn x(&self, value: f64) -> f64 {
        let [low, high] = self.x.range;
        self.left + (self.right - self.left) * (value - low) / (high - low)
    }

    fn y(&self, value: f64) -> f64 {
        let [low, high] = self.y.range;
        self.bottom() - PLOT_HEIGHT * (value - low) / (high - low)
    }
}

fn points(chart: &Chart) -> impl Iterator<Item = &Point> {
    chart.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite())
}

fn spread(value: f64, interval: Option<[f64; 2]>) -> impl Iterator<Item = f64> {
    [value].into_iter().chain(interval.into_iter().flatten())
}

fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    values
        .filter(|value| value.is_finite())
        .fold(start, |[low, high], value| [low.min(value), high.max(value)])
}

pub fn svg(chart: &Chart) -> String {
    let names = chart.series.iter().map(|series| &series.name);
    let names = names.chain(chart.references.iter().map(|line| &line.name));
    let widest = names.map(|name| FONT * text_width(name)).fold(0.0, f64::max);
    let legend_width = LEGEND_MARK + widest.min(LEGEND_TEXT);
    let frame = Frame::new(chart, legend_width);
    let entries = chart.series.len() + chart.references.len();
    let height = (frame.bottom() + BOTTOM).max(TOP + ENTRY * entries as f64 + 16.0);
    let drawn = chart.series.iter().map(|series| draw_series(chart, &frame, series));
    let figure = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(at(WIDTH)) height=(at(height))
            viewBox={ "0 0 " (at(WIDTH)) " " (at(height)) } font-family="sans-serif"
            font-size=(FONT) role="img" aria-label=(printable(&chart.title)) {
            rect width=(at(WIDTH)) height=(at(height)) fill="white" {}
            text x="12" y="26" font-size="16" font-weight="bold" {
                (fitted(&printable(&chart.title), 17.0, WIDTH - 24.0))
            }
            text x="12" y="46" fill=(GREY) { (printable(&chart.y.label)) }
            (draw_frame(chart, &frame))
            @if points(chart).next().is_none() {
                text x=(at((frame.left + frame.right) / 2.0)) y=(at(TOP + PLOT_HEIGHT / 2.0))
                    text-anchor="middle" fill=(GREY) { "no data" }
            }
            @for series in &chart.series { (draw_band(&frame, series)) }
            @for series in drawn { (series) }
            (draw_labels(chart, &frame))
            (draw_legend(chart, &frame))
        }
    };
    figure.into_string()
}

fn draw_frame(chart: &Chart, frame: &Frame) -> Markup {
    let (left, right, bottom) = (at(frame.left), at(frame.right), frame.bottom());
    html! {
        g stroke="#ddd" {
            @for &value in &frame.y.values {
                @let y = at(frame.y(value));
                line x1=(left) x2=(right) y1=(y) y2=(y) {}
            }
        }
        g fill=(GREY) text-anchor="end" {
            @for &value in &frame.y.values {
                text x=(at(frame.left - 7.0)) y=(at(frame.y(value) + 4.5)) {
                    (frame.y.text(value))
                }
            }
        }
        g stroke="#333" {
            line x1=(left) x2=(right) y1=(at(bottom)) y2=(at(bottom)) {}
            @for &value in &frame.x.values {
                @let x = at(frame.x(value));
                line x1=(x) x2=(x) y1=(at(bottom)) y2=(at(bottom + 5.0)) {}
            }
        }
        g fill=(GREY) text-anchor="middle" {
            @for &value in &frame.x.values {
                text x=(at(frame.x(value))) y=(at(bottom + 20.0)) { (frame.x.text(value)) }
            }
            text x=(at((frame.left + frame.right) / 2.0)) y=(at(bottom + 40.0)) {
                (printable(&chart.x.label))
            }
        }
        @for line in chart.references.iter().filter(|line| line.y.is_finite()) {
            @let y = at(frame.y(line.y));
            line x1=(left) x2=(right) y1=(y) y2=(y) stroke=(GREY) stroke-width="1.5"
                stroke-dasharray="2 4" { title { (printable(&line.name)) } }
        }
    }
}

/// Runs of points with intervals, as areas behind all lines.
fn draw_band(frame: &Frame, series: &Series) -> Markup {
    let banded = |point: &Point| {
        let [low, high] = point.y_interval?;
        Some((frame.x(point.x), frame.y(low), frame.y(high)))
    };
    let finite: Vec<&Point> = series.points.iter().filter(|point| point.is_finite()).collect();
    let runs = finite.chunk_by(|a, b| a.y_interval.is_some() == b.y_interval.is_some());
    let areas: Vec<String> = runs
        .map(|run| run.iter().filter_map(|point| banded(point)).collect::<Vec<_>>())
        .filter(|run| run.len() > 1)
        .map(|run| {
            let above = run.iter().map(|&(x, _, high)| (x, high));
            let below = run.iter().rev().map(|&(x, low, _)| (x, low));
            path(above.chain(below)) + "Z"
        })
        .collect();
    html! {
        @if series.mark == Mark::Band && !areas.is_empty() {
            path d=(areas.concat()) fill=(Look::new(series.look).colour) fill-opacity="0.16" {}
        }
    }
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let points: Vec<String> = points.map(|(x, y)| format!("{} {}", at(x), at(y))).collect();
    if points.is_empty() { String::new() } else { format!("M{}", points.join("L")) }
}

fn draw_series(chart: &Chart, frame: &Frame, series: &Series) -> Markup {
    let look = Look::new(series.look);
    let points: Vec<&Point> = series.points.iter().filter(|point| point.is_finite()).collect();
    let line = path(points.iter().map(|point| (frame.x(point.x), frame.y(point.y))));
    let marked = match series.mark {
        Mark::Band => spaced(points.len(), MARKERS, series.look),
        Mark::Whiskers | Mark::Scatter => (0..points.len()).collect(),
    };
    let (size, whiskers) = match series.mark {
        Mark::Band => (4.2, false),
        Mark::Whiskers => (3.4, true),
        Mark::Scatter => (6.0, true),
    };
    let markers: String = marked
        .iter()
        .map(|&index| look.marker(frame.x(points[index].x), frame.y(points[index].y), size))
        .collect();
    html! {
        @if whiskers {
            path d=(points.iter().map(|point| draw_whiskers(frame, point)).collect::<String>())
                stroke=(look.colour) fill="none" stroke-opacity="0.75" stroke-width="1.3" {}
        }
        @if series.mark != Mark::Scatter && points.len() > 1 {
            path d=(line) stroke=(look.colour) stroke-width="2" fill="none"
                stroke-linejoin="round"
                stroke-dasharray=[Some(look.dashes).filter(|dashes| !dashes.is_empty())] {}
        }
        path d=(markers) fill=(look.colour) stroke="white" stroke-width="1" {}
        g fill="none" pointer-events="all" {
            @for index in spaced(points.len(), TOLD, 0) {
                circle cx=(at(frame.x(points[index].x))) cy=(at(frame.y(points[index].y))) r="7" {
                    title { (told(chart, series, points[index])) }
                }
            }
        }
    }
}

/// At most so many indices at equal distances, the last one always among them; `phase` moves those of
/// neighbouring series apart.
fn spaced(length: usize, most: usize, phase: usize) -> Vec<usize> {
    let step = length.div_ceil(most).max(1);
    let first = step - 1 - (phase * step.div_ceil(4)) % step;
    let mut indices: Vec<usize> = (first..length).step_by(step).collect();
    if length > 0 && indices.last() != Some(&(length - 1)) {
        indices.push(length - 1);
    }
    indices
}

fn draw_whiskers(frame: &Frame, point: &Point) -> String {
    let (x, y) = (frame.x(point.x), frame.y(point.y));
    let mut text = String::new();
    if let Some([low, high]) = point.y_interval.map(|ends| ends.map(|end| frame.y(end))) {
        text += &path([(x, low), (x, high)].into_iter());
        text += &path([(x - 3.0, low), (x + 3.0, low)].into_iter());
        text += &path([(x - 3.0, high), (x + 3.0, high)].into_iter());
    }
    if let Some([low, high]) = point.x_interval.map(|ends| ends.map(|end| frame.x(end))) {
        text += &path([(low, y), (high, y)].into_iter());
        text += &path([(low, y - 3.0), (low, y + 3.0)].into_iter());
        text += &path([(high, y - 3.0), (high, y + 3.0)].into_iter());
    }
    text
}

/// What a point says when asked.
fn told(chart: &Chart, series: &Series, point: &Point) -> String {
    let coordinate = |axis: &super::Axis, value: f64, interval: Option<[f64; 2]>| {
        let interval = interval.map_or(String::new(), |[low, high]| {
            format!(" ({} to {})", axis.unit.value(low), axis.unit.value(high))
        });
        format!("{}: {}{interval}", printable(&axis.label), axis.unit.value(value))
    };
    format!(
        "{}\n{}\n{}",
        printable(&series.name),
        coordinate(&chart.x, point.x, point.x_interval),
        coordinate(&chart.y, point.y, point.y_interval)
    )
}

/// Names beside the points of a scatter plot, where there is room; the legend has them all.
fn draw_labels(chart: &Chart, frame: &Frame) -> Markup {
    let mut labels = Labels::new([frame.left, TOP, frame.right, frame.bottom()]);
    for point in points(chart) {
        let (x, y) = (frame.x(point.x), frame.y(point.y));
        labels.keep_free([x - 8.0, y - 8.0, x + 8.0, y + 8.0]);
        if let Some([low, high]) = point.y_interval {
            labels.keep_free([x - 3.0, frame.y(high), x + 3.0, frame.y(low)]);
        }
        if let Some([low, high]) = point.x_interval {
            labels.keep_free([frame.x(low), y - 3.0, frame.x(high), y + 3.0]);
        }
    }
    for y in chart.references.iter().map(|line| frame.y(line.y)).filter(|y| y.is_finite()) {
        labels.keep_free([frame.left, y - 1.0, frame.right, y + 1.0]);
    }
    let scattered = chart.series.iter().filter(|series| series.mark == Mark::Scatter);
    html! {
        @for series in scattered {
            @let name = fitted(&printable(&series.name), FONT, LEGEND_TEXT);
            @let size = [FONT * text_width(&name), FONT];
            @for point in series.points.iter().filter(|point| point.is_finite()) {
                @if let Some([x, y]) = labels.place([frame.x(point.x), frame.y(point.y)], size) {
                    text x=(at(x)) y=(at(y + FONT - 2.0)) pointer-events="none" { (name) }
                }
            }
        }
    }
}

/// The names to the right, those of lines in the order in which the lines end.
fn draw_legend(chart: &Chart, frame: &Frame) -> Markup {
    let end = |series: &Series| {
        let last = series.points.iter().rfind(|point| point.is_finite());
        last.map_or(f64::NEG_INFINITY, |point| point.y)
    };
    let mut order: Vec<&Series> = chart.series.iter().collect();
    order.sort_by(|a, b| end(b).total_cmp(&end(a)));
    let left = frame.right + 18.0;
    let y = |entry: usize| TOP + 8.0 + ENTRY * entry as f64;
    let name = |entry: usize, name: &str| {
        html! {
            text x=(at(left + LEGEND_MARK)) y=(at(y(entry) + 4.5)) {
                (fitted(&printable(name), FONT, LEGEND_TEXT))
                title { (printable(name)) }
            }
        }
    };
    html! {
        @for (entry, series) in order.iter().enumerate() {
            @let look = Look::new(series.look);
            @if series.mark != Mark::Scatter {
                line x1=(at(left)) x2=(at(left + 28.0)) y1=(at(y(entry))) y2=(at(y(entry)))
                    stroke=(look.colour) stroke-width="2"
                    stroke-dasharray=[Some(look.dashes).filter(|dashes| !dashes.is_empty())] {}
            }
            path d=(look.marker(left + 14.0, y(entry), 4.5)) fill=(look.colour) stroke="white" {}
            (name(entry, &series.name))
        }
        @for (index, line) in chart.references.iter().enumerate() {
            @let entry = order.len() + index;
            line x1=(at(left)) x2=(at(left + 28.0)) y1=(at(y(entry))) y2=(at(y(entry)))
                stroke=(GREY) stroke-width="1.5" stroke-dasharray="2 4" {}
            (name(entry, &line.name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Reference, Unit};
    use super::*;

    fn small() -> Chart {
        let point = |x: f64, y: f64| Point::with_interval(x, y, Some([y - 0.02, y + 0.02]));
        let mut chart = Chart::new(
            "Learning <curves>",
            Axis::new("games", Unit::Count).showing([0.0]),
            Axis::new("games won", Unit::Percent),
        );
        chart.series = vec![
            Series {
                name: "a&b".into(),
                look: 0,
                mark: Mark::Band,
                points: vec![point(1000.0, 0.6), point(2000.0, 0.7)],
            },
            Series {
                name: "<script>".into(),
                look: 1,
                mark: Mark::Whiskers,
                points: vec![point(1000.0, 0.5), Point::new(2000.0, f64::NAN)],
            },
        ];
        chart.references = vec![Reference { name: "even".into(), y: 0.5 }];
        chart
    }

    #[test]
    fn a_chart_is_the_same_bytes_as_ever() {
        let found = small().svg().replace("><", ">\n<") + "\n";
        let golden = include_str!("golden.svg");
        assert!(found == golden, "expected crates/lab/src/figure/golden.svg, found\n{found}");
    }

    #[test]
    fn names_are_escaped_and_what_is_not_finite_is_left_out() {
        let text = small().svg();
        assert!(text.contains("a&amp;b") && text.contains("&lt;script&gt;"));
        assert!(!text.contains("<script>") && !text.contains("NaN") && !text.contains("inf"));
        assert_eq!(text.matches("http").count(), 1, "the namespace and nothing else");
    }

    #[test]
    fn charts_without_data_say_so() {
        let mut chart = small();
        chart.series.clear();
        chart.references.clear();
        assert!(chart.svg().contains("no data") && !chart.svg().contains("NaN"));
        chart.series = vec![Series { points: Vec::new(), ..small().series[0].clone() }];
        assert!(chart.svg().contains("no data"));
    }

    #[test]
    fn markers_are_spread_over_a_line_and_the_last_point_has_one() {
        assert_eq!(spaced(0, 8, 0), Vec::<usize>::new());
        assert_eq!(spaced(3, 8, 5), [0, 1, 2]);
        assert_eq!(spaced(16, 8, 0), [1, 3, 5, 7, 9, 11, 13, 15]);
        assert!((0..12).all(|phase| spaced(200, 8, phase).last() == Some(&199)));
        assert_ne!(spaced(200, 8, 0)[..8], spaced(200, 8, 1)[..8]);
    }

    #[test]
    fn a_scatter_plot_names_its_points() {
        let mut chart = small();
        chart.series = ["one", "two"]
            .into_iter()
            .enumerate()
            .map(|(look, name)| Series {
                name: name.into(),
                look,
                mark: Mark::Scatter,
                points: vec![Point {
                    x_interval: Some([0.2, 0.4]),
                    ..Point::new(0.3 + look as f64, 0.4)
                }],
            })
            .collect();
        // Beside the point, in the legend, and in what legend and point say when asked.
        assert_eq!(chart.svg().matches(">one").count(), 4);
    }
}
