//! What the finished runs of a study came to: read, compared and reported, never changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::train::{COST, Cost};
use outflank_game::player::{Player, PlayerError, Several, find_folder, parse_player};
use outflank_learn::Quantity;
use outflank_store::{FinishedRun, RunError, Study};

/// The finished runs of a study, or one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// What to call it: the study's preset, or the path of a run.
    pub name: String,
    /// The folder of the study or the run.
    pub path: PathBuf,
    /// The resolved spec, as TOML.
    pub spec: String,
    /// The finished runs, by seed.
    pub runs: Vec<Outcome>,
    /// The seeds of runs that are not finished.
    pub unfinished: Vec<u64>,
}

/// Why results cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The folder may be one of several.
    #[error(transparent)]
    Several(#[from] Several),
    /// A run or a study cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its seed.
    pub seed: u64,
    /// Its folder, which stands for its champion.
    pub path: PathBuf,
    /// Games played.
    pub games: u64,
    /// Generations done.
    pub generations: u64,
    /// What its champions were measured to be worth on the way, in the order of games.
    pub measurements: Vec<Measurement>,
    /// What it cost; not known of runs of older programs.
    pub cost: Option<Cost>,
    /// The words of the command that trained it, if they are known.
    pub command: Vec<String>,
    /// The version of the program that trained it.
    pub program: String,
    /// The stamp of its method with that program.
    pub signature: u64,
}

/// A row of `metrics.csv`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Measurement {
    /// Training games done.
    pub games: u64,
    /// Generations done.
    pub generation: u64,
    /// By which probe.
    pub probe: String,
    /// What the papers report: the share of games won, or the expected utility; else what [`MEASURES`](outflank_learn::MEASURES) say.
    pub value: f64,
    /// Draws count as half; of what takes no games, nothing.
    pub score: Option<f64>,
    /// Games won.
    pub wins: Option<u64>,
    /// Games drawn.
    pub draws: Option<u64>,
    /// Games lost.
    pub losses: Option<u64>,
}

impl Results {
    /// Reads the study or the run in a folder. A study's folder may be named without its hash.
    pub fn read(path: &Path) -> Result<Results, ResultsError> {
        let path = find_folder(path)?;
        let path = path.as_path();
        let mut results = Results {
            name: path.display().to_string(),
            path: path.into(),
            spec: String::new(),
            runs: Vec::new(),
            unfinished: Vec::new(),
        };
        match Study::read(path) {
            Ok(study) => {
                results.name = study.preset().into();
                results.spec = study.spec().into();
                for &seed in study.seeds() {
                    results.add(&study.run(seed), seed)?;
                }
            }
            _ if !path.is_dir() => {
                return Err(RunError::NothingLearned { path: path.into() }.into());
            }
            Err(RunError::NoStudy { .. }) if FinishedRun::is_begun(path) => {
                results.add(path, 0)?;
            }
            Err(RunError::NoStudy { path }) => return Err(RunError::NothingLearned { path }.into()),
            Err(error) => return Err(error.into()),
        }
        Ok(results)
    }

    fn add(&mut self, path: &Path, seed: u64) -> Result<(), RunError> {
        match FinishedRun::read(path)? {
            None => self.unfinished.push(seed),
            Some(run) => {
                self.runs.push(Outcome::of(&run, path)?);
                self.spec = run.spec;
            }
        }
        Ok(())
    }

    /// The probes that were taken, in the order of the spec.
    pub fn probes(&self) -> Vec<String> {
        let mut probes: Vec<String> = Vec::new();
        for measurement in self.runs.iter().flat_map(|run| &run.measurements) {
            if !probes.contains(&measurement.probe) {
                probes.push(measurement.probe.clone());
            }
        }
        probes
    }

    /// The probes that say how good a player is, the one by which runs are ranked first.
    pub fn measures(&self) -> Vec<String> {
        let mut probes = self.probes();
        probes.retain(|probe| Quantity::of(probe) != Quantity::Count);
        probes
    }

    /// Whom its candidates met, and how: what makes shares of training games comparable.
    pub fn trained_as(&self) -> [Option<toml::Value>; 2] {
        let spec: toml::Table = toml::from_str(&self.spec).unwrap_or_default();
        ["opponents", "policy"].map(|key| spec.get(key).cloned())
    }

    /// The last value of a probe in each run, by seed.
    pub fn finals(&self, probe: &str) -> Vec<f64> {
        let last = |run: &Outcome| run.of_probe(probe).last().map(|m| m.value);
        self.runs.iter().filter_map(last).collect()
    }

    /// The values of a probe in all runs, by training games. Runs of one spec are measured at the same
    /// games.
    pub fn curve(&self, probe: &str) -> Vec<(u64, Vec<f64>)> {
        let mut curve: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for measurement in self.runs.iter().flat_map(|run| run.of_probe(probe)) {
            curve.entry(measurement.games).or_default().push(measurement.value);
        }
        curve.into_iter().collect()
    }

    /// The champions of its runs.
    pub fn champions(&self) -> Result<Vec<Player>, PlayerError> {
        self.runs.iter().map(|run| parse_player(&run.path.to_string_lossy())).collect()
    }

    /// What its runs cost together; `None` if that of one is not known.
    pub fn cost(&self) -> Option<Cost> {
        let add = |sum: Cost, run: &Outcome| Some(sum + run.cost?);
        self.runs.iter().try_fold(Cost::default(), add)
    }
}

impl Outcome {
    fn of(run: &FinishedRun, path: &Path) -> Result<Outcome, RunError> {
        let rows: Result<Vec<Measurement>, csv::Error> =
            csv::Reader::from_reader(run.metrics.as_bytes()).into_deserialize().collect();
        let damaged = |error: csv::Error| RunError::Altered {
            path: path.join("metrics.csv"),
            problem: error.to_string(),
        };
        let known = |key: &str| run.circumstances.get(key);
        let words = known("command").and_then(Value::as_array).into_iter().flatten();
        Ok(Outcome {
            seed: run.seed,
            path: path.into(),
            games: run.games,
            generations: run.generations,
            measurements: rows.map_err(damaged)?,
            cost: known(COST).and_then(|cost| Cost::deserialize(cost).ok()),
            command: words.filter_map(|word| Some(word.as_str()?.to_owned())).collect(),
            program: run.program.clone(),
            signature: run.signature,
        })
    }

    fn of_probe<'a>(&'a self, probe: &'a str) -> impl Iterator<Item = &'a Measurement> {
        self.measurements.iter().filter(move |measurement| measurement.probe == probe)
    }
}
