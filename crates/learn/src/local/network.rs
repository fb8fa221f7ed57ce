//! How off-line learning from whole games (Vuurboom 2008, chapters 5 and 7) uses a game and a
//! candidate: backwards, from the positions of both sides, in the candidate's network.

use crate::{Candidate, Halt};
use outflank_arena::games_at_once;
use outflank_game::model::View;
use outflank_game::othello::{Board, Position, Side, Square};
use outflank_kernel::{LARGEST_WEIGHT, NO_MOVE, Network, Sequence};

/// Games between two checks for divergence. The number affects results.
pub const SLICE: u64 = 100;

/// A game as both sides learn from it: the boards after the moves of each side, and its result.
#[derive(Clone, Debug)]
pub struct TwoSides {
    boards: [Vec<(u64, u64)>; 2],
    rewards: [f32; 2],
}

impl TwoSides {
    /// Replays moves from the initial position. The first side is Black.
    pub fn of(moves: &[u8], view: View) -> TwoSides {
        let mut both = TwoSides { boards: [Vec::new(), Vec::new()], rewards: [0.5; 2] };
        both.replay(moves, view);
        both
    }

    /// Replays moves into this value.
    pub fn replay(&mut self, moves: &[u8], view: View) {
        self.clear();
        let mut position = Position::START;
        for &square in moves {
            match Square::new(usize::from(square)).filter(|_| square != NO_MOVE) {
                None => position = position.pass(),
                Some(at) => {
                    let mover = position.side;
                    position = position.play(at);
                    self.note(mover, position, view);
                }
            }
        }
        self.end(position, view);
    }

    /// Starts a new game.
    pub fn clear(&mut self) {
        self.boards.iter_mut().for_each(Vec::clear);
    }

    /// Adds the position after a move.
    pub fn note(&mut self, mover: Side, after: Position, view: View) {
        let eyes = if view == View::Mover { mover } else { Side::Black };
        let Board { own, opp } = after.seen_by(eyes);
        self.boards[usize::from(mover == Side::White)].push((own.0, opp.0));
    }

    /// Ends the game with its last position.
    pub fn end(&mut self, end: Position, view: View) {
        let black = (end.seen_by(Side::Black).margin().signum() as f32 + 1.0) / 2.0;
        self.rewards = if view == View::Mover { [black, 1.0 - black] } else { [black; 2] };
    }

    /// One side; 0 is Black.
    pub fn side(&self, side: usize) -> Sequence<'_> {
        Sequence { boards: &self.boards[side], reward: self.rewards[side] }
    }
}

/// A candidate during off-line learning: its network, and where to write it back.
pub struct School<'a, M> {
    candidate: &'a mut M,
    /// The network that learns.
    pub network: Network,
    /// Whose discs are +1.
    pub view: View,
    /// Games between two checks whether to stop.
    pub breath: u64,
}

impl<'a, M: Candidate> School<'a, M> {
    /// Prepares a candidate, if it is a network.
    pub fn new(candidate: &'a mut M) -> Result<School<'a, M>, Halt> {
        let wiring = candidate.wiring().ok_or(Halt::NoNetwork)?;
        let network = Network::new(&wiring, candidate.params());
        let view = candidate.view();
        let breath = games_at_once(candidate.params().len()).min(SLICE as usize) as u64;
        Ok(School { candidate, network, view, breath })
    }

    /// Writes what was learned back to the candidate; `false` if it has diverged.
    pub fn write_back(&mut self) -> bool {
        let params = self.candidate.params_mut();
        self.network.copy_params(params);
        params.iter().all(|param| param.abs() <= LARGEST_WEIGHT)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::game;
    use super::*;

    #[test]
    fn each_side_gets_the_boards_after_its_moves_and_its_own_reward() {
        // Black plays f5, White d6.
        let opening = [37, 43];
        let both = TwoSides::of(&opening, View::Mover);
        let black = Position::START.play(Square::new(37).unwrap());
        let white = black.play(Square::new(43).unwrap());
        let seen = |position: Position, side| {
            let Board { own, opp } = position.seen_by(side);
            (own.0, opp.0)
        };
        assert_eq!(both.side(0).boards, [seen(black, Side::Black)]);
        assert_eq!(both.side(1).boards, [seen(white, Side::White)]);
        let of_black = TwoSides::of(&opening, View::Black);
        assert_eq!(
            of_black.side(1).boards,
            [seen(white, Side::Black)],
            "all from Black's point of view"
        );
        let mut winners = [0; 2];
        for index in 0..20 {
            let moves = game(index);
            let [mover, black] = [View::Mover, View::Black].map(|view| TwoSides::of(&moves, view));
            let end = moves.iter().fold(Position::START, |position, &at| match at {
                NO_MOVE => position.pass(),
                at => position.play(Square::new(at.into()).unwrap()),
            });
            let margin = end.seen_by(Side::Black).margin();
            let reward = 0.5 + 0.5 * margin.signum() as f32;
            assert!((mover.side(0).reward - reward).abs() < 1e-6);
            assert!((mover.side(1).reward - (1.0 - reward)).abs() < 1e-6);
            assert!(
                (black.side(1).reward - reward).abs() < 1e-6,
                "White's boards are seen by Black, too"
            );
            winners[usize::from(margin > 0)] += 1;
        }
        assert!(winners[0] > 0 && winners[1] > 0);
    }
}
