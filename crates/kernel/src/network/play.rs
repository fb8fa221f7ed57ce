//! Choosing a network's moves. What the board feeds is remembered from turn to turn, and each move
//! is scored by what it changes: its square, and twice the discs it turns.

use super::propagate::{eight_mut, propagate, total};
use super::side_by_side::SideBySide;
use super::{Network, Perceptron, STEP};
use crate::isa::Work;
use crate::rows::Rows;
use crate::rows::portable::Eight;
use crate::tanh::fall;

/// What a network remembers of the last board it saw. Only a saving of time: values do not depend
/// on it.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    own: u64,
    opp: u64,
    /// What the board feeds, with biases; empty before the first board.
    sums: Vec<Eight<i32>>,
    inputs: Vec<f32>,
    outputs: Vec<f32>,
    pub(super) moves: SideBySide,
}

impl Memo {
    /// Forgets the board: for another game, or another network.
    pub fn forget(&mut self) {
        (self.own, self.opp) = (0, 0);
        self.sums.clear();
    }

    /// Brings the sums up to a board; the number of blocks may be known, or is 0.
    #[inline(always)]
    fn look<R: Rows, const BLOCKS: usize>(
        &mut self,
        isa: R,
        network: &Network,
        own: u64,
        opp: u64,
    ) {
        let seen = self.own | self.opp;
        if self.sums.is_empty() || seen & !(own | opp) != 0 {
            self.sums.clear();
            self.sums.extend_from_slice(&network.image_bias);
            self.inputs.resize(network.bias.len(), 0.0);
            self.outputs.resize(network.bias.len(), 0.0);
            self.moves.fit(network.bias.len());
            (self.own, self.opp) = (0, 0);
        }
        let seen = self.own | self.opp;
        let (placed, turned) = ([own & !seen, opp & !seen], [own & self.opp, opp & self.own]);
        if BLOCKS > 0 {
            let own_placed = sum_of::<R, BLOCKS>(isa, network, placed[0]);
            let opp_placed = sum_of::<R, BLOCKS>(isa, network, placed[1]);
            let own_turned = sum_of::<R, BLOCKS>(isa, network, turned[0]);
            let opp_turned = sum_of::<R, BLOCKS>(isa, network, turned[1]);
            for (block, sum) in self.sums[..BLOCKS].iter_mut().enumerate() {
                let placed = isa.subtract(own_placed[block], opp_placed[block]);
                let turned = isa.subtract(own_turned[block], opp_turned[block]);
                let change = isa.add(placed, isa.add(turned, turned));
                isa.store_ints(isa.add(isa.load_ints(&sum.0), change), &mut sum.0);
            }
        } else {
            self.add::<R, false>(isa, network, placed[0]);
            self.take::<R, false>(isa, network, placed[1]);
            self.add::<R, true>(isa, network, turned[0]);
            self.take::<R, true>(isa, network, turned[1]);
        }
        (self.own, self.opp) = (own, opp);
    }

    /// Adds the weights of squares, perhaps twice.
    #[inline(always)]
    fn add<R: Rows, const TWICE: bool>(&mut self, isa: R, network: &Network, mut squares: u64) {
        while squares != 0 {
            let row = network.image_of(squares.trailing_zeros());
            squares &= squares - 1;
            for (sum, weight) in self.sums.iter_mut().zip(row) {
                let weight = isa.load_ints(&weight.0);
                let weight = if TWICE { isa.add(weight, weight) } else { weight };
                isa.store_ints(isa.add(isa.load_ints(&sum.0), weight), &mut sum.0);
            }
        }
    }

    /// Subtracts the weights of squares, perhaps twice.
    #[inline(always)]
    fn take<R: Rows, const TWICE: bool>(&mut self, isa: R, network: &Network, mut squares: u64) {
        while squares != 0 {
            let row = network.image_of(squares.trailing_zeros());
            squares &= squares - 1;
            for (sum, weight) in self.sums.iter_mut().zip(row) {
                let weight = isa.load_ints(&weight.0);
                let weight = if TWICE { isa.add(weight, weight) } else { weight };
                isa.store_ints(isa.subtract(isa.load_ints(&sum.0), weight), &mut sum.0);
            }
        }
    }
}

/// The best moves of a network, as work.
pub struct FindBestOf<'a, I> {
    /// Whose instructions find the discs to turn.
    pub isa: I,
    /// The network.
    pub network: &'a Network,
    /// What it remembers of the game, always seen with the same eyes.
    pub memo: &'a mut Memo,
    /// What it looks at.
    pub sight: Sight,
}

/// A board on which a move is to be chosen, and with whose eyes.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// Discs of the player who moves.
    pub own: u64,
    /// The other's.
    pub opp: u64,
    /// Legal moves, at least one.
    pub moves: u64,
    /// Whether to see with the eyes of the player who moves, and take the highest value; or else
    /// with the other's, and take the lowest.
    pub own_eyes: bool,
}

impl<R: Rows> Work for FindBestOf<'_, R> {
    type Output = u64;

    #[inline(always)]
    fn work(self) -> u64 {
        let folded = self.network.perceptron.as_ref();
        match (self.network.blocks, self.sight.own_eyes) {
            (1, true) if folded.is_some() => self.best(Folded::<1>),
            (2, true) if folded.is_some() => self.best(Folded::<2>),
            (3, true) if folded.is_some() => self.best(Folded::<3>),
            (4, true) if folded.is_some() => self.best(Folded::<4>),
            (5, true) if folded.is_some() => self.best(Folded::<5>),
            (1, true) => self.best(Any::<1, 1>),
            (2, true) => self.best(Any::<2, 1>),
            (_, true) => self.best(Any::<0, 1>),
            (_, false) => self.best(Any::<0, -1>),
        }
    }
}

impl<R: Rows> FindBestOf<'_, R> {
    #[inline(always)]
    fn best<S: Score>(self, score: S) -> u64 {
        let FindBestOf { isa, network, memo, sight: Sight { own, opp, moves, own_eyes } } = self;
        let (eyes, others) = if own_eyes { (own, opp) } else { (opp, own) };
        score.look(isa, network, memo, eyes & network.heard, others & network.heard);
        // All flips come first: how many discs a move turns, which no CPU can predict, is known
        // early this way.
        let (mut turned, mut left) = ([0; 64], moves);
        for flips in &mut turned {
            if left == 0 {
                break;
            }
            *flips = isa.flips(own, opp, left & left.wrapping_neg()) & network.heard;
            left &= left - 1;
        }
        let (mut best, mut left, mut flips) = (Best::default(), moves, turned.as_slice());
        while S::TOGETHER && network.pays_together(left.count_ones()) {
            let group = (left.count_ones() as usize).min(8);
            let mut places = [0; 8];
            for ((lane, place), &flips) in places.iter_mut().enumerate().zip(&flips[..group]) {
                *place = left & left.wrapping_neg();
                left ^= *place;
                score.feed(isa, network, memo, lane, *place, flips);
            }
            flips = &flips[group..];
            let values = memo.moves.run(isa, network);
            for (&at, value) in places[..group].iter().zip(values) {
                best.see(at, score.seen(value));
            }
        }
        for &flips in flips {
            if left == 0 {
                break;
            }
            let at = left & left.wrapping_neg();
            left ^= at;
            best.see(at, score.score(isa, network, memo, at, flips));
        }
        // Values that are no numbers are neither more nor less.
        if best.ties == 0 { moves } else { best.ties }
    }
}

/// The moves of the highest value so far.
struct Best {
    value: f32,
    ties: u64,
}

impl Default for Best {
    fn default() -> Best {
        Best { value: f32::NEG_INFINITY, ties: 0 }
    }
}

impl Best {
    /// All updates without a branch: which move is better cannot be predicted.
    #[inline(always)]
    fn see(&mut self, at: u64, value: f32) {
        self.ties = if value > self.value { 0 } else { self.ties };
        self.ties |= if value >= self.value { at } else { 0 };
        self.value = if value > self.value { value } else { self.value };
    }
}

/// A way to score moves.
trait Score: Copy {
    /// Whether it also scores eight moves side by side.
    const TOGETHER: bool;

    fn look<R: Rows>(self, isa: R, network: &Network, memo: &mut Memo, own: u64, opp: u64);
    fn score<R: Rows>(self, isa: R, network: &Network, memo: &mut Memo, at: u64, flips: u64)
    -> f32;

    /// Puts what the board after a move feeds into a lane of the moves side by side.
    #[inline(always)]
    fn feed<R: Rows>(self, _: R, _: &Network, _: &mut Memo, _: usize, _: u64, _: u64) {}

    /// The value for the player who moves.
    #[inline(always)]
    fn seen(self, value: f32) -> f32 {
        value
    }
}

/// One hidden level of a known number of blocks, which stay in registers; seen with own eyes.
#[derive(Clone, Copy)]
struct Folded<const BLOCKS: usize>;

impl<const BLOCKS: usize> Score for Folded<BLOCKS> {
    const TOGETHER: bool = false;

    #[inline(always)]
    fn look<R: Rows>(self, isa: R, network: &Network, memo: &mut Memo, own: u64, opp: u64) {
        memo.look::<R, BLOCKS>(isa, network, own, opp);
    }

    #[inline(always)]
    fn score<R: Rows>(
        self,
        isa: R,
        network: &Network,
        memo: &mut Memo,
        at: u64,
        flips: u64,
    ) -> f32 {
        let Some(Perceptron { slope, weights, bias }) = &network.perceptron else { return 0.0 };
        let inputs = change::<R, BLOCKS>(isa, network, at, flips);
        let before: &[Eight<i32>; BLOCKS] = memo.sums[..BLOCKS].try_into().expect("as many blocks");
        let weights: &[Eight<f32>; BLOCKS] = weights[..BLOCKS].try_into().expect("as many blocks");
        let (slope, mut sum) = (isa.real(*slope), isa.real(0.0));
        for block in 0..BLOCKS {
            let input = isa.add(isa.load_ints(&before[block].0), inputs[block]);
            let output = fall(isa, isa.times(isa.to_reals(input), slope));
            sum = isa.plus(sum, isa.times(output, isa.load(&weights[block].0)));
        }
        total(isa, sum) + bias
    }
}

/// What a move changes in the sums: the square, and twice the discs it turns.
#[inline(always)]
fn change<R: Rows, const BLOCKS: usize>(
    isa: R,
    network: &Network,
    at: u64,
    flips: u64,
) -> [R::Ints; BLOCKS] {
    let mut sums = sum_of::<R, BLOCKS>(isa, network, flips);
    let placed = row::<BLOCKS>(&network.image[..64 * BLOCKS], at);
    for block in 0..BLOCKS {
        let twice = isa.add(sums[block], sums[block]);
        sums[block] = isa.add(twice, isa.load_ints(&placed[block].0));
    }
    sums
}

/// The weights of some squares, summed.
#[inline(always)]
fn sum_of<R: Rows, const BLOCKS: usize>(
    isa: R,
    network: &Network,
    mut squares: u64,
) -> [R::Ints; BLOCKS] {
    // Of a length that the compiler knows, so that no square can be out of bounds.
    let image = &network.image[..64 * BLOCKS];
    let mut sums = [isa.ints(0); BLOCKS];
    while squares != 0 {
        let weights = row::<BLOCKS>(image, squares);
        squares &= squares - 1;
        for block in 0..BLOCKS {
            sums[block] = isa.add(sums[block], isa.load_ints(&weights[block].0));
        }
    }
    sums
}

/// The weights of the first of some squares.
#[inline(always)]
fn row<const BLOCKS: usize>(image: &[Eight<i32>], squares: u64) -> &[Eight<i32>] {
    &image[squares.trailing_zeros() as usize % 64 * BLOCKS..][..BLOCKS]
}

/// Any network of a known number of blocks, or 0 for any; `SIGN` is 1 for own eyes, else -1.
#[derive(Clone, Copy)]
struct Any<const BLOCKS: usize, const SIGN: i32>;

impl<const BLOCKS: usize, const SIGN: i32> Any<BLOCKS, SIGN> {
    /// What the board after a move feeds, block by block.
    #[inline(always)]
    fn inputs<R: Rows>(
        isa: R,
        network: &Network,
        sums: &[Eight<i32>],
        [at, flips]: [u64; 2],
        mut to: impl Put,
    ) {
        if BLOCKS > 0 {
            let changes = change::<R, BLOCKS>(isa, network, at, flips);
            for (block, change) in changes.into_iter().enumerate() {
                to.put(isa, block, Self::fed(isa, sums, block, change));
            }
            return;
        }
        for block in 0..network.blocks {
            let (mut sum, mut left) = (isa.ints(0), flips);
            while left != 0 {
                let row = network.image_of(left.trailing_zeros());
                sum = isa.add(sum, isa.load_ints(&row[block].0));
                left &= left - 1;
            }
            let placed = isa.load_ints(&network.image_of(at.trailing_zeros())[block].0);
            let change = isa.add(placed, isa.add(sum, sum));
            to.put(isa, block, Self::fed(isa, sums, block, change));
        }
    }

    /// What a block is fed, if a move changes the sums of the board before it.
    #[inline(always)]
    fn fed<R: Rows>(isa: R, sums: &[Eight<i32>], block: usize, change: R::Ints) -> R::Reals {
        let before = isa.load_ints(&sums[block].0);
        let after = if SIGN > 0 { isa.add(before, change) } else { isa.subtract(before, change) };
        isa.times(isa.to_reals(after), isa.real(STEP))
    }
}

/// Where the inputs of a block of nodes go. Not a closure, which would be compiled for any CPU.
trait Put {
    fn put<R: Rows>(&mut self, isa: R, block: usize, fed: R::Reals);
}

/// One after the other.
struct InARow<'a>(&'a mut [f32]);

impl Put for InARow<'_> {
    #[inline(always)]
    fn put<R: Rows>(&mut self, isa: R, block: usize, fed: R::Reals) {
        isa.store(fed, eight_mut(&mut self.0[8 * block..]));
    }
}

/// To one of several boards.
struct ToLane<'a>(&'a mut SideBySide, usize);

impl Put for ToLane<'_> {
    #[inline(always)]
    fn put<R: Rows>(&mut self, isa: R, block: usize, fed: R::Reals) {
        self.0.put(isa, block, self.1, fed);
    }
}

impl<const BLOCKS: usize, const SIGN: i32> Score for Any<BLOCKS, SIGN> {
    const TOGETHER: bool = true;

    #[inline(always)]
    fn look<R: Rows>(self, isa: R, network: &Network, memo: &mut Memo, own: u64, opp: u64) {
        memo.look::<R, BLOCKS>(isa, network, own, opp);
    }

    #[inline(always)]
    fn score<R: Rows>(
        self,
        isa: R,
        network: &Network,
        memo: &mut Memo,
        at: u64,
        flips: u64,
    ) -> f32 {
        let Memo { sums, inputs, outputs, .. } = memo;
        Self::inputs(isa, network, sums, [at, flips], InARow(inputs));
        let fed = 8 * network.blocks;
        inputs[fed..].copy_from_slice(&network.bias[fed..]);
        self.seen(propagate(isa, network, inputs, outputs))
    }

    #[inline(always)]
    fn feed<R: Rows>(
        self,
        isa: R,
        network: &Network,
        memo: &mut Memo,
        lane: usize,
        at: u64,
        flips: u64,
    ) {
        let Memo { sums, moves, .. } = memo;
        Self::inputs(isa, network, sums, [at, flips], ToLane(moves, lane));
    }

    #[inline(always)]
    fn seen(self, value: f32) -> f32 {
        SIGN as f32 * value
    }
}

impl Network {
    /// The weights from a square.
    #[inline(always)]
    pub(super) fn image_of(&self, square: u32) -> &[Eight<i32>] {
        &self.image[square as usize % 64 * self.blocks..][..self.blocks]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{boards, params, rng, wirings};
    use super::*;
    use crate::moves;
    use crate::portable::Portable;

    #[test]
    fn moves_are_worth_the_same_side_by_side_and_alone() {
        let mut rng = rng(20);
        for wiring in wirings() {
            let network = Network::new(&wiring, &params(&wiring, 1.0, &mut rng));
            let (mut memo, score) = (Memo::default(), Any::<0, 1>);
            for (own, opp) in boards(40, &mut rng) {
                memo.look::<_, 0>(Portable, &network, own, opp);
                let (mut left, mut alone) = (moves(own, opp), Vec::new());
                for lane in 0..left.count_ones().min(8) as usize {
                    let at = left & left.wrapping_neg();
                    left ^= at;
                    let flips = crate::rules::flips(own, opp, at);
                    alone.push(score.score(Portable, &network, &mut memo, at, flips).to_bits());
                    score.feed(Portable, &network, &mut memo, lane, at, flips);
                }
                let together = memo.moves.run(Portable, &network).map(f32::to_bits);
                assert_eq!(together[..alone.len()], alone);
            }
        }
    }
}
