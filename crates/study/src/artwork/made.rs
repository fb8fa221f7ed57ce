//! A table: as text for people, and as numbers for programs.

use std::fmt::Write as _;

use outflank_report::csv_cell;

use crate::page::wrapped;

/// A table that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows, for people.
    pub rows: Vec<Vec<Cell>>,
    /// The columns that hold words; all others hold numbers.
    pub words: &'static [usize],
    /// A sentence below it.
    pub note: String,
}

/// A cell of a table: a text for people, and its numbers for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// A number, perhaps with the ends of its interval; nothing if the cell is a text.
    pub numbers: Vec<Option<f64>>,
}

impl Cell {
    /// A number of things.
    pub fn count(count: u64) -> Cell {
        Cell { text: outflank_report::count(count), numbers: vec![Some(count as f64)] }
    }

    /// A number as people write it.
    pub fn number(text: String, number: Option<f64>) -> Cell {
        Cell { text, numbers: vec![number] }
    }

    /// What stands in the first, second or third column that a cell has in a CSV file.
    fn part(&self, part: usize) -> String {
        /// Digits after the point; trailing zeros are left out.
        const DIGITS: f64 = 1e6;
        match self.numbers.get(part) {
            Some(Some(number)) if number.is_finite() => {
                ((number * DIGITS).round() / DIGITS).to_string()
            }
            None if part == 0 && self.text != "–" => self.text.trim_matches('`').into(),
            _ => String::new(),
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), numbers: Vec::new() }
    }
}

impl From<&crate::Finding> for Cell {
    fn from(finding: &crate::Finding) -> Cell {
        let [low, high] = finding.interval().map_or([None, None], |ends| ends.map(Some));
        Cell { text: finding.text(), numbers: vec![Some(finding.value), low, high] }
    }
}

impl Made {
    /// Its rows as text.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let row = |row: &Vec<Cell>| row.iter().map(|cell| cell.text.clone()).collect();
        self.rows.iter().map(row).collect()
    }

    /// As CSV: numbers as programs read them, and the ends of intervals in columns of their own.
    pub fn csv(&self) -> String {
        let mut columns: Vec<Vec<String>> = Vec::new();
        for (index, name) in self.head.iter().enumerate() {
            let cells = || self.rows.iter().map(move |row| &row[index]);
            let width = cells().map(|cell| cell.numbers.len()).max().unwrap_or(0).max(1);
            let names = ["", " low", " high"].map(|end| format!("{name}{end}"));
            for (part, head) in names.into_iter().take(width).enumerate() {
                let bodies = cells().map(|cell| cell.part(part));
                columns.push(std::iter::once(head).chain(bodies).collect());
            }
        }
        let line = |row: usize| {
            let cells: Vec<String> = columns.iter().map(|column| csv_cell(&column[row])).collect();
            cells.join(",") + "\n"
        };
        (0..=self.rows.len()).map(line).collect()
    }

    /// As a section of Markdown.
    pub fn markdown(&self, level: usize) -> String {
        let cell = |text: &String| {
            text.replace('|', "\\|").replace('<', "&lt;").replace(char::is_control, " ")
        };
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let texts = |row: &Vec<Cell>| row.iter().map(|own| cell(&own.text)).collect();
        let head = line(self.head.iter().map(cell).collect());
        let mut text = format!("{} {}\n\n{head}", "#".repeat(level), self.title);
        let _ = writeln!(text, "|{}", "---|".repeat(self.head.len()));
        text.extend(self.rows.iter().map(|row| line(texts(row))));
        text.push('\n');
        if !self.note.is_empty() {
            let _ = writeln!(text, "{}\n", wrapped(&self.note));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Finding, Unit};

    #[test]
    fn a_csv_file_has_numbers_and_intervals_in_columns_of_their_own() {
        let sample = outflank_lab::Sample::of(&[1000.0, 2000.0, 3000.0]);
        let finding = Finding::of_runs(&sample, Unit::Count);
        let [low, high] = finding.interval().unwrap();
        let table = Made {
            name: "t".into(),
            title: "T".into(),
            head: ["case", "games", "ours"].map(String::from).to_vec(),
            rows: vec![
                vec!["a, b".into(), Cell::count(1_500_000), (&finding).into()],
                vec!["`c`".into(), "–".into(), "c > d".into()],
            ],
            words: &[0],
            note: String::new(),
        };
        let expected = format!(
            "case,games,ours,ours low,ours high\n\"a, b\",1500000,2000,{:.6},{:.6}\nc,,c > d,,\n",
            low, high
        );
        assert_eq!(table.csv(), expected);
        assert!(table.markdown(3).contains("| a, b | 1,500,000 | 2,000 ± "), "{table:?}");
    }
}
