//! Many weighted piece counters asked for their moves in one position: 32 of them side by side, a
//! square's weights next to each other. All moves are listed once, and each is scored for all
//! players at a time. Loops over arrays, which the compiler puts into the registers of each CPU.

use super::GRID;
use super::isa::{Isa, Work};
use super::single::Rules;

/// Players whose weights are next to each other.
const LANES: usize = 32;

type Lanes = [i16; LANES];

/// Players who are asked for their moves.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// For each group of players and each square their weights.
    groups: Vec<[Lanes; 64]>,
    players: usize,
}

impl Crowd {
    /// Players with these weights, at most [`GRID`] in size.
    pub fn new<'a>(players: impl IntoIterator<Item = &'a [i16; 64]>) -> Crowd {
        let mut crowd = Crowd { groups: Vec::new(), players: 0 };
        for weights in players {
            let lane = crowd.players % LANES;
            if lane == 0 {
                crowd.groups.push([[0; LANES]; 64]);
            }
            let group = crowd.groups.last_mut().expect("a group was pushed");
            for (square, weight) in group.iter_mut().zip(weights) {
                assert!(weight.abs() <= GRID, "weights off the grid");
                square[lane] = *weight;
            }
            crowd.players += 1;
        }
        crowd
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.players
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.players == 0
    }
}

/// A question to a crowd: who would make this move?
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub opp: u64,
    /// Its legal moves.
    pub moves: u64,
    /// One of them, as a set.
    pub at: u64,
    /// A player who is not asked.
    pub except: Option<usize>,
}

/// Asking, as work. Gives the number of players to whom no move is better.
pub struct Ask<'a, I> {
    /// With whose instructions.
    pub isa: I,
    /// Who is asked.
    pub crowd: &'a Crowd,
    /// What.
    pub question: &'a Question,
}

/// A move: its square, and the squares of the discs it turns.
#[derive(Clone, Copy)]
struct Listed {
    at: u8,
    flips: u64,
}

impl<I: Isa + Rules> Work for Ask<'_, I> {
    type Output = u32;

    #[inline(always)]
    fn work(self) -> u32 {
        let Ask { isa, crowd, question } = self;
        let Question { own, opp, mut moves, at, except } = *question;
        // The move in question comes first.
        let mut list = [Listed { at: 0, flips: 0 }; 64];
        let mut count = 1;
        list[0] = Listed { at: at.trailing_zeros() as u8, flips: isa.flips(own, opp, at) };
        moves &= !at;
        while moves != 0 {
            let at = moves & moves.wrapping_neg();
            moves ^= at;
            let flips = isa.flips(own, opp, at);
            list[count % 64] = Listed { at: at.trailing_zeros() as u8, flips };
            count += 1;
        }
        let mut agree = 0;
        for (index, weights) in crowd.groups.iter().enumerate() {
            let asked = score(weights, list[0]);
            let mut is_best = [1i16; LANES];
            for one in &list[1..count] {
                let other = score(weights, *one);
                for lane in 0..LANES {
                    is_best[lane] &= i16::from(other[lane] <= asked[lane]);
                }
            }
            let first = index * LANES;
            let mut group = 0;
            for lane in is_best.iter().take(crowd.players - first) {
                group += *lane;
            }
            agree += group as u32;
            if let Some(except) = except
                && except / LANES == index
            {
                agree -= is_best[except % LANES] as u32;
            }
        }
        agree
    }
}

/// What a move adds to the sums of the players.
#[inline(always)]
fn score(weights: &[Lanes; 64], Listed { at, mut flips }: Listed) -> Lanes {
    let mut sums = [0i16; LANES];
    while flips != 0 {
        let turned = &weights[flips.trailing_zeros() as usize % 64];
        flips &= flips - 1;
        for lane in 0..LANES {
            sums[lane] = sums[lane].wrapping_add(turned[lane]);
        }
    }
    let placed = &weights[usize::from(at) % 64];
    for lane in 0..LANES {
        sums[lane] = sums[lane].wrapping_add(sums[lane]).wrapping_add(placed[lane]);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Seed, Stream};
    use crate::{Kernel, Scorer, flips, moves};

    #[test]
    fn a_crowd_says_what_its_players_say_one_by_one() {
        let mut rng = Seed(6).at(Stream::Weights, 0).rng();
        let mut answers = [0; 2];
        for size in [1, 2, 31, 32, 33, 100] {
            // Few different weights, so that moves are often equal.
            let width = if size % 2 == 0 { 3 } else { 1601 };
            let players: Vec<[i16; 64]> = (0..size)
                .map(|_| std::array::from_fn(|_| rng.below(width) as i16 - (width / 2) as i16))
                .collect();
            let crowd = Crowd::new(&players);
            assert_eq!((crowd.len(), crowd.is_empty()), (size, false));
            let scorers: Vec<Scorer> = players.iter().map(Scorer::new).collect();
            for _ in 0..100 {
                let discs = rng.bits() & rng.bits();
                let mine = rng.bits();
                let (own, opp) = (discs & mine, discs & !mine);
                let moves = moves(own, opp);
                let (mut left, except) = (moves, rng.below(size as u32) as usize);
                while left != 0 {
                    let at = left & left.wrapping_neg();
                    left ^= at;
                    for kernel in Kernel::available() {
                        let ask =
                            |except| kernel.ask(&crowd, &Question { own, opp, moves, at, except });
                        let says = |scorer: &Scorer| kernel.best(scorer, own, opp, moves) & at != 0;
                        let yes: Vec<bool> = scorers.iter().map(says).collect();
                        let all = yes.iter().filter(|yes| **yes).count() as u32;
                        assert_eq!(ask(None), all);
                        assert_eq!(ask(Some(except)), all - u32::from(yes[except]));
                        answers[usize::from(all * 2 > size as u32)] += 1;
                    }
                    assert_ne!(flips(own, opp, at), 0);
                }
            }
        }
        assert!(answers.iter().all(|answer| *answer > 100), "{answers:?}");
    }
}
