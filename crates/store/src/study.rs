//! A study: the runs of one spec, a folder for each seed, listed in `study.json`. More seeds extend
//! it; other settings are another study.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::RunError;
use super::folder::Folder;
use super::spec_text::{difference, spec_id};

/// The name of the file.
pub(super) const STUDY: &str = "study.json";
const FORMAT: &str = "outflank-study";
/// The version this program writes, and the newest it reads.
const VERSION: u32 = 1;
/// Larger files are no studies.
const LARGEST: u64 = 256 << 20;

/// The runs of one spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    out: PathBuf,
    listing: Listing,
}

/// The content of `study.json` of the present version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Listing {
    format: String,
    version: u32,
    preset: String,
    spec_id: String,
    spec: String,
    seeds: Vec<u64>,
}

impl Study {
    /// Opens the study in a folder, or begins one, and adds seeds to it. Others may do the same at the
    /// same time.
    pub fn open(out: &Path, preset: &str, spec: &str, seeds: &[u64]) -> Result<Study, RunError> {
        let folder = Folder::create(out)?;
        // Before the lock, so that nothing is left in a folder that is not for us.
        agreed_listing(&folder, spec)?;
        let _lock = folder.wait_lock()?;
        let known = agreed_listing(&folder, spec)?;
        let mut listing = known.clone().unwrap_or_else(|| Listing {
            format: FORMAT.into(),
            version: VERSION,
            preset: preset.into(),
            spec_id: spec_id(spec),
            spec: spec.into(),
            seeds: Vec::new(),
        });
        listing.seeds.extend(seeds);
        listing.seeds.sort_unstable();
        listing.seeds.dedup();
        if known.as_ref() != Some(&listing) {
            let mut text = serde_json::to_string_pretty(&listing).expect("a study is plain JSON");
            text.push('\n');
            folder.write(STUDY, text.as_bytes())?;
        }
        Ok(Study { out: out.into(), listing })
    }

    /// Reads the study in a folder.
    pub fn read(out: &Path) -> Result<Study, RunError> {
        let listing = Listing::read(&Folder::at(out))?;
        let listing = listing.ok_or_else(|| RunError::NoStudy { path: out.into() })?;
        Ok(Study { out: out.into(), listing })
    }

    /// The preset whose name the study has.
    pub fn preset(&self) -> &str {
        &self.listing.preset
    }

    /// The spec of its runs.
    pub fn spec(&self) -> &str {
        &self.listing.spec
    }

    /// The seeds of its runs, in order.
    pub fn seeds(&self) -> &[u64] {
        &self.listing.seeds
    }

    /// The directory of the run with this seed.
    pub fn run(&self, seed: u64) -> PathBuf {
        self.out.join(seed.to_string())
    }

    /// The directories of its runs, by seed. A run that has not begun has none yet.
    pub fn runs(&self) -> impl Iterator<Item = PathBuf> {
        self.listing.seeds.iter().map(|&seed| self.run(seed))
    }
}

impl Listing {
    fn read(folder: &Folder) -> Result<Option<Listing>, RunError> {
        let path = || folder.file(STUDY);
        let Some(bytes) = folder.read(STUDY, LARGEST)? else {
            return Ok(None);
        };
        let damaged = |problem: String| RunError::Damaged { path: path(), problem };
        let value: Value = serde_json::from_slice(&bytes)
            .map_err(|error| damaged(format!("not JSON: {error}")))?;
        if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
            let found = format!("a {STUDY} of another kind");
            return Err(RunError::SomethingElse { path: folder.path().into(), found });
        }
        match value.get("version").and_then(Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) if version > u64::from(VERSION) => {
                return Err(RunError::Newer { path: path(), version, newest: VERSION });
            }
            _ => return Err(damaged(format!("expected \"version\": {VERSION}"))),
        }
        serde_json::from_value(value).map(Some).map_err(|error| damaged(error.to_string()))
    }
}

/// Reads the listing; an error unless the folder is empty or a study of this spec.
fn agreed_listing(folder: &Folder, spec: &str) -> Result<Option<Listing>, RunError> {
    let path = || folder.path().to_owned();
    // Listed before the study is looked for: whoever begins one writes that first.
    let stranger = folder.stranger(&[STUDY])?;
    let listing = Listing::read(folder)?;
    match (&listing, stranger) {
        (None, Some(found)) => Err(RunError::SomethingElse { path: path(), found }),
        (Some(listing), _) if listing.spec != spec => {
            let difference = difference(&listing.spec, spec);
            Err(RunError::OtherSpec { path: path(), difference })
        }
        _ => Ok(listing),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread;

    use super::super::faults::{Fault, Tear, with_fault};
    use super::*;

    const SPEC: &str = "games = 40\n";

    fn open(out: &Path, seeds: &[u64]) -> Result<Study, RunError> {
        Study::open(out, "es", SPEC, seeds)
    }

    #[test]
    fn more_seeds_extend_a_study() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("runs/es");
        assert_eq!(open(&out, &[10, 9]).unwrap().seeds(), [9, 10]);
        let study = open(&out, &[1, 10, u64::MAX]).unwrap();
        assert_eq!(study.seeds(), [1, 9, 10, u64::MAX]);
        assert_eq!(Study::read(&out).unwrap(), study);
        assert_eq!((study.preset(), study.spec()), ("es", SPEC));
        assert_eq!(study.runs().next(), Some(out.join("1")));
        let value: Value = serde_json::from_slice(&fs::read(out.join(STUDY)).unwrap()).unwrap();
        assert_eq!((&value["format"], &value["version"]), (&FORMAT.into(), &1.into()));
        assert_eq!(value["spec_id"], spec_id(SPEC));
    }

    #[test]
    fn other_settings_and_newer_studies_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let error = Study::read(out).unwrap_err();
        assert!(error.to_string().ends_with("holds no study: there is no study.json"));
        assert!(error.is_usage());
        open(out, &[1]).unwrap();
        let error = Study::open(out, "es", "games = 50\n", &[1]).unwrap_err();
        assert!(error.to_string().contains("games = 40 there, 50 here"), "{error}");
        assert!(error.is_usage());
        let text = fs::read_to_string(out.join(STUDY)).unwrap();
        for (content, expected) in [
            (text.replace("\"version\": 1", "\"version\": 2"), "version 2 is newer"),
            (text.replace("\"seeds\"", "\"seed\""), "is damaged: missing field `seeds`"),
            (text.replace(FORMAT, "other"), "holds something else (a study.json of another kind)"),
            ("{".into(), "is damaged: not JSON"),
        ] {
            fs::write(out.join(STUDY), &content).unwrap();
            for error in [open(out, &[2]).unwrap_err(), Study::read(out).unwrap_err()] {
                assert!(error.to_string().contains(expected), "{error}");
            }
            assert_eq!(fs::read_to_string(out.join(STUDY)).unwrap(), content);
        }
    }

    #[test]
    fn seeds_added_at_once_are_all_there() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("study");
        thread::scope(|scope| {
            for first in 0..8u64 {
                let out = &out;
                scope.spawn(move || {
                    for seed in (first..40).step_by(8) {
                        open(out, &[seed]).unwrap();
                    }
                });
            }
        });
        assert_eq!(Study::read(&out).unwrap().seeds(), (0..40).collect::<Vec<_>>());
    }

    #[test]
    fn killed_at_any_operation_a_study_is_as_it_was_or_as_it_should_be() {
        for tear in [Tear::Nothing, Tear::Half] {
            for at in 1.. {
                let folder = tempfile::tempdir().unwrap();
                let out = folder.path().join("study");
                let (result, reached) = with_fault(Fault::From(at), tear, || {
                    open(&out, &[1]).and_then(|_| open(&out, &[2]))
                });
                if !reached {
                    break;
                }
                result.unwrap_err();
                let before = Study::read(&out).map_or(vec![], |study| study.seeds().to_vec());
                assert!([vec![], vec![1], vec![1, 2]].contains(&before), "{before:?}");
                assert_eq!(open(&out, &[1, 2]).unwrap().seeds(), [1, 2]);
            }
        }
    }
}
