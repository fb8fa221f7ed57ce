//! MOPSO with the sigma method (Mostaghim & Teich 2003, as in Handa 2012): a particle swarm with
//! several objectives. An archive keeps the nondominated positions, and the guide of a particle is
//! the member whose sigma, a number for the direction of its objectives, is nearest to the
//! particle's own.

use serde::{Deserialize, Serialize};

use super::swarm::{FlightSpec, Particle, check_particles};
use super::{Beginning, Breeds, Judged, Search, SearchKind};
use crate::objective::dominates;
use crate::state::keeps;
use crate::{Archive, Candidate, Spec};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table, words};

table! {
/// Particle swarm optimisation with several objectives.
pub struct MopsoSpec {
    /// Particles: the candidates of every generation.
    pub particles: usize,
    /// How they move.
    pub flight: FlightSpec,
    /// The number by which a particle finds its guide in the archive.
    pub sigma: Sigma,
    /// Generations after which a position is forgotten, in the archive and as the best of its
    /// particle: if opponents evolve, old results say little. 0 for never.
    pub memory: u64 = 0,
}
}

words! {
/// The direction of a point with several objectives.
pub enum Sigma {
    /// O1 / O2, as Handa 2012 prints it; only for two objectives.
    Ratio = "ratio",
    /// (O1² - O2²) / (O1² + O2²), as in Mostaghim & Teich 2003; with more objectives a number for
    /// each pair of neighbours.
    Squares = "squares",
}
}

/// In place of an objective of 0 under a fraction bar: less than any other, as games are counted in
/// half points.
const LEAST: f64 = 0.5;

impl Sigma {
    /// The sigma of a point.
    fn of(self, point: &[f64]) -> Vec<f64> {
        match (self, point) {
            (Sigma::Ratio, [first, second, ..]) => vec![first / second.max(LEAST)],
            _ => {
                let sum: f64 = point.iter().map(|value| value * value).sum();
                let sigma = |two: &[f64]| match sum {
                    sum if sum > 0.0 => (two[0] * two[0] - two[1] * two[1]) / sum,
                    _ => 0.0,
                };
                point.windows(2).map(sigma).collect()
            }
        }
    }
}

impl SearchKind for MopsoSpec {
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        check_particles(at, self.particles)?;
        self.flight.check(&KeyPath::new(&at.key("flight")))?;
        match spec.objective.objectives(spec) {
            0 | 1 => {
                // What is wrong with the objectives themselves is said there.
                spec.objective.check_with(&KeyPath::new("objective"), spec)?;
                let expected = "pso, or objective.kind = \"fronts\" with two opponents or more";
                Err(at.fault("kind", "\"mopso\"", expected))
            }
            many if many > 2 && self.sigma == Sigma::Ratio => {
                let expected = format!("\"squares\", because there are {many} objectives");
                Err(at.fault("sigma", "\"ratio\"", expected))
            }
            _ => Ok(()),
        }
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

    fn needs_objectives(&self) -> bool {
        true
    }

    fn shrink(&mut self) {
        self.particles = 5;
    }

    fn sample() -> MopsoSpec {
        let flight = FlightSpec::sample();
        MopsoSpec { particles: 12, flight, sigma: Sigma::Squares, memory: 3 }
    }

    fn build<M: Candidate>(&self, mut begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        let particles = begin.some(self.particles).into_iter().map(Particle::new).collect();
        Box::new(Mopso { spec: self.clone(), state: State::new(particles) })
    }
}

/// The particles, and the nondominated positions of the whole run.
struct Mopso<M> {
    spec: MopsoSpec,
    state: State<M>,
}

#[derive(Serialize, Deserialize)]
struct State<M> {
    particles: Vec<Particle<M>>,
    /// In the order of the first objective, highest first.
    archive: Vec<Judged<M>>,
    /// The ages of the archive's members, in generations.
    ages: Vec<u64>,
    /// The ages of the particles' best positions.
    best_ages: Vec<u64>,
}

impl<M: Candidate> State<M> {
    fn new(particles: Vec<Particle<M>>) -> State<M> {
        let best_ages = vec![0; particles.len()];
        State { particles, archive: Vec::new(), ages: Vec::new(), best_ages }
    }

    /// Lets a generation pass, and forgets what is as old as this.
    fn grow_old(&mut self, memory: u64) {
        self.ages.iter_mut().chain(&mut self.best_ages).for_each(|age| *age += 1);
        let mut ages = self.ages.iter();
        self.archive.retain(|_| ages.next().is_some_and(|age| *age < memory));
        self.ages.retain(|age| *age < memory);
        for (particle, age) in self.particles.iter_mut().zip(&self.best_ages) {
            if *age >= memory {
                particle.best = None;
            }
        }
    }

    /// Adds a position that no other one dominates or equals, and drops those it dominates.
    fn note(&mut self, judged: &Judged<M>) {
        let new = &*judged.objectives;
        let is_old = |old: &Judged<M>| *old.objectives == *new || dominates(&old.objectives, new);
        if self.archive.iter().any(is_old) {
            return;
        }
        let stays: Vec<bool> =
            self.archive.iter().map(|old| !dominates(new, &old.objectives)).collect();
        let (mut archive, mut ages) = (stays.iter(), stays.iter());
        self.archive.retain(|_| archive.next() == Some(&true));
        self.ages.retain(|_| ages.next() == Some(&true));
        let after = self.archive.partition_point(|old| old.objectives[0] > new[0]);
        self.archive.insert(after, judged.clone());
        self.ages.insert(after, 0);
    }
}

/// The member of an archive whose sigma is nearest; the first of several.
fn guide<'a, M>(archive: &'a [(Vec<f64>, M)], sigma: &[f64]) -> Option<&'a M> {
    let distance =
        |other: &[f64]| -> f64 { other.iter().zip(sigma).map(|(a, b)| (a - b) * (a - b)).sum() };
    let all = archive.iter().map(|(other, member)| (distance(other), member));
    let nearest = all.reduce(|near, other| if other.0 < near.0 { other } else { near });
    nearest.map(|(_, member)| member)
}

impl<M: Candidate> Search<M> for Mopso<M> {
    fn ask(&mut self, _archive: &Archive<M>, rng: &mut Rng) -> Vec<M> {
        let (flight, sigma) = (&self.spec.flight, self.spec.sigma);
        let State { particles, archive, .. } = &mut self.state;
        let members: Vec<(Vec<f64>, M)> = archive
            .iter()
            .map(|member| (sigma.of(&member.objectives), member.candidate.clone()))
            .collect();
        for particle in &mut *particles {
            match guide(&members, &sigma.of(particle.objectives())) {
                None => particle.start(flight, rng),
                Some(guide) => particle.fly(guide, flight, rng),
            }
        }
        particles.iter().map(|particle| particle.position().clone()).collect()
    }

    fn tell(&mut self, mut ranked: Vec<Judged<M>>, rng: &mut Rng) {
        ranked.sort_by_key(|judged| judged.index);
        if self.spec.memory > 0 {
            self.state.grow_old(self.spec.memory);
        }
        for judged in ranked {
            self.state.note(&judged);
            let (index, new) = (judged.index, judged.objectives.clone());
            let age = &mut self.state.best_ages[index];
            // A coin decides if neither dominates; drawn for every particle, needed or not.
            let heads = rng.below(2) == 0;
            let is_new = self.state.particles[index].land(judged, |best| {
                let is_worse = dominates(&best.objectives, &new);
                dominates(&new, &best.objectives) || (heads && !is_worse)
            });
            *age = if is_new { 0 } else { *age };
        }
    }

    fn front(&self) -> Option<&[Judged<M>]> {
        Some(&self.state.archive)
    }

    /// The member of the archive with the highest sum of objectives.
    fn champion(&self) -> Option<&M> {
        let sum = |member: &Judged<M>| member.objectives.iter().sum::<f64>();
        let best = self.state.archive.iter().reduce(|a, b| if sum(b) > sum(a) { b } else { a });
        best.map(|member| &member.candidate)
    }

    keeps!(state);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArchiveSpec, NoArchiveSpec};
    use outflank_game::model::{Model, Wpc};
    use outflank_game::player::Policy;
    use outflank_kernel::rng::{Seed, Stream};

    fn judged(index: usize, point: [f64; 2]) -> Judged<Wpc> {
        let candidate = Wpc::new([index as f32; 64]).unwrap();
        Judged { candidate, fitness: 0.0, objectives: point.into(), index }
    }

    fn swarm(sigma: Sigma, particles: usize) -> Mopso<Wpc> {
        let spec = MopsoSpec { particles, sigma, memory: 0, ..MopsoSpec::sample() };
        let mut rng = Seed(1).at(Stream::Search, 0).rng();
        let first = (0..particles).map(|_| Particle::new(Wpc::uniform(1.0, &mut rng))).collect();
        Mopso { spec, state: State::new(first) }
    }

    #[test]
    fn the_archive_has_what_nothing_dominates_and_each_point_once() {
        let mut swarm = swarm(Sigma::Ratio, 6);
        let points = [[3.0, 1.0], [1.0, 3.0], [2.0, 2.0], [2.0, 2.0], [1.0, 1.0], [0.0, 3.0]];
        let told = points.iter().enumerate().map(|(index, point)| judged(index, *point)).collect();
        let mut rng = Seed(1).at(Stream::Search, 1).rng();
        swarm.tell(told, &mut rng);
        let members = |swarm: &Mopso<Wpc>| -> Vec<Vec<f64>> {
            swarm.front().unwrap().iter().map(|one| one.objectives.to_vec()).collect()
        };
        assert_eq!(members(&swarm), [[3.0, 1.0], [2.0, 2.0], [1.0, 3.0]]);
        assert_eq!(swarm.front().unwrap()[1].candidate.params()[0] as i32, 2, "the older one");
        // A new point drives out those that it dominates, and the sum decides on the champion.
        swarm.tell(vec![judged(5, [2.5, 3.0])], &mut rng);
        assert_eq!(members(&swarm), [[3.0, 1.0], [2.5, 3.0]]);
        assert_eq!(swarm.champion().unwrap().params()[0] as i32, 5);
    }

    #[test]
    fn a_particle_keeps_its_best_unless_it_is_dominated_or_a_coin_says_so() {
        let mut swarm = swarm(Sigma::Ratio, 1);
        let mut rng = Seed(1).at(Stream::Search, 2).rng();
        let mut after = |first: [f64; 2], second: [f64; 2]| {
            let mut replaced = 0;
            for _ in 0..400 {
                swarm.state.particles[0].best = Some(judged(0, first));
                swarm.tell(vec![judged(0, second)], &mut rng);
                let best = swarm.state.particles[0].best.as_ref().unwrap();
                replaced += usize::from(*best.objectives == second);
            }
            replaced
        };
        assert_eq!(after([1.0, 1.0], [2.0, 1.0]), 400);
        assert_eq!(after([2.0, 1.0], [1.0, 1.0]), 0);
        // 200, standard error 10.
        let coins = after([2.0, 1.0], [1.0, 2.0]);
        assert!((160..=240).contains(&coins), "{coins}");
    }

    #[test]
    fn what_is_old_is_forgotten() {
        let mut swarm = swarm(Sigma::Ratio, 2);
        swarm.spec.memory = 2;
        let mut rng = Seed(1).at(Stream::Search, 4).rng();
        let mut tell = |points: [[f64; 2]; 2]| {
            let told = points.iter().enumerate().map(|(index, point)| judged(index, *point));
            swarm.tell(told.collect(), &mut rng);
            let archive: Vec<[f64; 2]> = swarm
                .front()
                .unwrap()
                .iter()
                .map(|one| [one.objectives[0], one.objectives[1]])
                .collect();
            let best = swarm.state.particles[0].best.as_ref().unwrap().objectives[0];
            (archive, best)
        };
        // Its best results are of the first generation, against weak opponents, say.
        assert_eq!(tell([[9.0, 9.0], [1.0, 1.0]]), (vec![[9.0, 9.0]], 9.0));
        assert_eq!(tell([[5.0, 1.0], [1.0, 5.0]]), (vec![[9.0, 9.0]], 9.0));
        assert_eq!(tell([[4.0, 1.0], [1.0, 4.0]]), (vec![[4.0, 1.0], [1.0, 4.0]], 4.0));
        assert_eq!(tell([[3.0, 1.0], [1.0, 3.0]]), (vec![[4.0, 1.0], [1.0, 4.0]], 4.0));
        assert_eq!(tell([[2.0, 1.0], [1.0, 2.0]]), (vec![[2.0, 1.0], [1.0, 2.0]], 2.0));
    }

    #[test]
    fn sigma_is_the_direction_of_a_point_and_zero_does_no_harm() {
        assert_eq!(Sigma::Ratio.of(&[3.0, 2.0]), [1.5]);
        assert_eq!(Sigma::Ratio.of(&[3.0, 0.0]), [6.0]);
        assert_eq!(Sigma::Ratio.of(&[0.0, 0.0]), [0.0]);
        assert_eq!(Sigma::Squares.of(&[3.0, 1.0]), [0.8]);
        assert_eq!(Sigma::Squares.of(&[0.0, 0.0]), [0.0]);
        assert_eq!(Sigma::Squares.of(&[1.0, 1.0, 0.0]).len(), 2);
        let archive = [(vec![0.0], 'a'), (vec![2.0], 'b'), (vec![2.0], 'c')];
        assert_eq!(guide(&archive, &[1.1]), Some(&'b'), "the first of two that are as near");
        assert_eq!(guide(&archive, &[0.4]), Some(&'a'));
        assert_eq!(guide::<char>(&[], &[1.0]), None);
    }

    #[test]
    fn a_swarm_spreads_along_a_front() {
        // Two bowls: the front is the line between their centres.
        let mut swarm = swarm(Sigma::Squares, 30);
        let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
        let mut rng = Seed(1).at(Stream::Search, 3).rng();
        let near = |wpc: &Wpc, centre: f32| {
            let far = wpc.params().iter().map(|w| f64::from((w - centre) * (w - centre)));
            100.0 / (1.0 + far.sum::<f64>() / 64.0)
        };
        let mut start = [0.0f64; 2];
        for generation in 0..300 {
            let asked = swarm.ask(&archive, &mut rng);
            let told = asked.into_iter().enumerate().map(|(index, candidate)| {
                let point = [near(&candidate, -0.5), near(&candidate, 0.5)];
                Judged { candidate, fitness: 0.0, objectives: point.into(), index }
            });
            let told: Vec<Judged<Wpc>> = told.collect();
            if generation == 0 {
                let best = |of: usize| told.iter().map(move |one| one.objectives[of]);
                start = [best(0).fold(0.0, f64::max), best(1).fold(0.0, f64::max)];
            }
            swarm.tell(told, &mut rng);
        }
        let front = swarm.front().unwrap();
        let [low, high] = [&front[front.len() - 1], &front[0]].map(|one| &*one.objectives);
        // Both ends are better at one objective than any point at the start, and far apart.
        assert!(high[0] > start[0] + 6.0 && low[1] > start[1] + 6.0, "{low:?} {high:?}");
        assert!(front.len() > 10 && high[0] > low[0] + 10.0, "{}", front.len());
    }
}
