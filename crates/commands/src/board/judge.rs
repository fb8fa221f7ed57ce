//! What every legal move is worth to a player: looking ahead, or exactly where the end of the game
//! can be solved.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use outflank_arena::Watch;
use outflank_game::othello::{Board, Square};
use outflank_game::player::{MoveValue, Player, Turn};
use outflank_kernel::rng::{Seed, Stream};
use outflank_kernel::{Aim, Kernel, Solver};
use serde::{Deserialize, Serialize};

use super::{GROWTH, GameSoFar, NODES, colour, evaluations, seated};
use crate::{Command, Error};

/// Asks a player what it thinks of every legal move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgeRequest {
    /// The player.
    pub player: String,
    /// The game so far.
    pub game: GameSoFar,
    /// How many moves it looks ahead.
    pub depth: u32,
    /// With this many empty squares or fewer, moves are solved to the end of the game.
    pub solve: u32,
    /// Seed of a player that is drawn for every game.
    pub seed: u64,
}

impl Default for JudgeRequest {
    fn default() -> JudgeRequest {
        let (player, game) = (String::new(), GameSoFar::default());
        JudgeRequest { player, game, depth: 1, solve: 0, seed: 1 }
    }
}

/// What a player thinks of every legal move.
#[derive(Clone, Debug, Serialize)]
pub struct JudgeAnswer {
    /// The player.
    pub player: String,
    /// For which side.
    pub side: &'static str,
    /// How many moves it looked ahead.
    pub depth: u32,
    /// Whether the values are the results of the game with perfect play.
    pub exact: bool,
    /// Whether less was done than was asked, because it would have taken too long.
    pub limited: bool,
    /// Whether it draws its moves, so that it values none.
    pub draws: bool,
    /// The moves, in square order; none if it draws them or the game is over.
    pub moves: Vec<JudgedMove>,
    /// All best moves.
    pub best: Vec<String>,
    /// Boards evaluated.
    pub evaluations: u64,
    /// Positions visited by the solver.
    pub nodes: u64,
}

/// A legal move, and what it is worth to the side that makes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgedMove {
    /// The move.
    pub at: String,
    /// As the player values it; none if the end of the game is known.
    pub value: Option<f64>,
    /// The result in discs, if the end of the game is known.
    pub discs: Option<i32>,
}

/// The deepest that can be asked for; how far it comes depends on the player.
const MOST_DEPTH: u32 = 20;
/// The most empty squares for which solving can be asked; whether it ends depends on the position.
const MOST_SOLVE: u32 = 24;
/// The table of the solver.
const TABLE: usize = 32 << 20;

impl Command for JudgeRequest {
    type Answer = JudgeAnswer;
    const NAME: &'static str = "judge";

    fn run(&self, watch: &dyn Watch) -> Result<JudgeAnswer, Error> {
        if !(1..=MOST_DEPTH).contains(&self.depth) {
            let depth = self.depth;
            return Err(Error::Usage(format!("depth = {depth}, expected 1 to {MOST_DEPTH}")));
        }
        if self.solve > MOST_SOLVE {
            let solve = self.solve;
            return Err(Error::Usage(format!("solve = {solve}, expected 0 to {MOST_SOLVE}")));
        }
        let (player, game) = (seated(&self.player, self.seed)?, self.game.game()?);
        let position = game.position();
        let mut answer = JudgeAnswer {
            player: player.name.clone(),
            side: colour(position.side),
            depth: 0,
            exact: false,
            limited: false,
            draws: player.varies(),
            moves: Vec::new(),
            best: Vec::new(),
            evaluations: 0,
            nodes: 0,
        };
        if game.is_over() {
            return Ok(answer);
        }
        let key = Seed(self.seed).at(Stream::Game, 0);
        let moves = position.board.moves();
        let turn = Turn { position, moves, ply: game.plies().len() as u32, key };
        let kernel = Kernel::detect()?;
        if position.board.empty().len() <= self.solve {
            answer.solve(kernel, &turn, watch)?;
        }
        if !answer.exact && !answer.draws {
            answer.look(kernel, &player, &turn, self.depth, watch)?;
        }
        Ok(answer)
    }
}

impl JudgeAnswer {
    /// Solves every move, unless it takes too long.
    fn solve(&mut self, kernel: Kernel, turn: &Turn, watch: &dyn Watch) -> Result<(), Error> {
        let mut solver =
            Solver::new(kernel, TABLE).map_err(|error| Error::Failed(error.to_string()))?;
        let (before, visited) = (AtomicU64::new(0), Cell::new(0));
        let stop = |so_far: outflank_kernel::Progress| {
            watch.stop() || before.load(Ordering::Relaxed) + so_far.nodes > NODES
        };
        let mut found = Vec::new();
        for at in turn.moves {
            let Board { own, opp } = turn.position.board.play(at);
            match solver.solve(own.0, opp.0, Aim::Exact, &stop) {
                Ok(solved) => {
                    visited.set(visited.get() + solved.nodes);
                    before.store(visited.get(), Ordering::Relaxed);
                    found.push((at, MoveValue::Margin(-solved.score)));
                }
                Err(progress) => {
                    watch.check()?;
                    self.nodes = visited.get() + progress.nodes;
                    self.limited = true;
                    return Ok(());
                }
            }
        }
        self.nodes = visited.get();
        self.exact = true;
        self.take(&found);
        Ok(())
    }

    /// Looks ahead, deeper and deeper, as far as was asked or as a page may take.
    fn look(
        &mut self,
        kernel: Kernel,
        player: &Player,
        turn: &Turn,
        depth: u32,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let (most, empties) = (evaluations(player), turn.position.board.empty().len());
        let depth_asked = depth;
        let depth = depth.min(empties);
        for reached in 1..=depth {
            watch.check()?;
            let Some((found, cost)) = player.values(kernel, turn, reached) else { return Ok(()) };
            self.evaluations += cost;
            self.depth = reached;
            // At the end of the tree all games are over.
            self.exact = reached == empties;
            self.take(&found);
            if reached < depth && cost.saturating_mul(GROWTH) > most {
                self.limited = true;
                break;
            }
        }
        if self.exact {
            self.depth = depth_asked.min(empties);
        }
        Ok(())
    }

    fn take(&mut self, found: &[(Square, MoveValue)]) {
        let number = |value: MoveValue| value.number();
        let best = found.iter().map(|(_, value)| number(*value)).fold(f64::NEG_INFINITY, f64::max);
        let reaches = |(_, value): &&(Square, MoveValue)| number(*value).total_cmp(&best).is_ge();
        self.best = found.iter().filter(reaches).map(|(at, _)| at.to_string()).collect();
        let is_exact = self.exact;
        let judged = |&(at, value): &(Square, MoveValue)| {
            let (value, discs) = match value {
                // An even end is no margin to a tree, but the value 0.
                MoveValue::Value(_) if is_exact => (None, Some(0)),
                MoveValue::Value(value) => (Some(value), None),
                MoveValue::Margin(discs) => (None, Some(discs)),
            };
            JudgedMove { at: at.to_string(), value, discs }
        };
        self.moves = found.iter().map(judged).collect();
    }
}
