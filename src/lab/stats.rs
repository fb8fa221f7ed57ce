//! Intervals of scores.

use crate::arena::Tally;

/// The 97.5% point of the normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// The 95% interval of a score, with the pair of games as the unit: the two games of a pair share
/// their opening and their players' luck, so single games are not independent.
///
/// Agresti and Coull's interval carried over to pairs: z² pairs are added, half of them lost and half
/// won, so that an unbeaten player's interval has a width too.
pub fn score_interval(tally: &Tally) -> [f64; 2] {
    let mut counts = tally.pairs.map(|n| n as f64);
    counts[0] += Z * Z / 2.0;
    counts[4] += Z * Z / 2.0;
    let pairs: f64 = counts.iter().sum();
    let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mean = counts.iter().zip(scores).map(|(n, score)| n * score).sum::<f64>() / pairs;
    let square =
        counts.iter().zip(scores).map(|(n, score)| n * (score - mean).powi(2)).sum::<f64>() / pairs;
    let half = Z * (square / pairs).sqrt();
    [(mean - half).max(0.0), (mean + half).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Seed, Stream};

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
        assert!(low > 0.5 && low < 0.9 && high >= 1.0, "{low} {high}");
    }

    #[test]
    fn the_interval_covers_the_truth_nineteen_times_in_twenty() {
        let mut rng = Seed(1).at(Stream::Signature, 0).rng();
        let (trials, mut covered) = (2000, 0);
        for _ in 0..trials {
            let mut tally = Tally::default();
            for _ in 0..100 {
                // Pairs with a shared strength: correlated games, mean score 0.6.
                let strength = rng.uniform(0.35, 0.85);
                let margins = [(); 2].map(|()| if rng.unit() < strength { 2 } else { -2 });
                tally.add_pair(margins);
            }
            let [low, high] = score_interval(&tally);
            covered += i32::from(low <= 0.6 && 0.6 <= high);
        }
        // Four standard errors of a share of 0.95, and a point for the approximation.
        let share = f64::from(covered) / f64::from(trials);
        assert!(
            (share - 0.95).abs() < 4.0 * (0.95 * 0.05 / f64::from(trials)).sqrt() + 0.01,
            "{share}"
        );
    }
}
