//! Solving: a few positions one by one on all threads, many side by side. Results come in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use outflank_arena::{News, Watch};
use outflank_kernel::{Aim, Kernel, Progress, Solver};

use super::budget::Plan;
use super::tasks::Task;
use super::{SolveRequest, SolveResult};
use crate::Error;

/// Results that may wait for one before them.
const AHEAD: usize = 10_000;

/// Sooner there is nothing to tell.
const TELL_AFTER: Duration = Duration::from_secs(2);

pub struct Work<'a> {
    pub request: &'a SolveRequest,
    pub kernel: Kernel,
    pub plan: Plan,
    /// For each position.
    pub patience: Option<Duration>,
    pub tasks: &'a [Task],
    pub watch: &'a dyn Watch,
}

/// What the workers share.
struct Queue {
    next: AtomicUsize,
    /// Results that were passed on.
    seen: AtomicUsize,
    is_over: AtomicBool,
}

impl Work<'_> {
    /// Solves all positions and passes on the results. Says whether it was interrupted.
    pub fn all(&self, see: &mut dyn FnMut(SolveResult) -> ControlFlow<()>) -> Result<bool, Error> {
        self.watch.tell(News::Begins { unit: "positions", total: self.tasks.len() as u64 });
        let queue = Queue {
            next: AtomicUsize::new(0),
            seen: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        };
        // Before any thread starts, since memory for all must be there.
        let solvers = (0..self.plan.side_by_side).map(|_| self.solver());
        let solvers = solvers.collect::<Result<Vec<Solver>, Error>>()?;
        std::thread::scope(|scope| {
            let (send, results) = mpsc::channel();
            for (number, solver) in solvers.into_iter().enumerate() {
                let (send, queue) = (send.clone(), &queue);
                let worker = move || self.some(solver, queue, &send);
                match std::thread::Builder::new().spawn_scoped(scope, worker) {
                    Ok(_) => {}
                    Err(error) if number == 0 => {
                        return Err(Error::Failed(format!("cannot start a thread: {error}")));
                    }
                    // Those that the system allows do all the work.
                    Err(_) => break,
                }
            }
            drop(send);
            self.in_order(&queue, &results, see);
            Ok(())
        })?;
        Ok(self.watch.stop())
    }

    fn solver(&self) -> Result<Solver, Error> {
        let bytes = usize::try_from(self.plan.bytes).map_err(|_| self.plan.too_large())?;
        let solver = Solver::new(self.kernel, bytes).map_err(|_| self.plan.too_large())?;
        Ok(solver.on_threads(self.plan.threads_each()))
    }

    /// Takes the next position until none is left.
    fn some(&self, mut solver: Solver, queue: &Queue, send: &mpsc::Sender<(usize, SolveResult)>) {
        loop {
            let index = queue.next.fetch_add(1, Ordering::Relaxed);
            while index > queue.seen.load(Ordering::Relaxed) + AHEAD && !self.is_over(queue) {
                std::thread::sleep(Duration::from_millis(1));
            }
            let Some(task) = self.tasks.get(index).filter(|_| !self.is_over(queue)) else { return };
            if send.send((index, self.one(&mut solver, queue, task))).is_err() {
                return;
            }
        }
    }

    fn is_over(&self, queue: &Queue) -> bool {
        queue.is_over.load(Ordering::Relaxed) || self.watch.stop()
    }

    fn one(&self, solver: &mut Solver, queue: &Queue, task: &Task) -> SolveResult {
        let began = Instant::now();
        let told = std::sync::Mutex::new([-64, 64]);
        let stop = |progress: Progress| {
            let bounds = [progress.low, progress.high];
            if self.plan.side_by_side == 1 && began.elapsed() > TELL_AFTER {
                let mut told = told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if *told != bounds {
                    *told = bounds;
                    let text = format!("score {:+} to {:+}", progress.low, progress.high);
                    self.watch.tell(News::Part(&text));
                }
            }
            self.is_over(queue) || self.patience.is_some_and(|most| began.elapsed() > most)
        };
        let aim = if self.request.outcome { Aim::Outcome } else { Aim::Exact };
        let board = task.position.board;
        let found = solver.solve(board.own.0, board.opp.0, aim, &stop);
        SolveResult::new(task, self.request.outcome, found, began.elapsed().as_secs_f64())
    }

    /// Passes on results in the order of their positions.
    fn in_order(
        &self,
        queue: &Queue,
        results: &mpsc::Receiver<(usize, SolveResult)>,
        see: &mut dyn FnMut(SolveResult) -> ControlFlow<()>,
    ) {
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&next) {
                next += 1;
                queue.seen.store(next, Ordering::Relaxed);
                if see(result).is_break() {
                    queue.is_over.store(true, Ordering::Relaxed);
                    return;
                }
                self.watch.tell(News::Done(next as u64));
            }
        }
        // After an interruption what was begun later is worth knowing, too.
        for (_, result) in early {
            if see(result).is_break() {
                return;
            }
        }
    }
}
