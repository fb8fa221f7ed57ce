//! The file of a book: a head with a hash of itself, and blocks of positions. The head lists the
//! first position and a hash of every block, so that the hash of the head stands for the whole
//! book, and a block is read and checked when a position in it is asked for.
//! `docs/formats.md` has the fields.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::block::{self, Block, Entry, POSITIONS};
use super::varint::{Reader, put};
use super::{Key, Table};

/// A book in a file.
#[derive(Debug)]
pub struct Book {
    /// Its name in errors.
    path: PathBuf,
    head: BookHead,
    hash: blake3::Hash,
    length: u64,
    /// The first key of each block.
    firsts: Vec<Key>,
    /// The blocks that are read by now.
    blocks: Vec<OnceLock<Block>>,
    stored: Vec<Stored>,
    bytes: Source,
}

/// What the head of a book says about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookHead {
    /// Where its games come from, a line each.
    pub sources: Vec<String>,
    /// The number of games.
    pub games: u64,
    /// The number of positions.
    pub positions: u64,
    /// The number of moves of all positions.
    pub moves: u64,
    /// The number of positions whose value is exact.
    pub proved: u64,
    /// The most discs of a position.
    pub most_discs: u32,
}

/// Where a block is in the file.
#[derive(Debug)]
struct Stored {
    offset: u64,
    length: usize,
    hash: [u8; HASH],
}

#[derive(Debug)]
enum Source {
    File(File),
    Memory(Cow<'static, [u8]>),
}

/// Why a file is not a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The system refused.
    #[error("cannot read book {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a different kind of file.
    #[error("{} is not an opening book: {problem}", path.display())]
    SomethingElse {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        problem: &'static str,
    },
    /// It is not as it was written.
    #[error("book {} is damaged: {problem}; build it again with `outflank book build`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A newer program wrote it.
    #[error(
        "book {}: version {version} is newer than this program, which reads up to {VERSION}; use a \
         newer program, or build another with `outflank book build`",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
}

/// The version this program writes, and the newest it reads.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"OUTFBOOK";
/// Magic number, version, length of the head, length of the file.
const BEGINNING: usize = 24;
/// The bytes of a hash of a block; the hash of the head has twice as many.
const HASH: usize = 16;
/// The bytes of a block's line in the head: its first key, a length of at least a byte, its hash.
const LEAST_LINE: usize = 16 + 1 + HASH;
/// No block is larger: 64 positions with all their moves.
const MOST_BLOCK: usize = 1 << 17;

impl Book {
    /// Opens a book. Only its head is read.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let failed = |source| BookError::Read { path: path.into(), source };
        let metadata = std::fs::metadata(path).map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        // A device or a pipe has no end, and may wait forever.
        if !metadata.is_file() {
            let problem = "it is not a regular file";
            return Err(BookError::SomethingElse { path: path.into(), problem });
        }
        let mut file = File::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        (&mut file).take(BEGINNING as u64).read_to_end(&mut bytes).map_err(failed)?;
        let wrong = |fault: Fault| fault.of(path);
        let beginning = Beginning::read(&bytes, metadata.len()).map_err(wrong)?;
        let rest = beginning.head + 2 * HASH as u64;
        (&mut file).take(rest).read_to_end(&mut bytes).map_err(failed)?;
        Book::with_head(path, &bytes, metadata.len(), Source::File(file)).map_err(wrong)
    }

    /// Reads all of a book into memory, and checks all of it, so that no game is interrupted by a
    /// damaged file.
    pub fn load(path: &Path) -> Result<Book, BookError> {
        let mut book = Book::open(path)?;
        let failed = |source| BookError::Read { path: path.into(), source };
        let Source::File(file) = &book.bytes else { return Ok(book) };
        let length = file.metadata().map_err(failed)?.len();
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
        file.read_exact_at(&mut bytes, 0).map_err(failed)?;
        book.bytes = Source::Memory(bytes.into());
        for number in 0..book.blocks.len() {
            book.checked(number)?;
        }
        Ok(book)
    }

    /// A book from the bytes of a file.
    pub fn from_bytes(bytes: Cow<'static, [u8]>, name: &str) -> Result<Book, BookError> {
        let (path, length) = (Path::new(name), bytes.len() as u64);
        let head = Beginning::read(&bytes, length).map_err(|fault| fault.of(path))?;
        let end = BEGINNING + head.head as usize + 2 * HASH;
        let Some(beginning) = bytes.get(..end).map(<[u8]>::to_vec) else {
            return Err(Fault::damaged("it ends inside its head").of(path));
        };
        let book = Book::with_head(path, &beginning, length, Source::Memory(bytes));
        book.map_err(|fault| fault.of(path))
    }

    /// Reads the head, which has its own hash.
    fn with_head(path: &Path, bytes: &[u8], length: u64, source: Source) -> Result<Book, Fault> {
        let too_short = || Fault::damaged("it ends inside its head");
        let (content, found) = bytes.split_last_chunk::<{ 2 * HASH }>().ok_or_else(too_short)?;
        let hash = blake3::hash(content);
        if hash != *found {
            return Err(Fault::damaged("the checksum of its head is wrong"));
        }
        // With a correct checksum, some program wrote these bytes.
        let wrong = || Fault::damaged("its head makes no sense");
        let mut reader = Reader(content.get(BEGINNING..).ok_or_else(too_short)?);
        let head = BookHead::read(&mut reader).ok_or_else(wrong)?;
        let (firsts, stored) =
            read_index(&mut reader, bytes.len() as u64, length).ok_or_else(wrong)?;
        let most = stored.len().saturating_mul(POSITIONS) as u64;
        if !reader.0.is_empty() || head.positions > most {
            return Err(wrong());
        }
        let (path, blocks) = (path.into(), stored.iter().map(|_| OnceLock::new()).collect());
        Ok(Book { path, head, hash, length, firsts, blocks, stored, bytes: source })
    }

    /// What its head says.
    pub fn head(&self) -> &BookHead {
        &self.head
    }

    /// The hash that stands for all of the book: of its head, which has those of its blocks.
    pub fn hash(&self) -> String {
        self.hash.to_string()
    }

    /// The length of the file.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// The position with a key. A block is read and checked when it is first needed.
    #[inline]
    pub(super) fn entry(&self, key: Key) -> Result<Option<Entry<'_>>, BookError> {
        let after = self.firsts.partition_point(|first| *first <= key);
        match after.checked_sub(1) {
            None => Ok(None),
            Some(number) => Ok(self.block(number)?.find(key)),
        }
    }

    #[inline]
    fn block(&self, number: usize) -> Result<&Block, BookError> {
        match self.blocks[number].get() {
            Some(block) => Ok(block),
            None => self.read_block(number),
        }
    }

    #[cold]
    fn read_block(&self, number: usize) -> Result<&Block, BookError> {
        let bytes = self.checked(number)?;
        let block = Block::read(self.firsts[number], &bytes);
        let block = block.ok_or_else(|| self.damaged(format!("block {number} makes no sense")))?;
        Ok(self.blocks[number].get_or_init(|| block))
    }

    /// The bytes of a block, which are as they were written.
    fn checked(&self, number: usize) -> Result<Cow<'_, [u8]>, BookError> {
        let Stored { offset, length, hash } = &self.stored[number];
        let bytes = match &self.bytes {
            Source::Memory(bytes) => {
                let bytes = bytes.get(*offset as usize..).and_then(|rest| rest.get(..*length));
                Cow::Borrowed(bytes.ok_or_else(|| self.damaged("it ends early".into()))?)
            }
            Source::File(file) => {
                let mut bytes = vec![0; *length];
                let failed = |source| BookError::Read { path: self.path.clone(), source };
                file.read_exact_at(&mut bytes, *offset).map_err(failed)?;
                Cow::Owned(bytes)
            }
        };
        if blake3::hash(&bytes).as_bytes()[..HASH] == *hash {
            Ok(bytes)
        } else {
            Err(self.damaged(format!("the checksum of block {number} is wrong")))
        }
    }

    fn damaged(&self, problem: String) -> BookError {
        BookError::Damaged { path: self.path.clone(), problem }
    }

    /// All of it as a table. Everything is read and checked.
    pub fn table(&self) -> Result<Table, BookError> {
        let mut table = Table { games: self.head.games, ..Table::default() };
        for number in 0..self.blocks.len() {
            // Not kept: this is read once.
            let bytes = self.checked(number)?;
            let block = Block::read(self.firsts[number], &bytes)
                .filter(|block| block.entries().all(|entry| is_after(&table, entry.key)))
                .ok_or_else(|| self.damaged(format!("block {number} makes no sense")))?;
            block.entries().for_each(|entry| table.push(entry.key, entry.proved, entry.moves));
        }
        if BookHead::of(&table, self.head.sources.clone()) == self.head {
            Ok(table)
        } else {
            Err(self.damaged("its head does not say what is in it".into()))
        }
    }

    /// The bytes of the file of a table.
    pub fn write(table: &Table, sources: Vec<String>) -> Vec<u8> {
        let (mut lines, mut blocks) = (Vec::new(), Vec::new());
        for start in (0..table.places.len()).step_by(POSITIONS) {
            let end = table.places.len().min(start + POSITIONS);
            let block = block::write(table, start..end);
            for part in table.places[start].key.parts() {
                lines.extend(part.to_le_bytes());
            }
            put(&mut lines, block.len() as u64);
            lines.extend(&blake3::hash(&block).as_bytes()[..HASH]);
            blocks.extend(block);
        }
        let mut head = Vec::new();
        BookHead::of(table, sources).write(&mut head);
        put(&mut head, table.places.len().div_ceil(POSITIONS) as u64);
        head.extend(lines);
        let length = (BEGINNING + head.len() + 2 * HASH + blocks.len()) as u64;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(head);
        bytes.extend(blake3::hash(&bytes).as_bytes());
        bytes.extend(blocks);
        bytes
    }
}

/// Says whether a key is after all keys of a table.
fn is_after(table: &Table, key: Key) -> bool {
    table.places.last().is_none_or(|last| last.key < key)
}

/// The first bytes of a file.
struct Beginning {
    /// The length of the head.
    head: u64,
}

impl Beginning {
    fn read(bytes: &[u8], length: u64) -> Result<Beginning, Fault> {
        if bytes.is_empty() {
            return Err(Fault::SomethingElse("it is empty"));
        }
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(Fault::SomethingElse("it does not begin like one"));
        }
        let Some(&[version, head, low, high]) =
            bytes.get(8..BEGINNING).and_then(|rest| rest.as_chunks::<4>().0.as_array())
        else {
            return Err(Fault::damaged("it ends inside its head"));
        };
        let version = u32::from_le_bytes(version);
        if version > VERSION {
            return Err(Fault::Newer(version));
        }
        if version < VERSION {
            return Err(Fault::Damaged(format!("version {version} never was")));
        }
        let written =
            u64::from(u32::from_le_bytes(low)) | u64::from(u32::from_le_bytes(high)) << 32;
        if written != length {
            return Err(Fault::Damaged(format!("{length} bytes, expected {written}")));
        }
        let head = u64::from(u32::from_le_bytes(head));
        if head + (BEGINNING + 2 * HASH) as u64 > length {
            return Err(Fault::damaged("its head is longer than the file"));
        }
        Ok(Beginning { head })
    }
}

/// The blocks that a head lists, which fill the rest of the file.
fn read_index(reader: &mut Reader<'_>, start: u64, length: u64) -> Option<(Vec<Key>, Vec<Stored>)> {
    let number = reader.small::<usize>()?;
    if number > reader.0.len() / LEAST_LINE {
        return None;
    }
    let (mut firsts, mut blocks) = (Vec::with_capacity(number), Vec::with_capacity(number));
    let mut offset = start;
    for _ in 0..number {
        let parts = [reader.bytes(8)?, reader.bytes(8)?];
        let [occupied, own] = parts.map(|bytes| bytes.try_into().map_or(0, u64::from_le_bytes));
        let first = Key::from_parts(occupied, own);
        let length = reader.small::<usize>().filter(|length| (1..=MOST_BLOCK).contains(length))?;
        let hash = reader.bytes(HASH)?.try_into().ok()?;
        if firsts.last().is_some_and(|before| *before >= first) {
            return None;
        }
        firsts.push(first);
        blocks.push(Stored { offset, length, hash });
        offset = offset.checked_add(length as u64)?;
    }
    (offset == length).then_some((firsts, blocks))
}

impl BookHead {
    fn of(table: &Table, sources: Vec<String>) -> BookHead {
        BookHead {
            sources,
            games: table.games,
            positions: table.places.len() as u64,
            moves: table.moves.len() as u64,
            proved: table.places.iter().filter(|place| place.proved).count() as u64,
            most_discs: table.places.iter().map(|place| place.key.discs()).max().unwrap_or(0),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let numbers = [self.games, self.positions, self.moves, self.proved, self.most_discs.into()];
        numbers.into_iter().for_each(|number| put(bytes, number));
        put(bytes, self.sources.len() as u64);
        for source in &self.sources {
            put(bytes, source.len() as u64);
            bytes.extend(source.as_bytes());
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<BookHead> {
        let [games, positions, moves, proved] =
            [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
        let most_discs = reader.small().filter(|discs| *discs <= 64)?;
        let mut sources = Vec::new();
        for _ in 0..reader.number()? {
            let length = reader.small()?;
            let text = std::str::from_utf8(reader.bytes(length)?).ok()?;
            if text.is_empty() || text.contains(char::is_control) {
                return None;
            }
            sources.push(text.to_owned());
        }
        Some(BookHead { sources, games, positions, moves, proved, most_discs })
    }
}

/// What is wrong with bytes.
enum Fault {
    SomethingElse(&'static str),
    Damaged(String),
    Newer(u32),
}

impl Fault {
    fn damaged(problem: &str) -> Fault {
        Fault::Damaged(problem.into())
    }

    fn of(self, path: &Path) -> BookError {
        let path = path.to_owned();
        match self {
            Fault::SomethingElse(problem) => BookError::SomethingElse { path, problem },
            Fault::Damaged(problem) => BookError::Damaged { path, problem },
            Fault::Newer(version) => BookError::Newer { path, version },
        }
    }
}
