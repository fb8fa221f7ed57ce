//! Published values as figures show them, and all of them beside ours.

use outflank_report::figure::{
    Axis, AxisUnit, ForestGroup, ForestPlot, ForestRow, Found, Published, Spread,
};

use super::Drawn;
use crate::finding::{Outcome, Unit};
use crate::results::Row;
use crate::verdict::Verdict;

/// Shares are from 0 to 1 in figures.
pub(super) fn percent_of(row: &Row) -> f64 {
    match &row.outcome {
        Outcome::Number(finding) if finding.unit == Unit::Percent => 0.01,
        _ => 1.0,
    }
}

pub(super) fn in_axis(row: &Row, scale: f64) -> Published {
    let value = &row.value;
    match (value.value, value.between, value.interval) {
        (Some(mean), _, Some(half)) => Published {
            value: Some(scale * mean),
            spread: Some(Spread::Interval([scale * (mean - half), scale * (mean + half)])),
        },
        (Some(mean), ..) => Published::value(scale * mean),
        (None, Some(range), _) => Published::range(range.map(|end| scale * end)),
        (None, None, _) => Published::default(),
    }
}

/// All numbers beside the published ones, in one figure.
pub fn forest(title: &str, rows: &[Row]) -> Option<Drawn> {
    let mut own = Vec::new();
    for row in rows {
        let Outcome::Number(finding) = &row.outcome else { continue };
        if finding.unit != Unit::Percent || !finding.value.is_finite() {
            continue;
        }
        let scale = percent_of(row);
        let verdict = match row.judged.verdict {
            Verdict::Agrees => outflank_report::figure::Verdict::Agrees,
            Verdict::SameOrder => outflank_report::figure::Verdict::SameOrder,
            Verdict::Differs => outflank_report::figure::Verdict::Differs,
            Verdict::NotComparable | Verdict::NotAttempted => {
                outflank_report::figure::Verdict::NotComparable
            }
        };
        let interval = finding.interval().map(|ends| ends.map(|end| scale * end));
        // The middle of a range stands for it in the difference.
        let mut published = in_axis(row, scale);
        if let (None, Some(spread)) = (published.value, published.spread) {
            published.value = Some(spread.ends().iter().sum::<f64>() / 2.0);
        }
        own.push(ForestRow {
            label: format!("{}: {}", row.value.printed, row.value.what),
            published,
            ours: Some(Found { value: scale * finding.value, interval }),
            difference: None,
            verdict,
        });
    }
    if own.is_empty() {
        return None;
    }
    // One scale for all, so that rows can be compared.
    let axis = Axis::new("percent", AxisUnit::Percent);
    let groups = vec![ForestGroup { heading: String::new(), axis, rows: own }];
    let plot = ForestPlot { title: title.into(), groups, note: String::new() };
    Some(Drawn {
        name: "published".into(),
        title: title.into(),
        svg: plot.svg(),
        narrow: Some(plot.narrow()),
        data: vec![("", plot.csv())],
        note: String::new(),
    })
}
