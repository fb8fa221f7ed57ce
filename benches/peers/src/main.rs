//! One contestant of the benchmark: does the work it is asked for on standard input and answers
//! with its own CPU time. README.md describes the protocol.

mod ours;
mod peers;
mod work;

use std::io::{BufRead, Write};

use rustix::time::{ClockId, clock_gettime};

use ours::{Batch, Single};
use outflank::kernel::Scorer;
use peers::{Magpie, Othello, Reversi};
use work::{Contestant, LEAVES, OneByOne, Sum, Workload};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let mut contestant: Box<dyn Contestant> = match name.as_str() {
        "othello" => Box::new(OneByOne::<_, Sum>::new(Othello::default())),
        "magpie" => Box::new(OneByOne::<_, Sum>::new(Magpie::default())),
        "rust_reversi_core" => Box::new(OneByOne::<_, Sum>::new(Reversi::default())),
        "outflank" => Box::new(Batch::new()?),
        "outflank-single" => Box::new(OneByOne::<_, Scorer>::new(Single::new()?)),
        _ => return Err(format!("no contestant is called {name:?}").into()),
    };
    let mut played = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (workload, units) = line.split_once(' ').ok_or("a line is WORKLOAD UNITS")?;
        let (workload, units): (Workload, u64) = (workload.parse()?, units.trim().parse()?);
        let start = cpu_seconds();
        let (done, checksum) = match workload {
            Workload::Perft => {
                let times = units.div_ceil(LEAVES);
                (times * LEAVES, (0..times).map(|_| contestant.perft()).sum())
            }
            _ => {
                let first = played;
                played += units.next_multiple_of(contestant.at_once());
                (played - first, contestant.games(workload, first..played))
            }
        };
        println!("{done} {:.9} {checksum}", cpu_seconds() - start);
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// CPU time of this thread, the only one: what else the machine does is not in it.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
