//! Finds folders of studies by the beginning of their name: `learn` calls them METHOD-HASH, and
//! METHOD is enough if it is unique. A path that exists is always taken as it is.

use std::fmt;
use std::path::{Path, PathBuf};

use super::front::split_member;

/// Number of hexadecimal digits at the end of a study's folder.
const DIGITS: usize = 8;
/// At most this many folders are named in an error.
const MAX_NAMED: usize = 8;

/// A name that fits several folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several {
    /// The name.
    pub path: PathBuf,
    /// The folders it fits.
    pub found: Vec<PathBuf>,
}

impl fmt::Display for Several {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> =
            self.found.iter().take(MAX_NAMED).map(|path| path.display().to_string()).collect();
        write!(f, "{} may be {}", self.path.display(), shown.join(" or "))?;
        if self.found.len() > MAX_NAMED {
            write!(f, " or one of {} more", self.found.len() - MAX_NAMED)?;
        }
        write!(f, "; name one of them")
    }
}

impl std::error::Error for Several {}

/// The path that a path stands for: itself if it exists; otherwise one that exists when a folder in
/// it is completed from NAME, or NAME and part of the hash, to `NAME-HASH`. A path that fits
/// nothing is returned unchanged.
pub fn find_folder(path: &Path) -> Result<PathBuf, Several> {
    Ok(found(path)?.unwrap_or_else(|| path.into()))
}

/// Says whether a path fits one or several folders, also before the # of a player of a front.
pub fn stands_for_something(path: &Path) -> bool {
    let is_member = || split_member(path).map_or(true, |member| member.is_some());
    found(path).map_or(true, |found| found.is_some()) || is_member()
}

/// The path that a path stands for, if there is one.
pub(super) fn found(path: &Path) -> Result<Option<PathBuf>, Several> {
    if path.exists() {
        return Ok(Some(path.into()));
    }
    // Without a name there is nothing to complete: the empty path, or one that ends with `..`.
    let (Some(name), Some(parent)) = (path.file_name(), path.parent()) else { return Ok(None) };
    let is_here = parent.as_os_str().is_empty();
    let parent = if is_here { Some(PathBuf::new()) } else { found(parent)? };
    let Some(parent) = parent else { return Ok(None) };
    let whole = parent.join(name);
    if whole.exists() {
        return Ok(Some(whole));
    }
    let Some(name) = name.to_str() else { return Ok(None) };
    let entries = std::fs::read_dir(if is_here { Path::new(".") } else { &parent });
    let mut found: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|folder| is_begun(folder, name))
        .map(|folder| parent.join(folder))
        .filter(|folder| folder.is_dir())
        .collect();
    found.sort_unstable();
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => Err(Several { path: path.into(), found }),
    }
}

/// Says whether a name is that of a study's folder, cut off somewhere after the method.
fn is_begun(folder: &str, name: &str) -> bool {
    let Some((method, hash)) = folder.rsplit_once('-') else { return false };
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    hash.len() == DIGITS
        && hash.chars().all(is_digit)
        && !method.is_empty()
        && name.len() >= method.len()
        && folder.starts_with(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_study_is_found_by_its_method_and_any_part_of_its_hash() {
        let folder = "ctdl-hof-3603d83f";
        for name in ["ctdl-hof", "ctdl-hof-", "ctdl-hof-3", "ctdl-hof-3603d83"] {
            assert!(is_begun(folder, name), "{name}");
        }
        for name in ["", "ctdl", "ctdl-", "ctdl-ho", "ctdl-hof-4", "ctdl-hof-3603d83f0", "cel"] {
            assert!(!is_begun(folder, name), "{name}");
        }
        for folder in ["ctdl-hof", "ctdl-hof-3603d83", "ctdl-hof-3603D83F", "-3603d83f"] {
            assert!(!is_begun(folder, "ctdl-hof"), "{folder}");
        }
    }

    #[test]
    fn one_study_is_found_several_are_listed_and_what_exists_is_itself() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        for folder in ["cel-0000000a/7", "ctdl-0000000b/1", "ctdl-000000cc/1", "ctdl-hof-0000000d"]
        {
            fs::create_dir_all(at(folder)).unwrap();
        }
        fs::write(at("cel-0000000a/7/champion.json"), "{}").unwrap();
        // A file is not a study.
        fs::write(at("rsel-0000000a"), "").unwrap();
        for (name, expected) in [
            ("cel", "cel-0000000a"),
            ("cel/", "cel-0000000a"),
            ("cel-0", "cel-0000000a"),
            ("cel/7", "cel-0000000a/7"),
            ("cel/7/champion.json", "cel-0000000a/7/champion.json"),
            ("ctdl-0000000", "ctdl-0000000b"),
            ("ctdl-hof", "ctdl-hof-0000000d"),
            // Nothing has this name: unchanged.
            ("cel/8", "cel/8"),
            ("rsel", "rsel"),
            ("tdl/1", "tdl/1"),
            ("..", ".."),
        ] {
            assert_eq!(find_folder(&at(name)), Ok(at(expected)), "{name}");
        }
        for name in ["ctdl", "ctdl-", "ctdl-000000", "ctdl/1"] {
            let several = find_folder(&at(name)).unwrap_err();
            assert_eq!(several.found, [at("ctdl-0000000b"), at("ctdl-000000cc")], "{name}");
            assert!(stands_for_something(&at(name)));
        }
        let message = find_folder(&at("ctdl/1")).unwrap_err().to_string();
        let [first, one, other] = ["ctdl", "ctdl-0000000b", "ctdl-000000cc"].map(&at);
        let [first, one, other] = [&first, &one, &other].map(|path| path.display());
        assert_eq!(message, format!("{first} may be {one} or {other}; name one of them"));
        fs::create_dir(at("ctdl")).unwrap();
        assert_eq!(find_folder(&at("ctdl")), Ok(at("ctdl")));
        // If the folder exists, no other one is searched.
        assert_eq!(find_folder(&at("ctdl/1")), Ok(at("ctdl/1")));
        assert!(!stands_for_something(&at("ctdl/1")));
    }
}
