//! Learning: the six axes, their values, and the one loop that trains a player by any of them.
//!
//! ```text
//! ask the search for candidates -> improve each by local learning -> for each source of opponents:
//! draw, meet, let the source learn -> score the payoffs -> note the champion in the archive ->
//! tell the search
//! ```

mod archive;
mod candidate;
mod keys;
mod local;
mod objective;
mod opponents;
mod run;
mod search;
mod self_play;
mod spec;
mod spec_check;

pub use archive::Archive;
pub use candidate::Candidate;
pub use keys::{Key, Kind, Shape, Shaped, Table, Word};
pub use opponents::{Drawn, Field, Opponents};
pub use run::{Halt, Run, Stop, step};
pub use search::{Judged, Search};
pub use self_play::{Lesson, Pupil};
pub use spec::*;
pub use spec_check::Fault;
