//! Learners side by side: as many as a batch has games, each with a game against itself, in
//! lockstep.
//!
//! What a move taught is known only when the next moves are found, because the game may be over. So
//! a learner's weights change when its group is visited in the next step, on the way to scoring its
//! next move.

use super::isa::{At, GROUP, Grid, Isa, Lanes, Real, WideLanes, Work};
use super::learner::{DIVERGED, IMAGE, Learner, START};
use super::lockstep::Lockstep;
use super::sweep::each_column;
use super::tanh::{Reals, tanh};
use crate::rng::{Chance, Key};

type Sums<I> = <<I as Isa>::Wide as Lanes>::Sums;
type Floats<I> = Real<<I as Isa>::Wide>;

/// Scratch space for one batch of learners, used again from batch to batch.
pub struct Class<I: Isa> {
    isa: I,
    lockstep: Lockstep<I>,
    /// By group, part, square.
    weights: Vec<Grid<Floats<I>>>,
    /// Twice the image of the weights that are being scored.
    image: Grid<Sums<I>>,
    scores: Vec<Grid<Sums<I>>>,
    /// By group and part: half the step sizes, the images' values of the boards before the last
    /// moves, and how much these moves added.
    half_alphas: Vec<Floats<I>>,
    values: Vec<Sums<I>>,
    gains: Vec<Sums<I>>,
    /// Chances of a random move, laid out by game; not read unless `random`.
    chances: [I::Bits; 64],
    random: bool,
    last: Last<I>,
}

/// The last move of every game.
struct Last<I: Isa> {
    /// The own and opposing discs before it.
    before: [Grid<I::Bits>; 2],
    /// Games in which it was not random, to be learned from.
    learned: I::Bits,
    /// Games that it did not end.
    going_on: I::Bits,
    /// Games that it ended, won or lost for the mover.
    won: I::Bits,
    lost: I::Bits,
}

/// A visit to a group of learners: they learn from the last move and, if asked to, score their
/// next.
struct Visit<'a, I: Isa> {
    class: &'a mut Class<I>,
    group: usize,
    scores: bool,
}

impl<I: Isa> Work for Visit<'_, I> {
    type Output = ();
    #[inline(always)]
    fn work(self) {
        self.class.visit(self.group, self.scores);
    }
}

impl<I: Isa> Class<I> {
    pub fn new(isa: I) -> Box<Class<I>> {
        let (wide, none) = (isa.wide(), isa.splat(0));
        let (grid, float) = ([[none; 8]; 8], wide.floats().real(0.0));
        let registers = I::GAMES / GROUP * I::Wide::PARTS;
        Box::new(Class {
            isa,
            lockstep: Lockstep::new(isa),
            weights: vec![[[float; 8]; 8]; registers],
            image: [[wide.zero(); 8]; 8],
            scores: vec![[[wide.zero(); 8]; 8]; I::Wide::PARTS],
            half_alphas: vec![float; registers],
            values: vec![wide.zero(); registers],
            gains: vec![wide.zero(); registers],
            chances: [none; 64],
            random: false,
            last: Last { before: [grid; 2], learned: none, going_on: none, won: none, lost: none },
        })
    }

    /// Lets at most a batch of learners, without traces, play their games.
    pub fn learn(&mut self, learners: &mut [Learner<'_>], games: u32, ends: &mut [Option<u32>]) {
        assert!(learners.len() <= I::GAMES && learners.len() == ends.len());
        self.set_up(learners);
        let nobody = (0, 0, Key(0));
        for game in 0..games {
            if ends.iter().all(Option::is_some) {
                return;
            }
            self.play(learners.iter().zip(&*ends).map(|(learner, end)| match end {
                None => (START.0, START.1, learner.key(game)),
                Some(_) => nobody,
            }));
            for (index, (learner, end)) in learners.iter_mut().zip(&mut *ends).enumerate() {
                if end.is_none() {
                    self.read_weights(index, learner.weights);
                    *end = learner.has_diverged().then_some(game);
                }
            }
        }
    }

    fn set_up(&mut self, learners: &[Learner<'_>]) {
        self.random = learners.iter().any(|learner| learner.epsilon != Chance::NEVER);
        self.chances = [self.isa.splat(0); 64];
        for (index, learner) in learners.iter().enumerate() {
            let (register, lane) = Self::place(index);
            let weights = I::Wide::floats_mut(self.weights[register].as_flattened_mut());
            let lanes = weights.len() / 64;
            for (place, weight) in weights[lane..].iter_mut().step_by(lanes).zip(&*learner.weights)
            {
                // Makes 0 of -0, which no sum will bring back: unchanged is the same as plus 0.
                *place = weight + 0.0;
            }
            I::Wide::floats_mut(&mut self.half_alphas)[register * lanes + lane] =
                0.5 * learner.alpha;
            I::words_mut(&mut self.chances[index % 64])[index / 64] = learner.epsilon.threshold();
        }
    }

    /// The register and lane of a learner.
    fn place(index: usize) -> (usize, usize) {
        let sum = (0..GROUP).find(|&sum| I::Wide::game(sum) == index % GROUP);
        let sum = sum.expect("every game of a group has a sum");
        let lanes = GROUP / I::Wide::PARTS;
        (index / GROUP * I::Wide::PARTS + sum / lanes, sum % lanes)
    }

    fn read_weights(&mut self, index: usize, to: &mut [f32; 64]) {
        let (register, lane) = Self::place(index);
        let weights = I::Wide::floats_mut(self.weights[register].as_flattened_mut());
        let lanes = weights.len() / 64;
        for (to, weight) in to.iter_mut().zip(weights[lane..].iter().step_by(lanes)) {
            *to = *weight;
        }
    }

    /// One game of every learner.
    fn play(&mut self, games: impl Iterator<Item = (u64, u64, Key)>) {
        let isa = self.isa;
        self.lockstep.set_up(games);
        self.last.learned = isa.splat(0);
        let mut moved = isa.splat(0);
        for step in 0.. {
            self.lockstep.find_moves(true);
            self.find_ends(moved);
            let able = self.lockstep.able;
            let mut random = isa.splat(0);
            if self.random {
                self.lockstep.draw(step);
                random = self.lockstep.random(&self.chances);
            }
            let greedy = isa.and_not(able, random);
            for group in 0..I::GAMES / GROUP {
                let scores = I::group(&greedy, group) != 0;
                if scores || I::group(&self.last.learned, group) != 0 {
                    isa.run(Visit { class: self, group, scores });
                }
            }
            if is_empty::<I>(isa.or(able, moved)) {
                return;
            }
            self.last.learned = greedy;
            self.last.before = [self.lockstep.own, self.lockstep.opp];
            self.lockstep.choose(step, random, self.random);
            self.lockstep.play_chosen();
            moved = able;
        }
    }

    /// Finds the games that the last move has ended, and their winners.
    fn find_ends(&mut self, moved: I::Bits) {
        let isa = self.isa;
        let Lockstep { own, opp, able, .. } = &mut self.lockstep;
        self.last.going_on = isa.splat(!0);
        let stuck = isa.and_not(moved, *able);
        if is_empty::<I>(stuck) {
            return;
        }
        std::mem::swap(own, opp);
        self.lockstep.find_moves(false);
        let ended = isa.and_not(stuck, self.lockstep.able);
        if !is_empty::<I>(ended) {
            self.last.going_on = isa.and_not(isa.splat(!0), ended);
            let [mover, other] = self.lockstep.boards();
            let (mut won, mut lost) = (isa.splat(0), isa.splat(0));
            for (i, (mover, other)) in
                mover.as_flattened().iter().zip(other.as_flattened()).enumerate()
            {
                for (word, (mover, other)) in
                    I::words(mover).iter().zip(I::words(other)).enumerate()
                {
                    let (mover, other) = (mover.count_ones(), other.count_ones());
                    I::words_mut(&mut won)[word] |= u64::from(mover > other) << i;
                    I::words_mut(&mut lost)[word] |= u64::from(mover < other) << i;
                }
            }
            self.last.won = isa.and(won, ended);
            self.last.lost = isa.and(lost, ended);
        }
        let Lockstep { own, opp, .. } = &mut self.lockstep;
        std::mem::swap(own, opp);
        self.lockstep.find_moves(true);
    }

    #[inline(always)]
    fn visit(&mut self, group: usize, scores: bool) {
        // Said once, so that no access below checks it again.
        assert!(group < I::GAMES / GROUP);
        let wide = self.isa.wide();
        let mut best = [wide.least(); 4];
        for (part, best) in best.iter_mut().enumerate().take(I::Wide::PARTS) {
            self.learn_part(group, part);
            if scores {
                let (image, to) = (&self.image, &mut self.scores[part]);
                *best = self.lockstep.score_part(wide, image, to, (group, part));
                self.gains[group * I::Wide::PARTS + part] = *best;
            }
        }
        if scores {
            self.lockstep.mark_best(wide, &self.scores, &best, group);
        }
    }

    /// Changes the weights of one register of learners by what their last moves taught, makes their
    /// image and values their boards.
    #[inline(always)]
    fn learn_part(&mut self, group: usize, part: usize) {
        let by = self.half_step(group, part);
        let register = group * I::Wide::PARTS + part;
        let Last { before, .. } = &self.last;
        let Lockstep { own, opp, .. } = &self.lockstep;
        let (weights, image) = (&mut self.weights[register], &mut self.image);
        let value = self.isa.wide().zero();
        let mut lesson =
            Lesson::<I> { wide: self.isa.wide(), before, own, opp, weights, image, by, value };
        for row in 0..7 {
            each_column!(column => {
                lesson.square::<false>(At { row, column, group, part });
            });
        }
        for column in 0..7 {
            lesson.square::<false>(At { row: 7, column, group, part });
        }
        lesson.square::<true>(At { row: 7, column: 7, group, part });
        self.values[register] = lesson.value;
    }

    /// Half of what the last moves change the weights by.
    #[inline(always)]
    fn half_step(&self, group: usize, part: usize) -> Floats<I> {
        let (wide, floats) = (self.isa.wide(), self.isa.wide().floats());
        let Last { learned, going_on, won, lost, .. } = &self.last;
        let register = group * I::Wide::PARTS + part;
        let (value, gain) = (self.values[register], self.gains[register]);
        let scale = floats.real(1.0 / IMAGE);
        let one = floats.real(1.0);
        let now = tanh(floats, floats.times(wide.to_floats(value), scale));
        let then = wide.to_floats(wide.add(value, gain));
        let mut next = tanh(floats, floats.times(then, scale));
        if I::group(going_on, group) != !0 {
            let won = wide.float_where(won, group, part, one);
            let outcome = floats.minus(won, wide.float_where(lost, group, part, one));
            next = floats.plus(wide.float_where(going_on, group, part, next), outcome);
        }
        let change = floats.times(self.half_alphas[register], floats.minus(next, now));
        let slope = floats.minus(one, floats.times(now, now));
        wide.float_where(learned, group, part, floats.times(change, slope))
    }
}

/// One register of learners on their way from square to square.
struct Lesson<'a, I: Isa> {
    wide: I::Wide,
    before: &'a [Grid<I::Bits>; 2],
    own: &'a Grid<I::Bits>,
    opp: &'a Grid<I::Bits>,
    weights: &'a mut Grid<Floats<I>>,
    image: &'a mut Grid<Sums<I>>,
    /// Half of what the weights change by.
    by: Floats<I>,
    /// What the boards are worth up to here.
    value: Sums<I>,
}

impl<I: Isa> Lesson<'_, I> {
    #[inline(always)]
    fn square<const LAST: bool>(&mut self, at: At) {
        let (wide, floats) = (self.wide, self.wide.floats());
        let [own_before, opp_before] = self.before;
        let discs = wide.discs::<LAST>(own_before, opp_before, at);
        let weight = wide.step_signed(self.weights[at.row][at.column], self.by, discs);
        self.weights[at.row][at.column] = weight;
        let low = floats.lesser(weight, floats.real(DIVERGED));
        let clamped = floats.greater(low, floats.real(-DIVERGED));
        let number = wide.round(floats.times(clamped, floats.real(IMAGE)));
        self.image[at.row][at.column] = wide.add(number, number);
        let discs = wide.discs::<LAST>(self.own, self.opp, at);
        self.value = wide.add_signed(self.value, number, discs);
    }
}

fn is_empty<I: Isa>(bits: I::Bits) -> bool {
    I::words(&bits).iter().all(|&word| word == 0)
}
