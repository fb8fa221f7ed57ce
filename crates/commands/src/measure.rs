//! Measures players against the papers' benchmark opponents.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use outflank_arena::{News, Tally, Watch};
use outflank_game::engine::{EngineCommand, EngineFaults};
use outflank_game::player::Player;
use outflank_kernel::rng::Seed;
use outflank_lab::{
    Effort, Moment, Probe, RunResult, mean_interval, measure_fresh_by, score_interval,
};
use outflank_learn::Quantity;
use serde::{Deserialize, Serialize};

use crate::engines::{entrant, faults};
use crate::teams::{Unfinished, as_it_stands, members, with_cases};
use crate::{Command, Error, Parts, all_cores, arena};

/// Measures players with probes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeasureRequest {
    /// Players, run folders, studies (all their runs), or folders of study files (all their cases).
    pub players: Vec<String>,
    /// Take every run at its last probe due at this number of training games or before, not at its
    /// end.
    pub at: Option<u64>,
    /// Whether all champions of the runs that were kept are measured, not only the last.
    pub along: bool,
    /// With `along`: at most this many of each run, evenly spread; all if there is none.
    pub points: Option<usize>,
    /// Benchmark opponents, or `utility`.
    pub vs: Vec<String>,
    /// Single games against each player, an even number.
    pub games: u64,
    /// Double games for the expected utility.
    pub sample: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Threads; all cores if there is none.
    pub threads: Option<usize>,
    /// Whether games are played in parts, by several processes.
    pub parts: Parts,
}

impl MeasureRequest {
    /// The benchmark opponents of the papers.
    pub const VS: [&'static str; 3] = ["random", "heuristic", "utility"];
}

impl Default for MeasureRequest {
    fn default() -> MeasureRequest {
        MeasureRequest {
            players: Vec::new(),
            at: None,
            along: false,
            points: None,
            vs: MeasureRequest::VS.map(String::from).to_vec(),
            games: 10_000,
            sample: 25_000,
            seed: 1,
            threads: None,
            parts: Parts::default(),
        }
    }
}

/// The measurements.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureAnswer {
    /// For each player, a row for each probe.
    pub results: Vec<Measured>,
    /// For each study with several runs, a row for each probe.
    pub means: Vec<Mean>,
    /// What went wrong with engines; a row for each that took part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine_faults: Vec<EngineFaults>,
    /// Runs that are not finished, taken as they stand.
    pub unfinished: Vec<Unfinished>,
    /// As in the request.
    pub seed: u64,
}

/// A player measured with a probe.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The player's name.
    pub player: String,
    /// Training games of its run by then, if the champions along runs were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training_games: Option<u64>,
    /// Generations by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<u64>,
    /// The probe.
    pub probe: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The share of games won.
    pub win_probability: f64,
    /// Wins plus half the draws, as a share of the games.
    pub score: f64,
    /// The 95% interval of the score, with pairs of games as the unit.
    pub interval: [f64; 2],
}

/// The runs of a study measured with a probe.
#[derive(Clone, Debug, Serialize)]
pub struct Mean {
    /// The study, as in the request.
    pub study: String,
    /// Training games by then, if the champions along runs were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training_games: Option<u64>,
    /// The probe.
    pub probe: String,
    /// Its runs.
    pub runs: usize,
    /// The mean share of games won.
    pub win_probability: f64,
    /// Its 95% interval, over runs.
    pub win_probability_interval: Option<[f64; 2]>,
    /// The mean score.
    pub score: f64,
    /// Its 95% interval, over runs.
    pub score_interval: Option<[f64; 2]>,
}

impl Command for MeasureRequest {
    type Answer = MeasureAnswer;
    const NAME: &'static str = "measure";

    fn run(&self, watch: &dyn Watch) -> Result<MeasureAnswer, Error> {
        let probes = probes_with_engines(&self.vs, watch)?;
        let Subjects { subjects, studies, unfinished } = self.subjects(watch)?;
        let players: Vec<Player> = subjects.iter().map(|subject| subject.player.clone()).collect();
        let effort = Effort { games: self.games, sample: self.sample };
        let arena = arena(self.threads.unwrap_or_else(all_cores))?;
        let per_player: u64 = probes.iter().map(|probe| probe.games(effort)).sum();
        watch.tell(News::Begins { unit: "games", total: per_player * players.len() as u64 });
        let seed = Seed(self.seed);
        let tallies = measure_fresh_by(&players, &probes, effort, seed, |meetings| {
            let key = || format!("{meetings:?}");
            self.parts.play("measure", key, &arena, meetings, watch)
        })?;
        let mut results = Vec::new();
        for (subject, tallies) in subjects.iter().zip(&tallies) {
            let rows = probes.iter().zip(tallies);
            results.extend(rows.map(|(probe, tally)| measured(subject, probe, tally)));
        }
        let mut means = Vec::new();
        for (study, runs) in &studies {
            // Runs of one study have probes at the same games.
            let mut moments: BTreeMap<Option<u64>, Vec<usize>> = BTreeMap::new();
            for index in runs.clone() {
                let games = subjects[index].moment.map(|(games, _)| games);
                moments.entry(games).or_default().push(index);
            }
            for (number, probe) in probes.iter().enumerate() {
                for (moment, runs) in moments.iter().filter(|(_, runs)| runs.len() > 1) {
                    let of: Vec<&Tally> = runs.iter().map(|&run| &tallies[run][number]).collect();
                    means.push(mean(study, *moment, probe, &of));
                }
            }
        }
        let engines = players.iter().chain(probes.iter().map(Probe::against));
        let engine_faults = faults(engines);
        Ok(MeasureAnswer { results, means, engine_faults, unfinished, seed: self.seed })
    }
}

/// A player to be measured, and at which training games and generation it was champion, if that is
/// asked.
struct Subject {
    player: Player,
    moment: Option<(u64, u64)>,
}

/// Whom to measure.
struct Subjects {
    subjects: Vec<Subject>,
    /// Studies with several runs, and their places in the list.
    studies: Vec<(String, Range<usize>)>,
    unfinished: Vec<Unfinished>,
}

impl MeasureRequest {
    fn subjects(&self, watch: &dyn Watch) -> Result<Subjects, Error> {
        if self.points == Some(0) || (self.points.is_some() && !self.along) {
            return Err(Error::Usage("points is a number from 1, and needs along".into()));
        }
        let mut all =
            Subjects { subjects: Vec::new(), studies: Vec::new(), unfinished: Vec::new() };
        for name in with_cases(&self.players, watch)? {
            let first = all.subjects.len();
            let runs = if self.along {
                let study = as_it_stands(Path::new(&name), self.at, watch)?;
                for run in &study.runs {
                    let moments = run.history(&study.spec)?;
                    all.subjects.extend(spread(&moments, self.points).map(|moment| Subject {
                        player: named(run, moment),
                        moment: Some((moment.games, moment.generation)),
                    }));
                }
                let runs = study.runs.len();
                all.unfinished.extend(Unfinished::among(&[study]));
                runs
            } else {
                let members = members(&name, self.at, watch)?;
                let runs = members.players.len();
                let alone = |player| Subject { player, moment: None };
                all.subjects.extend(members.players.into_iter().map(alone));
                all.unfinished.extend(members.unfinished);
                runs
            };
            if runs > 1 {
                all.studies.push((name, first..all.subjects.len()));
            }
        }
        Ok(all)
    }
}

/// A champion, named after its run.
fn named(run: &RunResult, moment: &Moment) -> Player {
    let mut player = moment.champion.player().expect("a champion that was read is a player");
    player.name = run.path.to_string_lossy().replace(char::is_control, "?");
    player
}

/// At most this many of the moments, evenly spread; the last one is among them.
fn spread(moments: &[Moment], points: Option<usize>) -> impl Iterator<Item = &Moment> {
    let all = moments.len();
    let points = points.map_or(all, |points| points.min(all));
    (1..=points).map(move |point| &moments[point * all / points - 1])
}

/// Reads probes, engines among them; none may appear twice.
fn probes_with_engines(names: &[String], watch: &dyn Watch) -> Result<Vec<Probe>, Error> {
    check_names(names)?;
    let probe = |name: &String| match EngineCommand::is_one(name) {
        true => Ok(Probe::of_player(name, entrant(name, watch)?)),
        false => Ok(Probe::parse(name)?),
    };
    names.iter().map(probe).collect()
}

/// Reads probes; none may appear twice.
pub fn parse_probes(names: &[String]) -> Result<Vec<Probe>, Error> {
    check_names(names)?;
    Ok(names.iter().map(|name| Probe::parse(name)).collect::<Result<_, _>>()?)
}

fn check_names(names: &[String]) -> Result<(), Error> {
    for (index, name) in names.iter().enumerate() {
        if name.is_empty() {
            let all = names.join(",");
            return Err(Error::Usage(format!(
                "{all:?} has an empty name; expected players or utility"
            )));
        }
        if names[..index].contains(name) {
            return Err(Error::Usage(format!("{:?} names {name:?} twice", names.join(","))));
        }
    }
    Ok(())
}

fn won(tally: &Tally) -> f64 {
    tally.wins as f64 / tally.games() as f64
}

fn measured(subject: &Subject, probe: &Probe, tally: &Tally) -> Measured {
    Measured {
        player: subject.player.name.clone(),
        training_games: subject.moment.map(|(games, _)| games),
        generation: subject.moment.map(|(_, generation)| generation),
        probe: probe.name.clone(),
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        win_probability: won(tally),
        score: tally.score(),
        interval: score_interval(tally),
    }
}

fn mean(study: &str, training_games: Option<u64>, probe: &Probe, tallies: &[&Tally]) -> Mean {
    let of = |value: fn(&Tally) -> f64| {
        let values: Vec<f64> = tallies.iter().map(|tally| value(tally)).collect();
        let (mean, interval) = mean_interval(&values);
        (mean, interval.map(|ends| Quantity::Strength.within(ends)))
    };
    let ((win_probability, win_probability_interval), (score, score_interval)) =
        (of(won), of(Tally::score));
    Mean {
        study: study.into(),
        training_games,
        probe: probe.name.clone(),
        runs: tallies.len(),
        win_probability,
        win_probability_interval,
        score,
        score_interval,
    }
}
