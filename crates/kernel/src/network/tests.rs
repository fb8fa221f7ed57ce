//! Whatever the form of the program, the CPU and the way to a board: the same values, and those of
//! a network computed node by node.

use super::*;
use crate::rng::{Rng, Seed, Stream};
use crate::{Kernel, moves};

pub(super) fn rng(index: u64) -> Rng {
    Seed(1).at(Stream::Weights, index).rng()
}

/// Layers that hear all of the layer before, with biases.
fn layers(sizes: &[usize], curve: Curve) -> Wiring {
    let mut wiring = Wiring { curves: Vec::new(), links: Vec::new(), counters: Vec::new() };
    let mut before: Vec<Source> = (0..64).map(Source::Square).collect();
    for &size in sizes {
        let first = wiring.curves.len();
        for to in first..first + size {
            wiring.curves.push(curve);
            for &from in before.iter().chain([&Source::One]) {
                wiring.links.push(Link { from, to, param: wiring.links.len() });
            }
        }
        before = (first..first + size).map(Source::Node).collect();
    }
    wiring
}

/// Links at random, some nodes of which reach nothing.
fn tangle(nodes: usize, rng: &mut Rng) -> Wiring {
    let curve = |rng: &mut Rng| Curve::NAMES[rng.below(5) as usize].1;
    let curves: Vec<Curve> = (0..nodes).map(|_| curve(rng)).collect();
    let mut wiring = Wiring { curves, links: Vec::new(), counters: Vec::new() };
    for to in 0..nodes {
        let squares = (0..64).map(Source::Square);
        let earlier = (0..to).map(Source::Node);
        for from in squares.chain([Source::One]).chain(earlier) {
            let chance = match from {
                Source::Node(_) => 0.5,
                // It counts discs, see below.
                Source::Square(_) if to == nodes / 2 => 0.0,
                _ => 0.2,
            };
            if rng.unit() < chance {
                wiring.links.push(Link { from, to, param: wiring.links.len() });
            }
        }
    }
    wiring.counters = (0..64).map(|square| (square, nodes / 2)).collect();
    wiring
}

pub(crate) fn params(wiring: &Wiring, size: f64, rng: &mut Rng) -> Vec<f32> {
    wiring.links.iter().map(|_| rng.uniform(-size, size) as f32).collect()
}

pub(crate) fn wirings() -> Vec<Wiring> {
    let mut rng = rng(0);
    let mut all: Vec<Wiring> =
        Curve::NAMES.iter().map(|(_, curve)| layers(&[5, 1], *curve)).collect();
    all.push(layers(&[1], Curve::Sigmoid));
    all.push(layers(&[20, 1], Curve::Sigmoid));
    all.push(layers(&[40, 1], Curve::Tanh));
    all.push(layers(&[30, 12, 3, 1], Curve::Sigmoid));
    all.push(layers(&[150, 1], Curve::Tanh));
    all.extend([1, 2, 7, 20, 45].map(|nodes| tangle(nodes, &mut rng)));
    all
}

/// The value of a board, node by node in double precision.
fn plain_value(wiring: &Wiring, params: &[f32], own: u64, opp: u64) -> f64 {
    let disc = |square: u8| (own >> square & 1) as f64 - (opp >> square & 1) as f64;
    let mut outputs: Vec<f64> = Vec::new();
    for (node, curve) in wiring.curves.iter().enumerate() {
        let mut sum = 0.0;
        for link in wiring.links.iter().filter(|link| link.to == node) {
            let input = match link.from {
                Source::Square(square) => disc(square),
                Source::One => 1.0,
                Source::Node(from) => outputs[from],
            };
            sum += f64::from(params[link.param]) * input;
        }
        let counted = wiring.counters.iter().filter(|(_, to)| *to == node);
        sum += counted.map(|(square, _)| disc(*square)).sum::<f64>();
        outputs.push(match curve {
            Curve::Linear => sum,
            Curve::Sigmoid => 1.0 / (1.0 + libm::exp(-sum)),
            Curve::SteepSigmoid => 1.0 / (1.0 + libm::exp(-4.924273 * sum)),
            Curve::Tanh => libm::tanh(sum),
            Curve::Relu => sum.max(0.0),
        });
    }
    outputs[outputs.len() - 1]
}

/// Boards of random games, with the side to move first.
pub(super) fn boards(count: usize, rng: &mut Rng) -> Vec<(u64, u64)> {
    let kernel = Kernel::available()[0];
    let mut boards = Vec::new();
    while boards.len() < count {
        let (mut own, mut opp) = super::super::learner::START;
        for _ in 0..60 {
            let moves = moves(own, opp);
            if moves == 0 {
                break;
            }
            boards.push((own, opp));
            let at = crate::nth_bit(moves, rng.below(moves.count_ones()));
            let flips = kernel.flips(own, opp, at);
            (own, opp) = (opp & !flips, own | flips | at);
        }
    }
    boards.truncate(count);
    boards
}

#[test]
fn values_are_those_of_the_wiring() {
    let mut rng = rng(1);
    for wiring in wirings() {
        let params = params(&wiring, 0.5, &mut rng);
        let network = Network::new(&wiring, &params);
        for (own, opp) in boards(50, &mut rng) {
            let (found, expected) =
                (f64::from(network.value(own, opp)), plain_value(&wiring, &params, own, opp));
            let allowed = 1e-4 * (1.0 + expected.abs());
            assert!((found - expected).abs() < allowed, "{found} {expected}: {:?}", wiring.curves);
        }
        let mut back = vec![f32::NAN; params.len()];
        network.copy_params(&mut back);
        for (link, (back, param)) in wiring.links.iter().zip(back.iter().zip(&params)) {
            assert!(back.is_nan() || back.to_bits() == param.to_bits(), "{link:?}");
        }
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let mut rng = rng(2);
    for wiring in wirings() {
        let params = params(&wiring, 0.3, &mut rng);
        let network = Network::new(&wiring, &params);
        let (own, opp) = boards(30, &mut rng)[29];
        let gradient = network.gradient(own, opp, params.len());
        for at in (0..params.len()).step_by(1 + params.len() / 200) {
            let value = |change: f32| {
                let mut params = params.clone();
                params[at] += change;
                (plain_value(&wiring, &params, own, opp), f64::from(params[at]))
            };
            let ((more, to), (less, from)) = (value(1e-3), value(-1e-3));
            let expected = (more - less) / (to - from);
            let found = f64::from(gradient[at]);
            assert!(
                (found - expected).abs() < 2e-3 * (1.0 + expected.abs()),
                "{at}: {found} {expected}"
            );
        }
    }
}

/// All kernels choose the same moves, whether they remember the game or see a board for the first
/// time, and with the eyes of either player.
#[test]
fn moves_do_not_depend_on_the_way_there() {
    let mut rng = rng(3);
    for wiring in wirings() {
        let params = params(&wiring, 0.5, &mut rng);
        let network = Network::new(&wiring, &params);
        for own_eyes in [true, false] {
            let mut choices: Vec<Vec<u64>> = Vec::new();
            let boards = boards(120, &mut rng);
            for kernel in Kernel::available() {
                for remembers in [true, false] {
                    let mut memo = Memo::default();
                    let choice = |&(own, opp): &(u64, u64)| {
                        if !remembers {
                            memo.forget();
                        }
                        let sight = Sight { own, opp, moves: moves(own, opp), own_eyes };
                        kernel.best_of(&network, &mut memo, sight)
                    };
                    choices.push(boards.iter().map(choice).collect());
                }
            }
            assert!(choices.iter().all(|choice| *choice == choices[0]));
            // And they are the best by the plain value, but for rounding and for what the last
            // curve makes equal.
            for (&(own, opp), &best) in boards.iter().zip(&choices[0]) {
                let value = |at: u64| {
                    let flips = Kernel::available()[0].flips(own, opp, at);
                    let (own, opp) = (own | flips | at, opp & !flips);
                    match own_eyes {
                        true => plain_value(&wiring, &params, own, opp),
                        false => -plain_value(&wiring, &params, opp, own),
                    }
                };
                let each = (0..64).map(|square| 1 << square).filter(|at| moves(own, opp) & at != 0);
                let most = each.map(value).fold(f64::NEG_INFINITY, f64::max);
                let chosen = value(best & best.wrapping_neg());
                assert!(chosen > most - 1e-3 * (1.0 + most.abs()), "{chosen} {most}");
            }
        }
    }
}

#[test]
fn learning_is_the_same_on_every_cpu_and_follows_the_gradient() {
    let mut rng = rng(4);
    for wiring in wirings() {
        let params = params(&wiring, 0.3, &mut rng);
        let (ours, theirs) = (boards(30, &mut rng), boards(25, &mut rng));
        let sequences =
            [Sequence { boards: &ours, reward: 1.0 }, Sequence { boards: &theirs, reward: 0.0 }];
        for values in [Values::Stored, Values::Recomputed] {
            let mut learned: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
            for kernel in Kernel::available() {
                let mut network = Network::new(&wiring, &params);
                let errors = kernel.learn_sequences(&mut network, &sequences, [0.01, 0.9], values);
                let mut after = params.clone();
                network.copy_params(&mut after);
                let bits = |numbers: Vec<f32>| numbers.into_iter().map(f32::to_bits).collect();
                learned.push((bits(after), bits(errors)));
            }
            assert!(learned.iter().all(|one| *one == learned[0]));
        }
        // One position: a step of the gradient.
        let one = [Sequence { boards: &ours[..1], reward: 0.7 }];
        let mut network = Network::new(&wiring, &params);
        let (own, opp) = ours[0];
        let (value, gradient) = (network.value(own, opp), network.gradient(own, opp, params.len()));
        Kernel::available()[0].learn_sequences(&mut network, &one, [0.1, 0.9], Values::Stored);
        let mut after = params.clone();
        network.copy_params(&mut after);
        for ((after, before), slope) in after.iter().zip(&params).zip(&gradient) {
            let expected = before + 0.1 * (0.7 - value) * slope;
            assert!((after - expected).abs() < 1e-5 * (1.0 + expected.abs()));
        }
    }
}

#[test]
fn targets_go_back_from_the_reward() {
    // λ = 1: every position's target is the reward; λ = 0: the value of the next.
    let wiring = layers(&[3, 1], Curve::Sigmoid);
    let mut rng = rng(5);
    let params = params(&wiring, 0.3, &mut rng);
    let boards = boards(10, &mut rng);
    let sequence = [Sequence { boards: &boards, reward: 1.0 }];
    for (lambda, target) in [(1.0, None), (0.0, Some(()))] {
        let mut network = Network::new(&wiring, &params);
        let values: Vec<f32> = boards.iter().map(|&(own, opp)| network.value(own, opp)).collect();
        // With no step size nothing changes, and errors can be computed here.
        let errors = Kernel::available()[0].learn_sequences(
            &mut network,
            &sequence,
            [0.0, lambda],
            Values::Recomputed,
        );
        let squares = (0..9).map(|t| match target {
            None => (1.0 - values[t]).powi(2),
            Some(()) => (values[t + 1] - values[t]).powi(2),
        });
        let expected = (squares.sum::<f32>() / 9.0).sqrt();
        assert!((errors[0] - expected).abs() < 1e-6, "{errors:?} {expected}");
    }
}

#[test]
fn stored_values_are_those_before_the_game_was_learned() {
    // Two positions and λ = 0: the target of the first is the value of the second, stored or after
    // no more than its own step. Steps are followed by hand.
    let wiring = layers(&[3, 1], Curve::Sigmoid);
    let mut rng = rng(6);
    let params = params(&wiring, 0.3, &mut rng);
    let boards = boards(3, &mut rng);
    let learn = |network: &mut Network, boards: &[(u64, u64)], reward, values| {
        let one = [Sequence { boards, reward }];
        Kernel::available()[0].learn_sequences(network, &one, [0.5, 0.0], values);
    };
    let fresh = || Network::new(&wiring, &params);
    for values in [Values::Stored, Values::Recomputed] {
        let mut by_hand = fresh();
        learn(&mut by_hand, &boards[2..], 1.0, values);
        let second = match values {
            Values::Stored => {
                [fresh().value(boards[2].0, boards[2].1), fresh().value(boards[1].0, boards[1].1)]
            }
            Values::Recomputed => {
                // Of the last position, the value before its step; of the one before, after it.
                [fresh().value(boards[2].0, boards[2].1), by_hand.value(boards[1].0, boards[1].1)]
            }
        };
        learn(&mut by_hand, &boards[1..2], second[0], values);
        learn(&mut by_hand, &boards[..1], second[1], values);
        let mut network = fresh();
        learn(&mut network, &boards, 1.0, values);
        let params_of = |network: &Network| {
            let mut found = params.clone();
            network.copy_params(&mut found);
            found
        };
        for (found, expected) in params_of(&network).iter().zip(params_of(&by_hand)) {
            assert!((found - expected).abs() < 1e-6, "{values:?}: {found} {expected}");
        }
    }
}
