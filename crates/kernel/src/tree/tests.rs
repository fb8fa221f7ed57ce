//! Looking ahead against plain minimax, with every kernel, with and without a table.

use super::*;
use crate::network::tests::{params, wirings};
use crate::rng::Rng;
use crate::tests::{each_kernel, rng};
use crate::{flips, moves};

/// A board from a game of random moves, with this many discs at least.
fn board(discs: u32, rng: &mut Rng) -> (u64, u64) {
    loop {
        let (mut own, mut opp) = (0x0000_0008_1000_0000u64, 0x0000_0010_0800_0000u64);
        loop {
            let legal = moves(own, opp);
            if legal != 0 && (own | opp).count_ones() >= discs {
                return (own, opp);
            }
            if legal == 0 {
                if moves(opp, own) == 0 {
                    break;
                }
                (own, opp) = (opp, own);
                continue;
            }
            let at = crate::nth_bit(legal, rng.below(legal.count_ones()));
            let turned = flips(own, opp, at);
            (own, opp) = (opp ^ turned, own | turned | at);
        }
    }
}

/// Minimax as it is defined. `leaf` values boards for the side to move; `eyes` says whether that
/// side owns the eyes.
fn minimax(
    (own, opp): (u64, u64),
    depth: u32,
    eyes: bool,
    leaf: &dyn Fn(u64, u64, bool) -> i32,
) -> i32 {
    let legal = moves(own, opp);
    let is_over = legal == 0 && moves(opp, own) == 0;
    let is_full = own | opp == u64::MAX;
    if is_full || (is_over && depth > 0) {
        let (own, opp) = (own.count_ones() as i32, opp.count_ones() as i32);
        let margin = match own - opp {
            0 => 0,
            won if won > 0 => 64 - 2 * opp,
            _ => 2 * own - 64,
        };
        return Worth::of_margin(margin).0;
    }
    if depth == 0 {
        return leaf(own, opp, eyes);
    }
    if legal == 0 {
        return -minimax((opp, own), depth, !eyes, leaf);
    }
    let after = |at: u64| {
        let turned = flips(own, opp, at);
        -minimax((opp ^ turned, own | turned | at), depth - 1, !eyes, leaf)
    };
    (0..64).map(|square| 1 << square).filter(|at| legal & at != 0).map(after).max().unwrap()
}

/// Every move's worth, by plain minimax.
fn plainly(ahead: &Ahead<'_>, leaf: &dyn Fn(u64, u64, bool) -> i32, eyes: bool) -> Found {
    let mut found = Found { best: 0, worth: [Worth::default(); 64], evaluations: 0 };
    let mut best = -MOST;
    for square in (0..64).filter(|square| ahead.moves >> square & 1 == 1) {
        let at = 1 << square;
        let turned = flips(ahead.own, ahead.opp, at);
        let after = (ahead.opp ^ turned, ahead.own | turned | at);
        let value = -minimax(after, ahead.depth - 1, !eyes, leaf);
        found.worth[square] = Worth(value);
        found.best = if value > best {
            at
        } else if value == best {
            found.best | at
        } else {
            found.best
        };
        best = best.max(value);
    }
    found
}

/// Holds what every kernel finds against plain minimax.
fn compare(ahead: Ahead<'_>, eyes: bool, trees: &mut [Tree], leaf: &dyn Fn(u64, u64, bool) -> i32) {
    let expected = plainly(&ahead, leaf, eyes);
    let mut evaluations = Vec::new();
    for kernel in Kernel::available() {
        for tree in &mut *trees {
            let every = kernel.look_ahead(tree, &Ahead { wish: Wish::Every, ..ahead });
            assert_eq!((every.best, every.worth), (expected.best, expected.worth), "{kernel:?}");
            let best = kernel.look_ahead(tree, &Ahead { wish: Wish::Best, ..ahead });
            assert_eq!(best.best, expected.best, "{kernel:?} depth {}", ahead.depth);
            for at in (0..64).filter(|at| best.best >> at & 1 == 1) {
                assert_eq!(best.worth[at], expected.worth[at]);
            }
            evaluations.push([every.evaluations, best.evaluations]);
        }
    }
    // The same work with every kernel.
    let sizes = trees.len();
    assert!(evaluations.chunks(sizes).all(|kernel| kernel == &evaluations[..sizes]));
}

/// Depths, and the discs of boards: from the opening to the last move.
fn cases(count: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..count).map(|case| (1 + case % 5, [4 + case % 46, 50 + case % 14][case as usize / 5 % 2]))
}

fn trees() -> [Tree; 3] {
    [Tree::default(), Tree::with_entries(0), Tree::with_entries(16)]
}

#[test]
fn a_weighted_piece_counter_finds_what_plain_minimax_finds() {
    each_kernel(|_| ());
    let (mut rng, mut trees) = (rng(700), trees());
    for (depth, discs) in cases(1000) {
        // Few different weights make many ties.
        let size = [2, 800][rng.below(2) as usize];
        let weights: [i16; 64] =
            std::array::from_fn(|_| rng.below(2 * size + 1) as i16 - size as i16);
        let scorer = Scorer::new(&weights);
        let (own, opp) = board(discs, &mut rng);
        let evaluation = Evaluation::Wpc(&scorer);
        let ahead = Ahead { own, opp, moves: moves(own, opp), depth, evaluation, wish: Wish::Best };
        let sum = |set: u64| {
            (0..64).filter(|at| set >> at & 1 == 1).map(|at| i32::from(weights[at])).sum::<i32>()
        };
        compare(ahead, true, &mut trees, &|own, opp, _| sum(own) - sum(opp));
    }
}

#[test]
fn networks_find_what_plain_minimax_finds_with_any_eyes() {
    let (mut rng, mut trees) = (rng(701), trees());
    let networks: Vec<Network> = wirings()
        .iter()
        .map(|wiring| Network::new(wiring, &params(wiring, 1.0, &mut rng)))
        .collect();
    for (case, (depth, discs)) in cases(1000).enumerate() {
        // Plain minimax takes its time.
        let depth = depth.min(if discs < 50 { 3 } else { 5 });
        let (network, own_eyes) = (&networks[case / 10 % networks.len()], rng.below(2) == 0);
        let (own, opp) = board(discs, &mut rng);
        let evaluation = Evaluation::Network { network, own_eyes };
        let ahead = Ahead { own, opp, moves: moves(own, opp), depth, evaluation, wish: Wish::Best };
        compare(ahead, own_eyes, &mut trees, &|own, opp, eyes| match eyes {
            true => Worth::of(network.leaf(own, opp)).0,
            false => -Worth::of(network.leaf(opp, own)).0,
        });
    }
}

#[test]
fn any_function_finds_what_plain_minimax_finds_with_any_eyes() {
    let (mut rng, mut trees) = (rng(702), trees());
    // Not odd, with ties, infinities and what is no number.
    let value = |own: u64, opp: u64| match (3 * own.count_ones() + opp.count_ones()) % 17 {
        0 => f32::NAN,
        1 => f32::INFINITY,
        2 => f32::NEG_INFINITY,
        3 => -0.0,
        _ => (moves(own, opp).count_ones() as f32 - 3.0) / 7.0,
    };
    for (depth, discs) in cases(1000) {
        let own_eyes = rng.below(2) == 0;
        let (own, opp) = board(discs, &mut rng);
        let evaluation = Evaluation::Any { value: &value, own_eyes };
        let ahead = Ahead { own, opp, moves: moves(own, opp), depth, evaluation, wish: Wish::Best };
        compare(ahead, own_eyes, &mut trees, &|own, opp, eyes| {
            let number = if eyes { value(own, opp) } else { value(opp, own) };
            // What is no number is the worst that can happen to the side at the root.
            let worth = match number.is_nan() {
                true if own_eyes => -ENDED,
                true => ENDED,
                false => Worth::of(number).0,
            };
            if eyes { worth } else { -worth }
        });
    }
}

#[test]
fn the_end_of_a_game_is_worth_more_than_any_evaluation() {
    let (won, lost, drawn) = (Worth::of_margin(2), Worth::of_margin(-2), Worth::of_margin(0));
    assert!(won > Worth::of(f32::INFINITY) && lost < Worth::of(f32::NEG_INFINITY));
    assert!(lost < Worth::of(f32::NAN) && Worth::of(f32::NAN) < Worth::of(f32::NEG_INFINITY));
    assert!(Worth::of_margin(64) > won && won.reversed() == lost && drawn == Worth::of(0.0));
    assert_eq!([won, lost, drawn].map(Worth::margin), [Some(2), Some(-2), None]);
    for number in [0.0, 1.5, -2.25, f32::INFINITY, f32::MIN_POSITIVE] {
        let back = [number, -number].map(|number| Worth::of(number).number());
        // Adding 0 turns -0 into 0.
        let bits = |numbers: [f32; 2]| numbers.map(|number| (number + 0.0).to_bits());
        assert_eq!(bits(back), bits([number, -number]));
        assert_eq!(Worth::of(number).margin(), None);
    }
    assert!(Worth::of(f32::NAN).number().is_nan());
    let mut numbers = [3.0, -7.5, 0.25, -0.0, 1e-30, -1e30];
    numbers.sort_by(f32::total_cmp);
    assert!(numbers.windows(2).all(|pair| Worth::of(pair[0]) < Worth::of(pair[1])));
}
