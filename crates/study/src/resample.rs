//! The bootstrap: how much a value changes with another sample of the same runs. The draws are
//! always the same, so that results are, too.

use outflank_kernel::rng::{Seed, Stream};

/// Samples drawn.
const TIMES: u64 = 1000;

/// Samples of `count` indices, drawn with replacement.
pub fn indices(count: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..TIMES).map(move |time| {
        let mut draws = Seed(14).at(Stream::Pairing, time).rng();
        (0..count).map(|_| draws.below(count.max(1) as u32) as usize).collect()
    })
}

/// The middle 95% of values.
pub fn middle(values: &mut [f64]) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = values.len().saturating_sub(1);
        values.get((share * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
    };
    [at(0.025), at(0.975)]
}
