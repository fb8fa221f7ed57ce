//! The hyperbolic tangent, the same to the last bit on every CPU: single IEEE operations in a fixed
//! order, whose results the standard prescribes, and no library function, which it does not.

/// Arithmetic on registers of floats, lane by lane.
pub trait Reals: Copy {
    /// Some 32-bit floats.
    type Reals: Copy;

    /// The same number in every lane.
    fn real(self, number: f32) -> Self::Reals;
    /// a + b
    fn plus(self, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// a - b
    fn minus(self, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// a · b
    fn times(self, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// a / b
    fn over(self, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// a if a < b, else b, also where a is no number.
    fn lesser(self, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// a if a > b, else b, also where a is no number.
    fn greater(self, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// a · 2^n, where the integer n is the low 9 bits of `b`; no result may leave the range of
    /// exponents.
    fn scale(self, a: Self::Reals, b: Self::Reals) -> Self::Reals;
}

/// Beyond it the tangent is nearer than 2^-24 to 1.
const FLAT: f32 = 9.0;
/// 2 / ln 2: tanh x = (e - 1) / (e + 1), where e = 2^(2 x / ln 2).
const TO_POWER_OF_TWO: f32 = 2.0 * std::f32::consts::LOG2_E;
/// Added to a small number it leaves the nearest integer in the low bits.
const ROUND: f32 = 12_582_912.0;
/// (2^r - 1) / r for r in [-1/2, 1/2], fitted at Chebyshev's points; the power is off by less than
/// 2.1e-7 of it, and the tangent by half as much.
const POWER: [f32; 5] =
    [std::f32::consts::LN_2, 0.240_223_5, 0.055_503_81, 0.009_666_368, 0.001_338_130_2];

/// tanh x, off by less than 3e-7.
#[inline(always)]
pub fn tanh<R: Reals>(reals: R, x: R::Reals) -> R::Reals {
    let limit = reals.real(FLAT);
    let x = reals.greater(reals.lesser(x, limit), reals.real(-FLAT));
    let e = power_of_two(reals, reals.times(x, reals.real(TO_POWER_OF_TWO)));
    let one = reals.real(1.0);
    reals.over(reals.minus(e, one), reals.plus(e, one))
}

/// 1 / (1 + 2^x), off by less than 2e-7.
#[inline(always)]
pub fn fall<R: Reals>(reals: R, x: R::Reals) -> R::Reals {
    let x = reals.greater(reals.lesser(x, reals.real(STEEPEST)), reals.real(-STEEPEST));
    let one = reals.real(1.0);
    reals.over(one, reals.plus(one, power_of_two(reals, x)))
}

/// Beyond it 1 + 2^-x is 1.
const STEEPEST: f32 = 30.0;

/// 2^x, for x no larger than 30 in size.
#[inline(always)]
fn power_of_two<R: Reals>(reals: R, power: R::Reals) -> R::Reals {
    let rounded = reals.plus(power, reals.real(ROUND));
    let r = reals.minus(power, reals.minus(rounded, reals.real(ROUND)));
    // In pairs, for the sake of latency.
    let square = reals.times(r, r);
    let low = reals.plus(reals.real(1.0), reals.times(reals.real(POWER[0]), r));
    let middle = reals.plus(reals.real(POWER[1]), reals.times(reals.real(POWER[2]), r));
    let high = reals.plus(reals.real(POWER[3]), reals.times(reals.real(POWER[4]), r));
    let upper = reals.plus(middle, reals.times(square, high));
    reals.scale(reals.plus(low, reals.times(square, upper)), rounded)
}

/// One float at a time.
#[derive(Clone, Copy)]
pub struct Plain;

impl Reals for Plain {
    type Reals = f32;

    #[inline(always)]
    fn real(self, number: f32) -> f32 {
        number
    }
    #[inline(always)]
    fn plus(self, a: f32, b: f32) -> f32 {
        a + b
    }
    #[inline(always)]
    fn minus(self, a: f32, b: f32) -> f32 {
        a - b
    }
    #[inline(always)]
    fn times(self, a: f32, b: f32) -> f32 {
        a * b
    }
    #[inline(always)]
    fn over(self, a: f32, b: f32) -> f32 {
        a / b
    }
    #[inline(always)]
    fn lesser(self, a: f32, b: f32) -> f32 {
        if a < b { a } else { b }
    }
    #[inline(always)]
    fn greater(self, a: f32, b: f32) -> f32 {
        if a > b { a } else { b }
    }
    #[inline(always)]
    fn scale(self, a: f32, b: f32) -> f32 {
        f32::from_bits(a.to_bits().wrapping_add(b.to_bits() << 23))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fall_is_near_the_true_one() {
        for i in -400_000..=400_000 {
            let x = i as f32 / 10_000.0;
            let found = fall(Plain, x);
            let expected = 1.0 / (1.0 + libm::exp2(f64::from(x)));
            assert!((f64::from(found) - expected).abs() < 2e-7, "{x} {found} {expected}");
        }
        assert!(fall(Plain, f32::INFINITY) < 1e-9 && fall(Plain, f32::NEG_INFINITY) > 0.999_999);
    }

    #[test]
    fn tanh_is_near_the_true_one_and_flat_at_the_ends() {
        let mut worst: f64 = 0.0;
        for i in -2_000_000..=2_000_000 {
            let x = i as f32 / 150_000.0;
            let found = tanh(Plain, x);
            worst = worst.max((f64::from(found) - libm::tanh(f64::from(x))).abs());
            assert!(found.abs() <= 1.0, "{x} {found}");
        }
        assert!(worst < 3e-7, "{worst}");
        assert_eq!(tanh(Plain, 0.0).to_bits(), 0);
        for (x, limit) in [(f32::INFINITY, 1.0), (f32::NEG_INFINITY, -1.0), (1e30, 1.0)] {
            assert!((tanh(Plain, x) - limit).abs() < 1e-7, "{x}");
        }
    }
}
