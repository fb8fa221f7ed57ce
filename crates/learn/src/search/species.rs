//! Species: networks that are close to a representative.

use serde::{Deserialize, Serialize};

use super::Judged;
use super::genome::Innovations;
use outflank_game::model::Graph;
use outflank_schema::{Fault, KeyPath};

/// A species.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Species {
    /// The network that members are compared with.
    pub representative: Graph,
    /// The best fitness so far.
    pub best: f64,
    /// Generations since then.
    pub stagnant: usize,
    /// Its members, by rank in the population; the best first.
    pub members: Vec<usize>,
}

/// A population of growing networks with its species.
#[derive(Serialize, Deserialize)]
pub struct Population {
    /// The initial networks, before they are evaluated.
    pub first: Vec<Graph>,
    /// Evaluated networks, best first.
    pub ranked: Vec<Judged<Graph>>,
    /// Its species.
    pub species: Vec<Species>,
    /// The innovation numbers of its connections and neurons.
    pub known: Innovations,
}

impl Population {
    /// Starts from these networks.
    pub fn new(first: Vec<Graph>) -> Population {
        let known = Innovations::of(&first[0]);
        Population { first, ranked: Vec::new(), species: Vec::new(), known }
    }

    /// Takes the networks back with their fitness.
    pub fn tell(
        &mut self,
        ranked: Vec<Judged<Graph>>,
        threshold: f64,
        distance: impl Fn(&Graph, &Graph) -> f64,
    ) {
        self.first.clear();
        speciate(&mut self.species, &ranked, threshold, distance);
        self.ranked = ranked;
    }
}

/// Sorts a ranked population into the existing species. A network that fits no species founds one;
/// a species without members is dropped.
fn speciate(
    species: &mut Vec<Species>,
    ranked: &[Judged<Graph>],
    threshold: f64,
    distance: impl Fn(&Graph, &Graph) -> f64,
) {
    species.iter_mut().for_each(|one| one.members.clear());
    for (place, judged) in ranked.iter().enumerate() {
        let near =
            |one: &&mut Species| distance(&one.representative, &judged.candidate) < threshold;
        match species.iter_mut().find(near) {
            Some(one) => one.members.push(place),
            None => species.push(Species {
                representative: judged.candidate.clone(),
                best: f64::NEG_INFINITY,
                stagnant: 0,
                members: vec![place],
            }),
        }
    }
    species.retain(|one| !one.members.is_empty());
    for one in species {
        let best = ranked[one.members[0]].fitness;
        one.stagnant += 1;
        if best > one.best {
            (one.best, one.stagnant) = (best, 0);
        }
    }
}

/// Checks that several networks can belong to one species.
pub fn check_threshold(at: &KeyPath, threshold: f64) -> Result<(), Fault> {
    let expected = "a number above 0: with 0 every network would be a species of its own";
    at.positive("threshold", threshold, expected)
}

/// Fitness to be shared, which is never negative.
pub fn shareable(ranked: &[Judged<Graph>]) -> Vec<f64> {
    let least = ranked.iter().map(|judged| judged.fitness).fold(0.0, f64::min);
    ranked.iter().map(|judged| judged.fitness - least).collect()
}

/// Divides places in proportion to shares: each gets the integer part, and the largest remainders
/// get one more.
pub fn apportion(places: usize, shares: &[f64]) -> Vec<usize> {
    let sum: f64 = shares.iter().sum();
    let even = shares.len() as f64;
    let exact = |share: &f64| {
        let part = if sum > 0.0 { share / sum } else { 1.0 / even };
        part * places as f64
    };
    let exact: Vec<f64> = shares.iter().map(exact).collect();
    let mut given: Vec<usize> = exact.iter().map(|part| *part as usize).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|a, b| exact[*b].fract().total_cmp(&exact[*a].fract()));
    let left = places.saturating_sub(given.iter().sum());
    order
        .iter()
        .cycle()
        .take(if shares.is_empty() { 0 } else { left })
        .for_each(|at| given[*at] += 1);
    given
}
