//! Off-line TD(λ) from given games: from files, or from games between players.

use super::network::{School, TwoSides};
use super::{Given, Learning, Local, LocalKind, LocalSetting, Scene, check_rates, each, given};
use crate::limits::check_players;
use crate::limits::{MAX_COUNT, MAX_GENERATION_GAMES};
use crate::{Candidate, Halt, LearnError, Spec};
use outflank_arena::Stopped;
use outflank_kernel::rng::{Rng, Stream};
use outflank_kernel::{LARGEST_WEIGHT, Values};
use outflank_schema::{Fault, FileName, KeyPath, PlayerName, table};

table! {
/// Off-line TD(lambda) from given games.
pub struct GamesSpec {
    /// Files with games: WTHOR databases (.wtb), or text files with one transcript per line.
    pub files: Vec<FileName>,
    /// Players whose games with each other are used, if there are no files.
    pub players: Vec<PlayerName>,
    /// Games of each pair of players.
    pub meetings: usize,
    /// Games that each candidate learns from in each generation, drawn from all given games.
    pub games: u64,
    /// Learning rate.
    pub alpha: f64,
    /// How much of a correction is passed back to the position before it, 0 to 1.
    pub lambda: f64,
}
}

/// The largest number of games between players, because they are played before a run begins.
const MAX_MET: u64 = 100_000;

impl LocalKind for GamesSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.whole("games", self.games as usize, 1..=MAX_GENERATION_GAMES)?;
        if self.files.is_empty() {
            check_players(at, "players", self.players.iter().map(|name| &**name), &[])?;
            if self.players.len() < 2 {
                let expected = format!("at least two players, or {}", at.key("files"));
                let names: Vec<&str> = self.players.iter().map(|name| &**name).collect();
                return Err(at.fault("players", format!("{names:?}"), expected));
            }
            at.whole("meetings", self.meetings, 1..=MAX_COUNT)?;
            let pairs = (self.players.len() * (self.players.len() - 1) / 2) as u64;
            if pairs.saturating_mul(self.meetings as u64) > MAX_MET {
                let expected = format!(
                    "at most {MAX_MET} games in all between {} players",
                    self.players.len()
                );
                return Err(at.fault("meetings", self.meetings, expected));
            }
        }
        check_rates(at, self.alpha, self.lambda)
    }

    fn games(&self, spec: &Spec) -> u64 {
        (spec.search.candidates() as u64).saturating_mul(self.games)
    }

    fn games_key(&self) -> Option<String> {
        Some(self.games.to_string())
    }

    fn alpha(&self) -> f64 {
        self.alpha
    }

    fn diverges_beyond(&self) -> f64 {
        f64::from(LARGEST_WEIGHT)
    }

    fn tells_errors(&self) -> bool {
        true
    }

    fn given(&self) -> Result<Given, LearnError> {
        given::read_or_play(self).map(Given::new)
    }

    fn needs_network(&self) -> bool {
        true
    }

    fn shrink(&mut self) {
        self.games = self.games.min(20);
        self.files.truncate(1);
        self.players.truncate(3);
        self.meetings = self.meetings.min(4);
    }

    fn sample() -> GamesSpec {
        GamesSpec {
            files: Vec::new(),
            players: vec!["heuristic".into(), "random".into()],
            meetings: 4,
            games: 3,
            alpha: 0.01,
            lambda: 0.8,
        }
    }

    fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        Ok(Box::new(FromGames { spec: self.clone(), given: setting.given.clone() }))
    }
}

/// The given games, which do not change.
struct FromGames {
    spec: GamesSpec,
    given: Given,
}

impl<M: Candidate> Local<M> for FromGames {
    fn games(&self, _: u64) -> u64 {
        self.spec.games
    }

    /// Draws games for each candidate in each generation.
    fn before(
        &mut self,
        candidates: &mut [Learning<'_, M>],
        scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        let (spec, games) = (&self.spec, &*self.given);
        let rates = [spec.alpha as f32, spec.lambda as f32];
        each(candidates, scene.arena, |learning| {
            let mut rng: Rng = learning.seed.at(Stream::Learning, 0).rng();
            let mut school = School::new(&mut *learning.candidate)?;
            let (mut both, mut sum) = (TwoSides::of(&[], school.view), 0.0);
            for game in 0..spec.games {
                if game.is_multiple_of(school.breath) && scene.stop.stop() {
                    return Err(Stopped.into());
                }
                both.replay(&games[rng.below(games.len() as u32) as usize], school.view);
                let sides = [both.side(0), both.side(1)];
                let kernel = scene.arena.kernel();
                let errors =
                    kernel.learn_sequences(&mut school.network, &sides, rates, Values::Recomputed);
                sum += f64::from(errors[0] + errors[1]) / 2.0;
            }
            learning.error = sum / spec.games.max(1) as f64;
            if !school.write_back() {
                learning.diverged = Some(spec.games);
            }
            Ok(())
        })?;
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{game, perceptron, times_asked};
    use super::*;

    #[test]
    fn the_larger_the_network_the_more_often_it_asks_whether_to_stop() {
        let times = |hidden| {
            let spec = GamesSpec { games: 90, ..GamesSpec::sample() };
            let given = Given::new((0..5).map(game).collect());
            times_asked(FromGames { spec, given }, &mut perceptron(hidden))
        };
        assert_eq!((times(4), times(1000)), (1, 3));
    }
}
