//! NEAT as in Stanley & Miikkulainen 2002: networks grow from few connections, historical markings
//! allow different topologies to be crossed, and species share fitness and protect innovations.

use super::genome::{Difference, Genome};
use super::species::{Population, Species, apportion, check_threshold, shareable};
use super::{Beginning, Breeds, Judged, MutationSpec, Noise, Search, SearchKind};
use crate::limits::{MAX_COUNT, MAX_PLAYERS};
use crate::state::keeps;
use crate::{Archive, Candidate, ModelSpec, Spec};
use outflank_game::model::Graph;
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table};

table! {
/// NEAT as in Stanley & Miikkulainen 2002.
pub struct NeatSpec {
    /// Candidates in a generation.
    pub population: usize,
    /// Share of each species that breeds.
    pub survival: f64,
    /// Generations without better fitness after which a species stops breeding.
    pub drop_off: usize,
    /// A species with at least this many members keeps its best network unchanged.
    pub elitism: usize,
    /// Compatibility threshold: networks at least this far apart belong to different species.
    pub threshold: f64,
    /// Coefficient, in the distance of two networks, of each excess gene: one beyond the last gene
    /// of the other network.
    pub excess: f64,
    /// Coefficient, in the distance of two networks, of each disjoint gene: an earlier one that the
    /// other network lacks.
    pub disjoint: f64,
    /// Coefficient, in the distance of two networks, of the mean weight difference of shared genes.
    pub difference: f64,
    /// Share of offspring that have one parent, without crossover.
    pub mutate_only: f64,
    /// Probability that the second parent comes from the whole population instead of the same
    /// species.
    pub interspecies: f64,
    /// Probability that a gene that is disabled in either parent is disabled in the offspring.
    pub disable: f64,
    /// Probability that a connection is added to an offspring that gets no new neuron.
    pub add_connection: f64,
    /// Probability that a connection of an offspring is split by a new neuron.
    pub add_neuron: f64,
    /// Probability that the weights of an offspring mutate if it gets no new neuron or connection.
    pub mutate: f64,
    /// Share of mutating weights that are drawn again, from [-size, size], instead of changed.
    pub renew: f64,
    /// How weights mutate.
    pub mutation: MutationSpec,
}
}

impl SearchKind for NeatSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        at.whole("population", self.population, 2..=MAX_PLAYERS)?;
        if !(self.survival > 0.0 && self.survival <= 1.0) {
            let expected = "a share above 0 and at most 1, so that some networks breed";
            return Err(at.fault("survival", self.survival, expected));
        }
        at.whole("drop-off", self.drop_off, 1..=MAX_COUNT)?;
        at.whole("elitism", self.elitism, 1..=MAX_COUNT)?;
        check_threshold(at, self.threshold)?;
        at.number("excess", self.excess, 0.0..=MAX_NUMBER)?;
        at.number("disjoint", self.disjoint, 0.0..=MAX_NUMBER)?;
        at.number("difference", self.difference, 0.0..=MAX_NUMBER)?;
        at.chance("mutate-only", self.mutate_only)?;
        at.chance("interspecies", self.interspecies)?;
        at.chance("disable", self.disable)?;
        at.chance("add-connection", self.add_connection)?;
        at.chance("add-neuron", self.add_neuron)?;
        at.chance("mutate", self.mutate)?;
        at.chance("renew", self.renew)
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

    fn sample() -> NeatSpec {
        NeatSpec {
            population: 30,
            survival: 0.2,
            drop_off: 15,
            elitism: 5,
            threshold: 3.0,
            excess: 1.0,
            disjoint: 1.0,
            difference: 0.4,
            mutate_only: 0.25,
            interspecies: 0.01,
            disable: 0.75,
            add_connection: 0.1,
            add_neuron: 0.1,
            mutate: 0.8,
            renew: 0.1,
            mutation: MutationSpec::sample(Noise::Gaussian, 0.9),
        }
    }

    fn build<M: Candidate>(&self, begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        begin.of_type(|mut begin| {
            let bias = matches!(begin.model, ModelSpec::Graph(graph) if graph.bias);
            Box::new(Neat::new(self.clone(), bias, begin.some(self.population)))
        })
    }
}

/// The population and its species.
pub struct Neat {
    spec: NeatSpec,
    bias: bool,
    state: Population,
}

impl Neat {
    /// Starts from this population.
    pub fn new(spec: NeatSpec, bias: bool, first: Vec<Graph>) -> Neat {
        Neat { spec, bias, state: Population::new(first) }
    }

    fn distance(&self) -> impl Fn(&Graph, &Graph) -> f64 + use<> {
        let (excess, disjoint, difference) =
            (self.spec.excess, self.spec.disjoint, self.spec.difference);
        move |a, b| {
            let found = Difference::of(a, b);
            excess * found.excess as f64
                + disjoint * found.disjoint as f64
                + difference * found.weights / found.shared.max(1) as f64
        }
    }

    /// The offspring of each species, in proportion to its mean fitness; none for species that have
    /// stagnated, unless all have.
    fn places(&self) -> Vec<usize> {
        let fitness = shareable(&self.state.ranked);
        let mean = |one: &Species| {
            one.members.iter().map(|at| fitness[*at]).sum::<f64>() / one.members.len() as f64
        };
        // The species of the best network never dies.
        let lives = |one: &Species| one.stagnant < self.spec.drop_off || one.members[0] == 0;
        let share = |one: &Species| if lives(one) { mean(one) } else { 0.0 };
        apportion(self.spec.population, &self.state.species.iter().map(share).collect::<Vec<_>>())
    }

    fn offspring(&mut self, parents: &[usize], rng: &mut Rng) -> Graph {
        let mut pick = |from: &[usize]| from[rng.below(from.len() as u32) as usize];
        let first = pick(parents);
        let second = pick(parents);
        let all = self.state.ranked.len() as u32;
        let mut fitter = first;
        let mut child = None;
        if rng.unit() >= self.spec.mutate_only {
            let second =
                if rng.unit() < self.spec.interspecies { rng.below(all) as usize } else { second };
            fitter = first.min(second);
            let other = &self.state.ranked[first.max(second)].candidate;
            let mut crossed = Genome::from(self.state.ranked[fitter].candidate.clone());
            crossed.mix_weights(other, rng);
            crossed.inherit_disabled(other, self.spec.disable, rng);
            child = Some(crossed);
        }
        let mut child =
            child.unwrap_or_else(|| Genome::from(self.state.ranked[fitter].candidate.clone()));
        if rng.unit() < self.spec.add_neuron {
            child.add_neuron(false, &mut self.state.known, rng);
        } else if rng.unit() < self.spec.add_connection {
            child.add_connection(self.bias, self.spec.mutation.bounds, &mut self.state.known, rng);
        } else if rng.unit() < self.spec.mutate {
            child.mutate_weights(&self.spec.mutation, self.spec.renew, rng);
        }
        child.into()
    }
}

impl Search<Graph> for Neat {
    fn ask(&mut self, _: &Archive<Graph>, rng: &mut Rng) -> Vec<Graph> {
        if self.state.ranked.is_empty() {
            return self.state.first.clone();
        }
        let mut next = Vec::with_capacity(self.spec.population);
        let members: Vec<Vec<usize>> =
            self.state.species.iter().map(|one| one.members.clone()).collect();
        for (members, places) in members.iter().zip(self.places()) {
            let keeps = places > 0 && members.len() >= self.spec.elitism;
            if keeps {
                next.push(self.state.ranked[members[0]].candidate.clone());
            }
            let breeding = ((self.spec.survival * members.len() as f64).ceil() as usize)
                .clamp(1, members.len());
            for _ in usize::from(keeps)..places {
                let child = self.offspring(&members[..breeding], rng);
                next.push(child);
            }
        }
        // The next generation is compared with a random member of this one.
        for one in &mut self.state.species {
            let at = one.members[rng.below(one.members.len() as u32) as usize];
            one.representative = self.state.ranked[at].candidate.clone();
        }
        next
    }

    fn tell(&mut self, ranked: Vec<Judged<Graph>>, _rng: &mut Rng) {
        let distance = self.distance();
        self.state.tell(ranked, self.spec.threshold, distance);
    }

    fn statistics(&self) -> Vec<(&'static str, f64)> {
        vec![("species", self.state.species.len() as f64)]
    }

    keeps!(state);
}

#[cfg(test)]
mod tests;
