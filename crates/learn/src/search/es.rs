//! The (μ+λ) evolution strategy of Jaśkowski et al. 2013, section 4: parents and offspring are
//! evaluated together, again in each generation, and the best μ become parents.

use super::{Beginning, Judged, MutationSpec, Noise, Search, SearchKind};
use crate::limits::MAX_PLAYERS;
use crate::state::keeps;
use crate::{Archive, Candidate, Spec};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table};

table! {
/// (mu + lambda) evolution strategy.
pub struct EsSpec {
    /// Number of parents: the best of each generation.
    pub mu: usize,
    /// Offspring in each generation; the k-th has the parent with rank k modulo mu.
    pub lambda: usize,
    /// How an offspring differs from its parent.
    pub mutation: MutationSpec,
}
}

impl SearchKind for EsSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        at.whole("mu", self.mu, 1..=MAX_PLAYERS)?;
        at.whole("lambda", self.lambda, 1..=MAX_PLAYERS)?;
        if self.candidates() as u64 > MAX_PLAYERS {
            let expected =
                format!("at most {MAX_PLAYERS} candidates with {} = {}", at.key("mu"), self.mu);
            return Err(at.fault("lambda", self.lambda, expected));
        }
        Ok(())
    }

    fn candidates(&self) -> usize {
        self.mu.saturating_add(self.lambda)
    }

    fn mutation(&self) -> Option<&MutationSpec> {
        Some(&self.mutation)
    }

    fn shrink(&mut self) {
        (self.mu, self.lambda) = (4, 3);
    }

    fn sample() -> EsSpec {
        EsSpec { mu: 13, lambda: 12, mutation: MutationSpec::sample(Noise::Uniform, 1.0) }
    }

    fn build<M: Candidate>(&self, mut begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        Box::new(Es::new(self.clone(), begin.some(self.mu)))
    }
}

/// The parents, best first.
pub struct Es<M> {
    spec: EsSpec,
    parents: Vec<M>,
}

impl<M> Es<M> {
    /// Starts from these parents. They breed at once, so that the first generation is complete.
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

    fn tell(&mut self, ranked: Vec<Judged<M>>, _rng: &mut Rng) {
        let best = ranked.into_iter().take(self.spec.mu);
        self.parents = best.map(|judged| judged.candidate).collect();
    }

    keeps!(parents);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArchiveSpec, NoArchiveSpec};
    use outflank_game::model::{Model, Wpc};
    use outflank_game::player::Policy;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn the_best_of_parents_and_offspring_become_parents_as_they_are() {
        let mutation = MutationSpec::sample(Noise::Uniform, 1.0);
        let wpc = |weight: f32| Wpc::new([weight; 64]).unwrap();
        let mut es = Es::new(EsSpec { mu: 2, lambda: 3, mutation }, vec![wpc(0.5), wpc(-0.5)]);
        let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
        let mut rng = Seed(1).at(Stream::Search, 0).rng();
        let bits = |wpc: &Wpc| wpc.params().iter().map(|w| w.to_bits()).collect::<Vec<_>>();
        let asked: Vec<Vec<u32>> = es.ask(&archive, &mut rng).iter().map(&bits).collect();
        assert_eq!(asked[..2], [bits(&wpc(0.5)), bits(&wpc(-0.5))], "parents are judged again");
        assert!(asked[2..].iter().all(|child| !asked[..2].contains(child)));
        // A parent and an offspring are best: both are parents in the next generation, unchanged.
        let candidates = es.ask(&archive, &mut Seed(1).at(Stream::Search, 0).rng());
        let worth = [4.0, 1.0, 2.0, 9.0, 3.0];
        es.tell(super::super::rank_by(candidates, &worth, &mut rng), &mut rng);
        let next: Vec<Vec<u32>> = es.ask(&archive, &mut rng).iter().map(bits).collect();
        assert_eq!(next[..2], [asked[3].clone(), asked[0].clone()]);
    }
}
