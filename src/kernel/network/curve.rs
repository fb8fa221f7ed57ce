//! What a node makes of the sum of its inputs.

use crate::kernel::tanh::{Plain, Reals, tanh};

/// An activation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Curve {
    /// x
    Linear,
    /// 1 / (1 + e^-x)
    Sigmoid,
    /// 1 / (1 + e^(-4.924273 x)), the sigmoid of NEAT and of ANJI.
    SteepSigmoid,
    /// The hyperbolic tangent.
    Tanh,
    /// x above 0, else 0.
    Relu,
}

/// Stanley & Miikkulainen 2002: the slope at which a sigmoid is nearly linear between -0.5 and 0.5.
const STEEP: f32 = 4.924_273;

/// Half the tangent above a half.
#[inline(always)]
fn sigmoid<R: Reals>(isa: R, half: R::Reals) -> R::Reals {
    isa.plus(isa.real(0.5), isa.times(isa.real(0.5), tanh(isa, half)))
}

impl Curve {
    /// The names, as specs and player files write them.
    pub const NAMES: [(&'static str, Curve); 5] = [
        ("sigmoid", Curve::Sigmoid),
        ("steep-sigmoid", Curve::SteepSigmoid),
        ("tanh", Curve::Tanh),
        ("relu", Curve::Relu),
        ("linear", Curve::Linear),
    ];

    /// The curve of a name.
    pub fn named(name: &str) -> Option<Curve> {
        Curve::NAMES.iter().find(|(known, _)| *known == name).map(|(_, curve)| *curve)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Curve::NAMES.iter().find(|(_, curve)| *curve == self).map_or("", |(name, _)| name)
    }

    /// What comes out for x.
    #[inline(always)]
    pub fn at(self, x: f32) -> f32 {
        match self {
            Curve::Linear => x,
            squashing => squashing.of_eight(Plain, x),
        }
    }

    /// The same for eight nodes at a time, bit for bit.
    #[inline(always)]
    pub(super) fn of_eight<R: Reals>(self, isa: R, x: R::Reals) -> R::Reals {
        match self {
            Curve::Linear => x,
            Curve::Sigmoid => sigmoid(isa, isa.times(isa.real(0.5), x)),
            Curve::SteepSigmoid => sigmoid(isa, isa.times(isa.real(0.5 * STEEP), x)),
            Curve::Tanh => tanh(isa, x),
            Curve::Relu => isa.greater(x, isa.real(0.0)),
        }
    }

    /// The slope where `y` comes out.
    #[inline(always)]
    pub(super) fn slope(self, y: f32) -> f32 {
        match self {
            Curve::Linear => 1.0,
            Curve::Sigmoid => y * (1.0 - y),
            Curve::SteepSigmoid => STEEP * y * (1.0 - y),
            Curve::Tanh => 1.0 - y * y,
            Curve::Relu => {
                if y > 0.0 {
                    1.0
                } else {
                    0.0
                }
            }
        }
    }
}
