//! How a value of ours compares with the published one. Verdicts are computed, never typed.

use std::fmt;

use outflank_lab::{student_point, student_tail};
use serde::Serialize;

use crate::file::ValueSpec;
use crate::finding::{Finding, Outcome, Tested};

/// A verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The difference lies within the joint 95% interval; every part of a claim holds.
    Agrees,
    /// The value differs, but stands to the other values of its table as in the paper, each
    /// difference being significant; the means are in the claimed order, but not every difference
    /// is significant.
    SameOrder,
    /// Neither.
    Differs,
    /// The paper gives neither a spread nor a number of runs, or we have fewer than three runs.
    NotComparable,
    /// There is no value of ours.
    NotAttempted,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 5] = [
        Verdict::Agrees,
        Verdict::SameOrder,
        Verdict::Differs,
        Verdict::NotComparable,
        Verdict::NotAttempted,
    ];
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Agrees => "agrees",
            Verdict::SameOrder => "same order",
            Verdict::Differs => "differs",
            Verdict::NotComparable => "not comparable",
            Verdict::NotAttempted => "not attempted",
        })
    }
}

/// A published value with ours.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in a few words.
    pub why: String,
}

/// The published side of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The lowest and the highest number that is printed like this.
    pub range: [f64; 2],
    /// Its standard error and degrees of freedom, if they are printed.
    pub error: Option<(f64, f64)>,
    /// The number of runs.
    pub n: Option<u64>,
}

impl Printed {
    /// The published side of a value; none for a claim.
    pub fn of(value: &ValueSpec) -> Option<Printed> {
        let range = match (value.value, value.between) {
            (Some(number), _) => {
                // A number stands for all that are rounded to it.
                let half = 0.5 * 10f64.powi(-digits(value, number));
                [number - half, number + half]
            }
            (None, Some(range)) => range,
            (None, None) => return None,
        };
        // Without a number of runs, an interval is taken to be of many.
        const MANY: f64 = 1e6;
        let error = value.interval.map(|half| {
            let df = value.n.filter(|n| *n > 1).map_or(MANY, |n| n as f64 - 1.0);
            (half / student_point(df), df)
        });
        Some(Printed { range, error, n: value.n })
    }

    /// How far a number is from the range.
    fn distance(&self, number: f64) -> f64 {
        let [low, high] = self.range;
        if number < low {
            number - low
        } else if number > high {
            number - high
        } else {
            0.0
        }
    }

    /// Its middle.
    pub fn middle(&self) -> f64 {
        (self.range[0] + self.range[1]) / 2.0
    }
}

/// Digits after the point of a published number.
pub fn digits(value: &ValueSpec, number: f64) -> i32 {
    value.digits.map_or(0, |digits| digits.min(15) as i32).max(decimals(number))
}

/// Digits after the point of a number as it is written.
fn decimals(number: f64) -> i32 {
    let text = format!("{number}");
    text.split_once('.').map_or(0, |(_, digits)| digits.len() as i32)
}

/// Compares a finding with a published value, without regard to other values. `margin` is that of
/// equivalence, in the unit of the finding; 0 for none.
pub fn judge(value: &ValueSpec, outcome: &Outcome, margin: f64) -> Judged {
    // The interval of two runs is so wide that nearly everything agrees.
    let are_two = match outcome {
        Outcome::Number(finding) => finding.what == "runs" && finding.n == 2,
        Outcome::Claim(tested) => tested.n == 2,
        Outcome::Nothing(_) => false,
    };
    match (outcome, Printed::of(value)) {
        _ if are_two => {
            let why = "two runs of ours are too few to judge by".into();
            Judged { verdict: Verdict::NotComparable, why }
        }
        (Outcome::Nothing(why), _) => Judged { verdict: Verdict::NotAttempted, why: why.clone() },
        (Outcome::Claim(tested), _) => judge_claim(tested),
        (Outcome::Number(_), None) => {
            Judged { verdict: Verdict::NotComparable, why: "no number is printed".into() }
        }
        (Outcome::Number(finding), Some(printed)) => judge_number(finding, &printed, margin),
    }
}

fn judge_claim(tested: &Tested) -> Judged {
    let (verdict, why) = match (tested.holds, tested.is_possible) {
        (true, _) => (Verdict::Agrees, "every part of the claim holds"),
        (false, true) => {
            (Verdict::SameOrder, "in this order, but not every difference is significant")
        }
        (false, false) => (Verdict::Differs, "it does not hold"),
    };
    Judged { verdict, why: why.into() }
}

fn judge_number(finding: &Finding, printed: &Printed, margin: f64) -> Judged {
    let distance = printed.distance(finding.value);
    let inside = finding
        .interval()
        .is_some_and(|[low, high]| low <= printed.range[1] && high >= printed.range[0]);
    let contains = |word: &str| {
        let our =
            if inside { "our interval contains it" } else { "our interval does not contain it" };
        format!("{word}; {our}")
    };
    let not_comparable = |why: String| Judged { verdict: Verdict::NotComparable, why };
    let Some((own, own_df)) = finding.error else {
        return match (finding.interval, printed.n) {
            // An interval without an error, as that of a time: both have the same spread.
            (Some(ends), Some(n)) if n > 0 => {
                let wider = (1.0 + finding.n as f64 / n as f64).sqrt();
                let [low, high] = ends.map(|end| finding.value + wider * (end - finding.value));
                let (verdict, is) = match low <= printed.range[1] && high >= printed.range[0] {
                    true => (Verdict::Agrees, "within"),
                    false => (Verdict::Differs, "beyond"),
                };
                let why =
                    format!("{is} the joint interval, by the paper's spread taken to be ours");
                Judged { verdict, why }
            }
            (Some(_), _) => not_comparable(contains("the paper gives neither spread nor runs")),
            (None, _) => not_comparable("a single value, without any spread".into()),
        };
    };
    let (theirs, their_df, how) = match (printed.error, printed.n, finding.deviation) {
        (Some((error, df)), ..) => (error, df, "the paper's interval"),
        (None, Some(n), Some(deviation)) => {
            let n = n.max(1) as f64;
            (deviation / n.sqrt(), own_df, "the paper's spread taken to be ours")
        }
        _ => {
            return not_comparable(contains("the paper gives neither spread nor runs"));
        }
    };
    let error = own.hypot(theirs);
    if error <= 0.0 {
        let verdict = if distance.abs() <= 0.0 { Verdict::Agrees } else { Verdict::Differs };
        return Judged { verdict, why: "without any spread".into() };
    }
    // Welch and Satterthwaite.
    let (a, b) = ((own / error).powi(2), (theirs / error).powi(2));
    let df = 1.0 / (a * a / own_df.max(1.0) + b * b / their_df.max(1.0));
    let p = 2.0 * student_tail((distance / error).abs(), df);
    let verdict = if distance.abs() <= student_point(df) * error {
        Verdict::Agrees
    } else {
        Verdict::Differs
    };
    let mut why = format!("p = {}, by {how}", short(p.min(1.0)));
    let equivalent = student_tail((margin - (finding.value - printed.middle()).abs()) / error, df);
    why += &match verdict {
        // Two one-sided tests.
        _ if margin > 0.0 && equivalent < 0.05 => {
            format!("; equivalent within ±{margin} (p = {})", short(equivalent))
        }
        Verdict::Agrees => {
            let least = finding.unit.bare(detectable(error, df));
            let margin = match margin > 0.0 {
                true => format!("not shown to be within ±{margin}; "),
                false => String::new(),
            };
            format!("; {margin}80% power for a difference of {least}")
        }
        _ => String::new(),
    };
    Judged { verdict, why }
}

/// The least difference that a test at 5% finds with a probability of 80%, about.
fn detectable(error: f64, df: f64) -> f64 {
    const NORMAL_95: f64 = 1.96;
    const NORMAL_80: f64 = 0.842;
    (1.0 + NORMAL_80 / NORMAL_95) * student_point(df) * error
}

/// A probability as a short text.
pub fn short(p: f64) -> String {
    if p >= 0.001 { format!("{p:.3}") } else { format!("{p:.0e}") }
}

/// Whether a value that differs stands to all others of its ranking as in the paper, each
/// difference of ours being significant. None if the paper gives no difference to compare.
pub fn is_in_order(own: (&Finding, &Printed), others: &[(&Finding, &Printed)]) -> Option<bool> {
    let (finding, printed) = own;
    let mut compared = None;
    for (other, theirs) in others {
        let apart = printed.middle() - theirs.middle();
        let overlap = printed.range[0] <= theirs.range[1] && theirs.range[0] <= printed.range[1];
        if overlap {
            continue;
        }
        let ours = finding.value - other.value;
        let error = |finding: &Finding| finding.error.map_or(0.0, |(error, _)| error);
        let joint = error(finding).hypot(error(other));
        let holds = apart.signum() * ours > 1.96 * joint;
        compared = Some(compared.unwrap_or(true) && holds);
    }
    compared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Unit;
    use crate::source::{FinalSource, Find, Source};
    use outflank_lab::Sample;

    fn value(value: Option<f64>, between: Option<[f64; 2]>) -> ValueSpec {
        ValueSpec {
            printed: "Table 1".into(),
            what: "x".into(),
            value,
            digits: None,
            between,
            interval: None,
            n: Some(30),
            ours: Source::Final(FinalSource::sample()),
            ranked: String::new(),
            tried: Vec::new(),
            note: String::new(),
        }
    }

    fn found(mean: f64, deviation: f64, n: u64) -> Finding {
        Finding::of_runs(&Sample { n, mean, variance: deviation * deviation }, Unit::Percent)
    }

    fn verdict(published: &ValueSpec, finding: Finding) -> Verdict {
        judge(published, &Outcome::Number(finding), 0.0).verdict
    }

    #[test]
    fn a_value_agrees_within_the_joint_interval() {
        let published =
            ValueSpec { interval: Some(0.25), n: Some(120), ..value(Some(86.46), None) };
        // Standard errors of 0.126 and 0.1: 0.33 apart is too much, 0.3 is not.
        assert_eq!(verdict(&published, found(86.76, 1.0, 100)), Verdict::Agrees);
        assert_eq!(verdict(&published, found(86.80, 1.0, 100)), Verdict::Differs);
        // Without an interval, the spread of ours stands for the paper's.
        let published = ValueSpec { interval: None, n: Some(100), ..published };
        assert_eq!(verdict(&published, found(86.72, 1.0, 100)), Verdict::Agrees);
        assert_eq!(verdict(&published, found(86.76, 1.0, 100)), Verdict::Differs);
        // Two runs are not enough, whatever they are.
        assert_eq!(verdict(&published, found(86.46, 1.0, 3)), Verdict::Agrees);
        assert_eq!(verdict(&published, found(86.46, 1.0, 2)), Verdict::NotComparable);
        // With neither there is nothing to compare with.
        let published = ValueSpec { n: None, ..published };
        assert_eq!(verdict(&published, found(86.46, 1.0, 100)), Verdict::NotComparable);
    }

    #[test]
    fn a_printed_number_stands_for_all_that_round_to_it() {
        let narrow = found(92.4, 0.01, 100);
        assert_eq!(verdict(&value(Some(92.0), None), narrow.clone()), Verdict::Agrees);
        assert_eq!(verdict(&value(Some(92.1), None), narrow.clone()), Verdict::Differs);
        assert_eq!(verdict(&value(None, Some([91.0, 92.5])), narrow.clone()), Verdict::Agrees);
        let zeros = ValueSpec { digits: Some(1), ..value(Some(92.0), None) };
        assert_eq!(verdict(&zeros, narrow), Verdict::Differs);
        assert_eq!((decimals(92.0), decimals(86.46), decimals(-0.5)), (0, 2, 1));
    }

    #[test]
    fn equivalence_needs_power() {
        let published =
            ValueSpec { interval: Some(0.25), n: Some(120), ..value(Some(86.46), None) };
        let why = |deviation: f64| {
            judge(&published, &Outcome::Number(found(86.5, deviation, 100)), 1.0).why
        };
        assert!(why(1.0).contains("equivalent within ±1"), "{}", why(1.0));
        assert!(why(10.0).contains("not shown to be within ±1; 80% power for"), "{}", why(10.0));
        // Two standard errors of 1 and 0.13: a difference of 2.8 of them is found in 80%.
        assert!(why(10.0).ends_with("of 2.86"), "{}", why(10.0));
        // What differs is not called unproven as well.
        let far = judge(&published, &Outcome::Number(found(99.0, 10.0, 100)), 1.0);
        assert_eq!(far.verdict, Verdict::Differs);
        assert!(!far.why.contains("shown") && !far.why.contains("power"), "{}", far.why);
    }

    #[test]
    fn an_interval_without_an_error_is_that_of_the_paper_too() {
        let time = |value: f64, interval| Finding {
            value,
            error: None,
            interval,
            n: 30,
            what: "runs",
            unit: Unit::Games,
            deviation: None,
        };
        let published = value(Some(100.0), None);
        // As many runs: 1.41 times as wide.
        let ours = |low: f64| time(200.0, Some([low, 230.0]));
        assert_eq!(verdict(&published, ours(120.0)), Verdict::Agrees);
        assert_eq!(verdict(&published, ours(140.0)), Verdict::Differs);
        // Nobody knows the paper's spread, or ours.
        let alone = ValueSpec { n: None, ..published.clone() };
        assert_eq!(verdict(&alone, ours(90.0)), Verdict::NotComparable);
        assert_eq!(verdict(&published, time(100.0, None)), Verdict::NotComparable);
    }

    #[test]
    fn order_is_judged_by_significant_differences_to_all_others() {
        let printed = |number: f64| Printed::of(&value(Some(number), None)).unwrap();
        let (a, b, c) = (found(60.0, 1.0, 30), found(50.0, 1.0, 30), found(49.9, 1.0, 30));
        let (pa, pb, pc) = (printed(70.0), printed(55.0), printed(40.0));
        assert_eq!(is_in_order((&a, &pa), &[(&b, &pb), (&c, &pc)]), Some(true));
        assert_eq!(is_in_order((&b, &pb), &[(&a, &pa), (&c, &pc)]), Some(false));
        assert_eq!(is_in_order((&b, &pb), &[]), None);
        assert_eq!(is_in_order((&a, &pa), &[(&b, &pa)]), None, "the paper has them equal");
    }

    #[test]
    fn claims_hold_or_are_at_least_possible() {
        let tested = |holds, is_possible| Tested { found: String::new(), holds, is_possible, n: 3 };
        let verdicts = [(true, true), (false, true), (false, false)].map(|(holds, possible)| {
            judge(&value(None, None), &Outcome::Claim(tested(holds, possible)), 0.0).verdict
        });
        assert_eq!(verdicts, [Verdict::Agrees, Verdict::SameOrder, Verdict::Differs]);
    }
}
