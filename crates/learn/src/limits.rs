//! Limits of what a spec can ask for.

use outflank_game::player::parse_player;
use outflank_schema::{Fault, KeyPath};

/// The most games of a pair, champions remembered, and other things of which a million is plenty.
pub const MAX_COUNT: u64 = 1_000_000;
/// The most candidates, and opponents of a kind: more would keep us from stopping when asked to.
pub const MAX_PLAYERS: u64 = 100_000;
/// The most games of a generation: days of play.
pub const MAX_GENERATION_GAMES: u64 = 1_000_000_000_000;

/// Players that exist, or other words that are allowed.
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
