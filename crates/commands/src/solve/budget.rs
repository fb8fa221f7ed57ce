//! What solving may take: memory for tables, threads, and time, which is said before it is spent.

use super::SolveRequest;
use super::tasks::Task;
use crate::{Error, all_cores};

/// Up to this many empty squares no table is needed.
const WITHOUT_TABLE: u32 = 10;

/// Without `--table-size`, no more than this.
const MOST_BYTES: u64 = 1 << 29;

/// How threads and memory are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub threads: usize,
    /// Positions that are solved at the same time, each on its share of the threads.
    pub side_by_side: usize,
    /// The table of each of them.
    pub bytes: u64,
    /// The most empty squares of a position.
    pub empty: u32,
}

impl Plan {
    pub fn of(request: &SolveRequest, tasks: &[Task]) -> Result<Plan, Error> {
        let threads = request.threads.unwrap_or_else(all_cores);
        if threads == 0 {
            return Err(Error::Usage("threads = 0, expected 1 or more".into()));
        }
        let empties = tasks.iter().map(|task| task.position.board.empty().len());
        let empty = empties.max().unwrap_or(0);
        // Many positions side by side leave no thread waiting; a few are solved one by one.
        let side_by_side = if tasks.len() >= 4 * threads { threads } else { 1 };
        let bytes = match request.table_bytes {
            Some(bytes) => bytes / side_by_side as u64,
            None if empty <= WITHOUT_TABLE => 0,
            None => (1 << (empty + 8).min(40)).min(MOST_BYTES / side_by_side as u64),
        };
        let plan = Plan { threads, side_by_side, bytes, empty };
        match available_memory() {
            Some(available) if plan.all_bytes() > available => Err(plan.too_large()),
            _ => Ok(plan),
        }
    }

    pub fn all_bytes(&self) -> u64 {
        self.bytes * self.side_by_side as u64
    }

    /// Threads of each position.
    pub fn threads_each(&self) -> usize {
        self.threads / self.side_by_side
    }

    pub fn too_large(&self) -> Error {
        let wanted = self.all_bytes() >> 20;
        let left = available_memory()
            .map_or(String::new(), |bytes| format!(" ({} MiB are available)", bytes >> 20));
        Error::Usage(format!(
            "a table of {wanted} MiB does not fit into memory{left}; choose a smaller --table-size"
        ))
    }

    /// What it may take, if it may take long.
    pub fn warning(&self, request: &SolveRequest) -> Option<String> {
        if request.max_seconds.is_some() || self.empty < 27 {
            return None;
        }
        let seconds = SECONDS_AT_24 * PER_SQUARE.powi(self.empty as i32 - 24);
        let seconds = if request.outcome { seconds / 2.0 } else { seconds };
        Some(format!(
            "{} empty squares: this may take {}; --max-time limits it, and Ctrl-C ends it with \
             what is known",
            self.empty,
            in_words(seconds / self.threads_each() as f64)
        ))
    }
}

/// What positions of the FFO suite with 24 empty squares take on one core, roughly, and how much
/// longer each square more makes it.
const SECONDS_AT_24: f64 = 5.0;
const PER_SQUARE: f64 = 2.6;

fn in_words(seconds: f64) -> String {
    const YEAR: f64 = 365.0 * 86_400.0;
    let units = [("minutes", 60.0), ("hours", 3600.0), ("days", 86_400.0), ("years", YEAR)];
    let unit = units.iter().rev().find(|(_, unit)| seconds >= *unit);
    match unit {
        Some(("years", _)) if seconds > 1e4 * YEAR => "longer than mankind has been".into(),
        Some((name, unit)) => format!("{name} ({:.0} or so)", seconds / unit),
        None => "a minute".into(),
    }
}

/// Bytes that can be had without swapping, where that is known.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_said_in_words() {
        assert_eq!(in_words(50.0), "a minute");
        assert_eq!(in_words(3.0 * 3600.0), "hours (3 or so)");
        assert_eq!(in_words(1e30), "longer than mankind has been");
    }
}
