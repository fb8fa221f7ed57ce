//! The opponents of performance profiles, sorted by strength, as a file. An opponent is a number:
//! its weights are drawn from the recipe's seed. The file has a magic number, a version, the
//! recipe, for every kept opponent its half points and how many were left out before it, and a hash
//! of everything before.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{BINS, Recipe};
use outflank_store::{self as store, Seal};

/// Opponents and how strong they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    recipe: Recipe,
    opponents: Vec<Opponent>,
}

/// One of the recipe's random WPCs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// Its number.
    pub index: u32,
    /// Two for each game it won, one for each it drew.
    pub half_points: u32,
}

/// Why a file is not a database of opponents.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The system refused.
    #[error("cannot read database {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a different kind of file.
    #[error("{} is not a database of opponents: {problem}", path.display())]
    SomethingElse {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        problem: String,
    },
    /// It is not as it was written.
    #[error(
        "database {} is damaged: {problem}; build it again with `outflank profile build`",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A newer program wrote it.
    #[error(
        "database {}: version {version} is newer than this program, which reads up to {VERSION}; \
         use a newer program, or build another with `outflank profile build`",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// Its numbers stand for other opponents.
    #[error(
        "database {} was made by a program with other random WPCs or games; use that program, \
         or build another with `outflank profile build`",
        path.display()
    )]
    OtherGames {
        /// The file.
        path: PathBuf,
    },
}

/// What is wrong with bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// They are not as they were written.
    Damaged(String),
    /// A newer program wrote them.
    Newer(u32),
    /// They were written by a program with other games.
    OtherGames,
}

impl From<store::SealFault> for Fault {
    fn from(fault: store::SealFault) -> Fault {
        match fault {
            store::SealFault::Damaged(problem) => Fault::Damaged(problem),
            store::SealFault::Newer(version) => Fault::Newer(version),
        }
    }
}

/// The part before the opponents.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header {
    recipe: Recipe,
    games: u64,
    kept: u64,
}

/// The version this program writes, and the newest it reads.
const VERSION: u32 = 1;
const SEAL: Seal = Seal { magic: b"OUTFLOPP", version: VERSION, kind: "a database of opponents" };
/// A larger file is not read: it is not a database of ours.
const MAX_BYTES: u64 = 1 << 30;
/// Made with `outflank profile build`, and then `--from` that with `--cap`.
const SHIPPED: &[u8] = include_bytes!("opponents.db");
/// An opponent takes at least this many bytes.
const MIN_OPPONENT_BYTES: usize = 2;

/// Identifies the random WPCs and games of this program: only with the same value does a recipe
/// mean the same opponents and half points. A test computes it. If the games change, it changes,
/// and databases have to be built again.
pub const GAMES: u64 = 0xfe71_32f0_f92e_a92a;

impl Database {
    /// The opponents that a recipe keeps, given all of them, or a part that holds those.
    pub fn new(recipe: Recipe, all: impl IntoIterator<Item = Opponent>) -> Database {
        let mut room = [recipe.cap.unwrap_or(u64::MAX); BINS];
        let opponents = all.into_iter().filter(|opponent| {
            let room = &mut room[recipe.bin(opponent.half_points)];
            let kept = *room > 0;
            *room = room.saturating_sub(1);
            kept
        });
        Database { recipe, opponents: opponents.collect() }
    }

    /// The database that comes with the program: the paper's recipe, and a cap.
    pub fn shipped() -> Database {
        Database::from_bytes(SHIPPED).expect("a test reads it")
    }

    /// How it was made.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The kept opponents, by their numbers.
    pub fn opponents(&self) -> &[Opponent] {
        &self.opponents
    }

    /// Reads a database. If the file is something else, only its beginning is read.
    pub fn read(path: &Path) -> Result<Database, DatabaseError> {
        let failed = |source| DatabaseError::Read { path: path.into(), source };
        let something_else = |problem: &str| DatabaseError::SomethingElse {
            path: path.into(),
            problem: problem.into(),
        };
        let metadata = fs::metadata(path).map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        // A device or a pipe has no end, and may wait forever.
        if !metadata.is_file() {
            return Err(something_else("it is not a regular file"));
        }
        let mut file = File::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        let beginning = SEAL.magic.len() as u64;
        (&mut file).take(beginning).read_to_end(&mut bytes).map_err(failed)?;
        if bytes != SEAL.magic {
            let problem =
                if bytes.is_empty() { "it is empty" } else { "it does not begin like one" };
            return Err(something_else(problem));
        }
        if metadata.len() > MAX_BYTES {
            return Err(something_else(&format!("it is larger than {} MiB", MAX_BYTES >> 20)));
        }
        file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        let path = path.to_owned();
        match Database::from_bytes(&bytes) {
            Ok(database) => Ok(database),
            Err(Fault::Damaged(problem)) => Err(DatabaseError::Damaged { path, problem }),
            Err(Fault::Newer(version)) => Err(DatabaseError::Newer { path, version }),
            Err(Fault::OtherGames) => Err(DatabaseError::OtherGames { path }),
        }
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let kept = self.opponents.len() as u64;
        let header = Header { recipe: self.recipe, games: GAMES, kept };
        let mut bytes = written(&header, SEAL.begin());
        let mut next = 0;
        for opponent in &self.opponents {
            bytes = written(&(opponent.index - next, opponent.half_points), bytes);
            next = opponent.index + 1;
        }
        SEAL.close(bytes)
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Database, Fault> {
        let damaged = |problem: &str| Fault::Damaged(problem.into());
        let (header, rest) =
            read::<Header>(SEAL.open(bytes)?).ok_or_else(|| damaged("its recipe ends early"))?;
        if header.games != GAMES {
            return Err(Fault::OtherGames);
        }
        if !header.recipe.is_sound() {
            return Err(damaged("its recipe has impossible numbers"));
        }
        let opponents = read_opponents(&header, rest)?;
        let database = Database::new(header.recipe, opponents.iter().copied());
        if database.opponents.len() == opponents.len() {
            Ok(database)
        } else {
            Err(damaged("it has more opponents in a bin than its recipe keeps"))
        }
    }
}

fn read_opponents(header: &Header, mut rest: &[u8]) -> Result<Vec<Opponent>, Fault> {
    let Header { recipe, kept, .. } = header;
    let all_kept = recipe.cap.is_some() || *kept == recipe.opponents;
    if *kept > recipe.opponents || *kept > (rest.len() / MIN_OPPONENT_BYTES) as u64 || !all_kept {
        return Err(Fault::Damaged("its number of opponents is wrong".into()));
    }
    let mut opponents = Vec::with_capacity(*kept as usize);
    let mut next = 0u64;
    for _ in 0..*kept {
        let wrong = || Fault::Damaged(format!("opponent {} is wrong", opponents.len()));
        let ((left_out, half_points), after) = read::<(u32, u32)>(rest).ok_or_else(wrong)?;
        let index = next + u64::from(left_out);
        if index >= recipe.opponents || u64::from(half_points) > recipe.most_half_points() {
            return Err(wrong());
        }
        opponents.push(Opponent { index: index as u32, half_points });
        (next, rest) = (index + 1, after);
    }
    match rest {
        [] => Ok(opponents),
        more => Err(Fault::Damaged(format!("{} bytes too many", more.len()))),
    }
}

/// Adds a value: whole numbers as LEB128.
pub(super) fn written<T: Serialize>(value: &T, bytes: Vec<u8>) -> Vec<u8> {
    postcard::to_extend(value, bytes).expect("plain numbers can be written to memory")
}

/// Reads a value and gives the bytes after it.
pub(super) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<(T, &'a [u8])> {
    postcard::take_from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernel::rng::{Seed, Stream};

    const RECIPE: Recipe = Recipe { seed: 7, opponents: 1000, doubles: 50, cap: None };

    fn all(recipe: &Recipe) -> impl Iterator<Item = Opponent> {
        let mut rng = Seed(3).at(Stream::Signature, 0).rng();
        let most = recipe.most_half_points() as u32;
        (0..recipe.opponents as u32)
            .map(move |index| Opponent { index, half_points: rng.below(most + 1) })
    }

    fn sample(cap: Option<u64>) -> Database {
        let recipe = Recipe { cap, ..RECIPE };
        Database::new(recipe, all(&recipe))
    }

    /// Any content, with a correct checksum.
    fn sealed(content: &[u8]) -> Vec<u8> {
        [content, blake3::hash(content).as_bytes()].concat()
    }

    fn content(recipe: Recipe, games: u64, kept: u64, opponents: &[(u32, u32)]) -> Vec<u8> {
        let bytes = written(&Header { recipe, games, kept }, SEAL.begin());
        sealed(&opponents.iter().fold(bytes, |bytes, opponent| written(opponent, bytes)))
    }

    fn damage(bytes: &[u8]) -> String {
        match Database::from_bytes(bytes) {
            Err(Fault::Damaged(problem)) => problem,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_database_reads_back() {
        for cap in [None, Some(1), Some(3), Some(1_000_000)] {
            let database = sample(cap);
            let bytes = database.to_bytes();
            assert_eq!(Database::from_bytes(&bytes), Ok(database.clone()));
            let largest = (0..BINS).map(|bin| {
                let of_bin = |opponent: &&Opponent| RECIPE.bin(opponent.half_points) == bin;
                database.opponents().iter().filter(of_bin).count() as u64
            });
            assert!(largest.max() <= Some(cap.unwrap_or(u64::MAX)));
        }
        // One byte for the gap and two for up to 16,383 half points.
        assert!(sample(None).to_bytes().len() < 3 * 1000 + 100);
    }

    #[test]
    fn performances_fall_into_bins_of_equal_width() {
        let recipe = Recipe { doubles: 1000, ..RECIPE };
        for (half_points, bin) in [(0, 0), (39, 0), (40, 1), (3199, 79), (3999, 99), (4000, 99)] {
            assert_eq!(recipe.bin(half_points), bin, "{half_points}");
        }
        let one = Recipe { doubles: 1, ..RECIPE };
        assert_eq!([0, 1, 2, 3, 4].map(|half_points| one.bin(half_points)), [0, 25, 50, 75, 99]);
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_noticed() {
        let mut bytes = sample(Some(1)).to_bytes();
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            damage(&bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        for length in 0..bytes.len() {
            damage(&bytes[..length]);
        }
        bytes.push(0);
        damage(&bytes);
    }

    #[test]
    fn newer_versions_and_other_games_are_told_from_damage() {
        let bytes = sample(None).to_bytes();
        let mut newer = bytes[..bytes.len() - blake3::OUT_LEN].to_vec();
        newer[8] = 2;
        assert_eq!(Database::from_bytes(&sealed(&newer)), Err(Fault::Newer(2)));
        newer[8] = 0;
        assert_eq!(damage(&sealed(&newer)), "version 0 never was");
        let recipe = Recipe { opponents: 1, ..RECIPE };
        let others = content(recipe, GAMES + 1, 1, &[(0, 5)]);
        assert_eq!(Database::from_bytes(&others), Err(Fault::OtherGames));
    }

    #[test]
    fn impossible_numbers_are_noticed_behind_a_right_checksum() {
        let two = Recipe { opponents: 2, doubles: 10, ..RECIPE };
        let capped = Recipe { cap: Some(1), ..two };
        let check = |recipe, kept, opponents: &[(u32, u32)], problem: &str| {
            assert_eq!(damage(&content(recipe, GAMES, kept, opponents)), problem);
        };
        Database::from_bytes(&content(two, GAMES, 2, &[(0, 40), (0, 0)])).unwrap();
        Database::from_bytes(&content(capped, GAMES, 1, &[(1, 40)])).unwrap();
        let number = "its number of opponents is wrong";
        check(two, 1, &[(0, 5)], number);
        check(two, u64::MAX, &[(0, 5), (0, 5)], number);
        check(Recipe { opponents: MANY, ..two }, MANY, &[(0, 5), (0, 5)], number);
        check(two, 2, &[(0, 5), (1, 5)], "opponent 1 is wrong");
        check(two, 2, &[(0, 5), (u32::MAX, 5)], "opponent 1 is wrong");
        check(two, 2, &[(0, 41), (0, 5)], "opponent 0 is wrong");
        check(two, 2, &[(0, 5), (0, 5), (0, 5)], "2 bytes too many");
        let more = "it has more opponents in a bin than its recipe keeps";
        check(capped, 2, &[(0, 5), (0, 5)], more);
        let impossible = "its recipe has impossible numbers";
        for recipe in [
            Recipe { opponents: 0, ..two },
            Recipe { opponents: u64::MAX, ..two },
            Recipe { doubles: 0, ..two },
            Recipe { doubles: u64::MAX, ..two },
            Recipe { cap: Some(0), ..two },
        ] {
            check(recipe, 2, &[(0, 5), (0, 5)], impossible);
        }
    }
    const MANY: u64 = super::super::MOST_OPPONENTS;

    #[test]
    fn no_bytes_behind_a_right_checksum_cause_a_panic() {
        let mut rng = Seed(1).at(Stream::Signature, 1).rng();
        let head = SEAL.begin();
        for length in 0..3000 {
            let noise = (0..length % 60).map(|_| rng.bits() as u8 & 0x83);
            let bytes: Vec<u8> = head.iter().copied().chain(noise).collect();
            assert!(Database::from_bytes(&sealed(&bytes)).is_err());
        }
    }

    #[test]
    fn the_database_that_comes_with_the_program_is_as_documented() {
        let database = Database::shipped();
        let paper = Recipe { seed: 1, opponents: 500_000, doubles: 1000, cap: None };
        assert_eq!(Recipe { cap: None, ..*database.recipe() }, paper);
        assert!(SHIPPED.len() < 100_000);
        let formats = include_str!("../../../../docs/formats.md");
        let cap = database.recipe().cap.unwrap();
        assert!(formats.contains(&format!("--cap {cap} ")), "docs/formats.md has another cap");
        // As in the paper, none reaches 80%.
        let most = database.opponents().iter().map(|opponent| opponent.half_points).max();
        assert_eq!(most, Some(3179));
    }
}
