//! TD(λ) during the fitness games (Handa 2012): a candidate learns after every move of a game,
//! whoever made it, and plays the next one with what it learned. The rule is that of
//! [`super::self_play`], with boards as Black sees them.
//!
//! With `others = "weighed"` (+en in the paper) a step is multiplied by 1 − c, where c is the share
//! of the *other* candidates of the generation that would make the same move there. A move that
//! all would make teaches nothing. The others are asked as they were when the generation began,
//! so that it does not matter who plays first.

use super::mind::Mind;
use super::{During, Learning, Local, LocalKind, LocalSetting, Place, Scene, check_rates};
use crate::{Candidate, Halt, LearnError, Spec};
use outflank_arena::{Playing, Step};
use outflank_game::othello::{Square, Squares};
use outflank_game::player::{Manner, Player, Policy, Turn};
use outflank_kernel::rng::Key;
use outflank_kernel::{DIVERGED, Kernel};
use outflank_schema::{Fault, KeyPath, fault, table, words};

table! {
/// TD(lambda) in the fitness games.
pub struct TdGamesSpec {
    /// Learning rate.
    pub alpha: f64,
    /// Decay of eligibility traces, 0 to 1.
    pub lambda: f64,
    /// The moves that are learned from. Nothing is learned from a candidate's own random moves.
    pub moves: LearnedMoves,
    /// Whether the moves of the other candidates matter.
    pub others: Others = Others::Ignored,
}
}

words! {
/// The moves that are learned from.
pub enum LearnedMoves {
    /// Those of both sides.
    All = "all",
    /// Only the candidate's own.
    Own = "own",
}
}

words! {
/// Whether the moves of the other candidates matter.
pub enum Others {
    /// They do not.
    Ignored = "ignored",
    /// The more of the other candidates would make the same move, the smaller is the step.
    Weighed = "weighed",
}
}

/// The largest weights that learning can start from; beyond [`DIVERGED`] it stops.
const LARGEST_LEARNED: f64 = 100.0;

impl LocalKind for TdGamesSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        check_rates(at, self.alpha, self.lambda)
    }

    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        if !spec.model.learns_online() {
            let expected = "td-lambda, or model.output = \"linear\" and model.view = \"black\"";
            return Err(fault(&at.key("kind"), "\"td-games\"", expected));
        }
        if spec.opponents.games == 0 || spec.opponents_per_candidate() == 0 {
            let expected = "another kind, or opponents to play against: it learns in their games";
            return Err(fault(&at.key("kind"), "\"td-games\"", expected));
        }
        if self.others == Others::Weighed && spec.search.candidates() < 2 {
            let expected = format!(
                "\"ignored\", because search.kind = {:?} has one candidate only",
                spec.search.kind()
            );
            return Err(fault(&at.key("others"), "\"weighed\"", expected));
        }
        Ok(())
    }

    fn games(&self, _: &Spec) -> u64 {
        0
    }

    fn alpha(&self) -> f64 {
        self.alpha
    }

    fn diverges_beyond(&self) -> f64 {
        f64::from(DIVERGED)
    }

    fn begins_within(&self) -> f64 {
        LARGEST_LEARNED
    }

    fn shrink(&mut self) {}

    fn sample() -> TdGamesSpec {
        let (moves, others) = (LearnedMoves::All, Others::Ignored);
        TdGamesSpec { alpha: 0.01, lambda: 0.9, moves, others }
    }

    fn build<M: Candidate>(
        &self,
        setting: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        let policy = setting.spec.policy.policy();
        Ok(Box::new(TdGames { spec: self.clone(), policy, company: None }))
    }
}

/// How candidates play, and whom they ask.
struct TdGames {
    spec: TdGamesSpec,
    policy: Policy,
    /// The candidates of this generation as they were at its beginning; only if they matter.
    company: Option<Box<dyn Company>>,
}

impl<M: Candidate> Local<M> for TdGames {
    fn before(
        &mut self,
        candidates: &mut [Learning<'_, M>],
        _scene: &Scene<'_>,
    ) -> Result<u64, Halt> {
        self.company = (self.spec.others == Others::Weighed)
            .then(|| M::company(candidates.iter().map(|one| one.candidate.clone()).collect()));
        Ok(0)
    }

    fn during(&self) -> Option<&dyn During<M>> {
        Some(self)
    }
}

impl<M: Candidate> During<M> for TdGames {
    fn seat<'a>(&'a self, candidate: &'a mut M, place: Place) -> Box<dyn Playing + 'a> {
        Box::new(Seat { local: self, mind: candidate.mind(), place, was_random: false })
    }

    fn diverges_beyond(&self) -> f32 {
        DIVERGED
    }
}

/// Models that are asked for their moves, without any randomness.
pub trait Company: Send + Sync {
    /// How many of them, but for one, would make this move, or another one that is as good to
    /// them.
    fn agreeing(&self, kernel: Kernel, turn: &Turn, at: Square, except: usize) -> usize;

    /// How many there are.
    fn len(&self) -> usize;

    /// Says whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A candidate in a game.
struct Seat<'a> {
    local: &'a TdGames,
    mind: Box<dyn Mind + 'a>,
    place: Place,
    /// Whether its own last move was random.
    was_random: bool,
}

impl Seat<'_> {
    /// The step size for a move: smaller, the more of the others would make it.
    fn alpha(&self, step: &Step, at: Square) -> f32 {
        let alpha = self.local.spec.alpha as f32;
        let Some(company) = &self.local.company else { return alpha };
        let (kernel, board) = (self.place.kernel, step.before.board);
        let moves = Squares(kernel.moves(board.own.0, board.opp.0));
        // Nothing is drawn: the players that are asked have no policy.
        let turn = Turn { position: step.before, moves, ply: 0, key: Key(0) };
        let agree = company.agreeing(kernel, &turn, at, self.place.index);
        alpha * (1.0 - agree as f32 / (company.len() - 1).max(1) as f32)
    }
}

impl Playing for Seat<'_> {
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        let Seat { local, mind, .. } = self;
        let chosen = local.policy.choose(kernel, turn, |manner| match manner {
            Manner::Greedy => mind.best(kernel, turn),
            Manner::Noisy(noise) => noise.best(turn.moves, |at| mind.worth(kernel, turn, at)),
        });
        self.was_random = chosen.is_random;
        chosen.at
    }

    fn observe(&mut self, step: &Step) {
        let Some(at) = step.at.filter(|_| self.place.learns) else { return };
        let is_own = step.before.side == self.place.side;
        let counts = match self.local.spec.moves {
            LearnedMoves::All => true,
            LearnedMoves::Own => is_own,
        };
        if counts && !(is_own && self.was_random) {
            let alpha = self.alpha(step, at);
            self.mind.learn(self.place.kernel, step, alpha, self.local.spec.lambda as f32);
        }
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if self.place.learns {
            self.mind.leave();
        }
    }
}

/// Players that are asked one after the other.
pub struct OneByOne(Vec<Player>);

impl OneByOne {
    /// Asks these models.
    pub fn new<M: Candidate>(all: &[M]) -> OneByOne {
        OneByOne(all.iter().map(|model| model.player(Policy::default())).collect())
    }
}

impl Company for OneByOne {
    fn agreeing(&self, kernel: Kernel, turn: &Turn, at: Square, except: usize) -> usize {
        let others = self.0.iter().enumerate().filter(|(index, _)| *index != except);
        others.filter(|(_, player)| player.best(kernel, turn).has(at)).count()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ByGradient;
    use super::super::testing::game;
    use super::*;
    use crate::{Run, resolve, step};
    use outflank_arena::{Arena, GameScratch, play};
    use outflank_game::model::{Eyes, Mlp, MlpShape, Model, View, Wpc};
    use outflank_game::othello::{Position, Side};
    use outflank_game::player::parse_player;
    use outflank_kernel::rng::{Seed, Stream};
    use outflank_kernel::{Curve, NO_MOVE};

    /// The steps of a game.
    fn steps(index: u64) -> Vec<Step> {
        let mut position = Position::START;
        let mut steps = Vec::new();
        for square in game(index) {
            let (before, at) = (position, Square::new(usize::from(square)));
            let at = at.filter(|_| square != NO_MOVE);
            position = at.map_or(before.pass(), |at| before.play(at));
            steps.push(Step { before, at, after: position });
        }
        steps
    }

    fn wpcs(count: usize) -> Vec<Wpc> {
        let mut rng = Seed(5).at(Stream::Weights, 0).rng();
        (0..count).map(|_| Wpc::uniform(1.0, &mut rng)).collect()
    }

    #[test]
    fn a_wpc_learns_in_the_kernel_as_by_its_gradient() {
        let kernel = Kernel::available()[0];
        for index in 0..5 {
            let mut both = [wpcs(1).remove(0), wpcs(1).remove(0)];
            let [a, b] = &mut both;
            let (mut fast, mut plain) = (a.mind(), ByGradient::new(b));
            for step in steps(index).iter().filter(|step| step.at.is_some()) {
                let (board, side) = (step.before.board, step.before.side);
                let moves = Squares(kernel.moves(board.own.0, board.opp.0));
                let position = Position { board, side };
                let turn = Turn { position, moves, ply: 0, key: Key(0) };
                // A move's worth differs from the value of the board after it by that before it.
                let first = moves.nth(0);
                for at in moves {
                    let of = |mind: &mut dyn Mind| {
                        mind.worth(kernel, &turn, at) - mind.worth(kernel, &turn, first)
                    };
                    assert!((of(&mut *fast) - of(&mut plain)).abs() < 1e-3);
                }
                fast.learn(kernel, step, 0.01, 0.9);
                plain.learn(kernel, step, 0.01, 0.9);
            }
            fast.leave();
            drop((fast, plain));
            let changed = both[0]
                .params()
                .iter()
                .zip(wpcs(1)[0].params())
                .any(|(a, b)| a.to_bits() != b.to_bits());
            let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-3;
            assert!(changed && both[0].params().iter().zip(both[1].params()).all(near));
        }
    }

    #[test]
    fn a_network_learns_in_the_kernel_as_by_its_gradient() {
        let kernel = Kernel::available()[0];
        let shape = MlpShape {
            eyes: Eyes::Board,
            hidden: vec![9],
            curve: Curve::Tanh,
            output: Curve::Linear,
            bias: true,
            view: View::Black,
        };
        for lambda in [0.0, 0.9] {
            let start = Mlp::uniform(shape.clone(), 0.1, &mut Seed(1).at(Stream::Weights, 0).rng());
            let mut both = [start.clone(), start.clone()];
            let [a, b] = &mut both;
            let (mut fast, mut plain) = (a.mind(), ByGradient::new(b));
            // Two games: traces begin again.
            for index in 0..2 {
                fast.begin();
                plain.begin();
                for step in steps(index).iter().filter(|step| step.at.is_some()) {
                    fast.learn(kernel, step, 0.01, lambda);
                    plain.learn(kernel, step, 0.01, lambda);
                }
                assert!(fast.leave() && plain.leave());
            }
            drop((fast, plain));
            let far = |a: &Mlp, b: &Mlp| -> f32 {
                a.params().iter().zip(b.params()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
            };
            assert!(far(&both[0], &both[1]) < 1e-4 && far(&both[0], &start) > 1e-3);
        }
    }

    #[test]
    fn the_kernel_asks_all_at_once_what_players_say_one_by_one() {
        let all = wpcs(40);
        let (kernel, one_by_one) = (Kernel::available()[0], OneByOne::new(&all));
        let at_once = Wpc::company(all);
        assert_eq!((at_once.len(), one_by_one.len()), (40, 40));
        let mut seen = std::collections::BTreeSet::new();
        for step in (0..4).flat_map(steps) {
            let Some(at) = step.at else { continue };
            let board = step.before.board;
            let moves = Squares(kernel.moves(board.own.0, board.opp.0));
            let turn = Turn { position: step.before, moves, ply: 0, key: Key(0) };
            let expected = one_by_one.agreeing(kernel, &turn, at, 7);
            assert_eq!(at_once.agreeing(kernel, &turn, at, 7), expected);
            seen.insert(expected);
        }
        assert!(seen.len() > 10 && seen.contains(&39), "{seen:?}");
    }

    #[test]
    #[ignore = "prints how much faster it is to ask all at once"]
    fn speed_of_asking() {
        let all = wpcs(100);
        let (kernel, one_by_one) = (Kernel::available()[0], OneByOne::new(&all));
        let at_once = Wpc::company(all);
        let turns: Vec<(Turn, Square)> = (0..40)
            .flat_map(steps)
            .filter_map(|step| {
                let board = step.before.board;
                let moves = Squares(kernel.moves(board.own.0, board.opp.0));
                Some((Turn { position: step.before, moves, ply: 0, key: Key(0) }, step.at?))
            })
            .collect();
        for _ in 0..5 {
            let time = |company: &dyn Company, rounds: usize| {
                let (start, mut sum) = (std::time::Instant::now(), 0);
                for _ in 0..rounds {
                    for (turn, at) in &turns {
                        sum += company.agreeing(kernel, turn, *at, 0);
                    }
                }
                assert!(sum > 0);
                start.elapsed().as_secs_f64() * 1e9 / (rounds * turns.len()) as f64
            };
            let (slow, fast) = (time(&one_by_one, 1), time(&*at_once, 50));
            println!("{slow:.0} ns one by one, {fast:.0} ns at once: {:.1} times", slow / fast);
        }
    }

    /// How much a candidate changes in a game against the heuristic player, among others.
    fn change(spec: TdGamesSpec, others: Vec<Wpc>, learns: bool) -> f32 {
        let kernel = Kernel::available()[0];
        let company = (spec.others == Others::Weighed).then(|| Wpc::company(others));
        let local = TdGames { spec, policy: Policy::default(), company };
        let mut candidate = wpcs(1).remove(0);
        let before = candidate.clone();
        let place = Place { kernel, index: 0, side: Side::White, learns };
        let opponent = parse_player("heuristic").unwrap();
        let table = &mut GameScratch::default();
        let seat = During::<Wpc>::seat(&local, &mut candidate, place);
        let mut lesson = Table { seat, opponent: &opponent, table };
        play(kernel, Position::START, Seed(3).at(Stream::Game, 0), 0, &mut lesson);
        drop(lesson);
        candidate.params().iter().zip(before.params()).map(|(a, b)| (a - b).abs()).sum()
    }

    struct Table<'a> {
        seat: Box<dyn Playing + 'a>,
        opponent: &'a Player,
        table: &'a mut GameScratch,
    }

    impl Playing for Table<'_> {
        fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
            match turn.position.side {
                Side::White => self.seat.choose(kernel, turn),
                Side::Black => self.opponent.choose_with(kernel, turn, self.table.memo(turn.ply)),
            }
        }

        fn observe(&mut self, step: &Step) {
            self.seat.observe(step);
        }
    }

    #[test]
    fn what_all_others_would_do_teaches_nothing() {
        let sample = TdGamesSpec { alpha: 0.1, moves: LearnedMoves::Own, ..TdGamesSpec::sample() };
        let weighed = TdGamesSpec { others: Others::Weighed, ..sample.clone() };
        // Others as it was at the beginning: as long as it has learned nothing, it does as they do.
        assert!(change(weighed.clone(), vec![wpcs(1).remove(0); 3], true) <= 0.0);
        let full = change(sample.clone(), wpcs(9), true);
        let part = change(weighed, wpcs(9), true);
        assert!(0.0 < part && part < full, "{part} {full}");
        // From its own moves it learns less than from all, and nothing if it must not.
        let all = TdGamesSpec { moves: LearnedMoves::All, ..sample.clone() };
        assert!(change(all, Vec::new(), true).to_bits() != full.to_bits());
        assert!(change(sample, Vec::new(), false) <= 0.0);
    }

    #[test]
    fn a_candidate_that_diverges_goes_back_and_the_run_goes_on() {
        let overrides = ["local.alpha=1000", "search.particles=4", "opponents.games=4"];
        let overrides = overrides.map(String::from);
        let spec = resolve("pso-td", &overrides).unwrap().spec;
        let mut run = Run::<Wpc>::new(spec, Seed(1)).unwrap();
        let arena = Arena::new(Kernel::available()[0], 1).unwrap();
        for _ in 0..3 {
            assert_eq!(step(&mut [&mut run], &arena, &|| false), [Ok(())]);
        }
        let diverged = run.statistic("diverged").unwrap();
        assert!((4.0..=12.0).contains(&diverged), "{diverged}");
        assert!(run.champion().params().iter().all(|weight| weight.abs() < DIVERGED));
        // It is remembered.
        let saved = run.save();
        let mut again = Run::<Wpc>::new(run.spec().clone(), Seed(1)).unwrap();
        again.restore(&saved).unwrap();
        assert_eq!(again.statistic("diverged"), Some(diverged));
    }
}
