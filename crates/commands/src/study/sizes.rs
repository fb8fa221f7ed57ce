//! How large the contests of a study are, and into how many blocks each is cut. All of it follows
//! from the design, so every machine cuts a study alike.

use outflank_game::player::Policy;
use outflank_lab::Recipe;
use outflank_study::{Case, Design, MatchSource, ProfileSpec, TournamentSpec};

/// A contest is cut into blocks of about this many games of WPCs: half a minute of one core.
pub const BLOCK_GAMES: u64 = 20_000_000;
/// A contest has at most this many blocks.
const MOST_BLOCKS: u64 = 1000;

/// The size of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Single games.
    pub games: u64,
    /// The same work in games of WPCs.
    pub work: u64,
    /// Blocks.
    pub blocks: u64,
}

impl Size {
    /// `things` is what can be cut: no block is empty.
    fn new(games: u64, unit: u64, things: u64, block_games: u64) -> Size {
        let work = games.saturating_mul(unit);
        let blocks = work.div_ceil(block_games.max(1)).min(things).clamp(1, MOST_BLOCKS);
        Size { games, work, blocks }
    }
}

/// The sizes of the contests of a study.
#[derive(Clone, Copy)]
pub struct Sizes<'a> {
    pub design: &'a Design,
    /// Games of a block.
    pub block_games: u64,
}

impl Sizes<'_> {
    fn size(&self, games: u64, unit: u64, things: u64) -> Size {
        Size::new(games, unit, things, self.block_games)
    }

    fn cases(&self, names: &[String]) -> Vec<&Case> {
        names.iter().flat_map(|name| self.design.named(name)).collect()
    }

    pub fn tournament(&self, spec: &TournamentSpec) -> Size {
        let cases = self.cases(&spec.cases);
        let runs: Vec<u64> = cases.iter().map(|case| case.seeds.len() as u64).collect();
        let policy = |case: &&Case| spec.policy(&case.method.spec.policy).unwrap_or_default();
        let unit = cases.iter().map(|case| unit(case, &policy(case))).max().unwrap_or(1);
        let pairs = spec.doubles.saturating_mul(spec.meetings(&runs));
        self.size(2 * pairs, unit, pairs)
    }

    /// The recipe of the opponents of a profile.
    pub fn recipe(&self, spec: &ProfileSpec) -> Recipe {
        let opponents = opponents(spec.opponents, self.design.shrink.scale);
        Recipe { seed: super::contests::SEED.0, opponents, doubles: spec.doubles, cap: None }
    }

    pub fn opponents(&self, spec: &ProfileSpec) -> Size {
        let recipe = self.recipe(spec);
        self.size(recipe.games(), 1, recipe.opponents)
    }

    pub fn profile(&self, spec: &ProfileSpec) -> Size {
        let cases = self.cases(&spec.cases);
        let players: u64 = cases.iter().map(|case| case.seeds.len() as u64).sum();
        let unit = cases.iter().map(|case| unit(case, &Policy::default())).max().unwrap_or(1);
        self.size(2 * self.recipe(spec).opponents * players, unit, players)
    }

    pub fn one_match(&self, wanted: &MatchSource) -> Size {
        // Given players are few; most of them are not WPCs.
        self.size(wanted.games, 8, wanted.games / 2)
    }
}

/// How many opponents are rated for a profile of a smaller study.
pub fn opponents(full: u64, scale: f64) -> u64 {
    ((full as f64 * scale).ceil() as u64).max(2000).min(full)
}

/// About how many games of WPCs take as long as one game of a champion of a case.
pub fn unit(case: &Case, policy: &Policy) -> u64 {
    let model = &case.method.spec.model;
    let own = match model.kind().ends_with("wpc") {
        true => 1,
        false => 8 + model.params() / 32,
    };
    // Games with looking ahead or solving are played one at a time.
    let ahead = match policy.depth {
        0 | 1 => 1,
        depth => 8 * 6u64.saturating_pow(depth - 1),
    };
    let solving =
        if policy.solve > 0 { 40u64 << (policy.solve.saturating_sub(8).min(16)) } else { 0 };
    own.saturating_mul(ahead).saturating_add(solving)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contests_are_cut_into_blocks_none_of_which_is_empty() {
        let blocks = |games, unit, things| Size::new(games, unit, things, 1000).blocks;
        assert_eq!(blocks(0, 1, 0), 1);
        assert_eq!(blocks(1000, 1, 500), 1);
        assert_eq!(blocks(1002, 1, 501), 2);
        assert_eq!(blocks(1000, 8, 500), 8);
        assert_eq!(blocks(1_000_000, 8, 3), 3, "three players are at most three blocks");
        assert_eq!(blocks(u64::MAX, 8, u64::MAX), MOST_BLOCKS);
    }
}
