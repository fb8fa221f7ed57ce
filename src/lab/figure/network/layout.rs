//! Where the parts of a network are: the board to the left, hidden nodes by their depth, the output to the right.

use crate::kernel::Source;
use crate::model::{Connection, Portrait};

/// Places in pixels, from the top left.
pub struct Layout {
    pub width: f64,
    pub height: f64,
    /// The corner of a1.
    pub board: [f64; 2],
    pub cell: f64,
    /// The middle of what always puts out 1, if it is heard.
    pub one: Option<[f64; 2]>,
    /// The hidden nodes, then the output.
    pub nodes: Vec<Spot>,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Its middle.
    pub at: [f64; 2],
    /// How wide it is; it has a board if it hears squares and this is wide enough.
    pub side: f64,
}

/// Nodes too small for a board of what they hear.
pub const LEAST_BOARD: f64 = 24.0;

const TOP: f64 = 76.0;
const LEFT: f64 = 44.0;
const CELL: f64 = 46.0;
const BOTTOM: f64 = 34.0;
/// From the board to the first nodes, and from one depth to the next.
const GAP: f64 = 150.0;
/// The output with a board of what it hears, and without.
const OUTPUT: f64 = 56.0;
const DISC: f64 = 30.0;

/// How nodes of one depth stand: so wide, so far apart, so many in a column.
struct Rows {
    side: f64,
    pitch: [f64; 2],
    most: usize,
}

impl Rows {
    /// Few nodes are large; many stand in several columns.
    fn of(most: usize) -> Rows {
        match most {
            0..=8 => Rows { side: 56.0, pitch: [90.0, 78.0], most: 8 },
            9..=14 => Rows { side: 48.0, pitch: [80.0, 66.0], most: 14 },
            15..=48 => Rows { side: 32.0, pitch: [64.0, 48.0], most: 16 },
            _ => Rows { side: 10.0, pitch: [30.0, 16.0], most: 48 },
        }
    }
}

impl Layout {
    pub fn new(portrait: &Portrait) -> Layout {
        let columns = columns(portrait);
        let rows = Rows::of(columns.iter().map(Vec::len).max().unwrap_or(0));
        let tallest = columns.iter().map(|column| column.len().min(rows.most)).max().unwrap_or(0);
        let has_one = portrait.connections.iter().any(|link| link.from == Source::One);
        let inputs = CELL * if has_one { 9.4 } else { 8.0 };
        // Every other column stands lower, or links would run behind the nodes of the next.
        let shift = if columns.len() > 1 { 0.55 * rows.pitch[1] } else { 0.0 };
        let inner = inputs.max(rows.pitch[1] * tallest as f64 + 2.0 * shift);
        let middle = TOP + inner / 2.0;
        let board = [LEFT, middle - inputs / 2.0];
        let one = has_one.then(|| [LEFT + 7.5 * CELL, board[1] + 8.9 * CELL]);
        let output = portrait.hidden.len();
        let hears_squares =
            |link: &Connection| link.to == output && matches!(link.from, Source::Square(_));
        let side = if portrait.connections.iter().any(hears_squares) { OUTPUT } else { DISC };
        let mut nodes = vec![Spot { at: [0.0, middle], side }; output + 1];
        let mut x = LEFT + 8.0 * CELL + GAP;
        for (depth, column) in columns.iter().enumerate() {
            let middle = middle + if depth % 2 == 0 { -shift } else { shift };
            let parts: Vec<&[usize]> = column.chunks(rows.most).collect();
            for (index, part) in parts.iter().enumerate() {
                let top = middle - rows.pitch[1] * (part.len() - 1) as f64 / 2.0;
                for (row, &node) in part.iter().enumerate() {
                    let at = [x, top + rows.pitch[1] * row as f64];
                    nodes[node] = Spot { at, side: rows.side };
                }
                x += if index + 1 < parts.len() { rows.pitch[0] } else { GAP };
            }
        }
        nodes[output].at[0] = x;
        Layout {
            width: x + side / 2.0 + LEFT,
            height: TOP + inner + BOTTOM,
            board,
            cell: CELL,
            one,
            nodes,
        }
    }

    /// The middle of a square.
    pub fn square(&self, index: u8) -> [f64; 2] {
        let (row, column) = (f64::from(index / 8), f64::from(index % 8));
        [self.board[0] + self.cell * (column + 0.5), self.board[1] + self.cell * (row + 0.5)]
    }

    /// Where a connection begins.
    pub fn start(&self, from: Source) -> [f64; 2] {
        match from {
            Source::Square(square) => self.square(square),
            Source::One => self.one.unwrap_or(self.board),
            Source::Node(node) => {
                let Spot { at: [x, y], side } = self.nodes[node];
                [x + side / 2.0, y]
            }
        }
    }

    /// Where a connection ends.
    pub fn end(&self, to: usize) -> [f64; 2] {
        let Spot { at: [x, y], side } = self.nodes[to];
        [x - side / 2.0, y]
    }
}

/// The hidden nodes of each depth; what speaks for a board is above, what speaks against it below.
fn columns(portrait: &Portrait) -> Vec<Vec<usize>> {
    let voices: Vec<f32> =
        portrait.voices().into_iter().map(|voice| voice.unwrap_or(0.0)).collect();
    let deepest = portrait.hidden.iter().map(|node| node.depth).max().unwrap_or(0);
    let mut columns = vec![Vec::new(); deepest];
    for (index, node) in portrait.hidden.iter().enumerate() {
        columns[node.depth - 1].push(index);
    }
    for column in &mut columns {
        column.sort_by(|&a, &b| voices[b].total_cmp(&voices[a]));
    }
    columns
}
