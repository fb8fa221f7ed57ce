//! The axis `model`: what scores a board. A value is a file here (its table, limits, size, and how it
//! learns), a line below and, for its type, one in `with_model!`; what it computes is in the room
//! `model`.

mod graph;
mod mlp;
mod spatial;
mod words;
mod wpc;

pub use graph::GraphSpec;
pub use mlp::MlpSpec;
pub use spatial::SpatialSpec;
pub use words::{Activation, Eye};
pub use wpc::WpcSpec;

use super::search::Breeds;
use outflank_schema::{Fault, KeyPath, axis};

axis! {
/// The axis `model`.
pub enum ModelSpec: ModelKind {
    /// The weighted piece counter.
    Wpc(WpcSpec) = "wpc",
    /// A multilayer perceptron.
    Mlp(MlpSpec) = "mlp",
    /// A perceptron whose first layer sees the 91 square pieces of the board (Chong et al. 2005).
    Spatial(SpatialSpec) = "spatial",
    /// A network of any feed-forward topology.
    Graph(GraphSpec) = "graph",
}
}

/// Does something with the type of a model spec's models.
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
        }
    };
}
pub(super) use with_model;

/// What is asked of a model before there is one.
pub trait ModelKind {
    /// Says what is wrong with its keys.
    fn check(&self, at: &KeyPath) -> Result<(), Fault>;

    /// First parameters are uniform within this distance of 0.
    fn start(&self) -> f64;

    /// How many parameters one has at first.
    fn params(&self) -> u64;

    /// Whether searches can breed this of it.
    fn offers(&self, breeds: Breeds) -> Offer;

    /// Whether it is a network, with nodes and connections to be counted.
    fn is_network(&self) -> bool {
        true
    }

    /// Whether its value is any number and Black's, as learning move by move in self-play needs it.
    fn learns_online(&self) -> bool;

    /// The player it begins as, if it does not begin at random.
    fn begins_as(&self) -> Option<&str> {
        None
    }

    /// Makes it small, for the stamp that every run has: networks that take no time.
    fn shrink(&mut self);

    /// A small one, for tests.
    fn sample() -> Self
    where
        Self: Sized;
}

/// The widest layer of a network that is small.
const MAX_SHRUNK: usize = 20;

/// Whether a model offers what a search breeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It does.
    Yes,
    /// It would if this key were something else: key, value, what is expected.
    Unless(&'static str, String, &'static str),
    /// It does not.
    No,
}

#[cfg(test)]
mod tests;
