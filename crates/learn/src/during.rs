//! Fitness games in which candidates learn. Each candidate plays its games one after the other, so
//! that it plays each with what it learned in the games before. Candidates do not wait for each
//! other. One that diverges in a game goes back to what it was before it, and learns no more in
//! this generation: the run goes on.

use rayon::prelude::*;

use super::local::{During, Place};
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

/// A candidate that diverged, and in which of its games, counted from 1.
type Diverged = Option<(usize, usize)>;

/// The games of candidates that learned.
pub struct Met {
    /// The results.
    pub payoff: Payoff,
    /// The games.
    pub games: Vec<KeptGame>,
    /// The candidates that diverged, and in which of their games, counted from 1.
    pub diverged: Vec<(usize, usize)>,
}

/// Plays all fixtures, like [`Arena::meet_and_keep`], but the rows are candidates that learn.
pub fn meet_and_learn<M: Candidate, P: AsRef<Player> + Sync>(
    during: &dyn During<M>,
    candidates: &mut [M],
    columns: &[P],
    plan: Plan<'_>,
    arena: &Arena,
    stop: &Stop<'_>,
) -> Result<Met, Halt> {
    let rows = candidates.len();
    let mut bouts: Vec<Vec<Bout>> = vec![Vec::new(); rows];
    for bout in plan.bouts(rows, columns.len()) {
        bouts[bout.row].push(bout);
    }
    // What is learned as Black must not wait for White until the end.
    bouts.iter_mut().for_each(alternate);
    let mut fixtures: Vec<(usize, (&mut M, Vec<Bout>))> =
        candidates.iter_mut().zip(bouts).enumerate().collect();
    let (kernel, limit) = (arena.kernel(), during.diverges_beyond());
    let meet = |(index, (candidate, bouts)): &mut (usize, (&mut M, Vec<Bout>))| {
        let (mut table, mut diverged, mut before) = (GameScratch::default(), None, Vec::new());
        let games = (1..).zip(bouts.iter()).map(|(game, bout)| {
            if stop.stop() {
                return Err(Halt::from(Stopped));
            }
            let opponent = columns[bout.column].as_ref();
            let side = if bout.row_first { Side::Black } else { Side::White };
            let place = Place { kernel, index: *index, side, learns: diverged.is_none() };
            before.clear();
            before.extend_from_slice(candidate.params());
            let margin = play_bout(during, *candidate, opponent, bout, place, &mut table);
            if place.learns && !candidate.params().iter().all(|param| param.abs() < limit) {
                candidate.params_mut().copy_from_slice(&before);
                diverged = Some((*index, game));
            }
            Ok(Played { bout: *bout, margin, moves: table.moves.clone() })
        });
        let games = games.collect::<Result<Vec<Played>, Halt>>()?;
        Ok((games, diverged))
    };
    let played: Vec<(Vec<Played>, Diverged)> = match arena.threads() {
        1 => fixtures.iter_mut().map(meet).collect::<Result<_, Halt>>()?,
        _ => arena.install(|| {
            fixtures.par_iter_mut().with_max_len(1).map(meet).collect::<Result<_, Halt>>()
        })?,
    };
    let (played, diverged): (Vec<Vec<Played>>, Vec<_>) = played.into_iter().unzip();
    let margins = played.iter().flatten().map(|game| (&game.bout, game.margin));
    let payoff = plan.payoff(rows, columns.len(), margins);
    let keep = |game: Played| KeptGame { row_first: game.bout.row_first, moves: game.moves };
    let games = played.into_iter().flatten().map(keep).collect();
    Ok(Met { payoff, games, diverged: diverged.into_iter().flatten().collect() })
}

/// Takes turns with the colours, as long as there are games of both.
fn alternate(bouts: &mut Vec<Bout>) {
    let (black, white): (Vec<Bout>, Vec<Bout>) = bouts.iter().partition(|bout| bout.row_first);
    let (mut black, mut white) = (black.into_iter(), white.into_iter());
    bouts.clear();
    loop {
        let before = bouts.len();
        bouts.extend(black.next());
        bouts.extend(white.next());
        if bouts.len() == before {
            return;
        }
    }
}

/// Plays a game and returns the candidate's margin.
fn play_bout<M>(
    during: &dyn During<M>,
    candidate: &mut M,
    opponent: &Player,
    bout: &Bout,
    place: Place,
    table: &mut GameScratch,
) -> i32 {
    table.clear();
    let Place { kernel, side, .. } = place;
    let seat = during.seat(candidate, place);
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

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_arena::Fixtures;
    use outflank_game::player::Colour;
    use outflank_kernel::rng::Seed;

    #[test]
    fn colours_take_turns_and_no_game_is_lost() {
        let turns = |games, colour| {
            let plan = Plan { fixtures: &Fixtures::All, games, colour, seed: Seed(1) };
            let mut bouts = plan.bouts(1, 2);
            let mut keys: Vec<u64> = bouts.iter().map(|bout| bout.key.0).collect();
            alternate(&mut bouts);
            let mut after: Vec<u64> = bouts.iter().map(|bout| bout.key.0).collect();
            keys.sort_unstable();
            after.sort_unstable();
            assert_eq!(keys, after);
            bouts.iter().map(|bout| (bout.column, bout.row_first)).collect::<Vec<_>>()
        };
        let (black, white) = (true, false);
        assert_eq!(
            turns(4, Colour::Both),
            [0, 0, 1, 1].map(|column| [(column, black), (column, white)]).concat()
        );
        assert_eq!(turns(1, Colour::Both), [(0, black), (1, white)]);
        assert_eq!(turns(2, Colour::White), [(0, white), (0, white), (1, white), (1, white)]);
    }
}
