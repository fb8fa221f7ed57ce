//! All published values of a study with ours, judged.

use serde::Serialize;

use crate::artwork::Cell;
use crate::design::Design;
use crate::evidence::Evidence;
use crate::file::ValueSpec;
use crate::finding::{Outcome, Unit};
use crate::source::Source;
use crate::verdict::{Judged, Printed, Verdict, is_in_order, judge};

/// A published value with ours.
#[derive(Clone, Debug)]
pub struct Row {
    /// As it is written in the study.
    pub value: ValueSpec,
    /// What we found.
    pub outcome: Outcome,
    /// The runs behind our value and the training games of each.
    pub effort: String,
    /// The command that repeats it.
    pub command: String,
    /// How they compare.
    pub judged: Judged,
    /// The same for the readings that were tried.
    pub tried: Vec<(String, Outcome, Judged)>,
}

/// A published value with ours, as plain data.
#[derive(Clone, Debug, Serialize)]
pub struct ValueAnswer {
    /// The study.
    pub study: String,
    /// The table, figure or section.
    pub printed: String,
    /// What it is of.
    pub what: String,
    /// As it is printed.
    pub published: String,
    /// Ours.
    pub ours: String,
    /// Our number, if it is one.
    pub value: Option<f64>,
    /// Its 95% interval.
    pub interval: Option<[f64; 2]>,
    /// Runs, players or games behind it.
    pub n: u64,
    /// The runs behind it and the training games of each.
    pub effort: String,
    /// The command that repeats it.
    pub command: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub why: String,
    /// What explains a difference, as far as anything tried does.
    pub explained: String,
}

/// Judges all values of a study.
pub fn rows(design: &Design, evidence: &Evidence) -> Vec<Row> {
    let values = &design.file.value;
    let outcomes: Vec<Outcome> = values.iter().map(|value| value.ours.find(evidence)).collect();
    let judged = |value: &ValueSpec, outcome: &Outcome| {
        judge(value, outcome, margin_of(outcome, design.file.margin))
    };
    let mut rows: Vec<Row> = values
        .iter()
        .zip(&outcomes)
        .map(|(value, outcome)| Row {
            value: value.clone(),
            outcome: outcome.clone(),
            effort: effort(design, evidence, &value.ours),
            command: String::new(),
            judged: judged(value, outcome),
            tried: Vec::new(),
        })
        .collect();
    for index in 0..rows.len() {
        rows[index].judged = in_order(&rows, index, &rows[index].outcome);
        let tried = rows[index].value.tried.clone().into_iter().map(|tried| {
            let outcome = tried.ours.find(evidence);
            let verdict = judged(&rows[index].value, &outcome);
            (tried.what, outcome, verdict)
        });
        rows[index].tried = tried.collect();
    }
    rows
}

/// The finished runs that a value comes from, and the training games of each, as in
/// `10 × 2,000,000 games`; or the games of a match.
fn effort(design: &Design, evidence: &Evidence, source: &Source) -> String {
    let needs = source.needs();
    let mut names: Vec<&str> = needs.cases.iter().map(|(_, name)| name.as_str()).collect();
    for (_, name) in &needs.tournaments {
        let own = design.file.tournament.iter().find(|one| one.name == *name);
        names.extend(own.iter().flat_map(|one| one.cases.iter().map(String::as_str)));
    }
    for (_, name) in &needs.profiles {
        let own = design.file.profile.iter().find(|one| one.name == *name);
        names.extend(own.iter().flat_map(|one| one.cases.iter().map(String::as_str)));
    }
    let mut cases: Vec<&crate::Case> = Vec::new();
    for case in names.iter().flat_map(|name| design.named(name)) {
        if !cases.iter().any(|known| known.name == case.name) {
            cases.push(case);
        }
    }
    // Runs of the same length together.
    let mut runs: Vec<(u64, usize)> = Vec::new();
    for case in cases {
        let count = evidence.case(&case.name).map_or(0, |results| results.runs());
        let games = case.method.spec.games;
        match runs.iter_mut().find(|(known, _)| *known == games) {
            Some((_, all)) => *all += count,
            None => runs.push((games, count)),
        }
    }
    runs.retain(|(_, count)| *count > 0);
    let run = |(games, count): &(u64, usize)| {
        format!("{count} × {} games", outflank_report::count(*games))
    };
    let of_match =
        |wanted: &crate::MatchSource| format!("{} games", outflank_report::count(wanted.games));
    let parts = runs.iter().map(run).chain(needs.matches.iter().map(of_match));
    parts.collect::<Vec<_>>().join(", ")
}

/// The margin of equivalence is in percentage points.
fn margin_of(outcome: &Outcome, margin: f64) -> f64 {
    match outcome {
        Outcome::Number(finding) if matches!(finding.unit, Unit::Percent | Unit::Points) => margin,
        _ => 0.0,
    }
}

/// The verdict on a value that differs, among the values it is ranked with.
fn in_order(rows: &[Row], index: usize, outcome: &Outcome) -> Judged {
    let own = &rows[index];
    let judged = own.judged.clone();
    let (Verdict::Differs, Outcome::Number(finding)) = (judged.verdict, outcome) else {
        return judged;
    };
    let (Some(printed), Some(rank)) = (Printed::of(&own.value), rank(&own.value)) else {
        return judged;
    };
    let others: Vec<(crate::Finding, Printed)> = rows
        .iter()
        .enumerate()
        .filter(|(other, row)| *other != index && self::rank(&row.value).as_ref() == Some(&rank))
        .filter_map(|(_, row)| match &row.outcome {
            Outcome::Number(finding) => Some((finding.clone(), Printed::of(&row.value)?)),
            _ => None,
        })
        .collect();
    let others: Vec<(&crate::Finding, &Printed)> = others.iter().map(|(a, b)| (a, b)).collect();
    match is_in_order((finding, &printed), &others) {
        Some(true) => Judged {
            verdict: Verdict::SameOrder,
            why: format!("{}; in its place among the {} values", judged.why, others.len() + 1),
        },
        _ => judged,
    }
}

/// Values with the same text are ranked among each other.
fn rank(value: &ValueSpec) -> Option<String> {
    match value.ranked.as_str() {
        "" => value.ours.rank().map(|rank| format!("{} {rank}", value.printed)),
        own => Some(own.into()),
    }
}

impl Row {
    /// The published value as text.
    pub fn published(&self) -> String {
        let value = &self.value;
        let unit = match &self.outcome {
            Outcome::Number(finding) if finding.unit == Unit::Percent => "%",
            _ => "",
        };
        let number = |number: f64| -> String {
            match number.abs() >= 1000.0 && number.fract().abs() < 1e-9 {
                true => outflank_report::count(number as u64),
                false => {
                    let digits = crate::verdict::digits(value, number).unsigned_abs() as usize;
                    format!("{number:.digits$}")
                }
            }
        };
        match (value.value, value.between, value.interval) {
            (Some(mean), _, Some(half)) => format!("{}{unit} ± {half}", number(mean)),
            (Some(mean), ..) => format!("{}{unit}", number(mean)),
            (None, Some([low, high]), _) => format!("{} to {}{unit}", number(low), number(high)),
            (None, None, _) => match &value.ours {
                Source::Order(order) => order.claim.clone(),
                _ => "so it is described".into(),
            },
        }
    }

    /// The published value as text and numbers.
    pub fn published_cell(&self) -> Cell {
        let numbers = match (self.value.value, self.value.between, self.value.interval) {
            (Some(mean), _, Some(half)) => vec![Some(mean), Some(mean - half), Some(mean + half)],
            (Some(mean), ..) => vec![Some(mean)],
            (None, Some([low, high]), _) => vec![None, Some(low), Some(high)],
            (None, None, _) => Vec::new(),
        };
        Cell { text: self.published(), numbers }
    }

    /// Our value as text and numbers.
    pub fn ours_cell(&self) -> Cell {
        match &self.outcome {
            Outcome::Number(finding) => finding.into(),
            other => shown(other).into(),
        }
    }

    /// Our value as text.
    pub fn ours(&self) -> String {
        shown(&self.outcome)
    }

    /// Runs, players or games behind our value.
    pub fn n(&self) -> u64 {
        match &self.outcome {
            Outcome::Number(finding) => finding.n,
            Outcome::Claim(tested) => tested.n,
            Outcome::Nothing(_) => 0,
        }
    }

    /// Whether the value does not agree, but does with another reading that was declared and tried.
    pub fn agrees_otherwise(&self) -> bool {
        matches!(self.judged.verdict, Verdict::Differs | Verdict::SameOrder)
            && self.tried.iter().any(|(_, _, judged)| judged.verdict == Verdict::Agrees)
    }

    /// What explains a difference: the readings with which the value agrees; or what was tried in
    /// vain; or that nothing was.
    pub fn explained(&self) -> String {
        let differs = matches!(self.judged.verdict, Verdict::Differs | Verdict::SameOrder);
        if self.tried.is_empty() {
            return match self.judged.verdict {
                Verdict::Differs => "No other reading was tried.".into(),
                _ => String::new(),
            };
        }
        let tried: Vec<String> = self
            .tried
            .iter()
            .map(|(what, outcome, judged)| {
                format!("{what}: {} ({})", shown(outcome), judged.verdict)
            })
            .collect();
        let is = |verdict: Verdict| {
            move |(_, _, judged): &(String, Outcome, Judged)| judged.verdict == verdict
        };
        let opening = match (differs, self.agrees_otherwise()) {
            _ if self.tried.iter().all(is(Verdict::NotAttempted)) => {
                "Other readings are still to be tried: "
            }
            (false, _) => "Also tried: ",
            (true, true) => "Agrees with another reading: ",
            (true, false) if self.tried.iter().any(is(Verdict::NotAttempted)) => {
                "Nothing tried so far explains it, and some readings are still to be tried: "
            }
            (true, false) => "Nothing tried explains it: ",
        };
        format!("{opening}{}.", tried.join("; "))
    }

    /// The value as plain data.
    pub fn answer(&self, study: &str) -> ValueAnswer {
        let (value, interval) = match &self.outcome {
            Outcome::Number(finding) => (Some(finding.value), finding.interval()),
            _ => (None, None),
        };
        ValueAnswer {
            study: study.into(),
            printed: self.value.printed.clone(),
            what: self.value.what.clone(),
            published: self.published(),
            ours: self.ours(),
            value: value.filter(|value| value.is_finite()),
            interval: interval.filter(|ends| ends.iter().all(|end| end.is_finite())),
            n: self.n(),
            effort: self.effort.clone(),
            command: self.command.clone(),
            verdict: self.judged.verdict,
            why: self.judged.why.clone(),
            explained: self.explained(),
        }
    }
}

/// An outcome as text.
fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Number(finding) => finding.text(),
        Outcome::Claim(tested) => tested.found.clone(),
        Outcome::Nothing(why) => format!("– ({why})"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::source::{Find, OrderSource};

    /// A claim with this verdict, and with others in other readings.
    pub(crate) fn row(verdict: Verdict, tried: &[Verdict]) -> Row {
        let judged = |verdict| Judged { verdict, why: "so it is".into() };
        let outcome = Outcome::Nothing("not run".into());
        let other = |verdict: &Verdict| ("otherwise".into(), outcome.clone(), judged(*verdict));
        Row {
            value: ValueSpec {
                printed: "Table 1".into(),
                what: "x".into(),
                value: None,
                digits: None,
                between: None,
                interval: None,
                n: None,
                ours: Source::Order(OrderSource::sample()),
                ranked: String::new(),
                tried: Vec::new(),
                note: String::new(),
            },
            outcome: outcome.clone(),
            effort: String::new(),
            command: String::new(),
            judged: judged(verdict),
            tried: tried.iter().map(other).collect(),
        }
    }

    #[test]
    fn a_reading_explains_a_difference_if_the_value_agrees_with_it() {
        use Verdict::{Agrees, Differs, NotAttempted, NotComparable, SameOrder};
        let opening = |verdict, tried: &[Verdict]| {
            let row = row(verdict, tried);
            let text = row.explained();
            (row.agrees_otherwise(), text.split(": ").next().unwrap_or_default().to_owned())
        };
        for verdict in [Differs, SameOrder] {
            let helped = (true, "Agrees with another reading".into());
            assert_eq!(opening(verdict, &[Differs, Agrees, NotAttempted]), helped);
            let in_vain = (false, "Nothing tried explains it".into());
            assert_eq!(opening(verdict, &[Differs, SameOrder, NotComparable]), in_vain);
            let (helps, so_far) = opening(verdict, &[Differs, NotAttempted]);
            assert!(!helps && so_far.starts_with("Nothing tried so far"), "{so_far}");
        }
        assert_eq!(opening(Agrees, &[Agrees, Differs]), (false, "Also tried".into()));
        assert_eq!(opening(Differs, &[]), (false, "No other reading was tried.".into()));
    }
}
