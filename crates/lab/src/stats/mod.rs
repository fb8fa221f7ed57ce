//! Statistics: intervals of scores and means, tests of whether two samples differ or agree, and
//! sizes of effects. `tests/statistics.rs` checks all of it against SciPy and statsmodels.

mod ranks;
mod sample;
mod score;
mod student;

pub use ranks::{Effect, RankTest, mann_whitney, median, vargha_delaney};
pub use sample::{Sample, TTest, equivalence, mean_interval, one_sample, student, welch};
pub use score::{Z, pair_variation, pairs_interval, pairs_score, score_interval};
pub use student::{student_point, student_tail};

/// The alternative hypothesis of a test about the first sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tail {
    /// It is less.
    Less,
    /// It is greater.
    Greater,
    /// It is different, in either direction.
    #[default]
    TwoSided,
}

impl Tail {
    /// All of them.
    pub const ALL: [Tail; 3] = [Tail::TwoSided, Tail::Greater, Tail::Less];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Tail::TwoSided => "two-sided",
            Tail::Greater => "greater",
            Tail::Less => "less",
        }
    }
}

/// The accepted probability of any false alarm among all tests.
pub const SIGNIFICANCE: f64 = 0.05;

/// Corrects the p values of several tests, so that the probability of any false alarm among them
/// stays at the level: Holm
/// 1979. In the order given.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let (mut adjusted, mut most) = (vec![0.0; p.len()], 0.0_f64);
    for (rank, index) in order.into_iter().enumerate() {
        most = most.max((p.len() - rank) as f64 * p[index]).min(1.0);
        adjusted[index] = most;
    }
    adjusted
}
