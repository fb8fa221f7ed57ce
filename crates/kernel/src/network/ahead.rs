//! Boards of a game tree as a network sees them: what they feed is carried from board to board, and
//! eight of them, wherever in the tree, are evaluated side by side.

use super::propagate::total;
use super::side_by_side::SideBySide;
use super::{Network, STEP};
use crate::rows::Rows;
use crate::rows::portable::Eight;
use crate::tanh::fall;

/// What boards feed, by place, and room for eight that are evaluated.
#[derive(Debug, Default)]
pub struct Boards {
    sums: Vec<Eight<i32>>,
    blocks: usize,
    side: SideBySide,
}

impl Boards {
    /// Makes room for some boards of a network.
    pub fn fit(&mut self, network: &Network, boards: usize) {
        self.blocks = network.blocks;
        self.side.fit(network.bias.len());
        if self.sums.len() < boards * self.blocks {
            self.sums.resize(boards * self.blocks, Eight([0; 8]));
        }
    }

    /// Puts a board at a place.
    #[inline(always)]
    pub fn see<R: Rows>(&mut self, rows: R, network: &Network, place: usize, own: u64, opp: u64) {
        let sums = &mut self.sums[place * network.blocks..][..network.blocks];
        sums.copy_from_slice(&network.image_bias);
        for (discs, is_own) in [(own, true), (opp, false)] {
            let mut left = discs & network.heard;
            while left != 0 {
                let row = network.image_of(left.trailing_zeros());
                left &= left - 1;
                for (sum, weight) in sums.iter_mut().zip(row) {
                    let (before, weight) = (rows.load_ints(&sum.0), rows.load_ints(&weight.0));
                    let after = match is_own {
                        true => rows.add(before, weight),
                        false => rows.subtract(before, weight),
                    };
                    rows.store_ints(after, &mut sum.0);
                }
            }
        }
    }

    /// Puts the board after a move at another place; a move of the side whose eyes see, or not.
    #[inline(always)]
    pub fn place<R: Rows>(
        &mut self,
        rows: R,
        network: &Network,
        [from, to]: [usize; 2],
        [at, flips]: [u64; 2],
        is_own: bool,
    ) {
        let blocks = network.blocks;
        for block in 0..blocks {
            let after = self.after(rows, network, [from, block], [at, flips], is_own);
            rows.store_ints(after, &mut self.sums[to * blocks + block].0);
        }
    }

    /// What a block of nodes hears after a move.
    #[inline(always)]
    fn after<R: Rows>(
        &self,
        rows: R,
        network: &Network,
        [from, block]: [usize; 2],
        [at, flips]: [u64; 2],
        is_own: bool,
    ) -> R::Ints {
        let (mut sum, mut left) = (rows.ints(0), flips);
        while left != 0 {
            let row = network.image_of(left.trailing_zeros());
            sum = rows.add(sum, rows.load_ints(&row[block].0));
            left &= left - 1;
        }
        let placed = rows.load_ints(&network.image_of(at.trailing_zeros())[block].0);
        let change = rows.add(placed, rows.add(sum, sum));
        let before = rows.load_ints(&self.sums[from * network.blocks + block].0);
        if is_own { rows.add(before, change) } else { rows.subtract(before, change) }
    }

    /// Puts the board after a move into a lane of those that are evaluated side by side.
    #[inline(always)]
    pub fn feed<R: Rows>(
        &mut self,
        rows: R,
        network: &Network,
        lane: usize,
        from: usize,
        [at, flips]: [u64; 2],
        is_own: bool,
    ) {
        for block in 0..network.blocks {
            let after = self.after(rows, network, [from, block], [at, flips], is_own);
            let fed = rows.times(rows.to_reals(after), rows.real(STEP));
            self.side.put(rows, block, lane, fed);
        }
    }

    /// The input of the last curve for the board in each lane.
    #[inline(always)]
    pub fn run<R: Rows>(&mut self, rows: R, network: &Network) -> [f32; 8] {
        self.side.run(rows, network)
    }

    /// The same for one board after a move, of a network with one hidden level.
    #[inline(always)]
    pub fn alone<R: Rows>(
        &self,
        rows: R,
        network: &Network,
        from: usize,
        [at, flips]: [u64; 2],
        is_own: bool,
    ) -> f32 {
        let Some(folded) = &network.perceptron else { return f32::NAN };
        let (slope, mut sum) = (rows.real(folded.slope), rows.real(0.0));
        for (block, weight) in folded.weights.iter().enumerate() {
            let input = self.after(rows, network, [from, block], [at, flips], is_own);
            let output = fall(rows, rows.times(rows.to_reals(input), slope));
            sum = rows.plus(sum, rows.times(output, rows.load(&weight.0)));
        }
        total(rows, sum) + folded.bias
    }
}

impl Network {
    /// Whether boards are best evaluated alone: with one hidden level, all lanes are busy anyway.
    pub(crate) fn is_best_alone(&self) -> bool {
        self.perceptron.is_some()
    }
}

#[cfg(test)]
impl Network {
    /// What a board is worth in a tree: alone, and without what other boards fed.
    pub(crate) fn leaf(&self, own: u64, opp: u64) -> f32 {
        use super::propagate::propagate;
        use crate::portable::Portable;
        let disc = |square: usize| (own >> square & 1) as i32 - (opp >> square & 1) as i32;
        let fed: Vec<i32> = (0..8 * self.blocks)
            .map(|node| {
                let (block, lane) = (node / 8, node % 8);
                let heard =
                    |square: usize| disc(square) * self.image[square * self.blocks + block].0[lane];
                self.image_bias[block].0[lane] + (0..64).map(heard).sum::<i32>()
            })
            .collect();
        if let Some(folded) = &self.perceptron {
            let mut lanes = [0.0; 8];
            for (node, fed) in fed.iter().enumerate() {
                let output = fall(crate::tanh::Plain, *fed as f32 * folded.slope);
                lanes[node % 8] += output * folded.weights[node / 8].0[node % 8];
            }
            let [a, b, c, d, e, f, g, h] = lanes;
            return ((a + e) + (c + g)) + ((b + f) + (d + h)) + folded.bias;
        }
        let mut inputs = self.bias.clone();
        for (input, fed) in inputs.iter_mut().zip(fed) {
            *input = fed as f32 * STEP;
        }
        let mut outputs = vec![0.0; inputs.len()];
        propagate(Portable, self, &mut inputs, &mut outputs)
    }
}
