//! Measures players against the papers' benchmark opponents.

use std::ops::Range;

use outflank_arena::{News, Tally, Watch};
use outflank_game::player::Player;
use outflank_kernel::rng::Seed;
use outflank_lab::{Effort, Probe, mean_interval, measure_fresh, score_interval};
use outflank_learn::Quantity;
use serde::{Deserialize, Serialize};

use crate::teams::members;
use crate::{Command, Error, all_cores, arena};

/// Measures players with probes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeasureRequest {
    /// Players, run folders, or studies (all their runs).
    pub players: Vec<String>,
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
}

impl MeasureRequest {
    /// The benchmark opponents of the papers.
    pub const VS: [&'static str; 3] = ["random", "heuristic", "utility"];
}

impl Default for MeasureRequest {
    fn default() -> MeasureRequest {
        MeasureRequest {
            players: Vec::new(),
            vs: MeasureRequest::VS.map(String::from).to_vec(),
            games: 10_000,
            sample: 25_000,
            seed: 1,
            threads: None,
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
    /// As in the request.
    pub seed: u64,
}

/// A player measured with a probe.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The player's name.
    pub player: String,
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
        let mut players: Vec<Player> = Vec::new();
        // Studies with several runs, and their places in the list of players.
        let mut studies: Vec<(&str, Range<usize>)> = Vec::new();
        for name in &self.players {
            let members = members(name, watch)?;
            if members.len() > 1 {
                studies.push((name, players.len()..players.len() + members.len()));
            }
            players.extend(members);
        }
        let probes = parse_probes(&self.vs)?;
        let effort = Effort { games: self.games, sample: self.sample };
        let arena = arena(self.threads.unwrap_or_else(all_cores))?;
        let per_player: u64 = probes.iter().map(|probe| probe.games(effort)).sum();
        watch.tell(News::Begins { unit: "games", total: per_player * players.len() as u64 });
        let tallies = measure_fresh(&arena, &players, &probes, effort, Seed(self.seed), watch)?;
        let mut results = Vec::new();
        for (player, tallies) in players.iter().zip(&tallies) {
            results.extend(probes.iter().zip(tallies).map(|(p, tally)| measured(player, p, tally)));
        }
        let mut means = Vec::new();
        for (study, runs) in &studies {
            for (number, probe) in probes.iter().enumerate() {
                let of: Vec<&Tally> = tallies[runs.clone()].iter().map(|t| &t[number]).collect();
                means.push(mean(study, probe, &of));
            }
        }
        Ok(MeasureAnswer { results, means, seed: self.seed })
    }
}

/// Reads probes; none may appear twice.
pub fn parse_probes(names: &[String]) -> Result<Vec<Probe>, Error> {
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
    Ok(names.iter().map(|name| Probe::parse(name)).collect::<Result<_, _>>()?)
}

fn won(tally: &Tally) -> f64 {
    tally.wins as f64 / tally.games() as f64
}

fn measured(player: &Player, probe: &Probe, tally: &Tally) -> Measured {
    Measured {
        player: player.name.clone(),
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

fn mean(study: &str, probe: &Probe, tallies: &[&Tally]) -> Mean {
    let of = |value: fn(&Tally) -> f64| {
        let values: Vec<f64> = tallies.iter().map(|tally| value(tally)).collect();
        let (mean, interval) = mean_interval(&values);
        (mean, interval.map(|ends| Quantity::Strength.within(ends)))
    };
    let ((win_probability, win_probability_interval), (score, score_interval)) =
        (of(won), of(Tally::score));
    Mean {
        study: study.into(),
        probe: probe.name.clone(),
        runs: tallies.len(),
        win_probability,
        win_probability_interval,
        score,
        score_interval,
    }
}
