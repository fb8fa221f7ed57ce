//! All engines play the same games: batch kernel or single games, every kernel, any number of
//! threads.

use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;

use outflank::arena::{
    Arena, GameScratch, Keep, Meeting, Openings, PlayedGame, Tally, Unwatched, play_game,
};
use outflank::kernel::Kernel;
use outflank::othello::{Position, Square};
use outflank::player::{Colour, NAMED, Player, Turn, parse_player};
use outflank::rng::{Seed, Stream};

const SEED: Seed = Seed(4);

fn games(arena: &Arena, meetings: &[Meeting<'_>]) -> (Vec<Tally>, Vec<(usize, PlayedGame)>) {
    let mut seen = Vec::new();
    let mut see = |meeting, game| {
        seen.push((meeting, game));
        ControlFlow::Continue(())
    };
    let results = arena.play_and_keep(meetings, Keep::Games, &mut see, &Unwatched).unwrap();
    (results.tallies, seen)
}

/// Every named player as it is, and with chances of random moves.
fn laneable() -> Vec<Player> {
    let names = NAMED.iter().map(|named| named.name);
    let texts =
        names.flat_map(|name| ["", "@epsilon=0.1", "@epsilon=1"].map(|o| format!("{name}{o}")));
    let players = texts.map(|text| parse_player(&text).unwrap());
    players.filter(|player| player.lane().is_some() || player.is_drawn()).collect()
}

#[test]
fn a_random_opening_is_of_both_players_whoever_asks_for_it() {
    let arena = Arena::new(Kernel::available()[0], 1).unwrap();
    let tally = |a: &str, b: &str| {
        let (a, b) = (parse_player(a).unwrap(), parse_player(b).unwrap());
        let openings = &Openings::Start;
        games(
            &arena,
            &[Meeting { a: &a, b: &b, pairs: 100, seed: SEED, openings, colour: Colour::Both }],
        )
        .0
    };
    let asked_by_first = tally("heuristic@opening=30", "random");
    assert_eq!(asked_by_first, tally("heuristic", "random@opening=30"));
    assert_ne!(asked_by_first, tally("heuristic", "random"));
}

#[test]
fn the_batch_kernels_and_the_single_game_engine_play_the_same_games() {
    let players = laneable();
    assert!(players.len() >= 15, "{}", players.len());
    let openings = [Openings::Start, Openings::Random(9)];
    for name in Kernel::all_names() {
        let Ok(kernel) = Kernel::named(name) else {
            // Not println, which a passing test hides.
            let _ = writeln!(std::io::stderr(), "skipped: this CPU cannot run the kernel {name}");
            continue;
        };
        let arena = Arena::new(kernel, 2).unwrap();
        for (i, a) in players.iter().enumerate() {
            let b = &players[(i * 5 + 3) % players.len()];
            let meeting = Meeting {
                a,
                b,
                pairs: 20,
                seed: SEED,
                openings: &openings[i % 2],
                colour: Colour::Both,
            };
            let (_, seen) = games(&arena, &[meeting]);
            assert_eq!(seen.len(), 40);
            for (_, game) in seen {
                let pair = game.game / 2;
                let drawn = |player: &Player, seat| {
                    if player.is_drawn() {
                        player.drawn(SEED.at(Stream::Weights, 2 * pair + seat))
                    } else {
                        player.clone()
                    }
                };
                let (a, b) = (drawn(a, 0), drawn(b, 1));
                let a_is_black = game.game % 2 == 0;
                let black_first = game.start.side == outflank::othello::Side::Black;
                let players = if a_is_black == black_first { [&a, &b] } else { [&b, &a] };
                let key = SEED.at(Stream::Game, game.game);
                let mut table = GameScratch::default();
                play_game(kernel, players, game.start, key, &mut table);
                assert_eq!(
                    table.moves, game.moves,
                    "{name}: {} v {}, game {}",
                    a.name, b.name, game.game
                );
            }
        }
    }
}

#[test]
fn threads_and_kernels_change_nothing() {
    let players = [
        "lr2006@epsilon=0.1",
        "random-wpc",
        "mobility@noise=0.01",
        "random",
        "lr2006@depth=5",
        "td-greedy@depth=3,noise=0.01",
        "mobility@depth=2",
        "lr2006@solve=12",
    ]
    .map(|text| parse_player(text).unwrap());
    let openings = Openings::Random(4);
    // Sizes that split blocks and batches in odd places.
    let meetings: Vec<Meeting<'_>> = [
        (0, 1, 1500),
        (1, 3, 700),
        (2, 0, 30),
        (3, 3, 1),
        (1, 1, 5),
        (4, 5, 8),
        (5, 6, 9),
        (6, 4, 7),
        (7, 0, 20),
    ]
    .map(|(a, b, pairs)| Meeting {
        a: &players[a],
        b: &players[b],
        pairs,
        seed: Seed(pairs),
        openings: &openings,
        colour: Colour::Both,
    })
    .to_vec();
    let expected = games(&Arena::new(Kernel::named("portable").unwrap(), 1).unwrap(), &meetings);
    assert_eq!(expected.1.len(), 2 * (1500 + 700 + 30 + 1 + 5 + 8 + 9 + 7 + 20));
    for kernel in Kernel::available() {
        for threads in [1, 2, 8] {
            let found = games(&Arena::new(kernel, threads).unwrap(), &meetings);
            assert_eq!(found.0, expected.0, "{kernel:?}, {threads} threads");
            assert!(found.1 == expected.1, "{kernel:?}, {threads} threads");
        }
        let arena = Arena::new(kernel, 3).unwrap();
        // Without watching, and each meeting on its own.
        for (meeting, tally) in meetings.iter().zip(&expected.0) {
            assert_eq!(&arena.play(&[*meeting], &Unwatched).unwrap()[0], tally);
        }
    }
}

#[test]
fn two_drawn_players_of_a_pair_differ() {
    let player = parse_player("random-wpc").unwrap();
    let openings = Openings::Start;
    let meeting = Meeting {
        a: &player,
        b: &player,
        pairs: 200,
        seed: SEED,
        openings: &openings,
        colour: Colour::Both,
    };
    let (_, seen) = games(&Arena::new(Kernel::available()[0], 1).unwrap(), &[meeting]);
    // One WPC against itself would play one game twice, in all pairs.
    let same = seen.chunks(2).filter(|pair| pair[0].1.moves == pair[1].1.moves).count();
    assert!(same < 5, "{same}");
}

#[test]
fn both_games_of_a_pair_share_the_opening_and_other_pairs_have_others() {
    let (a, b) = (parse_player("heuristic").unwrap(), parse_player("random").unwrap());
    let openings = Openings::Random(10);
    let meeting =
        Meeting { a: &a, b: &b, pairs: 300, seed: SEED, openings: &openings, colour: Colour::Both };
    let (_, seen) = games(&Arena::new(Kernel::available()[0], 2).unwrap(), &[meeting]);
    assert!(seen.chunks(2).all(|pair| pair[0].1.start == pair[1].1.start));
    let starts: HashSet<_> = seen.iter().map(|(_, game)| game.start).collect();
    assert!(starts.len() > 290, "{}", starts.len());
}

#[test]
fn an_opening_has_as_many_random_plies_as_it_says() {
    let kernel = Kernel::available()[0];
    let [random, plain, other] = ["random", "lr2006", "mobility"].map(|n| parse_player(n).unwrap());
    for plies in 0..=9u32 {
        let opened = parse_player(&format!("lr2006@opening={plies}")).unwrap();
        // Games in which the last random ply differs from the players' choice, and games in which
        // the ply after it differs from the random one.
        let (mut luck, mut choice) = (0, 0);
        for (number, first) in (0..200).zip([true, false].into_iter().cycle()) {
            let key = SEED.at(Stream::Game, number);
            let (seats, minds) = if first {
                ([&opened, &other], [&plain, &other])
            } else {
                ([&other, &opened], [&other, &plain])
            };
            let mut table = GameScratch::default();
            play_game(kernel, seats, Position::START, key, &mut table);
            let mut position = Position::START;
            for (ply, &square) in (0..).zip(&table.moves) {
                let moves = position.board.moves();
                if moves.is_empty() {
                    position = position.pass();
                    continue;
                }
                let turn = Turn { position, moves, ply, key };
                let at = Square::new(square.into()).unwrap();
                let [drawn, chosen] =
                    [&random, minds[ply as usize % 2]].map(|p| p.choose(kernel, &turn));
                assert_eq!(at, if ply < plies { drawn } else { chosen }, "{plies}, ply {ply}");
                luck += u32::from(ply + 1 == plies && at != chosen);
                choice += u32::from(ply == plies && at != drawn);
                // A player's own turn says the same as the game does.
                if std::ptr::eq(seats[ply as usize % 2], &opened) {
                    assert_eq!(opened.choose(kernel, &turn), at, "{plies}, ply {ply}");
                }
                position = position.play(at);
            }
        }
        assert!(choice > 20 && (plies == 0 || luck > 20), "{plies}: {luck} {choice}");
    }
}
