//! Positions that a rotation or a reflection maps to each other are one: the key of a position is
//! the smallest of its eight images. It has no colours, only the side to move and the other.

use crate::othello::{Board, Square, Squares, Symmetry};

/// A position of a book, up to symmetry. Keys are ordered by the occupied squares, so that in a
/// file neighbours have most of them in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    occupied: u64,
    own: u64,
}

/// The symmetries that take a board to its key: one, or several if the board is symmetric itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways(u8);

impl Key {
    /// The key of a board, and how the board becomes it.
    #[inline]
    pub fn of(board: Board) -> (Key, Ways) {
        let occupied = board.own | board.opp;
        let images = Symmetry::ALL.map(|symmetry| symmetry.squares(occupied).0);
        let least = images.into_iter().fold(u64::MAX, u64::min);
        let (mut own, mut ways) = (u64::MAX, 0);
        for (index, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            if images[index] != least {
                continue;
            }
            let image = symmetry.squares(board.own).0;
            if image < own {
                (own, ways) = (image, 0);
            }
            ways |= u8::from(image == own) << index;
        }
        (Key { occupied: least, own }, Ways(ways))
    }

    /// A key from its parts; `None` if they are not those of a board, or not its smallest image.
    pub fn new(occupied: u64, own: u64) -> Option<Key> {
        let key = Key { occupied, own };
        (own & !occupied == 0 && Key::of(key.board()).0 == key).then_some(key)
    }

    /// A key from parts that were checked when they were written.
    pub(super) fn from_parts(occupied: u64, own: u64) -> Key {
        Key { occupied, own }
    }

    /// The board.
    #[inline]
    pub fn board(self) -> Board {
        Board { own: Squares(self.own), opp: Squares(self.occupied & !self.own) }
    }

    /// The occupied squares, and those of the side to move.
    pub fn parts(self) -> [u64; 2] {
        [self.occupied, self.own]
    }

    /// The number of discs.
    #[inline]
    pub fn discs(self) -> u32 {
        self.occupied.count_ones()
    }
}

impl Ways {
    fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL
            .into_iter()
            .enumerate()
            .filter(move |(i, _)| self.0 >> i & 1 == 1)
            .map(|p| p.1)
    }

    /// The move of the key that stands for a move of the board: of moves that are symmetric to each
    /// other, the first.
    pub fn forth(self, at: Square) -> Square {
        self.symmetries().map(|symmetry| symmetry.square(at)).min().unwrap_or(at)
    }

    /// The moves of the board that a move of the key stands for.
    #[inline]
    pub fn back(self, at: Square) -> Squares {
        let image = |symmetry: Symmetry| symmetry.inverse().squares(at.set());
        self.symmetries().map(image).fold(Squares::NONE, |all, one| all | one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Position, parse_game};

    #[test]
    fn all_images_of_a_board_have_one_key_and_the_same_moves() {
        for moves in ["", "f5", "f5d6", "f5f6e6f4", "f5d6c3d3c4f4f6"] {
            let board = parse_game(moves).unwrap().position().board;
            let (key, ways) = Key::of(board);
            let [occupied, own] = key.parts();
            assert_eq!(Key::new(occupied, own), Some(key));
            assert_eq!(
                (key.board().own.len(), key.discs()),
                (board.own.len(), 64 - board.empty().len())
            );
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board);
                let (same, there) = Key::of(image);
                assert_eq!(same, key, "{moves}");
                for at in board.moves() {
                    assert_eq!(there.forth(symmetry.square(at)), ways.forth(at));
                    let back = ways.back(ways.forth(at));
                    assert!(back.has(at));
                    assert_eq!(there.back(ways.forth(at)), symmetry.squares(back));
                }
            }
        }
    }

    #[test]
    fn the_four_first_moves_are_one() {
        let (_, ways) = Key::of(Position::START.board);
        let moves = Position::START.board.moves();
        let forth: Vec<Square> = moves.map(|at| ways.forth(at)).collect();
        assert!(forth.iter().all(|at| *at == forth[0]));
        assert_eq!(ways.back(forth[0]), moves);
    }

    #[test]
    fn parts_that_are_no_key_are_refused() {
        let [occupied, own] = Key::of(Position::START.board).0.parts();
        assert_eq!(Key::new(occupied, own | 1), None, "a disc on an empty square");
        let board = parse_game("f5").unwrap().position().board;
        let [occupied, own] = Key::of(board).0.parts();
        let turned = Symmetry::ALL[1].board(Key::new(occupied, own).unwrap().board());
        assert_eq!(Key::new((turned.own | turned.opp).0, turned.own.0), None, "another image");
    }
}
