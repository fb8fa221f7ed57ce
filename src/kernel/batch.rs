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

use super::isa::{GROUP, Grid, Isa, Work};
use super::{Finished, Lane, LaneGame, NO_MOVE, Record};
use crate::rng::{GAMMA, Key};

/// Scratch space for one batch of games, used again from batch to batch.
pub struct Batch<I: Isa> {
    isa: I,
    own: Grid<I::Bits>,
    opp: Grid<I::Bits>,
    legal: Grid<I::Runs>,
    /// Games that have a legal move.
    able: I::Bits,
    /// Runs of opposing discs closed by an own disc: east, south-east, south, south-west, then the
    /// four opposite directions.
    runs: [Grid<I::Runs>; 8],
    /// The candidate moves; after choosing, one per game.
    chosen: Grid<I::Bits>,
    /// One register per 64th of the games: word k of register i is game 64 k + i's set of squares.
    by_game: [I::Bits; 64],
    scores: Vec<Grid<I::Sums>>,
    seats: [Seat<I>; 2],
    /// Each game's stream, laid out as `by_game`.
    keys: [I::Bits; 64],
    draws: [I::Bits; 64],
    /// The squares chosen, by step and game, if games are recorded.
    moves: Vec<u8>,
}

/// The players of all games that move first, or second.
struct Seat<I: Isa> {
    /// Twice the weights, by group, part, square.
    weights: Vec<Grid<I::Sums>>,
    /// Which weights stand there already (their addresses, by game).
    loaded: Vec<usize>,
    /// Groups with a player that looks at the board.
    greedy: Vec<bool>,
    /// Chances of a random move, laid out as `by_game`; not read unless `random`.
    chances: [I::Bits; 64],
    random: bool,
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
}

struct Transpose<'a, I: Isa> {
    isa: I,
    from: &'a [I::Bits],
    to: &'a mut [I::Bits],
}

impl<I: Isa> Work for Transpose<'_, I> {
    type Output = ();
    #[inline(always)]
    fn work(self) {
        transpose(self.isa, self.from, self.to);
    }
}

const NO_WEIGHTS: [i16; 64] = [0; 64];

impl<I: Isa> Batch<I> {
    pub fn new(isa: I) -> Box<Batch<I>> {
        let none = isa.splat(0);
        let grid = [[none; 8]; 8];
        let runs = [[isa.no_runs(); 8]; 8];
        let sums = [[isa.sums(0); 8]; 8];
        let seat = || Seat {
            weights: vec![sums; I::GAMES / GROUP * I::PARTS],
            loaded: vec![0; I::GAMES],
            greedy: vec![false; I::GAMES / GROUP],
            chances: [none; 64],
            random: false,
        };
        Box::new(Batch {
            isa,
            own: grid,
            opp: grid,
            legal: runs,
            able: none,
            runs: [runs; 8],
            chosen: grid,
            by_game: [none; 64],
            scores: vec![sums; I::PARTS],
            seats: [seat(), seat()],
            keys: [none; 64],
            draws: [none; 64],
            moves: Vec::new(),
        })
    }

    /// Plays all games to the end, a batch at a time.
    pub fn play(
        &mut self,
        games: &[LaneGame<'_>],
        finished: &mut [Finished],
        mut record: Option<Record<'_>>,
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
                if record.is_some() {
                    self.note_moves(step);
                }
                self.isa.run(TurnDiscs { batch: self });
                step += 1;
            }
            self.read_results(step, &mut finished[start..start + games.len()]);
            if let Some(record) = &mut record {
                self.tell_moves(step, start, &finished[start..start + games.len()], record);
            }
        }
    }

    fn set_up(&mut self, games: &[LaneGame<'_>]) {
        let isa = self.isa;
        let mut keys = [isa.splat(0); 64];
        let (mut own, mut opp) = (keys, keys);
        for (g, game) in games.iter().enumerate() {
            let (word, register) = (g / 64, g % 64);
            I::words_mut(&mut own[register])[word] = game.own;
            I::words_mut(&mut opp[register])[word] = game.opp;
            I::words_mut(&mut keys[register])[word] = game.key.0;
        }
        self.keys = keys;
        isa.run(Transpose { isa, from: &own, to: self.own.as_flattened_mut() });
        isa.run(Transpose { isa, from: &opp, to: self.opp.as_flattened_mut() });
        let [first, second] = &mut self.seats;
        first.set_up(isa, games, |game| game.first);
        second.set_up(isa, games, |game| game.second);
    }

    fn find_moves(&mut self, step: usize) {
        let isa = self.isa;
        if self.seats[step % 2].greedy.contains(&true) {
            isa.run(FindScoredMoves { batch: self });
        } else {
            isa.run(FindMoves { batch: self });
        }
    }

    #[inline(always)]
    fn find_moves_for<const SCORED: bool>(&mut self) {
        let (isa, none) = (self.isa, self.isa.splat(0));
        let (forth, back) = self.runs.split_at_mut(4);
        let ends = &mut self.chosen;
        sweep_runs::<I, false, SCORED>(isa, &self.own, &self.opp, forth, |row, column, end| {
            ends[row][column] = end;
        });
        let mut able = none;
        let (own, opp, legal) = (&self.own, &self.opp, &mut self.legal);
        sweep_runs::<I, true, SCORED>(isa, own, opp, back, |row, column, end| {
            let end = isa.or(end, ends[row][column]);
            let end = isa.and_not(end, isa.or(own[row][column], opp[row][column]));
            put::<I, SCORED>(isa, end, &mut legal[row][column]);
            able = isa.or(able, end);
        });
        self.able = able;
    }

    /// Leaves one move per game that can move in `chosen`.
    fn choose(&mut self, step: usize) {
        let isa = self.isa;
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
        isa.run(Transpose { isa, from: self.chosen.as_flattened(), to: &mut self.by_game });
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
        let isa = self.isa;
        // At most four registers hold a group's sums.
        let mut best = [isa.sums(i16::MIN); 4];
        let weights = &self.seats[seat].weights[group * I::PARTS..][..I::PARTS];
        for (part, (weights, scores)) in weights.iter().zip(&mut self.scores).enumerate() {
            best[part] = score_part(isa, &self.runs, &self.legal, weights, scores, group, part);
        }
        let scores = &self.scores[..I::PARTS];
        for (square, chosen) in self.chosen.as_flattened_mut().iter_mut().enumerate() {
            let (row, column) = (square / 8, square % 8);
            if !is_centre(row, column) {
                let equal = isa.equal(|part| scores[part][row][column], |part| best[part]);
                I::set_group(chosen, group, equal);
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
            *chosen = isa.and_or(isa.gather(legal), *chosen, random);
            several = isa.or_and(several, some, *chosen);
            some = isa.or(some, *chosen);
        }
        several
    }

    #[inline(always)]
    fn pick_for_all(&mut self) {
        let isa = self.isa;
        for (sets, &draws) in self.by_game.iter_mut().zip(&self.draws) {
            *sets = isa.pick(*sets, draws);
        }
        transpose(isa, &self.by_game, self.chosen.as_flattened_mut());
    }

    #[inline(always)]
    fn pick_for_some(&mut self, undecided: I::Bits, step: usize) {
        let chosen = self.chosen.as_flattened_mut();
        for (word, &games) in I::words(&undecided).iter().enumerate() {
            let mut games = games;
            while games != 0 {
                let i = games.trailing_zeros() as usize;
                games &= games - 1;
                let set = I::words(&self.by_game[i])[word];
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
        let (forth, back) = self.runs.split_at(4);
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

    fn note_moves(&mut self, step: usize) {
        let isa = self.isa;
        isa.run(Transpose { isa, from: self.chosen.as_flattened(), to: &mut self.by_game });
        self.moves.resize((step + 1) * I::GAMES, NO_MOVE);
        let moves = &mut self.moves[step * I::GAMES..];
        for (i, sets) in self.by_game.iter().enumerate() {
            for (word, set) in I::words(sets).iter().enumerate() {
                // The number of trailing zeros of an empty set is 64, NO_MOVE.
                moves[64 * word + i] = set.trailing_zeros() as u8;
            }
        }
    }

    fn tell_moves(&self, steps: usize, start: usize, ends: &[Finished], record: Record<'_>) {
        // A game has at most 60 moves, and no two passes follow each other.
        let mut moves = [NO_MOVE; 128];
        for (lane, &end) in ends.iter().enumerate() {
            for (step, square) in moves.iter_mut().enumerate().take(steps) {
                *square = self.moves[step * I::GAMES + lane];
            }
            let last = moves[..steps].iter().rposition(|&square| square != NO_MOVE);
            record(start + lane, &moves[..last.map_or(0, |last| last + 1)], end);
        }
    }

    fn read_results(&mut self, steps: usize, finished: &mut [Finished]) {
        let isa = self.isa;
        let (mut own, mut opp) = ([isa.splat(0); 64], [isa.splat(0); 64]);
        isa.run(Transpose { isa, from: self.own.as_flattened(), to: &mut own });
        isa.run(Transpose { isa, from: self.opp.as_flattened(), to: &mut opp });
        if steps % 2 == 1 {
            std::mem::swap(&mut own, &mut opp);
        }
        for (g, finished) in finished.iter_mut().enumerate() {
            let (word, register) = (g / 64, g % 64);
            finished.first = I::words(&own[register])[word];
            finished.second = I::words(&opp[register])[word];
        }
    }
}

impl<I: Isa> Seat<I> {
    fn set_up<'a>(
        &mut self,
        isa: I,
        games: &[LaneGame<'a>],
        lane: impl Fn(&LaneGame<'a>) -> Lane<'a>,
    ) {
        self.random = false;
        self.greedy.fill(false);
        self.chances = [isa.splat(0); 64];
        for (g, game) in games.iter().enumerate() {
            let chance = lane(game).random.threshold();
            self.random |= chance > 0;
            // A lane without weights moves at random only; its chance says so.
            self.greedy[g / GROUP] |= chance < 1 << 32;
            I::words_mut(&mut self.chances[g % 64])[g / 64] = chance;
        }
        for (eight, games) in games.chunks(8).enumerate() {
            if !self.greedy[eight * 8 / GROUP] {
                continue;
            }
            let weights: [&[i16; 64]; 8] = std::array::from_fn(|i| {
                games.get(i).and_then(|game| lane(game).weights).unwrap_or(&NO_WEIGHTS)
            });
            let addresses = weights.map(|weights| std::ptr::from_ref(weights) as usize);
            let loaded = &mut self.loaded[eight * 8..][..8];
            if loaded != addresses {
                loaded.copy_from_slice(&addresses);
                self.load(eight, weights);
            }
        }
    }

    /// Spreads eight players' weights over the registers of their games.
    fn load(&mut self, eight: usize, weights: [&[i16; 64]; 8]) {
        let (group, byte) = (eight / 4, eight % 4);
        let (part, lane) = I::place(byte);
        let registers = self.weights[group * I::PARTS + part].as_flattened_mut();
        let numbers = I::numbers_mut(registers);
        let lanes = numbers.len() / 64;
        for (square, row) in numbers.chunks_exact_mut(lanes).enumerate() {
            for (number, weights) in row[lane..lane + 8].iter_mut().zip(weights) {
                *number = 2 * weights[square];
            }
        }
    }
}

/// No game can be asked for a move on the four squares where it starts.
#[inline(always)]
const fn is_centre(row: usize, column: usize) -> bool {
    (row == 3 || row == 4) && (column == 3 || column == 4)
}

/// Runs in the directions of one sweep: along the row and from the row swept before. `BACK` turns the
/// board by 180 degrees. Calls `end` for every square with the games in which a run ends before it.
#[inline(always)]
fn sweep_runs<I: Isa, const BACK: bool, const SCORED: bool>(
    isa: I,
    own: &Grid<I::Bits>,
    opp: &Grid<I::Bits>,
    runs: &mut [Grid<I::Runs>],
    mut end: impl FnMut(usize, usize, I::Bits),
) {
    let turn = |i: usize| if BACK { 7 - i } else { i };
    let [along, right, straight, left] = runs else { unreachable!("a sweep has four directions") };
    let none = isa.splat(0);
    let (mut from_right, mut from_straight, mut from_left) = ([none; 8], [none; 8], [none; 8]);
    for row in 0..8 {
        let r = turn(row);
        let before = turn(row.max(1) - 1);
        let inner_row = (1..=6).contains(&row);
        let mut run = none;
        let (mut next_right, mut next_straight, mut next_left) = ([none; 8], [none; 8], [none; 8]);
        for column in 0..8 {
            let c = turn(column);
            let inner = (1..=6).contains(&column);
            let mut ends = from_straight[column];
            if column >= 2 {
                ends = isa.or3(ends, run, from_right[column - 1]);
            }
            if column <= 5 {
                ends = isa.or(ends, from_left[column + 1]);
            }
            end(r, c, ends);
            let through = opp[r][c];
            if inner {
                run = isa.and_or(through, run, own[r][turn(column - 1)]);
                put::<I, SCORED>(isa, run, &mut along[r][c]);
            }
            if inner_row {
                let next = isa.and_or(through, from_straight[column], own[before][c]);
                put::<I, SCORED>(isa, next, &mut straight[r][c]);
                next_straight[column] = next;
                if inner {
                    let next =
                        isa.and_or(through, from_right[column - 1], own[before][turn(column - 1)]);
                    put::<I, SCORED>(isa, next, &mut right[r][c]);
                    next_right[column] = next;
                    let next =
                        isa.and_or(through, from_left[column + 1], own[before][turn(column + 1)]);
                    put::<I, SCORED>(isa, next, &mut left[r][c]);
                    next_left[column] = next;
                }
            }
        }
        (from_right, from_straight, from_left) = (next_right, next_straight, next_left);
    }
}

/// Stores bits as runs; without scoring only [`Isa::gather`] reads them.
#[inline(always)]
fn put<I: Isa, const SCORED: bool>(isa: I, bits: I::Bits, runs: &mut I::Runs) {
    if SCORED { isa.spread(bits, runs) } else { isa.keep(bits, runs) }
}

/// Carries the chosen moves back along the runs that end at them. `BACK` sweeps from h8 to a1, for the
/// runs that were found from a1 to h8.
#[inline(always)]
fn sweep_flips<I: Isa, const BACK: bool>(
    isa: I,
    runs: &[Grid<I::Runs>],
    chosen: &Grid<I::Bits>,
    mut turned: impl FnMut(usize, usize, I::Bits),
) {
    let turn = |i: usize| if BACK { 7 - i } else { i };
    let [along, right, straight, left] = runs else { unreachable!("a sweep has four directions") };
    let none = isa.splat(0);
    let (mut from_right, mut from_straight, mut from_left) = ([none; 8], [none; 8], [none; 8]);
    for row in 0..8 {
        let r = turn(row);
        let before = turn(row.max(1) - 1);
        let inner_row = (1..=6).contains(&row);
        let mut flip = none;
        let (mut next_right, mut next_straight, mut next_left) = ([none; 8], [none; 8], [none; 8]);
        for column in 0..8 {
            let c = turn(column);
            let inner = (1..=6).contains(&column);
            let mut flips = none;
            if inner {
                let through = isa.gather(&along[r][c]);
                flip = isa.and_or(through, flip, chosen[r][turn(column - 1)]);
                flips = flip;
            }
            if inner_row {
                let through = isa.gather(&straight[r][c]);
                let next = isa.and_or(through, from_straight[column], chosen[before][c]);
                next_straight[column] = next;
                flips = isa.or(flips, next);
                if inner {
                    let through = isa.gather(&right[r][c]);
                    let by_right = chosen[before][turn(column - 1)];
                    next_right[column] = isa.and_or(through, from_right[column - 1], by_right);
                    let through = isa.gather(&left[r][c]);
                    let by_left = chosen[before][turn(column + 1)];
                    next_left[column] = isa.and_or(through, from_left[column + 1], by_left);
                    flips = isa.or3(flips, next_right[column], next_left[column]);
                }
            }
            turned(r, c, flips);
        }
        (from_right, from_straight, from_left) = (next_right, next_straight, next_left);
    }
}

/// Scores of all moves of one register of games; returns the best of each game.
#[inline(always)]
fn score_part<I: Isa>(
    isa: I,
    runs: &[Grid<I::Runs>; 8],
    legal: &Grid<I::Runs>,
    weights: &Grid<I::Sums>,
    scores: &mut Grid<I::Sums>,
    group: usize,
    part: usize,
) -> I::Sums {
    let mut sweep =
        Sweep { isa, runs, legal, weights, scores, group, part, best: isa.sums(i16::MIN) };
    let none = [isa.sums(0); 8];
    // Rows are constants so that the compiler unrolls them and keeps the run sums in registers.
    let sums = sweep.row::<0, false>([none; 3]);
    let sums = sweep.row::<1, false>(sums);
    let sums = sweep.row::<2, false>(sums);
    let sums = sweep.row::<3, false>(sums);
    let sums = sweep.row::<4, false>(sums);
    let sums = sweep.row::<5, false>(sums);
    let sums = sweep.row::<6, false>(sums);
    sweep.row::<7, false>(sums);
    let sums = sweep.row::<0, true>([none; 3]);
    let sums = sweep.row::<1, true>(sums);
    let sums = sweep.row::<2, true>(sums);
    let sums = sweep.row::<3, true>(sums);
    let sums = sweep.row::<4, true>(sums);
    let sums = sweep.row::<5, true>(sums);
    let sums = sweep.row::<6, true>(sums);
    sweep.row::<7, true>(sums);
    sweep.best
}

struct Sweep<'a, I: Isa> {
    isa: I,
    runs: &'a [Grid<I::Runs>; 8],
    legal: &'a Grid<I::Runs>,
    weights: &'a Grid<I::Sums>,
    scores: &'a mut Grid<I::Sums>,
    group: usize,
    part: usize,
    best: I::Sums,
}

impl<I: Isa> Sweep<'_, I> {
    /// One row of a sweep: takes the run sums of the row before (from the right, straight, from the
    /// left) and returns those of this row.
    #[inline(always)]
    fn row<const ROW: usize, const BACK: bool>(
        &mut self,
        [from_right, from_straight, from_left]: [[I::Sums; 8]; 3],
    ) -> [[I::Sums; 8]; 3] {
        let turn = |i: usize| if BACK { 7 - i } else { i };
        let (isa, group, part) = (self.isa, self.group, self.part);
        let [along, right, straight, left] = if BACK { [4, 5, 6, 7] } else { [0, 1, 2, 3] };
        let none = [isa.sums(0); 8];
        let (mut next_right, mut next_straight, mut next_left) = (none, none, none);
        let mut sum = isa.sums(0);
        let r = turn(ROW);
        for column in 0..8 {
            let c = turn(column);
            let weight = self.weights[r][c];
            if !is_centre(r, c) {
                let mut score = if BACK { self.scores[r][c] } else { isa.half(weight) };
                if column >= 2 {
                    score = isa.add(score, sum);
                    if ROW >= 2 {
                        score = isa.add(score, from_right[column - 1]);
                    }
                }
                if ROW >= 2 {
                    score = isa.add(score, from_straight[column]);
                    if column <= 5 {
                        score = isa.add(score, from_left[column + 1]);
                    }
                }
                if BACK {
                    let kept = &mut self.scores[r][c];
                    let legal = &self.legal[r][c];
                    self.best = isa.keep_where(legal, group, part, score, kept, self.best);
                } else {
                    self.scores[r][c] = score;
                }
            }
            let add = |direction: usize, sum| {
                let runs = &self.runs[direction][r][c];
                isa.add_where(runs, group, part, sum, weight)
            };
            let inner = (1..=6).contains(&column);
            if inner {
                sum = add(along, sum);
            }
            if ROW >= 1 && ROW <= 6 {
                next_straight[column] = add(straight, from_straight[column]);
                if inner {
                    next_right[column] = add(right, from_right[column - 1]);
                    next_left[column] = add(left, from_left[column + 1]);
                }
            }
        }
        [next_right, next_straight, next_left]
    }
}

/// 64 × 64 bit transposition of each 64-bit column of registers: square by game to game by square, or
/// back. Three exchanges a pass keep eight registers at work.
#[inline(always)]
fn transpose<I: Isa>(isa: I, from: &[I::Bits], to: &mut [I::Bits]) {
    macro_rules! exchange {
        ($rows:ident, $step:literal, $by:literal, $mask:expr) => {
            let mask = isa.splat($mask);
            for i in (0..8).filter(|i| i & $step == 0) {
                let (a, b) = ($rows[i], $rows[i + $step]);
                $rows[i] = isa.select(mask, a, isa.shl::<$by>(b));
                $rows[i + $step] = isa.select(mask, isa.shr::<$by>(a), b);
            }
        };
    }
    for j in 0..8 {
        let mut rows: [I::Bits; 8] = std::array::from_fn(|i| from[j + 8 * i]);
        exchange!(rows, 4, 32, 0x0000_0000_ffff_ffff);
        exchange!(rows, 2, 16, 0x0000_ffff_0000_ffff);
        exchange!(rows, 1, 8, 0x00ff_00ff_00ff_00ff);
        for i in 0..8 {
            to[j + 8 * i] = rows[i];
        }
    }
    for block in to.chunks_exact_mut(8) {
        let mut rows: [I::Bits; 8] = std::array::from_fn(|i| block[i]);
        exchange!(rows, 4, 4, 0x0f0f_0f0f_0f0f_0f0f);
        exchange!(rows, 2, 2, 0x3333_3333_3333_3333);
        exchange!(rows, 1, 1, 0x5555_5555_5555_5555);
        block.copy_from_slice(&rows);
    }
}

/// [`crate::rng::mix`] of every 64-bit word.
#[inline(always)]
fn mix<I: Isa>(isa: I, z: I::Bits) -> I::Bits {
    let z = isa.mul64(isa.xor(z, isa.shr::<30>(z)), isa.splat(0xbf58_476d_1ce4_e5b9));
    let z = isa.mul64(isa.xor(z, isa.shr::<27>(z)), isa.splat(0x94d0_49bb_1331_11eb));
    isa.xor(z, isa.shr::<31>(z))
}
