//! The size of the game tree.

use std::time::Instant;

use outflank_arena::Watch;
use outflank_game::othello::{Convention, Position, parse_position, perft, write_position};
use outflank_kernel::Kernel;
use serde::{Deserialize, Serialize};

use crate::{Command, Error};

/// Counts the leaves of the game tree at a depth.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerftRequest {
    /// Plies to look ahead, at most 60.
    pub depth: u32,
    /// Where to start: 64 squares and the side to move; the usual position if there is none.
    pub position: Option<String>,
    /// Whether a game that ends earlier counts as a leaf (`bik`, also if empty) or not (`edax`).
    pub convention: String,
}

/// The size of the tree.
#[derive(Clone, Debug, Serialize)]
pub struct PerftAnswer {
    /// As in the request.
    pub depth: u32,
    /// Where the tree starts.
    pub position: String,
    /// How games that end earlier count.
    pub convention: &'static str,
    /// Leaves.
    pub nodes: u64,
    /// Leaves per second.
    pub nodes_per_second: f64,
    /// The kernel that counted.
    pub kernel: String,
}

impl Command for PerftRequest {
    type Answer = PerftAnswer;
    const NAME: &'static str = "perft";

    fn run(&self, _watch: &dyn Watch) -> Result<PerftAnswer, Error> {
        let position = match &self.position {
            Some(text) => {
                let wrong = |error| Error::Usage(format!("--position: {error}"));
                parse_position(text).map_err(wrong)?
            }
            None => Position::START,
        };
        let (rule, convention) = match self.convention.as_str() {
            "" | "bik" => (Convention::Bik, "bik"),
            "edax" => (Convention::Edax, "edax"),
            other => {
                return Err(Error::Usage(format!("convention = {other:?}, expected bik or edax")));
            }
        };
        if self.depth > 60 {
            return Err(Error::Usage(format!("depth = {}, expected at most 60", self.depth)));
        }
        let kernel = Kernel::detect()?;
        let began = Instant::now();
        let nodes = perft(kernel, position.board, self.depth, rule);
        Ok(PerftAnswer {
            depth: self.depth,
            position: write_position(position),
            convention,
            nodes,
            nodes_per_second: nodes as f64 / began.elapsed().as_secs_f64(),
            kernel: kernel.name().into(),
        })
    }
}
