//! Figures as SVG text: charts of lines with bands, of points with whiskers, and scatter plots; and the
//! weights of a player as a board; networks.
//!
//! The same figure is always the same bytes. Series differ in colour (Okabe and Ito, told apart by the
//! colour-blind), in dashes and in markers, so that they are also told apart in print. Text is escaped
//! by its writer, `maud`; nothing refers to anything outside of the figure, and nothing has an
//! id, so that many figures fit in one page.

mod axis;
mod board;
mod chart;
mod draw;
mod labels;
mod network;
mod palette;

pub use axis::{Axis, Unit};
pub use board::{Board, Detail, board_colour, is_dark, largest_weight, weight_text};
pub use chart::{Chart, Mark, Point, Reference, Series};
pub use network::{Network, count_text};

/// A coordinate: a tenth of a pixel is fine enough, and the same text on every machine.
fn at(coordinate: f64) -> String {
    let rounded = (10.0 * coordinate).round() / 10.0;
    // There is no -0.
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

/// About how wide text is, in sizes of its font; rather too wide, because every machine has another
/// sans-serif.
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
    fn text_is_cut_to_its_place() {
        assert_eq!(fitted("short", 12.0, 100.0), "short");
        let cut = fitted("a name that is much too long for a legend", 12.0, 100.0);
        assert!(cut.ends_with('…') && text_width(&cut) * 12.0 <= 110.0, "{cut}");
        assert_eq!(printable("a\u{0}b\u{7f}c\n"), "a\u{FFFD}b\u{FFFD}c\u{FFFD}");
    }
}
