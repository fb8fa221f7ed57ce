//! Runs of any model. The type of the model is erased here; the crates that use `learn` see only
//! these traits.

use std::path::Path;
use std::sync::Arc;

use super::local::Given;
use super::models::with_model;
use super::run::{Halt, Run, Stop, step};
use super::start::Start;
use super::{Candidate, LearnError, Spec, Unreadable};
use outflank_arena::Arena;
use outflank_game::player::{Champions, Player, PlayerFile, Policy};
use outflank_kernel::rng::Seed;

/// A spec whose runs can begin. The files that it names have been read, and given games read or
/// played, once for all runs.
#[derive(Clone, Debug)]
pub struct Ready {
    spec: Arc<Spec>,
    given: Given,
    start: Start,
}

impl Spec {
    /// Reads and plays what its runs need, and checks that a run can begin.
    pub fn ready(&self) -> Result<Ready, LearnError> {
        let (given, start) = (self.local.given()?, self.start()?);
        let ready = Ready { spec: Arc::new(self.clone()), given, start };
        // Which champions of a study are needed depends on the seeds.
        match &ready.start {
            Start::Champions(..) => Ready { start: Start::Random, ..ready.clone() },
            _ => ready.clone(),
        }
        .begin(&[Seed(0)])?;
        Ok(ready)
    }

    /// Begins one run. A stage before it is not trained here, and the run starts as if there were
    /// none; see [`Ready::after`].
    pub fn begin(&self, seed: Seed) -> Result<Box<dyn AnyRun>, LearnError> {
        with_model!(self.model, M => {
            Run::<M>::new(self.clone(), seed).map(|run| Box::new(run) as Box<dyn AnyRun>)
        })
    }
}

impl Ready {
    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The same, but runs start from the champions of the stage before, which are in this folder.
    pub fn after(&self, stage: &Path) -> Result<Ready, LearnError> {
        let start = Start::Champions("before".into(), Champions::read(stage)?);
        Ok(Ready { start, ..self.clone() })
    }

    /// Checks that runs with these seeds have something to start from.
    pub fn check(&self, seeds: &[u64]) -> Result<(), LearnError> {
        if let Start::Champions(..) = self.start {
            for &seed in seeds {
                with_model!(self.spec.model, M => {
                    self.start.model::<M>(&self.spec, Seed(seed))?;
                });
            }
        }
        Ok(())
    }

    /// Begins runs with these seeds.
    pub fn begin(&self, seeds: &[Seed]) -> Result<Box<dyn Cohort>, LearnError> {
        with_model!(self.spec.model, M => {
            let run = |seed: &Seed| {
                Run::<M>::given((*self.spec).clone(), *seed, &self.given, &self.start)
            };
            let runs: Vec<Run<M>> = seeds.iter().map(run).collect::<Result<_, _>>()?;
            Ok(Box::new(runs))
        })
    }
}

/// Several runs of one spec, each with its own seed.
pub trait Cohort: Send {
    /// The number of runs.
    fn len(&self) -> usize;

    /// Says whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Advances some of the runs, given in order, by one generation; see [`step`].
    fn step(&mut self, which: &[usize], arena: &Arena, stop: &Stop<'_>) -> Vec<Result<(), Halt>>;

    /// A run.
    fn run(&self, index: usize) -> &dyn AnyRun;

    /// A run, to be restored.
    fn run_mut(&mut self, index: usize) -> &mut dyn AnyRun;

    /// Removes a run; those after it move up.
    fn remove(&mut self, index: usize);
}

impl<M: Candidate> Cohort for Vec<Run<M>> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn step(&mut self, which: &[usize], arena: &Arena, stop: &Stop<'_>) -> Vec<Result<(), Halt>> {
        let chosen = |(index, run)| which.contains(&index).then_some(run);
        let mut runs: Vec<&mut Run<M>> = self.iter_mut().enumerate().filter_map(chosen).collect();
        step(&mut runs, arena, stop)
    }

    fn run(&self, index: usize) -> &dyn AnyRun {
        &self[index]
    }

    fn run_mut(&mut self, index: usize) -> &mut dyn AnyRun {
        &mut self[index]
    }

    fn remove(&mut self, index: usize) {
        Vec::remove(self, index);
    }
}

/// A run of any model.
pub trait AnyRun: Send {
    /// Advances the run by one generation.
    fn step(&mut self, arena: &Arena, stop: &Stop<'_>) -> Result<(), Halt>;
    /// The seed.
    fn seed(&self) -> Seed;
    /// The spec of the run.
    fn spec(&self) -> &Spec;
    /// Generations completed.
    fn generation(&self) -> u64;
    /// Games played.
    fn games(&self) -> u64;
    /// Says whether the run has played the games of its spec.
    fn is_done(&self) -> bool;
    /// The best candidate of the last generation, as a player that breaks ties as in its games.
    fn player(&self) -> Player;
    /// The same as a player file, if the model can be saved as one.
    fn champion_file(&self, name: &str) -> Option<PlayerFile>;
    /// The files of the players of the front, each with its results; see [`Run::front`] and
    /// [`AnyRun::front_points`].
    fn front_files(&self, name: &str) -> Vec<(PlayerFile, Box<[f64]>)>;
    /// The players of the front, which break ties as in their games.
    fn front_players(&self) -> Vec<Player>;
    /// The result of each player of the front in every objective, as a share of the most that can
    /// be had.
    fn front_points(&self) -> Vec<Box<[f64]>>;
    /// A statistic of the last generation, if the run has one of that name.
    fn statistic(&self, name: &str) -> Option<f64>;
    /// The state of the run as bytes.
    fn save(&self) -> Vec<u8>;
    /// Restores what [`AnyRun::save`] returned for a run of the same spec and seed.
    fn restore(&mut self, saved: &[u8]) -> Result<(), Unreadable>;
}

impl<M: Candidate> AnyRun for Run<M> {
    fn step(&mut self, arena: &Arena, stop: &Stop<'_>) -> Result<(), Halt> {
        step(&mut [self], arena, stop).remove(0)
    }

    fn seed(&self) -> Seed {
        Run::seed(self)
    }

    fn spec(&self) -> &Spec {
        Run::spec(self)
    }

    fn generation(&self) -> u64 {
        Run::generation(self)
    }

    fn games(&self) -> u64 {
        Run::games(self)
    }

    fn is_done(&self) -> bool {
        Run::is_done(self)
    }

    fn player(&self) -> Player {
        self.champion().player(measured_policy(self.spec()))
    }

    fn champion_file(&self, name: &str) -> Option<PlayerFile> {
        PlayerFile::of_model(name, self.champion(), serde_json::Map::new())
    }

    fn front_files(&self, name: &str) -> Vec<(PlayerFile, Box<[f64]>)> {
        let file = |(number, judged): (usize, &super::Judged<M>)| {
            let name = format!("{name}-{number}");
            let file = PlayerFile::of_model(&name, &judged.candidate, serde_json::Map::new())?;
            Some((file, self.spec().shares(&judged.objectives)))
        };
        (1..).zip(Run::front(self)).filter_map(file).collect()
    }

    fn front_players(&self) -> Vec<Player> {
        let policy = measured_policy(self.spec());
        Run::front(self).iter().map(|one| one.candidate.player(policy.clone())).collect()
    }

    fn front_points(&self) -> Vec<Box<[f64]>> {
        Run::front(self).iter().map(|one| self.spec().shares(&one.objectives)).collect()
    }

    fn statistic(&self, name: &str) -> Option<f64> {
        Run::statistic(self, name)
    }

    fn save(&self) -> Vec<u8> {
        Run::save(self)
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Unreadable> {
        Run::restore(self, saved)
    }
}

/// How the players of a run choose moves when they are measured.
fn measured_policy(spec: &Spec) -> Policy {
    spec.policy.measured()
}
