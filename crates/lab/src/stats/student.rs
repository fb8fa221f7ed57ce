//! Tails of the normal distribution and of Student's t, accurate to many digits even where they are
//! tiny, and Student's 97.5% point.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::beta::beta_reg;

use super::score::Z;

/// Above this many degrees of freedom Student's distribution is computed from the normal one.
/// (`statrs` loses digits there, and its quantile does not terminate.)
const MANY: f64 = 1e4;

/// The probability of a value above `z` under the normal distribution.
pub fn normal_tail(z: f64) -> f64 {
    libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2) / 2.0
}

/// The probability of a value above `t` under Student's distribution.
pub fn student_tail(t: f64, df: f64) -> f64 {
    if t < 0.0 {
        return 1.0 - student_tail(-t, df);
    }
    if t.is_infinite() {
        return 0.0;
    }
    if df > MANY {
        return normal_tail(as_normal(t, df));
    }
    beta_reg(df / 2.0, 0.5, df / (df + t * t)) / 2.0
}

/// The value with the same tail under the normal distribution, for many degrees of freedom: Hill
/// 1970, Communications of the ACM 13(10), algorithm 395. The relative error of the tail stays
/// below 1e-11.
fn as_normal(t: f64, df: f64) -> f64 {
    let a = df - 0.5;
    let b = 48.0 * a * a;
    let y = a * (t * t / df).ln_1p();
    let series = (((-0.4 * y - 3.3) * y - 24.0) * y - 85.5) / (0.8 * y * y + 100.0 + b);
    y.sqrt() * ((series + y + 3.0) / b + 1.0)
}

/// The 97.5% point of Student's distribution: half the width of a 95% interval in standard errors.
pub fn student_point(df: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, df) {
        Ok(student) if df <= MANY => student.inverse_cdf(0.975),
        // Fisher and Cornish 1960; the next term is below 1e-12.
        _ => {
            let z2 = Z * Z;
            Z * (1.0
                + (z2 + 1.0) / (4.0 * df)
                + (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / (96.0 * df * df))
        }
    }
}
