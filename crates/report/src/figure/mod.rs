//! Figures as SVG text: line charts with bands, points with whiskers, scatter plots, boards of the
//! weights of a player, and networks.
//!
//! The same figure always has the same bytes. Series differ in colour (Okabe and Ito, safe for the
//! colour-blind), in dashes and in markers, so that they also differ in print. `maud` escapes all
//! text. A figure refers to nothing outside and has no ids, so that many fit in one page. Figures
//! adapt to a dark screen ([`dark_rules`]).

mod axis;
mod board;
mod boxes;
mod chart;
mod draw;
mod forest;
mod heat;
mod history;
mod labels;
mod network;
mod palette;
mod paper;
mod pdf;
mod published;
mod ranks;
mod scale;
mod scatter;
mod strip;
mod theme;

use maud::{Markup, PreEscaped, html};

pub use axis::{Axis, AxisUnit};
pub use board::{BoardFigure, Detail, board_colour, is_dark, largest_weight, weight_text};
pub use boxes::{BoxCase, BoxNumbers, BoxPlot};
pub use chart::{Chart, MEANS_HEAD, Mark, Point, PublishedMark, RUNS_HEAD, Reference, Series};
pub use forest::{ForestGroup, ForestPlot, ForestRow, Found, Verdict};
pub use heat::{HeatCell, HeatKey, HeatMap};
pub use history::{HistoryFigure, Inside, Picture};
pub use network::{NetworkFigure, count_text};
pub use paper::{sized, untitled};
pub use pdf::{MARK as PDF_MARK, pdf};
pub use published::{Published, Spread};
pub use ranks::{Better, RankDiagram, RankedMethod};
pub use scatter::{Scatter, ScatterCase};
pub use strip::{Row, Strip};
pub use theme::dark as dark_rules;

/// The colour of secondary text.
const SOFT: &str = "#555";

/// Where a chart is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// A screen or a sheet of paper; names are beside the data.
    Wide,
    /// A phone held upright: text keeps its size, names are below, and there are no tooltips.
    Narrow,
}

impl Format {
    fn width(self) -> f64 {
        match self {
            Format::Wide => 860.0,
            Format::Narrow => 380.0,
        }
    }

    fn font(self) -> f64 {
        match self {
            Format::Wide => 13.0,
            Format::Narrow => 12.0,
        }
    }

    fn title(self) -> f64 {
        match self {
            Format::Wide => 17.0,
            Format::Narrow => 14.5,
        }
    }
}

/// A figure of this size as an SVG document with its style.
fn document([width, height]: [f64; 2], label: &str, body: &Markup) -> String {
    let (width, height) = (at(width), at(height));
    let figure = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) } font-family="sans-serif" fill="#1c1c1c"
            class="o-ink" role="img" aria-label=(label) {
            (PreEscaped(STYLE[0])) (PreEscaped(dark_rules())) (PreEscaped(STYLE[1]))
            rect class="o-paper" width=(width) height=(height) fill="white" {}
            (body)
        }
    };
    figure.into_string()
}

const STYLE: [&str; 2] = ["<style>@media screen and (prefers-color-scheme:dark){", "}</style>"];

/// A figure without its style, for a page that has the [`dark_rules`] for all of its figures.
pub fn embedded(svg: &str) -> String {
    svg.replacen(&[STYLE[0], dark_rules(), STYLE[1]].concat(), "", 1)
}

/// The title of a chart, in as many lines as it needs, and its height. An empty title has none.
fn title_lines(title: &str, format: Format) -> (Markup, f64) {
    if title.is_empty() {
        return (html! {}, 4.0);
    }
    let (size, width) = (format.title(), format.width());
    // Bold letters are wider.
    let lines = wrapped(&printable(title), 1.06 * size, width - 20.0);
    let height = 1.25 * size;
    let text = html! {
        @for (number, line) in lines.iter().enumerate() {
            text x="10" y=(at(9.0 + height * (number as f64 + 0.75))) font-size=(size) font-weight="bold"
                class="o-title" {
                (line)
            }
        }
    };
    (text, 9.0 + height * lines.len() as f64)
}

/// A note below a chart, from this height, and where it ends.
fn note_lines(note: &str, from: f64, format: Format) -> (Markup, f64) {
    let size = format.font() - 1.0;
    let lines = if note.is_empty() {
        Vec::new()
    } else {
        wrapped(&printable(note), size, format.width() - 20.0)
    };
    let text = html! {
        g fill=(SOFT) class="o-soft" font-size=(at(size)) {
            @for (number, line) in lines.iter().enumerate() {
                text x="10" y=(at(from + 1.3 * size * (number as f64 + 0.8))) { (line) }
            }
        }
    };
    (
        if lines.is_empty() {
            html! {}
        } else {
            text
        },
        from + 1.3 * size * lines.len() as f64,
    )
}

/// At most `most` indices at equal distances, always with the last one.
fn spaced(length: usize, most: usize) -> Vec<usize> {
    let step = length.div_ceil(most).max(1);
    let mut indices: Vec<usize> = (step - 1..length).step_by(step).collect();
    if length > 0 && indices.last() != Some(&(length - 1)) {
        indices.push(length - 1);
    }
    indices
}

/// Text in lines of at most this width in pixels; a wider word is cut.
fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if (text_width(line) + text_width(word) + 0.33) * size <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines.iter().map(|line| fitted(line, size, width)).collect()
}

/// A coordinate: a tenth of a pixel is fine enough, and the same text on every machine.
fn at(coordinate: f64) -> String {
    let rounded = (10.0 * coordinate).round() / 10.0;
    // Adding 0 turns -0 into 0.
    format!("{}", rounded + 0.0)
}

/// Text without the characters that XML cannot hold, not even escaped.
fn printable(text: &str) -> String {
    let allowed = |letter: char| match letter {
        '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
        letter if letter.is_control() => '\u{FFFD}',
        letter => letter,
    };
    text.chars().map(allowed).collect()
}

/// The approximate width of text in units of its font size; rather too wide, because sans-serif
/// fonts differ.
fn text_width(text: &str) -> f64 {
    let width = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.97,
        'A'..='Z' => 0.72,
        letter if letter > '\u{2FFF}' => 1.1,
        _ => 0.64,
    };
    text.chars().map(width).sum()
}

/// The text, cut to a width in pixels with an ellipsis.
fn fitted(text: &str, size: f64, width: f64) -> String {
    if text_width(text) * size <= width {
        return text.into();
    }
    let mut cut: String = text.into();
    while !cut.is_empty() && (text_width(&cut) + 1.0) * size > width {
        cut.pop();
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_have_no_negative_zero() {
        for (number, text) in [(1.0, "1"), (2.345, "2.3"), (-0.01, "0"), (-3.26, "-3.3")] {
            assert_eq!(at(number), text);
        }
    }

    #[test]
    fn what_is_told_is_spread_over_a_line_to_its_end() {
        assert_eq!(spaced(0, 8), Vec::<usize>::new());
        assert_eq!(spaced(3, 8), [0, 1, 2]);
        assert_eq!(spaced(16, 8), [1, 3, 5, 7, 9, 11, 13, 15]);
        assert_eq!(spaced(201, 8).last(), Some(&200));
    }

    #[test]
    fn a_page_has_figures_without_their_style() {
        let svg = document([10.0, 20.0], "a", &html! { text { "b" } });
        assert!(svg.contains("<style>@media screen and (prefers-color-scheme:dark){.o-ink{"));
        let inline = embedded(&svg);
        assert!(!inline.contains("style") && inline.ends_with("<text>b</text></svg>"), "{inline}");
    }

    #[test]
    fn long_text_has_lines() {
        assert_eq!(wrapped("one two three", 10.0, 60.0), ["one two", "three"]);
        assert_eq!(wrapped("", 10.0, 60.0), [""]);
        assert!(wrapped("a wordthatismuchtoolong", 10.0, 60.0)[1].ends_with('…'));
    }

    #[test]
    fn text_is_cut_to_its_place() {
        assert_eq!(fitted("short", 12.0, 100.0), "short");
        let cut = fitted("a name that is much too long for a legend", 12.0, 100.0);
        assert!(cut.ends_with('…') && text_width(&cut) * 12.0 <= 110.0, "{cut}");
        assert_eq!(printable("a\u{0}b\u{7f}c\n"), "a\u{FFFD}b\u{FFFD}c\u{FFFD}");
    }
}
