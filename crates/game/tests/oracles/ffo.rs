//! Published endgames: their scores and best moves, found by the solver of every kernel.

use super::each_kernel;
use outflank_game::othello::{Square, Squares, parse_position};
use outflank_kernel::{Aim, Solver};

#[test]
fn the_first_endgames_of_the_ffo_suite_have_their_published_scores() {
    let suite = include_str!("ffo.txt");
    each_kernel(|kernel| {
        let mut solver = Solver::new(kernel, 1 << 22).unwrap();
        let mut endgames = 0;
        for line in suite.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split(' ').collect();
            let position = parse_position(&fields[1..3].join(" ")).unwrap();
            let score: i32 = fields[3].parse().unwrap();
            let best = fields[4..].iter().map(|at| at.parse::<Square>().unwrap().set());
            let best = best.fold(Squares::NONE, |all, at| all | at);
            let (own, opp) = (position.board.own.0, position.board.opp.0);
            let solved = solver.solve(own, opp, Aim::Exact, &|_| false).unwrap();
            assert_eq!((solved.score, solved.best), (score, best.0), "{line}");
            let outcome = solver.solve(own, opp, Aim::Outcome, &|_| false).unwrap();
            assert_eq!(outcome.score, score.signum(), "{line}");
            assert_eq!(outcome.best & best.0, best.0, "{line}");
            endgames += 1;
        }
        assert_eq!(endgames, 19);
    });
}
