//! The one training loop. A [`Run`] is a spec and a seed on their way to a champion; [`step`] takes runs
//! one generation further.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::local::Learning;
use super::opponents::{Field, Opponents};
use super::search::{Judged, Search, rank};
use super::{Archive, Candidate, Credit, Spec};
use crate::arena::{Arena, Payoff, Plan, Stopped};
use crate::player::{Player, PlayerError, Policy};
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
        results.push(improved.and_then(|()| run.judge(candidates, arena, stop)));
    }
    results
}

/// Whether to stop; asked often.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Local learning of the candidates of all runs, side by side.
fn improve<M: Candidate>(
    runs: &mut [&mut Run<M>],
    fields: &mut [Vec<M>],
    arena: &Arena,
    stop: &Stop<'_>,
) -> Vec<Result<(), Halt>> {
    let Some(local) = runs.first().map(|run| run.spec.local.clone()) else { return Vec::new() };
    let mut learning: Vec<Learning<'_, M>> = Vec::new();
    for (run, candidates) in runs.iter().zip(&mut *fields) {
        let generation = run.generation;
        learning.extend(candidates.iter_mut().enumerate().map(|(index, candidate)| {
            let seed = run.root().child(Stream::Candidate, index as u64);
            Learning { candidate, seed, generation, diverged: None }
        }));
    }
    if local.improve(&mut learning, arena, stop).is_err() {
        return vec![Err(Halt::Stopped); runs.len()];
    }
    let diverged: Vec<Option<u64>> = learning.into_iter().map(|one| one.diverged).collect();
    let mut diverged = diverged.into_iter();
    let mut results = Vec::new();
    for (run, candidates) in runs.iter_mut().zip(fields) {
        let games = local.games(run.generation);
        let first = diverged.by_ref().take(candidates.len()).zip(0..).find_map(|(at, index)| {
            at.map(|game| Halt::Diverged(run.games + index * games + game))
        });
        run.games += games * candidates.len() as u64;
        results.push(first.map_or(Ok(()), Err));
    }
    results
}

impl<M: Candidate> Run<M> {
    /// A run at its beginning. `first` makes a model whose parameters are uniform within a distance of 0.
    pub fn new(
        spec: Spec,
        seed: Seed,
        first: impl Fn(f64, &mut Rng) -> M,
    ) -> Result<Run<M>, PlayerError> {
        let mut rng = seed.at(Stream::Candidate, 0).rng();
        let start = spec.model.start();
        let search = spec.search.build(|| first(start, &mut rng));
        let opponents = spec.opponents.build(|start| first(start, &mut rng))?;
        let champion = first(start, &mut rng);
        Ok(Run::from_parts(spec, seed, search, opponents, champion))
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
        let (generation, games) = (0, 0);
        Run { spec, seed, policy, search, opponents, archive, champion, generation, games }
    }

    /// Judges the candidates of this generation and tells the search.
    fn judge(&mut self, candidates: Vec<M>, arena: &Arena, stop: &Stop<'_>) -> Result<(), Halt> {
        let (root, policy) = (self.root(), self.policy);
        let players: Vec<Arc<Player>> =
            candidates.iter().map(|candidate| Arc::new(candidate.player(policy))).collect();
        let field = Field { players: &players, archive: &self.archive, policy };
        let mut payoffs: Vec<Payoff> = Vec::new();
        for (index, source) in self.opponents.iter_mut().enumerate() {
            let seed = root.child(Stream::Source, index as u64);
            let drawn = source.draw(&field, &mut seed.at(Stream::Search, 0).rng());
            let plan = Plan { fixtures: &drawn.fixtures, games: self.spec.opponents.games, seed };
            let payoff = arena.meet(&players, &drawn.players, plan, stop)?;
            source.learn(&payoff, &mut seed.at(Stream::Search, 1).rng());
            self.games += payoff.games();
            payoffs.push(match drawn.credit {
                Credit::Own => payoff,
                Credit::Both => payoff.doubled(),
            });
        }
        let fitness = self.spec.objective.fitness(candidates.len(), &payoffs);
        let ranked: Vec<Judged<M>> = rank(candidates, &fitness, &mut self.rng(1));
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
        Ok(())
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
}
