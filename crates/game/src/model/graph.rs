//! Networks of any feed-forward topology, as NEAT grows them: hidden nodes and connections. Each
//! has a number that identifies it across networks.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Evaluate, Model, ModelFile, ModelName, Portrait, View, curve_name};
use crate::othello::{Board, Square};
use outflank_kernel::{Curve, Link, Network, Source, Wiring};

/// A node of a graph. The squares are 0 to 63, a1 to h8.
pub type GraphNode = u32;
/// The node that always puts out 1.
pub const ONE: GraphNode = 64;
/// The output.
pub const OUTPUT: GraphNode = 65;
/// The first possible hidden node.
pub const HIDDEN: GraphNode = 66;

/// The maximum number of hidden nodes.
pub const MOST_HIDDEN: usize = 1000;
/// The maximum number of connections.
pub const MOST_CONNECTIONS: usize = 100_000;

/// How nodes respond, and from whose point of view boards are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The activation function of hidden nodes.
    #[serde(with = "curve_name")]
    pub curve: Curve,
    /// The activation function of the output.
    #[serde(with = "curve_name")]
    pub output: Curve,
    /// From whose point of view it sees boards.
    pub view: View,
}

/// A connection; its weight is the parameter with the same index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gene {
    /// Its historical marking: the same in all networks for the same connection.
    pub innovation: u32,
    /// Where it comes from.
    pub from: GraphNode,
    /// Where it goes.
    pub to: GraphNode,
    /// Whether it is enabled; a disabled one can be enabled again.
    pub enabled: bool,
}

/// A network of hidden nodes and connections.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Graph {
    response: Response,
    /// In ascending order.
    hidden: Vec<GraphNode>,
    /// In ascending order of innovation.
    genes: Vec<Gene>,
    params: Vec<f32>,
    network: OnceLock<Box<Network>>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    response: Response,
    hidden: Vec<GraphNode>,
    genes: Vec<Gene>,
    params: Vec<f32>,
}

impl From<Graph> for Saved {
    fn from(Graph { response, hidden, genes, params, .. }: Graph) -> Saved {
        Saved { response, hidden, genes, params }
    }
}

impl TryFrom<Saved> for Graph {
    type Error = String;

    fn try_from(Saved { response, hidden, genes, params }: Saved) -> Result<Graph, String> {
        Graph::new(response, hidden, genes, params)
    }
}

impl Graph {
    /// Makes a network of these hidden nodes and connections. Refused if a connection dangles, if
    /// connections form a cycle, or if anything appears twice.
    pub fn new(
        response: Response,
        mut hidden: Vec<GraphNode>,
        genes: Vec<Gene>,
        params: Vec<f32>,
    ) -> Result<Graph, String> {
        if genes.len() != params.len() {
            return Err(format!("{} weights for {} connections", params.len(), genes.len()));
        }
        if hidden.len() > MOST_HIDDEN || genes.len() > MOST_CONNECTIONS {
            return Err(format!(
                "{} hidden nodes and {} connections, expected at most {MOST_HIDDEN} and {MOST_CONNECTIONS}",
                hidden.len(),
                genes.len()
            ));
        }
        if let Some(bad) = params.iter().position(|param| !param.is_finite()) {
            return Err(format!("weight {} is {}, not a finite number", bad + 1, params[bad]));
        }
        hidden.sort_unstable();
        if let Some(twice) = hidden.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("the hidden node {} appears twice", name(twice[0])));
        }
        if let Some(&bad) = hidden.iter().find(|node| **node < HIDDEN) {
            return Err(format!("{} is not a hidden node", name(bad)));
        }
        let mut pairs: Vec<(Gene, f32)> = genes.into_iter().zip(params).collect();
        pairs.sort_by_key(|(gene, _)| gene.innovation);
        let (genes, params): (Vec<Gene>, Vec<f32>) = pairs.into_iter().unzip();
        for gene in &genes {
            for (node, is_source) in [(gene.from, true), (gene.to, false)] {
                let known = match node {
                    0..=ONE => is_source,
                    OUTPUT => !is_source,
                    hidden_node => hidden.binary_search(&hidden_node).is_ok(),
                };
                if !known {
                    let (from, to) = (name(gene.from), name(gene.to));
                    return Err(format!(
                        "the connection {from} -> {to} dangles: {} is not a possible node",
                        name(node)
                    ));
                }
            }
        }
        let mut ends: Vec<(GraphNode, GraphNode)> =
            genes.iter().map(|gene| (gene.from, gene.to)).collect();
        ends.sort_unstable();
        if let Some(twice) = ends.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!(
                "the connection {} -> {} appears twice",
                name(twice[0].0),
                name(twice[0].1)
            ));
        }
        let graph = Graph { response, hidden, genes, params, network: OnceLock::new() };
        if graph.order().len() == graph.hidden.len() {
            Ok(graph)
        } else {
            Err("connections form a cycle".into())
        }
    }

    /// Makes a network from parts known to be valid: hidden nodes and connections in order, none
    /// dangling, twice or in a cycle.
    pub fn trusted(
        response: Response,
        hidden: Vec<GraphNode>,
        genes: Vec<Gene>,
        params: Vec<f32>,
    ) -> Graph {
        let graph = Graph { response, hidden, genes, params, network: OnceLock::new() };
        debug_assert!(Graph::try_from(Saved::from(graph.clone())).is_ok(), "unsound parts");
        graph
    }

    /// Makes a network in which this many hidden nodes have inputs from all squares, and the output
    /// from them; without hidden nodes, the output has inputs from the squares. `weight` gives the
    /// weights, in order.
    pub fn layered(
        response: Response,
        hidden: usize,
        bias: bool,
        mut weight: impl FnMut() -> f32,
    ) -> Graph {
        let nodes: Vec<GraphNode> = (0..hidden as GraphNode).map(|node| HIDDEN + node).collect();
        let inputs = || (0..ONE).chain(bias.then_some(ONE));
        let links: Vec<(GraphNode, GraphNode)> = match nodes.is_empty() {
            true => inputs().map(|from| (from, OUTPUT)).collect(),
            false => {
                let first = nodes.iter().flat_map(|to| inputs().map(move |from| (from, *to)));
                let last = nodes.iter().copied().chain(bias.then_some(ONE));
                first.chain(last.map(|from| (from, OUTPUT))).collect()
            }
        };
        let gene = |(innovation, (from, to))| Gene { innovation, from, to, enabled: true };
        let genes: Vec<Gene> = (0..).zip(links).map(gene).collect();
        let params = genes.iter().map(|_| weight()).collect();
        Graph::trusted(response, nodes, genes, params)
    }

    /// How nodes respond.
    pub fn response(&self) -> Response {
        self.response
    }

    /// The hidden nodes, in ascending order.
    pub fn hidden(&self) -> &[GraphNode] {
        &self.hidden
    }

    /// The connections, in the order of their innovations.
    pub fn genes(&self) -> &[Gene] {
        &self.genes
    }

    /// The enabled connections and their weights.
    pub fn connections(&self) -> impl Iterator<Item = (Gene, f32)> {
        self.genes
            .iter()
            .zip(&self.params)
            .map(|(gene, weight)| (*gene, *weight))
            .filter(|(gene, _)| gene.enabled)
    }

    /// Takes the network apart.
    pub fn into_parts(self) -> (Response, Vec<GraphNode>, Vec<Gene>, Vec<f32>) {
        (self.response, self.hidden, self.genes, self.params)
    }

    /// The hidden nodes in an order in which no connection, enabled or not, goes back; fewer if
    /// some form a cycle.
    pub fn order(&self) -> Vec<GraphNode> {
        let mut waits: BTreeMap<GraphNode, usize> =
            self.hidden.iter().map(|node| (*node, 0)).collect();
        let inner = || self.genes.iter().filter(|gene| gene.from >= HIDDEN && gene.to >= HIDDEN);
        inner().for_each(|gene| *waits.entry(gene.to).or_default() += 1);
        let mut leads: BTreeMap<GraphNode, Vec<GraphNode>> = BTreeMap::new();
        inner().for_each(|gene| leads.entry(gene.from).or_default().push(gene.to));
        let mut order: Vec<GraphNode> =
            waits.iter().filter(|(_, waits)| **waits == 0).map(|(node, _)| *node).collect();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for to in leads.get(&node).into_iter().flatten() {
                let left = waits.entry(*to).or_default();
                *left -= 1;
                if *left == 0 {
                    order.push(*to);
                }
            }
        }
        order
    }

    /// Reads a graph from a player file.
    pub fn read(file: &ModelFile) -> Result<Graph, String> {
        file.structured(|structure| Graph::written(structure, file.view, &file.parameters))
    }

    fn written(structure: &Value, view: View, params: &[f32]) -> Result<Graph, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            #[serde(with = "curve_name")]
            activation: Curve,
            #[serde(with = "curve_name")]
            output: Curve,
            hidden: Vec<String>,
            connections: Vec<[String; 2]>,
        }
        let Written { activation, output, hidden, connections } =
            serde_path_to_error::deserialize(structure).map_err(|error| error.to_string())?;
        let hidden =
            hidden.iter().map(|text| named(text)).collect::<Result<Vec<GraphNode>, String>>()?;
        let mut genes = Vec::with_capacity(connections.len());
        for (innovation, [from, to]) in (0..).zip(&connections) {
            genes.push(Gene { innovation, from: named(from)?, to: named(to)?, enabled: true });
        }
        Graph::new(Response { curve: activation, output, view }, hidden, genes, params.to_vec())
    }
}

/// The name of a node in files.
pub fn name(node: GraphNode) -> String {
    match node {
        0..ONE => Square::new(node as usize).map_or(String::new(), |square| square.to_string()),
        ONE => "one".into(),
        OUTPUT => "out".into(),
        hidden => format!("n{hidden}"),
    }
}

fn named(text: &str) -> Result<GraphNode, String> {
    let hidden = || text.strip_prefix('n')?.parse().ok().filter(|node| *node >= HIDDEN);
    match text {
        "one" => Ok(ONE),
        "out" => Ok(OUTPUT),
        text => match text.parse::<Square>() {
            Ok(square) => Ok(square.index() as GraphNode),
            Err(_) => hidden().ok_or_else(|| {
                let shown: String = text.chars().take(40).collect();
                format!("{shown:?} is not a node; expected a square, \"one\", \"out\" or \"n{HIDDEN}\" and up")
            }),
        },
    }
}

impl Evaluate for Graph {
    fn value(&self, board: Board) -> f32 {
        self.compiled().value(board.own.0, board.opp.0)
    }

    fn size(&self) -> usize {
        self.params().len()
    }

    fn network(&self) -> Option<&Network> {
        Some(self.compiled())
    }

    fn portrait(&self) -> Option<Portrait> {
        let names = self.order().into_iter().map(name).collect();
        Some(Portrait::of(ModelName::Graph, self, names))
    }

    /// Disabled connections do not play and are left out.
    fn file(&self) -> Option<ModelFile> {
        let connections: Vec<[String; 2]> =
            self.connections().map(|(gene, _)| [name(gene.from), name(gene.to)]).collect();
        let hidden: Vec<String> = self.hidden.iter().map(|node| name(*node)).collect();
        let structure = json!({
            "activation": self.response.curve.name(),
            "output": self.response.output.name(),
            "hidden": hidden,
            "connections": connections,
        });
        Some(ModelFile {
            kind: ModelName::Graph,
            view: self.response.view,
            structure: Some(structure),
            parameters: self.connections().map(|(_, weight)| weight).collect(),
        })
    }
}

impl Graph {
    fn wired(&self) -> Wiring {
        let order = self.order();
        let mut curves = vec![self.response.curve; order.len()];
        curves.push(self.response.output);
        let place: BTreeMap<GraphNode, usize> =
            order.iter().enumerate().map(|(at, node)| (*node, at)).collect();
        let mut links = Vec::with_capacity(self.genes.len());
        for (param, gene) in self.genes.iter().enumerate().filter(|(_, gene)| gene.enabled) {
            let from = match gene.from {
                ONE => Source::One,
                square @ 0..ONE => Source::Square(square as u8),
                hidden => Source::Node(place[&hidden]),
            };
            let to = if gene.to == OUTPUT { order.len() } else { place[&gene.to] };
            links.push(Link { from, to, param });
        }
        Wiring { curves, links, counters: Vec::new() }
    }

    fn compiled(&self) -> &Network {
        self.network.get_or_init(|| Box::new(Network::new(&self.wired(), &self.params)))
    }
}

impl Model for Graph {
    fn params(&self) -> &[f32] {
        &self.params
    }

    fn params_mut(&mut self) -> &mut [f32] {
        self.network = OnceLock::new();
        &mut self.params
    }

    fn wiring(&self) -> Option<Wiring> {
        Some(self.wired())
    }

    fn view(&self) -> View {
        self.response.view
    }

    fn anatomy(&self) -> Option<Anatomy> {
        Some(Anatomy { hidden: self.hidden.len(), connections: self.connections().count() })
    }
}

/// The size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anatomy {
    /// Hidden nodes.
    pub hidden: usize,
    /// Enabled connections.
    pub connections: usize,
}
