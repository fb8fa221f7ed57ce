//! Looking ahead: the layer of a policy that chooses by the game tree to a depth. A brain evaluates
//! the boards at its ends with its own eyes; what has ended counts by discs.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};

use super::policy::{Manner, Policy};
use super::work::Work;
use super::{Brain, Player, Turn};
use crate::model::View;
use crate::othello::{Board, Side, Square, Squares};
use outflank_kernel::{Ahead, Evaluation, Found, Kernel, Tree, Wish, Worth};

/// The deepest tree: no game has more moves.
pub const MOST_DEPTH: u32 = 60;

thread_local! {
    /// What comes out does not depend on it, so that all players of a thread can share it.
    static TREE: RefCell<Tree> = RefCell::default();
}

/// What a move is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveValue {
    /// As the player evaluates a board.
    Value(f64),
    /// The game ends with this difference of discs; never 0.
    Margin(i32),
}

/// Discs of a decided game as numbers beyond all evaluations, for noise to be added to.
const DECIDED: f64 = 1e300;
const DISC: f64 = 1e296;

impl MoveValue {
    /// A number that is larger for what is better.
    pub fn number(self) -> f64 {
        match self {
            MoveValue::Value(value) => value,
            MoveValue::Margin(margin) => {
                f64::from(margin.signum()) * DECIDED + f64::from(margin) * DISC
            }
        }
    }
}

impl Player {
    /// Says whether it looks further ahead than to the boards after its own moves.
    #[inline]
    pub(super) fn looks_ahead(&self) -> bool {
        self.policy.depth > 1 && !self.brain.draws()
    }

    /// What each legal move of a turn is worth to it at a depth of at least 1, in square order, and
    /// how many boards were evaluated. `None` for players that draw their moves.
    pub fn values(
        &self,
        kernel: Kernel,
        turn: &Turn,
        depth: u32,
    ) -> Option<(Vec<(Square, MoveValue)>, u64)> {
        let found = self.brain.look_ahead(kernel, turn, depth.clamp(1, MOST_DEPTH), Wish::Every)?;
        let value = |at: Square| (at, self.brain.value_of(found.worth[at.index()]));
        Some((turn.moves.map(value).collect(), found.evaluations))
    }
}

impl Brain {
    /// The moves it considers best in a tree of the policy's depth.
    #[inline(never)]
    pub(super) fn best_ahead(
        &self,
        kernel: Kernel,
        turn: &Turn,
        policy: &Policy,
        manner: &Manner,
    ) -> Squares {
        // Of one move there is nothing to find out.
        if turn.moves.0.is_power_of_two() {
            return turn.moves;
        }
        let look = |wish| self.look_ahead(kernel, turn, policy.depth, wish);
        match manner {
            Manner::Greedy => look(Wish::Best).map_or(turn.moves, |found| Squares(found.best)),
            Manner::Noisy(noise) => match look(Wish::Every) {
                Some(found) => noise
                    .best(turn.moves, |at| self.value_of(found.worth[at.index() % 64]).number()),
                None => turn.moves,
            },
        }
    }

    fn value_of(&self, worth: Worth) -> MoveValue {
        match (worth.margin(), self) {
            (Some(margin), _) => MoveValue::Margin(margin),
            (None, Brain::Wpc(wpc)) => MoveValue::Value(f64::from(worth.steps()) * wpc.step()),
            (None, _) => MoveValue::Value(f64::from(worth.number())),
        }
    }

    /// Looks ahead from a turn; not if moves are drawn.
    fn look_ahead(&self, kernel: Kernel, turn: &Turn, depth: u32, wish: Wish) -> Option<Found> {
        let Board { own, opp } = turn.position.board;
        let ahead = |evaluation: Evaluation<'_>| {
            let (own, opp, moves) = (own.0, opp.0, turn.moves.0);
            let ahead = Ahead { own, opp, moves, depth, evaluation, wish };
            TREE.with_borrow_mut(|tree| kernel.look_ahead(tree, &ahead))
        };
        let found = match self {
            Brain::Random | Brain::RandomBuggy | Brain::RandomWpc | Brain::Engine(_) => {
                return None;
            }
            Brain::Wpc(wpc) => ahead(Evaluation::Wpc(wpc.scorer())),
            Brain::Model { model, view } => {
                let own_eyes = *view == View::Mover || turn.position.side == Side::Black;
                match model.network() {
                    Some(network) => ahead(Evaluation::Network { network, own_eyes }),
                    None => {
                        let value = |own, opp| {
                            let board = Board { own: Squares(own), opp: Squares(opp) };
                            model.value_with(kernel, board)
                        };
                        ahead(Evaluation::Any { value: &value, own_eyes })
                    }
                }
            }
        };
        Work::add(Work { evaluations: found.evaluations, ..Work::default() });
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Position;
    use crate::player::{NAMED, parse_player};
    use outflank_kernel::rng::{Rng, Seed, Stream};

    /// A turn of a game of random moves.
    fn turn(plies: u32, rng: &mut Rng) -> Turn {
        let key = Seed(5).at(Stream::Game, rng.bits() % 1000);
        let mut position = Position::START;
        for _ in 0..plies {
            let moves = position.board.moves();
            let next = match moves.len() {
                0 => position.pass(),
                count => position.play(moves.nth(rng.below(count))),
            };
            position = if next.board.moves().is_empty() { position } else { next };
        }
        Turn { position, moves: position.board.moves(), ply: plies, key }
    }

    /// The value of a position for a side, as it is defined.
    fn minimax(player: &Player, position: Position, depth: u32, side: Side, root: Side) -> f64 {
        let Brain::Model { model, view } = &player.brain else { unreachable!() };
        let board = position.board;
        let is_over = board.is_over();
        if board.empty().is_empty() || (is_over && depth > 0) {
            let margin = position.seen_by(side).margin();
            let ended = MoveValue::Margin(margin).number();
            return if margin == 0 { 0.0 } else { ended };
        }
        if depth == 0 {
            let eyes = if *view == View::Mover { root } else { Side::Black };
            let value = f64::from(model.value(position.seen_by(eyes)));
            return if side == eyes { value } else { -value };
        }
        if board.moves().is_empty() {
            return -minimax(player, position.pass(), depth, !side, root);
        }
        let after = |at| -minimax(player, position.play(at), depth - 1, !side, root);
        board.moves().map(after).fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn formulas_look_ahead_with_the_eyes_of_their_view() {
        let mut rng = Seed(8).at(Stream::Weights, 0).rng();
        let kernel = Kernel::available()[0];
        for case in 0..300u32 {
            let name = ["mobility", "positional"][case as usize % 2];
            let mut player = parse_player(name).unwrap();
            if let Brain::Model { view, .. } = &mut player.brain {
                *view = if case % 3 == 0 { View::Black } else { View::Mover };
            }
            let (depth, turn) = (1 + case % 3, turn(rng.below(60), &mut rng));
            let side = turn.position.side;
            let (values, _) = player.values(kernel, &turn, depth).unwrap();
            for (at, value) in values {
                let after = turn.position.play(at);
                let expected = -minimax(&player, after, depth - 1, !side, side);
                let same = value.number().total_cmp(&(expected + 0.0)).is_eq();
                assert!(same, "{name} {depth} {at}: {value:?} {expected}");
            }
        }
    }

    #[test]
    fn at_depth_1_the_best_moves_are_those_of_a_player_that_does_not_look_ahead() {
        let mut rng = Seed(8).at(Stream::Weights, 1).rng();
        let kernel = Kernel::available()[0];
        for named in NAMED.iter().filter(|named| !named.player().varies()) {
            let [plain, ahead] = ["", "@depth=1"]
                .map(|depth| parse_player(&format!("{}{depth}", named.name)).unwrap());
            for plies in 0..60 {
                let turn = turn(plies, &mut rng);
                assert_eq!(plain.choose(kernel, &turn), ahead.choose(kernel, &turn));
                let (values, count) = plain.values(kernel, &turn, 1).unwrap();
                let best = super::super::best_of(turn.moves, |at| {
                    values.iter().find(|(other, _)| *other == at).unwrap().1.number()
                });
                assert_eq!(best, plain.best(kernel, &turn), "{} ply {plies}", named.name);
                assert_eq!(
                    count,
                    if turn.position.board.empty().len() > 1 { turn.moves.len().into() } else { 0 }
                );
            }
        }
    }

    #[test]
    fn noise_is_added_to_what_looking_ahead_finds() {
        let mut rng = Seed(8).at(Stream::Weights, 2).rng();
        let kernel = Kernel::available()[0];
        let chosen = |player: &str, turn: &Turn| parse_player(player).unwrap().choose(kernel, turn);
        let mut differ = 0;
        for plies in 0..58 {
            let turn = turn(plies, &mut rng);
            // So little noise only breaks ties.
            let [quiet, plain] = ["lr2006@depth=3,noise=1e-18", "lr2006@depth=3"]
                .map(|player| chosen(player, &turn));
            let (values, _) = parse_player("lr2006").unwrap().values(kernel, &turn, 3).unwrap();
            let value = |at| values.iter().find(|(other, _)| *other == at).unwrap().1;
            assert_eq!(value(quiet), value(plain));
            differ += u32::from(chosen("lr2006@depth=3,noise=9", &turn) != plain);
        }
        assert!(differ > 5, "{differ}");
        // A won game is worth more than any noise, and one by more discs more.
        let [won, more] = [2, 4].map(|margin| MoveValue::Margin(margin).number());
        assert!(more > won && won + 1e200 <= won && -won <= MoveValue::Margin(-2).number());
    }
}
