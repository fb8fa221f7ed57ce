//! A study: the runs of one spec, a folder for each seed, listed in `study.json`. More seeds extend
//! it; other settings are another study. Every run has the spec, so if the list is lost or damaged,
//! runs that agree replace it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::RunError;
use super::folder::Folder;
use super::manifest::{Found, Manifest};
use super::run_dir::{MAX_SPEC_BYTES, SPEC};
use super::sealed_json;
use super::spec_text::{spec_difference, spec_id};

/// The name of the file.
pub(super) const STUDY: &str = "study.json";
const FORMAT: &str = "outflank-study";
/// The version this program writes, and the newest it reads.
const VERSION: u32 = 1;
/// A larger file is not a study.
const MAX_BYTES: u64 = 32 << 20;
/// Where a damaged list is kept when it is written again.
pub(super) const DAMAGED: &str = "study.json.damaged";
/// The folder of the stage before, in that of a study: a study of its own.
pub const BEFORE: &str = "before";
/// The key of the method in a manifest.
pub const METHOD: &str = "method";

/// The runs of one spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    out: PathBuf,
    listing: Listing,
    note: Option<String>,
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
    /// The hash of all the rest; studies of older programs have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

impl Study {
    /// Opens the study in a folder, or begins one, and adds seeds to it. Other processes may do the
    /// same at the same time: meanwhile `patience` is called again and again to ask whether to
    /// wait.
    pub fn open(
        out: &Path,
        preset: &str,
        spec: &str,
        seeds: &[u64],
        patience: &mut dyn FnMut() -> bool,
    ) -> Result<Study, RunError> {
        let folder = Folder::create(out)?;
        // Before the lock, so that nothing is left in a folder that is not ours.
        agreed_listing(&folder, spec)?;
        let _lock = folder.wait_lock(patience)?;
        let known = agreed_listing(&folder, spec)?;
        let (known, note) = known.map_or((None, None), |(known, lost)| (Some(known), lost));
        let mut listing = known.clone().unwrap_or_else(|| Listing::new(preset, spec));
        listing.seeds.extend(seeds);
        listing.seeds.sort_unstable();
        listing.seeds.dedup();
        if known.as_ref() != Some(&listing) || note.is_some() {
            if note.is_some() && folder.has(STUDY) {
                folder.rename(STUDY, DAMAGED)?;
            }
            listing.checksum = Some(sealed_json::checksum(&listing));
            let mut text = serde_json::to_string_pretty(&listing).expect("a study is plain JSON");
            text.push('\n');
            folder.write(STUDY, text.as_bytes())?;
        }
        let note = note.map(|lost| format!("{lost}; wrote it again from the runs"));
        Ok(Study { out: out.into(), listing, note })
    }

    /// Reads the study in a folder.
    pub fn read(out: &Path) -> Result<Study, RunError> {
        let (listing, lost) = Listing::found(&Folder::at(out))?
            .ok_or_else(|| RunError::NoStudy { path: out.into() })?;
        let note = lost.map(|lost| format!("{lost}; read the runs instead"));
        Ok(Study { out: out.into(), listing, note })
    }

    /// Damage that was repaired.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The preset that the study is named after.
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
    fn new(preset: &str, spec: &str) -> Listing {
        Listing {
            format: FORMAT.into(),
            version: VERSION,
            preset: preset.into(),
            spec_id: spec_id(spec),
            spec: spec.into(),
            seeds: Vec::new(),
            checksum: None,
        }
    }

    /// The list of a folder; or one made from its runs, and what is wrong with the list.
    fn found(folder: &Folder) -> Result<Option<(Listing, Option<String>)>, RunError> {
        let none = match Listing::read(folder) {
            Ok(Some(listing)) => return Ok(Some((listing, None))),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        let lost = match &none {
            Ok(()) => format!("{} is missing", folder.file(STUDY).display()),
            Err(RunError::SomethingElse { .. }) => {
                format!("{} is damaged: it is of another kind", folder.file(STUDY).display())
            }
            Err(error @ (RunError::Damaged { .. } | RunError::TooLarge { .. })) => {
                error.to_string()
            }
            // A newer file is not replaced, and a failing disk also fails for the runs.
            Err(_) => return none.map(|()| None),
        };
        match Listing::of_runs(folder) {
            Some(rebuilt) => Ok(Some((rebuilt, Some(lost)))),
            None => none.map(|()| None),
        }
    }

    /// The list according to the runs in a folder, if they agree. Runs that had not begun are
    /// unknown.
    fn of_runs(folder: &Folder) -> Option<Listing> {
        let names = fs::read_dir(folder.path()).ok()?.flatten().map(|entry| entry.file_name());
        let mut seeds: Vec<u64> = names
            .filter_map(|name| {
                let (text, seed) = (name.to_str()?, name.to_str()?.parse::<u64>().ok()?);
                (seed.to_string() == text).then_some(seed)
            })
            .collect();
        seeds.sort_unstable();
        let mut listing: Option<Listing> = None;
        for seed in seeds {
            let run = Folder::at(&folder.file(&seed.to_string()));
            // An empty folder or a run about to begin says nothing.
            let Ok(Found::Whole(manifest)) = Manifest::read(&run) else { continue };
            let Ok(Some(spec)) = run.read(SPEC, MAX_SPEC_BYTES) else { continue };
            let spec = String::from_utf8(spec).ok().filter(|spec| spec_id(spec) == manifest.spec);
            let Some(spec) = spec else { continue };
            if manifest.seed != seed || listing.as_ref().is_some_and(|known| known.spec != spec) {
                return None;
            }
            let method = manifest.circumstances.get(METHOD).and_then(Value::as_str);
            let preset = method.map_or_else(|| folder_name(folder.path()), str::to_owned);
            listing.get_or_insert_with(|| Listing::new(&preset, &spec)).seeds.push(seed);
        }
        listing
    }

    fn read(folder: &Folder) -> Result<Option<Listing>, RunError> {
        let path = || folder.file(STUDY);
        let Some(bytes) = folder.read(STUDY, MAX_BYTES)? else {
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
        if !sealed_json::is_whole(&value) {
            return Err(damaged("its checksum is wrong".into()));
        }
        let listing: Listing =
            serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
        if listing.spec_id != spec_id(&listing.spec) {
            return Err(damaged("its spec has changed".into()));
        }
        Ok(Some(listing))
    }
}

/// The name of a study of which only the folder is known: the folder's name without its hash.
fn folder_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.rsplit_once('-') {
        Some((method, hash)) if hash.len() == 8 && !method.is_empty() => method.into(),
        _ => name.into_owned(),
    }
}

/// The list, and what is wrong with it if it was made from the runs; an error unless the folder is
/// empty or a study of this spec.
fn agreed_listing(
    folder: &Folder,
    spec: &str,
) -> Result<Option<(Listing, Option<String>)>, RunError> {
    let path = || folder.path().to_owned();
    // Listed before looking for the study: a process that begins one writes that first.
    let stranger = folder.stranger(&[STUDY])?;
    let found = Listing::found(folder)?;
    match (&found, stranger) {
        (None, Some(found)) => Err(RunError::SomethingElse { path: path(), found }),
        (Some((listing, _)), _) if listing.spec != spec => {
            let difference = spec_difference(&listing.spec, spec);
            Err(RunError::OtherSpec { path: path(), difference })
        }
        _ => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread;

    use super::super::faults::{Fault, Tear, with_fault};
    use super::super::{Identity, RunDir};
    use super::*;
    use serde_json::Map;

    const TEXT: &str = "games = 40\n";

    fn open(out: &Path, seeds: &[u64]) -> Result<Study, RunError> {
        Study::open(out, "es", TEXT, seeds, &mut || true)
    }

    #[test]
    fn more_seeds_extend_a_study() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("runs/es");
        assert_eq!(open(&out, &[10, 9]).unwrap().seeds(), [9, 10]);
        let study = open(&out, &[1, 10, u64::MAX]).unwrap();
        assert_eq!(study.seeds(), [1, 9, 10, u64::MAX]);
        assert_eq!(Study::read(&out).unwrap(), study);
        assert_eq!((study.preset(), study.spec()), ("es", TEXT));
        assert_eq!(study.runs().next(), Some(out.join("1")));
        let value: Value = serde_json::from_slice(&fs::read(out.join(STUDY)).unwrap()).unwrap();
        assert_eq!((&value["format"], &value["version"]), (&FORMAT.into(), &1.into()));
        assert_eq!(value["spec_id"], spec_id(TEXT));
    }

    #[test]
    fn other_settings_and_newer_studies_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let error = Study::read(out).unwrap_err();
        assert!(error.to_string().ends_with("holds no study: there is no study.json"));
        assert!(error.is_usage());
        open(out, &[1]).unwrap();
        let error = Study::open(out, "es", "games = 50\n", &[1], &mut || true).unwrap_err();
        assert!(error.to_string().contains("games = 40 there, 50 here"), "{error}");
        assert!(error.is_usage());
        let text = fs::read_to_string(out.join(STUDY)).unwrap();
        let unsealed = text.replace("\"checksum\"", "\"remark\"");
        fs::write(out.join(STUDY), &unsealed).unwrap();
        assert_eq!(Study::read(out).unwrap().seeds(), [1]);
        for (content, expected) in [
            (text.replace("\"version\": 1", "\"version\": 2"), "version 2 is newer"),
            (text.replace("\"seeds\"", "\"seed\""), "is damaged: its checksum is wrong"),
            (unsealed.replace("\"seeds\"", "\"seed\""), "is damaged: missing field `seeds`"),
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

    /// A study of two runs that have begun.
    fn begun(out: &Path) -> Study {
        let study = open(out, &[1, 2]).unwrap();
        for seed in [1, 2] {
            run_of(out, seed, TEXT);
        }
        study
    }

    fn run_of(out: &Path, seed: u64, spec: &str) {
        let identity = Identity { spec, seed, version: "0.1.0", signature: 0, columns: "games" };
        let circumstances = Map::from_iter([(METHOD.into(), "es".into())]);
        RunDir::open(&out.join(seed.to_string()), &identity, circumstances).unwrap();
    }

    #[test]
    fn a_listing_that_is_lost_or_damaged_is_made_good_by_runs_that_agree() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let study = begun(out);
        let good = fs::read(out.join(STUDY)).unwrap();
        let mut bytes = good.clone();
        let mut rebuilt = 0;
        for bit in 0..8 * good.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(out.join(STUDY), &bytes).unwrap();
            match Study::read(out) {
                // The key of the checksum may be lost.
                Ok(found) => {
                    let known = (found.preset(), found.spec(), found.seeds());
                    assert_eq!(known, (study.preset(), study.spec(), study.seeds()), "bit {bit}");
                    rebuilt += usize::from(found.note().is_some());
                }
                Err(RunError::Newer { .. }) => {}
                Err(error) => panic!("bit {bit}: {error}"),
            }
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(rebuilt > 7 * good.len(), "{rebuilt}");
        fs::write(out.join(STUDY), "{").unwrap();
        let note = Study::read(out).unwrap().note.unwrap();
        assert!(note.contains("study.json is damaged: not JSON"), "{note}");
        assert!(note.ends_with("; read the runs instead"), "{note}");
        assert_eq!(fs::read(out.join(STUDY)).unwrap(), b"{");
        let opened = open(out, &[3]).unwrap();
        assert!(opened.note().unwrap().ends_with("; wrote it again from the runs"));
        assert_eq!(opened.seeds(), [1, 2, 3]);
        assert_eq!(fs::read(out.join(DAMAGED)).unwrap(), b"{");
        assert_eq!(Study::read(out).unwrap().note(), None);
        fs::remove_file(out.join(STUDY)).unwrap();
        assert!(Study::read(out).unwrap().note().unwrap().contains("study.json is missing"));
        assert_eq!(open(out, &[]).unwrap().seeds(), [1, 2]);
        // Nor is a huge file read to its end.
        fs::File::create(out.join(STUDY)).unwrap().set_len(1 << 40).unwrap();
        assert!(Study::read(out).unwrap().note().unwrap().contains("is larger than 32 MiB"));
        let elsewhere = tempfile::tempdir().unwrap();
        fs::rename(out.join(STUDY), elsewhere.path().join(STUDY)).unwrap();
        assert!(matches!(Study::read(elsewhere.path()), Err(RunError::TooLarge { .. })));
        open(out, &[]).unwrap();
        // Other settings are still refused.
        fs::remove_file(out.join(STUDY)).unwrap();
        let other = Study::open(out, "es", "games = 50\n", &[1], &mut || true).unwrap_err();
        assert!(other.to_string().contains("games = 40 there, 50 here"), "{other}");
    }

    #[test]
    fn runs_that_disagree_make_no_study() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        begun(out);
        run_of(out, 3, "games = 50\n");
        fs::write(out.join(STUDY), "{").unwrap();
        assert!(matches!(Study::read(out), Err(RunError::Damaged { .. })));
        assert!(matches!(open(out, &[1]), Err(RunError::Damaged { .. })));
        fs::remove_dir_all(out.join("3")).unwrap();
        fs::rename(out.join("2"), out.join("4")).unwrap();
        assert!(matches!(Study::read(out), Err(RunError::Damaged { .. })));
    }

    #[test]
    fn whoever_waits_for_a_study_is_asked_for_patience() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        open(out, &[1]).unwrap();
        let held = Folder::at(out).try_lock().unwrap();
        let mut asked = 0;
        let refused = Study::open(out, "es", TEXT, &[2], &mut || {
            asked += 1;
            asked < 3
        });
        assert!(matches!(refused, Err(RunError::Held { .. })), "{refused:?}");
        assert_eq!(asked, 3);
        let mut held = Some(held);
        let study = Study::open(out, "es", TEXT, &[2], &mut || {
            held = None;
            true
        });
        assert_eq!(study.unwrap().seeds(), [1, 2]);
    }
}
