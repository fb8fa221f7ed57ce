//! Networks in a tree. Boards are evaluated eight at a time, and the eight may come from anywhere
//! in a tree of depth 2: replies to different moves share a pass through the network.

use super::any::worth_to;
use super::search::{Child, Judge, Keep, Node, take_highest};
use super::{Ahead, MOST};
use crate::Network;
use crate::isa::Isa;
use crate::network::Boards;
use crate::rows::Rows;
use crate::single::Rules;

/// Memory of networks in trees.
#[derive(Debug, Default)]
pub struct Lanes {
    /// The boards from the root on, then the moves of a tree of depth 2.
    boards: Boards,
    pending: Vec<Pending>,
    /// Replies that were good before.
    good: u64,
}

/// A move of a tree of depth 2 whose replies are being evaluated.
#[derive(Clone, Copy, Debug)]
struct Pending {
    node: Node<Seen>,
    child: usize,
    /// Replies yet to be evaluated.
    replies: u64,
    /// The least that was found.
    least: i32,
}

/// What is known of a board: where its sums are, and whether the side to move owns the eyes.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub ply: usize,
    pub own_eyes: bool,
}

/// Boards on the way from the root: a game has at most 60 moves.
const PLIES: usize = 62;
/// No board has more moves.
const MOVES: usize = 64;
/// How many replies to the most promising move share a pass with those to others. With all eight
/// the first move is known soon; with one, others are refuted soon.
const LEADING: usize = 3;

pub struct Networked<'a, I, R> {
    isa: I,
    rows: R,
    network: &'a Network,
    lanes: &'a mut Lanes,
    own_eyes: bool,
}

impl<'a, I: Isa + Rules, R: Rows> Networked<'a, I, R> {
    #[inline(always)]
    pub fn new(
        isa: I,
        rows: R,
        network: &'a Network,
        lanes: &'a mut Lanes,
        ahead: &Ahead<'_>,
        own_eyes: bool,
    ) -> Self {
        let Ahead { own, opp, .. } = *ahead;
        let (eyes, others) = if own_eyes { (own, opp) } else { (opp, own) };
        lanes.boards.fit(network, PLIES + MOVES);
        lanes.boards.see(rows, network, 0, eyes, others);
        lanes.good = 0;
        Networked { isa, rows, network, lanes, own_eyes }
    }

    #[inline(always)]
    fn worth(&self, node: Node<Seen>, number: f32) -> i32 {
        worth_to(node.known.own_eyes, number, self.own_eyes)
    }

    #[inline(always)]
    fn alone(&self, node: Node<Seen>, at: u64, flips: u64) -> i32 {
        let Seen { ply, own_eyes } = node.known;
        let number = self.lanes.boards.alone(self.rows, self.network, ply, [at, flips], own_eyes);
        self.worth(node, number)
    }

    /// Puts the board after a move into a lane.
    #[inline(always)]
    fn feed(&mut self, lane: usize, node: Node<Seen>, at: u64, flips: u64) {
        let Seen { ply, own_eyes } = node.known;
        self.lanes.boards.feed(self.rows, self.network, lane, ply, [at, flips], own_eyes);
    }

    #[inline(always)]
    fn run(&mut self) -> [f32; 8] {
        self.lanes.boards.run(self.rows, self.network)
    }

    /// The value of a move to which there is no reply.
    #[inline(always)]
    fn unanswered(&mut self, after: Node<Seen>, count: &mut u64) -> i32 {
        let moves = self.isa.moves(after.opp, after.own);
        if moves == 0 {
            return -after.end();
        }
        let node = Node { own: after.opp, opp: after.own, known: Self::pass(after.known) };
        self.one(node, moves, MOST, count)
    }

    /// Fills lanes with replies: some to the first move, and one by one those to all.
    #[inline(always)]
    fn fill(&mut self, leading: usize) -> ([(usize, u64); 8], usize) {
        let (mut tags, mut filled) = ([(0, 0); 8], 0);
        let mut turn = 0;
        while filled < 8 {
            let before = filled;
            for index in 0..self.lanes.pending.len() {
                let times = if index == 0 && turn == 0 { leading } else { 1 };
                for _ in 0..times {
                    let Pending { node, replies, .. } = self.lanes.pending[index];
                    if replies == 0 || filled == 8 {
                        break;
                    }
                    let good = replies & self.lanes.good;
                    let set = if good != 0 { good } else { replies };
                    let at = set & set.wrapping_neg();
                    self.lanes.pending[index].replies ^= at;
                    let flips = self.isa.flips(node.own, node.opp, at);
                    self.feed(filled, node, at, flips);
                    tags[filled] = (index, at);
                    filled += 1;
                }
            }
            turn += 1;
            if filled == before {
                break;
            }
        }
        (tags, filled)
    }
}

impl<I: Isa + Rules, R: Rows> Judge for Networked<'_, I, R> {
    type Known = Seen;
    const TABLE: u32 = 2;

    #[inline(always)]
    fn has_eyes(known: Seen) -> bool {
        known.own_eyes
    }

    #[inline(always)]
    fn pass(known: Seen) -> Seen {
        Seen { own_eyes: !known.own_eyes, ..known }
    }

    #[inline(always)]
    fn place(&mut self, node: Node<Seen>, child: Child) -> Seen {
        let Seen { ply, own_eyes } = node.known;
        let places = [ply, ply + 1];
        let Child { at, flips, .. } = child;
        self.lanes.boards.place(self.rows, self.network, places, [at, flips], own_eyes);
        Seen { ply: ply + 1, own_eyes: !own_eyes }
    }

    #[inline(always)]
    fn one(&mut self, node: Node<Seen>, moves: u64, beta: i32, count: &mut u64) -> i32 {
        let (mut best, mut left) = (-MOST, moves);
        let mut next = || {
            let at = left & left.wrapping_neg();
            left ^= at;
            at
        };
        if self.network.is_best_alone() {
            for _ in 0..moves.count_ones() {
                let at = next();
                best = best.max(self.alone(node, at, self.isa.flips(node.own, node.opp, at)));
                *count += 1;
                if best >= beta {
                    break;
                }
            }
            return best;
        }
        let mut todo = moves.count_ones() as usize;
        while todo > 0 && best < beta {
            let filled = todo.min(8);
            for lane in 0..filled {
                let at = next();
                let flips = self.isa.flips(node.own, node.opp, at);
                self.feed(lane, node, at, flips);
            }
            for number in &self.run()[..filled] {
                best = best.max(self.worth(node, *number));
            }
            *count += filled as u64;
            todo -= filled;
        }
        best
    }

    #[inline(always)]
    fn order(&mut self, node: Node<Seen>, _: u32, children: &mut [Child], count: &mut u64) {
        *count += children.len() as u64;
        if self.network.is_best_alone() {
            for child in children {
                child.key = self.alone(node, child.at, child.flips);
            }
            return;
        }
        for group in children.chunks_mut(8) {
            for (lane, child) in group.iter().enumerate() {
                self.feed(lane, node, child.at, child.flips);
            }
            for (child, number) in group.iter_mut().zip(self.run()) {
                child.key = self.worth(node, number);
            }
        }
    }

    #[inline(always)]
    fn two(
        &mut self,
        node: Node<Seen>,
        children: &mut [Child],
        [mut alpha, beta]: [i32; 2],
        keep: Keep,
        count: &mut u64,
    ) -> Option<i32> {
        if self.network.is_best_alone() {
            return None;
        }
        if children.len() > 1 && keep != Keep::Every {
            self.order(node, 2, children, count);
        }
        self.lanes.pending.clear();
        let (mut best, mut good) = (-MOST, 0);
        for next in 0..children.len() {
            let child = take_highest(children, next);
            let known = Seen { ply: PLIES + next, own_eyes: !node.known.own_eyes };
            let (from, Child { at, flips, .. }) = (node.known.ply, child);
            let places = [from, known.ply];
            let is_own = node.known.own_eyes;
            self.lanes.boards.place(self.rows, self.network, places, [at, flips], is_own);
            let after = node.after(child, known);
            let replies = self.isa.moves(after.own, after.opp);
            if replies != 0 {
                let pending = Pending { node: after, child: next, replies, least: MOST };
                self.lanes.pending.push(pending);
                continue;
            }
            let value = self.unanswered(after, count);
            children[next].key = value;
            if value > best {
                (best, good) = (value, next);
            }
        }
        alpha = keep.raise(alpha, best);
        // The largest bound of what was refuted.
        let mut refuted = -MOST;
        while best < beta && !self.lanes.pending.is_empty() {
            let leading = if alpha == -MOST { 8 } else { LEADING };
            let (tags, filled) = self.fill(leading);
            let numbers = self.run();
            *count += filled as u64;
            for (&(index, at), number) in tags[..filled].iter().zip(numbers) {
                let pending = self.lanes.pending[index];
                let value = -self.worth(pending.node, number);
                if value < pending.least {
                    self.lanes.pending[index].least = value;
                    if value <= alpha {
                        self.lanes.good |= at;
                    }
                }
            }
            // First what is known in full: it may raise alpha.
            for pending in &self.lanes.pending {
                if pending.replies == 0 && pending.least > best {
                    (best, good) = (pending.least, pending.child);
                }
            }
            alpha = keep.raise(alpha, best);
            self.lanes.pending.retain(|pending| {
                let is_refuted = pending.least <= alpha;
                children[pending.child].key = pending.least;
                refuted = if is_refuted { refuted.max(pending.least) } else { refuted };
                pending.replies != 0 && !is_refuted
            });
        }
        children.swap(0, good);
        Some(best.max(refuted))
    }
}
