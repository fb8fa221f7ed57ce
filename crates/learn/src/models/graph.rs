//! Networks of any feed-forward topology as models; they can grow.

use super::{Activation, Eye, First, MAX_SHRUNK, ModelKind, ModelSpec, Offer};
use crate::search::Breeds;
use crate::{Candidate, LearnError};
use outflank_game::model::Graph;
use outflank_game::model::graph::{MOST_HIDDEN, Response};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table};

table! {
/// A network of any feed-forward topology.
pub struct GraphSpec {
    /// Hidden nodes at the start, each connected to all squares; with 0 the output is connected to
    /// the squares.
    pub hidden: usize,
    /// Activation function of the hidden nodes.
    pub activation: Activation,
    /// Activation function of the output.
    pub output: Activation,
    /// Whether there is a bias input, always 1, which is connected to all nodes at the start.
    pub bias: bool,
    /// Whose discs are +1 in the input; the other player's are -1.
    pub view: Eye,
    /// Initial weights are uniform in [-start, start], unless `first` says otherwise.
    pub start: f64,
    /// Distribution of the initial weights.
    pub first: First = First::Uniform,
}
}

impl ModelKind for GraphSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.number("start", self.start, 0.0..=MAX_NUMBER)?;
        at.whole("hidden", self.hidden, 0..=MOST_HIDDEN as u64)
    }

    fn start(&self) -> f64 {
        self.start
    }

    fn first(&self) -> First {
        self.first
    }

    fn params(&self) -> u64 {
        66 * (self.hidden as u64 + 1)
    }

    fn offers(&self, breeds: Breeds) -> Offer {
        match breeds {
            Breeds::Parameters | Breeds::Graphs => Offer::Yes,
            Breeds::Places | Breeds::Neurons => Offer::No,
        }
    }

    fn learns_online(&self) -> bool {
        (self.output, self.view) == (Activation::Linear, Eye::Black)
    }

    fn shrink(&mut self) {
        self.hidden = self.hidden.min(MAX_SHRUNK);
    }

    fn sample() -> GraphSpec {
        GraphSpec {
            hidden: 2,
            activation: Activation::SteepSigmoid,
            output: Activation::SteepSigmoid,
            bias: true,
            view: Eye::Mover,
            start: 0.5,
            first: First::Uniform,
        }
    }
}

impl Candidate for Graph {
    fn first(spec: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Graph, LearnError> {
        let ModelSpec::Graph(graph) = spec else {
            return Err(LearnError::other_model(spec, "graph"));
        };
        let (curve, output, view) =
            (graph.activation.curve(), graph.output.curve(), graph.view.view());
        let response = Response { curve, output, view };
        let weight = || graph.first.draw(start, rng);
        Ok(Graph::layered(response, graph.hidden, graph.bias, weight))
    }
}
