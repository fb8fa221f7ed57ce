//! The single-game engine: any two players, one game.

use crate::kernel::{Finished, Kernel, Memo, NO_MOVE, fingerprint};
use crate::othello::{Board, Position, Squares};
use crate::player::{Player, Turn};
use crate::rng::Key;

/// What a game leaves behind, and what players need while it goes on; for one game after the other.
#[derive(Debug, Default)]
pub struct Table {
    /// The moves, square indices or [`NO_MOVE`].
    pub moves: Vec<u8>,
    memos: [Memo; 2],
}

/// Plays a game and notes its moves, with their fingerprint in the result. Same players, start and key: same game, here and in the batch
/// kernel.
///
/// ```
/// use outflank::{arena::{Table, play_game}, kernel::Kernel, othello::Position, player::parse_player};
/// use outflank::rng::{Seed, Stream};
/// let (random, mobility) = (parse_player("random").unwrap(), parse_player("mobility").unwrap());
/// let (mut table, key) = (Table::default(), Seed(1).at(Stream::Game, 0));
/// let kernel = Kernel::detect().unwrap();
/// let end = play_game(kernel, [&random, &mobility], Position::START, key, &mut table);
/// assert!(end.first.count_ones() + end.second.count_ones() >= 13);
/// ```
pub fn play_game(
    kernel: Kernel,
    [first, second]: [&Player; 2],
    start: Position,
    key: Key,
    table: &mut Table,
) -> Finished {
    let Table { moves, memos } = table;
    let opening = first.policy.opening.max(second.policy.opening);
    let mut position = start;
    let mut passed = false;
    moves.clear();
    memos.iter_mut().for_each(Memo::forget);
    for ply in 0.. {
        let board = position.board;
        let legal = Squares(kernel.moves(board.own.0, board.opp.0));
        if legal.is_empty() {
            if passed {
                // The last pass was no move of the game.
                moves.pop();
                break;
            }
            passed = true;
            moves.push(NO_MOVE);
            position = position.pass();
            continue;
        }
        passed = false;
        let (player, memo) =
            if ply % 2 == 0 { (first, &mut memos[0]) } else { (second, &mut memos[1]) };
        let at = match ply < opening {
            true => Squares(kernel.pick(legal.0, key.draw(ply))).nth(0),
            false => player.choose_with(kernel, &Turn { position, moves: legal, ply, key }, memo),
        };
        let flips = kernel.flips(board.own.0, board.opp.0, at.set().0);
        moves.push(at.index() as u8);
        let own = Squares(board.opp.0 ^ flips);
        let opp = Squares(board.own.0 | flips | at.set().0);
        position = Position { board: Board { own, opp }, side: !position.side };
    }
    let end = position.seen_by(start.side);
    Finished { first: end.own.0, second: end.opp.0, print: fingerprint(moves) }
}
