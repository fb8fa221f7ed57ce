//! Names of a few openings that all players know.

use outflank_game::othello::{Game, Ply, Position, Square, Symmetry};

/// As they are played after f5; the other three first moves are the same by symmetry.
const NAMES: [(&str, &str); 9] = [
    ("f5f6", "diagonal"),
    ("f5d6", "perpendicular"),
    ("f5f4", "parallel"),
    ("f5d6c3d3c4", "tiger"),
    ("f5d6c5f4e3c6d3f6e6d7", "rose"),
    ("f5f6e6f4g5", "heath"),
    ("f5f6e6f4c3", "buffalo"),
    ("f5f6e6f4e3", "cow"),
    ("f5f6e6f4g6", "snake"),
];

/// The name of the opening of a game: that of the longest beginning that has one.
pub fn name(game: &Game) -> Option<&'static str> {
    if game.start() != Position::START {
        return None;
    }
    let moves: Vec<Square> = game
        .plies()
        .iter()
        .filter_map(|ply| match ply {
            Ply::Place(at) => Some(*at),
            Ply::Pass => None,
        })
        .collect();
    let seen = |symmetry: Symmetry| -> String {
        moves.iter().take(10).map(|at| symmetry.square(*at).to_string()).collect()
    };
    // Those of the eight that take the start to itself.
    let at_start =
        |symmetry: &Symmetry| symmetry.board(Position::START.board) == Position::START.board;
    let seen: Vec<String> = Symmetry::ALL.into_iter().filter(at_start).map(seen).collect();
    let played = |(moves, _): &&(&str, &str)| seen.iter().any(|seen| seen.starts_with(moves));
    NAMES.iter().filter(played).max_by_key(|(moves, _)| moves.len()).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::othello::parse_game;

    #[test]
    fn openings_have_names_whatever_the_first_move() {
        let named = |moves: &str| name(&parse_game(moves).unwrap());
        for (moves, expected) in NAMES {
            assert_eq!(named(moves), Some(expected), "{moves}");
        }
        assert_eq!(named("c4e3f6e6f5"), Some("tiger"));
        assert_eq!(named("d3c5f6f5e6"), Some("tiger"));
        assert_eq!(named("f5d6c3d3c4f4"), Some("tiger"));
        assert_eq!((named("f5"), named("f5d6c4")), (None, Some("perpendicular")));
        assert_eq!(name(&Game::from(Position::START.pass())), None);
    }
}
