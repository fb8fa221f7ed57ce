//! How candidates improve by themselves, before they are judged.

use rayon::prelude::*;

use super::self_play::{Lesson, Pupil};
use super::{Candidate, LocalSpec, TdSpec};
use crate::arena::{Arena, Stopped};
use crate::rng::{Chance, Seed, Stream};

/// A candidate on its way to be judged.
#[derive(Debug)]
pub struct Learning<'a, M> {
    /// The candidate.
    pub candidate: &'a mut M,
    /// The root of its streams in this generation.
    pub seed: Seed,
    /// The number of its generation.
    pub generation: u64,
    /// When it diverged: after this many of its games.
    pub diverged: Option<u64>,
    /// The mean error of temporal differences, if its learning tells.
    pub error: f64,
}

/// Games between two looks at whether to stop. Part of the streams: game g of a candidate has index
/// g % 100 of slice g / 100.
const SLICE: u64 = 100;

impl LocalSpec {
    /// Games that each candidate learns from in a generation.
    pub fn games(&self, generation: u64) -> u64 {
        match self {
            LocalSpec::None(_) => 0,
            LocalSpec::TdLambda(td) => td.games,
            LocalSpec::Games(games) => games.games,
            // Counted where they are played.
            LocalSpec::Store(_) => 0,
            LocalSpec::Td(td) => {
                let (games, every) = td.rhythm();
                if generation.is_multiple_of(every) { games } else { 0 }
            }
        }
    }

    /// Lets candidates learn, of one run or of several side by side: each becomes what it would have
    /// become alone.
    pub fn improve<M: Candidate>(
        &self,
        candidates: &mut [Learning<'_, M>],
        arena: &Arena,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), Stopped> {
        let LocalSpec::Td(td) = self else { return Ok(()) };
        let mut learning: Vec<(&mut Learning<'_, M>, u64)> = candidates
            .iter_mut()
            .map(|one| {
                let games = self.games(one.generation);
                (one, games)
            })
            .filter(|(_, games)| *games > 0)
            .collect();
        let most = learning.iter().map(|(_, games)| *games).max().unwrap_or(0);
        let share = learning.len().div_ceil(arena.threads()).max(1);
        for slice in 0..most.div_ceil(SLICE) {
            if stop() {
                return Err(Stopped);
            }
            let games = (most - slice * SLICE).min(SLICE);
            let lesson = td.lesson(games as u32);
            let teach = |some: &mut [(&mut Learning<'_, M>, u64)]| {
                teach(some, slice, &lesson, arena);
            };
            match arena.threads() {
                1 => teach(&mut learning),
                _ => arena.install(|| learning.par_chunks_mut(share).for_each(teach)),
            }
        }
        Ok(())
    }
}

impl TdSpec {
    /// How many games are played, and in every how many-th generation: (5, 1) for 5 games, (1, 10) for
    /// 0.1. Szubert et al. 2009 study such ratios.
    pub(super) fn rhythm(&self) -> (u64, u64) {
        match self.games {
            games if games < 1.0 => (1, (1.0 / games).round() as u64),
            games => (games as u64, 1),
        }
    }

    fn lesson(&self, games: u32) -> Lesson {
        Lesson {
            games,
            alpha: self.alpha as f32,
            lambda: self.lambda as f32,
            epsilon: Chance::new(self.epsilon).unwrap_or(Chance::NEVER),
        }
    }
}

/// Teaches candidates one slice of games, unless they have diverged.
fn teach<M: Candidate>(
    some: &mut [(&mut Learning<'_, M>, u64)],
    slice: u64,
    lesson: &Lesson,
    arena: &Arena,
) {
    let mut pupils: Vec<Pupil<'_, M>> = some
        .iter_mut()
        .map(|(one, _)| Pupil {
            model: &mut *one.candidate,
            seed: one.seed.child(Stream::Learning, slice),
        })
        .collect();
    let diverged = M::self_play(arena.kernel(), &mut pupils, lesson);
    for ((one, _), diverged) in some.iter_mut().zip(diverged) {
        let game = diverged.map(|game| slice * SLICE + u64::from(game) + 1);
        one.diverged = one.diverged.or(game);
    }
}
