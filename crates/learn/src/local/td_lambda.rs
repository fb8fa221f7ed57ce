//! Off-line TD(λ) from a candidate's own games (Vuurboom 2008, chapter 5): each game is played
//! first, and learned from afterwards, backwards.

use super::network::{SLICE, School, TwoSides};
use super::{Learning, Local, LocalKind, LocalSetting, Scene, check_rates, each};
use crate::limits::MAX_GENERATION_GAMES;
use crate::{Candidate, Halt, LearnError, Spec};
use outflank_arena::{Playing, Step, Stopped, play};
use outflank_game::model::View;
use outflank_game::othello::{Position, Side, Square, Squares};
use outflank_game::player::{Colour, Player, Policy, Ties, Turn};
use outflank_kernel::rng::{Chance, Key as StreamKey, Stream};
use outflank_kernel::{Kernel, LARGEST_WEIGHT, Memo, Network, Sight, Values};
use outflank_schema::{Fault, KeyPath, fault, table, words};

table! {
/// Off-line TD(lambda).
pub struct TdLambdaSpec {
    /// Games of each candidate in each generation.
    pub games: u64,
    /// Learning rate.
    pub alpha: f64,
    /// How much of a correction is passed back to the position before it, 0 to 1.
    pub lambda: f64,
    /// Probability of a random move by the learner, in the first and in the last game of a run;
    /// linear in between.
    pub epsilon: [f64; 2],
    /// Whom the learner plays against.
    pub against: Against,
    /// Which values of later positions are learned from.
    pub values: LearnedValues = LearnedValues::Recomputed,
}
}

words! {
/// Which values of later positions are learned from.
pub enum LearnedValues {
    /// The network's output during the game, stored with its positions (Vuurboom 2008, figure
    /// 5.2).
    Stored = "stored",
    /// Its output just before it learned the later position (figure 7.5).
    Recomputed = "recomputed",
}
}

words! {
/// Whom a candidate plays against to learn.
pub enum Against {
    /// The players of opponents.fixed, in turn.
    Fixed = "fixed",
    /// Itself; it plays both sides.
    Itself = "itself",
}
}

/// Checks that there are fixed opponents to learn from.
pub fn check_fixed(at: &KeyPath, kind: &str, spec: &Spec) -> Result<(), Fault> {
    if spec.opponents.fixed.is_some() {
        return Ok(());
    }
    let expected = format!(
        "players, as {{ players = [\"random\"] }}, because {} = {kind:?} needs them",
        at.key("kind")
    );
    Err(fault("opponents.fixed", "", expected))
}

impl LocalKind for TdLambdaSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.whole("games", self.games as usize, 1..=MAX_GENERATION_GAMES)?;
        for (index, epsilon) in self.epsilon.iter().enumerate() {
            at.chance(&format!("epsilon[{index}]"), *epsilon)?;
        }
        check_rates(at, self.alpha, self.lambda)
    }

    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        match self.against {
            Against::Itself => Ok(()),
            Against::Fixed => check_fixed(at, "td-lambda", spec),
        }
    }

    fn games(&self, spec: &Spec) -> u64 {
        (spec.search.candidates() as u64).saturating_mul(self.games)
    }

    fn key_of_length(&self) -> Option<&'static str> {
        let [first, last] = self.epsilon;
        (first.to_bits() != last.to_bits()).then_some("epsilon")
    }

    fn games_key(&self) -> Option<String> {
        Some(self.games.to_string())
    }

    fn alpha(&self) -> f64 {
        self.alpha
    }

    fn diverges_beyond(&self) -> f64 {
        f64::from(LARGEST_WEIGHT)
    }

    fn needs_network(&self) -> bool {
        true
    }

    fn shrink(&mut self) {
        self.games = self.games.min(20);
    }

    fn sample() -> TdLambdaSpec {
        let against = Against::Itself;
        let values = LearnedValues::Recomputed;
        TdLambdaSpec { games: 4, alpha: 0.01, lambda: 0.8, epsilon: [0.2, 0.0], against, values }
    }

    fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        let spec = setting.spec;
        let fixed = spec.opponents.fixed.as_ref().filter(|_| self.against == Against::Fixed);
        let teachers = fixed.map(|fixed| fixed.met(spec)).transpose()?.unwrap_or_default();
        Ok(Box::new(TdLambda {
            spec: self.clone(),
            teachers,
            colour: spec.opponents.colour,
            ties: spec.policy.ties,
        }))
    }
}

/// The fixed opponents with their options; none in self-play.
struct TdLambda {
    spec: TdLambdaSpec,
    teachers: Vec<Player>,
    /// The colours of the learner against them.
    colour: Colour,
    /// How the learner breaks ties.
    ties: Ties,
}

impl TdLambda {
    /// The opponent in game number `turn` of a run, and whether the learner moves first. Opponents
    /// take turns, and colours alternate with each, continuing from the generation before, unless
    /// the learner has one colour only.
    fn teacher(&self, turn: u64) -> (Option<&Player>, bool) {
        let turn = turn as usize;
        match self.teachers.len() {
            0 => (None, true),
            count => {
                let side = self.colour.side((turn / count).is_multiple_of(2));
                (Some(&self.teachers[turn % count]), side == Side::Black)
            }
        }
    }

    /// The probability of a random move in game number `turn` of a run of `total` games.
    fn epsilon(&self, turn: u64, total: u64) -> Chance {
        let ([first, last], progress) = (self.spec.epsilon, turn as f64 / total as f64);
        Chance::new(first + (last - first) * progress.min(1.0)).unwrap_or(Chance::NEVER)
    }
}

impl<M: Candidate> Local<M> for TdLambda {
    fn games(&self, _: u64) -> u64 {
        self.spec.games
    }

    fn before(
        &mut self,
        candidates: &mut [Learning<'_, M>],
        scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        let rates = [self.spec.alpha as f32, self.spec.lambda as f32];
        let kernel = scene.arena.kernel();
        let values = match self.spec.values {
            LearnedValues::Stored => Values::Stored,
            LearnedValues::Recomputed => Values::Recomputed,
        };
        each(candidates, scene.arena, |learning| {
            let seed = learning.seed;
            let mut school = School::new(&mut *learning.candidate)?;
            let mut memory = Memory::new(school.view);
            for game in 0..self.spec.games {
                if game.is_multiple_of(school.breath) && scene.stop.stop() {
                    return Err(Stopped.into());
                }
                if game.is_multiple_of(SLICE) && !school.write_back() {
                    learning.diverged = Some(game);
                    return Ok(());
                }
                let turn = scene.played + game;
                let (teacher, is_first) = self.teacher(turn);
                let epsilon = self.epsilon(turn, scene.total);
                let policy = Policy { epsilon, ties: self.ties, ..Policy::default() };
                let seats = Seats { teacher, is_first, policy };
                let key = seed.at(Stream::Learning, game);
                memory.play(kernel, &school.network, school.view, &seats, key);
                let sides = [memory.both.side(0), memory.both.side(1)];
                kernel.learn_sequences(&mut school.network, &sides, rates, values);
            }
            if !school.write_back() {
                learning.diverged = Some(self.spec.games);
            }
            Ok(())
        })?;
        Ok(0)
    }
}

/// The players of a game.
struct Seats<'a> {
    teacher: Option<&'a Player>,
    /// Whether the learner moves first.
    is_first: bool,
    /// The learner's policy.
    policy: Policy,
}

/// Buffers for the games of a learner, used again and again.
struct Memory {
    both: TwoSides,
    memos: [Memo; 2],
}

impl Memory {
    fn new(view: View) -> Memory {
        Memory { both: TwoSides::of(&[], view), memos: Default::default() }
    }

    fn play(
        &mut self,
        kernel: Kernel,
        network: &Network,
        view: View,
        seats: &Seats<'_>,
        key: StreamKey,
    ) {
        let drawn =
            seats.teacher.filter(|teacher| teacher.is_drawn()).map(|teacher| teacher.drawn(key));
        let teacher = drawn.as_ref().or(seats.teacher);
        let opening = teacher.map_or(0, |teacher| teacher.policy.opening);
        self.both.clear();
        self.memos.iter_mut().for_each(Memo::forget);
        let mut game = Game { network, view, teacher, seats, memory: self };
        let end = play(kernel, Position::START, key, opening, &mut game);
        self.both.end(end, view);
    }
}

/// A learner, with its network before the game, and its opponent.
struct Game<'a> {
    network: &'a Network,
    view: View,
    teacher: Option<&'a Player>,
    seats: &'a Seats<'a>,
    memory: &'a mut Memory,
}

impl Playing for Game<'_> {
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        let memo = &mut self.memory.memos[turn.ply as usize % 2];
        let is_learners = turn.ply.is_multiple_of(2) == self.seats.is_first;
        if let Some(teacher) = self.teacher.filter(|_| !is_learners) {
            return teacher.choose_with(kernel, turn, memo);
        }
        let best = |_| {
            let own_eyes = self.view == View::Mover || turn.position.side == Side::Black;
            let (board, moves) = (turn.position.board, turn.moves.0);
            let sight = Sight { own: board.own.0, opp: board.opp.0, moves, own_eyes };
            Squares(kernel.best_of(self.network, memo, sight))
        };
        self.seats.policy.choose(kernel, turn, best).at
    }

    fn observe(&mut self, step: &Step) {
        if step.at.is_some() {
            self.memory.both.note(step.before.side, step.after, self.view);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{learned, mlp, perceptron, times_asked};
    use super::*;
    use outflank_game::model::{Evaluate, Model};
    use outflank_game::othello::Board;
    use outflank_game::player::parse_player;
    use outflank_kernel::rng::Seed;

    #[test]
    fn a_learner_plays_both_colours_and_explores_less_and_less() {
        // With ε = 0 the network decides all of the learner's moves; with ε = 1 all moves are
        // random.
        let (candidate, kernel) = (mlp(), Kernel::available()[0]);
        let network = Network::new(&candidate.wiring().unwrap(), candidate.params());
        let teacher = parse_player("heuristic").unwrap();
        let play = |is_first, epsilon: f64, index| {
            let mut memory = Memory::new(View::Mover);
            let policy = Policy { epsilon: Chance::new(epsilon).unwrap(), ..Policy::default() };
            let key = Seed(8).at(Stream::Learning, index);
            let seats = Seats { teacher: Some(&teacher), is_first, policy };
            memory.play(kernel, &network, View::Mover, &seats, key);
            [0, 1].map(|side| memory.both.side(side).boards.to_vec())
        };
        let games = |is_first, epsilon| {
            let all: std::collections::BTreeSet<[Vec<(u64, u64)>; 2]> =
                (0..8).map(|index| play(is_first, epsilon, index)).collect();
            all.len()
        };
        assert!(games(true, 0.0) < 8 || games(false, 0.0) < 8, "only ties vary");
        assert_eq!((games(true, 1.0), games(false, 1.0)), (8, 8));
        assert_ne!(play(true, 0.0, 1), play(false, 0.0, 1));
        // The learner's moves are those of the network, from the initial position if it moves
        // first.
        let (own, opp) = play(true, 0.0, 2)[0][0];
        let first = candidate.value(Board { own: Squares(own), opp: Squares(opp) });
        let value = |at: Square| candidate.value(Position::START.play(at).seen_by(Side::Black));
        let moves = Position::START.board.moves();
        let best = moves.into_iter().map(value).fold(f32::NEG_INFINITY, f32::max);
        assert!((first - best).abs() < 1e-4);
    }

    #[test]
    fn the_larger_the_network_the_more_often_it_asks_whether_to_stop() {
        let times = |hidden| {
            let spec = TdLambdaSpec { games: 90, ..TdLambdaSpec::sample() };
            times_asked(
                TdLambda { spec, teachers: vec![], colour: Colour::Both, ties: Ties::Random },
                &mut perceptron(hidden),
            )
        };
        // At least 65 parameters per node: with a thousand nodes there is a check every 37 games.
        assert_eq!((times(4), times(1000)), (1, 3));
    }

    #[test]
    fn the_key_values_decides_what_is_learned_from() {
        let weights = |values| {
            let spec = TdLambdaSpec { alpha: 0.5, values, ..TdLambdaSpec::sample() };
            let (teachers, colour, ties) = (vec![], Colour::Both, Ties::First);
            let mut candidate = mlp();
            let local = TdLambda { spec, teachers, colour, ties };
            learned(local, &mut [&mut candidate], &|| false).unwrap();
            candidate.params().iter().map(|w| w.to_bits()).collect::<Vec<u32>>()
        };
        assert!(weights(LearnedValues::Stored) != weights(LearnedValues::Recomputed));
    }

    #[test]
    fn exploration_falls_from_the_first_game_of_a_run_to_its_last() {
        let spec = TdLambdaSpec { epsilon: [0.5, 0.1], ..TdLambdaSpec::sample() };
        let learning =
            TdLambda { spec, teachers: vec![], colour: Colour::Both, ties: Ties::Random };
        for (turn, expected) in [(0, 0.5), (250, 0.4), (500, 0.3), (1000, 0.1), (2000, 0.1)] {
            let found = learning.epsilon(turn, 1000).probability();
            assert!((found - expected).abs() < 1e-9, "{turn}: {found}");
        }
    }

    #[test]
    fn teachers_take_turns_and_colours_alternate_with_each() {
        let teachers = ["heuristic", "random"].map(|name| parse_player(name).unwrap()).to_vec();
        let with = |colour| {
            let (spec, teachers) = (TdLambdaSpec::sample(), teachers.clone());
            TdLambda { spec, teachers, colour, ties: Ties::Random }
        };
        let learning = with(Colour::Both);
        let met = |turn| {
            let (teacher, is_first) = learning.teacher(turn);
            (teacher.unwrap().name.as_str(), is_first)
        };
        for turn in 0..4 {
            assert!(with(Colour::Black).teacher(turn).1 && !with(Colour::White).teacher(turn).1);
            assert_eq!(with(Colour::White).teacher(turn).0.unwrap().name, met(turn).0);
        }
        let (heuristic, random) = ("heuristic", "random");
        assert_eq!(
            [0, 1, 2, 3, 4].map(met),
            [
                (heuristic, true),
                (random, true),
                (heuristic, false),
                (random, false),
                (heuristic, true)
            ]
        );
    }
}
