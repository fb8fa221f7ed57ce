//! A second engine, slow and obvious: an array of cells, and walks from square to square. It shares
//! no code and no ideas with the library, so that a mistake would have to be made twice.

use outflank_game::othello::{Position, Side, Square};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Black,
    White,
}

impl Colour {
    pub fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }
}

/// Row and column, each 0 to 7 from the top left.
pub type Spot = (usize, usize);

/// A board of coloured discs, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayPosition {
    pub cells: [[Option<Colour>; 8]; 8],
    pub turn: Colour,
}

const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

impl ArrayPosition {
    pub fn start() -> ArrayPosition {
        let mut cells = [[None; 8]; 8];
        (cells[3][3], cells[3][4]) = (Some(Colour::White), Some(Colour::Black));
        (cells[4][3], cells[4][4]) = (Some(Colour::Black), Some(Colour::White));
        ArrayPosition { cells, turn: Colour::Black }
    }

    pub fn spots() -> impl Iterator<Item = Spot> {
        (0..8).flat_map(|row| (0..8).map(move |column| (row, column)))
    }

    /// The discs that turn if the side to move places one here; none on an occupied square.
    pub fn turned_by(&self, (row, column): Spot) -> Vec<Spot> {
        let mut turned = Vec::new();
        if self.cells[row][column].is_some() {
            return turned;
        }
        for (down, right) in DIRECTIONS {
            let mut walked = Vec::new();
            let (mut r, mut c) = (row as isize + down, column as isize + right);
            while (0..8).contains(&r) && (0..8).contains(&c) {
                match self.cells[r as usize][c as usize] {
                    None => break,
                    Some(colour) if colour == self.turn => {
                        turned.append(&mut walked);
                        break;
                    }
                    Some(_) => walked.push((r as usize, c as usize)),
                }
                (r, c) = (r + down, c + right);
            }
        }
        turned.sort();
        turned
    }

    /// The legal moves, row by row.
    pub fn moves(&self) -> Vec<Spot> {
        ArrayPosition::spots().filter(|&spot| !self.turned_by(spot).is_empty()).collect()
    }

    pub fn play(&self, (row, column): Spot) -> ArrayPosition {
        let mut next = self.pass();
        next.cells[row][column] = Some(self.turn);
        for (r, c) in self.turned_by((row, column)) {
            next.cells[r][c] = Some(self.turn);
        }
        next
    }

    pub fn pass(&self) -> ArrayPosition {
        ArrayPosition { cells: self.cells, turn: self.turn.other() }
    }

    pub fn is_over(&self) -> bool {
        self.moves().is_empty() && self.pass().moves().is_empty()
    }

    pub fn discs(&self, colour: Colour) -> i32 {
        self.cells.iter().flatten().filter(|cell| **cell == Some(colour)).count() as i32
    }

    /// The result for a colour; the winner gets the empty squares.
    pub fn margin(&self, colour: Colour) -> i32 {
        let (mine, theirs) = (self.discs(colour), self.discs(colour.other()));
        if mine > theirs {
            64 - 2 * theirs
        } else if mine < theirs {
            2 * mine - 64
        } else {
            0
        }
    }

    /// Leaves at a depth: a pass is a ply, a game that ended earlier counts `ended`.
    pub fn perft(&self, depth: u32, ended: u64) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if !moves.is_empty() {
            return moves.iter().map(|&at| self.play(at).perft(depth - 1, ended)).sum();
        }
        let passed = self.pass();
        if passed.moves().is_empty() { ended } else { passed.perft(depth - 1, ended) }
    }
}

/// The library's square at this place; the tests of coordinates check the names of places.
pub fn square((row, column): Spot) -> Square {
    Square::new(8 * row + column).unwrap()
}

impl From<Position> for ArrayPosition {
    fn from(position: Position) -> ArrayPosition {
        let (black, white) = (position.seen_by(Side::Black).own, position.seen_by(Side::White).own);
        let mut cells = [[None; 8]; 8];
        for (row, column) in ArrayPosition::spots() {
            let at = square((row, column));
            cells[row][column] = match (black.has(at), white.has(at)) {
                (true, true) => panic!("two discs on {at}"),
                (true, false) => Some(Colour::Black),
                (false, true) => Some(Colour::White),
                (false, false) => None,
            };
        }
        let turn = if position.side == Side::Black { Colour::Black } else { Colour::White };
        ArrayPosition { cells, turn }
    }
}
