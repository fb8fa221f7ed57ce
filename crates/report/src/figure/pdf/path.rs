//! The data of SVG paths: moves, lines, curves and arcs of circles.

use pdf_writer::Content;

/// Draws on a page.
pub struct Pen<'a>(pub &'a mut Content);

impl Pen<'_> {
    fn move_to(&mut self, [x, y]: [f64; 2]) {
        self.0.move_to(x as f32, y as f32);
    }

    fn line_to(&mut self, [x, y]: [f64; 2]) {
        self.0.line_to(x as f32, y as f32);
    }

    fn curve_to(&mut self, points: [[f64; 2]; 3]) {
        let [[a, b], [c, d], [e, f]] = points.map(|point| point.map(|number| number as f32));
        self.0.cubic_to(a, b, c, d, e, f);
    }

    /// Half of a circle around the middle of two points; `sweep` is 1 for clockwise on a screen.
    fn half_circle(&mut self, from: [f64; 2], to: [f64; 2], sweep: f64) {
        // The distance of control points that makes a quarter of a circle, within 0.03%.
        const ROUND: f64 = 0.552_284_75;
        let middle = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
        let out = [from[0] - middle[0], from[1] - middle[1]];
        let side = if sweep > 0.5 { [-out[1], out[0]] } else { [out[1], -out[0]] };
        let at = |along: f64, across: f64| {
            [
                middle[0] + along * out[0] + across * side[0],
                middle[1] + along * out[1] + across * side[1],
            ]
        };
        self.curve_to([at(1.0, ROUND), at(ROUND, 1.0), at(0.0, 1.0)]);
        self.curve_to([at(-ROUND, 1.0), at(-1.0, ROUND), to]);
    }
}

/// Draws the path. What figures do not have, such as other arcs than halves of circles, is a line.
pub fn draw(data: &str, pen: &mut Pen<'_>) {
    let (mut here, mut start) = ([0.0; 2], [0.0; 2]);
    for (command, numbers) in commands(data) {
        let base = if command.is_ascii_lowercase() { here } else { [0.0; 2] };
        let at = |x: f64, y: f64| [base[0] + x, base[1] + y];
        match (command.to_ascii_uppercase(), &numbers[..]) {
            ('M', &[x, y]) => {
                (here, start) = (at(x, y), at(x, y));
                pen.move_to(here);
            }
            ('L', &[x, y]) => here = at(x, y),
            ('H', &[x]) => here = [base[0] + x, here[1]],
            ('V', &[y]) => here = [here[0], base[1] + y],
            ('C', &[a, b, c, d, x, y]) => {
                here = at(x, y);
                pen.curve_to([at(a, b), at(c, d), here]);
            }
            ('A', &[_, _, _, _, sweep, x, y]) => {
                let from = here;
                here = at(x, y);
                pen.half_circle(from, here, sweep);
            }
            ('Z', _) => {
                here = start;
                pen.0.close_path();
            }
            _ => {}
        }
        if matches!(command.to_ascii_uppercase(), 'L' | 'H' | 'V') {
            pen.line_to(here);
        }
    }
}

/// The letters of a path, each with its numbers. A letter may stand for several commands.
fn commands(data: &str) -> Vec<(char, Vec<f64>)> {
    let mut commands: Vec<(char, Vec<f64>)> = Vec::new();
    let starts: Vec<usize> = data
        .char_indices()
        .filter(|(_, letter)| letter.is_ascii_alphabetic() && *letter != 'e')
        .map(|(at, _)| at)
        .chain([data.len()])
        .collect();
    for ends in starts.windows(2) {
        let Some(command) = data[ends[0]..].chars().next() else { continue };
        let numbers = numbers(&data[ends[0] + 1..ends[1]]);
        let each = match command.to_ascii_uppercase() {
            'M' | 'L' => 2,
            'H' | 'V' => 1,
            'C' => 6,
            'A' => 7,
            _ => 0,
        };
        if each == 0 {
            commands.push((command, Vec::new()));
            continue;
        }
        for (index, part) in numbers.chunks(each).enumerate() {
            // After the first, the numbers of a move are lines.
            let command = match (command, index) {
                ('M', 1..) => 'L',
                ('m', 1..) => 'l',
                (command, _) => command,
            };
            commands.push((command, part.to_vec()));
        }
    }
    commands
}

/// Numbers, also where a minus sign is all that is between them.
fn numbers(text: &str) -> Vec<f64> {
    let spaced = text.replace('-', " -").replace("e -", "e-");
    super::style::numbers(&spaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(data: &str) -> String {
        let mut content = Content::new();
        draw(data, &mut Pen(&mut content));
        String::from_utf8_lossy(&content.finish()).replace('\n', ";")
    }

    #[test]
    fn paths_are_drawn_as_they_are_written() {
        assert_eq!(
            drawn("M1 2L3 4h2v-1H7V8l-1-2Z").trim_end_matches(';'),
            "1 2 m;3 4 l;5 4 l;5 3 l;7 3 l;7 8 l;6 6 l;h"
        );
        assert_eq!(drawn("M1 2h0").trim_end_matches(';'), "1 2 m;1 2 l", "a dot");
        assert_eq!(drawn("M0 0C1 2 3 4 5 6").trim_end_matches(';'), "0 0 m;1 2 3 4 5 6 c");
        assert_eq!(drawn("M0 0 4 5").trim_end_matches(';'), "0 0 m;4 5 l");
        assert_eq!(drawn(""), "");
    }

    #[test]
    fn circles_are_round() {
        // The upper half: from the left, over the top, to the right.
        let found = drawn("M-2 0a2 2 0 1 1 4 0");
        assert!(found.contains(" 0 -2 c"), "{found}");
        let found = drawn("M-2 0a2 2 0 1 0 4 0");
        assert!(found.contains(" 0 2 c"), "{found}");
    }
}
