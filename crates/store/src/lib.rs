//! What work leaves on disk: a [`RunDir`] for a run, a [`Study`] for the runs of one spec, a
//! [`Partial`] for any other file that takes long to make. This crate knows nothing about learning:
//! it stores bytes and rows, and protects them from `kill -9`, full disks and flipped bits. The
//! same spec and seed give the same bytes of `spec.toml`, `metrics.csv`, `champions.bin` and
//! `champion.json`, interrupted or not.

mod appended;
mod block_file;
mod blocks;
mod checkpoint;
mod collect;
mod error;
#[cfg(test)]
mod faults;
mod finished;
mod folder;
mod history;
mod manifest;
mod partial;
mod run_dir;
mod sealed;
mod sealed_json;
mod sketch;
mod spec_text;
mod standing;
mod study;
#[cfg(test)]
mod tests;
mod whole_file;

pub use block_file::{BlockName, FileLock, locks_work};
pub use checkpoint::Checkpoint;
pub use collect::{WholeRun, copy_run};
pub use error::{Remedy, RunError};
pub use finished::FinishedRun;
pub use folder::host;
pub use history::{KeptChampion, read_champions};
pub use partial::{KeptBlocks, Partial};
pub use run_dir::{Identity, Opened, RunDir, Stage};
pub use sealed::{Seal, SealFault};
pub use sketch::{Progress, Removal, RunSketch};
pub use spec_text::{spec_difference, spec_id};
pub use standing::StandingRun;
pub use study::{BEFORE, METHOD, Study};
pub use whole_file::WholeFile;
