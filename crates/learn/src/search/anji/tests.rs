//! Which networks survive and breed, and how offspring come about.

use super::*;
use crate::{ArchiveSpec, MutationSpec, NoArchiveSpec, Noise};
use outflank_game::model::graph::Response;
use outflank_game::model::{Model, View};
use outflank_game::player::Policy;
use outflank_kernel::Curve;
use outflank_kernel::rng::{Seed, Stream};

fn rng(index: u64) -> Rng {
    Seed(4).at(Stream::Search, index).rng()
}

fn graph(weight: f32) -> Graph {
    let curve = Curve::SteepSigmoid;
    let response = Response { curve, output: curve, view: View::Mover };
    Graph::layered(response, 2, false, || weight)
}

/// Nothing mutates; weights that differ by 1 make another species.
fn spec(sharing: bool, elitism: usize) -> AnjiSpec {
    AnjiSpec {
        population: 20,
        survival: 0.2,
        sharing,
        elitism,
        threshold: 0.4,
        representative: Representative::Best,
        disjoint: 1.0,
        difference: 1.0,
        add_connection: 0.0,
        add_neuron: 0.0,
        remove: 0.0,
        remove_limit: 100.0,
        mutation: MutationSpec {
            size: 1.0,
            bounds: [-500.0, 500.0],
            ..MutationSpec::sample(Noise::Gaussian, 0.0)
        },
    }
}

/// A generation in which candidate `i` has all weights `weights[i]` and fitness `fitness[i]`.
fn told(spec: AnjiSpec, weights: &[f32], fitness: &[f64]) -> Anji {
    let first: Vec<Graph> = weights.iter().map(|weight| graph(*weight)).collect();
    let mut anji = Anji::new(spec, false, first.clone());
    anji.tell(super::super::rank_by(first, fitness, &mut rng(0)), &mut rng(0));
    anji
}

fn next(anji: &mut Anji) -> Vec<f32> {
    let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
    let asked = anji.ask(&archive, &mut rng(1));
    asked.iter().map(|graph| graph.params()[0]).collect()
}

/// Sixteen networks with weight 0 and fitness 20 to 35, and four with weight 1 and fitness 11 to
/// 14.
fn two_species() -> (Vec<f32>, Vec<f64>) {
    let weights = [vec![0.0; 16], vec![1.0; 4]].concat();
    let fitness = (20..36).chain(11..15).map(f64::from).collect();
    (weights, fitness)
}

#[test]
fn distances_are_shares_of_all_genes_neurons_among_them() {
    let anji = told(spec(false, 6), &[0.0; 20], &[0.0; 20]);
    let distance = anji.distance();
    // 130 connections that differ by 0.5, and 64 inputs, 2 hidden neurons and an output that do
    // not.
    assert!((distance(&graph(0.0), &graph(0.5)) - 0.5 * 130.0 / 197.0).abs() < 1e-9);
    let mut grown = Genome::from(graph(0.0));
    let mut known = super::super::genome::Innovations::of(&graph(0.0));
    grown.add_neuron(true, &mut known, &mut rng(2));
    // One connection of the one; a neuron and two connections of the other, which has 199 genes.
    assert!((distance(&graph(0.0), &grown.into()) - 4.0 / 199.0).abs() < 1e-9);
}

#[test]
fn the_fittest_survive_or_those_who_share_with_few() {
    let (weights, fitness) = two_species();
    let worth = |sharing, elitism| {
        let anji = told(spec(sharing, elitism), &weights, &fitness);
        assert_eq!(anji.state.species.len(), 2);
        let survivors = anji.survivors();
        survivors.iter().map(|at| anji.state.ranked[*at].fitness as i32).collect::<Vec<_>>()
    };
    assert_eq!(worth(false, 6), [35, 34, 33, 32]);
    // A quarter of 14 is more than a sixteenth of 35; the larger species keeps its best.
    assert_eq!(worth(true, 6), [35, 14, 13, 12]);
    assert_eq!(worth(true, 16), [35, 14, 13, 12]);
    assert_eq!(worth(true, 17), [14, 13, 12, 11]);
    // Without sharing, elitism helps small species.
    assert_eq!(worth(false, 1), [35, 14, 34, 33]);
}

#[test]
fn species_breed_in_proportion_to_the_mean_of_their_survivors() {
    let (weights, fitness) = two_species();
    let mut anji = told(spec(true, 6), &weights, &fitness);
    let next = next(&mut anji);
    let ones = next.iter().filter(|weight| **weight > 0.5).count();
    // Survivors have fitness 35, and 14, 13 and 12 (13 on average). So one of 4 clones, three of 12
    // crossed networks, and three survivors have weight 1.
    assert_eq!((next.len(), ones), (20, 3 + 1 + 3));
}

#[test]
fn survivors_stay_as_they_are_and_offspring_mutate() {
    let mut spec = spec(false, 6);
    spec.mutation.rate = 0.5;
    let fitness: Vec<f64> = (0..20).map(f64::from).collect();
    let mut anji = told(spec, &[0.25; 20], &fitness);
    let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
    let asked = anji.ask(&archive, &mut rng(3));
    let changed = |graph: &Graph| {
        graph.params().iter().filter(|weight| weight.to_bits() != 0.25f32.to_bits()).count()
    };
    assert!(asked[..4].iter().all(|survivor| changed(survivor) == 0));
    // Half of 130 weights, with a margin of four standard errors.
    assert!(asked[4..].iter().all(|child| changed(child).abs_diff(65) < 23));
}

#[test]
fn a_founder_stands_for_its_species_for_ever_and_the_best_for_a_generation() {
    let mixed = [vec![graph(0.9); 10], vec![graph(0.3); 10]].concat();
    let fitness: Vec<f64> = (0..20).map(f64::from).rev().collect();
    for (representative, species) in [(Representative::Founder, 2), (Representative::Best, 1)] {
        let mut anji = told(AnjiSpec { representative, ..spec(false, 6) }, &[0.0; 20], &fitness);
        // All drift by 0.5, which is close enough, and then some forward by 0.4 and some back by
        // 0.2: both are close to 0.5.
        anji.tell(super::super::rank_by(vec![graph(0.5); 20], &fitness, &mut rng(1)), &mut rng(0));
        assert_eq!(anji.state.species.len(), 1);
        anji.tell(super::super::rank_by(mixed.clone(), &fitness, &mut rng(2)), &mut rng(0));
        assert_eq!(anji.state.species.len(), species, "{representative:?}");
    }
}
