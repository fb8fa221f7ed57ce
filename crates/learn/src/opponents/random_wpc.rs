//! Random sampling: random WPCs, drawn again in each generation (Jaśkowski et al. 2013).

use std::sync::Arc;

use super::{Drawn, Field, Opponents, SourceKind, SourceSetting};
use crate::limits::MAX_PLAYERS;
use crate::{Candidate, LearnError, Spec};
use outflank_game::player::{NAMED, Player};
use outflank_kernel::rng::{Rng, Seed, Stream};
use outflank_schema::{Fault, KeyPath, table};

table! {
/// Random WPCs as opponents.
pub struct RandomWpcSpec {
    /// Random WPCs drawn in each generation.
    pub number: usize,
}
}

impl SourceKind for RandomWpcSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        at.whole("number", self.number, 1..=MAX_PLAYERS)
    }

    fn per_candidate(&self, _: &Spec) -> u64 {
        self.number as u64
    }

    fn shrink(&mut self) {
        self.number = 3;
    }

    fn sample() -> RandomWpcSpec {
        RandomWpcSpec { number: 2 }
    }

    fn build<M: Candidate>(
        &self,
        _: &mut SourceSetting<'_, M>,
    ) -> Result<Box<dyn Opponents<M>>, LearnError> {
        Ok(Box::new(RandomWpcs(self.clone())))
    }
}

/// Random WPCs, drawn again in each generation, the same for all candidates (Jaśkowski et al.
/// 2013).
pub struct RandomWpcs(pub RandomWpcSpec);

impl<M> Opponents<M> for RandomWpcs {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let seed = Seed(rng.bits());
        let named = NAMED.iter().find(|named| named.name == "random-wpc");
        let kind = Player {
            policy: field.policy.clone(),
            ..named.expect("a player of that name").player()
        };
        let draw = |index| Arc::new(kind.drawn(seed.at(Stream::Weights, index)));
        Drawn::all((0..self.0.number as u64).map(draw).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{archive, draw, players};
    use super::*;
    use outflank_arena::Fixtures;
    use outflank_game::player::Policy;

    #[test]
    fn random_opponents_are_the_same_for_all_and_others_in_each_generation() {
        let mut source = RandomWpcs(RandomWpcSpec { number: 3 });
        let drawn = draw(&mut source, 0);
        assert_eq!((drawn.players.len(), &drawn.fixtures), (3, &Fixtures::All));
        let weights = |drawn: &Drawn| drawn.players[0].lane().unwrap().weights.copied();
        let (players, archive) = (players(2), archive(0));
        let field = Field { players: &players, archive: &archive, policy: Policy::default() };
        let other: Drawn = source.draw(&field, &mut Seed(2).at(Stream::Search, 0).rng());
        assert_ne!(weights(&drawn), weights(&other));
    }
}
