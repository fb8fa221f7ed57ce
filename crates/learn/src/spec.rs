//! What a method is: one value for each of the six axes. A preset is such a spec as a file; the run
//! that comes of it depends on the spec and the seed alone.
//!
//! Here are the parameters, immutable, with the papers' names; what changes while a run goes on is
//! state and lives elsewhere. Every key is required, but for those that are off when they are missing:
//! defaults belong to presets.

use super::{
    ArchiveSpec, LocalSpec, ModelSpec, ObjectiveSpec, OpponentsSpec, PolicySpec, ProbesSpec,
    SearchSpec,
};
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, fault, shown, table, whole};

table! {
/// A method and its effort.
pub struct Spec {
    /// Games after which a run ends, with the generation that reaches them.
    pub games: u64,
    /// What scores a board.
    pub model: ModelSpec,
    /// How candidates are proposed and replaced.
    pub search: SearchSpec,
    /// How a candidate improves by itself.
    pub local: LocalSpec,
    /// Champions of earlier generations that are remembered.
    pub archive: ArchiveSpec,
    /// Whom candidates meet.
    pub opponents: OpponentsSpec,
    /// How games become fitness.
    pub objective: ObjectiveSpec,
    /// How moves are chosen in the games that count for fitness.
    pub policy: PolicySpec,
    /// What is measured while it runs.
    pub probes: ProbesSpec,
}
}

/// The most games of a run: centuries of play.
pub(super) const MAX_GAMES: u64 = 1_000_000_000_000_000;

impl Spec {
    /// Says what is wrong with the spec, if anything is: first with each axis alone, then with axes
    /// beside each other, then with all together.
    pub fn check(&self) -> Result<(), Fault> {
        let [model, search, local, archive, objective] =
            ["model", "search", "local", "archive", "objective"].map(KeyPath::new);
        whole("games", self.games, 1..=MAX_GAMES)?;
        self.model.check(&model)?;
        self.check_search(&search, &self.search, ("model.start", self.model.start()))?;
        self.local.check(&local)?;
        self.check_breeding()?;
        self.check_learning()?;
        self.local.check_with(&local, self)?;
        self.archive.check(&archive)?;
        self.opponents.check(self)?;
        self.check_somebody_is_met()?;
        self.objective.check(&objective)?;
        self.objective.check_with(&objective, self)?;
        self.policy.check()?;
        self.probes.check(self)?;
        self.check_effort()
    }

    /// Says what is wrong with a search whose candidates start so far from 0.
    pub(super) fn check_search(
        &self,
        at: &KeyPath,
        search: &SearchSpec,
        start: (&str, f64),
    ) -> Result<(), Fault> {
        search.check(at, self)?;
        search.mutation().map_or(Ok(()), |mutation| mutation.check(&at.table("mutation")))?;
        let Some((name, [low, high])) = search.bounds() else { return Ok(()) };
        if !(low < high && low >= -MAX_NUMBER && high <= MAX_NUMBER) {
            let expected =
                format!("two numbers from -{MAX_NUMBER} to {MAX_NUMBER}, the smaller first");
            return Err(at.fault(name, format!("[{}, {}]", shown(low), shown(high)), expected));
        }
        let (start_key, start) = start;
        if -start < low || start > high {
            let expected = format!("[-start, start] within {} = [{low}, {high}]", at.key(name));
            return Err(fault(start_key, start, expected));
        }
        Ok(())
    }

    /// The games of a full generation. One game of local learning every few generations counts as one,
    /// and the hall of fame as if it were full.
    pub fn games_per_generation(&self) -> u64 {
        let candidates = self.search.candidates() as u64;
        let met = candidates.saturating_mul(self.opponents_per_candidate());
        met.saturating_mul(self.opponents.games as u64).saturating_add(self.local.games(self))
    }

    /// How many opponents each candidate meets in a generation, once the hall of fame is filled.
    pub fn opponents_per_candidate(&self) -> u64 {
        let sources = self.opponents.sources();
        sources.iter().map(|(_, source)| source.per_candidate(self)).fold(0, u64::saturating_add)
    }

    /// Makes it small, for the stamp that every run has: a few candidates, opponents and games, so that
    /// nobody waits for it.
    pub fn shrink(&mut self) {
        self.model.shrink();
        self.search.shrink();
        self.local.shrink();
        self.opponents.games = self.opponents.games.min(4);
        self.opponents.sources_mut().into_iter().for_each(|source| source.shrink());
    }
}
