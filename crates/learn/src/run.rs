//! The training loop. A [`Run`] is a spec and a seed, and what has been learned so far; [`step`]
//! advances runs by one generation.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::during::meet_and_learn;
use super::local::{Given, Learning, Local, LocalSetting, Scene};
use super::objective::{undominated, win_shares};
use super::opponents::{Credit, Field, Opponents, OpponentsSpec, SourceSetting};
use super::search::{Beginning, Judged, Search, rank, restore};
use super::start::{Firsts, Start};
use super::{Archive, Candidate, LearnError, Sections, Spec, Unreadable};
use outflank_arena::{Arena, KeptGame, News, Payoff, Plan, RunNews, Stopped, Watch};
use outflank_game::player::{Player, Policy, Work};
use outflank_kernel::rng::{Rng, Seed, Stream};

/// The state of a method during training.
pub struct Run<M> {
    spec: Spec,
    seed: Seed,
    policy: Policy,
    search: Box<dyn Search<M>>,
    local: Box<dyn Local<M>>,
    opponents: Vec<Box<dyn Opponents<M>>>,
    archive: Archive<M>,
    champion: M,
    /// What its candidates started from, if not from random parameters.
    origin: Option<M>,
    /// The nondominated candidates of the last generation, if there are several objectives.
    front: Vec<Judged<M>>,
    generation: u64,
    games: u64,
    standing: Standing,
    /// How many candidates have diverged in games in which they learned.
    diverged: u64,
    /// The work of players in fitness games.
    work: Work,
}

/// The results of a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Standing {
    /// The share of games won by its ten best candidates.
    top10: f64,
    /// The share of games won by all candidates.
    mean: f64,
}

/// Why a generation was not completed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// The run was asked to stop.
    #[error("stopped")]
    Stopped,
    /// The parameters of a candidate diverged, after this many games of the run.
    #[error("the parameters of a candidate diverged after {0} games; try a smaller alpha")]
    Diverged(u64),
    /// A candidate is not a network, although local learning needs one. Models that never are
    /// networks are refused before a run begins.
    #[error("a candidate is not a network, but local learning needs one")]
    NoNetwork,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Stopped
    }
}

/// Whether to stop; asked often.
pub type Stop<'a> = dyn Watch + 'a;

/// Advances every run by one generation: asks for candidates, lets them learn, and evaluates them
/// (in `judge`). Probes and checkpoints happen between generations, in the caller. Runs share
/// nothing but the batches in which their candidates learn; each ends as it would alone. Apart from
/// the seed, all runs must have the same spec.
pub fn step<M: Candidate>(
    runs: &mut [&mut Run<M>],
    arena: &Arena,
    stop: &Stop<'_>,
) -> Vec<Result<(), Halt>> {
    let mut fields: Vec<Vec<M>> = Vec::new();
    for run in &mut *runs {
        let mut rng = run.rng(0);
        fields.push(run.search.ask(&run.archive, &mut rng));
    }
    let together = runs.first().is_some_and(|run| run.spec.local.is_faster_together());
    let learned = if together {
        learn_together(runs, &mut fields, arena, stop)
    } else {
        let learn = |(run, field): (&mut &mut Run<M>, &mut Vec<M>)| run.learn(field, arena, stop);
        runs.iter_mut().zip(&mut fields).map(learn).collect()
    };
    let mut results = Vec::new();
    for ((run, candidates), learned) in runs.iter_mut().zip(fields).zip(learned) {
        results.push(learned.and_then(|errors| run.judge(candidates, &errors, arena, stop)));
    }
    results
}

/// Local learning of the candidates of all runs in one batch. Returns the TD errors of each run's
/// candidates, if local learning reports them.
fn learn_together<M: Candidate>(
    runs: &mut [&mut Run<M>],
    fields: &mut [Vec<M>],
    arena: &Arena,
    stop: &Stop<'_>,
) -> Vec<Result<Vec<f64>, Halt>> {
    let Some(first) = runs.first() else { return Vec::new() };
    let scene = first.scene(arena, stop);
    let mut learning: Vec<Learning<'_, M>> = Vec::new();
    for (run, candidates) in runs.iter().zip(&mut *fields) {
        learning.extend(run.learning(candidates));
    }
    if let Err(halt) = runs[0].local.before(&mut learning, &scene) {
        return vec![Err(halt); runs.len()];
    }
    let learned: Vec<(Option<u64>, f64)> =
        learning.into_iter().map(|one| (one.diverged, one.error)).collect();
    let mut learned = learned.into_iter();
    runs.iter_mut()
        .zip(fields)
        .map(|(run, candidates)| run.count(learned.by_ref().take(candidates.len()).collect()))
        .collect()
}

impl<M: Candidate> Run<M> {
    /// Begins a run. Reads or plays what it needs from outside; the runs of a study share that
    /// through [`super::Ready`].
    pub fn new(spec: Spec, seed: Seed) -> Result<Run<M>, LearnError> {
        let (given, start) = (spec.local.given()?, spec.start()?);
        Run::given(spec, seed, &given, &start)
    }

    /// Begins a run with given games, from what was read to start from.
    pub(super) fn given(
        spec: Spec,
        seed: Seed,
        given: &Given,
        start: &Start,
    ) -> Result<Run<M>, LearnError> {
        let rng = seed.at(Stream::Candidate, 0).rng();
        let (model, distance) = (&spec.model, spec.model.start());
        // If one candidate can be made, all can.
        M::first(model, distance, &mut rng.clone())?;
        let origin: Option<M> = start.model(&spec, seed)?;
        let mut firsts = Firsts { spec: &spec, origin: origin.as_ref(), rng, is_made: false };
        let begin = Beginning { model, start: distance, first: &mut || firsts.one() };
        let search = spec.search.build(begin);
        let mut setting =
            SourceSetting { spec: &spec, first: &mut |distance| firsts.random(distance) };
        let opponents = spec.opponents.build(&mut setting)?;
        let champion = origin.clone().unwrap_or_else(|| firsts.random(distance));
        let run = Run::from_parts_given(spec, seed, search, opponents, champion, given)?;
        Ok(Run { origin, ..run })
    }

    /// Begins a run with its own search and opponents. `champion` is the champion until there is a
    /// better one.
    pub fn from_parts(
        spec: Spec,
        seed: Seed,
        search: Box<dyn Search<M>>,
        opponents: Vec<Box<dyn Opponents<M>>>,
        champion: M,
    ) -> Result<Run<M>, LearnError> {
        let given = spec.local.given()?;
        Run::from_parts_given(spec, seed, search, opponents, champion, &given)
    }

    fn from_parts_given(
        spec: Spec,
        seed: Seed,
        search: Box<dyn Search<M>>,
        opponents: Vec<Box<dyn Opponents<M>>>,
        champion: M,
        given: &Given,
    ) -> Result<Run<M>, LearnError> {
        let policy = spec.policy.policy()?;
        let archive = Archive::new(&spec.archive, policy.clone());
        let local = spec.local.build(&LocalSetting { spec: &spec, given, model: &champion })?;
        Ok(Run {
            spec,
            seed,
            policy,
            search,
            local,
            opponents,
            archive,
            champion,
            origin: None,
            front: Vec::new(),
            generation: 0,
            games: 0,
            standing: Standing::default(),
            diverged: 0,
            work: Work::default(),
        })
    }

    /// Replaces local learning.
    #[must_use]
    pub fn with_local(mut self, local: Box<dyn Local<M>>) -> Run<M> {
        self.local = local;
        self
    }

    /// Where and when this generation learns.
    fn scene<'a>(&self, arena: &'a Arena, stop: &'a Stop<'a>) -> Scene<'a> {
        Scene { arena, root: self.root(), played: self.games, total: self.spec.games, stop }
    }

    /// The candidates of this generation, for local learning.
    fn learning<'a>(&self, candidates: &'a mut [M]) -> Vec<Learning<'a, M>> {
        let (root, generation) = (self.root(), self.generation);
        let learning = |(index, candidate)| {
            let seed = root.child(Stream::Candidate, index as u64);
            Learning { candidate, seed, generation, diverged: None, error: 0.0 }
        };
        candidates.iter_mut().enumerate().map(learning).collect()
    }

    /// Local learning of this run alone, before the fitness games. Returns the TD errors, if local
    /// learning reports them.
    fn learn(
        &mut self,
        candidates: &mut [M],
        arena: &Arena,
        stop: &Stop<'_>,
    ) -> Result<Vec<f64>, Halt> {
        let scene = self.scene(arena, stop);
        let mut learning = self.learning(candidates);
        self.games += self.local.before(&mut learning, &scene)?;
        let learned = learning.into_iter().map(|one| (one.diverged, one.error)).collect();
        self.count(learned)
    }

    /// Counts the games of local learning and returns the TD errors, unless a candidate has
    /// diverged.
    fn count(&mut self, learned: Vec<(Option<u64>, f64)>) -> Result<Vec<f64>, Halt> {
        let games = self.local.games(self.generation);
        let diverged = learned.iter().zip(0..).find_map(|((diverged, _), index)| {
            diverged.map(|game| Halt::Diverged(self.games + index * games + game))
        });
        self.games += games * learned.len() as u64;
        match diverged {
            Some(halt) => Err(halt),
            None => Ok(learned.into_iter().map(|(_, error)| error).collect()),
        }
    }

    /// Evaluates the candidates of this generation and hands them to the search.
    fn judge(
        &mut self,
        mut candidates: Vec<M>,
        errors: &[f64],
        arena: &Arena,
        stop: &Stop<'_>,
    ) -> Result<(), Halt> {
        let (payoffs, kept) = self.meet(&mut candidates, arena, stop)?;
        let scene = self.scene(arena, stop);
        let mut learning = self.learning(&mut candidates);
        self.local.after(&mut learning, kept, &scene)?;
        if learning.iter().any(|one| one.diverged.is_some()) {
            return Err(Halt::Diverged(self.games));
        }
        let judgements = self.spec.objective.judge(candidates.len(), &payoffs, errors, stop)?;
        let won = win_shares(candidates.len(), &payoffs);
        let ranked: Vec<Judged<M>> = rank(candidates, judgements, &mut self.rng(1));
        let mean = |best: &[Judged<M>]| {
            best.iter().map(|judged| won[judged.index]).sum::<f64>() / best.len() as f64
        };
        self.standing =
            Standing { top10: mean(&ranked[..ranked.len().min(10)]), mean: mean(&ranked) };
        let best = ranked[0].candidate.clone();
        self.archive.note(&best);
        self.front = first_front(&ranked);
        let mut rng = self.rng(2);
        self.search.tell(ranked, &mut rng);
        self.champion = self.search.champion().cloned().unwrap_or(best);
        self.generation += 1;
        Ok(())
    }

    /// Plays the fitness games. Returns a payoff table for each source of opponents, and the games
    /// if local learning keeps them.
    fn meet(
        &mut self,
        candidates: &mut [M],
        arena: &Arena,
        stop: &Stop<'_>,
    ) -> Result<(Vec<Payoff>, Vec<KeptGame>), Halt> {
        let (root, policy) = (self.root(), self.policy.clone());
        let seated = |candidates: &[M]| -> Vec<Arc<Player>> {
            candidates.iter().map(|candidate| Arc::new(candidate.player(policy.clone()))).collect()
        };
        let mut players = seated(candidates);
        let (mut payoffs, mut kept) = (Vec::new(), Vec::new());
        for (index, source) in self.opponents.iter_mut().enumerate() {
            let seed = root.child(Stream::Source, index as u64);
            let field = Field { players: &players, archive: &self.archive, policy: policy.clone() };
            let drawn = source.draw(&field, &mut seed.at(Stream::Search, 0).rng());
            let OpponentsSpec { games, colour, .. } = self.spec.opponents;
            let plan = Plan { fixtures: &drawn.fixtures, games, colour, seed };
            let keep = self.local.keeps_games();
            let (payoff, games) = match self.local.during() {
                None => arena.meet_and_keep(&players, &drawn.players, plan, keep, stop)?,
                Some(during) => {
                    let met =
                        meet_and_learn(during, candidates, &drawn.players, plan, arena, stop)?;
                    players = seated(candidates);
                    if let (0, Some((candidate, game))) = (self.diverged, met.diverged.first()) {
                        let (seed, generation) = (self.seed.0, self.generation + 1);
                        let candidate = candidate + 1;
                        let warning = format!(
                            "candidate {candidate} diverged in its game {game} of generation {generation}; it goes on as it was before that game, and others that diverge will, too; try a smaller local.alpha"
                        );
                        stop.tell(News::Run { seed, news: RunNews::Warned(&warning) });
                    }
                    self.diverged += met.diverged.len() as u64;
                    (met.payoff, if keep { met.games } else { Vec::new() })
                }
            };
            kept.extend(games);
            source.learn(&payoff, &mut seed.at(Stream::Search, 1).rng(), stop)?;
            self.games += payoff.games();
            self.work += payoff.work();
            payoffs.push(match drawn.credit {
                Credit::Own => payoff,
                Credit::Both => payoff.doubled(),
            });
        }
        Ok((payoffs, kept))
    }

    /// The root of all random streams of this generation.
    fn root(&self) -> Seed {
        self.seed.child(Stream::Generation, self.generation)
    }

    /// The random numbers of the search in this generation, by step.
    fn rng(&self, step: u64) -> Rng {
        self.root().at(Stream::Search, step).rng()
    }

    /// The best candidate of the last generation, unless the search has a champion of its own.
    pub fn champion(&self) -> &M {
        &self.champion
    }

    /// The archived champions, oldest first.
    pub fn archived(&self) -> impl ExactSizeIterator<Item = &M> {
        self.archive.models()
    }

    /// The result of a run with several objectives: the nondominated candidates, of the whole run
    /// if the search keeps them, otherwise of the last generation. Empty if there is only one
    /// objective.
    pub fn front(&self) -> &[Judged<M>] {
        self.search.front().unwrap_or(&self.front)
    }

    /// A statistic of the last generation by name, if the run, its champion or its search has it.
    pub fn statistic(&self, name: &str) -> Option<f64> {
        let own = [
            ("top10", self.standing.top10),
            ("mean", self.standing.mean),
            ("diverged", self.diverged as f64),
            ("evaluations", self.work.evaluations as f64),
            ("nodes", self.work.nodes as f64),
        ];
        let changed = self.changed().map(|count| ("changed", count as f64));
        let all = own
            .into_iter()
            .chain(changed)
            .chain(self.champion.statistics())
            .chain(self.search.statistics());
        all.into_iter().find_map(|(other, value)| (other == name).then_some(value))
    }

    /// How many parameters of the champion differ from those of the player that the run started
    /// from, if it did and both have as many.
    fn changed(&self) -> Option<usize> {
        let (then, now) = (self.origin.as_ref()?.params(), self.champion.params());
        let differs = |(then, now): &(&f32, &f32)| then.to_bits() != now.to_bits();
        (then.len() == now.len()).then(|| then.iter().zip(now).filter(differs).count())
    }

    /// The seed.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The spec of the run.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Generations completed.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Games played so far, for learning and for fitness.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Says whether the run has played the games of its spec.
    pub fn is_done(&self) -> bool {
        self.games >= self.spec.games
    }

    /// The state of the run as bytes.
    pub fn save(&self) -> Vec<u8> {
        let opponents = self.opponents.iter().enumerate();
        let opponents = opponents.fold(Sections::default(), |all, (index, source)| {
            all.with_bytes(&index.to_string(), source.save())
        });
        Sections::default()
            .with("generation", &self.generation)
            .with("games", &self.games)
            .with("champion", &self.champion)
            .with("archive", &self.archive.models().collect::<Vec<_>>())
            .with_bytes("search", self.search.save())
            .with_bytes("opponents", opponents.save())
            .with_bytes("local", self.local.save())
            .with("standing", &self.standing)
            .with("front", &self.front)
            .with("diverged", &self.diverged)
            .with("evaluations", &self.work.evaluations)
            .with("nodes", &self.work.nodes)
            .save()
    }

    /// Restores what [`Run::save`] returned for a run of the same spec and seed.
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), Unreadable> {
        let saved = Sections::restore(saved)?;
        let sources = Sections::restore(saved.need_bytes("opponents")?)?;
        if sources.len() != self.opponents.len() {
            return Err(Unreadable("the opponents of another spec".into()));
        }
        self.archive = Archive::new(&self.spec.archive, self.policy.clone());
        saved.need::<Vec<M>>("archive")?.iter().for_each(|champion| self.archive.note(champion));
        let candidates = self.spec.search.candidates();
        restore(&mut *self.search, saved.need_bytes("search")?, &self.archive, candidates)?;
        self.local.restore(saved.need_bytes("local")?)?;
        for (index, source) in self.opponents.iter_mut().enumerate() {
            source.restore(sources.need_bytes(&index.to_string())?)?;
        }
        self.champion = saved.need("champion")?;
        self.generation = saved.need("generation")?;
        self.games = saved.need("games")?;
        self.standing = saved.get("standing")?.unwrap_or_default();
        self.front = saved.get("front")?.unwrap_or_default();
        self.diverged = saved.get("diverged")?.unwrap_or_default();
        self.work.evaluations = saved.get("evaluations")?.unwrap_or_default();
        self.work.nodes = saved.get("nodes")?.unwrap_or_default();
        Ok(())
    }
}

/// The nondominated candidates of a ranked generation; none if there is only one objective.
fn first_front<M: Clone>(ranked: &[Judged<M>]) -> Vec<Judged<M>> {
    let points: Vec<&[f64]> = ranked.iter().map(|judged| &*judged.objectives).collect();
    if points.first().is_none_or(|point| point.is_empty()) {
        return Vec::new();
    }
    undominated(&points).into_iter().map(|at| ranked[at].clone()).collect()
}
