//! The generational genetic algorithm of Szubert et al. 2009, section IV: parents are chosen by
//! tournaments, mutated, then crossed, and their offspring replace the whole population. With a
//! hall of fame, the first parent of a pair may come from the archive (section IV-C). With
//! `selection = "roulette"` and an elite it is that of Kim, Choi & Cho 2007, section III-C.

use serde::{Deserialize, Serialize};

use super::{Beginning, Breeds, Crossover, Judged, MutationSpec, Noise, Search, SearchKind};
use crate::limits::MAX_PLAYERS;
use crate::state::keeps;
use crate::{Archive, Candidate, Offer, Spec};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table, words};

table! {
/// Generational genetic algorithm.
pub struct GaSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// Tournament size: the number of candidates that compete to become a parent; not used with
    /// `selection = "roulette"`.
    pub tournament: usize,
    /// Probability that the first parent of a pair comes from the archive.
    pub archive_parents: f64,
    /// How the parameters of two parents are combined.
    pub crossover: Crossover,
    /// How parents mutate before crossover.
    pub mutation: MutationSpec,
    /// How parents are chosen.
    pub selection: Selection = Selection::Tournament,
    /// How many of the best survive: they are in the next generation, too, unchanged, and are
    /// judged again.
    pub elite: usize = 0,
}
}

words! {
/// How parents are chosen.
pub enum Selection {
    /// The best of a few candidates drawn at random.
    Tournament = "tournament",
    /// With probability proportional to fitness. Fitness below 0 counts as 0; if nobody has more,
    /// all are equally likely.
    Roulette = "roulette",
}
}

impl SearchKind for GaSpec {
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        at.whole("population", self.population, 2..=MAX_PLAYERS)?;
        if self.tournament == 0 || self.tournament > self.population {
            let expected = format!("1 to {} = {}", at.key("population"), self.population);
            return Err(at.fault("tournament", self.tournament, expected));
        }
        if self.elite >= self.population {
            let expected = format!("fewer than {} = {}", at.key("population"), self.population);
            return Err(at.fault("elite", self.elite, expected));
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
        (self.population, self.tournament, self.elite) = (7, 3, self.elite.min(3));
    }

    fn sample() -> GaSpec {
        GaSpec {
            population: 31,
            tournament: 5,
            archive_parents: 0.2,
            crossover: Crossover::OnePoint,
            mutation: MutationSpec::sample(Noise::Gaussian, 0.03),
            selection: Selection::Tournament,
            elite: 0,
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

    /// A parent. Parents are ranked, with ties in random order, so the best of a tournament is the
    /// one with the lowest rank.
    fn choose<'a>(&self, parents: &'a [Judged<M>], rng: &mut Rng) -> &'a M {
        let rank = match self.spec.selection {
            Selection::Tournament => {
                let ranks = (0..self.spec.tournament).map(|_| rng.below(parents.len() as u32));
                ranks.min().expect("a tournament has members") as usize
            }
            Selection::Roulette => spin(parents, rng),
        };
        &parents[rank].candidate
    }
}

/// The rank at which a roulette wheel stops that has a pocket as wide as the fitness of each.
fn spin<M>(parents: &[Judged<M>], rng: &mut Rng) -> usize {
    let width = |judged: &Judged<M>| judged.fitness.max(0.0);
    let total: f64 = parents.iter().map(width).sum();
    if total <= 0.0 {
        return rng.below(parents.len() as u32) as usize;
    }
    let mut left = rng.unit() * total;
    let stops = |judged: &Judged<M>| {
        left -= width(judged);
        left < 0.0
    };
    // Rounding may leave a little: then it is the last that has a pocket.
    let last = parents.iter().rposition(|judged| judged.fitness > 0.0).unwrap_or(0);
    parents.iter().position(stops).unwrap_or(last)
}

impl<M: Candidate> Search<M> for Ga<M> {
    fn ask(&mut self, archive: &Archive<M>, rng: &mut Rng) -> Vec<M> {
        let parents = match &self.state {
            State::First(first) => return first.clone(),
            State::Parents(parents) => parents,
        };
        let mut offspring = Vec::with_capacity(self.spec.population + 1);
        offspring.extend(parents[..self.spec.elite].iter().map(|best| best.candidate.clone()));
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
            ..GaSpec::sample()
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
        let spec = GaSpec {
            population,
            tournament: 1,
            archive_parents,
            crossover,
            mutation,
            ..GaSpec::sample()
        };
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

    /// How often each of four candidates of this fitness becomes a parent, of 40,000.
    fn parents(fitness: [f64; 4], spec: &GaSpec) -> [u32; 4] {
        let wpc = |weight: usize| Wpc::new([weight as f32; 64]).unwrap();
        let mutation = MutationSpec { rate: 0.0, ..MutationSpec::sample(Noise::Gaussian, 0.0) };
        let (crossover, archive_parents) = (Crossover::None, 0.0);
        let population = 4;
        let spec = GaSpec { population, crossover, archive_parents, mutation, ..spec.clone() };
        let mut search = Ga::new(spec, (0..4).map(wpc).collect());
        let archive =
            Archive::new(&ArchiveSpec::Champions(ChampionsSpec { capacity: 0 }), Policy::default());
        let mut rng = Seed(5).at(Stream::Search, 0).rng();
        let asked = search.ask(&archive, &mut rng);
        search.tell(super::super::rank_by(asked, &fitness, &mut rng), &mut rng);
        let mut chosen = [0; 4];
        for _ in 0..10_000 {
            for child in search.ask(&archive, &mut rng) {
                chosen[child.params()[0] as usize] += 1;
            }
        }
        chosen
    }

    #[test]
    fn roulette_chooses_in_proportion_to_fitness() {
        let spec = GaSpec { selection: Selection::Roulette, ..GaSpec::sample() };
        for (fitness, shares) in [
            ([1.0, 2.0, 3.0, 4.0], [0.1, 0.2, 0.3, 0.4]),
            ([630.0, 640.0, 0.0, 650.0], [0.328_125, 0.333_333, 0.0, 0.338_542]),
            // Fitness below 0 is none, and if nobody has any, all have the same.
            ([-5.0, 1.0, -1.0, 3.0], [0.0, 0.25, 0.0, 0.75]),
            ([0.0; 4], [0.25; 4]),
            ([-1.0, -2.0, 0.0, -3.0], [0.25; 4]),
        ] {
            let chosen = parents(fitness, &spec);
            for (count, share) in chosen.into_iter().zip(shares) {
                let share: f64 = share;
                let error = (share * (1.0 - share) / 40_000.0).sqrt();
                let found = f64::from(count) / 40_000.0;
                assert!((found - share).abs() <= 4.0 * error + 1e-6, "{fitness:?}: {chosen:?}");
            }
        }
    }

    #[test]
    fn the_elite_is_in_every_generation_unchanged_and_the_rest_is_bred() {
        let wpc = |weight: usize| Wpc::new([weight as f32; 64]).unwrap();
        let mutation = MutationSpec { rate: 1.0, ..MutationSpec::sample(Noise::Step, 1.0) };
        let spec = GaSpec { population: 5, tournament: 1, elite: 2, mutation, ..GaSpec::sample() };
        let spec = GaSpec { crossover: Crossover::None, archive_parents: 0.0, ..spec };
        let mut search = Ga::new(spec, (0..5).map(wpc).collect());
        let archive =
            Archive::new(&ArchiveSpec::Champions(ChampionsSpec { capacity: 0 }), Policy::default());
        let mut rng = Seed(6).at(Stream::Search, 0).rng();
        let asked = search.ask(&archive, &mut rng);
        let ranked = super::super::rank_by(asked, &[1.0, 5.0, 2.0, 9.0, 0.0], &mut rng);
        search.tell(ranked, &mut rng);
        let next = search.ask(&archive, &mut rng);
        assert_eq!(next.len(), 5, "they are judged again, in place of offspring");
        let bits = |wpc: &Wpc| wpc.params().iter().map(|w| w.to_bits()).collect::<Vec<_>>();
        let [best, second] = [3, 1].map(|weight| bits(&wpc(weight)));
        assert_eq!([bits(&next[0]), bits(&next[1])], [best.clone(), second.clone()]);
        assert!(next[2..].iter().all(|child| ![&best, &second].contains(&&bits(child))));
    }
}
