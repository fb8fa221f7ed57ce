//! A player at a board: what all protocols have in common.

use outflank_arena::Unwatched;
use outflank_game::othello::{Game, Ply, Side, Square};
use outflank_game::player::{MoveValue, Player, Turn};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Key, Seed, Stream};
use outflank_lab::{Analyst, Judged};

/// A player, a game, and whose passes the other program has not mentioned yet. The game passes by
/// itself when a side cannot move; other programs may say so, or not.
#[derive(Debug)]
pub struct Table {
    kernel: Kernel,
    /// As it was given.
    given: Player,
    /// The same for this game, if it is another one in every game.
    player: Player,
    seed: Seed,
    games: u64,
    game: Game,
    /// The plies at the last pass that was mentioned.
    mentioned: usize,
}

/// A move, and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The move.
    pub at: Square,
    /// Its worth for the side that makes it: in discs, or as the player values boards.
    pub value: f64,
    /// Whether that is the exact result with perfect play.
    pub is_exact: bool,
    /// Games of the book with this move, if it is from the book.
    pub book_games: Option<u64>,
}

impl Table {
    /// A new game. Random choices of game n depend on the seed and n.
    pub fn new(kernel: Kernel, player: Player, seed: Seed) -> Table {
        let mut table = Table {
            kernel,
            given: player.clone(),
            player,
            seed,
            games: 0,
            game: Game::default(),
            mentioned: 0,
        };
        table.settle();
        table
    }

    /// Begins another game.
    pub fn begin(&mut self, game: Game) {
        self.games += 1;
        self.mentioned = 0;
        self.game = game;
        self.settle();
    }

    fn settle(&mut self) {
        self.player = self.given.settled(self.seed.at(Stream::Weights, self.games));
        self.player.policy = self.given.policy.clone();
    }

    /// The player's name.
    pub fn name(&self) -> &str {
        &self.given.name
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How far the player looks ahead, at least 1.
    pub fn depth(&self) -> u32 {
        self.player.policy.depth.max(1)
    }

    /// Looks this far ahead from now on.
    pub fn set_depth(&mut self, depth: u32) {
        self.given.policy.depth = depth;
        self.player.policy.depth = depth;
    }

    /// How far the player as it was given looks ahead.
    pub(crate) fn player(&self) -> &Player {
        &self.player
    }

    /// Says whether the last ply is a pass that was not mentioned, and of which side.
    pub fn unmentioned_pass(&self) -> Option<Side> {
        let is_new = self.game.plies().len() > self.mentioned;
        let passed = is_new && self.game.plies().last() == Some(&Ply::Pass);
        passed.then(|| !self.game.position().side)
    }

    /// The pass of the last ply was mentioned.
    pub fn mention(&mut self) {
        self.mentioned = self.game.plies().len();
    }

    /// Places a disc for the side to move.
    pub fn play(&mut self, at: Square) -> Result<(), String> {
        self.game.play(at).map_err(|illegal| illegal.to_string())
    }

    /// Takes back until the game has this many plies.
    pub fn take_back_to(&mut self, plies: usize) {
        while self.game.plies().len() > plies && self.game.undo().is_some() {}
        self.mentioned = 0;
    }

    /// The move of the player for the side to move; none if the game is over.
    pub fn choose(&self) -> Option<Square> {
        let position = self.game.position();
        let moves = position.board.moves();
        let ply = self.game.plies().len() as u32;
        let turn = Turn { position, moves, ply, key: self.key() };
        (!moves.is_empty()).then(|| self.player.choose(self.kernel, &turn))
    }

    fn key(&self) -> Key {
        self.seed.at(Stream::Game, self.games)
    }

    /// What the moves are worth, the best first: moves of the player's book if the position is in
    /// it, else all. None for players that draw their moves.
    pub fn hints(&self) -> Vec<Hint> {
        let mut hints = match self.book_hints() {
            book if !book.is_empty() => book,
            _ => self.judged().map(|judged| values(&judged)).unwrap_or_default(),
        };
        hints.sort_by(|a, b| b.value.total_cmp(&a.value));
        hints
    }

    fn book_hints(&self) -> Vec<Hint> {
        let board = self.game.position().board;
        let found = self.player.policy.book.book().and_then(|book| book.find(board).ok().flatten());
        let lines = found.into_iter().flat_map(|found| found.moves());
        lines
            .flat_map(|line| {
                let (value, games) = (line.value.discs(), line.record.visits());
                let (is_exact, book_games) = (line.exact, Some(games));
                line.squares.map(move |at| Hint { at, value, is_exact, book_games })
            })
            .collect()
    }

    /// The position as the player judges it.
    fn judged(&self) -> Option<Judged> {
        let now = Game::from(self.game.position());
        self.judge(&now)?.pop()
    }

    /// Every position of a game as the player judges it.
    pub(crate) fn judge(&self, game: &Game) -> Option<Vec<Judged>> {
        if self.player.varies() {
            return None;
        }
        let (depth, solve) = (self.depth(), self.player.policy.solve);
        let analyst = Analyst { kernel: self.kernel, player: &self.player, depth, solve };
        analyst.judge(game, &Unwatched, &mut || {}).ok()
    }
}

/// Every move with its worth.
fn values(judged: &Judged) -> Vec<Hint> {
    let hint = |&(at, value): &(Square, MoveValue)| {
        let (value, is_exact) = number(value, judged.is_exact);
        Hint { at, value, is_exact, book_games: None }
    };
    judged.moves.iter().map(hint).collect()
}

/// A worth as a number, and whether it is exact.
pub(crate) fn number(value: MoveValue, is_exact: bool) -> (f64, bool) {
    match value {
        MoveValue::Margin(margin) => (f64::from(margin), true),
        MoveValue::Value(value) => (value, is_exact),
    }
}
