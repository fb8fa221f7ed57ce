//! A single candidate, which only local learning changes.

use super::{Beginning, Judged, Search, SearchKind};
use crate::state::keeps;
use crate::{Archive, Candidate, Spec};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table};

table! {
/// No search: a single candidate.
pub struct StillSpec {}
}

impl SearchKind for StillSpec {
    fn check(&self, _: &KeyPath, _: &Spec) -> Result<(), Fault> {
        Ok(())
    }

    fn candidates(&self) -> usize {
        1
    }

    fn varies(&self) -> bool {
        false
    }

    fn shrink(&mut self) {}

    fn sample() -> StillSpec {
        StillSpec {}
    }

    fn build<M: Candidate>(&self, mut begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        Box::new(Still::new(begin.some(1)))
    }
}

/// The candidate.
pub struct Still<M>(Vec<M>);

impl<M> Still<M> {
    /// Starts from the first candidate.
    pub fn new(first: Vec<M>) -> Still<M> {
        Still(first)
    }
}

impl<M: Candidate> Search<M> for Still<M> {
    fn ask(&mut self, _archive: &Archive<M>, _rng: &mut Rng) -> Vec<M> {
        self.0.clone()
    }

    fn tell(&mut self, ranked: Vec<Judged<M>>, _rng: &mut Rng) {
        self.0 = ranked.into_iter().map(|judged| judged.candidate).collect();
    }

    keeps!(0);
}
