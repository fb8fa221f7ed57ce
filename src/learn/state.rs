//! What must survive an interruption, as bytes. The parts of a whole are sections with a name: a newer
//! program that keeps one more still reads what an older one has saved, and takes the part as it is at
//! first.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes that are not what was saved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

impl From<postcard::Error> for Unreadable {
    fn from(error: postcard::Error) -> Unreadable {
        Unreadable(error.to_string())
    }
}

/// Something as bytes.
pub fn saved<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data can be written to memory")
}

/// What [`saved`] gave as bytes.
pub fn restored<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    Ok(postcard::from_bytes(bytes)?)
}

/// Parts with names. A new part is a new section; one that is missing is as it is at first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections(BTreeMap<String, Vec<u8>>);

impl Sections {
    /// Adds a part.
    #[must_use]
    pub fn with<T: Serialize + ?Sized>(mut self, name: &str, part: &T) -> Sections {
        self.0.insert(name.into(), saved(part));
        self
    }

    /// A part, if it was saved.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Unreadable> {
        let part = self.0.get(name).map(|bytes| restored(bytes)).transpose();
        part.map_err(|error| Unreadable(format!("{name}: {error}")))
    }

    /// A part without which there is nothing to go on from.
    pub fn need<T: DeserializeOwned>(&self, name: &str) -> Result<T, Unreadable> {
        self.get(name)?.ok_or_else(|| Unreadable(format!("{name} is missing")))
    }

    /// All of them as bytes.
    pub fn save(&self) -> Vec<u8> {
        saved(&self.0)
    }

    /// What [`Sections::save`] gave.
    pub fn restore(bytes: &[u8]) -> Result<Sections, Unreadable> {
        Ok(Sections(restored(bytes)?))
    }
}

/// The two methods that save and restore a field which holds all that changes.
macro_rules! keeps {
    ($field:tt) => {
        fn save(&self) -> Vec<u8> {
            $crate::learn::state::saved(&self.$field)
        }

        fn restore(&mut self, saved: &[u8]) -> Result<(), $crate::learn::Unreadable> {
            self.$field = $crate::learn::state::restored(saved)?;
            Ok(())
        }
    };
}
pub(super) use keeps;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_an_older_program_did_not_save_is_missing_and_the_others_are_there() {
        let older = Sections::default().with("games", &7u64).save();
        let read = Sections::restore(&older).unwrap();
        assert_eq!(read.need::<u64>("games"), Ok(7));
        assert_eq!(read.get::<Vec<u8>>("front"), Ok(None));
        assert_eq!(read.need::<u64>("front"), Err(Unreadable("front is missing".into())));
        // And a part that an older program does not know is left alone.
        let newer = Sections::default().with("games", &7u64).with("front", &vec![1u8]).save();
        assert_eq!(Sections::restore(&newer).unwrap().need::<u64>("games"), Ok(7));
        assert!(Sections::restore(&newer[1..]).is_err());
    }
}
