//! What scores a board: weighted piece counters (WPCs), networks, and the fixed formulas of the
//! thesis's opponents.

mod curve_name;
mod formula;
pub mod graph;
mod mlp;
mod portrait;
mod registry;
mod symmetric_wpc;
mod wpc;

pub use formula::Formula;
pub use graph::{Anatomy, Graph};
pub use mlp::{Eyes, MOST_LAYERS, MOST_NODES, Mlp, MlpShape, Neuron};
pub use portrait::{Connection, HiddenNode, Portrait, Unit};
pub use registry::{AnyModel, ModelFile, ModelName};
pub use symmetric_wpc::SymmetricWpc;
pub use wpc::{Wpc, random_weights, to_grid};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::othello::Board;
use outflank_kernel::{Kernel, Network, Wiring};

/// A whole board, a1 to h8, mirrored from its top left quarter.
pub const fn mirrored<T: Copy>(quarter: [[T; 4]; 4]) -> [T; 64] {
    let mut board = [quarter[0][0]; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        board[square] = quarter[row][column];
        square += 1;
    }
    board
}

/// Scores boards, higher is better for the discs in `own`. Called through `dyn` once per candidate
/// move by the single-game engine.
pub trait Evaluate: Send + Sync + std::fmt::Debug {
    /// The value of a board.
    fn value(&self, board: Board) -> f32;

    /// The same value, found with the instructions of a kernel where these are faster.
    fn value_with(&self, _: Kernel, board: Board) -> f32 {
        self.value(board)
    }

    /// About how many parameters are used to score a board.
    fn size(&self) -> usize {
        64
    }

    /// The weight of each square, a1 to h8, if these weights describe the model completely.
    fn squares(&self) -> Option<[f32; 64]> {
        None
    }

    /// The model as a compiled network, if it is one: then it plays as one.
    fn network(&self) -> Option<&Network> {
        None
    }

    /// The part of a player file that describes it, if a file can hold it.
    fn file(&self) -> Option<ModelFile> {
        None
    }

    /// The model as plain data to draw, if it is a network.
    fn portrait(&self) -> Option<Portrait> {
        None
    }
}

/// An evaluation function that can learn: a flat vector of parameters, the only interface between
/// models and learners, and the gradient of the value.
pub trait Model: Evaluate + Clone + Serialize + DeserializeOwned + 'static {
    /// The parameters.
    fn params(&self) -> &[f32];

    /// The parameters, to be changed.
    fn params_mut(&mut self) -> &mut [f32];

    /// The model as a network for off-line learning, whose output is a probability to win. Without
    /// one it cannot learn off-line.
    fn wiring(&self) -> Option<Wiring> {
        None
    }

    /// From whose point of view it sees boards.
    fn view(&self) -> View;

    /// Visits the derivative of the value of a board by each parameter; those not visited are 0.
    fn gradient(&self, board: Board, mut visit: impl FnMut(usize, f32)) {
        let compiled;
        let network = match (self.network(), self.wiring()) {
            (Some(network), _) => network,
            (None, Some(wiring)) => {
                compiled = Network::new(&wiring, self.params());
                &compiled
            }
            (None, None) => return,
        };
        let gradient = network.gradient(board.own.0, board.opp.0, self.params().len());
        gradient.into_iter().enumerate().for_each(|(param, slope)| visit(param, slope));
    }

    /// Its size, if it is a network.
    fn anatomy(&self) -> Option<Anatomy> {
        None
    }

    /// Its statistics, by name.
    fn statistics(&self) -> Vec<(&'static str, f64)> {
        self.anatomy().map_or(Vec::new(), |anatomy| {
            vec![("hidden", anatomy.hidden as f64), ("connections", anatomy.connections as f64)]
        })
    }
}

/// Whose discs an evaluation function counts as its own. For odd functions such as the WPC both
/// views give the same player; for networks with a bias they do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// Black's discs, whoever moves; Black takes the highest value, White the lowest.
    Black,
    /// The discs of the player who moves, who takes the highest value.
    Mover,
}
