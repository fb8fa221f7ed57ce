//! Any evaluation in a tree, asked board by board.

use super::search::{Child, Judge, Node};
use super::{ENDED, MOST, Worth};
use crate::isa::Isa;
use crate::single::Rules;

pub struct Called<'a, I> {
    pub isa: I,
    pub value: &'a dyn Fn(u64, u64) -> f32,
    /// Whether the side to move at the root owns the eyes.
    pub own_eyes: bool,
}

impl<I: Isa + Rules> Called<'_, I> {
    /// What the board after a move is worth to the side that moves.
    #[inline(always)]
    fn leaf(&self, node: Node<bool>, at: u64, flips: u64) -> i32 {
        let (own, opp) = (node.own | flips | at, node.opp ^ flips);
        let number = if node.known { (self.value)(own, opp) } else { (self.value)(opp, own) };
        worth_to(node.known, number, self.own_eyes)
    }
}

/// What a number is worth to a side that owns the eyes, or does not. What is no number is worth
/// less than any to the side to move at the root.
#[inline(always)]
pub fn worth_to(has_eyes: bool, number: f32, own_eyes: bool) -> i32 {
    let worth = match Worth::of(number).0 {
        nothing if nothing == -ENDED && !own_eyes => ENDED,
        worth => worth,
    };
    if has_eyes { worth } else { -worth }
}

impl<I: Isa + Rules> Judge for Called<'_, I> {
    /// Whether the side to move owns the eyes.
    type Known = bool;
    const TABLE: u32 = 2;

    #[inline(always)]
    fn has_eyes(known: bool) -> bool {
        known
    }

    #[inline(always)]
    fn pass(known: bool) -> bool {
        !known
    }

    #[inline(always)]
    fn place(&mut self, node: Node<bool>, _: Child) -> bool {
        !node.known
    }

    #[inline(always)]
    fn one(&mut self, node: Node<bool>, moves: u64, beta: i32, count: &mut u64) -> i32 {
        let (mut best, mut left) = (-MOST, moves);
        while left != 0 && best < beta {
            let at = left & left.wrapping_neg();
            left ^= at;
            let flips = self.isa.flips(node.own, node.opp, at);
            best = best.max(self.leaf(node, at, flips));
            *count += 1;
        }
        best
    }

    #[inline(always)]
    fn order(&mut self, node: Node<bool>, _: u32, children: &mut [Child], count: &mut u64) {
        for child in children {
            child.key = self.leaf(node, child.at, child.flips);
            *count += 1;
        }
    }
}
