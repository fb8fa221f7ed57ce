//! A comparison as JSON and as CSV, which have the same names for the same numbers.

use std::io;

use serde_json::{Value, json};

use crate::Error;
use outflank_lab::{Against, Comparison, Entry, Equivalence, Pair, TTest};

/// The body of the JSON object.
pub fn to_json(comparisons: &[Comparison]) -> Value {
    let result = |comparison: &Comparison| {
        let [studies, pairs, published] = rows(comparison);
        json!({
            "probe": comparison.probe,
            "test": comparison.test.name(),
            "tail": comparison.tail.name(),
            "margin": comparison.margin,
            "studies": studies,
            "pairs": pairs,
            "published": published,
            "ranking": comparison.ranking(),
            "exceptions": comparison.exceptions(),
            "notes": comparison.notes,
        })
    };
    json!({ "results": comparisons.iter().map(result).collect::<Vec<Value>>() })
}

/// Studies, pairs and published figures.
fn rows(comparison: &Comparison) -> [Vec<Value>; 3] {
    let studies = comparison.entries.iter().map(study);
    let pairs = comparison.pairs.iter().map(|pair| self::pair(comparison, pair));
    let published = comparison.published.iter().map(|against| figure(comparison, against));
    [studies.collect(), pairs.collect(), published.collect()]
}

fn study(entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "runs": entry.sample.n,
        "games": entry.games,
        "probe_games": entry.probe_games,
        "mean": entry.sample.mean,
        "interval": entry.interval,
        "median": entry.median,
        "deviation": entry.sample.deviation(),
        "least": entry.range[0],
        "most": entry.range[1],
    })
}

fn pair(comparison: &Comparison, pair: &Pair) -> Value {
    let [a, b] = pair.entries.map(|index| &comparison.entries[index].name);
    let mut row = json!({
        "a": a,
        "b": b,
        "difference": pair.difference,
        "holm": pair.holm,
        "mann_whitney_u": pair.ranks.map(|test| test.u),
        "mann_whitney_p": pair.ranks.map(|test| test.p),
        "a12": pair.a12,
        "effect": pair.effect().map(|effect| effect.word()),
        "relation": pair.relation.sign(),
    });
    add_tests(&mut row, pair.means, pair.equivalence);
    row
}

fn figure(comparison: &Comparison, against: &Against) -> Value {
    let entry = &comparison.entries[against.entry];
    let mut row = json!({
        "name": entry.name,
        "runs": entry.sample.n,
        "mean": entry.sample.mean,
        "interval": entry.interval,
        "published_mean": against.figure.mean,
        "published_half_width": against.figure.half_width,
        "published_runs": against.figure.n,
        "difference": against.difference,
    });
    add_tests(&mut row, against.means, against.equivalence);
    row
}

/// An infinite t is null, as JSON has no such number.
fn add_tests(row: &mut Value, means: Option<TTest>, equivalence: Option<Equivalence>) {
    row["t"] = means.map(|test| test.t).into();
    row["degrees_of_freedom"] = means.map(|test| test.df).into();
    row["p"] = means.map(|test| test.p).into();
    row["equivalence_p"] = equivalence.map(|found| found.p).into();
    row["equivalent"] = equivalence.map(Equivalence::is_shown).into();
}

/// The columns of the CSV; those that do not belong to the kind of a row are empty.
const COLUMNS: [&str; 29] = [
    "probe",
    "row",
    "a",
    "b",
    "runs",
    "games",
    "probe_games",
    "mean",
    "low",
    "high",
    "median",
    "deviation",
    "least",
    "most",
    "published_mean",
    "published_half_width",
    "published_runs",
    "difference",
    "t",
    "degrees_of_freedom",
    "p",
    "holm",
    "mann_whitney_u",
    "mann_whitney_p",
    "a12",
    "effect",
    "relation",
    "equivalence_p",
    "equivalent",
];

/// Prints a line for each study, each pair and each published figure of every probe.
pub fn print_csv(comparisons: &[Comparison]) -> Result<(), Error> {
    let mut table = csv::Writer::from_writer(io::stdout().lock());
    let mut write = || {
        table.write_record(COLUMNS)?;
        for comparison in comparisons {
            for (kind, rows) in ["study", "pair", "published"].iter().zip(rows(comparison)) {
                for row in rows {
                    table.write_record(COLUMNS.map(|column| match column {
                        "probe" => comparison.probe.clone(),
                        "row" => (*kind).into(),
                        column => cell(&row, column),
                    }))?;
                }
            }
        }
        table.flush()
    };
    Ok(write()?)
}

fn cell(row: &Value, column: &str) -> String {
    let value = match column {
        "a" => row.get("a").unwrap_or(&row["name"]),
        "low" => &row["interval"][0],
        "high" => &row["interval"][1],
        column => &row[column],
    };
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
