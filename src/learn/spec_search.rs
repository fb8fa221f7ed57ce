//! The axis `search` of a spec: the parameters of every search, immutable, with the papers' names.

use serde::{Deserialize, Serialize};

use super::keys::{Key, Kind, Shape, Shaped, Table, Word, axis, table, words};

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
    /// Weight of a gene that only one of two networks has, beyond the last of the other.
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
