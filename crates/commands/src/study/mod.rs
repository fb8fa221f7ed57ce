//! Studies: whole experiments with one request. Plans, trains what is missing, plays the contests,
//! judges published values and writes the pages. Everything can be interrupted and repeated.

mod answer;
mod contests;
mod evidence;
mod folder;
mod gather;
mod ledgers;
mod on;
mod pick;
mod piece;
mod pieces;
mod plan;
mod removal;
mod scale;
mod sizes;
mod sweep;
mod training;

use std::path::{Path, PathBuf};

use outflank_arena::{News, Watch};
use outflank_kernel::Kernel;
use outflank_store::RunSketch;
use outflank_study::{Case, Chapter, Design, PAPERS, Shrink, StudyError, summary};
use serde::{Deserialize, Serialize};

use crate::report::paper;
use crate::{Command, Error, all_cores, arena};
pub use answer::{Phases, StudyAnswer, TableAnswer};
use answer::{answers, notes, page, tables};
use evidence::evidence;
use folder::Folder;
pub use gather::GatherRequest;
use ledgers::KeptLedger;
pub use on::{OnAnswer, OnRequest, Scheduler};
pub(crate) use pick::{pick, ranges};
pub use piece::{DonePiece, PieceAnswer, PieceRequest, PieceTimes, PiecesAnswer, PiecesRequest};
pub use pieces::{Piece, State as PieceState, What as PieceWhat};
pub use plan::{CasePlan, PlanAnswer};
pub(crate) use removal::WholeStudy;
pub use scale::{Assumed, ScaleAnswer, ScaleRequest, ScaleRow};
pub use sweep::sweep;
use training::{IfHeld, PreparedCase, Trained};

/// Runs one or more studies.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StudyRequest {
    /// Study files, or names of papers.
    pub studies: Vec<String>,
    /// The folder of everything that is made; one under `runs/` that is named after the study if
    /// there is none.
    pub out: Option<PathBuf>,
    /// The effort as a share of the full one.
    pub scale: f64,
    /// Use at most this many seeds of each case.
    pub runs: Option<usize>,
    /// Train at most this many games in each run.
    pub games: Option<u64>,
    /// Make only these tables and figures.
    pub only: Vec<String>,
    /// Say what would be done, and do nothing.
    pub plan: bool,
    /// Train nothing: take the runs as they stand.
    pub as_is: bool,
    /// A folder of ledgers: runs and contests that they tell of are not done again, and those that
    /// end are entered.
    pub ledger: Option<PathBuf>,
    /// Cut contests into blocks of about this many games of WPCs; see [`PiecesRequest`].
    pub block_games: Option<u64>,
    /// Write every figure as PDF, too.
    pub pdf: bool,
    /// The width of the files of figures in centimetres; as on a screen if there is none.
    pub width: Option<f64>,
    /// Whether the files of figures have titles.
    pub titles: bool,
    /// Threads; all cores if there is none.
    pub threads: Option<usize>,
    /// The minimum time between two checkpoints of a run, in seconds.
    pub checkpoint_every: f64,
    /// The command that asks for it, as pages show it; made from the rest if there is none.
    pub command: Vec<String>,
}

impl Default for StudyRequest {
    fn default() -> StudyRequest {
        StudyRequest {
            studies: Vec::new(),
            out: None,
            scale: 1.0,
            runs: None,
            games: None,
            only: Vec::new(),
            plan: false,
            as_is: false,
            ledger: None,
            block_games: None,
            pdf: false,
            width: None,
            titles: true,
            threads: None,
            checkpoint_every: 5.0,
            command: Vec::new(),
        }
    }
}

/// A smaller study would be the same as this one: cases keep three runs of two generations.
pub const LEAST_SCALE: f64 = 1e-6;

/// A study and its folder.
struct Work {
    design: Design,
    folder: Folder,
}

impl Command for StudyRequest {
    type Answer = StudyAnswer;
    const NAME: &'static str = "study";

    fn run(&self, watch: &dyn Watch) -> Result<StudyAnswer, Error> {
        self.run_designs(self.designs()?, watch)
    }
}

impl StudyRequest {
    fn shrink(&self) -> Result<Shrink, Error> {
        if !(LEAST_SCALE..=1.0).contains(&self.scale) {
            let scale = self.scale;
            let expected = format!("expected a number from {LEAST_SCALE} to 1");
            return Err(Error::Usage(format!("scale = {scale}, {expected}")));
        }
        if self.runs == Some(0) || self.games == Some(0) {
            return Err(Error::Usage("runs and games must be above 0".into()));
        }
        Ok(Shrink { scale: self.scale, runs: self.runs, games: self.games })
    }

    /// Reads the studies; nothing is written.
    pub fn designs(&self) -> Result<Vec<Design>, Error> {
        let shrink = self.shrink()?;
        let mut designs: Vec<Design> = Vec::new();
        for name in &self.studies {
            let paper = PAPERS.iter().find(|(paper, _)| paper == name);
            let mut design = match paper {
                Some((name, text)) => Design::of_text(name, text, &shrink)?,
                None => Design::read(Path::new(name), &shrink).map_err(or_paper)?,
            };
            if !self.only.is_empty() {
                // Of several studies, each makes what it has.
                let own: Vec<String> =
                    self.only.iter().filter(|name| design.makes(name)).cloned().collect();
                match (self.studies.len(), own.is_empty()) {
                    (1, _) => design.only(&self.only)?,
                    (_, true) => continue,
                    (_, false) => design.only(&own)?,
                }
            }
            if designs.iter().any(|other| other.name == design.name) {
                return Err(Error::Usage(format!("two studies are called {}", design.name)));
            }
            designs.push(design);
        }
        if designs.is_empty() {
            let problem = match self.only.is_empty() {
                true => "no study is named".into(),
                false => format!("no study has a table or figure {}", self.only.join(" or ")),
            };
            return Err(Error::Usage(problem));
        }
        Ok(designs)
    }

    /// Runs studies that were read.
    pub fn run_designs(
        &self,
        designs: Vec<Design>,
        watch: &dyn Watch,
    ) -> Result<StudyAnswer, Error> {
        let mut clock = Clock::new();
        let paper = paper(self.width, self.titles)?;
        let out = self.out.clone().unwrap_or_else(|| self.usual_out(&designs));
        let several = designs.len() > 1;
        let works: Vec<Work> = designs
            .into_iter()
            .map(|design| {
                let own = if several { out.join(&design.name) } else { out.clone() };
                Work { folder: Folder::new(own), design }
            })
            .collect();
        for work in &works {
            work.folder.check(&work.design)?;
        }
        let threads = self.threads.unwrap_or_else(all_cores);
        let read = |work: &Work| KeptLedger::read(self.ledger.as_deref(), &work.design.name);
        let mut ledgers = works.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let all = |_: &Case| true;
        let prepared = training::prepare(&works, &ledgers, threads, self.checkpoint_every, &all)?;
        if self.plan {
            training::agree(&prepared)?;
        }
        let is_known = |study: usize, contest: &str| {
            let work: &Work = &works[study];
            ledgers[study].ledger.knows_contest(contest)
                || contests::file_of(work.folder.path(), contest).is_file()
        };
        let plan = plan::plan(&works, &prepared, threads, self.plan, &is_known)?;
        let mut phases = Phases { planning: clock.lap(), ..Phases::default() };
        if self.plan {
            return Ok(StudyAnswer::planned(plan, &out, &works));
        }
        if self.as_is {
            training::agree(&prepared)?;
            refuse_nothing(&works, &prepared, &out)?;
        }
        let begun = works.iter().map(|work| work.folder.begin(&work.design));
        let _locks: Vec<Option<std::fs::File>> = begun.collect::<Result<_, _>>()?;
        watch.tell(News::Begins { unit: "games", total: plan.games_left() });
        let mut done = 0;
        let trained = match self.as_is {
            true => Ok(Trained::default()),
            false => training::train_all(&prepared, threads, IfHeld::Fail, watch),
        };
        phases.training = clock.lap();
        let mut known = Vec::new();
        for (index, (work, kept)) in works.iter().zip(&mut ledgers).enumerate() {
            let of = |case: &&PreparedCase| case.study == index;
            let cases: Vec<&PreparedCase> = prepared.iter().filter(of).collect();
            for name in outdated(&cases, kept) {
                watch.tell(News::Note(&name));
            }
            known.push(evidence(work, &cases, &mut kept.ledger, watch)?);
            // Also when training was interrupted: what has ended is known.
            kept.write()?;
        }
        let trained = trained?;
        done += trained.games;
        let arena = arena(threads)?;
        let (mut chapters, mut damaged) = (Vec::new(), Vec::new());
        for ((work, mut evidence), kept) in works.iter().zip(known).zip(&mut ledgers) {
            let shares = contests::Shares::all(work.folder.path(), self.block_games());
            let as_is = self.as_is;
            let players = contests::Contests { work, arena: &arena, watch, as_is, shares: &shares };
            players.play(&mut evidence, &mut kept.ledger, &mut done)?;
            kept.write()?;
            phases.contests += clock.lap();
            watch.check().map_err(|_| Error::Resumable)?;
            damaged.extend(evidence.damaged.values().cloned());
            let command = |only: Option<&str>| self.command(&work.design, only);
            let mut chapter = Chapter::new(&work.design, &evidence, &command);
            if !self.only.is_empty() {
                chapter.notes.push(format!("Only {} of this study.", self.only.join(", ")));
            }
            if several {
                let names = [&*chapter.name];
                let files = page(std::slice::from_ref(&chapter), &paper);
                work.folder.write(&files, &names, self.pdf)?;
            }
            chapters.push(chapter);
            phases.writing += clock.lap();
        }
        let whole = Folder::new(out.clone());
        let names: Vec<&str> = chapters.iter().map(|chapter| &*chapter.name).collect();
        whole.write(&page(&chapters, &paper), &names, self.pdf)?;
        phases.writing += clock.lap();
        Ok(StudyAnswer {
            plan,
            out: out.to_string_lossy().into_owned(),
            page: Some(out.join("index.html").to_string_lossy().into_owned()),
            markdown: Some(out.join("results.md").to_string_lossy().into_owned()),
            results: answers(&chapters),
            verdicts: summary(&chapters),
            notes: notes(&chapters),
            tables: chapters.iter().flat_map(tables).collect(),
            damaged,
            trained: trained.runs,
            seconds: phases,
        })
    }

    /// Games of a block of a contest.
    fn block_games(&self) -> u64 {
        self.block_games.unwrap_or(sizes::BLOCK_GAMES)
    }

    /// The one study that is named, with its folder; pieces are always of one study.
    fn one(&self) -> Result<Work, Error> {
        if self.block_games == Some(0) {
            return Err(Error::Usage("block_games = 0, expected a number above 0".into()));
        }
        let mut designs = self.designs()?;
        let out = self.out.clone().unwrap_or_else(|| self.usual_out(&designs));
        match (designs.pop(), designs.is_empty()) {
            (Some(design), true) => Ok(Work { design, folder: Folder::new(out) }),
            _ => Err(Error::Usage("pieces are of one study; name one".into())),
        }
    }

    /// `runs/NAME`; with the scale if the study is smaller, so that sizes do not mix.
    fn usual_out(&self, designs: &[Design]) -> PathBuf {
        let mut name = match designs {
            [one] => one.name.clone(),
            _ => "papers".into(),
        };
        if self.scale < 1.0 {
            name += &format!("-scale-{}", self.scale);
        }
        name.extend(self.runs.map(|runs| format!("-{runs}-runs")));
        name.extend(self.games.map(|games| format!("-{games}-games")));
        PathBuf::from("runs").join(name)
    }

    /// The command that does the same, or `only` a table or figure of it.
    fn command(&self, design: &Design, only: Option<&str>) -> String {
        if !self.command.is_empty() {
            return outflank_report::command(&self.command);
        }
        let is_paper = PAPERS.iter().any(|(name, _)| *name == design.name);
        let mut words: Vec<String> = vec!["outflank".into()];
        let file = self
            .studies
            .iter()
            .find(|name| Path::new(name).file_stem().is_some_and(|stem| *stem == *design.name));
        match (is_paper, file) {
            (true, _) => words.extend(["reproduce".into(), design.name.clone()]),
            (false, Some(file)) => words.extend(["study".into(), file.clone()]),
            (false, None) => words.extend(["study".into(), "study.toml".into()]),
        }
        if self.scale < 1.0 {
            words.extend(["--scale".into(), self.scale.to_string()]);
        }
        for (option, number) in
            [("--runs", self.runs.map(|runs| runs as u64)), ("--games", self.games)]
        {
            words.extend(number.into_iter().flat_map(|n| [option.into(), n.to_string()]));
        }
        let named = (!self.only.is_empty()).then(|| self.only.join(","));
        if let Some(only) = only.map(str::to_owned).or(named) {
            words.extend(["--only".into(), only]);
        }
        outflank_report::command(&words)
    }
}

/// A file that is not there may be a misspelt paper.
fn or_paper(error: StudyError) -> Error {
    if let StudyError::Read { path, source } = &error
        && source.kind() == std::io::ErrorKind::NotFound
    {
        let name = path.to_string_lossy();
        let names: Vec<&str> = PAPERS.iter().map(|(name, _)| *name).collect();
        let meant = outflank_schema::nearest(&name, names.iter().copied());
        return Error::Usage(format!(
            "there is no file {name}{}; the papers are {}",
            outflank_schema::did_you_mean(meant.as_deref()),
            names.join(", ")
        ));
    }
    error.into()
}

impl From<StudyError> for Error {
    fn from(error: StudyError) -> Error {
        Error::Usage(error.to_string())
    }
}

/// What to say of cases whose runs in the ledger are of no use.
fn outdated(cases: &[&PreparedCase], kept: &KeptLedger) -> Vec<String> {
    let is_outdated = |case: &&&PreparedCase| kept.ledger.is_outdated(&case.key);
    let note = |case: &&PreparedCase| {
        format!(
            "the ledger has runs of {} with other settings or of another program; they are left \
             alone and not used",
            case.name
        )
    };
    cases.iter().filter(is_outdated).map(note).collect()
}

/// Refuses to make pages about no run at all.
fn refuse_nothing(works: &[Work], prepared: &[PreparedCase], out: &Path) -> Result<(), Error> {
    let is_measured = |folder: &Path| match RunSketch::read(folder) {
        Ok(run) => run.metrics.lines().nth(1).is_some(),
        // Something is there; what is wrong with it is said later.
        Err(_) => true,
    };
    let mut runs = works.iter().flat_map(|work| {
        let cases = work.design.cases.iter();
        cases.flat_map(|case| {
            let folder = work.folder.case(&case.name);
            case.seeds.iter().map(move |seed| folder.join(seed.to_string()))
        })
    });
    // Values of given players need no runs.
    let needs_runs = works.iter().any(|work| !work.design.cases.is_empty());
    let is_known = |case: &PreparedCase| case.missing.len() < case.prepared.order.seeds.len();
    if !needs_runs || prepared.iter().any(is_known) || runs.any(|run| is_measured(&run)) {
        return Ok(());
    }
    let names: Vec<&str> = works.iter().map(|work| work.design.name.as_str()).collect();
    Err(Error::NotYet(format!(
        "there is no run of {} in {} that was measured yet; the same command without --as-is \
         trains them, and --out names another folder",
        outflank_schema::one_of(&names),
        out.display()
    )))
}

/// The kernel that plays.
fn kernel() -> Result<Kernel, Error> {
    Ok(Kernel::detect()?)
}

/// Measures the parts of a call.
struct Clock(std::time::Instant);

impl Clock {
    fn new() -> Clock {
        Clock(std::time::Instant::now())
    }

    /// Seconds since the last lap.
    fn lap(&mut self) -> f64 {
        let now = std::time::Instant::now();
        let lap = now.duration_since(self.0).as_secs_f64();
        self.0 = now;
        lap
    }
}
