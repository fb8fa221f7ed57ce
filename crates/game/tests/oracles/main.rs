//! Oracles of the rules: published and independently computed results, and laws for all positions.
//!
//! `PROPTEST_CASES=100000 cargo test --test oracles laws` searches longer for a broken law.

mod array;
mod coordinates;
mod ffo;
mod laws;
mod openspiel;
mod perft;
mod rules;
mod shortest_games;

use std::io::Write as _;

use outflank_game::othello::{Position, Square};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Key, Seed, Stream};

/// Kernels that this CPU lacks are named, so that a skipped test is seen.
#[expect(clippy::explicit_write, reason = "the harness hides what a passing test prints")]
fn each_kernel(test: impl Fn(Kernel)) {
    for name in Kernel::all_names() {
        match Kernel::named(name) {
            Ok(kernel) => test(kernel),
            Err(_) => {
                writeln!(std::io::stderr(), "skipped: this CPU cannot run the kernel {name}")
                    .unwrap();
            }
        }
    }
}

/// How the seeded games of the tests choose their moves.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// Any legal move: the usual middle game, but passes are rare.
    Uniform,
    /// The first move that leaves the fewest replies, every other time: passes and wipe-outs.
    Squeezing,
}

impl Style {
    /// The move of a position with legal moves, drawn for this ply.
    fn choose(self, position: Position, key: Key, ply: u32) -> Square {
        let (moves, draw) = (position.board.moves(), key.draw(ply));
        match self {
            Style::Squeezing if draw.0 & 1 == 0 => {
                // There is at least one move, or there would be nothing to choose.
                moves.min_by_key(|&at| position.play(at).board.moves().len()).unwrap()
            }
            _ => moves.nth(draw.index(moves.len())),
        }
    }
}

fn game_key(index: u64) -> Key {
    Seed(20_261_115).at(Stream::Game, index)
}

/// Plays `plies` plies from the start, passes counted, or until the game ends if that is earlier.
fn position_after(plies: u32, key: Key, style: Style) -> Position {
    let mut position = Position::START;
    for ply in 0..plies {
        if position.board.is_over() {
            break;
        }
        position = if position.board.moves().is_empty() {
            position.pass()
        } else {
            position.play(style.choose(position, key, ply))
        };
    }
    position
}
