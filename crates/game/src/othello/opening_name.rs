//! The names of well-known openings: facts of the Othello world, up to symmetry.
//!
//! A name belongs to a position, so that another order of the same moves has it too.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Board, Game, Ply, Symmetry, parse_game};

/// A well-known opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its name.
    pub name: &'static str,
    /// Its moves, from the first.
    pub moves: &'static str,
}

/// The openings, with f5 as the first move.
#[rustfmt::skip]
pub const OPENINGS: &[Opening] = &[
    at("f5f4", "Parallel"),
    at("f5f6", "Diagonal"),
    at("f5d6", "Perpendicular"),
    at("f5f6e6f4g7", "X-square"),
    at("f5f6e6f4g6", "Snake"),
    at("f5f6e6f4g5", "Heath"),
    at("f5f6e6f4g5d6", "Heath-Chimney"),
    at("f5f6e6f4g5e7e3", "Heath-Bat"),
    at("f5f6e6f4g4", "Raccoon Dog"),
    at("f5f6e6f4g3", "Hamilton"),
    at("f5f6e6f4g3f3g4", "Lollipop"),
    at("f5f6e6f4e3", "Cow"),
    at("f5f6e6f4e3d6", "Chimney"),
    at("f5f6e6f4e3c5g5", "Bat"),
    at("f5f6e6f4e3c5c4", "Rose v Toth"),
    at("f5f6e6f4e3c5c4e7", "Tanida"),
    at("f5f6e6f4e3c5c4e7g4", "Aircraft"),
    at("f5f6e6f4e3c5c4e7b5e2", "Sailboat"),
    at("f5f6e6f4e3c5c4d3f3e2", "Maruoka"),
    at("f5f6e6f4e3c5c4d3c3", "Landau"),
    at("f5f6e6f4c3", "Buffalo"),
    at("f5f6e6f4c3d7f3", "Maruoka Buffalo"),
    at("f5f6e6f4c3d6f3c4c5b4", "Tanida Buffalo"),
    at("f5f6e6f4c3c4", "Hokuriku Buffalo"),
    at("f5f6d3f4", "Wing"),
    at("f5f6c4f4", "Semi-Wing"),
    at("f5d6c5f4e3d3", "Mimura"),
    at("f5d6c5f4e3c6f3", "Shaman"),
    at("f5d6c5f4e3c6e6", "Inoue"),
    at("f5d6c5f4e3c6e6f6", "Iago"),
    at("f5d6c5f4e3c6d7", "Bhagat"),
    at("f5d6c5f4e3c6d3f3", "Ralle"),
    at("f5d6c5f4e3c6d3f6e6d7", "Rose"),
    at("f5d6c5f4e3c6d3f6e6d7e7", "Greenberg"),
    at("f5d6c5f4e3c6d3f6e6d7g3c4", "Rose-Birth"),
    at("f5d6c5f4e3c6d3f6e6d7g3c4b4", "Rose-Tamenori"),
    at("f5d6c5f4e3c6d3f6e6d7g3c4b4c3", "Rose-Tamenori-Kling"),
    at("f5d6c5f4e3c6d3f6e6d7g3c4g5c3b4e2", "Brightstein"),
    at("f5d6c5f4e3c6d3f6e6d7g4", "Flat"),
    at("f5d6c5f4e3c6d3f6e6d7g4c4", "Rotating Flat"),
    at("f5d6c5f4e3c6d3f6e6d7g4c4g6", "Murakami"),
    at("f5d6c5f4d3", "Horse"),
    at("f5d6c4g5", "No-Cat"),
    at("f5d6c4g5c6", "Swallow"),
    at("f5d6c4d3e6", "Italian"),
    at("f5d6c4d3c5", "Cat"),
    at("f5d6c4d3c5f4e3f3c2c6", "Sakaguchi"),
    at("f5d6c4d3c5f4e3f3c2b4b3", "Berner"),
    at("f5d6c3g5", "Ganglion"),
    at("f5d6c3d3c4", "Tiger"),
    at("f5d6c3d3c4b3", "Aubrey"),
    at("f5d6c3d3c4f4e6", "Leader's Tiger"),
    at("f5d6c3d3c4f4e3", "Brightwell"),
    at("f5d6c3d3c4f4f6", "Stephenson"),
    at("f5d6c3d3c4f4f6f3", "Comp'Oth"),
    at("f5d6c3d3c4f4f6g5", "No-Kung"),
    at("f5d6c3d3c4f4f6b4", "Kung"),
    at("f5d6c3d3c4f4c5b3c2", "Rose-Bill"),
    at("f5d6c3d3c4f4c5b3c2e6", "Tamenori"),
    at("f5d6c3d3c4f4c5b4b5c6f3e6e3", "Ishii"),
    at("f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3", "Main line of the Tiger"),
];

const fn at(moves: &'static str, name: &'static str) -> Opening {
    Opening { name, moves }
}

/// A board that all boards symmetric to it share.
fn canonical(board: Board) -> (u64, u64) {
    let seen = Symmetry::ALL.map(|symmetry| {
        let Board { own, opp } = symmetry.board(board);
        (own.0, opp.0)
    });
    seen.into_iter().min().unwrap_or_default()
}

static BY_BOARD: LazyLock<HashMap<(u64, u64), &'static Opening>> = LazyLock::new(|| {
    let board =
        |opening: &Opening| parse_game(opening.moves).ok().map(|game| game.position().board);
    let known = OPENINGS.iter().filter_map(|opening| Some((canonical(board(opening)?), opening)));
    known.collect()
});

/// The opening of a game: the last of its positions that has a name, and how many moves led to it.
/// `None` for a game from another start.
pub fn opening_of(game: &Game) -> Option<(&'static Opening, usize)> {
    let mut position = game.start();
    if position != super::Position::START {
        return None;
    }
    let (mut found, mut moves) = (None, 0);
    for ply in game.plies() {
        position = match ply {
            Ply::Place(at) => {
                moves += 1;
                position.play(*at)
            }
            Ply::Pass => position.pass(),
        };
        if let Some(opening) = BY_BOARD.get(&canonical(position.board)) {
            found = Some((*opening, moves));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_is_a_game_and_no_two_have_a_board() {
        for opening in OPENINGS {
            let game =
                parse_game(opening.moves).unwrap_or_else(|error| panic!("{opening:?}: {error}"));
            let (found, moves) = opening_of(&game).unwrap();
            assert_eq!((found, 2 * moves), (opening, opening.moves.len()));
        }
        assert_eq!(BY_BOARD.len(), OPENINGS.len());
    }

    #[test]
    fn a_name_holds_for_all_first_moves_and_orders_and_lasts() {
        let name =
            |moves: &str| opening_of(&parse_game(moves).unwrap()).map(|(of, at)| (of.name, at));
        assert_eq!(name(""), None);
        assert_eq!(name("f5"), None);
        for tiger in ["f5d6c3d3c4", "c4e3f6e6f5", "d3c5f6f5e6", "e6f4c3c4d3"] {
            assert_eq!(name(tiger), Some(("Tiger", 5)), "{tiger}");
        }
        // The moves to c4 and c3 in the other order.
        assert_eq!(name("f5d6c4d3c3"), Some(("Tiger", 5)));
        assert_eq!(name("f5d6c3d3c4f4e6b3"), Some(("Leader's Tiger", 7)));
    }
}
