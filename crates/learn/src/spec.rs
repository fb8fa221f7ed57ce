//! A method: one value for each of the six axes. A preset is such a spec in a file. A run depends
//! on its spec and its seed alone.
//!
//! A spec contains the parameters, named as in the papers; they never change. State that changes
//! during a run lives elsewhere. Every key is required, except for newer ones that are off when
//! they are missing: defaults belong to presets.

use super::{
    ArchiveSpec, LocalSpec, ModelSpec, ObjectiveSpec, OpponentsSpec, PolicySpec, ProbesSpec,
    SearchSpec, UntilSpec,
};
use outflank_schema::{Again, Fault, KeyPath, MAX_NUMBER, fault, shown, table, whole};

table! {
/// A method and its effort.
pub struct Spec {
    /// Effort: a run ends with the generation that reaches this many games.
    pub games: u64,
    /// What evaluates a board.
    pub model: ModelSpec,
    /// How candidates are proposed and replaced.
    pub search: SearchSpec,
    /// How a candidate learns by itself, besides evolution.
    pub local: LocalSpec,
    /// Which champions of earlier generations are remembered.
    pub archive: ArchiveSpec,
    /// Whom candidates play against.
    pub opponents: OpponentsSpec,
    /// How the results of games become fitness.
    pub objective: ObjectiveSpec,
    /// How moves are chosen in the games that count for fitness.
    pub policy: PolicySpec,
    /// What is measured during a run.
    pub probes: ProbesSpec,
    /// A goal at which a run ends before its games are played; without it, a run plays them all.
    pub until: Option<UntilSpec>,
    /// A stage before: a whole spec, whose runs are trained first. Each run then starts from the
    /// champion of the stage with the same seed.
    pub before: Again<Spec>,
}
}

/// The largest number of games in a run: centuries of play.
pub(super) const MAX_GAMES: u64 = 1_000_000_000_000_000;

impl Spec {
    /// Says whether runs with more games begin as those with fewer.
    pub fn is_continuable(&self) -> bool {
        self.local.key_of_length().is_none() && self.until.is_none()
    }

    /// Checks the spec: first each axis alone, then combinations of axes, then the whole.
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
        self.check_ties()?;
        self.check_colour()?;
        self.probes.check(self)?;
        self.until.as_ref().map_or(Ok(()), |until| until.check(self))?;
        self.check_effort()?;
        self.check_before()
    }

    /// Checks a search, given the key and value of how far from 0 its candidates start.
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

    /// Games in a full generation. Local learning with one game every few generations counts as one
    /// game, and the hall of fame counts as if it were full.
    pub fn games_per_generation(&self) -> u64 {
        let candidates = self.search.candidates() as u64;
        let met = candidates.saturating_mul(self.opponents_per_candidate());
        met.saturating_mul(self.opponents.games as u64).saturating_add(self.local.games(self))
    }

    /// Opponents of each candidate in a generation, once the hall of fame is filled.
    pub fn opponents_per_candidate(&self) -> u64 {
        let sources = self.opponents.sources();
        sources.iter().map(|(_, source)| source.per_candidate(self)).fold(0, u64::saturating_add)
    }

    /// The most games of a run and of the stages before it.
    pub fn all_games(&self) -> u64 {
        self.games.saturating_add(self.before.get().map_or(0, Spec::all_games))
    }

    /// Makes the spec small, for the signature that every run records: a few candidates, opponents
    /// and games, so that it takes no time.
    pub fn shrink(&mut self) {
        self.model.shrink();
        self.search.shrink();
        self.local.shrink();
        self.opponents.games = self.opponents.games.min(4);
        self.opponents.sources_mut().into_iter().for_each(|source| source.shrink());
        self.before.0.iter_mut().for_each(|before| before.shrink());
    }
}
