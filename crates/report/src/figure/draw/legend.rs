//! The legend of a chart, to the right of it or below.

use maud::{Markup, html};

use super::super::chart::{Chart, Mark, Series};
use super::super::{Format, SOFT, at, fitted, printable, text_width, wrapped};
use super::marks::{hollow, published_ink};
use super::{Frame, has_markers, look_of};

/// From one entry of the legend to the next.
const ENTRY: f64 = 22.0;
/// From one line of a long name to the next.
const LINE: f64 = 15.0;
pub(super) const LEGEND_MARK: f64 = 34.0;
pub(super) const LEGEND_TEXT: f64 = 190.0;

/// The names to the right or below; for lines, in the order in which they end. Also returns where
/// the legend ends.
pub(super) fn draw_legend(chart: &Chart, frame: &Frame) -> (Markup, f64) {
    let end = |series: &Series| {
        let last = series.points.iter().rfind(|point| point.is_finite());
        last.map_or(f64::NEG_INFINITY, |point| point.y)
    };
    let mut order: Vec<&Series> = chart.series.iter().collect();
    // Steps all end at the bottom, so that they keep their order.
    if !order.iter().any(|series| series.mark.is_stepped()) {
        order.sort_by(|a, b| end(b).total_cmp(&end(a)));
    }
    let most = match frame.format {
        Format::Wide => LEGEND_TEXT,
        Format::Narrow => frame.format.width() - 20.0 - LEGEND_MARK,
    };
    let names: Vec<&str> = order
        .iter()
        .map(|series| series.name.as_str())
        .chain(chart.references.iter().map(|line| line.name.as_str()))
        .chain(chart.published.iter().map(|mark| mark.name.as_str()))
        .collect();
    let texts: Vec<Vec<String>> =
        names.iter().map(|name| lines_of(&printable(name), frame.format, most)).collect();
    let places = legend_places(frame, &texts);
    let height = |lines: &Vec<String>| LINE * (lines.len() as f64 - 1.0);
    let last = places.last().zip(texts.last());
    let below = last.map_or(0.0, |([_, y], lines)| y + height(lines) + ENTRY / 2.0 + 4.0);
    let name = |entry: usize| {
        let ([x, y], lines) = (places[entry], &texts[entry]);
        html! {
            @for (line, text) in lines.iter().enumerate() {
                text x=(at(x + LEGEND_MARK)) y=(at(y + 4.5 + LINE * line as f64)) {
                    (text)
                    title { (printable(names[entry])) }
                }
            }
        }
    };
    let legend = html! {
        @for (entry, series) in order.iter().enumerate() {
            @let (look, [x, y]) = (look_of(chart, series), places[entry]);
            @if series.mark != Mark::Scatter {
                line x1=(at(x)) x2=(at(x + 28.0)) y1=(at(y)) y2=(at(y))
                    stroke=(look.colour) class=(look.stroke_class()) stroke-width="2.2"
                    stroke-dasharray=[Some(look.dashes).filter(|dashes| !dashes.is_empty())] {}
            }
            @if has_markers(chart, series) {
                g class="o-halo" stroke="white" {
                    path d=(look.marker(x + 14.0, y, 4.5)) fill=(look.colour) class=(look.fill_class()) {}
                }
            }
            (name(entry))
        }
        @for index in 0..chart.references.len() {
            @let (entry, [x, y]) = (order.len() + index, places[order.len() + index]);
            line x1=(at(x)) x2=(at(x + 28.0)) y1=(at(y)) y2=(at(y))
                stroke=(SOFT) class="o-line" stroke-width="1.5" stroke-dasharray="2 4" {}
            (name(entry))
        }
        @for (index, mark) in chart.published.iter().enumerate() {
            @let entry = order.len() + chart.references.len() + index;
            @let [x, y] = places[entry];
            @if mark.x.is_none() {
                @let (colour, class, _) = published_ink(mark);
                line x1=(at(x)) x2=(at(x + 28.0)) y1=(at(y)) y2=(at(y))
                    stroke=(colour) class=(class) stroke-width="1.6" stroke-dasharray="10 4" {}
            } @else { (hollow(mark, x + 14.0, y, 4.5)) }
            (name(entry))
        }
    };
    (legend, below)
}

/// A name in lines: to the right of a chart, a long one goes on below, after a word or a comma.
fn lines_of(name: &str, format: Format, most: f64) -> Vec<String> {
    let font = format.font();
    if format == Format::Narrow || text_width(name) * font <= most {
        return vec![fitted(name, font, most)];
    }
    wrapped(&name.replace(", ", ",").replace(',', ", "), font, most)
}

/// Where the entries of the legend begin: one below the other, or below the chart with as many side
/// by side as fit.
fn legend_places(frame: &Frame, texts: &[Vec<String>]) -> Vec<[f64; 2]> {
    if frame.format == Format::Wide {
        let mut y = frame.top + 8.0;
        let place = |lines: &Vec<String>| {
            let here = [frame.right + 18.0, y];
            y += ENTRY + LINE * (lines.len() as f64 - 1.0);
            here
        };
        return texts.iter().map(place).collect();
    }
    let (font, mut x, mut y) =
        (frame.format.font(), 10.0, frame.bottom + 4.3 * frame.format.font());
    let mut places = Vec::new();
    for lines in texts {
        let width = LEGEND_MARK + font * text_width(&lines[0]);
        if x > 10.0 && x + width > frame.format.width() - 10.0 {
            (x, y) = (10.0, y + ENTRY);
        }
        places.push([x, y]);
        x += width + 16.0;
    }
    places
}
