//! Players that do not change. Those with a policy of their own keep it.

use std::sync::Arc;

use super::{Drawn, Field, Opponents, SourceKind, SourceSetting};
use crate::limits::check_players;
use crate::{Candidate, LearnError, Spec};
use outflank_game::player::{Player, Policy, parse_player, split_options};
use outflank_kernel::rng::{Rng, Seed, Stream};
use outflank_schema::{Fault, KeyPath, PlayerName, table};

table! {
/// Fixed players as opponents.
pub struct FixedSpec {
    /// Players as on the command line; options such as `@epsilon=0.1` replace the policy of the
    /// run, and `@ties=first` replaces policy.ties alone.
    pub players: Vec<PlayerName>,
}
}

impl FixedSpec {
    /// The players with their options, for learners that play against them.
    pub fn met(&self, spec: &Spec) -> Result<Vec<Player>, LearnError> {
        let (policy, opening) = (spec.policy.policy()?, spec.policy.opening as u32);
        let met = |name: &PlayerName| Ok(as_met(&parse_player(name)?, &policy, opening));
        self.players.iter().map(met).collect()
    }
}

impl SourceKind for FixedSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        if self.players.is_empty() {
            return Err(at.fault("players", "[]", "at least one player, as [\"heuristic\"]"));
        }
        check_players(at, "players", self.players.iter().map(|name| &**name), &[])
    }

    fn per_candidate(&self, _: &Spec) -> u64 {
        self.players.len() as u64
    }

    fn lets_choose_colour(&self) -> bool {
        true
    }

    fn shrink(&mut self) {
        self.players.truncate(3);
    }

    fn sample() -> FixedSpec {
        FixedSpec { players: vec!["heuristic".into(), "random".into()] }
    }

    fn build<M: Candidate>(
        &self,
        setting: &mut SourceSetting<'_, M>,
    ) -> Result<Box<dyn Opponents<M>>, LearnError> {
        let players = self.players.iter().map(|name| parse_player(name));
        let players = players.collect::<Result<_, _>>()?;
        Ok(Box::new(Fixed { players, opening: setting.spec.policy.opening as u32 }))
    }
}

/// The players, and the random plies at the start of a game with those that would repeat
/// themselves.
struct Fixed {
    players: Vec<Player>,
    opening: u32,
}

/// A fixed opponent with its options. Without a policy of its own it has that of the run, and if it
/// would repeat itself, a random opening, unless its options say otherwise. Ties are no such
/// option: a player with ties of its own has all else from the run.
pub fn as_met(player: &Player, policy: &Policy, opening: u32) -> Player {
    let options = split_options(&player.name).1;
    let own = match options {
        Some(options) if Policy::sets_only_ties(options) => {
            Policy { ties: player.policy.ties, ..policy.clone() }
        }
        _ if player.policy.is_neutral() => policy.clone(),
        _ => player.policy.clone(),
    };
    let mut met = Player { policy: own, ..player.clone() };
    if met.repeats_itself() && options.is_none_or(Policy::sets_only_ties) {
        met.policy.opening = opening;
    }
    met
}

impl<M> Opponents<M> for Fixed {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let seed = Seed(rng.bits());
        let player = |(index, player): (usize, &Player)| {
            let player = as_met(player, &field.policy, self.opening);
            match player.is_drawn() {
                true => Arc::new(player.drawn(seed.at(Stream::Weights, index as u64))),
                false => Arc::new(player),
            }
        };
        Drawn::all(self.players.iter().enumerate().map(player).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{archive, players};
    use super::*;
    use outflank_game::model::Wpc;

    #[test]
    fn fixed_players_keep_a_policy_of_their_own() {
        let names = ["heuristic", "heuristic@epsilon=0.5", "random-wpc"];
        let fixed = names.map(|name| parse_player(name).unwrap()).to_vec();
        let mut source = Fixed { players: fixed, opening: 4 };
        let epsilon = outflank_kernel::rng::Chance::new(0.25).unwrap();
        let (players, archive) = (players(1), archive(0));
        let policy = Policy { epsilon, ..Policy::default() };
        let field: Field<'_, Wpc> = Field { players: &players, archive: &archive, policy };
        let drawn = source.draw(&field, &mut Seed(1).at(Stream::Search, 0).rng());
        let chances: Vec<f64> =
            drawn.players.iter().map(|p| p.lane().unwrap().random.probability()).collect();
        assert!((chances[0] - 0.25).abs() < 1e-9 && (chances[1] - 0.5).abs() < 1e-9);
        assert!(drawn.players.iter().all(|player| !player.is_drawn()));
    }

    #[test]
    fn ties_of_its_own_leave_an_opponent_the_rest_of_the_policy() {
        let policy = |name: &str, run: &str| {
            let run = Policy::parse(run).unwrap();
            as_met(&parse_player(name).unwrap(), &run, 4).policy.to_string()
        };
        assert_eq!(policy("positional", "ties=first"), "@opening=4,ties=first");
        assert_eq!(policy("positional@ties=last", "ties=first"), "@opening=4,ties=last");
        assert_eq!(policy("positional@ties=random", "ties=first"), "@opening=4");
        assert_eq!(policy("positional@ties=last", "epsilon=0.1"), "@epsilon=0.1,ties=last");
        assert_eq!(policy("positional@ties=last,opening=0", "ties=first"), "@ties=last");
        assert_eq!(policy("positional@opening=6", "ties=first"), "@opening=6");
    }
}
