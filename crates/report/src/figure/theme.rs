//! How figures look on a dark screen.
//!
//! Every colour of a figure is written in it as on paper, so that programs without style sheets
//! draw it correctly. An element with another colour on a dark screen also has a class, and the
//! rules of [`dark`] give these classes their colours: a stand-alone figure contains the rules, a
//! page has them once for all its figures.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::palette::DARK;

/// Number of colours for weights on a dark screen, on each side of 0.
const WEIGHTS: f64 = 16.0;

/// The last colour of a scale from low to high; the first is 0.
pub const STEPS: i32 = WEIGHTS as i32;

/// The colours of 0 and of the largest weights on a dark screen.
const ZERO: [f64; 3] = [38.0, 43.0, 48.0];
const GREEN: [f64; 3] = [79.0, 209.0, 139.0];
const PURPLE: [f64; 3] = [181.0, 140.0, 240.0];

/// Rules for everything except weights and series.
const RULES: &str = "\
.o-ink{fill:#e8e8e8}.o-paper{fill:#17191c}.o-soft{fill:#b4bac0}\
.o-grid{stroke:#353a40}.o-axis{stroke:#9aa0a6}.o-line{stroke:#b4bac0}.o-edge{stroke:#4c5258}\
.o-empty{fill:#22262a}.o-disc{fill:#17191c;stroke:#b4bac0}.o-halo{stroke:#17191c}\
.o-on-bright{fill:#000}.o-on-dim{fill:#fff}\
.o-plus{fill:#4fd18b}.o-minus{fill:#b58cf0}.o-plus-line{stroke:#74eaad}.o-minus-line{stroke:#cbaaff}";

/// The rules for a dark screen, without the media query.
pub fn dark() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = RULES.to_string();
        for (number, colour) in DARK.iter().enumerate() {
            let _ = write!(text, ".o-s{number}{{stroke:{colour}}}.o-f{number}{{fill:{colour}}}");
        }
        for step in -STEPS..=STEPS {
            let [red, green, blue] = shade(step);
            let _ = write!(text, ".{}{{fill:#{red:02x}{green:02x}{blue:02x}}}", class(step));
        }
        text
    });
    &TEXT
}

/// The class of a square with a weight.
pub fn weight_class(weight: f32, largest: f32) -> String {
    class(step(weight, largest))
}

/// The class of text on a square with a weight.
pub fn text_class(weight: f32, largest: f32) -> &'static str {
    let [red, green, blue] = shade(step(weight, largest));
    if super::is_dark((red, green, blue)) { "o-on-dim" } else { "o-on-bright" }
}

/// The class of an area with this colour of a scale, from 0 to [`STEPS`].
pub fn step_class(step: i32) -> String {
    class(step)
}

/// The class of text on such an area.
pub fn step_text_class(step: i32) -> &'static str {
    if text_on(shade(step)) == "white" { "o-on-dim" } else { "o-on-bright" }
}

/// A colour of a scale on paper: from white to dark green.
pub fn light_shade(step: i32) -> [u8; 3] {
    let share = f64::from(step) / WEIGHTS;
    [0.0, 84.0, 50.0].map(|full| (250.0 + (full - 250.0) * share).round() as u8)
}

/// Black or white, whichever reads better on a colour: at least 4.5 to 1 (WCAG 2, 1.4.3).
pub fn text_on(colour: [u8; 3]) -> &'static str {
    // Where black and white have the same contrast.
    if luminance(colour) < 0.179 { "white" } else { "black" }
}

/// The relative luminance of WCAG 2.
fn luminance(colour: [u8; 3]) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn class(step: i32) -> String {
    format!("o-w{}{}", if step < 0 { "m" } else { "" }, step.abs())
}

/// The square root makes small weights visible beside large corners, as on paper.
fn step(weight: f32, largest: f32) -> i32 {
    let share = if largest > 0.0 { f64::from(weight / largest) } else { 0.0 };
    (WEIGHTS * share.abs().sqrt() * share.signum()).round().clamp(-WEIGHTS, WEIGHTS) as i32
}

fn shade(step: i32) -> [u8; 3] {
    let full = if step < 0 { PURPLE } else { GREEN };
    let share = f64::from(step.abs()) / WEIGHTS;
    std::array::from_fn(|i| (ZERO[i] + (full[i] - ZERO[i]) * share).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_rule() {
        for weight in [-3.0, -0.2, -0.0, 0.0, 0.004, 1.0, 3.0] {
            assert!(dark().contains(&format!(".{}{{", weight_class(weight, 3.0))), "{weight}");
            assert!(dark().contains(&format!(".{}{{", text_class(weight, 3.0))), "{weight}");
        }
        assert_eq!(
            (weight_class(-3.0, 3.0), weight_class(0.0, 0.0)),
            ("o-wm16".into(), "o-w0".into())
        );
        // It is inserted into XML without escaping.
        assert!(!dark().contains(['<', '>', '&', '"']));
    }

    #[test]
    fn text_on_every_colour_of_a_scale_can_be_read() {
        for step in 0..=STEPS {
            for colour in [light_shade(step), shade(step)] {
                let own = luminance(colour);
                let ink = if text_on(colour) == "white" { 1.0 } else { 0.0 };
                let contrast = (own.max(ink) + 0.05) / (own.min(ink) + 0.05);
                assert!(contrast >= 4.5, "{colour:?} {contrast}");
            }
            assert!(dark().contains(&format!(".{}{{", step_class(step))), "{step}");
        }
    }

    #[test]
    fn text_is_told_from_its_square() {
        assert_eq!((text_class(0.0, 1.0), text_class(1.0, 1.0)), ("o-on-dim", "o-on-bright"));
    }
}
