//! The results of the runs of a study: finished, or as they stand. They are only read, never
//! changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::history::{Moment, champion_at, champions_of};
use super::train::{COST, Cost};
use outflank_game::player::{Player, PlayerError, Several, find_folder, read_player_file};
use outflank_learn::{Quantity, label};
use outflank_store::{FinishedRun, RunError, StandingRun, Study, spec_difference};

/// The runs of a study, or one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Its name: the study's preset and what differs from it, or the path of a run.
    pub name: String,
    /// The folder of the study or the run.
    pub path: PathBuf,
    /// The resolved spec, as TOML.
    pub spec: String,
    /// The runs with a probe, by seed; unfinished ones as they stand.
    pub runs: Vec<RunResult>,
    /// The seeds of runs that have no probe yet.
    pub left_out: Vec<u64>,
}

/// Why results cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The name fits several folders.
    #[error(transparent)]
    Several(#[from] Several),
    /// A run or a study cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A champion cannot be read.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The moment is before the first probe of a run.
    #[error(
        "{} has no probe at {at} games or before; its first is at {first} games", path.display()
    )]
    TooEarly {
        /// The run.
        path: PathBuf,
        /// The moment.
        at: u64,
        /// Games at its first probe.
        first: u64,
    },
    /// The run has no history of champions.
    #[error(
        "{} has no champions.bin: an older program trained it, and kept its last champion only",
        path.display()
    )]
    NoHistory {
        /// The run.
        path: PathBuf,
    },
}

impl ResultsError {
    /// Says whether files of one run are not as they were written; others can still be read.
    pub fn is_damage(&self) -> bool {
        match self {
            ResultsError::Run(error) => matches!(
                error,
                RunError::Altered { .. }
                    | RunError::Damaged { .. }
                    | RunError::Foreign { .. }
                    | RunError::TooLarge { .. }
            ),
            ResultsError::Player(_) => true,
            _ => false,
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its seed.
    pub seed: u64,
    /// Its folder, which stands for its champion.
    pub path: PathBuf,
    /// Games played; of a run that is not taken at its end, at the probe it is taken at.
    pub games: u64,
    /// Generations done by then.
    pub generations: u64,
    /// Whether it has played all its games.
    pub is_finished: bool,
    /// Whether it is taken at an earlier moment than its end.
    pub is_cut: bool,
    /// The measurements of its champions, in the order of games.
    pub measurements: Vec<Measurement>,
    /// What it cost; unknown for runs of older programs.
    pub cost: Option<Cost>,
    /// The words of the command that trained it, if known.
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
    /// The probe.
    pub probe: String,
    /// What the papers report: the share of games won, or the expected utility; for other measures
    /// see [`MEASURES`](outflank_learn::MEASURES).
    pub value: f64,
    /// The share of points, draws counting half; none for measures without games.
    pub score: Option<f64>,
    /// Games won.
    pub wins: Option<u64>,
    /// Games drawn.
    pub draws: Option<u64>,
    /// Games lost.
    pub losses: Option<u64>,
}

/// The games at which probes were due that were taken at these games, in order. A probe is due at
/// every multiple of `every` and at the end of a run, and taken at the end of the generation that
/// reaches it.
fn due(taken: impl Iterator<Item = u64>, every: u64, end: u64) -> Vec<u64> {
    let (mut before, mut last) = (0, None);
    taken
        .map(|games| {
            // Several probes of one moment.
            if last == Some(games) {
                return before;
            }
            last = Some(games);
            let regular = games.checked_div(every).unwrap_or(0) * every;
            let at = if games < end && regular > before { regular } else { games.min(end) };
            before = at;
            at
        })
        .collect()
}

impl Results {
    /// Reads the study or the run in a folder. A study's folder may be named without its hash.
    /// Checks that every run belongs to its study and that its results match its hashes.
    pub fn read(path: &Path) -> Result<Results, ResultsError> {
        Results::read_telling(path, &mut |_| ())
    }

    /// The same, and reports damage that could be repaired.
    pub fn read_telling(path: &Path, tell: &mut dyn FnMut(&str)) -> Result<Results, ResultsError> {
        Results::read_at(path, None, tell)
    }

    /// The same, with every run at its last probe that was due at this number of games or before.
    pub fn read_at(
        path: &Path,
        at: Option<u64>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Results, ResultsError> {
        let path = find_folder(path)?;
        let path = path.as_path();
        let mut results = Results {
            name: path.display().to_string(),
            path: path.into(),
            spec: String::new(),
            runs: Vec::new(),
            left_out: Vec::new(),
        };
        match Study::read(path) {
            Ok(study) => {
                results.name = label(study.preset(), study.spec());
                results.spec = study.spec().into();
                study.note().into_iter().for_each(tell);
                for &seed in study.seeds() {
                    results.add_of_study(&study, seed, at)?;
                }
            }
            _ if !path.is_dir() => {
                return Err(RunError::NothingLearned { path: path.into() }.into());
            }
            Err(RunError::NoStudy { .. }) if FinishedRun::is_begun(path) => {
                match Record::read(path)? {
                    None => results.left_out.push(0),
                    Some(run) => {
                        results.add(&run, path, at)?;
                        results.spec = run.spec;
                    }
                }
            }
            Err(RunError::NoStudy { path }) => return Err(RunError::NothingLearned { path }.into()),
            Err(error) => return Err(error.into()),
        }
        Ok(results)
    }

    /// Reads these runs of the study in a folder. Damaged runs are left out, and come with what is
    /// wrong with each.
    pub fn read_runs(
        path: &Path,
        seeds: &[u64],
        tell: &mut dyn FnMut(&str),
    ) -> Result<(Results, Vec<(u64, ResultsError)>), ResultsError> {
        let study = Study::read(path)?;
        study.note().into_iter().for_each(tell);
        let mut results = Results {
            name: label(study.preset(), study.spec()),
            path: path.into(),
            spec: study.spec().into(),
            runs: Vec::new(),
            left_out: Vec::new(),
        };
        let mut damaged = Vec::new();
        for &seed in study.seeds().iter().filter(|seed| seeds.contains(seed)) {
            match results.add_of_study(&study, seed, None) {
                Err(error) if error.is_damage() => damaged.push((seed, error)),
                other => other?,
            }
        }
        Ok((results, damaged))
    }

    /// Adds a run that a study lists; an error if its folder holds another run.
    fn add_of_study(
        &mut self,
        study: &Study,
        seed: u64,
        at: Option<u64>,
    ) -> Result<(), ResultsError> {
        let path = study.run(seed);
        let Some(run) = Record::read(&path)? else {
            self.left_out.push(seed);
            return Ok(());
        };
        let problem = if run.seed != seed {
            format!("a run with seed {}, but its study expects seed {seed}", run.seed)
        } else if run.spec != study.spec() {
            let difference = spec_difference(study.spec(), &run.spec);
            format!("a run with other settings than its study: {difference}")
        } else {
            return self.add(&run, &path, at);
        };
        Err(RunError::Foreign { path, problem }.into())
    }

    fn add(&mut self, run: &Record, path: &Path, at: Option<u64>) -> Result<(), ResultsError> {
        match RunResult::of(run, path, at)? {
            Some(result) => self.runs.push(result),
            None => self.left_out.push(run.seed),
        }
        Ok(())
    }

    /// The runs that are not finished, which are taken as they stand.
    pub fn standing(&self) -> impl Iterator<Item = &RunResult> {
        self.runs.iter().filter(|run| !run.is_finished)
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

    /// The probes that measure strength; runs are ranked by the first.
    pub fn measures(&self) -> Vec<String> {
        let mut probes = self.probes();
        probes.retain(|probe| Quantity::of(probe) != Quantity::Count);
        probes
    }

    /// The opponents and the policy in training; results of training games are comparable if equal.
    pub fn trained_as(&self) -> [Option<toml::Value>; 2] {
        let spec: toml::Table = toml::from_str(&self.spec).unwrap_or_default();
        ["opponents", "policy"].map(|key| spec.get(key).cloned())
    }

    /// The last value of a probe in each run, by seed.
    pub fn finals(&self, probe: &str) -> Vec<f64> {
        let last = |run: &RunResult| run.of_probe(probe).last().map(|m| m.value);
        self.runs.iter().filter_map(last).collect()
    }

    /// The values of a probe in all runs, by training games. Runs of one spec are measured at the
    /// same games.
    pub fn curve(&self, probe: &str) -> Vec<(u64, Vec<f64>)> {
        let mut curve: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for measurement in self.runs.iter().flat_map(|run| run.of_probe(probe)) {
            curve.entry(measurement.games).or_default().push(measurement.value);
        }
        curve.into_iter().collect()
    }

    /// The champions of its runs, even if a player has the same name as a folder.
    pub fn champions(&self) -> Result<Vec<Player>, ResultsError> {
        self.runs.iter().map(RunResult::champion).collect()
    }

    /// What its runs cost together; `None` if any cost is unknown.
    pub fn cost(&self) -> Option<Cost> {
        let add = |sum: Cost, run: &RunResult| Some(sum + run.cost?);
        self.runs.iter().try_fold(Cost::default(), add)
    }
}

/// A run as it was read, finished or not.
struct Record {
    seed: u64,
    spec: String,
    program: String,
    signature: u64,
    generations: u64,
    games: u64,
    metrics: String,
    circumstances: Map<String, Value>,
    is_finished: bool,
}

impl Record {
    /// Reads a run; `None` if it has not come to its first checkpoint.
    fn read(path: &Path) -> Result<Option<Record>, RunError> {
        if let Some(run) = FinishedRun::read(path)? {
            agree_with_champion(&run, path)?;
            return Ok(Some(Record::finished(run)));
        }
        if let Some(run) = StandingRun::read(path)? {
            let StandingRun { seed, spec, program, signature, .. } = run;
            let StandingRun { generations, games, metrics, circumstances, .. } = run;
            return Ok(Some(Record {
                seed,
                spec,
                program,
                signature,
                generations,
                games,
                metrics,
                circumstances,
                is_finished: false,
            }));
        }
        // It may have ended between the two.
        Ok(FinishedRun::read(path)?.map(Record::finished))
    }

    fn finished(run: FinishedRun) -> Record {
        Record {
            seed: run.seed,
            spec: run.spec,
            program: run.program,
            signature: run.signature,
            generations: run.generations,
            games: run.games,
            metrics: run.metrics,
            circumstances: run.circumstances,
            is_finished: true,
        }
    }
}

impl RunResult {
    /// The result of a run at its end, or at its last probe so far; `None` if it has none.
    fn of(run: &Record, path: &Path, at: Option<u64>) -> Result<Option<RunResult>, ResultsError> {
        let mut measurements = measurements(&run.metrics, path)?;
        let first = measurements.first().map(|first| first.games);
        if let Some(at) = at {
            let spec: toml::Table = toml::from_str(&run.spec).unwrap_or_default();
            let whole = |value: Option<&toml::Value>| {
                value.and_then(toml::Value::as_integer).and_then(|number| number.try_into().ok())
            };
            let every = whole(spec.get("probes").and_then(|probes| probes.get("every")));
            let end = whole(spec.get("games")).unwrap_or(u64::MAX);
            let taken = measurements.iter().map(|measurement| measurement.games);
            let due = due(taken, every.unwrap_or(0), end);
            // In the order of games, so that those to be kept come first.
            measurements.truncate(due.iter().filter(|due| **due <= at).count());
        }
        let last = measurements.last().map(|last| (last.games, last.generation));
        let (games, generations) = match (last, at, first) {
            (None, Some(at), Some(first)) => {
                return Err(ResultsError::TooEarly { path: path.into(), at, first });
            }
            (None, ..) if !run.is_finished => return Ok(None),
            (Some(last), ..) if !run.is_finished || at.is_some() => last,
            _ => (run.games, run.generations),
        };
        let known = |key: &str| run.circumstances.get(key);
        let words = known("command").and_then(Value::as_array).into_iter().flatten();
        Ok(Some(RunResult {
            seed: run.seed,
            path: path.into(),
            games,
            generations,
            is_finished: run.is_finished,
            is_cut: !run.is_finished || games < run.games,
            measurements,
            cost: known(COST).and_then(|cost| Cost::deserialize(cost).ok()),
            command: words.filter_map(|word| Some(word.as_str()?.to_owned())).collect(),
            program: run.program.clone(),
            signature: run.signature,
        }))
    }

    /// The player in its folder, or the champion of the probe it is taken at.
    pub fn champion(&self) -> Result<Player, ResultsError> {
        let name = self.path.to_string_lossy().replace(char::is_control, "?");
        let kept = if self.is_cut { champion_at(&self.path, self.games)? } else { None };
        if let Some(mut player) = kept {
            player.name = name;
            return Ok(player);
        }
        if self.is_cut && self.is_finished {
            return Err(ResultsError::NoHistory { path: self.path.clone() });
        }
        let file = read_player_file(&self.path)?;
        let mut player = file.player().expect("a file that was read holds a player");
        player.name = name;
        Ok(player)
    }

    /// Its champions up to the moment it is taken at, the first one first. `spec` is the text of
    /// its spec.
    pub fn history(&self, spec: &str) -> Result<Vec<Moment>, ResultsError> {
        let mut moments = champions_of(&self.path, spec, self.seed)?;
        moments.retain(|moment| moment.games <= self.games);
        if moments.is_empty() {
            return Err(ResultsError::NoHistory { path: self.path.clone() });
        }
        Ok(moments)
    }

    fn of_probe<'a>(&'a self, probe: &'a str) -> impl Iterator<Item = &'a Measurement> {
        self.measurements.iter().filter(move |measurement| measurement.probe == probe)
    }
}

/// The rows of `metrics.csv`; an error that names the line if a row is impossible.
pub fn measurements(text: &str, path: &Path) -> Result<Vec<Measurement>, RunError> {
    let wrong = |problem: String| RunError::Foreign { path: path.join("metrics.csv"), problem };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut rows = Vec::new();
    let columns = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let row: Measurement = record
            .deserialize(Some(&columns))
            .map_err(|error| wrong(format!("line {line}: {error}")))?;
        if let Some(problem) = impossible(&row) {
            return Err(wrong(format!("line {line}: {problem}")));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// What is wrong with a row that cannot be a measurement.
fn impossible(row: &Measurement) -> Option<String> {
    /// No count is larger.
    const MANY: f64 = 1e15;
    let most = if Quantity::of(&row.probe) == Quantity::Count { MANY } else { 1.0 };
    let check = |name: &str, value: f64, most: f64| {
        let possible = (0.0..=most).contains(&value);
        (!possible).then(|| format!("{name} = {value} of {:?} is not from 0 to {most}", row.probe))
    };
    check("value", row.value, most).or_else(|| check("score", row.score.unwrap_or(0.0), 1.0))
}

/// Manifests of older programs have no checksum, but the champion has, and it says how far its run
/// came.
fn agree_with_champion(run: &FinishedRun, path: &Path) -> Result<(), RunError> {
    let champion: Value = serde_json::from_str(&run.champion).unwrap_or_default();
    for (key, told) in [("seed", run.seed), ("games", run.games), ("generation", run.generations)] {
        let known = champion["provenance"].get(key).and_then(Value::as_u64);
        if let Some(known) = known.filter(|known| *known != told) {
            let problem = format!("it says {key} {told}, but champion.json says {known}");
            return Err(RunError::Altered { path: path.join("manifest.json"), problem });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_probe_belongs_to_the_games_at_which_it_was_due() {
        let due = |taken: &[u64], every, end| super::due(taken.iter().copied(), every, end);
        // Generations of 3000 games: due at 50,000, taken at 51,000; two probes each.
        let taken = [51_000, 51_000, 102_000, 102_000, 120_000, 120_000];
        assert_eq!(
            due(&taken, 50_000, 120_000),
            [50_000, 50_000, 100_000, 100_000, 120_000, 120_000]
        );
        // Generations that are as long as the time between probes.
        assert_eq!(due(&[5000, 10_000, 15_000], 5000, 15_000), [5000, 10_000, 15_000]);
        // The end is a probe of its own, also that of a run that reached its goal before.
        assert_eq!(due(&[20_100, 25_300], 10_000, 25_000), [20_000, 25_000]);
        assert_eq!(due(&[20_100, 25_300], 10_000, 90_000), [20_000, 25_300]);
        assert_eq!(due(&[7000], 0, 6000), [6000]);
    }
}
