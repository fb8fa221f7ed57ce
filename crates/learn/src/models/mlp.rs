//! The multilayer perceptron as a model to be learned.

use super::{Activation, Eye, MAX_SHRUNK, ModelKind, ModelSpec, Offer};
use crate::search::Breeds;
use crate::{Candidate, LearnError};
use outflank_game::model::{Eyes, MOST_LAYERS, MOST_NODES, Mlp, MlpShape as Layers};
use outflank_game::player::parse_player;
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, PlayerName, table};

table! {
/// A multilayer perceptron.
pub struct MlpSpec {
    /// Nodes of each hidden layer; of a spatial network, after the first.
    pub hidden: Vec<usize>,
    /// What hidden nodes make of their input.
    pub activation: Activation,
    /// What the output makes of its input.
    pub output: Activation,
    /// Whether nodes have a bias.
    pub bias: bool,
    /// Whose discs count +1.
    pub view: Eye,
    /// First weights are uniform in [-start, start].
    pub start: f64,
    /// A player of the same shape, by its name, file or run, whose weights come first; empty for none.
    pub from: PlayerName,
}
}

impl MlpSpec {
    /// Its layers, for eyes that see the board in one way or the other.
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

    fn begins_as(&self) -> Option<&str> {
        (!self.from.is_empty()).then_some(&*self.from)
    }

    /// One that begins with the weights of another must keep its shape.
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
            from: PlayerName::default(),
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
        if spec.from.is_empty() {
            return Ok(Mlp::uniform(layers, start, rng));
        }
        let player = parse_player(&spec.from)?;
        let problem = match player.file().map(|file| Mlp::read(&file)) {
            _ if !player.policy.is_neutral() => "has options, which weights have not".into(),
            Some(Ok(model)) if *model.shape() == layers => return Ok(model),
            Some(Ok(model)) => format!("is {}, expected {layers}", model.shape()),
            _ => format!("is no perceptron, expected {layers}"),
        };
        Err(LearnError::From { player: spec.from.to_string(), problem })
    }
}
