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
