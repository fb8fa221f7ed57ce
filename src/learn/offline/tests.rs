//! Who learns what from a game.

use super::*;
use crate::model::{Evaluate, Eyes, Mlp, Model, Shape};
use crate::player::parse_player;

fn mlp() -> Mlp {
    let curve = crate::kernel::Curve::Sigmoid;
    let view = View::Mover;
    let shape =
        Shape { eyes: Eyes::Board, hidden: vec![4], curve, output: curve, bias: true, view };
    Mlp::uniform(shape, 0.5, &mut Seed(1).at(Stream::Weights, 0).rng())
}

fn arena() -> Arena {
    Arena::new(Kernel::available()[0], 1).unwrap()
}

fn game(index: u64) -> Vec<u8> {
    let players = ["heuristic", "random"].map(|name| parse_player(name).unwrap());
    let mut table = crate::arena::Table::default();
    let key = Seed(6).at(Stream::Game, index);
    let kernel = Kernel::available()[0];
    crate::arena::play_game(kernel, [&players[0], &players[1]], Position::START, key, &mut table);
    table.moves.clone()
}

#[test]
fn each_side_gets_the_boards_after_its_moves_and_its_own_reward() {
    // Black plays f5, White d6.
    let opening = [37, 43];
    let both = TwoSides::of(&opening, View::Mover);
    let black = Position::START.play(Square::new(37).unwrap());
    let white = black.play(Square::new(43).unwrap());
    let seen = |position: Position, side| {
        let Board { own, opp } = position.seen_by(side);
        (own.0, opp.0)
    };
    assert_eq!(both.side(0).boards, [seen(black, Side::Black)]);
    assert_eq!(both.side(1).boards, [seen(white, Side::White)]);
    let of_black = TwoSides::of(&opening, View::Black);
    assert_eq!(of_black.side(1).boards, [seen(white, Side::Black)], "all with Black's eyes");
    let mut winners = [0; 2];
    for index in 0..20 {
        let moves = game(index);
        let [mover, black] = [View::Mover, View::Black].map(|view| TwoSides::of(&moves, view));
        let end = moves.iter().fold(Position::START, |position, &at| match at {
            NO_MOVE => position.pass(),
            at => position.play(Square::new(at.into()).unwrap()),
        });
        let margin = end.seen_by(Side::Black).margin();
        let reward = 0.5 + 0.5 * margin.signum() as f32;
        assert!((mover.side(0).reward - reward).abs() < 1e-6);
        assert!((mover.side(1).reward - (1.0 - reward)).abs() < 1e-6);
        assert!((black.side(1).reward - reward).abs() < 1e-6, "White's boards are Black's, too");
        winners[usize::from(margin > 0)] += 1;
    }
    assert!(winners[0] > 0 && winners[1] > 0);
}

/// What a candidate makes of a store, and its error.
fn school(store: &[Kept], learned: usize, alpha: f64) -> (Mlp, f64) {
    let mut candidate = mlp();
    let from = crate::learn::Stored::Present;
    let spec = StoreSpec { from, games: 2, learned, alpha, lambda: 0.9 };
    let seed = Seed(7);
    let mut learning =
        [Learning { candidate: &mut candidate, generation: 0, seed, error: 0.0, diverged: None }];
    learn_from_store(&spec, &mut learning, store, &arena(), &|| false).unwrap();
    let error = learning[0].error;
    (candidate, error)
}

#[test]
fn the_first_lesson_from_a_store_is_the_players_side() {
    for row_first in [true, false] {
        let moves = game(3);
        let store = [Kept { moves: moves.clone(), row_first }];
        let (learned, error) = school(&store, 1, 0.1);
        // By hand: the player is Black if it moves first.
        let expected = mlp();
        let mut network = Network::new(&expected.wiring().unwrap(), expected.params());
        let both = TwoSides::of(&moves, View::Mover);
        let side = both.side(usize::from(!row_first));
        let errors = Kernel::available()[0].learn_sequences(&mut network, &[side], [0.1, 0.9]);
        let mut params = expected.params().to_vec();
        network.copy_params(&mut params);
        let bits = |params: &[f32]| params.iter().map(|w| w.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(learned.params()), bits(&params));
        assert!((error - f64::from(errors[0])).abs() < 1e-9);
    }
}

#[test]
fn no_side_of_a_game_is_learned_twice() {
    // Both sides of four games are eight lessons; more there are not.
    let store: Vec<Kept> =
        (0..4).map(|index| Kept { moves: game(index), row_first: index % 2 == 0 }).collect();
    let bits = |model: &Mlp| model.params().iter().map(|w| w.to_bits()).collect::<Vec<_>>();
    let [eight, twenty] = [8, 20].map(|learned| school(&store, learned, 0.1).0);
    assert_eq!(bits(&eight), bits(&twenty));
    assert_ne!(bits(&school(&store, 7, 0.1).0), bits(&eight));
}

#[test]
fn a_learner_plays_both_colours_and_explores_less_and_less() {
    // With ε = 0 and a network of its own, who moves first decides the game; with ε = 1 all moves are random.
    let (candidate, kernel) = (mlp(), Kernel::available()[0]);
    let network = Network::new(&candidate.wiring().unwrap(), candidate.params());
    let teacher = parse_player("heuristic").unwrap();
    let play = |is_first, epsilon: f64, index| {
        let mut lesson = Lesson::default();
        let epsilon = Chance::new(epsilon).unwrap();
        let key = Seed(8).at(Stream::Learning, index);
        let table = Table { teacher: Some(&teacher), is_first, epsilon, key };
        lesson.play(kernel, &network, View::Mover, &table);
        lesson.moves
    };
    let games = |is_first, epsilon| {
        let all: std::collections::BTreeSet<Vec<u8>> =
            (0..8).map(|index| play(is_first, epsilon, index)).collect();
        all.len()
    };
    assert!(games(true, 0.0) < 8 || games(false, 0.0) < 8, "only ties vary");
    assert_eq!((games(true, 1.0), games(false, 1.0)), (8, 8));
    assert_ne!(play(true, 0.0, 1), play(false, 0.0, 1));
    // The learner's moves are the network's: from the start of the game, when it moves first.
    let first = play(true, 0.0, 2)[0];
    let value = |at: u8| {
        let after = Position::START.play(Square::new(at.into()).unwrap());
        candidate.value(after.seen_by(Side::Black))
    };
    let best = [19, 26, 37, 44].into_iter().map(value).fold(f32::NEG_INFINITY, f32::max);
    assert!((value(first) - best).abs() < 1e-4);
}
