//! Games move by move: what every move was worth to a player that looks ahead, or exactly where
//! the end can be solved, and what the move that was made lost.

use outflank_arena::{Stopped, Watch};
use outflank_game::othello::{Board, Game, Ply, Position, Side, Square, Squares};
use outflank_game::player::{MoveValue, Player, Turn};
use outflank_kernel::rng::{Seed, Stream};
use outflank_kernel::{Aim, Kernel, Solver};

/// Who judges moves, and how far it looks.
#[derive(Clone, Copy, Debug)]
pub struct Analyst<'a> {
    /// The kernel.
    pub kernel: Kernel,
    /// The player; not one that draws its moves.
    pub player: &'a Player,
    /// How many moves it looks ahead, at least 1.
    pub depth: u32,
    /// With this many empty squares or fewer, moves are solved to the end; 0 for never.
    pub solve: u32,
}

/// A position of a game, and what its moves are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The number of the move in the game, from 1; passes are none.
    pub number: u32,
    /// The position.
    pub position: Position,
    /// The move that was made, if any was.
    pub played: Option<Square>,
    /// What each legal move is worth to the side to move, in square order.
    pub moves: Vec<(Square, MoveValue)>,
    /// Whether these are the results of the game with perfect play.
    pub is_exact: bool,
}

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The first 20 moves: 41 empty squares or more.
    Opening,
    /// The next 20: 21 to 40.
    Midgame,
    /// The last 20.
    Endgame,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Midgame, Phase::Endgame];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Midgame => "midgame",
            Phase::Endgame => "endgame",
        }
    }
}

/// What a move lost against the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// As the player evaluates boards.
    Value(f64),
    /// In discs at the end.
    Discs(i32),
    /// One of the two ends the game for certain and the other does not.
    Decided,
}

impl Judged {
    /// The highest worth.
    pub fn best_value(&self) -> MoveValue {
        let all = self.moves.iter().map(|(_, value)| *value);
        all.reduce(|a, b| if b.number() > a.number() { b } else { a })
            .unwrap_or(MoveValue::Value(0.0))
    }

    /// All moves of the highest worth.
    pub fn best(&self) -> Vec<Square> {
        let best = self.best_value();
        self.moves.iter().filter(|(_, value)| *value == best).map(|(at, _)| *at).collect()
    }

    /// The best of the moves that were not made.
    pub fn alternative(&self) -> Option<(Square, MoveValue)> {
        let others = self.moves.iter().filter(|(at, _)| Some(*at) != self.played).copied();
        others.reduce(|a, b| if b.1.number() > a.1.number() { b } else { a })
    }

    /// What a move is worth.
    pub fn value(&self, at: Square) -> Option<MoveValue> {
        self.moves.iter().find(|(other, _)| *other == at).map(|(_, value)| *value)
    }

    /// What the move that was made lost.
    pub fn loss(&self) -> Option<Loss> {
        Some(match (self.best_value(), self.value(self.played?)?) {
            (MoveValue::Value(best), MoveValue::Value(made)) => Loss::Value(best - made),
            (MoveValue::Margin(best), MoveValue::Margin(made)) => Loss::Discs(best - made),
            _ => Loss::Decided,
        })
    }

    /// The part of the game it is in.
    pub fn phase(&self) -> Phase {
        match self.position.board.empty().len() {
            41.. => Phase::Opening,
            21..=40 => Phase::Midgame,
            _ => Phase::Endgame,
        }
    }

    /// What the position is worth to Black, if both sides make the best moves.
    pub fn lead(&self) -> MoveValue {
        let sign = if self.position.side == Side::Black { 1 } else { -1 };
        match self.best_value() {
            MoveValue::Value(value) => MoveValue::Value(f64::from(sign) * value),
            MoveValue::Margin(margin) => MoveValue::Margin(sign * margin),
        }
    }
}

/// What each position of a game is worth to Black, with the number of the move made there.
pub fn leads(game: &[Judged]) -> Vec<(u32, MoveValue)> {
    game.iter().map(|one| (one.number, one.lead())).collect()
}

/// Why a game was not judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalyseError {
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// There is no memory for the solver.
    #[error("{0}")]
    Memory(String),
}

/// The table of the solver.
const TABLE: usize = 64 << 20;

impl Analyst<'_> {
    /// Judges every move of a game, and the position at its end if the game goes on. `done` is
    /// called after each position.
    pub fn judge(
        &self,
        game: &Game,
        watch: &dyn Watch,
        done: &mut dyn FnMut(),
    ) -> Result<Vec<Judged>, AnalyseError> {
        let mut solver = None;
        let (mut position, mut judged) = (game.start(), Vec::new());
        for ply in game.plies() {
            watch.check()?;
            position = match ply {
                Ply::Pass => position.pass(),
                Ply::Place(at) => {
                    let number = 1 + judged.len() as u32;
                    judged.push(self.position(position, number, Some(*at), &mut solver, watch)?);
                    done();
                    position.play(*at)
                }
            };
        }
        if !game.is_over() {
            watch.check()?;
            let number = 1 + judged.len() as u32;
            judged.push(self.position(position, number, None, &mut solver, watch)?);
            done();
        }
        Ok(judged)
    }

    fn position(
        &self,
        position: Position,
        number: u32,
        played: Option<Square>,
        solver: &mut Option<Solver>,
        watch: &dyn Watch,
    ) -> Result<Judged, AnalyseError> {
        let (moves, empties) = (position.board.moves(), position.board.empty().len());
        let is_exact = empties <= self.solve.max(if self.depth >= empties { empties } else { 0 });
        let moves = if empties <= self.solve {
            self.solved(position.board, moves, solver, watch)?
        } else {
            let key = Seed(0).at(Stream::Game, 0);
            let turn = Turn { position, moves, ply: 0, key };
            let (values, _) =
                self.player.values(self.kernel, &turn, self.depth).unwrap_or_default();
            // At the end of the tree all games are over: what is 0 is a draw.
            let ended = |value| match value {
                MoveValue::Value(_) if is_exact => MoveValue::Margin(0),
                other => other,
            };
            values.into_iter().map(|(at, value)| (at, ended(value))).collect()
        };
        Ok(Judged { number, position, played, moves, is_exact })
    }

    fn solved(
        &self,
        board: Board,
        moves: Squares,
        solver: &mut Option<Solver>,
        watch: &dyn Watch,
    ) -> Result<Vec<(Square, MoveValue)>, AnalyseError> {
        let solver = match solver {
            Some(solver) => solver,
            none => none.insert(
                Solver::new(self.kernel, TABLE)
                    .map_err(|error| AnalyseError::Memory(error.to_string()))?,
            ),
        };
        let stop = |_| watch.stop();
        let solve = |at: Square| {
            let Board { own, opp } = board.play(at);
            match solver.solve(own.0, opp.0, Aim::Exact, &stop) {
                Ok(solved) => Ok((at, MoveValue::Margin(-solved.score))),
                Err(_) => Err(Stopped.into()),
            }
        };
        moves.map(solve).collect()
    }
}

/// The losses of a player in a part of games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Moves judged by the player's evaluation.
    pub moves: u64,
    /// The mean of what they lost.
    pub mean: Option<f64>,
    /// Moves judged exactly.
    pub exact_moves: u64,
    /// The mean of what they lost, in discs.
    pub mean_discs: Option<f64>,
    /// Moves where the best or the one made, but not both, was known to win or lose.
    pub decided: u64,
}

/// What one side lost in one part of games.
pub fn losses<'a>(judged: impl Iterator<Item = &'a Judged>, side: Side, phase: Phase) -> Losses {
    let (mut losses, mut sum, mut discs) = (Losses::default(), 0.0, 0.0);
    for one in judged.filter(|one| one.position.side == side && one.phase() == phase) {
        match one.loss() {
            None => {}
            Some(Loss::Decided) => losses.decided += 1,
            Some(Loss::Value(loss)) => {
                losses.moves += 1;
                sum += loss;
            }
            Some(Loss::Discs(loss)) => {
                losses.exact_moves += 1;
                discs += f64::from(loss);
            }
        }
    }
    let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
    losses.mean = mean(sum, losses.moves);
    losses.mean_discs = mean(discs, losses.exact_moves);
    losses
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_arena::Unwatched;
    use outflank_game::othello::{Outcome, parse_game};
    use outflank_game::player::parse_player;

    /// A game of the first legal moves, which has passes.
    fn game() -> Game {
        let mut game = Game::default();
        while let Some(at) = game.position().board.moves().first() {
            game.play(at).unwrap();
        }
        game
    }

    fn judged(game: &Game, depth: u32, solve: u32) -> Vec<Judged> {
        let player = parse_player("lr2006").unwrap();
        let kernel = Kernel::available()[0];
        let analyst = Analyst { kernel, player: &player, depth, solve };
        analyst.judge(game, &Unwatched, &mut || ()).unwrap()
    }

    #[test]
    fn solving_and_looking_to_the_end_agree() {
        let game = game();
        let (solved, seen) = (judged(&game, 1, 8), judged(&game, 8, 0));
        let last = |all: &[Judged]| -> Vec<Judged> {
            all.iter().filter(|one| one.position.board.empty().len() <= 8).cloned().collect()
        };
        assert!(last(&solved).len() >= 7, "{}", last(&solved).len());
        assert!(last(&solved).iter().all(|one| one.is_exact));
        assert_eq!(last(&solved), last(&seen));
        // The lead changes by what moves lose, and ends with the result.
        for pair in last(&solved).windows(2) {
            let (Some(Loss::Discs(loss)), MoveValue::Margin(now), MoveValue::Margin(then)) =
                (pair[0].loss(), pair[0].lead(), pair[1].lead())
            else {
                panic!("all is exact")
            };
            let sign = if pair[0].position.side == Side::Black { 1 } else { -1 };
            assert_eq!(then, now - sign * loss);
        }
        let end = last(&solved).last().unwrap().clone();
        let MoveValue::Margin(lead) = end.value(end.played.unwrap()).unwrap() else { panic!() };
        let sign = if end.position.side == Side::Black { 1 } else { -1 };
        assert_eq!(Outcome::of(sign * lead), Outcome::of(game.margin(Side::Black)));
        assert_eq!(sign * lead, game.margin(Side::Black));
    }

    #[test]
    fn a_player_loses_nothing_by_its_own_moves() {
        let player = parse_player("lr2006@depth=3,ties=first").unwrap();
        let kernel = Kernel::available()[0];
        let mut game = Game::default();
        for ply in 0..30 {
            let position = game.position();
            let key = Seed(0).at(Stream::Game, 0);
            let turn = Turn { position, moves: position.board.moves(), ply, key };
            game.play(player.choose(kernel, &turn)).unwrap();
        }
        let judged = judged(&game, 3, 0);
        assert_eq!(judged.len(), 31, "and the position where it stops");
        assert!(judged[30].played.is_none() && judged[30].loss().is_none());
        for one in &judged[..30] {
            assert_eq!(one.loss(), Some(Loss::Value(0.0)), "move {}", one.number);
        }
        // White's view of a position is the opposite of Black's.
        let leads = leads(&judged);
        assert_eq!(leads[1], (2, MoveValue::Value(-judged[1].best_value().number())));
        assert_eq!(leads[2], (3, judged[2].best_value()));
        let black = losses(judged.iter(), Side::Black, Phase::Opening);
        assert_eq!((black.moves, black.mean), (10, Some(0.0)));
    }

    #[test]
    fn a_worse_move_loses_the_difference_to_the_best() {
        let judged = judged(&parse_game("f5f4").unwrap(), 1, 0);
        let [first, second] = [&judged[0], &judged[1]];
        assert_eq!(first.moves.len(), 4);
        let (best, made) = (second.best_value().number(), second.value("f4".parse().unwrap()));
        let loss = best - made.unwrap().number();
        assert_eq!(second.loss(), Some(Loss::Value(loss)));
        assert_ne!(second.alternative().unwrap().0, "f4".parse().unwrap());
        assert_eq!([first.phase(), judged[2].phase()], [Phase::Opening; 2]);
    }
}
