//! Solving the positions of a book that are near enough to the end.

use outflank_arena::{Arena, News, Watch};
use outflank_game::book::{Key, Table};
use outflank_game::othello::{Square, Squares};
use outflank_kernel::{Aim, Kernel, Solver};

use super::build::BookBuildError;

/// Memory of a solver for what it found: enough for the few empty squares of a book.
const TABLE_BYTES: usize = 1 << 20;
/// Positions that a thread solves at a time.
const PIECE: usize = 64;

/// A solved position: its score, and all best moves.
type Solution = (Key, i32, Vec<Square>);

/// Solves all positions with this many empty squares or fewer, and marks them as proved.
pub(super) fn solve(
    table: &mut Table,
    empties: u32,
    arena: &Arena,
    watch: &dyn Watch,
) -> Result<(), BookBuildError> {
    let near = |key: &Key| 64 - key.discs() <= empties;
    let keys: Vec<Key> = table.positions().map(|(key, ..)| key).filter(near).collect();
    if !keys.is_empty() {
        watch.tell(News::Part("solving the positions near the end"));
    }
    let mut solved: Vec<Solution> = Vec::with_capacity(keys.len());
    let pieces: Vec<&[Key]> = keys.chunks(PIECE).collect();
    // A round is short enough to be stopped after.
    for round in pieces.chunks(4 * arena.threads()) {
        let piece = |number: u64| solve_some(round[number as usize], arena.kernel(), watch);
        for some in arena.share(0..round.len() as u64, piece) {
            solved.extend(some?);
        }
    }
    table.prove(&solved);
    Ok(())
}

fn solve_some(
    keys: &[Key],
    kernel: Kernel,
    watch: &dyn Watch,
) -> Result<Vec<Solution>, BookBuildError> {
    let failed = |error| BookBuildError::Memory(format!("{error}"));
    let mut solver = Solver::new(kernel, TABLE_BYTES).map_err(failed)?;
    let one = |key: &Key| {
        let board = key.board();
        let solved = solver.solve(board.own.0, board.opp.0, Aim::Exact, &|_| watch.stop());
        let solved = solved.map_err(|_| BookBuildError::Stopped)?;
        Ok((*key, solved.score, Squares(solved.best).collect()))
    };
    keys.iter().map(one).collect()
}
