//! A run from generation to generation: its folder, probes and checkpoints.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::order::{COST, Cost, End, GOAL, Goal, Order, RunReport};
use crate::history::{self, Origin};
use crate::probe::{Effort, Probe, measure};
use outflank_arena::{Arena, News, RunNews, Stopped, Tally, Watch};
use outflank_game::player::{Player, PlayerFile};
use outflank_kernel::rng::{Seed, Stream};
use outflank_learn::{AnyRun, Halt, Measure, OVER_FRONT, Otherwise, Sections};
use outflank_store::{FinishedRun, Identity, METHOD, RunDir, RunError, Stage, read_champions};

/// The columns of `metrics.csv`.
const COLUMNS: &str = "games,generation,probe,value,score,wins,draws,losses";

/// The maximum bytes of a state: checkpoints of more than 1 GiB are not read. A little is left for
/// the rest of the file.
const MAX_STATE_BYTES: usize = (1 << 30) - (1 << 16);

/// Refuses a state that is too large for a checkpoint, such as an endless hall of fame.
fn check_size(path: &Path, bytes: usize) -> Result<(), RunError> {
    if bytes <= MAX_STATE_BYTES {
        return Ok(());
    }
    let message = format!(
        "its state has {bytes} bytes, more than the 1 GiB of a checkpoint; the last checkpoint is kept; a \
         smaller archive.capacity keeps it small"
    );
    let (path, kind) = (path.join("checkpoint.bin"), std::io::ErrorKind::FileTooLarge);
    Err(RunError::Io { doing: "write", path, source: std::io::Error::new(kind, message) })
}

/// The progress of a run, without the run itself: its folder, its measurements, and when it was
/// saved.
pub struct Progress<'a> {
    order: &'a Order,
    seed: u64,
    dir: RunDir,
    probes: Vec<Probe>,
    /// Those of the players of the front.
    front_probes: Vec<Probe>,
    /// Games played when the champion was last measured.
    seen: u64,
    is_probe_due: bool,
    values: BTreeMap<String, f64>,
    /// How near the last probe was to the goal, if there is one.
    goal: Option<Goal>,
    resumed_at: u64,
    began: Instant,
    saved: Instant,
    /// How long the last checkpoint took.
    saving: Duration,
    cost: Cost,
}

/// A run that was opened.
pub enum Begun<'a> {
    Going(Box<Progress<'a>>),
    Ended(RunReport),
}

impl<'a> Progress<'a> {
    /// Opens the folder of a run, and restores the run to where it stopped.
    pub fn begin(
        order: &'a Order,
        seed: u64,
        run: &mut dyn AnyRun,
        watch: &dyn Watch,
    ) -> Result<Begun<'a>, RunError> {
        let path = order.out.join(seed.to_string());
        let identity = Identity {
            spec: &order.text,
            seed,
            version: env!("CARGO_PKG_VERSION"),
            signature: order.signature,
            columns: COLUMNS,
        };
        let mut circumstances = order.extras.clone();
        circumstances.insert(METHOD.into(), order.name.clone().into());
        let mut opened = RunDir::open(&path, &identity, circumstances)?;
        for warning in &opened.warnings {
            watch.tell(News::Run { seed, news: RunNews::Warned(warning) });
        }
        let (mut is_probe_due, mut cost) = (false, Cost::default());
        match opened.progress {
            Stage::New => {
                if let Some(from) = &order.from {
                    let from = from.join(seed.to_string());
                    cost = continue_from(&from, order, run, &mut opened.dir)?;
                }
            }
            Stage::Resumed(checkpoint) => {
                let restored = Sections::restore(&checkpoint.state).and_then(|state| {
                    run.restore(state.need_bytes("run")?)?;
                    is_probe_due = state.get("probe-due")?.unwrap_or_default();
                    cost = state.get("cost")?.unwrap_or_default();
                    Ok(())
                });
                restored.map_err(|error| RunError::Damaged {
                    path: path.join("checkpoint.bin"),
                    problem: error.to_string(),
                })?;
            }
            Stage::Finished { generation, games } => {
                let probes = latest_probes(&path);
                let goal = opened.dir.circumstance(GOAL);
                let goal = goal.and_then(|goal| Goal::deserialize(goal).ok());
                let end = missed(order, &path, games, goal).unwrap_or(End::AlreadyFinished);
                let (generations, resumed_at) = (generation, generation);
                let cost = opened.dir.circumstance(COST);
                let report = RunReport {
                    games,
                    generations,
                    resumed_at,
                    cost: cost.and_then(|cost| Cost::deserialize(cost).ok()),
                    probes,
                    goal,
                    end,
                    ..RunReport::failed(order, seed, "")
                };
                return Ok(Begun::Ended(report));
            }
        }
        watch.tell(News::Run {
            seed,
            news: RunNews::Began { generation: run.generation(), games: run.games() },
        });
        let parse = |name: &String| {
            let probe = Probe::parse(name).expect("probes were tried before the run");
            probe.with_colour(order.spec().colour_against(name))
        };
        let now = Instant::now();
        Ok(Begun::Going(Box::new(Progress {
            order,
            seed,
            probes: order.spec().yardsticks().iter().map(parse).collect(),
            front_probes: order.spec().front_yardsticks().iter().map(parse).collect(),
            seen: run.games(),
            is_probe_due,
            values: latest_probes(&path),
            goal: None,
            resumed_at: run.generation(),
            dir: opened.dir,
            began: now,
            saved: now,
            saving: Duration::ZERO,
            cost,
        })))
    }
}

impl Progress<'_> {
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Why a run failed, and what is left of it on disk.
    pub fn failed(&self, halt: &Halt) -> End {
        let (path, local) = (self.dir.path().display(), &self.order.spec().local);
        let kept = if self.dir.champion().exists() {
            "the last checkpoint is kept"
        } else {
            "it had no checkpoint yet"
        };
        let message = match halt {
            Halt::Diverged(game) => format!(
                "{path}: diverged at game {game}: a weight grew beyond {}; {kept}; try a smaller local.alpha (now {})",
                local.diverges_beyond(),
                local.alpha()
            ),
            Halt::NoNetwork => format!(
                "{path}: local.kind = {:?} trains networks, and a candidate is not one; {kept}",
                local.kind()
            ),
            Halt::Stopped => format!("{path}: stopped; {kept}"),
        };
        End::Failed { message, usage: false, remedy: None }
    }

    /// Says whether something is left to do before the next generation: a probe that was
    /// interrupted, or the end of a run that was killed after its last checkpoint.
    pub fn is_waiting(&self, run: &dyn AnyRun) -> bool {
        self.is_probe_due || run.is_done()
    }

    /// Adds the time of a generation.
    pub fn trained(&mut self, time: Duration) {
        self.cost.training_seconds += time.as_secs_f64();
    }

    /// Ends a generation: probes, checkpoint, perhaps the end of the run.
    pub fn arrive(
        &mut self,
        run: &mut dyn AnyRun,
        arena: &Arena,
        watch: &dyn Watch,
    ) -> Option<End> {
        let (games, every, mut done) = (run.games(), run.spec().probes.every, run.is_done());
        watch.tell(News::Run { seed: self.seed, news: RunNews::Played(games) });
        // A probe due at g games is taken at the end of the first generation at or past g.
        let passed = every > 0 && games / every > self.seen / every;
        let ended = done && games > self.seen;
        self.is_probe_due |= passed || ended;
        self.seen = games;
        if self.is_probe_due {
            let before = Instant::now();
            let probed = self.probe(run, arena, watch);
            self.cost.probe_seconds += before.elapsed().as_secs_f64();
            if probed.is_err() {
                return Some(self.stop(run, None));
            }
            self.is_probe_due = false;
            watch.tell(News::Run { seed: self.seed, news: RunNews::Measured(&self.values) });
            // If the run is killed before it has ended, it goes back to a checkpoint before this
            // probe and takes it again, with the same result.
            done |= self.goal.is_some_and(|goal| goal.reached);
        }
        if done {
            let (champion, state) = (self.champion(run), self.state(run));
            if let Err(error) = check_size(self.dir.path(), state.len()) {
                return Some(End::of(&error));
            }
            self.dir.set_circumstance(COST, json!(self.cost));
            if let Some(goal) = self.goal {
                self.dir.set_circumstance(GOAL, json!(goal));
            }
            let front = self.front(run);
            let finished = self.dir.finish(run.generation(), games, &state, &champion, &front);
            if let Err(error) = finished {
                return Some(End::of(&error));
            }
            let missed = missed(self.order, self.dir.path(), games, self.goal);
            return Some(missed.unwrap_or(End::Finished));
        }
        if self.saved.elapsed() >= pause(self.order.checkpoint_every, self.saving) {
            let before = Instant::now();
            if let Err(error) = self.checkpoint(run) {
                return Some(End::of(&error));
            }
            self.saving = before.elapsed();
            self.saved = Instant::now();
        }
        None
    }

    /// Measures the champion, and records it, the result and the statistics of the generation.
    fn probe(&mut self, run: &dyn AnyRun, arena: &Arena, watch: &dyn Watch) -> Result<(), Stopped> {
        let probes = &run.spec().probes;
        let effort = Effort { games: probes.games, sample: probes.sample };
        let seed = run.seed().child(Stream::Probe, run.generation());
        let player: Player = run.player();
        // These games are not counted as games of the run.
        let stop = || watch.stop();
        let tallies = measure(arena, &[player], &self.probes, effort, seed, &stop)?;
        let mut rows: Vec<(String, f64, [String; 4])> = Vec::new();
        let over = self.measure_front(run, arena, effort, seed, &stop)?;
        let own = self.probes.iter().zip(tallies.iter().flatten());
        let own = own.map(|(probe, tally)| (probe.name.clone(), probe, tally));
        // The same number of games for each member, so that the value of the sum is the mean.
        let over = self.front_probes.iter().zip(&over);
        let over = over.map(|(probe, sum)| (format!("{OVER_FRONT}{}", probe.name), probe, sum));
        for (name, probe, tally) in own.chain(over) {
            self.cost.probe_games += tally.games();
            let counts = [tally.wins, tally.draws, tally.losses].map(|count| count.to_string());
            let [wins, draws, losses] = counts;
            let results = [tally.score().to_string(), wins, draws, losses];
            if let Some(until) = run.spec().until.as_ref().filter(|until| until.vs == name) {
                let score = tally.score();
                self.goal = Some(Goal { reached: score >= until.score, score });
            }
            rows.push((name, probe.value(tally), results));
        }
        for name in &probes.also {
            let value = Measure::statistic(name).and_then(|measure| measure.value(run));
            rows.extend(value.map(|value| (name.to_string(), value, Default::default())));
        }
        for (name, value, results) in rows {
            let when = [run.games().to_string(), run.generation().to_string()];
            let fields = when.into_iter().chain([name.clone(), value.to_string()]).chain(results);
            self.dir.note(&csv_row(fields));
            self.values.insert(name, value);
        }
        let champion = run.champion_file(&self.name()).expect("every model of a spec has a file");
        self.dir.remember(&history::kept(&champion, run.games(), run.generation()));
        Ok(())
    }

    /// Measures all players of the front, each in games of its own; returns the sum over them for
    /// each probe, and nothing if there is no front.
    fn measure_front(
        &self,
        run: &dyn AnyRun,
        arena: &Arena,
        effort: Effort,
        seed: Seed,
        stop: &dyn Watch,
    ) -> Result<Vec<Tally>, Stopped> {
        let mut sums: Vec<Tally> = Vec::new();
        if self.front_probes.is_empty() {
            return Ok(sums);
        }
        for (member, player) in (0..).zip(run.front_players()) {
            let seed = seed.child(Stream::Candidate, member);
            let tallies = measure(arena, &[player], &self.front_probes, effort, seed, stop)?;
            sums.resize_with(self.front_probes.len(), Tally::default);
            sums.iter_mut().zip(tallies.iter().flatten()).for_each(|(sum, one)| sum.add(one));
        }
        Ok(sums)
    }

    fn checkpoint(&mut self, run: &dyn AnyRun) -> Result<(), RunError> {
        let (champion, state) = (self.champion(run), self.state(run));
        check_size(self.dir.path(), state.len())?;
        let front = self.front(run);
        self.dir.checkpoint(run.generation(), run.games(), &state, &champion, &front)
    }

    fn state(&self, run: &dyn AnyRun) -> Vec<u8> {
        Sections::default()
            .with_bytes("run", run.save())
            .with("probe-due", &self.is_probe_due)
            .with("cost", &self.cost)
            .save()
    }

    /// Saves the state, or the state before a generation that was given up.
    pub fn stop(&mut self, run: &mut dyn AnyRun, before: Option<Vec<u8>>) -> End {
        if let Some(before) = before {
            run.restore(&before).expect("what was saved a moment ago can be restored");
        }
        let kept = self.checkpoint(run).and_then(|()| self.dir.interrupt());
        kept.map_or_else(|error| End::of(&error), |()| End::Stopped)
    }

    /// The champion as the text of a player file.
    fn champion(&self, run: &dyn AnyRun) -> String {
        let champion = run.champion_file(&self.name()).expect("every model of a spec has a file");
        self.written(run, champion)
    }

    /// The players of the front as the texts of player files, with the result of each in every
    /// objective.
    fn front(&self, run: &dyn AnyRun) -> Vec<String> {
        let names: Vec<String> =
            run.spec().objectives().into_iter().map(|objective| objective.name).collect();
        let written = |(mut file, shares): (PlayerFile, Box<[f64]>)| {
            let result = |(name, share): (&String, &f64)| json!({"name": name, "share": share});
            let objectives: Vec<_> = names.iter().zip(&shares).map(result).collect();
            file.provenance.insert("objectives".into(), json!(objectives));
            self.written(run, file)
        };
        run.front_files(&self.name()).into_iter().map(written).collect()
    }

    /// The name of its players: from what they depend on, not from the name of the spec.
    fn name(&self) -> String {
        Origin { spec: &self.order.text, seed: self.seed }.name()
    }

    /// A player of this run as the text of a file, with its origin.
    fn written(&self, run: &dyn AnyRun, mut file: PlayerFile) -> String {
        let origin = Origin { spec: &self.order.text, seed: self.seed };
        file.provenance.extend(origin.provenance(run.games(), run.generation()));
        history::player_text(&file)
    }

    pub fn report(self, run: &dyn AnyRun, end: End) -> RunReport {
        RunReport {
            seed: self.seed,
            path: self.dir.path().into(),
            games: run.games(),
            generations: run.generation(),
            resumed_at: self.resumed_at,
            seconds: self.began.elapsed().as_secs_f64(),
            cost: Some(self.cost),
            probes: self.values,
            before: None,
            goal: self.goal,
            end,
        }
    }
}

/// The failure of a run that is over and should have reached its goal.
fn missed(order: &Order, path: &Path, games: u64, goal: Option<Goal>) -> Option<End> {
    let until = order.spec().until.as_ref().filter(|until| until.otherwise == Otherwise::Fail)?;
    let goal = goal.filter(|goal| !goal.reached)?;
    let message = format!(
        "{}: missed its goal: after {games} games its score against {} is {:.3}, expected {} (until.score); \
         its champion is kept; with until.otherwise = \"go-on\" (of a stage, before.until.otherwise) this is no failure",
        path.display(),
        until.vs,
        goal.score,
        until.score
    );
    Some(End::Failed { message, usage: false, remedy: None })
}

/// Brings a run that is about to begin to the end of a shorter one of the same spec and seed. Gives
/// what that has cost, which the longer one costs, too.
fn continue_from(
    path: &Path,
    order: &Order,
    run: &mut dyn AnyRun,
    dir: &mut RunDir,
) -> Result<Cost, RunError> {
    let refused = |problem: String| RunError::Foreign { path: path.into(), problem };
    let shorter = FinishedRun::read(path)?;
    let shorter =
        shorter.ok_or_else(|| refused("it is not finished, so it cannot go on".into()))?;
    if shorter.signature != order.signature {
        return Err(RunError::OtherSignature {
            path: path.into(),
            there: shorter.signature,
            version: shorter.program,
            here: order.signature,
        });
    }
    let (state, champions) = (shorter.state(path)?, read_champions(path)?);
    let restored =
        Sections::restore(&state).and_then(|state| run.restore(state.need_bytes("run")?));
    restored.map_err(|error| RunError::Damaged {
        path: path.join("checkpoint.bin"),
        problem: error.to_string(),
    })?;
    let rows: Vec<&str> = shorter.metrics.lines().skip(1).collect();
    let games_of = |row: &str| row.split(',').next().and_then(|games| games.parse::<u64>().ok());
    let mut moments: Vec<u64> = rows.iter().filter_map(|row| games_of(row)).collect();
    moments.dedup();
    let kept: Vec<u64> = champions.iter().map(|champion| champion.games).collect();
    if !moments.iter().all(|games| kept.contains(games)) {
        let problem = "champions.bin lacks a probe: an older program began the run".into();
        return Err(refused(problem));
    }
    // The last probe was taken because the run ended. In the middle of a run it is taken only if
    // its time has come; since the one before, no other was.
    let (every, before) = (run.spec().probes.every, kept.iter().rev().nth(1).copied().unwrap_or(0));
    let is_regular = every > 0 && shorter.games / every > before / every;
    let stays = |games: u64| run.is_done() || is_regular || games < shorter.games;
    for row in rows.iter().filter(|row| games_of(row).is_none_or(stays)) {
        dir.note(row);
    }
    for champion in champions.iter().filter(|champion| stays(champion.games)) {
        dir.remember(champion);
    }
    let cost = shorter.circumstances.get(COST);
    Ok(cost.and_then(|cost| Cost::deserialize(cost).ok()).unwrap_or_default())
}

/// The minimum time to the next checkpoint after one that took `saving`: longer if the disk is
/// slow, so that checkpoints take at most a twentieth of the time. If `every` is 0 there is one
/// after every generation.
fn pause(every: Duration, saving: Duration) -> Duration {
    match every {
        Duration::ZERO => Duration::ZERO,
        every => every.max(20 * saving),
    }
}

/// A line of a CSV file. Names of probes may contain commas: `a@epsilon=0.1,noise=0.01`.
fn csv_row(fields: impl Iterator<Item = String>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok());
    let line = written.and_then(|bytes| String::from_utf8(bytes).ok());
    line.expect("text can be written to memory").trim_end().into()
}

/// The last value of each probe in a run's metrics, as far as it can be read.
fn latest_probes(path: &Path) -> BTreeMap<String, f64> {
    let Ok(mut reader) = csv::Reader::from_path(path.join("metrics.csv")) else {
        return BTreeMap::new();
    };
    let rows = reader.records().map_while(Result::ok);
    rows.filter_map(|row| Some((row.get(2)?.to_owned(), row.get(3)?.parse().ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_is_too_large_to_be_read_again_is_an_error() {
        assert!(check_size(Path::new("run"), MAX_STATE_BYTES).is_ok());
        let error = check_size(Path::new("run"), MAX_STATE_BYTES + 1).unwrap_err().to_string();
        assert!(error.starts_with("cannot write run/checkpoint.bin: its state has"), "{error}");
    }

    #[test]
    fn a_slow_disk_takes_a_twentieth_of_the_time_at_most() {
        let [second, milli] = [Duration::from_secs(1), Duration::from_millis(1)];
        assert_eq!(pause(5 * second, 100 * milli), 5 * second);
        assert_eq!(pause(5 * second, 2 * second), 40 * second);
        assert_eq!(pause(milli, milli), 20 * milli);
        assert_eq!(pause(Duration::ZERO, 2 * second), Duration::ZERO);
    }
}
