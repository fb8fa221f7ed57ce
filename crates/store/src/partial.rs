//! A file that takes long to make. Finished parts are kept in a folder beside it, `FILE.part`,
//! block by block: length, bytes, and a hash of the block's number and bytes. The first block, the
//! head, says what the file will be. If the process is killed at any moment, at most the last block
//! is lost.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::RunError;
use super::blocks::{first_block, sealed};
use super::folder::{Folder, Lock, failed};

/// The file of the blocks.
const BLOCKS: &str = "blocks";
/// A larger file is not read: it is not ours.
const MAX_BYTES: u64 = 1 << 30;

/// An unfinished file, locked.
#[derive(Debug)]
pub struct Partial {
    /// The folder of the file, and its name.
    home: Folder,
    name: String,
    folder: Folder,
    /// The bytes of complete blocks, and their number including the head.
    length: u64,
    blocks: u64,
    _lock: Lock,
}

/// What was kept of it.
#[derive(Debug, PartialEq, Eq)]
pub struct KeptBlocks {
    /// What the file will be.
    pub head: Vec<u8>,
    /// The blocks, in order.
    pub blocks: Vec<Vec<u8>>,
    /// What is wrong with the rest, if there is any.
    pub damage: Option<String>,
}

impl Partial {
    /// Where a file's blocks are kept: `FILE.part`.
    pub fn path(out: &Path) -> PathBuf {
        let mut path = out.as_os_str().to_owned();
        path.push(".part");
        path.into()
    }

    /// Continues a file, or begins it with this head. Blocks with another head are not changed
    /// unless a block is added.
    pub fn open(out: &Path, head: &[u8]) -> Result<(Partial, KeptBlocks), RunError> {
        let (home, name) = home_and_name(out)?;
        let folder = Folder::create(&Partial::path(out))?;
        let lock = folder.try_lock()?;
        let bytes = folder.read(BLOCKS, MAX_BYTES)?;
        let (mut kept, mut length) = read_blocks(bytes.as_deref().unwrap_or_default());
        if length == 0 {
            let block = sealed(0, head);
            folder.write(BLOCKS, &block)?;
            length = block.len();
            let damage = kept.damage.filter(|_| bytes.is_some());
            kept = KeptBlocks { head: head.into(), blocks: Vec::new(), damage };
        }
        let blocks = 1 + kept.blocks.len() as u64;
        let partial = Partial { home, name, folder, length: length as u64, blocks, _lock: lock };
        Ok((partial, kept))
    }

    /// Adds a block and flushes it to disk.
    pub fn add(&mut self, block: &[u8]) -> Result<(), RunError> {
        let block = sealed(self.blocks, block);
        self.folder.write_end(BLOCKS, self.length, &block)?;
        self.length += block.len() as u64;
        self.blocks += 1;
        Ok(())
    }

    /// Writes the complete file, and removes its blocks.
    pub fn finish(self, bytes: &[u8]) -> Result<(), RunError> {
        self.home.write(&self.name, bytes)?;
        self.discard();
        Ok(())
    }

    /// Removes the blocks. It does no harm if they cannot be removed.
    fn discard(self) {
        let _ = self.folder.remove(BLOCKS).and_then(|()| self.folder.remove_with_lock());
    }

    /// Removes blocks beside a complete file, left by a process that was killed at its end.
    pub fn sweep(out: &Path) {
        if !Partial::path(out).is_dir() {
            return;
        }
        if let Ok((partial, _)) = Partial::open(out, &[]) {
            partial.discard();
        }
    }
}

/// The folder of a file, which must exist, and the file's name.
fn home_and_name(out: &Path) -> Result<(Folder, String), RunError> {
    let refuse = |kind: io::ErrorKind, problem: String| {
        Err(failed("write", out)(io::Error::new(kind, problem)))
    };
    let Some(name) = out.file_name().and_then(|name| name.to_str()) else {
        return refuse(io::ErrorKind::InvalidInput, "that is not a file name".into());
    };
    let home = match out.parent() {
        Some(home) if !home.as_os_str().is_empty() => home,
        _ => Path::new("."),
    };
    match fs::metadata(home) {
        Ok(metadata) if metadata.is_dir() => Ok((Folder::at(home), name.into())),
        _ => {
            let problem = format!("there is no folder {}", home.display());
            refuse(io::ErrorKind::NotFound, problem)
        }
    }
}

/// The blocks before the first incomplete one, and how many bytes they take.
fn read_blocks(bytes: &[u8]) -> (KeptBlocks, usize) {
    let mut blocks = Vec::new();
    let mut rest = bytes;
    while let Some((block, after)) = first_block(blocks.len() as u64, rest) {
        blocks.push(block.to_vec());
        rest = after;
    }
    let length = bytes.len() - rest.len();
    let damage = (!rest.is_empty() || blocks.is_empty())
        .then(|| format!("its last {} bytes are damaged or were not written whole", rest.len()));
    let head = if blocks.is_empty() { Vec::new() } else { blocks.remove(0) };
    (KeptBlocks { head, blocks, damage }, length)
}

#[cfg(test)]
mod tests {
    use super::super::blocks::OVERHEAD;
    use super::super::faults::{Fault, Tear, with_fault};
    use super::*;
    use tempfile::tempdir;

    const BLOCKS_OF_IT: usize = 4;

    /// Makes a file, or continues it.
    fn make(out: &Path) -> Result<(), RunError> {
        if out.exists() {
            Partial::sweep(out);
            return Ok(());
        }
        let (mut partial, kept) = Partial::open(out, b"head")?;
        assert_eq!((kept.head, kept.damage.map(|_| ())), (b"head".to_vec(), None));
        for (number, block) in kept.blocks.iter().enumerate() {
            assert_eq!(*block, block_of(number));
        }
        for number in kept.blocks.len()..BLOCKS_OF_IT {
            partial.add(&block_of(number))?;
        }
        partial.finish(b"whole")
    }

    fn block_of(number: usize) -> Vec<u8> {
        vec![number as u8; 5 * number]
    }

    #[test]
    fn failing_at_any_operation_a_file_is_whole_in_the_end_and_nothing_else_is_left() {
        for tear in [Tear::Nothing, Tear::Half] {
            for fault in [Fault::From as fn(usize) -> Fault, Fault::Only] {
                for at in 1.. {
                    let folder = tempdir().unwrap();
                    let out = folder.path().join("x.db");
                    let (_, reached) = with_fault(fault(at), tear, || make_torn(&out));
                    if !reached {
                        assert!(at > 20, "{at}");
                        break;
                    }
                    make_torn(&out).unwrap();
                    make_torn(&out).unwrap();
                    assert_eq!(fs::read(&out).unwrap(), b"whole");
                    let left = fs::read_dir(folder.path()).unwrap().count();
                    assert_eq!(left, 1, "operation {at}");
                }
            }
        }
    }

    /// A half-written block is damage; it is written again.
    fn make_torn(out: &Path) -> Result<(), RunError> {
        if !out.exists() {
            let (mut partial, kept) = Partial::open(out, b"head")?;
            if kept.damage.is_some() {
                partial.add(&block_of(kept.blocks.len()))?;
            }
        }
        make(out)
    }

    #[test]
    fn damage_anywhere_leaves_the_blocks_before_it() {
        let folder = tempdir().unwrap();
        let out = folder.path().join("x.db");
        let (mut partial, _) = Partial::open(&out, b"head").unwrap();
        for number in 0..BLOCKS_OF_IT {
            partial.add(&block_of(number)).unwrap();
        }
        drop(partial);
        let mut bytes = fs::read(Partial::path(&out).join(BLOCKS)).unwrap();
        let (whole, length) = read_blocks(&bytes);
        assert_eq!((length, whole.blocks.len(), &whole.damage), (bytes.len(), BLOCKS_OF_IT, &None));
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let (kept, length) = read_blocks(&bytes);
            assert!(kept.damage.is_some() && length <= bit / 8);
            assert!(whole.blocks.starts_with(&kept.blocks));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        for cut in 0..bytes.len() {
            let (kept, length) = read_blocks(&bytes[..cut]);
            assert_eq!(kept.damage.is_some(), length < cut || cut == 0);
            assert!(whole.blocks.starts_with(&kept.blocks));
        }
        // Blocks in another order are refused.
        let (first, rest) = bytes.split_at(OVERHEAD + 4);
        assert!(read_blocks(&[rest, first].concat()).0.blocks.is_empty());
    }

    #[test]
    fn a_file_without_a_name_or_folder_is_refused() {
        let folder = tempdir().unwrap();
        for (path, problem) in [("none/x.db", "there is no folder"), ("..", "not a file name")] {
            let error = Partial::open(&folder.path().join(path), b"head").unwrap_err().to_string();
            assert!(error.starts_with("cannot write") && error.contains(problem), "{error}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
