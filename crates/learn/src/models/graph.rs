//! Networks of any feed-forward topology as models; they can grow.

use super::{Activation, Copies, Eye, First, MAX_SHRUNK, ModelKind, ModelSpec, Offer};
use crate::search::Breeds;
use crate::{Candidate, LearnError};
use outflank_game::model::graph::{MOST_HIDDEN, Response};
use outflank_game::model::{Graph, ModelFile, ModelName, View};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, OriginName, table};

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
    /// Player whose parameters candidates start from: a name, a file, a run (its champion), or a
    /// study (the champion of the run with the same seed); of the same shape. Empty for random
    /// parameters.
    pub from: OriginName = OriginName::default(),
    /// How the first candidates differ from that player.
    pub copies: Copies = Copies::Exact,
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
            from: OriginName::default(),
            copies: Copies::Exact,
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

    fn read(file: &ModelFile) -> Result<Graph, String> {
        match file.kind {
            ModelName::Graph => Graph::read(file),
            other => Err(format!("it is {}", other.in_words())),
        }
    }

    /// The nodes and connections of a graph are its own; what others must share is how it responds.
    fn shape(&self) -> String {
        let Response { curve, output, view } = self.response();
        let view = if view == View::Mover { "mover" } else { "black" };
        format!("a graph ({}, output {}, view {view})", curve.name(), output.name())
    }
}
