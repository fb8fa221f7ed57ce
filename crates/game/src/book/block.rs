//! A block of a book file: up to [`POSITIONS`] neighbouring positions in as few bytes as they need.
//! Most positions of a book were seen once, and take about a dozen bytes.
//!
//! Of a position: how far its occupied squares, as a number, are from those of the position before;
//! which of them are own, one bit for each occupied square; twice the number of moves, and one more
//! if it is proved. Of a move, best first: a byte with the square and two flags; the games, of
//! which a single one is known by its margin; the sum of the margins; the value, unless it is their
//! mean.

use super::Key;
use super::table::{BookMove, Record, Table, Value};
use super::varint::{Reader, put, put_signed};
use crate::othello::Square;
use outflank_kernel::rng::mix;

/// Positions of a block.
pub(super) const POSITIONS: usize = 64;

/// Flags beside the square of a move: played in one game, and worth the mean of its games.
const ONCE: u8 = 1 << 6;
const PLAIN: u8 = 1 << 7;
/// Two discs beyond what can be lost: a move that is not the best of a lost position.
const MOST_VALUE: i16 = 6600;

/// Positions in the order of their keys.
#[derive(Debug)]
pub(super) struct Block {
    /// A byte of each key: a look-up waits for memory, and here it sees all of them at once.
    tags: [u8; POSITIONS],
    places: Box<[Place]>,
    /// Best moves first.
    moves: Box<[BookMove]>,
}

/// A position, with what is needed next beside it.
#[derive(Clone, Copy, Debug)]
struct Place {
    key: Key,
    /// The number of its first move, and the number of its moves.
    first: u16,
    number: u8,
    proved: bool,
}

/// A position of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub key: Key,
    pub proved: bool,
    pub moves: &'a [BookMove],
}

impl Block {
    /// The position with this key.
    #[inline]
    pub fn find(&self, key: Key) -> Option<Entry<'_>> {
        let tag = tag(key);
        let alike = self.places.iter().zip(&self.tags).filter(|(_, other)| **other == tag);
        let found = alike.map(|(place, _)| place).find(|place| place.key == key);
        found.map(|place| self.entry(place))
    }

    /// All positions.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.places.iter().map(|place| self.entry(place))
    }

    #[inline]
    fn entry(&self, place: &Place) -> Entry<'_> {
        let Place { key, first, number, proved } = *place;
        let moves = &self.moves[usize::from(first)..][..usize::from(number)];
        Entry { key, proved, moves }
    }

    /// Reads the bytes of a block whose first key is known; `None` if they are none.
    pub fn read(first: Key, bytes: &[u8]) -> Option<Block> {
        let (mut places, mut moves) = (Vec::<Place>::new(), Vec::new());
        let mut reader = Reader(bytes);
        let mut before = first.parts()[0];
        while !reader.0.is_empty() {
            let occupied = before.checked_add(reader.number()?)?;
            let own = spread(reader.number()?, occupied)?;
            let key = Key::new(occupied, own)?;
            let in_order = places.last().map_or(key == first, |last| last.key < key);
            let head = reader.number()?;
            if !in_order || places.len() == POSITIONS {
                return None;
            }
            let (number, proved) = (u8::try_from(head >> 1).ok()?, head & 1 == 1);
            places.push(Place { key, first: u16::try_from(moves.len()).ok()?, number, proved });
            read_moves(key, number, proved, &mut reader, &mut moves)?;
            before = occupied;
        }
        let mut tags = [0; POSITIONS];
        tags.iter_mut().zip(&places).for_each(|(of, place)| *of = tag(place.key));
        let block = Block { tags, places: places.into(), moves: moves.into() };
        (!block.places.is_empty()).then_some(block)
    }
}

/// A byte that tells most keys apart.
#[inline]
fn tag(key: Key) -> u8 {
    let [occupied, own] = key.parts();
    (mix(occupied ^ own.rotate_left(32)) >> 56) as u8
}

fn read_moves(
    key: Key,
    number: u8,
    proved: bool,
    reader: &mut Reader<'_>,
    moves: &mut Vec<BookMove>,
) -> Option<()> {
    let (legal, first) = (key.board().moves(), moves.len());
    let (_, ways) = Key::of(key.board());
    if !(1..=legal.len()).contains(&u32::from(number)) {
        return None;
    }
    for _ in 0..number {
        let mut of = read_move(reader)?;
        let before = &moves[first..];
        let is_new = before.iter().all(|other| other.at != of.at);
        let in_order = before.last().is_none_or(|last| rank(last) <= rank(&of));
        // Of moves that are symmetric to each other the first stands for all.
        if !legal.has(of.at) || !is_new || !in_order || ways.forth(of.at) != of.at {
            return None;
        }
        of.exact = proved && before.first().is_none_or(|best| best.value == of.value);
        moves.push(of);
    }
    Some(())
}

fn read_move(reader: &mut Reader<'_>) -> Option<BookMove> {
    let head = reader.byte()?;
    let at = Square::new(usize::from(head & 63))?;
    let record = if head & ONCE != 0 {
        let discs = reader.signed()?;
        let is = |sign: i64| u32::from(discs.signum() == sign);
        Record { wins: is(1), draws: is(0), losses: is(-1), discs }
    } else {
        let [wins, draws, losses] = [reader.small()?, reader.small()?, reader.small()?];
        Record { wins, draws, losses, discs: reader.signed()? }
    };
    // A single game has one way of being written, like everything else.
    let is_once = record.visits() == 1;
    if record.discs.unsigned_abs() > 64 * record.visits() || is_once != (head & ONCE != 0) {
        return None;
    }
    let value = match head & PLAIN {
        0 => i16::try_from(reader.signed()?).ok().map(Value)?,
        _ => record.mean(),
    };
    let is_plain = value == record.mean();
    let in_range = (-MOST_VALUE..=MOST_VALUE).contains(&value.0);
    if !in_range || is_plain != (head & PLAIN != 0) {
        return None;
    }
    Some(BookMove { at, record, value, exact: false })
}

/// Best first; of equal ones those that were played more often, and then in the order of squares.
fn rank(of: &BookMove) -> impl Ord + use<> {
    (std::cmp::Reverse((of.value, of.record.visits())), of.at)
}

/// The bytes of some positions of a table.
pub(super) fn write(table: &Table, places: std::ops::Range<usize>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before = table.places[places.start].key.parts()[0];
    for index in places {
        let place = table.places[index];
        let [occupied, own] = place.key.parts();
        put(&mut bytes, occupied - before);
        put(&mut bytes, gather(own, occupied));
        before = occupied;
        let mut moves = table.moves_of(index).to_vec();
        moves.sort_unstable_by_key(rank);
        put(&mut bytes, 2 * moves.len() as u64 + u64::from(place.proved));
        moves.iter().for_each(|of| write_move(&mut bytes, of));
    }
    bytes
}

fn write_move(bytes: &mut Vec<u8>, of: &BookMove) {
    let BookMove { at, record, value, .. } = of;
    let (is_once, is_plain) = (record.visits() == 1, *value == record.mean());
    let flags = if is_once { ONCE } else { 0 } | if is_plain { PLAIN } else { 0 };
    bytes.push(at.index() as u8 | flags);
    if !is_once {
        [record.wins, record.draws, record.losses].iter().for_each(|n| put(bytes, (*n).into()));
    }
    put_signed(bytes, record.discs);
    if !is_plain {
        put_signed(bytes, value.0.into());
    }
}

/// The bits of a set that is part of another, close together.
fn gather(set: u64, mut of: u64) -> u64 {
    let (mut bits, mut place) = (0, 0);
    while of != 0 {
        bits |= (set >> of.trailing_zeros() & 1) << place;
        place += 1;
        of &= of - 1;
    }
    bits
}

/// The set of which [`gather`] made these bits; `None` if there are more than that.
fn spread(bits: u64, mut of: u64) -> Option<u64> {
    let (mut set, mut left) = (0, bits);
    while of != 0 {
        if left & 1 == 1 {
            set |= of & of.wrapping_neg();
        }
        left >>= 1;
        of &= of - 1;
    }
    (left == 0).then_some(set)
}
