//! NEAT as Stanley & Miikkulainen 2002 describe it: networks that grow from few connections, with historical markings by
//! which unlike ones can be crossed, and species that share fitness and protect what is new.

use super::genome::{Difference, Genome};
use super::species::{Population, Species, apportion, shareable};
use super::{Judged, Search};
use crate::learn::{Archive, NeatSpec};
use crate::model::Graph;
use crate::rng::Rng;

/// The population and its species.
pub struct Neat {
    spec: NeatSpec,
    bias: bool,
    state: Population,
}

impl Neat {
    /// Begins with this population.
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

    /// Places for offspring by the mean fitness of species; those that have long not improved get none, unless all have.
    fn places(&self) -> Vec<usize> {
        let fitness = shareable(&self.state.ranked);
        let mean = |one: &Species| {
            one.members.iter().map(|at| fitness[*at]).sum::<f64>() / one.members.len() as f64
        };
        // The species of the best network is never given up.
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
        // The next generation is compared with a random member of this.
        for one in &mut self.state.species {
            let at = one.members[rng.below(one.members.len() as u32) as usize];
            one.representative = self.state.ranked[at].candidate.clone();
        }
        next
    }

    fn tell(&mut self, ranked: Vec<Judged<Graph>>) {
        let distance = self.distance();
        self.state.tell(ranked, self.spec.threshold, distance);
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
