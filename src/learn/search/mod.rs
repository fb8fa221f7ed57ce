//! How candidates are proposed and replaced. A search is asked for candidates and told what they
//! turned out to be worth; it gets them back as they were judged, so that what local learning did to
//! them is inherited.

mod anji;
mod es;
mod esp;
mod ga;
mod genome;
mod neat;
mod sane;
mod species;
mod still;
mod truncation;

use serde::{Deserialize, Serialize};

use super::{Archive, Candidate, SearchSpec};
use crate::model::{Graph, Mlp};
use crate::rng::Rng;

/// A candidate and its fitness; higher is better.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judged<M> {
    /// As it was judged.
    pub candidate: M,
    /// What it is worth.
    pub fitness: f64,
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
    fn tell(&mut self, ranked: Vec<Judged<M>>);
    /// How many species there are, if it has any.
    fn species(&self) -> Option<usize> {
        None
    }
    /// Everything needed to go on, as bytes.
    fn save(&self) -> Vec<u8>;
    /// Takes up what [`Search::save`] gave for the same spec.
    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error>;
}

impl SearchSpec {
    /// The search, with candidates made by `first` to begin with: one that any model can have. Those that ask more of a
    /// model are made by [`Candidate::search`].
    pub fn build<M: Candidate>(&self, first: &mut dyn FnMut() -> M) -> Box<dyn Search<M>> {
        let mut some = |n: usize| (0..n).map(|_| first()).collect::<Vec<M>>();
        match self {
            SearchSpec::Still(_) => Box::new(still::Still::new(some(1))),
            SearchSpec::Es(spec) => Box::new(es::Es::new(spec.clone(), some(spec.mu))),
            SearchSpec::Ga(spec) => Box::new(ga::Ga::new(spec.clone(), some(spec.population))),
            SearchSpec::Truncation(spec) => {
                Box::new(truncation::Truncation::new(spec.clone(), some(spec.population)))
            }
            SearchSpec::Sane(_)
            | SearchSpec::Esp(_)
            | SearchSpec::Anji(_)
            | SearchSpec::Neat(_) => {
                unreachable!("a checked spec has no such search for this model")
            }
        }
    }

    /// A search over neurons or any other over perceptrons.
    pub fn of_perceptrons(
        &self,
        start: f64,
        first: &mut dyn FnMut() -> Mlp,
    ) -> Box<dyn Search<Mlp>> {
        match self {
            SearchSpec::Sane(spec) => Box::new(sane::Sane::new(spec.clone(), first)),
            SearchSpec::Esp(spec) => Box::new(esp::Esp::new(spec.clone(), start, first)),
            other => other.build(first),
        }
    }

    /// A search over growing networks or any other over graphs.
    pub fn of_graphs(
        &self,
        bias: bool,
        first: &mut dyn FnMut() -> Graph,
    ) -> Box<dyn Search<Graph>> {
        let mut some = |n: usize| (0..n).map(|_| first()).collect::<Vec<Graph>>();
        match self {
            SearchSpec::Anji(spec) => {
                Box::new(anji::Anji::new(spec.clone(), bias, some(spec.population)))
            }
            SearchSpec::Neat(spec) => {
                Box::new(neat::Neat::new(spec.clone(), bias, some(spec.population)))
            }
            other => other.build(first),
        }
    }

    /// Candidates in a generation.
    pub fn candidates(&self) -> usize {
        match self {
            SearchSpec::Still(_) => 1,
            SearchSpec::Es(es) => es.mu.saturating_add(es.lambda),
            SearchSpec::Ga(ga) => ga.population,
            SearchSpec::Truncation(truncation) => truncation.population,
            SearchSpec::Sane(sane) => sane.networks,
            SearchSpec::Esp(esp) => esp.networks,
            SearchSpec::Anji(anji) => anji.population,
            SearchSpec::Neat(neat) => neat.population,
        }
    }
}

/// Ranks candidates, best first, equals in random order.
pub fn rank<M>(candidates: Vec<M>, fitness: &[f64], rng: &mut Rng) -> Vec<Judged<M>> {
    let mut ranked: Vec<(Judged<M>, u64)> = candidates
        .into_iter()
        .zip(fitness)
        .enumerate()
        .map(|(index, (candidate, &fitness))| (Judged { candidate, fitness, index }, rng.bits()))
        .collect();
    ranked.sort_by(|(a, at), (b, bt)| b.fitness.total_cmp(&a.fitness).then(at.cmp(bt)));
    ranked.into_iter().map(|(judged, _)| judged).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_networks;
