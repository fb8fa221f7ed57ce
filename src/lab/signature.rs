//! The bench signature: a hash of fixed seeded games of every kind of player and policy, and of a few
//! small generations of every preset. If it changes, results changed; a commit that leaves it alone
//! is a refactor.

use super::spec::{PRESETS, resolve};
use crate::arena::{Arena, Meeting, Openings, Watch};
use crate::kernel::Kernel;
use crate::othello::{Board, Convention, perft};
use crate::player::{NAMED, parse_player};
use crate::rng::{Seed, Stream, mix};

/// Hashes of the items, and of all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What was played and the hash of its moves and margins.
    pub items: Vec<(String, u64)>,
    /// The hash of the items.
    pub hash: u64,
}

/// Pairs of games of an item.
const PAIRS: u64 = 50;
/// Generations of a preset.
const GENERATIONS: u64 = 4;

/// Plays the fixed games. The same for every kernel and number of threads.
pub fn signature(kernel: Kernel) -> Signature {
    let arena = Arena::new(kernel, 1).expect("one thread can be started");
    let start = Openings::Start;
    let mut items = Vec::new();
    let mut add = |name: String, a: &str, b: &str, openings: &Openings| {
        let [a, b] = [a, b].map(|name| parse_player(name).expect("players named here exist"));
        let seed = Seed(0).child(Stream::Signature, items.len() as u64);
        let meeting = Meeting { a: &a, b: &b, pairs: PAIRS, seed, openings };
        let mut hash = 0;
        let seen = arena.play(
            &[meeting],
            Watch::Games,
            |_| Ok(()),
            |_, game| {
                for &square in &game.moves {
                    hash = mix(hash ^ u64::from(square));
                }
                hash = mix(hash ^ game.margin as u64);
                Ok::<(), std::convert::Infallible>(())
            },
        );
        let Ok(_) = seen;
        items.push((name, hash));
    };
    for named in NAMED {
        let name = named.name;
        add(format!("{name} v heuristic"), name, "heuristic", &start);
        let noisy = format!("{name}@epsilon=0.1,noise=0.01");
        add(format!("{noisy} v random"), &noisy, "random", &start);
    }
    let (eps, random) = ("lr2006@epsilon=0.1", Openings::Random(6));
    add(format!("{eps} v mobility, random:6"), eps, "mobility", &random);
    let leaves = perft(kernel, Board::START, 7, Convention::Bik);
    items.push(("perft 7".into(), leaves));
    for (index, preset) in (0..).zip(PRESETS) {
        items.push((format!("learn {}", preset.name), learned(preset.name, index, &arena)));
    }
    let hash = items.iter().fold(0, |all, (_, hash)| mix(all ^ hash));
    Signature { items, hash }
}

/// A hash of what a preset, made small, comes to.
fn learned(preset: &str, index: u64, arena: &Arena) -> u64 {
    let mut spec = resolve(preset, &[]).expect("presets are sound").spec;
    spec.shrink();
    let seed = Seed(0).child(Stream::Signature, index);
    let mut run = spec.begin(seed).expect("presets name players that exist");
    for _ in 0..GENERATIONS {
        run.step(arena, &|| false).expect("nobody stops it, and it does not diverge");
    }
    run.save().iter().fold(0, |hash, &byte| mix(hash ^ u64::from(byte)))
}
