//! From a wiring to a flat program.

use super::{Edge, Level, Link, Links, Network, Place, Source, Wiring};
use crate::rows::portable::Eight;

const NOUGHT: Eight<f32> = Eight([0.0; 8]);

impl Network {
    /// Compiles a wiring with these parameters. Links must lead from earlier nodes to later ones,
    /// and to every parameter belongs at most one link.
    pub fn new(wiring: &Wiring, params: &[f32]) -> Network {
        let order = Order::of(wiring);
        let mut network = order.lay_out(params.len());
        for link in &wiring.links {
            if let Some(to) = order.place[link.to] {
                network.connect(&order, *link, to, params[link.param]);
            }
        }
        for &(square, to) in &wiring.counters {
            if let Some(to) = order.place[to] {
                let (block, lane) = network.row(square, to);
                network.rows[block].0[lane] = 1.0;
            }
        }
        (network.mask, network.hears) = mask(&network);
        network.heard = wiring.heard();
        network.refresh();
        network
    }

    fn row(&self, square: u8, node: usize) -> (usize, usize) {
        (usize::from(square) * self.blocks + node / 8, node % 8)
    }

    fn connect(&mut self, order: &Order, link: Link, to: usize, weight: f32) {
        let place = match link.from {
            Source::Square(square) => {
                let (block, lane) = self.row(square, to);
                self.rows[block].0[lane] = weight;
                Place::Row(block, lane)
            }
            Source::One => {
                (self.bias[to], self.has_bias[to]) = (weight, 1.0);
                Place::Bias(to)
            }
            Source::Node(from) => {
                let from = order.place[from].expect("what feeds a node that takes part takes part");
                let index = self.levels.iter().position(|level| to < level.to).unwrap_or(0);
                let level = &mut self.levels[index];
                match &mut level.links {
                    Links::None => Place::Nowhere,
                    Links::Dot { first, weights, .. } => {
                        let at = from - *first;
                        weights[at / 8].0[at % 8] = weight;
                        Place::Link(index, at / 8, at % 8)
                    }
                    Links::Dense { first, weights, .. } => {
                        let width = (level.to - level.from).div_ceil(8);
                        let (at, lane) = ((from - *first) * width, to - level.from);
                        weights[at + lane / 8].0[lane % 8] = weight;
                        Place::Link(index, at + lane / 8, lane % 8)
                    }
                    Links::Sparse(edges) => {
                        edges.push(Edge { from: from as u32, to: to as u32, weight });
                        Place::Link(index, edges.len() - 1, 0)
                    }
                }
            }
        };
        self.places[link.param] = place;
    }
}

impl Wiring {
    /// The squares that feed any node.
    fn heard(&self) -> u64 {
        let squares = self.links.iter().filter_map(|link| match link.from {
            Source::Square(square) => Some(square),
            Source::One | Source::Node(_) => None,
        });
        let counted = self.counters.iter().map(|(square, _)| *square);
        squares.chain(counted).fold(0, |heard, square| heard | 1 << square)
    }
}

/// 1 where a weight from a square is a parameter, and for nodes that have such weights.
fn mask(network: &Network) -> (Option<Vec<Eight<f32>>>, Vec<Eight<f32>>) {
    let mut mask = vec![NOUGHT; network.rows.len()];
    let mut hears = vec![NOUGHT; network.blocks];
    let mut weights = 0;
    for place in &network.places {
        if let Place::Row(block, lane) = *place {
            mask[block].0[lane] = 1.0;
            hears[block % network.blocks].0[lane] = 1.0;
            weights += 1;
        }
    }
    let nodes = hears.iter().flat_map(|block| block.0).filter(|hears| *hears > 0.0).count();
    ((weights < 64 * nodes).then_some(mask), hears)
}

/// Which nodes take part, and where.
struct Order {
    /// By node: its place in the program.
    place: Vec<Option<usize>>,
    levels: Vec<Level>,
    /// Nodes that squares feed, counted to the last of them.
    fed: usize,
}

impl Order {
    fn of(wiring: &Wiring) -> Order {
        let count = wiring.curves.len();
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); count];
        for link in &wiring.links {
            if let Source::Node(from) = link.from {
                assert!(from < link.to, "a link to an earlier node");
                into[link.to].push(from);
            }
        }
        // Whatever reaches the output takes part.
        let mut useful = vec![false; count];
        if let Some(output) = useful.last_mut() {
            *output = true;
        }
        for node in (0..count).rev() {
            if useful[node] {
                into[node].iter().for_each(|&from| useful[from] = true);
            }
        }
        let mut depth = vec![0; count];
        for node in 0..count {
            depth[node] = into[node].iter().map(|&from| depth[from] + 1).max().unwrap_or(0);
        }
        let mut nodes: Vec<usize> = (0..count).filter(|&node| useful[node]).collect();
        nodes.sort_by_key(|&node| (depth[node], wiring.curves[node], node));
        let mut place = vec![None; count];
        nodes.iter().enumerate().for_each(|(at, &node)| place[node] = Some(at));
        let mut levels: Vec<Level> = Vec::new();
        for (at, &node) in nodes.iter().enumerate() {
            let curve = wiring.curves[node];
            match levels.last_mut() {
                Some(level) if level.curve == curve && depth[nodes[level.from]] == depth[node] => {
                    level.to = at + 1;
                }
                _ => levels.push(Level { from: at, to: at + 1, curve, links: Links::None }),
            }
        }
        for level in &mut levels {
            let hears = |at: usize| {
                let mut heard: Vec<usize> =
                    into[nodes[at]].iter().filter_map(|&from| place[from]).collect();
                heard.sort_unstable();
                heard
            };
            level.links = links(level.from..level.to, hears);
        }
        let fed = |link: &Link| matches!(link.from, Source::Square(_)).then_some(link.to);
        let heard = wiring.links.iter().filter_map(fed);
        let counted = wiring.counters.iter().map(|(_, to)| *to);
        let fed = heard.chain(counted).filter_map(|to| place[to]).map(|at| at + 1).max();
        Order { place, levels, fed: fed.unwrap_or(0) }
    }

    /// A program with all weights 0.
    fn lay_out(&self, params: usize) -> Network {
        let blocks = self.fed.div_ceil(8);
        let nodes = self.levels.last().map_or(0, |level| level.to);
        // Blocks are read whole, also where a level begins within one.
        let padded = (nodes + 16).next_multiple_of(8);
        let hidden = &self.levels[..self.levels.len() - 1];
        Network {
            fed: self.fed,
            blocks,
            heard: 0,
            rows: vec![NOUGHT; 64 * blocks],
            mask: None,
            hears: Vec::new(),
            image: vec![Eight([0; 8]); 64 * blocks],
            bias: vec![0.0; padded],
            has_bias: vec![0.0; padded],
            image_bias: vec![Eight([0; 8]); blocks],
            levels: self.levels.clone(),
            hidden: hidden.last().map_or(0, |level| level.to),
            steps_alone: hidden.iter().map(|level| (level.to - level.from).div_ceil(8)).sum(),
            perceptron: None,
            places: vec![Place::Nowhere; params],
        }
    }
}

/// The form of the links into some nodes, each of which hears some others, in order.
fn links(nodes: std::ops::Range<usize>, hears: impl Fn(usize) -> Vec<usize>) -> Links {
    let heard = hears(nodes.start);
    let Some(&first) = heard.first() else { return Links::None };
    let count = heard.len();
    let is_run = heard.iter().copied().eq(first..first + count);
    let is_full = is_run && nodes.clone().all(|at| hears(at) == heard);
    match nodes.len() {
        1 if is_full => Links::Dot { first, count, weights: vec![NOUGHT; count.div_ceil(8)] },
        _ if is_full => {
            let weights = vec![NOUGHT; count * nodes.len().div_ceil(8)];
            Links::Dense { first, count, weights }
        }
        _ => Links::Sparse(Vec::new()),
    }
}
