//! The front of a run with several objectives: what its objectives are, and how much of the space
//! of results its members dominate.

use super::{By, ObjectiveSpec, Spec};

/// An objective of a run with several.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// Its name: that of the opponent, or of the source of opponents.
    pub name: String,
    /// The half points of a candidate that wins all its games.
    pub most: f64,
}

/// The hypervolume is computed for up to this many objectives: its cost is a power of their number.
pub const MAX_VOLUME: usize = 4;

impl Spec {
    /// The objectives of candidates, in order, if there are several; none if there is one.
    pub fn objectives(&self) -> Vec<Objective> {
        let ObjectiveSpec::Fronts(fronts) = &self.objective else { return Vec::new() };
        let most = 2.0 * self.opponents.games as f64;
        let mut objectives = Vec::new();
        for (at, source) in self.opponents.sources() {
            let key = at.key("");
            let source_name = key.trim_start_matches("opponents.").trim_end_matches('.');
            let fixed = self.opponents.fixed.as_ref().filter(|_| source_name == "fixed");
            let names: Vec<String> = match (fixed, source.per_candidate(self)) {
                _ if fronts.by == By::Source => vec![source_name.into()],
                (Some(fixed), _) => fixed.players.iter().map(ToString::to_string).collect(),
                (None, 1) => vec![source_name.into()],
                (None, many) => (1..=many).map(|n| format!("{source_name} {n}")).collect(),
            };
            objectives.extend(names.into_iter().map(|name| Objective { name, most }));
        }
        objectives
    }

    /// The values of objectives as shares of the most that can be had, from 0 to 1.
    pub(super) fn shares(&self, point: &[f64]) -> Box<[f64]> {
        let share = |(value, objective): (&f64, Objective)| value / objective.most.max(1.0);
        point.iter().zip(self.objectives()).map(share).collect()
    }
}

/// The volume that some points dominate, from the reference point 0: the chance that a point drawn
/// from the unit cube is nowhere better than some member of the front. Points are shares; higher is
/// better. Slices along the last objective (Zitzler 1999); two objectives take one sweep.
pub fn hypervolume(points: &[&[f64]]) -> f64 {
    let objectives = points.first().map_or(0, |point| point.len());
    let mut order: Vec<&[f64]> = points.to_vec();
    match objectives {
        0 => 0.0,
        1 => points.iter().map(|point| point[0]).fold(0.0, f64::max),
        2 => {
            order.sort_by(|a, b| b[0].total_cmp(&a[0]));
            let (mut area, mut height) = (0.0, 0.0);
            for point in order {
                if point[1] > height {
                    area += point[0] * (point[1] - height);
                    height = point[1];
                }
            }
            area
        }
        _ => {
            let last = objectives - 1;
            order.sort_by(|a, b| b[last].total_cmp(&a[last]));
            let base: Vec<&[f64]> = order.iter().map(|point| &point[..last]).collect();
            let mut volume = 0.0;
            for (index, point) in order.iter().enumerate() {
                let below = order.get(index + 1).map_or(0.0, |next| next[last]);
                let depth = point[last] - below;
                if depth > 0.0 {
                    volume += depth * hypervolume(&base[..=index]);
                }
            }
            volume
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernel::rng::{Seed, Stream};

    fn volume(points: &[Vec<f64>]) -> f64 {
        hypervolume(&points.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    fn is(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }

    #[test]
    fn two_objectives_are_steps() {
        is(volume(&[]), 0.0);
        is(volume(&[vec![0.5, 0.4]]), 0.2);
        // By hand: 0.8 x 0.2, then 0.5 x 0.3, then 0.1 x 0.5.
        let steps = [vec![0.5, 0.5], vec![0.1, 1.0], vec![0.8, 0.2]];
        is(volume(&steps), 0.16 + 0.15 + 0.05);
        // Points that are dominated, or there twice, add nothing.
        let more = [&steps[..], &[vec![0.5, 0.5], vec![0.4, 0.5], vec![0.1, 0.1]]].concat();
        is(volume(&more), 0.36);
        is(volume(&[vec![0.0, 1.0], vec![1.0, 0.0]]), 0.0);
    }

    #[test]
    fn more_objectives_are_slices() {
        is(volume(&[vec![0.5, 0.5, 0.5]]), 0.125);
        // Two boxes of 0.25 share a cube of 1/8.
        is(volume(&[vec![1.0, 0.5, 0.5], vec![0.5, 1.0, 0.5]]), 0.25 + 0.25 - 0.125);
        is(volume(&[vec![1.0, 1.0, 0.5, 0.5], vec![1.0, 1.0, 0.5, 0.5]]), 0.25);
        // An objective in which all are equal is a factor.
        let flat = [vec![0.5, 0.5, 0.5], vec![0.1, 1.0, 0.5], vec![0.8, 0.2, 0.5]];
        is(volume(&flat), 0.18);
    }

    #[test]
    fn the_volume_is_the_chance_of_being_dominated_in_any_number_of_objectives() {
        let mut rng = Seed(5).at(Stream::Search, 0).rng();
        for objectives in 1..=MAX_VOLUME {
            let mut draw = || (0..objectives).map(|_| rng.unit()).collect::<Vec<f64>>();
            let points: Vec<Vec<f64>> = (0..9).map(|_| draw()).collect();
            let under = |at: &[f64]| points.iter().any(|p| p.iter().zip(at).all(|(p, a)| p >= a));
            let hits = (0..40_000).filter(|_| under(&draw())).count();
            let (found, share) = (volume(&points), hits as f64 / 40_000.0);
            // Four standard errors.
            assert!((found - share).abs() < 4.0 * 0.0025, "{objectives}: {found} {share}");
            // The order of points and of objectives does not matter.
            let turned: Vec<Vec<f64>> =
                points.iter().rev().map(|p| p.iter().rev().copied().collect()).collect();
            is(volume(&turned), found);
        }
    }
}
