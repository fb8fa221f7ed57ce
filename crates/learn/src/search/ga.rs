//! The generational genetic algorithm of Szubert et al. 2009, section IV: parents are chosen by
//! tournaments, mutated, then crossed, and their offspring replace the whole population. With a
//! hall of fame, the first parent of a pair may come from the archive (section IV-C).

use serde::{Deserialize, Serialize};

use super::{Beginning, Breeds, Crossover, Judged, MutationSpec, Noise, Search, SearchKind};
use crate::limits::MAX_PLAYERS;
use crate::state::keeps;
use crate::{Archive, Candidate, Offer, Spec};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table};

table! {
/// Generational genetic algorithm.
pub struct GaSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// Tournament size: the number of candidates that compete to become a parent.
    pub tournament: usize,
    /// Probability that the first parent of a pair comes from the archive.
    pub archive_parents: f64,
    /// How the parameters of two parents are combined.
    pub crossover: Crossover,
    /// How parents mutate before crossover.
    pub mutation: MutationSpec,
}
}

impl SearchKind for GaSpec {
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        at.whole("population", self.population, 2..=MAX_PLAYERS)?;
        if self.tournament == 0 || self.tournament > self.population {
            let expected = format!("1 to {} = {}", at.key("population"), self.population);
            return Err(at.fault("tournament", self.tournament, expected));
        }
        at.chance("archive-parents", self.archive_parents)?;
        if self.archive_parents > 0.0 && spec.archive.capacity().is_none() {
            let expected =
                format!("0, because archive.kind = {:?} keeps no champions", spec.archive.kind());
            return Err(at.fault("archive-parents", self.archive_parents, expected));
        }
        if self.crossover != Crossover::None && spec.model.offers(Breeds::Places) != Offer::Yes {
            let expected = format!(
                "none, because model.kind = {:?} has no fixed number of parameters",
                spec.model.kind()
            );
            return Err(at.fault("crossover", "\"one-point\"", expected));
        }
        Ok(())
    }

    fn candidates(&self) -> usize {
        self.population
    }

    fn mutation(&self) -> Option<&MutationSpec> {
        Some(&self.mutation)
    }

    fn archive_parents(&self) -> f64 {
        self.archive_parents
    }

    fn shrink(&mut self) {
        (self.population, self.tournament) = (7, 3);
    }

    fn sample() -> GaSpec {
        GaSpec {
            population: 31,
            tournament: 5,
            archive_parents: 0.2,
            crossover: Crossover::OnePoint,
            mutation: MutationSpec::sample(Noise::Gaussian, 0.03),
        }
    }

    fn build<M: Candidate>(&self, mut begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        Box::new(Ga::new(self.clone(), begin.some(self.population)))
    }
}

/// The population, before or after it was evaluated.
pub struct Ga<M> {
    spec: GaSpec,
    state: State<M>,
}

#[derive(Serialize, Deserialize)]
enum State<M> {
    First(Vec<M>),
    Parents(Vec<Judged<M>>),
}

impl<M> Ga<M> {
    /// Starts from this population.
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

    /// The winner of a tournament. Parents are ranked, with ties in random order, so the best is
    /// the one with the lowest rank.
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

    fn tell(&mut self, ranked: Vec<Judged<M>>, _rng: &mut Rng) {
        self.state = State::Parents(ranked);
    }

    keeps!(state);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArchiveSpec, ChampionsSpec};
    use outflank_game::model::{Model, Wpc};
    use outflank_game::player::Policy;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn a_tournament_prefers_the_fit() {
        let spec = GaSpec {
            population: 100,
            tournament: 5,
            archive_parents: 0.0,
            crossover: Crossover::None,
            mutation: MutationSpec {
                size: 0.0,
                bounds: [-100.0, 100.0],
                ..MutationSpec::sample(Noise::Gaussian, 0.0)
            },
        };
        let weights = (0..100).map(|i| Wpc::new([i as f32; 64]).unwrap());
        let first = &mut weights.clone();
        let mut search = Ga::new(spec, first.by_ref().collect());
        let archive =
            Archive::new(&ArchiveSpec::Champions(ChampionsSpec { capacity: 0 }), Policy::default());
        let ranked = weights.rev().map(|candidate| Judged {
            fitness: f64::from(candidate.params()[0]),
            candidate,
            objectives: Box::default(),
            index: 0,
        });
        let mut rng = Seed(3).at(Stream::Search, 0).rng();
        search.tell(ranked.collect(), &mut rng);
        let mean = (0..100)
            .flat_map(|_| search.ask(&archive, &mut rng))
            .map(|child| f64::from(child.params()[0]))
            .sum::<f64>()
            / 10_000.0;
        // The mean of the largest of five numbers in 0..100, drawn with replacement, is 100 · 5/6 −
        // ½; its standard deviation is 100 √(5/252).
        assert!((mean - 82.83).abs() < 4.0 * 14.1 / 100.0 + 0.02, "{mean}");
    }

    #[test]
    fn the_first_parent_comes_from_all_of_the_archive_as_often_as_it_is_told() {
        let mutation = MutationSpec { rate: 0.0, ..MutationSpec::sample(Noise::Gaussian, 0.0) };
        let (population, archive_parents, crossover) = (100, 0.2, Crossover::None);
        let spec = GaSpec { population, tournament: 1, archive_parents, crossover, mutation };
        let wpc = |weight: f32| Wpc::new([weight; 64]).unwrap();
        let mut search = Ga::new(spec, vec![wpc(0.0); 100]);
        let all = ArchiveSpec::Champions(ChampionsSpec { capacity: 0 });
        let mut archive = Archive::new(&all, Policy::default());
        (1..=5).for_each(|champion| archive.note(&wpc(champion as f32)));
        let mut rng = Seed(4).at(Stream::Search, 0).rng();
        let asked = search.ask(&archive, &mut rng);
        search.tell(super::super::rank_by(asked, &[1.0; 100], &mut rng), &mut rng);
        let (mut firsts, pairs) = ([0u32; 6], 5000);
        for _ in 0..pairs / 50 {
            for (index, child) in search.ask(&archive, &mut rng).iter().enumerate() {
                let parent = child.params()[0] as usize;
                assert!(index % 2 == 0 || parent == 0, "second parents come from the population");
                firsts[parent] += u32::from(index % 2 == 0);
            }
        }
        // A fifth of all pairs, divided among five champions: 200 each, with a standard deviation
        // of 14.
        assert!(firsts[1..].iter().all(|n| (144..=256).contains(n)), "{firsts:?}");
    }
}
