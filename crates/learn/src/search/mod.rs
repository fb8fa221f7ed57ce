//! The axis `search`: how candidates are proposed and replaced. A search is asked for candidates and
//! told what they turned out to be worth; it gets them back as they were judged, so that what local
//! learning did to them is inherited.
//!
//! A value is a file here (its table, limits, size, tests and algorithm), a line in the axis and one in
//! [`SearchSpec::build`].

mod anji;
mod es;
mod esp;
mod ga;
mod genome;
mod mutation;
mod neat;
mod sane;
mod species;
mod still;
mod truncation;

use std::any::Any;

use serde::{Deserialize, Serialize};

pub use anji::{AnjiSpec, Representative};
pub use es::EsSpec;
pub use esp::EspSpec;
pub use ga::GaSpec;
pub use mutation::{Crossover, MutationSpec, Noise};
pub use neat::NeatSpec;
pub use sane::SaneSpec;
pub use still::StillSpec;
pub use truncation::TruncationSpec;

use super::objective::Judgement;
use super::{Archive, Candidate, ModelSpec, Spec, Unreadable};
use outflank_kernel::rng::{Rng, Seed, Stream};
use outflank_schema::{Fault, KeyPath, axis};

axis! {
/// The axis `search`.
pub enum SearchSpec: SearchKind {
    /// One candidate, never varied.
    Still(StillSpec) = "still",
    /// (mu + lambda) evolution strategy.
    Es(EsSpec) = "es",
    /// Generational genetic algorithm.
    Ga(GaSpec) = "ga",
    /// The best with mutations, and fresh candidates.
    Truncation(TruncationSpec) = "truncation",
    /// Neurons and blueprints of networks (Moriarty & Miikkulainen 1996).
    Sane(SaneSpec) = "sane",
    /// A subpopulation of neurons for each place of a network (Gomez & Miikkulainen 1999).
    Esp(EspSpec) = "esp",
    /// Growing networks in species, as the program ANJI does it.
    Anji(AnjiSpec) = "neat-anji",
    /// Growing networks in species, as Stanley & Miikkulainen 2002 describe it.
    Neat(NeatSpec) = "neat-canonical",
}
}

impl SearchSpec {
    /// The search at its beginning.
    pub fn build<M: Candidate>(&self, begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        match self {
            SearchSpec::Still(spec) => spec.build(begin),
            SearchSpec::Es(spec) => spec.build(begin),
            SearchSpec::Ga(spec) => spec.build(begin),
            SearchSpec::Truncation(spec) => spec.build(begin),
            SearchSpec::Sane(spec) => spec.build(begin),
            SearchSpec::Esp(spec) => spec.build(begin),
            SearchSpec::Anji(spec) => spec.build(begin),
            SearchSpec::Neat(spec) => spec.build(begin),
        }
    }
}

/// What is asked of a search before there is one.
pub trait SearchKind {
    /// Says what is wrong with its keys, also beside those of other axes. What is in `mutation`, and
    /// whether bounds go with where parameters start, is looked at elsewhere.
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault>;

    /// Candidates in a generation.
    fn candidates(&self) -> usize;

    /// What it breeds of models.
    fn breeds(&self) -> Breeds {
        Breeds::Parameters
    }

    /// How parameters mutate, if it has such a table.
    fn mutation(&self) -> Option<&MutationSpec> {
        None
    }

    /// The interval in which it keeps parameters, and its key; that of mutation, if there is no other.
    fn bounds(&self) -> Option<(&'static str, [f64; 2])> {
        self.mutation().map(|mutation| ("mutation.bounds", mutation.bounds))
    }

    /// Whether candidates differ from those of the generation before.
    fn varies(&self) -> bool {
        true
    }

    /// Whether it comes nearer to a point by choosing among its candidates.
    fn climbs(&self) -> bool {
        self.varies()
    }

    /// Probability that a parent comes from the archive.
    fn archive_parents(&self) -> f64 {
        0.0
    }

    /// The statistics it tells of itself, by name.
    fn statistics(&self) -> &'static [&'static str] {
        &[]
    }

    /// Makes it small, for the stamp that every run has: a few candidates.
    fn shrink(&mut self);

    /// A small one, for tests of what all keep.
    fn sample() -> Self
    where
        Self: Sized;

    /// The search at its beginning.
    fn build<M: Candidate>(&self, begin: Beginning<'_, M>) -> Box<dyn Search<M>>
    where
        Self: Sized;
}

/// What a search breeds; a model must offer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breeds {
    /// Parameters, each by itself: every model has them.
    Parameters,
    /// Parameters place by place, so that those of several candidates meet: models of one length.
    Places,
    /// Hidden neurons. It takes no network back whole, so that nothing is inherited of what one learns.
    Neurons,
    /// Genomes of networks that grow.
    Graphs,
}

/// What a search begins with: candidates that are made for it.
pub struct Beginning<'a, M> {
    /// The model.
    pub model: &'a ModelSpec,
    /// First parameters are uniform within this distance of 0.
    pub start: f64,
    /// Makes a candidate.
    pub first: &'a mut dyn FnMut() -> M,
}

impl<M: Candidate> Beginning<'_, M> {
    /// A candidate.
    pub fn one(&mut self) -> M {
        (self.first)()
    }

    /// Some candidates.
    pub fn some(&mut self, count: usize) -> Vec<M> {
        (0..count).map(|_| self.one()).collect()
    }

    /// A search over models of one type, for models of that type. [`Spec::check`] refuses others, which
    /// do not offer what the search breeds.
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

/// A candidate and what it is worth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judged<M> {
    /// As it was judged.
    pub candidate: M,
    /// One number for all; higher is better.
    pub fitness: f64,
    /// What it did in each objective, higher is better, if there are several.
    pub objectives: Box<[f64]>,
    /// Its place among the candidates proposed.
    #[serde(skip)]
    pub index: usize,
}

/// A way to propose candidates.
pub trait Search<M>: Send {
    /// Proposes the candidates of a generation.
    fn ask(&mut self, archive: &Archive<M>, rng: &mut Rng) -> Vec<M>;

    /// Takes them back, judged, best first; the fitter stands before the less fit, equals in random
    /// order.
    fn tell(&mut self, ranked: Vec<Judged<M>>, rng: &mut Rng);

    /// The front it has found, if it keeps one; else it is that of the last generation.
    fn front(&self) -> Option<&[Judged<M>]> {
        None
    }

    /// What it can tell of itself, by name: see [`SearchKind::statistics`].
    fn statistics(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Everything needed to go on, as bytes.
    fn save(&self) -> Vec<u8>;

    /// Takes up what [`Search::save`] gave for the same spec.
    fn restore(&mut self, saved: &[u8]) -> Result<(), Unreadable>;
}

/// Takes up what a search saved, unless it is the state of one that proposes another number of candidates.
pub fn restore<M>(
    search: &mut dyn Search<M>,
    saved: &[u8],
    archive: &Archive<M>,
    candidates: usize,
) -> Result<(), Unreadable> {
    search.restore(saved)?;
    // Asking changes it, so that it is restored once more.
    let asked = search.ask(archive, &mut Seed(0).at(Stream::Search, 0).rng()).len();
    if asked != candidates {
        return Err(Unreadable(format!("a search of {asked} candidates, expected {candidates}")));
    }
    search.restore(saved)
}

/// Ranks candidates, best first, equals in random order.
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

/// Ranks candidates by numbers alone.
#[cfg(test)]
fn rank_by<M>(candidates: Vec<M>, fitness: &[f64], rng: &mut Rng) -> Vec<Judged<M>> {
    rank(candidates, fitness.iter().copied().map(Judgement::of).collect(), rng)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_networks;
