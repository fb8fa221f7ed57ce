//! Your own weights, measured by the benchmark opponents of the papers.
//!
//! cargo run --release --example 3_measure

use std::sync::Arc;

use outflank::arena::{Arena, Unwatched};
use outflank::kernel::Kernel;
use outflank::lab::{Effort, Probe, measure_fresh, score_interval};
use outflank::model::Wpc;
use outflank::othello::Square;
use outflank::player::{Brain, Player, Policy};
use outflank::rng::Seed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Corners are good, and the squares next to them are bad.
    let mut weights = [0.1; 64];
    for at in Square::all() {
        let from_edge = |line: usize| line.min(7 - line);
        weights[at.index()] = match (from_edge(at.row()), from_edge(at.column())) {
            (0, 0) => 1.0,
            (0..=1, 0..=1) => -0.5,
            (0, _) | (_, 0) => 0.3,
            _ => 0.0,
        };
    }
    let brain = Brain::Wpc(Arc::new(Wpc::new(weights).expect("weights are finite")));
    let player = Player { name: "corners".into(), brain, policy: Policy::default() };

    let arena = Arena::new(Kernel::detect()?, 2)?;
    let probes = ["random", "heuristic", "utility"].map(Probe::parse);
    let probes = probes.into_iter().collect::<Result<Vec<Probe>, _>>()?;
    let effort = Effort { games: 10_000, sample: 5000 };
    let tallies = measure_fresh(&arena, &[player], &probes, effort, Seed(1), &Unwatched)?;
    for (probe, tally) in probes.iter().zip(&tallies[0]) {
        let [low, high] = score_interval(tally).map(|share| 100.0 * share);
        let (name, score) = (&probe.name, 100.0 * tally.score());
        println!("{name:<10} score {score:.1}% ({low:.1} to {high:.1})");
    }
    Ok(())
}
