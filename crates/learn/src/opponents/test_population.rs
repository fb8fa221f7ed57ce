//! A second population, rewarded for distinguishing candidates.

use std::sync::Arc;

use super::random_wpc::RandomWpcs;
use super::{Drawn, Field, Opponents, RandomWpcSpec, SourceKind, SourceSetting};
use crate::limits::MAX_PLAYERS;
use crate::search::{Beginning, Breeds, Search, SearchSpec, rank, restore};
use crate::{
    Archive, ArchiveSpec, Candidate, EsSpec, LearnError, NoArchiveSpec, ObjectiveSpec, Spec, Stop,
    Unreadable,
};
use outflank_arena::{Payoff, Stopped};
use outflank_game::player::Policy;
use outflank_kernel::rng::Rng;
use outflank_schema::one_of;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table};

table! {
/// A population of tests as opponents.
pub struct TestsSpec {
    /// Initial weights of tests are uniform in [-start, start].
    pub start: f64,
    /// Random WPCs added to the tests in each generation; candidates meet them and they share
    /// distinctions, but they do not evolve.
    pub beside: usize,
    /// How tests are proposed and replaced.
    pub search: SearchSpec,
    /// How the games of the tests become their fitness.
    pub objective: ObjectiveSpec,
}
}

impl SourceKind for TestsSpec {
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        let search = at.table("search");
        let suits = |search: &SearchSpec| {
            let breeds = matches!(search.breeds(), Breeds::Parameters | Breeds::Places);
            search.varies() && !search.needs_objectives() && breeds
        };
        if !suits(&self.search) {
            let all = SearchSpec::samples();
            let names: Vec<&str> =
                all.iter().filter(|it| suits(it)).map(SearchSpec::kind).collect();
            let expected = format!("{}, which change parameters", one_of(&names));
            return Err(search.fault("kind", format!("{:?}", self.search.kind()), expected));
        }
        at.number("start", self.start, 0.0..=MAX_NUMBER)?;
        if self.search.archive_parents() > 0.0 {
            let expected = "0, because champions are not tests";
            return Err(search.fault("archive-parents", self.search.archive_parents(), expected));
        }
        at.whole("beside", self.beside, 0..=MAX_PLAYERS)?;
        spec.check_search(&search, &self.search, (&at.key("start"), self.start))?;
        let objective = at.table("objective");
        self.objective.check(&objective)?;
        self.objective.check_for_tests(&objective, spec.search.candidates() as u64)
    }

    fn per_candidate(&self, _: &Spec) -> u64 {
        self.search.candidates().saturating_add(self.beside) as u64
    }

    fn shrink(&mut self) {
        self.search.shrink();
        self.beside = self.beside.min(3);
    }

    fn sample() -> TestsSpec {
        let mut search = SearchSpec::Es(<EsSpec as crate::SearchKind>::sample());
        search.shrink();
        let objective = <crate::DistinctionsSpec as crate::ObjectiveKind>::sample();
        TestsSpec {
            start: 0.1,
            beside: 1,
            search,
            objective: ObjectiveSpec::Distinctions(objective),
        }
    }

    fn build<M: Candidate>(
        &self,
        setting: &mut SourceSetting<'_, M>,
    ) -> Result<Box<dyn Opponents<M>>, LearnError> {
        let first = &mut || (setting.first)(self.start);
        let begin = Beginning { model: &setting.spec.model, start: self.start, first };
        Ok(Box::new(Tests {
            search: self.search.build(begin),
            beside: RandomWpcs(RandomWpcSpec { number: self.beside }),
            objective: self.objective.clone(),
            asked: Vec::new(),
            candidates: self.search.candidates(),
        }))
    }
}

/// A second population, rewarded for distinguishing candidates.
struct Tests<M> {
    search: Box<dyn Search<M>>,
    beside: RandomWpcs,
    objective: ObjectiveSpec,
    /// The tests of this generation.
    asked: Vec<M>,
    /// Tests in each generation.
    candidates: usize,
}

impl<M: Candidate> Opponents<M> for Tests<M> {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let nobody = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), field.policy.clone());
        self.asked = self.search.ask(&nobody, rng);
        let mut drawn = self.beside.draw(field, rng);
        let tests = self.asked.iter().map(|test| Arc::new(test.player(field.policy.clone())));
        drawn.players.splice(..0, tests);
        drawn
    }

    fn learn(&mut self, payoff: &Payoff, rng: &mut Rng, stop: &Stop<'_>) -> Result<(), Stopped> {
        let tests = std::mem::take(&mut self.asked);
        let all = payoff.transposed();
        let judgements = self.objective.judge(all.rows(), &[all], &[], stop)?;
        self.search.tell(rank(tests, judgements, rng), rng);
        Ok(())
    }

    fn save(&self) -> Vec<u8> {
        self.search.save()
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Unreadable> {
        let nobody = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
        restore(&mut *self.search, saved, &nobody, self.candidates)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::draw;
    use super::*;
    use crate::{DistinctionsSpec, ModelSpec, MutationSpec, Noise, WpcSpec};
    use outflank_arena::{Cell, Fixtures};
    use outflank_game::model::Wpc;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn tests_that_tell_candidates_apart_survive() {
        let bounds = [-10.0, 10.0];
        let mutation =
            MutationSpec { size: 0.1, bounds, ..MutationSpec::sample(Noise::Uniform, 1.0) };
        let search = SearchSpec::Es(EsSpec { mu: 1, lambda: 1, mutation });
        let objective = ObjectiveSpec::Distinctions(DistinctionsSpec { directed: true });
        let mut tests = Tests {
            search: search.build(Beginning {
                model: &ModelSpec::Wpc(WpcSpec {
                    start: 1.0,
                    ..<WpcSpec as crate::ModelKind>::sample()
                }),
                start: 1.0,
                first: &mut || Wpc::new([1.0; 64]).unwrap(),
            }),
            beside: RandomWpcs(RandomWpcSpec { number: 1 }),
            objective,
            asked: vec![],
            candidates: 2,
        };
        assert_eq!(draw(&mut tests, 0).players.len(), 3);
        let (parent, child) = (tests.asked[0].clone(), tests.asked[1].clone());
        let bits = |wpc: &Wpc| wpc.weights().map(f32::to_bits);
        assert!(bits(&parent) != bits(&child));
        // Ten candidates: all beat the parent, half of them beat the child, one beats the random
        // WPC.
        let won = Cell { wins: 2, ..Cell::default() };
        let lost = won.reversed();
        let cells = (0..10)
            .flat_map(|i| [won, if i < 5 { won } else { lost }, if i < 1 { won } else { lost }]);
        let cells = cells.collect();
        let payoff = Payoff::new(10, 3, Fixtures::All, cells);
        let mut rng = Seed(1).at(Stream::Search, 1).rng();
        tests.learn(&payoff, &mut rng, &|| false).unwrap();
        draw(&mut tests, 0);
        assert!(bits(&tests.asked[0]) == bits(&child));
    }
}
