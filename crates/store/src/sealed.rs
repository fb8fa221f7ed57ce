//! Files that identify themselves and detect damage: magic number, version, content, and a hash of
//! everything before. A flipped bit or a missing or extra byte is noticed.

/// The beginning of a kind of file.
#[derive(Clone, Copy, Debug)]
pub struct Seal {
    /// The first bytes.
    pub magic: &'static [u8; 8],
    /// The version this program writes, and the newest it reads.
    pub version: u32,
    /// Its name in errors, such as `a checkpoint`.
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

    /// Adds the hash to a file that was begun and filled.
    pub fn close(self, mut bytes: Vec<u8>) -> Vec<u8> {
        debug_assert!(bytes.starts_with(self.magic), "it was begun");
        let hash = blake3::hash(&bytes);
        bytes.extend_from_slice(hash.as_bytes());
        bytes
    }

    /// The content of an intact file of this version.
    pub fn open(self, bytes: &[u8]) -> Result<&[u8], SealFault> {
        let too_short = || SealFault::Damaged(format!("{} bytes are too few", bytes.len()));
        let (content, hash) = bytes.split_last_chunk::<HASH>().ok_or_else(too_short)?;
        let (magic, rest) = content.split_first_chunk().ok_or_else(too_short)?;
        let (version, rest) = rest.split_first_chunk().ok_or_else(too_short)?;
        if magic != self.magic {
            return Err(SealFault::Damaged(format!("it does not begin like {}", self.kind)));
        }
        if blake3::hash(content) != *hash {
            return Err(SealFault::Damaged("its checksum is wrong".into()));
        }
        // With a correct checksum, some program wrote these bytes.
        match u32::from_le_bytes(*version) {
            version if version == self.version => Ok(rest),
            version if version > self.version => Err(SealFault::Newer(version)),
            version => Err(SealFault::Damaged(format!("version {version} never was"))),
        }
    }
}
