//! A swarm of particles, as PSO and MOPSO move it: Clerc's constriction, in the form of Handa 2012.
//!
//! ```text
//! v ← K [v + c₁ r₁ (own best − x) + c₂ r₂ (guide − x)],  x ← x + v
//! ```
//!
//! where r₁ and r₂ are drawn for each parameter, or once for a particle. A particle that learned in
//! its games goes on from where it learned to.

use serde::{Deserialize, Serialize};

use super::Judged;
use crate::Candidate;
use crate::limits::MAX_PLAYERS;
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table, words};

table! {
/// How the particles of a swarm move.
pub struct FlightSpec {
    /// The factor on velocities.
    pub constriction: f64,
    /// How strongly a particle is drawn to the best position that it has had.
    pub own: f64,
    /// How strongly it is drawn to its guide: the best position of all particles, or a member of
    /// the archive.
    pub guide: f64,
    /// Initial velocities are uniform in [-velocity, velocity].
    pub velocity: f64,
    /// How often the random factors of the two pulls are drawn.
    pub draws: Draws = Draws::Parameter,
    /// The largest size of a parameter in flight; 0 for no bound.
    pub bound: f64 = 0.0,
}
}

words! {
/// How often the random factors of the two pulls are drawn.
pub enum Draws {
    /// For each parameter.
    Parameter = "parameter",
    /// Once in each generation for all parameters of a particle, which then flies in the plane of
    /// its velocity and the two pulls.
    Particle = "particle",
}
}

impl FlightSpec {
    pub(super) fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.number("constriction", self.constriction, 0.0..=1.0)?;
        for (name, pull) in [("own", self.own), ("guide", self.guide)] {
            at.number(name, pull, 0.0..=4.0)?;
        }
        at.number("velocity", self.velocity, 0.0..=MAX_NUMBER)?;
        at.number("bound", self.bound, 0.0..=MAX_NUMBER)
    }

    /// The interval in which particles fly, and its key, if there is a bound.
    pub(super) fn bounds(&self) -> Option<(&'static str, [f64; 2])> {
        (self.bound > 0.0).then_some(("flight.bound", [-self.bound, self.bound]))
    }

    /// Clerc's values.
    pub(super) fn sample() -> FlightSpec {
        let (draws, bound) = (Draws::Parameter, 0.0);
        FlightSpec { constriction: 0.729, own: 2.05, guide: 2.05, velocity: 0.1, draws, bound }
    }
}

/// Checks the number of particles.
pub(super) fn check_particles(at: &KeyPath, particles: usize) -> Result<(), Fault> {
    at.whole("particles", particles, 2..=MAX_PLAYERS)
}

/// A particle.
#[derive(Serialize, Deserialize)]
pub(super) struct Particle<M> {
    position: M,
    /// Empty before the first generation.
    velocity: Vec<f32>,
    /// Its objectives in the last generation, if there are several.
    objectives: Box<[f64]>,
    /// The best position that it has had.
    pub best: Option<Judged<M>>,
}

impl<M: Candidate> Particle<M> {
    pub fn new(position: M) -> Particle<M> {
        Particle { position, velocity: Vec::new(), objectives: Box::default(), best: None }
    }

    pub fn position(&self) -> &M {
        &self.position
    }

    pub fn objectives(&self) -> &[f64] {
        &self.objectives
    }

    /// Draws the first velocity.
    pub fn start(&mut self, spec: &FlightSpec, rng: &mut Rng) {
        let mut draw = |_: &f32| rng.uniform(-spec.velocity, spec.velocity) as f32;
        self.velocity = self.position.params().iter().map(&mut draw).collect();
    }

    /// Moves on. Before there is a best position, it stays.
    pub fn fly(&mut self, guide: &M, spec: &FlightSpec, rng: &mut Rng) {
        let Some(best) = &self.best else { return };
        let (best, guide) = (best.candidate.params(), guide.params());
        let position = self.position.params_mut();
        // Without a bound, this one keeps numbers finite.
        let bound = if spec.bound > 0.0 { spec.bound } else { MAX_NUMBER };
        let mut draw = || [rng.unit(), rng.unit()];
        let once = (spec.draws == Draws::Particle).then(&mut draw);
        for (at, speed) in self.velocity.iter_mut().enumerate() {
            let [x, v] = [position[at], *speed].map(f64::from);
            let [r1, r2] = once.unwrap_or_else(&mut draw);
            let to_best = spec.own * r1 * (f64::from(best[at]) - x);
            let to_guide = spec.guide * r2 * (f64::from(guide[at]) - x);
            let v = spec.constriction * (v + to_best + to_guide);
            *speed = v.clamp(-MAX_NUMBER, MAX_NUMBER) as f32;
            position[at] = (x + v).clamp(-bound, bound) as f32;
        }
    }

    /// Takes the position that was judged, after learning, and keeps it if it is better than the
    /// best so far. Says whether it does.
    pub fn land(&mut self, judged: Judged<M>, is_better: impl FnOnce(&Judged<M>) -> bool) -> bool {
        self.position = judged.candidate.clone();
        self.objectives = judged.objectives.clone();
        let is_new = self.best.as_ref().is_none_or(is_better);
        if is_new {
            self.best = Some(judged);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::model::{Model, Wpc};
    use outflank_kernel::rng::{Seed, Stream};

    fn judged(weight: f32) -> Judged<Wpc> {
        let candidate = Wpc::new([weight; 64]).unwrap();
        Judged { candidate, fitness: 0.0, objectives: Box::default(), index: 0 }
    }

    #[test]
    fn a_particle_flies_as_clerc_says() {
        let spec = FlightSpec::sample();
        let mut rng = Seed(1).at(Stream::Search, 0).rng();
        let mut particle = Particle::new(judged(0.0).candidate);
        particle.start(&spec, &mut rng);
        let first = particle.velocity.clone();
        assert!(first.iter().all(|v| v.abs() <= 0.1) && first.iter().any(|v| v.abs() > 0.08));
        // Without a best position it stays.
        particle.fly(&judged(5.0).candidate, &spec, &mut rng);
        assert!(particle.position().params().iter().all(|x| x.abs() < 1e-9));
        particle.land(judged(2.0), |_| true);
        particle.land(judged(1.0), |_| false);
        assert!(
            particle.position().params().iter().all(|x| (x - 1.0).abs() < 1e-9),
            "where it was judged"
        );
        // From 1, drawn to its best at 2 and the guide at -3: on average
        // 0.729 (v + 1.025 · 1 - 1.025 · 4), and the two draws are independent.
        let mut changes = Vec::new();
        for _ in 0..500 {
            let mut one = Particle::new(particle.position.clone());
            one.velocity = first.clone();
            one.best = Some(judged(2.0));
            one.fly(&judged(-3.0).candidate, &spec, &mut rng);
            for ((x, v), first) in one.position().params().iter().zip(&one.velocity).zip(&first) {
                assert!((x - 1.0 - v).abs() < 1e-5, "the velocity is what it moved by");
                changes.push(f64::from(*v) / 0.729 - f64::from(*first));
            }
        }
        let n = changes.len() as f64;
        let mean = changes.iter().sum::<f64>() / n;
        let variance = changes.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        // Uniform numbers have the variance 1/12.
        let expected = 2.05 * 2.05 * (1.0 + 16.0) / 12.0;
        assert!((mean + 3.075).abs() < 4.0 * (expected / n).sqrt(), "{mean}");
        assert!((variance - expected).abs() < 4.0 * expected * (2.0 / n).sqrt(), "{variance}");
    }

    /// Where a particle at 1 goes whose best is at 2, with a guide at -3.
    fn flown(spec: &FlightSpec, seed: u64) -> Vec<f32> {
        let mut one = Particle::new(judged(1.0).candidate);
        (one.velocity, one.best) = (vec![0.0; 64], Some(judged(2.0)));
        one.fly(&judged(-3.0).candidate, spec, &mut Seed(seed).at(Stream::Search, 0).rng());
        one.position().params().to_vec()
    }

    #[test]
    fn draws_for_a_particle_are_the_same_in_all_parameters() {
        let spec = FlightSpec { draws: Draws::Particle, ..FlightSpec::sample() };
        let all: Vec<Vec<f32>> = (0..20).map(|seed| flown(&spec, seed)).collect();
        for one in &all {
            assert!(one.iter().all(|x| x.to_bits() == one[0].to_bits()), "{one:?}");
        }
        assert!(all.iter().any(|one| (one[0] - all[0][0]).abs() > 0.5));
        assert!(flown(&FlightSpec::sample(), 0).iter().any(|x| (x - all[0][0]).abs() > 0.5));
    }

    #[test]
    fn a_bound_stops_particles_and_not_their_velocities() {
        let spec = FlightSpec { bound: 1.5, ..FlightSpec::sample() };
        let (free, bound) = (flown(&FlightSpec::sample(), 0), flown(&spec, 0));
        assert!(free.iter().any(|x| *x < -2.0) && bound.iter().any(|x| *x > -1.4));
        for (free, bound) in free.iter().zip(&bound) {
            assert!((bound - free.clamp(-1.5, 1.5)).abs() < 1e-9, "{free} {bound}");
        }
        let outside = FlightSpec { bound: -1.0, ..FlightSpec::sample() };
        assert!(outside.check(&KeyPath::new("flight")).unwrap_err().to_string().contains("bound"));
    }
}
