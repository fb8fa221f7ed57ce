//! What a study would do: runs, games, and about how long it takes.

use std::collections::BTreeMap;

use outflank_lab::pace_of;
use outflank_learn::Spec;
use outflank_study::{Case, Design};
use serde::Serialize;

use super::training::{PreparedCase, begun_games};
use super::{Work, kernel};
use crate::Error;

/// What will be done.
#[derive(Clone, Debug, Serialize)]
pub struct PlanAnswer {
    /// The cases.
    pub cases: Vec<CasePlan>,
    /// Games of tournaments, profiles and matches.
    pub contest_games: u64,
    /// Runs that are missing.
    pub missing: usize,
    /// Training games that are missing, and those of their probes.
    pub games: u64,
    /// About how many seconds it takes on these threads; none if it was not estimated.
    pub seconds: Option<f64>,
    /// Threads.
    pub threads: usize,
}

/// What will be done for a case.
#[derive(Clone, Debug, Serialize)]
pub struct CasePlan {
    /// The study.
    pub study: String,
    /// The case.
    pub case: String,
    /// All of its runs.
    pub runs: usize,
    /// Those that are missing.
    pub missing: usize,
    /// Training games of a run.
    pub games: u64,
    /// At most this many games of the stages before a run.
    pub before_games: u64,
    /// Games of the probes of a run.
    pub probe_games: u64,
    /// Training games per second on one core, in a short trial.
    pub rate: Option<f64>,
    /// About how many seconds of one core the missing runs take.
    pub seconds: Option<f64>,
}

impl PlanAnswer {
    /// All games that are left, for a progress bar.
    pub fn games_left(&self) -> u64 {
        let all = |case: &CasePlan| case.missing as u64 * (case.games + case.before_games);
        let training: u64 = self.cases.iter().map(all).sum();
        training + self.contest_games
    }
}

/// Plans studies; rates are measured only if wanted, because that takes a moment. `is_known` says
/// whether something is known of a contest of a study, by its number and kind and name.
pub fn plan(
    works: &[Work],
    prepared: &[PreparedCase],
    threads: usize,
    measured: bool,
    is_known: &dyn Fn(usize, &str) -> bool,
) -> Result<PlanAnswer, Error> {
    let kernel = kernel()?;
    let mut rates: BTreeMap<String, Option<f64>> = BTreeMap::new();
    let mut cases = Vec::new();
    for one in prepared {
        let spec = one.prepared.order.spec();
        let probes = spec.games.checked_div(spec.probes.every).map_or(1, |count| count.max(1));
        let probe_games = probes * probe_games(spec);
        let rate = match measured && !one.missing.is_empty() {
            false => None,
            true => *rates.entry(pace_key(spec)).or_insert_with(|| pace_of(spec, kernel)),
        };
        let before_games = spec.all_games() - spec.games;
        let games = one.missing.len() as u64 * (spec.games + before_games + probe_games);
        // Runs that go on from shorter ones have no more to do than the rest.
        let begun = begun_games(prepared, one);
        let rest = 1.0 - begun as f64 / (one.missing.len() as u64 * spec.games).max(1) as f64;
        cases.push(CasePlan {
            study: works[one.study].design.name.clone(),
            case: one.name.clone(),
            runs: one.prepared.order.seeds.len(),
            missing: one.missing.len(),
            games: spec.games,
            before_games,
            probe_games,
            rate,
            seconds: rate.map(|rate| rest * games as f64 / rate.max(1.0)),
        });
    }
    let contest_games = works.iter().enumerate().map(|(study, work)| {
        let missing = |name: &String| {
            let of = |one: &&PreparedCase| one.study == study && one.name == *name;
            prepared.iter().find(of).is_some_and(|one| !one.missing.is_empty())
        };
        // What was found stands as long as the runs are the same.
        let is_done = |name: &str, cases: &[String]| {
            is_known(study, name) && !work.design.teams(cases).iter().any(missing)
        };
        contest_games(&work.design, is_done)
    });
    let contest_games: u64 = contest_games.sum();
    let missing = cases.iter().map(|case| case.missing).sum();
    let games =
        cases.iter().map(|c| c.missing as u64 * (c.games + c.before_games + c.probe_games)).sum();
    // The batch kernel plays contests of WPCs; other players are slower, but their contests small.
    let seconds = measured.then(|| {
        let training: f64 = cases.iter().filter_map(|case| case.seconds).sum();
        let contest_rate = rates.values().flatten().copied().fold(500_000.0, f64::max);
        (training + contest_games as f64 / contest_rate) / threads as f64
    });
    Ok(PlanAnswer { cases, contest_games, missing, games, seconds, threads })
}

/// What the speed of a method depends on. Cases that differ in a number are about as fast as each
/// other, unless it is a number of the policy, such as a depth, or of parameters.
fn pace_key(spec: &Spec) -> String {
    let text = spec.to_toml();
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let mut words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || ",=[]{}".contains(c)).collect();
    words.retain(|word| !word.is_empty() && !is_number(&word.replace('_', "")));
    format!("{} {:?} {}", spec.model.params(), spec.policy, words.join(" "))
}

/// Games of one probe.
fn probe_games(spec: &Spec) -> u64 {
    let of = |name: &String| match name == outflank_learn::UTILITY {
        true => 2 * spec.probes.sample,
        false => spec.probes.games,
    };
    /// About the size of published fronts (7 with 100 particles).
    const FRONT: u64 = 8;
    let over = spec.front_yardsticks().iter().map(of).sum::<u64>();
    spec.yardsticks().iter().map(of).sum::<u64>() + FRONT * over
}

/// Players of a case.
fn players(case: &Case) -> u64 {
    case.seeds.len() as u64
}

/// Games of tournaments, profiles and matches that are not done, at most: their files may be
/// damaged, or of other runs.
fn contest_games(design: &Design, is_done: impl Fn(&str, &[String]) -> bool) -> u64 {
    let team = |name: &String| design.case(name).map_or(0, players);
    let is_left =
        |kind: &str, name: &str, cases: &[String]| !is_done(&format!("{kind} {name}"), cases);
    let tournaments = design.file.tournament.iter();
    let tournaments = tournaments.filter(|one| is_left("tournament", &one.name, &one.cases));
    let tournaments = tournaments.map(|one| {
        let sizes: Vec<u64> = design.teams(&one.cases).iter().map(team).collect();
        2 * one.doubles * one.meetings(&sizes)
    });
    let profiles = design.file.profile.iter();
    let profiles = profiles.filter(|one| is_left("profile", &one.name, &one.cases));
    let profiles = profiles.map(|one| {
        let all: u64 = design.teams(&one.cases).iter().map(team).sum();
        let opponents = super::sizes::opponents(one.opponents, design.shrink.scale);
        2 * opponents * (one.doubles + all)
    });
    let needs = design.needs();
    let matches = needs.matches.iter().filter(|one| is_left("match", &one.name(), &[]));
    tournaments.sum::<u64>() + profiles.sum::<u64>() + matches.map(|one| one.games).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_learn::resolve;

    #[test]
    fn paces_are_measured_again_where_more_than_a_number_differs() {
        let key = |preset: &str, set: &[&str]| {
            let set: Vec<String> = set.iter().map(ToString::to_string).collect();
            pace_key(&resolve(preset, &set).unwrap().spec)
        };
        assert_eq!(key("pso-td", &[]), key("pso-td", &["local.alpha=0.1", "games=40_000"]));
        assert_ne!(key("pso-td", &[]), key("pso-td", &["local.others=weighed"]));
        assert_ne!(key("ev", &[]), key("ev", &["policy.depth=4"]));
        assert_ne!(key("ev", &[]), key("ev", &["model.hidden=[20, 10]"]));
    }
}
