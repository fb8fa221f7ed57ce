//! Helpers for the tests of all sources.

use std::sync::Arc;

use super::{Drawn, Field, Opponents};
use crate::{Archive, ArchiveSpec, ChampionsSpec};
use outflank_arena::Fixtures;
use outflank_game::model::Wpc;
use outflank_game::player::{Player, Policy, parse_player};
use outflank_kernel::rng::{Seed, Stream};

/// Makes n players.
pub fn players(n: usize) -> Vec<Arc<Player>> {
    (0..n).map(|_| Arc::new(parse_player("heuristic").unwrap())).collect()
}

/// Makes an archive of n champions.
pub fn archive(n: usize) -> Archive<Wpc> {
    let spec = ArchiveSpec::Champions(ChampionsSpec { capacity: 0 });
    let mut archive = Archive::new(&spec, Policy::default());
    (0..n).for_each(|i| archive.note(&Wpc::new([i as f32; 64]).unwrap()));
    archive
}

/// What a source draws for ten candidates and this many champions.
pub fn draw(source: &mut dyn Opponents<Wpc>, champions: usize) -> Drawn {
    let (players, archive) = (players(10), archive(champions));
    let field = Field { players: &players, archive: &archive, policy: Policy::default() };
    source.draw(&field, &mut Seed(1).at(Stream::Search, 0).rng())
}

/// Who meets whom.
pub fn lists(drawn: &Drawn) -> &[Vec<usize>] {
    match &drawn.fixtures {
        Fixtures::Each(lists) => lists,
        Fixtures::All => panic!("a sample"),
    }
}
