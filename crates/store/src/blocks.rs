//! Bytes in blocks: length, bytes, and a hash of the block's number and bytes.

const LENGTH: usize = 4;
const HASH: usize = blake3::OUT_LEN;
/// What a block takes beside its bytes.
#[cfg(test)]
pub(super) const OVERHEAD: usize = LENGTH + HASH;

/// A block as it is in the file.
pub(super) fn sealed(number: u64, block: &[u8]) -> Vec<u8> {
    let length = u32::try_from(block.len()).expect("blocks of some seconds of work are small");
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend_from_slice(block);
    bytes.extend_from_slice(hash(number, block).as_bytes());
    bytes
}

fn hash(number: u64, block: &[u8]) -> blake3::Hash {
    blake3::Hasher::new().update(&number.to_le_bytes()).update(block).finalize()
}

/// The block of this number and what follows it; `None` if it is not whole.
pub(super) fn first_block(number: u64, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    let (block, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let (found, rest) = rest.split_first_chunk::<HASH>()?;
    (hash(number, block) == *found).then_some((block, rest))
}
