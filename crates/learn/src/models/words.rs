//! Words that several models have in their tables.

use outflank_game::model::View;
use outflank_kernel::Curve;
use outflank_kernel::rng::Rng;
use outflank_schema::words;

words! {
/// The activation function of a node.
pub enum Activation {
    /// The logistic function 1 / (1 + e^-x).
    Sigmoid = "sigmoid",
    /// The logistic function with slope 4.924273: 1 / (1 + e^(-4.924273 x)).
    SteepSigmoid = "steep-sigmoid",
    /// The hyperbolic tangent.
    Tanh = "tanh",
    /// The input if it is positive, otherwise 0.
    Relu = "relu",
    /// The input, unchanged.
    Linear = "linear",
}
}

words! {
/// Whose discs are +1 in the input.
pub enum Eye {
    /// Those of the player to move.
    Mover = "mover",
    /// Black's, whoever is to move.
    Black = "black",
}
}

words! {
/// The distribution of initial weights.
pub enum First {
    /// Uniform in [-start, start].
    Uniform = "uniform",
    /// Normal with mean 0 and standard deviation `start`; some are beyond the bounds of mutations,
    /// until they mutate.
    Normal = "normal",
}
}

words! {
/// How the first candidates differ from the player that they start from.
pub enum Copies {
    /// All are copies of it.
    Exact = "exact",
    /// The first is a copy of it; the others are copies that have mutated as the search mutates.
    Mutated = "mutated",
}
}

impl First {
    /// Draws a weight.
    pub fn draw(self, start: f64, rng: &mut Rng) -> f32 {
        (match self {
            First::Uniform => rng.uniform(-start, start),
            First::Normal => start * rng.normal(),
        }) as f32
    }

    /// No weight is further from 0 than this multiple of `start`. Normal numbers are made of 53
    /// bits and end at √(2 ln 2⁵³), about 8.6.
    pub fn reach(self) -> f64 {
        match self {
            First::Uniform => 1.0,
            First::Normal => 10.0,
        }
    }
}

impl Activation {
    /// The curve with this name.
    pub fn curve(self) -> Curve {
        match self {
            Activation::Sigmoid => Curve::Sigmoid,
            Activation::SteepSigmoid => Curve::SteepSigmoid,
            Activation::Tanh => Curve::Tanh,
            Activation::Relu => Curve::Relu,
            Activation::Linear => Curve::Linear,
        }
    }
}

impl Eye {
    /// The view with this name.
    pub fn view(self) -> View {
        match self {
            Eye::Mover => View::Mover,
            Eye::Black => View::Black,
        }
    }
}
