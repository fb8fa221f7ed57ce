//! Lists of names of WTHOR databases: players (`.jou`, 20 bytes each) and tournaments (`.trn`, 26).
//!
//! The header is that of a database, with the number of names at byte 8. A name is Latin-1 and ends
//! with a zero.

use super::{HEADER, WthorFault};

/// Which list it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WthorList {
    /// Names of players.
    Players,
    /// Names of tournaments.
    Tournaments,
}

impl WthorList {
    /// The bytes of a name, of which the last is zero.
    pub fn width(self) -> usize {
        match self {
            WthorList::Players => 20,
            WthorList::Tournaments => 26,
        }
    }

    /// How the names of its files end.
    pub fn ending(self) -> &'static str {
        match self {
            WthorList::Players => "jou",
            WthorList::Tournaments => "trn",
        }
    }

    /// A name as the list can hold it: Latin-1 without control characters, cut to its width.
    pub fn fitted(self, name: &str) -> String {
        let latin = |letter: char| match u32::from(letter) {
            _ if letter.is_control() => '?',
            0..=0xff => letter,
            _ => '?',
        };
        let name: String = name.trim().chars().map(latin).take(self.width() - 1).collect();
        name.trim().into()
    }
}

/// Reads a list of names.
pub fn parse_wthor_names(bytes: &[u8], list: WthorList) -> Result<Vec<String>, WthorFault> {
    if bytes.is_empty() {
        return Err(WthorFault::Empty);
    }
    let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(WthorFault::Header { found: bytes.len() });
    };
    let claimed = u16::from_le_bytes([header[8], header[9]]);
    let width = list.width();
    if body.len() != usize::from(claimed) * width {
        return Err(WthorFault::NameCount { claimed, width, found: bytes.len() });
    }
    let name = |field: &[u8]| {
        let letters = field.iter().take_while(|byte| **byte != 0);
        letters.map(|byte| char::from(*byte)).collect::<String>().trim().to_owned()
    };
    Ok(body.chunks(width).map(name).collect())
}

/// Writes a list of names; those that do not fit are cut. `None` if there are more than 65,535.
pub fn write_wthor_names(names: &[String], list: WthorList, written: [u8; 4]) -> Option<Vec<u8>> {
    let number = u16::try_from(names.len()).ok()?;
    let mut bytes = written.to_vec();
    bytes.extend([0; 4]);
    bytes.extend(number.to_le_bytes());
    bytes.resize(HEADER, 0);
    for name in names {
        let end = bytes.len() + list.width();
        // All letters of a name that fits are below 256.
        bytes.extend(list.fitted(name).chars().map(|letter| letter as u8));
        bytes.resize(end, 0);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_and_read() {
        for list in [WthorList::Players, WthorList::Tournaments] {
            let names = ["", "Zoë", "a-name-longer-than-any-list-allows", "tab\there", "日本"];
            let names = names.map(String::from);
            let bytes = write_wthor_names(&names, list, [20, 26, 1, 2]).unwrap();
            assert_eq!(bytes.len(), 16 + 5 * list.width());
            let read = parse_wthor_names(&bytes, list).unwrap();
            assert_eq!(read, names.each_ref().map(|name| list.fitted(name)));
            assert_eq!((&*read[1], &*read[3], &*read[4]), ("Zoë", "tab?here", "??"));
            assert_eq!(read[2].len(), list.width() - 1);
        }
        let many = vec![String::new(); 1 << 16];
        assert_eq!(write_wthor_names(&many, WthorList::Players, [0; 4]), None);
    }

    #[test]
    fn a_damaged_list_is_refused() {
        let bytes = write_wthor_names(&["a".into(), "b".into()], WthorList::Players, [0; 4]);
        let bytes = bytes.unwrap();
        let message = |bytes: &[u8], list| parse_wthor_names(bytes, list).unwrap_err().to_string();
        assert_eq!(
            message(&bytes[..50], WthorList::Players),
            "the header says 2 names of 20 bytes, expected 56 bytes, found 50"
        );
        assert!(message(&bytes, WthorList::Tournaments).contains("expected 68 bytes, found 56"));
        assert_eq!(message(&[], WthorList::Players), "the file is empty");
        assert!(message(&bytes[..9], WthorList::Players).contains("after 9 of the 16 bytes"));
    }
}
