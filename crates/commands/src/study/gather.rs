//! Puts the pieces of a study together: checks every one, copies those of other folders, refuses
//! what is missing, foreign or damaged, and then makes the pages. The result has the bytes of a
//! study that one process did.

use std::fs;
use std::path::{Path, PathBuf};

use outflank_arena::{News, Watch};
use outflank_lab::{Order, stamp};
use outflank_learn::{Spec, run_text};
use outflank_store::{BEFORE, RunError, Study, WholeRun, copy_run, locks_work, spec_difference};
use serde::{Deserialize, Serialize};

use super::contests::{Contests, Shares, Wanted};
use super::evidence::evidence;
use super::folder::Folder;
use super::ledgers::KeptLedger;
use super::pick::ranges;
use super::pieces::{Piece, PieceList, What};
use super::training::{self, PreparedCase};
use super::{StudyAnswer, StudyRequest, Work, kernel};
use crate::{Command, Error, all_cores, arena};

/// Puts the pieces of a study together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GatherRequest {
    /// The study, its size and the folder to gather in.
    pub study: StudyRequest,
    /// Other folders in which pieces were done; none if all work was in one folder.
    pub from: Vec<PathBuf>,
    /// Gather only the pieces of wave 1, and make no pages: those of wave 2 need them in one place.
    pub wave: Option<u8>,
    /// The name of the plan that they belong to; another plan is refused.
    pub plan: Option<String>,
}

impl Command for GatherRequest {
    type Answer = StudyAnswer;
    const NAME: &'static str = "study gather";

    fn run(&self, watch: &dyn Watch) -> Result<StudyAnswer, Error> {
        let work = self.study.one()?;
        work.folder.check(&work.design)?;
        for folder in &self.from {
            if !folder.is_dir() {
                return Err(Error::Usage(format!("there is no folder {}", folder.display())));
            }
            Folder::new(folder.clone()).check(&work.design)?;
        }
        let list = PieceList::of(&work.design, self.study.block_games())?;
        list.refuse_other(self.plan.as_deref(), &work.design)?;
        let homes: Vec<PathBuf> = std::iter::once(work.folder.path().to_owned())
            .chain(self.from.iter().cloned())
            .collect();
        let own = work.folder.path().to_owned();
        let design = work.design.clone();
        let _lock = work.folder.begin(&design)?;
        if let Some(problem) = locks_work(&own)? {
            let text = format!("{} has no working locks ({problem})", own.display());
            watch.tell(News::Note(&format!("{text}; let one process gather at a time")));
        }
        let (works, ledgers) = ([work], [KeptLedger::read(None, &design.name)?]);
        let threads = self.study.threads.unwrap_or_else(all_cores);
        let every = self.study.checkpoint_every;
        let cases = training::prepare(&works, &ledgers, threads, every, &|_| true)?;
        let [work] = works;
        let gathering = Gathering { list: &list, homes: &homes, study: &self.study, watch };
        gathering.runs(&cases)?;
        gathering.contests(&work, &cases, threads, self.wave)?;
        let mut request = self.study.clone();
        request.out = Some(own);
        // Of the first wave only the runs are put together.
        request.plan = self.wave == Some(1);
        request.run_designs(vec![work.design], watch)
    }
}

/// The work of gathering.
struct Gathering<'a> {
    list: &'a PieceList,
    /// The own folder first.
    homes: &'a [PathBuf],
    study: &'a StudyRequest,
    watch: &'a dyn Watch,
}

impl Gathering<'_> {
    /// Checks and copies all runs.
    fn runs(&self, cases: &[PreparedCase]) -> Result<(), Error> {
        let (mut missing, mut problems) = (Vec::new(), Vec::new());
        for piece in &self.list.pieces {
            self.watch.check().map_err(|_| Error::Resumable)?;
            let What::Run { case, seed } = &piece.what else { continue };
            let Some(case) = cases.iter().find(|own| own.name == *case) else { continue };
            match self.run(piece, &case.prepared.order, *seed) {
                Ok(true) => {}
                Ok(false) => missing.push(piece.number),
                Err(Error::Failed(problem)) => problems.push((piece.number, problem)),
                Err(other) => return Err(other),
            }
        }
        if problems.is_empty() && missing.is_empty() {
            return Ok(());
        }
        Err(Error::Failed(self.complaint(&missing, &problems)))
    }

    /// What is wrong, and what to do.
    fn complaint(&self, missing: &[usize], problems: &[(usize, String)]) -> String {
        let mut lines = Vec::new();
        for (number, problem) in problems.iter().take(5) {
            lines.push(format!("piece {number} ({}): {problem}", self.list.pieces[*number].name));
        }
        if problems.len() > 5 {
            let rest = problems[5..].iter().map(|(number, _)| *number);
            lines.push(format!("and pieces {} likewise", ranges(rest)));
        }
        if !missing.is_empty() {
            let s = if missing.len() == 1 { "piece is" } else { "pieces are" };
            let numbers = ranges(missing.iter().copied());
            lines.push(format!("{} {s} missing: {numbers}", missing.len()));
        }
        let mut again: Vec<usize> = problems.iter().map(|(number, _)| *number).collect();
        again.extend(missing);
        again.sort_unstable();
        lines.push(format!(
            "nothing was put together; do them with --piece {}, then gather again",
            ranges(again)
        ));
        lines.join("\n  ")
    }

    /// Checks a run wherever it is, and copies it here if it is not; false if it is nowhere.
    fn run(&self, piece: &Piece, order: &Order, seed: u64) -> Result<bool, Error> {
        let case = match &piece.what {
            What::Run { case, .. } => case,
            What::Block { .. } => return Ok(true),
        };
        let path = |home: &PathBuf| Folder::new(home.clone()).case(case).join(seed.to_string());
        let mut found: Vec<(PathBuf, WholeRun)> = Vec::new();
        let mut problem = None;
        for home in self.homes {
            let path = path(home);
            match checked(&path, order, seed) {
                Ok(None) => {}
                Ok(Some(run)) => found.push((path, run)),
                Err(error) => problem = Some(error),
            }
        }
        let Some((first, whole)) = found.first() else {
            return problem.map_or(Ok(false), Err);
        };
        if let Some(problem) = problem {
            let problem = format!("piece {} ({}): {problem}", piece.number, piece.name);
            let note = format!("{problem}; the one in {} is used", first.display());
            self.watch.tell(News::Note(&note));
        }
        if let Some((other, _)) = found.iter().find(|(_, run)| run.digest != whole.digest) {
            return Err(Error::Failed(format!(
                "it was done twice, and {} and {} differ, though the same settings and seed give \
                 the same bytes: one of the machines or disks is at fault; remove the wrong one",
                first.display(),
                other.display()
            )));
        }
        let here = path(&self.homes[0]);
        if *first != here {
            self.open(order, &first.parent().map(Path::to_owned).unwrap_or_default())?;
            copy_run(first, &here)?;
            // What was copied is what was read.
            checked(&here, order, seed)?;
            self.stages(order.spec(), seed, first.parent(), here.parent())?;
        }
        Ok(true)
    }

    /// Lists the runs of a case in its folder.
    fn open(&self, order: &Order, from: &Path) -> Result<(), Error> {
        let mut patience = || !self.watch.stop();
        let preset = Study::read(from).map_or(order.name.clone(), |study| study.preset().into());
        Study::open(&order.out, &preset, &order.text, &order.seeds, &mut patience)?;
        Ok(())
    }

    /// Copies the stages before a run, if they are there.
    fn stages(
        &self,
        spec: &Spec,
        seed: u64,
        from: Option<&Path>,
        to: Option<&Path>,
    ) -> Result<(), Error> {
        let (Some(stage), Some(from), Some(to)) = (spec.before.get(), from, to) else {
            return Ok(());
        };
        let (from, to) = (from.join(BEFORE), to.join(BEFORE));
        let run = from.join(seed.to_string());
        let text = run_text(stage)?;
        let signature = stamp(stage, kernel()?);
        if whole(&run, &text, signature, seed)?.is_some() {
            let study = Study::read(&from)?;
            let mut patience = || !self.watch.stop();
            Study::open(&to, study.preset(), &text, &[seed], &mut patience)?;
            copy_run(&run, &to.join(seed.to_string()))?;
        }
        self.stages(stage, seed, Some(&from), Some(&to))
    }

    /// Puts the contests together; refuses them if blocks are missing.
    fn contests(
        &self,
        work: &Work,
        cases: &[PreparedCase],
        threads: usize,
        wave: Option<u8>,
    ) -> Result<(), Error> {
        if wave == Some(1) {
            return self.copy_blocks();
        }
        let mut kept = KeptLedger::read(None, &work.design.name)?;
        let names: Vec<&PreparedCase> = cases.iter().collect();
        let mut evidence = evidence(work, &names, &mut kept.ledger, self.watch)?;
        let arena = arena(threads)?;
        let shares = Shares {
            block_games: self.study.block_games(),
            homes: self.homes.to_vec(),
            wanted: Wanted::Nothing,
            missing: std::cell::RefCell::default(),
        };
        let players =
            Contests { work, arena: &arena, watch: self.watch, as_is: false, shares: &shares };
        players.play(&mut evidence, &mut kept.ledger, &mut 0)?;
        let mut missing: Vec<usize> = Vec::new();
        for (name, blocks) in shares.missing.take() {
            missing.extend(blocks.iter().filter_map(|block| self.list.block(&name, *block)));
        }
        missing.sort_unstable();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(Error::Failed(self.complaint(&missing, &[]))),
        }
    }

    /// Copies the blocks of the first wave, which depend on no run.
    fn copy_blocks(&self) -> Result<(), Error> {
        let mut missing = Vec::new();
        for piece in self.list.pieces.iter().filter(|piece| piece.wave == 1) {
            let What::Block { contest, block, of } = &piece.what else { continue };
            let name = format!("{block}-of-{of}.block");
            let path = |home: &PathBuf| super::pieces::blocks_of(home, contest).join(&name);
            match self.homes.iter().map(path).find(|path| path.is_file()) {
                None => missing.push(piece.number),
                Some(found) if found == path(&self.homes[0]) => {}
                Some(found) => {
                    let bytes = fs::read(&found).map_err(|error| {
                        Error::Failed(format!("cannot read {}: {error}", found.display()))
                    })?;
                    super::folder::put_bytes(&path(&self.homes[0]), &bytes)?;
                }
            }
        }
        match missing.is_empty() {
            true => Ok(()),
            false => Err(Error::Failed(self.complaint(&missing, &[]))),
        }
    }
}

/// A finished run, all of whose files are whole, and which is the one that was asked for.
fn checked(path: &Path, order: &Order, seed: u64) -> Result<Option<WholeRun>, Error> {
    whole(path, &order.text, order.signature, seed)
}

fn whole(path: &Path, text: &str, signature: u64, seed: u64) -> Result<Option<WholeRun>, Error> {
    let failed = |error: RunError| Error::Failed(error.to_string());
    let Some(whole) = WholeRun::read(path).map_err(failed)? else { return Ok(None) };
    let path = path.to_owned();
    let run = &whole.run;
    if run.spec != text {
        let difference = spec_difference(&run.spec, text);
        return Err(failed(RunError::OtherSpec { path, difference }));
    }
    if run.seed != seed {
        return Err(failed(RunError::OtherSeed { path, there: run.seed, here: seed }));
    }
    if run.signature != signature {
        let (there, version) = (run.signature, run.program.clone());
        return Err(failed(RunError::OtherSignature { path, there, version, here: signature }));
    }
    Ok(Some(whole))
}
