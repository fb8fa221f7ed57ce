//! How series differ: in colour, and for readers without colour in dashes and markers.

/// Okabe and Ito's colours without yellow, which is hard to see on white paper.
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"];

/// The same on a dark screen: lighter, and white for black.
pub const DARK: [&str; 7] =
    ["#4ba3e0", "#f0814a", "#2fc394", "#e39ac5", "#93d4f7", "#f2bb45", "#f0f0f0"];

/// Five kinds of line; with six markers and seven colours, 210 series differ.
const DASHES: [&str; 5] = ["", "7 3", "2 2.5", "9 3 2 3", "14 4"];

const SHAPES: [Shape; 6] =
    [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Down, Shape::Cross];

/// What a point looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Down,
    Cross,
}

/// The look of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its colour.
    pub colour: &'static str,
    /// Its dashes in SVG; empty for a solid line.
    pub dashes: &'static str,
    shape: Shape,
    colour_number: usize,
}

impl Look {
    /// The look with this number; the first few hundred differ.
    pub fn new(number: usize) -> Look {
        Look {
            colour: COLOURS[number % COLOURS.len()],
            dashes: DASHES[number % DASHES.len()],
            shape: SHAPES[number % SHAPES.len()],
            colour_number: number % COLOURS.len(),
        }
    }

    /// The CSS class of lines in its colour.
    pub fn stroke_class(&self) -> String {
        format!("o-s{}", self.colour_number)
    }

    /// The CSS class of areas in its colour.
    pub fn fill_class(&self) -> String {
        format!("o-f{}", self.colour_number)
    }

    /// The same without dashes, for a series that is alone.
    pub fn solid(self) -> Look {
        Look { dashes: "", ..self }
    }

    /// The marker around a point as the data of an SVG path, `size` pixels to each side.
    pub fn marker(&self, x: f64, y: f64, size: f64) -> String {
        let corners = |corners: &[(f64, f64)]| {
            let points: Vec<String> = corners
                .iter()
                .map(|(dx, dy)| {
                    format!("{} {}", super::at(x + size * dx), super::at(y + size * dy))
                })
                .collect();
            format!("M{}Z", points.join("L"))
        };
        match self.shape {
            Shape::Circle => {
                let (r, d) = (super::at(size), super::at(2.0 * size));
                let (left, y) = (super::at(x - size), super::at(y));
                format!("M{left} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z")
            }
            Shape::Square => corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            Shape::Triangle => corners(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
            Shape::Diamond => corners(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
            Shape::Down => corners(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
            Shape::Cross => corners(&[
                (-0.4, -1.1),
                (0.4, -1.1),
                (0.4, -0.4),
                (1.1, -0.4),
                (1.1, 0.4),
                (0.4, 0.4),
                (0.4, 1.1),
                (-0.4, 1.1),
                (-0.4, 0.4),
                (-1.1, 0.4),
                (-1.1, -0.4),
                (-0.4, -0.4),
            ]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_differ_with_and_without_colour() {
        let looks: Vec<Look> = (0..30).map(Look::new).collect();
        for (index, look) in looks.iter().enumerate() {
            for other in &looks[..index] {
                assert!(look.dashes != other.dashes || look.shape != other.shape);
            }
            let near = index.saturating_sub(COLOURS.len() - 1);
            assert!(looks[near..index].iter().all(|other| other.colour != look.colour));
        }
    }
}
