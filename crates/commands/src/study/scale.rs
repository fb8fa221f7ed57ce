//! How a study would scale to many cores: its pieces, with times from rates measured here, dealt
//! out in a simulation. What does not scale is part of it: the longest piece, the start of tasks,
//! a shared file system, and gathering.

use std::collections::BTreeSet;
use std::path::PathBuf;

use outflank_arena::Watch;
use outflank_report::figure::{Axis, AxisUnit, Chart, Mark, Point, Series};
use serde::{Deserialize, Serialize};

use super::folder::put;
use super::on::Estimates;
use super::pieces::{PieceList, What};
use super::{Folder, StudyRequest, Work};
use crate::{Command, Error};

/// Simulates studies on many cores.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScaleRequest {
    /// The studies and their size.
    pub study: StudyRequest,
    /// Numbers of cores.
    pub cores: Vec<u64>,
    /// Write a figure of the efficiency to this file.
    pub figure: Option<PathBuf>,
}

/// How studies scale.
#[derive(Clone, Debug, Serialize)]
pub struct ScaleAnswer {
    /// A row for each study and number of cores.
    pub results: Vec<ScaleRow>,
    /// What was assumed.
    pub assumed: Assumed,
}

/// A study on a number of cores.
#[derive(Clone, Debug, Serialize)]
pub struct ScaleRow {
    /// The study.
    pub study: String,
    /// Its pieces.
    pub pieces: usize,
    /// Cores.
    pub cores: u64,
    /// Seconds from the first task to the pages.
    pub seconds: f64,
    /// The time of one core as a multiple of it.
    pub speedup: f64,
    /// The same as a share of the cores.
    pub efficiency: f64,
    /// What it is limited by.
    pub limit: String,
}

/// What the simulation takes for granted, in seconds and numbers of operations: round figures for
/// an ordinary cluster, not measurements. Only the times of pieces are measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Assumed {
    /// The start of a task: the scheduler, the program, the plan.
    pub start: f64,
    /// Files of a piece.
    pub piece: f64,
    /// Gathering a piece.
    pub gather: f64,
    /// The pages.
    pub pages: f64,
    /// Synchronous file operations a second of a shared file system.
    pub operations: f64,
    /// Those of a run from its beginning to its end.
    pub run_operations: f64,
    /// Those of a checkpoint, one every five seconds.
    pub checkpoint_operations: f64,
}

impl Assumed {
    const USUAL: Assumed = Assumed {
        start: 2.0,
        piece: 0.03,
        gather: 0.004,
        pages: 5.0,
        operations: 2000.0,
        run_operations: 60.0,
        checkpoint_operations: 14.0,
    };
}

impl Command for ScaleRequest {
    type Answer = ScaleAnswer;
    const NAME: &'static str = "study scale";

    fn run(&self, watch: &dyn Watch) -> Result<ScaleAnswer, Error> {
        if self.cores.is_empty() || self.cores.iter().any(|cores| !(1..=1_000_000).contains(cores))
        {
            let problem = format!("cores = {:?}, expected numbers from 1 to 1000000", self.cores);
            return Err(Error::Usage(problem));
        }
        let assumed = Assumed::USUAL;
        let mut results = Vec::new();
        for design in self.study.designs()? {
            watch.check()?;
            let out = self.study.usual_out(std::slice::from_ref(&design));
            // A folder that is not there: all of the study is to be done.
            let work = Work { folder: Folder::new(out.join("nothing")), design };
            let list = PieceList::of(&work.design, self.study.block_games())?;
            let estimates = Estimates::of(&work, &list, &self.study)?;
            let alone = simulate(&list, &estimates, 1, &assumed).0;
            for &cores in &self.cores {
                let (seconds, limit) = simulate(&list, &estimates, cores, &assumed);
                results.push(ScaleRow {
                    study: work.design.name.clone(),
                    pieces: list.pieces.len(),
                    cores,
                    seconds,
                    speedup: alone / seconds,
                    efficiency: alone / seconds / cores as f64,
                    limit,
                });
            }
        }
        if let Some(path) = &self.figure {
            put(path, &chart(&results).svg())?;
        }
        Ok(ScaleAnswer { results, assumed })
    }
}

/// Seconds of a study on some cores, and what limits it.
fn simulate(
    list: &PieceList,
    estimates: &Estimates,
    cores: u64,
    assumed: &Assumed,
) -> (f64, String) {
    let (mut total, mut longest) = (0.0, (0.0, String::new()));
    for wave in [1, 2] {
        let own = list.pieces.iter().filter(|piece| piece.wave == wave);
        let mut times: Vec<(f64, &str)> = own
            .map(|piece| {
                let name = match &piece.what {
                    What::Run { case, .. } => case.as_str(),
                    What::Block { contest, .. } => contest.as_str(),
                };
                (estimates.seconds[piece.number] + assumed.piece, name)
            })
            .collect();
        if times.is_empty() {
            continue;
        }
        times.sort_by(|a, b| b.0.total_cmp(&a.0));
        total += assumed.start + makespan(&times, cores);
        if times[0].0 > longest.0 {
            longest = (times[0].0, times[0].1.to_owned());
        }
    }
    let pieces = list.pieces.len() as f64;
    let gather = assumed.pages + assumed.gather * pieces;
    let at_once = (cores as f64).min(pieces);
    let operations = assumed.run_operations * pieces / total.max(1.0)
        + assumed.checkpoint_operations * at_once / 5.0;
    let slower = (operations / assumed.operations).max(1.0);
    let all = total * slower + gather;
    let limit = if slower > 1.05 {
        "the file system".into()
    } else if gather > 0.3 * all {
        "gathering".into()
    } else if longest.0 > 0.5 * all {
        format!("the longest piece ({})", longest.1)
    } else {
        "the work".into()
    };
    (all, limit)
}

/// The end of the last piece if the longest come first, each to the core that is free first.
fn makespan(sorted: &[(f64, &str)], cores: u64) -> f64 {
    // Times in microseconds, so that they can be ordered.
    let cores = cores.min(sorted.len() as u64);
    let mut free: BTreeSet<(u64, u64)> = (0..cores).map(|core| (0, core)).collect();
    let mut last = 0;
    for (seconds, _) in sorted {
        let Some((at, core)) = free.pop_first() else { break };
        let end = at + (1e6 * seconds) as u64;
        last = last.max(end);
        free.insert((end, core));
    }
    last as f64 / 1e6
}

/// The efficiency by the power of ten of the cores.
fn chart(rows: &[ScaleRow]) -> Chart {
    let mut chart = Chart::new(
        "Strong scaling, simulated",
        Axis::new("cores, as a power of ten", AxisUnit::Plain).showing([0.0]),
        Axis::new("efficiency", AxisUnit::Percent).showing([0.0, 1.0]),
    );
    let mut names: Vec<&str> = rows.iter().map(|row| row.study.as_str()).collect();
    names.dedup();
    for (look, name) in names.into_iter().enumerate() {
        let own = rows.iter().filter(|row| row.study == name);
        let points = own.map(|row| Point::new((row.cores as f64).log10(), row.efficiency));
        let (name, points, runs) = (name.to_owned(), points.collect(), Vec::new());
        chart.series.push(Series { name, look, mark: Mark::Whiskers, points, runs });
    }
    chart.note = "Times of pieces from measured rates; the longest piece, the start of tasks, the \
                  file system and gathering do not scale."
        .into();
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_dealt_out_to_the_core_that_is_free_first() {
        let times = [(8.0, "a"), (5.0, "b"), (4.0, "c"), (1.0, "d")];
        let ends = [1, 2, 3, 4, 100].map(|cores| makespan(&times, cores).round() as u64);
        assert_eq!(ends, [18, 9, 8, 8, 8]);
    }
}
