//! How often each verdict was given.

use crate::artwork::{Cell, Made};
use crate::page::Chapter;
use crate::results::Row;
use crate::verdict::Verdict;

/// A table by study, and of all together.
pub fn verdict_counts(chapters: &[&Chapter]) -> Made {
    let mut head = vec!["study".to_owned(), "values".into()];
    head.extend(Verdict::ALL.map(|verdict| verdict.to_string()));
    head.push("agrees in another reading".into());
    let row = |name: &str, rows: &[&Row]| {
        let mut cells: Vec<Cell> = vec![name.into(), Cell::count(rows.len() as u64)];
        let mut count = |counts: &dyn Fn(&Row) -> bool| {
            let count = rows.iter().filter(|row| counts(row)).count();
            let share = 100.0 * count as f64 / rows.len().max(1) as f64;
            cells.push(Cell::number(format!("{count} ({share:.0}%)"), Some(count as f64)));
        };
        for verdict in Verdict::ALL {
            count(&|row| row.judged.verdict == verdict);
        }
        count(&Row::agrees_otherwise);
        cells
    };
    let mut rows: Vec<Vec<Cell>> = chapters
        .iter()
        .map(|chapter| row(&chapter.name, &chapter.rows.iter().collect::<Vec<_>>()))
        .collect();
    if chapters.len() > 1 {
        let all: Vec<&Row> = chapters.iter().flat_map(|chapter| &chapter.rows).collect();
        rows.push(row("all", &all));
    }
    let (name, title) = ("verdicts".into(), "Verdicts".into());
    let note = "Agrees: the difference lies within the joint 95% interval, or every part of a \
        claim holds. Same order: the value differs, but stands to the others of its table as in \
        the paper, significantly; or a claim holds in the means, but not every difference is \
        significant. Not comparable: the paper gives neither a spread nor a number of runs, or \
        there are fewer than three runs of ours. \
        The last column counts values that differ or have the same order only, and agree with \
        another reading of the paper that was declared and tried. Verdicts are computed.";
    Made { name, title, head, rows, words: &[0], note: note.into() }
}

/// A line of text.
pub fn summary(chapters: &[Chapter]) -> String {
    let rows: Vec<&Row> = chapters.iter().flat_map(|chapter| &chapter.rows).collect();
    let mut parts = Vec::new();
    for verdict in Verdict::ALL {
        let count = rows.iter().filter(|row| row.judged.verdict == verdict).count();
        if count > 0 {
            let verdict = match (verdict, count) {
                (Verdict::Agrees, 2..) => "agree".into(),
                (Verdict::Differs, 2..) => "differ".into(),
                _ => verdict.to_string(),
            };
            parts.push(format!("{count} {verdict}"));
        }
    }
    let otherwise = match rows.iter().filter(|row| row.agrees_otherwise()).count() {
        0 => String::new(),
        1 => "; 1 more agrees in another reading".into(),
        count => format!("; {count} more agree in another reading"),
    };
    let values = if rows.len() == 1 { "value" } else { "values" };
    format!("{} published {values}: {}{otherwise}", rows.len(), parts.join(", "))
}
