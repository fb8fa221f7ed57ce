//! What a method is: one value for each of the six axes. A preset is such a spec as a file; the run
//! that comes of it depends on the spec and the seed alone.
//!
//! Here are the parameters, immutable, with the papers' names; what changes while a run goes on is
//! state and lives elsewhere. Every key is required: defaults belong to presets.

use serde::{Deserialize, Serialize};

use super::keys::{Key, Kind, Shape, Shaped, Table, Word, axis, table, words};

table! {
/// A method and its effort.
pub struct Spec {
    /// Games after which a run ends, with the generation that reaches them.
    pub games: u64,
    /// What scores a board.
    pub model: ModelSpec,
    /// How candidates are proposed and replaced.
    pub search: SearchSpec,
    /// How a candidate improves by itself.
    pub local: LocalSpec,
    /// Champions of earlier generations that are remembered.
    pub archive: ArchiveSpec,
    /// Whom candidates meet.
    pub opponents: OpponentsSpec,
    /// How games become fitness.
    pub objective: ObjectiveSpec,
    /// How moves are chosen in the games that count for fitness.
    pub policy: PolicySpec,
    /// What is measured while it runs.
    pub probes: ProbesSpec,
}
}

axis! {
/// The axis `model`.
pub enum ModelSpec {
    /// The weighted piece counter.
    Wpc(WpcSpec) = "wpc",
}
}

impl ModelSpec {
    /// First parameters are uniform within this distance of 0.
    pub fn start(&self) -> f64 {
        match self {
            ModelSpec::Wpc(wpc) => wpc.start,
        }
    }
}

table! {
/// A weighted piece counter.
pub struct WpcSpec {
    /// First weights are uniform in [-start, start]; 0 for all zero.
    pub start: f64,
}
}

axis! {
/// The axis `search`.
pub enum SearchSpec {
    /// One candidate, never varied.
    Still(StillSpec) = "still",
    /// (mu + lambda) evolution strategy.
    Es(EsSpec) = "es",
    /// Generational genetic algorithm.
    Ga(GaSpec) = "ga",
    /// The best with mutations, and fresh candidates.
    Truncation(TruncationSpec) = "truncation",
}
}

table! {
/// One candidate, never varied.
pub struct StillSpec {}
}

table! {
/// (mu + lambda) evolution strategy.
pub struct EsSpec {
    /// Parents that are kept.
    pub mu: usize,
    /// Offspring a generation; the k-th comes of the parent ranked k modulo mu.
    pub lambda: usize,
    /// How an offspring differs from its parent.
    pub mutation: MutationSpec,
}
}

table! {
/// Generational genetic algorithm.
pub struct GaSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// Candidates that compete to become a parent.
    pub tournament: usize,
    /// Probability that a pair's first parent comes from the archive.
    pub archive_parents: f64,
    /// How two parents' parameters are mixed.
    pub crossover: Crossover,
    /// What is done to parents before they are mixed.
    pub mutation: MutationSpec,
}
}

table! {
/// The best with mutations, and fresh candidates.
pub struct TruncationSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// The best, which stay as mutated copies.
    pub elites: usize,
    /// Parameters of fresh candidates, in the others' places, are uniform in [-fresh, fresh].
    pub fresh: f64,
    /// How a copy differs from its original.
    pub mutation: MutationSpec,
}
}

words! {
/// How two parents' parameters are mixed.
pub enum Crossover {
    /// Not at all.
    None = "none",
    /// All parameters behind a random point change places.
    OnePoint = "one-point",
}
}

table! {
/// How parameters mutate.
pub struct MutationSpec {
    /// The distribution of what is added.
    pub noise: Noise,
    /// Probability that a parameter changes.
    pub rate: f64,
    /// Standard deviation of gaussian noise; half the width of uniform noise.
    pub size: f64,
    /// Changed parameters are clamped to this interval.
    pub bounds: [f64; 2],
}
}

words! {
/// The distribution of mutations.
pub enum Noise {
    /// Normal, mean 0.
    Gaussian = "gaussian",
    /// Uniform in [-size, size].
    Uniform = "uniform",
}
}

axis! {
/// The axis `local`.
pub enum LocalSpec {
    /// Candidates stay as they were proposed.
    None(NoLocalSpec) = "none",
    /// TD(lambda) in self-play, weights updated move by move.
    Td(TdSpec) = "td",
}
}

table! {
/// No local learning.
pub struct NoLocalSpec {}
}

table! {
/// TD(lambda) in self-play.
pub struct TdSpec {
    /// Games of each candidate in each generation; below 1, one game every 1 / games generations.
    pub games: f64,
    /// Learning rate; a negative one makes players worse.
    pub alpha: f64,
    /// Decay of eligibility traces, 0 to 1.
    pub lambda: f64,
    /// Probability of a random move at each turn; nothing is learned from it.
    pub epsilon: f64,
}
}

axis! {
/// Champions that are remembered.
pub enum ArchiveSpec {
    /// None are remembered.
    None(NoArchiveSpec) = "none",
    /// The best candidate of each generation.
    Champions(ChampionsSpec) = "champions",
}
}

table! {
/// No archive.
pub struct NoArchiveSpec {}
}

table! {
/// The best candidate of each generation.
pub struct ChampionsSpec {
    /// How many are kept, the oldest dropped first; 0 for all.
    pub capacity: usize,
}
}

table! {
/// The axis `opponents`: any of the sources, together.
pub struct OpponentsSpec {
    /// Games of a candidate with each opponent: 1 (colours alternate), or pairs with colours swapped.
    pub games: usize,
    /// The other candidates of the generation.
    pub peers: Option<PeersSpec>,
    /// Members of the archive.
    pub hall_of_fame: Option<HallOfFameSpec>,
    /// WPCs drawn at random in each generation, the same for all candidates.
    pub random_wpc: Option<RandomWpcSpec>,
    /// Players that stay the same.
    pub fixed: Option<FixedSpec>,
    /// A second population that is rewarded for telling candidates apart.
    pub tests: Option<TestsSpec>,
}
}

table! {
/// The candidates of the generation as opponents of each other.
pub struct PeersSpec {
    /// How many each candidate meets, drawn for it without replacement; 0 for all.
    pub sample: usize,
    /// Whether a candidate is its own peer.
    pub itself: bool,
    /// Whose fitness a game counts for.
    pub credit: Credit,
}
}

words! {
/// Whose fitness a game between peers counts for.
pub enum Credit {
    /// The candidate's whose turn it was to meet its opponents.
    Own = "own",
    /// Both players'.
    Both = "both",
}
}

table! {
/// Members of the archive as opponents.
pub struct HallOfFameSpec {
    /// How many each candidate meets, drawn for it; with replacement while the archive has fewer.
    pub sample: usize,
}
}

table! {
/// Random WPCs as opponents.
pub struct RandomWpcSpec {
    /// How many are drawn in each generation.
    pub number: usize,
}
}

table! {
/// Given players as opponents.
pub struct FixedSpec {
    /// Players as on the command line; `@epsilon=` overrides the policy of the run.
    pub players: Vec<String>,
}
}

table! {
/// A population of tests as opponents.
pub struct TestsSpec {
    /// First weights of tests are uniform in [-start, start].
    pub start: f64,
    /// Random WPCs beside the tests in each generation: candidates meet them, and distinctions are
    /// shared with them, but they do not evolve.
    pub beside: usize,
    /// How tests are proposed and replaced.
    pub search: SearchSpec,
    /// How their games become fitness.
    pub objective: ObjectiveSpec,
}
}

axis! {
/// The axis `objective`.
pub enum ObjectiveSpec {
    /// So many for a win, a draw, a loss.
    Points(PointsSpec) = "points",
    /// 1 / (opponents that make the same one) for each pair of the others that did not do
    /// equally well against it.
    Distinctions(DistinctionsSpec) = "distinctions",
}
}

table! {
/// Points for results.
pub struct PointsSpec {
    /// For a won game.
    pub win: f64,
    /// For a drawn game.
    pub draw: f64,
    /// For a lost game.
    pub loss: f64,
}
}

table! {
/// Distinctions, shared.
pub struct DistinctionsSpec {
    /// Whether it matters for the same one which of the two did better.
    pub directed: bool,
}
}

table! {
/// The axis `policy`.
pub struct PolicySpec {
    /// Probability of a random move at each turn, of candidates and opponents.
    pub epsilon: f64,
}
}

table! {
/// What is measured while a run goes on; never counts as effort.
pub struct ProbesSpec {
    /// Games between probes; 0 for the end only.
    pub every: u64,
    /// Yardsticks: `utility`, or players as on the command line.
    pub vs: Vec<String>,
    /// Single games against each player.
    pub games: u64,
    /// Double games of `utility`.
    pub sample: u64,
}
}
