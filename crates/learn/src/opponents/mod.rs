//! The axis `opponents`: whom candidates play against. A source draws opponents for the candidates
//! of a generation and may learn from the games; a run can have several sources.
//!
//! A source is a file here (its table, limits, size, tests and code) and a line in
//! [`OpponentsSpec`].

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
use outflank_game::player::{Colour, Player, Policy};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table};

/// Declares the table of all sources, each an optional table, and the functions that go over all of
/// them.
macro_rules! sources {
    ($(#[doc = $about:literal])+ pub struct $name:ident {
        $(#[doc = $games:literal])+ pub games: usize,
        $(#[doc = $colour:literal])+ pub colour: Colour,
        $($(#[doc = $doc:literal])+ pub $field:ident: Option<$type:ty>,)+
    }) => {
        table! {
            $(#[doc = $about])+
            pub struct $name {
                $(#[doc = $games])+ pub games: usize,
                $(#[doc = $colour])+ pub colour: Colour = Colour::Both,
                $($(#[doc = $doc])+ pub $field: Option<$type>,)+
            }
        }
        impl $name {
            /// The names of the sources, in order.
            pub fn names() -> Vec<String> {
                vec![$(stringify!($field).replace('_', "-")),+]
            }

            /// The sources that are present, with their paths.
            pub fn sources(&self) -> Vec<(KeyPath, &dyn SourceKind)> {
                let mut sources: Vec<(KeyPath, &dyn SourceKind)> = Vec::new();
                $(if let Some(source) = &self.$field {
                    let name = stringify!($field).replace('_', "-");
                    sources.push((KeyPath::new("opponents").table(&name), source));
                })+
                sources
            }

            /// The same, mutable.
            pub fn sources_mut(&mut self) -> Vec<&mut dyn SourceKind> {
                let mut sources: Vec<&mut dyn SourceKind> = Vec::new();
                $(if let Some(source) = &mut self.$field {
                    sources.push(source);
                })+
                sources
            }

            /// Builds the sources.
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

            /// Each source alone, for tests of all sources.
            pub fn samples() -> Vec<$name> {
                let none = || $name { games: 1, colour: Colour::Both, $($field: None),+ };
                vec![$($name { $field: Some(<$type as SourceKind>::sample()), ..none() }),+]
            }
        }
    };
}

sources! {
/// The axis `opponents`: any combination of sources.
pub struct OpponentsSpec {
    /// Games against each opponent: 1 (colours alternate), or an even number (half with each
    /// colour); 0 if opponents are used only for local learning.
    pub games: usize,
    /// The colours of candidates, in all games against fixed opponents: for fitness, in local
    /// learning, and in the champion's probes against these opponents. Vuurboom 2008 does not say
    /// that they alternate. Commands that measure players later always play both colours.
    pub colour: Colour,
    /// Other candidates of the generation.
    pub peers: Option<PeersSpec>,
    /// Champions from the archive.
    pub hall_of_fame: Option<HallOfFameSpec>,
    /// Random WPCs, drawn again in each generation and the same for all candidates.
    pub random_wpc: Option<RandomWpcSpec>,
    /// Fixed players.
    pub fixed: Option<FixedSpec>,
    /// A second population, rewarded for distinguishing candidates.
    pub tests: Option<TestsSpec>,
}
}

impl OpponentsSpec {
    pub(super) fn check(&self, spec: &Spec) -> Result<(), Fault> {
        if self.games != 1 && (self.games % 2 == 1 || self.games as u64 > MAX_COUNT) {
            let expected =
                format!("0, 1, or an even number up to {MAX_COUNT}: half with each colour");
            return Err(KeyPath::new("opponents").fault("games", self.games, expected));
        }
        self.sources().iter().try_for_each(|(at, source)| source.check(at, spec))
    }
}

/// A kind of source, as a spec describes it.
pub trait SourceKind {
    /// Checks its keys, also against those of other axes.
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault>;

    /// Opponents of each candidate in a generation.
    fn per_candidate(&self, spec: &Spec) -> u64;

    /// Whether all candidates meet the same opponents.
    fn is_same_for_all(&self) -> bool {
        true
    }

    /// Whether candidates can have one colour against it.
    fn lets_choose_colour(&self) -> bool {
        false
    }

    /// Refuses sources with which not all candidates meet all opponents, or with which opponents
    /// score too.
    fn check_all_meet_all(&self, _at: &KeyPath) -> Result<(), Fault> {
        Ok(())
    }

    /// Makes it small, for the signature that every run records: a few opponents.
    fn shrink(&mut self);

    /// A small one, for tests of all kinds.
    fn sample() -> Self
    where
        Self: Sized;

    /// Builds the source.
    fn build<M: Candidate>(
        &self,
        setting: &mut SourceSetting<'_, M>,
    ) -> Result<Box<dyn Opponents<M>>, LearnError>
    where
        Self: Sized;
}

/// Why samples of opponents cannot be combined with distinctions.
const COMPARED: &str =
    "because objective.kind = \"distinctions\" needs opponents that all candidates meet";

/// What sources are built from.
pub struct SourceSetting<'a, M> {
    /// The spec of the run.
    pub spec: &'a Spec,
    /// Makes models, given how far from 0 their parameters start.
    pub first: &'a mut dyn FnMut(f64) -> M,
}

/// The candidates of a generation, which need opponents.
#[derive(Debug)]
pub struct Field<'a, M> {
    /// The candidates as players.
    pub players: &'a [Arc<Player>],
    /// Earlier champions.
    pub archive: &'a Archive<M>,
    /// How moves are chosen in the fitness games.
    pub policy: Policy,
}

/// Opponents, and who meets whom.
#[derive(Debug)]
pub struct Drawn {
    /// The opponents: the columns of a payoff table whose rows are the candidates.
    pub players: Vec<Arc<Player>>,
    /// Who meets whom.
    pub fixtures: Fixtures,
    /// Whether games also count for the opponents, which then are the candidates themselves.
    pub credit: Credit,
}

impl Drawn {
    /// Lets all candidates meet all of these.
    pub fn all(players: Vec<Arc<Player>>) -> Drawn {
        Drawn { players, fixtures: Fixtures::All, credit: Credit::Own }
    }
}

/// A source of opponents.
pub trait Opponents<M>: Send {
    /// Draws opponents for the candidates of a generation.
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn;

    /// Learns from the games just played; rows are candidates, columns are the opponents drawn.
    fn learn(&mut self, _payoff: &Payoff, _rng: &mut Rng, _stop: &Stop<'_>) -> Result<(), Stopped> {
        Ok(())
    }

    /// The state as bytes.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Restores what [`Opponents::save`] returned.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), Unreadable> {
        Ok(())
    }
}
