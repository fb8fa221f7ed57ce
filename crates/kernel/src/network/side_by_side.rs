//! Eight moves side by side: each node of a network is computed for eight boards at once. Where
//! levels have few nodes, as in networks that grew, this keeps all lanes busy; and links between
//! single nodes cost no more than others. Sums are taken in the same order as for one move alone,
//! so that values are the same, bit for bit.

use super::{Edge, Level, Links, Network};
use crate::rows::Rows;
use crate::rows::portable::Eight;

/// Inputs and outputs of all nodes, for eight moves.
#[derive(Clone, Debug, Default)]
pub struct SideBySide {
    inputs: Vec<Eight<f32>>,
    outputs: Vec<Eight<f32>>,
}

impl Network {
    /// Says whether this many moves are scored faster side by side than one by one: by the steps in
    /// which nodes are squashed.
    #[inline(always)]
    pub(super) fn pays_together(&self, moves: u32) -> bool {
        moves.min(8) as usize * self.steps_alone > self.hidden
    }
}

impl SideBySide {
    /// Makes room for a network with this many nodes.
    pub(super) fn fit(&mut self, nodes: usize) {
        self.inputs.resize(nodes, Eight([0.0; 8]));
        self.outputs.resize(nodes, Eight([0.0; 8]));
    }

    /// What the board feeds after one of the moves, for a block of eight nodes.
    #[inline(always)]
    pub(super) fn put<R: Rows>(&mut self, isa: R, block: usize, lane: usize, fed: R::Reals) {
        let mut nodes = [0.0; 8];
        isa.store(fed, &mut nodes);
        for (input, node) in self.inputs[8 * block..8 * block + 8].iter_mut().zip(nodes) {
            input.0[lane % 8] = node;
        }
    }

    /// What comes out for each move before the last curve. What the boards feed is there.
    #[inline(always)]
    pub(super) fn run<R: Rows>(&mut self, isa: R, network: &Network) -> [f32; 8] {
        let SideBySide { inputs, outputs } = self;
        let fed = 8 * network.blocks;
        for (input, bias) in inputs[fed..].iter_mut().zip(&network.bias[fed..]) {
            *input = Eight([*bias; 8]);
        }
        let last = network.levels.len() - 1;
        for (index, level) in network.levels.iter().enumerate() {
            level.hear_all(isa, inputs, outputs);
            if index < last {
                level.squash_all(isa, inputs, outputs);
            }
        }
        inputs[network.levels[last].from].0
    }
}

impl Level {
    /// Adds what earlier nodes put out.
    #[inline(always)]
    fn hear_all<R: Rows>(&self, isa: R, inputs: &mut [Eight<f32>], outputs: &[Eight<f32>]) {
        match &self.links {
            Links::None => {}
            Links::Dot { first, count, weights } => {
                // One sum for each lane of a block, as for one move alone.
                let mut sums = [isa.real(0.0); 8];
                for at in 0..*count {
                    let weight = isa.real(weights[at / 8].0[at % 8]);
                    let heard = isa.times(isa.load(&outputs[*first + at].0), weight);
                    sums[at % 8] = isa.plus(sums[at % 8], heard);
                }
                let [a, b, c, d, e, f, g, h] = sums;
                let [ae, cg, bf, dh] =
                    [isa.plus(a, e), isa.plus(c, g), isa.plus(b, f), isa.plus(d, h)];
                let total = isa.plus(isa.plus(ae, cg), isa.plus(bf, dh));
                let input = &mut inputs[self.from].0;
                isa.store(isa.plus(isa.load(input), total), input);
            }
            Links::Dense { first, count, weights } => {
                let width = (self.to - self.from).div_ceil(8);
                for block in 0..width {
                    // The sums of eight nodes stay in registers; what is beyond the level hears
                    // nothing and is not kept.
                    let nodes = &mut inputs[self.from + 8 * block..][..8];
                    let mut sums: [R::Reals; 8] = std::array::from_fn(|at| isa.load(&nodes[at].0));
                    let heard = &outputs[*first..*first + *count];
                    for (output, weights) in
                        heard.iter().zip(weights[block..].iter().step_by(width))
                    {
                        let output = isa.load(&output.0);
                        for (sum, weight) in sums.iter_mut().zip(weights.0) {
                            *sum = isa.plus(*sum, isa.times(output, isa.real(weight)));
                        }
                    }
                    let kept = (self.to - self.from - 8 * block).min(8);
                    for (node, sum) in nodes[..kept].iter_mut().zip(sums) {
                        isa.store(sum, &mut node.0);
                    }
                }
            }
            Links::Sparse(edges) => {
                for &Edge { from, to, weight } in edges {
                    let heard = isa.times(isa.load(&outputs[from as usize].0), isa.real(weight));
                    let input = &mut inputs[to as usize].0;
                    isa.store(isa.plus(isa.load(input), heard), input);
                }
            }
        }
    }

    /// Node by node.
    #[inline(always)]
    fn squash_all<R: Rows>(&self, isa: R, inputs: &[Eight<f32>], outputs: &mut [Eight<f32>]) {
        let squash = self.curve.squash();
        for at in self.from..self.to {
            match squash {
                Some(squash) => {
                    let output = squash.of(isa, isa.load(&inputs[at].0));
                    isa.store(output, &mut outputs[at].0);
                }
                None => outputs[at] = Eight(inputs[at].0.map(|input| self.curve.at(input))),
            }
        }
    }
}
