//! Many boards in lockstep. A board is bit-sliced: for each square one register holds that square
//! of every game of the batch, so that rules cost a fraction of an instruction per game, and all
//! moves of a position are scored without listing them.
//!
//! A move's score for a weighted piece counter is w(square) + 2 Σ w(turned discs): the sum, over
//! eight directions, of the weights in the run of opposing discs next to the square, if an own disc
//! closes the run. Sweeping the board once forwards and once backwards carries these *run sums*
//! along:
//!
//! ```text
//! run(s) = opp(s) & (run(s - d) | own(s - d))      one bit per game
//! sum(s) = run(s) ? sum(s - d) + w(s) : 0          16 bits per game
//! score(s + d) += 2 sum(s)
//! ```
//!
//! State is relative to the side to move: playing a move and passing both end by swapping sides,
//! and a game that is over passes until the batch ends.

use std::sync::atomic::{Ordering, compiler_fence};

use super::isa::{At, Grid, Isa, Lanes, Work};
use super::sweep::{Sweep, is_left_out, sweep_flips, sweep_runs};
use crate::rng::{GAMMA, Key};

/// The boards and random streams of a batch of games.
pub struct Lockstep<I: Isa> {
    pub isa: I,
    pub own: Grid<I::Bits>,
    pub opp: Grid<I::Bits>,
    pub legal: Grid<I::Runs>,
    /// Games that have a legal move.
    pub able: I::Bits,
    /// Runs of opposing discs closed by an own disc: east, south-east, south, south-west, and then
    /// the four opposite directions.
    pub runs: [[Grid<I::Runs>; 4]; 2],
    /// The candidate moves; after choosing, one per game.
    pub chosen: Grid<I::Bits>,
    /// One register per 64th of the games: word k of register i is game 64 k + i's set of squares.
    pub by_game: Grid<I::Bits>,
    /// Each game's stream, laid out as `by_game`.
    pub keys: [I::Bits; 64],
    pub draws: [I::Bits; 64],
    /// Whether `by_game` has the chosen moves.
    pub by_game_is_chosen: bool,
}

/// Makes methods of the lockstep work for [`Isa::run`].
macro_rules! steps {
    ($($step:ident { $($argument:ident: $type:ty),* } -> $output:ty = $method:expr;)*) => {$(
        struct $step<'a, I: Isa> {
            lockstep: &'a mut Lockstep<I>,
            $($argument: $type),*
        }

        impl<I: Isa> Work for $step<'_, I> {
            type Output = $output;
            #[inline(always)]
            fn work(self) -> $output {
                $method(self.lockstep $(, self.$argument)*)
            }
        }
    )*};
}

steps! {
    FindScoredMoves {} -> () = Lockstep::find_moves_for::<true>;
    FindMoves {} -> () = Lockstep::find_moves_for::<false>;
    DrawForAll { step: usize } -> () = Lockstep::draw_for_all;
    Candidates { random: I::Bits } -> I::Bits = Lockstep::candidates;
    PickForAll {} -> () = Lockstep::pick_for_all;
    PickForSome { undecided: I::Bits, step: usize } -> () = Lockstep::pick_for_some;
    TurnDiscs {} -> () = Lockstep::turn_discs;
}

struct RandomMovers<'a, I: Isa> {
    lockstep: &'a Lockstep<I>,
    chances: &'a [I::Bits; 64],
}

impl<I: Isa> Work for RandomMovers<'_, I> {
    type Output = I::Bits;
    #[inline(always)]
    fn work(self) -> I::Bits {
        self.lockstep.random_movers(self.chances)
    }
}

struct Transpose<'a, I: Isa> {
    isa: I,
    from: &'a Grid<I::Bits>,
    to: &'a mut Grid<I::Bits>,
}

impl<I: Isa> Work for Transpose<'_, I> {
    type Output = ();
    #[inline(always)]
    fn work(self) {
        transpose(self.isa, self.from, self.to);
    }
}

/// A board and a key.
pub type Start = (u64, u64, Key);

impl<I: Isa> Lockstep<I> {
    pub fn new(isa: I) -> Lockstep<I> {
        let none = isa.splat(0);
        let grid = [[none; 8]; 8];
        let runs = [[isa.no_runs(); 8]; 8];
        Lockstep {
            isa,
            own: grid,
            opp: grid,
            legal: runs,
            able: none,
            runs: [[runs; 4]; 2],
            chosen: grid,
            by_game: grid,
            keys: [none; 64],
            draws: [none; 64],
            by_game_is_chosen: false,
        }
    }

    /// Sets up the games of a batch. Those it lacks have empty boards, on which nobody can move.
    pub fn set_up(&mut self, games: impl Iterator<Item = Start>) {
        let isa = self.isa;
        let mut keys = [isa.splat(0); 64];
        let (mut own, mut opp) = ([[isa.splat(0); 8]; 8], [[isa.splat(0); 8]; 8]);
        for (game, (first, second, key)) in games.enumerate() {
            let (word, i) = (game / 64, game % 64);
            I::words_mut(&mut own.as_flattened_mut()[i])[word] = first;
            I::words_mut(&mut opp.as_flattened_mut()[i])[word] = second;
            I::words_mut(&mut keys[i])[word] = key.0;
        }
        self.keys = keys;
        isa.run(Transpose { isa, from: &own, to: &mut self.own });
        isa.run(Transpose { isa, from: &opp, to: &mut self.opp });
    }

    /// The boards by game, as they stand: own and opposing discs.
    pub fn boards(&self) -> [Grid<I::Bits>; 2] {
        let isa = self.isa;
        let mut boards = [[[isa.splat(0); 8]; 8]; 2];
        isa.run(Transpose { isa, from: &self.own, to: &mut boards[0] });
        isa.run(Transpose { isa, from: &self.opp, to: &mut boards[1] });
        boards
    }

    /// Finds the legal moves. Says `scored`, they can be scored and chosen from; else all are
    /// candidates.
    pub fn find_moves(&mut self, scored: bool) {
        let isa = self.isa;
        if scored {
            isa.run(FindScoredMoves { lockstep: self });
        } else {
            isa.run(FindMoves { lockstep: self });
        }
    }

    /// Puts the legal moves into `legal`, or, if none will be `SCORED`, into `chosen`: all are
    /// candidates then.
    #[inline(always)]
    fn find_moves_for<const SCORED: bool>(&mut self) {
        let (isa, none) = (self.isa, self.isa.splat(0));
        let [forth, back] = &mut self.runs;
        let ends = &mut self.chosen;
        sweep_runs::<I, false, SCORED>(isa, &self.own, &self.opp, forth, |row, column, end| {
            ends[row][column] = end;
        });
        let mut able = none;
        let (own, opp, legal) = (&self.own, &self.opp, &mut self.legal);
        sweep_runs::<I, true, SCORED>(isa, own, opp, back, |row, column, end| {
            let end = isa.or(end, ends[row][column]);
            let end = isa.and_not(end, isa.or(own[row][column], opp[row][column]));
            if SCORED {
                isa.spread(end, &mut legal[row][column]);
            } else {
                ends[row][column] = end;
            }
            able = isa.or(able, end);
        });
        self.able = able;
    }

    /// Draws for all games.
    pub fn draw(&mut self, step: usize) {
        self.isa.run(DrawForAll { lockstep: self, step });
    }

    /// The games whose draws say that the move is random.
    pub fn random(&self, chances: &[I::Bits; 64]) -> I::Bits {
        self.isa.run(RandomMovers { lockstep: self, chances })
    }

    /// Leaves one legal move per game in `chosen`, any that was a candidate.
    pub fn choose_any(&mut self, step: usize) {
        let isa = self.isa;
        self.draw(step);
        isa.run(Transpose { isa, from: &self.chosen, to: &mut self.by_game });
        isa.run(PickForAll { lockstep: self });
    }

    /// Leaves one move per game in `chosen`: one of the best that are marked there, or for games in
    /// `random` of all.
    pub fn choose(&mut self, step: usize, random: I::Bits, drawn: bool) {
        let isa = self.isa;
        self.by_game_is_chosen = false;
        let undecided = isa.run(Candidates { lockstep: self, random });
        let count: u32 = I::words(&undecided).iter().map(|word| word.count_ones()).sum();
        if count == 0 {
            return;
        }
        isa.run(Transpose { isa, from: &self.chosen, to: &mut self.by_game });
        // Past one game in eight it is cheaper to pick in all and transpose back.
        if count as usize > I::GAMES / 8 {
            if !drawn {
                self.draw(step);
            }
            isa.run(PickForAll { lockstep: self });
        } else {
            isa.run(PickForSome { lockstep: self, undecided, step });
        }
    }

    /// Plays the chosen moves.
    pub fn play_chosen(&mut self) {
        self.isa.run(TurnDiscs { lockstep: self });
    }

    /// Scores all moves of one register of games and returns the best scores.
    #[inline(always)]
    pub fn score_part<L: Lanes<Isa = I>>(
        &self,
        lanes: L,
        weights: &Grid<L::Sums>,
        scores: &mut Grid<L::Sums>,
        (group, part): (usize, usize),
    ) -> L::Sums {
        // Indexed, so that the portable kernel's eight numbers stay together.
        let mut best = [lanes.least(); 4];
        Sweep { lanes, runs: &self.runs, weights, scores: &mut *scores, group, part }.score();
        // Kept in registers until here, scores would only be spilled.
        compiler_fence(Ordering::SeqCst);
        for (row, scores) in scores.iter().enumerate() {
            for (column, &score) in scores.iter().enumerate() {
                if !is_left_out::<I>(row, column) {
                    let at = At { row, column, group, part };
                    best[part] = lanes.max_where(&self.legal, at, score, best[part]);
                }
            }
        }
        best[part]
    }

    /// Marks the moves of a group of games that have the best scores in `chosen`.
    #[inline(always)]
    pub fn mark_best<L: Lanes<Isa = I>>(
        &mut self,
        lanes: L,
        scores: &[Grid<L::Sums>],
        best: &[L::Sums; 4],
        group: usize,
    ) {
        let scores = &scores[..L::PARTS];
        for (row, chosen) in self.chosen.iter_mut().enumerate() {
            for (column, chosen) in chosen.iter_mut().enumerate() {
                if !is_left_out::<I>(row, column) {
                    let equal = lanes.equal(|part| scores[part][row][column], |part| best[part]);
                    I::set_group(chosen, group, equal);
                }
            }
        }
    }

    #[inline(always)]
    fn draw_for_all(&mut self, step: usize) {
        let isa = self.isa;
        let advance = isa.splat(GAMMA.wrapping_mul(step as u64 + 1));
        for (draw, &key) in self.draws.iter_mut().zip(&self.keys) {
            *draw = mix(isa, isa.add64(key, advance));
        }
    }

    #[inline(always)]
    fn random_movers(&self, chances: &[I::Bits; 64]) -> I::Bits {
        let isa = self.isa;
        let low_half = isa.splat(0xffff_ffff);
        let mut random = isa.splat(0);
        for (i, (&draw, &chance)) in self.draws.iter().zip(chances).enumerate() {
            let happens = isa.less64(isa.and(draw, low_half), chance);
            random = isa.or_and(random, happens, isa.splat(1 << i));
        }
        random
    }

    /// Reduces `chosen` to the candidates of each game: its best moves, or all for a random move.
    /// Returns the games with more than one.
    #[inline(always)]
    fn candidates(&mut self, random: I::Bits) -> I::Bits {
        let isa = self.isa;
        let (mut some, mut several) = (isa.splat(0), isa.splat(0));
        for (chosen, legal) in
            self.chosen.as_flattened_mut().iter_mut().zip(self.legal.as_flattened())
        {
            *chosen = isa.and_or(isa.gather(legal), isa.in_order(*chosen), random);
            several = isa.or_and(several, some, *chosen);
            some = isa.or(some, *chosen);
        }
        several
    }

    #[inline(always)]
    fn pick_for_all(&mut self) {
        let isa = self.isa;
        for (sets, &draws) in self.by_game.as_flattened_mut().iter_mut().zip(&self.draws) {
            *sets = isa.pick(*sets, draws);
        }
        transpose(isa, &self.by_game, &mut self.chosen);
        self.by_game_is_chosen = true;
    }

    #[inline(always)]
    fn pick_for_some(&mut self, undecided: I::Bits, step: usize) {
        let chosen = self.chosen.as_flattened_mut();
        for (word, &games) in I::words(&undecided).iter().enumerate() {
            let mut games = games;
            while games != 0 {
                let i = games.trailing_zeros() as usize;
                games &= games - 1;
                let set = I::words(&self.by_game.as_flattened()[i])[word];
                let draw = Key(I::words(&self.keys[i])[word]).draw(step as u32);
                let picked = super::nth_bit(set, draw.index(set.count_ones()));
                let mut dropped = set ^ picked;
                while dropped != 0 {
                    let square = dropped.trailing_zeros() as usize;
                    dropped &= dropped - 1;
                    I::words_mut(&mut chosen[square])[word] &= !(1 << i);
                }
            }
        }
    }

    #[inline(always)]
    fn turn_discs(&mut self) {
        let isa = self.isa;
        let [forth, back] = &self.runs;
        let mut turned = [[isa.splat(0); 8]; 8];
        // Runs found going forwards are turned going backwards, from the move to the own disc.
        sweep_flips::<I, true>(isa, forth, &self.chosen, |row, column, flips| {
            turned[row][column] = flips;
        });
        let (own, opp, chosen) = (&mut self.own, &mut self.opp, &self.chosen);
        sweep_flips::<I, false>(isa, back, chosen, |row, column, flips| {
            let flips = isa.or(flips, turned[row][column]);
            let mover = own[row][column];
            own[row][column] = isa.xor(opp[row][column], flips);
            opp[row][column] = isa.or3(mover, flips, chosen[row][column]);
        });
    }

    /// Sorts the chosen moves by game, if that is not done.
    pub fn sort_chosen(&mut self) {
        let isa = self.isa;
        if !self.by_game_is_chosen {
            isa.run(Transpose { isa, from: &self.chosen, to: &mut self.by_game });
        }
    }
}

/// 64 × 64 bit transposition of each 64-bit column of registers: square by game to game by square,
/// or back. Three exchanges a pass keep eight registers at work.
#[inline(always)]
pub fn transpose<I: Isa>(isa: I, from: &Grid<I::Bits>, to: &mut Grid<I::Bits>) {
    macro_rules! exchange {
        ($rows:ident, $pairs:expr, $by:literal, $mask:expr) => {
            let mask = isa.splat($mask);
            for (i, j) in $pairs {
                ($rows[i], $rows[j]) = isa.exchange::<$by>(mask, $rows[i], $rows[j]);
            }
        };
    }
    const FOURS: [(usize, usize); 4] = [(0, 4), (1, 5), (2, 6), (3, 7)];
    const TWOS: [(usize, usize); 4] = [(0, 2), (1, 3), (4, 6), (5, 7)];
    const ONES: [(usize, usize); 4] = [(0, 1), (2, 3), (4, 5), (6, 7)];
    for j in 0..8 {
        let mut rows: [I::Bits; 8] = std::array::from_fn(|i| from[i][j]);
        exchange!(rows, FOURS, 32, 0x0000_0000_ffff_ffff);
        exchange!(rows, TWOS, 16, 0x0000_ffff_0000_ffff);
        exchange!(rows, ONES, 8, 0x00ff_00ff_00ff_00ff);
        for i in 0..8 {
            to[i][j] = rows[i];
        }
    }
    for rows in to {
        exchange!(rows, FOURS, 4, 0x0f0f_0f0f_0f0f_0f0f);
        exchange!(rows, TWOS, 2, 0x3333_3333_3333_3333);
        exchange!(rows, ONES, 1, 0x5555_5555_5555_5555);
    }
}

/// [`crate::rng::mix`] of every 64-bit word.
#[inline(always)]
pub fn mix<I: Isa>(isa: I, z: I::Bits) -> I::Bits {
    let z = isa.mul64(isa.xor(z, isa.shr::<30>(z)), isa.splat(0xbf58_476d_1ce4_e5b9));
    let z = isa.mul64(isa.xor(z, isa.shr::<27>(z)), isa.splat(0x94d0_49bb_1331_11eb));
    isa.xor(z, isa.shr::<31>(z))
}
