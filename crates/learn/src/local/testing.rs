//! What the tests of several ways of learning need.

use outflank_arena::{Arena, Table, play_game};
use outflank_game::model::{Eyes, Mlp, Shape, View};
use outflank_game::othello::Position;
use outflank_game::player::parse_player;
use outflank_kernel::rng::{Seed, Stream};
use outflank_kernel::{Curve, Kernel};

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
