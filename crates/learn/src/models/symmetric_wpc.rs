//! The symmetric weighted piece counter as a model.

use std::sync::Arc;

use super::{Copies, First, ModelKind, ModelSpec, Offer};
use crate::search::Breeds;
use crate::{Candidate, LearnError};
use outflank_game::model::{Model, ModelFile, ModelName, SymmetricWpc};
use outflank_game::player::Brain;
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, OriginName, table};

table! {
/// A symmetric weighted piece counter.
pub struct SymmetricWpcSpec {
    /// Initial weights are uniform in [-start, start], unless `first` says otherwise; 0 for all
    /// zero.
    pub start: f64,
    /// Distribution of the initial weights.
    pub first: First = First::Uniform,
    /// Player whose parameters candidates start from: a name, a file, a run (its champion), or a
    /// study (the champion of the run with the same seed); of the same shape. Empty for random
    /// parameters.
    pub from: OriginName = OriginName::default(),
    /// How the first candidates differ from that player.
    pub copies: Copies = Copies::Exact,
}
}

impl ModelKind for SymmetricWpcSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.number("start", self.start, 0.0..=MAX_NUMBER)
    }

    fn start(&self) -> f64 {
        self.start
    }

    fn first(&self) -> First {
        self.first
    }

    fn from(&self) -> &OriginName {
        &self.from
    }

    fn origin_mut(&mut self) -> &mut OriginName {
        &mut self.from
    }

    fn copies(&self) -> Copies {
        self.copies
    }

    fn params(&self) -> u64 {
        10
    }

    fn offers(&self, breeds: Breeds) -> Offer {
        match breeds {
            Breeds::Parameters | Breeds::Places => Offer::Yes,
            Breeds::Neurons | Breeds::Graphs => Offer::No,
        }
    }

    fn is_network(&self) -> bool {
        false
    }

    fn learns_online(&self) -> bool {
        true
    }

    fn shrink(&mut self) {}

    fn sample() -> SymmetricWpcSpec {
        let from = OriginName::default();
        SymmetricWpcSpec { start: 0.1, first: First::Uniform, from, copies: Copies::Exact }
    }
}

impl Candidate for SymmetricWpc {
    fn first(spec: &ModelSpec, start: f64, rng: &mut Rng) -> Result<SymmetricWpc, LearnError> {
        Ok(SymmetricWpc::drawn(|| spec.first().draw(start, rng)))
    }

    fn read(file: &ModelFile) -> Result<SymmetricWpc, String> {
        match file.kind {
            ModelName::Wpc => SymmetricWpc::read(file),
            other => Err(format!("it is {}", other.in_words())),
        }
    }

    fn shape(&self) -> String {
        format!("a symmetric weighted piece counter ({} weights)", self.params().len())
    }

    /// It plays in the batch kernel.
    fn brain(&self) -> Brain {
        Brain::Wpc(Arc::new(self.wpc()))
    }
}
