//! What the tests of several ways of learning need.

use crate::arena::{Arena, Table, play_game};
use crate::kernel::{Curve, Kernel};
use crate::model::{Eyes, Mlp, Shape, View};
use crate::othello::Position;
use crate::player::parse_player;
use crate::rng::{Seed, Stream};

/// A small perceptron.
pub fn mlp() -> Mlp {
    let (curve, view) = (Curve::Sigmoid, View::Mover);
    let shape =
        Shape { eyes: Eyes::Board, hidden: vec![4], curve, output: curve, bias: true, view };
    Mlp::uniform(shape, 0.5, &mut Seed(1).at(Stream::Weights, 0).rng())
}

/// One thread.
pub fn arena() -> Arena {
    Arena::new(Kernel::available()[0], 1).unwrap()
}

/// The moves of a game.
pub fn game(index: u64) -> Vec<u8> {
    let players = ["heuristic", "random"].map(|name| parse_player(name).unwrap());
    let mut table = Table::default();
    let key = Seed(6).at(Stream::Game, index);
    let kernel = Kernel::available()[0];
    play_game(kernel, [&players[0], &players[1]], Position::START, key, &mut table);
    table.moves
}
