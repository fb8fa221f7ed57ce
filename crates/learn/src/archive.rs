//! Champions of earlier generations: a hall of fame (Rosin & Belew 1997), unbounded or of the latest
//! few.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Candidate;
use crate::limits::MAX_COUNT;
use outflank_game::player::{Player, Policy};
use outflank_schema::{Fault, KeyPath, axis, table};

axis! {
/// Champions that are remembered.
pub enum ArchiveSpec: ArchiveKind {
    /// None are remembered.
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
    /// How many are kept, the oldest dropped first; 0 for all.
    pub capacity: usize,
}
}

/// What is asked of an archive before there is one.
pub trait ArchiveKind {
    /// Says what is wrong with its keys.
    fn check(&self, _at: &KeyPath) -> Result<(), Fault> {
        Ok(())
    }

    /// How many champions it remembers; none if it remembers nothing at all.
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

/// The champions remembered, oldest first, each as a model and as a player.
#[derive(Clone, Debug)]
pub struct Archive<M> {
    /// None if nothing is remembered.
    capacity: Option<usize>,
    policy: Policy,
    champions: VecDeque<(M, Arc<Player>)>,
}

impl<M: Candidate> Archive<M> {
    /// An empty archive, whose players have this policy.
    pub fn new(spec: &ArchiveSpec, policy: Policy) -> Archive<M> {
        Archive { capacity: spec.capacity(), policy, champions: VecDeque::new() }
    }

    /// Remembers a champion, and forgets the oldest if there are too many.
    pub fn note(&mut self, champion: &M) {
        let Some(capacity) = self.capacity else { return };
        let player = Arc::new(champion.player(self.policy.clone()));
        self.champions.push_back((champion.clone(), player));
        if self.champions.len() > capacity {
            self.champions.pop_front();
        }
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.champions.len()
    }

    /// Says whether none are.
    pub fn is_empty(&self) -> bool {
        self.champions.is_empty()
    }

    /// The models, oldest first.
    pub fn models(&self) -> impl ExactSizeIterator<Item = &M> {
        self.champions.iter().map(|(model, _)| model)
    }

    /// A model by its age, the oldest first.
    pub fn model(&self, index: usize) -> &M {
        &self.champions[index].0
    }

    /// A player by its age, the oldest first.
    pub fn player(&self, index: usize) -> &Arc<Player> {
        &self.champions[index].1
    }

    /// The same as players, oldest first.
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
