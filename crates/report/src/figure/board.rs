//! The weights of a WPC (weighted piece counter) as a board: green squares are good, purple ones
//! bad.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, html};

use super::theme::{text_class, weight_class};
use super::{SOFT, at, document, fitted, printable};

/// The weights of a player, drawn as a board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardFigure {
    /// The name of the player.
    pub title: String,
    /// From a1 to h8.
    pub weights: [f32; 64],
    /// What is written in the squares.
    pub detail: Detail,
}

/// What is written in the squares of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The weights as numbers.
    Numbers,
    /// Nothing: a small board, whose squares show their weights as tooltips.
    Colours,
}

impl BoardFigure {
    /// The board as an SVG document.
    pub fn svg(&self) -> String {
        let numbered = self.detail == Detail::Numbers;
        let (cell, left, top, title) = if numbered { (56, 32, 72, 18) } else { (15, 6, 24, 12) };
        let (width, height) = (2 * left + 8 * cell, top + 8 * cell + left);
        let largest = largest_weight(&self.weights);
        let name = printable(&self.title);
        let fitted = fitted(&name, f64::from(title), f64::from(width) - 8.0);
        let squares = self.weights.iter().zip(0..64).map(|(&weight, index)| {
            let place = (left + index % 8 * cell, top + index / 8 * cell);
            (place, weight, square_name(index))
        });
        let body = html! {
            g text-anchor="middle" {
                text x=(width / 2) y=(title + 5) font-size=(title) class="o-title" {
                    (fitted) @if fitted != name { title { (name) } }
                }
                @if numbered { (colour_key(f64::from(width) / 2.0, 42.0)) }
                g font-size="14" {
                    @if numbered { (coordinates(cell, left, top)) }
                    g stroke="#888" class="o-edge" {
                        @for ((x, y), weight, square) in squares.clone() {
                            @let (red, green, blue) = board_colour(weight, largest);
                            rect x=(x) y=(y) width=(cell) height=(cell)
                                fill={ "rgb(" (red) "," (green) "," (blue) ")" }
                                class=(weight_class(weight, largest)) {
                                title { (square) ": " (weight_text(weight, largest)) }
                            }
                        }
                    }
                    @if numbered {
                        @for ((x, y), weight, _) in squares {
                            @let ink = if is_dark(board_colour(weight, largest)) { "white" } else { "black" };
                            text x=(x + cell / 2) y=(y + cell / 2 + 5) fill=(ink)
                                class=(text_class(weight, largest)) pointer-events="none" {
                                (weight_text(weight, largest))
                            }
                        }
                    }
                }
            }
        };
        let size = [f64::from(width), f64::from(height)];
        document(size, &format!("weights of {name}"), &body)
    }
}

/// Letters above the columns, numbers beside the rows.
fn coordinates(cell: i32, left: i32, top: i32) -> Markup {
    html! {
        @for (index, column) in (0..8).zip('a'..='h') {
            @let middle = index * cell + cell / 2;
            text x=(left + middle) y=(top - 8) { (column) }
            text x=(left / 2) y=(top + middle + 5) { (index + 1) }
        }
    }
}

/// A line that explains the colours, centred at this place.
pub(super) fn colour_key(x: f64, y: f64) -> Markup {
    let ink = |weight: f32| {
        let (red, green, blue) = board_colour(weight, 1.0);
        format!("rgb({red},{green},{blue})")
    };
    html! {
        text x=(at(x)) y=(at(y)) font-size="13.5" fill=(SOFT) class="o-soft o-fine" {
            tspan fill=(ink(1.0)) class="o-plus" { "green" } ": above 0, "
            tspan fill=(ink(-1.0)) class="o-minus" { "purple" } ": below 0; stronger: further from 0"
        }
    }
}

/// Squares of this width without borders, each with its corner and weight. All squares of one
/// colour are one path, because a page may have many small boards.
pub(super) fn painted(
    squares: impl Iterator<Item = ([f64; 2], f32)>,
    cell: f64,
    largest: f32,
) -> Markup {
    let mut paths: BTreeMap<(i32, String), String> = BTreeMap::new();
    let side = at(cell);
    for ([x, y], weight) in squares {
        let class = weight_class(weight, largest);
        let path = paths.entry((coarse(weight, largest), class)).or_default();
        let _ = write!(path, "M{} {}h{side}v{side}h-{side}z", at(x), at(y));
    }
    html! {
        @for ((step, class), path) in &paths {
            @let (red, green, blue) = coarse_colour(*step);
            path d=(path) fill={ "rgb(" (red) "," (green) "," (blue) ")" } class=(class) {}
        }
    }
}

/// The number of colours on each side of 0 in small boards.
const COARSE: f32 = 16.0;

/// The nearest of a few dozen colours, by its number.
fn coarse(weight: f32, largest: f32) -> i32 {
    let strength = if largest > 0.0 { (weight / largest).abs().sqrt() } else { 0.0 };
    (COARSE * strength).round() as i32 * if weight < 0.0 { -1 } else { 1 }
}

fn coarse_colour(step: i32) -> (u8, u8, u8) {
    let share = step as f32 / COARSE;
    board_colour(share * share.abs(), 1.0)
}

/// A square by its number.
pub(super) fn square_name(index: i32) -> String {
    format!("{}{}", char::from(b'a' + (index % 8) as u8), index / 8 + 1)
}

/// The colour of a weight: white for 0, towards green for good squares and purple for bad ones,
/// which colour-blind readers can distinguish.
pub fn board_colour(weight: f32, largest: f32) -> (u8, u8, u8) {
    let share = if largest > 0.0 { f64::from(weight / largest) } else { 0.0 };
    let (red, green, blue) = if share > 0.0 { (0.0, 109.0, 44.0) } else { (84.0, 39.0, 143.0) };
    // The square root makes small weights visible beside large corners.
    let strength = share.abs().sqrt();
    let channel = |full: f64| (255.0 + (full - 255.0) * strength).round() as u8;
    (channel(red), channel(green), channel(blue))
}

/// Says whether white text reads better on this colour.
pub fn is_dark((red, green, blue): (u8, u8, u8)) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) < 128_000
}

/// The size of the largest weight.
pub fn largest_weight(weights: &[f32; 64]) -> f32 {
    weights.iter().fold(0f32, |most, weight| most.max(weight.abs()))
}

/// A weight with as many digits as fit a square.
pub fn weight_text(weight: f32, largest: f32) -> String {
    let text = match largest {
        x if x >= 10_000.0 || (x < 0.01 && x > 0.0) => format!("{weight:.0e}"),
        x if x >= 100.0 => format!("{weight:.0}"),
        x if x >= 10.0 => format!("{weight:.1}"),
        _ => format!("{weight:.2}"),
    };
    // There is no -0.00.
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|digit| matches!(digit, '0' | '.')) => digits.into(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_squares_are_darker_green_and_worse_ones_darker_purple() {
        assert_eq!(board_colour(0.0, 1.0), (255, 255, 255));
        assert_eq!(board_colour(1.0, 1.0), (0, 109, 44));
        assert_eq!(board_colour(-1.0, 1.0), (84, 39, 143));
        assert!(board_colour(0.5, 1.0).0 < board_colour(0.1, 1.0).0);
        assert_eq!(board_colour(0.0, 0.0), (255, 255, 255));
    }

    #[test]
    fn numbers_fit_their_squares() {
        for largest in [1e-30, 0.001, 0.5, 5.0, 55.5, 555.5, 99_999.0, 1e30] {
            let text = weight_text(-largest, largest);
            assert!(text.len() <= 6, "{text}");
        }
        assert_eq!(weight_text(-0.001, 1.0), "0.00");
        assert_eq!(weight_text(-0.01, 1.0), "-0.01");
    }

    #[test]
    fn a_board_has_all_squares_and_no_bare_angle_brackets() {
        let weights = std::array::from_fn(|i| i as f32);
        for (detail, texts) in [(Detail::Numbers, 82), (Detail::Colours, 1)] {
            let text = BoardFigure { title: "a<b&c".into(), weights, detail }.svg();
            assert_eq!(text.matches("<rect").count(), 65);
            assert_eq!(text.matches("<text").count(), texts);
            assert!(text.contains("a&lt;b&amp;c") && text.contains("h8: 63"));
        }
    }
}
