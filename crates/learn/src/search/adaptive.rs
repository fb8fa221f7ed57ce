//! The (μ+λ) evolution strategy with self-adaptive mutation of Fogel 2002, as Chong, Tan & White
//! 2005 and Kim, Choi & Cho 2007, section IV, use it: every parameter has a step size of its own,
//! which is inherited and mutates first. For n parameters σ' = σ exp(τ N(0,1)) with
//! τ = 1/√(2√n), and then w' = w + σ' N(0,1).

use serde::{Deserialize, Serialize};

use super::{Beginning, Judged, Search, SearchKind};
use crate::limits::MAX_PLAYERS;
use crate::state::keeps;
use crate::{Archive, Candidate, Spec};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table};

table! {
/// (mu + lambda) evolution strategy with a step size for each parameter, which evolves.
pub struct AdaptiveSpec {
    /// Number of parents: the best of each generation.
    pub mu: usize,
    /// Offspring in each generation; the k-th has the parent with rank k modulo mu.
    pub lambda: usize,
    /// Step size of every parameter at the beginning: the standard deviation of its changes.
    pub step: f64,
    /// How fast step sizes change, in multiples of 1 / sqrt(2 sqrt(n)) for n parameters.
    pub tau: f64,
    /// Interval in which parameters stay.
    pub bounds: [f64; 2],
}
}

impl SearchKind for AdaptiveSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        at.whole("mu", self.mu, 1..=MAX_PLAYERS)?;
        at.whole("lambda", self.lambda, 1..=MAX_PLAYERS)?;
        if self.candidates() as u64 > MAX_PLAYERS {
            let expected =
                format!("at most {MAX_PLAYERS} candidates with {} = {}", at.key("mu"), self.mu);
            return Err(at.fault("lambda", self.lambda, expected));
        }
        at.number("step", self.step, 0.0..=MAX_NUMBER)?;
        at.number("tau", self.tau, 0.0..=100.0)
    }

    fn candidates(&self) -> usize {
        self.mu.saturating_add(self.lambda)
    }

    fn bounds(&self) -> Option<(&'static str, [f64; 2])> {
        Some(("bounds", self.bounds))
    }

    fn statistics(&self) -> &'static [&'static str] {
        &["step"]
    }

    fn shrink(&mut self) {
        (self.mu, self.lambda) = (4, 4);
    }

    fn sample() -> AdaptiveSpec {
        AdaptiveSpec { mu: 12, lambda: 12, step: 0.05, tau: 1.0, bounds: [-2.0, 2.0] }
    }

    fn build<M: Candidate>(&self, mut begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        Box::new(Adaptive::new(self.clone(), begin.some(self.mu)))
    }
}

/// A candidate and the step size of each of its parameters.
#[derive(Clone, Serialize, Deserialize)]
struct Parent<M> {
    candidate: M,
    steps: Vec<f32>,
}

/// The parents, best first.
pub struct Adaptive<M> {
    spec: AdaptiveSpec,
    parents: Vec<Parent<M>>,
    /// The step sizes of the candidates that are being judged.
    asked: Vec<Vec<f32>>,
}

impl<M: Candidate> Adaptive<M> {
    /// Starts from these parents. They breed at once, so that the first generation is complete.
    pub fn new(spec: AdaptiveSpec, parents: Vec<M>) -> Adaptive<M> {
        let parent = |candidate: M| {
            let steps = vec![spec.step as f32; candidate.params().len()];
            Parent { candidate, steps }
        };
        Adaptive { parents: parents.into_iter().map(parent).collect(), asked: Vec::new(), spec }
    }

    fn child(&self, parent: &Parent<M>, rng: &mut Rng) -> Parent<M> {
        let AdaptiveSpec { tau, bounds: [low, high], .. } = self.spec;
        let mut child = parent.clone();
        let tau = tau / libm::sqrt(2.0 * libm::sqrt(child.steps.len() as f64));
        for (param, step) in child.candidate.params_mut().iter_mut().zip(&mut child.steps) {
            // A step as wide as the bounds is a jump to anywhere; wider ones mean no more.
            let wide = f64::from(*step) * libm::exp(tau * rng.normal());
            *step = wide.min(high - low) as f32;
            let value = f64::from(*param) + f64::from(*step) * rng.normal();
            *param = value.clamp(low, high) as f32;
        }
        child
    }
}

impl<M: Candidate> Search<M> for Adaptive<M> {
    fn ask(&mut self, _archive: &Archive<M>, rng: &mut Rng) -> Vec<M> {
        let mut all = self.parents.clone();
        let parents = self.parents.iter().cycle().take(self.spec.lambda);
        all.extend(parents.map(|parent| self.child(parent, rng)));
        let (candidates, steps) =
            all.into_iter().map(|Parent { candidate, steps }| (candidate, steps)).unzip();
        self.asked = steps;
        candidates
    }

    fn tell(&mut self, ranked: Vec<Judged<M>>, _rng: &mut Rng) {
        let asked = &mut self.asked;
        let parent = |Judged { candidate, index, .. }: Judged<M>| {
            let steps = std::mem::take(&mut asked[index]);
            Parent { candidate, steps }
        };
        self.parents = ranked.into_iter().take(self.spec.mu).map(parent).collect();
    }

    /// The mean step size of the best.
    fn statistics(&self) -> Vec<(&'static str, f64)> {
        let mean = |parent: &Parent<M>| {
            let sum: f64 = parent.steps.iter().map(|step| f64::from(*step)).sum();
            ("step", sum / parent.steps.len().max(1) as f64)
        };
        self.parents.first().map(mean).into_iter().collect()
    }

    keeps!(parents);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArchiveSpec, NoArchiveSpec};
    use outflank_game::model::{Model, Wpc};
    use outflank_game::player::Policy;
    use outflank_kernel::rng::{Seed, Stream};

    fn search(spec: AdaptiveSpec) -> (Adaptive<Wpc>, Archive<Wpc>, Rng) {
        let parents = vec![Wpc::new([0.5; 64]).unwrap(); spec.mu];
        let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
        (Adaptive::new(spec, parents), archive, Seed(1).at(Stream::Search, 9).rng())
    }

    #[test]
    fn steps_are_inherited_by_whoever_survives_and_change_as_the_formula_says() {
        let spec = AdaptiveSpec { mu: 1, lambda: 500, ..AdaptiveSpec::sample() };
        let (mut adaptive, archive, mut rng) = search(spec);
        let asked = adaptive.ask(&archive, &mut rng);
        assert_eq!(adaptive.asked[0], [0.05; 64], "a parent is judged again as it is");
        let logs: Vec<f64> = adaptive.asked[1..]
            .iter()
            .flatten()
            .map(|step| (f64::from(*step) / 0.05).ln())
            .collect();
        let n = logs.len() as f64;
        // 64 parameters: τ = 1/√16. The logarithms are normal with that deviation.
        let mean = logs.iter().sum::<f64>() / n;
        let variance = logs.iter().map(|log| log * log).sum::<f64>() / n;
        assert!(mean.abs() < 4.0 * 0.25 / n.sqrt(), "{mean}");
        assert!((variance - 0.0625).abs() < 4.0 * 0.0625 * (2.0 / n).sqrt(), "{variance}");
        // A change in units of its own, new step is standard normal.
        let changes = asked[1..].iter().zip(&adaptive.asked[1..]).flat_map(|(child, steps)| {
            let change = |(param, step): (&f32, &f32)| f64::from((param - 0.5) / step);
            child.params().iter().zip(steps).map(change).collect::<Vec<_>>()
        });
        let variance = changes.map(|change| change * change).sum::<f64>() / n;
        assert!((variance - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "{variance}");
        // The best keeps its steps, wherever it was.
        let (steps, params) = (adaptive.asked[77].clone(), asked[77].params().to_vec());
        let mut fitness = vec![0.0; asked.len()];
        fitness[77] = 1.0;
        adaptive.tell(super::super::rank_by(asked, &fitness, &mut rng), &mut rng);
        assert_eq!(adaptive.parents[0].steps, steps);
        assert_eq!(adaptive.parents[0].candidate.params(), params);
    }

    #[test]
    fn parameters_and_steps_stay_finite() {
        let spec = AdaptiveSpec { mu: 1, lambda: 1, tau: 100.0, ..AdaptiveSpec::sample() };
        let (mut adaptive, archive, mut rng) = search(spec);
        for _ in 0..200 {
            let asked = adaptive.ask(&archive, &mut rng);
            assert!(asked[1].params().iter().all(|param| param.abs() <= 2.0));
            assert!(adaptive.asked[1].iter().all(|step| (0.0..=4.0).contains(step)));
            adaptive.tell(super::super::rank_by(asked, &[0.0, 1.0], &mut rng), &mut rng);
        }
    }
}
