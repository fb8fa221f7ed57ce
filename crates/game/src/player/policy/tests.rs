use super::*;
use crate::book::{Book, Table};
use crate::othello::{Board, Position, Side, parse_game};
use crate::player::parse_player;
use outflank_kernel::rng::{Seed, Stream};

/// Policies that differ from the default in one option, and in all of them.
fn samples() -> Vec<Policy> {
    let options = OPTIONS.iter().map(|option| option.example.split_once('@').unwrap().1);
    // The last of each example, because options of a book come with a book.
    let last = options.clone().map(|options| options.rsplit(',').next().unwrap());
    let all = last.collect::<Vec<_>>().join(",");
    options.chain([all.as_str()]).map(|options| Policy::parse(options).unwrap()).collect()
}

fn turn(game: u64, ply: u32) -> Turn {
    let (position, key) = (Position::START, Seed(3).at(Stream::Game, game));
    Turn { position, moves: position.board.moves(), ply, key }
}

#[test]
fn every_option_has_an_example_that_turns_it_on_and_no_other() {
    for option in OPTIONS {
        let policy = parse_player(option.example).unwrap().policy;
        let on: Vec<&str> =
            OPTIONS.iter().filter(|o| !(o.is_off)(&policy)).map(|o| o.name).collect();
        let with_book = option.name.starts_with("book-");
        let expected = if with_book { vec!["book", option.name] } else { vec![option.name] };
        assert_eq!(on, expected);
        assert_eq!(policy.is_laneable(), option.is_laneable, "{policy}");
        assert_eq!(policy.is_chance(), option.is_chance || with_book, "{policy}");
        assert!(!policy.is_neutral());
    }
    let laneable: Vec<&str> =
        OPTIONS.iter().filter(|option| option.is_laneable).map(|option| option.name).collect();
    assert_eq!(laneable, ["epsilon"], "what a lane has");
    let off = Policy::default();
    assert!(off.is_neutral() && off.is_laneable() && !off.is_chance());
}

#[test]
fn the_text_of_a_policy_reads_back_as_it() {
    for policy in samples() {
        let text = policy.to_string();
        assert_eq!(Policy::parse(text.strip_prefix('@').unwrap()).unwrap(), policy, "{text}");
    }
    assert_eq!(
        samples().last().unwrap().to_string(),
        "@epsilon=0.1,noise=0.01,opening=4,ties=first,depth=4,book=small,book-best=1,book-margin=2,solve=10"
    );
    assert_eq!(Policy::default().to_string(), "");
    for (epsilon, text) in [(1.0, "@epsilon=1"), (1.0 / 3.0, "@epsilon=0.3333333333")] {
        let policy = Policy { epsilon: Chance::new(epsilon).unwrap(), ..Policy::default() };
        assert_eq!(policy.to_string(), text);
        assert_eq!(Policy::parse(&text[1..]).unwrap(), policy);
    }
}

#[test]
fn a_policy_as_json_has_every_option() {
    let object = json!(Policy::default());
    let names: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(names.len(), OPTIONS.len());
    let book = json!({ "book": null, "book-best": 3, "book-margin": 128.0, "solve": 0 });
    let mut off =
        json!({ "epsilon": 0.0, "noise": 0.0, "opening": 0, "ties": "random", "depth": 0 });
    off.as_object_mut().unwrap().extend(book.as_object().unwrap().clone());
    assert_eq!(object, off);
    let book = json!({ "book": "small", "book-best": 1, "book-margin": 2.0, "solve": 10 });
    let mut on =
        json!({ "epsilon": 0.1, "noise": 0.01, "opening": 4, "ties": "first", "depth": 4 });
    on.as_object_mut().unwrap().extend(book.as_object().unwrap().clone());
    assert_eq!(json!(samples().last().unwrap()), on);
}

#[test]
fn values_have_limits() {
    let most = format!("opening={MOST_OPENING}");
    assert_eq!(Policy::parse(&most).unwrap().opening, MOST_OPENING);
    let problem = |options: &str| Policy::parse(options).unwrap_err().to_string();
    let expected = format!("a number of plies from 0 to {MOST_OPENING}");
    for bad in ["41", "-1", "1.5", ""] {
        let options = format!("opening={bad}");
        assert_eq!(problem(&options), format!("opening = {bad:?} is not {expected}"));
    }
    assert_eq!(Policy::parse("depth=60").unwrap().depth, MOST_DEPTH);
    assert!(Policy::parse("depth=0").unwrap().is_neutral());
    for bad in ["61", "-1", "2.5", "", "two"] {
        let expected = format!("depth = {bad:?} is not a number of moves from 0 to 60");
        assert_eq!(problem(&format!("depth={bad}")), expected);
    }
    assert_eq!(problem("ties=frist"), "ties = \"frist\" is not random, first or last");
    assert!(Policy::parse("ties=last").unwrap().ties == Ties::Last);
    assert!(Policy::sets_only_ties("ties=first") && Policy::sets_only_ties(" ties=random"));
    assert!(!Policy::sets_only_ties("ties=first,opening=0") && !Policy::sets_only_ties(""));
    assert_eq!(
        problem("book-best=1"),
        "book-best says how a book is used, and there is none; add book=FILE or book=small"
    );
    assert_eq!(
        problem("book=small,book-best=0"),
        "book-best = \"0\" is not a number of moves from 1 to 60"
    );
    for bad in ["-1", "129", "NaN", ""] {
        let problem = problem(&format!("book=small,book-margin={bad}"));
        assert_eq!(
            problem,
            format!("book-margin = {bad:?} is not a number of discs from 0 to 128")
        );
    }
    assert!(problem("book=none.book").starts_with("cannot read book none.book: "));
    assert!(problem("book=").contains("is not a book file, or small"));
    assert_eq!(Policy::parse("solve=24").unwrap().solve, MOST_SOLVE);
    for bad in ["25", "-1", "4.5", ""] {
        let expected = format!("a number of empty squares from 0 to {MOST_SOLVE}");
        let options = format!("solve={bad}");
        assert_eq!(problem(&options), format!("solve = {bad:?} is not {expected}"));
    }
    assert_eq!(problem("noise=inf"), "noise = \"inf\" is not a variance of 0 or more");
}

#[test]
fn a_policy_says_which_moves_were_random() {
    let kernel = Kernel::available()[0];
    let first = Position::START.board.moves().nth(0).set();
    let policy = Policy::parse("epsilon=0.25,opening=2").unwrap();
    let turns = (0..4000).map(|game| turn(game, (game % 4) as u32));
    let mut random = [0; 4];
    for turn in turns {
        let chosen = policy.choose(kernel, &turn, |_| first);
        assert_eq!(chosen.is_random, policy.is_random(&turn));
        assert!(chosen.is_random || chosen.at.set() == first);
        random[turn.ply as usize] += i32::from(chosen.is_random);
    }
    assert_eq!(random[..2], [1000, 1000]);
    // Four standard errors of 13.7 each.
    assert!(random[2..].iter().all(|found| (found - 250).abs() < 55), "{random:?}");
}

#[test]
fn random_moves_come_before_noise_and_noise_before_the_best() {
    let kernel = Kernel::available()[0];
    let moves = Position::START.board.moves();
    let asked = |options: &str| {
        let mut manner = None;
        Policy::parse(options).unwrap().choose(kernel, &turn(0, 0), |asked| {
            manner = Some(matches!(asked, Manner::Noisy(_)));
            moves
        });
        manner
    };
    assert_eq!(asked("epsilon=0"), Some(false));
    assert_eq!(asked("noise=1"), Some(true));
    assert_eq!(asked("noise=1,opening=1"), None);
    assert_eq!(asked("noise=1,epsilon=1"), None);
}

#[test]
fn random_moves_come_before_the_book_and_the_book_before_the_best() {
    let kernel = Kernel::available()[0];
    let asked = |options: &str, ply: u32| {
        let mut asked = false;
        let chosen = Policy::parse(options).unwrap().choose(kernel, &turn(0, ply), |_| {
            asked = true;
            Position::START.board.moves()
        });
        (asked, chosen.is_random)
    };
    assert_eq!(asked("book=small", 0), (false, false));
    assert_eq!(asked("book=small,noise=1,ties=first", 0), (false, false));
    assert_eq!(asked("book=small,opening=1", 0), (false, true));
    assert_eq!(asked("book=small,epsilon=1", 0), (false, true));
    // A position that no game reaches is in no book.
    let lone = Board { own: Squares(0b100), opp: Squares(0b010) };
    let position = Position { board: lone, side: Side::Black };
    let key = Seed(3).at(Stream::Game, 1);
    let turn = Turn { position, moves: lone.moves(), ply: 0, key };
    let mut asked = false;
    Policy::parse("book=small").unwrap().choose(kernel, &turn, |_| {
        asked = true;
        lone.moves()
    });
    assert!(asked);
}

#[test]
fn a_book_is_drawn_from_with_the_draw_of_the_game() {
    let kernel = Kernel::available()[0];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.book");
    // Three answers to f5.
    let game = |moves: &str, margin| {
        let game: Vec<Square> = moves
            .as_bytes()
            .chunks(2)
            .map(|s| str::from_utf8(s).unwrap().parse().unwrap())
            .collect();
        (game, margin)
    };
    let games = [game("f5f6", -10), game("f5d6", 0), game("f5f4", 20)];
    // A hundred times, so that there is little doubt: 7.33, -0.67 and -16.67 discs for White.
    let games = games.iter().cycle().take(300);
    let games = games.map(|(moves, margin)| (Position::START, &moves[..], *margin));
    let mut table = Table::of_games(games, 60);
    table.back_up();
    std::fs::write(&path, Book::write(&table, vec![])).unwrap();
    let position = parse_game("f5").unwrap().position();
    let made = |options: &str| {
        let policy = Policy::parse(&format!("book={}{options}", path.display())).unwrap();
        let mut squares = std::collections::BTreeMap::<String, u32>::new();
        for game in 0..3000 {
            let key = Seed(4).at(Stream::Game, game);
            let turn = Turn { position, moves: position.board.moves(), ply: 1, key };
            let at = policy.choose(kernel, &turn, |_| unreachable!("it is in the book")).at;
            assert_eq!(at, policy.choose(kernel, &turn, |_| unreachable!()).at);
            *squares.entry(at.to_string()).or_default() += 1;
        }
        squares.into_iter().map(|(at, n)| (at, (n as i32 - 1000).abs() < 105)).collect::<Vec<_>>()
    };
    let all = ["d6", "f4", "f6"].map(|at| (at.to_owned(), true));
    assert_eq!(made(""), all);
    assert_eq!(made(",book-best=1"), [("f6".into(), false)]);
    assert_eq!(made(",book-best=2"), [("d6".into(), false), ("f6".into(), false)]);
    assert_eq!(made(",book-margin=7.9"), [("f6".into(), false)]);
    assert_eq!(made(",book-margin=8").len(), 2);
    // The same book under another name is the same policy, another book is not.
    let other = folder.path().join("same.book");
    std::fs::copy(&path, &other).unwrap();
    let policy = |path: &std::path::Path| Policy::parse(&format!("book={}", path.display()));
    assert_eq!(policy(&path), policy(&other));
    assert_ne!(policy(&path), Policy::parse("book=small"));
    assert_ne!(policy(&path), Policy::parse(&format!("book={},book-best=2", path.display())));
}

#[test]
fn ties_are_kept_and_what_is_no_number_is_never_best() {
    let moves = Squares(0b1111);
    let best = |values: [f32; 4]| best_of(moves, |at| values[at.index()]).0;
    assert_eq!(best([1.0, 2.0, 2.0, 0.0]), 0b0110);
    assert_eq!(best([f32::NAN, -1.0, f32::NAN, -1.0]), 0b1010);
    assert_eq!(best([f32::NEG_INFINITY, f32::NAN, f32::NEG_INFINITY, f32::NAN]), 0b0101);
    assert_eq!(best([f32::NAN; 4]), 0b1111);
}

/// A turn with this many empty squares, or a few more, of a random game.
fn late_turn(game: u64, empty: u32) -> Turn {
    let mut ply = 0;
    let mut turn = turn(game, 0);
    while turn.position.board.empty().len() > empty {
        let next = turn.position.play(turn.pick(Kernel::available()[0], turn.moves));
        let next = if next.board.moves().is_empty() { next.pass() } else { next };
        if next.board.moves().is_empty() {
            break;
        }
        ply += 1;
        turn = Turn { position: next, moves: next.board.moves(), ply, ..turn };
    }
    turn
}

/// The best result that the side to move can reach, and the moves that reach it: plain minimax.
fn solved(board: crate::othello::Board) -> (i32, Squares) {
    let mut found = (-65, Squares::NONE);
    for at in board.moves() {
        let after = board.play(at);
        let score = if !after.moves().is_empty() {
            -solved(after).0
        } else if !after.pass().moves().is_empty() {
            solved(after.pass()).0
        } else {
            -after.margin()
        };
        if score >= found.0 {
            let ties = if score > found.0 { Squares::NONE } else { found.1 };
            found = (score, ties | at.set());
        }
    }
    found
}

#[test]
fn a_solving_player_makes_a_move_of_the_best_result_when_it_is_time() {
    let mut several = 0;
    for game in 0..200 {
        let turn = late_turn(game, 7);
        if turn.position.board.empty().len() > 7 {
            continue;
        }
        let (_, best) = solved(turn.position.board);
        let worst = Squares(turn.moves.0 & !best.0);
        // What it would play by itself is never the best.
        let else_ = if worst.is_empty() { turn.moves } else { worst };
        for kernel in Kernel::available() {
            let at = |options: &str| {
                let policy = Policy::parse(options).unwrap();
                policy.choose(kernel, &turn, |_| else_).at
            };
            assert!(best.has(at("solve=7")), "game {game}");
            assert!(else_.has(at("solve=6")), "game {game}");
            assert_eq!(at("solve=7,ties=first"), best.nth(0), "game {game}");
            assert_eq!(at("solve=9,ties=last"), best.nth(best.len() - 1), "game {game}");
            // It comes before noise, and random moves come before it.
            assert_eq!(at("solve=7,noise=1,ties=first"), best.nth(0));
            assert_eq!(at("solve=7,epsilon=1"), turn.pick(kernel, turn.moves));
        }
        several += i32::from(best.len() > 1);
    }
    assert!(several > 20, "{several}");
}
