//! The games that a report plays to compare champions: by the same yardsticks, whatever probes their
//! studies had, against each other, and against opponents of every strength.

use outflank_arena::{After, Arena, Openings, Stopped, Tally, Watch};
use outflank_game::player::{Player, PlayerError, parse_player};
use outflank_kernel::rng::Seed;
use outflank_lab::Results;
use outflank_lab::{Database, Profile, profile};
use outflank_lab::{Effort, Probe, measure_fresh};
use outflank_lab::{Table, Team, play_tournament};
use outflank_learn::Played;

/// Players of the literature, measured beside the champions.
const KNOWN: [&str; 3] = ["heuristic", "lr2006", "ctdl2009-best"];

/// Pairs of games in each meeting of two champions, as in the papers.
const PAIRS: u64 = 1;

/// Which games a report plays. They are those of `outflank measure`, `tournament` and `profile` with the
/// same seed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the champions of all studies are measured by, at least one.
    pub yardsticks: Vec<Probe>,
    /// How many games the yardsticks take.
    pub effort: Effort,
    /// The opponents of performance profiles; without them there are none.
    pub opponents: Option<Database>,
    /// Of all games.
    pub seed: Seed,
}

/// What the games came to.
#[derive(Debug)]
pub struct Evidence {
    /// Which games they were.
    pub plan: Plan,
    /// The champions of each study, in the order of its runs.
    pub teams: Vec<Team>,
    /// For each study and yardstick, the values of its champions.
    pub measured: Vec<Vec<Vec<f64>>>,
    /// Players of the literature, and their value for each yardstick.
    pub known: Vec<(String, Vec<f64>)>,
    /// The round robin of the studies as teams, if there are two.
    pub table: Option<Table>,
    /// The performance profiles of the studies, if opponents were given.
    pub profiles: Vec<Profile>,
}

impl Evidence {
    /// The champions of studies.
    pub fn teams(studies: &[Results]) -> Result<Vec<Team>, PlayerError> {
        let team = |study: &Results| {
            let players = study.champions()?;
            Ok(Team { name: study.name.clone(), players })
        };
        studies.iter().map(team).collect()
    }

    /// How many games [`Evidence::gather`] will play.
    pub fn games(teams: &[Team], plan: &Plan) -> u64 {
        let sizes: Vec<u64> = teams.iter().map(|team| team.players.len() as u64).collect();
        let all: u64 = sizes.iter().sum();
        let meetings = (all * all - sizes.iter().map(|n| n * n).sum::<u64>()) / 2;
        let per_player: u64 = plan.yardsticks.iter().map(|probe| probe.games(plan.effort)).sum();
        let opponents = plan.opponents.as_ref().map_or(0, |all| all.opponents().len() as u64);
        (all + KNOWN.len() as u64) * per_player + 2 * PAIRS * meetings + 2 * all * opponents
    }

    /// Plays the games. The watch is told how many are done.
    pub fn gather(
        arena: &Arena,
        teams: Vec<Team>,
        plan: Plan,
        watch: &dyn Watch,
    ) -> Result<Evidence, Stopped> {
        let known = KNOWN.map(|name| parse_player(name).expect("a player with a name"));
        let all: Vec<Player> =
            teams.iter().flat_map(|team| &team.players).chain(&known).cloned().collect();
        let yardsticks = &plan.yardsticks;
        let tallies = measure_fresh(arena, &all, yardsticks, plan.effort, plan.seed, watch)?;
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
        let known = KNOWN.iter().map(ToString::to_string).zip(values).collect();
        let mut done = tallies.iter().flatten().map(Tally::games).sum::<u64>();
        let table = round_robin(arena, &teams, plan.seed, &After::new(watch, done))?;
        // Every game of the table is in it twice.
        let meetings = table.iter().flat_map(|table| table.tallies.iter().flatten());
        done += meetings.map(Tally::games).sum::<u64>() / 2;
        let profiles = profiles(arena, &teams, &plan, &After::new(watch, done))?;
        Ok(Evidence { plan, teams, measured, known, table, profiles })
    }

    /// The yardstick that sums a study up, and for each study the values of its champions: the first that has a name of
    /// its own, such as the expected utility, or the first player where there is none.
    pub fn chief(&self) -> (&Probe, Vec<&[f64]>) {
        let number = self.yardstick().map_or(0, |(number, _)| number);
        (&self.plan.yardsticks[number], self.measured.iter().map(|of| &of[number][..]).collect())
    }

    /// The first yardstick that has a name of its own and is no player, and where it stands.
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
) -> Result<Option<Table>, Stopped> {
    if teams.len() < 2 {
        return Ok(None);
    }
    play_tournament(arena, teams, PAIRS, seed, &Openings::Start, watch).map(Some)
}

fn profiles(
    arena: &Arena,
    teams: &[Team],
    plan: &Plan,
    watch: &dyn Watch,
) -> Result<Vec<Profile>, Stopped> {
    let Some(opponents) = &plan.opponents else { return Ok(Vec::new()) };
    profile(arena, teams, opponents, plan.seed, watch)
}
