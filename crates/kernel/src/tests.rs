//! Every kernel against plain code: rules on random boards, games move by move.

use std::io::Write;

use super::*;
use crate::rng::{Rng, Seed, Stream};

const START: (u64, u64) = (0x0000_0008_1000_0000, 0x0000_0010_0800_0000);

pub fn rng(index: u64) -> Rng {
    Seed(20_261_115).at(Stream::Signature, index).rng()
}

/// Kernels that this CPU lacks are named, so that a skipped test is seen.
pub fn each_kernel(test: impl Fn(Kernel)) {
    for name in Kernel::all_names() {
        match Kernel::named(name) {
            Ok(kernel) => test(kernel),
            // Not println: a passing test would keep it to itself.
            Err(_) => {
                let _ =
                    writeln!(std::io::stderr(), "skipped: this CPU cannot run the kernel {name}");
            }
        }
    }
}

/// Two disjoint random sets with about a third of the squares each.
fn random_board(rng: &mut Rng) -> (u64, u64) {
    let (a, b, c) = (rng.bits(), rng.bits(), rng.bits());
    (a & (b | c), !a & (b | !c))
}

fn random_weights(rng: &mut Rng, largest: u32) -> [i16; 64] {
    std::array::from_fn(|_| rng.below(2 * largest + 1) as i16 - largest as i16)
}

/// A game by the rules as they are written down: the twin of all batch kernels.
fn play_plainly(game: &LaneGame<'_>) -> (Finished, Vec<u8>) {
    let (mut own, mut opp) = (game.own, game.opp);
    let mut record = Vec::new();
    let mut passed = false;
    for ply in 0.. {
        let moves = rules::moves(own, opp);
        if moves == 0 {
            if passed {
                let swapped = ply % 2 == 1;
                let (first, second) = if swapped { (opp, own) } else { (own, opp) };
                record.pop();
                let print = fingerprint(&record);
                return (Finished { first, second, print }, record);
            }
            passed = true;
            record.push(NO_MOVE);
            (own, opp) = (opp, own);
            continue;
        }
        passed = false;
        let lane = if ply % 2 == 0 { game.first } else { game.second };
        let draw = game.key.draw(ply);
        let candidates = match lane.weights {
            Some(weights) if !draw.happens(lane.random) => best_plainly(weights, own, opp, moves),
            _ => moves,
        };
        let at = nth_bit(candidates, draw.index(candidates.count_ones()));
        let flips = rules::flips(own, opp, at);
        record.push(at.trailing_zeros() as u8);
        (own, opp) = (opp ^ flips, own | flips | at);
    }
    unreachable!("every game ends")
}

fn best_plainly(weights: &[i16; 64], own: u64, opp: u64, moves: u64) -> u64 {
    let value = |at: u64| -> i32 {
        let flips = rules::flips(own, opp, at);
        let (own, opp) = (own | flips | at, opp ^ flips);
        (0..64)
            .map(|s| ((own >> s & 1) as i32 - (opp >> s & 1) as i32) * i32::from(weights[s]))
            .sum()
    };
    let candidates = (0..64).map(|s| 1 << s).filter(|at| moves & at != 0);
    let best = candidates.clone().map(value).max().unwrap();
    candidates.filter(|&at| value(at) == best).sum()
}

#[test]
fn all_kernels_know_the_rules() {
    each_kernel(|kernel| {
        let mut rng = rng(1);
        for _ in 0..100_000 {
            let (own, opp) = random_board(&mut rng);
            let moves = kernel.moves(own, opp);
            assert_eq!(moves, rules::moves(own, opp), "{kernel:?} {own:#x} {opp:#x}");
            let at = 1 << rng.below(64);
            if (own | opp) & at == 0 {
                let flips = kernel.flips(own, opp, at);
                assert_eq!(
                    flips,
                    rules::flips(own, opp, at),
                    "{kernel:?} {own:#x} {opp:#x} {at:#x}"
                );
                assert_eq!(flips != 0, moves & at != 0);
                let next = kernel.place(own, opp, at);
                let (own, opp) = (opp ^ flips, own | flips | at);
                assert_eq!(next, Next { own, opp, moves: rules::moves(own, opp) });
            }
        }
    });
}

#[test]
fn all_kernels_pick_alike() {
    each_kernel(|kernel| {
        let mut rng = rng(6);
        for _ in 0..10_000 {
            let (set, draw) = (rng.bits() & rng.bits() | 1, Draw(rng.bits()));
            let expected = nth_bit(set, draw.index(set.count_ones()));
            assert_eq!(kernel.pick(set, draw), expected, "{kernel:?} {set:#x} {draw:?}");
        }
    });
}

#[test]
fn all_kernels_find_the_best_moves() {
    each_kernel(|kernel| {
        let mut rng = rng(2);
        for round in 0..20_000 {
            let (own, opp) = random_board(&mut rng);
            let moves = rules::moves(own, opp);
            if moves == 0 {
                continue;
            }
            // Small weights make many ties.
            let weights = random_weights(&mut rng, if round % 2 == 0 { 2 } else { 800 });
            let best = kernel.best(&Scorer::new(&weights), own, opp, moves);
            let expected = best_plainly(&weights, own, opp, moves);
            assert_eq!(best, expected, "{kernel:?} {own:#x} {opp:#x} {weights:?}");
        }
    });
}

#[test]
fn all_kernels_play_the_same_games() {
    let mut rng = rng(3);
    // Largest weights, small ones that make ties, all equal.
    let players: Vec<[i16; 64]> =
        [800, 800, 800, 3, 1, 0].into_iter().map(|n| random_weights(&mut rng, n)).collect();
    let chances = [0.0, 0.0, 0.1, 0.5, 1.0].map(|p| Chance::new(p).unwrap());
    let games: Vec<LaneGame<'_>> = (0..3000)
        .map(|index| {
            let mut lane = || {
                let player = rng.below(players.len() as u32 + 1) as usize;
                match players.get(player) {
                    Some(weights) => Lane {
                        weights: Some(weights),
                        random: chances[rng.below(chances.len() as u32) as usize],
                    },
                    None => Lane { weights: None, random: Chance::ALWAYS },
                }
            };
            let (first, second) = (lane(), lane());
            LaneGame {
                own: START.0,
                opp: START.1,
                key: Seed(1).at(Stream::Game, index),
                first,
                second,
            }
        })
        .collect();
    let expected: Vec<(Finished, Vec<u8>)> = games.iter().map(play_plainly).collect();
    each_kernel(|kernel| {
        // Sizes around a batch, and the games in other places of it.
        for (from, to) in [(0, 3000), (1, 2), (5, 5 + kernel.batch_games() + 1), (700, 700)] {
            let mut finished = vec![Finished::default(); to - from];
            let mut records = vec![Vec::new(); to - from];
            let mut record = |game: usize, moves: &[u8], _| records[game] = moves.to_vec();
            kernel.play(&games[from..to], &mut finished, Record::Moves(&mut record));
            for (i, (result, moves)) in expected[from..to].iter().enumerate() {
                assert_eq!(&records[i], moves, "{kernel:?}, game {}", from + i);
                assert_eq!(finished[i], *result, "{kernel:?}, game {}", from + i);
            }
            let mut again = vec![Finished::default(); to - from];
            kernel.play(&games[from..to], &mut again, Record::Prints);
            assert_eq!(again, finished);
            kernel.play(&games[from..to], &mut again, Record::Nothing);
            finished.iter_mut().for_each(|end| end.print = 0);
            assert_eq!(again, finished);
        }
    });
}

#[test]
fn all_kernels_play_from_any_board_with_a_full_centre() {
    let mut rng = rng(4);
    let weights: Vec<[i16; 64]> = (0..8).map(|_| random_weights(&mut rng, 800)).collect();
    let games: Vec<LaneGame<'_>> = (0..2000)
        .map(|index| {
            let (own, opp) = random_board(&mut rng);
            let own = own | (CENTRE & !opp);
            let lane =
                |i: u64| Lane { weights: Some(&weights[i as usize % 8]), random: Chance::NEVER };
            let key = Seed(2).at(Stream::Game, index);
            LaneGame { own, opp, key, first: lane(index), second: lane(index / 8) }
        })
        .collect();
    each_kernel(|kernel| {
        let mut finished = vec![Finished::default(); games.len()];
        kernel.play(&games, &mut finished, Record::Prints);
        for (game, result) in games.iter().zip(&finished) {
            assert_eq!(*result, play_plainly(game).0, "{kernel:?} {game:?}");
        }
    });
}

/// 99.99% points of the chi-square distribution by degrees of freedom.
const CHI_SQUARE: [(usize, f64); 3] = [(1, 15.14), (3, 21.11), (7, 29.88)];

fn assert_uniform(counts: &[u32], what: &str) {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let chi_square: f64 =
        counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    let limit = CHI_SQUARE.iter().find(|(df, _)| df + 1 == counts.len()).unwrap().1;
    assert!(chi_square < limit, "{what}: {counts:?}, chi-square {chi_square:.1} above {limit}");
}

#[test]
fn random_moves_and_ties_are_uniform_in_all_kernels() {
    // With equal weights every first move ties, and a random mover has the same four choices.
    let equal = [0; 64];
    let lanes = [
        ("ties", Lane { weights: Some(&equal), random: Chance::NEVER }),
        ("random moves", Lane { weights: None, random: Chance::ALWAYS }),
        ("half random", Lane { weights: Some(&equal), random: Chance::new(0.5).unwrap() }),
    ];
    each_kernel(|kernel| {
        for (what, lane) in lanes {
            let games: Vec<LaneGame<'_>> = (0..40_000)
                .map(|index| {
                    let key = Seed(3).at(Stream::Game, index);
                    LaneGame { own: START.0, opp: START.1, key, first: lane, second: lane }
                })
                .collect();
            let (mut first, mut last) = ([0; 4], [0; 8]);
            let mut record = |_: usize, moves: &[u8], _| {
                first[[19, 26, 37, 44].iter().position(|&s| s == moves[0]).unwrap()] += 1;
                // With eight legal moves, the place of the move among them.
                let (mut own, mut opp) = START;
                for &square in moves {
                    let legal = rules::moves(own, opp);
                    if square == NO_MOVE {
                        (own, opp) = (opp, own);
                        continue;
                    }
                    let at = 1 << square;
                    if legal.count_ones() == 8 {
                        last[(legal & (at - 1)).count_ones() as usize] += 1;
                        if what == "ties" {
                            break;
                        }
                    }
                    let flips = rules::flips(own, opp, at);
                    (own, opp) = (opp ^ flips, own | flips | at);
                }
            };
            let mut finished = vec![Finished::default(); games.len()];
            kernel.play(&games, &mut finished, Record::Moves(&mut record));
            assert_uniform(&first, &format!("{kernel:?}, {what}, first move"));
            assert_uniform(&last, &format!("{kernel:?}, {what}, eight legal moves"));
        }
    });
}

#[test]
fn ties_between_some_of_the_moves_are_uniform_in_all_kernels() {
    // Of the four first moves d3 and e6 are best; after them other sets of moves tie.
    let mut weights = [0; 64];
    (weights[19], weights[44]) = (5, 5);
    let lane = Lane { weights: Some(&weights), random: Chance::NEVER };
    let games: Vec<LaneGame<'_>> = (0..20_000)
        .map(|index| {
            let key = Seed(5).at(Stream::Game, index);
            LaneGame { own: START.0, opp: START.1, key, first: lane, second: lane }
        })
        .collect();
    each_kernel(|kernel| {
        let mut counts = [0; 2];
        let mut record = |_: usize, moves: &[u8], _| {
            counts[[19, 44].iter().position(|&square| square == moves[0]).unwrap()] += 1;
        };
        let mut finished = vec![Finished::default(); games.len()];
        kernel.play(&games, &mut finished, Record::Moves(&mut record));
        assert_uniform(&counts, &format!("{kernel:?}, two of four moves"));
    });
}
