//! A comparison as CSV, with the same names as in JSON.

use std::io;

use serde::Serialize;
use serde_json::Value;

use crate::Error;
use crate::output::csv_failed;
use outflank_commands::CompareAnswer;

/// The columns of the CSV. Columns that do not apply to a kind of row are empty.
const COLUMNS: [&str; 30] = [
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
    "group",
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
pub fn print_csv(answer: &CompareAnswer) -> Result<(), Error> {
    let mut table = csv::Writer::from_writer(io::stdout().lock());
    table.write_record(COLUMNS).map_err(csv_failed)?;
    for compared in &answer.results {
        let all = [
            ("study", rows(&compared.studies)),
            ("pair", rows(&compared.pairs)),
            ("published", rows(&compared.published)),
        ];
        for (kind, row) in
            all.iter().flat_map(|(kind, rows)| rows.iter().map(move |row| (kind, row)))
        {
            let record = COLUMNS.map(|column| match column {
                "probe" => compared.probe.clone(),
                "row" => (*kind).into(),
                column => cell(row, column),
            });
            table.write_record(record).map_err(csv_failed)?;
        }
    }
    Ok(table.flush()?)
}

fn rows(rows: &[impl Serialize]) -> Vec<Value> {
    rows.iter().filter_map(|row| serde_json::to_value(row).ok()).collect()
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
