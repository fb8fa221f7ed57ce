//! A method in your own loop: one generation after the other, with a look at the champion on the
//! way.
//!
//! cargo run --release --example 2_learn

use outflank::arena::{Arena, Unwatched};
use outflank::kernel::Kernel;
use outflank::lab::{Effort, Probe, measure};
use outflank::learn::{Candidate, Run, resolve, step};
use outflank::model::Wpc;
use outflank::player::Policy;
use outflank::rng::Seed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A preset and what differs from it, as with --set.
    let spec = resolve("ctdl", &["search.population=20".into(), "games=200_000".into()])?.spec;
    let mut run = Run::<Wpc>::new(spec, Seed(1))?;
    let arena = Arena::new(Kernel::detect()?, 2)?;
    let probe = Probe::parse("random")?;
    let effort = Effort { games: 2000, sample: 1 };
    while !run.is_done() {
        for stepped in step(&mut [&mut run], &arena, &|| false) {
            stepped?;
        }
        if run.generation() % 50 == 0 {
            let champion = run.champion().player(Policy::default());
            let probes = std::slice::from_ref(&probe);
            let tallies = measure(&arena, &[champion], probes, effort, Seed(2), &Unwatched)?;
            let won = 100.0 * probe.value(&tallies[0][0]);
            println!("{:>8} games: {won:.1}% won against random", run.games());
        }
    }
    Ok(())
}
