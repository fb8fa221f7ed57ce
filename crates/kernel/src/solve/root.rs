//! The position to be solved: its score by a few null-window searches that close in on it, then
//! which moves reach it, then the line.

use super::geometry::Parity;
use super::last::finished;
use super::search::{Node, Scout};
use super::table::Table;
use super::team::Team;
use super::{Aim, Progress, Solved};
use crate::{Kernel, NO_MOVE};

/// The solving of one position.
pub struct Root<'a> {
    kernel: Kernel,
    table: Option<&'a Table>,
    threads: usize,
    aim: Aim,
    stop: &'a (dyn Fn(Progress) -> bool + Sync),
    known: Progress,
}

/// A move of the position, and what is known about it.
#[derive(Clone, Copy)]
struct Candidate {
    at: u8,
    own: u64,
    opp: u64,
    low: i32,
    high: i32,
    /// What it may be worth, by a look ahead.
    value: i32,
}

/// All moves of a position: no position has more than 33. Not a vector, because players ask often.
struct Candidates {
    all: [Candidate; 34],
    len: usize,
}

struct Stopped;

/// The value of a look ahead for which a game is won by about 5 / 2 discs, on the FFO suite.
const JUDGED_DISC: i32 = 256;

impl<'a> Root<'a> {
    pub fn new(
        kernel: Kernel,
        table: Option<&'a Table>,
        threads: usize,
        aim: Aim,
        stop: &'a (dyn Fn(Progress) -> bool + Sync),
    ) -> Root<'a> {
        let known = Progress { nodes: 0, low: -64, high: 64, best: 0 };
        Root { kernel, table, threads, aim, stop, known }
    }

    /// All that is to be known, or what is known when it was stopped.
    pub fn solve(mut self, own: u64, opp: u64) -> Result<Solved, Progress> {
        self.whole(own, opp).map_err(|Stopped| match self.aim {
            Aim::Exact => self.known,
            Aim::Outcome => {
                let Progress { low, high, .. } = self.known;
                Progress { low: low.signum(), high: high.signum(), ..self.known }
            }
        })
    }

    /// The moves with the highest score, if there is a move.
    pub fn best(mut self, own: u64, opp: u64) -> (u64, u64) {
        let mut candidates = Candidates::of(self.kernel, own, opp);
        if candidates.len < 2 {
            return (candidates.set(|_| true), 0);
        }
        let score = self.score(&mut candidates);
        let best = score.and_then(|score| self.all_best(&mut candidates, score));
        (best.unwrap_or_else(|Stopped| candidates.set(|_| true)), self.known.nodes)
    }

    fn whole(&mut self, own: u64, opp: u64) -> Result<Solved, Stopped> {
        let mut candidates = Candidates::of(self.kernel, own, opp);
        let (score, best) = if candidates.len > 0 {
            let score = self.score(&mut candidates)?;
            (score, self.all_best(&mut candidates, score)?)
        } else if self.kernel.moves(opp, own) != 0 {
            let score = self.score(&mut Candidates::of(self.kernel, opp, own));
            // What is known so far was the other side's view.
            let Progress { low, high, .. } = self.known;
            (self.known.low, self.known.high, self.known.best) = (-high, -low, 0);
            (-score?, 0)
        } else {
            (finished(own, opp), 0)
        };
        let line = self.line(own, opp, score)?;
        let score = match self.aim {
            Aim::Exact => score,
            Aim::Outcome => score.signum(),
        };
        Ok(Solved { score, best, line, nodes: self.known.nodes })
    }

    /// The highest score of the candidates. To know who wins, all wins are 2 and all losses -2.
    fn score(&mut self, candidates: &mut Candidates) -> Result<i32, Stopped> {
        let (mut low, mut high) = match self.aim {
            Aim::Exact => (-64, 64),
            Aim::Outcome => (-2, 2),
        };
        self.judge(candidates);
        let guess = candidates.highest(|c| c.value) * 5 / (2 * JUDGED_DISC);
        let (mut wanted, mut stride) = (guess.clamp(low + 2, high) & !1, 2);
        while low < high {
            if self.any_reaches(candidates, wanted)? {
                low = candidates.highest(|c| c.low).clamp(low, high);
                wanted = low + stride;
            } else {
                high = candidates.highest(|c| c.high).clamp(low, high);
                wanted = high + 2 - stride;
            }
            wanted = wanted.clamp(low + 2, high.max(low + 2));
            // Questions that are far off are answered soon.
            stride = (2 * stride).min(8);
            // At the least possible score nothing is known of any move.
            let best = candidates.set(|c| c.low >= low && c.low > -64);
            self.known = Progress { low, high, best, ..self.known };
        }
        Ok(low)
    }

    /// Looks ahead where that is little beside the search: the order of moves and the first
    /// question decide how much is to be searched.
    fn judge(&self, candidates: &mut Candidates) {
        for candidate in candidates.all() {
            let Candidate { own, opp, .. } = *candidate;
            let depth = match (!(own | opp)).count_ones() {
                0..11 => return,
                11..18 => 2,
                _ => 4,
            };
            candidate.value = -(self.kernel.0.judge)(own, opp, depth);
        }
    }

    fn any_reaches(&mut self, candidates: &mut Candidates, wanted: i32) -> Result<bool, Stopped> {
        // What may be best first: it may spare the others.
        candidates.all().sort_unstable_by_key(|c| (-c.low, -c.high, -c.value, c.at));
        for candidate in candidates.all() {
            if self.reaches(candidate, wanted)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The candidates that reach the highest score.
    fn all_best(&mut self, candidates: &mut Candidates, score: i32) -> Result<u64, Stopped> {
        for candidate in candidates.all() {
            if self.reaches(candidate, score)? {
                self.known.best |= 1 << candidate.at;
            }
        }
        Ok(candidates.set(|candidate| candidate.low >= score))
    }

    /// Says whether a move's score is at least `wanted`.
    fn reaches(&mut self, candidate: &mut Candidate, wanted: i32) -> Result<bool, Stopped> {
        if self.aim == Aim::Outcome && wanted == -2 {
            // All losses are equal.
            candidate.low = candidate.low.max(wanted);
        }
        if candidate.low < wanted && wanted <= candidate.high {
            let score = -self.search(candidate.own, candidate.opp, -wanted)?;
            if score >= wanted {
                candidate.low = score;
            } else {
                candidate.high = score;
            }
        }
        Ok(candidate.low >= wanted)
    }

    /// A bound of a score, on the same side of alpha as the score.
    fn search(&mut self, own: u64, opp: u64, alpha: i32) -> Result<i32, Stopped> {
        let known = self.known;
        let stop = |nodes| (self.stop)(Progress { nodes: known.nodes + nodes, ..known });
        let empty = !(own | opp);
        let node = Node {
            own,
            opp,
            moves: self.kernel.moves(own, opp),
            alpha,
            empty: empty.count_ones(),
            parity: Parity::of(empty),
        };
        let found = match (self.table, self.threads) {
            (Some(table), 2..) if node.empty >= Team::PAYS_FROM => {
                Team::new().search(self.kernel, table, self.threads, node, &stop)
            }
            _ => {
                let mut scout = Scout::new(self.table, None, &stop);
                let score = (self.kernel.0.search)(&mut scout, node);
                (scout.nodes, (!scout.stopped).then_some(score))
            }
        };
        let (nodes, score) = found;
        self.known.nodes += nodes;
        score.ok_or(Stopped)
    }

    /// The line: both sides always play the first of their best moves.
    fn line(&mut self, own: u64, opp: u64, score: i32) -> Result<Vec<u8>, Stopped> {
        let (mut own, mut opp, mut score, mut line) = (own, opp, score, Vec::new());
        loop {
            let mut candidates = Candidates::of(self.kernel, own, opp);
            if candidates.len == 0 && self.kernel.moves(opp, own) == 0 {
                return Ok(line);
            }
            let last = candidates.len.saturating_sub(1);
            let mut next = (NO_MOVE, opp, own);
            for (i, candidate) in candidates.all().iter_mut().enumerate() {
                // If no other does, the last one reaches it.
                if i == last || self.reaches(candidate, score)? {
                    next = (candidate.at, candidate.own, candidate.opp);
                    break;
                }
            }
            line.push(next.0);
            (own, opp, score) = (next.1, next.2, -score);
        }
    }
}

impl Candidates {
    fn of(kernel: Kernel, own: u64, opp: u64) -> Candidates {
        let nothing = Candidate { at: NO_MOVE, own: 0, opp: 0, low: -64, high: 64, value: 0 };
        let mut candidates = Candidates { all: [nothing; 34], len: 0 };
        for at in squares(kernel.moves(own, opp)) {
            let flips = kernel.flips(own, opp, 1 << at);
            let (own, opp) = (opp ^ flips, own | flips | 1 << at);
            candidates.all[candidates.len] = Candidate { at, own, opp, ..nothing };
            candidates.len += 1;
        }
        candidates
    }

    fn all(&mut self) -> &mut [Candidate] {
        &mut self.all[..self.len]
    }

    fn highest(&self, bound: impl Fn(&Candidate) -> i32) -> i32 {
        self.all[..self.len].iter().map(bound).max().unwrap_or(-64)
    }

    fn set(&self, has: impl Fn(&Candidate) -> bool) -> u64 {
        let chosen = self.all[..self.len].iter().filter(|candidate| has(candidate));
        chosen.fold(0, |set, candidate| set | 1 << candidate.at)
    }
}

/// The squares of a set, in order.
pub fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let at = (set != 0).then_some(set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        at
    })
}
