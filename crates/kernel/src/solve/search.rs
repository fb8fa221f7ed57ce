//! The search proper: whether a score is above a number, by alpha-beta with null windows.
//!
//! With many empty squares moves are put in order and results go into the table; with few the order
//! is by parity alone; the last four squares are [`super::last`].

use std::ops::ControlFlow;

use super::geometry::{CORNERS, Parity};
use super::judge;
use super::last::{Last, finished};
use super::order::{FIRST, PUT_OFF, Step, Steps, ahead, worth};
use super::stable::stable;
use super::table::{Key, Known, Table};
use super::team::Team;
use crate::isa::{Isa, Work};
use crate::single::Rules;

/// Up to this many empty squares the order is by parity alone.
const SHALLOW: u32 = 6;

/// From this many empty squares on, results go into the table.
const TABLE: u32 = 9;

/// From this many empty squares on, replies are looked up before any is searched.
const LOOK_AHEAD: u32 = 11;

/// Whoever searches: counts, and is asked to stop.
pub struct Scout<'a> {
    /// What is known, if anything is to be remembered.
    table: Option<&'a Table>,
    /// Other threads with the same task.
    team: Option<&'a Team>,
    /// Asked now and then, and told the nodes so far.
    stop: &'a (dyn Fn(u64) -> bool + Sync),
    /// Asked next at this number of nodes.
    patience: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Whether it was stopped: results are void from then on.
    pub stopped: bool,
}

/// Nodes between two questions whether to stop, some milliseconds.
const PATIENCE: u64 = 1 << 17;

impl<'a> Scout<'a> {
    pub fn new(
        table: Option<&'a Table>,
        team: Option<&'a Team>,
        stop: &'a (dyn Fn(u64) -> bool + Sync),
    ) -> Scout<'a> {
        Scout { table, team, stop, patience: PATIENCE, nodes: 0, stopped: false }
    }

    #[inline(always)]
    fn is_stopped(&mut self) -> bool {
        if self.nodes >= self.patience {
            self.patience = self.nodes + PATIENCE;
            self.stopped |= (self.stop)(self.nodes);
        }
        self.stopped |= self.team.is_some_and(Team::is_done);
        self.stopped
    }
}

/// A position, and a number: is its score above it?
#[derive(Clone, Copy)]
pub struct Node {
    pub own: u64,
    pub opp: u64,
    /// The legal moves.
    pub moves: u64,
    /// The number.
    pub alpha: i32,
    /// Empty squares.
    pub empty: u32,
    pub parity: Parity,
}

/// The search of a node. The result is a bound of the score: at most it if it is at most alpha, at
/// least it if not. It is void if the scout was stopped.
pub struct Search<'s, 'a, I> {
    pub isa: I,
    pub scout: &'s mut Scout<'a>,
    pub node: Node,
}

impl<I: Isa + Rules> Search<'_, '_, I> {
    pub fn run(self) -> i32 {
        if self.node.empty > SHALLOW {
            self.isa.run(Deep(self))
        } else if self.node.empty > 4 {
            self.isa.run(Shallow(self))
        } else {
            self.isa.run(Lowest(self))
        }
    }
}

struct Lowest<'s, 'a, I>(Search<'s, 'a, I>);
struct Shallow<'s, 'a, I>(Search<'s, 'a, I>);
struct Deep<'s, 'a, I>(Search<'s, 'a, I>);

impl<I: Isa + Rules> Work for Lowest<'_, '_, I> {
    type Output = i32;

    #[inline(always)]
    fn work(self) -> i32 {
        let Search { isa: rules, scout, node: Node { own, opp, alpha, empty, parity, .. } } =
            self.0;
        let mut last = Last { rules, nodes: 0 };
        let score = if empty == 4 {
            last.last_4(own, opp, alpha, parity)
        } else {
            last.few(own, opp, alpha)
        };
        scout.nodes += last.nodes;
        score
    }
}

impl<I: Isa + Rules> Work for Shallow<'_, '_, I> {
    type Output = i32;

    #[inline(always)]
    fn work(self) -> i32 {
        let Search { isa, scout, node } = self.0;
        let Node { own, opp, moves, alpha, empty, parity } = node;
        scout.nodes += 1;
        if moves == 0 {
            return passed(isa, scout, node);
        }
        if let Some(most) = stable_bound(opp, own, alpha, empty) {
            return most;
        }
        let mut best = -65;
        let odd = parity.odd();
        for mut moves in [moves & odd & CORNERS, moves & odd & !CORNERS, moves & !odd] {
            while moves != 0 {
                let at = moves & moves.wrapping_neg();
                moves ^= at;
                let flips = isa.flips_on(own, opp, at.trailing_zeros());
                let (own, opp) = (opp ^ flips, own | flips | at);
                let (alpha, parity) = (!alpha, parity.after(at.trailing_zeros()));
                let node = Node { own, opp, moves: 0, alpha, empty: empty - 1, parity };
                let score = -if empty == 5 {
                    isa.run(Lowest(Search { isa, scout: &mut *scout, node }))
                } else {
                    let node = Node { moves: isa.moves(own, opp), ..node };
                    isa.run(Shallow(Search { isa, scout: &mut *scout, node }))
                };
                if score > !alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }
}

/// The search after a pass, or the result if neither side can move.
#[inline(always)]
fn passed<I: Isa + Rules>(isa: I, scout: &mut Scout<'_>, node: Node) -> i32 {
    let Node { own, opp, alpha, .. } = node;
    let moves = isa.moves(opp, own);
    if moves == 0 {
        return finished(own, opp);
    }
    let node = Node { own: opp, opp: own, moves, alpha: !alpha, ..node };
    -Search { isa, scout, node }.run()
}

/// Alpha from which on it pays to count the opponent's stable discs, by empty squares: the
/// fewer discs there are, the less of the board can be stable.
#[inline(always)]
fn stable_from(empty: u32) -> i32 {
    match empty {
        0..5 => 99,
        5..8 => 8,
        8..12 => 10,
        _ => 4 + empty as i32,
    }
}

/// An upper bound of the score that is at most alpha, if stable discs give one.
#[inline(always)]
fn stable_bound(opp: u64, own: u64, alpha: i32, empty: u32) -> Option<i32> {
    if alpha < stable_from(empty) {
        return None;
    }
    let most = 64 - 2 * stable(opp, own).count_ones() as i32;
    (most <= alpha).then_some(most)
}

impl<I: Isa + Rules> Work for Deep<'_, '_, I> {
    type Output = i32;

    #[inline(always)]
    fn work(self) -> i32 {
        let Search { isa, scout, node } = self.0;
        let Node { own, opp, moves, alpha, empty, .. } = node;
        scout.nodes += 1;
        if moves == 0 {
            return passed(isa, scout, node);
        }
        if let Some(most) = stable_bound(opp, own, alpha, empty) {
            return most;
        }
        if scout.is_stopped() {
            return 0;
        }
        let table = scout.table.filter(|_| empty >= TABLE);
        let key = Key::of(own, opp);
        let known = table.and_then(|table| table.look(key)).unwrap_or(Known::NOTHING);
        if i32::from(known.low) > alpha {
            return i32::from(known.low);
        }
        if i32::from(known.high) <= alpha {
            return i32::from(known.high);
        }
        let mut steps = Steps::new();
        if list(isa, &node, known, &mut steps).is_break() {
            return 64;
        }
        if let Some(table) = table
            && empty >= LOOK_AHEAD
            && let Some(least) = known_reply(table, steps.all(), alpha)
        {
            return least;
        }
        let before = scout.nodes;
        let (score, best) = best_step(isa, scout, &node, &mut steps);
        if let Some(table) = table
            && !scout.stopped
        {
            let took = scout.nodes - before;
            table.note(key, alpha, score, best, took.max(1).ilog2() as u8);
        }
        score
    }
}

/// Lists the moves of a node with their worth, unless one of them leaves the opponent no disc.
#[inline(always)]
fn list<I: Isa + Rules>(isa: I, node: &Node, known: Known, steps: &mut Steps) -> ControlFlow<()> {
    let Node { own, opp, moves, empty, parity, .. } = *node;
    let mut rest = moves;
    while rest != 0 {
        let at = rest & rest.wrapping_neg();
        rest ^= at;
        let flips = isa.flips_on(own, opp, at.trailing_zeros());
        if flips == opp {
            return ControlFlow::Break(());
        }
        let (own, opp) = (opp ^ flips, own | flips | at);
        let at = at.trailing_zeros() as u8;
        let mut step = Step { own, opp, moves: isa.moves(own, opp), value: 0, at };
        step.value = if at == known.best {
            FIRST
        } else if at == known.second {
            FIRST - 1
        } else {
            worth(&step, parity) + ahead(isa, &step, judge::depth(empty))
        };
        steps.push(step);
    }
    ControlFlow::Continue(())
}

/// A lower bound of the score above alpha, if the table has one for a move.
#[inline(always)]
fn known_reply(table: &Table, steps: &[Step], alpha: i32) -> Option<i32> {
    let least = |step: &Step| {
        let known = table.look(Key::of(step.own, step.opp))?;
        Some(-i32::from(known.high)).filter(|least| *least > alpha)
    };
    steps.iter().find_map(least)
}

/// Searches moves until one is above alpha: the highest score, and its move.
#[inline(always)]
fn best_step<I: Isa + Rules>(
    isa: I,
    scout: &mut Scout<'_>,
    node: &Node,
    steps: &mut Steps,
) -> (i32, u8) {
    let Node { alpha, empty, parity, .. } = *node;
    let team = scout.team.filter(|_| empty > Team::SHARED_FROM);
    let (mut best, mut best_at) = (-65, 64);
    while let Some(mut step) = steps.next() {
        let Step { own, opp, moves, at, value } = step;
        let shared = team.map(|team| (team, Key::of(own, opp)));
        if let Some((team, key)) = shared {
            // Not the first, without which the others may not be needed, and not twice.
            if best > -65 && value > PUT_OFF && team.is_busy(key) {
                step.value = PUT_OFF - i32::from(at);
                steps.push(step);
                continue;
            }
            team.begin(key);
        }
        let parity = parity.after(at.into());
        let node = Node { own, opp, moves, alpha: !alpha, empty: empty - 1, parity };
        let score = -Search { isa, scout: &mut *scout, node }.run();
        if let Some((team, key)) = shared {
            team.end(key);
        }
        if scout.stopped {
            break;
        }
        if score > best {
            (best, best_at) = (score, at);
            if score > alpha {
                break;
            }
        }
    }
    (best, best_at)
}
