//! Which networks can learn side by side, and the order in which their nodes listen to each other
//! and pass errors back: for each network the order in which it does so alone.

use super::super::{Links, Network, Place};

/// Networks with more nodes learn alone: the others would wait for them.
const MOST_NODES: usize = 32;

/// A link between two nodes.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    place: Place,
    /// Its number among the links that are added up as [`super::super::propagate::total`] does.
    tree: Option<usize>,
}

impl Network {
    /// Whether it learns side by side with others. It can if all its nodes squash, no level is
    /// dense, and no weight is -0, which adding 0 would change. It does not pay for many nodes, or
    /// for more than eight that stay in registers if it learns alone.
    pub(super) fn learns_abreast(&self) -> bool {
        let is_dense = |links: &Links| matches!(links, Links::Dense { .. });
        let is_minus_0 = |place: &Place| {
            self.weight(*place).is_some_and(|weight| weight.to_bits() == (-0.0f32).to_bits())
        };
        self.nodes() <= MOST_NODES
            && (self.fed <= 8 || self.form().is_none())
            && self.levels.iter().all(|level| level.curve.squash().is_some())
            && !self.levels.iter().any(|level| is_dense(&level.links))
            && !self.places.iter().any(is_minus_0)
            && !self.has_twins()
    }

    /// Whether two links have the same ends.
    fn has_twins(&self) -> bool {
        let mut ends: Vec<(usize, usize)> =
            self.edges().iter().map(|edge| (edge.from, edge.to)).collect();
        let all = ends.len();
        ends.sort_unstable();
        ends.dedup();
        ends.len() < all
    }

    /// The links between nodes, in the order in which they are heard.
    fn edges(&self) -> Vec<Edge> {
        let mut all = Vec::new();
        for (index, level) in self.levels.iter().enumerate() {
            match &level.links {
                Links::None | Links::Dense { .. } => {}
                Links::Dot { first, count, .. } => all.extend((0..*count).map(|at| Edge {
                    from: first + at,
                    to: level.from,
                    place: Place::Link(index, at / 8, at % 8),
                    // The sum of one number is that number.
                    tree: (*count > 1).then_some(at),
                })),
                Links::Sparse(edges) => {
                    all.extend(edges.iter().enumerate().map(|(at, edge)| Edge {
                        from: edge.from as usize,
                        to: edge.to as usize,
                        place: Place::Link(index, at, 0),
                        tree: None,
                    }));
                }
            }
        }
        all
    }
}

/// A link of some lanes that listen to it, or pass an error back through it, at the same time.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The node at its other end.
    pub node: usize,
    /// The weight.
    pub slot: usize,
    /// Which lanes.
    pub lanes: u16,
}

/// What a node does.
#[derive(Default)]
pub(super) struct Node {
    /// What it hears, one after the other.
    pub hears: Vec<Step>,
    /// What it hears in lanes that add it up in eighths, as [`super::super::propagate::total`].
    pub tree: Option<[Vec<Step>; 8]>,
    /// These lanes.
    pub tree_lanes: u16,
    /// From where errors come back to it, one after the other.
    pub errs: Vec<Step>,
}

/// The weight of a link between two nodes, in all lanes that have one.
pub(super) struct Slot {
    pub from: usize,
    pub to: usize,
    pub lanes: u16,
    /// By lane.
    pub places: Vec<Option<Place>>,
}

/// The nodes of some networks, output last, and the links between them.
pub(super) struct Plan {
    pub nodes: Vec<Node>,
    pub slots: Vec<Slot>,
}

/// Where a node of a network sits: the output last.
pub(super) fn seat(network: &Network, node: usize, seats: usize) -> usize {
    if node + 1 == network.nodes() { seats - 1 } else { node }
}

impl Plan {
    pub(super) fn of(networks: &[&Network]) -> Plan {
        let seats = networks.iter().map(|network| network.nodes()).max().unwrap_or(0);
        let mut plan = Plan { nodes: Vec::new(), slots: Vec::new() };
        plan.nodes.resize_with(seats, Node::default);
        for (lane, network) in networks.iter().enumerate() {
            let edges = network.edges();
            let mut heard = vec![0; seats];
            for edge in &edges {
                let (from, to) = (seat(network, edge.from, seats), seat(network, edge.to, seats));
                let slot = plan.slot(from, to, lane, edge.place, networks.len());
                let node = &mut plan.nodes[to];
                let step = Step { node: from, slot, lanes: 1 << lane };
                match edge.tree {
                    Some(at) => {
                        node.tree_lanes |= 1 << lane;
                        let eighths = node.tree.get_or_insert_default();
                        insert(&mut eighths[at % 8], at / 8, step);
                    }
                    None => insert(&mut node.hears, heard[to], step),
                }
                heard[to] += 1;
            }
            // Later levels pass errors back before earlier ones; links of a level in their order.
            let level = |edge: &Edge| match edge.place {
                Place::Link(level, ..) => level,
                _ => 0,
            };
            let mut back: Vec<&Edge> = edges.iter().collect();
            back.sort_by_key(|edge| std::cmp::Reverse(level(edge)));
            let mut passed = vec![0; seats];
            for edge in back {
                let (from, to) = (seat(network, edge.from, seats), seat(network, edge.to, seats));
                let slot = plan.slot(from, to, lane, edge.place, networks.len());
                let step = Step { node: to, slot, lanes: 1 << lane };
                insert(&mut plan.nodes[from].errs, passed[from], step);
                passed[from] += 1;
            }
        }
        plan
    }

    /// The slot of a link, which this lane has.
    fn slot(&mut self, from: usize, to: usize, lane: usize, place: Place, lanes: usize) -> usize {
        let known = self.slots.iter().position(|slot| (slot.from, slot.to) == (from, to));
        let at = known.unwrap_or_else(|| {
            self.slots.push(Slot { from, to, lanes: 0, places: vec![None; lanes] });
            self.slots.len() - 1
        });
        self.slots[at].lanes |= 1 << lane;
        self.slots[at].places[lane] = Some(place);
        at
    }
}

/// Adds a step of a lane that has taken `before` steps. Joins a step of other lanes over the same
/// link, if the order of this lane stays as it is.
fn insert(steps: &mut Vec<Step>, before: usize, step: Step) {
    let mut left = before;
    let mut first = 0;
    // After all steps of this lane so far.
    while left > 0 {
        left -= usize::from(steps[first].lanes & step.lanes != 0);
        first += 1;
    }
    match steps[first..].iter_mut().find(|other| other.slot == step.slot) {
        Some(other) => other.lanes |= step.lanes,
        None => steps.push(step),
    }
}
