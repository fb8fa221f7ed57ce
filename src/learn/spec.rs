//! What a method is: one value for each of the six axes. A preset is such a spec as a file; the run
//! that comes of it depends on the spec and the seed alone.
//!
//! Here are the parameters, immutable, with the papers' names; what changes while a run goes on is
//! state and lives elsewhere. Every key is required: defaults belong to presets.

use serde::{Deserialize, Serialize};

use super::SearchSpec;
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
    /// A multilayer perceptron.
    Mlp(MlpSpec) = "mlp",
    /// A perceptron whose first layer hears the 91 square pieces of the board (Chong et al. 2005).
    Spatial(MlpSpec) = "spatial",
    /// A network of any feed-forward topology.
    Graph(GraphSpec) = "graph",
}
}

impl ModelSpec {
    /// First parameters are uniform within this distance of 0.
    pub fn start(&self) -> f64 {
        match self {
            ModelSpec::Wpc(wpc) => wpc.start,
            ModelSpec::Mlp(mlp) | ModelSpec::Spatial(mlp) => mlp.start,
            ModelSpec::Graph(graph) => graph.start,
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

table! {
/// A multilayer perceptron.
pub struct MlpSpec {
    /// Nodes of each hidden layer; of a spatial network, after the first.
    pub hidden: Vec<usize>,
    /// What hidden nodes make of their input.
    pub activation: Activation,
    /// What the output makes of its input.
    pub output: Activation,
    /// Whether nodes have a bias.
    pub bias: bool,
    /// Whose discs count +1.
    pub view: Eye,
    /// First weights are uniform in [-start, start].
    pub start: f64,
    /// A player of the same shape, by its name, file or run, whose weights come first; empty for none.
    pub from: String,
}
}

table! {
/// A network of any feed-forward topology.
pub struct GraphSpec {
    /// Hidden nodes at first, which hear all squares; with 0 the output does.
    pub hidden: usize,
    /// What hidden nodes make of their input.
    pub activation: Activation,
    /// What the output makes of its input.
    pub output: Activation,
    /// Whether there is an input that is always 1, at first connected to all nodes.
    pub bias: bool,
    /// Whose discs count +1.
    pub view: Eye,
    /// First weights are uniform in [-start, start].
    pub start: f64,
}
}

words! {
/// What a node makes of its input.
pub enum Activation {
    /// The logistic curve 1 / (1 + e^-x).
    Sigmoid = "sigmoid",
    /// The logistic curve of slope 4.924273: 1 / (1 + e^(-4.924273 x)).
    SteepSigmoid = "steep-sigmoid",
    /// The hyperbolic tangent.
    Tanh = "tanh",
    /// The input above 0, else 0.
    Relu = "relu",
    /// The input itself.
    Linear = "linear",
}
}

words! {
/// Whose discs count +1.
pub enum Eye {
    /// Those of the player who moves.
    Mover = "mover",
    /// Black's, whoever moves.
    Black = "black",
}
}

axis! {
/// The axis `local`.
pub enum LocalSpec {
    /// Candidates stay as they were proposed.
    None(NoLocalSpec) = "none",
    /// TD(lambda) in self-play, weights updated move by move.
    Td(TdSpec) = "td",
    /// TD(lambda) off-line: after each game, backwards, from the positions of both sides.
    TdLambda(TdLambdaSpec) = "td-lambda",
    /// The same from a store of games of the whole generation.
    Store(StoreSpec) = "store",
    /// The same from given games.
    Games(GamesSpec) = "games",
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

table! {
/// TD(lambda) off-line.
pub struct TdLambdaSpec {
    /// Games of each candidate in each generation.
    pub games: u64,
    /// Learning rate.
    pub alpha: f64,
    /// How much of a later correction reaches an earlier position, 0 to 1.
    pub lambda: f64,
    /// Probability of a random move of the learner, at the first game of a run and at the last.
    pub epsilon: [f64; 2],
    /// Against whom.
    pub against: Against,
}
}

words! {
/// Against whom a candidate learns.
pub enum Against {
    /// The players of opponents.fixed, in turn.
    Fixed = "fixed",
    /// Itself, as both players.
    Itself = "itself",
}
}

table! {
/// TD(lambda) off-line from a store of games.
pub struct StoreSpec {
    /// Whose games are stored.
    pub from: Stored,
    /// Games of each candidate for the store, against the players of opponents.fixed; 0 if earlier ones are taken.
    pub games: usize,
    /// Sides of games, drawn from the store, that each candidate learns from.
    pub learned: usize,
    /// Learning rate.
    pub alpha: f64,
    /// How much of a later correction reaches an earlier position, 0 to 1.
    pub lambda: f64,
}
}

words! {
/// Whose games are stored.
pub enum Stored {
    /// Those of this generation, played for the store.
    Present = "present",
    /// Those for fitness of the generation before.
    Previous = "previous",
}
}

table! {
/// TD(lambda) off-line from given games.
pub struct GamesSpec {
    /// Files of games, WTHOR databases or transcripts line by line.
    pub files: Vec<String>,
    /// Players who meet each other, if there are no files.
    pub players: Vec<String>,
    /// Games of each pair of players.
    pub meetings: usize,
    /// Games that each candidate learns from in each generation, drawn from all.
    pub games: u64,
    /// Learning rate.
    pub alpha: f64,
    /// How much of a later correction reaches an earlier position, 0 to 1.
    pub lambda: f64,
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
    /// Games of a candidate with each opponent: 1 (colours alternate), or pairs with colours swapped; 0 if opponents
    /// only teach.
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
    /// The mean of the percentage of games won and of the error of temporal differences, in hundredths.
    WinsAndError(WinsAndErrorSpec) = "wins-and-error",
    /// The percentages won against each opponent as separate objectives: candidates rank by fronts of those that no
    /// other beats in all, and within a front by how far they stand from others.
    Fronts(FrontsSpec) = "fronts",
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
/// Wins and errors.
pub struct WinsAndErrorSpec {
    /// What the error does.
    pub error: Sign,
}
}

words! {
/// What an error does to fitness.
pub enum Sign {
    /// It is added, as printed.
    Added = "added",
    /// One minus it is added, as probably meant.
    Subtracted = "subtracted",
}
}

table! {
/// Separate objectives.
pub struct FrontsSpec {}
}

table! {
/// The axis `policy`.
pub struct PolicySpec {
    /// Probability of a random move at each turn, of candidates and opponents.
    pub epsilon: f64,
    /// Plies at the start of a game that are random, if a fixed opponent would repeat itself.
    pub opening: u64,
}
}

table! {
/// What is measured while a run goes on; never counts as effort.
pub struct ProbesSpec {
    /// Games between probes; 0 for the end only.
    pub every: u64,
    /// Yardsticks: `utility`, players as on the command line, or `opponents`, the fixed ones.
    pub vs: Vec<String>,
    /// Of the last generation: `top10` and `mean`, the share of games won by its ten best and by all; `hidden` and
    /// `connections` of its champion; `species`.
    pub also: Vec<String>,
    /// Single games against each player.
    pub games: u64,
    /// Double games of `utility`.
    pub sample: u64,
}
}
