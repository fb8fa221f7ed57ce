//! Games of players in lockstep, a batch at a time: [`Lockstep`] with two players to each board.

use super::isa::{GROUP, Grid, Isa, Work};
use super::lockstep::{Lockstep, mix, transpose};
use super::seat::Seat;
use super::{Finished, LaneGame, NINE, NO_MOVE, Record};

/// Scratch space for one batch of games, used again from batch to batch.
pub struct Batch<I: Isa> {
    isa: I,
    lockstep: Lockstep<I>,
    scores: Vec<Grid<I::Sums>>,
    seats: [Seat<I>; 2],
    /// Fingerprints of the games, if they are asked for, laid out by game.
    prints: [I::Bits; 64],
    /// The moves of which the fingerprints have taken no notice, seven bits each.
    latest: Grid<I::Bits>,
    /// The squares chosen, by step and game, if games are recorded.
    moves: Vec<u8>,
}

/// Scores all moves of 32 games and marks the best in `chosen`.
struct ScoreGroup<'a, I: Isa> {
    batch: &'a mut Batch<I>,
    seat: usize,
    group: usize,
}

impl<I: Isa> Work for ScoreGroup<'_, I> {
    type Output = ();
    #[inline(always)]
    fn work(self) {
        self.batch.score_group(self.seat, self.group);
    }
}

struct AddPrints<'a, I: Isa> {
    batch: &'a mut Batch<I>,
}

impl<I: Isa> Work for AddPrints<'_, I> {
    type Output = ();
    #[inline(always)]
    fn work(self) {
        self.batch.add_prints();
    }
}

struct NoteSquares<'a, I: Isa> {
    batch: &'a mut Batch<I>,
    step: usize,
}

impl<I: Isa> Work for NoteSquares<'_, I> {
    type Output = ();
    #[inline(always)]
    fn work(self) {
        self.batch.note_squares(self.step);
    }
}

impl<I: Isa> Batch<I> {
    pub fn new(isa: I) -> Box<Batch<I>> {
        Box::new(Batch {
            isa,
            lockstep: Lockstep::new(isa),
            scores: vec![[[isa.zero(); 8]; 8]; I::PARTS],
            seats: [Seat::new(isa), Seat::new(isa)],
            prints: [isa.splat(0); 64],
            latest: [[isa.splat(0); 8]; 8],
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
                self.lockstep.find_moves(self.seats[step % 2].looks());
                if I::words(&self.isa.or(self.lockstep.able, could_move))
                    .iter()
                    .all(|&word| word == 0)
                {
                    break;
                }
                could_move = self.lockstep.able;
                self.choose(step);
                match record {
                    Record::Nothing => {}
                    Record::Prints => self.note_prints(step),
                    Record::Moves(_) => self.note_moves(step),
                }
                self.lockstep.play_chosen();
                step += 1;
            }
            if matches!(record, Record::Prints) && !step.is_multiple_of(NINE) {
                self.isa.run(AddPrints { batch: self });
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
        self.prints = [isa.splat(0); 64];
        self.lockstep.set_up(games.iter().map(|game| (game.own, game.opp, game.key)));
        let [first, second] = &mut self.seats;
        first.set_up(isa, games, |game| game.first);
        second.set_up(isa, games, |game| game.second);
    }

    /// Leaves one move per game that can move in `chosen`.
    fn choose(&mut self, step: usize) {
        let isa = self.isa;
        if !self.seats[step % 2].looks() {
            return self.lockstep.choose_any(step);
        }
        for group in 0..I::GAMES / GROUP {
            if self.seats[step % 2].greedy[group] && I::group(&self.lockstep.able, group) != 0 {
                isa.run(ScoreGroup { batch: self, seat: step % 2, group });
            }
        }
        let seat = &self.seats[step % 2];
        let mut random = isa.splat(0);
        if seat.random {
            self.lockstep.draw(step);
            random = self.lockstep.random(&seat.chances);
        }
        self.lockstep.choose(step, random, seat.random);
    }

    #[inline(always)]
    fn score_group(&mut self, seat: usize, group: usize) {
        // Said once, so that no access below checks it again.
        assert!(group < I::GAMES / GROUP);
        let isa = self.isa;
        // At most four registers hold a group's sums.
        let mut best = [isa.least(); 4];
        let weights = &self.seats[seat].weights[group * I::PARTS..][..I::PARTS];
        for (part, (weights, scores)) in weights.iter().zip(&mut self.scores).enumerate() {
            best[part] = self.lockstep.score_part(isa, weights, scores, (group, part));
        }
        self.lockstep.mark_best(isa, &self.scores, &best, group);
    }

    fn note_prints(&mut self, step: usize) {
        self.isa.run(NoteSquares { batch: self, step });
        if (step + 1).is_multiple_of(NINE) {
            self.isa.run(AddPrints { batch: self });
        }
    }

    /// Notes the squares chosen, as numbers of seven bits: a bit of a number is a register.
    #[inline(always)]
    fn note_squares(&mut self, step: usize) {
        let isa = self.isa;
        let (mut rows, mut columns) = ([isa.splat(0); 8], [isa.splat(0); 8]);
        for (row, chosen) in rows.iter_mut().zip(&self.lockstep.chosen) {
            for (column, &chosen) in columns.iter_mut().zip(chosen) {
                *row = isa.or(*row, chosen);
                *column = isa.or(*column, chosen);
            }
        }
        // Which of eight lines it is, as a number of three bits.
        let number = |lines: &[I::Bits; 8]| {
            let or = |a: usize, b: usize| isa.or(lines[a], lines[b]);
            let (both, upper) = (or(3, 7), or(5, 6));
            let ones = isa.or3(lines[1], lines[5], both);
            [ones, isa.or3(lines[2], lines[6], both), isa.or3(lines[4], lines[7], upper)]
        };
        let [a, b, c] = number(&columns);
        let [d, e, f] = number(&rows);
        let bits = [a, b, c, d, e, f, self.lockstep.able];
        self.latest.as_flattened_mut()[7 * (step % NINE)..][..7].copy_from_slice(&bits);
    }

    /// [`super::fingerprint`] of all games, nine moves further. A game without a move keeps its
    /// print.
    #[inline(always)]
    fn add_prints(&mut self) {
        let isa = self.isa;
        let none = isa.splat(0);
        let mut words = [[none; 8]; 8];
        transpose(isa, &self.latest, &mut words);
        for (print, &word) in self.prints.iter_mut().zip(words.as_flattened()) {
            let next = mix(isa, isa.xor(*print, word));
            // Of 63 bits, and not less than 1 unless the game is over.
            let ended = isa.less64(word, isa.splat(1));
            *print = isa.or(isa.and(*print, ended), isa.and_not(next, ended));
        }
        self.latest = [[none; 8]; 8];
    }

    fn note_moves(&mut self, step: usize) {
        self.lockstep.sort_chosen();
        self.moves.resize((step + 1) * I::GAMES, NO_MOVE);
        let moves = &mut self.moves[step * I::GAMES..];
        for (i, sets) in self.lockstep.by_game.as_flattened().iter().enumerate() {
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
        let [mut own, mut opp] = self.lockstep.boards();
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
