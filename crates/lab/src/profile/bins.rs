//! A profile as numbers: the score of a player or a team in each bin, and which bins count.

use serde::{Deserialize, Serialize};

use super::BINS;
use crate::stats::{mean_interval, pairs_interval, pairs_score};

/// Bins with this many double games or fewer are dropped (Jaśkowski et al. 2013).
pub const FEWEST_DOUBLES: u64 = 120;
/// Bins with a wider 95% interval are dropped. The paper says "over 20%", which we read as the
/// whole width. With more than 120 double games the interval is always narrower, so in fact only
/// the first rule drops bins.
pub const WIDEST_INTERVAL: f64 = 0.2;

/// Double games of a player in each bin, counted by their score: 0, ½, 1, 1½, 2 points of 2.
pub type Counts = [[u64; 5]; BINS];

/// How a player, or a team on average, does against opponents of every strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// What to call it.
    pub name: String,
    /// Players of the team.
    pub players: usize,
    /// All [`BINS`], from the weakest opponents to the strongest.
    pub bins: Vec<Bin>,
}

/// The results of the double games against the opponents of a bin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// The least performance of its opponents.
    pub low: f64,
    /// The performance from which on they are in the next bin. The last bin has 1 too.
    pub high: f64,
    /// Its opponents.
    pub opponents: u64,
    /// Double games: every player meets every opponent once.
    pub double_games: u64,
    /// The mean result from 0 to 1; none without opponents.
    pub mean: Option<f64>,
    /// Its 95% interval, with the double game as the unit. The players of a team meet the same
    /// opponents, which it takes for as many others.
    pub interval: Option<[f64; 2]>,
    /// Its 95% interval by Student's t over the means of the players; none for one player.
    pub interval_players: Option<[f64; 2]>,
}

impl Profile {
    /// The profile of a team by the games of its players.
    pub fn new(name: String, players: &[Counts]) -> Profile {
        let bins = (0..BINS).map(|bin| Bin::new(bin, players)).collect();
        Profile { name, players: players.len(), bins }
    }
}

impl Bin {
    fn new(number: usize, players: &[Counts]) -> Bin {
        let mut pairs = [0; 5];
        for (sum, of_player) in players.iter().flat_map(|counts| (0..5).zip(counts[number])) {
            pairs[sum] += of_player;
        }
        let double_games = pairs.iter().sum();
        let opponents = players.first().map_or(0, |counts| counts[number].iter().sum());
        let played = double_games > 0;
        let means = players.iter().map(|counts| pairs_score(&counts[number]));
        let edge = |number: usize| number as f64 / BINS as f64;
        Bin {
            low: edge(number),
            high: edge(number + 1),
            opponents,
            double_games,
            mean: played.then(|| pairs_score(&pairs)),
            interval: played.then(|| pairs_interval(&pairs)),
            interval_players: played.then(|| mean_interval(&means.collect::<Vec<_>>()).1).flatten(),
        }
    }

    /// Says whether there are too few games to use the bin.
    pub fn is_dropped(&self) -> bool {
        let narrow = self.interval.is_some_and(|[low, high]| high - low <= WIDEST_INTERVAL);
        !narrow || self.double_games <= FEWEST_DOUBLES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(bins: &[(usize, [u64; 5])]) -> Counts {
        let mut counts = [[0; 5]; BINS];
        for (bin, pairs) in bins {
            counts[*bin] = *pairs;
        }
        counts
    }

    #[test]
    fn a_team_is_the_mean_of_its_players() {
        let players = [
            counts(&[(40, [10, 0, 20, 0, 70]), (41, [1, 2, 3, 4, 5])]),
            counts(&[(40, [30, 0, 40, 0, 30]), (41, [5, 4, 3, 2, 1])]),
            counts(&[(40, [0, 0, 0, 100, 0]), (41, [0, 0, 15, 0, 0])]),
        ];
        let team = Profile::new("team".into(), &players);
        let alone: Vec<Profile> =
            players.iter().map(|player| Profile::new("one".into(), &[*player])).collect();
        assert_eq!((team.players, team.bins.len()), (3, BINS));
        for bin in [40, 41] {
            let means: Vec<f64> = alone.iter().map(|one| one.bins[bin].mean.unwrap()).collect();
            let (mean, interval) = mean_interval(&means);
            let found = &team.bins[bin];
            assert!((found.mean.unwrap() - mean).abs() < 1e-12);
            assert_eq!(found.interval_players, interval);
            assert_eq!(found.double_games, 3 * found.opponents);
        }
        assert_eq!(team.bins[40].opponents, 100);
        assert_eq!(alone[0].bins[40].mean, Some(0.8));
        assert_eq!(alone[0].bins[40].interval_players, None);
        let [low, high] = team.bins[40].interval.unwrap();
        assert!(low < 0.68 && 0.68 < high);
    }

    #[test]
    fn bins_cover_performances_from_0_to_1() {
        let profile = Profile::new("nobody".into(), &[counts(&[])]);
        let edges: Vec<(f64, f64)> = profile.bins.iter().map(|bin| (bin.low, bin.high)).collect();
        assert_eq!((edges[0], edges[29], edges[99]), ((0.0, 0.01), (0.29, 0.3), (0.99, 1.0)));
        for bin in &profile.bins {
            assert_eq!((bin.mean, bin.interval, bin.interval_players), (None, None, None));
            assert!(bin.is_dropped());
        }
    }

    #[test]
    fn bins_with_few_games_or_a_wide_interval_are_dropped() {
        // The widest interval of 121 double games: as many won as lost.
        let players = [counts(&[(5, [60, 0, 0, 0, 60]), (6, [60, 0, 1, 0, 60])])];
        let profile = Profile::new("x".into(), &players);
        let dropped = |bin: usize| profile.bins[bin].is_dropped();
        assert!(dropped(5) && !dropped(6) && dropped(7));
        // Several players have as many double games as they have together.
        let team = Profile::new("x".into(), &[players[0], players[0]]);
        assert!(!team.bins[5].is_dropped());
        let wide = Bin { interval: Some([0.39, 0.6]), ..profile.bins[6].clone() };
        let narrow = Bin { interval: Some([0.41, 0.6]), ..profile.bins[6].clone() };
        assert!(wide.is_dropped() && !narrow.is_dropped());
    }
}
