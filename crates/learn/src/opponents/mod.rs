//! The axis `opponents`: whom candidates meet. A source draws opponents for the candidates of a
//! generation and may learn from the games; a run can have several.
//!
//! A source is a file here (its table, limits, size, tests and code) and a line in [`OpponentsSpec`].

mod fixed;
mod hall_of_fame;
mod peers;
mod random_wpc;
mod test_population;
#[cfg(test)]
mod testing;

use std::sync::Arc;

pub use fixed::{FixedSpec, as_met};
pub use hall_of_fame::HallOfFameSpec;
pub use peers::{Credit, PeersSpec};
pub use random_wpc::RandomWpcSpec;
pub use test_population::TestsSpec;

use super::{Archive, Candidate, LearnError, Spec, Stop, Unreadable};
use crate::limits::MAX_COUNT;
use outflank_arena::{Fixtures, Payoff, Stopped};
use outflank_game::player::{Player, Policy};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table};

/// Declares the table of all sources, each a table that may be missing, and what goes over all of them.
macro_rules! sources {
    ($(#[doc = $about:literal])+ pub struct $name:ident {
        $(#[doc = $games:literal])+ pub games: usize,
        $($(#[doc = $doc:literal])+ pub $field:ident: Option<$type:ty>,)+
    }) => {
        table! {
            $(#[doc = $about])+
            pub struct $name {
                $(#[doc = $games])+ pub games: usize,
                $($(#[doc = $doc])+ pub $field: Option<$type>,)+
            }
        }
        impl $name {
            /// How sources are written, in order.
            pub fn names() -> Vec<String> {
                vec![$(stringify!($field).replace('_', "-")),+]
            }

            /// The sources there are, and where they stand.
            pub fn sources(&self) -> Vec<(KeyPath, &dyn SourceKind)> {
                let mut sources: Vec<(KeyPath, &dyn SourceKind)> = Vec::new();
                $(if let Some(source) = &self.$field {
                    let name = stringify!($field).replace('_', "-");
                    sources.push((KeyPath::new("opponents").table(&name), source));
                })+
                sources
            }

            /// The same, to be changed.
            pub fn sources_mut(&mut self) -> Vec<&mut dyn SourceKind> {
                let mut sources: Vec<&mut dyn SourceKind> = Vec::new();
                $(if let Some(source) = &mut self.$field {
                    sources.push(source);
                })+
                sources
            }

            /// The sources at work.
            pub fn build<M: Candidate>(
                &self,
                setting: &mut SourceSetting<'_, M>,
            ) -> Result<Vec<Box<dyn Opponents<M>>>, LearnError> {
                let mut sources: Vec<Box<dyn Opponents<M>>> = Vec::new();
                $(if let Some(source) = &self.$field {
                    sources.push(source.build(setting)?);
                })+
                Ok(sources)
            }

            /// Each source alone, for tests of what all keep.
            pub fn samples() -> Vec<$name> {
                let none = || $name { games: 1, $($field: None),+ };
                vec![$($name { $field: Some(<$type as SourceKind>::sample()), ..none() }),+]
            }
        }
    };
}

sources! {
/// The axis `opponents`: any of the sources, together.
pub struct OpponentsSpec {
    /// Games of a candidate with each opponent: 1 (colours alternate), or pairs with colours swapped; 0 if opponents
    /// only teach.
    pub games: usize,
    /// The other candidates of the generation.
    pub peers: Option<PeersSpec>,
    /// Members of the archive.
    pub hall_of_fame: Option<HallOfFameSpec>,
    /// WPCs drawn at random in each generation, the same for all candidates.
    pub random_wpc: Option<RandomWpcSpec>,
    /// Players that stay the same.
    pub fixed: Option<FixedSpec>,
    /// A second population that is rewarded for telling candidates apart.
    pub tests: Option<TestsSpec>,
}
}

impl OpponentsSpec {
    pub(super) fn check(&self, spec: &Spec) -> Result<(), Fault> {
        if self.games != 1 && (self.games % 2 == 1 || self.games as u64 > MAX_COUNT) {
            let expected =
                format!("0, 1, or an even number up to {MAX_COUNT}: a game as each colour");
            return Err(KeyPath::new("opponents").fault("games", self.games, expected));
        }
        self.sources().iter().try_for_each(|(at, source)| source.check(at, spec))
    }
}

/// What is asked of a source before there is one.
pub trait SourceKind {
    /// Says what is wrong with its keys, also beside those of other axes.
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault>;

    /// How many opponents each candidate meets in a generation.
    fn per_candidate(&self, spec: &Spec) -> u64;

    /// Whether all candidates meet the same opponents.
    fn is_same_for_all(&self) -> bool {
        true
    }

    /// Says what keeps it from letting all candidates meet all opponents and be paid for it.
    fn check_all_meet_all(&self, _at: &KeyPath) -> Result<(), Fault> {
        Ok(())
    }

    /// Makes it small, for the stamp that every run has: a few opponents.
    fn shrink(&mut self);

    /// A small one, for tests of what all keep.
    fn sample() -> Self
    where
        Self: Sized;

    /// The source at work.
    fn build<M: Candidate>(
        &self,
        setting: &mut SourceSetting<'_, M>,
    ) -> Result<Box<dyn Opponents<M>>, LearnError>
    where
        Self: Sized;
}

/// Why samples of opponents do not go with distinctions.
const COMPARED: &str =
    "for objective.kind = \"distinctions\" compares by opponents that all have met";

/// What sources are made with.
pub struct SourceSetting<'a, M> {
    /// The spec of the run.
    pub spec: &'a Spec,
    /// Makes models, given how far from 0 they start.
    pub first: &'a mut dyn FnMut(f64) -> M,
}

/// The candidates of a generation, for whom opponents are drawn.
#[derive(Debug)]
pub struct Field<'a, M> {
    /// The candidates as players.
    pub players: &'a [Arc<Player>],
    /// Earlier champions.
    pub archive: &'a Archive<M>,
    /// How moves are chosen in the games that count.
    pub policy: Policy,
}

/// Opponents, and who meets them.
#[derive(Debug)]
pub struct Drawn {
    /// The opponents; the columns of a payoff table whose rows are the candidates.
    pub players: Vec<Arc<Player>>,
    /// Who meets whom.
    pub fixtures: Fixtures,
    /// Whether games count for the opponents too, which are then the candidates themselves.
    pub credit: Credit,
}

impl Drawn {
    /// All candidates meet all of these.
    pub fn all(players: Vec<Arc<Player>>) -> Drawn {
        Drawn { players, fixtures: Fixtures::All, credit: Credit::Own }
    }
}

/// A source of opponents.
pub trait Opponents<M>: Send {
    /// Draws opponents for the candidates of a generation.
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn;

    /// Learns from the games just played; rows are the candidates, columns the opponents drawn.
    fn learn(&mut self, _payoff: &Payoff, _rng: &mut Rng, _stop: &Stop<'_>) -> Result<(), Stopped> {
        Ok(())
    }

    /// What must survive an interruption, as bytes.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes up what [`Opponents::save`] gave.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), Unreadable> {
        Ok(())
    }
}
