//! The numbers of networks that learn side by side, and how they learn: the operations of
//! `network/learn.rs`, a lane a network.

use super::super::propagate::total_of;
use super::super::{Network, Place};
use super::Study;
use super::lanes::{Lanes, Words};
use super::plan::{Plan, Step, seat};
use crate::network::Sequence;

/// The nodes of a bench at most; their sums stay in registers.
const BENCH: usize = 4;

/// All numbers of some networks.
pub(super) struct Desk<L: Lanes> {
    lanes: L,
    plan: Plan,
    benches: Vec<Bench<L>>,
    /// By node.
    bias: Vec<L::Reals>,
    has_bias: Vec<L::Packed>,
    curves: Vec<Curves<L>>,
    /// By slot.
    links: Vec<L::Reals>,
    /// The lanes with own and with opposing discs, by square.
    discs: [L::Discs; 2],
    /// By node: inputs, outputs and errors.
    inputs: Vec<L::Reals>,
    outputs: Vec<L::Reals>,
    errors: Vec<L::Reals>,
}

/// Nodes that hear squares, as many as have room in registers. What evolved together is much alike:
/// all lanes together hear few of the squares with some node.
struct Bench<L: Lanes> {
    nodes: Vec<Hearing>,
    /// The squares that the nodes hear, the first of each, the second of each, and so on. A node
    /// with fewer hears the first one again, with weights of 0 that are no parameters.
    squares: Vec<u8>,
    /// Their weights.
    weights: Vec<L::Reals>,
    /// The lanes in which they are parameters.
    is_there: Vec<L::Packed>,
}

/// A node, and the squares that it hears in any lane.
struct Hearing {
    node: usize,
    squares: Vec<u8>,
}

/// The curves of a node, see [`crate::network::curve::Squash`].
struct Curves<L: Lanes> {
    slope: L::Reals,
    base: L::Reals,
    span: L::Reals,
    top: L::Reals,
    steepness: L::Reals,
}

/// What a network is reading.
#[derive(Clone, Copy, Default)]
struct Reader<'a> {
    /// The sequences after this one.
    next: &'a [Sequence<'a>],
    boards: &'a [(u64, u64)],
    reward: f32,
    /// Positions that are still to be learned from.
    left: usize,
}

impl<L: Lanes> Desk<L> {
    #[inline(always)]
    pub(super) fn new(lanes: L, studies: &[&mut Study<'_>]) -> Desk<L> {
        let networks: Vec<&Network> = studies.iter().map(|study| &*study.network).collect();
        let plan = Plan::of(&networks);
        let (seats, nought) = (plan.nodes.len(), lanes.real(0.0));
        let mut hearing: Vec<Hearing> = (0..seats)
            .map(|node| Hearing { node, squares: heard_by(&networks, node, seats) })
            .filter(|hearing| !hearing.squares.is_empty())
            .collect();
        // Those that hear about as much together.
        hearing.sort_by_key(|hearing| hearing.squares.len());
        let mut benches: Vec<Bench<L>> = Vec::new();
        while !hearing.is_empty() {
            let nodes: Vec<Hearing> = hearing.drain(..hearing.len().min(BENCH)).collect();
            benches.push(Bench::new(lanes, &networks, nodes, seats));
        }
        let mut desk = Desk {
            lanes,
            benches,
            bias: vec![nought; seats],
            has_bias: Vec::new(),
            discs: [lanes.no_discs(), lanes.no_discs()],
            curves: Vec::new(),
            links: vec![nought; plan.slots.len()],
            inputs: vec![nought; seats],
            outputs: vec![nought; seats],
            errors: vec![nought; seats],
            plan,
        };
        desk.seat_networks(&networks);
        desk
    }

    /// Biases, links and curves.
    #[inline(always)]
    fn seat_networks(&mut self, networks: &[&Network]) {
        let seats = self.plan.nodes.len();
        // The curve of lanes without the node makes no difference.
        let mut curves = vec![[[0.0; 16]; 5]; seats];
        let mut has_bias = vec![0; seats];
        for (lane, network) in networks.iter().enumerate() {
            for level in &network.levels {
                for node in level.from..level.to {
                    let at = seat(network, node, seats);
                    L::numbers(&mut self.bias)[at * L::LANES + lane] = network.bias[node];
                    has_bias[at] |= u16::from(network.has_bias[node] > 0.0) << lane;
                    if let Some(squash) = level.curve.squash() {
                        let (top, steepness) = (squash.base + squash.span, squash.steepness());
                        let numbers = [squash.slope, squash.base, squash.span, top, steepness];
                        for (curve, number) in curves[at].iter_mut().zip(numbers) {
                            curve[lane] = number;
                        }
                    }
                }
            }
            for (at, slot) in self.plan.slots.iter().enumerate() {
                let weight = slot.places[lane].and_then(|place| network.weight(place));
                L::numbers(&mut self.links)[at * L::LANES + lane] = weight.unwrap_or(0.0);
            }
        }
        self.has_bias = has_bias.into_iter().map(L::packed).collect();
        for node in &curves {
            let mut registers = [self.lanes.real(0.0); 5];
            for (register, numbers) in registers.iter_mut().zip(node) {
                L::numbers(std::slice::from_mut(register)).copy_from_slice(&numbers[..L::LANES]);
            }
            let [slope, base, span, top, steepness] = registers;
            self.curves.push(Curves { slope, base, span, top, steepness });
        }
    }

    /// Lets all of them learn to the end, and writes back what they have learned.
    #[inline(always)]
    pub(super) fn learn(mut self, studies: &mut [&mut Study<'_>], alpha: f32, lambda: f32) {
        let lanes = self.lanes;
        let mut readers = [Reader::default(); 16];
        for (reader, study) in readers.iter_mut().zip(&*studies) {
            reader.next = study.sequences;
        }
        let mut rewards = [lanes.real(0.0)];
        // Of the position that was learned before, as alone.
        let (mut next, mut goal) = (lanes.real(0.0), lanes.real(0.0));
        let mut sums = [lanes.real(0.0)];
        loop {
            let mut words = [[[0; 16]; 2]; 2];
            let (mut first, mut active) = (0, 0);
            for (lane, study) in studies.iter_mut().enumerate() {
                let reader = &mut readers[lane];
                if reader.left == 0 {
                    let sum = L::numbers(&mut sums)[lane];
                    if reader.go_on(sum, &mut study.errors) {
                        first |= 1 << lane;
                        L::numbers(&mut rewards)[lane] = reader.reward;
                    }
                }
                if let Some(left) = reader.left.checked_sub(1) {
                    reader.left = left;
                    let (own, opp) = reader.boards[left];
                    for (words, discs) in words.iter_mut().zip([own, opp]) {
                        words[0][lane] = discs as u32;
                        words[1][lane] = (discs >> 32) as u32;
                    }
                    active |= 1 << lane;
                }
            }
            if active == 0 {
                break;
            }
            self.look(&words);
            let value = self.value();
            let passed = lanes.times(lanes.real(lambda), lanes.minus(goal, next));
            let target = lanes.either(self.some(first), lanes.plus(next, passed), rewards[0]);
            let error = lanes.minus(target, value);
            (next, goal) = (value, target);
            let sum = lanes.plus(sums[0], lanes.times(error, error));
            sums[0] = lanes.either(self.some(first), sum, lanes.real(0.0));
            // Those who have finished take steps of length 0.
            let step = lanes.times(lanes.real(alpha), error);
            let step = lanes.either(self.some(active), lanes.real(0.0), step);
            self.back(step);
            self.step();
        }
        for (lane, study) in studies.iter_mut().enumerate() {
            self.write_back(lane, study.network);
        }
    }

    /// The lanes whose bit is set.
    #[inline(always)]
    fn some(&self, bits: u16) -> L::Some {
        self.lanes.some(L::packed(bits))
    }

    /// Notes who has discs where.
    #[inline(always)]
    fn look(&mut self, words: &[Words; 2]) {
        for (words, discs) in words.iter().zip(&mut self.discs) {
            self.lanes.discs::<false>(words, discs);
        }
    }

    /// What comes out for a board of each.
    #[inline(always)]
    fn value(&mut self) -> L::Reals {
        let lanes = self.lanes;
        for (input, bias) in self.inputs.iter_mut().zip(&self.bias) {
            *input = *bias;
        }
        for bench in &self.benches {
            let (discs, inputs) = (&self.discs, &mut self.inputs);
            match bench.nodes.len() {
                1 => bench.feed::<1>(lanes, discs, inputs),
                2 => bench.feed::<2>(lanes, discs, inputs),
                3 => bench.feed::<3>(lanes, discs, inputs),
                _ => bench.feed::<BENCH>(lanes, discs, inputs),
            }
        }
        let mut output = lanes.real(0.0);
        for (at, node) in self.plan.nodes.iter().enumerate() {
            let mut input = self.inputs[at];
            for step in &node.hears {
                input = self.heard(*step, input);
            }
            if let Some(eighths) = &node.tree {
                let mut sums = [lanes.real(0.0); 8];
                for (sum, steps) in sums.iter_mut().zip(eighths) {
                    for step in steps {
                        *sum = self.heard(*step, *sum);
                    }
                }
                let sum = total_of(lanes, sums);
                input = lanes.add_where(self.some(node.tree_lanes), input, sum);
            }
            output = self.curves[at].of(lanes, input);
            self.outputs[at] = output;
        }
        output
    }

    /// A sum, and what a node hears through a link.
    #[inline(always)]
    fn heard(&self, Step { node, slot, lanes }: Step, sum: L::Reals) -> L::Reals {
        let heard = self.lanes.times(self.outputs[node], self.links[slot]);
        self.lanes.add_where(self.some(lanes), sum, heard)
    }

    /// The errors of all nodes, if that of the value is `error`.
    #[inline(always)]
    fn back(&mut self, error: L::Reals) {
        let lanes = self.lanes;
        let mut coming = error;
        for at in (0..self.plan.nodes.len()).rev() {
            for Step { node, slot, lanes: some } in &self.plan.nodes[at].errs {
                let passed = lanes.times(self.links[*slot], self.errors[*node]);
                coming = lanes.add_where(self.some(*some), coming, passed);
            }
            let slopes = self.curves[at].slopes(lanes, self.outputs[at]);
            self.errors[at] = lanes.times(coming, slopes);
            coming = lanes.real(0.0);
        }
    }

    /// Changes all weights.
    #[inline(always)]
    fn step(&mut self) {
        let lanes = self.lanes;
        for (link, slot) in self.links.iter_mut().zip(&self.plan.slots) {
            let change = lanes.times(self.outputs[slot.from], self.errors[slot.to]);
            *link = lanes.add_where(lanes.some(L::packed(slot.lanes)), *link, change);
        }
        for ((bias, has), error) in self.bias.iter_mut().zip(&self.has_bias).zip(&self.errors) {
            *bias = lanes.add_where(lanes.some(*has), *bias, *error);
        }
        for bench in &mut self.benches {
            let (discs, errors) = (&self.discs, &self.errors);
            match bench.nodes.len() {
                1 => bench.step::<1>(lanes, discs, errors),
                2 => bench.step::<2>(lanes, discs, errors),
                3 => bench.step::<3>(lanes, discs, errors),
                _ => bench.step::<BENCH>(lanes, discs, errors),
            }
        }
    }

    #[inline(always)]
    fn write_back(&mut self, lane: usize, network: &mut Network) {
        let seats = self.plan.nodes.len();
        for bench in &mut self.benches {
            let weights = L::numbers(&mut bench.weights);
            for Weight { at, block, lane: place } in weights_of(network, &bench.nodes, seats) {
                network.rows[block].0[place] = weights[at * L::LANES + lane];
            }
        }
        for node in 0..network.nodes() {
            let at = seat(network, node, seats) * L::LANES + lane;
            network.bias[node] = L::numbers(&mut self.bias)[at];
        }
        for (at, slot) in self.plan.slots.iter().enumerate() {
            if let Some(place) = slot.places[lane] {
                network.set_link(place, L::numbers(&mut self.links)[at * L::LANES + lane]);
            }
        }
    }
}

impl<L: Lanes> Bench<L> {
    #[inline(always)]
    fn new(lanes: L, networks: &[&Network], nodes: Vec<Hearing>, seats: usize) -> Bench<L> {
        let longest = nodes.iter().map(|node| node.squares.len()).max().unwrap_or(0);
        let mut squares = Vec::with_capacity(longest * nodes.len());
        for row in 0..longest {
            squares
                .extend(nodes.iter().map(|node| node.squares.get(row).unwrap_or(&node.squares[0])));
        }
        let mut weights = vec![lanes.real(0.0); squares.len()];
        let mut is_there = vec![0; squares.len()];
        for (lane, network) in networks.iter().enumerate() {
            let numbers = L::numbers(&mut weights);
            for Weight { at, block, lane: place } in weights_of(network, &nodes, seats) {
                numbers[at * L::LANES + lane] = network.rows[block].0[place];
                is_there[at] |= u16::from(network.is_param(block, place)) << lane;
            }
        }
        let is_there = is_there.into_iter().map(L::packed).collect();
        Bench { nodes, squares, weights, is_there }
    }

    /// Adds what the boards feed, own discs first.
    #[inline(always)]
    fn feed<const NODES: usize>(
        &self,
        lanes: L,
        [own, opp]: &[L::Discs; 2],
        inputs: &mut [L::Reals],
    ) {
        let mut sums = [lanes.real(0.0); NODES];
        let weights: &[[L::Reals; NODES]] = self.weights.as_chunks().0;
        let squares: &[[u8; NODES]] = self.squares.as_chunks().0;
        for (squares, weights) in squares.iter().zip(weights) {
            for node in 0..NODES {
                let some = L::on(own, squares[node]);
                sums[node] = lanes.add_where(some, sums[node], weights[node]);
            }
        }
        for (squares, weights) in squares.iter().zip(weights) {
            for node in 0..NODES {
                let some = L::on(opp, squares[node]);
                sums[node] = lanes.take_where(some, sums[node], weights[node]);
            }
        }
        for (hearing, sum) in self.nodes.iter().zip(sums) {
            inputs[hearing.node] = lanes.plus(inputs[hearing.node], sum);
        }
    }

    /// Changes the weights from squares.
    #[inline(always)]
    fn step<const NODES: usize>(
        &mut self,
        lanes: L,
        [own, opp]: &[L::Discs; 2],
        errors: &[L::Reals],
    ) {
        let mut steps = [lanes.real(0.0); NODES];
        for (step, hearing) in steps.iter_mut().zip(&self.nodes) {
            *step = errors[hearing.node];
        }
        let weights: &mut [[L::Reals; NODES]] = self.weights.as_chunks_mut().0;
        let is_there: &[[L::Packed; NODES]] = self.is_there.as_chunks().0;
        let squares: &[[u8; NODES]] = self.squares.as_chunks().0;
        for (squares, (weights, is_there)) in squares.iter().zip(weights.iter_mut().zip(is_there)) {
            for node in 0..NODES {
                let opp = L::on(opp, squares[node]);
                let discs = lanes.any(L::on(own, squares[node]), opp);
                let step = lanes.negative_where(opp, steps[node]);
                let some = lanes.both(discs, lanes.some(is_there[node]));
                weights[node] = lanes.add_where(some, weights[node], step);
            }
        }
    }
}

impl<L: Lanes> Curves<L> {
    /// As [`crate::network::curve::Squash::of`].
    #[inline(always)]
    fn of(&self, lanes: L, x: L::Reals) -> L::Reals {
        let fall = crate::tanh::fall(lanes, lanes.times(self.slope, x));
        lanes.plus(self.base, lanes.times(self.span, fall))
    }

    /// As [`crate::network::curve::Squash::slopes`].
    #[inline(always)]
    fn slopes(&self, lanes: L, y: L::Reals) -> L::Reals {
        let above = lanes.minus(y, self.base);
        let below = lanes.minus(self.top, y);
        lanes.times(self.steepness, lanes.times(above, below))
    }
}

impl<'a> Reader<'a> {
    /// Goes on to the next sequence with positions, if there is one, and notes the error of the one
    /// that has been read.
    fn go_on(&mut self, sum: f32, errors: &mut Vec<f32>) -> bool {
        if !self.boards.is_empty() {
            let count = (self.boards.len() - 1).max(1);
            errors.push((sum / count as f32).sqrt());
        }
        self.boards = &[];
        while let Some((first, rest)) = self.next.split_first() {
            (self.next, self.boards, self.reward) = (rest, first.boards, first.reward);
            self.left = self.boards.len();
            if self.left > 0 {
                return true;
            }
            errors.push(0.0);
        }
        false
    }
}

impl Network {
    /// The node at a seat, if squares feed it.
    fn fed_node(&self, at: usize, seats: usize) -> Option<usize> {
        let output = self.nodes() - 1;
        let node = if at + 1 == seats { output } else { at };
        (node < self.fed && (at + 1 == seats || node < output)).then_some(node)
    }

    /// Whether a weight from a square is a parameter.
    fn is_param(&self, block: usize, lane: usize) -> bool {
        match &self.mask {
            Some(mask) => mask[block].0[lane] > 0.0,
            None => self.hears[block % self.blocks].0[lane] > 0.0,
        }
    }

    fn set_link(&mut self, place: Place, weight: f32) {
        if let Place::Link(level, at, lane) = place {
            match &mut self.levels[level].links {
                super::super::Links::Dot { weights, .. } => weights[at].0[lane] = weight,
                super::super::Links::Sparse(edges) => edges[at].weight = weight,
                _ => {}
            }
        }
    }
}

/// A weight from a square: its number on a bench, and its place in a network.
struct Weight {
    at: usize,
    block: usize,
    lane: usize,
}

/// The weights of a network that are on a bench.
fn weights_of(network: &Network, nodes: &[Hearing], seats: usize) -> Vec<Weight> {
    let mut weights = Vec::new();
    for (column, hearing) in nodes.iter().enumerate() {
        if let Some(node) = network.fed_node(hearing.node, seats) {
            weights.extend(hearing.squares.iter().enumerate().map(|(row, square)| Weight {
                at: row * nodes.len() + column,
                block: usize::from(*square) * network.blocks + node / 8,
                lane: node % 8,
            }));
        }
    }
    weights
}

/// The squares that the node at a seat hears in any network, in order.
fn heard_by(networks: &[&Network], at: usize, seats: usize) -> Vec<u8> {
    let mut heard: u64 = 0;
    for network in networks {
        if let Some(node) = network.fed_node(at, seats) {
            for square in 0..64 {
                let (block, lane) = (square * network.blocks + node / 8, node % 8);
                let weight = network.rows[block].0[lane];
                let hears = weight.to_bits() != 0 || network.is_param(block, lane);
                heard |= u64::from(hears) << square;
            }
        }
    }
    (0..64).filter(|square| heard >> square & 1 == 1).collect()
}
