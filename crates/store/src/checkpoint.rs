//! The bytes of a checkpoint, sealed: the length of the payload, and the payload. It contains the
//! run that the checkpoint belongs to, how far that run is, and the learner's own state.

use serde::{Deserialize, Serialize};

use super::appended::Mark;
use super::history::HistoryMark;
use super::sealed::{Seal, SealFault};

/// A saved state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Generations done.
    pub generation: u64,
    /// Games played.
    pub games: u64,
    /// The learner's state, as it was given.
    pub state: Vec<u8>,
}

/// The part before the learner's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The run that the checkpoint belongs to.
    pub binding: Binding,
    /// Generations done.
    pub generation: u64,
    /// Games played.
    pub games: u64,
    /// `metrics.csv` at that moment.
    pub metrics: Mark,
    /// `champions.bin` at that moment; none in checkpoints of version 1.
    pub champions: Option<HistoryMark>,
}

/// What identifies a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Binding {
    /// The hash of its spec's text.
    pub spec: [u8; 32],
    /// Its seed.
    pub seed: u64,
    /// The stamp of its method with its program.
    pub signature: u64,
}

/// The version this program writes, and the newest it reads.
pub(super) const VERSION: u32 = 2;
const SEAL: Seal = Seal { magic: b"OUTFLCKP", version: VERSION, kind: "a checkpoint" };
/// Checkpoints before there was a history of champions.
const SEAL_1: Seal = Seal { version: 1, ..SEAL };
/// A larger file is not read: it is not a checkpoint of ours.
pub(super) const MAX_BYTES: u64 = 1 << 30;
/// Writes a checkpoint.
pub(super) fn encode(header: &Header, state: &[u8]) -> Vec<u8> {
    let header = postcard::to_stdvec(header).expect("plain numbers can be written to memory");
    let payload = (header.len() + state.len()) as u64;
    let mut bytes = SEAL.begin();
    bytes.extend_from_slice(&payload.to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend_from_slice(state);
    let bytes = SEAL.close(bytes);
    assert!(bytes.len() as u64 <= MAX_BYTES, "a state that could not be read again");
    bytes
}

/// Reads a checkpoint: its header and the learner's state.
pub(super) fn decode(bytes: &[u8]) -> Result<(Header, &[u8]), SealFault> {
    let too_short = || SealFault::Damaged(format!("{} bytes are too few", bytes.len()));
    let is_first =
        bytes.get(SEAL.magic.len()..).is_some_and(|rest| rest.starts_with(&[1, 0, 0, 0]));
    let seal = if is_first { SEAL_1 } else { SEAL };
    let (length, payload) = seal.open(bytes)?.split_first_chunk().ok_or_else(too_short)?;
    if u64::from_le_bytes(*length) != payload.len() as u64 {
        return Err(SealFault::Damaged("its length is wrong".into()));
    }
    let damaged = |error: postcard::Error| SealFault::Damaged(error.to_string());
    if !is_first {
        return postcard::take_from_bytes(payload).map_err(damaged);
    }
    let ((binding, generation, games, metrics), state) =
        postcard::take_from_bytes(payload).map_err(damaged)?;
    Ok((Header { binding, generation, games, metrics, champions: None }, state))
}

/// A checkpoint as programs without a history wrote it.
#[cfg(test)]
pub(super) fn encode_1(header: &Header, state: &[u8]) -> Vec<u8> {
    let Header { binding, generation, games, metrics, .. } = header;
    let header = (binding, generation, games, metrics.length, metrics.hash);
    let header = postcard::to_stdvec(&header).expect("plain numbers can be written to memory");
    let payload = [&header[..], state].concat();
    let length = (payload.len() as u64).to_le_bytes();
    SEAL_1.close([&SEAL_1.begin()[..], &length, &payload].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: usize = blake3::OUT_LEN;

    fn sample() -> Header {
        Header {
            binding: Binding { spec: [7; 32], seed: u64::MAX, signature: 3 },
            generation: 12,
            games: 3456,
            metrics: Mark { length: 78, hash: [9; 32] },
            champions: Some(HistoryMark {
                file: Mark { length: 90, hash: [8; 32] },
                records: 3,
                last: [[6; 32], [5; 32]],
            }),
        }
    }

    /// Any content, with a correct checksum.
    fn sealed(content: &[u8]) -> Vec<u8> {
        [content, blake3::hash(content).as_bytes()].concat()
    }

    #[test]
    fn a_checkpoint_reads_back() {
        for state in [&b""[..], b"state", &[0; 5000]] {
            assert_eq!(decode(&encode(&sample(), state)), Ok((sample(), state)));
        }
    }

    #[test]
    fn a_checkpoint_of_the_first_version_reads_back_without_a_history() {
        let bytes = encode_1(&sample(), b"state");
        assert_eq!(&bytes[..12], b"OUTFLCKP\x01\0\0\0");
        assert_eq!(decode(&bytes), Ok((Header { champions: None, ..sample() }, &b"state"[..])));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let mut bytes = encode(&sample(), b"the learner's state");
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(decode(&bytes), Err(SealFault::Damaged(_))), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(decode(&bytes).is_ok());
    }

    #[test]
    fn every_length_but_the_right_one_is_noticed() {
        let mut bytes = encode(&sample(), b"the learner's state");
        for length in 0..bytes.len() {
            assert!(
                matches!(decode(&bytes[..length]), Err(SealFault::Damaged(_))),
                "{length} bytes"
            );
        }
        for _ in 0..100 {
            bytes.push(0);
            assert!(matches!(decode(&bytes), Err(SealFault::Damaged(_))), "{} bytes", bytes.len());
        }
        let twice = encode(&sample(), b"").repeat(2);
        assert!(matches!(decode(&twice), Err(SealFault::Damaged(_))));
    }

    #[test]
    fn a_newer_version_is_newer_only_with_a_right_checksum() {
        let bytes = encode(&sample(), b"state");
        let mut content = bytes[..bytes.len() - HASH].to_vec();
        content[8] = 3;
        assert_eq!(decode(&sealed(&content)), Err(SealFault::Newer(3)));
        assert_eq!(decode(&sealed(&content[..12])), Err(SealFault::Newer(3)));
        content[8] = 0;
        assert_eq!(
            decode(&sealed(&content)),
            Err(SealFault::Damaged("version 0 never was".into()))
        );
    }

    #[test]
    fn a_wrong_length_or_payload_with_a_right_checksum_is_noticed() {
        let bytes = encode(&sample(), b"state");
        let content = &bytes[..bytes.len() - HASH];
        for length in [0, 1, u64::MAX, u64::MAX / 2, 1 << 40] {
            let mut content = content.to_vec();
            content[12..20].copy_from_slice(&length.to_le_bytes());
            let wrong = Err(SealFault::Damaged("its length is wrong".into()));
            assert_eq!(decode(&sealed(&content)), wrong);
        }
        let mut content = content[..12].to_vec();
        content.extend_from_slice(&3u64.to_le_bytes());
        content.extend_from_slice(&[0xff; 3]);
        assert!(matches!(decode(&sealed(&content)), Err(SealFault::Damaged(_))));
    }
}
