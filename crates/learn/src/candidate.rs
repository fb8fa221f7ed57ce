//! What learning needs from a model besides its parameters: it becomes a player, mutates, and
//! learns in self-play. All methods are provided and work on the flat parameter vector; a model
//! overrides those that it can do better.

use std::sync::Arc;

use super::local::{ByGradient, Company, InKernel, Lesson, Mind, OneByOne, Pupil, play_and_learn};
use super::{Crossover, LearnError, ModelSpec, MutationSpec, Stop};
use outflank_arena::Stopped;
use outflank_game::model::{Model, ModelFile};
use outflank_game::player::{Brain, Player, Policy};
use outflank_kernel::Kernel;
use outflank_kernel::rng::Rng;

/// A model that can be trained.
pub trait Candidate: Model {
    /// Makes an initial model, with parameters about as far from 0 as `start` and distributed as
    /// the spec says.
    fn first(spec: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Self, LearnError>;

    /// Reads a model from the part of a player file that describes it, so that runs can start from
    /// players.
    fn read(file: &ModelFile) -> Result<Self, String> {
        Err(format!("{} cannot be read as a model of this type", file.kind.in_words()))
    }

    /// Its shape in words; models of the same shape have parameters of the same meaning.
    fn shape(&self) -> String {
        format!("{} parameters", self.params().len())
    }

    /// The brain of a player that uses this model.
    fn brain(&self) -> Brain {
        Brain::Model { model: Arc::new(self.clone()), view: self.view() }
    }

    /// A player that uses this model.
    fn player(&self, policy: Policy) -> Player {
        Player { name: String::new(), brain: self.brain(), policy }
    }

    /// Adds noise to some of the parameters.
    fn mutate(&mut self, mutation: &MutationSpec, rng: &mut Rng) {
        for param in self.params_mut() {
            if mutation.rate >= 1.0 || rng.unit() < mutation.rate {
                *param = mutation.changed(f64::from(*param), rng) as f32;
            }
        }
    }

    /// Crosses the parameters of two models.
    fn cross(&mut self, other: &mut Self, crossover: Crossover, rng: &mut Rng) {
        let (ours, theirs) = (self.params_mut(), other.params_mut());
        if crossover == Crossover::OnePoint && ours.len() > 1 {
            let point = 1 + rng.below(ours.len() as u32 - 1) as usize;
            ours[point..].swap_with_slice(&mut theirs[point..]);
        }
    }

    /// Trains models in self-play. Returns for each the first game after which it had diverged; its
    /// parameters are undefined from then on. `stop` is asked often, whatever the size of the
    /// models.
    fn self_play(
        kernel: Kernel,
        pupils: &mut [Pupil<'_, Self>],
        lesson: &Lesson,
        stop: &Stop<'_>,
    ) -> Result<Vec<Option<u32>>, Stopped> {
        pupils.iter_mut().map(|pupil| play_and_learn(kernel, pupil, lesson, stop)).collect()
    }

    /// This model as one that learns after every move.
    fn mind(&mut self) -> Box<dyn Mind + '_> {
        match self.wiring() {
            Some(_) => Box::new(InKernel::new(self).expect("it has a wiring")),
            None => Box::new(ByGradient::new(self)),
        }
    }

    /// Models that are asked for their moves.
    fn company(all: Vec<Self>) -> Box<dyn Company> {
        Box::new(OneByOne::new(&all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Beyond, Noise};
    use outflank_game::model::Wpc;
    use outflank_kernel::rng::{Seed, Stream};

    fn wpc(weight: f32) -> Wpc {
        Wpc::new([weight; 64]).unwrap()
    }

    #[test]
    fn mutation_has_the_rate_and_size_it_is_given() {
        let mut rng = Seed(1).at(Stream::Search, 0).rng();
        for (noise, rate, size, deviation) in [
            (Noise::Gaussian, 0.03, 0.25, 0.25),
            (Noise::Gaussian, 0.5, 0.1, 0.1),
            (Noise::Uniform, 1.0, 0.1, 0.1 / 3f64.sqrt()),
            (Noise::Step, 0.01, 0.01, 0.01),
        ] {
            let mutation =
                MutationSpec { size, bounds: [-10.0, 10.0], ..MutationSpec::sample(noise, rate) };
            let mut changes = Vec::new();
            for _ in 0..2000 {
                let mut child = wpc(0.5);
                child.mutate(&mutation, &mut rng);
                changes.extend(child.params().iter().map(|w| f64::from(w - 0.5)));
            }
            let all = changes.len() as f64;
            changes.retain(|change| *change != 0.0);
            let n = changes.len() as f64;
            let error = (rate * (1.0 - rate) / all).sqrt();
            assert!((n / all - rate).abs() <= 4.0 * error, "{noise:?}: {n} of {all}");
            let variance = changes.iter().map(|x| x * x).sum::<f64>() / n;
            // The variance of a square is at most twice the square of the variance.
            let error = deviation * deviation * (2.0 / n).sqrt();
            assert!(
                (variance - deviation * deviation).abs() < 4.0 * error,
                "{noise:?}: {variance}"
            );
        }
    }

    #[test]
    fn a_step_goes_up_as_often_as_down_and_is_always_as_long() {
        let mut rng = Seed(1).at(Stream::Search, 4).rng();
        let mutation = MutationSpec { size: 0.25, ..MutationSpec::sample(Noise::Step, 1.0) };
        let mut child = wpc(0.5);
        let mut up = 0;
        for _ in 0..100 {
            child.params_mut().fill(0.5);
            child.mutate(&mutation, &mut rng);
            assert!(child.params().iter().all(|w| [0.25, 0.75].contains(w)));
            up += child.params().iter().filter(|w| **w > 0.5).count();
        }
        // The standard deviation of half of 6400 is 40.
        assert!((3040..=3360).contains(&up), "{up}");
    }

    #[test]
    fn mutation_stays_within_bounds() {
        let mut rng = Seed(1).at(Stream::Search, 1).rng();
        let bounds = [-1.0, 1.0];
        let mutation =
            MutationSpec { size: 5.0, bounds, ..MutationSpec::sample(Noise::Gaussian, 1.0) };
        let mut child = wpc(0.9);
        child.mutate(&mutation, &mut rng);
        assert!(child.params().iter().all(|w| (-1.0..=1.0).contains(w)));
        // Parameters that do not mutate may be out of bounds, because temporal-difference learning
        // has no bounds.
        let mut child = wpc(3.0);
        child.mutate(&MutationSpec { rate: 0.0, ..mutation }, &mut rng);
        assert!(child.params().iter().all(|w| *w > 2.9));
    }

    #[test]
    fn a_change_beyond_the_bounds_is_clamped_or_drawn_again() {
        let mut rng = Seed(1).at(Stream::Search, 3).rng();
        let mut mutated = |from: f32, beyond| {
            // How many of 6400 weights end at the upper bound, and their mean.
            let (bounds, sample) = ([-1.0, 1.0], MutationSpec::sample(Noise::Gaussian, 1.0));
            let mutation = MutationSpec { bounds, beyond, ..sample };
            let mut weights = Vec::new();
            for _ in 0..100 {
                let mut child = wpc(from);
                child.mutate(&mutation, &mut rng);
                weights.extend_from_slice(child.params());
            }
            assert!(weights.iter().all(|w| (-1.0..=1.0).contains(w)));
            let mean = weights.iter().map(|w| f64::from(*w)).sum::<f64>() / 6400.0;
            (weights.iter().filter(|w| **w >= 1.0).count(), mean)
        };
        // A normal number is above 0.4 with probability 0.3446.
        let (at_bound, _) = mutated(0.9, Beyond::Clamp);
        assert!((2053..=2358).contains(&at_bound), "{at_bound}");
        // A normal number below 0.4 has the mean -0.3683 / 0.6554 and a standard deviation of 0.7.
        let (at_bound, mean) = mutated(0.9, Beyond::Redraw);
        assert_eq!(at_bound, 0);
        assert!((mean - (0.9 - 0.25 * 0.3683 / 0.6554)).abs() < 4.0 * 0.25 * 0.7 / 80.0, "{mean}");
        // From too far away, weights are drawn again; uniform ones have a deviation of 1 / √3.
        assert_eq!(mutated(5.0, Beyond::Clamp).0, 6400);
        let (at_bound, mean) = mutated(5.0, Beyond::Redraw);
        assert!(at_bound == 0 && mean.abs() < 4.0 * 0.578 / 80.0, "{at_bound} {mean}");
    }

    #[test]
    fn one_point_crossover_swaps_all_behind_the_point() {
        let mut rng = Seed(1).at(Stream::Search, 2).rng();
        let mut points = [0; 64];
        for _ in 0..6300 {
            let (mut a, mut b) = (wpc(1.0), wpc(2.0));
            a.cross(&mut b, Crossover::OnePoint, &mut rng);
            let point = a.params().iter().filter(|w| **w < 1.5).count();
            assert!(a.params()[..point].iter().all(|w| *w < 1.5));
            assert!(a.params().iter().zip(b.params()).all(|(a, b)| (a + b) as i32 == 3));
            points[point] += 1;
        }
        // Every cut leaves parameters on both sides, and all cuts are equally likely: 100 each,
        // plus or minus 5 sigma.
        assert_eq!(points[0], 0);
        assert!(points[1..].iter().all(|n| (50..=150).contains(n)), "{points:?}");
    }
}
