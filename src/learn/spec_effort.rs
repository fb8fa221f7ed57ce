//! What a spec asks for: how many opponents and games.

use super::{GamesSpec, LocalSpec, OpponentsSpec, PeersSpec, Spec, TdLambdaSpec};

impl Spec {
    /// The games of a full generation. One game of local learning every few generations counts as one,
    /// and the hall of fame as if it were full.
    pub fn games_per_generation(&self) -> u64 {
        let candidates = self.search.candidates() as u64;
        let met = candidates.saturating_mul(self.opponents_per_candidate());
        met.saturating_mul(self.opponents.games as u64).saturating_add(self.local_games())
    }

    /// How many opponents each candidate meets in a generation, once the hall of fame is filled.
    pub fn opponents_per_candidate(&self) -> u64 {
        let OpponentsSpec { games: _, peers, hall_of_fame, random_wpc, fixed, tests } =
            &self.opponents;
        let numbers = [
            peers.as_ref().map(|peers| match peers.sample {
                0 => self.peers_of_one(peers),
                sample => sample as u64,
            }),
            hall_of_fame.as_ref().map(|hall| hall.sample as u64),
            random_wpc.as_ref().map(|random| random.number as u64),
            fixed.as_ref().map(|fixed| fixed.players.len() as u64),
            tests
                .as_ref()
                .map(|tests| tests.search.candidates().saturating_add(tests.beside) as u64),
        ];
        numbers.into_iter().flatten().fold(0, u64::saturating_add)
    }

    pub(super) fn peers_of_one(&self, peers: &PeersSpec) -> u64 {
        (self.search.candidates() as u64).saturating_sub(u64::from(!peers.itself))
    }

    /// Games of local learning in a generation that has them.
    pub(super) fn local_games(&self) -> u64 {
        match &self.local {
            LocalSpec::None(_) => 0,
            LocalSpec::Td(td) => (self.search.candidates() as u64).saturating_mul(td.rhythm().0),
            LocalSpec::TdLambda(TdLambdaSpec { games, .. })
            | LocalSpec::Games(GamesSpec { games, .. }) => {
                (self.search.candidates() as u64).saturating_mul(*games)
            }
            LocalSpec::Store(store) => {
                let players = self.opponents.fixed.as_ref().map_or(0, |fixed| fixed.players.len());
                let games = (store.games as u64).saturating_mul(players as u64);
                (self.search.candidates() as u64).saturating_mul(games)
            }
        }
    }
}
