//! The axis `model`: what evaluates a board. A value is a file here (its table, limits, size, and
//! how it learns), a line below and, for its type, one in `with_model!`. What it computes is in
//! `outflank_game::model`.

mod graph;
mod mlp;
mod spatial;
mod symmetric_wpc;
mod words;
mod wpc;

pub use graph::GraphSpec;
pub use mlp::MlpSpec;
pub use spatial::SpatialSpec;
pub use symmetric_wpc::SymmetricWpcSpec;
pub use words::{Activation, Copies, Eye, First};
pub use wpc::WpcSpec;

use super::search::Breeds;
use outflank_schema::{Fault, KeyPath, OriginName, axis};

axis! {
/// The axis `model`.
pub enum ModelSpec: ModelKind {
    /// A weighted piece counter (WPC): one weight for each square.
    Wpc(WpcSpec) = "wpc",
    /// A multilayer perceptron (MLP).
    Mlp(MlpSpec) = "mlp",
    /// An MLP whose first layer has a node for each of the 91 square pieces of the board (Chong et
    /// al. 2005).
    Spatial(SpatialSpec) = "spatial",
    /// A network of any feed-forward topology, for NEAT.
    Graph(GraphSpec) = "graph",
    /// A WPC with ten weights: squares that a symmetry of the board maps to each other share one.
    SymmetricWpc(SymmetricWpcSpec) = "symmetric-wpc",
}
}

/// Evaluates an expression with the type of the models of a spec.
macro_rules! with_model {
    ($spec:expr, $model:ident => $body:expr) => {
        match &$spec {
            $crate::ModelSpec::Wpc(_) => {
                type $model = outflank_game::model::Wpc;
                $body
            }
            $crate::ModelSpec::Mlp(_) | $crate::ModelSpec::Spatial(_) => {
                type $model = outflank_game::model::Mlp;
                $body
            }
            $crate::ModelSpec::Graph(_) => {
                type $model = outflank_game::model::Graph;
                $body
            }
            $crate::ModelSpec::SymmetricWpc(_) => {
                type $model = outflank_game::model::SymmetricWpc;
                $body
            }
        }
    };
}
pub(super) use with_model;

/// A kind of model, as a spec describes it.
pub trait ModelKind {
    /// Checks its keys.
    fn check(&self, at: &KeyPath) -> Result<(), Fault>;

    /// How far from 0 initial parameters are: the limit, or the standard deviation.
    fn start(&self) -> f64;

    /// The distribution of initial parameters.
    fn first(&self) -> First;

    /// The number of parameters at the start.
    fn params(&self) -> u64;

    /// Whether a search can breed this part of it.
    fn offers(&self, breeds: Breeds) -> Offer;

    /// Whether it is a network with nodes and connections that can be counted.
    fn is_network(&self) -> bool {
        true
    }

    /// Whether its value is unbounded and from Black's point of view, as TD(λ) after every move
    /// needs it.
    fn learns_online(&self) -> bool;

    /// Its key `from`: the player that it starts from, or a study; empty if it starts from random
    /// parameters.
    fn from(&self) -> &OriginName;

    /// Changes that key.
    fn origin_mut(&mut self) -> &mut OriginName;

    /// The player that it starts from, if it does not start from random parameters.
    fn begins_as(&self) -> Option<&str> {
        (!self.from().is_empty()).then(|| &**self.from())
    }

    /// How the candidates differ from the player that they start from.
    fn copies(&self) -> Copies;

    /// Makes it small, for the signature that every run records: networks that take no time.
    fn shrink(&mut self);

    /// A small one, for tests.
    fn sample() -> Self
    where
        Self: Sized;
}

/// The widest layer of a small network.
const MAX_SHRUNK: usize = 20;

/// Whether a model offers what a search breeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It does.
    Yes,
    /// It would with another value of a key: key, value, what is expected.
    Unless(&'static str, String, &'static str),
    /// It does not.
    No,
}

#[cfg(test)]
mod tests;
