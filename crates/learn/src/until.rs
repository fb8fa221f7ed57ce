//! A goal at which a run ends before its games are played.

use super::Spec;
use outflank_schema::{Fault, KeyPath, fault, one_of, table, words};

table! {
/// A goal: a run ends at the first probe at which its champion reaches it.
pub struct UntilSpec {
    /// The benchmark, one of `probes.vs`; it is measured at every probe, in `probes.games` games.
    pub vs: String,
    /// The score to reach: wins and half of the draws, as a share of the games.
    pub score: f64,
    /// What a run is that has played its games without reaching the goal; its champion is kept in
    /// any case.
    pub otherwise: Otherwise,
}
}

words! {
/// What a run is that did not reach its goal.
pub enum Otherwise {
    /// Failed: the command says so, and no run starts from it.
    Fail = "fail",
    /// Finished: the command says that the goal was missed, and runs that start from it begin.
    GoOn = "go-on",
}
}

impl UntilSpec {
    pub(super) fn check(&self, spec: &Spec) -> Result<(), Fault> {
        let vs = spec.yardsticks();
        if !vs.contains(&self.vs) {
            let names: Vec<&str> = vs.iter().map(String::as_str).collect();
            let expected = match names.is_empty() {
                true => "a player that is in probes.vs, too".into(),
                false => format!("a benchmark of probes.vs: {}", one_of(&names)),
            };
            return Err(fault("until.vs", format!("{:?}", self.vs), expected));
        }
        if spec.probes.every == 0 {
            let expected = "1 or more, because until is measured at the probes";
            return Err(fault("probes.every", 0, expected));
        }
        KeyPath::new("until").number("score", self.score, 0.0..=1.0)
    }
}
