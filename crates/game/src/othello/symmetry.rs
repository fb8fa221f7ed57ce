//! The eight symmetries of the board.

use super::{Board, Square, Squares};

/// A rotation or reflection of the board: optionally a transposition (a1 stays, h1 and a8 swap),
/// then a swap of left and right, then a swap of top and bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight; the first is the identity.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The symmetry that takes everything back.
    #[inline]
    pub fn inverse(self) -> Symmetry {
        // Undoing a transposition first turns a swap of columns into a swap of rows.
        match self.0 & 1 {
            0 => self,
            _ => Symmetry(1 | (self.0 & 2) << 1 | (self.0 & 4) >> 1),
        }
    }

    /// Where a square goes.
    pub fn square(self, square: Square) -> Square {
        // A set of one square keeps one square.
        self.squares(square.set()).nth(0)
    }

    /// Where a set of squares goes.
    #[inline]
    pub fn squares(self, set: Squares) -> Squares {
        let mut bits = set.0;
        if self.0 & 1 != 0 {
            bits = transpose(bits);
        }
        if self.0 & 2 != 0 {
            // Reversing all bits rotates the board by 180 degrees; reversing the rows again leaves
            // the columns mirrored.
            bits = bits.reverse_bits().swap_bytes();
        }
        if self.0 & 4 != 0 {
            bits = bits.swap_bytes();
        }
        Squares(bits)
    }

    /// The transformed board.
    pub fn board(self, board: Board) -> Board {
        Board { own: self.squares(board.own), opp: self.squares(board.opp) }
    }
}

/// Swaps rows and columns by exchanging 4×4, 2×2, then single off-diagonal blocks.
fn transpose(mut bits: u64) -> u64 {
    for (mask, by) in
        [(0x0000_0000_f0f0_f0f0, 28), (0x0000_cccc_0000_cccc, 14), (0x00aa_00aa_00aa_00aa, 7)]
    {
        let moved = (bits ^ (bits >> by)) & mask;
        bits ^= moved ^ (moved << by);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_symmetries_are_eight_different_permutations() {
        let images: std::collections::HashSet<Vec<Square>> = Symmetry::ALL
            .iter()
            .map(|symmetry| Square::all().map(|s| symmetry.square(s)).collect())
            .collect();
        assert_eq!(images.len(), 8);
        for image in images {
            assert_eq!(image.iter().fold(0, |set, s| set | s.set().0), u64::MAX);
        }
    }

    #[test]
    fn the_inverse_takes_every_square_back() {
        for symmetry in Symmetry::ALL {
            for square in Square::all() {
                assert_eq!(symmetry.inverse().square(symmetry.square(square)), square);
            }
        }
    }

    #[test]
    fn each_part_does_what_its_name_says() {
        let go = |symmetry: u8, from: &str| Symmetry(symmetry).square(from.parse().unwrap());
        assert_eq!(go(1, "b1").to_string(), "a2");
        assert_eq!(go(2, "b1").to_string(), "g1");
        assert_eq!(go(4, "b1").to_string(), "b8");
    }
}
