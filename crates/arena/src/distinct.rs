//! How many different games were played: exactly, or by estimate when there are very many.

use rayon::prelude::*;

use outflank_game::othello::{Position, Side};
use outflank_kernel::rng::mix;

/// Counts different games by 64-bit fingerprints. The result depends only on the games and their
/// number, not on their order.
#[derive(Clone, Debug)]
pub enum Distinct {
    /// All fingerprints, block by block; they are compared when they are counted.
    Exact(Vec<Vec<u64>>),
    /// HyperLogLog (Flajolet et al. 2007): for each of 2^14 classes the longest run of zeros.
    Estimate(Vec<u8>),
}

/// Up to this many games the count is exact.
const EXACT: u64 = 1 << 24;
const CLASS_BITS: u32 = 14;

impl Distinct {
    /// A counter for this number of games.
    pub fn for_games(games: u64) -> Distinct {
        if games <= EXACT {
            Distinct::Exact(Vec::new())
        } else {
            Distinct::Estimate(vec![0; 1 << CLASS_BITS])
        }
    }

    /// Adds games, each by its start and the fingerprint of its moves.
    pub fn add(&mut self, games: impl ExactSizeIterator<Item = (Position, u64)>) {
        // Most games start at the same position as the one before.
        let mut known = (Position::START, scattered(Position::START));
        let prints = games.map(|(start, print)| {
            if start != known.0 {
                known = (start, scattered(start));
            }
            mix(print ^ known.1)
        });
        match self {
            Distinct::Exact(blocks) => blocks.push(prints.collect()),
            Distinct::Estimate(zeros) => {
                for print in prints {
                    let class = (print >> (64 - CLASS_BITS)) as usize;
                    let rest = print << CLASS_BITS | 1 << (CLASS_BITS - 1);
                    zeros[class] = zeros[class].max(rest.leading_zeros() as u8 + 1);
                }
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

    /// The number of different games among `games`, and whether it is exact; the estimate's
    /// standard error is 0.8%.
    pub fn count(self, games: u64) -> (u64, bool) {
        match self {
            Distinct::Exact(blocks) => (count_different(blocks), true),
            Distinct::Estimate(zeros) => {
                let classes = zeros.len() as f64;
                let harmonic: f64 = zeros.iter().map(|&run| 0.5f64.powi(i32::from(run))).sum();
                let estimate = 0.7213 / (1.0 + 1.079 / classes) * classes * classes / harmonic;
                let empty = zeros.iter().filter(|&&run| run == 0).count() as f64;
                // While classes are empty, counting them is the better estimate.
                let linear = classes * (classes / empty).ln();
                let use_linear = empty > 0.0 && estimate < 2.5 * classes;
                let count = if use_linear { linear } else { estimate }.round() as u64;
                (count.min(games), false)
            }
        }
    }
}

/// A 64-bit hash of a start position.
fn scattered(start: Position) -> u64 {
    let board = start.seen_by(Side::Black);
    mix(board.own.0 ^ mix(board.opp.0 ^ start.side as u64))
}

/// Fingerprints are first divided by their highest bits, so that the set of each part fits in the
/// cache.
const PART_BITS: u32 = 6;

/// The number of different values.
fn count_different(blocks: Vec<Vec<u64>>) -> u64 {
    // Outside a pool there is one thread.
    let threads = rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads());
    let share = blocks.len().div_ceil(threads).max(1);
    let mut rest = blocks.into_iter();
    let groups = (0..threads).map(|_| rest.by_ref().take(share).collect()).collect::<Vec<Vec<_>>>();
    let count = |part: usize, groups: &[Vec<Vec<u64>>]| {
        let mut seen = Seen::default();
        groups.iter().flat_map(|parts| &parts[part]).for_each(|print| seen.insert(*print));
        seen.count as u64
    };
    let parts = 0..1 << PART_BITS;
    if threads == 1 {
        let groups: Vec<_> = groups.into_iter().map(parted).collect();
        return parts.map(|part| count(part, &groups)).sum();
    }
    let groups: Vec<_> = groups.into_par_iter().map(parted).collect();
    parts.into_par_iter().map(|part| count(part, &groups)).sum()
}

/// Numbers by their highest bits.
fn parted(blocks: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    let all: usize = blocks.iter().map(Vec::len).sum();
    // A little more than the size of a part if all are different.
    let usual = (all >> PART_BITS) + (all >> (PART_BITS + 3));
    let mut parts = vec![Vec::new(); 1 << PART_BITS];
    parts.iter_mut().for_each(|part: &mut Vec<u64>| part.reserve(usual));
    for print in blocks.into_iter().flatten() {
        parts[(print >> (64 - PART_BITS)) as usize].push(print);
    }
    parts
}

/// A set of well-mixed numbers: a hash table in which each is at the first free place from its
/// lowest bits.
#[derive(Default)]
struct Seen {
    /// 0 is an empty place.
    table: Vec<u64>,
    count: usize,
    has_zero: bool,
}

impl Seen {
    #[inline]
    fn insert(&mut self, number: u64) {
        if number == 0 {
            self.count += usize::from(!self.has_zero);
            self.has_zero = true;
            return;
        }
        if 2 * self.count >= self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = number as usize & mask;
        while self.table[at] != 0 {
            if self.table[at] == number {
                return;
            }
            at = (at + 1) & mask;
        }
        self.table[at] = number;
        self.count += 1;
    }

    fn grow(&mut self) {
        let larger = vec![0; (4 * self.table.len()).max(1 << 10)];
        let old = std::mem::replace(&mut self.table, larger);
        self.count = usize::from(self.has_zero);
        old.into_iter().filter(|number| *number != 0).for_each(|number| self.insert(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernel::{NO_MOVE, fingerprint};

    fn count(games: impl Iterator<Item = u32>, mut counter: Distinct) -> (u64, bool) {
        let print = |game| fingerprint(&[0, 6, 12, 18].map(|shift| (game >> shift) as u8 % 64));
        let games: Vec<_> = games.map(|game| (Position::START, print(game))).collect();
        let number = games.len() as u64;
        games.chunks(1000).for_each(|block| counter.add(block.iter().copied()));
        counter.count(number)
    }

    #[test]
    fn equal_games_count_once() {
        let games = (0..1000).chain(0..500);
        assert_eq!(count(games, Distinct::for_games(1500)), (1000, true));
    }

    #[test]
    fn many_games_count_exactly_on_any_threads() {
        let counted = || count((0..200_000).chain(50_000..250_000), Distinct::for_games(400_000));
        assert_eq!(counted(), (250_000, true));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(pool.install(counted), (250_000, true));
        assert_eq!(count(0..0, Distinct::for_games(0)), (0, true));
        // Also 0, and numbers with the same place.
        let numbers = [0, 5, 0, 5 + (1 << 40), 5, 5 + (1 << 41), 5 + (1 << 40), 6].to_vec();
        assert_eq!(count_different(vec![numbers, vec![6, 7]]), 6);
    }

    #[test]
    fn a_game_from_elsewhere_is_another_game() {
        let other = Position::START.play(Position::START.board.moves().nth(0));
        let mut counter = Distinct::for_games(6);
        counter.add([(Position::START, 1), (other, 1), (Position::START, 1)].into_iter());
        counter.add([(other, 1), (other, 2), (other.pass(), 2)].into_iter());
        assert_eq!(counter.count(6), (4, true));
    }

    #[test]
    fn games_that_differ_in_the_order_of_two_moves_have_other_fingerprints() {
        let mut prints = std::collections::HashSet::new();
        for a in 0..64 {
            for b in (0..64).filter(|b| *b != a) {
                assert!(prints.insert(fingerprint(&[5, a, b, 9])));
                // Also where one is the last of nine and the other the first of the next nine.
                assert!(prints.insert(fingerprint(&[5, 1, 2, 3, 4, 5, 6, 7, a, b, 9])));
                assert_eq!(fingerprint(&[5, a, b, NO_MOVE]), fingerprint(&[5, a, b]));
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
