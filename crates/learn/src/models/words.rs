//! Words that several models have in their tables.

use outflank_game::model::View;
use outflank_kernel::Curve;
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
