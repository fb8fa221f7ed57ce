//! The (μ+λ) evolution strategy of Jaśkowski et al. 2013, section 4: parents and offspring are judged
//! together, anew in each generation, and the best μ become parents.

use super::{Judged, Search};
use crate::learn::{Archive, Candidate, EsSpec};
use crate::rng::Rng;

/// The parents, best first.
pub struct Es<M> {
    spec: EsSpec,
    parents: Vec<M>,
}

impl<M> Es<M> {
    /// Begins with these parents; they breed at once, so that the first generation is a full one.
    pub fn new(spec: EsSpec, parents: Vec<M>) -> Es<M> {
        Es { spec, parents }
    }
}

impl<M: Candidate> Search<M> for Es<M> {
    fn ask(&mut self, _archive: &Archive<M>, rng: &mut Rng) -> Vec<M> {
        let mut candidates = self.parents.clone();
        candidates.extend(self.parents.iter().cycle().take(self.spec.lambda).map(|parent| {
            let mut child = parent.clone();
            child.mutate(&self.spec.mutation, rng);
            child
        }));
        candidates
    }

    fn tell(&mut self, ranked: Vec<Judged<M>>) {
        let best = ranked.into_iter().take(self.spec.mu);
        self.parents = best.map(|judged| judged.candidate).collect();
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.parents).expect("models can be written to memory")
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        self.parents = postcard::from_bytes(saved)?;
        Ok(())
    }
}
