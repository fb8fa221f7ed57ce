//! How candidates are proposed and replaced. A search is asked for candidates and told what they
//! turned out to be worth; it gets them back as they were judged, so that what local learning did to
//! them is inherited.

mod es;
mod ga;
mod still;
mod truncation;

use serde::{Deserialize, Serialize};

use super::{Archive, Candidate, SearchSpec};
use crate::rng::Rng;

/// A candidate and its fitness; higher is better.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judged<M> {
    /// As it was judged.
    pub candidate: M,
    /// What it is worth.
    pub fitness: f64,
}

/// A way to propose candidates.
pub trait Search<M>: Send {
    /// Proposes the candidates of a generation.
    fn ask(&mut self, archive: &Archive<M>, rng: &mut Rng) -> Vec<M>;
    /// Takes them back, judged, best first; the fitter stands before the less fit, equals in random
    /// order.
    fn tell(&mut self, ranked: Vec<Judged<M>>);
    /// Everything needed to go on, as bytes.
    fn save(&self) -> Vec<u8>;
    /// Takes up what [`Search::save`] gave for the same spec.
    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error>;
}

impl SearchSpec {
    /// The search, with candidates made by `first` to begin with.
    pub fn build<M: Candidate>(&self, mut first: impl FnMut() -> M) -> Box<dyn Search<M>> {
        let mut some = |n: usize| (0..n).map(|_| first()).collect::<Vec<M>>();
        match self {
            SearchSpec::Still(_) => Box::new(still::Still::new(some(1))),
            SearchSpec::Es(spec) => Box::new(es::Es::new(spec.clone(), some(spec.mu))),
            SearchSpec::Ga(spec) => Box::new(ga::Ga::new(spec.clone(), some(spec.population))),
            SearchSpec::Truncation(spec) => {
                Box::new(truncation::Truncation::new(spec.clone(), some(spec.population)))
            }
        }
    }

    /// Candidates in a generation.
    pub fn candidates(&self) -> usize {
        match self {
            SearchSpec::Still(_) => 1,
            SearchSpec::Es(es) => es.mu.saturating_add(es.lambda),
            SearchSpec::Ga(ga) => ga.population,
            SearchSpec::Truncation(truncation) => truncation.population,
        }
    }
}

/// Ranks candidates, best first, equals in random order.
pub fn rank<M>(candidates: Vec<M>, fitness: &[f64], rng: &mut Rng) -> Vec<Judged<M>> {
    let mut ranked: Vec<(Judged<M>, u64)> = candidates
        .into_iter()
        .zip(fitness)
        .map(|(candidate, &fitness)| (Judged { candidate, fitness }, rng.bits()))
        .collect();
    ranked.sort_by(|(a, at), (b, bt)| b.fitness.total_cmp(&a.fitness).then(at.cmp(bt)));
    ranked.into_iter().map(|(judged, _)| judged).collect()
}

#[cfg(test)]
mod tests;
