//! What a method is: one value for each of the six axes. A preset is such a spec as a file; the run
//! that comes of it depends on the spec and the seed alone.
//!
//! Here are the parameters, immutable, with the papers' names; what changes while a run goes on is
//! state and lives elsewhere. Every key is required: defaults belong to presets.

use serde::{Deserialize, Serialize};

/// A method and its effort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
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

/// The axis `model`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ModelSpec {
    /// `wpc`, the weighted piece counter.
    Wpc(WpcSpec),
}

impl ModelSpec {
    /// First parameters are uniform within this distance of 0.
    pub fn start(&self) -> f64 {
        match self {
            ModelSpec::Wpc(wpc) => wpc.start,
        }
    }
}

/// A weighted piece counter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WpcSpec {
    /// First weights are uniform in [-start, start]; 0 for all zero.
    pub start: f64,
}

/// The axis `search`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SearchSpec {
    /// `still`: one candidate, never varied.
    Still(StillSpec),
    /// `es`: (mu + lambda) evolution strategy.
    Es(EsSpec),
    /// `ga`: generational genetic algorithm.
    Ga(GaSpec),
}

/// One candidate, never varied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StillSpec {}

/// (mu + lambda) evolution strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EsSpec {
    /// Parents that are kept.
    pub mu: usize,
    /// Offspring a generation; the k-th comes of the parent ranked k modulo mu.
    pub lambda: usize,
    /// How an offspring differs from its parent.
    pub mutation: MutationSpec,
}

/// Generational genetic algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
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

/// How two parents' parameters are mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// Not at all.
    None,
    /// All parameters behind a random point change places.
    OnePoint,
}

/// How parameters mutate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
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

/// The distribution of mutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// Normal, mean 0.
    Gaussian,
    /// Uniform in [-size, size].
    Uniform,
}

/// The axis `local`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LocalSpec {
    /// `none`: candidates stay as they were proposed.
    None(NoLocalSpec),
    /// `td`: TD(lambda) in self-play, weights updated move by move.
    Td(TdSpec),
}

/// No local learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NoLocalSpec {}

/// TD(lambda) in self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
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

/// Champions that are remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ArchiveSpec {
    /// `none`.
    None(NoArchiveSpec),
    /// `champions`: the best candidate of each generation.
    Champions(ChampionsSpec),
}

/// No archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NoArchiveSpec {}

/// The best candidate of each generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ChampionsSpec {
    /// How many are kept, the oldest dropped first; 0 for all.
    pub capacity: usize,
}

/// The axis `opponents`: any of the sources, together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OpponentsSpec {
    /// Games of a candidate with each opponent: 1 (colours alternate), or pairs with colours swapped.
    pub games: usize,
    /// The other candidates of the generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peers: Option<PeersSpec>,
    /// Members of the archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hall_of_fame: Option<HallOfFameSpec>,
    /// WPCs drawn at random in each generation, the same for all candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random_wpc: Option<RandomWpcSpec>,
    /// Players that stay the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<FixedSpec>,
    /// A second population that is rewarded for telling candidates apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestsSpec>,
}

/// The candidates of the generation as opponents of each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PeersSpec {
    /// How many each candidate meets, drawn for it without replacement; 0 for all.
    pub sample: usize,
    /// Whether a candidate is its own peer.
    pub itself: bool,
    /// Whose fitness a game counts for.
    pub credit: Credit,
}

/// Whose fitness a game between peers counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Credit {
    /// The candidate's whose turn it was to meet its opponents.
    Own,
    /// Both players'.
    Both,
}

/// Members of the archive as opponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct HallOfFameSpec {
    /// How many each candidate meets, drawn for it; with replacement while the archive has fewer.
    pub sample: usize,
}

/// Random WPCs as opponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RandomWpcSpec {
    /// How many are drawn in each generation.
    pub number: usize,
}

/// Given players as opponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FixedSpec {
    /// Players as on the command line; `@epsilon=` overrides the policy of the run.
    pub players: Vec<String>,
}

/// A population of tests as opponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TestsSpec {
    /// First weights of tests are uniform in [-start, start].
    pub start: f64,
    /// How tests are proposed and replaced.
    pub search: SearchSpec,
    /// How their games become fitness.
    pub objective: ObjectiveSpec,
}

/// The axis `objective`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ObjectiveSpec {
    /// `points`: so many for a win, a draw, a loss.
    Points(PointsSpec),
    /// `distinctions`: 1 / (opponents that make the same one) for each ordered pair of the others that did
    /// better and worse against it.
    Distinctions(DistinctionsSpec),
}

/// Points for results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PointsSpec {
    /// For a won game.
    pub win: f64,
    /// For a drawn game.
    pub draw: f64,
    /// For a lost game.
    pub loss: f64,
}

/// Distinctions, shared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DistinctionsSpec {}

/// The axis `policy`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PolicySpec {
    /// Probability of a random move at each turn, of candidates and opponents.
    pub epsilon: f64,
}

/// What is measured while a run goes on; never counts as effort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
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
