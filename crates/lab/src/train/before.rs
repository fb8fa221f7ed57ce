//! The stage before: its runs are a study of their own in the folder `before` of the study. A
//! thread trains the stage of some seeds and then their runs, so that nothing waits for the last
//! run of a stage, and an interrupted run goes on in whichever stage it was.

use std::collections::BTreeSet;
use std::sync::Mutex;

use super::order::{End, Order, RunReport};
use super::train_together;
use crate::signature::stamp;
use outflank_arena::{News, RunNews, Watch};
use outflank_learn::{LearnError, run_text};
use outflank_store::{BEFORE, FinishedRun, Study};

/// The runs of a stage, and the stage before it.
pub struct Stage {
    order: Order,
    before: Option<Box<Stage>>,
}

/// A stage that was opened.
pub enum Opened {
    None,
    Stage(Box<Stage>),
    Failed(End),
}

impl Stage {
    /// Opens the study of the stage before the runs of an order.
    pub fn open(order: &Order, watch: &dyn Watch) -> Result<Opened, LearnError> {
        let Some(spec) = order.spec().before.get() else { return Ok(Opened::None) };
        let stage = Order {
            name: format!("{}-{BEFORE}", order.name),
            text: run_text(spec)?,
            ready: spec.ready()?,
            out: order.out.join(BEFORE),
            from: None,
            signature: stamp(spec, order.kernel),
            ..order.clone()
        };
        let mut patience = || !watch.stop();
        let study = Study::open(&stage.out, &stage.name, &stage.text, &stage.seeds, &mut patience);
        match study {
            Ok(study) => study.note().into_iter().for_each(|note| watch.tell(News::Note(note))),
            Err(_) if watch.stop() => return Ok(Opened::Failed(End::NotBegun)),
            Err(error) => return Ok(Opened::Failed(End::of(&error))),
        }
        let before = match Stage::open(&stage, watch)? {
            Opened::None => None,
            Opened::Stage(before) => Some(before),
            failed @ Opened::Failed(_) => return Ok(failed),
        };
        Ok(Opened::Stage(Box::new(Stage { order: stage, before })))
    }
}

/// Trains runs after those of the stage before, if there is one.
pub fn train_after(
    order: &Order,
    stage: Option<&Stage>,
    seeds: &[u64],
    threads: usize,
    watch: &dyn Watch,
) -> Vec<RunReport> {
    let Some(stage) = stage else { return train_together(order, seeds, threads, watch) };
    // Finished runs need their stage no more.
    let is_finished =
        |seed: &u64| matches!(FinishedRun::read(&order.out.join(seed.to_string())), Ok(Some(_)));
    let (finished, missing): (Vec<u64>, Vec<u64>) =
        seeds.iter().partition(|seed| is_finished(seed));
    let mut reports = match finished.is_empty() {
        true => Vec::new(),
        false => train_together(order, &finished, threads, watch),
    };
    if missing.is_empty() {
        return reports;
    }
    let news = Telling { watch, begun: Mutex::default(), before: Mutex::default() };
    let before =
        train_after(&stage.order, stage.before.as_deref(), &missing, threads, &Early(&news));
    let mut stages = Vec::new();
    for report in before {
        let all = report.games + report.before.as_ref().map_or(0, |before| before.games);
        news.before.lock().expect("no thread panics with the lock").push((report.seed, all));
        if matches!(report.end, End::Finished | End::AlreadyFinished) {
            stages.push(report);
            continue;
        }
        watch.tell(News::Run { seed: report.seed, news: RunNews::Ended });
        let end = report.end.clone();
        let own = RunReport::failed(order, report.seed, "");
        reports.push(RunReport { end, before: Some(Box::new(report)), ..own });
    }
    if stages.is_empty() {
        return reports;
    }
    let seeds: Vec<u64> = stages.iter().map(|report| report.seed).collect();
    let trained = match order.ready.after(&stage.order.out) {
        Ok(ready) => {
            train_together(&Order { ready, ..order.clone() }, &seeds, threads, &Late(&news))
        }
        Err(error) => {
            let failed = |&seed: &u64| RunReport::failed(order, seed, &error.to_string());
            seeds.iter().map(failed).collect()
        }
    };
    for report in trained {
        let own = stages.iter().find(|stage| stage.seed == report.seed);
        reports.push(RunReport { before: own.cloned().map(Box::new), ..report });
    }
    reports
}

/// News of both stages as those of one run.
struct Telling<'a> {
    watch: &'a dyn Watch,
    /// The seeds of which it was told that they began.
    begun: Mutex<BTreeSet<u64>>,
    /// The games of the stages before, by seed.
    before: Mutex<Vec<(u64, u64)>>,
}

impl Telling<'_> {
    /// Tells that a run begins, or that it has played on.
    fn began(&self, seed: u64, generation: u64, games: u64) {
        let is_first = self.begun.lock().expect("no thread panics with the lock").insert(seed);
        let news = match is_first {
            true => RunNews::Began { generation, games },
            false => RunNews::Played(games),
        };
        self.watch.tell(News::Run { seed, news });
    }

    fn before(&self, seed: u64) -> u64 {
        let before = self.before.lock().expect("no thread panics with the lock");
        before.iter().find(|(other, _)| *other == seed).map_or(0, |(_, games)| *games)
    }
}

/// The watch of the stage before: its end is not the end of the run.
struct Early<'a>(&'a Telling<'a>);

impl Watch for Early<'_> {
    fn tell(&self, news: News<'_>) {
        match news {
            News::Run { news: RunNews::Ended, .. } => {}
            News::Run { seed, news: RunNews::Began { generation, games } } => {
                self.0.began(seed, generation, games);
            }
            other => self.0.watch.tell(other),
        }
    }

    fn stop(&self) -> bool {
        self.0.watch.stop()
    }
}

/// The watch of what comes after it: games are those of both.
struct Late<'a>(&'a Telling<'a>);

impl Watch for Late<'_> {
    fn tell(&self, news: News<'_>) {
        match news {
            News::Run { seed, news: RunNews::Began { generation, games } } => {
                self.0.began(seed, generation, self.0.before(seed) + games);
            }
            News::Run { seed, news: RunNews::Played(games) } => {
                let games = self.0.before(seed) + games;
                self.0.watch.tell(News::Run { seed, news: RunNews::Played(games) });
            }
            other => self.0.watch.tell(other),
        }
    }

    fn stop(&self) -> bool {
        self.0.watch.stop()
    }
}
