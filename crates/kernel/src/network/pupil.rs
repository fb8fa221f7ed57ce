//! Who learns from positions: any network, or a perceptron whose numbers stay in registers. Both
//! end with the same bits.

use super::curve::Squash;
use super::learn::Desk;
use super::propagate::{eight_mut, eight_of, total};
use super::{Level, Links, Network};
use crate::rows::Rows;
use crate::rows::portable::Eight;
use crate::tanh::Plain;

/// A network that is asked for the value of a board, and then moved towards another value.
pub(super) trait Pupil<R: Rows> {
    /// The value of a board: own and opposing discs.
    fn value(&mut self, isa: R, board: (u64, u64)) -> f32;
    /// A step along the gradient of the value of the board that was asked for last.
    fn learn(&mut self, isa: R, board: (u64, u64), step: f32);
    /// Writes everything back into the network.
    fn end(self, isa: R);
}

/// Any network, level by level.
pub(super) struct Any<'a> {
    pub network: &'a mut Network,
    pub desk: Desk,
}

impl<R: Rows> Pupil<R> for Any<'_> {
    #[inline(always)]
    fn value(&mut self, isa: R, (own, opp): (u64, u64)) -> f32 {
        let board = (own & self.network.heard, opp & self.network.heard);
        self.network.forward(isa, &mut self.desk, board)
    }

    #[inline(always)]
    fn learn(&mut self, isa: R, (own, opp): (u64, u64), step: f32) {
        let board = (own & self.network.heard, opp & self.network.heard);
        self.network.back(isa, &mut self.desk, step);
        self.network.step(isa, &self.desk, board);
    }

    #[inline(always)]
    fn end(self, _: R) {}
}

/// One hidden level that the board alone feeds, in blocks of eight, and an output that all of it
/// feeds, and perhaps squares. All but the weights from squares is kept here meanwhile.
pub(super) struct InRegisters<'a, R: Rows, const BLOCKS: usize, const MASKED: bool> {
    network: &'a mut Network,
    form: Form,
    bias: [R::Reals; BLOCKS],
    has_bias: [R::Reals; BLOCKS],
    hears: [R::Reals; BLOCKS],
    /// 1 for hidden nodes: a block may have room for others.
    hidden: [R::Reals; BLOCKS],
    weights: [R::Reals; BLOCKS],
    outputs: [R::Reals; BLOCKS],
    output_bias: f32,
    output: f32,
}

/// The shape that [`InRegisters`] is for.
#[derive(Clone, Copy)]
pub(super) struct Form {
    hidden: Squash,
    output: Squash,
    /// Hidden nodes; the output comes after them.
    count: usize,
    /// Whether squares feed the output, too.
    is_output_fed: bool,
}

impl Network {
    /// The network as a perceptron, if it is one.
    pub(super) fn form(&self) -> Option<Form> {
        let [level, Level { from, curve, links, .. }] = self.levels.as_slice() else {
            return None;
        };
        let (Links::None, Links::Dot { first: 0, count, weights }) = (&level.links, links) else {
            return None;
        };
        let is_whole = *count == level.to && from == count && weights.len() == self.blocks;
        let is_output_fed = self.fed > *count;
        let (hidden, output) = (level.curve.squash()?, curve.squash()?);
        is_whole.then_some(Form { hidden, output, count: *count, is_output_fed })
    }

    /// The weights of the output, if a row of nodes feeds it.
    #[inline(always)]
    fn dot(&mut self) -> &mut [Eight<f32>] {
        match self.levels.last_mut().map(|level| &mut level.links) {
            Some(Links::Dot { weights, .. }) => weights,
            _ => &mut [],
        }
    }
}

impl<'a, R: Rows, const BLOCKS: usize, const MASKED: bool> InRegisters<'a, R, BLOCKS, MASKED> {
    #[inline(always)]
    pub fn new(isa: R, network: &'a mut Network, form: Form) -> Self {
        let nought = [isa.real(0.0); BLOCKS];
        let [mut bias, mut has_bias, mut hears, mut hidden, mut weights] = [nought; 5];
        for block in 0..BLOCKS {
            bias[block] = isa.load(eight_of(&network.bias[8 * block..]));
            has_bias[block] = isa.load(eight_of(&network.has_bias[8 * block..]));
            hears[block] = isa.load(&network.hears[block].0);
            let mut is_hidden = [0.0; 8];
            for (lane, is_hidden) in is_hidden.iter_mut().enumerate() {
                *is_hidden = if 8 * block + lane < form.count { 1.0 } else { 0.0 };
            }
            hidden[block] = isa.load(&is_hidden);
            weights[block] = isa.load(&network.dot()[block].0);
        }
        let output_bias = network.bias[form.count];
        let (outputs, output) = (nought, 0.0);
        InRegisters {
            network,
            form,
            bias,
            has_bias,
            hears,
            hidden,
            weights,
            outputs,
            output_bias,
            output,
        }
    }
}

impl<R: Rows, const BLOCKS: usize, const MASKED: bool> Pupil<R>
    for InRegisters<'_, R, BLOCKS, MASKED>
{
    #[inline(always)]
    fn value(&mut self, isa: R, (own, opp): (u64, u64)) -> f32 {
        let board = (own & self.network.heard, opp & self.network.heard);
        let fed = self.network.fed_by::<R, BLOCKS>(isa, board);
        let mut sum = isa.real(0.0);
        for (block, fed) in fed.iter().enumerate() {
            let output = self.form.hidden.of(isa, isa.plus(self.bias[block], *fed));
            self.outputs[block] = isa.times(output, self.hidden[block]);
            sum = isa.plus(sum, isa.times(self.outputs[block], self.weights[block]));
        }
        let mut input = self.output_bias;
        if self.form.is_output_fed {
            let mut lanes = [0.0; 8];
            isa.store(fed[BLOCKS - 1], &mut lanes);
            input += lanes[self.form.count % 8];
        }
        self.output = self.form.output.of(Plain, input + total(isa, sum));
        self.output
    }

    #[inline(always)]
    fn learn(&mut self, isa: R, (own, opp): (u64, u64), step: f32) {
        let error = step * self.form.output.slopes(Plain, self.output);
        let factor = isa.real(error);
        let mut steps = [isa.real(0.0); BLOCKS];
        for (block, step) in steps.iter_mut().enumerate() {
            let (outputs, weights) = (self.outputs[block], self.weights[block]);
            let passed = isa.plus(isa.real(0.0), isa.times(weights, factor));
            let errors = isa.times(passed, self.form.hidden.slopes(isa, outputs));
            self.weights[block] = isa.plus(weights, isa.times(outputs, factor));
            let change = isa.times(errors, self.has_bias[block]);
            self.bias[block] = isa.plus(self.bias[block], change);
            *step = isa.times(errors, self.hears[block]);
        }
        let out = self.form.count;
        self.output_bias += error * self.network.has_bias[out];
        if self.form.is_output_fed {
            let mut lanes = [0.0; 8];
            isa.store(steps[BLOCKS - 1], &mut lanes);
            lanes[out % 8] = error;
            steps[BLOCKS - 1] = isa.load(&lanes);
        }
        let board = (own & self.network.heard, opp & self.network.heard);
        self.network.step_squares::<R, BLOCKS, MASKED>(isa, steps, board);
    }

    #[inline(always)]
    fn end(self, isa: R) {
        for block in 0..BLOCKS {
            isa.store(self.bias[block], eight_mut(&mut self.network.bias[8 * block..]));
            isa.store(self.weights[block], &mut self.network.dot()[block].0);
        }
        self.network.bias[self.form.count] = self.output_bias;
    }
}

#[cfg(test)]
mod tests {
    use super::super::learn::Lessons;
    use super::super::tests::{boards, params, rng};
    use super::super::{Curve, Link, Sequence, Source, Values, Wiring};
    use super::*;
    use crate::portable::Portable;
    use crate::rng::Rng;

    /// A perceptron that a share of the squares feeds, perhaps its output, too.
    fn perceptron(hidden: usize, share: f64, is_output_fed: bool, rng: &mut Rng) -> Wiring {
        let curve = |rng: &mut Rng| [Curve::Sigmoid, Curve::Tanh][rng.below(2) as usize];
        let mut curves = vec![curve(rng); hidden];
        curves.push(curve(rng));
        let mut wiring = Wiring { curves, links: Vec::new(), counters: Vec::new() };
        for to in 0..=hidden {
            let nodes = (0..if to == hidden { hidden } else { 0 }).map(Source::Node);
            for from in (0..64).map(Source::Square).chain([Source::One]).chain(nodes) {
                let is_there = match from {
                    Source::Node(_) => true,
                    Source::One => rng.unit() < 0.5,
                    // Each node hears a square, or it would be no part of the level.
                    Source::Square(at) if to < hidden => {
                        usize::from(at) == to || rng.unit() < share
                    }
                    Source::Square(_) => is_output_fed && rng.unit() < share,
                };
                if is_there {
                    wiring.links.push(Link { from, to, param: wiring.links.len() });
                }
            }
        }
        wiring
    }

    #[test]
    fn a_perceptron_learns_the_same_in_registers_and_level_by_level() {
        let mut rng = rng(30);
        let mut in_registers = 0;
        for hidden in 1..24 {
            for (share, is_output_fed) in [(1.0, false), (0.4, false), (0.4, true), (1.0, true)] {
                let wiring = perceptron(hidden, share, is_output_fed, &mut rng);
                let before = params(&wiring, 0.4, &mut rng);
                let (ours, theirs) = (boards(30, &mut rng), boards(28, &mut rng));
                let sequences = [(&ours, 1.0), (&theirs, 0.0)]
                    .map(|(boards, reward)| Sequence { boards, reward });
                let values = [Values::Stored, Values::Recomputed][hidden % 2];
                let lessons = Lessons { sequences: &sequences, alpha: 0.1, lambda: 0.9, values };
                let bits = |network: &Network, errors: [f32; 2]| {
                    let mut after = before.clone();
                    network.copy_params(&mut after);
                    after.iter().chain(&errors).map(|number| number.to_bits()).collect::<Vec<_>>()
                };

                let (mut network, mut errors) = (Network::new(&wiring, &before), [0.0; 2]);
                let desk = Desk::new(&network);
                lessons.learn(Portable, Any { network: &mut network, desk }, &mut errors);
                let expected = bits(&network, errors);

                let mut network = Network::new(&wiring, &before);
                let Some(form) = network.form() else { continue };
                in_registers += 1;
                assert_eq!(form.is_output_fed, is_output_fed);
                let (masked, mut errors) = (network.mask.is_some(), [0.0; 2]);
                let pupil = &mut network;
                match (pupil.blocks, masked) {
                    (1, false) => taught::<1, false>(pupil, form, lessons, &mut errors),
                    (1, true) => taught::<1, true>(pupil, form, lessons, &mut errors),
                    (2, false) => taught::<2, false>(pupil, form, lessons, &mut errors),
                    (2, true) => taught::<2, true>(pupil, form, lessons, &mut errors),
                    (_, false) => taught::<3, false>(pupil, form, lessons, &mut errors),
                    (_, true) => taught::<3, true>(pupil, form, lessons, &mut errors),
                }
                assert!(bits(&network, errors) == expected, "{hidden} {share} {is_output_fed}");
            }
        }
        // An output that begins a block of its own, and hears squares, is left to the other way.
        assert_eq!(in_registers, 4 * 23 - 2 * 2);
    }

    fn taught<const BLOCKS: usize, const MASKED: bool>(
        network: &mut Network,
        form: Form,
        lessons: Lessons<'_>,
        errors: &mut [f32],
    ) {
        let pupil = InRegisters::<_, BLOCKS, MASKED>::new(Portable, network, form);
        lessons.learn(Portable, pupil, errors);
    }
}
