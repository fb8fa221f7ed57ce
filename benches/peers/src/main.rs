//! One contestant of the benchmark: does the work requested on standard input and answers with its
//! own CPU time. README.md describes the protocol.

mod networks;
mod ours;
mod peers;
#[cfg(target_arch = "x86_64")]
mod prototype;
mod work;

use std::io::{BufRead, Write};

use rustix::time::{ClockId, clock_gettime};

use networks::Networks;
use ours::{Batch, Single};
use outflank::kernel::Scorer;
use outflank::model::Model;
use peers::{Magpie, Othello, Reversi};
use work::{Numbered, OneByOne, Sum, Work};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let mut contestant: Box<dyn Work> = match name.as_str() {
        "othello" => Numbered::new(OneByOne::<_, Sum>::new(Othello::default())),
        "magpie" => Numbered::new(OneByOne::<_, Sum>::new(Magpie::default())),
        "rust_reversi_core" => Numbered::new(OneByOne::<_, Sum>::new(Reversi::default())),
        "outflank" => Numbered::new(Batch::new()?),
        "outflank-single" => Numbered::new(OneByOne::<_, Scorer>::new(Single::new()?)),
        "outflank-networks" => Box::new(Networks::new()?),
        #[cfg(target_arch = "x86_64")]
        "prototype" => prototype::Prototype::new().ok_or("the prototype needs AVX2 and FMA")?,
        "weights" => {
            let model = networks::smaller();
            let weights: Vec<String> = model.params().iter().map(f32::to_string).collect();
            println!("{}", weights.join(" "));
            return Ok(());
        }
        _ => return Err(format!("no contestant is called {name:?}").into()),
    };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (workload, units) = line.split_once(' ').ok_or("a line is WORKLOAD UNITS")?;
        let units: u64 = units.trim().parse()?;
        let start = cpu_seconds();
        let (done, checksum) = contestant.work(workload, units)?;
        println!("{done} {:.9} {checksum}", cpu_seconds() - start);
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// CPU time of this thread, the only one; other work on the machine is not included.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
