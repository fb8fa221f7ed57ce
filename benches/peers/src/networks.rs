//! Outflank's networks, one game at a time; and the networks that all contestants get.

use outflank::learn::resolve;
use std::sync::Arc;

use outflank::arena::{Arena, GameScratch, play_game};
use outflank::kernel::{Curve, Kernel, Memo, Sight};
use outflank::learn::Spec;
use outflank::model::{Evaluate, Eyes, Mlp, MlpShape, View};
use outflank::othello::{Board, Position};
use outflank::player::{Brain, Player, Policy, parse_player};
use outflank::rng::{Seed, Stream};

use crate::work::{Work, half_points, key};

/// Hidden nodes of the larger network.
pub const HIDDEN: usize = 20;

/// A 64-20-1 perceptron with hyperbolic tangents and biases.
pub fn larger() -> Mlp {
    perceptron(HIDDEN, Curve::Tanh, true)
}

/// A 64-10-1 perceptron with sigmoids: 650 connections.
pub fn smaller() -> Mlp {
    perceptron(10, Curve::Sigmoid, false)
}

fn perceptron(hidden: usize, curve: Curve, bias: bool) -> Mlp {
    let (eyes, hidden, view) = (Eyes::Board, vec![hidden], View::Mover);
    let shape = MlpShape { eyes, hidden, curve, output: Curve::Linear, bias, view };
    Mlp::uniform(shape, 0.5, &mut Seed(1).at(Stream::Weights, 0).rng())
}

/// Outflank.
pub struct Networks {
    kernel: Kernel,
    random: Player,
    larger: Player,
    smaller: Player,
    model: Mlp,
    neat: Spec,
    /// What Black sees in random games; so many that no CPU can learn them.
    seen: Vec<Vec<Sight>>,
    played: u64,
    table: GameScratch,
}

impl Networks {
    pub fn new() -> Result<Networks, Box<dyn std::error::Error>> {
        let kernel = Kernel::detect()?;
        let random = parse_player("random")?;
        let mut neat = resolve("neat", &[])?.spec;
        neat.opponents.games = 0;
        Ok(Networks {
            kernel,
            larger: player(larger()),
            smaller: player(smaller()),
            model: smaller(),
            neat,
            seen: (0..1024).map(|game| seen_by_black(kernel, game)).collect(),
            played: 0,
            table: GameScratch::default(),
            random,
        })
    }

    fn games(&mut self, games: u64, of: fn(&Networks) -> &Player) -> u64 {
        let (mut points, mut table) = (0, std::mem::take(&mut self.table));
        for game in self.played..self.played + games {
            let (us, them) = (of(self), &self.random);
            let players = if game % 2 == 0 { [us, them] } else { [them, us] };
            let end = play_game(self.kernel, players, Position::START, key(game), &mut table);
            let first = half_points(end.first.count_ones(), end.second.count_ones());
            points += if game % 2 == 0 { first } else { 2 - first };
        }
        self.table = table;
        self.played += games;
        points
    }

    /// Scores at least this many boards; returns the number, and how often a move was one of the
    /// best.
    fn activate(&self, boards: u64) -> (u64, u64) {
        let (mut memo, mut scored, mut best) = (Memo::default(), 0, 0);
        let network = self.model.network().expect("a perceptron has one");
        for game in self.seen.iter().cycle() {
            memo.forget();
            for &sight in game {
                best += u64::from(self.kernel.best_of(network, &mut memo, sight).count_ones());
                scored += u64::from(sight.moves.count_ones());
            }
            if scored >= boards {
                break;
            }
        }
        (scored, best)
    }

    /// Populations of NEAT that breed without games, all candidates equally fit.
    fn breed(&self, generations: u64) -> u64 {
        let arena = Arena::new(self.kernel, 1).expect("the caller's thread is there");
        let courses = generations.div_ceil(COURSE);
        for seed in 0..courses {
            let mut run = self.neat.begin(Seed(seed)).expect("the preset's players exist");
            for _ in 0..COURSE {
                run.step(&arena, &|| false).expect("nobody stops it");
            }
        }
        courses * COURSE
    }
}

/// Number of generations from a new population.
const COURSE: u64 = 2;

impl Work for Networks {
    fn work(&mut self, workload: &str, units: u64) -> Result<(u64, u64), String> {
        match workload {
            "mlp-20" => Ok((units, self.games(units, |networks| &networks.larger))),
            "mlp-10" => Ok((units, self.games(units, |networks| &networks.smaller))),
            "activate" => Ok(self.activate(units)),
            "neat" => Ok((self.breed(units), 0)),
            _ => Err(format!("no workload of networks is called {workload:?}")),
        }
    }
}

fn player(network: Mlp) -> Player {
    let brain = Brain::Model { model: Arc::new(network), view: View::Mover };
    Player { name: String::new(), brain, policy: Policy::default() }
}

/// The turns of Black in a random game.
fn seen_by_black(kernel: Kernel, game: u64) -> Vec<Sight> {
    let Board { own, opp } = Board::START;
    let (mut own, mut opp, mut passed, mut seen) = (own.0, opp.0, false, Vec::new());
    for ply in 0.. {
        let moves = kernel.moves(own, opp);
        if moves == 0 {
            if passed {
                break;
            }
            (own, opp, passed) = (opp, own, true);
            continue;
        }
        if ply % 2 == 0 {
            seen.push(Sight { own, opp, moves, own_eyes: true });
        }
        let at = kernel.pick(moves, key(game).draw(ply));
        let flips = kernel.flips(own, opp, at);
        (own, opp, passed) = (opp ^ flips, own | flips | at, false);
    }
    seen
}
