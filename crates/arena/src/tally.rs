//! The results of one player against another in whole numbers, so that sums are exact in any order.

use outflank_game::othello::Outcome;

/// Games from the first player's side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The sum of the margins in discs, with empty squares counted for the winner.
    pub margin: i64,
    /// Pairs of games by their score: 0, ½, 1, 1½, 2 points of 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Adds the two games of a pair by the first player's margins in them.
    pub fn add_pair(&mut self, margins: [i32; 2]) {
        let mut halves = 0;
        for margin in margins {
            self.margin += i64::from(margin);
            match Outcome::of(margin) {
                Outcome::Win => self.wins += 1,
                Outcome::Draw => self.draws += 1,
                Outcome::Loss => self.losses += 1,
            }
            halves += (margin.signum() + 1) as usize;
        }
        self.pairs[halves] += 1;
    }

    /// Adds another tally of the same players.
    pub fn add(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.margin += other.margin;
        for (pairs, more) in self.pairs.iter_mut().zip(other.pairs) {
            *pairs += more;
        }
    }

    /// The same games from the other player's side.
    pub fn reversed(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        Tally {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            margin: -self.margin,
            pairs,
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins plus half the draws, as a share of the games.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games() as f64
    }

    /// Mean margin in discs.
    pub fn mean_margin(&self) -> f64 {
        self.margin as f64 / self.games() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_score() {
        let mut tally = Tally::default();
        for margins in [[2, 4], [6, -6], [0, 0], [0, -2], [-64, -2]] {
            tally.add_pair(margins);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.margin), (3, 3, 4, -62));
        assert_eq!(tally.pairs, [1, 1, 2, 0, 1]);
        let reversed = tally.reversed();
        assert_eq!((reversed.wins, reversed.margin, reversed.pairs), (4, 62, [1, 0, 2, 1, 1]));
        let mut twice = tally.clone();
        twice.add(&tally);
        assert_eq!((twice.games(), twice.pairs[2]), (20, 4));
    }
}
