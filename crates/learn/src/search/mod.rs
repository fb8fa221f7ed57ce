//! The axis `search`: how candidates are proposed and replaced. A search is asked for candidates
//! and gets them back with their fitness, as they were after local learning, so that what they
//! learned is inherited.
//!
//! A value is a file here (its table, limits, size, tests and algorithm), a line in the axis and
//! one in [`SearchSpec::build`].

mod adaptive;
mod anji;
mod es;
mod esp;
mod ga;
mod genome;
mod mopso;
mod mutation;
mod neat;
mod pso;
mod sane;
mod species;
mod still;
mod swarm;
mod truncation;

use std::any::Any;

use serde::{Deserialize, Serialize};

pub use adaptive::AdaptiveSpec;
pub use anji::{AnjiSpec, Representative};
pub use es::EsSpec;
pub use esp::{Deal, EspSpec, Mate, Stagnant};
pub use ga::{GaSpec, Selection};
pub use mopso::{MopsoSpec, Sigma};
pub use mutation::{Beyond, Crossover, MutationSpec, Noise};
pub use neat::NeatSpec;
pub use pso::PsoSpec;
pub use sane::{Heirs, Partner, SaneSpec};
pub use still::StillSpec;
pub use swarm::{Draws, FlightSpec};
pub use truncation::TruncationSpec;

use super::objective::Judgement;
use super::{Archive, Candidate, ModelSpec, Spec, Unreadable};
use outflank_kernel::rng::{Rng, Seed, Stream};
use outflank_schema::{Fault, KeyPath, axis};

axis! {
/// The axis `search`.
pub enum SearchSpec: SearchKind {
    /// No search: a single candidate, which only local learning changes.
    Still(StillSpec) = "still",
    /// A (mu + lambda) evolution strategy.
    Es(EsSpec) = "es",
    /// The same with a step size for each parameter, which evolves too (Fogel 2002).
    Adaptive(AdaptiveSpec) = "es-adaptive",
    /// A generational genetic algorithm.
    Ga(GaSpec) = "ga",
    /// Truncation selection: the best survive as mutated copies, and new random candidates replace
    /// the rest.
    Truncation(TruncationSpec) = "truncation",
    /// Particle swarm optimisation: each candidate is a particle, drawn to its own best position
    /// and to the best of all (Clerc & Kennedy 2002).
    Pso(PsoSpec) = "pso",
    /// The same for several objectives, with an archive of nondominated positions and the sigma
    /// method (Mostaghim & Teich 2003).
    Mopso(MopsoSpec) = "mopso",
    /// SANE: neurons evolve, and blueprints say which of them form a network (Moriarty &
    /// Miikkulainen 1996).
    Sane(SaneSpec) = "sane",
    /// ESP: a subpopulation of neurons for each place in the hidden layer (Gomez & Miikkulainen
    /// 1999).
    Esp(EspSpec) = "esp",
    /// NEAT as in the program ANJI: networks grow and shrink, grouped into species.
    Anji(AnjiSpec) = "neat-anji",
    /// NEAT as in Stanley & Miikkulainen 2002: networks only grow, grouped into species.
    Neat(NeatSpec) = "neat-canonical",
}
}

impl SearchSpec {
    /// Prepares the search.
    pub fn build<M: Candidate>(&self, begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        match self {
            SearchSpec::Still(spec) => spec.build(begin),
            SearchSpec::Es(spec) => spec.build(begin),
            SearchSpec::Adaptive(spec) => spec.build(begin),
            SearchSpec::Ga(spec) => spec.build(begin),
            SearchSpec::Truncation(spec) => spec.build(begin),
            SearchSpec::Pso(spec) => spec.build(begin),
            SearchSpec::Mopso(spec) => spec.build(begin),
            SearchSpec::Sane(spec) => spec.build(begin),
            SearchSpec::Esp(spec) => spec.build(begin),
            SearchSpec::Anji(spec) => spec.build(begin),
            SearchSpec::Neat(spec) => spec.build(begin),
        }
    }
}

/// A kind of search, as a spec describes it.
pub trait SearchKind {
    /// Checks its keys, also against those of other axes. The caller checks `mutation`, and whether
    /// initial parameters are within the bounds.
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault>;

    /// Candidates in a generation.
    fn candidates(&self) -> usize;

    /// What it breeds.
    fn breeds(&self) -> Breeds {
        Breeds::Parameters
    }

    /// Its table `mutation`, if it has one.
    fn mutation(&self) -> Option<&MutationSpec> {
        None
    }

    /// The interval in which it keeps parameters, and its key; by default that of the mutation.
    fn bounds(&self) -> Option<(&'static str, [f64; 2])> {
        self.mutation().map(|mutation| ("mutation.bounds", mutation.bounds))
    }

    /// Whether candidates differ from those of the generation before.
    fn varies(&self) -> bool {
        true
    }

    /// Whether selection brings its candidates closer to an optimum.
    fn climbs(&self) -> bool {
        self.varies() && !self.needs_objectives()
    }

    /// Whether it needs several objectives, and does nothing with one number.
    fn needs_objectives(&self) -> bool {
        false
    }

    /// Probability that a parent comes from the archive.
    fn archive_parents(&self) -> f64 {
        0.0
    }

    /// The names of its statistics.
    fn statistics(&self) -> &'static [&'static str] {
        &[]
    }

    /// Makes it small, for the signature that every run records: a few candidates.
    fn shrink(&mut self);

    /// A small one, for tests of all kinds.
    fn sample() -> Self
    where
        Self: Sized;

    /// Prepares the search.
    fn build<M: Candidate>(&self, begin: Beginning<'_, M>) -> Box<dyn Search<M>>
    where
        Self: Sized;
}

/// What a search breeds; a model must offer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breeds {
    /// Single parameters: every model has them.
    Parameters,
    /// Parameters by position, so that those of several candidates are combined: models with a
    /// fixed number of parameters.
    Places,
    /// Hidden neurons. Networks are not inherited as a whole, so what they learn is lost.
    Neurons,
    /// Genomes of networks that grow.
    Graphs,
}

/// What a search starts from: candidates that are made for it.
pub struct Beginning<'a, M> {
    /// The model.
    pub model: &'a ModelSpec,
    /// How far from 0 initial parameters are; their distribution is the model's.
    pub start: f64,
    /// Makes a candidate.
    pub first: &'a mut dyn FnMut() -> M,
}

impl<M: Candidate> Beginning<'_, M> {
    /// Makes a candidate.
    pub fn one(&mut self) -> M {
        (self.first)()
    }

    /// Makes several candidates.
    pub fn some(&mut self, count: usize) -> Vec<M> {
        (0..count).map(|_| self.one()).collect()
    }

    /// Builds a search that works with one type of model only. [`Spec::check`] refuses models that
    /// the search cannot breed.
    pub fn of_type<T: Candidate>(
        self,
        build: impl FnOnce(Beginning<'_, T>) -> Box<dyn Search<T>>,
    ) -> Box<dyn Search<M>> {
        let unsuited = "a checked spec has no search that its model does not suit";
        let mut first = || {
            let any: Box<dyn Any> = Box::new((self.first)());
            *any.downcast::<T>().expect(unsuited)
        };
        let begin = Beginning { model: self.model, start: self.start, first: &mut first };
        let any: Box<dyn Any> = Box::new(build(begin));
        *any.downcast::<Box<dyn Search<M>>>().expect(unsuited)
    }
}

/// A candidate and its fitness.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judged<M> {
    /// The candidate, as it was evaluated.
    pub candidate: M,
    /// Fitness as one number; higher is better.
    pub fitness: f64,
    /// The value of each objective, if there are several; higher is better.
    pub objectives: Box<[f64]>,
    /// Its index among the candidates proposed.
    #[serde(skip)]
    pub index: usize,
}

/// A way to propose candidates.
pub trait Search<M>: Send {
    /// Proposes the candidates of a generation.
    fn ask(&mut self, archive: &Archive<M>, rng: &mut Rng) -> Vec<M>;

    /// Takes them back with their fitness, best first; ties are in random order.
    fn tell(&mut self, ranked: Vec<Judged<M>>, rng: &mut Rng);

    /// Its champion, if that is not the best candidate of the last generation.
    fn champion(&self) -> Option<&M> {
        None
    }

    /// The front it has found, if it keeps one; otherwise that of the last generation is used.
    fn front(&self) -> Option<&[Judged<M>]> {
        None
    }

    /// Its statistics, by name; see [`SearchKind::statistics`].
    fn statistics(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The state as bytes.
    fn save(&self) -> Vec<u8>;

    /// Restores what [`Search::save`] returned for the same spec.
    fn restore(&mut self, saved: &[u8]) -> Result<(), Unreadable>;
}

/// Restores the state of a search, unless that search proposes another number of candidates.
pub fn restore<M>(
    search: &mut dyn Search<M>,
    saved: &[u8],
    archive: &Archive<M>,
    candidates: usize,
) -> Result<(), Unreadable> {
    search.restore(saved)?;
    // Asking changes the state, so it is restored once more.
    let asked = search.ask(archive, &mut Seed(0).at(Stream::Search, 0).rng()).len();
    if asked != candidates {
        return Err(Unreadable(format!("a search of {asked} candidates, expected {candidates}")));
    }
    search.restore(saved)
}

/// Ranks candidates, best first, with ties in random order.
pub fn rank<M>(candidates: Vec<M>, judgements: Vec<Judgement>, rng: &mut Rng) -> Vec<Judged<M>> {
    let mut ranked: Vec<(Judged<M>, u64)> = candidates
        .into_iter()
        .zip(judgements)
        .enumerate()
        .map(|(index, (candidate, Judgement { fitness, objectives }))| {
            (Judged { candidate, fitness, objectives, index }, rng.bits())
        })
        .collect();
    ranked.sort_by(|(a, at), (b, bt)| b.fitness.total_cmp(&a.fitness).then(at.cmp(bt)));
    ranked.into_iter().map(|(judged, _)| judged).collect()
}

/// Ranks candidates by one number each.
#[cfg(test)]
fn rank_by<M>(candidates: Vec<M>, fitness: &[f64], rng: &mut Rng) -> Vec<Judged<M>> {
    rank(candidates, fitness.iter().copied().map(Judgement::of).collect(), rng)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_networks;
