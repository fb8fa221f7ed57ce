//! NEAT as in the program ANJI, which Vuurboom 2008 used. It differs from the paper of 2002 as
//! follows. A fifth of the population survives unchanged, chosen by shared fitness. Connections are
//! removed, small weights more often, together with neurons that this leaves without use. A neuron
//! replaces the connection that it splits, so no connection is ever disabled. Distances are
//! relative to the number of genes.

use super::genome::{Difference, Genome};
use super::species::{Population, apportion, check_threshold, shareable};
use super::{Beginning, Breeds, Judged, MutationSpec, Noise, Search, SearchKind};
use crate::limits::{MAX_COUNT, MAX_PLAYERS};
use crate::state::keeps;
use crate::{Archive, Candidate, ModelSpec, Spec};
use outflank_game::model::Graph;
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table, words};

table! {
/// NEAT as in the program ANJI.
pub struct AnjiSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// Share of the population that survives unchanged; the fittest do.
    pub survival: f64,
    /// Whether fitness is divided by the size of the species when survivors are chosen.
    pub sharing: bool,
    /// A species with at least this many members keeps its best network unchanged.
    pub elitism: usize,
    /// Compatibility threshold: networks at least this far apart belong to different species.
    pub threshold: f64,
    /// The member that represents a species when distances are measured.
    pub representative: Representative,
    /// Coefficient, in the distance of two networks, of the share of genes that only one has.
    pub disjoint: f64,
    /// Coefficient, in the distance of two networks, of the mean weight difference of shared genes.
    pub difference: f64,
    /// Probability that a connection is added to an offspring; its weight is drawn from a normal
    /// distribution.
    pub add_connection: f64,
    /// Probability that a connection of an offspring is split by a new neuron; an offspring gets at
    /// most one new connection or neuron.
    pub add_neuron: f64,
    /// Probability that a connection with weight 0 is removed; it falls as the weight grows, to 0
    /// at remove-limit.
    pub remove: f64,
    /// Connections with weights of at least this size are not removed.
    pub remove_limit: f64,
    /// How weights mutate.
    pub mutation: MutationSpec,
}
}

words! {
/// The member that represents a species.
pub enum Representative {
    /// Its first member, even when that is long gone.
    Founder = "founder",
    /// Its best member in the last generation.
    Best = "best",
}
}

impl SearchKind for AnjiSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        at.whole("population", self.population, 2..=MAX_PLAYERS)?;
        if !(self.survival > 0.0 && self.survival <= 0.5) {
            let expected =
                "a share above 0 and at most 0.5, so that some networks survive and some are new";
            return Err(at.fault("survival", self.survival, expected));
        }
        at.whole("elitism", self.elitism, 1..=MAX_COUNT)?;
        check_threshold(at, self.threshold)?;
        at.number("disjoint", self.disjoint, 0.0..=MAX_NUMBER)?;
        at.number("difference", self.difference, 0.0..=MAX_NUMBER)?;
        at.chance("add-connection", self.add_connection)?;
        at.chance("add-neuron", self.add_neuron)?;
        at.chance("remove", self.remove)?;
        let expected = format!("a number above 0 and up to {MAX_NUMBER}");
        at.positive("remove-limit", self.remove_limit, &expected)
    }

    fn candidates(&self) -> usize {
        self.population
    }

    fn breeds(&self) -> Breeds {
        Breeds::Graphs
    }

    fn mutation(&self) -> Option<&MutationSpec> {
        Some(&self.mutation)
    }

    fn statistics(&self) -> &'static [&'static str] {
        &["species"]
    }

    fn shrink(&mut self) {
        self.population = 10;
    }

    fn sample() -> AnjiSpec {
        AnjiSpec {
            population: 30,
            survival: 0.2,
            sharing: true,
            elitism: 5,
            threshold: 0.5,
            representative: Representative::Best,
            disjoint: 1.0,
            difference: 0.4,
            add_connection: 0.1,
            add_neuron: 0.1,
            remove: 0.05,
            remove_limit: 1.0,
            mutation: MutationSpec::sample(Noise::Gaussian, 0.5),
        }
    }

    fn build<M: Candidate>(&self, begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        begin.of_type(|mut begin| {
            let bias = matches!(begin.model, ModelSpec::Graph(graph) if graph.bias);
            Box::new(Anji::new(self.clone(), bias, begin.some(self.population)))
        })
    }
}

/// Neurons that every network has: an input for each square, and the output.
const ENDS: usize = 65;

/// The population and its species.
pub struct Anji {
    spec: AnjiSpec,
    bias: bool,
    state: Population,
}

impl Anji {
    /// Starts from this population.
    pub fn new(spec: AnjiSpec, bias: bool, first: Vec<Graph>) -> Anji {
        Anji { spec, bias, state: Population::new(first) }
    }

    fn distance(&self) -> impl Fn(&Graph, &Graph) -> f64 + use<> {
        let (disjoint, difference) = (self.spec.disjoint, self.spec.difference);
        move |a, b| {
            let found = Difference::of(a, b);
            // Neurons are genes too; those that both networks have do not differ.
            let genes = |graph: &Graph| ENDS + graph.hidden().len() + graph.genes().len();
            let alone = (found.excess + found.disjoint + found.neurons) as f64;
            let shared = (ENDS + found.shared_neurons + found.shared) as f64;
            disjoint * alone / genes(a).max(genes(b)) as f64 + difference * found.weights / shared
        }
    }

    /// The survivors, by rank: the best network of each large species, then the best by fitness,
    /// shared or not.
    fn survivors(&self) -> Vec<usize> {
        let fitness = shareable(&self.state.ranked);
        let wanted = ((self.spec.survival * fitness.len() as f64).round() as usize).max(1);
        let mut shared = vec![0.0; fitness.len()];
        for one in &self.state.species {
            let sharers = if self.spec.sharing { one.members.len() } else { 1 };
            one.members.iter().for_each(|at| shared[*at] = fitness[*at] / sharers as f64);
        }
        let large = self.state.species.iter().filter(|one| one.members.len() >= self.spec.elitism);
        let mut chosen: Vec<usize> = large.map(|one| one.members[0]).collect();
        if chosen.len() > wanted {
            // Ranks are ordered by fitness, which is not shared here.
            chosen.sort_unstable();
            chosen.truncate(wanted);
        }
        let mut order: Vec<usize> = (0..fitness.len()).collect();
        order.sort_by(|a, b| shared[*b].total_cmp(&shared[*a]));
        for at in order {
            if chosen.len() >= wanted {
                break;
            }
            if !chosen.contains(&at) {
                chosen.push(at);
            }
        }
        chosen
    }

    fn mutate(&mut self, child: &mut Genome, rng: &mut Rng) {
        let AnjiSpec { add_connection: a, add_neuron: n, .. } = self.spec;
        child.remove_connections(self.spec.remove, self.spec.remove_limit, rng);
        if rng.unit() < a + n - a * n {
            match rng.unit() * (a + n) < a - a * n / 2.0 {
                true => child.add_connection(
                    self.bias,
                    self.spec.mutation.bounds,
                    &mut self.state.known,
                    rng,
                ),
                false => child.add_neuron(true, &mut self.state.known, rng),
            }
        }
        child.mutate_weights(&self.spec.mutation, 0.0, rng);
        child.prune();
    }
}

impl Search<Graph> for Anji {
    fn ask(&mut self, _: &Archive<Graph>, rng: &mut Rng) -> Vec<Graph> {
        if self.state.ranked.is_empty() {
            return self.state.first.clone();
        }
        let survivors = self.survivors();
        let parents: Vec<Vec<usize>> = self
            .state
            .species
            .iter()
            .map(|one| {
                one.members.iter().copied().filter(|at| survivors.contains(at)).collect::<Vec<_>>()
            })
            .filter(|parents| !parents.is_empty())
            .collect();
        let fitness = shareable(&self.state.ranked);
        let mean = |parents: &Vec<usize>| {
            parents.iter().map(|at| fitness[*at]).sum::<f64>() / parents.len() as f64
        };
        let shares: Vec<f64> = parents.iter().map(mean).collect();
        let population = self.spec.population;
        let clones = ((self.spec.survival * population as f64).round() as usize)
            .min(population - survivors.len());
        let crossed = population - survivors.len() - clones;
        let mut next: Vec<Graph> =
            survivors.iter().map(|at| self.state.ranked[*at].candidate.clone()).collect();
        for (places, crosses) in [(clones, false), (crossed, true)] {
            for (parents, places) in parents.iter().zip(apportion(places, &shares)) {
                for _ in 0..places {
                    let mut pick = || parents[rng.below(parents.len() as u32) as usize];
                    let one = pick();
                    let other = if crosses { pick() } else { one };
                    // The fitter one, with the lower rank, dominates.
                    let (fitter, other) = (one.min(other), one.max(other));
                    let mut child = Genome::from(self.state.ranked[fitter].candidate.clone());
                    if other != fitter {
                        child.mix_weights(&self.state.ranked[other].candidate, rng);
                    }
                    self.mutate(&mut child, rng);
                    next.push(child.into());
                }
            }
        }
        next
    }

    fn tell(&mut self, ranked: Vec<Judged<Graph>>, _rng: &mut Rng) {
        let distance = self.distance();
        self.state.tell(ranked, self.spec.threshold, distance);
        if self.spec.representative == Representative::Best {
            for one in &mut self.state.species {
                one.representative = self.state.ranked[one.members[0]].candidate.clone();
            }
        }
    }

    fn statistics(&self) -> Vec<(&'static str, f64)> {
        vec![("species", self.state.species.len() as f64)]
    }

    keeps!(state);
}

#[cfg(test)]
mod tests;
