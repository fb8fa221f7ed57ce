//! From what the board feeds to what comes out, level by level, for one board.

use super::{Level, Links, Network};
use crate::rows::Rows;
use crate::tanh::{Plain, Reals};

/// Runs through all levels. Inputs hold what the board feeds, and biases; what comes out is the
/// input of the last node, the outputs of the others are left in place.
#[inline(always)]
pub(super) fn propagate<R: Rows>(
    isa: R,
    network: &Network,
    inputs: &mut [f32],
    outputs: &mut [f32],
) -> f32 {
    let last = network.levels.len() - 1;
    for (index, level) in network.levels.iter().enumerate() {
        level.hear(isa, inputs, outputs);
        if index < last {
            level.squash(isa, inputs, outputs);
        }
    }
    inputs[network.levels[last].from]
}

impl Level {
    /// Adds what earlier nodes put out.
    #[inline(always)]
    fn hear<R: Rows>(&self, isa: R, inputs: &mut [f32], outputs: &[f32]) {
        match &self.links {
            Links::None => {}
            Links::Dot { first, weights, .. } => {
                let mut sum = isa.real(0.0);
                for (block, weight) in weights.iter().enumerate() {
                    let output = isa.load(eight_of(&outputs[*first + 8 * block..]));
                    sum = isa.plus(sum, isa.times(output, isa.load(&weight.0)));
                }
                inputs[self.from] += total(isa, sum);
            }
            Links::Dense { first, count, weights } => {
                let width = (self.to - self.from).div_ceil(8);
                for source in 0..*count {
                    let output = isa.real(outputs[*first + source]);
                    for (block, weight) in weights[source * width..][..width].iter().enumerate() {
                        let input = eight_mut(&mut inputs[self.from + 8 * block..]);
                        let sum = isa.plus(isa.load(input), isa.times(output, isa.load(&weight.0)));
                        isa.store(sum, input);
                    }
                }
            }
            Links::Sparse(edges) => {
                for edge in edges {
                    inputs[edge.to as usize] += outputs[edge.from as usize] * edge.weight;
                }
            }
        }
    }

    /// Eight nodes at a time; those of a later level get their outputs when it is their turn.
    #[inline(always)]
    fn squash<R: Rows>(&self, isa: R, inputs: &[f32], outputs: &mut [f32]) {
        let Some(squash) = self.curve.squash() else {
            for at in self.from..self.to {
                outputs[at] = self.curve.at(inputs[at]);
            }
            return;
        };
        let mut at = self.from;
        while at < self.to {
            let output = squash.of(isa, isa.load(eight_of(&inputs[at..])));
            isa.store(output, eight_mut(&mut outputs[at..]));
            at += 8;
        }
    }
}

/// The sum of eight numbers, in halves: an order in which every CPU can add them fast.
#[inline(always)]
pub(super) fn total<R: Rows>(isa: R, sum: R::Reals) -> f32 {
    let mut lanes = [0.0; 8];
    isa.store(sum, &mut lanes);
    total_of(Plain, lanes)
}

/// The same of any eight.
#[inline(always)]
pub(super) fn total_of<R: Reals>(reals: R, [a, b, c, d, e, f, g, h]: [R::Reals; 8]) -> R::Reals {
    let left = reals.plus(reals.plus(a, e), reals.plus(c, g));
    reals.plus(left, reals.plus(reals.plus(b, f), reals.plus(d, h)))
}

/// The first eight numbers.
#[inline(always)]
pub(super) fn eight_of(numbers: &[f32]) -> &[f32; 8] {
    numbers[..8].try_into().expect("eight numbers")
}

/// The first eight numbers.
#[inline(always)]
pub(super) fn eight_mut(numbers: &mut [f32]) -> &mut [f32; 8] {
    (&mut numbers[..8]).try_into().expect("eight numbers")
}
