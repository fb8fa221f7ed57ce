//! Tables that line up, JSON objects, files that are whole or not there, progress bars.

use std::fs::{File, Permissions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use serde_json::{Map, Value};
use tempfile::NamedTempFile;

use super::Error;

/// The version of the JSON objects' keys.
const SCHEMA: u64 = 1;

/// Prints a command's JSON object.
pub fn print_json(command: &str, body: Value) -> Result<(), Error> {
    let mut object =
        Map::from_iter([("schema".into(), SCHEMA.into()), ("command".into(), command.into())]);
    if let Value::Object(body) = body {
        object.extend(body);
    }
    let text = serde_json::to_string_pretty(&Value::Object(object)).map_err(io::Error::from)?;
    Ok(writeln!(io::stdout().lock(), "{text}")?)
}

/// A table of text: names in the first columns to the left, numbers in the others to the right.
pub struct TextTable {
    names: usize,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with this many columns of names.
    pub fn new(names: usize) -> TextTable {
        TextTable { names, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Says whether it has nothing but a head.
    pub fn is_empty(&self) -> bool {
        self.rows.len() < 2
    }

    /// Prints the table.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(width - cell.chars().count());
                let between = if column == 0 { "" } else { "  " };
                match column < self.names {
                    true => line.extend([between, cell, &padding]),
                    false => line.extend([between, &padding, cell]),
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// 1234567 as 1,234,567.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A file that appears under its name only when it is whole: written beside it and renamed. What is
/// not a regular file (a device, a pipe) is written as it is.
pub struct WholeFile {
    path: PathBuf,
    to: Target,
}

enum Target {
    Regular { temporary: io::BufWriter<NamedTempFile>, real: PathBuf },
    Special(io::BufWriter<File>),
}

impl WholeFile {
    /// Starts a file. Fails now if it cannot be written, not after the work.
    pub fn create(path: &Path) -> Result<WholeFile, Error> {
        let to = Target::open(path).map_err(|error| Error::writing(path, &error))?;
        Ok(WholeFile { path: path.into(), to })
    }

    /// Adds a line.
    pub fn line(&mut self, text: &str) -> Result<(), Error> {
        let written = match &mut self.to {
            Target::Regular { temporary, .. } => writeln!(temporary, "{text}"),
            Target::Special(file) => writeln!(file, "{text}"),
        };
        written.map_err(|error| Error::writing(&self.path, &error))
    }

    /// Flushes the file to disk and gives it its name.
    pub fn finish(self) -> Result<(), Error> {
        let WholeFile { path, to } = self;
        to.finish().map_err(|error| Error::writing(&path, &error))
    }
}

impl Target {
    fn open(path: &Path) -> io::Result<Target> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let Ok(metadata) = path.metadata() else {
            if !folder.is_dir() {
                let message = format!("there is no folder {}", folder.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, message));
            }
            let temporary = temporary_in(folder, None)?;
            return Ok(Target::Regular { temporary, real: path.into() });
        };
        // Whoever may not write the file may not replace it either.
        let file = File::options().write(true).open(path)?;
        if !metadata.is_file() {
            return Ok(Target::Special(io::BufWriter::new(file)));
        }
        // A link keeps pointing where it did.
        let real = path.canonicalize()?;
        let folder = real.parent().unwrap_or(folder);
        let temporary = temporary_in(folder, Some(metadata.permissions()))?;
        Ok(Target::Regular { temporary, real })
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Target::Regular { temporary, real } => {
                let file = temporary.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(real).map_err(|error| error.error)?;
            }
            Target::Special(mut file) => file.flush()?,
        }
        Ok(())
    }
}

/// A temporary file with the permissions of the file it will replace, or the usual ones.
fn temporary_in(
    folder: &Path,
    permissions: Option<Permissions>,
) -> io::Result<io::BufWriter<NamedTempFile>> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Without the name of the temporary file, which says nothing to the user.
    let file = builder.tempfile_in(folder).map_err(|error| match error.kind() {
        io::ErrorKind::Other => error,
        kind => io::Error::from(kind),
    })?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(io::BufWriter::new(file))
}

/// A progress bar on standard error, if that is a terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for this many units.
    pub fn new(units: u64, unit: &str) -> Progress {
        let bar = ProgressBar::new(units);
        let template = format!(
            "{{wide_bar:.cyan/blue}} {{human_pos}}/{{human_len}} {unit}, {{rate}}, {{eta}} left"
        );
        if let Ok(style) = ProgressStyle::with_template(&template) {
            let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{} a second", thousands(state.per_sec() as u64));
            };
            bar.set_style(style.with_key("rate", rate));
        }
        Progress(bar)
    }

    /// Says how much is done.
    pub fn set(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Says how much had been done before; that does not count for the rate.
    pub fn resume(&self, done: u64) {
        self.0.set_position(done);
        self.0.reset_eta();
    }

    /// A line above the bar, or on standard error where there is none.
    pub fn say(&self, text: &str) {
        if io::stderr().is_terminal() {
            self.0.println(text);
        } else {
            eprintln!("{text}");
        }
    }

    /// Says that one more is done.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_line_up() {
        let mut table = TextTable::new(1);
        table.row(["player", "score"]);
        table.row(["a", "0.5"]);
        table.row(["héuristic", "10.25"]);
        let mut out = Vec::new();
        table.print(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "player     score\na            0.5\nhéuristic  10.25\n");
    }

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn a_file_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let mut file = WholeFile::create(&path).unwrap();
        file.line("one").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\n");
        drop(WholeFile::create(&path).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(WholeFile::create(&folder.path().join("missing/out.txt")).is_err());
        assert!(WholeFile::create(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_modes_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [real, link] = ["real.txt", "link.txt"].map(|name| folder.path().join(name));
        std::fs::write(&real, "old").unwrap();
        std::fs::set_permissions(&real, Permissions::from_mode(0o600)).unwrap();
        symlink(&real, &link).unwrap();
        let mut file = WholeFile::create(&link).unwrap();
        file.line("new").unwrap();
        file.finish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "new\n");
        assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        for (device, fails) in [("/dev/null", false), ("/dev/full", true)] {
            let mut file = WholeFile::create(Path::new(device)).unwrap();
            file.line("text").unwrap();
            assert_eq!(file.finish().is_err(), fails, "{device}");
            assert!(Path::new(device).metadata().unwrap().file_type().is_char_device());
        }
    }
}
