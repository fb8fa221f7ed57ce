//! Laws for every position, game and text, tested by a search for counterexamples.

use outflank_game::othello::{
    Board, Game, Ply, Position, Side, Square, Squares, Symmetry, parse_game, parse_obf,
    parse_position, write_game, write_position,
};
use outflank_kernel::rng::Key;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::{Style, position_after};

/// The same cases each time, and no files of failures in the source tree: a counterexample should
/// get its own test.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig {
        // PROPTEST_CASES can only raise the number.
        cases: default.cases.max(1000),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_115),
        ..default
    }
}

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![Just(Style::Uniform), Just(Style::Squeezing)]
}

/// Positions of games, from the start to the end.
fn positions() -> impl Strategy<Value = Position> {
    (0..=64u32, any::<u64>(), style())
        .prop_map(|(plies, key, style)| position_after(plies, Key(key), style))
}

/// Any discs, even if no game can reach them.
fn diagrams() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(a, b, c, black)| {
        Position {
            board: Board { own: Squares(a & b), opp: Squares(!a & c) },
            side: if black { Side::Black } else { Side::White },
        }
    })
}

/// Whole games.
fn games() -> impl Strategy<Value = Game> {
    (any::<u64>(), style()).prop_map(|(key, style)| {
        let mut game = Game::default();
        while !game.is_over() {
            let ply = game.plies().len() as u32;
            game.play(style.choose(game.position(), Key(key), ply)).unwrap();
        }
        game
    })
}

fn discs(board: Board) -> u32 {
    (board.own | board.opp).len()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn symmetries_commute_with_moves_flips_and_play(
        position in prop_oneof![positions(), diagrams()],
    ) {
        let board = position.board;
        for symmetry in Symmetry::ALL {
            let turned = symmetry.board(board);
            prop_assert_eq!(turned.moves(), symmetry.squares(board.moves()));
            prop_assert_eq!(turned.empty(), symmetry.squares(board.empty()));
            prop_assert_eq!(turned.is_over(), board.is_over());
            prop_assert_eq!(turned.margin(), board.margin());
            prop_assert_eq!(turned.pass(), symmetry.board(board.pass()));
            for at in board.empty() {
                let to = symmetry.square(at);
                prop_assert_eq!(turned.flips(to), symmetry.squares(board.flips(at)));
            }
            for at in board.moves() {
                let to = symmetry.square(at);
                prop_assert_eq!(turned.play(to), symmetry.board(board.play(at)));
            }
        }
    }

    #[test]
    fn a_set_turns_as_its_squares_do(bits in any::<u64>()) {
        for symmetry in Symmetry::ALL {
            let one_by_one =
                Squares(bits).fold(Squares::NONE, |set, at| set | symmetry.square(at).set());
            prop_assert_eq!(symmetry.squares(Squares(bits)), one_by_one);
        }
    }

    #[test]
    fn the_other_side_sees_the_opposite(position in prop_oneof![positions(), diagrams()]) {
        let passed = position.pass();
        prop_assert_eq!(passed.pass(), position);
        prop_assert_eq!(passed.side, !position.side);
        prop_assert_eq!(passed.board.margin(), -position.board.margin());
        prop_assert_eq!(passed.board.is_over(), position.board.is_over());
        for side in [Side::Black, Side::White] {
            prop_assert_eq!(passed.seen_by(side), position.seen_by(side));
            prop_assert_eq!(position.seen_by(!side), position.seen_by(side).pass());
        }
    }

    #[test]
    fn a_pass_keeps_the_discs(position in positions()) {
        let passed = position.pass().board;
        prop_assert_eq!((passed.own, passed.opp), (position.board.opp, position.board.own));
    }

    #[test]
    fn a_move_adds_one_disc_and_turns_at_least_one(position in positions()) {
        let board = position.board;
        for at in board.moves() {
            let flips = board.flips(at);
            prop_assert!(!flips.is_empty());
            prop_assert_eq!(flips & board.opp, flips);
            let after = board.play(at);
            prop_assert_eq!(discs(after), discs(board) + 1);
            prop_assert_eq!(after.own & after.opp, Squares::NONE);
            prop_assert_eq!(after.opp.len(), board.own.len() + 1 + flips.len());
            prop_assert!(after.opp.has(at));
        }
    }

    #[test]
    fn a_game_places_at_most_60_discs_and_never_passes_twice_running(game in games()) {
        let placed = game.plies().iter().filter(|ply| matches!(ply, Ply::Place(_))).count();
        prop_assert!((9..=60).contains(&placed));
        prop_assert_eq!(discs(game.position().board) as usize, 4 + placed);
        prop_assert!(!game.plies().windows(2).any(|two| two == [Ply::Pass, Ply::Pass]));
        prop_assert!(game.plies().last() != Some(&Ply::Pass));
        prop_assert_eq!(game.margin(Side::Black), -game.margin(Side::White));
        for at in Square::all() {
            prop_assert!(game.clone().play(at).is_err());
        }
    }

    #[test]
    fn undo_gives_back_the_game_before_the_move(key in any::<u64>(), style in style()) {
        let mut game = Game::default();
        while !game.is_over() {
            let before = game.clone();
            let at = style.choose(game.position(), Key(key), game.plies().len() as u32);
            game.play(at).unwrap();
            let mut undone = game.clone();
            prop_assert_eq!(undone.undo(), Some(at));
            prop_assert_eq!(undone, before);
        }
    }

    #[test]
    fn a_written_position_reads_back(position in prop_oneof![positions(), diagrams()]) {
        let text = write_position(position);
        prop_assert_eq!(parse_position(&text), Ok(position));
        let obf = parse_obf(&text).unwrap().unwrap();
        prop_assert_eq!((obf.position, obf.moves, obf.score), (position, vec![], None));
    }

    #[test]
    fn a_written_game_reads_back(game in games()) {
        let text = write_game(game.plies());
        let read = parse_game(&text);
        prop_assert_eq!(read.as_ref(), Ok(&game));
        prop_assert_eq!(parse_game(&text.to_uppercase()), read);
    }

    #[test]
    fn an_obf_line_reads_back(position in positions(), scores in any::<[i8; 64]>()) {
        // Games end with an even number of discs between the sides, at most 64.
        let score = |at: Square| 2 * (i32::from(scores[at.index()]) / 4);
        let moves: Vec<(Square, i32)> =
            position.board.moves().map(|at| (at, score(at))).collect();
        let fields: String = moves.iter().map(|(at, score)| format!("{at}:{score:+}; ")).collect();
        let line = format!("{}; {fields}% a comment; a1:9", write_position(position));
        prop_assert_eq!(parse_obf(&line).unwrap().unwrap().moves, moves);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read_anything(&text);
    }

    #[test]
    fn any_text_of_the_right_letters_is_read_or_refused(text in "[-XO.*Wb a-h1-8ps;:%+\u{e9}]{0,90}") {
        read_anything(&text);
    }

    #[test]
    fn a_spoilt_text_is_read_or_refused(
        position in positions(),
        game in games(),
        at in any::<prop::sample::Index>(),
        letter in any::<char>(),
    ) {
        let line = format!("{}; d3:+2; c4:-64; 7; % x", write_position(position));
        for text in [line, write_game(game.plies())] {
            let mut letters: Vec<char> = text.chars().collect();
            let at = at.index(letters.len());
            letters[at] = letter;
            read_anything(&letters.iter().collect::<String>());
            letters.remove(at);
            read_anything(&letters.iter().collect::<String>());
        }
    }
}

/// Refusing is fine, panicking is not. What was read can be written and read again, and an error
/// can be printed.
fn read_anything(text: &str) {
    match parse_position(text) {
        Ok(position) => assert_eq!(parse_position(&write_position(position)), Ok(position)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match parse_game(text) {
        Ok(game) => assert_eq!(parse_game(&write_game(game.plies())), Ok(game)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Err(error) = parse_obf(text) {
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn two_symmetries_in_a_row_are_a_symmetry() {
    let image = |turn: &dyn Fn(Square) -> Square| Square::all().map(turn).collect::<Vec<_>>();
    let all = Symmetry::ALL.map(|symmetry| image(&|at| symmetry.square(at)));
    assert_eq!(all[0], Square::all().collect::<Vec<_>>());
    for first in Symmetry::ALL {
        for second in Symmetry::ALL {
            let both = image(&|at| second.square(first.square(at)));
            assert!(all.contains(&both), "{first:?} then {second:?}");
        }
    }
}
