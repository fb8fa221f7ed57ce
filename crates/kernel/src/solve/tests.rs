use super::last::finished;
use super::root::squares;
use super::*;
use crate::NO_MOVE;
use crate::rng::{Rng, Seed, Stream};
use crate::rules::{flips, moves};

/// Never stops.
fn never(_: Progress) -> bool {
    false
}

/// Plain minimax: the score, without anything clever.
fn minimax(own: u64, opp: u64) -> i32 {
    let legal = moves(own, opp);
    if legal == 0 {
        return if moves(opp, own) == 0 { finished(own, opp) } else { -minimax(opp, own) };
    }
    squares(legal).map(|at| -minimax_after(own, opp, at)).max().unwrap()
}

fn minimax_after(own: u64, opp: u64, at: u8) -> i32 {
    let flips = flips(own, opp, 1 << at);
    minimax(opp ^ flips, own | flips | 1 << at)
}

/// A position of a random game with this many empty squares; the game may have ended before.
fn random_position(rng: &mut Rng, empty: u32) -> (u64, u64) {
    loop {
        let (mut own, mut opp) = (0x0000_0008_1000_0000u64, 0x0000_0010_0800_0000u64);
        while (!(own | opp)).count_ones() > empty {
            let legal = moves(own, opp);
            if legal == 0 {
                if moves(opp, own) == 0 {
                    break;
                }
                (own, opp) = (opp, own);
                continue;
            }
            let at = crate::nth_bit(legal, rng.below(legal.count_ones()));
            let flips = flips(own, opp, at);
            (own, opp) = (opp ^ flips, own | flips | at);
        }
        if (!(own | opp)).count_ones() == empty {
            return (own, opp);
        }
    }
}

#[test]
fn scores_and_moves_are_those_of_plain_minimax() {
    let mut rng = Seed(5).at(Stream::Weights, 0).rng();
    for case in 0..1000u32 {
        let (own, opp) = random_position(&mut rng, case % 11);
        let score = minimax(own, opp);
        let all: Vec<(u8, i32)> =
            squares(moves(own, opp)).map(|at| (at, -minimax_after(own, opp, at))).collect();
        let those = |best: &dyn Fn(i32) -> bool| {
            let found = all.iter().filter(|(_, score)| best(*score));
            found.fold(0, |set, (at, _)| set | 1 << at)
        };
        let best = those(&|found| found == score);
        let as_good = those(&|found| found.signum() == score.signum());
        for kernel in Kernel::available() {
            for table in [0, 1 << 16] {
                let mut solver = Solver::new(kernel, table).unwrap();
                let solved = solver.solve(own, opp, Aim::Exact, &never).unwrap();
                assert_eq!((solved.score, solved.best), (score, best), "{own:x} {opp:x}");
                assert_eq!(end(own, opp, &solved.line), score, "{own:x} {opp:x}");
                let outcome = solver.solve(own, opp, Aim::Outcome, &never).unwrap();
                assert_eq!((outcome.score, outcome.best), (score.signum(), as_good));
                assert_eq!(end(own, opp, &outcome.line).signum(), score.signum());
            }
        }
    }
}

/// What a line leads to, for the side that moves first.
fn end(mut own: u64, mut opp: u64, line: &[u8]) -> i32 {
    let mut sign = 1;
    for &at in line {
        sign = -sign;
        let turned = if at == NO_MOVE { 0 } else { flips(own, opp, 1 << at) };
        assert_eq!(turned == 0, moves(own, opp) == 0);
        let placed = if at == NO_MOVE { 0 } else { 1 << at };
        (own, opp) = (opp ^ turned, own | turned | placed);
    }
    assert_eq!(moves(own, opp) | moves(opp, own), 0, "the line ends the game");
    sign * finished(own, opp)
}

/// The board turned or mirrored, one of eight ways.
fn image(set: u64, way: u32) -> u64 {
    let place = |at: u8| {
        let (row, file) = (at / 8, at % 8);
        let (row, file) = if way & 1 == 1 { (file, row) } else { (row, file) };
        let row = if way & 2 == 2 { 7 - row } else { row };
        let file = if way & 4 == 4 { 7 - file } else { file };
        8 * row + file
    };
    squares(set).fold(0, |image, at| image | 1 << place(at))
}

#[test]
fn images_of_a_position_have_the_images_of_its_moves() {
    let mut rng = Seed(6).at(Stream::Weights, 0).rng();
    let mut solver = Solver::new(Kernel::available()[0], 1 << 20).unwrap();
    for _ in 0..20 {
        let (own, opp) = random_position(&mut rng, 12);
        let solved = solver.solve(own, opp, Aim::Exact, &never).unwrap();
        for way in 1..8 {
            let (own, opp) = (image(own, way), image(opp, way));
            let found = solver.solve(own, opp, Aim::Exact, &never).unwrap();
            assert_eq!((found.score, found.best), (solved.score, image(solved.best, way)));
        }
    }
}

#[test]
fn neither_tables_nor_threads_nor_kernels_change_the_answer() {
    let mut rng = Seed(7).at(Stream::Weights, 0).rng();
    for empty in [13, 14, 16, 17] {
        let (own, opp) = random_position(&mut rng, empty);
        for aim in [Aim::Exact, Aim::Outcome] {
            let solve = |kernel: Kernel, bytes: usize, threads: usize| {
                let mut solver = Solver::new(kernel, bytes).unwrap().on_threads(threads);
                let solved = solver.solve(own, opp, aim, &never).unwrap();
                (solved.score, solved.best, solved.line)
            };
            let expected = solve(Kernel::available()[0], 1 << 22, 1);
            for kernel in Kernel::available() {
                // A table of a few entries forgets nearly everything.
                for (bytes, threads) in [(0, 1), (1 << 8, 1), (1 << 22, 3), (1 << 10, 2)] {
                    if bytes > 0 || empty < 16 {
                        assert_eq!(solve(kernel, bytes, threads), expected, "{own:x} {opp:x}");
                    }
                }
            }
            let (perfect, _) = Kernel::available()[0].perfect_moves(own, opp);
            assert!(aim == Aim::Outcome || perfect == expected.1 || moves(own, opp) == 0);
        }
    }
}

#[test]
fn the_work_of_players_depends_on_the_position_alone() {
    let mut rng = Seed(9).at(Stream::Weights, 0).rng();
    let positions: Vec<(u64, u64)> =
        [8, 11, 12, 14, 13].map(|empty| random_position(&mut rng, empty)).into();
    let work = |kernel: Kernel, &(own, opp): &(u64, u64)| kernel.perfect_moves(own, opp);
    let first = Kernel::available()[0];
    let expected: Vec<(u64, u64)> = positions.iter().map(|one| work(first, one)).collect();
    assert!(expected.iter().all(|(_, nodes)| *nodes > 0));
    for kernel in Kernel::available() {
        // In another order, and on another thread, which has solved nothing else.
        let again: Vec<_> = positions.iter().rev().map(|one| work(kernel, one)).collect();
        assert!(again.iter().rev().eq(&expected), "{}", kernel.name());
        let one = positions[3];
        let alone = std::thread::spawn(move || work(kernel, &one)).join().unwrap();
        assert_eq!(alone, expected[3]);
    }
}

#[test]
fn a_solver_that_is_stopped_tells_what_it_knows() {
    let mut rng = Seed(8).at(Stream::Weights, 0).rng();
    let (own, opp) = random_position(&mut rng, 18);
    let mut solver = Solver::new(Kernel::available()[0], 1 << 22).unwrap();
    let solved = solver.solve(own, opp, Aim::Exact, &never).unwrap();
    for threads in [1, 2] {
        let mut stopped = 0;
        for most in [0, 200_000, 400_000, 800_000] {
            let mut solver =
                Solver::new(Kernel::available()[0], 1 << 22).unwrap().on_threads(threads);
            let stop = |progress: Progress| progress.nodes > most;
            match solver.solve(own, opp, Aim::Exact, &stop) {
                Ok(found) => assert_eq!(found.score, solved.score),
                Err(known) => {
                    assert!(known.low <= solved.score && solved.score <= known.high, "{known:?}");
                    assert!(known.low < solved.score || known.best & !solved.best == 0);
                    stopped += 1;
                }
            }
        }
        assert!(stopped > 0);
    }
}

#[test]
fn stable_discs_are_never_turned() {
    let mut rng = Seed(9).at(Stream::Weights, 0).rng();
    let mut found = 0;
    for case in 0..2000 {
        let (mut own, mut opp) = random_position(&mut rng, 4 + case % 30);
        let sets = [super::stable::stable(own, opp), super::stable::stable(opp, own)];
        found += sets[0].count_ones() + sets[1].count_ones();
        let mut turn = 0;
        loop {
            assert_eq!(sets[turn] & !own | sets[1 - turn] & !opp, 0, "case {case}");
            let legal = moves(own, opp);
            if legal == 0 && moves(opp, own) == 0 {
                break;
            }
            let at = match legal {
                0 => 0,
                _ => crate::nth_bit(legal, rng.below(legal.count_ones())),
            };
            let turned = if at == 0 { 0 } else { flips(own, opp, at) };
            (own, opp, turn) = (opp ^ turned, own | turned | at, 1 - turn);
        }
    }
    assert!(found > 2000, "{found}");
}
