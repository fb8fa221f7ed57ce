//! The multilayer perceptron as a model.

use super::{Activation, Copies, Eye, First, MAX_SHRUNK, ModelKind, ModelSpec, Offer};
use crate::search::Breeds;
use crate::{Candidate, LearnError};
use outflank_game::model::{
    Eyes, MOST_LAYERS, MOST_NODES, Mlp, MlpShape as Layers, ModelFile, ModelName,
};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, OriginName, table};

table! {
/// A multilayer perceptron.
pub struct MlpSpec {
    /// Nodes in each hidden layer; for a spatial MLP, in each layer after the spatial one.
    pub hidden: Vec<usize>,
    /// Activation function of the hidden nodes.
    pub activation: Activation,
    /// Activation function of the output.
    pub output: Activation,
    /// Whether nodes have a bias.
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
    pub from: OriginName,
    /// How the first candidates differ from that player.
    pub copies: Copies = Copies::Exact,
}
}

impl MlpSpec {
    /// The layers, for input from the board or from its pieces.
    pub fn layers(&self, eyes: Eyes) -> Layers {
        Layers {
            eyes,
            hidden: self.hidden.clone(),
            curve: self.activation.curve(),
            output: self.output.curve(),
            bias: self.bias,
            view: self.view.view(),
        }
    }
}

impl ModelKind for MlpSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.number("start", self.start, 0.0..=MAX_NUMBER)?;
        if self.hidden.len() > MOST_LAYERS {
            let expected = format!("at most {MOST_LAYERS} hidden layers");
            return Err(at.fault("hidden", format!("{:?}", self.hidden), expected));
        }
        for (index, size) in self.hidden.iter().enumerate() {
            at.whole(&format!("hidden[{index}]"), *size, 1..=MOST_NODES as u64)?;
        }
        Ok(())
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
        self.layers(Eyes::Board).params() as u64
    }

    fn offers(&self, breeds: Breeds) -> Offer {
        match breeds {
            Breeds::Parameters | Breeds::Places => Offer::Yes,
            Breeds::Neurons if self.hidden.len() == 1 => Offer::Yes,
            Breeds::Neurons => {
                Offer::Unless("hidden", format!("{:?}", self.hidden), "one hidden layer")
            }
            Breeds::Graphs => Offer::No,
        }
    }

    fn learns_online(&self) -> bool {
        (self.output, self.view) == (Activation::Linear, Eye::Black)
    }

    /// A network that starts from the weights of another must keep its shape.
    fn shrink(&mut self) {
        if self.from.is_empty() {
            self.hidden.iter_mut().for_each(|nodes| *nodes = (*nodes).min(MAX_SHRUNK));
        }
    }

    fn sample() -> MlpSpec {
        MlpSpec {
            hidden: vec![5],
            activation: Activation::Sigmoid,
            output: Activation::Sigmoid,
            bias: true,
            view: Eye::Mover,
            start: 0.5,
            first: First::Uniform,
            from: OriginName::default(),
            copies: Copies::Exact,
        }
    }
}

impl Candidate for Mlp {
    fn first(spec: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Mlp, LearnError> {
        let (spec, layers) = match spec {
            ModelSpec::Mlp(mlp) => (mlp, mlp.layers(Eyes::Board)),
            ModelSpec::Spatial(spatial) => (&spatial.0, spatial.0.layers(Eyes::Pieces)),
            other => return Err(LearnError::other_model(other, "mlp or spatial")),
        };
        Ok(Mlp::drawn(layers, || spec.first.draw(start, rng)))
    }

    fn read(file: &ModelFile) -> Result<Mlp, String> {
        match file.kind {
            ModelName::Mlp | ModelName::Spatial => Mlp::read(file),
            other => Err(format!("it is {}", other.in_words())),
        }
    }

    fn shape(&self) -> String {
        Mlp::shape(self).to_string()
    }
}
