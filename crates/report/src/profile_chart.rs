//! A chart of profiles, as in Fig. 3 of Jaśkowski et al. 2013.

use crate::figure::{Axis, AxisUnit, Chart, Mark, Point, Series};
use outflank_lab::{Bin, Profile};

/// A line for each profile over the utility of the opponents, with 95% whiskers; dropped bins are
/// left out.
pub fn profile_chart(profiles: &[Profile]) -> Chart {
    let x = Axis::new("expected utility of the opponents", AxisUnit::Percent);
    let y = Axis::new("mean score in double games", AxisUnit::Percent);
    let mut chart =
        Chart::new("Score against opponents of every strength (performance profile)", x, y);
    for (look, profile) in profiles.iter().enumerate() {
        let kept = profile.bins.iter().filter(|bin| !bin.is_dropped());
        let points = kept.filter_map(point).collect();
        chart.series.push(Series {
            name: profile.name.clone(),
            look,
            mark: Mark::Whiskers,
            points,
            runs: Vec::new(),
        });
    }
    chart
}

/// A point in the middle of the bin.
fn point(bin: &Bin) -> Option<Point> {
    Some(Point::with_interval((bin.low + bin.high) / 2.0, bin.mean?, bin.interval))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_lab::BINS;

    #[test]
    fn dropped_bins_are_not_drawn() {
        let mut counts = [[0; 5]; BINS];
        counts[40] = [0, 0, 0, 0, 200];
        counts[41] = [100, 0, 100, 0, 0];
        counts[42] = [0, 0, 0, 0, 100];
        let profile = Profile::new("x & y".into(), &[counts]);
        let chart = profile_chart(&[profile.clone(), profile]);
        let points: Vec<(i32, f64)> = chart.series[1]
            .points
            .iter()
            .map(|point| ((1000.0 * point.x).round() as i32, point.y))
            .collect();
        assert_eq!(points, [(405, 1.0), (415, 0.25)]);
        assert!(chart.svg().contains("x &amp; y"));
    }
}
