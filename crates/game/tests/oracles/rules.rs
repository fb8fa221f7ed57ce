//! The library and its kernels against the array engine, position by position.

use outflank_game::othello::{Game, Ply, Position, Side, Squares, Why};
use outflank_kernel::Kernel;

use crate::array::{ArrayPosition, Colour, Spot, square};
use crate::{Style, each_kernel, game_key};

const GAMES: u64 = 3000;

/// Counts of what the games contained, so that the test cannot pass without any cases.
#[derive(Debug, Default)]
struct Seen {
    passes: usize,
    wipe_outs: usize,
    unfilled: usize,
    draws: usize,
}

#[test]
fn random_games_are_the_array_engines_games() {
    let mut seen = Seen::default();
    for index in 0..GAMES {
        let style = if index % 2 == 0 { Style::Uniform } else { Style::Squeezing };
        compare_game(index, style, &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.passes > 1000 && seen.wipe_outs > 5 && seen.unfilled > 20 && seen.draws > 10);
}

/// Plays one game in both engines, and compares what they say at every ply.
fn compare_game(index: u64, style: Style, seen: &mut Seen) {
    let key = game_key(index);
    let mut game = Game::default();
    let mut slow = ArrayPosition::start();
    let mut plies = Vec::new();
    while !slow.is_over() {
        if slow.moves().is_empty() {
            compare_position(game_position_before_pass(&game), &slow);
            slow = slow.pass();
            plies.push(Ply::Pass);
            seen.passes += 1;
        }
        let position = game.position();
        compare_position(position, &slow);
        assert!(!game.is_over());
        let at = style.choose(position, key, plies.len() as u32);
        slow = slow.play((at.row(), at.column()));
        game.play(at).unwrap();
        plies.push(Ply::Place(at));
    }
    compare_position(game.position(), &slow);
    assert!(game.is_over());
    assert_eq!(game.plies(), plies);
    let margin = slow.margin(Colour::Black);
    assert_eq!((game.margin(Side::Black), game.margin(Side::White)), (margin, -margin));
    let (black, white) = (slow.discs(Colour::Black), slow.discs(Colour::White));
    seen.wipe_outs += usize::from(black == 0 || white == 0);
    seen.unfilled += usize::from(black + white < 64);
    seen.draws += usize::from(margin == 0);
}

/// The game has passed already; a second pass gives back the position of the stuck side.
fn game_position_before_pass(game: &Game) -> Position {
    assert_eq!(game.plies().last(), Some(&Ply::Pass));
    game.position().pass()
}

fn compare_position(position: Position, slow: &ArrayPosition) {
    assert_eq!(ArrayPosition::from(position), *slow);
    let board = position.board;
    let moves = set_of(&slow.moves());
    assert_eq!(board.moves(), moves, "{board:?}");
    let over = slow.is_over();
    assert_eq!(board.is_over(), over, "{board:?}");
    for spot in ArrayPosition::spots() {
        let at = square(spot);
        let empty = slow.cells[spot.0][spot.1].is_none();
        let turned = set_of(&slow.turned_by(spot));
        let verdict = match (empty, turned.is_empty()) {
            (_, false) => None,
            _ if over => Some(Why::GameOver),
            (false, true) => Some(Why::Occupied),
            (true, true) => Some(Why::TurnsNothing),
        };
        assert_eq!(position.check(at).err().map(|illegal| illegal.why), verdict, "{at} {board:?}");
        assert_eq!(board.empty().has(at), empty);
        if empty {
            assert_eq!(board.flips(at), turned, "{at} {board:?}");
        }
    }
}

#[test]
fn all_kernels_know_the_moves_and_flips_of_the_array_engine() {
    each_kernel(|kernel| {
        for index in 0..GAMES / 10 {
            let (key, mut position) = (game_key(index), Position::START);
            let mut ply = 0;
            while !position.board.is_over() {
                compare_kernel(kernel, position);
                position = if position.board.moves().is_empty() {
                    position.pass()
                } else {
                    position.play(Style::Squeezing.choose(position, key, ply))
                };
                ply += 1;
            }
            compare_kernel(kernel, position);
        }
    });
}

fn compare_kernel(kernel: Kernel, position: Position) {
    let slow = ArrayPosition::from(position);
    let (own, opp) = (position.board.own.0, position.board.opp.0);
    let moves = set_of(&slow.moves()).0;
    assert_eq!(kernel.moves(own, opp), moves, "{kernel:?} {position:?}");
    for spot in ArrayPosition::spots().filter(|spot| slow.cells[spot.0][spot.1].is_none()) {
        let (at, turned) = (square(spot), set_of(&slow.turned_by(spot)).0);
        let flips = kernel.flips(own, opp, at.set().0);
        assert_eq!(flips, turned, "{kernel:?} {at} {position:?}");
    }
}

fn set_of(spots: &[Spot]) -> Squares {
    spots.iter().fold(Squares::NONE, |set, &spot| set | square(spot).set())
}
