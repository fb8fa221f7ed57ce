//! Aligned tables, and files that are either complete or absent.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Error;
use crate::text::{clean, columns, wrap};
pub use outflank_commands::thousands;
use outflank_report::{FileFormat, Page};

/// Prints a command's JSON object.
pub fn print_json(object: &Value) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(object).map_err(io::Error::from)?;
    Ok(writeln!(io::stdout().lock(), "{text}")?)
}

/// An error of writing CSV to standard output.
pub fn csv_failed(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::from(error),
        other => Error::Failed(format!("cannot write CSV: {other:?}")),
    }
}

/// A table of text: names in the first columns, aligned left; numbers in the others, aligned right.
/// If the terminal is too narrow, the columns are split into several tables, each with the names.
pub struct TextTable {
    names: usize,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Makes a table with this many columns of names.
    pub fn new(names: usize) -> TextTable {
        TextTable { names, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(|cell| clean(&cell.into())).collect());
    }

    /// Says whether it has only a head.
    pub fn is_empty(&self) -> bool {
        self.rows.len() < 2
    }

    /// Prints the table.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        self.print_within(out, columns().unwrap_or(usize::MAX))
    }

    fn print_within(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width_of = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width_of).collect();
        let names = self.names.min(columns);
        let of_names: usize = widths[..names].iter().map(|width| width + 2).sum();
        let mut next = names;
        loop {
            // As many columns as fit, but at least one.
            let (first, mut used) = (next, of_names);
            while next < columns && (next == first || used + widths[next] <= width) {
                used += widths[next] + 2;
                next += 1;
            }
            if first > names {
                writeln!(out)?;
            }
            let shown: Vec<usize> = (0..names).chain(first..next).collect();
            self.rows.iter().try_for_each(|row| print_row(out, row, &shown, &widths, names))?;
            if next >= columns {
                return Ok(());
            }
        }
    }
}

fn print_row(
    out: &mut impl Write,
    row: &[String],
    shown: &[usize],
    widths: &[usize],
    names: usize,
) -> io::Result<()> {
    let mut line = String::new();
    for &column in shown {
        let cell = row.get(column).map_or("", String::as_str);
        let padding = " ".repeat(widths[column] - cell.chars().count());
        let between = if column == 0 { "" } else { "  " };
        if column < names {
            line.extend([between, cell, &padding]);
        } else {
            line.extend([between, &padding, cell]);
        }
    }
    writeln!(out, "{}", line.trim_end())
}

/// Prints names and what they mean in two columns. The second is wrapped to the width of the
/// terminal.
pub fn print_named(out: &mut impl Write, rows: &[[String; 2]]) -> io::Result<()> {
    let longest = rows.iter().map(|[name, _]| name.chars().count()).max().unwrap_or(0);
    let width = columns().unwrap_or(usize::MAX).saturating_sub(longest + 2).max(20);
    for [name, meaning] in rows {
        let padding = " ".repeat(longest - name.chars().count());
        let indent = format!("\n{}", " ".repeat(longest + 2));
        let meaning = wrap(&clean(meaning), width, 0).replace('\n', &indent);
        writeln!(out, "{}{padding}  {meaning}", clean(name))?;
    }
    Ok(())
}

/// Which files may be replaced.
#[derive(Clone, Copy)]
pub enum Replace {
    /// All files.
    All,
    /// Files that start like a file of this program, so that a command can be repeated.
    Ours(fn(&Path) -> bool),
}

impl Replace {
    /// Only our own files, unless it is forced.
    pub fn ours(force: bool, is_ours: fn(&Path) -> bool) -> Replace {
        if force { Replace::All } else { Replace::Ours(is_ours) }
    }
}

/// A file for a figure, as an argument.
pub fn parse_figure(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match figure_format(&path) {
        Some(_) => Ok(path),
        None => Err("expected a file that ends with .svg or .pdf".into()),
    }
}

/// The format of a figure, by the name of its file.
pub fn figure_format(path: &Path) -> Option<FileFormat> {
    FileFormat::from_name(path.extension()?.to_str()?)
}

/// Says whether a file is a drawing of this program.
pub fn is_svg(path: &Path) -> bool {
    let start = beginning(path);
    let text = String::from_utf8_lossy(&start);
    text.starts_with("<svg") && text.contains("class=\"o-ink\"") || Page::has_mark(&start)
}

/// The first bytes of a file; none if it cannot be read.
pub fn beginning(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    if read.is_ok() { start } else { Vec::new() }
}

/// An output file that is either complete or absent.
pub struct WholeFile {
    path: PathBuf,
    file: outflank_store::WholeFile,
}

impl WholeFile {
    /// Starts a file. A file that cannot be written fails now, before the work; so does one that
    /// would replace a file that is not ours.
    pub fn create(path: &Path, replace: Replace) -> Result<WholeFile, Error> {
        let failed = |error: io::Error| Error::writing(path, &error);
        let is_in_the_way = |is_ours: fn(&Path) -> bool| {
            path.metadata().is_ok_and(|data| data.is_file() && data.len() > 0) && !is_ours(path)
        };
        if let Replace::Ours(is_ours) = replace
            && is_in_the_way(is_ours)
        {
            return Err(Error::Usage(format!(
                "{} is there and was not made by this command; choose another name, or --force to \
                 replace it",
                path.display()
            )));
        }
        let file = outflank_store::WholeFile::create(path).map_err(failed)?;
        Ok(WholeFile { path: path.into(), file })
    }

    /// Adds a line.
    pub fn line(&mut self, text: &str) -> Result<(), Error> {
        self.file.line(text).map_err(|error| Error::writing(&self.path, &error))
    }

    /// Adds bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.bytes(bytes).map_err(|error| Error::writing(&self.path, &error))
    }

    /// Flushes the file to disk and gives it its name.
    pub fn finish(self) -> Result<(), Error> {
        let WholeFile { path, file } = self;
        file.finish().map_err(|error| Error::writing(&path, &error))
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    fn printed(table: &TextTable, width: usize) -> String {
        let mut out = Vec::new();
        table.print_within(&mut out, width).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tables_line_up() {
        let mut table = TextTable::new(1);
        table.row(["player", "score"]);
        table.row(["a", "0.5"]);
        table.row(["héuristic", "10.25"]);
        let text = printed(&table, usize::MAX);
        assert_eq!(text, "player     score\na            0.5\nhéuristic  10.25\n");
    }

    #[test]
    fn a_table_that_is_too_wide_goes_on_below() {
        let mut table = TextTable::new(1);
        table.row(["player", "games", "won", "lost"]);
        table.row(["a", "1,000", "86.5%", "13.5%"]);
        let text = "player  games    won\na       1,000  86.5%\n\nplayer   lost\na       13.5%\n";
        assert_eq!(printed(&table, 21), text);
        // At least one column, and no number is split.
        assert_eq!(printed(&table, 1).lines().filter(|line| line.is_empty()).count(), 2);
    }

    #[test]
    fn what_somebody_else_wrote_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.svg");
        let ours = Replace::ours(false, is_svg);
        for (there, is_fine) in [("", true), ("<svg class=\"o-ink\">", true), ("mine", false)] {
            std::fs::write(&path, there).unwrap();
            assert_eq!(WholeFile::create(&path, ours).is_ok(), is_fine, "{there:?}");
            assert!(WholeFile::create(&path, Replace::ours(true, is_svg)).is_ok());
        }
    }
}
