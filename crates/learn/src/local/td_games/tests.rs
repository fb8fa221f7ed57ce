//! Learning in games, in the kernel and by the gradient, alone and among others.

use super::super::ByGradient;
use super::super::testing::game;
use super::*;
use crate::{Run, resolve, step};
use outflank_arena::{Arena, GameScratch, play};
use outflank_game::model::{Eyes, Mlp, MlpShape, Model, View, Wpc};
use outflank_game::othello::Side;
use outflank_game::player::parse_player;
use outflank_kernel::rng::{Seed, Stream};
use outflank_kernel::{Curve, NO_MOVE};

/// The steps of a game.
fn steps(index: u64) -> Vec<Step> {
    let mut position = Position::START;
    let mut steps = Vec::new();
    for square in game(index) {
        let (before, at) = (position, Square::new(usize::from(square)));
        let at = at.filter(|_| square != NO_MOVE);
        position = at.map_or(before.pass(), |at| before.play(at));
        steps.push(Step { before, at, after: position });
    }
    steps
}

fn wpcs(count: usize) -> Vec<Wpc> {
    let mut rng = Seed(5).at(Stream::Weights, 0).rng();
    (0..count).map(|_| Wpc::uniform(1.0, &mut rng)).collect()
}

#[test]
fn a_wpc_learns_in_the_kernel_as_by_its_gradient() {
    let kernel = Kernel::available()[0];
    for index in 0..5 {
        let mut both = [wpcs(1).remove(0), wpcs(1).remove(0)];
        let [a, b] = &mut both;
        let (mut fast, mut plain) = (a.mind(), ByGradient::new(b));
        for step in steps(index).iter().filter(|step| step.at.is_some()) {
            let (board, side) = (step.before.board, step.before.side);
            let moves = Squares(kernel.moves(board.own.0, board.opp.0));
            let position = Position { board, side };
            let turn = Turn { position, moves, ply: 0, key: Key(0) };
            // A move's worth differs from the value of the board after it by that before it.
            let first = moves.nth(0);
            for at in moves {
                let of = |mind: &mut dyn Mind| {
                    mind.worth(kernel, &turn, at) - mind.worth(kernel, &turn, first)
                };
                assert!((of(&mut *fast) - of(&mut plain)).abs() < 1e-3);
            }
            fast.learn(kernel, step, 0.01, 0.9);
            plain.learn(kernel, step, 0.01, 0.9);
        }
        fast.leave();
        drop((fast, plain));
        let changed = both[0]
            .params()
            .iter()
            .zip(wpcs(1)[0].params())
            .any(|(a, b)| a.to_bits() != b.to_bits());
        let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-3;
        assert!(changed && both[0].params().iter().zip(both[1].params()).all(near));
    }
}

#[test]
fn a_network_learns_in_the_kernel_as_by_its_gradient() {
    let kernel = Kernel::available()[0];
    let shape = MlpShape {
        eyes: Eyes::Board,
        hidden: vec![9],
        curve: Curve::Tanh,
        output: Curve::Linear,
        bias: true,
        view: View::Black,
    };
    for lambda in [0.0, 0.9] {
        let start = Mlp::uniform(shape.clone(), 0.1, &mut Seed(1).at(Stream::Weights, 0).rng());
        let mut both = [start.clone(), start.clone()];
        let [a, b] = &mut both;
        let (mut fast, mut plain) = (a.mind(), ByGradient::new(b));
        // Two games: traces begin again.
        for index in 0..2 {
            fast.begin();
            plain.begin();
            for step in steps(index).iter().filter(|step| step.at.is_some()) {
                fast.learn(kernel, step, 0.01, lambda);
                plain.learn(kernel, step, 0.01, lambda);
            }
            assert!(fast.leave() && plain.leave());
        }
        drop((fast, plain));
        let far = |a: &Mlp, b: &Mlp| -> f32 {
            a.params().iter().zip(b.params()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        assert!(far(&both[0], &both[1]) < 1e-4 && far(&both[0], &start) > 1e-3);
    }
}

#[test]
fn the_kernel_asks_all_at_once_what_players_say_one_by_one() {
    let all = wpcs(40);
    let (kernel, one_by_one) = (Kernel::available()[0], OneByOne::new(&all));
    let at_once = Wpc::company(all);
    assert_eq!((at_once.len(), one_by_one.len()), (40, 40));
    let mut seen = std::collections::BTreeSet::new();
    for step in (0..4).flat_map(steps) {
        let Some(at) = step.at else { continue };
        let board = step.before.board;
        let moves = Squares(kernel.moves(board.own.0, board.opp.0));
        let turn = Turn { position: step.before, moves, ply: 0, key: Key(0) };
        let expected = one_by_one.agreeing(kernel, &turn, at, 7);
        assert_eq!(at_once.agreeing(kernel, &turn, at, 7), expected);
        seen.insert(expected);
    }
    assert!(seen.len() > 10 && seen.contains(&39), "{seen:?}");
}

#[test]
fn who_learns_from_own_moves_learns_the_result_whoever_moves_last() {
    // With all weights 0 and without traces only the result teaches anything.
    let learned = |moves, side, game| {
        let kernel = Kernel::available()[0];
        let spec = TdGamesSpec { moves, lambda: 0.0, ..TdGamesSpec::sample() };
        let local = TdGames { spec, policy: Policy::default(), company: None };
        let mut candidate = Wpc::new([0.0; 64]).unwrap();
        let place = Place { kernel, index: 0, side, learns: true };
        let opponent = parse_player("heuristic").unwrap();
        let table = &mut GameScratch::default();
        let seat = During::<Wpc>::seat(&local, &mut candidate, place);
        let mut lesson = Table { seat, side, opponent: &opponent, table };
        let end = play(kernel, Position::START, Seed(3).at(Stream::Game, game), 0, &mut lesson);
        drop(lesson);
        let is_draw = end.seen_by(side).margin() == 0;
        is_draw || candidate.params().iter().any(|weight| *weight != 0.0)
    };
    for moves in [LearnedMoves::All, LearnedMoves::Own] {
        for side in [Side::Black, Side::White] {
            assert!((0..30).all(|game| learned(moves, side, game)), "{moves:?} {side:?}");
        }
    }
}

/// How much a candidate changes in a game against the heuristic player, among others.
fn change(spec: TdGamesSpec, others: Vec<Wpc>, learns: bool) -> f32 {
    let kernel = Kernel::available()[0];
    let company = (spec.others == Others::Weighed).then(|| Wpc::company(others));
    let local = TdGames { spec, policy: Policy::default(), company };
    let mut candidate = wpcs(1).remove(0);
    let before = candidate.clone();
    let place = Place { kernel, index: 0, side: Side::White, learns };
    let opponent = parse_player("heuristic").unwrap();
    let table = &mut GameScratch::default();
    let seat = During::<Wpc>::seat(&local, &mut candidate, place);
    let mut lesson = Table { seat, side: place.side, opponent: &opponent, table };
    play(kernel, Position::START, Seed(3).at(Stream::Game, 0), 0, &mut lesson);
    drop(lesson);
    candidate.params().iter().zip(before.params()).map(|(a, b)| (a - b).abs()).sum()
}

struct Table<'a> {
    seat: Box<dyn Playing + 'a>,
    side: Side,
    opponent: &'a Player,
    table: &'a mut GameScratch,
}

impl Playing for Table<'_> {
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        if turn.position.side == self.side {
            return self.seat.choose(kernel, turn);
        }
        self.opponent.choose_with(kernel, turn, self.table.memo(turn.ply))
    }

    fn observe(&mut self, step: &Step) {
        self.seat.observe(step);
    }
}

#[test]
fn what_all_others_would_do_teaches_nothing() {
    let sample = TdGamesSpec { alpha: 0.1, moves: LearnedMoves::Own, ..TdGamesSpec::sample() };
    let weighed = TdGamesSpec { others: Others::Weighed, ..sample.clone() };
    // Others as it was at the beginning: as long as it has learned nothing, it does as they do.
    assert!(change(weighed.clone(), vec![wpcs(1).remove(0); 3], true) <= 0.0);
    let full = change(sample.clone(), wpcs(9), true);
    let part = change(weighed, wpcs(9), true);
    assert!(0.0 < part && part < full, "{part} {full}");
    // From its own moves it learns less than from all, and nothing if it must not.
    let all = TdGamesSpec { moves: LearnedMoves::All, ..sample.clone() };
    assert!(change(all, Vec::new(), true).to_bits() != full.to_bits());
    assert!(change(sample, Vec::new(), false) <= 0.0);
}

#[test]
fn a_candidate_that_diverges_goes_back_and_the_run_goes_on() {
    let overrides = ["local.alpha=1000", "search.particles=4", "opponents.games=4"];
    let overrides = overrides.map(String::from);
    let spec = resolve("pso-td", &overrides).unwrap().spec;
    let mut run = Run::<Wpc>::new(spec, Seed(1)).unwrap();
    let arena = Arena::new(Kernel::available()[0], 1).unwrap();
    for _ in 0..3 {
        assert_eq!(step(&mut [&mut run], &arena, &|| false), [Ok(())]);
    }
    let diverged = run.statistic("diverged").unwrap();
    assert!((4.0..=12.0).contains(&diverged), "{diverged}");
    assert!(run.champion().params().iter().all(|weight| weight.abs() < DIVERGED));
    // It is remembered.
    let saved = run.save();
    let mut again = Run::<Wpc>::new(run.spec().clone(), Seed(1)).unwrap();
    again.restore(&saved).unwrap();
    assert_eq!(again.statistic("diverged"), Some(diverged));
}
