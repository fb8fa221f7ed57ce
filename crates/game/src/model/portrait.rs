//! A network as plain data, for drawing it without knowing its type.

use super::{Model, ModelName, View};
use crate::othello::Square;
use outflank_kernel::{Curve, Source};

/// A description of a network.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// What kind of model it is.
    pub kind: ModelName,
    /// From whose point of view it sees boards.
    pub view: View,
    /// The hidden nodes; none feeds one before it.
    pub hidden: Vec<HiddenNode>,
    /// The activation function of the output.
    pub output: Curve,
    /// The connections, in the order of the parameters.
    pub connections: Vec<Connection>,
}

/// A hidden node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenNode {
    /// Its name.
    pub name: String,
    /// The number of nodes on the longest path from the board, itself included.
    pub depth: usize,
    /// Its activation function.
    pub curve: Curve,
}

/// A connection and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connection {
    /// Where it comes from.
    pub from: Source,
    /// The hidden node it goes to; after the last of them, the output.
    pub to: usize,
    /// Its weight.
    pub weight: f32,
}

/// A node with inputs from squares.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Which node; after the last hidden one, the output.
    pub node: usize,
    /// Its weight from each square it is connected to, a1 to h8.
    pub squares: [Option<f32>; 64],
    /// Its weight to the output, if it has one.
    pub to_output: Option<f32>,
    /// The sum of the sizes of its outgoing weights.
    pub heard: f32,
}

impl Portrait {
    /// Makes the portrait of a model, with these names of its hidden nodes in the order of its
    /// wiring.
    pub fn of(kind: ModelName, model: &impl Model, names: Vec<String>) -> Portrait {
        let wiring = model.wiring().expect("what is drawn is a network");
        let weights = model.params();
        let mut depths = vec![1; wiring.curves.len()];
        // Links go to later nodes, so a node's own depth is final before it is passed on.
        let mut links = wiring.links.clone();
        links.sort_by_key(|link| link.to);
        for link in &links {
            if let Source::Node(from) = link.from {
                depths[link.to] = depths[link.to].max(depths[from] + 1);
            }
        }
        let (output, curves) = wiring.curves.split_last().expect("a network has an output");
        let hidden = names.into_iter().zip(depths).zip(curves);
        Portrait {
            kind,
            view: model.view(),
            hidden: hidden
                .map(|((name, depth), &curve)| HiddenNode { name, depth, curve })
                .collect(),
            output: *output,
            connections: wiring
                .links
                .iter()
                .map(|link| Connection {
                    from: link.from,
                    to: link.to,
                    weight: weights[link.param],
                })
                .collect(),
        }
    }

    /// Says whether it was grown connection by connection and has no layers.
    pub fn is_grown(&self) -> bool {
        self.kind == ModelName::Graph
    }

    /// The name of a node; after the hidden ones, the output.
    pub fn node_name(&self, node: usize) -> &str {
        self.hidden.get(node).map_or("out", |hidden| hidden.name.as_str())
    }

    /// The name of the source of a connection.
    pub fn source_name(&self, source: Source) -> String {
        match source {
            Source::Square(index) => Square::new(index.into()).map(|square| square.to_string()),
            Source::One => Some("one".into()),
            Source::Node(node) => Some(self.node_name(node).into()),
        }
        .unwrap_or_default()
    }

    /// The node of a spatial network that counts discs. It has no weights of its own, so the papers
    /// do not count it as a hidden node.
    pub fn counter(&self) -> Option<usize> {
        (self.kind == ModelName::Spatial).then(|| self.hidden.len() - 1)
    }

    /// The number of hidden nodes, without a disc counter.
    pub fn hidden_count(&self) -> usize {
        self.hidden.len() - usize::from(self.counter().is_some())
    }

    /// The number of hidden nodes at each depth, from the board on, without a disc counter.
    pub fn layers(&self) -> Vec<usize> {
        let deepest = self.hidden.iter().map(|node| node.depth).max().unwrap_or(0);
        let mut layers = vec![0; deepest];
        for node in &self.hidden[..self.hidden_count()] {
            layers[node.depth - 1] += 1;
        }
        layers
    }

    /// The size of the largest weight.
    pub fn largest(&self) -> f32 {
        self.connections.iter().fold(0.0, |most, link| most.max(link.weight.abs()))
    }

    /// The connections, those with the largest weights first.
    pub fn strongest(&self) -> Vec<Connection> {
        let mut all = self.connections.clone();
        all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
        all
    }

    /// The weight of each hidden node to the output, if it has one.
    pub fn voices(&self) -> Vec<Option<f32>> {
        let mut voices = vec![None; self.hidden.len()];
        for link in self.connections.iter().filter(|link| link.to == self.hidden.len()) {
            if let Source::Node(node) = link.from {
                voices[node] = Some(link.weight);
            }
        }
        voices
    }

    /// The nodes with inputs from squares, those with the largest outgoing weights first; the
    /// output last, if it is one of them.
    pub fn units(&self) -> Vec<Unit> {
        let (output, voices) = (self.hidden.len(), self.voices());
        let blank = |node| Unit {
            node,
            squares: [None; 64],
            to_output: voices.get(node).copied().flatten(),
            heard: 0.0,
        };
        let mut units: Vec<Unit> = (0..=output).map(blank).collect();
        for &Connection { from, to, weight } in &self.connections {
            match from {
                Source::Square(square) => units[to].squares[usize::from(square)] = Some(weight),
                Source::Node(node) => units[node].heard += weight.abs(),
                Source::One => {}
            }
        }
        units.retain(|unit| unit.squares.iter().any(Option::is_some));
        units.sort_by(|a, b| {
            (a.node == output).cmp(&(b.node == output)).then(b.heard.total_cmp(&a.heard))
        });
        units
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Gene, Graph, HIDDEN, ONE, OUTPUT, Response};
    use super::super::{Evaluate, Eyes, Mlp, MlpShape};
    use super::*;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn a_graph_is_deep_where_nodes_feed_nodes() {
        let response = Response { curve: Curve::Tanh, output: Curve::Sigmoid, view: View::Mover };
        let (first, second) = (HIDDEN + 7, HIDDEN);
        let ends = [(0, first, 1.0), (ONE, first, 0.5), (first, second, -2.0), (63, second, 3.0)];
        let ends = ends.into_iter().chain([(second, OUTPUT, -4.0), (9, OUTPUT, 0.1)]);
        let gene = |(innovation, (from, to, weight))| {
            (Gene { innovation, from, to, enabled: true }, weight)
        };
        let (genes, weights) = (0..).zip(ends).map(gene).unzip();
        let graph = Graph::new(response, vec![second, first], genes, weights).unwrap();
        let portrait = graph.portrait().unwrap();
        let depths: Vec<(&str, usize)> =
            portrait.hidden.iter().map(|node| (node.name.as_str(), node.depth)).collect();
        assert_eq!(depths, [("n73", 1), ("n66", 2)]);
        assert_eq!((portrait.layers(), portrait.connections.len()), (vec![1, 1], 6));
        let units = portrait.units();
        let names: Vec<&str> = units.iter().map(|unit| portrait.node_name(unit.node)).collect();
        assert_eq!(names, ["n66", "n73", "out"]);
        assert_eq!((units[0].squares[63], units[0].to_output), (Some(3.0), Some(-4.0)));
        assert_eq!(units[1].to_output, None);
        let strongest = portrait.strongest()[0];
        assert_eq!(portrait.source_name(strongest.from), "n66");
        assert_eq!(portrait.node_name(strongest.to), "out");
    }

    #[test]
    fn a_perceptron_has_named_layers() {
        for (eyes, hidden, layers, names) in [
            (Eyes::Board, vec![3], vec![3], ["n1", "n3"]),
            (Eyes::Board, vec![3, 2], vec![3, 2], ["n1.1", "n2.2"]),
            (Eyes::Pieces, vec![4], vec![91, 4], ["a1-c3", "discs"]),
        ] {
            let (curve, output) = (Curve::Tanh, Curve::Sigmoid);
            let shape = MlpShape { eyes, hidden, curve, output, bias: true, view: View::Black };
            let mlp = Mlp::uniform(shape, 1.0, &mut Seed(1).at(Stream::Weights, 0).rng());
            let portrait = mlp.portrait().unwrap();
            assert_eq!(portrait.layers(), layers);
            assert_eq!(portrait.hidden_count(), layers.iter().sum::<usize>());
            let last = portrait.hidden.len() - 1;
            assert_eq!([portrait.node_name(0), portrait.node_name(last)], names);
            assert_eq!(portrait.connections.len(), mlp.params().len());
            assert_eq!(portrait.units().len(), if eyes == Eyes::Board { 3 } else { 91 });
        }
    }
}
