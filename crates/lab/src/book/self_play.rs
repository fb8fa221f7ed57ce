//! Games of a player with itself for a book. While a game is in the book so far, it follows one of
//! the moves whose values may be close, or leaves the book by the move that the player likes best
//! of some that were never tried there. So the book grows where its values are in doubt.

use std::ops::Range;

use outflank_arena::{Arena, GameScratch, Playing, Step, play};
use outflank_game::book::{BookMove, Key, Table};
use outflank_game::othello::{Position, Side, Square, Squares};
use outflank_game::player::{Player, Turn};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Seed, Stream};

/// How a player plays with itself.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The player; its policy adds to the variety of the games.
    pub player: Player,
    /// The number of games.
    pub games: u64,
    /// Seed of the games.
    pub seed: u64,
    /// The probability, at each position of the book, of leaving it by a move not tried there.
    pub explore: f64,
    /// How many discs worse than the best a move may be for a game to follow it.
    pub margin: f64,
}

/// A game: its moves and Black's margin.
pub(super) type PlayedGame = (Vec<Square>, i32);

impl SelfPlay {
    /// Plays some of the games with a book that does not change meanwhile.
    pub(super) fn play(
        &self,
        arena: &Arena,
        numbers: Range<u64>,
        book: &Table,
        depth: u32,
    ) -> Vec<PlayedGame> {
        let one = |number: u64| self.play_one(arena.kernel(), number, book, depth);
        arena.share(numbers, one)
    }

    fn play_one(&self, kernel: Kernel, number: u64, book: &Table, depth: u32) -> PlayedGame {
        let key = Seed(self.seed).at(Stream::Game, number);
        let player = self.player.settled(key);
        let opening = player.policy.opening;
        let scratch = GameScratch::default();
        let mut explorer = Explorer {
            rules: self,
            player: &player,
            book,
            depth,
            scratch,
            moves: Vec::new(),
            in_book: true,
        };
        let end = play(kernel, Position::START, key, opening, &mut explorer);
        (explorer.moves, end.seen_by(Side::Black).margin())
    }
}

/// A player that explores.
struct Explorer<'a> {
    rules: &'a SelfPlay,
    player: &'a Player,
    book: &'a Table,
    depth: u32,
    scratch: GameScratch,
    moves: Vec<Square>,
    in_book: bool,
}

impl Playing for Explorer<'_> {
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        let board = turn.position.board;
        self.in_book &= (board.own | board.opp).len() < self.depth.saturating_add(4);
        if self.in_book {
            let (key, ways) = Key::of(board);
            match self.book.find(key) {
                None => self.in_book = false,
                Some(moves) => {
                    let tried = moves.iter().map(|of| ways.back(of.at));
                    let tried = tried.fold(Squares::NONE, |all, one| all | one);
                    let untried = Squares(turn.moves.0 & !tried.0);
                    let mut rng = turn.key.rng_at(Stream::Opening, turn.ply);
                    let explores = rng.unit() < self.rules.explore;
                    if !explores || untried.is_empty() {
                        let close = close(moves, self.rules.margin);
                        let of = &moves[close[rng.below(close.len() as u32) as usize]];
                        return turn.pick(kernel, ways.back(of.at));
                    }
                    self.in_book = false;
                    // Of a random half, because games of a round would all leave by one move.
                    let half = Squares(untried.0 & rng.bits());
                    let moves = if half.is_empty() { untried } else { half };
                    let turn = Turn { moves, ..*turn };
                    return self.player.choose_with(kernel, &turn, self.scratch.memo(turn.ply));
                }
            }
        }
        self.player.choose_with(kernel, turn, self.scratch.memo(turn.ply))
    }

    fn observe(&mut self, step: &Step) {
        self.moves.extend(step.at);
    }
}

/// The numbers of the moves that may be worth almost as much as the best, as far as their games
/// can tell. So a move that had bad luck is made again until it is known to be bad.
fn close(moves: &[BookMove], margin: f64) -> Vec<usize> {
    let doubt = |of: &BookMove| if of.exact { 0.0 } else { SPREAD / libm::sqrt(visits(of)) };
    let least = |of: &BookMove| of.value.discs() - doubt(of);
    let most = |of: &BookMove| of.value.discs() + doubt(of);
    let sure = moves.iter().map(least).fold(f64::NEG_INFINITY, f64::max);
    (0..moves.len()).filter(|&index| most(&moves[index]) >= sure - margin).collect()
}

fn visits(of: &BookMove) -> f64 {
    of.record.visits().max(1) as f64
}

/// Margins of games of equal players are about this many discs apart (the standard deviation).
const SPREAD: f64 = 20.0;
