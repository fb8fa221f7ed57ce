//! The state that survives an interruption, as bytes. Its parts are named sections. A newer program
//! with one more section can still read what an older one saved; the new part then keeps its
//! initial value.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The bytes are not a saved state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

impl From<postcard::Error> for Unreadable {
    fn from(error: postcard::Error) -> Unreadable {
        Unreadable(error.to_string())
    }
}

/// Encodes a value as bytes.
pub fn saved<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data can be written to memory")
}

/// Decodes what [`saved`] returned.
pub fn restored<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    Ok(postcard::from_bytes(bytes)?)
}

/// Named parts. A new part is a new section; a missing part keeps its initial value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections(BTreeMap<String, Vec<u8>>);

impl Sections {
    /// Adds a part.
    #[must_use]
    pub fn with<T: Serialize + ?Sized>(self, name: &str, part: &T) -> Sections {
        self.with_bytes(name, saved(part))
    }

    /// Adds a part that is already bytes.
    #[must_use]
    pub fn with_bytes(mut self, name: &str, part: Vec<u8>) -> Sections {
        self.0.insert(name.into(), part);
        self
    }

    /// Reads a part, if it was saved.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Unreadable> {
        let part = self.0.get(name).map(|bytes| restored(bytes)).transpose();
        part.map_err(|error| Unreadable(format!("{name}: {error}")))
    }

    /// Reads a part that is required.
    pub fn need<T: DeserializeOwned>(&self, name: &str) -> Result<T, Unreadable> {
        self.get(name)?.ok_or_else(|| missing(name))
    }

    /// A required part as bytes.
    pub fn need_bytes(&self, name: &str) -> Result<&[u8], Unreadable> {
        self.0.get(name).map(Vec::as_slice).ok_or_else(|| missing(name))
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All parts as bytes: each name and each part, after its length. They are copied as they are,
    /// because runs with slow generations save before each one.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for text in self.0.iter().flat_map(|(name, part)| [name.as_bytes(), part]) {
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text);
        }
        bytes
    }

    /// Reads what [`Sections::save`] returned.
    pub fn restore(mut bytes: &[u8]) -> Result<Sections, Unreadable> {
        let mut sections = Sections::default();
        while !bytes.is_empty() {
            let name = String::from_utf8(cut(&mut bytes)?.to_vec());
            let name = name.map_err(|_| Unreadable("the name of a section is not text".into()))?;
            sections = sections.with_bytes(&name, cut(&mut bytes)?.to_vec());
        }
        Ok(sections)
    }
}

fn missing(name: &str) -> Unreadable {
    Unreadable(format!("{name} is missing"))
}

/// Takes a length and what follows it from the front.
fn cut<'a>(bytes: &mut &'a [u8]) -> Result<&'a [u8], Unreadable> {
    let short = || Unreadable("a section is cut short".into());
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| short())?;
    let (text, rest) = rest.split_at_checked(length).ok_or_else(short)?;
    *bytes = rest;
    Ok(text)
}

/// The two methods that save and restore a field that holds all state.
macro_rules! keeps {
    ($field:tt) => {
        fn save(&self) -> Vec<u8> {
            $crate::state::saved(&self.$field)
        }

        fn restore(&mut self, saved: &[u8]) -> Result<(), $crate::Unreadable> {
            self.$field = $crate::state::restored(saved)?;
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
        // A part that an older program does not know does no harm.
        let newer = Sections::default().with("games", &7u64).with("front", &vec![1u8]).save();
        assert_eq!(Sections::restore(&newer).unwrap().need::<u64>("games"), Ok(7));
        for end in 0..newer.len() {
            let cut = Sections::restore(&newer[..end]);
            assert!(cut.map_or(true, |read| read.len() < 2), "{end}");
        }
        assert!(Sections::restore(&newer[1..]).is_err());
    }
}
