//! How a growing network changes from one generation to the next: connections and neurons are added
//! and removed. Innovation numbers identify them, the historical markings of Stanley & Miikkulainen
//! 2002.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::MutationSpec;
use outflank_game::model::graph::{
    Gene, GraphNode, HIDDEN, MOST_CONNECTIONS, MOST_HIDDEN, ONE, OUTPUT, Response,
};
use outflank_game::model::{Graph, Model};
use outflank_kernel::rng::Rng;

/// The innovation numbers assigned so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Innovations {
    connections: BTreeMap<(GraphNode, GraphNode), u32>,
    /// The neuron that split a connection, by the innovation number of the connection.
    neurons: BTreeMap<u32, GraphNode>,
    next_connection: u32,
    next_neuron: GraphNode,
}

impl Innovations {
    /// Starts with everything in an initial network.
    pub fn of(first: &Graph) -> Innovations {
        let mut all = Innovations { next_neuron: HIDDEN, ..Innovations::default() };
        for gene in first.genes() {
            all.connections.insert((gene.from, gene.to), gene.innovation);
            all.next_connection = all.next_connection.max(gene.innovation + 1);
        }
        all.next_neuron = first.hidden().iter().fold(HIDDEN, |next, node| next.max(node + 1));
        all
    }

    fn connection(&mut self, from: GraphNode, to: GraphNode) -> u32 {
        let next = &mut self.next_connection;
        *self.connections.entry((from, to)).or_insert_with(|| {
            *next += 1;
            *next - 1
        })
    }

    /// The neuron that splits a connection; a new one if the genome already has it.
    fn neuron(&mut self, split: u32, genome: &Genome) -> GraphNode {
        let next = &mut self.next_neuron;
        let mut fresh = || {
            *next += 1;
            *next - 1
        };
        let neuron = *self.neurons.entry(split).or_insert_with(&mut fresh);
        if genome.hidden.contains(&neuron) { fresh() } else { neuron }
    }
}

/// A network taken apart, for changes.
#[derive(Clone, Debug)]
pub struct Genome {
    response: Response,
    hidden: BTreeSet<GraphNode>,
    /// By innovation number.
    genes: BTreeMap<u32, (Gene, f32)>,
}

impl From<Graph> for Genome {
    fn from(graph: Graph) -> Genome {
        let (response, hidden, genes, params) = graph.into_parts();
        let genes =
            genes.into_iter().zip(params).map(|(gene, weight)| (gene.innovation, (gene, weight)));
        Genome { response, hidden: hidden.into_iter().collect(), genes: genes.collect() }
    }
}

impl From<Genome> for Graph {
    fn from(genome: Genome) -> Graph {
        let (genes, params) = genome.genes.into_values().unzip();
        Graph::trusted(genome.response, genome.hidden.into_iter().collect(), genes, params)
    }
}

/// Pairs of nodes tried before a network counts as fully connected.
const TRIES: usize = 200;

impl Genome {
    /// Adds a connection between two unconnected nodes, unless it would close a cycle; a disabled
    /// one is enabled again. `bias` says whether there is an input that is always 1.
    pub fn add_connection(
        &mut self,
        bias: bool,
        [low, high]: [f64; 2],
        known: &mut Innovations,
        rng: &mut Rng,
    ) {
        if self.genes.len() >= MOST_CONNECTIONS {
            return;
        }
        let hidden: Vec<GraphNode> = self.hidden.iter().copied().collect();
        let inputs = if bias { ONE + 1 } else { ONE };
        let pick = |first: GraphNode, rng: &mut Rng| {
            let at = rng.below(first + hidden.len() as GraphNode);
            if at < first { at } else { hidden[(at - first) as usize] }
        };
        for _ in 0..TRIES {
            let from = pick(inputs, rng);
            let to = match rng.below(1 + hidden.len() as u32) {
                0 => OUTPUT,
                at => hidden[at as usize - 1],
            };
            let is_there = self
                .genes
                .values()
                .any(|(gene, _)| (gene.from, gene.to) == (from, to) && gene.enabled);
            if is_there || from == to || self.leads(to, from) {
                continue;
            }
            let innovation = known.connection(from, to);
            let weight = rng.normal().clamp(low, high) as f32;
            self.genes.insert(innovation, (Gene { innovation, from, to, enabled: true }, weight));
            return;
        }
    }

    /// Says whether a path leads from one hidden node to another, disabled connections included.
    fn leads(&self, from: GraphNode, to: GraphNode) -> bool {
        if from < HIDDEN || to < HIDDEN {
            return false;
        }
        let (mut reached, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(node) = open.pop() {
            for (gene, _) in self.genes.values().filter(|(gene, _)| gene.from == node) {
                if reached.insert(gene.to) {
                    open.push(gene.to);
                }
            }
        }
        reached.contains(&to)
    }

    /// Splits a connection by a neuron: the new connection to it has weight 1, the one from it the
    /// old weight. The old connection is removed or disabled.
    pub fn add_neuron(&mut self, removes: bool, known: &mut Innovations, rng: &mut Rng) {
        let enabled: Vec<u32> = self
            .genes
            .values()
            .filter(|(gene, _)| gene.enabled)
            .map(|(gene, _)| gene.innovation)
            .collect();
        let full = self.hidden.len() >= MOST_HIDDEN || self.genes.len() + 2 > MOST_CONNECTIONS;
        if enabled.is_empty() || full {
            return;
        }
        let split = enabled[rng.below(enabled.len() as u32) as usize];
        let (gene, weight) = self.genes[&split];
        let neuron = known.neuron(split, self);
        self.hidden.insert(neuron);
        match removes {
            true => drop(self.genes.remove(&split)),
            false => drop(self.genes.insert(split, (Gene { enabled: false, ..gene }, weight))),
        }
        for (from, to, weight) in [(gene.from, neuron, 1.0), (neuron, gene.to, weight)] {
            let innovation = known.connection(from, to);
            self.genes.insert(innovation, (Gene { innovation, from, to, enabled: true }, weight));
        }
    }

    /// Removes connections, small weights more often: with probability rate · (1 − |w| / limit)².
    pub fn remove_connections(&mut self, rate: f64, limit: f64, rng: &mut Rng) {
        self.genes.retain(|_, (_, weight)| {
            let left = (1.0 - f64::from(weight.abs()) / limit).max(0.0);
            rng.unit() >= rate * left * left
        });
    }

    /// Removes neurons without input or without a path to the output, and their connections.
    pub fn prune(&mut self) {
        let reached = self.reached(|node| node < OUTPUT, |gene| (gene.from, gene.to));
        let useful = self.reached(|node| node == OUTPUT, |gene| (gene.to, gene.from));
        self.hidden.retain(|node| reached.contains(node) && useful.contains(node));
        let hidden = &self.hidden;
        let stays = |node: GraphNode| node < HIDDEN || hidden.contains(&node);
        self.genes.retain(|_, (gene, _)| stays(gene.from) && stays(gene.to));
    }

    /// The nodes that can be reached from the start nodes.
    fn reached(
        &self,
        start: impl Fn(GraphNode) -> bool,
        way: impl Fn(&Gene) -> (GraphNode, GraphNode),
    ) -> BTreeSet<GraphNode> {
        let mut ways: BTreeMap<GraphNode, Vec<GraphNode>> = BTreeMap::new();
        self.genes
            .values()
            .map(|(gene, _)| way(gene))
            .for_each(|(a, b)| ways.entry(a).or_default().push(b));
        let mut open: Vec<GraphNode> = ways.keys().copied().filter(|node| start(*node)).collect();
        let mut reached: BTreeSet<GraphNode> = open.iter().copied().collect();
        while let Some(node) = open.pop() {
            for next in ways.get(&node).into_iter().flatten() {
                if reached.insert(*next) {
                    open.push(*next);
                }
            }
        }
        reached
    }

    /// Mutates weights, each at the rate of the mutation; a share of them is drawn again instead.
    pub fn mutate_weights(&mut self, mutation: &MutationSpec, renew: f64, rng: &mut Rng) {
        let rate = mutation.rate;
        for (_, weight) in self.genes.values_mut() {
            if rate < 1.0 && rng.unit() >= rate {
                continue;
            }
            let from = if renew > 0.0 && rng.unit() < renew { 0.0 } else { f64::from(*weight) };
            *weight = mutation.changed(from, rng) as f32;
        }
    }

    /// For connections that both networks have, takes the other's weight with probability ½.
    pub fn mix_weights(&mut self, other: &Graph, rng: &mut Rng) {
        for (gene, weight) in other.genes().iter().zip(other.params()) {
            if let Some((_, own)) = self.genes.get_mut(&gene.innovation)
                && rng.below(2) == 0
            {
                *own = *weight;
            }
        }
    }

    /// Connections that are disabled in either parent are disabled in the offspring with this
    /// probability, and otherwise enabled.
    pub fn inherit_disabled(&mut self, other: &Graph, disable: f64, rng: &mut Rng) {
        let others: BTreeMap<u32, bool> =
            other.genes().iter().map(|gene| (gene.innovation, gene.enabled)).collect();
        for (innovation, (gene, _)) in &mut self.genes {
            if !gene.enabled || others.get(innovation) == Some(&false) {
                gene.enabled = rng.unit() >= disable;
            }
        }
    }
}

/// The genes that only one of two networks has, and how much the weights of the others differ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Connections that one network has beyond the last of the other.
    pub excess: usize,
    /// Other connections that only one network has.
    pub disjoint: usize,
    /// Hidden neurons that only one network has.
    pub neurons: usize,
    /// Hidden neurons that both networks have.
    pub shared_neurons: usize,
    /// Connections that both networks have.
    pub shared: usize,
    /// The sum of absolute weight differences of these connections.
    pub weights: f64,
}

impl Difference {
    /// Compares two networks.
    pub fn of(a: &Graph, b: &Graph) -> Difference {
        let last = |graph: &Graph| graph.genes().last().map_or(0, |gene| gene.innovation);
        let shorter = last(a).min(last(b));
        let (mut i, mut j) = (0, 0);
        let mut found = Difference::default();
        let alone = |found: &mut Difference, innovation: u32| match innovation > shorter {
            true => found.excess += 1,
            false => found.disjoint += 1,
        };
        let number = |graph: &Graph, at: usize| graph.genes().get(at).map(|gene| gene.innovation);
        loop {
            match (number(a, i), number(b, j)) {
                (None, None) => break,
                (Some(x), Some(y)) if x == y => {
                    found.shared += 1;
                    found.weights += f64::from((a.params()[i] - b.params()[j]).abs());
                    (i, j) = (i + 1, j + 1);
                }
                (Some(x), y) if y.is_none_or(|y| x < y) => {
                    alone(&mut found, x);
                    i += 1;
                }
                (_, Some(y)) => {
                    alone(&mut found, y);
                    j += 1;
                }
                (Some(_), None) => unreachable!("the guard before takes it"),
            }
        }
        let both = |node: &&GraphNode| b.hidden().binary_search(node).is_ok();
        found.shared_neurons = a.hidden().iter().filter(both).count();
        found.neurons = a.hidden().len() + b.hidden().len() - 2 * found.shared_neurons;
        found
    }
}
