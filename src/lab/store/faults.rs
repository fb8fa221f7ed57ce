//! Faults for tests: the n-th operation that changes the disk fails, or everything from it on, as if
//! the process had been killed.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use super::folder::Op;

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Operation `at`, and everything after it: a killed process, or a disk that stays full.
    From { at: usize },
    /// Operation `at` alone.
    Only { at: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    fault: Fault,
    /// A write that fails writes its first half.
    torn: bool,
}

thread_local! {
    static PLAN: RefCell<(Option<Plan>, usize)> = const { RefCell::new((None, 0)) };
}

/// Runs something with a fault; says whether it came to that.
pub fn with_fault<T>(fault: Fault, torn: bool, run: impl FnOnce() -> T) -> (T, bool) {
    PLAN.set((Some(Plan { fault, torn }), 0));
    let result = run();
    let (_, steps) = PLAN.take();
    let (Fault::From { at } | Fault::Only { at }) = fault;
    (result, steps >= at)
}

/// Every operation that changes the disk passes here, the first with number 1.
pub fn step(op: Op<'_>) -> io::Result<()> {
    let (plan, number) = PLAN.with_borrow_mut(|(plan, steps)| {
        *steps += 1;
        (*plan, *steps)
    });
    let Some(Plan { fault, torn }) = plan else { return Ok(()) };
    let fails = match fault {
        Fault::From { at } => number >= at,
        Fault::Only { at } => number == at,
    };
    if !fails {
        return Ok(());
    }
    if let (Op::Write { path, offset, bytes }, true, Fault::From { at } | Fault::Only { at }) =
        (op, torn, fault)
        && number == at
    {
        let mut file = File::options().write(true).open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(&bytes[..bytes.len() / 2])?;
    }
    Err(io::Error::from(io::ErrorKind::StorageFull))
}
