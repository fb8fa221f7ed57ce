//! What a node makes of the sum of its inputs.

use crate::tanh::{Plain, Reals, fall};

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

/// A curve as base + span · 1 / (1 + 2^(slope x)).
#[derive(Clone, Copy, Debug)]
pub struct Squash {
    /// What x is multiplied by.
    pub slope: f32,
    /// What comes out far down.
    pub base: f32,
    /// How much higher it is far up.
    pub span: f32,
}

impl Squash {
    /// What comes out for some x.
    #[inline(always)]
    pub fn of<R: Reals>(self, isa: R, x: R::Reals) -> R::Reals {
        let fall = fall(isa, isa.times(isa.real(self.slope), x));
        isa.plus(isa.real(self.base), isa.times(isa.real(self.span), fall))
    }

    /// The slopes where some y come out: (y − base)(base + span − y) · a constant.
    #[inline(always)]
    pub fn slopes<R: Reals>(self, isa: R, y: R::Reals) -> R::Reals {
        let above = isa.minus(y, isa.real(self.base));
        let below = isa.minus(isa.real(self.base + self.span), y);
        isa.times(isa.real(self.steepness()), isa.times(above, below))
    }

    /// The constant of the slopes.
    #[inline(always)]
    pub(super) fn steepness(self) -> f32 {
        -self.slope * std::f32::consts::LN_2 / self.span
    }
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
        match self.squash() {
            Some(squash) => squash.of(Plain, x),
            None if self == Curve::Relu => Plain.greater(x, 0.0),
            None => x,
        }
    }

    /// The curve as a squash, if it is one.
    #[inline(always)]
    pub(super) fn squash(self) -> Option<Squash> {
        const LOG2_E: f32 = std::f32::consts::LOG2_E;
        match self {
            Curve::Sigmoid => Some(Squash { slope: -LOG2_E, base: 0.0, span: 1.0 }),
            Curve::SteepSigmoid => Some(Squash { slope: -STEEP * LOG2_E, base: 0.0, span: 1.0 }),
            Curve::Tanh => Some(Squash { slope: -2.0 * LOG2_E, base: -1.0, span: 2.0 }),
            Curve::Linear | Curve::Relu => None,
        }
    }
}
