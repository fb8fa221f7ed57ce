//! Learning: the six axes, their values, and the one loop that trains a player by any of them.
//!
//! ```text
//! ask the search for candidates -> improve each by local learning -> for each source of opponents:
//! draw, meet, let the source learn -> score the payoffs -> note the champion in the archive ->
//! tell the search
//! ```
//!
//! Each axis is a folder or a file, and each value of an axis is one file with everything about it:
//! its table of keys, their limits, its size, its tests and its code. `docs/extending.md` explains
//! how to add one.

mod archive;
mod candidate;
mod cohort;
mod during;
mod error;
mod front;
mod limits;
mod local;
mod measures;
mod methods;
mod models;
mod objective;
mod opponents;
mod policy;
mod probes;
mod products;
mod run;
mod search;
mod spec;
mod start;
mod state;
mod until;

pub use archive::{Archive, ArchiveKind, ArchiveSpec, ChampionsSpec, NoArchiveSpec};
pub use candidate::Candidate;
pub use cohort::{AnyRun, Cohort, Ready};
pub use error::LearnError;
pub use front::{MAX_VOLUME, Objective, hypervolume};
pub use limits::{MAX_COUNT, MAX_GENERATION_GAMES, MAX_PLAYERS};
pub use local::{
    Against, Company, During, GamesSpec, Given, LearnedMoves, LearnedValues, Learning, Lesson,
    Local, LocalKind, LocalSetting, LocalSpec, Mind, NoLocalSpec, OneByOne, Others, Place, Pupil,
    Scene, StoreSpec, Stored, TdGamesSpec, TdLambdaSpec, TdSpec,
};
pub use measures::{MEASURES, Measure, OVER_FRONT, Played, Quantity, UTILITY, Way};
pub use methods::{
    Method, PRESETS, Preset, SpecError, example, label, resolve, resolve_text, run_text,
};
pub use models::{
    Activation, Copies, Eye, First, GraphSpec, MlpSpec, ModelKind, ModelSpec, Offer, SpatialSpec,
    SymmetricWpcSpec, WpcSpec,
};
pub use objective::{
    By, DistinctionsSpec, FrontsSpec, Judgement, ObjectiveKind, ObjectiveSpec, PointsSpec, Sign,
    WinsAndErrorSpec, undominated,
};
pub use opponents::{
    Credit, Drawn, Field, FixedSpec, HallOfFameSpec, Opponents, OpponentsSpec, PeersSpec,
    RandomWpcSpec, SourceKind, SourceSetting, TestsSpec, as_met,
};
pub use policy::PolicySpec;
pub use probes::{OPPONENTS, ProbesSpec};
pub use run::{Halt, Run, Stop, step};
pub use search::{
    AdaptiveSpec, AnjiSpec, Beginning, Beyond, Breeds, Crossover, Deal, Draws, EsSpec, EspSpec,
    FlightSpec, GaSpec, Heirs, Judged, Mate, MopsoSpec, MutationSpec, NeatSpec, Noise, Partner,
    PsoSpec, Representative, SaneSpec, Search, SearchKind, SearchSpec, Selection, Sigma, Stagnant,
    StillSpec, TruncationSpec,
};
pub use spec::Spec;
pub use state::{Sections, Unreadable};
pub use until::{Otherwise, UntilSpec};

#[cfg(test)]
mod tests;
