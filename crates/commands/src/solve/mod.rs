//! Exact results of endgames.

mod budget;
mod tasks;
mod work;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use outflank_arena::{News, Watch};
use outflank_game::othello::{Ply, Square, Squares, write_position};
use outflank_kernel::{Kernel, NO_MOVE, Progress, Solved};
use serde::{Deserialize, Serialize};

use self::tasks::{Task, Tasks};
use crate::{Command, Error};

/// Solves positions: the result if both sides play perfectly.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SolveRequest {
    /// Each a position, a game, whose last position is meant, a file of them in any format, or `-`
    /// for standard input.
    pub inputs: Vec<String>,
    /// Of each game the position with this many empty squares instead of the last one; games
    /// without it are left out.
    pub empties: Option<u32>,
    /// Only who wins, which is found sooner.
    pub outcome: bool,
    /// Bytes of the table of what is known about positions; 0 for none. If there is none, as many
    /// as the number of empty squares asks for.
    pub table_bytes: Option<u64>,
    /// Threads; all cores if there is none. The results do not depend on it.
    pub threads: Option<usize>,
    /// Seconds for each position; without limit if there is none.
    pub max_seconds: Option<f64>,
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct SolveAnswer {
    /// One for each position, in the order of the request; all but those that a caller of
    /// [`SolveRequest::run_and_see`] has taken.
    pub results: Vec<SolveResult>,
    /// All together.
    #[serde(flatten)]
    pub total: SolveTotal,
}

/// All results together.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SolveTotal {
    /// Positions that were solved.
    pub solved: u64,
    /// Positions that were not solved in time.
    pub unsolved: u64,
    /// Results that agree with the scores in files.
    pub agree: u64,
    /// Results that do not.
    pub differ: u64,
    /// Games that have no position with `empties` empty squares.
    pub too_short: u64,
    /// Positions visited.
    pub nodes: u64,
    /// What it took.
    pub seconds: f64,
    /// Threads that solved.
    pub threads: usize,
    /// Bytes of all tables.
    pub table_bytes: u64,
    /// The kernel that solved.
    pub kernel: String,
    /// Whether it was interrupted: the positions that are missing were not begun.
    pub interrupted: bool,
}

/// The result of a position.
#[derive(Clone, Debug, Serialize)]
pub struct SolveResult {
    /// The file and the line it comes from, if any; of a WTHOR database the number of the game.
    pub source: Option<String>,
    /// The position.
    pub position: String,
    /// Its empty squares.
    pub empties: u32,
    /// The difference in discs at the end, for the side to move, with empty squares for the winner;
    /// with `outcome` 1, 0 or -1. None if it was not solved in time.
    pub score: Option<i32>,
    /// Between what the score lies, if that is all that is known.
    pub bounds: Option<[i32; 2]>,
    /// All best moves; none if the side to move must pass. If the position was not solved in time,
    /// moves that reach the lower bound.
    pub best: Vec<String>,
    /// How the game ends if both sides make the first of their best moves; `--` is a pass.
    pub line: Option<String>,
    /// Positions visited.
    pub nodes: u64,
    /// What it took.
    pub seconds: f64,
    /// Whether it agrees with the scores in the file, if there are any.
    pub agrees: Option<bool>,
}

impl Command for SolveRequest {
    type Answer = SolveAnswer;
    const NAME: &'static str = "solve";

    fn run(&self, watch: &dyn Watch) -> Result<SolveAnswer, Error> {
        let mut results = Vec::new();
        let mut keep = |result| {
            results.push(result);
            ControlFlow::Continue(())
        };
        let total = self.run_and_see(&mut keep, watch)?;
        Ok(SolveAnswer { results, total })
    }
}

impl SolveRequest {
    /// The same, but passes every result to `see` as soon as it is there, in the order of the
    /// request; for more positions than memory should hold. Nothing is solved before all inputs
    /// have been read without an error.
    pub fn run_and_see(
        &self,
        see: &mut dyn FnMut(SolveResult) -> ControlFlow<()>,
        watch: &dyn Watch,
    ) -> Result<SolveTotal, Error> {
        let patience = self.patience()?;
        let kernel = Kernel::detect()?;
        let Tasks { tasks, too_short, .. } = Tasks::read(&self.inputs, self.empties, watch)?;
        let plan = budget::Plan::of(self, &tasks)?;
        if let Some(warning) = plan.warning(self) {
            watch.tell(News::Note(&warning));
        }
        let began = Instant::now();
        let mut total = SolveTotal {
            threads: plan.threads,
            table_bytes: plan.all_bytes(),
            too_short,
            kernel: kernel.name().into(),
            ..SolveTotal::default()
        };
        let work = work::Work { request: self, kernel, plan, patience, tasks: &tasks, watch };
        total.interrupted = work.all(&mut |result| {
            total.add(&result);
            see(result)
        })?;
        total.seconds = began.elapsed().as_secs_f64();
        Ok(total)
    }

    fn patience(&self) -> Result<Option<Duration>, Error> {
        let Some(seconds) = self.max_seconds else { return Ok(None) };
        match Duration::try_from_secs_f64(seconds) {
            Ok(patience) if seconds > 0.0 => Ok(Some(patience)),
            _ => Err(Error::Usage(format!("max_seconds = {seconds}, expected a number above 0"))),
        }
    }
}

impl SolveTotal {
    fn add(&mut self, result: &SolveResult) {
        *(if result.score.is_some() { &mut self.solved } else { &mut self.unsolved }) += 1;
        match result.agrees {
            Some(true) => self.agree += 1,
            Some(false) => self.differ += 1,
            None => {}
        }
        self.nodes += result.nodes;
    }
}

impl SolveResult {
    fn new(task: &Task, outcome: bool, found: Result<Solved, Progress>, seconds: f64) -> Self {
        let empties = task.position.board.empty().len();
        let names = |set: u64| Squares(set).map(|at| at.to_string()).collect();
        let mut result = SolveResult {
            source: task.source(),
            position: write_position(task.position),
            empties,
            score: None,
            bounds: None,
            best: Vec::new(),
            line: None,
            nodes: 0,
            seconds,
            agrees: None,
        };
        match found {
            Ok(solved) => {
                let of = |score: i32| if outcome { score.signum() } else { score };
                let agrees = |obf: &outflank_game::othello::ObfLine| {
                    obf.agrees(solved.score, Squares(solved.best), of)
                };
                result.agrees = task.known.as_deref().map(agrees);
                result.score = Some(solved.score);
                result.best = names(solved.best);
                result.line = Some(write_line(&solved.line));
                result.nodes = solved.nodes;
            }
            Err(known) => {
                result.bounds = Some([known.low, known.high]);
                result.best = names(known.best);
                result.nodes = known.nodes;
            }
        }
        result
    }
}

/// A line of moves with its passes.
fn write_line(line: &[u8]) -> String {
    let ply = |&at: &u8| match Square::new(usize::from(at)) {
        Some(at) if at.index() != usize::from(NO_MOVE) => Ply::Place(at),
        _ => Ply::Pass,
    };
    line.iter()
        .map(|at| match ply(at) {
            Ply::Place(at) => at.to_string(),
            Ply::Pass => "--".into(),
        })
        .collect()
}

#[cfg(test)]
mod tests;
