//! The weighted piece counter: f(b) = Σ wᵢ bᵢ, bᵢ = +1 for an own disc, −1 for an opposing one.

use std::sync::OnceLock;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Evaluate, Model, ModelFile, ModelName, View};
use crate::othello::{Board, Squares};
use outflank_kernel::rng::Rng;
use outflank_kernel::{Curve, GRID, Link, Scorer, Source, Wiring};

/// Weights, and the same weights on the 16-bit grid with which a WPC plays in every engine:
/// multiples of 1/800 of the largest weight. Their sums are exact in any order, and ties are exact
/// ties.
#[derive(Clone, Debug)]
pub struct Wpc {
    weights: [f32; 64],
    grid: OnceLock<[i16; 64]>,
    step: OnceLock<f64>,
    scorer: OnceLock<Box<Scorer>>,
}

impl Wpc {
    /// Reads a WPC from a player file.
    pub fn read(file: &ModelFile) -> Result<Wpc, String> {
        let numbers = file.unstructured()?;
        let weights: [f32; 64] = numbers.try_into().map_err(|_| {
            format!("{} weights, expected 64 (a1 to h8, row by row)", numbers.len())
        })?;
        match weights.iter().position(|weight| !weight.is_finite()) {
            Some(bad) => {
                Err(format!("weight {} is {}, not a finite number", bad + 1, weights[bad]))
            }
            None => Ok(Wpc::of(weights)),
        }
    }

    /// Makes a WPC with these weights, a1 to h8; `None` unless all are finite.
    pub fn new(weights: [f32; 64]) -> Option<Wpc> {
        weights.iter().all(|weight| weight.is_finite()).then(|| Wpc::of(weights))
    }

    /// Makes a WPC with weights drawn uniformly from [-distance, distance].
    pub fn uniform(distance: f64, rng: &mut Rng) -> Wpc {
        Wpc::drawn(|| rng.uniform(-distance, distance) as f32)
    }

    /// Makes a WPC with weights drawn one after another, a1 to h8.
    pub fn drawn(mut draw: impl FnMut() -> f32) -> Wpc {
        Wpc::of(std::array::from_fn(|_| draw()))
    }

    fn of(weights: [f32; 64]) -> Wpc {
        Wpc { weights, grid: OnceLock::new(), step: OnceLock::new(), scorer: OnceLock::new() }
    }

    /// The weights, a1 to h8.
    pub fn weights(&self) -> &[f32; 64] {
        &self.weights
    }

    /// The weights, to be changed.
    pub fn weights_mut(&mut self) -> &mut [f32; 64] {
        self.grid = OnceLock::new();
        self.step = OnceLock::new();
        self.scorer = OnceLock::new();
        &mut self.weights
    }

    /// The weights in steps of the grid.
    pub fn grid(&self) -> &[i16; 64] {
        self.grid.get_or_init(|| to_grid(&self.weights))
    }

    /// The weight of one step of the grid.
    pub fn step(&self) -> f64 {
        *self.step.get_or_init(|| f64::from(largest(&self.weights)) / f64::from(GRID))
    }

    /// The grid prepared for single games.
    #[inline]
    pub fn scorer(&self) -> &Scorer {
        self.scorer.get_or_init(|| Box::new(Scorer::new(self.grid())))
    }
}

impl Model for Wpc {
    fn params(&self) -> &[f32] {
        &self.weights
    }

    fn params_mut(&mut self) -> &mut [f32] {
        self.weights_mut()
    }

    /// One node with inputs from all squares.
    fn wiring(&self) -> Option<Wiring> {
        let link = |square: u8| Link { from: Source::Square(square), to: 0, param: square.into() };
        let links = (0..64).map(link).collect();
        Some(Wiring { curves: vec![Curve::Sigmoid], links, counters: Vec::new() })
    }

    fn view(&self) -> View {
        View::Black
    }

    fn gradient(&self, board: Board, mut visit: impl FnMut(usize, f32)) {
        board.own.for_each(|at| visit(at.index(), 1.0));
        board.opp.for_each(|at| visit(at.index(), -1.0));
    }
}

impl Serialize for Wpc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.weights.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Wpc {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Wpc, D::Error> {
        let weights = Vec::deserialize(deserializer)?;
        let weights = <[f32; 64]>::try_from(weights).map_err(|weights| {
            D::Error::custom(format!("{} weights, expected 64", weights.len()))
        })?;
        Wpc::new(weights).ok_or_else(|| D::Error::custom("weights that are not finite"))
    }
}

/// Draws weights uniformly from [−1, 1), the "random WPC" of Jaśkowski et al. 2013: play does not
/// depend on the scale, so their [−10, 10] is the same player. Multiples of 2^-23.
pub fn random_weights(rng: &mut Rng) -> [f32; 64] {
    let mut weights = [0.0; 64];
    for pair in weights.as_chunks_mut::<2>().0 {
        let bits = rng.bits();
        let number = |bits: u64| (bits as i32 >> 8) as f32 / 8_388_608.0;
        *pair = [number(bits), number(bits >> 32)];
    }
    weights
}

/// Rounds weights to the grid, halves away from zero. Zero weights stay zero.
pub fn to_grid(weights: &[f32; 64]) -> [i16; 64] {
    let largest = largest(weights);
    let scale = if largest > 0.0 { f64::from(GRID) / f64::from(largest) } else { 0.0 };
    weights.map(|weight| {
        let steps = f64::from(weight) * scale;
        (steps + 0.5f64.copysign(steps)) as i16
    })
}

fn largest(weights: &[f32; 64]) -> f32 {
    weights.iter().fold(0.0, |most: f32, weight| most.max(weight.abs()))
}

impl Evaluate for Wpc {
    /// The sum of the exact weights, in double precision; the engines use the grid.
    fn value(&self, board: Board) -> f32 {
        let sum = |set: Squares| set.map(|at| f64::from(self.weights[at.index()])).sum::<f64>();
        (sum(board.own) - sum(board.opp)) as f32
    }

    fn squares(&self) -> Option<[f32; 64]> {
        Some(self.weights)
    }

    fn file(&self) -> Option<ModelFile> {
        Some(ModelFile {
            kind: ModelName::Wpc,
            view: self.view(),
            structure: None,
            parameters: self.weights.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn the_grid_is_a_fraction_of_the_largest_weight() {
        let mut weights = [0.0; 64];
        weights[..4].copy_from_slice(&[1.0, -0.25, 0.01, -2.0]);
        let wpc = Wpc::new(weights).unwrap();
        assert_eq!(wpc.grid()[..5], [400, -100, 4, -800, 0]);
        assert_eq!(to_grid(&[0.0; 64]), [0; 64]);
        for bad in [f32::NAN, f32::INFINITY] {
            weights[7] = bad;
            assert!(Wpc::new(weights).is_none());
        }
        // The largest and the smallest numbers do not overflow the grid.
        assert_eq!(to_grid(&[f32::MAX; 64]), [800; 64]);
        assert_eq!(to_grid(&[-f32::from_bits(1); 64]), [-800; 64]);
    }

    #[test]
    fn random_weights_fill_the_interval() {
        let mut rng = Seed(1).at(Stream::Weights, 0).rng();
        let all: Vec<f64> =
            (0..1000).flat_map(|_| random_weights(&mut rng)).map(f64::from).collect();
        assert!(all.iter().all(|w| (-1.0..1.0).contains(w)));
        let n = all.len() as f64;
        let mean = all.iter().sum::<f64>() / n;
        let square = all.iter().map(|w| w * w).sum::<f64>() / n;
        // Uniform on [-1, 1]: variance 1/3, variance of the square 4/45.
        assert!(mean.abs() < 4.0 * (1.0 / 3.0 / n).sqrt());
        assert!((square - 1.0 / 3.0).abs() < 4.0 * (4.0 / 45.0 / n).sqrt());
    }

    #[test]
    fn swapping_sides_negates_the_value() {
        let mut rng = Seed(1).at(Stream::Weights, 1).rng();
        let wpc = Wpc::new(random_weights(&mut rng)).unwrap();
        let board = Board::START.play(Board::START.moves().nth(0));
        assert_eq!(wpc.value(board).to_bits(), (-wpc.value(board.pass())).to_bits());
    }
}
