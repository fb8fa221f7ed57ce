//! Estimates what each square is worth to a network, whose weights do not say: flips discs and
//! compares values.

use outflank_arena::{Playing, Step, play};
use outflank_game::model::{Evaluate, View};
use outflank_game::othello::{Board, Position, Side, Square, Squares};
use outflank_game::player::{Brain, Player, Turn};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Rng, Seed, Stream};

/// Random games whose positions are used.
pub const GAMES: u64 = 30;

/// How much higher the value of a board is if the disc on a square is an own one and not the
/// opponent's, for a1 to h8: the mean over the positions of random games, the same for all players.
/// `None` for a player without a network.
pub fn square_worth(player: &Player) -> Option<[f32; 64]> {
    let Brain::Model { model, view } = &player.brain else { return None };
    model.network()?;
    let mut tour = Tour {
        model: &**model,
        view: *view,
        rng: Seed(1).at(Stream::Game, 0).rng(),
        sums: [0.0; 64],
        counts: [0; 64],
    };
    for game in 0..GAMES {
        let key = Seed(1).at(Stream::Game, game);
        tour.rng = key.rng();
        play(Kernel::available()[0], Position::START, key, 0, &mut tour);
    }
    let Tour { sums, counts, .. } = tour;
    let mean = |square: usize| (sums[square] / f64::from(counts[square].max(1))) as f32;
    Some(std::array::from_fn(mean))
}

/// Random games, and the values of a network for their positions.
struct Tour<'a> {
    model: &'a dyn Evaluate,
    view: View,
    rng: Rng,
    sums: [f64; 64],
    counts: [u32; 64],
}

impl Playing for Tour<'_> {
    fn choose(&mut self, _: Kernel, turn: &Turn) -> Square {
        turn.moves.nth(self.rng.below(turn.moves.len()))
    }

    fn observe(&mut self, step: &Step) {
        // A player values the boards after its own moves.
        let side = if self.view == View::Mover { step.before.side } else { Side::Black };
        add(self.model, step.after.seen_by(side), &mut self.sums, &mut self.counts);
    }
}

fn add(model: &dyn Evaluate, board: Board, sums: &mut [f64; 64], counts: &mut [u32; 64]) {
    let value = f64::from(model.value(board));
    for square in !board.empty() {
        let disc = square.set();
        let (own, opp) = (Squares(board.own.0 ^ disc.0), Squares(board.opp.0 ^ disc.0));
        let turned = f64::from(model.value(Board { own, opp }));
        let gain = if board.own.has(square) { value - turned } else { turned - value };
        sums[square.index()] += gain;
        counts[square.index()] += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use outflank_game::model::{Eyes, Mlp, MlpShape};
    use outflank_game::player::{Policy, parse_player};
    use outflank_kernel::Curve;

    #[test]
    fn a_linear_network_is_worth_twice_its_weights() {
        let curve = Curve::Linear;
        for view in [View::Mover, View::Black] {
            let (eyes, hidden) = (Eyes::Board, Vec::new());
            let shape = MlpShape { eyes, hidden, curve, output: curve, bias: true, view };
            // The bias first.
            let weights: Vec<f32> = (0..65).map(|index| index as f32 / 8.0 - 4.0).collect();
            let model = Arc::new(Mlp::new(shape, weights.clone()).unwrap());
            let brain = Brain::Model { model, view };
            let player = Player { name: "linear".into(), brain, policy: Policy::default() };
            let worth = square_worth(&player).unwrap();
            for (square, worth) in worth.iter().enumerate() {
                assert!((worth - 2.0 * weights[square + 1]).abs() < 1e-4, "{square}: {worth}");
            }
        }
        assert!(square_worth(&parse_player("heuristic").unwrap()).is_none());
        assert!(square_worth(&parse_player("mobility").unwrap()).is_none());
    }
}
