//! What scores a board: weighted piece counters, and the fixed formulas of the thesis's opponents.

mod formula;
mod wpc;

pub use formula::Formula;
pub use wpc::{Wpc, random_weights, to_grid};

use serde::{Deserialize, Serialize};

use crate::othello::Board;

/// Scores boards, higher is better for the discs in `own`. Called through `dyn` once per candidate
/// move by the single-game engine.
pub trait Evaluate: Send + Sync + std::fmt::Debug {
    /// The value of a board.
    fn value(&self, board: Board) -> f32;

    /// The worth of each square, a1 to h8, if a board of them tells all there is to the model.
    fn squares(&self) -> Option<[f32; 64]> {
        None
    }
}

/// Whose discs an evaluation function counts as its own. The same player for odd functions such as
/// the WPC; not for networks with a bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// Black's discs, whoever moves; Black takes the highest value, White the lowest.
    Black,
    /// The discs of the player who moves, who takes the highest value.
    Mover,
}
