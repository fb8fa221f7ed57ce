//! What a database of opponents is made of.

use serde::{Deserialize, Serialize};

use super::BINS;
use outflank_game::player::{Brain, Player, Policy};
use outflank_kernel::rng::{Seed, Stream};

/// Most random WPCs of a database.
pub const MOST_OPPONENTS: u64 = 100_000_000;
/// Most double games by which one of them is judged.
pub const MOST_DOUBLES: u64 = 1_000_000;

/// How to make a database; the same recipe makes the same bytes. Jaśkowski et al. 2013: 500,000
/// opponents, 1000 double games each, no cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Of the opponents and of the games that judge them.
    pub seed: u64,
    /// Random WPCs that are judged.
    pub opponents: u64,
    /// Double games of each, against as many other random WPCs.
    pub doubles: u64,
    /// Opponents kept of a bin, the first ones; all if none.
    pub cap: Option<u64>,
}

impl Recipe {
    /// Single games that it takes.
    pub fn games(&self) -> u64 {
        2 * self.opponents * self.doubles
    }

    /// The most half points that an opponent can have.
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

    /// The root of the games that judge an opponent.
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

    /// Says whether the numbers are ones that a database can have.
    pub fn is_sound(&self) -> bool {
        (1..=MOST_OPPONENTS).contains(&self.opponents)
            && (1..=MOST_DOUBLES).contains(&self.doubles)
            && self.cap != Some(0)
    }
}

/// Another WPC in every pair of games.
pub fn random_wpc() -> Player {
    Player { name: "random-wpc".into(), brain: Brain::RandomWpc, policy: Policy::default() }
}
