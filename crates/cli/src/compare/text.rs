//! A comparison as tables of text.

use std::io::{self, Write};

use crate::Error;
use crate::output::{TextTable, thousands};
use crate::text::{points, print_wrapped};
use outflank_lab::{Comparison, Equivalence, TTest, Tail, Test};
use outflank_learn::{Measure, Quantity};

/// Prints a block for each probe.
pub fn print(comparisons: &[Comparison], at: Option<u64>) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    for (index, comparison) in comparisons.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        print_comparison(&mut out, comparison, at)?;
    }
    Ok(out.flush()?)
}

fn print_comparison(
    out: &mut impl Write,
    comparison: &Comparison,
    at: Option<u64>,
) -> Result<(), Error> {
    let moment = match at {
        None => "at the end of the runs".into(),
        Some(at) => format!("at the last probe due at {} games or before", thousands(at)),
    };
    let title = format!("{}: {}, {moment}", comparison.probe, meaning(&comparison.probe));
    print_wrapped(out, &title)?;
    studies_table(comparison).print(out)?;
    let are_tested = comparison.pairs.iter().any(|pair| pair.holm.is_some());
    if are_tested {
        writeln!(out)?;
        pairs_table(comparison).print(out)?;
        print_wrapped(out, &method(comparison))?;
    }
    if comparison.groups().is_some() {
        print_wrapped(
            out,
            "Studies that share a letter (column group) are not significantly different (Holm p of 0.05 or \
             more); that does not mean they are equal.",
        )?;
    }
    if !comparison.published.is_empty() {
        writeln!(out, "\nAgainst published figures ({}'s test):", of_means(comparison.test))?;
        published_table(comparison).print(out)?;
    }
    if let Some(margin) = comparison.margin {
        let margin = number(&comparison.probe, margin);
        let text = format!(
            "Equivalent: less than {margin} apart, by two one-sided Welch tests (TOST p below 0.05)."
        );
        print_wrapped(out, &text)?;
    }
    for note in &comparison.notes {
        print_wrapped(out, &format!("Note: {note}."))?;
    }
    Ok(())
}

/// What the value of a probe means.
fn meaning(probe: &str) -> String {
    let Some(measure) = Measure::named(probe) else { return "share of games won".into() };
    match measure.played() {
        Some(played) => format!("{}, the score against {}", played.noun, played.whom),
        None => measure.meaning.into(),
    }
}

fn studies_table(comparison: &Comparison) -> TextTable {
    let mut table = TextTable::new(1);
    let groups = comparison.groups();
    table.row([
        "study",
        "runs",
        "games each",
        "mean",
        "95% interval",
        "median",
        "std. dev.",
        "min",
        "max",
        if groups.is_some() { "group" } else { "" },
    ]);
    let share = |value: f64| number(&comparison.probe, value);
    for (index, entry) in comparison.entries.iter().enumerate() {
        let [least, most] = entry.range;
        table.row([
            entry.name.clone(),
            thousands(entry.sample.n),
            thousands(entry.games),
            share(entry.sample.mean),
            entry.interval.map_or("-".into(), |[a, b]| format!("{} to {}", share(a), share(b))),
            share(entry.median),
            or_dash(entry.sample.deviation().map(share)),
            share(least),
            share(most),
            groups.as_ref().map_or(String::new(), |groups| groups[index].clone()),
        ]);
    }
    table
}

fn pairs_table(comparison: &Comparison) -> TextTable {
    let mut table = TextTable::new(1);
    let head = ["pair", "difference", "t", "p", "Holm p", "Mann-Whitney p", "A12", "effect"];
    table.row(head.into_iter().chain(equivalence_head(comparison)));
    for pair in &comparison.pairs {
        let [a, b] = pair.entries.map(|index| &comparison.entries[index].name);
        let [t, p] = test_cells(pair.means);
        let mut cells = vec![
            format!("{a} - {b}"),
            difference(&comparison.probe, pair.difference),
            t,
            p,
            or_dash(pair.holm.map(chance)),
            or_dash(pair.ranks.map(|test| chance(test.p))),
            or_dash(pair.a12.map(|a12| format!("{a12:.3}"))),
            or_dash(pair.effect().map(|effect| effect.word().into())),
        ];
        cells.extend(equivalence_cells(comparison, pair.equivalence));
        table.row(cells);
    }
    table
}

fn published_table(comparison: &Comparison) -> TextTable {
    let mut table = TextTable::new(1);
    let head = ["study", "runs", "here", "runs", "published", "difference", "t", "p"];
    table.row(head.into_iter().chain(equivalence_head(comparison)));
    let share = |value: f64| number(&comparison.probe, value);
    for against in &comparison.published {
        let (entry, figure) = (&comparison.entries[against.entry], &against.figure);
        let half = entry.interval.map(|[low, high]| (high - low) / 2.0);
        let [t, p] = test_cells(against.means);
        let mut cells = vec![
            entry.name.clone(),
            thousands(entry.sample.n),
            match half {
                Some(half) => format!("{} ± {}", share(entry.sample.mean), share(half)),
                None => share(entry.sample.mean),
            },
            thousands(figure.n),
            format!("{} ± {}", share(figure.mean), share(figure.half_width)),
            difference(&comparison.probe, against.difference),
            t,
            p,
        ];
        cells.extend(equivalence_cells(comparison, against.equivalence));
        table.row(cells);
    }
    table
}

/// The line below the pairs that explains their columns.
fn method(comparison: &Comparison) -> String {
    let tested = comparison.pairs.iter().filter(|pair| pair.holm.is_some()).count();
    let pairs = if tested == 1 { "1 pair".into() } else { format!("{tested} pairs") };
    let ranks = match comparison.test {
        Test::MannWhitney => " of Mann-Whitney",
        Test::Welch | Test::Student => "",
    };
    let tails = match comparison.tail {
        Tail::TwoSided => "two-tailed",
        Tail::Greater => "one-tailed (is the first greater?)",
        Tail::Less => "one-tailed (is the first less?)",
    };
    format!(
        "Differences are in percentage points. Tests are {tails}; t and p are from {}'s test; Holm's \
         correction{ranks} covers {pairs}.",
        of_means(comparison.test)
    )
}

/// The author of the test of means.
fn of_means(test: Test) -> &'static str {
    match test {
        Test::Student => "Student",
        Test::Welch | Test::MannWhitney => "Welch",
    }
}

fn equivalence_head(comparison: &Comparison) -> Vec<&'static str> {
    if comparison.margin.is_some() { vec!["TOST p", "equivalence"] } else { Vec::new() }
}

fn equivalence_cells(comparison: &Comparison, found: Option<Equivalence>) -> Vec<String> {
    match (comparison.margin, found) {
        (None, _) => Vec::new(),
        (Some(_), None) => vec!["-".into(), "-".into()],
        (Some(_), Some(found)) => vec![chance(found.p), found.verdict().into()],
    }
}

fn test_cells(test: Option<TTest>) -> [String; 2] {
    match test {
        None => ["-".into(), "-".into()],
        Some(TTest { t, p, .. }) if t.is_finite() => [format!("{t:.2}"), chance(p)],
        Some(TTest { t, p, .. }) => [if t < 0.0 { "-∞" } else { "∞" }.into(), chance(p)],
    }
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".into())
}

/// A value of a probe: a share in percent, a count as a plain number.
fn number(probe: &str, value: f64) -> String {
    Quantity::of(probe).text(value)
}

/// A difference with its sign; for shares in percentage points.
fn difference(probe: &str, value: f64) -> String {
    match Quantity::of(probe) {
        Quantity::Count => format!("{value:+.2}"),
        Quantity::Volume => format!("{value:+.4}"),
        _ => points(value),
    }
}

/// A p with four digits, or with an exponent if they would all be 0.
fn chance(p: f64) -> String {
    match p {
        p if p <= 0.0 => "0".into(),
        p if p < 0.001 => format!("{p:.1e}"),
        p => format!("{p:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_chances_do_not_vanish() {
        for (p, text) in [
            (0.0, "0"),
            (3.79e-54, "3.8e-54"),
            (9.9e-4, "9.9e-4"),
            (0.001, "0.0010"),
            (1.0, "1.0000"),
        ] {
            assert_eq!(chance(p), text);
        }
    }

    #[test]
    fn a_test_without_variance_has_an_infinite_t() {
        let test = |t| Some(TTest { t, df: 3.0, p: 0.0 });
        assert_eq!(test_cells(test(f64::NEG_INFINITY)), ["-∞", "0"]);
        assert_eq!(test_cells(test(f64::INFINITY)), ["∞", "0"]);
        assert_eq!(test_cells(None), ["-", "-"]);
    }
}
