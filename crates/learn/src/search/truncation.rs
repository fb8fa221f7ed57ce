//! Truncation selection: the best are copied and mutated, and new random candidates replace the
//! others. The tests of 2CEL-RS evolve in this way in the configuration that the authors of
//! Jaśkowski et al. 2013 published with later code; their paper has a (μ+λ) evolution strategy.

use serde::{Deserialize, Serialize};

use super::{Beginning, Judged, MutationSpec, Noise, Search, SearchKind};
use crate::limits::MAX_PLAYERS;
use crate::state::keeps;
use crate::{Archive, Candidate, Spec};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table};

table! {
/// Truncation selection, with new random candidates.
pub struct TruncationSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// How many of the best survive, as mutated copies.
    pub elites: usize,
    /// Parameters of new candidates, which replace the rest, are uniform in [-fresh, fresh].
    pub fresh: f64,
    /// How a copy differs from its original.
    pub mutation: MutationSpec,
}
}

impl SearchKind for TruncationSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        at.whole("population", self.population, 2..=MAX_PLAYERS)?;
        if self.elites == 0 || self.elites > self.population {
            let expected = format!("1 to {} = {}", at.key("population"), self.population);
            return Err(at.fault("elites", self.elites, expected));
        }
        at.number("fresh", self.fresh, 0.0..=MAX_NUMBER)
    }

    fn candidates(&self) -> usize {
        self.population
    }

    fn mutation(&self) -> Option<&MutationSpec> {
        Some(&self.mutation)
    }

    /// Its copies do not compete with each other. It improves only where new candidates can be
    /// better, and drifts otherwise.
    fn climbs(&self) -> bool {
        false
    }

    fn shrink(&mut self) {
        (self.population, self.elites) = (7, 5);
    }

    fn sample() -> TruncationSpec {
        let mutation = MutationSpec::sample(Noise::Uniform, 0.2);
        TruncationSpec { population: 26, elites: 20, fresh: 0.2, mutation }
    }

    fn build<M: Candidate>(&self, mut begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        Box::new(Truncation::new(self.clone(), begin.some(self.population)))
    }
}

/// The population, best first, or as it was at the start.
pub struct Truncation<M> {
    spec: TruncationSpec,
    state: State<M>,
}

#[derive(Serialize, Deserialize)]
enum State<M> {
    First(Vec<M>),
    Elites(Vec<M>),
}

impl<M> Truncation<M> {
    /// Starts from this population.
    pub fn new(spec: TruncationSpec, first: Vec<M>) -> Truncation<M> {
        Truncation { spec, state: State::First(first) }
    }
}

impl<M: Candidate> Search<M> for Truncation<M> {
    fn ask(&mut self, _archive: &Archive<M>, rng: &mut Rng) -> Vec<M> {
        let TruncationSpec { population, fresh, mutation, .. } = &self.spec;
        let mut candidates = match &self.state {
            State::First(first) => return first.clone(),
            State::Elites(elites) => elites.clone(),
        };
        for elite in &mut candidates {
            elite.mutate(mutation, rng);
        }
        let any = candidates[0].clone();
        candidates.resize_with(*population, || {
            let mut newcomer = any.clone();
            for param in newcomer.params_mut() {
                *param = rng.uniform(-fresh, *fresh) as f32;
            }
            newcomer
        });
        candidates
    }

    fn tell(&mut self, ranked: Vec<Judged<M>>, _rng: &mut Rng) {
        let best = ranked.into_iter().take(self.spec.elites);
        self.state = State::Elites(best.map(|judged| judged.candidate).collect());
    }

    keeps!(state);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArchiveSpec, NoArchiveSpec};
    use outflank_game::model::{Model, Wpc};
    use outflank_game::player::Policy;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn the_best_stay_with_mutations_and_the_others_are_fresh() {
        let mutation = MutationSpec { size: 0.1, ..MutationSpec::sample(Noise::Uniform, 0.5) };
        let spec = TruncationSpec { population: 6, elites: 4, fresh: 0.2, mutation };
        let first = (0..6).map(|i| Wpc::new([1.0 + i as f32 / 10.0; 64]).unwrap()).collect();
        let mut search = Truncation::new(spec, first);
        let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
        let mut rng = Seed(1).at(Stream::Search, 0).rng();
        let asked = search.ask(&archive, &mut rng);
        search.tell(
            super::super::rank_by(asked, &[5.0, 4.0, 3.0, 2.0, 1.0, 0.0], &mut rng),
            &mut rng,
        );
        let next = search.ask(&archive, &mut rng);
        for (rank, elite) in next[..4].iter().enumerate() {
            let steps = elite.params().iter().map(|w| w - (1.0 + rank as f32 / 10.0));
            let changed: Vec<f32> = steps.filter(|step| step.abs() > 0.0).collect();
            // Half of 64 weights, with a standard deviation of 4, each changed by at most the size.
            assert!((16..=48).contains(&changed.len()), "elite {rank}: {}", changed.len());
            assert!(changed.iter().all(|step| step.abs() <= 0.1001));
        }
        for fresh in &next[4..] {
            assert!(fresh.params().iter().all(|w| w.abs() <= 0.2), "{:?}", fresh.params());
            assert!(
                fresh.params().iter().any(|w| *w < 0.0) && fresh.params().iter().any(|w| *w > 0.0)
            );
        }
    }
}
