//! How a move is chosen: a [`Player`] is a brain that scores boards and a policy that turns scores
//! into moves. Players have names, or come from files.

mod book_choice;
mod champions;
mod colour;
mod depth;
mod file;
mod folder;
mod front;
mod named;
mod noise;
mod parse;
mod policy;
mod strict_json;
mod vouched;
mod work;

use std::sync::Arc;

pub use book_choice::{BookChoice, MOST_BOOK_MARGIN};
pub use champions::Champions;
pub use colour::Colour;
pub use depth::{MOST_DEPTH, MoveValue};
pub use file::{PlayerFile, parse_player_file, read_player_file};
pub use folder::{Several, find_folder, stands_for_something};
pub use front::{read_front, run_of_member};
pub use named::{NAMED, Named};
pub use noise::Noise;
pub use parse::{PlayerError, parse_entrant, parse_player, split_options};
pub use policy::{
    Chosen, MOST_OPENING, MOST_SOLVE, Manner, OPTIONS, Policy, PolicyError, PolicyOption, Ties,
    best_of,
};
pub use work::Work;

use crate::engine::Engine;
use crate::model::{Evaluate, ModelFile, Portrait, View, Wpc, random_weights, to_grid};
use crate::othello::{Board, Position, Side, Square, Squares};
use outflank_kernel::rng::{Chance, Draw, Key};
use outflank_kernel::{Kernel, Lane, Memo, Sight};

/// Something that plays.
#[derive(Clone, Debug)]
pub struct Player {
    /// Its name in tables, as it was given.
    pub name: String,
    /// What scores boards.
    pub brain: Brain,
    /// What turns scores into moves.
    pub policy: Policy,
}

/// What scores boards.
#[derive(Clone, Debug)]
pub enum Brain {
    /// Nothing: any legal move.
    Random,
    /// Any legal move except the last in the order of squares, if there is another: the random
    /// player that, according to Vuurboom 2008, earlier work had used by mistake.
    RandomBuggy,
    /// A weighted piece counter; plays with its grid.
    Wpc(Arc<Wpc>),
    /// A new WPC in every pair of games, with weights drawn at random.
    RandomWpc,
    /// Any other evaluation function.
    Model {
        /// The function.
        model: Arc<dyn Evaluate>,
        /// From whose point of view it sees boards.
        view: View,
    },
    /// Another program, which plays whole games; see [`crate::engine`].
    Engine(Arc<Engine>),
}

/// A turn to be decided.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The position.
    pub position: Position,
    /// Its legal moves, at least one.
    pub moves: Squares,
    /// Plies played before, passes included, counted from the start of the game.
    pub ply: u32,
    /// The game's random stream.
    pub key: Key,
}

impl Turn {
    /// The random draw of this turn.
    #[inline]
    pub fn draw(&self) -> Draw {
        self.key.draw(self.ply)
    }

    /// Draws one of some moves, at least one.
    #[inline]
    pub fn pick(&self, kernel: Kernel, moves: Squares) -> Square {
        Squares(kernel.pick(moves.0, self.draw())).nth(0)
    }
}

impl Player {
    /// Chooses a move: with probability ε a random one, else the best, ties as its policy breaks
    /// them.
    pub fn choose(&self, kernel: Kernel, turn: &Turn) -> Square {
        self.choose_with(kernel, turn, &mut Memo::default())
    }

    /// The same, with what networks remember of this game.
    #[inline]
    pub fn choose_with(&self, kernel: Kernel, turn: &Turn, memo: &mut Memo) -> Square {
        let best = |manner| match self.looks_ahead() {
            true => self.brain.best_ahead(kernel, turn, &self.policy, &manner),
            false => self.brain.best(kernel, turn, memo, manner),
        };
        let ties = if self.brain.draws() { Ties::Random } else { self.policy.ties };
        self.policy.choose_by(ties, kernel, turn, best).at
    }

    /// The moves it considers best, whatever its policy. For a player that moves at random these
    /// are all moves.
    pub fn best(&self, kernel: Kernel, turn: &Turn) -> Squares {
        self.brain.best(kernel, turn, &mut Memo::default(), Manner::Greedy)
    }

    /// What the batch kernel needs to play this player, if it can.
    pub fn lane(&self) -> Option<Lane<'_>> {
        if !self.policy.is_laneable() {
            return None;
        }
        match &self.brain {
            Brain::Random => Some(Lane { weights: None, random: Chance::ALWAYS }),
            Brain::Wpc(wpc) => {
                Some(Lane { weights: Some(wpc.grid()), random: self.policy.epsilon })
            }
            Brain::RandomWpc | Brain::RandomBuggy | Brain::Model { .. } | Brain::Engine(_) => None,
        }
    }

    /// About how many parameters its brain has; the cost of its games grows with them.
    pub fn params(&self) -> usize {
        match &self.brain {
            Brain::Model { model, .. } => model.size(),
            Brain::Wpc(_) | Brain::Random | Brain::RandomBuggy | Brain::RandomWpc => 64,
            // A game takes seconds, so one is played between two checks whether to stop.
            Brain::Engine(_) => 1 << 30,
        }
    }

    /// Its weights from a1 to h8, if they describe it completely.
    pub fn squares(&self) -> Option<[f32; 64]> {
        match &self.brain {
            Brain::Wpc(wpc) => wpc.squares(),
            Brain::Model { model, .. } => model.squares(),
            Brain::Random | Brain::RandomBuggy | Brain::RandomWpc | Brain::Engine(_) => None,
        }
    }

    /// The part of a player file that describes its brain, if a file can hold it.
    pub fn file(&self) -> Option<ModelFile> {
        match &self.brain {
            Brain::Wpc(wpc) => wpc.file(),
            Brain::Model { model, .. } => model.file(),
            Brain::Random | Brain::RandomBuggy | Brain::RandomWpc | Brain::Engine(_) => None,
        }
    }

    /// Its network as plain data, if it has one.
    pub fn portrait(&self) -> Option<Portrait> {
        match &self.brain {
            Brain::Model { model, .. } => model.portrait(),
            Brain::Wpc(_)
            | Brain::Random
            | Brain::RandomBuggy
            | Brain::RandomWpc
            | Brain::Engine(_) => None,
        }
    }

    /// Says whether it would repeat the same game against a player that does so too.
    pub fn repeats_itself(&self) -> bool {
        !self.varies() && !self.policy.is_chance() && self.engine().is_none()
    }

    /// The other program that plays, if it is one. It must be given whole games.
    #[inline]
    pub fn engine(&self) -> Option<&Engine> {
        match &self.brain {
            Brain::Engine(engine) => Some(engine),
            _ => None,
        }
    }

    /// Says whether its moves or its weights are random, whatever its policy.
    pub fn varies(&self) -> bool {
        matches!(self.brain, Brain::Random | Brain::RandomBuggy | Brain::RandomWpc)
    }

    /// Says whether the player is drawn again for every pair of games.
    pub fn is_drawn(&self) -> bool {
        matches!(self.brain, Brain::RandomWpc)
    }

    /// The weights of the player drawn with this key, on the grid.
    pub fn drawn_grid(key: Key) -> [i16; 64] {
        to_grid(&random_weights(&mut key.rng()))
    }

    /// What the batch kernel needs to play a drawn player whose weights are known, if it can.
    pub fn drawn_lane<'a>(&self, grid: &'a [i16; 64]) -> Option<Lane<'a>> {
        let is_laneable = self.policy.is_laneable();
        is_laneable.then_some(Lane { weights: Some(grid), random: self.policy.epsilon })
    }

    /// The player drawn with this key, with the same policy.
    pub fn drawn(&self, key: Key) -> Player {
        let wpc = Wpc::new(random_weights(&mut key.rng())).expect("weights drawn from [-1, 1)");
        Player { brain: Brain::Wpc(Arc::new(wpc)), ..self.clone() }
    }

    /// The player itself, or the one drawn with this key if it is drawn for every pair of games.
    pub fn settled(&self, key: Key) -> Player {
        if self.is_drawn() { self.drawn(key) } else { self.clone() }
    }
}

impl Brain {
    /// Says whether it draws its moves, so that equal ones are no ties.
    #[inline]
    fn draws(&self) -> bool {
        matches!(self, Brain::Random | Brain::RandomBuggy)
    }

    /// The moves it considers best. For a player that moves at random these are all moves, whatever
    /// the manner.
    #[inline]
    fn best(&self, kernel: Kernel, turn: &Turn, memo: &mut Memo, manner: Manner) -> Squares {
        match (self, manner) {
            (Brain::Random, _) => turn.moves,
            // The last legal move is never drawn.
            (Brain::RandomBuggy, _) => match turn.moves.0 {
                one if one.is_power_of_two() => turn.moves,
                moves => Squares(moves & !(1 << moves.ilog2())),
            },
            (Brain::RandomWpc, _) => unreachable!("drawn before the game, see Player::drawn"),
            (Brain::Engine(_), _) => unreachable!("asked with the whole game, see engine::Seat"),
            (brain, Manner::Noisy(noise)) => brain.noisy_best(kernel, turn, noise),
            (Brain::Wpc(wpc), Manner::Greedy) => {
                let board = turn.position.board;
                Squares(kernel.best(wpc.scorer(), board.own.0, board.opp.0, turn.moves.0))
            }
            (Brain::Model { model, view }, Manner::Greedy) => match model.network() {
                Some(network) => {
                    let board = turn.position.board;
                    let own_eyes = *view == View::Mover || turn.position.side == Side::Black;
                    let (own, opp, moves) = (board.own.0, board.opp.0, turn.moves.0);
                    Squares(kernel.best_of(network, memo, Sight { own, opp, moves, own_eyes }))
                }
                None => best_by_value(kernel, &**model, *view, turn),
            },
        }
    }

    /// The best moves with noise on their values.
    #[inline(never)]
    fn noisy_best(&self, kernel: Kernel, turn: &Turn, noise: Noise) -> Squares {
        noise.best(turn.moves, |at| self.value(kernel, turn, at))
    }

    /// What a move is worth to the player who makes it.
    fn value(&self, kernel: Kernel, turn: &Turn, at: Square) -> f64 {
        match self {
            Brain::Model { model, view } => value(kernel, &**model, *view, turn, at),
            Brain::Wpc(wpc) => {
                let board = turn.position.board;
                let flips = kernel.flips(board.own.0, board.opp.0, at.set().0);
                f64::from(wpc.scorer().score(flips, at.index() as u32)) * wpc.step()
            }
            Brain::Random | Brain::RandomBuggy | Brain::RandomWpc | Brain::Engine(_) => 0.0,
        }
    }
}

/// The moves to the positions of the highest value.
#[inline(never)]
fn best_by_value(kernel: Kernel, model: &dyn Evaluate, view: View, turn: &Turn) -> Squares {
    best_of(turn.moves, |at| value(kernel, model, view, turn, at))
}

/// The value of the position after a move, for the player who makes it.
fn value(kernel: Kernel, model: &dyn Evaluate, view: View, turn: &Turn, at: Square) -> f64 {
    let Board { own, opp } = turn.position.board;
    let flips = kernel.flips(own.0, opp.0, at.set().0);
    let (own, opp) = (Squares(own.0 | flips | at.set().0), Squares(opp.0 & !flips));
    match (view, turn.position.side) {
        (View::Mover, _) | (View::Black, Side::Black) => {
            f64::from(model.value_with(kernel, Board { own, opp }))
        }
        (View::Black, Side::White) => {
            -f64::from(model.value_with(kernel, Board { own: opp, opp: own }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::parse_game;
    use outflank_kernel::rng::{Seed, Stream};

    /// Worth 0.1 if the own side holds a square; not an odd function.
    #[derive(Debug)]
    struct Holds(Square);

    impl Evaluate for Holds {
        fn value(&self, board: Board) -> f32 {
            if board.own.has(self.0) { 0.1 } else { 0.0 }
        }
    }

    fn share(moves: &str, at: &str, view: View, noise: f64, turns: u32) -> f64 {
        let at: Square = at.parse().unwrap();
        let brain = Brain::Model { model: Arc::new(Holds(at)), view };
        let policy = Policy { noise, ..Policy::default() };
        let player = Player { name: "holds".into(), brain, policy };
        let position = parse_game(moves).unwrap().position();
        let moves = position.board.moves();
        let chosen = (0..turns).filter(|&turn| {
            let key = Seed(1).at(Stream::Game, turn.into());
            player.choose(Kernel::available()[0], &Turn { position, moves, ply: 0, key }) == at
        });
        chosen.count() as f64 / f64::from(turns)
    }

    #[test]
    fn the_view_decides_whose_discs_count() {
        let certain = |share: f64| share > 0.999;
        // Black sees its own disc either way.
        assert!(certain(share("", "f5", View::Mover, 0.0, 200)));
        assert!(certain(share("", "f5", View::Black, 0.0, 200)));
        // White's disc on f4 is its own from its point of view; from Black's, no move gives Black
        // f4, and all three moves tie.
        assert!(certain(share("f5", "f4", View::Mover, 0.0, 200)));
        let third = share("f5", "f4", View::Black, 0.0, 3000);
        assert!((third - 1.0 / 3.0).abs() < 4.0 * (2.0 / 9.0 / 3000.0f64).sqrt(), "{third}");
    }

    #[test]
    fn random_buggy_moves_anywhere_but_to_the_last_square() {
        let player = parse_player("random-buggy").unwrap();
        let kernel = Kernel::available()[0];
        let mut found = [0; 64];
        for game in 0..3000 {
            let (position, key) =
                (Position::START, outflank_kernel::rng::Seed(9).at(Stream::Game, game));
            let moves = position.board.moves();
            let turn = Turn { position, moves, ply: 0, key };
            found[player.choose(kernel, &turn).index()] += 1;
        }
        // d3, c4 and f5 a third each, with four standard errors of 26; e6 never.
        assert!(
            [19, 26, 37].iter().all(|at: &usize| (found[*at] - 1000i32).abs() < 104),
            "{found:?}"
        );
        assert_eq!(found[44], 0);
        // It makes the only legal move.
        let only = Squares(1 << 44);
        let key = outflank_kernel::rng::Seed(9).at(Stream::Game, 0);
        let turn = Turn { position: Position::START, moves: only, ply: 0, key };
        assert_eq!(player.choose(kernel, &turn).index(), 44);
    }

    #[test]
    fn ties_are_broken_as_the_policy_says_but_random_players_stay_random() {
        let kernel = Kernel::available()[0];
        let chosen = |player: &str| {
            let player = parse_player(player).unwrap();
            let choose = |game| {
                let (position, key) = (Position::START, Seed(9).at(Stream::Game, game));
                let turn = Turn { position, moves: position.board.moves(), ply: 0, key };
                player.choose(kernel, &turn).to_string()
            };
            (0..200).map(choose).collect::<std::collections::BTreeSet<String>>()
        };
        let set = |squares: &[&str]| squares.iter().map(ToString::to_string).collect();
        // The first moves are equal by symmetry: d3, c4, f5 and e6 in the order of squares.
        let all = set(&["d3", "c4", "f5", "e6"]);
        for player in ["heuristic", "positional", "mobility"] {
            assert_eq!(chosen(player), all, "{player}");
            assert_eq!(chosen(&format!("{player}@ties=random")), all);
            assert_eq!(chosen(&format!("{player}@ties=first")), set(&["d3"]), "{player}");
            assert_eq!(chosen(&format!("{player}@ties=last")), set(&["e6"]), "{player}");
            assert_eq!(chosen(&format!("{player}@ties=last,epsilon=1")), all, "{player}");
            assert_eq!(chosen(&format!("{player}@ties=first,opening=1")), all, "{player}");
        }
        assert_eq!(chosen("random@ties=first"), all);
        assert_eq!(chosen("random-buggy@ties=last"), set(&["d3", "c4", "f5"]));
    }

    #[test]
    fn noise_has_the_variance_it_is_given() {
        // One of four moves is better by one standard deviation: it is chosen with probability
        // ∫ φ(x) Φ(x + 1)³ dx = 0.5517, by the trapezoidal rule.
        let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let below = |x: f64| 0.5 * libm::erfc(-x / 2f64.sqrt());
        let step = 0.01;
        let terms = (-800..=800).map(|i| f64::from(i) * step);
        let expected: f64 = terms.map(|x| density(x) * below(x + 1.0).powi(3) * step).sum();
        let turns = 20_000;
        let found = share("", "d3", View::Mover, 0.01, turns);
        let error = (expected * (1.0 - expected) / f64::from(turns)).sqrt();
        assert!((found - expected).abs() < 4.0 * error, "{found}, expected {expected}");
    }
}
