//! Weighted piece counters in a tree: the sum of weights goes along from board to board, and all
//! moves of a last ply are scored at once.

use super::MOST;
use super::search::{Child, Judge, Keep, Node, take_highest};
use crate::isa::Isa;
use crate::single::{Rules, Scorer};

pub struct Counting<'a, I> {
    pub isa: I,
    pub scorer: &'a Scorer,
}

impl<I: Isa + Rules> Counting<'_, I> {
    /// What the side to move can make of a board, with one move: the best sum. A pass before it,
    /// and the end of the game, are seen to.
    #[inline(always)]
    fn reply(&self, node: Node<i32>, count: &mut u64) -> i32 {
        let reply = self.isa.best_reply(self.scorer, node.own, node.opp);
        if reply.moves != 0 {
            *count += u64::from(reply.moves.count_ones());
            return node.known + reply.score;
        }
        let other = self.isa.best_reply(self.scorer, node.opp, node.own);
        if other.moves == 0 {
            return node.end();
        }
        *count += u64::from(other.moves.count_ones());
        node.known - other.score
    }

    #[inline(always)]
    fn score(&self, child: &mut Child) {
        child.score = self.scorer.score(child.flips, child.at.trailing_zeros());
    }
}

impl<I: Isa + Rules> Judge for Counting<'_, I> {
    /// The sum of weights.
    type Known = i32;
    const TABLE: u32 = 3;

    /// The sum of the other side is the negative: eyes do not matter.
    #[inline(always)]
    fn has_eyes(_: i32) -> bool {
        true
    }

    #[inline(always)]
    fn pass(known: i32) -> i32 {
        -known
    }

    #[inline(always)]
    fn place(&mut self, node: Node<i32>, child: Child) -> i32 {
        -(node.known + self.scorer.score(child.flips, child.at.trailing_zeros()))
    }

    #[inline(always)]
    fn one(&mut self, node: Node<i32>, moves: u64, _: i32, count: &mut u64) -> i32 {
        let (mut best, mut left) = (-MOST, moves);
        while left != 0 {
            let at = left & left.wrapping_neg();
            left ^= at;
            let flips = self.isa.flips(node.own, node.opp, at);
            best = best.max(node.known + self.scorer.score(flips, at.trailing_zeros()));
        }
        *count += u64::from(moves.count_ones());
        best
    }

    /// By what is left after the best reply.
    #[inline(always)]
    fn order(&mut self, node: Node<i32>, _: u32, children: &mut [Child], count: &mut u64) {
        for child in children {
            let known = self.place(node, *child);
            child.key = if node.empties() > 2 {
                -self.reply(node.after(*child, known), count)
            } else {
                -known
            };
        }
    }

    #[inline(always)]
    fn two(
        &mut self,
        node: Node<i32>,
        children: &mut [Child],
        [_, beta]: [i32; 2],
        _: Keep,
        count: &mut u64,
    ) -> Option<i32> {
        for child in &mut *children {
            self.score(child);
            child.key = child.score;
        }
        let mut best = -MOST;
        for next in 0..children.len() {
            let child = take_highest(children, next);
            let value = -self.reply(node.after(child, -(node.known + child.score)), count);
            children[next].key = value;
            best = best.max(value);
            if value >= beta {
                break;
            }
        }
        Some(best)
    }
}
