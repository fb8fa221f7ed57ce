//! The axis `policy`: how moves are chosen in fitness games. A layer is a row of the options in
//! `player` and a key here, with a neutral value that turns it off.

use outflank_game::player::{MOST_OPENING, Policy, Ties};
use outflank_kernel::rng::Chance;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table, whole};

table! {
/// The axis `policy`.
pub struct PolicySpec {
    /// Probability of a random move at each turn, for candidates and opponents.
    pub epsilon: f64,
    /// Random plies at the start of a game; only against fixed opponents that would otherwise
    /// repeat the same game.
    pub opening: u64,
    /// Variance of the normal noise added to the value of every move, for candidates and opponents
    /// (Handa 2012).
    pub noise: f64 = 0.0,
    /// Which of several best moves is made, by candidates and by opponents without ties of their
    /// own; also in local learning, and by the champion in probes.
    pub ties: Ties = Ties::Random,
}
}

impl PolicySpec {
    pub(super) fn check(&self) -> Result<(), Fault> {
        let at = KeyPath::new("policy");
        at.chance("epsilon", self.epsilon)?;
        at.number("noise", self.noise, 0.0..=MAX_NUMBER)?;
        whole("policy.opening", self.opening, 0..=u64::from(MOST_OPENING))
    }

    /// A little randomness and nothing else, for tests.
    pub fn sample() -> PolicySpec {
        PolicySpec { epsilon: 0.1, opening: 0, noise: 0.0, ties: Ties::Random }
    }

    /// The policy of candidates, and of opponents that have none of their own. Random openings are
    /// not part of it; they depend on the opponent.
    pub fn policy(&self) -> Policy {
        let epsilon = Chance::new(self.epsilon).unwrap_or(Chance::NEVER);
        Policy { epsilon, noise: self.noise, ties: self.ties, ..Policy::default() }
    }
}
