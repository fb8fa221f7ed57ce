//! The single-game engine: one loop that plays any game, whatever chooses the moves, and whatever
//! watches and perhaps learns from it.

use super::engines::play_with_engines;
use outflank_game::othello::{Board, Position, Square, Squares};
use outflank_game::player::{Player, Turn};
use outflank_kernel::rng::Key;
use outflank_kernel::{Finished, Kernel, Memo, NO_MOVE};

/// Plays a game and watches it. One trait does both, so that a learner sees the result of a move
/// before it chooses the next.
pub trait Playing {
    /// Chooses a move for the side to move.
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square;

    /// Asked before every move: whether to abandon the game. Its result then does not count.
    fn gives_up(&mut self) -> bool {
        false
    }

    /// Observes every move and pass.
    fn observe(&mut self, _step: &Step) {}
}

/// A move or a pass of a game.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The position before.
    pub before: Position,
    /// The move; none for a pass.
    pub at: Option<Square>,
    /// The position after.
    pub after: Position,
}

/// Plays a game to its end and returns the last position. Passes, and the random plies of the
/// opening, are made here; all other moves are chosen. The key gives each ply its random draw.
pub fn play<P: Playing + ?Sized>(
    kernel: Kernel,
    start: Position,
    key: Key,
    opening: u32,
    playing: &mut P,
) -> Position {
    let moves_of = |board: Board| Squares(kernel.moves(board.own.0, board.opp.0));
    let (mut position, mut passed) = (start, false);
    let mut moves = moves_of(start.board);
    for ply in 0.. {
        if moves.is_empty() {
            if passed {
                break;
            }
            // The last pass of a game does not count, so a pass is shown only when a move follows.
            passed = true;
            position = position.pass();
            moves = moves_of(position.board);
            continue;
        }
        if passed {
            playing.observe(&Step { before: position.pass(), at: None, after: position });
            passed = false;
        }
        if playing.gives_up() {
            break;
        }
        let turn = Turn { position, moves, ply, key };
        let at =
            if ply < opening { turn.pick(kernel, moves) } else { playing.choose(kernel, &turn) };
        let Board { own, opp } = position.board;
        let next = kernel.place(own.0, opp.0, at.set().0);
        let board = Board { own: Squares(next.own), opp: Squares(next.opp) };
        let after = Position { board, side: !position.side };
        playing.observe(&Step { before: position, at: Some(at), after });
        (position, moves) = (after, Squares(next.moves));
    }
    position
}

/// The moves of a game, and what players need during it; reused for one game after another.
#[derive(Debug, Default)]
pub struct GameScratch {
    /// The moves, square indices or [`NO_MOVE`].
    pub moves: Vec<u8>,
    memos: [Memo; 2],
}

impl GameScratch {
    /// Forgets the last game.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.memos.iter_mut().for_each(Memo::forget);
    }

    /// The memory of the player of this ply in the game.
    #[inline]
    pub fn memo(&mut self, ply: u32) -> &mut Memo {
        &mut self.memos[ply as usize % 2]
    }

    /// Records a move or a pass.
    #[inline]
    pub fn note(&mut self, step: &Step) {
        self.moves.push(step.at.map_or(NO_MOVE, |at| at.index() as u8));
    }
}

/// Two players at a table.
struct Seated<'a> {
    players: [&'a Player; 2],
    table: &'a mut GameScratch,
}

impl Playing for Seated<'_> {
    #[inline]
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        let player = self.players[turn.ply as usize % 2];
        player.choose_with(kernel, turn, self.table.memo(turn.ply))
    }

    #[inline]
    fn observe(&mut self, step: &Step) {
        self.table.note(step);
    }
}

/// Plays a game of two players and records its moves; their fingerprint is computed by whoever
/// needs it. The same players, start and key give the same game, here and in the batch kernel.
///
/// ```
/// use outflank_arena::{GameScratch, play_game};
/// use outflank_game::{othello::Position, player::parse_player};
/// use outflank_kernel::Kernel;
/// use outflank_kernel::rng::{Seed, Stream};
/// let (random, mobility) = (parse_player("random").unwrap(), parse_player("mobility").unwrap());
/// let (mut table, key) = (GameScratch::default(), Seed(1).at(Stream::Game, 0));
/// let kernel = Kernel::detect().unwrap();
/// let end = play_game(kernel, [&random, &mobility], Position::START, key, &mut table);
/// assert!(end.first.count_ones() + end.second.count_ones() >= 13);
/// ```
///
/// An engine plays only from the usual start here.
pub fn play_game(
    kernel: Kernel,
    players: [&Player; 2],
    start: Position,
    key: Key,
    table: &mut GameScratch,
) -> Finished {
    if is_with_engines(players) {
        let played = play_with_engines(kernel, players, start.into(), key, table, &|| false);
        return played.expect("nobody stops it");
    }
    table.clear();
    let opening = players[0].policy.opening.max(players[1].policy.opening);
    let mut seated = Seated { players, table };
    let end = play(kernel, start, key, opening, &mut seated).seen_by(start.side);
    Finished { first: end.own.0, second: end.opp.0, print: 0 }
}

/// Says whether one of the players is an engine.
#[inline]
pub(super) fn is_with_engines(players: [&Player; 2]) -> bool {
    players.iter().any(|player| player.engine().is_some())
}
