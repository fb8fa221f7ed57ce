//! The papers' measures: how often a player wins against a given one, and its expected utility.

use outflank_arena::{Arena, Meeting, Openings, Stopped, Tally, Watch};
use outflank_game::player::{Colour, Player, PlayerError, parse_player, split_options};
use outflank_kernel::rng::{Chance, Seed, Stream};
use outflank_learn::{Measure, Played, UTILITY};
use outflank_schema::nearest;

/// The probability of a random move for both players, against a player that would otherwise repeat
/// the same game: Szubert et al. 2009, section V, and the Othello League.
const EPSILON: f64 = 0.1;

/// A measure of players.
#[derive(Clone, Debug)]
pub struct Probe {
    /// As in the request.
    pub name: String,
    against: Player,
    yardstick: Option<&'static Yardstick>,
    /// The colours of the players measured.
    colour: Colour,
}

/// The games of a named measure; its texts are in [`learn::MEASURES`](outflank_learn::MEASURES).
#[derive(Debug)]
struct Yardstick {
    /// The measure.
    name: &'static str,
    /// The opponent.
    against: &'static str,
    /// The value of the games.
    value: fn(&Tally) -> f64,
    /// Single games it takes.
    games: fn(Effort) -> u64,
}

/// All yardsticks with a name of their own.
const YARDSTICKS: &[Yardstick] = &[Yardstick {
    name: UTILITY,
    against: "random-wpc",
    value: Tally::score,
    games: |effort| 2 * effort.sample,
}];

/// The number of games of a probe.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Single games, even, against a player.
    pub games: u64,
    /// Double games for the expected utility.
    pub sample: u64,
}

impl Probe {
    /// Reads a yardstick or a player. Unless the text has a policy (`@epsilon=`), a player that
    /// chooses its moves makes a random one with probability 0.1, and so do the players measured
    /// against it.
    pub fn parse(text: &str) -> Result<Probe, PlayerError> {
        let yardstick = YARDSTICKS.iter().find(|yardstick| yardstick.name == text);
        let mut against = match yardstick {
            Some(yardstick) => parse_player(yardstick.against)?,
            None => parse_player(text).map_err(or_yardstick)?,
        };
        // `@epsilon=0` is a policy, too.
        if !against.varies() && split_options(text).1.is_none() {
            against.policy.epsilon = Chance::new(EPSILON).unwrap_or_default();
        }
        Ok(Probe { name: text.into(), against, yardstick, colour: Colour::Both })
    }

    /// The measure against a player that a text names, such as an engine; without a policy in the
    /// text, with random moves as above.
    pub fn of_player(text: &str, mut against: Player) -> Probe {
        // Times are no policy.
        let is_time =
            |option: &str| ["time=", "start="].iter().any(|time| option.starts_with(time));
        let options = split_options(text).1.unwrap_or_default();
        if options.is_empty() || options.split(',').map(str::trim).all(is_time) {
            against.policy.epsilon = Chance::new(EPSILON).unwrap_or_default();
        }
        Probe { name: text.into(), against, yardstick: None, colour: Colour::Both }
    }

    /// The opponent.
    pub fn against(&self) -> &Player {
        &self.against
    }

    /// The same, but the players measured have these colours.
    #[must_use]
    pub fn with_colour(self, colour: Colour) -> Probe {
        Probe { colour, ..self }
    }

    /// Its texts, if it is a yardstick with a name of its own and not a player.
    pub fn played(&self) -> Option<&'static Played> {
        Measure::named(self.yardstick?.name)?.played()
    }

    /// The value the papers report: the share of games won, or the value of the yardstick.
    pub fn value(&self, tally: &Tally) -> f64 {
        match self.yardstick {
            Some(yardstick) => (yardstick.value)(tally),
            None => tally.wins as f64 / tally.games() as f64,
        }
    }

    /// Single games it takes.
    pub fn games(&self, effort: Effort) -> u64 {
        self.yardstick.map_or(effort.games, |yardstick| (yardstick.games)(effort))
    }

    /// The player as measured: with the random moves and the noise of its own policy, or else of
    /// its opponent's. A random opponent has none of the first.
    fn measured(&self, player: &Player) -> Player {
        let mut measured = player.clone();
        if !player.policy.is_chance() {
            measured.policy.noise = self.against.policy.noise;
            if !self.against.varies() {
                measured.policy.epsilon = self.against.policy.epsilon;
            }
        }
        measured
    }
}

/// Suggests a yardstick, not a player, for a name that is nearly that of a yardstick.
fn or_yardstick(error: PlayerError) -> PlayerError {
    match error {
        PlayerError::Unknown { name, nearest: None } => {
            let names = YARDSTICKS.iter().map(|yardstick| yardstick.name);
            PlayerError::Unknown { nearest: nearest(&name, names), name }
        }
        other => other,
    }
}

/// Measures players with probes: a tally for each player and probe, in that order. All players meet
/// the same random opponents. Reports the number of games to the watch.
pub fn measure(
    arena: &Arena,
    players: &[Player],
    probes: &[Probe],
    effort: Effort,
    seed: Seed,
    watch: &dyn Watch,
) -> Result<Vec<Vec<Tally>>, Stopped> {
    let seed = |number: usize| seed.child(Stream::Pairing, number as u64);
    measure_with(players, probes, effort, &seed, |meetings| arena.play(meetings, watch))
}

/// The same, but the games of a probe do not depend on the other probes: the same player, probe,
/// effort and seed give the same result in every command.
pub fn measure_fresh(
    arena: &Arena,
    players: &[Player],
    probes: &[Probe],
    effort: Effort,
    seed: Seed,
    watch: &dyn Watch,
) -> Result<Vec<Vec<Tally>>, Stopped> {
    measure_fresh_by(players, probes, effort, seed, |meetings| arena.play(meetings, watch))
}

/// The same; `play` plays the meetings, perhaps with the help of other machines.
pub fn measure_fresh_by<E>(
    players: &[Player],
    probes: &[Probe],
    effort: Effort,
    seed: Seed,
    play: impl FnOnce(&[Meeting<'_>]) -> Result<Vec<Tally>, E>,
) -> Result<Vec<Vec<Tally>>, E> {
    let seed = |number: usize| {
        let name = blake3::hash(probes[number].name.as_bytes());
        let (first, _) = name.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
        seed.child(Stream::Pairing, u64::from_le_bytes(*first))
    };
    measure_with(players, probes, effort, &seed, play)
}

fn measure_with<E>(
    players: &[Player],
    probes: &[Probe],
    effort: Effort,
    seed: &dyn Fn(usize) -> Seed,
    play: impl FnOnce(&[Meeting<'_>]) -> Result<Vec<Tally>, E>,
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
                seed: seed(number),
                openings: &Openings::Start,
                colour: probe.colour,
            }
        })
        .collect();
    let tallies = play(&meetings)?;
    Ok(tallies.chunks(probes.len().max(1)).map(<[Tally]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_arena::Unwatched;
    use outflank_kernel::Kernel;

    fn tallies(players: &[&str], probes: &[&str], effort: Effort) -> Vec<Vec<Tally>> {
        let arena = Arena::new(Kernel::available()[0], 1).unwrap();
        let players: Vec<Player> = players.iter().map(|name| parse_player(name).unwrap()).collect();
        let probes: Vec<Probe> = probes.iter().map(|name| Probe::parse(name).unwrap()).collect();
        measure(&arena, &players, &probes, effort, Seed(1), &Unwatched).unwrap()
    }

    #[test]
    fn every_yardstick_among_the_measures_has_games() {
        let names: Vec<&str> = Measure::yardsticks().map(|measure| measure.name).collect();
        assert_eq!(YARDSTICKS.iter().map(|yardstick| yardstick.name).collect::<Vec<_>>(), names);
        for name in names {
            assert!(Probe::parse(name).unwrap().played().is_some());
        }
        assert!(Probe::parse("heuristic").unwrap().played().is_none());
    }

    #[test]
    fn yardsticks_measure_what_the_papers_did() {
        let effort = Effort { games: 20_000, sample: 10_000 };
        let probes = ["random", "heuristic", "utility"];
        let tallies = tallies(&["lr2006", "heuristic"], &probes, effort);
        let value = |player: usize, probe: usize| {
            Probe::parse(probes[probe]).unwrap().value(&tallies[player][probe])
        };
        // Rates measured independently of this program, four standard errors of 20,000 games (and
        // of theirs, 0.003).
        for (player, probe, rate) in [(0, 0, 0.883), (1, 0, 0.779), (1, 2, 0.790), (0, 1, 0.525)] {
            let found = value(player, probe);
            assert!((found - rate).abs() < 4.0 * 0.0046, "{player} {probe}: {found}");
        }
    }

    #[test]
    fn one_colour_is_measured_if_asked_for() {
        // Against itself without chance a player has one game, which it wins as one of its colours.
        let arena = Arena::new(Kernel::available()[0], 1).unwrap();
        let player = parse_player("positional@ties=first").unwrap();
        let effort = Effort { games: 10, sample: 1 };
        let won = |colour| {
            let probe = Probe::parse("positional@ties=first").unwrap().with_colour(colour);
            let players = std::slice::from_ref(&player);
            let tallies = measure(&arena, players, &[probe], effort, Seed(1), &Unwatched).unwrap();
            [tallies[0][0].wins, tallies[0][0].losses]
        };
        assert_eq!(won(Colour::Both), [5, 5]);
        let mut each = [won(Colour::Black), won(Colour::White)];
        each.sort_unstable();
        assert_eq!(each, [[0, 10], [10, 0]]);
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
