//! The champions of a study, by seed. Nothing else about studies is known here: the folder has a
//! `study.json` with the text of the spec, and a folder for each seed.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::vouched::is_finished;
use super::{NAMED, PlayerError, PlayerFile, find_folder, read_player_file};

/// The file that identifies the folder of a study.
pub(super) const STUDY: &str = "study.json";
/// The champion of a run folder.
pub(super) const CHAMPION: &str = "champion.json";
/// A larger file is not a study.
const MAX_BYTES: u64 = 32 << 20;

/// The champions of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Champions {
    folder: PathBuf,
    spec: String,
    seeds: Vec<u64>,
}

/// The part of `study.json` that is needed here.
#[derive(Deserialize)]
struct Listing {
    spec: String,
    seeds: Vec<u64>,
}

impl Champions {
    /// The champions of a study, by its folder; `None` if the text does not name one. The hash of
    /// the folder's name may be left out.
    pub fn of(text: &str) -> Result<Option<Champions>, PlayerError> {
        if NAMED.iter().any(|named| named.name == text) || text.is_empty() {
            return Ok(None);
        }
        let folder = find_folder(Path::new(text))?;
        let is_study = folder.join(STUDY).is_file() && !folder.join(CHAMPION).is_file();
        if is_study { Champions::read(&folder).map(Some) } else { Ok(None) }
    }

    /// Reads the list of a study.
    pub fn read(folder: &Path) -> Result<Champions, PlayerError> {
        let path = folder.join(STUDY);
        let wrong = |problem: String| PlayerError::Content { path: path.clone(), problem };
        let failed = |source| PlayerError::Read { path: path.clone(), source };
        if std::fs::metadata(&path).map_err(failed)?.len() > MAX_BYTES {
            return Err(wrong(format!("larger than {} MiB", MAX_BYTES >> 20)));
        }
        let bytes = std::fs::read(&path).map_err(failed)?;
        let listing: Listing = serde_json::from_slice(&bytes)
            .map_err(|error| wrong(format!("not the list of a study: {error}")))?;
        Ok(Champions { folder: folder.into(), spec: listing.spec, seeds: listing.seeds })
    }

    /// What its runs depend on besides their seeds.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The champion of the run with this seed, which must be finished.
    pub fn champion(&self, seed: u64) -> Result<PlayerFile, PlayerError> {
        let run = self.folder.join(seed.to_string());
        let wrong = |problem: String| PlayerError::Content { path: run.clone(), problem };
        if !self.seeds.contains(&seed) {
            return Err(wrong(format!("the study has no run with seed {seed}")));
        }
        if !is_finished(&run) {
            return Err(wrong(format!("the run with seed {seed} is not finished")));
        }
        read_player_file(&run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_finished_runs_of_a_study_have_champions_to_start_from() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("tdl-0000000a");
        for seed in ["1", "2"] {
            fs::create_dir_all(out.join(seed)).unwrap();
            fs::write(out.join(seed).join(CHAMPION), "0.5 ".repeat(64)).unwrap();
        }
        let none = |text: &str| Champions::of(text).unwrap().is_none();
        assert!(none("heuristic") && none("") && none("no/such/folder"));
        let short = folder.path().join("tdl");
        assert!(none(short.to_str().unwrap()), "a folder without study.json");
        fs::write(out.join(STUDY), "{\"spec\": \"games = 5\\n\", \"seeds\": [1, 2]}").unwrap();
        let study = Champions::of(short.to_str().unwrap()).unwrap().unwrap();
        assert_eq!(study.spec(), "games = 5\n");
        let refused = |seed: u64| study.champion(seed).unwrap_err().to_string();
        assert!(refused(7).ends_with("the study has no run with seed 7"), "{}", refused(7));
        assert!(refused(2).ends_with("the run with seed 2 is not finished"), "{}", refused(2));
        let manifest = "{\"format\": \"outflank-run\", \"status\": \"finished\"}";
        fs::write(out.join("2/manifest.json"), manifest).unwrap();
        assert_eq!(study.champion(2).unwrap().parameters, [0.5; 64]);
        assert!(none(out.join("2").to_str().unwrap()), "a run is a player");
        fs::write(out.join(STUDY), "[]").unwrap();
        assert!(Champions::of(out.to_str().unwrap()).is_err());
    }
}
