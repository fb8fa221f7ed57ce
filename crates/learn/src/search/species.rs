//! Species: networks that are near enough to a representative.

use serde::{Deserialize, Serialize};

use super::Judged;
use super::genome::Innovations;
use outflank_game::model::Graph;
use outflank_schema::{Fault, KeyPath};

/// A species.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Species {
    /// Whom a member is near to.
    pub representative: Graph,
    /// The best fitness it has had.
    pub best: f64,
    /// Generations since.
    pub stagnant: usize,
    /// Its members, by their place in the ranked population; the best first.
    pub members: Vec<usize>,
}

/// A population of growing networks: what there was at first, or what became of it.
#[derive(Serialize, Deserialize)]
pub struct Population {
    /// Not judged yet.
    pub first: Vec<Graph>,
    /// Judged, best first.
    pub ranked: Vec<Judged<Graph>>,
    /// Its species.
    pub species: Vec<Species>,
    /// The numbers of its connections and neurons.
    pub known: Innovations,
}

impl Population {
    /// Begins with these.
    pub fn new(first: Vec<Graph>) -> Population {
        let known = Innovations::of(&first[0]);
        Population { first, ranked: Vec::new(), species: Vec::new(), known }
    }

    /// Takes it back, judged.
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

/// Sorts a ranked population into the species there are; who fits nowhere founds one, who is left by all ends.
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

/// That networks can be of one species.
pub fn check_threshold(at: &KeyPath, threshold: f64) -> Result<(), Fault> {
    let expected = "a number above 0: with 0 nobody would be of anybody's species";
    at.positive("threshold", threshold, expected)
}

/// Fitness to share: never negative.
pub fn shareable(ranked: &[Judged<Graph>]) -> Vec<f64> {
    let least = ranked.iter().map(|judged| judged.fitness).fold(0.0, f64::min);
    ranked.iter().map(|judged| judged.fitness - least).collect()
}

/// Divides places in proportion to shares: each gets the whole part, and the largest rests one more.
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
