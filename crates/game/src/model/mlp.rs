//! Multilayer perceptrons (MLPs): layers of nodes, each with inputs from all nodes of the layer
//! before; and the spatial network of Chong, Tan & White 2005, whose first layer has a node for
//! every square piece of the board of 3 x 3 squares or more.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Anatomy, Evaluate, Model, ModelFile, ModelName, Portrait, View, curve_name};
use crate::othello::{Board, Square};
use outflank_kernel::rng::Rng;
use outflank_kernel::{Curve, Link, Network, Source, Wiring};

/// The architecture of a perceptron.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MlpShape {
    /// The inputs of the first layer.
    pub eyes: Eyes,
    /// Nodes in each hidden layer; in a spatial network, after the first.
    pub hidden: Vec<usize>,
    /// The activation function of hidden nodes.
    #[serde(with = "curve_name")]
    pub curve: Curve,
    /// The activation function of the output.
    #[serde(with = "curve_name")]
    pub output: Curve,
    /// Whether nodes have a bias.
    pub bias: bool,
    /// From whose point of view it sees boards.
    pub view: View,
}

/// The inputs of the first layer of a perceptron.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Eyes {
    /// Every node has inputs from all 64 squares.
    Board,
    /// One node for each square piece of the board, 91 in all, and the difference of discs directly
    /// to the output.
    Pieces,
}

/// The maximum number of nodes in a hidden layer.
pub const MOST_NODES: usize = 1000;
/// The maximum number of hidden layers.
pub const MOST_LAYERS: usize = 8;

/// A multilayer perceptron.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Mlp {
    shape: MlpShape,
    params: Vec<f32>,
    network: OnceLock<Box<Network>>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    shape: MlpShape,
    params: Vec<f32>,
}

impl From<Mlp> for Saved {
    fn from(Mlp { shape, params, .. }: Mlp) -> Saved {
        Saved { shape, params }
    }
}

impl TryFrom<Saved> for Mlp {
    type Error = String;

    fn try_from(Saved { shape, params }: Saved) -> Result<Mlp, String> {
        Mlp::new(shape, params)
    }
}

impl std::fmt::Display for MlpShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let eyes = if self.eyes == Eyes::Pieces { "spatial, 64-91" } else { "64" };
        let hidden = self.hidden.iter().map(|nodes| format!("-{nodes}")).collect::<String>();
        let biases = if self.bias { "with" } else { "without" };
        let view = if self.view == View::Mover { "mover" } else { "black" };
        let (curve, output) = (self.curve.name(), self.output.name());
        write!(f, "{eyes}{hidden}-1 ({curve}, output {output}, {biases} biases, view {view})")
    }
}

impl MlpShape {
    /// The wiring: for every node, layer by layer, its bias and then its weights in the order of
    /// the layer before.
    pub fn wiring(&self) -> Wiring {
        let mut wiring = Wiring { curves: Vec::new(), links: Vec::new(), counters: Vec::new() };
        let board: Vec<Source> = (0..64).map(Source::Square).collect();
        let mut before: Vec<Source> = match self.eyes {
            Eyes::Board => board,
            Eyes::Pieces => pieces()
                .iter()
                .map(|squares| Source::Node(self.add_node(&mut wiring, self.curve, squares)))
                .collect(),
        };
        for &size in &self.hidden {
            before = (0..size)
                .map(|_| Source::Node(self.add_node(&mut wiring, self.curve, &before)))
                .collect();
        }
        if self.eyes == Eyes::Pieces {
            // A node that counts discs, with weights that are always 1.
            let counter = wiring.curves.len();
            wiring.curves.push(Curve::Linear);
            wiring.counters = (0..64).map(|square| (square, counter)).collect();
            before.push(Source::Node(counter));
        }
        self.add_node(&mut wiring, self.output, &before);
        wiring
    }

    fn add_node(&self, wiring: &mut Wiring, curve: Curve, hears: &[Source]) -> usize {
        let to = wiring.curves.len();
        wiring.curves.push(curve);
        let bias = self.bias.then_some(Source::One);
        for from in bias.into_iter().chain(hears.iter().copied()) {
            wiring.links.push(Link { from, to, param: wiring.links.len() });
        }
        to
    }

    /// The names of its hidden nodes, in the order of the wiring.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = match self.eyes {
            Eyes::Board => Vec::new(),
            Eyes::Pieces => pieces().iter().map(|piece| piece_name(piece)).collect(),
        };
        let first = if names.is_empty() { 1 } else { 2 };
        for (layer, &size) in (first..).zip(&self.hidden) {
            names.extend((1..=size).map(|node| match self.hidden.len() {
                1 => format!("n{node}"),
                _ => format!("n{layer}.{node}"),
            }));
        }
        names.extend((self.eyes == Eyes::Pieces).then(|| "discs".into()));
        names
    }

    /// Says what is wrong with it, if anything is.
    pub fn fault(&self) -> Option<String> {
        if self.hidden.len() > MOST_LAYERS {
            return Some(format!(
                "{} hidden layers, expected at most {MOST_LAYERS}",
                self.hidden.len()
            ));
        }
        let bad = self.hidden.iter().find(|size| !(1..=MOST_NODES).contains(*size))?;
        Some(format!("a hidden layer of {bad} nodes, expected 1 to {MOST_NODES}"))
    }

    /// How many parameters it has.
    pub fn params(&self) -> usize {
        let bias = usize::from(self.bias);
        let (mut before, mut sum) = match self.eyes {
            Eyes::Board => (64, 0),
            Eyes::Pieces => (91, pieces().iter().map(|squares| squares.len() + bias).sum()),
        };
        for &size in &self.hidden {
            sum += size * (before + bias);
            before = size;
        }
        sum + before + bias + usize::from(self.eyes == Eyes::Pieces)
    }
}

/// The name of a piece of the board: its corners.
fn piece_name(piece: &[Source]) -> String {
    let corner = |source: Option<&Source>| match source {
        Some(Source::Square(square)) => Square::new((*square).into()),
        _ => None,
    };
    let corners = [corner(piece.first()), corner(piece.last())].into_iter().flatten();
    corners.map(|square| square.to_string()).collect::<Vec<_>>().join("-")
}

/// The squares of each square piece of the board, from the smallest to the whole board.
fn pieces() -> Vec<Vec<Source>> {
    let mut pieces = Vec::new();
    for size in 3..=8u8 {
        for row in 0..=8 - size {
            for column in 0..=8 - size {
                let squares =
                    (row..row + size).flat_map(|r| (column..column + size).map(move |c| 8 * r + c));
                pieces.push(squares.map(Source::Square).collect());
            }
        }
    }
    pieces
}

impl Mlp {
    /// Makes a perceptron with these parameters, in the order of [`MlpShape::wiring`]. Refused
    /// unless their number is right, all are finite, and the shape is valid.
    pub fn new(shape: MlpShape, params: Vec<f32>) -> Result<Mlp, String> {
        if let Some(fault) = shape.fault() {
            return Err(fault);
        }
        if params.len() != shape.params() {
            return Err(format!("{} weights, expected {}", params.len(), shape.params()));
        }
        if let Some(bad) = params.iter().position(|param| !param.is_finite()) {
            return Err(format!("weight {} is {}, not a finite number", bad + 1, params[bad]));
        }
        Ok(Mlp { shape, params, network: OnceLock::new() })
    }

    /// Reads a perceptron, spatial or not, from a player file.
    pub fn read(file: &ModelFile) -> Result<Mlp, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            hidden: Vec<usize>,
            #[serde(with = "curve_name")]
            activation: Curve,
            #[serde(with = "curve_name")]
            output: Curve,
            bias: bool,
        }
        let eyes = if file.kind == ModelName::Spatial { Eyes::Pieces } else { Eyes::Board };
        file.structured(|structure| {
            let Written { hidden, activation: curve, output, bias } =
                serde_path_to_error::deserialize(structure).map_err(|error| error.to_string())?;
            let shape = MlpShape { eyes, hidden, curve, output, bias, view: file.view };
            Mlp::new(shape, file.parameters.clone())
        })
    }

    /// Makes one with parameters drawn uniformly from [-distance, distance].
    pub fn uniform(shape: MlpShape, distance: f64, rng: &mut Rng) -> Mlp {
        Mlp::drawn(shape, || rng.uniform(-distance, distance) as f32)
    }

    /// Makes one with parameters drawn one after another.
    pub fn drawn(shape: MlpShape, mut draw: impl FnMut() -> f32) -> Mlp {
        let params = (0..shape.params()).map(|_| draw()).collect();
        Mlp { shape, params, network: OnceLock::new() }
    }

    /// Its architecture.
    pub fn shape(&self) -> &MlpShape {
        &self.shape
    }
}

impl Evaluate for Mlp {
    fn value(&self, board: Board) -> f32 {
        self.compiled().value(board.own.0, board.opp.0)
    }

    fn size(&self) -> usize {
        self.params.len()
    }

    fn network(&self) -> Option<&Network> {
        Some(self.compiled())
    }

    fn portrait(&self) -> Option<Portrait> {
        Some(Portrait::of(self.kind(), self, self.shape.names()))
    }

    fn file(&self) -> Option<ModelFile> {
        let MlpShape { hidden, curve, output, bias, view, .. } = &self.shape;
        let structure = json!({
            "hidden": hidden,
            "activation": curve.name(),
            "output": output.name(),
            "bias": bias,
        });
        Some(ModelFile {
            kind: self.kind(),
            view: *view,
            structure: Some(structure),
            parameters: self.params.clone(),
        })
    }
}

impl Mlp {
    fn kind(&self) -> ModelName {
        match self.shape.eyes {
            Eyes::Board => ModelName::Mlp,
            Eyes::Pieces => ModelName::Spatial,
        }
    }

    fn compiled(&self) -> &Network {
        self.network.get_or_init(|| Box::new(Network::new(&self.shape.wiring(), &self.params)))
    }
}

impl Model for Mlp {
    fn params(&self) -> &[f32] {
        &self.params
    }

    fn params_mut(&mut self) -> &mut [f32] {
        self.network = OnceLock::new();
        &mut self.params
    }

    fn wiring(&self) -> Option<Wiring> {
        Some(self.shape.wiring())
    }

    fn view(&self) -> View {
        self.shape.view
    }

    fn anatomy(&self) -> Option<Anatomy> {
        let wiring = self.shape.wiring();
        // Neither the output nor the node that counts discs is hidden.
        let ends = 1 + usize::from(self.shape.eyes == Eyes::Pieces);
        Some(Anatomy { hidden: wiring.curves.len() - ends, connections: wiring.links.len() })
    }
}

/// A neuron, as some searches breed it: the bias of a hidden node, if nodes have one, its weights
/// from the squares, and its weight to the output.
pub type Neuron = Vec<f32>;

impl Mlp {
    /// The neurons of a perceptron with one hidden layer that sees the whole board. The bias of its
    /// output belongs to none of them.
    pub fn neurons(&self) -> Vec<Neuron> {
        let (inputs, hidden) = (64 + usize::from(self.shape.bias), self.shape.hidden[0]);
        let (first, last) = self.params.split_at(inputs * hidden);
        let outputs = &last[last.len() - hidden..];
        let neuron =
            |(inputs, output): (&[f32], &f32)| inputs.iter().chain([output]).copied().collect();
        first.chunks(inputs).zip(outputs).map(neuron).collect()
    }

    /// Makes a perceptron of any number of neurons, without a bias of the output.
    pub fn of_neurons<'a>(
        shape: &MlpShape,
        neurons: impl Iterator<Item = &'a Neuron> + Clone,
    ) -> Mlp {
        let inputs = 64 + usize::from(shape.bias);
        let mut params: Vec<f32> =
            neurons.clone().flat_map(|neuron| &neuron[..inputs]).copied().collect();
        params.extend(shape.bias.then_some(0.0));
        params.extend(neurons.clone().map(|neuron| neuron[inputs]));
        let shape = MlpShape { hidden: vec![neurons.count()], ..shape.clone() };
        Mlp { shape, params, network: OnceLock::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernel::rng::{Seed, Stream};

    fn shape(eyes: Eyes, hidden: &[usize], bias: bool) -> MlpShape {
        let (curve, output) = (Curve::Sigmoid, Curve::Sigmoid);
        MlpShape { eyes, hidden: hidden.to_vec(), curve, output, bias, view: View::Mover }
    }

    #[test]
    fn parameters_are_counted_as_they_are_wired() {
        for (eyes, hidden, bias, count) in [
            (Eyes::Board, vec![20], true, 1321),
            (Eyes::Board, vec![40], false, 40 * 65),
            (Eyes::Board, vec![], true, 65),
            // Chong et al.: 5,900, and the weight of the difference of discs.
            (Eyes::Pieces, vec![40, 10], true, 5901),
        ] {
            let shape = shape(eyes, &hidden, bias);
            assert_eq!((shape.params(), shape.wiring().links.len()), (count, count));
        }
        assert_eq!(pieces().len(), 91);
    }

    #[test]
    fn a_perceptron_is_its_neurons() {
        let mut rng = Seed(1).at(Stream::Weights, 0).rng();
        for bias in [true, false] {
            let mut mlp = Mlp::uniform(shape(Eyes::Board, &[7], bias), 1.0, &mut rng);
            if bias {
                let output_bias = 7 * 65;
                mlp.params_mut()[output_bias] = 0.0;
            }
            let neurons = mlp.neurons();
            assert_eq!(Mlp::of_neurons(mlp.shape(), neurons.iter()).params(), mlp.params());
            let fewer = Mlp::of_neurons(mlp.shape(), neurons[..3].iter());
            assert_eq!(fewer.shape().hidden, [3]);
            assert!(Mlp::new(fewer.shape().clone(), fewer.params().to_vec()).is_ok());
        }
    }

    #[test]
    fn a_spatial_network_counts_discs() {
        let mut rng = Seed(1).at(Stream::Weights, 1).rng();
        let mut mlp = Mlp::uniform(shape(Eyes::Pieces, &[4], true), 1.0, &mut rng);
        let last = mlp.params().len() - 1;
        mlp.params_mut().fill(0.0);
        mlp.params_mut()[last] = 0.25;
        let board = Board::START.play(Board::START.moves().nth(0)).pass();
        // Four discs to one.
        assert!((mlp.value(board) - Curve::Sigmoid.at(0.75)).abs() < 1e-6);
    }
}
