//! Places names beside points without covering anything.

/// A rectangle: left, top, right, bottom.
type Box = [f64; 4];

/// Names placed so far, and what must stay visible.
pub struct Labels {
    inside: Box,
    taken: Vec<Box>,
}

impl Labels {
    /// Labels inside a frame.
    pub fn new(inside: Box) -> Labels {
        Labels { inside, taken: Vec::new() }
    }

    /// Keeps an area free of labels.
    pub fn keep_free(&mut self, area: Box) {
        self.taken.push(area);
    }

    /// The top left corner of a label of this size beside a point, if there is room.
    pub fn place(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> Option<[f64; 2]> {
        let gap = 9.0;
        let corners = [
            [x + gap, y - height - 4.0],
            [x + gap, y + 4.0],
            [x - gap - width, y - height - 4.0],
            [x - gap - width, y + 4.0],
            [x - width / 2.0, y - height - gap],
            [x - width / 2.0, y + gap],
        ];
        let area = |[left, top]: [f64; 2]| [left, top, left + width, top + height];
        let corner = corners.into_iter().find(|&corner| {
            let area = area(corner);
            within(area, self.inside) && !self.taken.iter().any(|&other| overlap(area, other))
        })?;
        self.taken.push(area(corner));
        Some(corner)
    }
}

fn within(inner: Box, outer: Box) -> bool {
    inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

fn overlap(a: Box, b: Box) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cover_neither_points_nor_each_other() {
        let mut labels = Labels::new([0.0, 0.0, 200.0, 100.0]);
        labels.keep_free([45.0, 45.0, 55.0, 55.0]);
        let first = labels.place([50.0, 50.0], [60.0, 12.0]).unwrap();
        let second = labels.place([50.0, 50.0], [60.0, 12.0]).unwrap();
        let area = |[x, y]: [f64; 2]| [x, y, x + 60.0, y + 12.0];
        assert!(!overlap(area(first), area(second)));
        assert!(labels.place([50.0, 50.0], [600.0, 12.0]).is_none(), "wider than the frame");
        let mut full = Labels::new([0.0, 0.0, 200.0, 100.0]);
        full.keep_free([0.0, 0.0, 200.0, 100.0]);
        assert!(full.place([50.0, 50.0], [60.0, 12.0]).is_none());
    }
}
