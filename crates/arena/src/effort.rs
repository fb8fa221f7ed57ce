//! How much work is done between two checks whether to stop.

use outflank_game::player::Player;

/// Work between two checks, in games times the parameters of their players: a few tenths of a
/// second.
const BREATH: u64 = 2_500_000;

/// How many games of models with this many parameters are played or learned from between two checks
/// whether to stop.
///
/// ```
/// use outflank_arena::games_at_once;
/// assert!(games_at_once(64) > 10_000);
/// assert_eq!(games_at_once(10_000_000), 1);
/// ```
pub fn games_at_once(params: usize) -> usize {
    (BREATH as usize / params.max(1)).max(1)
}

/// Cuts work into pieces in order, each of at most `most` items and of the work between two checks.
/// Costs are in parameters.
pub fn pieces<T>(mut work: &[T], most: usize, cost: impl Fn(&T) -> u64) -> Vec<&[T]> {
    let mut pieces = Vec::new();
    while !work.is_empty() {
        let mut left = BREATH;
        let fits = |one: &T| {
            let fits = left >= cost(one);
            left = left.saturating_sub(cost(one));
            fits
        };
        let count = work.iter().take(most).map(fits).take_while(|fits| *fits).count().max(1);
        let (piece, rest) = work.split_at(count);
        pieces.push(piece);
        work = rest;
    }
    pieces
}

/// What a game costs for a player, in parameters. Every move that it looks ahead takes about five
/// times as long (lr2006: 350,000 games a second without looking ahead, 125 at depth 6).
pub fn cost_of_one(player: &Player) -> u64 {
    let boards = 5u64.saturating_pow(player.policy.depth.saturating_sub(1));
    boards.saturating_mul(player.params() as u64)
}

/// What a game of two players costs, in parameters.
pub fn cost_of(players: [&Player; 2]) -> u64 {
    players.map(cost_of_one).into_iter().fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_ahead_costs_more() {
        let cost = |player| cost_of_one(&outflank_game::player::parse_player(player).unwrap());
        assert_eq!(["lr2006", "lr2006@depth=1", "lr2006@depth=3"].map(cost), [64, 64, 1600]);
        assert_eq!(cost("lr2006@depth=60"), u64::MAX);
    }

    #[test]
    fn pieces_are_whole_breaths_and_nothing_is_lost() {
        let costs = [BREATH / 2, BREATH / 2, 1, 3 * BREATH, 1, 1, 1, 1];
        let lengths = |most| {
            let pieces = pieces(&costs, most, |cost| *cost);
            assert_eq!(pieces.concat(), costs);
            pieces.iter().map(|piece| piece.len()).collect::<Vec<_>>()
        };
        assert_eq!(lengths(100), [2, 1, 1, 4]);
        assert_eq!(lengths(3), [2, 1, 1, 3, 1]);
        assert!(pieces(&[], 3, |cost: &u64| *cost).is_empty());
    }
}
