//! The games of a profile: every player meets every opponent of a database in a double game.

use std::slice;
use std::sync::Arc;

use super::{BINS, Counts, Database, Profile};
use crate::Team;
use outflank_arena::{Arena, Fixtures, News, Plan, Stopped, Watch};
use outflank_game::player::{Colour, Player};
use outflank_kernel::rng::{Seed, Stream};

/// Opponents met at a time. It determines the random stream of a game, so it is part of the
/// results.
const CHUNK: usize = 8192;

/// Profiles teams against the same opponents. A player's games do not depend on who else is
/// profiled, so a team's profile is the mean of its players' profiles. Players that are drawn again
/// for each pair of games have no profile. Reports the number of games played to the watch.
pub fn profile(
    arena: &Arena,
    teams: &[Team],
    database: &Database,
    seed: Seed,
    watch: &dyn Watch,
) -> Result<Vec<Profile>, Stopped> {
    let players: Vec<&Player> = teams.iter().flat_map(|team| &team.players).collect();
    let counts = profile_counts(arena, &players, database, seed, watch)?;
    Ok(profiles_of(teams, &counts))
}

/// What each player scores against the opponents of each bin.
pub fn profile_counts(
    arena: &Arena,
    players: &[&Player],
    database: &Database,
    seed: Seed,
    watch: &dyn Watch,
) -> Result<Vec<Counts>, Stopped> {
    let players: Vec<Arc<Player>> =
        players.iter().map(|player| Arc::new((*player).clone())).collect();
    assert!(
        !players.iter().any(|player| player.is_drawn()),
        "a player that is drawn for each pair has no profile"
    );
    let mut counts: Vec<Counts> = vec![[[0; 5]; BINS]; players.len()];
    let recipe = database.recipe();
    let mut games = 0;
    for (number, chunk) in (0..).zip(database.opponents().chunks(CHUNK)) {
        let opponents: Vec<Arc<Player>> =
            chunk.iter().map(|opponent| Arc::new(recipe.opponent(opponent.index.into()))).collect();
        let bins: Vec<usize> =
            chunk.iter().map(|opponent| recipe.bin(opponent.half_points)).collect();
        let seed = seed.child(Stream::Profile, number);
        let plan = Plan { fixtures: &Fixtures::All, games: 2, colour: Colour::Both, seed };
        for (player, counts) in players.iter().zip(&mut counts) {
            let payoff = arena.meet(slice::from_ref(player), &opponents, plan, watch)?;
            for (_, column, cell) in payoff.cells() {
                counts[bins[column]][cell.half_points() as usize] += 1;
            }
            games += payoff.games();
            watch.tell(News::Done(games));
        }
    }
    Ok(counts)
}

/// The profiles of teams whose players have these counts, in order.
pub fn profiles_of(teams: &[Team], counts: &[Counts]) -> Vec<Profile> {
    let mut rest = counts;
    let profiles = teams.iter().map(|team| {
        let (own, others) = rest.split_at(team.players.len());
        rest = others;
        Profile::new(team.name.clone(), own)
    });
    profiles.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Built, Recipe, build};
    use crate::{Bin, Effort, Probe, measure};
    use outflank_arena::Unwatched;
    use outflank_game::player::parse_player;
    use outflank_kernel::Kernel;
    use std::sync::LazyLock;
    use std::time::Duration;

    static OPPONENTS: LazyLock<Database> = LazyLock::new(|| {
        let recipe = Recipe { seed: 5, opponents: 4000, doubles: 50, cap: None };
        let folder = tempfile::tempdir().unwrap();
        let (out, every) = (folder.path().join("x.db"), Duration::from_secs(5));
        match build(&arena(1), &recipe, &out, every, &Unwatched).unwrap() {
            Built::New(database) => database,
            Built::AlreadyThere(_) => unreachable!("in an empty folder"),
        }
    });

    fn arena(threads: usize) -> Arena {
        Arena::new(Kernel::available()[0], threads).unwrap()
    }

    fn team(players: &[&str]) -> Team {
        let players = players.iter().map(|name| parse_player(name).unwrap()).collect();
        Team { name: "team".into(), players }
    }

    fn profiles(arena: &Arena, teams: &[Team], database: &Database) -> Vec<Profile> {
        profile(arena, teams, database, Seed(2), &Unwatched).unwrap()
    }

    #[test]
    fn profiles_are_the_same_on_any_threads_and_kernel_and_in_any_company() {
        let some =
            Database::new(*OPPONENTS.recipe(), OPPONENTS.opponents().iter().copied().take(500));
        let names = ["random", "lr2006@epsilon=0.1", "mobility"];
        let teams: Vec<Team> = names.iter().map(|name| team(&[name])).collect();
        let expected = profiles(&arena(1), &teams, &some);
        for kernel in Kernel::available() {
            for threads in [1, 2, 3] {
                let arena = Arena::new(kernel, threads).unwrap();
                assert_eq!(profiles(&arena, &teams, &some), expected);
            }
        }
        for (name, expected) in names.iter().zip(&expected) {
            assert_eq!(profiles(&arena(1), &[team(&[name])], &some)[0], *expected);
        }
        let together = &profiles(&arena(1), &[team(&names)], &some)[0];
        for (number, bin) in together.bins.iter().enumerate().filter(|(_, bin)| bin.opponents > 0) {
            let mean: f64 = expected.iter().map(|one| one.bins[number].mean.unwrap() / 3.0).sum();
            assert!((bin.mean.unwrap() - mean).abs() < 1e-12);
        }
    }

    #[test]
    fn results_fall_with_the_strength_of_the_opponents() {
        let heuristic = &profiles(&arena(1), &[team(&["heuristic"])], &OPPONENTS)[0];
        let mean = |bins: &[Bin]| {
            let sum: f64 =
                bins.iter().map(|bin| bin.mean.unwrap_or(0.0) * bin.double_games as f64).sum();
            sum / bins.iter().map(|bin| bin.double_games as f64).sum::<f64>()
        };
        let means = [0..40, 40..50, 50..60, 60..100].map(|bins| mean(&heuristic.bins[bins]));
        assert!(means.is_sorted_by(|weak, strong| *weak > strong + 0.01), "{means:?}");
        let games: u64 = heuristic.bins.iter().map(|bin| bin.double_games).sum();
        assert_eq!(games, 4000);
    }

    #[test]
    fn the_mean_over_all_opponents_is_the_expected_utility() {
        let names = ["heuristic", "random", "lr2006"];
        let teams: Vec<Team> = names.iter().map(|name| team(&[name])).collect();
        let found = profiles(&arena(1), &teams, &OPPONENTS);
        let players: Vec<Player> = names.iter().map(|name| parse_player(name).unwrap()).collect();
        let effort = Effort { games: 2, sample: 20_000 };
        let utility = Probe::parse("utility").unwrap();
        let tallies =
            measure(&arena(1), &players, slice::from_ref(&utility), effort, Seed(9), &Unwatched)
                .unwrap();
        for (profile, tally) in found.iter().zip(tallies) {
            let points =
                profile.bins.iter().filter_map(|bin| Some(bin.mean? * bin.double_games as f64));
            let mean = points.sum::<f64>() / 4000.0;
            // Results between 0 and 1.
            let error = (0.25 / 4000.0 + 0.25 / 20_000.0f64).sqrt();
            assert!((mean - tally[0].score()).abs() < 4.0 * error, "{mean}");
        }
    }

    #[test]
    fn a_stop_is_noticed() {
        let stopped = profile(&arena(1), &[team(&["random"])], &OPPONENTS, Seed(1), &|| true);
        assert_eq!(stopped, Err(Stopped));
    }
}
