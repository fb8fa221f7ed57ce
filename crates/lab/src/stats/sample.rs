//! Samples as mean and variance, and Student's tests of means. The summaries are enough for the
//! tests, and are all that is known of a published figure.

use super::Tail;
use super::student::{student_point, student_tail};

/// What tests of means need to know about a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of independent values.
    pub n: u64,
    /// Their mean; NaN without values.
    pub mean: f64,
    /// Their variance, n − 1 in the denominator; 0 for fewer than two values.
    pub variance: f64,
}

impl Sample {
    /// Summarises values.
    pub fn of(values: &[f64]) -> Sample {
        let n = values.len() as u64;
        // Equal values have a variance of exactly 0, which rounding could change.
        if let [first, rest @ ..] = values
            && rest.iter().all(|value| value.total_cmp(first).is_eq())
        {
            return Sample { n, mean: *first, variance: 0.0 };
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Sample { n, mean, variance: squares / n.saturating_sub(1).max(1) as f64 }
    }

    /// The sample behind a published mean ± half the width of its 95% interval (Student's), of n
    /// values.
    pub fn published(mean: f64, half_width: f64, n: u64) -> Sample {
        if n < 2 {
            return Sample { n, mean, variance: 0.0 };
        }
        let error = half_width / student_point(n as f64 - 1.0);
        Sample { n, mean, variance: error * error * n as f64 }
    }

    /// The standard deviation; none for fewer than two values.
    pub fn deviation(&self) -> Option<f64> {
        (self.n >= 2).then(|| self.variance.sqrt())
    }

    /// The 95% interval of the mean by Student's t; none for fewer than two values.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let half = |point: f64| point * self.squared_error().sqrt();
        let half = (self.n >= 2).then(|| half(student_point(self.n as f64 - 1.0)))?;
        Some([self.mean - half, self.mean + half])
    }

    /// The square of the standard error of the mean.
    fn squared_error(&self) -> f64 {
        self.variance / self.n as f64
    }
}

/// The mean of independent values and its 95% interval by Student's t; none for fewer than two.
pub fn mean_interval(values: &[f64]) -> (f64, Option<[f64; 2]>) {
    let sample = Sample::of(values);
    (sample.mean, sample.interval())
}

/// The outcome of one of Student's tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTest {
    /// The difference in standard errors; infinite for different means without any variance.
    pub t: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// The probability of a t at least as extreme if there is no difference.
    pub p: f64,
}

impl TTest {
    /// The test with this t.
    pub fn of(t: f64, df: f64, tail: Tail) -> TTest {
        let p = match tail {
            Tail::Less => student_tail(-t, df),
            Tail::Greater => student_tail(t, df),
            Tail::TwoSided => (2.0 * student_tail(t.abs(), df)).min(1.0),
        };
        TTest { t, df, p }
    }

    /// Without variance, equal means give t = 0 and p = 1, different ones an infinite t.
    fn of_difference(difference: f64, squared_error: f64, df: f64, tail: Tail) -> TTest {
        if squared_error > 0.0 {
            return TTest::of(difference / squared_error.sqrt(), df, tail);
        }
        match difference.total_cmp(&0.0) {
            _ if difference.abs() <= 0.0 => TTest { t: 0.0, df, p: 1.0 },
            order if order.is_lt() => TTest::of(f64::NEG_INFINITY, df, tail),
            _ => TTest::of(f64::INFINITY, df, tail),
        }
    }
}

/// Student's test with pooled variances; none if either sample has fewer than two values.
pub fn student(a: &Sample, b: &Sample, tail: Tail) -> Option<TTest> {
    (a.n >= 2 && b.n >= 2).then(|| {
        let (na, nb) = (a.n as f64, b.n as f64);
        let df = na + nb - 2.0;
        let pooled = ((na - 1.0) * a.variance + (nb - 1.0) * b.variance) / df;
        TTest::of_difference(a.mean - b.mean, pooled * (1.0 / na + 1.0 / nb), df, tail)
    })
}

/// Welch's test, which allows unequal variances; none if a sample has fewer than two values.
pub fn welch(a: &Sample, b: &Sample, tail: Tail) -> Option<TTest> {
    shifted_welch(a, b, 0.0, tail)
}

/// Welch's test of whether a − b is `shift`.
fn shifted_welch(a: &Sample, b: &Sample, shift: f64, tail: Tail) -> Option<TTest> {
    (a.n >= 2 && b.n >= 2).then(|| {
        let (na, nb) = (a.n as f64, b.n as f64);
        let (ea, eb) = (a.squared_error(), b.squared_error());
        let sum = ea + eb;
        // Shares instead of squares, which underflow.
        let (sa, sb) = (ea / sum, eb / sum);
        let df = if sum > 0.0 {
            1.0 / (sa * sa / (na - 1.0) + sb * sb / (nb - 1.0))
        } else {
            na + nb - 2.0
        };
        TTest::of_difference(a.mean - b.mean - shift, sum, df, tail)
    })
}

/// Student's test of whether a mean is this one; none for fewer than two values.
pub fn one_sample(a: &Sample, mean: f64, tail: Tail) -> Option<TTest> {
    let df = a.n as f64 - 1.0;
    let error = a.squared_error();
    (a.n >= 2).then(|| TTest::of_difference(a.mean - mean, error, df, tail))
}

/// Tests whether two means are less than a margin apart: the greater p of two one-sided Welch tests
/// (Schuirmann 1987); a small p shows that they are. None if a sample has fewer than two values.
pub fn equivalence(a: &Sample, b: &Sample, margin: f64) -> Option<f64> {
    let above = shifted_welch(a, b, -margin, Tail::Greater)?;
    let below = shifted_welch(a, b, margin, Tail::Less)?;
    Some(above.p.max(below.p))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAILS: [Tail; 3] = [Tail::Less, Tail::Greater, Tail::TwoSided];

    fn p(test: Option<TTest>) -> f64 {
        test.unwrap().p
    }

    #[test]
    fn fewer_than_two_values_are_not_tested() {
        let [none, one, two] = [&[][..], &[0.5], &[0.25, 0.75]].map(Sample::of);
        for tail in TAILS {
            for few in [none, one, Sample::published(0.5, 0.1, 1)] {
                assert_eq!(student(&few, &two, tail), None);
                assert_eq!(welch(&two, &few, tail), None);
                assert_eq!(one_sample(&few, 0.5, tail), None);
            }
        }
        assert_eq!(equivalence(&one, &two, 0.1), None);
        assert_eq!((one.deviation(), one.interval()), (None, None));
        assert!(none.mean.is_nan() && mean_interval(&[]).1.is_none());
        assert_eq!(mean_interval(&[2.0]), (2.0, None));
    }

    #[test]
    fn samples_without_variance_are_equal_or_not() {
        // Three times 0.1 is not 0.3.
        let [low, same, high] =
            [vec![0.1; 3], vec![0.1; 7], vec![0.2; 5]].map(|values| Sample::of(&values));
        let both =
            |a: &Sample, b: &Sample, tail| vec![p(student(a, b, tail)), p(welch(a, b, tail))];
        for tail in TAILS {
            assert_eq!(both(&low, &same, tail), [1.0; 2]);
            assert!(p(one_sample(&low, 0.1, tail)) >= 1.0);
        }
        assert_eq!(both(&low, &high, Tail::TwoSided), [0.0; 2]);
        assert_eq!(both(&low, &high, Tail::Less), [0.0; 2]);
        assert_eq!(both(&low, &high, Tail::Greater), [1.0; 2]);
        assert!(welch(&low, &high, Tail::Less).unwrap().t.is_infinite());
        assert_eq!(low.interval(), Some([0.1; 2]));
        assert_eq!(equivalence(&low, &same, 0.01), Some(0.0));
        assert_eq!(equivalence(&low, &high, 0.01), Some(1.0));
        assert_eq!(equivalence(&low, &high, 0.2), Some(0.0));
    }

    #[test]
    fn a_published_interval_is_found_again() {
        for n in [2, 3, 10, 120, 9_999, 10_002, 1_000_000, u64::MAX] {
            let [low, high] = Sample::published(0.8646, 0.0025, n).interval().unwrap();
            assert!((low - 0.8621).abs() < 1e-12 && (high - 0.8671).abs() < 1e-12, "{n}");
        }
    }

    #[test]
    fn tiny_and_huge_numbers_are_tested_too() {
        let a = Sample::of(&[1e-100, 2e-100, 3e-100]);
        let b = Sample::of(&[1e100, 2e100, 3e100]);
        for tail in TAILS {
            for test in [welch(&a, &a, tail), welch(&b, &b, tail), student(&a, &b, tail)] {
                assert!(test.is_some_and(|test| !test.p.is_nan() && !test.t.is_nan()), "{test:?}");
            }
        }
    }
}
