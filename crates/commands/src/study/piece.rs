//! Some pieces of a study, done here: in a folder that others share, or in one of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use outflank_arena::{News, Watch};
use outflank_store::locks_work;
use serde::{Deserialize, Serialize};

use super::contests::{Contests, Shares, Wanted};
use super::evidence::evidence;
use super::folder::Folder;
use super::ledgers::KeptLedger;
use super::pick::{pick, ranges};
use super::pieces::{Piece, PieceList, Stands, State, What, cases_of};
use super::training::{self, IfHeld, PreparedCase};
use super::{StudyRequest, Work};
use crate::{Command, Error, all_cores, arena};

/// Lists the pieces of a study.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PiecesRequest {
    /// The study, its size and its folder.
    pub study: StudyRequest,
    /// Only those of this wave: 1 (runs, and what depends on nothing) or 2 (what needs the runs).
    pub wave: Option<u8>,
    /// The name of the plan that is expected; another plan is refused.
    pub plan: Option<String>,
}

/// The pieces of a study.
#[derive(Clone, Debug, Serialize)]
pub struct PiecesAnswer {
    /// The study.
    pub study: String,
    /// The name of the plan: pieces of another plan do not fit.
    pub plan: String,
    /// The folder of the study.
    pub out: String,
    /// The pieces, and how far each is.
    pub pieces: Vec<(Piece, State)>,
}

impl Command for PiecesRequest {
    type Answer = PiecesAnswer;
    const NAME: &'static str = "study pieces";

    fn run(&self, _: &dyn Watch) -> Result<PiecesAnswer, Error> {
        let work = self.study.one()?;
        work.folder.check(&work.design)?;
        work.folder.agree(&work.design)?;
        let list = PieceList::of(&work.design, self.study.block_games())?;
        list.refuse_other(self.plan.as_deref(), &work.design)?;
        let homes = [work.folder.path().to_owned()];
        let stands = Stands::new(&list, &homes);
        let is_wanted = |piece: &&Piece| self.wave.is_none_or(|wave| piece.wave == wave);
        let own = list.pieces.iter().filter(is_wanted);
        Ok(PiecesAnswer {
            study: work.design.name.clone(),
            plan: list.plan.clone(),
            out: work.folder.path().to_string_lossy().into_owned(),
            pieces: own.map(|piece| (piece.clone(), stands.of(piece))).collect(),
        })
    }
}

/// Does some pieces of a study.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PieceRequest {
    /// The study, its size and the folder to work in.
    pub study: StudyRequest,
    /// Which: `3`, `10..19`, `7/40`, `env`, `env/40`.
    pub pieces: String,
    /// Shares are of the pieces of this wave; of all if there is none.
    pub wave: Option<u8>,
    /// The name of the plan that they belong to; another plan is refused.
    pub plan: Option<String>,
    /// Folders with pieces that these depend on, beside the own.
    pub from: Vec<PathBuf>,
}

/// What became of pieces.
#[derive(Clone, Debug, Serialize)]
pub struct PieceAnswer {
    /// The study.
    pub study: String,
    /// The name of the plan.
    pub plan: String,
    /// The folder they are in.
    pub out: String,
    /// The pieces that were asked for; all of them are done.
    pub pieces: Vec<DonePiece>,
    /// Where the time went.
    pub seconds: PieceTimes,
}

/// A piece that is done.
#[derive(Clone, Debug, Serialize)]
pub struct DonePiece {
    /// Its number.
    pub number: usize,
    /// What it is.
    pub name: String,
    /// Whether it was done before.
    pub was_done: bool,
}

/// Where the time of a call went, in seconds of the clock.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct PieceTimes {
    /// Reading the study and what was there.
    pub planning: f64,
    /// Training, with files.
    pub training: f64,
    /// Of that, games and learning of runs that began this time; threads together.
    pub at_work: f64,
    /// Blocks of contests.
    pub contests: f64,
    /// Waiting for pieces that other processes were at work on.
    pub waiting: f64,
}

impl Command for PieceRequest {
    type Answer = PieceAnswer;
    const NAME: &'static str = "study piece";

    fn run(&self, watch: &dyn Watch) -> Result<PieceAnswer, Error> {
        let began = Instant::now();
        let mut times = PieceTimes::default();
        let work = self.study.one()?;
        work.folder.check(&work.design)?;
        let list = PieceList::of(&work.design, self.study.block_games())?;
        list.refuse_other(self.plan.as_deref(), &work.design)?;
        let variable = |name: &str| std::env::var(name).ok();
        let picked = pick(&self.pieces, list.pieces.len(), &list.work(self.wave), &variable)?;
        let picked: Vec<&Piece> = picked.iter().map(|&number| &list.pieces[number]).collect();
        let homes = self.homes(&work);
        let stands = Stands::new(&list, &homes);
        let done: Vec<bool> = picked.iter().map(|one| stands.of(one) == State::Done).collect();
        let _lock = work.folder.begin(&work.design)?;
        if let Some(problem) = locks_work(work.folder.path())? {
            watch.tell(News::Note(&format!(
                "{} is on a file system without working locks ({problem}): a piece that two \
                 processes do at once may have to be done again, but nothing is counted twice",
                work.folder.path().display()
            )));
        }
        let games = picked.iter().map(|piece| piece.games).sum();
        watch.tell(News::Begins { unit: "games", total: games });
        times.planning = began.elapsed().as_secs_f64();
        self.runs(&work, &picked, &mut times, watch)?;
        let contests = Instant::now();
        self.blocks(&work, &list, &picked, homes, watch)?;
        times.contests = contests.elapsed().as_secs_f64();
        let pieces = picked.iter().zip(done).map(|(piece, was_done)| DonePiece {
            number: piece.number,
            name: piece.name.clone(),
            was_done,
        });
        Ok(PieceAnswer {
            study: work.design.name.clone(),
            plan: list.plan.clone(),
            out: work.folder.path().to_string_lossy().into_owned(),
            pieces: pieces.collect(),
            seconds: times,
        })
    }
}

impl PieceRequest {
    /// The folders in which pieces are looked for; the first is the own.
    fn homes(&self, work: &Work) -> Vec<PathBuf> {
        let own = work.folder.path().to_owned();
        std::iter::once(own).chain(self.from.iter().cloned()).collect()
    }

    fn threads(&self) -> usize {
        self.study.threads.unwrap_or_else(all_cores)
    }

    /// The wanted cases, ready to be trained or read.
    fn prepare(
        &self,
        work: &Work,
        folder: &Folder,
        wanted: &BTreeSet<String>,
    ) -> Result<Vec<PreparedCase>, Error> {
        let own = Work { design: work.design.clone(), folder: Folder::new(folder.path().into()) };
        let (works, ledgers) = ([own], [KeptLedger::read(None, &work.design.name)?]);
        let every = self.study.checkpoint_every;
        training::prepare(&works, &ledgers, self.threads(), every, &|case| {
            wanted.contains(&case.name)
        })
    }

    /// Trains the runs. A run that another process is at work on is waited for: if that process
    /// dies, it is continued here.
    fn runs(
        &self,
        work: &Work,
        picked: &[&Piece],
        times: &mut PieceTimes,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let mut wanted: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        for piece in picked {
            if let What::Run { case, seed } = &piece.what {
                wanted.entry(case.clone()).or_default().insert(*seed);
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let names: BTreeSet<String> = wanted.keys().cloned().collect();
        let mut told = BTreeSet::new();
        let planning = Instant::now();
        let mut cases = self.prepare(work, &work.folder, &names)?;
        for case in &mut cases {
            case.missing.retain(|seed| wanted[&case.name].contains(seed));
        }
        times.planning += planning.elapsed().as_secs_f64();
        loop {
            let began = Instant::now();
            let trained = training::train_all(&cases, self.threads(), IfHeld::Leave, watch)?;
            times.at_work += trained.at_work;
            if trained.held.is_empty() {
                times.training += began.elapsed().as_secs_f64();
                return Ok(());
            }
            for (case, seed, message) in &trained.held {
                if told.insert((case.clone(), *seed)) {
                    let text = format!("{case} seed {seed}: {message}; this process waits for it");
                    watch.tell(News::Note(&text));
                }
            }
            for case in &mut cases {
                let name = &case.name;
                case.missing = trained
                    .held
                    .iter()
                    .filter(|(held, ..)| held == name)
                    .map(|(_, seed, _)| *seed)
                    .collect();
            }
            let waits = Instant::now();
            for _ in 0..20 {
                watch.check().map_err(|_| Error::Resumable)?;
                thread::sleep(Duration::from_millis(50));
            }
            times.waiting += waits.elapsed().as_secs_f64();
            times.training += (began.elapsed() - waits.elapsed()).as_secs_f64();
        }
    }

    /// Plays blocks of contests.
    fn blocks(
        &self,
        work: &Work,
        list: &PieceList,
        picked: &[&Piece],
        homes: Vec<PathBuf>,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let mut wanted: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        let mut needed: BTreeSet<String> = BTreeSet::new();
        for piece in picked {
            if let What::Block { contest, block, .. } = &piece.what {
                wanted.entry(contest.clone()).or_default().insert(*block);
                if piece.wave > 1 {
                    needed.extend(cases_of(&work.design, contest));
                }
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        // The champions are in the own folder, or all in another.
        let runs = |home: &PathBuf| runs_missing(list, &needed, home);
        let home = homes.iter().min_by_key(|home| runs(home).len()).expect("there is the own");
        let missing = runs(home);
        let first = picked.iter().find(|piece| piece.wave > 1);
        if let (Some(first), false) = (first, missing.is_empty()) {
            return Err(Error::Failed(format!(
                "piece {} ({}) needs runs that are not in {}: pieces {} are not done; do them \
                 first",
                first.number,
                first.name,
                home.display(),
                ranges(missing)
            )));
        }
        let mut read = Work { design: work.design.clone(), folder: Folder::new(home.clone()) };
        read.design.cases.retain(|case| needed.contains(&case.name));
        let cases = self.prepare(work, &read.folder, &needed)?;
        let mut kept = KeptLedger::read(None, &work.design.name)?;
        let names: Vec<&PreparedCase> = cases.iter().collect();
        let mut evidence = evidence(&read, &names, &mut kept.ledger, watch)?;
        if let Some(problem) = evidence.damaged.values().next() {
            return Err(Error::Failed(format!("{problem}; do its piece again")));
        }
        let arena = arena(self.threads())?;
        let shares = Shares {
            block_games: self.study.block_games(),
            homes,
            wanted: Wanted::These(wanted),
            missing: std::cell::RefCell::default(),
        };
        let players = Contests { work: &read, arena: &arena, watch, as_is: false, shares: &shares };
        players.play(&mut evidence, &mut kept.ledger, &mut 0)?;
        watch.check().map_err(|_| Error::Resumable)?;
        // Opponents of profiles are pieces of their own; blocks of others are not asked for.
        let missing = shares.missing.take();
        let missing = missing.iter().find(|(name, _)| list.is_first_wave(name));
        match missing {
            None => Ok(()),
            Some((name, blocks)) => Err(Error::Failed(format!(
                "pieces {} ({name}) are not done; do them first",
                ranges(blocks.iter().filter_map(|block| list.block(name, *block)))
            ))),
        }
    }
}

impl PieceList {
    /// The number of a block of a contest.
    pub fn block(&self, name: &str, number: u64) -> Option<usize> {
        self.pieces.iter().find_map(|piece| match &piece.what {
            What::Block { contest, block, .. } if contest == name && *block == number => {
                Some(piece.number)
            }
            _ => None,
        })
    }

    fn is_first_wave(&self, name: &str) -> bool {
        self.pieces.iter().any(|piece| {
            matches!(&piece.what, What::Block { contest, .. } if contest == name && piece.wave == 1)
        })
    }
}

/// The pieces of runs of these cases that are not done in a folder.
fn runs_missing(list: &PieceList, cases: &BTreeSet<String>, home: &PathBuf) -> Vec<usize> {
    let homes = std::slice::from_ref(home);
    let is_missing = |piece: &&Piece| match &piece.what {
        What::Run { case, .. } => cases.contains(case) && piece.state(homes) != State::Done,
        What::Block { .. } => false,
    };
    list.pieces.iter().filter(is_missing).map(|piece| piece.number).collect()
}
