//! Outflank, with its lockstep kernel and with single games.

use std::hint::black_box;
use std::ops::Range;

use outflank::kernel::{Finished, Kernel, KernelError, Lane, LaneGame, Record, Scorer};
use outflank::othello::Board;
use outflank::rng::{Chance, Draw};

use crate::work::{
    Contestant, DEPTH, HEURISTIC, Position, Score, Weights, Workload, half_points, key,
    random_weights,
};

/// Games in lockstep, some batches per call of the kernel.
pub struct Batch {
    kernel: Kernel,
    weights: Vec<Weights>,
    finished: Vec<Finished>,
}

/// Batches per call, half of them for each colour of the heuristic.
const BATCHES: usize = 8;

impl Batch {
    pub fn new() -> Result<Batch, KernelError> {
        let kernel = Kernel::detect()?;
        let finished = vec![Finished::default(); BATCHES * kernel.batch_games()];
        Ok(Batch { kernel, weights: Vec::new(), finished })
    }
}

impl Contestant for Batch {
    fn at_once(&self) -> u64 {
        self.finished.len() as u64
    }

    fn games(&mut self, workload: Workload, games: Range<u64>) -> u64 {
        let us = if workload == Workload::Random { RANDOM } else { greedy(&HEURISTIC) };
        let mut points = 0;
        for from in games.step_by(self.finished.len()) {
            // Similar players side by side: the games with even numbers, then the odd ones.
            let to = from + self.finished.len() as u64;
            let numbers = (from..to).step_by(2).chain((from + 1..to).step_by(2));
            self.weights.clear();
            if workload == Workload::WpcWpc {
                self.weights.extend(numbers.clone().map(random_weights));
            }
            let mut opponents = self.weights.iter();
            let lanes: Vec<LaneGame<'_>> = numbers
                .clone()
                .map(|game| {
                    let them = opponents.next().map_or(RANDOM, greedy);
                    let (first, second) = if game % 2 == 0 { (us, them) } else { (them, us) };
                    let Board { own, opp } = Board::START;
                    LaneGame { own: own.0, opp: opp.0, key: key(game), first, second }
                })
                .collect();
            self.kernel.play(&lanes, &mut self.finished, Record::Nothing);
            for (game, end) in numbers.zip(&self.finished) {
                let first = half_points(end.first.count_ones(), end.second.count_ones());
                points += if game % 2 == 0 { first } else { 2 - first };
            }
        }
        points
    }

    fn perft(&mut self) -> u64 {
        let Board { own, opp } = Board::START;
        self.kernel.perft(own.0, opp.0, black_box(DEPTH), 1)
    }
}

const RANDOM: Lane<'_> = Lane { weights: None, random: Chance::ALWAYS };

fn greedy(weights: &Weights) -> Lane<'_> {
    Lane { weights: Some(weights), random: Chance::NEVER }
}

/// One position, with the instructions of this CPU.
#[derive(Clone)]
pub struct Single {
    kernel: Kernel,
    own: u64,
    opp: u64,
}

impl Single {
    pub fn new() -> Result<Single, KernelError> {
        let Board { own, opp } = Board::START;
        Ok(Single { kernel: Kernel::detect()?, own: own.0, opp: opp.0 })
    }
}

impl Position for Single {
    fn moves(&mut self) -> u64 {
        self.kernel.moves(self.own, self.opp)
    }

    fn play(&mut self, at: u64) {
        let flips = self.kernel.flips(self.own, self.opp, at);
        (self.own, self.opp) = (self.opp ^ flips, self.own | flips | at);
    }

    fn pass(&mut self) -> bool {
        (self.own, self.opp) = (self.opp, self.own);
        true
    }

    fn discs(&self) -> [u64; 2] {
        [self.own, self.opp]
    }

    fn pick(&self, set: u64, draw: Draw) -> u64 {
        self.kernel.pick(set, draw)
    }

    fn perft(&mut self, depth: u32, _: bool) -> u64 {
        self.kernel.perft(self.own, self.opp, depth, 1)
    }
}

impl Score<Single> for Scorer {
    fn new(weights: &Weights) -> Scorer {
        Scorer::new(weights)
    }

    fn best(&self, position: &mut Single, moves: u64) -> u64 {
        position.kernel.best(self, position.own, position.opp, moves)
    }
}
