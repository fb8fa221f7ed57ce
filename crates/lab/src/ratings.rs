//! Ratings: the most likely strengths behind a cross table.
//!
//! Davidson's model (1970) of games with draws: for a difference d in strength, win : draw : loss
//! are as exp(d/2) : ν : exp(−d/2), with one ν for the whole table. Strengths are shown as Elo, 400
//! points for odds of 10 to 1. The likelihood is concave; Newton's method finds its top.

use super::stats::{Z, pair_variation};
use outflank_arena::Tally;

/// A strength and its 95% interval, in Elo around the mean of the field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Its 95% interval.
    pub interval: [f64; 2],
}

/// Elo per unit of strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// The prior: each player has also won and lost this many games against a player of mean strength,
/// so that a player without losses has a finite rating.
const PRIOR_GAMES: f64 = 0.5;

/// Rates `players` players by their tallies: (i, j, games from i's side).
pub fn rate(players: usize, tallies: &[(usize, usize, Tally)]) -> Vec<Rating> {
    // The strengths, then ln ν.
    let mut guess = vec![0.0; players + 1];
    for _ in 0..200 {
        let (gradient, information) = slope(players, tallies, &guess);
        let step = solve(information, gradient);
        // Long steps leave the region where the quadratic approximation holds.
        let longest = step.iter().fold(0f64, |most, x| most.max(x.abs()));
        let scale = (2.0 / longest).min(1.0);
        guess.iter_mut().zip(&step).for_each(|(x, step)| *x += scale * step);
        if longest < 1e-10 {
            break;
        }
    }
    let mean = guess[..players].iter().sum::<f64>() / players as f64;
    let (_, information) = slope(players, tallies, &guess);
    (0..players)
        .map(|i| {
            // The strength relative to the mean of the field, as a sum of strengths.
            let mut contrast = vec![-1.0 / players as f64; players];
            contrast[i] += 1.0;
            contrast.push(0.0);
            let influence = solve(information.clone(), contrast);
            let elo = ELO * (guess[i] - mean);
            let half = Z * ELO * variance(&influence, tallies, &guess).sqrt();
            Rating { elo, interval: [elo - half, elo + half] }
        })
        .collect()
}

/// The variance of a sum of strengths, from how the scores of pairs of games vary and how much each
/// point moves the sum: the "sandwich" estimator, which is valid when the two games of a pair are
/// alike and when the model is only approximately true. The games of the prior vary too, and so do
/// a won and a lost pair added to each meeting, so that a player that repeats one game is not rated
/// with certainty.
fn variance(influence: &[f64], tallies: &[(usize, usize, Tally)], guess: &[f64]) -> f64 {
    let players = guess.len() - 1;
    let prior = influence[..players].iter().zip(guess).map(|(influence, strength)| {
        let win = 1.0 / (1.0 + (-strength).exp());
        influence.powi(2) * 2.0 * PRIOR_GAMES * win * (1.0 - win)
    });
    let meetings = tallies.iter().map(|(i, j, tally)| {
        let score = tally.score();
        let imaginary = score.powi(2) + (1.0 - score).powi(2);
        // A pair's points are twice its mean score.
        let points = 4.0 * (pair_variation(tally) + imaginary);
        (influence[*i] - influence[*j]).powi(2) * points
    });
    prior.chain(meetings).sum()
}

/// The gradient of the log-likelihood with the prior, and minus its second derivatives.
fn slope(
    players: usize,
    tallies: &[(usize, usize, Tally)],
    guess: &[f64],
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let nu = players;
    let mut gradient = vec![0.0; players + 1];
    let mut information = vec![vec![0.0; players + 1]; players + 1];
    // The prior's loss and win minus the expected half point; the prior has no draws.
    for i in 0..players {
        let win = 1.0 / (1.0 + (-guess[i]).exp());
        gradient[i] += PRIOR_GAMES * (1.0 - 2.0 * win);
        information[i][i] += 2.0 * PRIOR_GAMES * win * (1.0 - win);
    }
    // One drawn game and two decided ones between equals keep ν away from 0 and infinity.
    let prior_draw = guess[nu].exp() / (2.0 + guess[nu].exp());
    gradient[nu] += 1.0 - 3.0 * prior_draw;
    information[nu][nu] += 3.0 * prior_draw * (1.0 - prior_draw);
    for (i, j, tally) in tallies {
        let (i, j, games) = (*i, *j, tally.games() as f64);
        let half = (guess[i] - guess[j]) / 2.0;
        let weights = [half.exp(), guess[nu].exp(), (-half).exp()];
        let [win, draw, loss] = weights.map(|weight| weight / weights.iter().sum::<f64>());
        let excess = (tally.wins as f64 - tally.losses as f64 - games * (win - loss)) / 2.0;
        gradient[i] += excess;
        gradient[j] -= excess;
        gradient[nu] += tally.draws as f64 - games * draw;
        let spread = games * (win + loss - (win - loss).powi(2)) / 4.0;
        information[i][i] += spread;
        information[j][j] += spread;
        information[i][j] -= spread;
        information[j][i] -= spread;
        let mixed = -games * draw * (win - loss) / 2.0;
        for (k, sign) in [(i, 1.0), (j, -1.0)] {
            information[k][nu] += sign * mixed;
            information[nu][k] += sign * mixed;
        }
        information[nu][nu] += games * draw * (1.0 - draw);
    }
    (gradient, information)
}

/// Solves a positive definite system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for pivot in 0..n {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let row = &above[pivot];
        for (offset, other) in below.iter_mut().enumerate() {
            let factor = other[pivot] / row[pivot];
            for (x, y) in other.iter_mut().zip(row).skip(pivot) {
                *x -= factor * y;
            }
            right[pivot + 1 + offset] -= factor * right[pivot];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernel::rng::{Rng, Seed, Stream};

    fn tally(wins: u64, losses: u64) -> Tally {
        // As many split pairs as with independent games.
        let games = wins + losses;
        let split = wins * losses / games;
        let pairs = [(losses - split) / 2, 0, split, 0, (wins - split) / 2];
        Tally { wins, losses, pairs, ..Tally::default() }
    }

    #[test]
    fn odds_of_ten_to_one_are_400_points() {
        let ratings = rate(2, &[(0, 1, tally(100_000, 10_000))]);
        assert!((ratings[0].elo - ratings[1].elo - 400.0).abs() < 0.5, "{ratings:?}");
        // Half the interval for the difference, seen from the mean.
        let width = ratings[0].interval[1] - ratings[0].interval[0];
        let expected = Z * ELO * (1.0 / 100_000.0 + 1.0 / 10_000.0f64).sqrt();
        assert!((width / expected - 1.0).abs() < 0.01, "{width} {expected}");
    }

    #[test]
    fn the_unbeaten_have_finite_ratings() {
        let tallies = [(0, 1, tally(1000, 0)), (0, 2, tally(1000, 0)), (1, 2, tally(1, 999))];
        let ratings = rate(3, &tallies);
        assert!(ratings.iter().all(|r| r.elo.is_finite() && r.interval[0] < r.interval[1]));
        assert!(ratings[0].elo > ratings[2].elo && ratings[2].elo > ratings[1].elo);
        assert!(ratings[0].elo < 3000.0);
        let apart = rate(2, &[]);
        assert!(apart.iter().all(|r| r.elo.abs() < 1e-9 && r.interval[1].is_finite()));
    }

    #[test]
    fn pairs_of_games_that_end_alike_are_worth_half_of_the_games() {
        let independent = tally(6000, 4000);
        let alike = Tally { pairs: [2000, 0, 0, 0, 3000], ..independent };
        let split = Tally { pairs: [0, 0, 4000, 0, 1000], ..independent };
        let others = [(0, 2, tally(6000, 6000)), (1, 2, tally(6000, 6000))];
        let width = |played: Tally| {
            let tallies = [&[(0, 1, played)], &others[..]].concat();
            let [two, three] = [&tallies[..1], &tallies[..]].map(|tallies| {
                let [low, high] = rate(if tallies.len() == 1 { 2 } else { 3 }, tallies)[0].interval;
                high - low
            });
            [two, three]
        };
        let [usual, wide, narrow] = [independent, alike, split].map(width);
        // With two players only these games determine the width; others add to it.
        assert!((wide[0] / usual[0] - 2f64.sqrt()).abs() < 0.01, "{wide:?} {usual:?}");
        assert!(wide[1] > 1.1 * usual[1] && narrow[1] < 0.95 * usual[1], "{wide:?} {narrow:?}");
        assert!(narrow[0] < 0.7 * usual[0], "{narrow:?} {usual:?}");
    }

    /// Pairs of games by Davidson's model; `alike` of them have the same result twice.
    fn play(rng: &mut Rng, d: f64, alike: f64, pairs: u32) -> Tally {
        let weights = [(d / 2.0).exp(), 0.3, (-d / 2.0).exp()];
        let total: f64 = weights.iter().sum();
        let mut margin = || match rng.unit() * total {
            x if x < weights[0] => (2, rng.unit()),
            x if x < weights[0] + weights[1] => (0, rng.unit()),
            _ => (-2, rng.unit()),
        };
        let mut tally = Tally::default();
        for _ in 0..pairs {
            let ((first, luck), (second, _)) = (margin(), margin());
            tally.add_pair([first, if luck < alike { first } else { second }]);
        }
        tally
    }

    #[test]
    fn intervals_cover_the_true_strengths_also_when_the_games_of_a_pair_are_alike() {
        let strengths = [0.9, 0.2, -0.3, -0.8];
        let mut rng = Seed(1).at(Stream::Signature, 1).rng();
        for alike in [0.0, 0.8] {
            let (trials, mut covered) = (500, 0);
            for _ in 0..trials {
                let mut tallies = Vec::new();
                for i in 0..4 {
                    for j in 0..i {
                        let d = strengths[i] - strengths[j];
                        tallies.push((i, j, play(&mut rng, d, alike, 40)));
                    }
                }
                for (rating, strength) in rate(4, &tallies).iter().zip(strengths) {
                    let [low, high] = rating.interval;
                    covered += i32::from(low <= ELO * strength && ELO * strength <= high);
                }
            }
            let share = f64::from(covered) / f64::from(4 * trials);
            // The four ratings of a trial are not independent: errors of 500 trials, four of them.
            let error = (0.95 * 0.05 / f64::from(trials)).sqrt();
            assert!((share - 0.95).abs() < 4.0 * error, "{alike}: {share}");
        }
    }
}
