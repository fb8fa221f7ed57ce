//! A run on its way from generation to generation: its directory, its probes, its checkpoints.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::probe::{Effort, Probe, measure};
use super::store::{Identity, Progress, RunDir, RunError, spec_id};
use super::train::{End, Event, Order, Report, Tell, run_text};
use crate::arena::{Arena, Stopped};
use crate::learn::{Candidate, LocalSpec, Run, Stop};
use crate::player::{Player, PlayerFile, Policy};
use crate::rng::{Seed, Stream};

/// The columns of `metrics.csv`.
const COLUMNS: &str = "games,generation,probe,value,score,wins,draws,losses";

/// A run on its way, and its directory.
pub struct Journey<'a, M> {
    pub order: &'a Order,
    pub run: Run<M>,
    pub dir: RunDir,
    probes: Vec<Probe>,
    /// Games done when the champion was last looked at.
    seen: u64,
    is_probe_due: bool,
    values: BTreeMap<String, f64>,
    resumed_at: u64,
    began: Instant,
    saved: Instant,
    /// How long the last checkpoint took.
    saving: Duration,
    cost: Cost,
}

/// What a run has cost so far. Lost work, after a kill, is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds on the clock in which it was trained; runs side by side share them.
    pub training_seconds: f64,
    /// Seconds in which its champions were measured.
    pub probe_seconds: f64,
    /// Single games in which its champions were measured, which do not count as training.
    pub probe_games: u64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            training_seconds: self.training_seconds + other.training_seconds,
            probe_seconds: self.probe_seconds + other.probe_seconds,
            probe_games: self.probe_games + other.probe_games,
        }
    }
}

/// The name of the cost in a run's manifest.
pub const COST: &str = "cost";

/// A run that was opened.
pub enum Begun<'a, M> {
    Going(Box<Journey<'a, M>>),
    Ended(Report),
}

/// What a checkpoint holds.
#[derive(Serialize, Deserialize)]
struct State {
    run: Vec<u8>,
    is_probe_due: bool,
    cost: Cost,
}

impl<'a, M: Candidate> Journey<'a, M> {
    /// Opens the directory of a run and takes it up where it was.
    pub fn begin(order: &'a Order, seed: u64, tell: &Tell<'_>) -> Result<Begun<'a, M>, RunError> {
        let path = order.out.join(seed.to_string());
        let identity = Identity {
            spec: &order.text,
            seed,
            version: env!("CARGO_PKG_VERSION"),
            signature: order.signature,
            columns: COLUMNS,
        };
        let opened = RunDir::open(&path, &identity, order.extras.clone())?;
        for warning in &opened.warnings {
            tell(seed, Event::Warned(warning));
        }
        let changed = |problem: String| RunError::Moved { path: path.clone(), problem };
        let mut run =
            Run::new(order.spec.clone(), Seed(seed)).map_err(|error| changed(error.to_string()))?;
        // What files hold is part of what ran, and it was written down before the first run.
        match run_text(&order.spec) {
            Ok(text) if text == order.text => {}
            Ok(_) => return Err(changed("a file that the spec names has changed".into())),
            Err(error) => return Err(changed(error.to_string())),
        }
        let (mut is_probe_due, mut cost) = (false, Cost::default());
        match opened.progress {
            Progress::New => {}
            Progress::Resumed(checkpoint) => {
                let restored = postcard::from_bytes(&checkpoint.state)
                    .and_then(|state: State| run.restore(&state.run).map(|()| state));
                let state = restored.map_err(|error| RunError::Damaged {
                    path: path.join("checkpoint.bin"),
                    problem: error.to_string(),
                })?;
                (is_probe_due, cost) = (state.is_probe_due, state.cost);
            }
            Progress::Finished { generation, games } => {
                let probes = latest_probes(&path);
                let end = End::AlreadyFinished;
                let (generations, resumed_at) = (generation, generation);
                let cost = opened.dir.circumstance(COST);
                let report = Report {
                    games,
                    generations,
                    resumed_at,
                    cost: cost.and_then(|cost| Cost::deserialize(cost).ok()),
                    probes,
                    end,
                    ..Report::failed(order, seed, "")
                };
                return Ok(Begun::Ended(report));
            }
        }
        tell(seed, Event::Began { generation: run.generation(), games: run.games() });
        let parse = |name: &String| Probe::parse(name).expect("probes were tried before the run");
        let now = Instant::now();
        Ok(Begun::Going(Box::new(Journey {
            order,
            probes: order.spec.yardsticks().iter().map(parse).collect(),
            seen: run.games(),
            is_probe_due,
            values: latest_probes(&path),
            resumed_at: run.generation(),
            run,
            dir: opened.dir,
            began: now,
            saved: now,
            saving: Duration::ZERO,
            cost,
        })))
    }
}

impl<M: Candidate> Journey<'_, M> {
    pub fn seed(&self) -> u64 {
        self.run.seed().0
    }

    /// What there is on disk of a run that cannot go on.
    pub fn kept(&self) -> &'static str {
        match self.dir.champion().exists() {
            true => "the last checkpoint is kept",
            false => "it had no checkpoint yet",
        }
    }

    /// Whether weights are learned move by move, in the kernel.
    pub fn learns_online(&self) -> bool {
        matches!(self.order.spec.local, LocalSpec::Td(_))
    }

    pub fn alpha(&self) -> f64 {
        match &self.order.spec.local {
            LocalSpec::Td(td) => td.alpha,
            LocalSpec::TdLambda(td) => td.alpha,
            LocalSpec::Store(store) => store.alpha,
            LocalSpec::Games(games) => games.alpha,
            LocalSpec::None(_) => 0.0,
        }
    }

    /// Says that something comes before the next generation: a probe that was interrupted, or the end
    /// of a run that was killed after its last checkpoint.
    pub fn is_waiting(&self) -> bool {
        self.is_probe_due || self.run.is_done()
    }

    /// Adds the time of a generation.
    pub fn trained(&mut self, time: Duration) {
        self.cost.training_seconds += time.as_secs_f64();
    }

    /// A generation is done: probes, checkpoint, perhaps the end.
    pub fn arrive(&mut self, arena: &Arena, stop: &Stop<'_>, tell: &Tell<'_>) -> Option<End> {
        let (games, every, done) =
            (self.run.games(), self.order.spec.probes.every, self.run.is_done());
        tell(self.seed(), Event::Played(games));
        // A probe due at g games is taken at the end of the first generation at or past g.
        let passed = every > 0 && games / every > self.seen / every;
        let ended = done && games > self.seen;
        self.is_probe_due |= passed || ended;
        self.seen = games;
        if self.is_probe_due {
            let before = Instant::now();
            let probed = self.probe(arena, stop);
            self.cost.probe_seconds += before.elapsed().as_secs_f64();
            if probed.is_err() {
                return Some(self.stop(None));
            }
            self.is_probe_due = false;
            tell(self.seed(), Event::Probed(&self.values));
        }
        if done {
            let (champion, state) = (self.champion(), self.state());
            self.dir.set_circumstance(COST, json!(self.cost));
            let finished = self.dir.finish(self.run.generation(), games, &state, &champion);
            return Some(finished.map_or_else(|error| End::of(&error), |()| End::Finished));
        }
        if self.saved.elapsed() >= self.pause() {
            let before = Instant::now();
            if let Err(error) = self.checkpoint() {
                return Some(End::of(&error));
            }
            self.saving = before.elapsed();
            self.saved = Instant::now();
        }
        None
    }

    /// The least time to the next checkpoint: longer if the disk is slow, so that a twentieth of all time
    /// goes to checkpoints at most. Who asks for one after every generation gets it.
    fn pause(&self) -> Duration {
        match self.order.checkpoint_every {
            Duration::ZERO => Duration::ZERO,
            every => every.max(20 * self.saving),
        }
    }

    /// Measures the champion and notes what came of it.
    fn probe(&mut self, arena: &Arena, stop: &Stop<'_>) -> Result<(), Stopped> {
        let probes = &self.order.spec.probes;
        let effort = Effort { games: probes.games, sample: probes.sample };
        let seed = self.run.seed().child(Stream::Probe, self.run.generation());
        let player: Player = self.run.champion().player(Policy::default());
        let asked = |_| if stop() { Err(Stopped) } else { Ok(()) };
        let tallies = measure(arena, &[player], &self.probes, effort, seed, asked)?;
        for (probe, tally) in self.probes.iter().zip(tallies.iter().flatten()) {
            self.cost.probe_games += tally.games();
            let value = probe.value(tally);
            self.dir.note(&csv_row([
                self.run.games().to_string(),
                self.run.generation().to_string(),
                probe.name.clone(),
                value.to_string(),
                tally.score().to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
            ]));
            self.values.insert(probe.name.clone(), value);
        }
        for name in &probes.also {
            if let Some(value) = self.also(name) {
                let games = self.run.games().to_string();
                let generation = self.run.generation().to_string();
                let none = String::new;
                let value_text = value.to_string();
                self.dir.note(&csv_row([
                    games,
                    generation,
                    name.clone(),
                    value_text,
                    none(),
                    none(),
                    none(),
                    none(),
                ]));
                self.values.insert(name.clone(), value);
            }
        }
        Ok(())
    }

    /// What else can be told of the last generation.
    fn also(&self, name: &str) -> Option<f64> {
        let anatomy = self.run.champion().anatomy();
        match name {
            "top10" => Some(self.run.standing().top10),
            "mean" => Some(self.run.standing().mean),
            "hidden" => anatomy.map(|anatomy| anatomy.hidden as f64),
            "connections" => anatomy.map(|anatomy| anatomy.connections as f64),
            "species" => self.run.species().map(|species| species as f64),
            _ => None,
        }
    }

    fn checkpoint(&mut self) -> Result<(), RunError> {
        let (champion, state) = (self.champion(), self.state());
        self.dir.checkpoint(self.run.generation(), self.run.games(), &state, &champion)
    }

    fn state(&self) -> Vec<u8> {
        let state =
            State { run: self.run.save(), is_probe_due: self.is_probe_due, cost: self.cost };
        postcard::to_stdvec(&state).expect("bytes can be written to memory")
    }

    /// Keeps what there is, or the state before a generation that was given up.
    pub fn stop(&mut self, before: Option<Vec<u8>>) -> End {
        if let Some(before) = before {
            self.run.restore(&before).expect("what was saved a moment ago can be restored");
        }
        self.checkpoint().map_or_else(|error| End::of(&error), |()| End::Stopped)
    }

    /// The champion as a player file.
    fn champion(&self) -> String {
        let name = format!("{}-{}", self.order.name, self.seed());
        let provenance = json!({
            "method": self.order.name,
            "spec": spec_id(&self.order.text),
            "seed": self.seed(),
            "generation": self.run.generation(),
            "games": self.run.games(),
        });
        let provenance = provenance.as_object().cloned().unwrap_or_default();
        let file = PlayerFile::of_model(&name, self.run.champion(), provenance);
        let mut text = serde_json::to_string_pretty(&file).expect("a player is plain JSON");
        text.push('\n');
        text
    }

    pub fn report(self, end: End) -> Report {
        Report {
            seed: self.seed(),
            path: self.dir.path().into(),
            games: self.run.games(),
            generations: self.run.generation(),
            resumed_at: self.resumed_at,
            seconds: self.began.elapsed().as_secs_f64(),
            cost: Some(self.cost),
            probes: self.values,
            end,
        }
    }
}

/// A line of a CSV file. Probes are named by the user, and `a@epsilon=0.1,noise=0.01` has a comma.
fn csv_row(fields: [String; 8]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok());
    let line = written.and_then(|bytes| String::from_utf8(bytes).ok());
    line.expect("text can be written to memory").trim_end().into()
}

/// The last value of each probe in a run's metrics, as far as they can be read.
fn latest_probes(path: &Path) -> BTreeMap<String, f64> {
    let Ok(mut reader) = csv::Reader::from_path(path.join("metrics.csv")) else {
        return BTreeMap::new();
    };
    let rows = reader.records().map_while(Result::ok);
    rows.filter_map(|row| Some((row.get(2)?.to_owned(), row.get(3)?.parse().ok()?))).collect()
}
