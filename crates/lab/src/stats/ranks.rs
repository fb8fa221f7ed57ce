//! Statistics of ranks: the median, the Mann-Whitney test and the Vargha-Delaney effect size.

use super::Tail;
use super::student::normal_tail;

/// The middle value, or the mean of the two in the middle; none without values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
    }
}

/// The outcome of a Mann-Whitney test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankTest {
    /// Pairs in which the first sample has the greater value; equal ones count half.
    pub u: f64,
    /// The probability of a U at least as extreme if there is no difference.
    pub p: f64,
}

/// The Mann-Whitney U test; none if either sample has fewer than two values.
///
/// As in SciPy: exact if a sample has at most eight values and no two are equal, else the normal
/// approximation with corrections for ties and continuity.
pub fn mann_whitney(a: &[f64], b: &[f64], tail: Tail) -> Option<RankTest> {
    if a.len().min(b.len()) < 2 {
        return None;
    }
    let ranks = Ranks::of(a, b);
    let others = (a.len() * b.len()) as f64 - ranks.u;
    let (small, large) = (a.len().min(b.len()), a.len().max(b.len()));
    let is_exact = small <= MAX_EXACT.0 && large <= MAX_EXACT.1 && ranks.ties <= 0.0;
    let above = |u: f64| {
        if is_exact {
            // The distribution is symmetric.
            exact_share((small * large) as u64 - u as u64, small as u64, large as u64)
        } else {
            normal_share(u, a.len() as f64, b.len() as f64, ranks.ties)
        }
    };
    let p = match tail {
        Tail::Greater => above(ranks.u),
        Tail::Less => above(others),
        Tail::TwoSided => 2.0 * above(ranks.u.max(others)),
    };
    Some(RankTest { u: ranks.u, p: p.min(1.0) })
}

/// The sizes of the smaller and the larger sample up to which the test is exact. (The second limit
/// is ours: beyond it the counts would not fit into 128 bits.)
const MAX_EXACT: (usize, usize) = (8, 100_000);

/// The ranks of two samples.
struct Ranks {
    u: f64,
    /// The sum of t³ − t over the groups of t equal values.
    ties: f64,
}

impl Ranks {
    fn of(a: &[f64], b: &[f64]) -> Ranks {
        // Adding zero turns -0 into 0.
        let own = a.iter().map(|value| (value + 0.0, true));
        let mut all: Vec<(f64, bool)> =
            own.chain(b.iter().map(|value| (value + 0.0, false))).collect();
        all.sort_by(|x, y| x.0.total_cmp(&y.0));
        let (mut ranks, mut below, mut ties) = (0.0, 0, 0.0);
        for equal in all.chunk_by(|x, y| x.0.total_cmp(&y.0).is_eq()) {
            let t = equal.len() as f64;
            let own = equal.iter().filter(|value| value.1).count();
            ranks += own as f64 * (below as f64 + (t + 1.0) / 2.0);
            ties += t * (t * t - 1.0);
            below += equal.len();
        }
        let n = a.len() as f64;
        Ranks { u: ranks - n * (n + 1.0) / 2.0, ties }
    }
}

/// The probability of U or more, from the normal distribution.
fn normal_share(u: f64, na: f64, nb: f64, ties: f64) -> f64 {
    let n = na + nb;
    let variance = na * nb / 12.0 * ((n + 1.0) - ties / (n * (n - 1.0)));
    if variance > 0.0 {
        normal_tail((u - na * nb / 2.0 - 0.5) / variance.sqrt())
    } else {
        // All values are equal.
        1.0
    }
}

/// The probability of `most` or less, by counting.
///
/// The number of orders of two samples with U = k is the coefficient of q^k in the Gaussian
/// binomial coefficient, the product of (1 − q^(large + i)) / (1 − q^i) for i from 1 to `small`; a
/// coefficient needs only lower ones.
fn exact_share(most: u64, small: u64, large: u64) -> f64 {
    let mut counts = vec![0_i128; most as usize + 1];
    counts[0] = 1;
    let mut all = 1.0;
    for i in 1..=small {
        let (up, down) = ((large + i) as usize, i as usize);
        for k in (up..counts.len()).rev() {
            counts[k] -= counts[k - up];
        }
        for k in down..counts.len() {
            counts[k] += counts[k - down];
        }
        all *= (large + i) as f64 / i as f64;
    }
    counts.iter().sum::<i128>() as f64 / all
}

/// The probability that a value of the first sample is greater than one of the second, ties
/// counting half: Vargha and Delaney's A. None without values.
pub fn vargha_delaney(a: &[f64], b: &[f64]) -> Option<f64> {
    let pairs = a.len() * b.len();
    (pairs > 0).then(|| Ranks::of(a, b).u / pairs as f64)
}

/// The word for the size of an effect: Vargha and Delaney 2000, Journal of Educational and
/// Behavioral Statistics 25(2), table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Below 0.56.
    Negligible,
    /// From 0.56.
    Small,
    /// From 0.64.
    Medium,
    /// From 0.71.
    Large,
}

impl Effect {
    /// The word for Vargha and Delaney's A, above or below a half.
    pub fn of(a: f64) -> Effect {
        // 0.44 and 0.56 are the same effect, but not equally far from a half in binary.
        match a.max(1.0 - a) + 1e-12 {
            size if size < 0.56 => Effect::Negligible,
            size if size < 0.64 => Effect::Small,
            size if size < 0.71 => Effect::Medium,
            _ => Effect::Large,
        }
    }

    /// The word itself.
    pub fn word(self) -> &'static str {
        match self {
            Effect::Negligible => "negligible",
            Effect::Small => "small",
            Effect::Medium => "medium",
            Effect::Large => "large",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn too_few_values_are_not_ranked() {
        assert_eq!(mann_whitney(&[1.0], &[2.0, 3.0], Tail::TwoSided), None);
        assert_eq!(mann_whitney(&[1.0, 2.0], &[], Tail::Less), None);
        assert_eq!(vargha_delaney(&[], &[1.0]), None);
        assert_eq!(vargha_delaney(&[2.0], &[1.0]), Some(1.0));
    }

    #[test]
    fn samples_of_one_value_do_not_differ() {
        let (a, b) = ([0.0; 3], [-0.0; 12]);
        for tail in [Tail::Less, Tail::Greater, Tail::TwoSided] {
            assert_eq!(mann_whitney(&a, &b, tail), Some(RankTest { u: 18.0, p: 1.0 }));
        }
        assert_eq!(vargha_delaney(&a, &b), Some(0.5));
    }

    #[test]
    fn all_orders_of_two_samples_are_counted() {
        // Checked by listing all orders.
        let (small, large): (u64, u64) = (4, 5);
        let n = small + large;
        let us: Vec<u64> = (0..1_u64 << n)
            .filter(|set| u64::from(set.count_ones()) == small)
            .map(|set| (0..n).filter(|i| set >> i & 1 == 1).sum::<u64>() - small * (small - 1) / 2)
            .collect();
        for most in 0..=small * large {
            let share = us.iter().filter(|&&u| u <= most).count() as f64 / us.len() as f64;
            assert!((exact_share(most, small, large) - share).abs() < 1e-15, "{most}");
        }
        // The largest exact case; one order of all is the most extreme.
        let (small, large) = (MAX_EXACT.0 as u64, MAX_EXACT.1 as u64);
        assert!((exact_share(small * large, small, large) - 1.0).abs() < 1e-12);
        assert!(exact_share(0, small, large) > 0.0);
    }

    #[test]
    fn effects_have_words() {
        use Effect::{Large, Medium, Negligible, Small};
        for (a, word) in [(0.5, Negligible), (0.56, Small), (0.64, Medium), (0.71, Large)] {
            assert_eq!((Effect::of(a), Effect::of(1.0 - a)), (word, word), "{a}");
        }
        assert_eq!((Effect::of(0.559), Effect::of(0.0)), (Negligible, Large));
    }
}
