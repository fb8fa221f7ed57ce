//! The games that a report plays to compare champions: against the same benchmark opponents,
//! whatever probes their studies had, against each other, and against opponents of every strength.

use outflank_arena::{After, Arena, Openings, Stopped, Tally, Watch};
use outflank_game::player::{Player, parse_player};
use outflank_kernel::rng::Seed;
use outflank_lab::{CrossTable, Team, play_tournament};
use outflank_lab::{Database, Profile, profile};
use outflank_lab::{Effort, Probe, measure_fresh};
use outflank_lab::{Results, ResultsError};
use outflank_learn::Played;

/// Players from the literature, measured with the champions.
const KNOWN: [&str; 3] = ["heuristic", "lr2006", "ctdl2009-best"];

/// Pairs of games in each meeting of two champions, as in the papers.
const PAIRS: u64 = 1;

/// Which games a report plays. They are those of `outflank measure`, `tournament` and `profile`
/// with the same seed.
#[derive(Clone, Debug)]
pub struct EvidencePlan {
    /// The yardsticks of all champions, at least one.
    pub yardsticks: Vec<Probe>,
    /// The number of games for the yardsticks.
    pub effort: Effort,
    /// The opponents of performance profiles; none for a report without profiles.
    pub opponents: Option<Database>,
    /// The seed of all games.
    pub seed: Seed,
}

/// The results of the games.
#[derive(Debug)]
pub struct Evidence {
    /// Which games they were.
    pub plan: EvidencePlan,
    /// The champions of each study, in the order of its runs.
    pub teams: Vec<Team>,
    /// For each study and yardstick, the values of its champions.
    pub measured: Vec<Vec<Vec<f64>>>,
    /// Players from the literature, and their value for each yardstick.
    pub known: Vec<(String, Vec<Known>)>,
    /// The round robin of the studies as teams, if there are at least two.
    pub table: Option<CrossTable>,
    /// The performance profiles of the studies, if opponents were given.
    pub profiles: Vec<Profile>,
}

/// How a single player did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Its value.
    pub value: f64,
    /// Its 95% interval.
    pub interval: [f64; 2],
}

impl Known {
    /// Wilson's interval for the number of independent games that the pairs are worth, as in
    /// [`score_interval`](outflank_lab::score_interval), but for any share.
    fn new(value: f64, tally: &Tally) -> Known {
        let (pairs, score) = (tally.pairs.iter().sum::<u64>() as f64, tally.score());
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let squares = tally.pairs.iter().zip(scores).map(|(&n, s)| n as f64 * (s - score).powi(2));
        let independent = score * (1.0 - score) / 2.0;
        let ratio = if independent > 0.0 {
            (squares.sum::<f64>() + 2.0 * independent) / ((pairs + 2.0) * independent)
        } else {
            1.0
        };
        let (n, z) = (2.0 * pairs / ratio, Z);
        let centre = (value + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half =
            z / (1.0 + z * z / n) * (value * (1.0 - value) / n + (z / (2.0 * n)).powi(2)).sqrt();
        Known { value, interval: [(centre - half).max(0.0), (centre + half).min(1.0)] }
    }
}

/// The 97.5% point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Evidence {
    /// The champions of studies.
    pub fn teams(studies: &[Results]) -> Result<Vec<Team>, ResultsError> {
        let team = |study: &Results| {
            let players = study.champions()?;
            Ok(Team { name: study.name.clone(), players })
        };
        studies.iter().map(team).collect()
    }

    /// How many games [`Evidence::gather`] will play.
    pub fn games(teams: &[Team], plan: &EvidencePlan) -> u64 {
        let sizes: Vec<u64> = teams.iter().map(|team| team.players.len() as u64).collect();
        let all: u64 = sizes.iter().sum();
        let meetings = (all * all - sizes.iter().map(|n| n * n).sum::<u64>()) / 2;
        let per_player = |effort: Effort| -> u64 {
            plan.yardsticks.iter().map(|probe| probe.games(effort)).fold(0, u64::saturating_add)
        };
        let opponents = plan.opponents.as_ref().map_or(0, |all| all.opponents().len() as u64);
        let of_known = (KNOWN.len() as u64).saturating_mul(per_player(plan.effort));
        all.saturating_mul(per_player(plan.effort))
            .saturating_add(of_known)
            .saturating_add(2 * PAIRS * meetings + 2 * all * opponents)
    }

    /// Plays the games, and reports to the watch how many are done.
    pub fn gather(
        arena: &Arena,
        teams: Vec<Team>,
        plan: EvidencePlan,
        watch: &dyn Watch,
    ) -> Result<Evidence, Stopped> {
        let known = KNOWN.map(|name| parse_player(name).expect("a player with a name"));
        let all: Vec<Player> = teams.iter().flat_map(|team| &team.players).cloned().collect();
        let yardsticks = &plan.yardsticks;
        let tallies = measure_fresh(arena, &all, yardsticks, plan.effort, plan.seed, watch)?;
        let mut done = tallies.iter().flatten().map(Tally::games).sum::<u64>();
        let values = |tallies: &Vec<Tally>| -> Vec<f64> {
            yardsticks.iter().zip(tallies).map(|(probe, tally)| probe.value(tally)).collect()
        };
        let mut values = tallies.iter().map(values);
        let mut measured = Vec::new();
        for team in &teams {
            let of_each: Vec<Vec<f64>> = values.by_ref().take(team.players.len()).collect();
            let by = |number: usize| of_each.iter().map(|values| values[number]).collect();
            measured.push((0..yardsticks.len()).map(by).collect());
        }
        let effort = plan.effort;
        let after = After::new(watch, done);
        let tallies = measure_fresh(arena, &known, yardsticks, effort, plan.seed, &after)?;
        done += tallies.iter().flatten().map(Tally::games).sum::<u64>();
        let known = |tallies: &Vec<Tally>| -> Vec<Known> {
            let all = yardsticks.iter().zip(tallies);
            all.map(|(probe, tally)| Known::new(probe.value(tally), tally)).collect()
        };
        let known = KNOWN.iter().map(ToString::to_string).zip(tallies.iter().map(known)).collect();
        let table = round_robin(arena, &teams, plan.seed, &After::new(watch, done))?;
        // The table contains every game twice.
        let meetings = table.iter().flat_map(|table| table.tallies.iter().flatten());
        done += meetings.map(Tally::games).sum::<u64>() / 2;
        let profiles = profiles(arena, &teams, &plan, &After::new(watch, done))?;
        Ok(Evidence { plan, teams, measured, known, table, profiles })
    }

    /// The main measure, and for each study the values of its champions: the first yardstick with a
    /// name of its own, such as the expected utility, or else the first player.
    pub fn chief(&self) -> (&Probe, Vec<&[f64]>) {
        let number = self.yardstick().map_or(0, |(number, _)| number);
        (&self.plan.yardsticks[number], self.measured.iter().map(|of| &of[number][..]).collect())
    }

    /// The first yardstick with a name of its own that is not a player, and its index.
    pub fn yardstick(&self) -> Option<(usize, &'static Played)> {
        let played = self.plan.yardsticks.iter().map(Probe::played);
        played.enumerate().find_map(|(number, played)| Some((number, played?)))
    }
}

fn round_robin(
    arena: &Arena,
    teams: &[Team],
    seed: Seed,
    watch: &dyn Watch,
) -> Result<Option<CrossTable>, Stopped> {
    if teams.len() < 2 {
        return Ok(None);
    }
    play_tournament(arena, teams, PAIRS, seed, &Openings::Start, watch).map(Some)
}

fn profiles(
    arena: &Arena,
    teams: &[Team],
    plan: &EvidencePlan,
    watch: &dyn Watch,
) -> Result<Vec<Profile>, Stopped> {
    let Some(opponents) = &plan.opponents else { return Ok(Vec::new()) };
    profile(arena, teams, opponents, plan.seed, watch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_lab::score_interval;

    #[test]
    fn the_interval_of_a_player_is_that_of_its_score_where_nothing_is_drawn() {
        for pairs in
            [[250, 0, 500, 0, 250], [0, 0, 1000, 0, 0], [10, 0, 300, 0, 690], [0, 0, 0, 0, 20]]
        {
            let [lost, split, won] = [pairs[0], pairs[2], pairs[4]];
            let wins = 2 * won + split;
            let tally = Tally { wins, losses: 2 * lost + split, pairs, ..Tally::default() };
            let known = Known::new(wins as f64 / tally.games() as f64, &tally);
            for (found, expected) in known.interval.into_iter().zip(score_interval(&tally)) {
                assert!((found - expected).abs() < 1e-12, "{pairs:?}: {found} {expected}");
            }
        }
    }
}
