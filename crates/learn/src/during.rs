//! Fitness games in which candidates learn. Each candidate plays its games one after the other, so
//! that it plays each with what it learned in the games before. Candidates do not wait for each
//! other.

use rayon::prelude::*;

use super::local::During;
use super::{Candidate, Halt};
use crate::Stop;
use outflank_arena::{
    Arena, Bout, GameScratch, KeptGame, Payoff, Plan, Playing, Step, Stopped, play,
};
use outflank_game::othello::{Position, Side, Square};
use outflank_game::player::{Player, Turn};
use outflank_kernel::Kernel;

/// A finished game, from the candidate's point of view.
struct Played {
    bout: Bout,
    margin: i32,
    moves: Vec<u8>,
}

/// Plays all fixtures, like [`Arena::meet_and_keep`], but the rows are candidates that learn.
pub fn meet_and_learn<M: Candidate, P: AsRef<Player> + Sync>(
    during: &dyn During<M>,
    candidates: &mut [M],
    columns: &[P],
    plan: Plan<'_>,
    arena: &Arena,
    stop: &Stop<'_>,
) -> Result<(Payoff, Vec<KeptGame>), Halt> {
    let rows = candidates.len();
    let mut bouts: Vec<Vec<Bout>> = vec![Vec::new(); rows];
    for bout in plan.bouts(rows, columns.len()) {
        bouts[bout.row].push(bout);
    }
    let mut fixtures: Vec<(&mut M, Vec<Bout>)> = candidates.iter_mut().zip(bouts).collect();
    let kernel = arena.kernel();
    let meet = |(candidate, bouts): &mut (&mut M, Vec<Bout>)| {
        let mut table = GameScratch::default();
        let games = (1..).zip(bouts.iter()).map(|(game, bout)| {
            if stop.stop() {
                return Err(Halt::from(Stopped));
            }
            let opponent = columns[bout.column].as_ref();
            let margin = play_bout(during, *candidate, opponent, bout, kernel, &mut table);
            if !candidate.params().iter().all(|param| param.is_finite()) {
                return Err(Halt::Diverged(game));
            }
            Ok(Played { bout: *bout, margin, moves: table.moves.clone() })
        });
        games.collect::<Result<Vec<Played>, Halt>>()
    };
    let played: Vec<Vec<Played>> = match arena.threads() {
        1 => fixtures.iter_mut().map(meet).collect::<Result<_, _>>()?,
        _ => arena.install(|| {
            fixtures.par_iter_mut().with_max_len(1).map(meet).collect::<Result<_, _>>()
        })?,
    };
    let margins = played.iter().flatten().map(|game| (&game.bout, game.margin));
    let payoff = plan.payoff(rows, columns.len(), margins);
    let keep = |game: Played| KeptGame { row_first: game.bout.row_first, moves: game.moves };
    Ok((payoff, played.into_iter().flatten().map(keep).collect()))
}

/// Plays a game and returns the candidate's margin.
fn play_bout<M>(
    during: &dyn During<M>,
    candidate: &mut M,
    opponent: &Player,
    bout: &Bout,
    kernel: Kernel,
    table: &mut GameScratch,
) -> i32 {
    table.clear();
    let side = if bout.row_first { Side::Black } else { Side::White };
    let seat = during.seat(candidate, side);
    let opening = opponent.policy.opening;
    let mut lesson = Lesson { seat, side, opponent, table };
    play(kernel, Position::START, bout.key, opening, &mut lesson).seen_by(side).margin()
}

/// A learning candidate and its opponent.
struct Lesson<'a> {
    seat: Box<dyn Playing + 'a>,
    side: Side,
    opponent: &'a Player,
    table: &'a mut GameScratch,
}

impl Playing for Lesson<'_> {
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        if turn.position.side == self.side {
            return self.seat.choose(kernel, turn);
        }
        self.opponent.choose_with(kernel, turn, self.table.memo(turn.ply))
    }

    fn observe(&mut self, step: &Step) {
        self.table.note(step);
        self.seat.observe(step);
    }
}
