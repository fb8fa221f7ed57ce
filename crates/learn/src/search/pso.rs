//! Particle swarm optimisation (Handa 2012, with the constriction of Clerc & Kennedy 2002): each
//! particle is drawn to its own best position and to the best of all.

use super::swarm::{FlightSpec, Particle, check_particles};
use super::{Beginning, Breeds, Judged, Search, SearchKind};
use crate::state::keeps;
use crate::{Archive, Candidate, Spec};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table};

table! {
/// Particle swarm optimisation.
pub struct PsoSpec {
    /// Particles: the candidates of every generation.
    pub particles: usize,
    /// How they move.
    pub flight: FlightSpec,
}
}

impl SearchKind for PsoSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        check_particles(at, self.particles)?;
        self.flight.check(&KeyPath::new(&at.key("flight")))
    }

    fn candidates(&self) -> usize {
        self.particles
    }

    fn breeds(&self) -> Breeds {
        Breeds::Places
    }

    fn bounds(&self) -> Option<(&'static str, [f64; 2])> {
        self.flight.bounds()
    }

    fn shrink(&mut self) {
        self.particles = 5;
    }

    fn sample() -> PsoSpec {
        PsoSpec { particles: 12, flight: FlightSpec::sample() }
    }

    fn build<M: Candidate>(&self, mut begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        let particles = begin.some(self.particles).into_iter().map(Particle::new).collect();
        Box::new(Pso { spec: self.clone(), particles })
    }
}

/// The particles.
struct Pso<M> {
    spec: PsoSpec,
    particles: Vec<Particle<M>>,
}

impl<M: Candidate> Pso<M> {
    /// The best position of all; the first of several.
    fn best(&self) -> Option<&Judged<M>> {
        let all = self.particles.iter().filter_map(|particle| particle.best.as_ref());
        all.reduce(|best, other| if other.fitness > best.fitness { other } else { best })
    }
}

impl<M: Candidate> Search<M> for Pso<M> {
    fn ask(&mut self, _archive: &Archive<M>, rng: &mut Rng) -> Vec<M> {
        match self.best().map(|best| best.candidate.clone()) {
            None => self.particles.iter_mut().for_each(|one| one.start(&self.spec.flight, rng)),
            Some(best) => {
                self.particles.iter_mut().for_each(|one| one.fly(&best, &self.spec.flight, rng));
            }
        }
        self.particles.iter().map(|particle| particle.position().clone()).collect()
    }

    fn tell(&mut self, ranked: Vec<Judged<M>>, _rng: &mut Rng) {
        for judged in ranked {
            let fitness = judged.fitness;
            self.particles[judged.index].land(judged, |best| fitness > best.fitness);
        }
    }

    /// The best position of all, not that of the last generation.
    fn champion(&self) -> Option<&M> {
        self.best().map(|best| &best.candidate)
    }

    keeps!(particles);
}

#[cfg(test)]
mod tests {
    use super::super::rank_by;
    use super::*;
    use crate::{ArchiveSpec, NoArchiveSpec};
    use outflank_game::model::{Model, Wpc};
    use outflank_game::player::Policy;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn a_swarm_finds_the_minimum_of_a_bowl_and_keeps_the_best_it_found() {
        let spec = PsoSpec { particles: 40, ..PsoSpec::sample() };
        let mut rng = Seed(1).at(Stream::Search, 0).rng();
        let first = (0..40).map(|_| Particle::new(Wpc::uniform(1.0, &mut rng))).collect();
        let mut pso = Pso { spec, particles: first };
        let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
        // The negative distance to the point at 0.5.
        let fitness =
            |wpc: &Wpc| -wpc.params().iter().map(|w| f64::from((w - 0.5) * (w - 0.5))).sum::<f64>();
        let (mut best, mut start) = (f64::NEG_INFINITY, None);
        for _ in 0..400 {
            let asked = pso.ask(&archive, &mut rng);
            let worth: Vec<f64> = asked.iter().map(fitness).collect();
            best = worth.iter().copied().fold(best, f64::max);
            start.get_or_insert(best);
            pso.tell(rank_by(asked, &worth, &mut rng), &mut rng);
            assert!((fitness(pso.champion().unwrap()) - best).abs() < 1e-9);
        }
        assert!(start.unwrap() < -20.0 && best > -1.0, "{start:?} {best}");
    }
}
