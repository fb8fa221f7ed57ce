//! The move that a player makes.

use outflank_arena::Watch;
use outflank_game::player::{Player, Turn, Work};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Seed, Stream};
use serde::{Deserialize, Serialize};

use super::{GROWTH, GameSoFar, MOST_SOLVE, colour, evaluations, seated};
use crate::{Command, Error};

/// Asks a player for its move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChooseRequest {
    /// The player.
    pub player: String,
    /// The game so far.
    pub game: GameSoFar,
    /// Seed of its random choices: the same game and seed give the same move.
    pub seed: u64,
}

impl Default for ChooseRequest {
    fn default() -> ChooseRequest {
        ChooseRequest { player: String::new(), game: GameSoFar::default(), seed: 1 }
    }
}

/// The move of a player.
#[derive(Clone, Debug, Serialize)]
pub struct ChooseAnswer {
    /// The player.
    pub player: String,
    /// For which side.
    pub side: &'static str,
    /// The move.
    #[serde(rename = "move")]
    pub at: String,
    /// How many moves it looked ahead, if it does.
    pub depth: Option<u32>,
    /// Whether it would have looked further ahead, or solved more, without the bounds of a page.
    pub limited: bool,
    /// Boards evaluated to look ahead.
    pub evaluations: u64,
    /// Positions visited to solve endgames.
    pub nodes: u64,
}

impl Command for ChooseRequest {
    type Answer = ChooseAnswer;
    const NAME: &'static str = "choose";

    fn run(&self, watch: &dyn Watch) -> Result<ChooseAnswer, Error> {
        let mut player = seated(&self.player, self.seed)?;
        let game = self.game.game()?;
        if game.is_over() {
            return Err(Error::Usage("game: it is over, so there is no move to choose".into()));
        }
        let position = game.position();
        let turn = Turn {
            position,
            moves: position.board.moves(),
            ply: game.plies().len() as u32,
            key: Seed(self.seed).at(Stream::Game, 0),
        };
        let kernel = Kernel::detect()?;
        let before = Work::so_far();
        let solves_less = player.policy.solve > MOST_SOLVE;
        player.policy.solve = player.policy.solve.min(MOST_SOLVE);
        let (at, depth, limited) = look(kernel, &mut player, &turn, watch)?;
        let work = Work::so_far() - before;
        Ok(ChooseAnswer {
            player: player.name,
            side: colour(position.side),
            at: at.to_string(),
            depth,
            limited: limited || solves_less,
            evaluations: work.evaluations,
            nodes: work.nodes,
        })
    }
}

type Looked = (outflank_game::othello::Square, Option<u32>, bool);

/// Chooses deeper and deeper, until the player's own depth or what a page may take. The move is
/// that of the player with the depth that was reached.
fn look(
    kernel: Kernel,
    player: &mut Player,
    turn: &Turn,
    watch: &dyn Watch,
) -> Result<Looked, Error> {
    let depth = player.policy.depth;
    if depth <= 1 {
        return Ok((player.choose(kernel, turn), (depth == 1).then_some(1), false));
    }
    let most = evaluations(player);
    for reached in 1..=depth {
        watch.check()?;
        player.policy.depth = reached;
        let before = Work::so_far();
        let at = player.choose(kernel, turn);
        let cost = (Work::so_far() - before).evaluations;
        // No evaluations: the move was random, from a book, solved or the only one. The rest of the
        // game cannot be deeper than its empty squares.
        let is_done = (cost == 0 && reached > 1) || reached >= turn.position.board.empty().len();
        if reached == depth || is_done {
            return Ok((at, Some(reached), false));
        }
        if cost.saturating_mul(GROWTH) > most {
            return Ok((at, Some(reached), true));
        }
    }
    unreachable!("the last depth returns")
}
