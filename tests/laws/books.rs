//! Games and runs with an opening book are the same with every kernel and number of threads.

use std::ops::ControlFlow;

use outflank::arena::{Arena, Keep, Meeting, Openings, PlayedGame, Unwatched};
use outflank::book::open_book;
use outflank::kernel::Kernel;
use outflank::learn::{Run, resolve, step};
use outflank::model::{Model, Wpc};
use outflank::othello::{Position, Square};
use outflank::player::{Colour, parse_player};
use outflank::rng::Seed;

fn arenas() -> impl Iterator<Item = Arena> {
    let kernels = Kernel::available().into_iter();
    kernels.flat_map(|kernel| [1, 2, 3].map(|threads| Arena::new(kernel, threads).unwrap()))
}

#[test]
fn games_from_a_book_are_the_same_everywhere_and_begin_in_it() {
    let book = open_book("small").unwrap();
    let (a, b) = (parse_player("lr2006@book=small").unwrap(), parse_player("td-greedy").unwrap());
    let openings = Openings::Start;
    let meeting = Meeting {
        a: &a,
        b: &b,
        pairs: 150,
        seed: Seed(7),
        openings: &openings,
        colour: Colour::Both,
    };
    let mut first: Option<Vec<PlayedGame>> = None;
    for arena in arenas() {
        let mut games = Vec::new();
        let mut see = |_, game| {
            games.push(game);
            ControlFlow::Continue(())
        };
        arena.play_and_keep(&[meeting], Keep::Games, &mut see, &Unwatched).unwrap();
        assert!(*first.get_or_insert_with(|| games.clone()) == games);
    }
    // While the position is in the book, its player makes one of the best three moves.
    let (mut from_book, mut different) = (0, std::collections::BTreeSet::new());
    for game in first.unwrap() {
        let (mut position, a_is_black) = (Position::START, game.game.is_multiple_of(2));
        for (ply, &index) in game.moves.iter().enumerate().take(30) {
            let Some(at) = Square::new(index.into()) else {
                position = position.pass();
                continue;
            };
            let found = book.find(position.board).unwrap();
            if let Some(found) = found.filter(|_| (ply % 2 == 0) == a_is_black) {
                assert!(found.moves().take(3).any(|line| line.squares.has(at)), "{at}");
                from_book += 1;
                different.insert((ply, at));
            }
            position = position.play(at);
        }
    }
    assert!(from_book > 300 && different.len() > 10, "{from_book} {different:?}");
}

#[test]
fn runs_with_a_book_are_the_same_everywhere() {
    let learned = |sets: &[&str], arena: &Arena| {
        let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
        let spec = resolve("rsel", &sets).unwrap().spec;
        let mut run = Run::<Wpc>::new(spec, Seed(3)).unwrap();
        for _ in 0..2 {
            assert_eq!(step(&mut [&mut run], arena, &|| false), [Ok(())]);
        }
        run.champion().params().to_vec()
    };
    let small = ["opponents.random-wpc.number=8", "search.mu=4", "search.lambda=4"];
    let with_book = [&small[..], &["policy.book='small'"]].concat();
    let mut first: Option<Vec<f32>> = None;
    for arena in arenas() {
        let champion = learned(&with_book, &arena);
        assert_eq!(*first.get_or_insert_with(|| champion.clone()), champion);
    }
    let arena = Arena::new(Kernel::available()[0], 1).unwrap();
    assert_ne!(learned(&small, &arena), first.unwrap(), "the book changes the games");
}
