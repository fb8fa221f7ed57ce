//! The shortest games. No game ends before the ninth ply; 228 end at it, 57 after each first move,
//! all because White has no disc left.

use outflank_game::othello::{Position, Side, Square, parse_game};

/// Calls `ended` with the moves and the last position of every game that ends within `depth` plies.
fn ended_games(
    position: Position,
    depth: usize,
    moves: &mut Vec<Square>,
    ended: &mut impl FnMut(&[Square], Position),
) {
    let legal = position.board.moves();
    if legal.is_empty() {
        if position.board.is_over() {
            ended(moves, position);
        } else if depth > 0 {
            ended_games(position.pass(), depth - 1, moves, ended);
        }
        return;
    }
    if depth == 0 {
        return;
    }
    for at in legal {
        moves.push(at);
        ended_games(position.play(at), depth - 1, moves, ended);
        moves.pop();
    }
}

#[test]
fn exactly_228_games_end_by_the_ninth_ply_and_white_is_wiped_out() {
    let mut by_first_move = [0; 64];
    ended_games(Position::START, 9, &mut Vec::new(), &mut |moves, last| {
        assert_eq!(moves.len(), 9, "{moves:?}");
        let (black, white) = (last.seen_by(Side::Black).own, last.seen_by(Side::White).own);
        assert_eq!((black.len(), white.len()), (13, 0), "{moves:?}");
        assert_eq!(last.seen_by(Side::Black).margin(), 64);
        by_first_move[moves[0].index()] += 1;
    });
    let mut expected = [0; 64];
    for first in ["d3", "c4", "f5", "e6"] {
        expected[first.parse::<Square>().unwrap().index()] = 57;
    }
    assert_eq!(by_first_move, expected);
    assert_eq!(by_first_move.iter().sum::<i32>(), 228);
}

#[test]
fn a_known_shortest_game_ends_thirteen_to_nothing() {
    let game = parse_game("e6f4e3f6g5d6e7f5c5").unwrap();
    assert!(game.is_over());
    let board = game.position().seen_by(Side::Black);
    assert_eq!((board.own.len(), board.opp.len()), (13, 0));
    assert_eq!(game.margin(Side::Black), 64);
}
