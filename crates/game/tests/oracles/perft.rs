//! Sizes of the game tree: published ones from the start, and the array engine's from elsewhere.

use outflank_game::othello::{Board, Convention, Position, Squares, perft};

use crate::array::ArrayPosition;
use crate::{Style, each_kernel, game_key, position_after};

/// Leaves at depths 1 to 10 as Aart Bik ("Perft for Reversi", 2009) and as Edax count them. They
/// differ once games have ended: the 228 shortest, at ply 9.
const PUBLISHED: [(u64, u64); 10] = [
    (4, 4),
    (12, 12),
    (56, 56),
    (244, 244),
    (1_396, 1_396),
    (8_200, 8_200),
    (55_092, 55_092),
    (390_216, 390_216),
    (3_005_288, 3_005_288),
    (24_571_284, 24_571_056),
];

const CONVENTIONS: [(Convention, u64); 2] = [(Convention::Bik, 1), (Convention::Edax, 0)];

#[test]
fn all_kernels_count_the_published_trees() {
    each_kernel(|kernel| {
        for (&(bik, edax), depth) in PUBLISHED.iter().zip(1..) {
            let count = |convention| perft(kernel, Board::START, depth, convention);
            assert_eq!(count(Convention::Bik), bik, "{kernel:?}, depth {depth}, Bik");
            assert_eq!(count(Convention::Edax), edax, "{kernel:?}, depth {depth}, Edax");
        }
    });
}

#[test]
fn the_array_engine_counts_the_published_trees() {
    for (&(bik, edax), depth) in PUBLISHED.iter().zip(1..=7) {
        let start = ArrayPosition::start();
        assert_eq!((start.perft(depth, 1), start.perft(depth, 0)), (bik, edax), "depth {depth}");
    }
}

/// The trees from the start hardly reach the edges and never the corners; these do.
#[test]
fn all_kernels_count_late_trees_as_the_array_engine_does() {
    let trees = late_trees();
    let count = |test: fn(&Tree) -> bool| trees.iter().filter(|tree| test(tree)).count();
    let corners = count(|tree| !(tree.board.moves() & Squares::CORNERS).is_empty());
    let passes = count(|tree| is_stuck(tree.board));
    let ends = count(|tree| tree.leaves[0] != tree.leaves[1]);
    println!(
        "{} trees, {corners} with a corner to take, {passes} below a pass, {ends} with an end",
        trees.len()
    );
    assert!(corners > 30 && passes > 30 && ends > 10);
    each_kernel(|kernel| {
        for Tree { board, depth, leaves } in &trees {
            let counted =
                CONVENTIONS.map(|(convention, _)| perft(kernel, *board, *depth, convention));
            assert_eq!(counted, *leaves, "{kernel:?}, depth {depth} from {board:?}");
        }
    });
}

struct Tree {
    board: Board,
    depth: u32,
    /// By [`CONVENTIONS`].
    leaves: [u64; 2],
}

/// From plies 40 to 57: five games each, and positions of more games where a side must pass.
fn late_trees() -> Vec<Tree> {
    let plies_and_games =
        |games: u64| (40..=57).flat_map(move |ply| (0..games).map(move |game| (ply, game)));
    let any = plies_and_games(5).map(|(ply, game)| {
        (ply, position_after(ply, game_key(100 * game + u64::from(ply)), Style::Uniform))
    });
    let stuck = plies_and_games(100)
        .map(|(ply, game)| (ply, position_after(ply, game_key(game), Style::Squeezing)))
        .filter(|(_, position)| is_stuck(position.board));
    any.chain(stuck).map(|(ply, position)| late_tree(ply, position)).collect()
}

fn late_tree(ply: u32, position: Position) -> Tree {
    let depth = if ply < 48 { 5 } else { 6 };
    let slow = ArrayPosition::from(position);
    let leaves = CONVENTIONS.map(|(_, ended)| slow.perft(depth, ended));
    Tree { board: position.board, depth, leaves }
}

fn is_stuck(board: Board) -> bool {
    board.moves().is_empty() && !board.is_over()
}
