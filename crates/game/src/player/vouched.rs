//! Detects changed players of finished runs. The folder of a finished run has a `manifest.json`
//! with the hashes of its `champion.json` and of the players in `front/`. Nothing else about runs
//! is known here: the hashes belong to the format of player files as much as their keys.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

const MANIFEST: &str = "manifest.json";
const CHAMPION: &str = "champion.json";
const FRONT: &str = "front";
/// A larger file is not a manifest.
const MAX_BYTES: u64 = 16 << 20;

/// The part of a manifest that is needed here.
#[derive(Deserialize)]
struct Manifest {
    format: String,
    status: String,
    champion: Option<String>,
    #[serde(default)]
    front: Vec<String>,
}

impl Manifest {
    /// Reads the manifest in a folder; `None` if the run is not finished.
    fn read(folder: &Path) -> Option<Manifest> {
        let mut bytes = Vec::new();
        let file = File::open(folder.join(MANIFEST)).ok()?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return None;
        }
        file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        let manifest: Manifest = serde_json::from_slice(&bytes).ok()?;
        (manifest.format == "outflank-run" && manifest.status == "finished").then_some(manifest)
    }
}

/// Says whether the run in a folder is finished.
pub(super) fn is_finished(run: &Path) -> bool {
    Manifest::read(run).is_some()
}

/// The recorded hash of a player file, if it belongs to a finished run.
fn expected_hash(path: &Path) -> Option<String> {
    let (name, folder) = (path.file_name()?.to_str()?, path.parent()?);
    if name == CHAMPION {
        return Manifest::read(folder)?.champion;
    }
    let number: usize = name.strip_suffix(".json")?.parse().ok()?;
    let run = folder.parent().filter(|_| folder.ends_with(FRONT))?;
    Manifest::read(run)?.front.get(number.checked_sub(1)?).cloned()
}

/// Refuses a player file of a finished run whose bytes have changed.
pub(super) fn refuse_altered(path: &Path, bytes: &[u8]) -> Result<(), String> {
    match expected_hash(path) {
        Some(hash) if hash != blake3::hash(bytes).to_string() => Err(format!(
            "it has changed since its run ended, according to {MANIFEST}; train that run again, or copy \
             the file elsewhere to use it as it is"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn players_of_a_finished_run_are_what_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("front")).unwrap();
        let [one, two, other] = ["one", "two", "other"].map(str::as_bytes);
        let is_refused = |name: &str, bytes: &[u8]| refuse_altered(&at(name), bytes).is_err();
        let manifest = |status: &str| {
            let [champion, front] = [one, two].map(|bytes| blake3::hash(bytes).to_string());
            let text = format!(
                "{{\"format\": \"outflank-run\", \"status\": {status:?}, \"more\": {{}}, \
                 \"champion\": \"{champion}\", \"front\": [\"{front}\"]}}"
            );
            fs::write(at(MANIFEST), text).unwrap();
        };
        assert!(!is_refused(CHAMPION, other));
        manifest("running");
        assert!(!is_refused(CHAMPION, other));
        manifest("finished");
        assert!(is_refused(CHAMPION, other) && !is_refused(CHAMPION, one));
        assert!(is_refused("front/1.json", other) && !is_refused("front/1.json", two));
        // The manifest has no hashes of these.
        for name in ["front/0.json", "front/2.json", "front/x.json", "best.json"] {
            assert!(!is_refused(name, other), "{name}");
        }
        fs::write(at(MANIFEST), "{\"manifest_version\": 3}").unwrap();
        assert!(!is_refused(CHAMPION, other));
    }
}
