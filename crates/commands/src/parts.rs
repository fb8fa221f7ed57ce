//! Long single commands in parts: each process plays one, and whoever asks without a part gets the
//! sum. The same bytes come out as without parts.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{fmt, fs};

use outflank_arena::{Arena, Meeting, Tally, Watch};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::blocks::{Blocks, Cut, Doing};

/// Which part of a command a process does, and where the parts are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parts {
    /// The folder of the parts; the whole is done here if there is none.
    pub folder: Option<PathBuf>,
    /// The part: `3/40`, from 0, or `env/40` for the number of this task of an array. If there is
    /// none, the parts in the folder are put together.
    pub part: Option<String>,
}

/// The most parts of a command.
const MOST: u64 = 100_000;

impl Parts {
    /// The work cut as it was asked for; none if it is not.
    pub(crate) fn cut(&self, name: &str, depends_on: &str) -> Result<Option<Cut>, Error> {
        let Some(folder) = &self.folder else {
            return match &self.part {
                None => Ok(None),
                Some(_) => Err(Error::Usage("a part needs a folder of parts".into())),
            };
        };
        let version = env!("CARGO_PKG_VERSION");
        let key = blake3::hash(format!("{version} {name} {depends_on}").as_bytes()).to_hex();
        let (of, doing) = match &self.part {
            None => (self.found(name)?, Doing::Nothing),
            Some(part) => {
                let (number, of) = parse(part)?;
                (of, Doing::Some(BTreeSet::from([number])))
            }
        };
        let (name, key, places) = (name.to_owned(), key.to_string(), vec![folder.clone()]);
        Ok(Some(Cut { name, key, of, places, doing }))
    }

    /// Into how many parts the work in the folder was cut.
    fn found(&self, name: &str) -> Result<u64, Error> {
        let folder = self.folder.clone().unwrap_or_default();
        let names = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.strip_suffix(".block")?.split_once("-of-")?.1.parse::<u64>().ok()
        });
        let found: BTreeSet<u64> = names.flatten().collect();
        let folder = folder.display();
        match found.iter().copied().collect::<Vec<u64>>()[..] {
            [of] if (1..=MOST).contains(&of) => Ok(of),
            [] => Err(Error::Usage(format!(
                "there are no parts of {name} in {folder}; --part 0/N makes the first of N"
            ))),
            _ => Err(Error::Usage(format!(
                "{folder} has parts of {} cuts ({found:?}); use a folder for each",
                found.len()
            ))),
        }
    }

    /// Plays meetings: all of them, one part, or none if others did.
    pub(crate) fn play(
        &self,
        name: &str,
        depends_on: impl FnOnce() -> String,
        arena: &Arena,
        meetings: &[Meeting<'_>],
        watch: &dyn Watch,
    ) -> Result<Vec<Tally>, Error> {
        if *self == Parts::default() {
            return Ok(arena.play(meetings, watch)?);
        }
        let Some(cut) = self.cut(name, &depends_on())? else {
            return Ok(arena.play(meetings, watch)?);
        };
        match cut.play(arena, meetings, watch)? {
            Ok(_) if self.part.is_some() => Err(self.done(&cut, &[])),
            Ok(tallies) => Ok(tallies),
            Err(missing) => Err(self.done(&cut, &missing)),
        }
    }

    /// What is said at the end of a part, or if parts are missing.
    pub(crate) fn done(&self, cut: &Cut, missing: &[u64]) -> Error {
        let folder = self.folder.clone().unwrap_or_default();
        let numbers = crate::study::ranges(missing.iter().map(|number| *number as usize));
        let (folder, of) = (folder.display().to_string(), cut.of);
        match &cut.doing {
            Doing::Some(parts) => Error::PartDone(PartDone {
                part: parts.first().copied().unwrap_or_default(),
                parts: of,
                folder,
                missing: missing.to_vec(),
            }),
            Doing::All | Doing::Nothing => Error::Failed(format!(
                "{} of {of} parts of {} are missing in {folder}: {numbers}; make them with --part \
                 K/{of}",
                missing.len(),
                cut.name
            )),
        }
    }

    /// The parts of anything, put together in order.
    pub(crate) fn all<T: Serialize + serde::de::DeserializeOwned>(
        &self,
        cut: &Cut,
        watch: &dyn Watch,
        make: &mut dyn FnMut(u64) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        match cut.blocks(watch, make)? {
            Blocks::Whole(_) if self.part.is_some() => Err(self.done(cut, &[])),
            Blocks::Whole(blocks) => Ok(blocks),
            Blocks::Missing(missing) => Err(self.done(cut, &missing)),
        }
    }
}

/// What is said of a part that is done, in place of the answer of the whole command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartDone {
    /// Its number, from 0.
    pub part: u64,
    /// Into how many parts the work is cut.
    pub parts: u64,
    /// The folder of the parts.
    pub folder: String,
    /// The numbers of those that are not done yet.
    pub missing: Vec<u64>,
}

impl fmt::Display for PartDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PartDone { parts, folder, missing, .. } = self;
        if missing.is_empty() {
            return write!(
                f,
                "all {parts} parts are done in {folder}; the same command without --part puts \
                 them together"
            );
        }
        let numbers = crate::study::ranges(missing.iter().map(|number| *number as usize));
        let some = missing.len();
        write!(f, "the part is done in {folder}; {some} of {parts} are missing: {numbers}")
    }
}

/// Reads `3/40` or `env/40`.
fn parse(text: &str) -> Result<(u64, u64), Error> {
    let expected = || {
        let most = format!("at most {MOST} parts");
        Error::Usage(format!("part {text:?}: expected e.g. 3/40 or env/40, with {most}"))
    };
    let (_, of) = text.split_once('/').ok_or_else(expected)?;
    let of: u64 =
        of.trim().parse().ok().filter(|of| (1..=MOST).contains(of)).ok_or_else(expected)?;
    // Every part is a share of one piece.
    let work: Vec<(usize, u64)> = (0..of as usize).map(|number| (number, 1)).collect();
    let variable = |name: &str| std::env::var(name).ok();
    let picked = crate::study::pick(text, of as usize, &work, &variable)?;
    let number = picked.first().ok_or_else(expected)?;
    Ok((*number as u64, of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_from_0() {
        assert_eq!(parse("3/40").unwrap(), (3, 40));
        assert_eq!(parse("0/1").unwrap(), (0, 1));
        for bad in ["", "3", "40/40", "x/40", "1/0", "1/x", "1/1000000"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
