//! Known rates of the papers' players, measured independently with a standard error of 0.003.
//! Tolerance: four standard errors of ours and the reference's together. Fixed seeds.

use std::ops::ControlFlow;

use outflank::arena::{Arena, Keep, Meeting, MeetingResults, Openings, PlayedGame, Unwatched};
use outflank::kernel::{Kernel, NO_MOVE};
use outflank::player::{Colour, parse_player};
use outflank::rng::Seed;

fn play(
    a: &str,
    b: &str,
    games: u64,
    keep: Keep,
    mut see: impl FnMut(PlayedGame),
) -> MeetingResults {
    let (a, b) = (parse_player(a).unwrap(), parse_player(b).unwrap());
    let openings = Openings::Start;
    let meeting = Meeting {
        a: &a,
        b: &b,
        pairs: games / 2,
        seed: Seed(1),
        openings: &openings,
        colour: Colour::Both,
    };
    let arena = Arena::new(Kernel::detect().unwrap(), 2).unwrap();
    let mut see = |_, game| {
        see(game);
        ControlFlow::Continue(())
    };
    arena.play_and_keep(&[meeting], keep, &mut see, &Unwatched).unwrap()
}

fn assert_near(what: &str, found: f64, expected: f64, games: u64) {
    let error = (0.25 / games as f64 + 0.003f64.powi(2)).sqrt();
    assert!((found - expected).abs() < 4.0 * error, "{what}: {found:.4}, expected {expected}");
}

#[test]
fn the_players_of_the_papers_have_their_known_rates() {
    // (player, opponent, games, share of wins, score)
    let rates = [
        ("heuristic", "random", 100_000, Some(0.779), Some(0.797)),
        ("lr2006", "random", 100_000, Some(0.883), Some(0.895)),
        ("ctdl2009-best", "random", 100_000, None, Some(0.894)),
        ("lr2006@epsilon=0.1", "heuristic@epsilon=0.1", 100_000, None, Some(0.542)),
        ("ctdl2009-best@epsilon=0.1", "heuristic@epsilon=0.1", 100_000, None, Some(0.456)),
        ("heuristic", "random-wpc", 100_000, None, Some(0.790)),
        ("positional", "random", 20_000, Some(0.827), None),
        ("mobility", "random", 20_000, Some(0.837), None),
    ];
    for (a, b, games, wins, score) in rates {
        let tally = play(a, b, games, Keep::MeetingResults, |_| {}).tallies.remove(0);
        assert_eq!(tally.games(), games);
        let what = format!("{a} - {b}");
        if let Some(wins) = wins {
            assert_near(&what, tally.wins as f64 / games as f64, wins, games);
        }
        if let Some(score) = score {
            assert_near(&what, tally.score(), score, games);
        }
    }
}

#[test]
fn random_games_have_their_known_shape() {
    let games = 100_000;
    let (mut black_wins, mut draws, mut discs) = (0u64, 0u64, 0u64);
    play("random", "random", games, Keep::Games, |game| {
        black_wins += u64::from(game.margin > 0);
        draws += u64::from(game.margin == 0);
        discs += game.moves.iter().filter(|&&square| square != NO_MOVE).count() as u64;
    });
    let share = |n: u64| n as f64 / games as f64;
    assert_near("Black wins", share(black_wins), 0.455, games);
    assert_near("draws", share(draws), 0.042, games);
    assert_near("Black's score", share(black_wins) + share(draws) / 2.0, 0.474, games);
    // 59.96 discs are placed per game; a tenth of a disc is far beyond chance.
    assert!((share(discs) - 59.96).abs() < 0.05, "{}", share(discs));
}
