//! Alpha-beta over any evaluation.

use super::table::Table;
use super::{Ahead, Found, MOST, Wish, Worth};
use crate::isa::{Isa, Work};
use crate::single::Rules;

/// What evaluates the boards of a tree. All values are for the side to move.
pub trait Judge {
    /// What is known of a board beside its discs.
    type Known: Copy;
    /// Trees of this depth or more are worth a place in the table.
    const TABLE: u32;

    /// Whether the side to move owns the eyes that see.
    fn has_eyes(known: Self::Known) -> bool;
    /// The same board for the other side.
    fn pass(known: Self::Known) -> Self::Known;
    /// The board after a move.
    fn place(&mut self, node: Node<Self::Known>, child: Child) -> Self::Known;
    /// The best of some moves, at least one, by the boards after them; or a bound of it, of `beta`
    /// or more.
    fn one(&mut self, node: Node<Self::Known>, moves: u64, beta: i32, count: &mut u64) -> i32;
    /// What is worth looking at first in a tree of this depth has a high key.
    fn order(
        &mut self,
        node: Node<Self::Known>,
        depth: u32,
        children: &mut [Child],
        count: &mut u64,
    );
    /// The value of a tree of depth 2, or a bound of it outside of the window, if there is a
    /// faster way than one move after another. More than two squares are empty. The keys of
    /// children become what they are worth, as far as `keep` asks; the first is a good one.
    #[inline(always)]
    fn two(
        &mut self,
        _: Node<Self::Known>,
        _: &mut [Child],
        _: [i32; 2],
        _: Keep,
        _: &mut u64,
    ) -> Option<i32> {
        None
    }
}

/// Which moves of a tree of depth 2 must be known exactly; of the others, bounds that are too low
/// to be confused with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// One that is best, within the window.
    One,
    /// All that are best.
    Ties,
    /// All.
    Every,
}

impl Keep {
    /// What need not be known exactly, once something is worth `best`.
    #[inline(always)]
    pub fn raise(self, alpha: i32, best: i32) -> i32 {
        match self {
            Keep::One => alpha.max(best),
            Keep::Ties => alpha.max(best.saturating_sub(1)),
            Keep::Every => alpha,
        }
    }
}

/// A board of the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node<K> {
    pub own: u64,
    pub opp: u64,
    pub known: K,
}

impl<K> Node<K> {
    #[inline(always)]
    pub fn after(&self, child: Child, known: K) -> Node<K> {
        let Child { at, flips, .. } = child;
        Node { own: self.opp ^ flips, opp: self.own | flips | at, known }
    }

    #[inline(always)]
    pub fn empties(&self) -> u32 {
        64 - (self.own | self.opp).count_ones()
    }

    /// What the game is worth if it is over.
    #[inline(always)]
    pub fn end(&self) -> i32 {
        let difference = self.own.count_ones() as i32 - self.opp.count_ones() as i32;
        Worth::of_margin(difference + difference.signum() * self.empties() as i32).0
    }
}

/// A move.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    pub at: u64,
    pub flips: u64,
    /// What the move adds, if the judge knows.
    pub score: i32,
    /// High for what is looked at first; at the root, what is known of its worth.
    pub key: i32,
}

pub struct Search<'a, I, J> {
    pub isa: I,
    pub judge: J,
    table: &'a mut Table,
    /// The moves of all boards from the root to where the search is.
    children: &'a mut Vec<Child>,
    evaluations: u64,
}

impl<'a, I: Isa + Rules, J: Judge> Search<'a, I, J> {
    pub fn new(isa: I, judge: J, table: &'a mut Table, children: &'a mut Vec<Child>) -> Self {
        Search { isa, judge, table, children, evaluations: 0 }
    }

    /// Looks at the moves of the root, deeper and deeper.
    #[inline(always)]
    pub fn root(mut self, ahead: &Ahead<'_>, known: J::Known) -> Found {
        let node = Node { own: ahead.own, opp: ahead.opp, known };
        // Deeper than the game lasts there is nothing.
        let depth = ahead.depth.min(node.empties().max(1));
        self.table.forget(depth > J::TABLE);
        self.children.clear();
        self.list(node, ahead.moves);
        let count = self.children.len();
        let mut found = Found { best: 0, worth: [Worth::default(); 64], evaluations: 0 };
        if depth == 2 && self.two_at_root(node, ahead.wish, &mut found) {
            return Found { evaluations: self.evaluations, ..found };
        }
        if depth > 1 && count > 1 {
            self.judge.order(node, depth, &mut self.children[..count], &mut self.evaluations);
            self.children.sort_unstable_by_key(|child| (-i64::from(child.key), child.at));
        }
        // Trees of odd and of even depth prefer different moves.
        let mut shallow = 2 + depth % 2;
        while shallow < depth && count > 1 {
            self.deepen(node, shallow);
            shallow += 2;
        }
        let mut best = -MOST;
        for index in 0..count {
            let child = self.children[index];
            let next = node.after(child, self.judge.place(node, child));
            let value = match ahead.wish {
                _ if depth == 1 => self.look(node, child.at, 1, [-MOST, MOST]),
                Wish::Every => -self.value(next, depth - 1, [-MOST, MOST]),
                Wish::Best if index == 0 => -self.value(next, depth - 1, [-MOST, MOST]),
                Wish::Best => {
                    // Whoever is as good as the best is not below it.
                    let tried = -self.value(next, depth - 1, [-best, 1 - best]);
                    if tried < best {
                        continue;
                    }
                    -self.value(next, depth - 1, [-MOST, 1 - best])
                }
            };
            found.worth[child.at.trailing_zeros() as usize % 64] = Worth(value);
            if value > best {
                (best, found.best) = (value, child.at);
            } else if value == best {
                found.best |= child.at;
            }
        }
        self.children.clear();
        Found { evaluations: self.evaluations, ..found }
    }

    /// A whole tree of depth 2, if there is a faster way.
    #[inline(always)]
    fn two_at_root(&mut self, node: Node<J::Known>, wish: Wish, found: &mut Found) -> bool {
        if node.empties() <= 2 {
            return false;
        }
        let keep = if wish == Wish::Every { Keep::Every } else { Keep::Ties };
        let (children, count) = (&mut self.children[..], &mut self.evaluations);
        let Some(best) = self.judge.two(node, children, [-MOST, MOST], keep, count) else {
            return false;
        };
        for child in self.children.drain(..) {
            if child.key == best || wish == Wish::Every {
                found.worth[child.at.trailing_zeros() as usize % 64] = Worth(child.key);
            }
            found.best |= if child.key == best { child.at } else { 0 };
        }
        true
    }

    /// Looks at all moves of the root to a lesser depth: the best comes first, and the table fills.
    #[inline(always)]
    fn deepen(&mut self, node: Node<J::Known>, depth: u32) {
        let mut best = -MOST;
        for index in 0..self.children.len() {
            let child = self.children[index];
            let next = node.after(child, self.judge.place(node, child));
            if index > 0 {
                let tried = -self.value(next, depth - 1, [-best - 1, -best]);
                if tried <= best {
                    continue;
                }
            }
            best = -self.value(next, depth - 1, [-MOST, -best]);
            self.children[..=index].rotate_right(1);
        }
    }

    /// Adds the moves of a board to those that are being looked at.
    #[inline(always)]
    fn list(&mut self, node: Node<J::Known>, moves: u64) {
        let mut left = moves;
        while left != 0 {
            let at = left & left.wrapping_neg();
            left ^= at;
            let flips = self.isa.flips(node.own, node.opp, at);
            self.children.push(Child { at, flips, score: 0, key: 0 });
        }
    }

    /// What a tree is worth to the side to move; outside of the window, a bound of it.
    #[inline(always)]
    fn value(&mut self, node: Node<J::Known>, depth: u32, window: [i32; 2]) -> i32 {
        let isa = self.isa;
        isa.run(Visit { search: self, node, depth, window })
    }

    /// The best move of all, of a tree of this depth.
    #[inline(always)]
    fn look(&mut self, node: Node<J::Known>, moves: u64, depth: u32, window: [i32; 2]) -> i32 {
        let empties = node.empties();
        if depth == 1 {
            if empties == 1 {
                let flips = self.isa.flips(node.own, node.opp, moves);
                return -node.after(Child { at: moves, flips, score: 0, key: 0 }, node.known).end();
            }
            return self.judge.one(node, moves, window[1], &mut self.evaluations);
        }
        let depth = depth.min(empties);
        let eyes = J::has_eyes(node.known);
        let [mut alpha, mut beta] = window;
        let mut hint = 0;
        if depth >= J::TABLE
            && let Some((entry, is_deep)) = self.table.get(node.own, node.opp, depth, eyes)
        {
            hint = 1 << (entry.best % 64);
            if is_deep {
                if entry.lower >= beta || entry.lower == entry.upper {
                    return entry.lower;
                }
                if entry.upper <= alpha {
                    return entry.upper;
                }
                (alpha, beta) = (alpha.max(entry.lower), beta.min(entry.upper));
            }
        }
        let first = self.children.len();
        self.list(node, moves);
        let (value, best) = self.best(node, first, depth, [alpha, beta], hint);
        self.children.truncate(first);
        if depth >= J::TABLE {
            let lower = if value > alpha { value } else { -MOST };
            let upper = if value < beta { value } else { MOST };
            self.table.put([node.own, node.opp], depth, eyes, [lower, upper], best);
        }
        value
    }

    /// The best of the moves from `first` on: its value and itself.
    #[inline(always)]
    fn best(
        &mut self,
        node: Node<J::Known>,
        first: usize,
        depth: u32,
        [mut alpha, beta]: [i32; 2],
        hint: u64,
    ) -> (i32, u64) {
        let last = self.children.len();
        let (children, count) = (&mut self.children[first..], &mut self.evaluations);
        if depth == 2
            && node.empties() > 2
            && let Some(value) = self.judge.two(node, children, [alpha, beta], Keep::One, count)
        {
            return (value, children[0].at);
        }
        if children.len() > 1 {
            self.judge.order(node, depth, children, count);
            for child in children {
                child.key = if child.at == hint { MOST } else { child.key };
            }
        }
        let (mut best, mut good) = (-MOST, self.children[first].at);
        for next in first..last {
            let child = take_highest(&mut self.children[..last], next);
            let after = node.after(child, self.judge.place(node, child));
            let mut value = -MOST;
            if next > first {
                value = -self.value(after, depth - 1, [-alpha - 1, -alpha]);
            }
            if next == first || (value > alpha && value < beta) {
                value = -self.value(after, depth - 1, [-beta, -alpha]);
            }
            if value > best {
                (best, good) = (value, child.at);
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        (best, good)
    }
}

/// Brings the child with the highest key to a place, among those from there on.
#[inline(always)]
pub fn take_highest(children: &mut [Child], place: usize) -> Child {
    let mut highest = place;
    for other in place + 1..children.len() {
        highest = if children[other].key > children[highest].key { other } else { highest };
    }
    children.swap(place, highest);
    children[place]
}

/// A board of the tree, to be looked at.
struct Visit<'a, 'b, I, J: Judge> {
    search: &'a mut Search<'b, I, J>,
    node: Node<J::Known>,
    depth: u32,
    window: [i32; 2],
}

impl<I: Isa + Rules, J: Judge> Work for Visit<'_, '_, I, J> {
    type Output = i32;

    #[inline(always)]
    fn work(self) -> i32 {
        let Visit { search, node, depth, window: [alpha, beta] } = self;
        let moves = search.isa.moves(node.own, node.opp);
        if moves != 0 {
            return search.look(node, moves, depth, [alpha, beta]);
        }
        let moves = search.isa.moves(node.opp, node.own);
        if moves == 0 {
            return node.end();
        }
        let passed = Node { own: node.opp, opp: node.own, known: J::pass(node.known) };
        -search.look(passed, moves, depth, [-beta, -alpha])
    }
}
