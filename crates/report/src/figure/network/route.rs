//! How links run: in curves from left to right, around the nodes of the columns that they skip. A
//! link behind a node would seem to end there.

use super::super::at;
use super::layout::{Column, Layout};
use outflank_game::model::Connection;

/// How far both ends of a curve stay level, as a share of its width.
const LEVEL: f64 = 0.45;
/// How far from the edges of a column a link around its nodes becomes level.
const BESIDE: f64 = 6.0;
/// The room for links above the first node of a column, and below the last.
const OUTSIDE: f64 = 8.0;

/// The course of a link as the data of an SVG path.
pub fn path(layout: &Layout, link: &Connection) -> String {
    let straight = Bow { from: layout.start(link.from), to: layout.end(link.to) };
    let mut text = format!("M{} {}", at(straight.from[0]), at(straight.from[1]));
    let mut bow = straight;
    for ([left, right], y) in detour(&straight, layout.skipped(link)) {
        text += &Bow { to: [left, y], ..bow }.path();
        text += &format!("H{}", at(right));
        bow.from = [right, y];
    }
    text + &bow.path()
}

/// Where a link passes the columns that it skips: the range where it is level, and its height.
/// Empty if it meets no node anyway.
fn detour(bow: &Bow, skipped: &[Column]) -> Vec<([f64; 2], f64)> {
    if !skipped.iter().any(|column| column.stops(bow)) {
        return Vec::new();
    }
    let pass = |column: &Column| {
        let [left, right] = column.sides;
        ([left - BESIDE, right + BESIDE], column.gap(bow.height((left + right) / 2.0)))
    };
    skipped.iter().map(pass).collect()
}

/// A curve that is level at both ends.
#[derive(Clone, Copy)]
struct Bow {
    from: [f64; 2],
    to: [f64; 2],
}

impl Bow {
    /// What follows the first point in an SVG path.
    fn path(&self) -> String {
        let ([x, y], [to_x, to_y]) = (self.from, self.to);
        let level = LEVEL * (to_x - x);
        let points = [x + level, y, to_x - level, to_y, to_x, to_y].map(at);
        format!("C{}", points.join(" "))
    }

    /// Its height at a place between its ends.
    fn height(&self, x: f64) -> f64 {
        let along = (x - self.from[0]) / (self.to[0] - self.from[0]);
        let (mut low, mut high) = (0.0, 1.0);
        // The error is far below a pixel.
        for _ in 0..24 {
            let t: f64 = (low + high) / 2.0;
            let rest = 1.0 - t;
            let reached = 3.0 * t * rest * (LEVEL * rest + (1.0 - LEVEL) * t) + t.powi(3);
            if reached < along { low = t } else { high = t }
        }
        self.from[1] + (self.to[1] - self.from[1]) * low * low * (3.0 - 2.0 * low)
    }
}

impl Column {
    /// Says whether a curve runs into one of its nodes.
    fn stops(&self, bow: &Bow) -> bool {
        let [a, b] = self.sides.map(|x| bow.height(x));
        self.taken.iter().any(|&[top, bottom]| a.max(b) > top && a.min(b) < bottom)
    }

    /// The height at which a link passes that would be at this one: beside the node in its way, if
    /// there is one. Links keep their order and share their half of the gap.
    fn gap(&self, y: f64) -> f64 {
        let Some(node) = self.taken.iter().position(|&[top, bottom]| top < y && y < bottom) else {
            return y;
        };
        let [top, bottom] = self.taken[node];
        let middle = (top + bottom) / 2.0;
        let share = (y - middle) / (bottom - middle);
        let (edge, next) = if share < 0.0 {
            (top, node.checked_sub(1).map(|above| self.taken[above][1]))
        } else {
            (bottom, self.taken.get(node + 1).map(|below| below[0]))
        };
        let room = next.map_or(OUTSIDE, |next| (next - edge).abs() / 2.0);
        edge + share * room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column() -> Column {
        Column { sides: [180.0, 220.0], taken: vec![[0.0, 50.0], [60.0, 110.0]] }
    }

    #[test]
    fn bows_go_from_one_end_to_the_other() {
        let bow = Bow { from: [100.0, 10.0], to: [300.0, 90.0] };
        for (x, y) in [(100.0, 10.0), (200.0, 50.0), (300.0, 90.0)] {
            assert!((bow.height(x) - y).abs() < 0.01, "{x}");
        }
        assert_eq!(bow.path(), "C190 10 210 90 300 90");
    }

    #[test]
    fn links_pass_between_nodes() {
        let column = column();
        let heights: Vec<f64> = (-20..130).map(|y| column.gap(f64::from(y) + 0.5)).collect();
        assert!(
            heights.iter().all(|y| !column.taken.iter().any(|node| node[0] < *y && *y < node[1]))
        );
        for (y, gap) in [(20.0, -1.6), (30.0, 51.0), (55.0, 55.0), (65.0, 56.0), (200.0, 200.0)] {
            assert!((column.gap(y) - gap).abs() < 1e-9, "{y}");
        }
        let through = Bow { from: [100.0, 26.0], to: [300.0, 32.0] };
        let past = Bow { from: [100.0, 130.0], to: [300.0, 150.0] };
        let passes = detour(&through, &[column]);
        assert!(matches!(passes[..], [([174.0, 226.0], y)] if (50.0..55.0).contains(&y)));
        assert!(detour(&past, &[self::column()]).is_empty());
    }
}
