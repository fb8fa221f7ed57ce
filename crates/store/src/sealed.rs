//! Files that say what they are and whether they are whole: magic, version, content, and the hash of
//! all before it. A flipped bit, a missing or an additional byte is noticed.

/// What a kind of file begins with.
#[derive(Clone, Copy, Debug)]
pub struct Seal {
    /// The first bytes.
    pub magic: &'static [u8; 8],
    /// The version this program writes, and the newest it reads.
    pub version: u32,
    /// What it is called in an error, as `a checkpoint`.
    pub kind: &'static str,
}

/// Why bytes cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealFault {
    /// They are not as they were written.
    Damaged(String),
    /// A newer program wrote them.
    Newer(u32),
}

const HASH: usize = blake3::OUT_LEN;

impl Seal {
    /// The beginning of a file, to which its content is added.
    pub fn begin(self) -> Vec<u8> {
        [&self.magic[..], &self.version.to_le_bytes()].concat()
    }

    /// Closes a file that was begun and filled.
    pub fn close(self, mut bytes: Vec<u8>) -> Vec<u8> {
        debug_assert!(bytes.starts_with(self.magic), "it was begun");
        let hash = blake3::hash(&bytes);
        bytes.extend_from_slice(hash.as_bytes());
        bytes
    }

    /// The content of a file that is whole and of this version.
    pub fn open(self, bytes: &[u8]) -> Result<&[u8], SealFault> {
        let too_short = || SealFault::Damaged(format!("{} bytes are too few", bytes.len()));
        let (content, hash) = bytes.split_last_chunk::<HASH>().ok_or_else(too_short)?;
        let (magic, rest) = content.split_first_chunk().ok_or_else(too_short)?;
        let (version, rest) = rest.split_first_chunk().ok_or_else(too_short)?;
        if magic != self.magic {
            return Err(SealFault::Damaged(format!("it does not begin as {} does", self.kind)));
        }
        if blake3::hash(content) != *hash {
            return Err(SealFault::Damaged("its checksum is wrong".into()));
        }
        // Past the checksum these are the bytes that some program wrote.
        match u32::from_le_bytes(*version) {
            version if version == self.version => Ok(rest),
            version if version > self.version => Err(SealFault::Newer(version)),
            version => Err(SealFault::Damaged(format!("version {version} never was"))),
        }
    }
}
