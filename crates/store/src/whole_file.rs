//! A file that is either complete or absent.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that appears under its name only when it is complete: it is written under a temporary
/// name and renamed. A target that is not a regular file (a device, a pipe) is written directly.
pub struct WholeFile(Target);

enum Target {
    Regular { temporary: io::BufWriter<NamedTempFile>, real: PathBuf },
    Special(io::BufWriter<File>),
}

impl WholeFile {
    /// Starts a file. Fails now, not after the work, if it cannot be written.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        Target::open(path).map(WholeFile)
    }

    /// Adds a line.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        match &mut self.0 {
            Target::Regular { temporary, .. } => writeln!(temporary, "{text}"),
            Target::Special(file) => writeln!(file, "{text}"),
        }
    }

    /// Adds bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Target::Regular { temporary, .. } => temporary.write_all(bytes),
            Target::Special(file) => file.write_all(bytes),
        }
    }

    /// Flushes the file to disk and gives it its name.
    pub fn finish(self) -> io::Result<()> {
        self.0.finish()
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
        // A file without write permission is not replaced either.
        let file = File::options().write(true).open(path)?;
        if !metadata.is_file() {
            return Ok(Target::Special(io::BufWriter::new(file)));
        }
        // A link keeps its target.
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
    // Without the name of the temporary file, which means nothing to the user.
    let file = builder.tempfile_in(folder).map_err(|error| match error.kind() {
        io::ErrorKind::Other => error,
        kind => io::Error::from(kind),
    })?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(io::BufWriter::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;

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
