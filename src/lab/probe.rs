//! The papers' yardsticks: how often a player wins against a given one, and its expected utility.

use crate::arena::{Arena, Meeting, Openings, Tally, Watch};
use crate::player::{Player, PlayerError, nearest, parse_player, split_options};
use crate::rng::{Chance, Seed, Stream};

/// The name of [`Yardstick::Utility`].
pub const UTILITY: &str = "utility";

/// Random moves of both players against a player who would play the same game again and again:
/// Szubert et al. 2009, section V, and the Othello League.
const EPSILON: f64 = 0.1;

/// Something to measure players by.
#[derive(Clone, Debug)]
pub struct Probe {
    /// As it was asked for.
    pub name: String,
    against: Player,
    yardstick: Yardstick,
}

/// What a probe's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yardstick {
    /// The share of games won.
    Wins,
    /// The score in double games against random WPCs (Jaśkowski et al. 2013).
    Utility,
}

/// What kind of number stands under the name of a probe in a run's metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// How well the champion did in games of the probe's own: a share.
    Strength,
    /// A share of games won in training.
    Training,
    /// A number of things, of which more are not better.
    Count,
}

impl Quantity {
    /// That of a probe.
    pub fn of(probe: &str) -> Quantity {
        match probe {
            "top10" | "mean" => Quantity::Training,
            "hidden" | "connections" | "species" => Quantity::Count,
            _ => Quantity::Strength,
        }
    }

    /// What the value of a probe is, if it is not measured in games of the champion.
    pub fn meaning(probe: &str) -> Option<&'static str> {
        match probe {
            "top10" => Some("share of games won by the ten best of the generation, in training"),
            "mean" => Some("share of games won by the whole generation, in training"),
            "hidden" => Some("hidden nodes of the champion"),
            "connections" => Some("connections of the champion"),
            "species" => Some("species of the generation"),
            _ => None,
        }
    }

    /// A value as text; a mean of counts is seldom whole.
    pub fn text(self, value: f64) -> String {
        match self {
            Quantity::Strength | Quantity::Training => format!("{value:.4}"),
            Quantity::Count if (value - value.round()).abs() < 1e-9 => format!("{value:.0}"),
            Quantity::Count => format!("{value:.1}"),
        }
    }
}

/// How many games a probe takes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Single games, even, against a player.
    pub games: u64,
    /// Double games of the expected utility.
    pub sample: u64,
}

impl Probe {
    /// `utility`, or a player. Unless it says otherwise (`@epsilon=`), the players who choose their moves
    /// make a random one with probability 0.1, and so do those who are measured by them.
    pub fn parse(text: &str) -> Result<Probe, PlayerError> {
        let yardstick = if text == UTILITY { Yardstick::Utility } else { Yardstick::Wins };
        let mut against = match yardstick {
            Yardstick::Utility => parse_player("random-wpc")?,
            Yardstick::Wins => parse_player(text).map_err(or_utility)?,
        };
        // `@epsilon=0` says otherwise, too.
        if !against.varies() && split_options(text).1.is_none() {
            against.policy.epsilon = Chance::new(EPSILON).unwrap_or_default();
        }
        Ok(Probe { name: text.into(), against, yardstick })
    }

    /// What the value is.
    pub fn yardstick(&self) -> Yardstick {
        self.yardstick
    }

    /// The figure the papers report: wins as a share of the games, or the expected utility.
    pub fn value(&self, tally: &Tally) -> f64 {
        match self.yardstick {
            Yardstick::Wins => tally.wins as f64 / tally.games() as f64,
            Yardstick::Utility => tally.score(),
        }
    }

    /// Single games it takes.
    pub fn games(&self, effort: Effort) -> u64 {
        match self.yardstick {
            Yardstick::Wins => effort.games,
            Yardstick::Utility => 2 * effort.sample,
        }
    }

    /// A player as it is measured: unless it has a policy, that of whom it meets.
    fn measured(&self, player: &Player) -> Player {
        let mut measured = player.clone();
        if player.policy.is_neutral() && !self.against.varies() {
            measured.policy.epsilon = self.against.policy.epsilon;
        }
        measured
    }
}

/// No player has the name `utility`, so none is suggested for one that is nearly that.
fn or_utility(error: PlayerError) -> PlayerError {
    match error {
        PlayerError::Unknown { name, nearest: None } => {
            PlayerError::Unknown { nearest: nearest(&name, [UTILITY]), name }
        }
        other => other,
    }
}

/// Measures players by probes: a tally for each player and probe, in that order. All players meet the
/// same random opponents. `progress` is told how many games are done and can stop it.
pub fn measure<E>(
    arena: &Arena,
    players: &[Player],
    probes: &[Probe],
    effort: Effort,
    seed: Seed,
    progress: impl FnMut(u64) -> Result<(), E>,
) -> Result<Vec<Vec<Tally>>, E> {
    let measured: Vec<Player> = players
        .iter()
        .flat_map(|player| probes.iter().map(move |probe| probe.measured(player)))
        .collect();
    let probe = |index: usize| (index % probes.len(), &probes[index % probes.len()]);
    let meetings: Vec<Meeting<'_>> = measured
        .iter()
        .enumerate()
        .map(|(index, a)| {
            let (number, probe) = probe(index);
            Meeting {
                a,
                b: &probe.against,
                pairs: probe.games(effort) / 2,
                seed: seed.child(Stream::Pairing, number as u64),
                openings: &Openings::Start,
            }
        })
        .collect();
    let results = arena.play(&meetings, Watch::Results, progress, |_, _| Ok(()))?;
    Ok(results.tallies.chunks(probes.len().max(1)).map(<[Tally]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Kernel;
    use std::convert::Infallible;

    fn tallies(players: &[&str], probes: &[&str], effort: Effort) -> Vec<Vec<Tally>> {
        let arena = Arena::new(Kernel::available()[0], 1).unwrap();
        let players: Vec<Player> = players.iter().map(|name| parse_player(name).unwrap()).collect();
        let probes: Vec<Probe> = probes.iter().map(|name| Probe::parse(name).unwrap()).collect();
        let done = |_| Ok::<(), Infallible>(());
        let Ok(tallies) = measure(&arena, &players, &probes, effort, Seed(1), done);
        tallies
    }

    #[test]
    fn yardsticks_measure_what_the_papers_did() {
        let effort = Effort { games: 20_000, sample: 10_000 };
        let probes = ["random", "heuristic", "utility"];
        let tallies = tallies(&["lr2006", "heuristic"], &probes, effort);
        let value = |player: usize, probe: usize| {
            Probe::parse(probes[probe]).unwrap().value(&tallies[player][probe])
        };
        // Rates measured independently of this program, four standard errors of 20,000 games (and of
        // theirs, 0.003).
        for (player, probe, rate) in [(0, 0, 0.883), (1, 0, 0.779), (1, 2, 0.790), (0, 1, 0.525)] {
            let found = value(player, probe);
            assert!((found - rate).abs() < 4.0 * 0.0046, "{player} {probe}: {found}");
        }
    }

    #[test]
    fn who_varies_needs_no_random_moves_and_options_are_taken_as_they_are() {
        let epsilon = |name: &str| Probe::parse(name).unwrap().against.policy.epsilon;
        let tenth = Chance::new(EPSILON).unwrap();
        for (name, expected) in [
            ("random", Chance::NEVER),
            ("random-buggy", Chance::NEVER),
            ("utility", Chance::NEVER),
            ("heuristic", tenth),
            ("heuristic@epsilon=0", Chance::NEVER),
            ("positional@opening=4", Chance::NEVER),
        ] {
            assert_eq!(epsilon(name), expected, "{name}");
            let measured = Probe::parse(name).unwrap().measured(&parse_player("lr2006").unwrap());
            assert_eq!(measured.policy.epsilon, expected, "{name}");
        }
    }

    #[test]
    fn players_measured_together_meet_the_same_random_opponents() {
        let effort = Effort { games: 2, sample: 500 };
        let together = tallies(&["heuristic", "heuristic"], &["utility"], effort);
        assert_eq!(together[0], together[1]);
        assert_eq!(together[0][0].games(), 1000);
    }

    #[test]
    fn only_players_who_repeat_themselves_get_random_moves() {
        let epsilon = |probe: &str, player: &str| {
            let probe = Probe::parse(probe).unwrap();
            let measured = probe.measured(&parse_player(player).unwrap());
            let own = measured.policy.epsilon.probability();
            [probe.against.policy.epsilon.probability(), own].map(|e| (e * 100.0).round() as i32)
        };
        assert_eq!(epsilon("heuristic", "lr2006"), [10, 10]);
        assert_eq!(epsilon("heuristic@epsilon=0.05", "lr2006"), [5, 5]);
        assert_eq!(epsilon("heuristic", "lr2006@epsilon=0.02"), [10, 2]);
        assert_eq!(epsilon("random", "lr2006"), [0, 0]);
        assert_eq!(epsilon("utility", "lr2006"), [0, 0]);
    }
}
