//! Limits on the values of a spec.

use outflank_game::player::parse_player;
use outflank_schema::{Fault, KeyPath};

/// The largest number of games in a pair, of archived champions, and of other things.
pub const MAX_COUNT: u64 = 1_000_000;
/// The largest number of candidates, and of opponents from one source; with more, a run could not
/// be stopped quickly.
pub const MAX_PLAYERS: u64 = 100_000;
/// The largest number of games in a generation: days of play.
pub const MAX_GENERATION_GAMES: u64 = 1_000_000_000_000;

/// Checks that these are players, or other words that are allowed.
pub fn check_players<'a>(
    at: &KeyPath,
    name: &str,
    players: impl Iterator<Item = &'a str>,
    others: &[&str],
) -> Result<(), Fault> {
    for (index, player) in players.enumerate() {
        if others.contains(&player) {
            continue;
        }
        if let Err(error) = parse_player(player) {
            let or: String = others.iter().map(|other| format!("{other} or ")).collect();
            let expected = format!("{or}a player: {error}");
            return Err(at.fault(&format!("{name}[{index}]"), format!("{player:?}"), expected));
        }
    }
    Ok(())
}
