//! The fast engines: rules on 64-bit boards, and lockstep play of many games between weighted piece
//! counters and random movers. Plain numbers in and out; the room knows squares as bits (a1 = bit
//! 0) and players as integer weights.
//!
//! There are three kernels, for AVX-512, AVX2 and any CPU, picked once at run time. All play
//! exactly the same games: a game depends on its start, its players and its [`Key`] alone. This is
//! the only room with `unsafe` code.

mod apprentice;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
mod class;
mod crowd;
mod isa;
mod learner;
#[cfg(test)]
mod learner_tests;
mod lockstep;
mod network;
mod perft;
mod portable;
pub mod rng;
mod rows;
mod rules;
mod seat;
mod single;
mod solve;
mod sweep;
mod tanh;
#[cfg(test)]
mod tests;
mod tree;
mod weights;
mod wide;

use std::cell::RefCell;

use crate::rng::{Chance, Draw, Key, mix};
use isa::Isa;
use network::lanes::Two;

pub use apprentice::{Apprentice, Taught};
pub use crowd::{Crowd, Question};
pub use learner::{DIVERGED, Learner, MOST_ALPHA};
pub use network::{
    Curve, LARGEST_WEIGHT, Link, Memo, Network, Sequence, Sight, Source, Student, Study, Values,
    Wiring,
};
pub use rules::{flips, moves, nth_bit};
pub use single::{Next, Reply, Scorer};
pub use solve::{Aim, Progress, Solved, Solver, TooLarge};
pub use tree::{Ahead, Evaluation, Found, Tree, Wish, Worth};

/// A player the lockstep kernel can play: weights on the 16-bit grid, and the chance of a random
/// move.
#[derive(Clone, Copy, Debug)]
pub struct Lane<'a> {
    /// Weights, at most [`GRID`] in size; `None` only for a player whose every move is random.
    pub weights: Option<&'a [i16; 64]>,
    /// Chance of a random move at each turn.
    pub random: Chance,
}

/// The largest weight of the 16-bit grid. The score of a move is at most 39 weights (the square and
/// twice at most 19 turned discs), and 39 · 800 is below 2^15.
pub const GRID: i16 = 800;

/// A game to be played in lockstep with others.
#[derive(Clone, Copy, Debug)]
pub struct LaneGame<'a> {
    /// Discs of the side that moves first. The four centre squares must be occupied.
    pub own: u64,
    /// Discs of the other side.
    pub opp: u64,
    /// The game's random stream.
    pub key: Key,
    /// Who moves first.
    pub first: Lane<'a>,
    /// Who moves second.
    pub second: Lane<'a>,
}

/// The final discs of the players who moved first and second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// Who moved first.
    pub first: u64,
    /// Who moved second.
    pub second: u64,
    /// The [`fingerprint`] of the moves, or 0 if nothing was to be recorded.
    pub print: u64,
}

/// In a list of moves: a pass.
pub const NO_MOVE: u8 = 64;

/// What to keep of games besides their ends.
pub enum Record<'a> {
    /// Nothing.
    Nothing,
    /// Fingerprints, to tell how many games were different.
    Prints,
    /// All moves, and fingerprints: told are the index among the games given, the moves as square
    /// indices or [`NO_MOVE`], and the end. The passes of a game that is over are no moves.
    Moves(&'a mut dyn FnMut(usize, &[u8], Finished)),
}

/// 64 bits that tell games from the same start apart: a hash of the moves, nine at a time. Passes
/// after the last move do not count.
pub fn fingerprint(moves: &[u8]) -> u64 {
    let last = moves.iter().rposition(|&square| square != NO_MOVE);
    let moves = &moves[..last.map_or(0, |last| last + 1)];
    moves.chunks(NINE).fold(0, |print, nine| {
        // Seven bits a move: 64 and the square, or 0 for a pass.
        let bits = |square: u8| u64::from((square ^ NO_MOVE) % 128);
        let word = (0..).zip(nine).fold(0, |word, (i, &square)| word | bits(square) << (7 * i));
        mix(print ^ word)
    })
}

/// Moves of which a fingerprint takes notice at once: as many as 64 bits hold.
const NINE: usize = 9;

/// One of the engines. Copy it around; it is a reference.
#[derive(Clone, Copy)]
pub struct Kernel(&'static Engine);

struct Engine {
    name: &'static str,
    games: usize,
    runs_here: fn() -> bool,
    moves: fn(u64, u64) -> u64,
    flips: fn(u64, u64, u64) -> u64,
    place: fn(u64, u64, u64) -> Next,
    best: fn(&Scorer, u64, u64, u64) -> u64,
    best_of: fn(&Network, &mut Memo, Sight) -> u64,
    learn_sequences: fn(&mut Network, network::Lessons<'_>, &mut [f32]),
    learn_abreast: fn(&mut [Study<'_>], [f32; 2]),
    abreast: usize,
    teach: fn(&mut Apprentice, &Taught),
    teach_network: fn(&mut Student, &Taught),
    ask: fn(&Crowd, &Question) -> u32,
    pick: fn(u64, Draw) -> u64,
    perft: fn(u64, u64, u32, u64) -> u64,
    look_ahead: fn(&mut Tree, &Ahead<'_>) -> Found,
    search: fn(&mut solve::Scout<'_>, solve::Node) -> i32,
    judge: fn(u64, u64, u32) -> i32,
    play: fn(&[LaneGame<'_>], &mut [Finished], Record<'_>),
    learn_alone: fn(&mut Learner<'_>, u32) -> Option<u32>,
    learn_together: fn(&mut [Learner<'_>], u32, &mut [Option<u32>]),
    /// Learners from which on it pays to let them learn together.
    together: usize,
}

/// Builds the entry of an instruction set. `$here()` gives its token where the CPU has it.
macro_rules! engine {
    ($name:literal, $isa:ty, $rows:ty, $abreast:ty, $together:literal, $here:expr) => {{
        fn here() -> $isa {
            // SAFETY: the engine's functions are only called through a Kernel, and one is only
            // handed out where `runs_here` says so. Asking each time would cost more than many a
            // call.
            unsafe { <$isa>::assume() }
        }
        Engine {
            name: $name,
            games: <$isa>::GAMES,
            runs_here: || $here.is_some(),
            moves: |own, opp| here().run(single::FindMoves(here(), own, opp)),
            flips: |own, opp, at| here().run(single::FindFlips(here(), own, opp, at)),
            place: |own, opp, at| here().run(single::PlaceDisc(here(), own, opp, at)),
            best: |scorer, own, opp, moves| {
                here().run(single::FindBest(here(), scorer, own, opp, moves))
            },
            best_of: |network, memo, sight| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let isa = unsafe { <$rows>::assume() };
                here().run(network::FindBestOf { isa, network, memo, sight })
            },
            learn_sequences: |network, lessons, errors| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let isa = unsafe { <$rows>::assume() };
                here().run(network::LearnSequences { isa, network, lessons, errors });
            },
            learn_abreast: |studies, [alpha, lambda]| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let isa = unsafe { <$rows>::assume() };
                // SAFETY: as in `here`.
                let lanes = unsafe { <$abreast>::assume() };
                here().run(network::LearnAbreast { isa, lanes, studies, alpha, lambda });
            },
            abreast: <$abreast as network::lanes::Lanes>::LANES,
            teach: |apprentice, taught| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let isa = unsafe { <$rows>::assume() };
                here().run(apprentice::Teach { isa, apprentice, taught });
            },
            teach_network: |student, taught| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let isa = unsafe { <$rows>::assume() };
                here().run(network::TeachNetwork { isa, student, taught });
            },
            ask: |crowd, question| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let lanes = unsafe { <$rows>::assume() };
                here().run(crowd::Ask { isa: here(), lanes, crowd, question })
            },
            pick: |set, draw| here().run(single::PickOne(here(), set, draw)),
            perft: |own, opp, depth, ended| {
                perft::Perft { isa: here(), own, opp, depth, ended }.count()
            },
            look_ahead: |tree, ahead| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let rows = unsafe { <$rows>::assume() };
                here().run(tree::LookAhead { isa: here(), rows, tree, ahead })
            },
            search: |scout, node| {
                // SAFETY: as in `here`; rows run wherever the batch does. One board does not fill
                // wider registers.
                let isa = unsafe { <$rows>::assume() };
                solve::Search { isa, scout, node }.run()
            },
            judge: |own, opp, depth| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let isa = unsafe { <$rows>::assume() };
                let moves = isa.run(single::FindMoves(isa, own, opp));
                solve::Judge::new(isa, [own, opp, moves], depth).value()
            },
            play: |games, finished, record| {
                thread_local! {
                    static BATCH: RefCell<Option<Box<batch::Batch<$isa>>>> = const { RefCell::new(None) };
                }
                BATCH.with_borrow_mut(|batch| {
                    let batch = batch.get_or_insert_with(|| batch::Batch::new(here()));
                    batch.play(games, finished, record);
                });
            },
            learn_alone: |learner, games| {
                // SAFETY: as in `here`; rows run wherever the batch does.
                let isa = unsafe { <$rows>::assume() };
                here().run(learner::LearnAlone { isa, learner, games })
            },
            learn_together: |learners, games, ends| {
                thread_local! {
                    static CLASS: RefCell<Option<Box<class::Class<$isa>>>> = const { RefCell::new(None) };
                }
                CLASS.with_borrow_mut(|class| {
                    let class = class.get_or_insert_with(|| class::Class::new(here()));
                    class.learn(learners, games, ends);
                });
            },
            together: $together,
        }
    }};
}

/// Best first.
static ENGINES: &[Engine] = &[
    #[cfg(target_arch = "x86_64")]
    engine!("avx512", avx512::Avx512, avx2::Avx2, wide::avx512::Wide, 48, avx512::Avx512::detect()),
    #[cfg(target_arch = "x86_64")]
    engine!("avx2", avx2::Avx2, avx2::Avx2, Two<avx2::Avx2>, 128, avx2::Avx2::detect()),
    engine!(
        "portable",
        portable::Portable,
        portable::Portable,
        portable::Portable,
        24,
        Some(portable::Portable)
    ),
];

/// Why a kernel cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// No kernel has this name.
    #[error("unknown kernel {0:?} in OUTFLANK_KERNEL; this CPU has {list}", list = Kernel::list())]
    Unknown(String),
    /// The CPU lacks its instructions.
    #[error("this CPU cannot run the kernel {0:?} of OUTFLANK_KERNEL; it has {list}", list = Kernel::list())]
    Unsupported(String),
}

impl Kernel {
    /// The kernel named by the environment variable `OUTFLANK_KERNEL`, else the best this CPU has.
    pub fn detect() -> Result<Kernel, KernelError> {
        match std::env::var_os("OUTFLANK_KERNEL") {
            None => Ok(Kernel::available()[0]),
            Some(name) if name.is_empty() => Ok(Kernel::available()[0]),
            Some(name) => Kernel::named(&name.to_string_lossy()),
        }
    }

    /// The kernel of this name.
    pub fn named(name: &str) -> Result<Kernel, KernelError> {
        match ENGINES.iter().find(|engine| engine.name == name) {
            None => Err(KernelError::Unknown(name.into())),
            Some(engine) if (engine.runs_here)() => Ok(Kernel(engine)),
            Some(_) => Err(KernelError::Unsupported(name.into())),
        }
    }

    /// The kernels this CPU has, best first; never empty.
    pub fn available() -> Vec<Kernel> {
        ENGINES.iter().filter(|engine| (engine.runs_here)()).map(Kernel).collect()
    }

    /// The names of all kernels, whether this CPU has them or not.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        ENGINES.iter().map(|engine| engine.name)
    }

    fn list() -> String {
        Kernel::available().iter().map(|kernel| kernel.name()).collect::<Vec<_>>().join(", ")
    }

    /// `avx512`, `avx2` or `portable`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Games in a full batch of [`Kernel::play`].
    pub fn batch_games(self) -> usize {
        self.0.games
    }

    /// The legal moves of a board.
    #[inline]
    pub fn moves(self, own: u64, opp: u64) -> u64 {
        (self.0.moves)(own, opp)
    }

    /// The discs turned by a move on the single bit `at`.
    #[inline]
    pub fn flips(self, own: u64, opp: u64, at: u64) -> u64 {
        (self.0.flips)(own, opp, at)
    }

    /// What a legal move on the single bit `at` leads to: [`Kernel::flips`] and [`Kernel::moves`]
    /// at once.
    #[inline]
    pub fn place(self, own: u64, opp: u64, at: u64) -> Next {
        (self.0.place)(own, opp, at)
    }

    /// The moves among `moves`, all legal and at least one, with the best score.
    #[inline]
    pub fn best(self, scorer: &Scorer, own: u64, opp: u64, moves: u64) -> u64 {
        (self.0.best)(scorer, own, opp, moves)
    }

    /// The legal moves of a network's choice. The memo is of this game, or has forgotten
    /// everything.
    #[inline]
    pub fn best_of(self, network: &Network, memo: &mut Memo, sight: Sight) -> u64 {
        (self.0.best_of)(network, memo, sight)
    }

    /// Lets a network learn from sequences of positions, with step size `alpha` and decay `lambda`.
    /// Gives the root mean square error of each sequence.
    pub fn learn_sequences(
        self,
        network: &mut Network,
        sequences: &[Sequence<'_>],
        [alpha, lambda]: [f32; 2],
        values: Values,
    ) -> Vec<f32> {
        let mut errors = vec![0.0; sequences.len()];
        let lessons = network::Lessons { sequences, alpha, lambda, values };
        (self.0.learn_sequences)(network, lessons, &mut errors);
        errors
    }

    /// Lets networks learn side by side, each from sequences of its own, one after the other, as
    /// [`Kernel::learn_sequences`] with [`Values::Recomputed`]: with the same bits.
    pub fn learn_abreast(self, studies: &mut [Study<'_>], rates: [f32; 2]) {
        (self.0.learn_abreast)(studies, rates);
    }

    /// As many networks fill the registers of [`Kernel::learn_abreast`].
    pub fn abreast(self) -> usize {
        self.0.abreast
    }

    /// Lets a weighted piece counter learn from a move.
    #[inline]
    pub fn teach(self, apprentice: &mut Apprentice, taught: &Taught) {
        (self.0.teach)(apprentice, taught);
    }

    /// Lets a network learn from a move.
    #[inline]
    pub fn teach_network(self, student: &mut Student, taught: &Taught) {
        (self.0.teach_network)(student, taught);
    }

    /// How many players of a crowd would make a move, or another one that is as good to them.
    #[inline]
    pub fn ask(self, crowd: &Crowd, question: &Question) -> u32 {
        (self.0.ask)(crowd, question)
    }

    /// The member of a set of squares, not empty, that a draw picks, as a set.
    #[inline]
    pub fn pick(self, set: u64, draw: Draw) -> u64 {
        (self.0.pick)(set, draw)
    }

    /// Counts the leaves of the game tree at a depth; a game that ended above it counts `ended`.
    pub fn perft(self, own: u64, opp: u64, depth: u32, ended: u64) -> u64 {
        (self.0.perft)(own, opp, depth, ended)
    }

    /// Plays all games to the end, in lockstep, and keeps what `record` asks for. Fastest with
    /// a multiple of [`Kernel::batch_games`] games in which neighbours have alike players.
    pub fn play(self, games: &[LaneGame<'_>], finished: &mut [Finished], record: Record<'_>) {
        for LaneGame { own, opp, first, second, .. } in games {
            assert!(
                (own | opp) & CENTRE == CENTRE && own & opp == 0,
                "no board for the batch kernel"
            );
            for lane in [first, second] {
                let sane = lane.weights.is_some() || lane.random == Chance::ALWAYS;
                assert!(sane, "no player for the batch kernel");
            }
        }
        (self.0.play)(games, finished, record);
    }

    /// Lets every learner play `games` games against itself, one after the other, and learn from
    /// each move. Returns for each the first game after which its weights had diverged
    /// ([`DIVERGED`] or more in size, or not a number), if any; it plays no further game.
    ///
    /// What a learner learns depends neither on the kernel nor on the other learners.
    pub fn self_play(self, learners: &mut [Learner<'_>], games: u32) -> Vec<Option<u32>> {
        learners.iter().for_each(Learner::assert_sane);
        let mut ends = vec![None; learners.len()];
        let blocks = learners.chunks_mut(self.0.games).zip(ends.chunks_mut(self.0.games));
        for (learners, ends) in blocks {
            if learners.len() >= self.0.together
                && learners.iter().all(|learner| learner.lambda <= 0.0)
            {
                (self.0.learn_together)(learners, games, ends);
                continue;
            }
            for (learner, end) in learners.iter_mut().zip(ends) {
                *end = (self.0.learn_alone)(learner, games);
            }
        }
        ends
    }
}

/// d4, e4, d5 and e5, occupied from the start of any game.
pub const CENTRE: u64 = 0x0000_0018_1800_0000;

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Kernel) -> bool {
        self.name() == other.name()
    }
}
