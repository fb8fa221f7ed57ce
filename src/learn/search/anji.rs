//! NEAT as the program ANJI does it, with which Vuurboom 2008 worked. It differs from the paper of 2002: a fifth of all
//! survives unchanged, by shared fitness; connections disappear, small ones sooner, and neurons without use with them; a
//! neuron takes the place of the connection it splits; nothing is ever disabled; and distances are shares of all genes.

use super::genome::{Difference, Genome};
use super::species::{Population, apportion, shareable};
use super::{Judged, Search};
use crate::learn::{AnjiSpec, Archive, Representative};
use crate::model::Graph;
use crate::rng::Rng;

/// Neurons that every network has: an input for each square, and the output.
const ENDS: usize = 65;

/// The population and its species.
pub struct Anji {
    spec: AnjiSpec,
    bias: bool,
    state: Population,
}

impl Anji {
    /// Begins with this population.
    pub fn new(spec: AnjiSpec, bias: bool, first: Vec<Graph>) -> Anji {
        Anji { spec, bias, state: Population::new(first) }
    }

    fn distance(&self) -> impl Fn(&Graph, &Graph) -> f64 + use<> {
        let (disjoint, difference) = (self.spec.disjoint, self.spec.difference);
        move |a, b| {
            let found = Difference::of(a, b);
            // Neurons are genes too, and do not differ if both have them.
            let genes = |graph: &Graph| ENDS + graph.hidden().len() + graph.genes().len();
            let alone = (found.excess + found.disjoint + found.neurons) as f64;
            let shared = (ENDS + found.shared_neurons + found.shared) as f64;
            disjoint * alone / genes(a).max(genes(b)) as f64 + difference * found.weights / shared
        }
    }

    /// Who survives, by place: the best of each larger species, then the best by fitness, shared or not.
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
            // The fittest stand first in the ranking; nobody shares here.
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
                    // The fitter, with the lower place, dominates.
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

    fn tell(&mut self, ranked: Vec<Judged<Graph>>) {
        let distance = self.distance();
        self.state.tell(ranked, self.spec.threshold, distance);
        if self.spec.representative == Representative::Best {
            for one in &mut self.state.species {
                one.representative = self.state.ranked[one.members[0]].candidate.clone();
            }
        }
    }

    fn species(&self) -> Option<usize> {
        Some(self.state.species.len())
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.state).expect("networks can be written to memory")
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        self.state = postcard::from_bytes(saved)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
