//! What is known after the runs and contests of a study: the place where values are found.

use std::collections::BTreeMap;

use outflank_lab::{Bin, Fronts, Results, RunResult, Sample};
use outflank_learn::Quantity;
use outflank_report::Lead;
use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Unit};
use crate::source::{Count, MatchSource};

/// The results of a study so far.
#[derive(Debug, Default)]
pub struct Evidence {
    /// The cases, by name.
    pub cases: BTreeMap<String, CaseResults>,
    /// The tournaments, by name.
    pub tournaments: BTreeMap<String, Contest>,
    /// The profiles, by name.
    pub profiles: BTreeMap<String, Profiles>,
    /// The games of figures of leads, by the name of the figure.
    pub leads: BTreeMap<String, Vec<LedGame>>,
    /// The matches of given players.
    pub matches: Vec<(MatchSource, Counts)>,
    /// What is wrong with cases that have a damaged run: none of their values is attempted.
    pub damaged: BTreeMap<String, String>,
    /// Why tournaments and profiles were not held: `tournament all` for the one called `all`.
    pub not_held: BTreeMap<String, String>,
    /// Cases that were left out of tournaments because none of their runs is finished, by
    /// tournament.
    pub left_out: BTreeMap<String, Vec<String>>,
}

/// The runs of a case.
#[derive(Debug)]
pub struct CaseResults {
    /// Its name.
    pub name: String,
    /// What it is called in tables.
    pub label: String,
    /// Its finished runs.
    pub results: Results,
    /// Runs that are not finished, as they stand: for curves only.
    pub standing: Vec<RunResult>,
    /// Games of a run, as a share of those at full size.
    pub share: f64,
    /// For each champion that is a network, how many corners of the board it uses.
    pub corners: Vec<usize>,
    /// The fronts of its runs, if they have several objectives.
    pub fronts: Option<Fronts>,
    /// What each champion is known by, in the order of the runs.
    pub champions: Vec<String>,
    /// The seeds of runs whose champions are not here, because a ledger tells of them.
    pub recorded: Vec<u64>,
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// A tournament between the champions of cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// The teams, in order.
    pub teams: Vec<ContestTeam>,
    /// Games at full size, as a multiple of those played.
    pub factor: f64,
    /// The champion with the most points.
    pub best: Option<Best>,
}

/// The champions of a case in a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestTeam {
    /// The case.
    pub case: String,
    /// The games of each champion against each team; none against its own.
    pub members: Vec<Vec<Counts>>,
}

/// The best player of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// Its case.
    pub case: String,
    /// The seed of its run.
    pub seed: u64,
    /// Its points.
    pub points: u64,
    /// Its games.
    pub games: u64,
    /// Its weights as a board, if it is a WPC.
    #[serde(with = "weights")]
    pub weights: Option<[f32; 64]>,
}

/// Performance profiles of cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profiles {
    /// How many opponents were rated.
    pub opponents: u64,
    /// The performance of the strongest.
    pub strongest: f64,
    /// The cases, in order, each with its bins.
    pub cases: Vec<(String, Vec<Bin>)>,
}

/// A game, and who leads in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedGame {
    /// The seed of the runs whose champions play.
    pub seed: u64,
    /// Its moves.
    pub game: String,
    /// What each position is worth to Black.
    pub leads: Vec<Lead>,
}

impl Counts {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Adds other games.
    pub fn add(&mut self, other: &Counts) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// The same games from the other side.
    pub fn reversed(&self) -> Counts {
        Counts { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// What is counted.
    pub fn of(&self, count: Count) -> f64 {
        match count {
            Count::Wins => self.wins as f64,
            Count::Draws => self.draws as f64,
            Count::Losses => self.losses as f64,
            Count::Points => (3 * self.wins + self.draws) as f64,
            Count::Score => self.wins as f64 + 0.5 * self.draws as f64,
        }
    }
}

impl Evidence {
    /// A case with finished runs; an error if none is finished.
    pub fn case(&self, name: &str) -> Result<&CaseResults, String> {
        let case = self.begun(name)?;
        if case.results.runs.is_empty() {
            return Err(format!("no run of {name} is finished yet"));
        }
        Ok(case)
    }

    /// A case of which something is there, perhaps no finished run.
    pub fn begun(&self, name: &str) -> Result<&CaseResults, String> {
        if let Some(problem) = self.damaged.get(name) {
            return Err(problem.clone());
        }
        let case = self.cases.get(name).ok_or_else(|| format!("case {name} was not run"))?;
        if case.results.runs.is_empty() && case.standing.is_empty() {
            return Err(format!("no run of {name} is there yet"));
        }
        Ok(case)
    }

    /// A tournament.
    pub fn tournament(&self, name: &str) -> Result<&Contest, String> {
        self.tournaments
            .get(name)
            .ok_or_else(|| self.not_held(&format!("tournament {name}"), "was not played"))
    }

    /// A tournament with all of its teams; what is counted without some of them is no value.
    pub fn whole_tournament(&self, name: &str) -> Result<&Contest, String> {
        let contest = self.tournament(name)?;
        match self.left_out.get(name).map(Vec::as_slice) {
            None | Some([]) => Ok(contest),
            Some([case]) => Err(format!("tournament {name} was played without {case}")),
            Some([case, others @ ..]) => Err(format!(
                "tournament {name} was played without {case} and {} other cases",
                others.len()
            )),
        }
    }

    /// A profile.
    pub fn profile(&self, name: &str) -> Result<&Profiles, String> {
        self.profiles
            .get(name)
            .ok_or_else(|| self.not_held(&format!("profile {name}"), "was not made"))
    }

    /// The games of a figure of leads.
    pub fn leads(&self, figure: &str) -> Result<&[LedGame], String> {
        let games = self.leads.get(figure).map(Vec::as_slice);
        games.ok_or_else(|| self.not_held(&format!("leads {figure}"), "were not judged"))
    }

    /// A contest that is not there, and why if that is known.
    fn not_held(&self, name: &str, what: &str) -> String {
        let why = self.not_held.get(name).map_or(String::new(), |why| format!(": {why}"));
        format!("{name} {what}{why}")
    }

    /// The games of a match.
    pub fn played(&self, wanted: &MatchSource) -> Result<Counts, String> {
        let known = self.matches.iter().find(|(known, _)| known == wanted);
        known
            .map(|(_, counts)| *counts)
            .ok_or_else(|| format!("{} did not meet {}", wanted.player, wanted.against))
    }
}

/// A measurement stands for a time if it is at most this share of it away.
const NEAR: f64 = 0.25;

impl CaseResults {
    /// All runs, also those that are not finished.
    pub fn as_it_stands(&self) -> Results {
        let mut all = self.results.clone();
        all.runs.extend(self.standing.iter().cloned());
        all.runs.sort_by_key(|run| run.seed);
        all
    }

    /// The number of finished runs.
    pub fn runs(&self) -> usize {
        self.results.runs.len()
    }

    /// The full name of a probe: the first of the case if it is empty; options may be left out.
    pub fn probe(&self, name: &str) -> Result<String, String> {
        let all = self.as_it_stands();
        let probes = all.probes();
        let known = match name {
            "" => all.measures().into_iter().next(),
            name => {
                let exact = probes.iter().find(|probe| *probe == name);
                let without = |probe: &&String| probe.split('@').next() == Some(name);
                exact.or_else(|| probes.iter().find(without)).cloned()
            }
        };
        known.ok_or_else(|| {
            format!("{} has no probe {name}; it has {}", self.name, probes.join(", "))
        })
    }

    /// What kind of value a probe has: values of different kinds cannot be compared. The share won
    /// is one kind, whoever the opponent is.
    pub fn kind(probe: &str) -> &str {
        outflank_learn::Measure::named(probe).map_or("won", |measure| measure.name)
    }

    /// The unit of a probe.
    pub fn unit(&self, probe: &str) -> Unit {
        match Quantity::of(probe) {
            Quantity::Strength | Quantity::Training => Unit::Percent,
            Quantity::Count => Unit::Count,
            Quantity::Volume => Unit::Volume,
        }
    }

    /// What a value of metrics.csv is multiplied with.
    fn scale(&self, probe: &str) -> f64 {
        if self.unit(probe) == Unit::Percent { 100.0 } else { 1.0 }
    }

    /// The values of a probe, one of each run: at the end, or nearest to a number of games at full
    /// size.
    pub fn values(&self, probe: &str, at: u64) -> Result<Vec<f64>, String> {
        let scale = self.scale(probe);
        let at = at as f64 * self.share;
        let value = |run: &outflank_lab::RunResult| {
            let mut own = run.measurements.iter().filter(|measured| measured.probe == probe);
            let found = match at > 0.0 {
                false => own.next_back(),
                true => own.min_by(|a, b| {
                    let off = |games: u64| (games as f64 - at).abs();
                    off(a.games).total_cmp(&off(b.games))
                }),
            };
            let is_near = |measured: &&outflank_lab::Measurement| {
                at <= 0.0 || (measured.games as f64 - at).abs() <= NEAR * at
            };
            found.filter(is_near).map(|measured| scale * measured.value)
        };
        let values: Vec<f64> = self.results.runs.iter().filter_map(value).collect();
        if values.is_empty() && at > 0.0 {
            let at = outflank_report::count(at.round() as u64);
            return Err(format!("case {} was not measured near {at} games", self.name));
        }
        if values.is_empty() {
            return Err(format!("case {} has no value of {probe}", self.name));
        }
        Ok(values)
    }

    /// The times at which all runs were measured, in games at full size, and the values of each
    /// run at these times.
    pub fn rows(&self, probe: &str) -> Result<(Vec<u64>, Vec<Vec<f64>>), String> {
        let scale = self.scale(probe);
        let curve = self.results.curve(probe);
        let runs = self.runs();
        let whole = curve.into_iter().filter(|(_, values)| values.len() == runs);
        let (times, columns): (Vec<u64>, Vec<Vec<f64>>) = whole.unzip();
        if times.is_empty() {
            return Err(format!("case {} has no curve of {probe}", self.name));
        }
        let rows = (0..runs).map(|run| columns.iter().map(|column| scale * column[run]).collect());
        let times = times.iter().map(|games| (*games as f64 / self.share) as u64).collect();
        Ok((times, rows.collect()))
    }

    /// How many corners each champion uses.
    pub fn corners(&self) -> Result<&[usize], String> {
        match self.corners[..] {
            [] => Err(format!("the champions of {} are not networks", self.name)),
            _ => Ok(&self.corners),
        }
    }
}

impl Contest {
    fn index(&self, case: &str) -> Result<usize, String> {
        let index = self.teams.iter().position(|team| team.case == case);
        index.ok_or_else(|| format!("{case} is not in the tournament"))
    }

    /// All games of a team against another, or against all.
    pub fn total(&self, case: &str, against: &str) -> Result<Counts, String> {
        let own = &self.teams[self.index(case)?];
        let columns = self.columns(case, against)?;
        let mut total = Counts::default();
        for member in &own.members {
            columns.iter().for_each(|&column| total.add(&member[column]));
        }
        Ok(total)
    }

    fn columns(&self, case: &str, against: &str) -> Result<Vec<usize>, String> {
        match against {
            "" => {
                let own = self.index(case)?;
                Ok((0..self.teams.len()).filter(|team| *team != own).collect())
            }
            against => Ok(vec![self.index(against)?]),
        }
    }

    /// What a team won, with its spread: other runs of the case would have had other champions, and
    /// so would other runs of its opponents. Counts are scaled to full size.
    pub fn count(&self, case: &str, against: &str, count: Count) -> Result<Finding, String> {
        self.counted(case, against, count, self.factor)
    }

    /// The same as it was played.
    pub fn count_played(&self, case: &str, against: &str, count: Count) -> Result<Finding, String> {
        self.counted(case, against, count, 1.0)
    }

    fn counted(
        &self,
        case: &str,
        against: &str,
        count: Count,
        factor: f64,
    ) -> Result<Finding, String> {
        let own = self.index(case)?;
        let columns = self.columns(case, against)?;
        let total = self.total(case, against)?;
        let members = &self.teams[own].members;
        // The variance of a sum of n independent parts.
        let of_sum = |parts: Vec<f64>| {
            let sample = Sample::of(&parts);
            sample.variance * sample.n as f64
        };
        let row = |member: &Vec<Counts>| columns.iter().map(|&c| member[c].of(count)).sum::<f64>();
        let mut variance = of_sum(members.iter().map(row).collect());
        for &column in &columns {
            let theirs = self.teams[column].members.iter();
            variance += of_sum(theirs.map(|member| member[own].reversed().of(count)).collect());
        }
        let n = members.len() as u64;
        let (scale, unit) = match count {
            Count::Score => (100.0 / total.games().max(1) as f64, Unit::Percent),
            _ => (factor, Unit::Count),
        };
        let error = scale * variance.sqrt();
        Ok(Finding {
            value: scale * total.of(count),
            error: (n > 1).then_some((error, n as f64 - 1.0)),
            interval: None,
            n,
            what: "runs",
            unit,
            deviation: Some(error * (n as f64).sqrt()),
        })
    }

    /// The points of a team.
    pub fn points(&self, case: &str) -> Result<Finding, String> {
        self.count(case, "", Count::Points)
    }

    /// The team with the most points.
    pub fn leader(&self) -> Option<&str> {
        let points = |team: &&ContestTeam| {
            self.total(&team.case, "").map_or(0.0, |total| total.of(Count::Points))
        };
        let best = self.teams.iter().max_by(|a, b| points(a).total_cmp(&points(b)));
        best.map(|team| team.case.as_str())
    }
}

impl Profiles {
    fn bins(&self, case: &str) -> Result<&[Bin], String> {
        let known = self.cases.iter().find(|(name, _)| name == case);
        known.map(|(_, bins)| &bins[..]).ok_or_else(|| format!("{case} is not in the profile"))
    }

    /// The bin with opponents of this performance.
    pub fn bin(&self, case: &str, at: f64) -> Result<&Bin, String> {
        let bins = self.bins(case)?;
        let found = bins.iter().find(|bin| (bin.low..bin.high).contains(&at));
        found.ok_or_else(|| format!("{at} is not from 0 to 1"))
    }

    /// Where a case that is behind against weak opponents draws level with another, in percent: the
    /// middle of the first bin in which it is not behind any more, from the first in which it is
    /// not significantly behind to the first in which it is significantly ahead. `None` if it is
    /// behind nowhere, or everywhere from where it first is.
    pub fn crossing(&self, case: &str, other: &str) -> Result<Option<[f64; 3]>, String> {
        let rows = self.bins(case)?.iter().zip(self.bins(other)?);
        let used: Vec<(f64, f64, f64)> = rows
            .filter(|(a, b)| !a.is_dropped() && !b.is_dropped())
            .filter_map(|(a, b)| {
                let half = |bin: &Bin| bin.interval_players.map_or(0.0, |[l, h]| (h - l) / 2.0);
                let error = (half(a).powi(2) + half(b).powi(2)).sqrt();
                Some((50.0 * (a.low + a.high), a.mean? - b.mean?, error))
            })
            .collect();
        let begins = used.iter().position(|(_, ahead, _)| *ahead < 0.0);
        let Some(begins) = begins else { return Ok(None) };
        let used = &used[begins..];
        let level = used.iter().find(|(_, ahead, _)| *ahead >= 0.0);
        let Some((value, ..)) = level else { return Ok(None) };
        let close = used.iter().find(|(_, ahead, error)| *ahead > -error).map_or(*value, |b| b.0);
        let ahead = used.iter().find(|(at, ahead, error)| at >= value && ahead > error);
        let end = used.last().map_or(*value, |bin| bin.0);
        Ok(Some([*value, close.min(*value), ahead.map_or(end, |bin| bin.0)]))
    }
}

/// An array of 64 weights as a list.
mod weights {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(
        weights: &Option<[f32; 64]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        weights.map(Vec::from).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<[f32; 64]>, D::Error> {
        let list: Option<Vec<f32>> = Option::deserialize(deserializer)?;
        Ok(list.and_then(|list| list.try_into().ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A case with these means in bins from 0.4 on, known to half a point.
    fn bins(means: &[f64]) -> Vec<Bin> {
        let bin = |(index, mean): (usize, &f64)| {
            let low = 0.4 + 0.01 * index as f64;
            Bin {
                low,
                high: low + 0.01,
                opponents: 100,
                double_games: 10_000,
                mean: Some(*mean),
                interval: Some([mean - 0.005, mean + 0.005]),
                interval_players: Some([mean - 0.005, mean + 0.005]),
            }
        };
        means.iter().enumerate().map(bin).collect()
    }

    #[test]
    fn two_profiles_cross_where_the_one_behind_is_behind_no_more_or_nowhere() {
        let crossing = |behind: &[f64]| {
            let level = vec![0.5; behind.len()];
            let cases = vec![("a".to_owned(), bins(behind)), ("b".to_owned(), bins(&level))];
            Profiles { opponents: 1, strongest: 0.8, cases }.crossing("a", "b").unwrap()
        };
        let [value, low, high] = crossing(&[0.48, 0.498, 0.501, 0.52, 0.53]).unwrap();
        assert!((value - 42.5).abs() < 1e-9 && (low - 41.5).abs() < 1e-9, "{value} {low}");
        assert!((high - 43.5).abs() < 1e-9, "{high}");
        assert_eq!(crossing(&[0.48, 0.49, 0.499]), None, "it never draws level");
        assert_eq!(crossing(&[0.5, 0.51, 0.52]), None, "it is nowhere behind");
    }
}
