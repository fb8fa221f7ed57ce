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
const STEPS: f64 = 16.0;

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
        for step in -(STEPS as i32)..=STEPS as i32 {
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

fn class(step: i32) -> String {
    format!("o-w{}{}", if step < 0 { "m" } else { "" }, step.abs())
}

/// The square root makes small weights visible beside large corners, as on paper.
fn step(weight: f32, largest: f32) -> i32 {
    let share = if largest > 0.0 { f64::from(weight / largest) } else { 0.0 };
    (STEPS * share.abs().sqrt() * share.signum()).round().clamp(-STEPS, STEPS) as i32
}

fn shade(step: i32) -> [u8; 3] {
    let full = if step < 0 { PURPLE } else { GREEN };
    let share = f64::from(step.abs()) / STEPS;
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
    fn text_is_told_from_its_square() {
        assert_eq!((text_class(0.0, 1.0), text_class(1.0, 1.0)), ("o-on-dim", "o-on-bright"));
    }
}
