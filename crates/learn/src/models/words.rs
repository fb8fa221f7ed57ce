//! The words that several models have in their tables.

use outflank_game::model::View;
use outflank_kernel::Curve;
use outflank_schema::words;

words! {
/// What a node makes of its input.
pub enum Activation {
    /// The logistic curve 1 / (1 + e^-x).
    Sigmoid = "sigmoid",
    /// The logistic curve of slope 4.924273: 1 / (1 + e^(-4.924273 x)).
    SteepSigmoid = "steep-sigmoid",
    /// The hyperbolic tangent.
    Tanh = "tanh",
    /// The input above 0, else 0.
    Relu = "relu",
    /// The input itself.
    Linear = "linear",
}
}

words! {
/// Whose discs count +1.
pub enum Eye {
    /// Those of the player who moves.
    Mover = "mover",
    /// Black's, whoever moves.
    Black = "black",
}
}

impl Activation {
    /// The curve of that name.
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
    /// The view of that name.
    pub fn view(self) -> View {
        match self {
            Eye::Mover => View::Mover,
            Eye::Black => View::Black,
        }
    }
}
