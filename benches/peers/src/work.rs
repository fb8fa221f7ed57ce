//! The work of all contestants: the games, and the loops that play one game at a time with the
//! functions of a library.
//!
//! A game is determined by its number. All contestants use the same draw at the same ply and pick
//! among the same candidates in the same order, so they play the same games and their results must
//! be equal, not just similar. (Libraries that count squares from h8 play the games rotated by
//! 180°, which changes neither the start nor the heuristic.)

use std::hint::black_box;
use std::ops::Range;
use std::str::FromStr;

use outflank::model::mirrored;
use outflank::rng::{Draw, Key, Seed, Stream};

/// The work of a contestant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    /// Random mover v random mover.
    Random,
    /// The heuristic v random mover.
    WpcRandom,
    /// The heuristic v random weights, new ones each game.
    WpcWpc,
    /// Counting the game tree from the start to depth 9.
    Perft,
}

impl FromStr for Workload {
    type Err = String;

    fn from_str(name: &str) -> Result<Workload, String> {
        match name {
            "random" => Ok(Workload::Random),
            "wpc-random" => Ok(Workload::WpcRandom),
            "wpc-wpc" => Ok(Workload::WpcWpc),
            "perft" => Ok(Workload::Perft),
            _ => Err(format!("no workload is called {name:?}")),
        }
    }
}

/// A contestant that can be given work.
pub trait Work {
    /// Does this many units of work, or a few more; returns the number and the checksum.
    fn work(&mut self, workload: &str, units: u64) -> Result<(u64, u64), String>;
}

/// A contestant that numbers its games.
pub struct Numbered<C> {
    contestant: C,
    played: u64,
}

impl<C: Contestant> Numbered<C> {
    pub fn new(contestant: C) -> Box<Numbered<C>> {
        Box::new(Numbered { contestant, played: 0 })
    }
}

impl<C: Contestant> Work for Numbered<C> {
    fn work(&mut self, workload: &str, units: u64) -> Result<(u64, u64), String> {
        let Numbered { contestant, played } = self;
        Ok(match workload.parse()? {
            Workload::Perft => {
                let times = units.div_ceil(LEAVES);
                (times * LEAVES, (0..times).map(|_| contestant.perft()).sum())
            }
            workload => {
                let first = *played;
                *played += units.next_multiple_of(contestant.at_once());
                (*played - first, contestant.games(workload, first..*played))
            }
        })
    }
}

/// Plays and counts in its own way.
pub trait Contestant {
    /// The number of games requested is a multiple of this.
    fn at_once(&self) -> u64 {
        1
    }
    /// Plays the games with these numbers; returns the half points of the heuristic, which moves
    /// first in games with an even number. Between random movers one of them takes its place.
    fn games(&mut self, workload: Workload, games: Range<u64>) -> u64;
    /// Counts the leaves at [`DEPTH`].
    fn perft(&mut self) -> u64;
}

/// Depth of the tree to count.
pub const DEPTH: u32 = 9;
/// Leaves of that tree.
pub const LEAVES: u64 = 3_005_288;

/// Weights of a weighted piece counter, by square, in units of 1/800.
pub type Weights = [i16; 64];

/// The standard heuristic of Othello studies: its top left quarter and the reflections of that.
pub const HEURISTIC: Weights =
    mirrored([[800, -200, 80, 40], [-200, -200, 8, 8], [80, 8, 40, 16], [40, 8, 16, 8]]);

const SEED: Seed = Seed(1);

/// The random stream of a game.
pub fn key(game: u64) -> Key {
    SEED.at(Stream::Game, game)
}

/// The heuristic's opponent in a game: weights uniform in ±800.
pub fn random_weights(game: u64) -> Weights {
    let key = SEED.at(Stream::Weights, game);
    std::array::from_fn(|square| {
        let bits = key.draw(square as u32 / 4).0 >> (square % 4 * 16);
        (((bits & 0xffff) * 1601) >> 16) as i16 - 800
    })
}

/// Two points for a win, one for a draw.
pub fn half_points(own: u32, other: u32) -> u64 {
    1 + u64::from(own > other) - u64::from(own < other)
}

/// A position of some library, seen by the side to move. Sets of squares have the library's own
/// order of bits.
pub trait Position: Clone {
    /// The legal moves.
    fn moves(&mut self) -> u64;
    /// Plays the legal move on the single bit `at`.
    fn play(&mut self, at: u64);
    /// Passes; false if the library objects that the game is over.
    fn pass(&mut self) -> bool;
    /// The discs of the side to move and of the other.
    fn discs(&self) -> [u64; 2];

    /// The square of a set that a draw picks.
    fn pick(&self, set: u64, draw: Draw) -> u64 {
        nth_bit(set, draw.index(set.count_ones()))
    }

    /// Counts the leaves at a depth; the last ply is counted, not played.
    fn perft(&mut self, depth: u32, passed: bool) -> u64 {
        let moves = self.moves();
        if moves == 0 {
            let over = passed || !self.pass();
            return if over || depth == 1 { 1 } else { self.perft(depth - 1, true) };
        }
        if depth == 1 {
            return u64::from(moves.count_ones());
        }
        let mut count = 0;
        for at in bits(moves) {
            let mut child = self.clone();
            child.play(at);
            count += child.perft(depth - 1, false);
        }
        count
    }
}

/// Picks moves by weights.
pub trait Score<P> {
    /// Prepares for the weights of a player.
    fn new(weights: &Weights) -> Self;
    /// The moves with the best score; `moves` are the legal ones.
    fn best(&self, position: &mut P, moves: u64) -> u64;
}

/// The plain way to score a move with any library: play it, and sum the weights of all discs.
pub struct Sum([[i32; 8]; 8]);

impl<P: Position> Score<P> for Sum {
    fn new(weights: &Weights) -> Sum {
        Sum(std::array::from_fn(|row| {
            std::array::from_fn(|column| i32::from(weights[8 * row + column]))
        }))
    }

    fn best(&self, position: &mut P, moves: u64) -> u64 {
        let (mut best, mut ties) = (i32::MIN, 0);
        for at in bits(moves) {
            let mut child = position.clone();
            child.play(at);
            let [other, own] = child.discs();
            let score = self.of(own) - self.of(other);
            ties = if score > best { 0 } else { ties };
            ties |= if score >= best { at } else { 0 };
            best = best.max(score);
        }
        ties
    }
}

impl Sum {
    /// Masks all 64 weights, a row at a time: with vectors a quarter faster than a loop over discs.
    fn of(&self, discs: u64) -> i32 {
        let mut sum = 0;
        for (row, discs) in self.0.iter().zip(discs.to_le_bytes()) {
            for (column, weight) in row.iter().enumerate() {
                sum += weight & -(i32::from(discs) >> column & 1);
            }
        }
        sum
    }
}

/// A contestant that plays one game after the other.
pub struct OneByOne<P, S> {
    start: P,
    heuristic: S,
}

enum Player<'a, S> {
    Random,
    Greedy(&'a S),
}

impl<P: Position, S: Score<P>> OneByOne<P, S> {
    pub fn new(start: P) -> Self {
        OneByOne { start, heuristic: S::new(&HEURISTIC) }
    }

    /// Plays a game; returns the half points of the side that moves first.
    fn play(&self, key: Key, players: [Player<'_, S>; 2]) -> u64 {
        let mut position = self.start.clone();
        let (mut turn, mut passed) = (0, false);
        for ply in 0.. {
            let moves = position.moves();
            if moves == 0 {
                if passed || !position.pass() {
                    break;
                }
                passed = true;
            } else {
                let candidates = match players[turn] {
                    Player::Random => moves,
                    Player::Greedy(scorer) => scorer.best(&mut position, moves),
                };
                position.play(position.pick(candidates, key.draw(ply)));
                passed = false;
            }
            turn ^= 1;
        }
        let discs = position.discs().map(u64::count_ones);
        half_points(discs[turn], discs[turn ^ 1])
    }
}

impl<P: Position, S: Score<P>> Contestant for OneByOne<P, S> {
    fn games(&mut self, workload: Workload, games: Range<u64>) -> u64 {
        let mut points = 0;
        for game in games {
            let opponent;
            let (us, them) = match workload {
                Workload::WpcRandom => (Player::Greedy(&self.heuristic), Player::Random),
                Workload::WpcWpc => {
                    opponent = S::new(&random_weights(game));
                    (Player::Greedy(&self.heuristic), Player::Greedy(&opponent))
                }
                _ => (Player::Random, Player::Random),
            };
            points += if game % 2 == 0 {
                self.play(key(game), [us, them])
            } else {
                2 - self.play(key(game), [them, us])
            };
        }
        points
    }

    fn perft(&mut self) -> u64 {
        self.start.clone().perft(black_box(DEPTH), false)
    }
}

fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The `n`-th lowest bit of a set: one instruction where the build may use it.
pub fn nth_bit(set: u64, n: u32) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: the build is for CPUs with BMI2.
    return unsafe { std::arch::x86_64::_pdep_u64(1 << n, set) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    outflank::kernel::nth_bit(set, n)
}
