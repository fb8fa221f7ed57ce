//! The games that a report plays to compare champions: by the same yardsticks, whatever probes their
//! studies had, and against each other.

use crate::arena::{Arena, Openings, Tally};
use crate::lab::probe::{Effort, Probe, UTILITY, measure};
use crate::lab::results::Results;
use crate::lab::tournament::{Table, Team, play_tournament};
use crate::player::{Player, PlayerError, parse_player};
use crate::rng::{Seed, Stream};

/// Who and what the champions of all studies are measured by.
const YARDSTICKS: [&str; 5] = ["random", "heuristic", "lr2006", "ctdl2009-best", UTILITY];

/// Players of the literature, measured beside the champions.
const KNOWN: [&str; 3] = ["heuristic", "lr2006", "ctdl2009-best"];

/// Pairs of games in each meeting of two champions, as in the papers.
const PAIRS: u64 = 1;

/// What the games came to.
#[derive(Debug)]
pub struct Evidence {
    /// The champions of each study, in the order of its runs.
    pub teams: Vec<Team>,
    /// What the champions were measured by.
    pub yardsticks: Vec<Probe>,
    /// In how many games.
    pub effort: Effort,
    /// For each study and yardstick, the values of its champions.
    pub measured: Vec<Vec<Vec<f64>>>,
    /// Players of the literature, and their value for each yardstick.
    pub known: Vec<(String, Vec<f64>)>,
    /// The round robin of the studies as teams, if there are two.
    pub table: Option<Table>,
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
    pub fn games(teams: &[Team], effort: Effort) -> u64 {
        let sizes: Vec<u64> = teams.iter().map(|team| team.players.len() as u64).collect();
        let all: u64 = sizes.iter().sum();
        let meetings = (all * all - sizes.iter().map(|n| n * n).sum::<u64>()) / 2;
        let per_player = (YARDSTICKS.len() as u64 - 1) * effort.games + 2 * effort.sample;
        (all + KNOWN.len() as u64) * per_player + 2 * PAIRS * meetings
    }

    /// Plays the games. `progress` is told how many are done and can stop it.
    pub fn gather<E>(
        arena: &Arena,
        teams: Vec<Team>,
        effort: Effort,
        seed: Seed,
        mut progress: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Evidence, E> {
        let yardsticks = YARDSTICKS.map(|name| Probe::parse(name).expect("a player with a name"));
        let known = KNOWN.map(|name| parse_player(name).expect("a player with a name"));
        let all: Vec<Player> =
            teams.iter().flat_map(|team| &team.players).chain(&known).cloned().collect();
        let measuring = seed.child(Stream::Probe, 0);
        let tallies = measure(arena, &all, &yardsticks, effort, measuring, &mut progress)?;
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
        let done = tallies.iter().flatten().map(Tally::games).sum::<u64>();
        let table = round_robin(arena, &teams, seed, |games| progress(done + games))?;
        let yardsticks = yardsticks.into();
        Ok(Evidence { teams, yardsticks, effort, measured, known, table })
    }
}

fn round_robin<E>(
    arena: &Arena,
    teams: &[Team],
    seed: Seed,
    progress: impl FnMut(u64) -> Result<(), E>,
) -> Result<Option<Table>, E> {
    if teams.len() < 2 {
        return Ok(None);
    }
    let seed = seed.child(Stream::Probe, 1);
    play_tournament(arena, teams, PAIRS, seed, &Openings::Start, progress).map(Some)
}
