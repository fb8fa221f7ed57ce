//! Experiments and what is made of them: methods by name, intervals, ratings, tournaments,
//! and the program's own instruments (its bench and its signature).

mod bench;
mod ratings;
mod signature;
mod spec;
mod stats;
mod tournament;

pub use bench::{Bench, Rate, Workload};
pub use ratings::{Rating, rate};
pub use signature::{Signature, signature};
pub use spec::{Method, PRESETS, Place, Preset, SpecError, resolve};
pub use stats::score_interval;
pub use tournament::{Standing, Table, Team, play_tournament};
