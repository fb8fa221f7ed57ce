//! The one training loop. A [`Run`] is a spec and a seed on their way to a champion; [`step`] takes runs
//! one generation further.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::local::Learning;
use super::objective::win_shares;
use super::offline::{Course, learn_alone, learn_from_games, learn_from_store};
use super::opponents::{Field, Opponents, as_met};
use super::search::{Judged, Search, rank};
use super::{Archive, Candidate, Credit, LocalSpec, Spec, Stored, given};
use crate::arena::{Arena, Fixtures, Kept, Payoff, Plan, Stopped};
use crate::player::{Player, PlayerError, Policy, parse_player};
use crate::rng::{Chance, Rng, Seed, Stream};

/// A method at work: what a spec and a seed have come to so far.
pub struct Run<M> {
    spec: Spec,
    seed: Seed,
    policy: Policy,
    search: Box<dyn Search<M>>,
    opponents: Vec<Box<dyn Opponents<M>>>,
    archive: Archive<M>,
    champion: M,
    generation: u64,
    games: u64,
    standing: Standing,
    /// The fixed opponents as they are met, for those who learn in games against them.
    teachers: Vec<Player>,
    /// Games of the last generation, for those who learn from them.
    store: Vec<Kept>,
    /// Given games, for those who learn from them.
    given: Vec<Vec<u8>>,
}

/// How a generation did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The share of games won by its ten best.
    pub top10: f64,
    /// The share won by all.
    pub mean: f64,
}

/// Why a generation did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Someone asked to stop.
    Stopped,
    /// The parameters of a candidate grew beyond all bounds, after this many games of the run.
    Diverged(u64),
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Stopped
    }
}

/// Takes every run one generation further: asks for candidates, lets them learn, and judges them (in
/// `judge`). Probes and checkpoints come between generations, where runs are kept. Runs
/// share nothing but the batches in which their candidates learn; each ends up where it would have
/// alone. The runs must have the same spec but for the seed.
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
    let improved = improve(runs, &mut fields, arena, stop);
    let mut results = Vec::new();
    for ((run, candidates), improved) in runs.iter_mut().zip(fields).zip(improved) {
        results.push(improved.and_then(|errors| run.judge(candidates, &errors, arena, stop)));
    }
    results
}

/// Whether to stop; asked often.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Local learning of the candidates of all runs, side by side where that is faster. Gives the errors of temporal
/// differences of each run's candidates, if their learning tells.
fn improve<M: Candidate>(
    runs: &mut [&mut Run<M>],
    fields: &mut [Vec<M>],
    arena: &Arena,
    stop: &Stop<'_>,
) -> Vec<Result<Vec<f64>, Halt>> {
    let Some(local) = runs.first().map(|run| run.spec.local.clone()) else { return Vec::new() };
    let counts: Vec<usize> = fields.iter().map(Vec::len).collect();
    let mut counts = counts.into_iter();
    let mut learning: Vec<Learning<'_, M>> = Vec::new();
    for (run, candidates) in runs.iter().zip(&mut *fields) {
        let generation = run.generation;
        learning.extend(candidates.iter_mut().enumerate().map(|(index, candidate)| {
            let seed = run.root().child(Stream::Candidate, index as u64);
            Learning { candidate, seed, generation, diverged: None, error: 0.0 }
        }));
    }
    let stopped = match local {
        LocalSpec::None(_) => Ok(()),
        LocalSpec::Td(_) => local.improve(&mut learning, arena, stop),
        _ => {
            let mut rest = learning.as_mut_slice();
            runs.iter_mut().try_for_each(|run| {
                let (own, others) =
                    std::mem::take(&mut rest).split_at_mut(counts.next().unwrap_or(0));
                rest = others;
                run.improve_offline(own, arena, stop)
            })
        }
    };
    if stopped.is_err() {
        return vec![Err(Halt::Stopped); runs.len()];
    }
    let learned: Vec<(Option<u64>, f64)> =
        learning.into_iter().map(|one| (one.diverged, one.error)).collect();
    let mut learned = learned.into_iter();
    let mut results = Vec::new();
    for (run, candidates) in runs.iter_mut().zip(fields) {
        let games = local.games(run.generation);
        let (diverged, errors): (Vec<_>, Vec<_>) = learned.by_ref().take(candidates.len()).unzip();
        let first = diverged.into_iter().zip(0..).find_map(|(at, index)| {
            at.map(|game| Halt::Diverged(run.games + index * games + game))
        });
        run.games += games * candidates.len() as u64;
        results.push(first.map_or(Ok(errors), Err));
    }
    results
}

impl<M: Candidate> Run<M> {
    /// A run at its beginning.
    pub fn new(spec: Spec, seed: Seed) -> Result<Run<M>, PlayerError> {
        let mut rng = seed.at(Stream::Candidate, 0).rng();
        let start = spec.model.start();
        // If one can be made, all can.
        M::first(&spec.model, start, &mut rng.clone())?;
        let mut first =
            |start| M::first(&spec.model, start, &mut rng).expect("the first could be made");
        let search = M::search(&spec.search, &spec.model, &mut || first(start));
        let opponents = spec.opponents.build(&spec, &mut first)?;
        let champion = first(start);
        let given = match &spec.local {
            LocalSpec::Games(games) => given::read_or_play(games)?,
            _ => Vec::new(),
        };
        let mut run = Run::from_parts(spec, seed, search, opponents, champion);
        run.given = given;
        if let Some(fixed) = &run.spec.opponents.fixed {
            let opening = run.spec.policy.opening as u32;
            let met = |name: &String| {
                parse_player(name).map(|player| as_met(&player, run.policy, opening))
            };
            run.teachers = fixed.players.iter().map(met).collect::<Result<_, _>>()?;
        }
        Ok(run)
    }

    /// A run with a search and opponents of one's own. The champion is shown until there is one.
    pub fn from_parts(
        spec: Spec,
        seed: Seed,
        search: Box<dyn Search<M>>,
        opponents: Vec<Box<dyn Opponents<M>>>,
        champion: M,
    ) -> Run<M> {
        let epsilon = Chance::new(spec.policy.epsilon).unwrap_or(Chance::NEVER);
        let policy = Policy { epsilon, ..Policy::default() };
        let archive = Archive::new(&spec.archive, policy);
        Run {
            spec,
            seed,
            policy,
            search,
            opponents,
            archive,
            champion,
            generation: 0,
            games: 0,
            standing: Standing::default(),
            teachers: Vec::new(),
            store: Vec::new(),
            given: Vec::new(),
        }
    }

    /// Learning that is this run's alone.
    fn improve_offline(
        &mut self,
        candidates: &mut [Learning<'_, M>],
        arena: &Arena,
        stop: &Stop<'_>,
    ) -> Result<(), Stopped> {
        match &self.spec.local {
            LocalSpec::None(_) | LocalSpec::Td(_) => Ok(()),
            LocalSpec::TdLambda(spec) => {
                let course = Course { played: self.games, total: self.spec.games };
                learn_alone(spec, candidates, &self.teachers, course, arena, stop)
            }
            LocalSpec::Games(spec) => learn_from_games(spec, candidates, &self.given, arena, stop),
            LocalSpec::Store(spec) => {
                if spec.from == Stored::Present {
                    let players: Vec<Arc<Player>> = candidates
                        .iter()
                        .map(|learning| Arc::new(learning.candidate.player(self.policy)))
                        .collect();
                    let seed = self.root().child(Stream::Learning, 0);
                    let draw = |(index, teacher): (usize, &Player)| match teacher.is_drawn() {
                        true => Arc::new(teacher.drawn(seed.at(Stream::Weights, index as u64))),
                        false => Arc::new(teacher.clone()),
                    };
                    let teachers: Vec<Arc<Player>> =
                        self.teachers.iter().enumerate().map(draw).collect();
                    let plan = Plan { fixtures: &Fixtures::All, games: spec.games, seed };
                    let (payoff, games) =
                        arena.meet_and_keep(&players, &teachers, plan, true, stop)?;
                    self.games += payoff.games();
                    self.store = games;
                }
                learn_from_store(spec, candidates, &self.store, arena, stop)?;
                self.store.clear();
                Ok(())
            }
        }
    }

    /// Judges the candidates of this generation and tells the search.
    fn judge(
        &mut self,
        candidates: Vec<M>,
        errors: &[f64],
        arena: &Arena,
        stop: &Stop<'_>,
    ) -> Result<(), Halt> {
        let keep =
            matches!(&self.spec.local, LocalSpec::Store(store) if store.from == Stored::Previous);
        let (root, policy) = (self.root(), self.policy);
        let players: Vec<Arc<Player>> =
            candidates.iter().map(|candidate| Arc::new(candidate.player(policy))).collect();
        let field = Field { players: &players, archive: &self.archive, policy };
        let mut payoffs: Vec<Payoff> = Vec::new();
        for (index, source) in self.opponents.iter_mut().enumerate() {
            let seed = root.child(Stream::Source, index as u64);
            let drawn = source.draw(&field, &mut seed.at(Stream::Search, 0).rng());
            let plan = Plan { fixtures: &drawn.fixtures, games: self.spec.opponents.games, seed };
            let (payoff, games) =
                arena.meet_and_keep(&players, &drawn.players, plan, keep, stop)?;
            self.store.extend(games);
            source.learn(&payoff, &mut seed.at(Stream::Search, 1).rng());
            self.games += payoff.games();
            payoffs.push(match drawn.credit {
                Credit::Own => payoff,
                Credit::Both => payoff.doubled(),
            });
        }
        let fitness = self.spec.objective.fitness(candidates.len(), &payoffs, errors);
        let won = win_shares(candidates.len(), &payoffs);
        let ranked: Vec<Judged<M>> = rank(candidates, &fitness, &mut self.rng(1));
        let mean = |best: &[Judged<M>]| {
            best.iter().map(|judged| won[judged.index]).sum::<f64>() / best.len() as f64
        };
        self.standing =
            Standing { top10: mean(&ranked[..ranked.len().min(10)]), mean: mean(&ranked) };
        self.champion = ranked[0].candidate.clone();
        self.archive.note(&self.champion);
        self.search.tell(ranked);
        self.generation += 1;
        Ok(())
    }

    /// The root of all streams of this generation.
    fn root(&self) -> Seed {
        self.seed.child(Stream::Generation, self.generation)
    }

    /// The search's randomness of this generation, by step.
    fn rng(&self, step: u64) -> Rng {
        self.root().at(Stream::Search, step).rng()
    }

    /// The best candidate of the last generation.
    pub fn champion(&self) -> &M {
        &self.champion
    }

    /// How the last generation did.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// How many species there are, if the search has any.
    pub fn species(&self) -> Option<usize> {
        self.search.species()
    }

    /// The seed.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// What it is to do.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Generations done.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Games played, in which candidates learned or were judged.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Says whether the games of the spec have been played.
    pub fn is_done(&self) -> bool {
        self.games >= self.spec.games
    }

    /// Everything needed to go on, as bytes.
    pub fn save(&self) -> Vec<u8> {
        let saved = Saved {
            generation: self.generation,
            games: self.games,
            champion: self.champion.clone(),
            archive: self.archive.models().cloned().collect(),
            search: self.search.save(),
            opponents: self.opponents.iter().map(|source| source.save()).collect(),
            standing: self.standing,
            store: self.store.clone(),
        };
        postcard::to_stdvec(&saved).expect("models can be written to memory")
    }

    /// Takes up what [`Run::save`] gave for a run of the same spec and seed.
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        let saved: Saved<M> = postcard::from_bytes(saved)?;
        if saved.opponents.len() != self.opponents.len() {
            return Err(postcard::Error::DeserializeBadEncoding);
        }
        self.search.restore(&saved.search)?;
        for (source, saved) in self.opponents.iter_mut().zip(&saved.opponents) {
            source.restore(saved)?;
        }
        self.archive = Archive::new(&self.spec.archive, self.policy);
        saved.archive.iter().for_each(|champion| self.archive.note(champion));
        self.champion = saved.champion;
        self.generation = saved.generation;
        self.games = saved.games;
        (self.standing, self.store) = (saved.standing, saved.store);
        Ok(())
    }
}

/// A run of whatever model.
pub trait AnyRun: Send {
    /// Takes it one generation further.
    fn step(&mut self, arena: &Arena, stop: &Stop<'_>) -> Result<(), Halt>;
    /// Generations done.
    fn generation(&self) -> u64;
    /// Games played.
    fn games(&self) -> u64;
    /// The best candidate of the last generation, as a player.
    fn player(&self) -> Player;
    /// Everything needed to go on, as bytes.
    fn save(&self) -> Vec<u8>;
    /// Takes up what [`AnyRun::save`] gave for a run of the same spec and seed.
    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error>;
}

impl<M: Candidate> AnyRun for Run<M> {
    fn step(&mut self, arena: &Arena, stop: &Stop<'_>) -> Result<(), Halt> {
        step(&mut [self], arena, stop).remove(0)
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn player(&self) -> Player {
        self.champion.player(Policy::default())
    }

    fn save(&self) -> Vec<u8> {
        Run::save(self)
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        Run::restore(self, saved)
    }
}

impl Spec {
    /// A run of it at its beginning.
    pub fn begin(&self, seed: Seed) -> Result<Box<dyn AnyRun>, PlayerError> {
        with_model!(self.model, M => {
            Run::<M>::new(self.clone(), seed).map(|run| Box::new(run) as Box<dyn AnyRun>)
        })
    }
}

/// What a run needs to go on.
#[derive(Serialize, Deserialize)]
struct Saved<M> {
    generation: u64,
    games: u64,
    champion: M,
    archive: Vec<M>,
    search: Vec<u8>,
    opponents: Vec<Vec<u8>>,
    standing: Standing,
    store: Vec<Kept>,
}
