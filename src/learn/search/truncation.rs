//! Truncation selection: the best are copied with mutations, and the places of the others are taken by
//! fresh candidates. The tests of 2CEL-RS evolve so in the configuration that the authors of Jaśkowski
//! et al. 2013 published with later code; their paper has a (μ+λ) evolution strategy.

use super::{Judged, Search};
use crate::learn::{Archive, Candidate, TruncationSpec};
use crate::rng::Rng;

/// The population, best first, or as it was at the beginning.
pub struct Truncation<M> {
    spec: TruncationSpec,
    state: State<M>,
}

#[derive(serde::Serialize, serde::Deserialize)]
enum State<M> {
    First(Vec<M>),
    Elites(Vec<M>),
}

impl<M> Truncation<M> {
    /// Begins with this population.
    pub fn new(spec: TruncationSpec, first: Vec<M>) -> Truncation<M> {
        Truncation { spec, state: State::First(first) }
    }
}

impl<M: Candidate> Search<M> for Truncation<M> {
    fn ask(&mut self, _archive: &Archive<M>, rng: &mut Rng) -> Vec<M> {
        let TruncationSpec { population, fresh, mutation, .. } = &self.spec;
        let mut candidates = match &self.state {
            State::First(first) => return first.clone(),
            State::Elites(elites) => elites.clone(),
        };
        for elite in &mut candidates {
            elite.mutate(mutation, rng);
        }
        let any = candidates[0].clone();
        candidates.resize_with(*population, || {
            let mut newcomer = any.clone();
            for param in newcomer.params_mut() {
                *param = rng.uniform(-fresh, *fresh) as f32;
            }
            newcomer
        });
        candidates
    }

    fn tell(&mut self, ranked: Vec<Judged<M>>) {
        let best = ranked.into_iter().take(self.spec.elites);
        self.state = State::Elites(best.map(|judged| judged.candidate).collect());
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.state).expect("models can be written to memory")
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        self.state = postcard::from_bytes(saved)?;
        Ok(())
    }
}
