//! How a chart becomes SVG: the frame, the series from back to front, and what is beside them.

mod legend;
mod marks;
mod names;

use maud::{Markup, html};

use super::axis::{Ends, Ticks};
use super::chart::{Chart, Mark, Point, Series};
use super::palette::Look;
use super::published::Published;
use super::scale::extent;
use super::{
    Format, SOFT, at, document, fitted, note_lines, printable, spaced, text_width, title_lines,
};
use legend::{LEGEND_MARK, LEGEND_TEXT, draw_legend};
use marks::{draw_published, published};
use names::draw_names;

/// At most this many points of a line have tooltips.
const MAX_TOOLTIPS: usize = 50;

/// Where the data are drawn, and the scales.
struct Frame {
    format: Format,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Ticks,
    y: Ticks,
}

impl Frame {
    /// A frame below a title and to the left of a legend of this width.
    fn new(chart: &Chart, format: Format, top: f64, legend: f64) -> Frame {
        let runs = || chart.series.iter().flat_map(|series| series.runs.iter().flatten());
        let xs = points(chart).flat_map(|p| spread(p.x, p.x_interval)).chain(chart.x.shows.clone());
        let ys = points(chart).flat_map(|p| spread(p.y, p.y_interval)).chain(chart.y.shows.clone());
        let xs = xs.chain(runs().map(|point| point[0]));
        let ys = ys.chain(runs().map(|point| point[1]));
        let ys = ys.chain(chart.references.iter().map(|line| line.y));
        let marks = || published(chart).map(|(_, mark)| mark);
        let xs = xs.chain(chart.published.iter().filter_map(|mark| mark.x));
        let ys = ys.chain(marks().flat_map(Published::numbers));
        let scatter = chart
            .series
            .iter()
            .any(|series| series.mark == Mark::Scatter || series.mark.is_stepped());
        let ends = if scatter { Ends::AtTicks } else { Ends::WithData };
        let (ticks, height) = match format {
            Format::Wide => (6.0, 320.0),
            Format::Narrow => (3.5, 230.0),
        };
        let x = Ticks::new(chart.x.unit, extent(xs), ticks, ends);
        let y = Ticks::new(chart.y.unit, extent(ys), 6.0, Ends::AtTicks);
        let widest = y.values.iter().map(|&value| text_width(&y.text(value))).fold(0.0, f64::max);
        let left = 14.0 + format.font() * (1.4 + widest);
        let last = x.values.last().map_or(0.0, |&value| format.font() * text_width(&x.text(value)));
        let right = match format {
            Format::Wide => format.width() - 24.0 - legend,
            // The last number may be at the end of the axis.
            Format::Narrow => format.width() - 4.0 - last / 2.0,
        };
        Frame { format, left, right, top, bottom: top + height, x, y }
    }

    fn x(&self, value: f64) -> f64 {
        let [low, high] = self.x.range;
        self.left + (self.right - self.left) * (value - low) / (high - low)
    }

    fn y(&self, value: f64) -> f64 {
        let [low, high] = self.y.range;
        self.bottom - (self.bottom - self.top) * (value - low) / (high - low)
    }
}

fn points(chart: &Chart) -> impl Iterator<Item = &Point> {
    chart.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite())
}

fn spread(value: f64, interval: Option<[f64; 2]>) -> impl Iterator<Item = f64> {
    [value].into_iter().chain(interval.into_iter().flatten())
}

pub fn svg(chart: &Chart, format: Format) -> String {
    let names = chart.series.iter().map(|series| &series.name);
    let names = names.chain(chart.references.iter().map(|line| &line.name));
    let names = names.chain(chart.published.iter().map(|mark| &mark.name));
    let widest = names.map(|name| format.font() * text_width(name)).fold(0.0, f64::max);
    let (title, below_title) = title_lines(&chart.title, format);
    let frame =
        Frame::new(chart, format, below_title + 14.0, LEGEND_MARK + widest.min(LEGEND_TEXT));
    let (legend, below_legend) = draw_legend(chart, &frame);
    let below_axis = frame.bottom + 3.9 * format.font();
    let (note, end) = note_lines(&chart.note, below_axis.max(below_legend), format);
    let middle = [(frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0];
    let body = html! {
        (title)
        g font-size=(at(format.font())) {
            (draw_frame(chart, &frame))
            (draw_published(chart, &frame, true))
            @if points(chart).next().is_none() && published(chart).next().is_none() {
                text x=(at(middle[0])) y=(at(middle[1])) text-anchor="middle" fill=(SOFT) class="o-soft" {
                    "no data"
                }
            }
            @for series in &chart.series { (draw_runs(&frame, series)) }
            @for series in &chart.series { (draw_band(&frame, series)) }
            @for series in &chart.series { (draw_series(chart, &frame, series)) }
            (draw_published(chart, &frame, false))
            (draw_names(chart, &frame))
            (legend)
        }
        (note)
    };
    document([format.width(), end + 6.0], &printable(&chart.title), &body)
}

/// The look of a series; one that is alone is a solid line.
fn look_of(chart: &Chart, series: &Series) -> Look {
    let look = Look::new(series.look);
    if chart.series.len() == 1 { look.solid() } else { look }
}

/// Says whether a series has markers: points that are data do, and lines if there are several.
fn has_markers(chart: &Chart, series: &Series) -> bool {
    match series.mark {
        Mark::Whiskers | Mark::Scatter | Mark::Front => true,
        Mark::Band => chart.series.len() > 1,
        Mark::Surface => false,
    }
}

fn draw_frame(chart: &Chart, frame: &Frame) -> Markup {
    let (left, right, bottom, font) =
        (at(frame.left), at(frame.right), frame.bottom, frame.format.font());
    let length = frame.bottom - frame.top;
    // A short axis has room for a short title; tooltips have all of it.
    let label = fitted(&printable(&chart.y.label), font, length + 10.0);
    let (x, y) = (at(8.0 + font), at((frame.top + frame.bottom) / 2.0));
    html! {
        g stroke="#ddd" class="o-grid" {
            @for &value in &frame.y.values {
                @let y = at(frame.y(value));
                line x1=(left) x2=(right) y1=(y) y2=(y) {}
            }
        }
        g fill=(SOFT) class="o-soft" text-anchor="end" {
            @for &value in &frame.y.values {
                text x=(at(frame.left - 7.0)) y=(at(frame.y(value) + 4.5)) {
                    (frame.y.text(value))
                }
            }
        }
        g stroke="#333" class="o-axis" {
            line x1=(left) x2=(right) y1=(at(bottom)) y2=(at(bottom)) {}
            @for &value in &frame.x.values {
                @let x = at(frame.x(value));
                line x1=(x) x2=(x) y1=(at(bottom)) y2=(at(bottom + 5.0)) {}
            }
        }
        g fill=(SOFT) class="o-soft" text-anchor="middle" {
            @for &value in &frame.x.values {
                text x=(at(frame.x(value))) y=(at(bottom + 20.0)) { (frame.x.text(value)) }
            }
            text x=(at((frame.left + frame.right) / 2.0)) y=(at(bottom + 22.0 + 1.35 * font)) {
                (printable(&chart.x.label))
            }
            text x=(x) y=(y) transform={ "rotate(-90 " (x) " " (y) ")" } { (label) }
        }
        @for line in chart.references.iter().filter(|line| line.y.is_finite()) {
            @let y = at(frame.y(line.y));
            line x1=(left) x2=(right) y1=(y) y2=(y) stroke=(SOFT) class="o-line" stroke-width="1.5"
                stroke-dasharray="2 4" { title { (printable(&line.name)) } }
        }
    }
}

/// The single runs of a series, behind everything else.
fn draw_runs(frame: &Frame, series: &Series) -> Markup {
    let look = Look::new(series.look);
    let most = if frame.format == Format::Wide { 120 } else { 50 };
    let line = |run: &Vec<[f64; 2]>| {
        let finite: Vec<&[f64; 2]> =
            run.iter().filter(|point| point.iter().all(|value| value.is_finite())).collect();
        let kept = spaced(finite.len(), most).into_iter().map(|index| finite[index]);
        // Thinning always keeps the first point.
        let first = finite.first().copied().into_iter();
        let mut all: Vec<&[f64; 2]> = first.chain(kept).collect();
        all.dedup();
        line_of(frame, series.mark, &all.into_iter().copied().collect::<Vec<_>>())
    };
    html! {
        @if !series.runs.is_empty() {
            path d=(series.runs.iter().map(line).collect::<String>()) fill="none" stroke=(look.colour)
                class=(look.stroke_class()) stroke-width="1" stroke-opacity="0.45"
                stroke-linejoin="round" {}
        }
    }
}

/// Sequences of points with intervals, as areas behind all lines.
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
            @let look = Look::new(series.look);
            path d=(areas.concat()) fill=(look.colour) class=(look.fill_class()) fill-opacity="0.15" {}
        }
    }
}

pub(super) fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let points: Vec<String> = points.map(|(x, y)| format!("{} {}", at(x), at(y))).collect();
    if points.is_empty() { String::new() } else { format!("M{}", points.join("L")) }
}

/// The line through points from left to right. Steps begin at the left end of the chart and end at
/// its bottom: what is below and to the left of a point is dominated.
fn line_of(frame: &Frame, mark: Mark, points: &[[f64; 2]]) -> String {
    let places = points.iter().map(|[x, y]| (frame.x(*x), frame.y(*y)));
    if !mark.is_stepped() || points.is_empty() {
        return path(places);
    }
    let mut corners = Vec::new();
    let mut left = frame.left;
    for (x, y) in places {
        corners.extend([(left, y), (x, y)]);
        left = x;
    }
    corners.push((left, frame.bottom));
    path(corners.into_iter())
}

fn draw_series(chart: &Chart, frame: &Frame, series: &Series) -> Markup {
    let look = look_of(chart, series);
    let points: Vec<&Point> = series.points.iter().filter(|point| point.is_finite()).collect();
    let places: Vec<[f64; 2]> = points.iter().map(|point| [point.x, point.y]).collect();
    let line = line_of(frame, series.mark, &places);
    // On a line of means a marker would look like a measurement, so it is put at the end.
    let marked = match series.mark {
        Mark::Band if points.len() == 1 => &points[..],
        Mark::Band if has_markers(chart, series) => &points[points.len().saturating_sub(1)..],
        Mark::Band => &[],
        Mark::Whiskers | Mark::Scatter | Mark::Front => &points[..],
        Mark::Surface => &[],
    };
    let (size, whiskers) = match series.mark {
        Mark::Band => (4.2, points.len() == 1),
        Mark::Whiskers => (3.4, true),
        Mark::Front | Mark::Surface => (4.2, false),
        Mark::Scatter => (6.0, true),
    };
    let markers: String =
        marked.iter().map(|point| look.marker(frame.x(point.x), frame.y(point.y), size)).collect();
    let told_points =
        if frame.format == Format::Wide { spaced(points.len(), MAX_TOOLTIPS) } else { Vec::new() };
    html! {
        @if whiskers {
            path d=(points.iter().map(|point| draw_whiskers(frame, point)).collect::<String>())
                stroke=(look.colour) class=(look.stroke_class()) fill="none" stroke-opacity="0.75"
                stroke-width="1.3" {}
        }
        @if series.mark != Mark::Scatter && (points.len() > 1 || series.mark.is_stepped()) {
            path d=(line) stroke=(look.colour) class=(look.stroke_class()) stroke-width="2.2" fill="none"
                stroke-linejoin="round"
                stroke-dasharray=[Some(look.dashes).filter(|dashes| !dashes.is_empty())] {}
        }
        @if !markers.is_empty() {
            g class="o-halo" stroke="white" stroke-width="1" {
                path d=(markers) fill=(look.colour) class=(look.fill_class()) {}
            }
        }
        @if !told_points.is_empty() {
            g fill="none" pointer-events="all" {
                @for index in told_points {
                    circle cx=(at(frame.x(points[index].x))) cy=(at(frame.y(points[index].y))) r="7" {
                        title { (tooltip(chart, series, points[index])) }
                    }
                }
            }
        }
    }
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

/// The tooltip of a point.
fn tooltip(chart: &Chart, series: &Series, point: &Point) -> String {
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

#[cfg(test)]
mod tests {
    use super::super::chart::TRAINING_GAMES;
    use super::super::{Axis, AxisUnit, PublishedMark, Reference, embedded};
    use super::*;

    fn small() -> Chart {
        let point = |x: f64, y: f64| Point::with_interval(x, y, Some([y - 0.02, y + 0.02]));
        let mut chart = Chart::new(
            "Learning <curves>",
            Axis::new("games", AxisUnit::Count).showing([0.0]),
            Axis::new("games won", AxisUnit::Percent),
        );
        chart.series = vec![
            Series {
                name: "a&b".into(),
                look: 0,
                mark: Mark::Band,
                points: vec![point(1000.0, 0.6), point(2000.0, 0.7)],
                runs: vec![vec![[1000.0, 0.58], [2000.0, 0.74]], vec![[1000.0, f64::NAN]]],
            },
            Series {
                name: "<script>".into(),
                look: 1,
                mark: Mark::Whiskers,
                points: vec![point(1000.0, 0.5), Point::new(2000.0, f64::NAN)],
                runs: Vec::new(),
            },
        ];
        chart.references = vec![Reference { name: "even".into(), y: 0.5 }];
        chart
    }

    #[test]
    fn a_chart_is_the_same_bytes_as_ever() {
        let found = embedded(&small().svg()).replace("><", ">\n<") + "\n";
        let golden = include_str!("golden.svg");
        assert!(found == golden, "expected crates/report/src/figure/golden.svg, found\n{found}");
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
    fn lines_have_markers_at_their_ends_and_one_line_has_none() {
        let mut chart = small();
        chart.series[1].mark = Mark::Band;
        chart.series[1].points = chart.series[0].points.clone();
        // The ends of two lines, and their names.
        assert_eq!(chart.svg().matches("class=\"o-halo\"").count(), 4);
        assert!(chart.svg().contains("stroke-dasharray=\"7 3\""));
        chart.series.remove(0);
        assert_eq!(chart.svg().matches("class=\"o-halo\"").count(), 0);
        assert!(!chart.svg().contains("stroke-dasharray=\"7 3\""), "one series needs no dashes");
    }

    #[test]
    fn single_runs_are_behind_the_mean() {
        let svg = small().svg();
        let (run, mean) = (svg.find("stroke-opacity=\"0.45\""), svg.find("stroke-width=\"2.2\""));
        assert!(run.is_some() && run < mean);
        // It reaches higher than the mean and the band.
        assert!(svg.contains(">75%<") && small().narrow().contains(">75%<"));
    }

    #[test]
    fn published_values_are_hollow_marks_and_levels() {
        let mut chart = small();
        let mark = |look, x, published| PublishedMark { name: "pa<per".into(), look, x, published };
        chart.published = vec![
            mark(Some(0), Some(1500.0), Published::with_interval(0.95, [0.93, 0.97])),
            mark(None, None, Published::range([0.2, 0.25])),
            mark(None, Some(f64::NAN), Published::value(0.5)),
            mark(None, Some(1.0), Published::value(f64::NAN)),
        ];
        for svg in [chart.svg(), chart.narrow()] {
            assert!(svg.contains(">100%<") && svg.contains(">20%<"), "the axis shows both");
            assert!(svg.contains("fill-opacity=\"0.13\"") && svg.contains("pa&lt;per"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
        assert_eq!(
            chart.svg().matches("fill=\"white\" class=\"o-paper\"").count(),
            4,
            "and in the legend"
        );
        chart.series.clear();
        assert!(!chart.svg().contains("no data"));
    }

    #[test]
    fn the_data_of_a_chart_are_two_tables() {
        let mut chart = small();
        chart.x.label = TRAINING_GAMES.into();
        assert_eq!(
            chart.runs_csv(),
            "series,run,games,value\na&b,1,1000,0.580000\na&b,1,2000,0.740000\n"
        );
        assert_eq!(
            chart.means_csv(),
            "series,games,mean,low,high,n\n\
             a&b,1000,0.600000,0.580000,0.620000,1\na&b,2000,0.700000,0.680000,0.720000,1\n\
             <script>,1000,0.500000,0.480000,0.520000,\n"
        );
        // Another axis has another name.
        chart.x.label = "strength of the opponents".into();
        assert!(chart.means_csv().starts_with("series,x,mean,"), "{}", chart.means_csv());
    }

    #[test]
    fn on_a_telephone_names_stand_below_and_text_keeps_its_size() {
        let mut chart = small();
        chart.series[0].name =
            "a name for which no legend beside a chart would have any room".into();
        chart.note = "a note of more words than one line of a telephone has any room for".into();
        let svg = chart.narrow();
        assert!(svg.contains("viewBox=\"0 0 380 ") && svg.contains("font-size=\"12\""));
        assert!(!svg.contains("<circle") && svg.contains("would…"), "{svg}");
    }

    #[test]
    fn long_names_beside_a_chart_go_on_below() {
        let mut chart = small();
        chart.series[0].name =
            "a name that is as long as lr2006@depth=6,solve=14,book=small".into();
        let svg = chart.svg();
        let lines = [">a name that is as long as<", ">lr2006@depth=6, solve=14,<", ">book=small<"];
        assert!(lines.iter().all(|line| svg.contains(line)) && !svg.contains('…'), "{svg}");
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
                runs: Vec::new(),
            })
            .collect();
        // Beside the point, in the legend, and in the tooltips of both.
        assert_eq!(chart.svg().matches(">one").count(), 4);
    }
}
