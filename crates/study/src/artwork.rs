//! The tables and figures of a study.

mod figures;
mod forest;
mod made;
mod tables;

use outflank_lab::Results;

use crate::design::{Case, Design};
use crate::evidence::{CaseResults, Evidence};
pub use figures::figure;
pub use forest::forest;
pub use made::{Cell, Made};
pub use tables::table;

/// A figure that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The picture.
    pub svg: String,
    /// The same for a phone.
    pub narrow: Option<String>,
    /// Its data, each a part of a file name and CSV.
    pub data: Vec<(&'static str, String)>,
    /// A sentence below it.
    pub note: String,
}

/// The cases that a list of names stands for, with their finished runs; those without any are left
/// out.
fn cases<'a>(
    design: &'a Design,
    evidence: &'a Evidence,
    names: &[String],
) -> Vec<(&'a Case, &'a CaseResults)> {
    let mut all = begun(design, evidence, names);
    all.retain(|(case, _)| evidence.case(&case.name).is_ok());
    all
}

/// The same with those whose runs are not finished.
fn begun<'a>(
    design: &'a Design,
    evidence: &'a Evidence,
    names: &[String],
) -> Vec<(&'a Case, &'a CaseResults)> {
    let all = names.iter().flat_map(|name| design.named(name));
    all.filter_map(|case| Some((case, evidence.begun(&case.name).ok()?))).collect()
}

/// The label of a case.
fn label(design: &Design, name: &str) -> String {
    design.case(name).map_or(name.into(), |case| case.label.clone())
}

/// The runs of cases under their labels.
fn studies(cases: &[(&Case, &CaseResults)]) -> Vec<Results> {
    let named = cases
        .iter()
        .map(|(case, results)| Results { name: case.label.clone(), ..results.results.clone() });
    named.collect()
}

/// The cases whose probe is of the same kind as that of the first; others cannot stand beside it.
fn alike<'a>(
    name: &str,
    cases: Vec<(&'a Case, &'a CaseResults)>,
) -> Vec<(&'a Case, &'a CaseResults)> {
    let kind = |case: &CaseResults| {
        case.probe(name).map(|probe| CaseResults::kind(&probe).to_owned()).ok()
    };
    let first = cases.iter().find_map(|(_, case)| kind(case));
    cases.into_iter().filter(|(_, case)| kind(case) == first).collect()
}

/// The probe that a table or figure shows: its own, or the first of the first case.
fn probe_of(name: &str, cases: &[(&Case, &CaseResults)]) -> Result<String, String> {
    let (_, first) = cases.first().ok_or("no run is finished yet")?;
    first.probe(name)
}
