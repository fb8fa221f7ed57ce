//! How a database of opponents is made.

use serde::{Deserialize, Serialize};

use super::BINS;
use outflank_game::player::{Brain, Player, Policy};
use outflank_kernel::rng::{Seed, Stream};

/// The maximum number of random WPCs of a database.
pub const MOST_OPPONENTS: u64 = 100_000_000;
/// The maximum number of double games by which each is rated.
pub const MOST_DOUBLES: u64 = 1_000_000;

/// How to make a database; the same recipe makes the same bytes. Jaśkowski et al. 2013: 500,000
/// opponents, 1000 double games each, no cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Seed of the opponents and of the games that rate them.
    pub seed: u64,
    /// Random WPCs that are rated.
    pub opponents: u64,
    /// Double games of each, against as many other random WPCs.
    pub doubles: u64,
    /// How many opponents of each bin are kept, the first ones; all if none.
    pub cap: Option<u64>,
}

impl Recipe {
    /// The number of single games it takes.
    pub fn games(&self) -> u64 {
        2 * self.opponents * self.doubles
    }

    /// The maximum half points of an opponent.
    pub fn most_half_points(&self) -> u64 {
        4 * self.doubles
    }

    /// The bin of an opponent: its share of the points, cut into [`BINS`] equal parts.
    pub fn bin(&self, half_points: u32) -> usize {
        let bin = BINS as u64 * u64::from(half_points) / self.most_half_points();
        (bin as usize).min(BINS - 1)
    }

    /// Opponent number `index`.
    pub fn opponent(&self, index: u64) -> Player {
        random_wpc().drawn(Seed(self.seed).at(Stream::Weights, index))
    }

    /// The seed of the games that rate an opponent.
    pub fn judging_seed(&self, index: u64) -> Seed {
        Seed(self.seed).child(Stream::Performance, index)
    }

    /// Where two recipes differ first: `opponents = 500000 there, 1000 here`.
    pub fn difference(&self, here: &Recipe) -> Option<String> {
        let cap = |recipe: &Recipe| recipe.cap.map_or("none".into(), |cap| cap.to_string());
        let fields = [
            ("seed", self.seed.to_string(), here.seed.to_string()),
            ("opponents", self.opponents.to_string(), here.opponents.to_string()),
            ("doubles", self.doubles.to_string(), here.doubles.to_string()),
            ("cap", cap(self), cap(here)),
        ];
        let first = fields.into_iter().find(|(_, there, here)| there != here);
        first.map(|(name, there, here)| format!("{name} = {there} there, {here} here"))
    }

    /// Says whether a database can have these numbers.
    pub fn is_sound(&self) -> bool {
        (1..=MOST_OPPONENTS).contains(&self.opponents)
            && (1..=MOST_DOUBLES).contains(&self.doubles)
            && self.cap != Some(0)
    }
}

/// A player that is another WPC in every pair of games.
pub fn random_wpc() -> Player {
    Player { name: "random-wpc".into(), brain: Brain::RandomWpc, policy: Policy::default() }
}
