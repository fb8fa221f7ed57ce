//! What learning asks of a model beyond its parameters: to become a player, to vary, and to learn from
//! its own games. All provided, on the flat parameter vector; a model overrides what it can do better.

use std::sync::Arc;

use super::search::Search;
use super::self_play::{Lesson, Pupil, play_and_learn};
use super::{Activation, Crossover, Eye, ModelSpec, MutationSpec, Noise, SearchSpec};
use crate::kernel::{Curve, Kernel, Learner};
use crate::model::graph::Response;
use crate::model::{Eyes, Graph, Mlp, Model, Shape, View, Wpc};
use crate::player::{AnyModel, Brain, Player, PlayerError, PlayerFile, Policy, parse_player};
use crate::rng::Rng;

/// A model that can be trained.
pub trait Candidate: Model {
    /// One to begin with, its parameters uniform within a distance of 0.
    fn first(spec: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Self, PlayerError>;

    /// A search over such models, with candidates made by `first`.
    fn search(
        spec: &SearchSpec,
        _model: &ModelSpec,
        first: &mut dyn FnMut() -> Self,
    ) -> Box<dyn Search<Self>> {
        spec.build(first)
    }

    /// The brain of a player who thinks with this model.
    fn brain(&self) -> Brain {
        Brain::Model { model: Arc::new(self.clone()), view: self.view() }
    }

    /// A player who thinks with this model.
    fn player(&self, policy: Policy) -> Player {
        Player { name: String::new(), brain: self.brain(), policy }
    }

    /// Adds noise to some of the parameters.
    fn mutate(&mut self, mutation: &MutationSpec, rng: &mut Rng) {
        let MutationSpec { noise, rate, size, bounds: [low, high] } = *mutation;
        for param in self.params_mut() {
            if rate >= 1.0 || rng.unit() < rate {
                let step = match noise {
                    Noise::Gaussian => size * rng.normal(),
                    Noise::Uniform => rng.uniform(-size, size),
                };
                *param = (f64::from(*param) + step).clamp(low, high) as f32;
            }
        }
    }

    /// Mixes the parameters of two models.
    fn cross(&mut self, other: &mut Self, crossover: Crossover, rng: &mut Rng) {
        let (ours, theirs) = (self.params_mut(), other.params_mut());
        if crossover == Crossover::OnePoint && ours.len() > 1 {
            let point = 1 + rng.below(ours.len() as u32 - 1) as usize;
            ours[point..].swap_with_slice(&mut theirs[point..]);
        }
    }

    /// Lets models learn from games against themselves. For each, the first game after which it had
    /// diverged; what came after it is undefined.
    fn self_play(
        kernel: Kernel,
        pupils: &mut [Pupil<'_, Self>],
        lesson: &Lesson,
    ) -> Vec<Option<u32>> {
        pupils.iter_mut().map(|pupil| play_and_learn(kernel, pupil, lesson)).collect()
    }
}

impl Candidate for Wpc {
    fn first(_: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Wpc, PlayerError> {
        Ok(Wpc::uniform(start, rng))
    }

    fn brain(&self) -> Brain {
        Brain::Wpc(Arc::new(self.clone()))
    }

    /// In the kernel, side by side.
    fn self_play(
        kernel: Kernel,
        pupils: &mut [Pupil<'_, Self>],
        lesson: &Lesson,
    ) -> Vec<Option<u32>> {
        let Lesson { games, alpha, lambda, epsilon } = *lesson;
        let mut learners: Vec<Learner<'_>> = pupils
            .iter_mut()
            .map(|pupil| Learner {
                weights: pupil.model.weights_mut(),
                alpha,
                lambda,
                epsilon,
                seed: pupil.seed,
            })
            .collect();
        kernel.self_play(&mut learners, games)
    }
}

impl Candidate for Mlp {
    fn first(spec: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Mlp, PlayerError> {
        let (ModelSpec::Mlp(mlp) | ModelSpec::Spatial(mlp)) = spec else {
            unreachable!("perceptrons are made of their own spec")
        };
        let shape = spec.shape().expect("a perceptron has a shape");
        if mlp.from.is_empty() {
            return Ok(Mlp::uniform(shape, start, rng));
        }
        let player = parse_player(&mlp.from)?;
        let file = PlayerFile::of_player(&player, serde_json::Map::new());
        let problem = match file.map(|file| file.read_model()) {
            _ if player.policy != Policy::default() => "has options, which weights have not".into(),
            Some(Ok(AnyModel::Mlp(model))) if *model.shape() == shape => return Ok(model),
            Some(Ok(AnyModel::Mlp(model))) => format!("is {}, expected {shape}", model.shape()),
            _ => format!("is no perceptron, expected {shape}"),
        };
        Err(PlayerError::From { player: mlp.from.clone(), problem })
    }

    fn search(
        spec: &SearchSpec,
        model: &ModelSpec,
        first: &mut dyn FnMut() -> Mlp,
    ) -> Box<dyn Search<Mlp>> {
        spec.of_perceptrons(model.start(), first)
    }
}

impl Candidate for Graph {
    fn first(spec: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Graph, PlayerError> {
        let ModelSpec::Graph(graph) = spec else {
            unreachable!("graphs are made of their own spec")
        };
        let (curve, output, view) =
            (graph.activation.curve(), graph.output.curve(), graph.view.view());
        let response = Response { curve, output, view };
        let weight = || rng.uniform(-start, start) as f32;
        Ok(Graph::layered(response, graph.hidden, graph.bias, weight))
    }

    fn search(
        spec: &SearchSpec,
        model: &ModelSpec,
        first: &mut dyn FnMut() -> Graph,
    ) -> Box<dyn Search<Graph>> {
        let bias = matches!(model, ModelSpec::Graph(graph) if graph.bias);
        spec.of_graphs(bias, first)
    }
}

impl ModelSpec {
    /// The shape of a perceptron.
    pub fn shape(&self) -> Option<Shape> {
        let (mlp, eyes) = match self {
            ModelSpec::Mlp(mlp) => (mlp, Eyes::Board),
            ModelSpec::Spatial(mlp) => (mlp, Eyes::Pieces),
            ModelSpec::Wpc(_) | ModelSpec::Graph(_) => return None,
        };
        Some(Shape {
            eyes,
            hidden: mlp.hidden.clone(),
            curve: mlp.activation.curve(),
            output: mlp.output.curve(),
            bias: mlp.bias,
            view: mlp.view.view(),
        })
    }
}

impl Activation {
    /// The curve of that name.
    pub fn curve(self) -> Curve {
        match self {
            Activation::Sigmoid => Curve::Sigmoid,
            Activation::SteepSigmoid => Curve::SteepSigmoid,
            Activation::Tanh => Curve::Tanh,
            Activation::Relu => Curve::Relu,
            Activation::Linear => Curve::Linear,
        }
    }
}

impl Eye {
    /// The view of that name.
    pub fn view(self) -> View {
        match self {
            Eye::Mover => View::Mover,
            Eye::Black => View::Black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Seed, Stream};

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
        ] {
            let mutation = MutationSpec { noise, rate, size, bounds: [-10.0, 10.0] };
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
    fn mutation_stays_within_bounds() {
        let mut rng = Seed(1).at(Stream::Search, 1).rng();
        let bounds = [-1.0, 1.0];
        let mutation = MutationSpec { noise: Noise::Gaussian, rate: 1.0, size: 5.0, bounds };
        let mut child = wpc(0.9);
        child.mutate(&mutation, &mut rng);
        assert!(child.params().iter().all(|w| (-1.0..=1.0).contains(w)));
        // What does not mutate may be outside: temporal differences know no bounds.
        let mut child = wpc(3.0);
        child.mutate(&MutationSpec { rate: 0.0, ..mutation }, &mut rng);
        assert!(child.params().iter().all(|w| *w > 2.9));
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
        // Every cut leaves something on both sides, and all are as likely: 100 each, give or take 5 sigma.
        assert_eq!(points[0], 0);
        assert!(points[1..].iter().all(|n| (50..=150).contains(n)), "{points:?}");
    }
}
