//! `manifest.json`: which run it is, how far it is, and its circumstances, the only part that may
//! differ between equal runs.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::RunError;
use super::folder::Folder;
use super::sealed_json;

/// The name of the file.
pub(super) const MANIFEST: &str = "manifest.json";
const FORMAT: &str = "outflank-run";
/// The version this program writes, and the newest it reads.
const VERSION: u32 = 1;
/// A larger file is not a manifest.
const MAX_BYTES: u64 = 16 << 20;

/// The content of a manifest of the present version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub format: String,
    pub version: u32,
    /// The version of the program.
    pub program: String,
    /// The stamp of the method with the program.
    #[serde(with = "hexadecimal")]
    pub signature: u64,
    pub seed: u64,
    /// The short name of the spec.
    pub spec: String,
    #[serde(flatten)]
    pub status: Status,
    pub started: String,
    /// When this was last written.
    pub updated: String,
    pub host: String,
    /// Other entries: threads, kernel, command line.
    #[serde(default)]
    pub circumstances: Map<String, Value>,
    /// The hash of all the rest; manifests of older programs have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
}

/// How far the run is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub(super) enum Status {
    Running,
    /// It was interrupted, and its state was saved.
    Interrupted,
    Finished {
        generations: u64,
        games: u64,
        /// The hash of `metrics.csv`.
        metrics: String,
        /// The hash of `champion.json`.
        champion: String,
        /// The hash of `champions.bin`; runs of older programs have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        champions: Option<String>,
        /// The hashes of the players of the front, if there is one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        front: Vec<String>,
    },
}

/// What was found instead of a manifest.
#[derive(Debug)]
pub(super) enum Found {
    Missing,
    /// Not ours.
    Foreign,
    Damaged(String),
    Whole(Box<Manifest>),
}

impl Manifest {
    /// Reads the manifest of a run directory, if that is what is there.
    pub fn read(folder: &Folder) -> Result<Found, RunError> {
        let Some(bytes) = folder.read(MANIFEST, MAX_BYTES)? else {
            return Ok(Found::Missing);
        };
        let value: Value = match serde_json::from_slice(&bytes) {
            Ok(value) => value,
            Err(error) => return Ok(Found::Damaged(format!("not JSON: {error}"))),
        };
        if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Ok(Found::Foreign);
        }
        match value.get("version").and_then(Value::as_u64) {
            Some(version) if version > u64::from(VERSION) => {
                let path = folder.file(MANIFEST);
                return Err(RunError::Newer { path, version, newest: VERSION });
            }
            Some(version) if version == u64::from(VERSION) => {}
            _ => return Ok(Found::Damaged(format!("expected \"version\": {VERSION}"))),
        }
        if !sealed_json::is_whole(&value) {
            return Ok(Found::Damaged("its checksum is wrong".into()));
        }
        Ok(match serde_json::from_value(value) {
            Ok(manifest) => Found::Whole(Box::new(manifest)),
            Err(error) => Found::Damaged(error.to_string()),
        })
    }

    /// The manifest of a run that is about to begin.
    pub fn new(program: &str, signature: u64, seed: u64, spec: String) -> Manifest {
        Manifest {
            format: FORMAT.into(),
            version: VERSION,
            program: program.into(),
            signature,
            seed,
            spec,
            status: Status::Running,
            started: now(),
            updated: now(),
            host: super::host(),
            circumstances: Map::new(),
            checksum: None,
        }
    }

    /// Says whether the run is finished.
    pub fn is_finished(&self) -> bool {
        matches!(self.status, Status::Finished { .. })
    }

    /// Writes it with the current time.
    pub fn write(&mut self, folder: &Folder) -> Result<(), RunError> {
        self.updated = now();
        self.host = super::host();
        self.checksum = Some(sealed_json::checksum(self));
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is plain JSON");
        text.push('\n');
        folder.write(MANIFEST, text.as_bytes())
    }
}

fn now() -> String {
    written(SystemTime::now())
}

/// A time as text. A clock that is far off must not stop a run, so the time is limited to what can
/// be written.
fn written(time: SystemTime) -> String {
    /// The last second of the year 9999.
    const LAST: Duration = Duration::from_secs(253_402_300_799);
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    humantime::format_rfc3339_seconds(SystemTime::UNIX_EPOCH + since.min(LAST)).to_string()
}

/// A 64-bit number as 16 hexadecimal digits, the form of signatures.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{number:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16)
            .map_err(|_| D::Error::custom(format!("{text:?} is not a signature")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_of_any_age_ends_no_run() {
        let ages = Duration::from_secs(300_000_000_000);
        for (time, expected) in [
            (SystemTime::UNIX_EPOCH - Duration::from_secs(1), "1970-01-01T00:00:00Z"),
            (SystemTime::UNIX_EPOCH - ages, "1970-01-01T00:00:00Z"),
            (SystemTime::UNIX_EPOCH + Duration::from_secs(86_400), "1970-01-02T00:00:00Z"),
            (SystemTime::UNIX_EPOCH + ages, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(written(time), expected);
        }
    }
}
