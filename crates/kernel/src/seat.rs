//! The players of a batch of games, spread over its registers.

use super::isa::{GROUP, Grid, Isa};
use super::{Lane, LaneGame, weights};
use crate::rng::Chance;

/// The players of all games that move first, or second.
pub struct Seat<I: Isa> {
    /// Twice the weights, by group, part, square.
    pub weights: Vec<Grid<I::Sums>>,
    /// Which weights stand there already (their addresses, by game).
    pub loaded: Vec<usize>,
    /// Groups with a player that looks at the board.
    pub greedy: Vec<bool>,
    /// Chances of a random move, laid out as `by_game`; not read unless `random`.
    pub chances: [I::Bits; 64],
    pub random: bool,
}

const NO_WEIGHTS: [i16; 64] = [0; 64];

impl<I: Isa> Seat<I> {
    pub fn new(isa: I) -> Seat<I> {
        Seat {
            weights: vec![[[isa.zero(); 8]; 8]; I::GAMES / GROUP * I::PARTS],
            loaded: vec![0; I::GAMES],
            greedy: vec![false; I::GAMES / GROUP],
            chances: [isa.splat(0); 64],
            random: false,
        }
    }

    /// Whether any player looks at the board.
    pub fn looks(&self) -> bool {
        self.greedy.contains(&true)
    }

    pub fn set_up<'a>(
        &mut self,
        isa: I,
        games: &[LaneGame<'a>],
        lane: impl Fn(&LaneGame<'a>) -> Lane<'a>,
    ) {
        self.random = false;
        self.greedy.fill(false);
        for (greedy, games) in self.greedy.iter_mut().zip(games.chunks(GROUP)) {
            for game in games {
                let chance = lane(game).random;
                self.random |= chance != Chance::NEVER;
                // A lane without weights moves at random only; its chance says so.
                *greedy |= chance != Chance::ALWAYS;
            }
        }
        if !self.looks() {
            return;
        }
        if self.random {
            self.chances = [isa.splat(0); 64];
            for (word, games) in games.chunks(64).enumerate() {
                for (game, chances) in games.iter().zip(&mut self.chances) {
                    I::words_mut(chances)[word] = lane(game).random.threshold();
                }
            }
        }
        for (eight, lanes) in (0..games.len().next_multiple_of(GROUP)).step_by(8).enumerate() {
            if !self.greedy[lanes / GROUP] {
                continue;
            }
            let weights: [&[i16; 64]; 8] = std::array::from_fn(|i| {
                let game = lanes / GROUP * GROUP + I::game(lanes % GROUP + i);
                games.get(game).and_then(|game| lane(game).weights).unwrap_or(&NO_WEIGHTS)
            });
            let addresses = weights.map(|weights| std::ptr::from_ref(weights) as usize);
            let loaded = &mut self.loaded[lanes..][..8];
            if loaded != addresses {
                loaded.copy_from_slice(&addresses);
                self.load(eight, weights);
            }
        }
    }

    /// Spreads eight players' weights over the registers of their games.
    fn load(&mut self, eight: usize, players: [&[i16; 64]; 8]) {
        // Eights of sums in a register.
        let eights = GROUP / 8 / I::PARTS;
        let registers = self.weights[eight / eights].as_flattened_mut();
        let (numbers, _) = I::numbers_mut(registers).as_chunks_mut();
        weights::spread(players, &mut numbers[eight % eights..], eights);
    }
}
