//! Long work cut into blocks that different processes do, on one machine or many. A block is a
//! sealed file that names its work by a key; all blocks together give what one process would have
//! found, because games depend only on their numbers.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use outflank_arena::{Arena, Meeting, News, Tally, Watch};
use outflank_store::{BlockName, FileLock, RunError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// Which blocks this process does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doing {
    /// All that are missing.
    All,
    /// These.
    Some(BTreeSet<u64>),
    /// None: what others did is read.
    Nothing,
}

/// Work that is cut into blocks.
pub struct Cut {
    /// What people call it.
    pub name: String,
    /// The hash of all that it depends on.
    pub key: String,
    /// The number of blocks.
    pub of: u64,
    /// Folders of its blocks; they are written to the first.
    pub places: Vec<PathBuf>,
    /// Which blocks are done here.
    pub doing: Doing,
}

/// What is known of the blocks of some work.
pub enum Blocks<T> {
    /// All of them.
    Whole(Vec<T>),
    /// These are missing.
    Missing(Vec<u64>),
}

impl Cut {
    /// The part of a number of things that a block stands for.
    pub fn part(&self, things: u64, number: u64) -> Range<u64> {
        let at = |n: u64| (u128::from(things) * u128::from(n) / u128::from(self.of)) as u64;
        at(number)..at(number + 1)
    }

    /// All blocks: read, or made by `make` if this process does them.
    pub fn blocks<T: Serialize + DeserializeOwned>(
        &self,
        watch: &dyn Watch,
        make: &mut dyn FnMut(u64) -> Result<T, Error>,
    ) -> Result<Blocks<T>, Error> {
        let (mut whole, mut missing) = (Vec::new(), Vec::new());
        for number in 0..self.of {
            let found = match self.read(number) {
                Ok(found) => found,
                Err(problem) if self.does(number) => {
                    watch.tell(News::Note(&format!("{problem}; it is made again")));
                    None
                }
                Err(problem) => {
                    return Err(Error::Failed(format!(
                        "block {number} of {}: {problem}; make it again",
                        self.name
                    )));
                }
            };
            match found {
                Some(found) => whole.push(found),
                None if self.does(number) => whole.push(self.make(number, watch, make)?),
                None => missing.push(number),
            }
        }
        Ok(if missing.is_empty() { Blocks::Whole(whole) } else { Blocks::Missing(missing) })
    }

    fn does(&self, number: u64) -> bool {
        match &self.doing {
            Doing::All => true,
            Doing::Some(numbers) => numbers.contains(&number),
            Doing::Nothing => false,
        }
    }

    fn block(&self, number: u64) -> BlockName {
        BlockName { key: self.key.clone(), number, of: self.of }
    }

    /// Reads a block from the first place that has it; an error if all that is there is unusable.
    fn read<T: DeserializeOwned>(&self, number: u64) -> Result<Option<T>, String> {
        let mut problem = None;
        for place in &self.places {
            match self.block(number).read(place) {
                Ok(Some(bytes)) => match postcard::from_bytes(&bytes) {
                    Ok(found) => return Ok(Some(found)),
                    Err(error) => problem = Some(format!("{}: {error}", place.display())),
                },
                Ok(None) => {}
                Err(error @ RunError::Foreign { .. }) => {
                    let why = "the runs, the plan or the program are not the same";
                    problem = Some(format!("{error} ({why})"));
                }
                Err(error) => problem = Some(error.to_string()),
            }
        }
        problem.map_or(Ok(None), Err)
    }

    /// Makes a block and writes it. If another process is at it, its block is waited for.
    fn make<T: Serialize + DeserializeOwned>(
        &self,
        number: u64,
        watch: &dyn Watch,
        make: &mut dyn FnMut(u64) -> Result<T, Error>,
    ) -> Result<T, Error> {
        // Work that is one block for one process needs no files.
        if self.of == 1 && self.doing == Doing::All {
            return make(number);
        }
        let home = &self.places[0];
        fs::create_dir_all(home).map_err(|error| Error::writing(home, &error))?;
        let lock = home.join(format!("{number}.lock"));
        let mut is_told = false;
        let mut patience = || {
            if !std::mem::replace(&mut is_told, true) {
                let text = format!("another process makes block {number} of {}", self.name);
                watch.tell(News::Note(&format!("{text}; this one waits for it")));
            }
            !watch.stop()
        };
        let Some(_lock) = FileLock::wait(&lock, &mut patience)? else {
            return Err(Error::Resumable);
        };
        // Without locks, or late, the same block is made twice: with the same bytes.
        if let Ok(Some(found)) = self.read(number) {
            return Ok(found);
        }
        let found = make(number)?;
        let bytes = postcard::to_stdvec(&found).expect("blocks are plain data");
        self.block(number).write(home, &bytes)?;
        Ok(found)
    }

    /// Removes the blocks in the first place, when what they make is written.
    pub fn sweep(&self) {
        sweep(&self.places[0]);
    }

    /// Plays a list of meetings, or what is missing of it.
    pub fn play(
        &self,
        arena: &Arena,
        meetings: &[Meeting<'_>],
        watch: &dyn Watch,
    ) -> Result<Result<Vec<Tally>, Vec<u64>>, Error> {
        let pairs = meetings.iter().map(|meeting| meeting.pairs).sum();
        let mut play = |number| {
            let part = self.part(pairs, number);
            let played = arena.play_some(meetings, part, watch).map_err(|_| Error::Resumable)?;
            let rows = (0u32..).zip(&played).filter(|(_, tally)| tally.games() > 0).map(row);
            Ok(rows.collect::<Vec<Row>>())
        };
        let mut sums = vec![Tally::default(); meetings.len()];
        match self.blocks(watch, &mut play)? {
            Blocks::Missing(missing) => return Ok(Err(missing)),
            Blocks::Whole(blocks) => {
                for (meeting, tally) in blocks.iter().flatten().map(tally) {
                    let sum = sums.get_mut(meeting as usize).ok_or_else(|| {
                        Error::Failed(format!("a block of {} has too many meetings", self.name))
                    })?;
                    sum.add(&tally);
                }
            }
        }
        let complete = sums.iter().zip(meetings).all(|(sum, of)| sum.games() == 2 * of.pairs);
        match complete {
            true => Ok(Ok(sums)),
            false => Err(Error::Failed(format!("the blocks of {} do not add up", self.name))),
        }
    }
}

/// Removes a folder of blocks; it does no harm if it cannot be removed.
pub fn sweep(home: &Path) {
    let Ok(entries) = fs::read_dir(home) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|ending| ending == "block" || ending == "lock") {
            let _ = fs::remove_file(path);
        }
    }
    let _ = fs::remove_dir(home);
}

/// A tally in a block: the meeting, then the fields.
type Row = (u32, [u64; 3], i64, [u64; 5]);

fn row((meeting, tally): (u32, &Tally)) -> Row {
    let Tally { wins, draws, losses, margin, pairs } = tally.clone();
    (meeting, [wins, draws, losses], margin, pairs)
}

fn tally(row: &Row) -> (u32, Tally) {
    let (meeting, [wins, draws, losses], margin, pairs) = *row;
    (meeting, Tally { wins, draws, losses, margin, pairs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_arena::{Openings, Unwatched};
    use outflank_game::player::{Colour, parse_player};
    use outflank_kernel::Kernel;
    use outflank_kernel::rng::Seed;

    fn cut(place: &Path, of: u64, doing: Doing) -> Cut {
        let (name, key) = ("games".into(), "key".into());
        Cut { name, key, of, places: vec![place.into()], doing }
    }

    #[test]
    fn blocks_add_up_to_what_one_process_finds_whoever_does_them() {
        let folder = tempfile::tempdir().unwrap();
        let arena = Arena::new(Kernel::detect().unwrap(), 1).unwrap();
        let players = ["random", "heuristic@epsilon=0.1", "mobility@epsilon=0.2"];
        let players = players.map(|name| parse_player(name).unwrap());
        let meeting = |a: usize, b: usize, pairs| Meeting {
            a: &players[a],
            b: &players[b],
            pairs,
            seed: Seed(pairs),
            openings: &Openings::Start,
            colour: Colour::Both,
        };
        let meetings = [meeting(0, 1, 1500), meeting(1, 2, 3), meeting(2, 0, 700)];
        let expected = arena.play(&meetings, &Unwatched).unwrap();
        let play = |of: u64, doing| {
            let cut = cut(&folder.path().join(of.to_string()), of, doing);
            cut.play(&arena, &meetings, &Unwatched).unwrap()
        };
        assert_eq!(play(1, Doing::All).unwrap(), expected);
        assert!(!folder.path().join("1").exists(), "one block needs no file");
        for of in [2, 7, 40] {
            assert_eq!(play(of, Doing::Nothing).unwrap_err(), (0..of).collect::<Vec<u64>>());
            let odd: BTreeSet<u64> = (0..of).filter(|number| number % 2 == 1).collect();
            let even = play(of, Doing::Some(odd)).unwrap_err();
            assert!(even.iter().all(|number| number % 2 == 0));
            assert_eq!(play(of, Doing::All).unwrap(), expected);
            assert_eq!(play(of, Doing::Nothing).unwrap(), expected, "and nothing twice");
        }
        let damaged = folder.path().join("7/3-of-7.block");
        fs::write(&damaged, &fs::read(&damaged).unwrap()[1..]).unwrap();
        let cut = cut(&folder.path().join("7"), 7, Doing::Nothing);
        let error = cut.play(&arena, &meetings, &Unwatched).unwrap_err().to_string();
        assert!(error.starts_with("block 3 of games: ") && error.contains("damaged"), "{error}");
        assert_eq!(play(7, Doing::All).unwrap(), expected, "it is made again");
        cut.sweep();
        assert!(!folder.path().join("7").exists());
    }
}
