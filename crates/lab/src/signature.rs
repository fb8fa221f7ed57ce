//! Two kinds of hashes that show whether results have changed. Both are the same for every kernel
//! and any number of threads.
//!
//! The *signature* is for people who change the program: a hash for every kind of player and policy
//! and for every preset. Each is seeded by its own name, so that a new player or preset adds a line
//! and changes no other. A commit that changes no line is a refactor.
//!
//! The *stamp* is for runs: a hash of the results of one method, to which its runs are bound. It
//! depends on no list that grows, so that runs can still be resumed after a new player or preset is
//! added.

use std::ops::ControlFlow;

use outflank_arena::{Arena, Keep, Meeting, Openings, PlayedGame, Unwatched};
use outflank_game::othello::{Board, Convention, perft};
use outflank_game::player::{Champions, Colour, NAMED, Player, PlayerFile, Policy};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{GAMMA, Seed, Stream, mix};
use outflank_learn::Spec;
use outflank_learn::{PRESETS, resolve};
use outflank_schema::OriginName;

/// The digest of the golden signature, for `outflank --version`: computing it takes seconds. A test
/// compares it with the golden file.
pub const SIGNATURE: u64 = 0x383d_3521_be49_e487;

/// A hash for each of a list of fixed games and small runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What was played, and the hash of the results.
    pub items: Vec<(String, u64)>,
}

impl Signature {
    /// A line for each item.
    pub fn lines(&self) -> Vec<String> {
        self.items.iter().map(|(name, hash)| format!("{hash:016x}  {name}")).collect()
    }

    /// One number for all lines in any order, for a quick comparison of two builds. A new item
    /// changes it, so nothing is bound to it.
    pub fn digest(&self) -> u64 {
        let mut lines = self.lines();
        lines.sort_unstable();
        let mut digest = Digest::default();
        lines.iter().flat_map(|line| line.bytes()).for_each(|byte| digest.add(byte));
        digest.0
    }
}

/// Plays the fixed games and runs.
pub fn signature(kernel: Kernel) -> Signature {
    let arena = one_thread(kernel);
    let hashed = |item: Item| {
        let hash = item.hash(&arena);
        (item.name, hash)
    };
    Signature { items: items().into_iter().map(hashed).collect() }
}

/// The stamp of a method with this program: a hash of games of every kind of brain and policy, and
/// of a few small generations of the spec. A run is bound to it: with a different stamp the run
/// would not end with the same bytes.
pub fn stamp(spec: &Spec, kernel: Kernel) -> u64 {
    let arena = one_thread(kernel);
    let mut digest = Digest::default();
    for item in play_set() {
        digest.add(item.hash(&arena));
    }
    for spec in std::iter::successors(Some(spec), |spec| spec.before.get()) {
        digest.add(learned(spec, seed_of("stamp"), &arena));
    }
    digest.0
}

/// Pairs of games of an item.
const PAIRS: u64 = 50;
/// Generations of a method.
const GENERATIONS: u64 = 4;

fn one_thread(kernel: Kernel) -> Arena {
    Arena::new(kernel, 1).expect("the thread that is there needs no starting")
}

/// A line of the signature.
struct Item {
    name: String,
    work: Work,
}

/// The work for a line.
enum Work {
    Games {
        players: Box<[Player; 2]>,
        openings: Openings,
    },
    /// Positions seven plies from the start.
    Leaves,
    /// The preset of this name.
    Learning(&'static str),
}

impl Item {
    fn games(a: Player, b: Player, openings: Openings) -> Item {
        let opened = match openings {
            Openings::Random(plies) => format!(", random:{plies}"),
            _ => String::new(),
        };
        let name = format!("{} v {}{opened}", a.name, b.name);
        Item { name, work: Work::Games { players: Box::new([a, b]), openings } }
    }

    /// A function of the item alone: its name seeds it.
    fn hash(&self, arena: &Arena) -> u64 {
        let seed = seed_of(&self.name);
        match &self.work {
            Work::Games { players, openings } => {
                let [a, b] = &**players;
                play(a, b, openings, seed, arena)
            }
            Work::Leaves => perft(arena.kernel(), Board::START, 7, Convention::Bik),
            Work::Learning(preset) => {
                let spec = resolve(preset, &[]).expect("presets are sound").spec;
                learned(&spec, seed, arena)
            }
        }
    }
}

/// All lines: every named player, every preset.
fn items() -> Vec<Item> {
    let mut items = Vec::new();
    for named in NAMED {
        let restless = format!("{}@epsilon=0.1,noise=0.01", named.name);
        items.push(Item::games(named.player(), who("heuristic"), Openings::Start));
        items.push(Item::games(who(&restless), who("random"), Openings::Start));
    }
    let openings = Openings::Random(6);
    items.push(Item::games(who("lr2006@epsilon=0.1"), who("mobility"), openings.clone()));
    items.push(Item::games(who("lr2006@solve=8"), who("heuristic"), openings));
    for (a, b) in AHEAD {
        items.push(Item::games(who(a), who(b), Openings::Start));
    }
    items.push(Item { name: "perft 7".into(), work: Work::Leaves });
    for preset in PRESETS {
        let name = format!("learn {}", preset.name);
        items.push(Item { name, work: Work::Learning(preset.name) });
    }
    items
}

/// Players that look ahead: weighted piece counters, formulas, a network.
const AHEAD: [(&str, &str); 3] = [
    ("lr2006@depth=4,epsilon=0.1", "heuristic@depth=2"),
    ("td-greedy@depth=3,epsilon=0.1", "mobility@depth=2"),
    ("random-wpc@depth=2,noise=0.01", "positional@depth=3"),
];

/// Every kind of brain, and every layer of a policy on brains that are played in different ways.
/// The list is written out and does not grow by itself, because runs are bound to it.
fn play_set() -> Vec<Item> {
    let opened = Item::games(who("lr2006@epsilon=0.1"), who("td-greedy"), Openings::Random(6));
    [
        ("random", "random"),
        ("random-buggy", "lr2006"),
        ("lr2006", "random"),
        ("lr2006@epsilon=0.1", "heuristic@epsilon=0.1"),
        ("lr2006@noise=0.01", "heuristic"),
        ("lr2006@opening=6", "heuristic@opening=6"),
        ("random-wpc", "lr2006@epsilon=0.1"),
        ("positional@epsilon=0.1", "mobility@noise=0.01"),
        ("td-greedy", "random"),
        ("td-greedy@epsilon=0.1", "td-greedy@noise=0.01"),
        ("td-greedy@opening=6", "mobility@opening=6"),
    ]
    .into_iter()
    .map(|(a, b)| Item::games(who(a), who(b), Openings::Start))
    .chain([opened])
    .collect()
}

/// A named player with its options; files with that name are ignored.
fn who(text: &str) -> Player {
    let (name, options) = text.split_once('@').unwrap_or((text, ""));
    let named = NAMED.iter().find(|named| named.name == name).expect("players named here exist");
    let policy = match options {
        "" => Policy::default(),
        options => Policy::parse(options).expect("options written here are sound"),
    };
    Player { name: text.into(), policy, ..named.player() }
}

/// A seed from a name.
fn seed_of(name: &str) -> Seed {
    let mut digest = Digest::default();
    name.bytes().for_each(|byte| digest.add(byte));
    Seed(0).child(Stream::Signature, digest.0)
}

/// A hash of a sequence of numbers. The hashes of the standard library may change.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(GAMMA)
    }
}

impl Digest {
    fn add(&mut self, number: impl Into<u64>) {
        self.0 = mix(self.0 ^ number.into());
    }
}

/// A hash of the moves and margins of games.
fn play(a: &Player, b: &Player, openings: &Openings, seed: Seed, arena: &Arena) -> u64 {
    let mut digest = Digest::default();
    let meeting = Meeting { a, b, pairs: PAIRS, seed, openings, colour: Colour::Both };
    let mut see = |_, game: PlayedGame| {
        game.moves.iter().for_each(|&square| digest.add(square));
        digest.add(game.margin as u64);
        ControlFlow::Continue(())
    };
    let played = arena.play_and_keep(&[meeting], Keep::Games, &mut see, &Unwatched);
    played.expect("nothing stops it");
    digest.0
}

/// A hash of the results of a small version of a method: the champion of every generation and the
/// number of games so far, but not the saved state, whose content may grow. A method that diverges
/// is hashed up to that point; if a method cannot be made small, only that fact is hashed.
fn learned(spec: &Spec, seed: Seed, arena: &Arena) -> u64 {
    let mut digest = Digest::default();
    let mut spec = spec.clone();
    spec.shrink();
    let is_sound = spec.check().is_ok();
    // A study may have no run with this seed, and its champions are no part of the program.
    if spec.model.begins_as().is_some_and(|from| matches!(Champions::of(from), Ok(Some(_)))) {
        *spec.model.origin_mut() = OriginName::default();
    }
    let begun = is_sound.then(|| spec.begin(seed).ok()).flatten();
    let Some(mut run) = begun else { return digest.0 };
    for _ in 0..GENERATIONS {
        let halted = run.step(arena, &|| false).is_err();
        digest.add(run.generation());
        digest.add(run.games());
        let champion = PlayerFile::of_player(&run.player(), serde_json::Map::new());
        let parameters = champion.map_or(Vec::new(), |file| file.parameters);
        parameters.iter().for_each(|parameter| digest.add(parameter.to_bits()));
        if halted {
            break;
        }
    }
    digest.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(preset: &str, sets: &[&str]) -> Spec {
        let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
        resolve(preset, &sets).unwrap().spec
    }

    #[test]
    fn an_item_alone_has_its_golden_line() {
        let golden = include_str!("../../../tests/golden/signature.txt");
        let arena = one_thread(Kernel::available()[0]);
        // Some of each kind, the last first.
        for item in items().iter().rev().step_by(6) {
            let line = format!("{:016x}  {}", item.hash(&arena), item.name);
            assert!(golden.lines().any(|golden| golden == line), "{line}");
        }
    }

    #[test]
    fn the_digest_does_not_depend_on_the_order_of_lines() {
        let mut signature = Signature { items: vec![("a".into(), 1), ("b".into(), 2)] };
        let digest = signature.digest();
        signature.items.reverse();
        assert_eq!(signature.digest(), digest);
        signature.items[0].1 = 3;
        assert_ne!(signature.digest(), digest);
    }

    #[test]
    fn a_stamp_is_the_same_with_every_kernel() {
        for preset in ["ctdl-hof", "2cel-rs", "sane", "neat", "td-lambda"] {
            let spec = spec(preset, &[]);
            let stamps = Kernel::available().into_iter().map(|kernel| stamp(&spec, kernel));
            let stamps: Vec<u64> = stamps.collect();
            assert!(stamps.iter().all(|stamp| *stamp == stamps[0]), "{preset}: {stamps:x?}");
        }
    }

    #[test]
    fn a_stamp_is_of_the_method_and_not_of_its_length_or_probes() {
        let kernel = Kernel::available()[0];
        let of = |sets: &[&str]| stamp(&spec("ctdl", sets), kernel);
        let expected = of(&[]);
        for other in ["local.alpha=0.02", "policy.epsilon=0.2", "search.mutation.rate=0.5"] {
            assert_ne!(of(&[other]), expected, "{other}");
        }
        for same in ["games=100000", "probes.vs=['random']", "probes.every=0"] {
            assert_eq!(of(&[same]), expected, "{same}");
        }
    }

    #[test]
    fn every_preset_has_a_stamp_of_its_generations() {
        let arena = one_thread(Kernel::available()[0]);
        let nothing = Digest::default().0;
        for preset in PRESETS {
            let hash = learned(&spec(preset.name, &[]), Seed(1), &arena);
            assert_ne!(hash, nothing, "{}", preset.name);
        }
    }

    #[test]
    fn whatever_a_user_asks_for_has_a_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.txt");
        std::fs::write(&games, "e6f4e3f6g5d6e7f5c5").unwrap();
        let arena = one_thread(Kernel::available()[0]);
        let given = "local={kind='games',files=[],players=['heuristic','random'],meetings=500,games=1000,\
             alpha=0.01,lambda=0.5}";
        let read = format!(
            "local={{kind='games',files=['{}'],players=[],meetings=0,games=5,alpha=0.01,lambda=0.5}}",
            games.display()
        );
        let wide = "model={kind='mlp',hidden=[900,900],activation='tanh',output='linear',bias=true,view='black',start=0.1,from=''}";
        let begun = "model.from='td-greedy'";
        for (preset, sets) in [
            // It diverges.
            ("tdl", &["local.alpha=1000"][..]),
            ("td-lambda", &["local.alpha=-1000"]),
            ("td-lambda", &[given]),
            ("td-lambda", &[&read]),
            ("td-lambda", &[begun]),
            ("ctdl", &[wide]),
            ("sane", &["model.hidden=[500]", "search.neurons=3000"]),
            ("cel", &["opponents.games=1000"]),
        ] {
            let hash = learned(&spec(preset, sets), Seed(1), &arena);
            assert_ne!(hash, Digest::default().0, "{sets:?}");
        }
    }
}
