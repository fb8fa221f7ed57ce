//! A model of your own: a weighted piece counter in which symmetric squares share a weight, trained
//! by CTDL.
//!
//! cargo run --release --example 5_own_model

use std::sync::Arc;

use outflank::arena::{Arena, Unwatched};
use outflank::kernel::Kernel;
use outflank::lab::{Effort, Probe, measure};
use outflank::learn::resolve;
use outflank::learn::{Candidate, LearnError, ModelSpec, Run, step};
use outflank::model::{Evaluate, Model, View, Wpc};
use outflank::othello::{Board, Square, Squares};
use outflank::player::{Brain, Policy};
use outflank::rng::{Rng, Seed};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct TiedWpc {
    weights: [f32; 10],
}

impl TiedWpc {
    fn uniform(distance: f64, rng: &mut Rng) -> TiedWpc {
        TiedWpc { weights: std::array::from_fn(|_| rng.uniform(-distance, distance) as f32) }
    }

    fn board(&self) -> [f32; 64] {
        let mut board = [0.0; 64];
        Square::all().for_each(|at| board[at.index()] = self.weights[class(at)]);
        board
    }
}

/// Which weight a square has: 0 for corners, 9 for the centre.
fn class(at: Square) -> usize {
    let from_edge = |line: usize| line.min(7 - line);
    let (a, b) = (from_edge(at.row()), from_edge(at.column()));
    a.max(b) * (a.max(b) + 1) / 2 + a.min(b)
}

impl Evaluate for TiedWpc {
    fn value(&self, board: Board) -> f32 {
        let sum = |discs: Squares| discs.map(|at| self.weights[class(at)]).sum::<f32>();
        sum(board.own) - sum(board.opp)
    }
}

impl Model for TiedWpc {
    fn view(&self) -> View {
        View::Black
    }

    fn params(&self) -> &[f32] {
        &self.weights
    }

    fn params_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    // A parameter may be visited many times: what is visited adds up.
    fn gradient(&self, board: Board, mut visit: impl FnMut(usize, f32)) {
        board.own.for_each(|at| visit(class(at), 1.0));
        board.opp.for_each(|at| visit(class(at), -1.0));
    }
}

impl Candidate for TiedWpc {
    fn first(_: &ModelSpec, start: f64, rng: &mut Rng) -> Result<TiedWpc, LearnError> {
        Ok(TiedWpc::uniform(start, rng))
    }

    // Not needed, but a WPC plays in the batch kernel, many times faster than other models.
    fn brain(&self) -> Brain {
        Brain::Wpc(Arc::new(Wpc::new(self.board()).expect("weights are finite")))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let set = ["search.population=10", "local.games=10"];
    let spec = resolve("ctdl", &set.map(String::from))?.spec;
    let mut run = Run::<TiedWpc>::new(spec, Seed(1))?;
    let arena = Arena::new(Kernel::detect()?, 1)?;
    for _ in 0..20 {
        assert_eq!(step(&mut [&mut run], &arena, &|| false), [Ok(())]);
    }
    assert_eq!(run.games(), 20 * (10 * 10 + 10 * 10));

    let player = run.champion().player(Policy::default());
    let probe = Probe::parse("random")?;
    let effort = Effort { games: 2000, sample: 1 };
    let tallies =
        measure(&arena, &[player], std::slice::from_ref(&probe), effort, Seed(2), &Unwatched)?;
    let won = 100.0 * probe.value(&tallies[0][0]);
    println!("ten weights win {won:.1}% of their games against random");
    Ok(())
}
