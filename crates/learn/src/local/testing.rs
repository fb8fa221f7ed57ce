//! Helpers for the tests of local learning.

use super::{Learning, Local, Scene};
use crate::{Candidate, Halt, Stop};
use std::sync::atomic::{AtomicUsize, Ordering};

use outflank_arena::{Arena, GameScratch, play_game};
use outflank_game::model::{Eyes, Mlp, MlpShape, View};
use outflank_game::othello::Position;
use outflank_game::player::parse_player;
use outflank_kernel::rng::{Seed, Stream};
use outflank_kernel::{Curve, Kernel};

/// A small perceptron.
pub fn mlp() -> Mlp {
    perceptron(4)
}

/// A perceptron with one hidden layer.
pub fn perceptron(hidden: usize) -> Mlp {
    let (curve, view) = (Curve::Sigmoid, View::Mover);
    let shape = MlpShape {
        eyes: Eyes::Board,
        hidden: vec![hidden],
        curve,
        output: curve,
        bias: true,
        view,
    };
    Mlp::uniform(shape, 0.5, &mut Seed(1).at(Stream::Weights, 0).rng())
}

/// An arena with one thread.
pub fn arena() -> Arena {
    Arena::new(Kernel::available()[0], 1).unwrap()
}

/// Lets candidates learn for one generation; their seeds are 1, 2, and so on.
pub fn learned<M: Candidate>(
    mut local: impl Local<M>,
    candidates: &mut [&mut M],
    stop: &Stop<'_>,
) -> Result<u64, Halt> {
    let mut learning = Vec::new();
    for (candidate, seed) in candidates.iter_mut().zip(1..) {
        let (seed, candidate) = (Seed(seed), &mut **candidate);
        learning.push(Learning { candidate, seed, generation: 0, diverged: None, error: 0.0 });
    }
    let scene = Scene { arena: &arena(), root: Seed(1), played: 0, total: 1, stop };
    local.before(&mut learning, &scene)
}

/// The moves of a game.
pub fn game(index: u64) -> Vec<u8> {
    let players = ["heuristic", "random"].map(|name| parse_player(name).unwrap());
    let mut table = GameScratch::default();
    let key = Seed(6).at(Stream::Game, index);
    let kernel = Kernel::available()[0];
    play_game(kernel, [&players[0], &players[1]], Position::START, key, &mut table);
    table.moves
}

/// How often learning asks whether to stop.
pub fn times_asked<M: Candidate>(local: impl Local<M>, candidate: &mut M) -> usize {
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) == usize::MAX;
    learned(local, &mut [candidate], &stop).unwrap();
    asked.into_inner()
}
