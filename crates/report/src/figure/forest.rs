//! Forest plots: published values and ours side by side, many rows under headings.

mod draw;

use std::fmt::Write as _;

use super::published::{Published, Spread};
use super::{Axis, Format};
use crate::text::csv_cell;

/// Published values and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestPlot {
    /// What it shows; may be empty.
    pub title: String,
    /// From top to bottom. Each has its own scale.
    pub groups: Vec<ForestGroup>,
    /// A note on how it is drawn; may be empty.
    pub note: String,
}

/// Values of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestGroup {
    /// The heading.
    pub heading: String,
    /// The scale of the values; differences are in the same unit.
    pub axis: Axis,
    /// From top to bottom.
    pub rows: Vec<ForestRow>,
}

/// A published value and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestRow {
    /// What is compared.
    pub label: String,
    /// What the paper says.
    pub published: Published,
    /// What we found.
    pub ours: Option<Found>,
    /// The interval of the difference, ours minus published, if it is known.
    pub difference: Option<[f64; 2]>,
    /// Whether they agree.
    pub verdict: Verdict,
}

/// A value of ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The value.
    pub value: f64,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
}

/// How a published value and ours compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They agree.
    Agrees,
    /// They differ, but methods are in the same order.
    SameOrder,
    /// They differ.
    Differs,
    /// They do not measure the same, or one is missing.
    NotComparable,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 4] =
        [Verdict::Agrees, Verdict::SameOrder, Verdict::Differs, Verdict::NotComparable];

    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::SameOrder => "same order",
            Verdict::Differs => "differs",
            Verdict::NotComparable => "not comparable",
        }
    }

    /// The one with this word.
    pub fn from_word(word: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.word() == word)
    }
}

impl ForestRow {
    /// The row without what cannot be drawn.
    fn finite(&self) -> ForestRow {
        let ends =
            |ends: Option<[f64; 2]>| ends.filter(|ends| ends.iter().all(|end| end.is_finite()));
        let ours = self.ours.filter(|found| found.value.is_finite());
        ForestRow {
            published: self.published.finite().unwrap_or_default(),
            ours: ours.map(|found| Found { interval: ends(found.interval), ..found }),
            difference: ends(self.difference),
            ..self.clone()
        }
    }
}

impl ForestPlot {
    /// The plot as an SVG document, as tall as it must be.
    pub fn svg(&self) -> String {
        self.draw(Format::Wide)
    }

    /// The same for a phone.
    pub fn narrow(&self) -> String {
        self.draw(Format::Narrow)
    }

    /// A plot for each group, with its heading as title.
    pub fn split(&self) -> Vec<ForestPlot> {
        let alone = |group: &ForestGroup| ForestPlot {
            title: group.heading.clone(),
            groups: vec![ForestGroup { heading: String::new(), ..group.clone() }],
            note: self.note.clone(),
        };
        self.groups.iter().map(alone).collect()
    }

    /// The rows as CSV.
    pub fn csv(&self) -> String {
        let mut text = "group,value,published,published_low,published_high,ours,low,high,verdict\n"
            .to_string();
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
        let ends = |ends: Option<[f64; 2]>| {
            let [low, high] = ends.map_or([None; 2], |ends| ends.map(Some));
            format!("{},{}", number(low), number(high))
        };
        for group in &self.groups {
            for row in group.rows.iter().map(ForestRow::finite) {
                let _ = writeln!(
                    text,
                    "{},{},{},{},{},{},{}",
                    csv_cell(&group.heading),
                    csv_cell(&row.label),
                    number(row.published.value),
                    ends(row.published.spread.map(Spread::ends)),
                    number(row.ours.map(|found| found.value)),
                    ends(row.ours.and_then(|found| found.interval)),
                    row.verdict.word()
                );
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::AxisUnit;
    use super::draw::ROW;
    use super::*;

    fn row(label: &str, published: Published, ours: Option<f64>, verdict: Verdict) -> ForestRow {
        let ours = ours.map(|value| Found { value, interval: Some([value - 0.01, value + 0.01]) });
        ForestRow { label: label.into(), published, ours, difference: Some([-0.01, 0.02]), verdict }
    }

    fn plot(rows: Vec<ForestRow>) -> ForestPlot {
        let axis = Axis::new("games won", AxisUnit::Percent);
        let group = ForestGroup { heading: "Table <1>".into(), axis, rows };
        ForestPlot {
            title: "Published & ours".into(),
            groups: vec![group.clone(), group],
            note: String::new(),
        }
    }

    #[test]
    fn every_row_has_both_values_and_a_verdict() {
        let figure = plot(vec![
            row("a<b", Published::with_interval(0.5, [0.48, 0.52]), Some(0.51), Verdict::Agrees),
            row("two", Published::range([0.6, 0.7]), Some(0.9), Verdict::Differs),
            row("three", Published::value(0.4), None, Verdict::NotComparable),
        ]);
        let svg = figure.svg();
        assert!(svg.contains("ours: agrees (2)") && svg.contains("ours: differs (2)"));
        assert!(!svg.contains("same order"), "no row has it");
        assert!(svg.contains(
            "published: 50.00% (48.00% to 52.00%)\nours: 51.00% (50.00% to 52.00%)\nagrees"
        ));
        assert!(svg.contains("a&lt;b") && svg.contains("Table &lt;1&gt;") && !svg.contains("a<b"));
        assert!(figure.narrow().contains("+1.00%"));
        assert_eq!(figure.split().len(), 2);
        assert!(figure.split()[0].svg().contains(">Table &lt;1&gt;</text>"));
        let csv = figure.csv();
        assert_eq!(
            csv.lines().nth(2),
            Some("Table <1>,two,,0.600000,0.700000,0.900000,0.890000,0.910000,differs")
        );
    }

    #[test]
    fn there_is_room_for_many_rows() {
        let rows = (0..150).map(|index| {
            row(
                &format!("value {index}"),
                Published::value(0.5),
                Some(0.5),
                Verdict::ALL[index % 4],
            )
        });
        let svg = plot(rows.collect()).svg();
        assert_eq!(svg.matches("published: 50.00%").count(), 300);
        let height = &svg[svg.find("height=\"").unwrap() + 8..];
        let height: f64 = height[..height.find('"').unwrap()].parse().unwrap();
        assert!(height > 300.0 * ROW);
    }

    #[test]
    fn odd_input_is_drawn_without_a_nan() {
        let nan = row("nan", Published::value(f64::NAN), Some(f64::INFINITY), Verdict::Differs);
        let ends = ForestRow {
            difference: Some([f64::NAN, 1.0]),
            ..row("x", Published::value(0.1), Some(0.1), Verdict::Agrees)
        };
        let nothing = ForestPlot { groups: Vec::new(), ..plot(Vec::new()) };
        for figure in [plot(vec![nan, ends]), plot(Vec::new()), nothing] {
            for svg in [figure.svg(), figure.narrow(), figure.csv()] {
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn verdicts_are_known_by_their_words() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::from_word(verdict.word()), Some(verdict));
        }
        assert_eq!(Verdict::from_word("agree"), None);
    }
}
