//! Where a value of ours comes from. Each kind of source is a table of a study file, and knows how
//! to find its value in the evidence.

mod champions;
mod claims;
mod contests;
mod curves;

use std::fmt::Debug;

use outflank_schema::axis;

use crate::evidence::Evidence;
use crate::finding::Outcome;

pub use champions::{BoardSource, CornersSource, MatchSource};
pub use claims::OrderSource;
pub use contests::{Count, CrossingSource, ProfileSource, StrongestSource, TournamentSource};
pub use curves::{FinalSource, ReachSource, SpreadSource, TestSource};

/// A kind of source.
pub trait Find: Debug + Send + Sync {
    /// Finds the value.
    fn find(&self, evidence: &Evidence) -> Outcome;

    /// What must be there for it.
    fn needs(&self) -> Needs;

    /// Values with the same text, in the same table of a paper, can be ranked among each other.
    /// None if there is nothing to rank.
    fn rank(&self) -> Option<String> {
        None
    }

    /// An example, for tests.
    fn sample() -> Self
    where
        Self: Sized;
}

/// What a source, a table or a figure needs, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// Cases, each with the key that names it.
    pub cases: Vec<(&'static str, String)>,
    /// Tournaments.
    pub tournaments: Vec<(&'static str, String)>,
    /// Profiles.
    pub profiles: Vec<(&'static str, String)>,
    /// Matches of given players.
    pub matches: Vec<MatchSource>,
    /// Probes: the key that names one, the case that must have it, and the probe.
    pub probes: Vec<(&'static str, String, String)>,
}

impl Needs {
    fn cases<const N: usize>(cases: [(&'static str, &str); N]) -> Needs {
        let cases = cases.into_iter().filter(|(_, name)| !name.is_empty());
        Needs { cases: cases.map(|(key, name)| (key, name.into())).collect(), ..Needs::default() }
    }

    /// The same, with a probe of all these cases.
    fn probed<const N: usize>(cases: [(&'static str, &str); N], probe: &str) -> Needs {
        let mut needs = Needs::cases(cases);
        let of = |(_, case): &(&'static str, String)| ("probe", case.clone(), probe.to_owned());
        needs.probes = needs.cases.iter().map(of).collect();
        needs
    }
}

axis! {
/// Where a value comes from.
pub enum Source: Find {
    /// The mean of a probe over the runs of a case.
    Final(FinalSource) = "final",
    /// The lowest or highest run of a case.
    Spread(SpreadSource) = "spread",
    /// When the mean of a case reaches a level.
    Reach(ReachSource) = "reach",
    /// The t of a test of two cases.
    Test(TestSource) = "test",
    /// A claim about the order of cases.
    Order(OrderSource) = "order",
    /// The result of a case in a tournament.
    Tournament(TournamentSource) = "tournament",
    /// The score of a case against opponents of some strength.
    Profile(ProfileSource) = "profile",
    /// The strength of opponents at which two cases draw level.
    Crossing(CrossingSource) = "crossing",
    /// The strongest random opponent.
    Strongest(StrongestSource) = "strongest",
    /// Games between two given players.
    Match(MatchSource) = "match",
    /// How many champions of a case use few corners of the board.
    Corners(CornersSource) = "corners",
    /// Whether the best player of a tournament looks as described.
    Board(BoardSource) = "board",
}
}
