//! Places names beside points without covering anything.

/// A rectangle: left, top, right, bottom.
type Box = [f64; 4];

/// Names placed so far, and what must stay visible.
pub struct Labels {
    inside: Box,
    taken: Vec<Box>,
}

/// Distances from a point where a label may be if there is no room beside it.
const FURTHER: [f64; 4] = [22.0, 38.0, 58.0, 84.0];

impl Labels {
    /// Labels inside a frame.
    pub fn new(inside: Box) -> Labels {
        Labels { inside, taken: Vec::new() }
    }

    /// Keeps an area free of labels.
    pub fn keep_free(&mut self, area: Box) {
        self.taken.push(area);
    }

    /// The top left corner of a label of this size beside a point, or further away if there is no
    /// room beside it.
    pub fn place(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> Option<[f64; 2]> {
        let gap = 9.0;
        let beside = [
            [x + gap, y - height - 4.0],
            [x + gap, y + 4.0],
            [x - gap - width, y - height - 4.0],
            [x - gap - width, y + 4.0],
            [x - width / 2.0, y - height - gap],
            [x - width / 2.0, y + gap],
        ];
        // Around the point, further and further away; the caller draws a line to the label.
        let away = FURTHER.iter().flat_map(|far| {
            let [right, left] = [x + far, x - far - width];
            let [above, below] = [y - far - height, y + far];
            let [middle, level] = [x - width / 2.0, y - height / 2.0];
            let nearer = far / 2.0;
            [
                [right, level - nearer],
                [right, level + nearer],
                [left, level - nearer],
                [left, level + nearer],
                [middle, above],
                [middle, below],
                [right, above],
                [right, below],
                [left, above],
                [left, below],
            ]
        });
        let area = |[left, top]: [f64; 2]| [left, top, left + width, top + height];
        let corner = beside.into_iter().chain(away).find(|&corner| {
            let area = area(corner);
            within(area, self.inside) && !self.taken.iter().any(|&other| overlap(area, other))
        })?;
        self.taken.push(area(corner));
        Some(corner)
    }
}

/// The line from a point to its label, if the label is too far away to seem to belong to it.
pub fn leader(
    [x, y]: [f64; 2],
    [left, top]: [f64; 2],
    [width, height]: [f64; 2],
) -> Option<[f64; 4]> {
    let end = [x.clamp(left, left + width), y.clamp(top, top + height)];
    let length = (end[0] - x).hypot(end[1] - y);
    let start = 7.0 / length.max(7.0);
    let from = [x + start * (end[0] - x), y + start * (end[1] - y)];
    (length > 14.0).then_some([from[0], from[1], end[0], end[1]])
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
        let third: Vec<[f64; 2]> =
            std::iter::from_fn(|| labels.place([50.0, 50.0], [60.0, 12.0])).collect();
        assert!(third.len() > 4, "further away there is room");
        assert!(
            third
                .iter()
                .enumerate()
                .all(|(i, &a)| third[..i].iter().all(|&b| !overlap(area(a), area(b))))
        );
        assert!(leader([50.0, 50.0], first, [60.0, 12.0]).is_none());
        assert_eq!(
            leader([50.0, 50.0], [80.0, 44.0], [60.0, 12.0]),
            Some([57.0, 50.0, 80.0, 50.0])
        );
        let mut full = Labels::new([0.0, 0.0, 200.0, 100.0]);
        full.keep_free([0.0, 0.0, 200.0, 100.0]);
        assert!(full.place([50.0, 50.0], [60.0, 12.0]).is_none());
    }
}
