//! Squares and sets of squares. a1 is the top left corner and bit 0; h8 is bit 63.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not};
use std::str::FromStr;

/// One of the 64 squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with index `8 * row + column`, counted from a1; `None` from 64 on.
    pub fn new(index: usize) -> Option<Square> {
        (index < 64).then_some(Square(index as u8))
    }

    /// All squares, a1 to h8, row by row.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// `8 * row + column`, 0 to 63.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// 0 for row 1, the top, to 7.
    pub fn row(self) -> usize {
        self.index() / 8
    }

    /// 0 for column a, the left, to 7.
    pub fn column(self) -> usize {
        self.index() % 8
    }

    /// The set of this square alone.
    #[inline]
    pub fn set(self) -> Squares {
        Squares(1 << self.0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column() as u8);
        write!(f, "{column}{}", self.row() + 1)
    }
}

impl FromStr for Square {
    type Err = ();

    fn from_str(text: &str) -> Result<Square, ()> {
        let &[column, row] = text.as_bytes() else { return Err(()) };
        let (column, row) =
            (column.to_ascii_lowercase().wrapping_sub(b'a'), row.wrapping_sub(b'1'));
        if column < 8 && row < 8 { Ok(Square(8 * row + column)) } else { Err(()) }
    }
}

/// A set of squares, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Squares(pub u64);

impl Squares {
    /// No square.
    pub const NONE: Squares = Squares(0);
    /// The four corners.
    pub const CORNERS: Squares = Squares(0x8100_0000_0000_0081);

    /// Number of squares in the set.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Says whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Says whether the square is in the set.
    #[inline]
    pub fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// The lowest square.
    #[inline]
    pub fn first(self) -> Option<Square> {
        (self.0 != 0).then(|| Square(self.0.trailing_zeros() as u8))
    }

    /// The `n`-th square in square order; `n` must be below [`Squares::len`].
    #[inline]
    pub fn nth(self, n: u32) -> Square {
        debug_assert!(n < self.len());
        Square(outflank_kernel::nth_bit(self.0, n).trailing_zeros() as u8)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = self.first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

impl BitAnd for Squares {
    type Output = Squares;
    #[inline]
    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Squares;
    #[inline]
    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl Not for Squares {
    type Output = Squares;
    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_is_bit_0_and_columns_come_before_rows() {
        for (name, index) in [("a1", 0), ("h1", 7), ("a2", 8), ("f5", 37), ("a8", 56), ("h8", 63)] {
            let square: Square = name.parse().unwrap();
            assert_eq!((square.index(), square.to_string().as_str()), (index, name));
        }
        assert_eq!("F5".parse::<Square>(), "f5".parse());
        for bad in ["", "a", "i1", "a9", "a0", "a11", "é1"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_set_lists_its_squares_in_order() {
        let set = Squares(0x8000_0000_0000_0104);
        assert_eq!(set.map(Square::index).collect::<Vec<_>>(), [2, 8, 63]);
        assert_eq!(set.nth(1).index(), 8);
    }
}
