//! The folder of a study: the runs of its cases, its contests and its pages.

use std::fs;
use std::path::{Path, PathBuf};

use outflank_learn::run_text;
use outflank_store::{RunError, Study, WholeFile, spec_difference};
use outflank_study::Design;
use serde::{Deserialize, Serialize};

use crate::Error;

/// The folder of a study.
pub struct Folder(PathBuf);

/// What `plan.json` says: which study a folder belongs to.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    format: String,
    version: u32,
    study: String,
    title: String,
    scale: f64,
    runs: Option<usize>,
    games: Option<u64>,
}

/// The file that says which study a folder belongs to.
pub const PLAN: &str = "plan.json";
/// The file that processes hold together while they work on a study, and that its removal holds
/// alone.
pub const LOCK: &str = "lock";
/// The pages of a study, the first for a browser.
pub const PAGES: [&str; 3] = ["index.html", "results.md", "results.json"];
/// The folder of figures and data of a page.
pub const RESULTS: &str = "results";
const FORMAT: &str = "outflank-study-plan";
/// The version this program writes, and the newest it reads.
const VERSION: u32 = 1;

impl Folder {
    /// The folder of this path.
    pub fn new(path: PathBuf) -> Folder {
        Folder(path)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The folder of a case.
    pub fn case(&self, name: &str) -> PathBuf {
        self.0.join("cases").join(file_name(name))
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn expected(design: &Design) -> Kept {
        Kept {
            format: FORMAT.into(),
            version: VERSION,
            study: design.name.clone(),
            title: design.file.title.clone(),
            scale: design.shrink.scale,
            runs: design.shrink.runs,
            games: design.shrink.games,
        }
    }

    /// Refuses runs of other settings, before any work is planned for them.
    pub fn agree(&self, design: &Design) -> Result<(), Error> {
        for case in &design.cases {
            let (path, text) = (self.case(&case.name), run_text(&case.method.spec)?);
            match Study::read(&path) {
                Ok(study) if study.spec() != text => {
                    let difference = spec_difference(study.spec(), &text);
                    return Err(RunError::OtherSpec { path, difference }.into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses a folder of another study, size or version. Nothing is written.
    pub fn check(&self, design: &Design) -> Result<(), Error> {
        let path = self.file(PLAN);
        let refused = |difference: String| {
            let folder = self.0.display();
            Err(Error::Usage(format!("{folder} {difference}; choose another folder with --out")))
        };
        if self.file("study.json").exists() {
            return refused("holds runs of `outflank learn`, not a study".into());
        }
        let within = self.0.parent().filter(|parent| parent.ends_with("cases"));
        if within.and_then(Path::parent).is_some_and(|outer| outer.join(PLAN).exists()) {
            return refused("is the place of a case of another study".into());
        }
        let Ok(text) = fs::read_to_string(&path) else {
            return match PAGES.iter().find(|name| self.file(name).exists()) {
                Some(name) => refused(format!("has a file {name} that is not of a study")),
                None => Ok(()),
            };
        };
        let expected = Folder::expected(design);
        let version = serde_json::from_str::<serde_json::Value>(&text)
            .ok()
            .and_then(|plan| plan.get("version").and_then(serde_json::Value::as_u64));
        if version.is_some_and(|version| version > u64::from(VERSION)) {
            let version = version.unwrap_or(0);
            return refused(format!(
                "is of a newer program: {PLAN} has version {version}, and this program reads up \
                 to {VERSION}"
            ));
        }
        let kept: Kept = match serde_json::from_str(&text) {
            Ok(kept) => kept,
            // Damage is repaired: the plan is written again, and the runs know their settings.
            Err(_) => {
                return match self.stranger(design) {
                    Some(case) => refused(format!(
                        "has a damaged {PLAN} and a case {case:?}, which is not of this study"
                    )),
                    None => Ok(()),
                };
            }
        };
        if kept.study != expected.study {
            return refused(format!("holds study {}, not {}", kept.study, expected.study));
        }
        if kept.title != expected.title {
            let (kept, expected) = (kept.title, expected.title);
            return refused(format!(
                "holds another study of that name, {kept:?}, not {expected:?}"
            ));
        }
        if (kept.scale - expected.scale).abs() > 0.0 {
            return refused(format!("holds it at scale {}, not {}", kept.scale, expected.scale));
        }
        let runs = |kept: &Kept| match kept.runs {
            None => "all runs".into(),
            Some(1) => "at most 1 run of each case".into(),
            Some(runs) => format!("at most {runs} runs of each case"),
        };
        if kept.runs != expected.runs {
            let (kept, expected) = (runs(&kept), runs(&expected));
            return refused(format!("holds it with {kept}, not with {expected}"));
        }
        if kept.games != expected.games {
            let games = |kept: &Kept| match kept.games {
                None => "all games".into(),
                Some(games) => format!("at most {games} games in a run"),
            };
            let (kept, expected) = (games(&kept), games(&expected));
            return refused(format!("holds it with {kept}, not with {expected}"));
        }
        Ok(())
    }

    /// A case in the folder that the study does not have, if there is one.
    fn stranger(&self, design: &Design) -> Option<String> {
        let own: Vec<String> = design.cases.iter().map(|case| file_name(&case.name)).collect();
        let entries = fs::read_dir(self.file("cases")).ok()?.flatten();
        let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.find(|name| !own.contains(name))
    }

    /// Makes the folder and says what is in it. It cannot be removed until the lock is dropped.
    pub fn begin(&self, design: &Design) -> Result<Option<fs::File>, Error> {
        make(&self.0)?;
        let path = self.file(LOCK);
        let lock = fs::OpenOptions::new().create(true).append(true).open(&path);
        let lock = lock.map_err(|error| Error::writing(&path, &error))?;
        let lock = match lock.try_lock_shared() {
            Ok(()) => Some(lock),
            Err(fs::TryLockError::WouldBlock) => return Err(self.held()),
            // Without locks there is nothing to hold.
            Err(fs::TryLockError::Error(_)) => None,
        };
        let text = serde_json::to_string_pretty(&Folder::expected(design)).expect("plain data");
        if fs::read_to_string(self.file(PLAN)).is_ok_and(|kept| kept.trim_end() == text) {
            return Ok(lock);
        }
        put(&self.file(PLAN), &text)?;
        Ok(lock)
    }

    /// Holds it alone, to remove it; nothing if it was never begun.
    pub fn hold(&self) -> Result<Option<fs::File>, Error> {
        let Ok(lock) = fs::File::open(self.file(LOCK)) else { return Ok(None) };
        match lock.try_lock() {
            Err(fs::TryLockError::WouldBlock) => Err(self.held()),
            _ => Ok(Some(lock)),
        }
    }

    fn held(&self) -> Error {
        RunError::Held { path: self.0.clone(), owner: "another process".into() }.into()
    }

    /// The name of its study, to remove it; that of the folder if its plan is damaged.
    pub fn study(&self) -> Result<String, Error> {
        let text = fs::read_to_string(self.file(PLAN)).unwrap_or_default();
        let plan: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let of = |key: &str| plan.get(key).and_then(serde_json::Value::as_str);
        let version = plan.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if !plan.is_null() && of("format") != Some(FORMAT) {
            let found = format!("a {PLAN} of another kind");
            return Err(Error::Results(RunError::SomethingElse { path: self.0.clone(), found }));
        }
        if version > u64::from(VERSION) {
            let path = self.file(PLAN);
            return Err(Error::Results(RunError::Newer { path, version, newest: VERSION }));
        }
        let folder = self.0.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(of("study").map_or(folder, str::to_owned))
    }

    /// Writes the files of a page; the page itself comes last, so that it never refers to what is
    /// not there. With `pdf` every picture is also a PDF file. What an earlier page of these
    /// studies had beside it and this one has not is removed.
    pub fn write(
        &self,
        files: &[(PathBuf, String)],
        studies: &[&str],
        pdf: bool,
    ) -> Result<(), Error> {
        for (name, text) in files.iter().rev() {
            let path = self.0.join(name);
            if pdf && path.extension().is_some_and(|ending| ending == "svg") {
                put_bytes(&path.with_extension("pdf"), &outflank_report::figure::pdf(text))?;
            }
            put(&path, text)?;
        }
        let is_kept = |path: &Path| {
            files.iter().any(|(name, _)| {
                let own = self.0.join(name);
                own == path || (pdf && own.with_extension("pdf") == path)
            })
        };
        let entries = fs::read_dir(self.file(RESULTS)).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(|path| !is_kept(path)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let of_study = studies.iter().any(|study| name.starts_with(&format!("{study}-")));
            let is_made =
                ["svg", "csv", "pdf"].iter().any(|own| name.ends_with(&format!(".{own}")));
            if of_study && is_made {
                fs::remove_file(&path).map_err(|error| Error::writing(&path, &error))?;
            }
        }
        Ok(())
    }
}

fn make(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| {
        Error::Failed(format!("cannot make the folder {}: {error}", path.display()))
    })
}

/// Writes a file whole or not at all; a text ends with a line break.
pub fn put(path: &Path, text: &str) -> Result<(), Error> {
    put_bytes(path, format!("{}\n", text.strip_suffix('\n').unwrap_or(text)).as_bytes())
}

/// Writes a file whole or not at all.
pub fn put_bytes(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    path.parent().map_or(Ok(()), make)?;
    let write = || {
        let mut file = WholeFile::create(path)?;
        file.bytes(bytes)?;
        file.finish()
    };
    write().map_err(|error| Error::writing(path, &error))
}

/// A name as that of a file on any system: `ratio/0.1` as `ratio=0.1`. Names that need more changes
/// get a hash, so that different names stay different.
pub fn file_name(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.+".contains(letter);
    let mut is_changed = name.starts_with('.');
    let letter = |letter: char| match letter {
        '/' => '=',
        letter if plain(letter) => letter,
        _ => {
            is_changed = true;
            '_'
        }
    };
    let mut text: String = name.chars().map(letter).take(100).collect();
    if is_changed || name.chars().count() > 100 {
        let hash = blake3::hash(name.as_bytes()).to_hex();
        text = format!("{}-{}", text.trim_start_matches('.'), &hash[..8]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cases_are_different_names_of_files() {
        assert_eq!(file_name("ctdl-hof"), "ctdl-hof");
        assert_eq!(file_name("ratio/0.1"), "ratio=0.1");
        let odd = ["a b", "a_b", "a?b", "..", "../a", ".a", "a", "ä"];
        let mut names: Vec<String> = odd.iter().map(|name| file_name(name)).collect();
        for name in &names {
            assert!(!name.contains('/') && !name.starts_with('.'), "{name}");
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), odd.len());
    }
}
