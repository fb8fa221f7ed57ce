//! Champions of earlier generations: a hall of fame (Rosin & Belew 1997), of all champions or of
//! the latest ones.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Candidate;
use crate::limits::MAX_COUNT;
use outflank_game::player::{Player, Policy};
use outflank_schema::{Fault, KeyPath, axis, table};

axis! {
/// The archive of champions.
pub enum ArchiveSpec: ArchiveKind {
    /// No archive: champions are forgotten.
    None(NoArchiveSpec) = "none",
    /// The best candidate of each generation.
    Champions(ChampionsSpec) = "champions",
}
}

table! {
/// No archive.
pub struct NoArchiveSpec {}
}

table! {
/// The best candidate of each generation.
pub struct ChampionsSpec {
    /// How many champions are kept, dropping the oldest first; 0 for all.
    pub capacity: usize,
}
}

/// A kind of archive, as a spec describes it.
pub trait ArchiveKind {
    /// Checks its keys.
    fn check(&self, _at: &KeyPath) -> Result<(), Fault> {
        Ok(())
    }

    /// The number of champions it keeps, or `None` if there is no archive.
    fn capacity(&self) -> Option<usize>;

    /// A small one, for tests.
    fn sample() -> Self
    where
        Self: Sized;
}

impl ArchiveKind for NoArchiveSpec {
    fn capacity(&self) -> Option<usize> {
        None
    }

    fn sample() -> NoArchiveSpec {
        NoArchiveSpec {}
    }
}

impl ArchiveKind for ChampionsSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        at.whole("capacity", self.capacity, 0..=MAX_COUNT)
    }

    fn capacity(&self) -> Option<usize> {
        Some(if self.capacity == 0 { usize::MAX } else { self.capacity })
    }

    fn sample() -> ChampionsSpec {
        ChampionsSpec { capacity: 3 }
    }
}

/// The archived champions, oldest first, each as a model and as a player.
#[derive(Clone, Debug)]
pub struct Archive<M> {
    /// `None` if there is no archive.
    capacity: Option<usize>,
    policy: Policy,
    champions: VecDeque<(M, Arc<Player>)>,
}

impl<M: Candidate> Archive<M> {
    /// Makes an empty archive whose players have this policy.
    pub fn new(spec: &ArchiveSpec, policy: Policy) -> Archive<M> {
        Archive { capacity: spec.capacity(), policy, champions: VecDeque::new() }
    }

    /// Adds a champion and drops the oldest one if there are too many.
    pub fn note(&mut self, champion: &M) {
        let Some(capacity) = self.capacity else { return };
        let player = Arc::new(champion.player(self.policy.clone()));
        self.champions.push_back((champion.clone(), player));
        if self.champions.len() > capacity {
            self.champions.pop_front();
        }
    }

    /// The number of champions.
    pub fn len(&self) -> usize {
        self.champions.len()
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.champions.is_empty()
    }

    /// The models, oldest first.
    pub fn models(&self) -> impl ExactSizeIterator<Item = &M> {
        self.champions.iter().map(|(model, _)| model)
    }

    /// The model at an index; 0 is the oldest.
    pub fn model(&self, index: usize) -> &M {
        &self.champions[index].0
    }

    /// The player at an index; 0 is the oldest.
    pub fn player(&self, index: usize) -> &Arc<Player> {
        &self.champions[index].1
    }

    /// The players, oldest first.
    pub fn players(&self) -> impl ExactSizeIterator<Item = &Arc<Player>> {
        self.champions.iter().map(|(_, player)| player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::model::{Model, Wpc};

    fn remembered(spec: ArchiveSpec) -> Vec<i32> {
        let mut archive = Archive::new(&spec, Policy::default());
        for weight in 0..5 {
            archive.note(&Wpc::new([weight as f32; 64]).unwrap());
        }
        assert_eq!(archive.players().len(), archive.len());
        archive.models().map(|model| model.params()[0] as i32).collect()
    }

    #[test]
    fn an_archive_remembers_all_or_the_latest_or_none() {
        let champions = |capacity| ArchiveSpec::Champions(ChampionsSpec { capacity });
        assert_eq!(remembered(champions(0)), [0, 1, 2, 3, 4]);
        assert_eq!(remembered(champions(2)), [3, 4]);
        assert!(remembered(ArchiveSpec::None(NoArchiveSpec {})).is_empty());
    }
}
