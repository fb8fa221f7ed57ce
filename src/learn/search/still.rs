//! One candidate that is never varied: what changes it is local learning alone.

use super::{Judged, Search};
use crate::learn::{Archive, Candidate};
use crate::rng::Rng;

/// The candidate.
pub struct Still<M>(Vec<M>);

impl<M> Still<M> {
    /// Stands still at the first candidate.
    pub fn new(first: Vec<M>) -> Still<M> {
        Still(first)
    }
}

impl<M: Candidate> Search<M> for Still<M> {
    fn ask(&mut self, _archive: &Archive<M>, _rng: &mut Rng) -> Vec<M> {
        self.0.clone()
    }

    fn tell(&mut self, ranked: Vec<Judged<M>>) {
        self.0 = ranked.into_iter().map(|judged| judged.candidate).collect();
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.0).expect("a model can be written to memory")
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        self.0 = postcard::from_bytes(saved)?;
        Ok(())
    }
}
