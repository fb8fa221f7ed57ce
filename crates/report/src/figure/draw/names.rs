//! The names of points, beside them.

use maud::{Markup, html};

use super::super::chart::{Chart, Mark};
use super::super::labels::{Labels, leader};
use super::super::{Format, SOFT, at, fitted, printable, text_width};
use super::legend::LEGEND_TEXT;
use super::{Frame, points};

/// Names beside the points of a scatter plot where there is room; the legend has all of them.
pub(super) fn draw_names(chart: &Chart, frame: &Frame) -> Markup {
    let mut labels = Labels::new([frame.left, frame.top, frame.right, frame.bottom]);
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
    let (font, most) = match frame.format {
        Format::Wide => (frame.format.font(), LEGEND_TEXT),
        Format::Narrow => (frame.format.font(), 110.0),
    };
    let scattered = chart.series.iter().filter(|series| series.mark == Mark::Scatter);
    html! {
        @for series in scattered {
            @let name = fitted(&printable(&series.name), font, most);
            @let size = [font * text_width(&name), font];
            @for point in series.points.iter().filter(|point| point.is_finite()) {
                @if let Some([x, y]) = labels.place([frame.x(point.x), frame.y(point.y)], size) {
                    @if let Some([x1, y1, x2, y2]) = leader([frame.x(point.x), frame.y(point.y)], [x, y], size) {
                        line x1=(at(x1)) y1=(at(y1)) x2=(at(x2)) y2=(at(y2)) stroke=(SOFT) class="o-line"
                            stroke-width="0.8" {}
                    }
                    text x=(at(x)) y=(at(y + font - 2.0)) pointer-events="none" { (name) }
                }
            }
        }
    }
}
