//! Where the parts of a network are: the board on the left, a column for the hidden nodes of each
//! depth, and the output on the right.

use super::Marks;
use outflank_game::model::{Connection, Portrait};
use outflank_kernel::Source;

/// Places in pixels, from the top left.
pub struct Layout {
    pub width: f64,
    pub height: f64,
    /// The corner of a1.
    pub board: [f64; 2],
    pub cell: f64,
    /// The middle of the bias unit, which always puts out 1, if it has connections.
    pub one: Option<[f64; 2]>,
    /// The hidden nodes, then the output.
    pub nodes: Vec<Spot>,
    /// The hidden nodes of each depth.
    columns: Vec<Column>,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Its middle.
    pub at: [f64; 2],
    /// Its width; it has a board if it has inputs from squares and is wide enough.
    pub side: f64,
    /// Its column, counted from the board, which is 0.
    depth: usize,
}

/// The hidden nodes of one depth, one above the other.
pub struct Column {
    /// Its left and right edges.
    pub sides: [f64; 2],
    /// The ranges of heights, from the top, where links would run into a node.
    pub taken: Vec<[f64; 2]>,
}

/// How the nodes of one depth are ordered, from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Positive ones (weight to the output) above, negative ones below.
    Voices,
    /// By their names, so that nodes of an earlier network keep their places.
    Names,
}

/// Smaller nodes have no board of their inputs.
pub const LEAST_BOARD: f64 = 24.0;
/// Smaller nodes have no name below them.
pub const LEAST_CAPTION: f64 = 40.0;

const TOP: f64 = 92.0;
const LEFT: f64 = 44.0;
const CELL: f64 = 46.0;
const BOTTOM: f64 = 34.0;
/// From the board to the first nodes, and from one depth to the next.
const GAP: f64 = 150.0;
/// The size of the output with a board of its inputs, and without.
const OUTPUT: f64 = 56.0;
const DISC: f64 = 30.0;
/// The name below a node.
const CAPTION: f64 = 15.0;

/// The width and distance of the nodes of one depth.
struct Rows {
    side: f64,
    pitch: f64,
}

impl Rows {
    /// Few nodes are drawn large. All nodes of a depth form one column, however many there are: a
    /// second column would look like another depth.
    fn of(marks: Marks, most: usize) -> Rows {
        match (marks, most) {
            (Marks::Names, _) => Rows { side: 20.0, pitch: 27.0 },
            (Marks::Boards, 0..=5) => Rows { side: 56.0, pitch: 100.0 },
            (Marks::Boards, 6..=8) => Rows { side: 56.0, pitch: 84.0 },
            (Marks::Boards, 9..=14) => Rows { side: 48.0, pitch: 74.0 },
            (Marks::Boards, 15..=60) => Rows { side: 28.0, pitch: 36.0 },
            (Marks::Boards, _) => Rows { side: 10.0, pitch: 16.0 },
        }
    }

    /// The range of heights that a node at this place blocks for links; there is a gap between any
    /// two.
    fn taken(&self, y: f64) -> [f64; 2] {
        let caption = if self.side < LEAST_CAPTION { 0.0 } else { CAPTION };
        let margin = 0.25 * (self.pitch - self.side - caption);
        [y - self.side / 2.0 - margin, y + self.side / 2.0 + caption + margin]
    }
}

impl Layout {
    pub fn new(portrait: &Portrait, marks: Marks, order: Order) -> Layout {
        let depths = depths(portrait, order);
        let tallest = depths.iter().map(Vec::len).max().unwrap_or(0);
        let rows = Rows::of(marks, tallest);
        let has_one = portrait.connections.iter().any(|link| link.from == Source::One);
        let inputs = CELL * if has_one { 9.4 } else { 8.0 };
        // Every other column is shifted down, or most links would have to bend around the nodes of
        // the next.
        let shift = if depths.len() > 1 { 0.55 * rows.pitch } else { 0.0 };
        let inner = inputs.max(rows.pitch * tallest as f64 + 2.0 * shift);
        let middle = TOP + inner / 2.0;
        let board = [LEFT, middle - inputs / 2.0];
        let output = portrait.hidden.len();
        let x = LEFT + 8.0 * CELL + GAP * (depths.len() + 1) as f64;
        let side = output_side(portrait);
        let spot = Spot { at: [x, middle], side, depth: depths.len() + 1 };
        let mut layout = Layout {
            width: x + side / 2.0 + LEFT,
            height: TOP + inner + BOTTOM,
            board,
            cell: CELL,
            one: has_one.then(|| [LEFT + 7.5 * CELL, board[1] + 8.9 * CELL]),
            nodes: vec![spot; output + 1],
            columns: Vec::new(),
        };
        for (index, nodes) in depths.iter().enumerate() {
            let middle = middle + if index % 2 == 0 { -shift } else { shift };
            layout.stand(nodes, &rows, middle);
        }
        layout
    }

    /// Places the nodes of the next depth, from the top.
    fn stand(&mut self, nodes: &[usize], rows: &Rows, middle: f64) {
        let depth = self.columns.len() + 1;
        let x = LEFT + 8.0 * CELL + GAP * depth as f64;
        let top = middle - rows.pitch * (nodes.len() - 1) as f64 / 2.0;
        let heights: Vec<f64> = (0..nodes.len()).map(|row| top + rows.pitch * row as f64).collect();
        for (&node, &y) in nodes.iter().zip(&heights) {
            self.nodes[node] = Spot { at: [x, y], side: rows.side, depth };
        }
        self.columns.push(Column {
            sides: [x - rows.side / 2.0, x + rows.side / 2.0],
            taken: heights.iter().map(|&y| rows.taken(y)).collect(),
        });
    }

    /// Left, top, right and bottom of all that is drawn.
    pub fn bounds(&self) -> [f64; 4] {
        let links = 12.0;
        let bottom = self.height - BOTTOM + links;
        [LEFT - links, TOP - links, self.width - LEFT + links, bottom]
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
                let Spot { at: [x, y], side, .. } = self.nodes[node];
                [x + side / 2.0, y]
            }
        }
    }

    /// Where a connection ends.
    pub fn end(&self, to: usize) -> [f64; 2] {
        let Spot { at: [x, y], side, .. } = self.nodes[to];
        [x - side / 2.0, y]
    }

    /// The columns between the ends of a connection.
    pub fn skipped(&self, link: &Connection) -> &[Column] {
        let from = match link.from {
            Source::Node(node) => self.nodes[node].depth,
            Source::Square(_) | Source::One => 0,
        };
        &self.columns[from..self.nodes[link.to].depth - 1]
    }
}

/// The size of the output; it is large if it shows a board.
fn output_side(portrait: &Portrait) -> f64 {
    let output = portrait.hidden.len();
    let hears_squares =
        |link: &Connection| link.to == output && matches!(link.from, Source::Square(_));
    if portrait.connections.iter().any(hears_squares) { OUTPUT } else { DISC }
}

/// The hidden nodes of each depth.
fn depths(portrait: &Portrait, order: Order) -> Vec<Vec<usize>> {
    let voices: Vec<f32> =
        portrait.voices().into_iter().map(|voice| voice.unwrap_or(0.0)).collect();
    let deepest = portrait.hidden.iter().map(|node| node.depth).max().unwrap_or(0);
    let mut depths = vec![Vec::new(); deepest];
    for (index, node) in portrait.hidden.iter().enumerate() {
        depths[node.depth - 1].push(index);
    }
    for nodes in &mut depths {
        match order {
            Order::Voices => nodes.sort_by(|&a, &b| voices[b].total_cmp(&voices[a])),
            // Longer names have higher numbers.
            Order::Names => nodes.sort_by_key(|&node| {
                let name = &portrait.hidden[node].name;
                (name.len(), name)
            }),
        }
    }
    depths
}
