//! Intervals of scores of games.

use outflank_arena::Tally;

/// The 97.5% point of the normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// The 95% interval of a score, with the pair of games as the unit: the two games of a pair share
/// their opening and their drawn players, so single games are not independent.
///
/// Wilson's interval for the number of independent games that the pairs are worth. That number is
/// the games divided by how much more the scores of pairs vary than those of independent games; two
/// imaginary pairs of independent games stabilise the ratio when there are few pairs.
pub fn score_interval(tally: &Tally) -> [f64; 2] {
    pairs_interval(&tally.pairs)
}

/// The same for pairs counted by their score: 0, ½, 1, 1½ or 2 points of 2.
pub fn pairs_interval(pairs: &[u64; 5]) -> [f64; 2] {
    let (all, score) = (pairs.iter().sum::<u64>() as f64, pairs_score(pairs));
    let independent = score * (1.0 - score) / 2.0;
    let ratio = if independent > 0.0 {
        (variation(pairs) + 2.0 * independent) / ((all + 2.0) * independent)
    } else {
        1.0
    };
    let n = 2.0 * all / ratio;
    let centre = (score + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (score * (1.0 - score) / n + (Z / (2.0 * n)).powi(2)).sqrt();
    [(centre - half).max(0.0), (centre + half).min(1.0)]
}

/// The share of the points, for pairs counted by their score.
pub fn pairs_score(pairs: &[u64; 5]) -> f64 {
    let half_points: u64 = (0..).zip(pairs).map(|(points, n)| points * n).sum();
    half_points as f64 / (4 * pairs.iter().sum::<u64>()) as f64
}

/// The sum over all pairs of the squared distance of a pair's mean score from the mean.
pub fn pair_variation(tally: &Tally) -> f64 {
    variation(&tally.pairs)
}

fn variation(pairs: &[u64; 5]) -> f64 {
    let mean = pairs_score(pairs);
    let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
    pairs.iter().zip(scores).map(|(&n, score)| n as f64 * (score - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn pairs_that_always_split_leave_little_doubt() {
        let split =
            Tally { wins: 1000, losses: 1000, pairs: [0, 0, 1000, 0, 0], ..Tally::default() };
        let coins =
            Tally { wins: 1000, losses: 1000, pairs: [250, 0, 500, 0, 250], ..Tally::default() };
        let width = |tally: &Tally| score_interval(tally)[1] - score_interval(tally)[0];
        assert!(width(&split) < 0.1 * width(&coins));
        // Independent games: 2 · 1.96 · ½ / √2000.
        assert!((width(&coins) / 0.0438 - 1.0).abs() < 0.02, "{}", width(&coins));
    }

    #[test]
    fn the_interval_of_the_unbeaten_has_a_width() {
        let tally = Tally { wins: 20, pairs: [0, 0, 0, 0, 10], ..Tally::default() };
        let [low, high] = score_interval(&tally);
        assert!(low > 0.7 && low < 0.9 && high >= 1.0, "{low} {high}");
    }

    #[test]
    fn the_interval_covers_the_truth_nineteen_times_in_twenty() {
        let mut rng = Seed(1).at(Stream::Signature, 0).rng();
        // (pairs, range of strengths of a pair: the wider, the more alike its games are)
        for (pairs, low, high) in
            [(10, 0.6, 0.6), (100, 0.35, 0.85), (50, 0.8, 1.0), (1000, 0.1, 0.9)]
        {
            let (truth, trials, mut below, mut above) = ((low + high) / 2.0, 2000, 0, 0);
            for _ in 0..trials {
                let mut tally = Tally::default();
                for _ in 0..pairs {
                    let strength = rng.uniform(low, high);
                    tally.add_pair([(); 2].map(|()| if rng.unit() < strength { 2 } else { -2 }));
                }
                let interval = score_interval(&tally);
                below += i32::from(truth < interval[0]);
                above += i32::from(truth > interval[1]);
            }
            let missed = format!("{pairs} pairs, {low} to {high}: {below} {above}");
            // Four standard errors of a share of 0.025 on either side, and a point for few pairs.
            let error = |share: f64| 4.0 * (share * (1.0 - share) / f64::from(trials)).sqrt();
            let share = |missed: i32| f64::from(missed) / f64::from(trials);
            assert!(share(below.max(above)) < 0.025 + error(0.025) + 0.01, "{missed}");
            // An interval that is too wide rarely misses: with 1.3 times the width, 1.1%.
            assert!(share(below + above) > 0.05 - error(0.05) - 0.01, "{missed}");
        }
    }
}
