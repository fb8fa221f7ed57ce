//! Many games in lockstep. The board is bit-sliced: for each square one register holds that square of
//! every game of the batch, so that rules cost a fraction of an instruction per game, and all moves
//! of a position are scored without listing them.
//!
//! A move's score for a weighted piece counter is w(square) + 2 Σ w(turned discs): the sum, over eight
//! directions, of the weights in the run of opposing discs next to the square, if an own disc closes
//! the run. Sweeping the board once forwards and once backwards carries these *run sums* along:
//!
//! ```text
//! run(s) = opp(s) & (run(s - d) | own(s - d))      one bit per game
//! sum(s) = run(s) ? sum(s - d) + w(s) : 0          16 bits per game
//! score(s + d) += 2 sum(s)
//! ```
//!
//! State is relative to the side to move: playing a move and passing both end by swapping sides, and a
//! game that is over passes until the batch ends.

use std::sync::atomic::{Ordering, compiler_fence};

use super::isa::{At, GROUP, Grid, Isa, Work};
use super::seat::Seat;
use super::sweep::{Sweep, is_left_out, sweep_flips, sweep_runs};
use super::{Finished, LaneGame, NO_MOVE, Record};
use crate::rng::{GAMMA, Key};

/// Scratch space for one batch of games, used again from batch to batch.
pub struct Batch<I: Isa> {
    isa: I,
    own: Grid<I::Bits>,
    opp: Grid<I::Bits>,
    legal: Grid<I::Runs>,
    /// Games that have a legal move.
    able: I::Bits,
    /// Runs of opposing discs closed by an own disc: east, south-east, south, south-west, and then the
    /// four opposite directions.
    runs: [[Grid<I::Runs>; 4]; 2],
    /// The candidate moves; after choosing, one per game.
    chosen: Grid<I::Bits>,
    /// One register per 64th of the games: word k of register i is game 64 k + i's set of squares.
    by_game: Grid<I::Bits>,
    scores: Vec<Grid<I::Sums>>,
    seats: [Seat<I>; 2],
    /// Each game's stream, laid out as `by_game`.
    keys: [I::Bits; 64],
    draws: [I::Bits; 64],
    /// Whether `by_game` has the chosen moves.
    by_game_is_chosen: bool,
    /// Fingerprints of the games, if they are asked for, laid out as `by_game`.
    prints: [I::Bits; 64],
    /// The squares chosen, by step and game, if games are recorded.
    moves: Vec<u8>,
}

/// Makes methods of the batch work for [`Isa::run`].
macro_rules! steps {
    ($($step:ident { $($argument:ident: $type:ty),* } -> $output:ty = $method:expr;)*) => {$(
        struct $step<'a, I: Isa> {
            batch: &'a mut Batch<I>,
            $($argument: $type),*
        }

        impl<I: Isa> Work for $step<'_, I> {
            type Output = $output;
            #[inline(always)]
            fn work(self) -> $output {
                $method(self.batch $(, self.$argument)*)
            }
        }
    )*};
}

steps! {
    FindScoredMoves {} -> () = Batch::find_moves_for::<true>;
    FindMoves {} -> () = Batch::find_moves_for::<false>;
    ScoreGroup { seat: usize, group: usize } -> () = Batch::score_group;
    DrawForAll { step: usize } -> () = Batch::draw_for_all;
    RandomMovers { seat: usize } -> I::Bits = Batch::random_movers;
    Candidates { random: I::Bits } -> I::Bits = Batch::candidates;
    PickForAll {} -> () = Batch::pick_for_all;
    PickForSome { undecided: I::Bits, step: usize } -> () = Batch::pick_for_some;
    TurnDiscs {} -> () = Batch::turn_discs;
    AddPrints {} -> () = Batch::add_prints;
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

impl<I: Isa> Batch<I> {
    pub fn new(isa: I) -> Box<Batch<I>> {
        let none = isa.splat(0);
        let grid = [[none; 8]; 8];
        let runs = [[isa.no_runs(); 8]; 8];
        let sums = [[isa.sums(0); 8]; 8];
        Box::new(Batch {
            isa,
            own: grid,
            opp: grid,
            legal: runs,
            able: none,
            runs: [[runs; 4]; 2],
            chosen: grid,
            by_game: grid,
            scores: vec![sums; I::PARTS],
            seats: [Seat::new(isa), Seat::new(isa)],
            keys: [none; 64],
            draws: [none; 64],
            by_game_is_chosen: false,
            prints: [none; 64],
            moves: Vec::new(),
        })
    }

    /// Plays all games to the end, a batch at a time.
    pub fn play(
        &mut self,
        games: &[LaneGame<'_>],
        finished: &mut [Finished],
        mut record: Record<'_>,
    ) {
        assert_eq!(games.len(), finished.len());
        self.seats.iter_mut().for_each(|seat| seat.loaded.fill(0));
        for (start, games) in (0..).step_by(I::GAMES).zip(games.chunks(I::GAMES)) {
            self.set_up(games);
            let mut could_move = self.isa.splat(!0);
            let mut step = 0;
            loop {
                self.find_moves(step);
                if I::words(&self.isa.or(self.able, could_move)).iter().all(|&word| word == 0) {
                    break;
                }
                could_move = self.able;
                self.choose(step);
                match record {
                    Record::Nothing => {}
                    Record::Prints => self.note_prints(),
                    Record::Moves(_) => self.note_moves(step),
                }
                self.isa.run(TurnDiscs { batch: self });
                step += 1;
            }
            let finished = &mut finished[start..start + games.len()];
            self.read_results(step, finished);
            if let Record::Moves(tell) = &mut record {
                self.tell_moves(step, start, finished, tell);
            }
        }
    }

    fn set_up(&mut self, games: &[LaneGame<'_>]) {
        let isa = self.isa;
        let mut keys = [isa.splat(0); 64];
        let (mut own, mut opp) = ([[isa.splat(0); 8]; 8], [[isa.splat(0); 8]; 8]);
        for (word, games) in games.chunks(64).enumerate() {
            let boards = own.as_flattened_mut().iter_mut().zip(opp.as_flattened_mut());
            for ((game, (own, opp)), key) in games.iter().zip(boards).zip(&mut keys) {
                I::words_mut(own)[word] = game.own;
                I::words_mut(opp)[word] = game.opp;
                I::words_mut(key)[word] = game.key.0;
            }
        }
        self.keys = keys;
        self.prints = [isa.splat(0); 64];
        isa.run(Transpose { isa, from: &own, to: &mut self.own });
        isa.run(Transpose { isa, from: &opp, to: &mut self.opp });
        let [first, second] = &mut self.seats;
        first.set_up(isa, games, |game| game.first);
        second.set_up(isa, games, |game| game.second);
    }

    fn find_moves(&mut self, step: usize) {
        let isa = self.isa;
        if self.seats[step % 2].looks() {
            isa.run(FindScoredMoves { batch: self });
        } else {
            isa.run(FindMoves { batch: self });
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

    /// Leaves one move per game that can move in `chosen`.
    fn choose(&mut self, step: usize) {
        let isa = self.isa;
        self.by_game_is_chosen = false;
        if !self.seats[step % 2].looks() {
            isa.run(DrawForAll { batch: self, step });
            isa.run(Transpose { isa, from: &self.chosen, to: &mut self.by_game });
            isa.run(PickForAll { batch: self });
            return;
        }
        for group in 0..I::GAMES / GROUP {
            if self.seats[step % 2].greedy[group] && I::group(&self.able, group) != 0 {
                isa.run(ScoreGroup { batch: self, seat: step % 2, group });
            }
        }
        let random = if self.seats[step % 2].random {
            isa.run(DrawForAll { batch: self, step });
            isa.run(RandomMovers { batch: self, seat: step % 2 })
        } else {
            isa.splat(0)
        };
        let undecided = isa.run(Candidates { batch: self, random });
        let count: u32 = I::words(&undecided).iter().map(|word| word.count_ones()).sum();
        if count == 0 {
            return;
        }
        isa.run(Transpose { isa, from: &self.chosen, to: &mut self.by_game });
        // Past one game in eight it is cheaper to pick in all and transpose back.
        if count as usize > I::GAMES / 8 {
            if !self.seats[step % 2].random {
                isa.run(DrawForAll { batch: self, step });
            }
            isa.run(PickForAll { batch: self });
        } else {
            isa.run(PickForSome { batch: self, undecided, step });
        }
    }

    /// Scores all moves of 32 games and marks the best in `chosen`.
    #[inline(always)]
    fn score_group(&mut self, seat: usize, group: usize) {
        // Said once, so that no access below checks it again.
        assert!(group < I::GAMES / GROUP);
        let isa = self.isa;
        // At most four registers hold a group's sums.
        let mut best = [isa.sums(i16::MIN); 4];
        let weights = &self.seats[seat].weights[group * I::PARTS..][..I::PARTS];
        for (part, (weights, scores)) in weights.iter().zip(&mut self.scores).enumerate() {
            Sweep { isa, runs: &self.runs, weights, scores, group, part }.score();
            // Kept in registers until here, scores would only be spilled.
            compiler_fence(Ordering::SeqCst);
            for (row, scores) in scores.iter().enumerate() {
                for (column, &score) in scores.iter().enumerate() {
                    if !is_left_out::<I>(row, column) {
                        let at = At { row, column, group, part };
                        best[part] = isa.max_where(&self.legal, at, score, best[part]);
                    }
                }
            }
        }
        let scores = &self.scores[..I::PARTS];
        for (row, chosen) in self.chosen.iter_mut().enumerate() {
            for (column, chosen) in chosen.iter_mut().enumerate() {
                if !is_left_out::<I>(row, column) {
                    let equal = isa.equal(|part| scores[part][row][column], |part| best[part]);
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
    fn random_movers(&mut self, seat: usize) -> I::Bits {
        let isa = self.isa;
        let low_half = isa.splat(0xffff_ffff);
        let mut random = isa.splat(0);
        for (i, (&draw, &chance)) in self.draws.iter().zip(&self.seats[seat].chances).enumerate() {
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
    fn sort_chosen(&mut self) {
        let isa = self.isa;
        if !self.by_game_is_chosen {
            isa.run(Transpose { isa, from: &self.chosen, to: &mut self.by_game });
        }
    }

    fn note_prints(&mut self) {
        self.sort_chosen();
        self.isa.run(AddPrints { batch: self });
    }

    /// [`super::fingerprint`] of all games, one move further. A game without a move keeps its print.
    #[inline(always)]
    fn add_prints(&mut self) {
        let isa = self.isa;
        let one = isa.splat(1);
        for (print, &set) in self.prints.iter_mut().zip(self.by_game.as_flattened()) {
            let next = mix(isa, isa.xor(*print, set));
            // less64 wants numbers below 2^63; this one is 0 if the set is empty.
            let some = isa.or(isa.shr::<1>(set), isa.and(set, one));
            let ended = isa.less64(some, one);
            *print = isa.or(isa.and(*print, ended), isa.and_not(next, ended));
        }
    }

    fn note_moves(&mut self, step: usize) {
        self.sort_chosen();
        self.moves.resize((step + 1) * I::GAMES, NO_MOVE);
        let moves = &mut self.moves[step * I::GAMES..];
        for (i, sets) in self.by_game.as_flattened().iter().enumerate() {
            for (word, set) in I::words(sets).iter().enumerate() {
                // The number of trailing zeros of an empty set is 64, NO_MOVE.
                moves[64 * word + i] = set.trailing_zeros() as u8;
            }
        }
    }

    fn tell_moves(
        &self,
        steps: usize,
        start: usize,
        ends: &mut [Finished],
        tell: &mut dyn FnMut(usize, &[u8], Finished),
    ) {
        // A game has at most 60 moves, and no two passes follow each other.
        let mut moves = [NO_MOVE; 128];
        for (lane, end) in ends.iter_mut().enumerate() {
            for (step, square) in moves.iter_mut().enumerate().take(steps) {
                *square = self.moves[step * I::GAMES + lane];
            }
            let last = moves[..steps].iter().rposition(|&square| square != NO_MOVE);
            let moves = &moves[..last.map_or(0, |last| last + 1)];
            end.print = super::fingerprint(moves);
            tell(start + lane, moves, *end);
        }
    }

    fn read_results(&mut self, steps: usize, finished: &mut [Finished]) {
        let isa = self.isa;
        let (mut own, mut opp) = ([[isa.splat(0); 8]; 8], [[isa.splat(0); 8]; 8]);
        isa.run(Transpose { isa, from: &self.own, to: &mut own });
        isa.run(Transpose { isa, from: &self.opp, to: &mut opp });
        if steps % 2 == 1 {
            std::mem::swap(&mut own, &mut opp);
        }
        for (word, finished) in finished.chunks_mut(64).enumerate() {
            let boards = own.as_flattened().iter().zip(opp.as_flattened());
            for ((finished, (own, opp)), print) in finished.iter_mut().zip(boards).zip(&self.prints)
            {
                finished.first = I::words(own)[word];
                finished.second = I::words(opp)[word];
                finished.print = I::words(print)[word];
            }
        }
    }
}

/// 64 × 64 bit transposition of each 64-bit column of registers: square by game to game by square, or
/// back. Three exchanges a pass keep eight registers at work.
#[inline(always)]
fn transpose<I: Isa>(isa: I, from: &Grid<I::Bits>, to: &mut Grid<I::Bits>) {
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
fn mix<I: Isa>(isa: I, z: I::Bits) -> I::Bits {
    let z = isa.mul64(isa.xor(z, isa.shr::<30>(z)), isa.splat(0xbf58_476d_1ce4_e5b9));
    let z = isa.mul64(isa.xor(z, isa.shr::<27>(z)), isa.splat(0x94d0_49bb_1331_11eb));
    isa.xor(z, isa.shr::<31>(z))
}
