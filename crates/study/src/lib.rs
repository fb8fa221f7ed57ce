//! Studies: experiments as data. A study file names cases to train, contests between them and the
//! values that a paper published; the verdicts on them are computed.

mod artwork;
mod check;
mod design;
mod evidence;
mod file;
mod finding;
mod ledger;
mod page;
mod papers;
mod resample;
mod results;
mod seeds;
mod shrink;
mod source;
mod tally;
mod verdict;

pub use artwork::{Cell, Drawn, Made};
pub use design::{Case, Design, MOST_CASES, StudyError};
pub use evidence::{Best, CaseResults, Contest, ContestTeam, Counts, Evidence, LedGame, Profiles};
pub use file::{
    CaseSpec, FigureKind, FigureSpec, Meet, ProfileSpec, StudyFile, TableKind, TableSpec,
    TournamentSpec, TriedSpec, ValueSpec,
};
pub use finding::{Finding, Outcome, Tested, Unit};
pub use ledger::{CaseKey, Ledger, LedgerError, LedgerRun};
pub use page::{Chapter, html, markdown};
pub use papers::PAPERS;
pub use results::{Row, ValueAnswer, rows};
pub use seeds::parse_seeds;
pub use shrink::Shrink;
pub use source::{Find, MatchSource, Needs, Source};
pub use tally::summary;
pub use verdict::{Judged, Printed, Verdict, is_in_order, judge};
