//! TD(λ) off-line: positions of a game are learned backwards from its end, each by one step of
//! backpropagation. Vuurboom 2008, figures 5.1 and 7.5:
//!
//! ```text
//! V'(last) = reward,  V'(t) = V(t+1) + λ (V'(t+1) − V(t+1)),  w ← w + α (V'(t) − V(t)) ∇V(t)
//! ```
//!
//! with V(t+1) as it was during the game, or just before its own step ([`Values`]).

use super::propagate::{eight_mut, eight_of, propagate};
use super::pupil::{Any, Form, InRegisters, Pupil};
use super::{Curve, Level, Links, Network};
use crate::isa::Work;
use crate::portable::Portable;
use crate::rows::Rows;
use crate::rows::portable::Eight;
use crate::tanh::Plain;

/// The positions of a game after the moves of one side, as that side sees them, and what it got for
/// the game.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// Own and opposing discs.
    pub boards: &'a [(u64, u64)],
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    pub reward: f32,
}

/// Which values of later positions make up the targets of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Those before anything was learned from these sequences: as stored during a game.
    Stored,
    /// Those just before the later position was learned.
    Recomputed,
}

/// Learning from sequences, as work: backwards, all in step, so that the two sides of a game take
/// turns. Gives the root mean square of V' − V of each sequence, its last position left out.
pub struct LearnSequences<'a, R> {
    /// With whose instructions.
    pub isa: R,
    /// Who learns.
    pub network: &'a mut Network,
    /// From what.
    pub lessons: Lessons<'a>,
    /// What comes out, a number for each sequence.
    pub errors: &'a mut [f32],
}

/// What is learned, and how.
#[derive(Clone, Copy, Debug)]
pub struct Lessons<'a> {
    /// The sequences.
    pub sequences: &'a [Sequence<'a>],
    /// The step size.
    pub alpha: f32,
    /// The decay.
    pub lambda: f32,
    /// What targets are made of.
    pub values: Values,
}

/// Inputs, outputs and errors of all nodes.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    inputs: Vec<f32>,
    outputs: Vec<f32>,
    errors: Vec<f32>,
}

impl Desk {
    pub(super) fn new(network: &Network) -> Desk {
        let nodes = vec![0.0; network.bias.len()];
        Desk { inputs: nodes.clone(), outputs: nodes.clone(), errors: nodes }
    }
}

impl<R: Rows> Work for LearnSequences<'_, R> {
    type Output = ();

    #[inline(always)]
    fn work(self) {
        match (self.network.form(), self.network.blocks, self.network.mask.is_some()) {
            (Some(form), 1, false) => self.in_registers::<1, false>(form),
            (Some(form), 2, false) => self.in_registers::<2, false>(form),
            (Some(form), 3, false) => self.in_registers::<3, false>(form),
            (Some(form), 1, true) => self.in_registers::<1, true>(form),
            (Some(form), 2, true) => self.in_registers::<2, true>(form),
            (Some(form), 3, true) => self.in_registers::<3, true>(form),
            _ => {
                let LearnSequences { isa, network, .. } = self;
                let desk = Desk::new(network);
                self.lessons.learn(isa, Any { network, desk }, self.errors);
                network.refresh_with(isa);
            }
        }
    }
}

impl<R: Rows> LearnSequences<'_, R> {
    #[inline(always)]
    fn in_registers<const BLOCKS: usize, const MASKED: bool>(self, form: Form) {
        let LearnSequences { isa, network, .. } = self;
        let pupil = InRegisters::<R, BLOCKS, MASKED>::new(isa, network, form);
        self.lessons.learn(isa, pupil, self.errors);
        network.refresh_with(isa);
    }
}

impl Lessons<'_> {
    /// Goes through the sequences.
    #[inline(always)]
    pub(super) fn learn<R: Rows>(self, isa: R, mut pupil: impl Pupil<R>, errors: &mut [f32]) {
        let Lessons { sequences, alpha, lambda, values } = self;
        // Loops rather than closures, which would be compiled for any CPU.
        let mut stored: Vec<Vec<f32>> = Vec::new();
        if values == Values::Stored {
            for one in sequences {
                let mut before = Vec::with_capacity(one.boards.len());
                for &board in one.boards {
                    before.push(pupil.value(isa, board));
                }
                stored.push(before);
            }
        }
        let longest = sequences.iter().map(|one| one.boards.len()).max().unwrap_or(0);
        // V and V' of the position that was learned before, by sequence.
        let mut later = vec![(0.0, 0.0); sequences.len()];
        errors.fill(0.0);
        for back in 0..longest {
            for (index, one) in sequences.iter().enumerate() {
                let Some(at) = one.boards.len().checked_sub(back + 1) else { continue };
                let value = pupil.value(isa, one.boards[at]);
                let (next, goal) = later[index];
                let target = if back == 0 { one.reward } else { next + lambda * (goal - next) };
                let error = target - value;
                pupil.learn(isa, one.boards[at], alpha * error);
                let value = match stored.get(index) {
                    Some(before) => before[at],
                    None => value,
                };
                later[index] = (value, target);
                errors[index] += if back == 0 { 0.0 } else { error * error };
            }
        }
        for (error, one) in errors.iter_mut().zip(sequences) {
            let count = one.boards.len().saturating_sub(1).max(1);
            *error = (*error / count as f32).sqrt();
        }
        pupil.end(isa);
    }
}

impl Network {
    /// The value of a board, by the weights as they are; the engines play by their image.
    pub fn value(&self, own: u64, opp: u64) -> f32 {
        self.forward(Portable, &mut Desk::new(self), (own, opp))
    }

    /// The derivative of the value of a board by each parameter.
    pub fn gradient(&self, own: u64, opp: u64, params: usize) -> Vec<f32> {
        let mut desk = Desk::new(self);
        self.forward(Portable, &mut desk, (own, opp));
        self.back(Portable, &mut desk, 1.0);
        // A step from 0 is the gradient.
        let (mut network, mut gradient) = (self.clone(), vec![0.0; params]);
        network.zero();
        network.step(Portable, &desk, (own, opp));
        network.copy_params(&mut gradient);
        gradient
    }

    #[inline(always)]
    pub(super) fn forward<R: Rows>(&self, isa: R, desk: &mut Desk, (own, opp): (u64, u64)) -> f32 {
        // Eight at a time, here and in `back`: calls to copy or to fill so little take longer.
        for (input, bias) in eights_mut(&mut desk.inputs).iter_mut().zip(eights(&self.bias)) {
            isa.store(isa.load(bias), input);
        }
        match self.blocks {
            1 => self.feed::<R, 1>(isa, desk, (own, opp)),
            2 => self.feed::<R, 2>(isa, desk, (own, opp)),
            3 => self.feed::<R, 3>(isa, desk, (own, opp)),
            _ => self.feed_any(isa, desk, own, opp),
        }
        let sum = propagate(isa, self, &mut desk.inputs, &mut desk.outputs);
        let output = self.levels[self.levels.len() - 1].curve.at(sum);
        desk.outputs[self.nodes() - 1] = output;
        output
    }

    /// Adds what the board feeds.
    #[inline(always)]
    fn feed<R: Rows, const BLOCKS: usize>(&self, isa: R, desk: &mut Desk, board: (u64, u64)) {
        for (block, sum) in self.fed_by::<R, BLOCKS>(isa, board).into_iter().enumerate() {
            let input = eight_mut(&mut desk.inputs[8 * block..]);
            isa.store(isa.plus(isa.load(input), sum), input);
        }
    }

    /// What the board feeds, square by square: own discs first.
    #[inline(always)]
    pub(super) fn fed_by<R: Rows, const BLOCKS: usize>(
        &self,
        isa: R,
        (mut own, mut opp): (u64, u64),
    ) -> [R::Reals; BLOCKS] {
        let rows = squares::<BLOCKS>(&self.rows);
        let row = |set: u64| &rows[set.trailing_zeros() as usize % 64];
        let mut sums = [isa.real(0.0); BLOCKS];
        while own != 0 {
            let weights = row(own);
            own &= own - 1;
            for block in 0..BLOCKS {
                sums[block] = isa.plus(sums[block], isa.load(&weights[block].0));
            }
        }
        while opp != 0 {
            let weights = row(opp);
            opp &= opp - 1;
            for block in 0..BLOCKS {
                sums[block] = isa.minus(sums[block], isa.load(&weights[block].0));
            }
        }
        sums
    }

    /// The same sums, in the same order, for any number of blocks.
    #[inline(always)]
    fn feed_any<R: Rows>(&self, isa: R, desk: &mut Desk, own: u64, opp: u64) {
        for block in 0..self.blocks {
            let mut sum = isa.real(0.0);
            let (mut own, mut opp) = (own, opp);
            while own != 0 {
                let row = &self.rows[own.trailing_zeros() as usize * self.blocks + block];
                own &= own - 1;
                sum = isa.plus(sum, isa.load(&row.0));
            }
            while opp != 0 {
                let row = &self.rows[opp.trailing_zeros() as usize * self.blocks + block];
                opp &= opp - 1;
                sum = isa.minus(sum, isa.load(&row.0));
            }
            let input = eight_mut(&mut desk.inputs[8 * block..]);
            isa.store(isa.plus(isa.load(input), sum), input);
        }
    }

    /// The errors of all nodes, if that of the value is `error`; `forward` has just been there.
    #[inline(always)]
    pub(super) fn back<R: Rows>(&self, isa: R, desk: &mut Desk, error: f32) {
        for error in eights_mut(&mut desk.errors) {
            isa.store(isa.real(0.0), error);
        }
        desk.errors[self.nodes() - 1] = error;
        for level in self.levels.iter().rev() {
            level.slope_errors(isa, &mut desk.errors, &desk.outputs);
            level.pass_back(isa, &mut desk.errors);
        }
    }

    /// Changes every weight by the error where it leads to, times what comes from where it starts.
    #[inline(always)]
    pub(super) fn step<R: Rows>(&mut self, isa: R, desk: &Desk, (own, opp): (u64, u64)) {
        for level in &mut self.levels {
            level.step(isa, &desk.outputs, &desk.errors);
        }
        let errors = eights(&desk.errors).iter().zip(eights(&self.has_bias));
        for (bias, (error, has)) in eights_mut(&mut self.bias).iter_mut().zip(errors) {
            let change = isa.times(isa.load(error), isa.load(has));
            isa.store(isa.plus(isa.load(bias), change), bias);
        }
        match (self.blocks, self.mask.is_some()) {
            (1, false) => self.step_rows::<R, 1, false>(isa, desk, (own, opp)),
            (2, false) => self.step_rows::<R, 2, false>(isa, desk, (own, opp)),
            (3, false) => self.step_rows::<R, 3, false>(isa, desk, (own, opp)),
            (1, true) => self.step_rows::<R, 1, true>(isa, desk, (own, opp)),
            (2, true) => self.step_rows::<R, 2, true>(isa, desk, (own, opp)),
            (3, true) => self.step_rows::<R, 3, true>(isa, desk, (own, opp)),
            _ => self.step_any(isa, desk, own, opp),
        }
    }

    /// The step of a block of nodes.
    #[inline(always)]
    fn block_step<R: Rows>(&self, isa: R, desk: &Desk, block: usize) -> R::Reals {
        let error = isa.load(eight_of(&desk.errors[8 * block..]));
        isa.times(error, isa.load(&self.hears[block].0))
    }

    /// Changes the weights from squares, for a known number of blocks.
    #[inline(always)]
    fn step_rows<R: Rows, const BLOCKS: usize, const MASKED: bool>(
        &mut self,
        isa: R,
        desk: &Desk,
        board: (u64, u64),
    ) {
        let mut steps = [isa.real(0.0); BLOCKS];
        for (block, step) in steps.iter_mut().enumerate() {
            *step = self.block_step(isa, desk, block);
        }
        self.step_squares::<R, BLOCKS, MASKED>(isa, steps, board);
    }

    /// The same, given the steps of the nodes.
    #[inline(always)]
    pub(super) fn step_squares<R: Rows, const BLOCKS: usize, const MASKED: bool>(
        &mut self,
        isa: R,
        steps: [R::Reals; BLOCKS],
        (own, opp): (u64, u64),
    ) {
        let mut back = steps;
        for step in &mut back {
            *step = isa.minus(isa.real(0.0), *step);
        }
        let rows = squares_mut::<BLOCKS>(&mut self.rows);
        let mask = self.mask.as_ref().map(|mask| squares::<BLOCKS>(mask));
        for (mut left, steps) in [(own, steps), (opp, back)] {
            while left != 0 {
                let square = left.trailing_zeros() as usize % 64;
                left &= left - 1;
                let row = &mut rows[square];
                for block in 0..BLOCKS {
                    let mut step = steps[block];
                    if MASKED && let Some(mask) = mask {
                        step = isa.times(step, isa.load(&mask[square][block].0));
                    }
                    isa.store(isa.plus(isa.load(&row[block].0), step), &mut row[block].0);
                }
            }
        }
    }

    /// The same for any number of blocks.
    #[inline(always)]
    fn step_any<R: Rows>(&mut self, isa: R, desk: &Desk, own: u64, opp: u64) {
        for block in 0..self.blocks {
            let step = self.block_step(isa, desk, block);
            let mut discs = own | opp;
            while discs != 0 {
                let disc = discs & discs.wrapping_neg();
                let at = disc.trailing_zeros() as usize * self.blocks + block;
                discs ^= disc;
                let step = match &self.mask {
                    Some(mask) => isa.times(step, isa.load(&mask[at].0)),
                    None => step,
                };
                let row = &mut self.rows[at].0;
                let weights = isa.load(row);
                let weights = if own & disc != 0 {
                    isa.plus(weights, step)
                } else {
                    isa.minus(weights, step)
                };
                isa.store(weights, row);
            }
        }
    }

    pub(super) fn zero(&mut self) {
        self.rows.fill(Eight([0.0; 8]));
        self.bias.fill(0.0);
        for level in &mut self.levels {
            match &mut level.links {
                Links::None => {}
                Links::Dot { weights, .. } | Links::Dense { weights, .. } => {
                    weights.fill(Eight([0.0; 8]));
                }
                Links::Sparse(edges) => edges.iter_mut().for_each(|edge| edge.weight = 0.0),
            }
        }
    }
}

/// All numbers of nodes, of which there is room for a multiple of eight.
#[inline(always)]
fn eights(numbers: &[f32]) -> &[[f32; 8]] {
    numbers.as_chunks().0
}

/// The same, to be changed.
#[inline(always)]
fn eights_mut(numbers: &mut [f32]) -> &mut [[f32; 8]] {
    numbers.as_chunks_mut().0
}

/// Rows by square: an array, so that no access of a square is checked.
#[inline(always)]
fn squares<const BLOCKS: usize>(rows: &[Eight<f32>]) -> &[[Eight<f32>; BLOCKS]; 64] {
    rows.as_chunks().0.try_into().expect("a row for each square")
}

/// Rows by square, to be changed.
#[inline(always)]
fn squares_mut<const BLOCKS: usize>(rows: &mut [Eight<f32>]) -> &mut [[Eight<f32>; BLOCKS]; 64] {
    rows.as_chunks_mut().0.try_into().expect("a row for each square")
}

impl Level {
    /// Multiplies errors by the slopes of the curve where the nodes are.
    #[inline(always)]
    fn slope_errors<R: Rows>(&self, isa: R, errors: &mut [f32], outputs: &[f32]) {
        let mut at = self.from;
        if let Some(squash) = self.curve.squash() {
            // The slope of base + span · y is in proportion to y (1 − y).
            while at + 8 <= self.to {
                let error = eight_mut(&mut errors[at..]);
                let slopes = squash.slopes(isa, isa.load(eight_of(&outputs[at..])));
                isa.store(isa.times(isa.load(error), slopes), error);
                at += 8;
            }
            while at < self.to {
                errors[at] *= squash.slopes(Plain, outputs[at]);
                at += 1;
            }
        } else if self.curve == Curve::Relu {
            while at < self.to {
                errors[at] = if outputs[at] > 0.0 { errors[at] } else { 0.0 };
                at += 1;
            }
        }
    }

    /// Passes the errors of these nodes back to those they hear.
    #[inline(always)]
    fn pass_back<R: Rows>(&self, isa: R, errors: &mut [f32]) {
        match &self.links {
            Links::None => {}
            Links::Dot { first, count, weights } => {
                let error = errors[self.from];
                let (whole, factor) = (*count / 8, isa.real(error));
                for block in 0..whole {
                    let heard = eight_mut(&mut errors[*first + 8 * block..]);
                    let change = isa.times(isa.load(&weights[block].0), factor);
                    isa.store(isa.plus(isa.load(heard), change), heard);
                }
                for at in 8 * whole..*count {
                    errors[*first + at] += weights[whole].0[at % 8] * error;
                }
            }
            Links::Dense { first, count, weights } => {
                let width = (self.to - self.from).div_ceil(8);
                for source in 0..*count {
                    let mut sum = 0.0;
                    for at in 0..self.to - self.from {
                        sum += weights[source * width + at / 8].0[at % 8] * errors[self.from + at];
                    }
                    errors[*first + source] += sum;
                }
            }
            Links::Sparse(edges) => {
                for edge in edges {
                    errors[edge.from as usize] += edge.weight * errors[edge.to as usize];
                }
            }
        }
    }

    #[inline(always)]
    fn step<R: Rows>(&mut self, isa: R, outputs: &[f32], errors: &[f32]) {
        match &mut self.links {
            Links::None => {}
            Links::Dot { first, count, weights } => {
                let error = errors[self.from];
                let (whole, factor) = (*count / 8, isa.real(error));
                for block in 0..whole {
                    let weight = &mut weights[block].0;
                    let change =
                        isa.times(isa.load(eight_of(&outputs[*first + 8 * block..])), factor);
                    isa.store(isa.plus(isa.load(weight), change), weight);
                }
                for at in 8 * whole..*count {
                    weights[whole].0[at % 8] += outputs[*first + at] * error;
                }
            }
            Links::Dense { first, count, weights } => {
                let width = (self.to - self.from).div_ceil(8);
                for source in 0..*count {
                    let output = outputs[*first + source];
                    for at in 0..self.to - self.from {
                        weights[source * width + at / 8].0[at % 8] +=
                            output * errors[self.from + at];
                    }
                }
            }
            Links::Sparse(edges) => {
                for edge in edges {
                    edge.weight += outputs[edge.from as usize] * errors[edge.to as usize];
                }
            }
        }
    }
}
