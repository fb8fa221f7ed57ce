//! TD(λ) off-line (Vuurboom 2008, chapters 5 and 7): games are played first and learned afterwards, backwards, from the
//! positions of both sides. The games are the learner's own, those of a whole generation, or given ones.

use rayon::prelude::*;

use super::local::Learning;
use super::opponents::without_replacement;
use super::{Against, Candidate, GamesSpec, Stop, StoreSpec, TdLambdaSpec};
use crate::arena::{Arena, Kept, Stopped};
use crate::kernel::{Kernel, LARGEST_WEIGHT, Memo, NO_MOVE, Network, Sequence, Sight};
use crate::model::View;
use crate::othello::{Board, Position, Side, Square, Squares};
use crate::player::{Player, Turn};
use crate::rng::{Chance, Key, Rng, Seed, Stream};

/// Games between two looks at whether to stop.
const SLICE: u64 = 100;

/// Where a run stands, for what changes on the way.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// Games played before this generation.
    pub played: u64,
    /// Games of the run.
    pub total: u64,
}

/// A game as both sides learn from it: the boards after the moves of each, and what each got.
#[derive(Clone, Debug)]
pub struct TwoSides {
    boards: [Vec<(u64, u64)>; 2],
    rewards: [f32; 2],
}

impl TwoSides {
    /// Replays moves from the start of the game. The first side is Black.
    pub fn of(moves: &[u8], view: View) -> TwoSides {
        let mut both = TwoSides { boards: [Vec::new(), Vec::new()], rewards: [0.5; 2] };
        both.replay(moves, view);
        both
    }

    /// The same in place.
    fn replay(&mut self, moves: &[u8], view: View) {
        self.boards.iter_mut().for_each(Vec::clear);
        let mut position = Position::START;
        for &square in moves {
            let mover = position.side;
            match Square::new(usize::from(square)).filter(|_| square != NO_MOVE) {
                None => position = position.pass(),
                Some(at) => {
                    position = position.play(at);
                    let eyes = if view == View::Mover { mover } else { Side::Black };
                    let Board { own, opp } = position.seen_by(eyes);
                    self.boards[usize::from(mover == Side::White)].push((own.0, opp.0));
                }
            }
        }
        let black = (position.seen_by(Side::Black).margin().signum() as f32 + 1.0) / 2.0;
        self.rewards = if view == View::Mover { [black, 1.0 - black] } else { [black; 2] };
    }

    /// One side: 0 is Black.
    pub fn side(&self, side: usize) -> Sequence<'_> {
        Sequence { boards: &self.boards[side], reward: self.rewards[side] }
    }
}

/// A candidate at school: its network, and the way back.
struct School<'a, M> {
    candidate: &'a mut M,
    network: Network,
    view: View,
}

impl<'a, M: Candidate> School<'a, M> {
    fn new(candidate: &'a mut M) -> School<'a, M> {
        let wiring = candidate.wiring().expect("every model of a spec has a wiring");
        let network = Network::new(&wiring, candidate.params());
        let view = candidate.view();
        School { candidate, network, view }
    }

    /// Takes what was learned home; `false` if it has grown beyond all bounds.
    fn graduate(&mut self) -> bool {
        let params = self.candidate.params_mut();
        self.network.copy_params(params);
        params.iter().all(|param| param.abs() <= LARGEST_WEIGHT)
    }
}

/// Lets candidates learn, each on some thread.
fn each<M: Candidate>(
    candidates: &mut [Learning<'_, M>],
    arena: &Arena,
    teach: impl Fn(&mut Learning<'_, M>) -> Result<(), Stopped> + Sync + Send,
) -> Result<(), Stopped> {
    match arena.threads() {
        1 => candidates.iter_mut().try_for_each(teach),
        _ => arena.install(|| candidates.par_iter_mut().with_max_len(1).try_for_each(teach)),
    }
}

/// Learning from one's own games, one after the other.
pub fn learn_alone<M: Candidate>(
    spec: &TdLambdaSpec,
    candidates: &mut [Learning<'_, M>],
    teachers: &[Player],
    course: Course,
    arena: &Arena,
    stop: &Stop<'_>,
) -> Result<(), Stopped> {
    let rates = [spec.alpha as f32, spec.lambda as f32];
    let [first, last] = spec.epsilon;
    each(candidates, arena, |learning| {
        let seed = learning.seed;
        let mut school = School::new(&mut *learning.candidate);
        let (mut lesson, mut both) = (Lesson::default(), TwoSides::of(&[], school.view));
        for game in 0..spec.games {
            if game % SLICE == 0 {
                if stop() {
                    return Err(Stopped);
                }
                if !school.graduate() {
                    learning.diverged = Some(game);
                    return Ok(());
                }
            }
            let progress = (course.played + game) as f64 / course.total as f64;
            let epsilon = Chance::new(first + (last - first) * progress.min(1.0));
            // Teachers take turns, and colours alternate with each, on from the generation before.
            let turn = (course.played + game) as usize;
            let (teacher, is_first) = match spec.against {
                Against::Itself => (None, true),
                Against::Fixed => {
                    let (round, at) = (turn / teachers.len(), turn % teachers.len());
                    (Some(&teachers[at]), round.is_multiple_of(2))
                }
            };
            let key = seed.at(Stream::Learning, game);
            let table = Table { teacher, is_first, epsilon: epsilon.unwrap_or(Chance::NEVER), key };
            lesson.play(arena.kernel(), &school.network, school.view, &table);
            both.replay(&lesson.moves, school.view);
            arena.kernel().learn_sequences(
                &mut school.network,
                &[both.side(0), both.side(1)],
                rates,
            );
        }
        if !school.graduate() {
            learning.diverged = Some(spec.games);
        }
        Ok(())
    })
}

/// Who plays a game, and its luck.
struct Table<'a> {
    teacher: Option<&'a Player>,
    /// Whether the learner moves first.
    is_first: bool,
    epsilon: Chance,
    key: Key,
}

/// The game of a learner, in memory that is used again and again.
#[derive(Default)]
struct Lesson {
    moves: Vec<u8>,
    memos: [Memo; 2],
}

impl Lesson {
    fn play(&mut self, kernel: Kernel, network: &Network, view: View, table: &Table<'_>) {
        let drawn = table
            .teacher
            .filter(|teacher| teacher.is_drawn())
            .map(|teacher| teacher.drawn(table.key));
        let teacher = drawn.as_ref().or(table.teacher);
        let opening = teacher.map_or(0, |teacher| teacher.policy.opening);
        self.moves.clear();
        self.memos.iter_mut().for_each(Memo::forget);
        let (mut position, mut passed) = (Position::START, false);
        for ply in 0.. {
            let Board { own, opp } = position.board;
            let legal = kernel.moves(own.0, opp.0);
            if legal == 0 {
                if passed {
                    return;
                }
                passed = true;
                self.moves.push(NO_MOVE);
                position = position.pass();
                continue;
            }
            passed = false;
            let draw = table.key.draw(ply);
            let learns = (ply % 2 == 0) == table.is_first || teacher.is_none();
            let memo = &mut self.memos[ply as usize % 2];
            let at = match teacher {
                _ if ply < opening => kernel.pick(legal, draw),
                Some(teacher) if !learns => {
                    let turn = Turn { position, moves: Squares(legal), ply, key: table.key };
                    teacher.choose_with(kernel, &turn, memo).set().0
                }
                _ if draw.happens(table.epsilon) => kernel.pick(legal, draw),
                _ => {
                    let own_eyes = view == View::Mover || position.side == Side::Black;
                    let sight = Sight { own: own.0, opp: opp.0, moves: legal, own_eyes };
                    kernel.pick(kernel.best_of(network, memo, sight), draw)
                }
            };
            let flips = kernel.flips(own.0, opp.0, at);
            self.moves.push(at.trailing_zeros() as u8);
            let board = Board { own: Squares(opp.0 ^ flips), opp: Squares(own.0 | flips | at) };
            position = Position { board, side: !position.side };
        }
    }
}

/// Learning from the games of a whole generation: each candidate from as many sides of games as the spec says, drawn
/// without replacement, by turns a player's and an opponent's.
pub fn learn_from_store<M: Candidate>(
    spec: &StoreSpec,
    candidates: &mut [Learning<'_, M>],
    store: &[Kept],
    arena: &Arena,
    stop: &Stop<'_>,
) -> Result<(), Stopped> {
    let Some(view) = candidates.first().map(|learning| learning.candidate.view()) else {
        return Ok(());
    };
    let games: Vec<(TwoSides, bool)> =
        store.iter().map(|kept| (TwoSides::of(&kept.moves, view), kept.row_first)).collect();
    let rates = [spec.alpha as f32, spec.lambda as f32];
    each(candidates, arena, |learning| {
        if stop() {
            return Err(Stopped);
        }
        let mut rng = learning.seed.at(Stream::Learning, 0).rng();
        let mut draw = |count: usize| without_replacement(games.len(), count, &mut rng).into_iter();
        let (mut players, mut others) = (draw(spec.learned.div_ceil(2)), draw(spec.learned / 2));
        let mut school = School::new(&mut *learning.candidate);
        let (mut sum, mut count) = (0.0, 0);
        for turn in 0..spec.learned {
            let is_player = turn.is_multiple_of(2);
            let Some(at) = (if is_player { players.next() } else { others.next() }) else {
                continue;
            };
            let (both, row_first) = &games[at];
            let side = usize::from(is_player != *row_first);
            let errors =
                arena.kernel().learn_sequences(&mut school.network, &[both.side(side)], rates);
            sum += f64::from(errors[0]);
            count += 1;
        }
        learning.error = if count > 0 { sum / f64::from(count) } else { 0.0 };
        if !school.graduate() {
            learning.diverged = Some(0);
        }
        Ok(())
    })
}

/// Learning from given games, drawn anew in each generation.
pub fn learn_from_games<M: Candidate>(
    spec: &GamesSpec,
    candidates: &mut [Learning<'_, M>],
    games: &[Vec<u8>],
    arena: &Arena,
    stop: &Stop<'_>,
) -> Result<(), Stopped> {
    let rates = [spec.alpha as f32, spec.lambda as f32];
    each(candidates, arena, |learning| {
        let mut rng: Rng = learning.seed.at(Stream::Learning, 0).rng();
        let mut school = School::new(&mut *learning.candidate);
        let (mut both, mut sum) = (TwoSides::of(&[], school.view), 0.0);
        for game in 0..spec.games {
            if game % SLICE == 0 && stop() {
                return Err(Stopped);
            }
            both.replay(&games[rng.below(games.len() as u32) as usize], school.view);
            let sides = [both.side(0), both.side(1)];
            let errors = arena.kernel().learn_sequences(&mut school.network, &sides, rates);
            sum += f64::from(errors[0] + errors[1]) / 2.0;
        }
        learning.error = sum / spec.games.max(1) as f64;
        if !school.graduate() {
            learning.diverged = Some(spec.games);
        }
        Ok(())
    })
}

/// The games of players who all meet each other.
pub fn tournament(players: &[Player], meetings: usize, kernel: Kernel, seed: Seed) -> Vec<Vec<u8>> {
    let (mut games, mut table) = (Vec::new(), crate::arena::Table::default());
    for (i, a) in players.iter().enumerate() {
        for b in &players[..i] {
            for game in 0..meetings {
                let key = seed.at(Stream::Game, games.len() as u64);
                let pair = if game % 2 == 0 { [a, b] } else { [b, a] };
                let pair = pair.map(|player| match player.is_drawn() {
                    true => player.drawn(key),
                    false => player.clone(),
                });
                crate::arena::play_game(
                    kernel,
                    [&pair[0], &pair[1]],
                    Position::START,
                    key,
                    &mut table,
                );
                games.push(table.moves.clone());
            }
        }
    }
    games
}

#[cfg(test)]
mod tests;
