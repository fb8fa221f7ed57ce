//! What elements inherit from the groups that they are in.

use roxmltree::Node;

/// Where a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// How an element is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    pub fill: Option<[f32; 3]>,
    pub stroke: Option<[f32; 3]>,
    /// Of lines.
    pub width: f64,
    /// Opacity of areas and of lines.
    pub alpha: [f64; 2],
    pub dashes: Vec<f64>,
    pub round_caps: bool,
    pub round_joins: bool,
    /// Of letters.
    pub size: f64,
    pub is_bold: bool,
    pub anchor: Anchor,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            fill: Some([0.0; 3]),
            stroke: None,
            width: 1.0,
            alpha: [1.0; 2],
            dashes: Vec::new(),
            round_caps: false,
            round_joins: false,
            size: 16.0,
            is_bold: false,
            anchor: Anchor::Start,
        }
    }
}

impl Style {
    /// The style of an element inside one with this style.
    pub fn of(&self, node: Node<'_, '_>) -> Style {
        let mut style = self.clone();
        for attribute in node.attributes() {
            let value = attribute.value();
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
            match (attribute.name(), number) {
                ("fill", _) => style.fill = colour(value),
                ("stroke", _) => style.stroke = colour(value),
                ("stroke-width", Some(width)) => style.width = width,
                ("fill-opacity", Some(alpha)) => style.alpha[0] = alpha.clamp(0.0, 1.0),
                ("stroke-opacity", Some(alpha)) => style.alpha[1] = alpha.clamp(0.0, 1.0),
                ("stroke-dasharray", _) => style.dashes = numbers(value),
                ("stroke-linecap", _) => style.round_caps = value == "round",
                ("stroke-linejoin", _) => style.round_joins = value == "round",
                ("font-size", Some(size)) => style.size = size,
                ("font-weight", _) => style.is_bold = value == "bold",
                ("text-anchor", _) => {
                    style.anchor = match value {
                        "middle" => Anchor::Middle,
                        "end" => Anchor::End,
                        _ => Anchor::Start,
                    }
                }
                _ => {}
            }
        }
        style
    }
}

/// #rgb, #rrggbb, rgb(r,g,b), white or black. Anything else is no colour.
fn colour(text: &str) -> Option<[f32; 3]> {
    let parts: Vec<f64> = match text {
        "white" => vec![255.0; 3],
        "black" => vec![0.0; 3],
        _ => match (text.strip_prefix('#'), text.strip_prefix("rgb(")) {
            (Some(digits), _) => {
                let part = |at: usize| {
                    let digits = match digits.len() {
                        3 => digits.get(at..=at)?.repeat(2),
                        _ => digits.get(2 * at..2 * at + 2)?.to_string(),
                    };
                    u8::from_str_radix(&digits, 16).ok().map(f64::from)
                };
                (0..3).filter_map(part).collect()
            }
            (_, Some(list)) => numbers(list.trim_end_matches(')')),
            _ => Vec::new(),
        },
    };
    let parts: [f64; 3] = parts.try_into().ok()?;
    Some(parts.map(|part| (part / 255.0) as f32))
}

/// Numbers between spaces and commas.
pub fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split([' ', ',']).filter(|part| !part.is_empty());
    parts.filter_map(|part| part.parse().ok()).collect()
}

/// `translate(x y)` or `rotate(degrees x y)` as a matrix.
pub fn matrix(text: &str) -> Option<[f64; 6]> {
    let (name, list) = text.strip_suffix(')')?.split_once('(')?;
    match (name, &numbers(list)[..]) {
        ("translate", &[x, y]) => Some([1.0, 0.0, 0.0, 1.0, x, y]),
        ("rotate", &[degrees, x, y]) => {
            let (sin, cos) = degrees.to_radians().sin_cos();
            Some([cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_figures_write_them() {
        assert_eq!(colour("#f00"), Some([1.0, 0.0, 0.0]));
        assert_eq!(colour("#00ff00"), colour("rgb(0,255,0)"));
        assert_eq!(colour("white"), Some([1.0; 3]));
        for wrong in ["none", "#12", "rgb(1,2)", "currentColor", "#gggggg"] {
            assert_eq!(colour(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn turned_text_stays_at_its_place() {
        let [a, b, c, d, e, f] = matrix("rotate(-90 21 204.3)").unwrap();
        let (x, y) = (21.0, 204.3);
        assert!((a * x + c * y + e - x).abs() < 1e-9 && (b * x + d * y + f - y).abs() < 1e-9);
        assert!((b + 1.0).abs() < 1e-9, "a quarter turn to the left");
        assert_eq!(matrix("translate(0 -5)"), Some([1.0, 0.0, 0.0, 1.0, 0.0, -5.0]));
        assert_eq!(matrix("skewX(3)"), None);
    }
}
