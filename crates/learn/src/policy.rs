//! The axis `policy`: how moves are chosen in the games that count. A layer is a row of the options in
//! the player's room and a key here, neutral when it is off.

use outflank_game::player::{MOST_OPENING, Policy};
use outflank_kernel::rng::Chance;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table, whole};

table! {
/// The axis `policy`.
pub struct PolicySpec {
    /// Probability of a random move at each turn, of candidates and opponents.
    pub epsilon: f64,
    /// Plies at the start of a game that are random, if a fixed opponent would repeat itself.
    pub opening: u64,
    /// Variance of normal noise on the value of every move, of candidates and opponents (Handa 2012).
    pub noise: f64 = 0.0,
}
}

impl PolicySpec {
    pub(super) fn check(&self) -> Result<(), Fault> {
        let at = KeyPath::new("policy");
        at.chance("epsilon", self.epsilon)?;
        at.number("noise", self.noise, 0.0..=MAX_NUMBER)?;
        whole("policy.opening", self.opening, 0..=u64::from(MOST_OPENING))
    }

    /// A little chance and all else off, for tests.
    pub fn sample() -> PolicySpec {
        PolicySpec { epsilon: 0.1, opening: 0, noise: 0.0 }
    }

    /// The policy of candidates, and of opponents who have none of their own. Random openings come with
    /// fixed opponents that would repeat themselves.
    pub fn policy(&self) -> Policy {
        let epsilon = Chance::new(self.epsilon).unwrap_or(Chance::NEVER);
        Policy { epsilon, noise: self.noise, ..Policy::default() }
    }
}
