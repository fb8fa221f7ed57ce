//! The generational genetic algorithm of Szubert et al. 2009, section IV: parents are chosen by
//! tournaments, mutated, then crossed, and their offspring replace the whole population. With a hall
//! of fame, a pair's first parent may come from the archive (section IV-C).

use super::{Judged, Search};
use crate::learn::{Archive, Candidate, GaSpec};
use crate::rng::Rng;

/// The population, judged, or not yet.
pub struct Ga<M> {
    spec: GaSpec,
    state: State<M>,
}

#[derive(serde::Serialize, serde::Deserialize)]
enum State<M> {
    First(Vec<M>),
    Parents(Vec<Judged<M>>),
}

impl<M> Ga<M> {
    /// Begins with this population.
    pub fn new(spec: GaSpec, first: Vec<M>) -> Ga<M> {
        Ga { spec, state: State::First(first) }
    }
}

impl<M: Candidate> Ga<M> {
    /// A pair of offspring.
    fn breed(&self, parents: &[Judged<M>], archive: &Archive<M>, rng: &mut Rng) -> [M; 2] {
        let from_archive = !archive.is_empty()
            && self.spec.archive_parents > 0.0
            && rng.unit() < self.spec.archive_parents;
        let first = match from_archive {
            true => archive.model(rng.below(archive.len() as u32) as usize),
            false => self.choose(parents, rng),
        };
        let (mut a, mut b) = (first.clone(), self.choose(parents, rng).clone());
        a.mutate(&self.spec.mutation, rng);
        b.mutate(&self.spec.mutation, rng);
        a.cross(&mut b, self.spec.crossover, rng);
        [a, b]
    }

    /// The winner of a tournament. Parents are ranked with equals in random order, so that the best
    /// is the one with the lowest rank.
    fn choose<'a>(&self, parents: &'a [Judged<M>], rng: &mut Rng) -> &'a M {
        let ranks = (0..self.spec.tournament).map(|_| rng.below(parents.len() as u32));
        let best = ranks.min().expect("a tournament has members");
        &parents[best as usize].candidate
    }
}

impl<M: Candidate> Search<M> for Ga<M> {
    fn ask(&mut self, archive: &Archive<M>, rng: &mut Rng) -> Vec<M> {
        let parents = match &self.state {
            State::First(first) => return first.clone(),
            State::Parents(parents) => parents,
        };
        let mut offspring = Vec::with_capacity(self.spec.population + 1);
        while offspring.len() < self.spec.population {
            offspring.extend(self.breed(parents, archive, rng));
        }
        offspring.truncate(self.spec.population);
        offspring
    }

    fn tell(&mut self, ranked: Vec<Judged<M>>) {
        self.state = State::Parents(ranked);
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.state).expect("models can be written to memory")
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        self.state = postcard::from_bytes(saved)?;
        Ok(())
    }
}
