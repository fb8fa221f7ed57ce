//! Learning: the six axes, their values, and the one loop that trains a player by any of them.
//!
//! ```text
//! ask the search for candidates -> improve each by local learning -> for each source of opponents:
//! draw, meet, let the source learn -> score the payoffs -> note the champion in the archive ->
//! tell the search
//! ```

/// Does something with the type of a model spec's models.
macro_rules! with_model {
    ($spec:expr, $model:ident => $body:expr) => {
        match &$spec {
            $crate::learn::ModelSpec::Wpc(_) => {
                type $model = $crate::model::Wpc;
                $body
            }
            $crate::learn::ModelSpec::Mlp(_) | $crate::learn::ModelSpec::Spatial(_) => {
                type $model = $crate::model::Mlp;
                $body
            }
            $crate::learn::ModelSpec::Graph(_) => {
                type $model = $crate::model::Graph;
                $body
            }
        }
    };
}
pub(crate) use with_model;

mod archive;
mod candidate;
mod given;
mod keys;
mod local;
mod objective;
mod offline;
mod opponents;
mod run;
mod search;
mod self_play;
mod spec;
mod spec_check;
mod spec_effort;
mod spec_products;
mod spec_search;

pub use archive::Archive;
pub use candidate::Candidate;
pub use keys::{Key, Kind, Shape, Shaped, Table, Word};
pub use opponents::{Drawn, Field, Opponents, as_met};
pub use run::{AnyRun, Halt, Run, Standing, Stop, step};
pub use search::{Judged, Search};
pub use self_play::{Lesson, Pupil};
pub use spec::*;
pub use spec_check::Fault;
pub use spec_products::OPPONENTS;
pub use spec_search::*;
