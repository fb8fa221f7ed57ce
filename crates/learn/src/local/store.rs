//! Off-line TD(λ) from the games of a whole generation (Vuurboom 2008, chapter 7). Candidates learn
//! from each other's games: those of this generation, or the fitness games of the previous one.

use std::sync::Arc;

use super::network::{School, TwoSides};
use super::td_lambda::check_fixed;
use super::{Learning, Local, LocalKind, LocalSetting, Scene, check_rates};
use crate::limits::MAX_COUNT;
use crate::state::keeps;
use crate::{Candidate, Halt, LearnError, Spec};
use outflank_arena::{Arena, Fixtures, KeptGame, Plan, Stopped, games_at_once};
use outflank_game::player::{Colour, Player, Policy};
use outflank_kernel::rng::{Rng, Stream};
use outflank_kernel::{LARGEST_WEIGHT, Sequence, Study};
use outflank_schema::{Fault, KeyPath, fault, table, words};
use rayon::prelude::*;

table! {
/// Off-line TD(lambda) from a store of games.
pub struct StoreSpec {
    /// Which games are stored.
    pub from: Stored,
    /// Games of each candidate for the store, against each player of opponents.fixed; 0 with from =
    /// "previous".
    pub games: usize,
    /// How many game sides each candidate learns from, drawn from the store.
    pub learned: usize,
    /// Learning rate.
    pub alpha: f64,
    /// How much of a correction is passed back to the position before it, 0 to 1.
    pub lambda: f64,
}
}

words! {
/// Which games are stored.
pub enum Stored {
    /// Games of this generation, played for the store.
    Present = "present",
    /// The fitness games of the previous generation.
    Previous = "previous",
}
}

/// The largest number of games in the store; each takes about a kilobyte.
const MAX_STORED: usize = 1_000_000;
/// Games of the store that are replayed between two checks whether to stop.
const REPLAYED: usize = 10_000;

impl LocalKind for StoreSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        let expected = match (self.from, self.games) {
            (Stored::Previous, 0) => None,
            (Stored::Previous, _) => {
                Some("0, because local.from = \"previous\" uses the fitness games")
            }
            (Stored::Present, 0) => Some(
                "1, or an even number, because local.from = \"present\" plays games for the store",
            ),
            (Stored::Present, games) if games > 1 && games % 2 == 1 => {
                Some("1, or an even number: a game as each colour")
            }
            _ => None,
        };
        if let Some(expected) = expected {
            return Err(at.fault("games", self.games, expected));
        }
        at.whole("games", self.games, 0..=MAX_COUNT)?;
        at.whole("learned", self.learned, 1..=MAX_COUNT)?;
        check_rates(at, self.alpha, self.lambda)
    }

    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        check_fixed(at, "store", spec)?;
        let (key, games) = match self.from {
            Stored::Present => (at.key("games"), self.games),
            Stored::Previous => ("opponents.games".into(), spec.opponents.games),
        };
        let players = spec.opponents.fixed.as_ref().map_or(0, |fixed| fixed.players.len());
        let candidates = spec.search.candidates();
        let all = candidates.saturating_mul(games).saturating_mul(players);
        if all > MAX_STORED {
            let expected = format!(
                "at most {MAX_STORED} games in the store: {candidates} candidates meet {players} players"
            );
            return Err(fault(&key, games, expected));
        }
        if self.learned > 2 * all {
            let expected =
                format!("at most {}, the sides of the {all} games of a generation", 2 * all);
            return Err(at.fault("learned", self.learned, expected));
        }
        Ok(())
    }

    fn games(&self, spec: &Spec) -> u64 {
        let players = spec.opponents.fixed.as_ref().map_or(0, |fixed| fixed.players.len());
        let games = (self.games as u64).saturating_mul(players as u64);
        (spec.search.candidates() as u64).saturating_mul(games)
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

    fn needs_network(&self) -> bool {
        true
    }

    fn shrink(&mut self) {
        (self.games, self.learned) = (self.games.min(4), self.learned.min(10));
    }

    fn sample() -> StoreSpec {
        StoreSpec { from: Stored::Present, games: 2, learned: 4, alpha: 0.01, lambda: 0.8 }
    }

    fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        let spec = setting.spec;
        let fixed = spec.opponents.fixed.as_ref();
        let teachers = fixed.map(|fixed| fixed.met(spec)).transpose()?.unwrap_or_default();
        let policy = spec.policy.policy()?;
        let colour = spec.opponents.colour;
        Ok(Box::new(Store { spec: self.clone(), teachers, policy, colour, games: Vec::new() }))
    }
}

/// The store, and the opponents in its games.
struct Store {
    spec: StoreSpec,
    teachers: Vec<Player>,
    policy: Policy,
    /// The colours of candidates.
    colour: Colour,
    /// Games to learn from.
    games: Vec<KeptGame>,
}

impl Store {
    /// Plays games of this generation for the store and returns how many.
    fn fill<M: Candidate>(
        &mut self,
        candidates: &[Learning<'_, M>],
        scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        let player = |one: &Learning<'_, M>| Arc::new(one.candidate.player(self.policy.clone()));
        let players: Vec<Arc<Player>> = candidates.iter().map(player).collect();
        let seed = scene.root.child(Stream::Learning, 0);
        let draw = |(index, teacher): (usize, &Player)| {
            Arc::new(teacher.settled(seed.at(Stream::Weights, index as u64)))
        };
        let teachers: Vec<Arc<Player>> = self.teachers.iter().enumerate().map(draw).collect();
        let (games, colour) = (self.spec.games, self.colour);
        let plan = Plan { fixtures: &Fixtures::All, games, colour, seed };
        let (payoff, games) =
            scene.arena.meet_and_keep(&players, &teachers, plan, true, scene.stop)?;
        self.games = games;
        Ok(payoff.games())
    }
}

impl<M: Candidate> Local<M> for Store {
    fn before(
        &mut self,
        candidates: &mut [Learning<'_, M>],
        scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        let played = match self.spec.from {
            Stored::Present => self.fill(candidates, scene)?,
            Stored::Previous => 0,
        };
        learn_from_store(&self.spec, candidates, &self.games, scene)?;
        self.games.clear();
        Ok(played)
    }

    fn keeps_games(&self) -> bool {
        self.spec.from == Stored::Previous
    }

    fn after(
        &mut self,
        _: &mut [Learning<'_, M>],
        games: Vec<KeptGame>,
        _: &Scene<'_>,
    ) -> Result<(), Halt> {
        self.games = games;
        Ok(())
    }

    keeps!(games);
}

/// Lets each candidate learn from as many game sides as the spec says, drawn without replacement,
/// alternately a candidate's and an opponent's.
fn learn_from_store<M: Candidate>(
    spec: &StoreSpec,
    candidates: &mut [Learning<'_, M>],
    store: &[KeptGame],
    scene: &Scene<'_>,
) -> Result<(), Halt> {
    let Some(view) = candidates.first().map(|learning| learning.candidate.view()) else {
        return Ok(());
    };
    let mut games: Vec<(TwoSides, bool)> = Vec::with_capacity(store.len());
    for kept in store {
        if games.len().is_multiple_of(REPLAYED) && scene.stop.stop() {
            return Err(Stopped.into());
        }
        games.push((TwoSides::of(&kept.moves, view), kept.row_first));
    }
    let rates = [spec.alpha as f32, spec.lambda as f32];
    classes(candidates, scene.arena, |class| {
        // Sides of one network between two checks whether to stop: those of a class share them.
        let params = class.iter().map(|learning| learning.candidate.params().len()).max();
        let breath = games_at_once(params.unwrap_or(1));
        let (slice, abreast) = ((breath / class.len()).max(1), breath.min(class.len()));
        let mut lessons: Vec<(School<'_, M>, Vec<Sequence<'_>>)> = Vec::with_capacity(class.len());
        for learning in class.iter_mut() {
            let mut rng = learning.seed.at(Stream::Learning, 0).rng();
            let sides = drawn(spec.learned, &games, &mut rng);
            lessons.push((School::new(&mut *learning.candidate)?, sides));
        }
        let mut errors = vec![(0.0, 0); lessons.len()];
        for begin in (0..spec.learned).step_by(slice) {
            for (lessons, errors) in lessons.chunks_mut(abreast).zip(errors.chunks_mut(abreast)) {
                if scene.stop.stop() {
                    return Err(Stopped.into());
                }
                let mut studies: Vec<Study<'_>> = lessons
                    .iter_mut()
                    .map(|(school, sides)| {
                        let end = (begin + slice).min(sides.len());
                        // Stored games have no values of this candidate (figure 7.5).
                        Study::new(&mut school.network, &sides[begin.min(end)..end])
                    })
                    .collect();
                scene.arena.kernel().learn_abreast(&mut studies, rates);
                for ((sum, count), study) in errors.iter_mut().zip(&studies) {
                    study.errors.iter().for_each(|&error| *sum += f64::from(error));
                    *count += study.errors.len();
                }
            }
        }
        let wrote: Vec<bool> = lessons.iter_mut().map(|(school, _)| school.write_back()).collect();
        for ((learning, (sum, count)), wrote) in class.iter_mut().zip(errors).zip(wrote) {
            learning.error = if count > 0 { sum / count as f64 } else { 0.0 };
            if !wrote {
                learning.diverged = Some(0);
            }
        }
        Ok(())
    })
}

/// Sides of games that a candidate learns from, in order.
fn drawn<'a>(learned: usize, games: &'a [(TwoSides, bool)], rng: &mut Rng) -> Vec<Sequence<'a>> {
    let mut draw = |count: usize| rng.without_replacement(games.len(), count).into_iter();
    let (mut players, mut others) = (draw(learned.div_ceil(2)), draw(learned / 2));
    let mut sides = Vec::with_capacity(learned);
    for turn in 0..learned {
        let is_player = turn.is_multiple_of(2);
        let Some(at) = (if is_player { players.next() } else { others.next() }) else {
            continue;
        };
        let (both, row_first) = &games[at];
        sides.push(both.side(usize::from(is_player != *row_first)));
    }
    sides
}

/// Lets candidates learn on all threads, as many side by side as registers hold, those of about the
/// same size together.
fn classes<M: Candidate>(
    candidates: &mut [Learning<'_, M>],
    arena: &Arena,
    teach: impl Fn(&mut [&mut Learning<'_, M>]) -> Result<(), Halt> + Sync + Send,
) -> Result<(), Halt> {
    let size = arena.kernel().abreast();
    let mut all: Vec<&mut Learning<'_, M>> = candidates.iter_mut().collect();
    all.sort_by_key(|learning| learning.candidate.params().len());
    match arena.threads() {
        1 => all.chunks_mut(size).try_for_each(teach),
        _ => arena.install(|| all.par_chunks_mut(size).with_max_len(1).try_for_each(teach)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{arena, game, learned, mlp, perceptron, times_asked};
    use super::*;
    use outflank_game::model::{Mlp, Model, View};
    use outflank_kernel::rng::Seed;
    use outflank_kernel::{Kernel, Network, Values};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The candidate after learning from a store, and its error.
    fn school(store: &[KeptGame], learned: usize, alpha: f64) -> (Mlp, f64) {
        let mut candidate = mlp();
        let from = Stored::Present;
        let spec = StoreSpec { from, games: 2, learned, alpha, lambda: 0.9 };
        let seed = Seed(7);
        let mut learning = [Learning {
            candidate: &mut candidate,
            generation: 0,
            seed,
            error: 0.0,
            diverged: None,
        }];
        let scene = Scene { arena: &arena(), root: seed, played: 0, total: 1, stop: &|| false };
        learn_from_store(&spec, &mut learning, store, &scene).unwrap();
        let error = learning[0].error;
        (candidate, error)
    }

    #[test]
    fn the_first_lesson_from_a_store_is_the_players_side() {
        for row_first in [true, false] {
            let moves = game(3);
            let store = [KeptGame { moves: moves.clone(), row_first }];
            let (learned, error) = school(&store, 1, 0.1);
            // Computed by hand: the candidate is Black if it moves first.
            let expected = mlp();
            let mut network = Network::new(&expected.wiring().unwrap(), expected.params());
            let both = TwoSides::of(&moves, View::Mover);
            let side = both.side(usize::from(!row_first));
            let kernel = Kernel::available()[0];
            let values = Values::Recomputed;
            let errors = kernel.learn_sequences(&mut network, &[side], [0.1, 0.9], values);
            let mut params = expected.params().to_vec();
            network.copy_params(&mut params);
            let bits = |params: &[f32]| params.iter().map(|w| w.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(learned.params()), bits(&params));
            assert!((error - f64::from(errors[0])).abs() < 1e-9);
        }
    }

    #[test]
    fn the_larger_the_network_the_more_often_it_asks_whether_to_stop() {
        let times = |hidden| {
            let games =
                (0..50).map(|index| KeptGame { moves: game(index), row_first: true }).collect();
            let spec = StoreSpec { from: Stored::Previous, learned: 90, ..StoreSpec::sample() };
            let (teachers, policy, colour) = (Vec::new(), Policy::default(), Colour::Both);
            times_asked(Store { spec, teachers, policy, colour, games }, &mut perceptron(hidden))
        };
        // One more check, for the games themselves.
        assert_eq!((times(4), times(1000)), (1 + 1, 1 + 3));
    }

    #[test]
    fn a_class_asks_as_often_as_its_networks_would_alone() {
        let asked = |hidden, candidates: usize, sides| {
            let games =
                (0..50).map(|index| KeptGame { moves: game(index), row_first: true }).collect();
            let spec = StoreSpec { from: Stored::Previous, learned: sides, ..StoreSpec::sample() };
            let (teachers, policy, colour) = (Vec::new(), Policy::default(), Colour::Both);
            let store = Store { spec, teachers, policy, colour, games };
            let mut networks: Vec<Mlp> = (0..candidates).map(|_| perceptron(hidden)).collect();
            let asked = AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, Ordering::Relaxed) == usize::MAX;
            learned(store, &mut networks.iter_mut().collect::<Vec<_>>(), &stop).unwrap();
            asked.into_inner()
        };
        // 37 sides at once, so nine of each of four networks.
        assert_eq!(asked(1000, 4, 90), 1 + 10);
        // Each side of each network if they are as large as that.
        assert_eq!(asked(40_000, 2, 2), 1 + 2 * 2);
    }

    #[test]
    fn no_side_of_a_game_is_learned_twice() {
        // Both sides of four games are eight sequences, and there are no more.
        let store: Vec<KeptGame> = (0..4)
            .map(|index| KeptGame { moves: game(index), row_first: index % 2 == 0 })
            .collect();
        let bits = |model: &Mlp| model.params().iter().map(|w| w.to_bits()).collect::<Vec<_>>();
        let [eight, twenty] = [8, 20].map(|learned| school(&store, learned, 0.1).0);
        assert_eq!(bits(&eight), bits(&twenty));
        assert_ne!(bits(&school(&store, 7, 0.1).0), bits(&eight));
    }
}
