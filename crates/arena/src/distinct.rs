//! How many different games were played: exactly, or by estimate when there are very many.

use rayon::slice::ParallelSliceMut;

use outflank_game::othello::{Position, Side};
use outflank_kernel::rng::mix;

/// Counts different games by 64-bit fingerprints. What it answers depends on the games and their
/// number alone, not on the order in which they came.
#[derive(Clone, Debug)]
pub enum Distinct {
    /// All fingerprints.
    Exact(Vec<u64>),
    /// HyperLogLog (Flajolet et al. 2007): for each of 2^14 classes the longest run of zeros.
    Estimate(Vec<u8>),
}

/// Up to this many games the count is exact.
const EXACT: u64 = 1 << 24;
const CLASS_BITS: u32 = 14;

impl Distinct {
    /// A counter fit for a number of games.
    pub fn for_games(games: u64) -> Distinct {
        if games <= EXACT {
            Distinct::Exact(Vec::new())
        } else {
            Distinct::Estimate(vec![0; 1 << CLASS_BITS])
        }
    }

    /// Adds a game by its start and the fingerprint of its moves.
    pub fn add(&mut self, start: Position, print: u64) {
        let print = scattered(start, print);
        match self {
            Distinct::Exact(prints) => prints.push(print),
            Distinct::Estimate(zeros) => {
                let class = (print >> (64 - CLASS_BITS)) as usize;
                let run = (print << CLASS_BITS | 1 << (CLASS_BITS - 1)).leading_zeros() as u8 + 1;
                zeros[class] = zeros[class].max(run);
            }
        }
    }

    /// Adds the games of another counter made for the same number of games.
    pub fn join(&mut self, other: Distinct) {
        match (self, other) {
            (Distinct::Exact(all), Distinct::Exact(more)) => all.extend(more),
            (Distinct::Estimate(all), Distinct::Estimate(more)) => {
                for (zeros, more) in all.iter_mut().zip(more) {
                    *zeros = more.max(*zeros);
                }
            }
            _ => unreachable!("counters of one meeting are alike"),
        }
    }

    /// The number of different games among `games`, and whether it is exact; the estimate's standard
    /// error is 0.8%.
    pub fn count(self, games: u64) -> (u64, bool) {
        match self {
            Distinct::Exact(mut prints) => {
                // Outside of a pool the work is for one thread.
                match rayon::current_thread_index() {
                    Some(_) => prints.par_sort_unstable(),
                    None => prints.sort_unstable(),
                }
                prints.dedup();
                (prints.len() as u64, true)
            }
            Distinct::Estimate(zeros) => {
                let classes = zeros.len() as f64;
                let harmonic: f64 = zeros.iter().map(|&run| 0.5f64.powi(i32::from(run))).sum();
                let estimate = 0.7213 / (1.0 + 1.079 / classes) * classes * classes / harmonic;
                let empty = zeros.iter().filter(|&&run| run == 0).count() as f64;
                // With classes still empty, counting those is the better estimate.
                let linear = classes * (classes / empty).ln();
                let use_linear = empty > 0.0 && estimate < 2.5 * classes;
                let count = if use_linear { linear } else { estimate }.round() as u64;
                (count.min(games), false)
            }
        }
    }
}

/// 64 bits of a game: where it started and the fingerprint of its moves.
fn scattered(start: Position, print: u64) -> u64 {
    let board = start.seen_by(Side::Black);
    mix(print ^ mix(board.own.0 ^ mix(board.opp.0 ^ start.side as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernel::{NO_MOVE, fingerprint};

    fn count(games: impl Iterator<Item = u32>, mut counter: Distinct) -> (u64, bool) {
        let mut number = 0;
        for game in games {
            counter.add(
                Position::START,
                fingerprint(&[0, 6, 12, 18].map(|shift| (game >> shift) as u8 % 64)),
            );
            number += 1;
        }
        counter.count(number)
    }

    #[test]
    fn equal_games_count_once() {
        let games = (0..1000).chain(0..500);
        assert_eq!(count(games, Distinct::for_games(1500)), (1000, true));
    }

    #[test]
    fn games_that_differ_in_the_order_of_two_moves_have_other_fingerprints() {
        let mut prints = std::collections::HashSet::new();
        for a in 0..64 {
            for b in (0..64).filter(|b| *b != a) {
                assert!(prints.insert(fingerprint(&[5, a, b, 9])));
                assert_eq!(fingerprint(&[5, a, NO_MOVE, b]), fingerprint(&[5, a, b]));
            }
        }
    }

    #[test]
    fn many_games_are_estimated() {
        for n in [10, 1000, 20_000, 300_000] {
            let (estimate, exact) = count((0..n).chain(0..n), Distinct::for_games(EXACT + 1));
            let error = (estimate as f64 / f64::from(n) - 1.0).abs();
            // Four standard errors of 1.04 / sqrt(2^14).
            assert!(!exact && error < 4.0 * 0.0082, "{n}: {estimate}");
            // Never more than there were games.
            assert!(count(0..n, Distinct::for_games(EXACT + 1)).0 <= u64::from(n));
        }
    }
}
