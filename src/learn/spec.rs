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
    /// A player file of the same shape whose weights come first; empty for none.
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
    /// The same of slope 4.924273: 1 / (1 + e^(-4.924273 x)).
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
    /// Neurons and blueprints of networks (Moriarty & Miikkulainen 1996).
    Sane(SaneSpec) = "sane",
    /// A subpopulation of neurons for each place of a network (Gomez & Miikkulainen 1999).
    Esp(EspSpec) = "esp",
    /// Growing networks in species, as the program ANJI does it.
    Anji(AnjiSpec) = "anji",
    /// Growing networks in species, as Stanley & Miikkulainen 2002 describe it.
    Neat(NeatSpec) = "neat",
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

table! {
/// Neurons and blueprints of networks.
pub struct SaneSpec {
    /// Networks in a generation.
    pub networks: usize,
    /// Neurons in the population.
    pub neurons: usize,
    /// The best neurons, which breed: each has two offspring, in the places of the worst.
    pub elite: usize,
    /// The best blueprints, which breed likewise; 0 for networks of random neurons in each generation.
    pub blueprints: usize,
    /// Probability that a weight of a neuron that is not of the elite mutates.
    pub rate: f64,
    /// Standard deviation of a mutation; one in 21 is a change of sign instead.
    pub size: f64,
    /// Probability that a neuron of a blueprint that does not breed is replaced.
    pub replace: f64,
    /// Networks, the best of those it was in, whose fitness makes up that of a neuron.
    pub best: usize,
}
}

table! {
/// A subpopulation of neurons for each place of a network.
pub struct EspSpec {
    /// Networks in a generation.
    pub networks: usize,
    /// Neurons in each subpopulation, the best quarter of which breeds in the places of the worse half.
    pub neurons: usize,
    /// Probability that an offspring mutates, in one weight.
    pub rate: f64,
    /// Scale of mutations, which have Cauchy's distribution.
    pub size: f64,
    /// Generations without a better champion after which subpopulations become variations of the best network's neurons
    /// (delta coding); 0 for never.
    pub stagnation: usize,
    /// Whether a place is given up, or one added, after two delta codings in vain.
    pub adapt: bool,
}
}

table! {
/// Growing networks in species, as ANJI does it.
pub struct AnjiSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// The share of a generation that survives, the fittest.
    pub survival: f64,
    /// Whether members of a species share fitness when it is decided who survives.
    pub sharing: bool,
    /// Members from which on a species keeps its best as it is.
    pub elitism: usize,
    /// Distance from which on networks are of different species.
    pub threshold: f64,
    /// From whom it is measured.
    pub representative: Representative,
    /// Weight of genes that only one of two networks has, as a share of all.
    pub disjoint: f64,
    /// Weight of the mean difference of the weights they share.
    pub difference: f64,
    /// Probability that a connection is added to an offspring, with a normally distributed weight.
    pub add_connection: f64,
    /// Probability that a neuron is added to an offspring, in a connection; a genome grows in one place at most.
    pub add_neuron: f64,
    /// Probability that a connection of weight 0 is removed; it falls with the weight, to 0 at the limit.
    pub remove: f64,
    /// Weights from which on connections are not removed.
    pub remove_limit: f64,
    /// How weights mutate.
    pub mutation: MutationSpec,
}
}

words! {
/// Who stands for a species.
pub enum Representative {
    /// Its first member, also when it is long gone.
    Founder = "founder",
    /// Its best member of the last generation.
    Best = "best",
}
}

table! {
/// Growing networks in species, as in the paper of 2002.
pub struct NeatSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// The share of each species that breeds.
    pub survival: f64,
    /// Generations without a better fitness after which a species no longer breeds.
    pub drop_off: usize,
    /// Members from which on a species keeps its best as it is.
    pub elitism: usize,
    /// Distance from which on networks are of different species.
    pub threshold: f64,
    /// Weights of a gene that one of two networks has beyond the last of the other, and between.
    pub excess: f64,
    /// Weight of a gene that only one of two networks has, among those of the other.
    pub disjoint: f64,
    /// Weight of the mean difference of the weights they share.
    pub difference: f64,
    /// The share of offspring that has one parent.
    pub mutate_only: f64,
    /// Probability that a second parent is of another species.
    pub interspecies: f64,
    /// Probability that a gene that is disabled in a parent is so in the offspring.
    pub disable: f64,
    /// Probability that an offspring gets another connection.
    pub add_connection: f64,
    /// Probability that an offspring gets another neuron.
    pub add_neuron: f64,
    /// Probability that the weights of an offspring mutate.
    pub mutate: f64,
    /// Share of mutating weights that are drawn anew, in [-size, size].
    pub renew: f64,
    /// How the others change.
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
