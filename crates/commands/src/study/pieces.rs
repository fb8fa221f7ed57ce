//! The pieces of a study: every run, and every block of its contests, with stable numbers. The list
//! follows from the study file, its size and the program, and has a name: the hash of all that.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use outflank_game::player::Policy;
use outflank_learn::run_text;
use outflank_store::{Progress, RunSketch};
use outflank_study::{Design, FigureKind, MatchSource};
use serde::Serialize;

use super::folder::{Folder, file_name};
use super::sizes::{Size, Sizes};
use crate::Error;

/// A piece of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    /// Its number, from 0.
    pub number: usize,
    /// What it is, in a few words.
    pub name: String,
    /// 1 if it depends on nothing, 2 if it needs the runs.
    pub wave: u8,
    /// Games that it takes; training and contests.
    pub games: u64,
    /// About the same work in games of WPCs, by which shares are made.
    pub work: u64,
    /// The run or block.
    #[serde(flatten)]
    pub what: What,
}

/// What a piece is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// A run.
    Run {
        /// The case.
        case: String,
        /// The seed.
        seed: u64,
    },
    /// A block of a contest.
    Block {
        /// The contest, `tournament all`.
        contest: String,
        /// The number of the block, from 0.
        block: u64,
        /// Its blocks.
        of: u64,
    },
}

/// How far a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Nobody began it.
    Missing,
    /// It was begun, and goes on from its last checkpoint.
    Begun,
    /// A process is at work on it.
    Going,
    /// It is done.
    Done,
}

/// All pieces of a study.
#[derive(Clone, Debug)]
pub struct PieceList {
    /// The name of the plan: 16 digits.
    pub plan: String,
    /// The pieces, by number.
    pub pieces: Vec<Piece>,
    /// The cases whose champions play in each contest.
    needs: BTreeMap<String, Vec<String>>,
}

/// The name of the file or folder of a contest, and of the folder of its blocks.
pub fn contest_name(full_name: &str) -> String {
    let (kind, name) = full_name.split_once(' ').unwrap_or((full_name, ""));
    format!("{kind}-{}", file_name(name))
}

/// The folder of the blocks of a contest.
pub fn blocks_of(home: &Path, full_name: &str) -> PathBuf {
    home.join(BLOCKS).join(contest_name(full_name))
}

/// The folder of blocks in that of a study.
pub const BLOCKS: &str = "blocks";
/// What the opponents of profiles are called.
pub const OPPONENTS: &str = "opponents";

/// The matches of a study, each once.
pub fn matches(design: &Design) -> Vec<MatchSource> {
    let mut all: Vec<MatchSource> = Vec::new();
    for wanted in design.needs().matches {
        if !all.contains(&wanted) {
            all.push(wanted);
        }
    }
    all
}

impl PieceList {
    /// Lists the pieces of a study; nothing is written.
    pub fn of(design: &Design, block_games: u64) -> Result<PieceList, Error> {
        let sizes = Sizes { design, block_games };
        let mut hash = blake3::Hasher::new();
        let mut say = |text: &str| {
            hash.update(&(text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        say("outflank pieces 1");
        say(env!("CARGO_PKG_VERSION"));
        say(&design.name);
        say(&format!("{:?} {block_games}", design.shrink));
        let mut list = Vec::new();
        for case in &design.cases {
            say(&case.name);
            say(&run_text(&case.method.spec)?);
            let games = case.method.spec.all_games();
            let unit = super::sizes::unit(case, &Policy::default());
            for &seed in &case.seeds {
                say(&seed.to_string());
                let what = What::Run { case: case.name.clone(), seed };
                let work = games.saturating_mul(unit);
                list.push((format!("{} seed {seed}", case.name), 1, [games, work], what));
            }
        }
        let mut block = |name: String, wave: u8, size: Size, spec: &str| {
            say(&name);
            say(spec);
            for block in 0..size.blocks {
                let part = [size.games / size.blocks, size.work / size.blocks];
                let of = size.blocks;
                let what = What::Block { contest: name.clone(), block, of };
                let name = match of {
                    1 => name.clone(),
                    _ => format!("{name} block {block} of {of}"),
                };
                list.push((name, wave, part, what));
            }
        };
        for wanted in matches(design) {
            let name = format!("match {}", wanted.name());
            block(name, 1, sizes.one_match(&wanted), &format!("{wanted:?}"));
        }
        let mut known = Vec::new();
        for spec in &design.file.profile {
            let recipe = sizes.recipe(spec);
            if !known.contains(&recipe) {
                known.push(recipe);
                let name = format!("{OPPONENTS} {}-{}", recipe.opponents, recipe.doubles);
                block(name, 1, sizes.opponents(spec), &format!("{recipe:?}"));
            }
        }
        for spec in &design.file.tournament {
            let name = format!("tournament {}", spec.name);
            block(name, 2, sizes.tournament(spec), &format!("{spec:?}"));
        }
        for spec in design.file.figure.iter().filter(|one| one.of == FigureKind::Leads) {
            let size = Size { games: 1, work: 1, blocks: 1 };
            block(format!("leads {}", spec.name), 2, size, &format!("{spec:?}"));
        }
        for spec in &design.file.profile {
            let name = format!("profile {}", spec.name);
            block(name, 2, sizes.profile(spec), &format!("{spec:?}"));
        }
        type Listed = (usize, (String, u8, [u64; 2], What));
        let piece = |(number, (name, wave, [games, work], what)): Listed| Piece {
            number,
            name,
            wave,
            games,
            work,
            what,
        };
        let plan = hash.finalize().to_hex()[..16].to_owned();
        let pieces: Vec<Piece> = list.into_iter().enumerate().map(piece).collect();
        let need = |piece: &Piece| match &piece.what {
            What::Block { contest, .. } => Some((contest.clone(), cases_of(design, contest))),
            What::Run { .. } => None,
        };
        let needs = pieces.iter().filter_map(need).collect();
        Ok(PieceList { plan, pieces, needs })
    }

    /// Refuses another plan than the expected one.
    pub fn refuse_other(&self, expected: Option<&str>, design: &Design) -> Result<(), Error> {
        match expected {
            Some(expected) if *expected != self.plan => Err(Error::Usage(format!(
                "the plan of study {} is {}, not {expected}: its file, its size or the program is \
                 not the one that the pieces were planned with",
                design.name, self.plan
            ))),
            _ => Ok(()),
        }
    }

    /// The work of pieces of a wave, or of all, for shares.
    pub fn work(&self, wave: Option<u8>) -> Vec<(usize, u64)> {
        let own = self.pieces.iter().filter(|piece| wave.is_none_or(|wave| piece.wave == wave));
        own.map(|piece| (piece.number, piece.work)).collect()
    }
}

impl Piece {
    /// How far it is, by what is in the folders of a study. Files are not read in full: whether
    /// they are whole is seen when they are used.
    pub fn state(&self, homes: &[PathBuf]) -> State {
        let state = |home: &PathBuf| match &self.what {
            What::Run { case, seed } => {
                let path = Folder::new(home.clone()).case(case).join(seed.to_string());
                match RunSketch::read(&path).map(|run| run.progress) {
                    Ok(Progress::Finished) => State::Done,
                    Ok(Progress::Going) => State::Going,
                    Ok(Progress::Stopped) => State::Begun,
                    Ok(Progress::Waiting) => State::Missing,
                    Err(_) => State::Begun,
                }
            }
            What::Block { contest, block, of } => {
                let is_there =
                    block_files(home, contest, *block, *of).iter().any(|of| of.is_file());
                if is_there { State::Done } else { State::Missing }
            }
        };
        let rank = |state: &State| match state {
            State::Missing => 0,
            State::Begun => 1,
            State::Going => 2,
            State::Done => 3,
        };
        homes.iter().map(state).max_by_key(rank).unwrap_or(State::Missing)
    }
}

/// The files that show that a block is done: its own, and that of the whole contest.
fn block_files(home: &Path, contest: &str, block: u64, of: u64) -> [PathBuf; 2] {
    let name = contest_name(contest);
    let whole = match contest.starts_with(OPPONENTS) {
        true => home.join(format!("{name}.db")),
        false => home.join("contests").join(format!("{name}.json")),
    };
    [blocks_of(home, contest).join(format!("{block}-of-{of}.block")), whole]
}

/// How far the pieces of a list are, in the folders of a study.
pub struct Stands<'a> {
    list: &'a PieceList,
    homes: &'a [PathBuf],
    /// When the last run of a case ended; none as long as one is not done.
    ended: RefCell<BTreeMap<String, Option<SystemTime>>>,
}

impl Stands<'_> {
    /// Looks into these folders.
    pub fn new<'a>(list: &'a PieceList, homes: &'a [PathBuf]) -> Stands<'a> {
        Stands { list, homes, ended: RefCell::default() }
    }

    /// How far a piece is. A contest that is older than a run it needs, or that needs one that is
    /// not done, is missing: seeds were added. If the clocks of machines are wrong it is looked at
    /// once more, and what it depends on decides whether it is played again.
    pub fn of(&self, piece: &Piece) -> State {
        let state = piece.state(self.homes);
        let What::Block { contest, block, of } = &piece.what else { return state };
        if state != State::Done || piece.wave == 1 {
            return state;
        }
        let files = self.homes.iter().flat_map(|home| block_files(home, contest, *block, *of));
        let made = files.filter_map(|file| file.metadata().ok()?.modified().ok()).max();
        let cases = self.list.needs.get(contest).map_or(&[][..], Vec::as_slice);
        let is_newer = |case: &String| self.ended(case).is_some_and(|ended| Some(ended) <= made);
        if cases.iter().all(is_newer) { State::Done } else { State::Missing }
    }

    fn ended(&self, case: &str) -> Option<SystemTime> {
        if let Some(known) = self.ended.borrow().get(case) {
            return *known;
        }
        let ended = |piece: &Piece| match &piece.what {
            What::Run { case, seed } if piece.state(self.homes) == State::Done => {
                let manifest = |home: &PathBuf| {
                    let run = Folder::new(home.clone()).case(case).join(seed.to_string());
                    run.join("manifest.json").metadata().ok()?.modified().ok()
                };
                self.homes.iter().filter_map(manifest).min()
            }
            _ => None,
        };
        let own = self.list.pieces.iter();
        let own = own.filter(|one| matches!(&one.what, What::Run { case: of, .. } if of == case));
        let newest = own
            .map(ended)
            .try_fold(SystemTime::UNIX_EPOCH, |newest, ended| ended.map(|ended| newest.max(ended)));
        self.ended.borrow_mut().insert(case.into(), newest);
        newest
    }
}

/// The cases whose champions play in a contest.
pub fn cases_of(design: &Design, contest: &str) -> Vec<String> {
    let (kind, name) = contest.split_once(' ').unwrap_or((contest, ""));
    let file = &design.file;
    let names = match kind {
        "tournament" => {
            file.tournament.iter().find(|one| one.name == name).map(|one| one.cases.clone())
        }
        "profile" => file.profile.iter().find(|one| one.name == name).map(|one| one.cases.clone()),
        "leads" => file.figure.iter().find(|one| one.name == name).map(|one| one.cases.clone()),
        _ => None,
    };
    design.teams(&names.unwrap_or_default())
}
