//! Networks of any feed-forward wiring, compiled to a flat program: what the board feeds is summed
//! square by square for eight nodes at a time, then levels of nodes are squashed and passed on in
//! topological order. A multilayer perceptron, a sparse one and a grown graph differ in their
//! wiring only.
//!
//! The weights of squares are kept twice: as floats, in which they learn, and as an image in fixed
//! point, with which a network plays. Sums of the image are exact in any order, so that they can be
//! carried along from move to move (`play`), and a board is worth the same whatever moves led to
//! it. All other arithmetic is single IEEE operations in a fixed order: the same bits on every CPU.

mod ahead;
mod compile;
mod curve;
mod learn;
mod online;
mod play;
mod propagate;
mod pupil;
mod seminar;
mod side_by_side;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use ahead::Boards;
pub use curve::Curve;
pub use learn::{LearnSequences, Lessons, Sequence, Values};
pub use online::{Student, TeachNetwork};
pub use play::{FindBestOf, Memo, Sight};
pub(crate) use seminar::lanes;
pub use seminar::{LearnAbreast, Study};

use super::portable::Portable;
use super::rows::Rows;
use super::rows::portable::Eight;

/// How a network is wired.
#[derive(Clone, Debug, PartialEq)]
pub struct Wiring {
    /// What each node makes of its inputs. A link goes from a node to a later one; the last node is
    /// the output.
    pub curves: Vec<Curve>,
    /// Links whose weights are parameters.
    pub links: Vec<Link>,
    /// Links whose weight is always 1, from squares to a node that has no other links from squares.
    pub counters: Vec<(u8, usize)>,
}

/// A link, and which of the parameters is its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it comes from.
    pub from: Source,
    /// The node it goes to.
    pub to: usize,
    /// The parameter.
    pub param: usize,
}

/// Where a link comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A square: +1 for an own disc, -1 for an opposing one, else 0.
    Square(u8),
    /// Always 1.
    One,
    /// An earlier node.
    Node(usize),
}

/// Weights from squares up to this size have an exact image; larger ones play as this.
pub const LARGEST_WEIGHT: f32 = 500.0;
/// The image has 2^16 steps to 1: 65 of the largest weights still add up to less than 2^31.
const IMAGE: f32 = 65_536.0;
const STEP: f32 = 1.0 / IMAGE;

/// A compiled network.
#[derive(Clone, Debug)]
pub struct Network {
    /// Nodes that squares feed, counted to the last of them, and blocks of eight of them.
    fed: usize,
    blocks: usize,
    /// Squares that feed anything.
    heard: u64,
    /// The weights from squares, square by square, eight nodes in a block.
    rows: Vec<Eight<f32>>,
    /// 1 where a weight is a parameter, if a node that hears some squares does not hear all.
    mask: Option<Vec<Eight<f32>>>,
    /// 1 for nodes that hear squares.
    hears: Vec<Eight<f32>>,
    /// The weights from squares in fixed point.
    image: Vec<Eight<i32>>,
    /// The biases of all nodes, and 1 where there is one, node by node.
    bias: Vec<f32>,
    has_bias: Vec<f32>,
    image_bias: Vec<Eight<i32>>,
    levels: Vec<Level>,
    /// Nodes before the last level, and blocks of eight in which they are squashed if one board is
    /// looked at.
    hidden: usize,
    steps_alone: usize,
    /// The network once more, if it has one hidden level that squashes, which the board alone
    /// feeds.
    perceptron: Option<Perceptron>,
    /// Where each parameter went.
    places: Vec<Place>,
}

/// What comes of one hidden level: a bias, and weights for 1 / (1 + 2^x). Base and span of the
/// curve are in them.
#[derive(Clone, Debug)]
struct Perceptron {
    /// From steps of the image to x.
    slope: f32,
    weights: Vec<Eight<f32>>,
    bias: f32,
}

/// Nodes that can be squashed together: none feeds another.
#[derive(Clone, Debug)]
struct Level {
    from: usize,
    to: usize,
    curve: Curve,
    links: Links,
}

/// What feeds a level besides the board.
#[derive(Clone, Debug)]
enum Links {
    None,
    /// The only node of the level hears `count` nodes from `first` on, eight in a block.
    Dot {
        first: usize,
        count: usize,
        weights: Vec<Eight<f32>>,
    },
    /// Every node hears the same `count` nodes from `first` on: for each of them a row of blocks of
    /// weights.
    Dense {
        first: usize,
        count: usize,
        weights: Vec<Eight<f32>>,
    },
    /// Anything else.
    Sparse(Vec<Edge>),
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    to: u32,
    weight: f32,
}

/// Where a parameter is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A weight from a square: block and lane.
    Row(usize, usize),
    Bias(usize),
    /// In the links of a level: block and lane, or edge and 0.
    Link(usize, usize, usize),
    /// It feeds nothing that reaches the output.
    Nowhere,
}

impl Network {
    /// The nodes that take part.
    pub fn nodes(&self) -> usize {
        self.levels.last().map_or(0, |level| level.to)
    }

    /// Puts the parameters back where they came from; those that feed nothing are left alone.
    pub fn copy_params(&self, params: &mut [f32]) {
        for (param, place) in params.iter_mut().zip(&self.places) {
            if let Some(weight) = self.weight(*place) {
                *param = weight;
            }
        }
    }

    fn weight(&self, place: Place) -> Option<f32> {
        match place {
            Place::Row(block, lane) => Some(self.rows[block].0[lane]),
            Place::Bias(node) => Some(self.bias[node]),
            Place::Link(level, at, lane) => match &self.levels[level].links {
                Links::None => None,
                Links::Dot { weights, .. } | Links::Dense { weights, .. } => {
                    Some(weights[at].0[lane])
                }
                Links::Sparse(edges) => Some(edges[at].weight),
            },
            Place::Nowhere => None,
        }
    }

    /// Takes the image again from the weights.
    fn refresh(&mut self) {
        self.refresh_with(Portable);
    }

    #[inline(always)]
    fn refresh_with<R: Rows>(&mut self, isa: R) {
        for (image, row) in self.image.iter_mut().zip(&self.rows) {
            isa.store_ints(to_image(isa, isa.load(&row.0)), &mut image.0);
        }
        for (block, image) in self.image_bias.iter_mut().enumerate() {
            let bias = propagate::eight_of(&self.bias[8 * block..]);
            isa.store_ints(to_image(isa, isa.load(bias)), &mut image.0);
        }
        self.perceptron = self.fold();
    }

    fn fold(&self) -> Option<Perceptron> {
        let [level, Level { from, links: Links::Dot { first: 0, count, weights }, .. }] =
            self.levels.as_slice()
        else {
            return None;
        };
        let squash = level.curve.squash()?;
        let alone = *from == level.to && self.fed <= level.to && weights.len() == self.blocks;
        let sum: f32 = weights.iter().flat_map(|block| block.0).take(*count).sum();
        alone.then(|| Perceptron {
            slope: STEP * squash.slope,
            weights: weights.iter().map(|block| Eight(block.0.map(|w| squash.span * w))).collect(),
            bias: self.bias[*from] + squash.base * sum,
        })
    }
}

/// Nearest steps; of what is no number, the largest.
#[inline(always)]
fn to_image<R: Rows>(isa: R, weights: R::Reals) -> R::Ints {
    let weights = isa.lesser(weights, isa.real(LARGEST_WEIGHT));
    let weights = isa.greater(weights, isa.real(-LARGEST_WEIGHT));
    isa.round(isa.times(weights, isa.real(IMAGE)))
}
