//! The symmetric weighted piece counter: squares that a rotation or reflection of the board maps to
//! each other share a weight, so ten weights are enough for 64 squares.

use serde::{Deserialize, Serialize};

use super::{Evaluate, Model, ModelFile, View, Wpc};
use crate::othello::{Board, Square};

/// The number of weights.
pub const CLASSES: usize = 10;

/// Ten weights, from that of the corners to that of the centre. It plays as the WPC that has them
/// on all squares.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SymmetricWpc {
    weights: [f32; CLASSES],
}

/// The weight that a square has: 0 for corners, 9 for the centre.
pub fn class(at: Square) -> usize {
    let from_edge = |line: usize| line.min(7 - line);
    let (row, column) = (from_edge(at.row()), from_edge(at.column()));
    let (far, near) = (row.max(column), row.min(column));
    far * (far + 1) / 2 + near
}

impl SymmetricWpc {
    /// Makes one with weights drawn one after another.
    pub fn drawn(mut draw: impl FnMut() -> f32) -> SymmetricWpc {
        SymmetricWpc { weights: std::array::from_fn(|_| draw()) }
    }

    /// Reads the WPC of a player file, which must be symmetric.
    pub fn read(file: &ModelFile) -> Result<SymmetricWpc, String> {
        let wpc = Wpc::read(file)?;
        let mut weights = [0.0; CLASSES];
        Square::all().for_each(|at| weights[class(at)] = wpc.weights()[at.index()]);
        let own = SymmetricWpc { weights };
        let differs =
            |at: &Square| own.weights[class(*at)].to_bits() != wpc.weights()[at.index()].to_bits();
        match Square::all().find(differs) {
            None => Ok(own),
            Some(at) => Err(format!("it is not symmetric: the weight of {at} differs from others")),
        }
    }

    /// The WPC with these weights.
    pub fn wpc(&self) -> Wpc {
        let mut squares = Square::all();
        Wpc::drawn(|| squares.next().map_or(0.0, |at| self.weights[class(at)]))
    }
}

impl Evaluate for SymmetricWpc {
    fn value(&self, board: Board) -> f32 {
        let sum = |set: crate::othello::Squares| {
            set.map(|at| f64::from(self.weights[class(at)])).sum::<f64>()
        };
        (sum(board.own) - sum(board.opp)) as f32
    }

    fn squares(&self) -> Option<[f32; 64]> {
        self.wpc().squares()
    }

    /// That of the WPC, which can be used wherever a WPC can.
    fn file(&self) -> Option<ModelFile> {
        self.wpc().file()
    }
}

impl Model for SymmetricWpc {
    fn params(&self) -> &[f32] {
        &self.weights
    }

    fn params_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn view(&self) -> View {
        View::Black
    }

    /// What is visited adds up, so the derivative by a weight is the sum over its squares.
    fn gradient(&self, board: Board, mut visit: impl FnMut(usize, f32)) {
        board.own.for_each(|at| visit(class(at), 1.0));
        board.opp.for_each(|at| visit(class(at), -1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Symmetry;

    #[test]
    fn squares_share_a_weight_if_a_symmetry_maps_one_to_the_other() {
        let mut sizes = [0; CLASSES];
        for at in Square::all() {
            sizes[class(at)] += 1;
            for other in Square::all() {
                let is_mapped = Symmetry::ALL.iter().any(|symmetry| symmetry.square(at) == other);
                assert_eq!(class(at) == class(other), is_mapped, "{at} {other}");
            }
        }
        assert_eq!(sizes, [4, 8, 4, 8, 8, 4, 8, 8, 8, 4]);
        assert_eq!(class(Square::new(0).unwrap()), 0);
        assert_eq!(class(Square::new(27).unwrap()), 9);
    }

    #[test]
    fn a_symmetric_wpc_is_read_from_its_file_and_no_other_is() {
        let mut weight = 0.0;
        let own = SymmetricWpc::drawn(|| {
            weight += 0.5;
            weight
        });
        let mut file = own.file().unwrap();
        assert_eq!(SymmetricWpc::read(&file).unwrap().params(), own.params());
        file.parameters[63] += 0.5;
        assert!(SymmetricWpc::read(&file).unwrap_err().starts_with("it is not symmetric: "));
    }
}
