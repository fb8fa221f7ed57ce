//! The spatial perceptron: it has the keys of a perceptron, and a first layer with a node for each
//! square piece of the board.

use serde::{Deserialize, Serialize};

use super::{Copies, First, MlpSpec, ModelKind, Offer};
use crate::search::Breeds;
use outflank_game::model::Eyes;
use outflank_schema::{Fault, KeyPath, OriginName, Table, TableKey};

/// A perceptron with a spatial first layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SpatialSpec(pub MlpSpec);

impl Table for SpatialSpec {
    const KEYS: &'static [TableKey] = MlpSpec::KEYS;
}

impl ModelKind for SpatialSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        self.0.check(at)
    }

    fn start(&self) -> f64 {
        self.0.start
    }

    fn first(&self) -> First {
        self.0.first
    }

    fn from(&self) -> &OriginName {
        &self.0.from
    }

    fn origin_mut(&mut self) -> &mut OriginName {
        &mut self.0.from
    }

    fn copies(&self) -> Copies {
        self.0.copies
    }

    fn params(&self) -> u64 {
        self.0.layers(Eyes::Pieces).params() as u64
    }

    /// It has two kinds of neurons, which cannot replace each other.
    fn offers(&self, breeds: Breeds) -> Offer {
        match breeds {
            Breeds::Parameters | Breeds::Places => Offer::Yes,
            Breeds::Neurons | Breeds::Graphs => Offer::No,
        }
    }

    fn learns_online(&self) -> bool {
        self.0.learns_online()
    }

    fn shrink(&mut self) {
        self.0.shrink();
    }

    fn sample() -> SpatialSpec {
        SpatialSpec(MlpSpec::sample())
    }
}
