//! TD(λ) in self-play, with weights updated after every move, for many candidates in one batch.

use super::{Learning, Lesson, Local, LocalKind, LocalSetting, Pupil, Scene, check_rates};
use crate::limits::{MAX_COUNT, MAX_GENERATION_GAMES};
use crate::{Candidate, Halt, LearnError, Spec};
use outflank_arena::Stopped;
use outflank_kernel::DIVERGED;
use outflank_kernel::rng::{Chance, Stream};
use outflank_schema::{Fault, KeyPath, fault, shown, table};
use rayon::prelude::*;

table! {
/// TD(lambda) in self-play.
pub struct TdSpec {
    /// Self-play games of each candidate in each generation; below 1, one game every 1 / games
    /// generations.
    pub games: f64,
    /// Learning rate; a negative one makes players worse.
    pub alpha: f64,
    /// Decay of eligibility traces, 0 to 1.
    pub lambda: f64,
    /// Probability of a random move at each turn; nothing is learned from random moves.
    pub epsilon: f64,
}
}

/// The largest weights that learning can start from; beyond [`DIVERGED`] it stops.
const LARGEST_LEARNED: f64 = 100.0;

/// Games that the candidates of all runs learn from before they learn from the next ones. It is
/// part of the random streams: game g of a candidate has index g % 100 of slice g / 100.
const SLICE: u64 = 100;

impl TdSpec {
    /// How many games are played, and in every which generation: (5, 1) for 5 games, (1, 10) for
    /// 0.1. Szubert et al. 2009 compare such ratios.
    fn rhythm(&self) -> (u64, u64) {
        match self.games {
            games if games < 1.0 => (1, (1.0 / games).round() as u64),
            games => (games as u64, 1),
        }
    }

    /// Games of each candidate in a generation.
    fn games_in(&self, generation: u64) -> u64 {
        let (games, every) = self.rhythm();
        if generation.is_multiple_of(every) { games } else { 0 }
    }

    fn lesson(&self, games: u32) -> Lesson {
        Lesson {
            games,
            alpha: self.alpha as f32,
            lambda: self.lambda as f32,
            epsilon: Chance::new(self.epsilon).unwrap_or(Chance::NEVER),
        }
    }
}

impl LocalKind for TdSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        let rounded = |number: f64| (number - number.round()).abs();
        let sound = match self.games {
            games if (1.0..=MAX_GENERATION_GAMES as f64).contains(&games) => rounded(games) <= 0.0,
            // 0.333 means a third.
            games if games < 1.0 && games >= 1.0 / MAX_COUNT as f64 => rounded(1.0 / games) < 0.01,
            _ => false,
        };
        if !sound {
            let expected =
                "a whole number, or 1/n for one game every n generations, n up to 1000000";
            return Err(at.fault("games", shown(self.games), expected));
        }
        check_rates(at, self.alpha, self.lambda)?;
        at.chance("epsilon", self.epsilon)
    }

    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        if spec.model.learns_online() {
            return Ok(());
        }
        let expected = "td-lambda, or model.output = \"linear\" and model.view = \"black\"";
        Err(fault(&at.key("kind"), "\"td\"", expected))
    }

    fn games(&self, spec: &Spec) -> u64 {
        (spec.search.candidates() as u64).saturating_mul(self.rhythm().0)
    }

    fn games_key(&self) -> Option<String> {
        Some(self.games.to_string())
    }

    fn alpha(&self) -> f64 {
        self.alpha
    }

    fn diverges_beyond(&self) -> f64 {
        f64::from(DIVERGED)
    }

    fn begins_within(&self) -> f64 {
        LARGEST_LEARNED
    }

    fn is_faster_together(&self) -> bool {
        true
    }

    /// The kernel draws one of several best moves.
    fn breaks_ties(&self) -> bool {
        false
    }

    fn shrink(&mut self) {
        self.games = self.games.min(20.0);
    }

    fn sample() -> TdSpec {
        TdSpec { games: 2.0, alpha: 0.01, lambda: 0.5, epsilon: 0.1 }
    }

    fn build<M: Candidate>(
        &self,
        _: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        Ok(Box::new(Td(self.clone())))
    }
}

/// Has no state.
struct Td(TdSpec);

impl<M: Candidate> Local<M> for Td {
    fn games(&self, generation: u64) -> u64 {
        self.0.games_in(generation)
    }

    fn before(
        &mut self,
        candidates: &mut [Learning<'_, M>],
        scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        let arena = scene.arena;
        let has_games = |one: &&mut Learning<'_, M>| self.0.games_in(one.generation) > 0;
        let mut learning: Vec<&mut Learning<'_, M>> =
            candidates.iter_mut().filter(has_games).collect();
        let games = if learning.is_empty() { 0 } else { self.0.rhythm().0 };
        let share = learning.len().div_ceil(arena.threads()).max(1);
        for slice in 0..games.div_ceil(SLICE) {
            let lesson = self.0.lesson((games - slice * SLICE).min(SLICE) as u32);
            let teach = |some: &mut [&mut Learning<'_, M>]| teach(some, slice, &lesson, scene);
            match arena.threads() {
                1 => teach(&mut learning)?,
                _ => arena.install(|| learning.par_chunks_mut(share).try_for_each(teach))?,
            }
        }
        Ok(0)
    }
}

/// Lets candidates learn from one slice of games, unless they have diverged.
fn teach<M: Candidate>(
    some: &mut [&mut Learning<'_, M>],
    slice: u64,
    lesson: &Lesson,
    scene: &Scene<'_>,
) -> Result<(), Stopped> {
    let mut pupils: Vec<Pupil<'_, M>> = some
        .iter_mut()
        .map(|one| Pupil {
            model: &mut *one.candidate,
            seed: one.seed.child(Stream::Learning, slice),
        })
        .collect();
    let diverged = M::self_play(scene.arena.kernel(), &mut pupils, lesson, scene.stop)?;
    for (one, diverged) in some.iter_mut().zip(diverged) {
        let game = diverged.map(|game| slice * SLICE + u64::from(game) + 1);
        one.diverged = one.diverged.or(game);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{arena, learned};
    use super::*;
    use outflank_game::model::{Evaluate, Model, View, Wpc};
    use outflank_game::othello::Board;
    use outflank_kernel::rng::{Rng, Seed};
    use serde::{Deserialize, Serialize};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A model with very many parameters that only counts the boards it has evaluated.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Large {
        params: Vec<f32>,
        #[serde(skip)]
        valued: Arc<AtomicUsize>,
    }

    impl Evaluate for Large {
        fn value(&self, _: Board) -> f32 {
            self.valued.fetch_add(1, Ordering::Relaxed);
            0.0
        }
    }

    impl Model for Large {
        fn view(&self) -> View {
            View::Black
        }

        fn params(&self) -> &[f32] {
            &self.params
        }

        fn params_mut(&mut self) -> &mut [f32] {
            &mut self.params
        }
    }

    impl Candidate for Large {
        fn first(_: &crate::ModelSpec, _: f64, _: &mut Rng) -> Result<Large, LearnError> {
            unreachable!("made by hand")
        }
    }

    #[test]
    fn whoever_asks_to_stop_the_learning_of_large_models_waits_for_a_move() {
        let spec = TdSpec { games: 100.0, ..TdSpec::sample() };
        let mut large = Large { params: vec![0.0; 1_000_000], valued: Arc::default() };
        let valued = large.valued.clone();
        // During the first game.
        let stop = || valued.load(Ordering::Relaxed) >= 100;
        assert_eq!(learned(Td(spec), &mut [&mut large], &stop), Err(Halt::Stopped));
        // One move, from at most twenty, and two boards to learn from.
        let too_many = valued.load(Ordering::Relaxed) - 100;
        assert!(too_many <= 22, "{too_many} boards");
    }

    #[test]
    fn very_many_learners_are_interrupted_too() {
        let spec = TdSpec { games: 100.0, ..TdSpec::sample() };
        let mut all = vec![Wpc::new([0.0; 64]).unwrap(); 600];
        let mut all: Vec<&mut Wpc> = all.iter_mut().collect();
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
        assert_eq!(learned(Td(spec), &mut all, &stop), Err(Halt::Stopped));
        // Two batches of 256 learned, and the rest had not begun.
        let begun = all.iter().filter(|wpc| wpc.params().iter().any(|w| *w != 0.0)).count();
        assert_eq!(begun, 512);
    }

    #[test]
    fn a_network_whose_weights_grow_large_has_diverged() {
        let mut spec = crate::resolve("seeded-ga", &[]).unwrap().spec.before.get().unwrap().clone();
        spec.shrink();
        let crate::LocalSpec::Td(td) = &mut spec.local else { panic!("another kind") };
        (td.alpha, td.games) = (1e5, 20.0);
        let mut run = spec.begin(Seed(1)).unwrap();
        // Its parameters stay finite.
        let halt = (0..50).find_map(|_| run.step(&arena(), &|| false).err());
        assert!(matches!(halt, Some(Halt::Diverged(_))), "{halt:?}");
    }

    #[test]
    fn lambda_is_what_the_spec_says() {
        let weights = |lambda: f64| {
            let spec = TdSpec { games: 20.0, lambda, ..TdSpec::sample() };
            let mut wpc = Wpc::new([0.0; 64]).unwrap();
            assert_eq!(learned(Td(spec), &mut [&mut wpc], &|| false), Ok(0));
            wpc.weights().map(f32::to_bits)
        };
        // Computed in the kernel directly.
        let taught = |lambda: f32| {
            let (mut weights, seed) = ([0.0; 64], Seed(1).child(Stream::Learning, 0));
            let TdSpec { alpha, epsilon, .. } = TdSpec::sample();
            let (alpha, epsilon) = (alpha as f32, Chance::new(epsilon).unwrap());
            let learner =
                outflank_kernel::Learner { weights: &mut weights, alpha, lambda, epsilon, seed };
            arena().kernel().self_play(&mut [learner], 20);
            weights.map(f32::to_bits)
        };
        for lambda in [0.0, 0.9] {
            assert!(weights(lambda) == taught(lambda as f32), "{lambda}");
        }
        assert!(weights(0.0) != weights(0.9));
    }
}
