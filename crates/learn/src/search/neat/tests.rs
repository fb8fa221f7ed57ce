//! The operators of canonical NEAT, one by one.

use super::*;
use crate::{ArchiveSpec, MutationSpec, NoArchiveSpec, Noise};
use outflank_game::model::graph::{Gene, HIDDEN, OUTPUT, Response};
use outflank_game::model::{Model, View};
use outflank_game::player::Policy;
use outflank_kernel::Curve;
use outflank_kernel::rng::{Seed, Stream};

fn rng(index: u64) -> Rng {
    Seed(5).at(Stream::Search, index).rng()
}

fn response() -> Response {
    Response { curve: Curve::SteepSigmoid, output: Curve::SteepSigmoid, view: View::Mover }
}

fn graph(weight: f32) -> Graph {
    Graph::layered(response(), 0, false, || weight)
}

/// Nothing mutates, and all networks belong to one species.
fn spec() -> NeatSpec {
    NeatSpec {
        population: 20,
        survival: 0.5,
        drop_off: 3,
        elitism: 6,
        threshold: 100.0,
        excess: 1.0,
        disjoint: 1.0,
        difference: 0.4,
        mutate_only: 0.0,
        interspecies: 0.0,
        disable: 0.75,
        add_connection: 0.0,
        add_neuron: 0.0,
        mutate: 0.0,
        renew: 0.0,
        mutation: MutationSpec {
            size: 2.5,
            bounds: [-8.0, 8.0],
            ..MutationSpec::sample(Noise::Uniform, 1.0)
        },
    }
}

fn told(spec: NeatSpec, first: Vec<Graph>, fitness: &[f64]) -> Neat {
    let mut neat = Neat::new(spec, false, first.clone());
    neat.tell(super::super::rank_by(first, fitness, &mut rng(0)), &mut rng(0));
    neat
}

fn ask(neat: &mut Neat, index: u64) -> Vec<Graph> {
    let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
    neat.ask(&archive, &mut rng(index))
}

/// A path from a square to the output through a neuron, and a direct one, which may be disabled.
fn two_ways(weight: f32, straight: bool) -> Graph {
    let gene = |innovation, from, to, enabled| Gene { innovation, from, to, enabled };
    let genes =
        vec![gene(0, 0, HIDDEN, true), gene(1, HIDDEN, OUTPUT, true), gene(2, 0, OUTPUT, straight)];
    Graph::new(response(), vec![HIDDEN], genes, vec![weight; 3]).unwrap()
}

#[test]
fn distances_are_not_divided_by_the_number_of_genes() {
    let neat = told(spec(), vec![graph(0.0); 20], &[0.0; 20]);
    let distance = neat.distance();
    assert!((distance(&graph(0.0), &graph(0.5)) - 0.4 * 0.5).abs() < 1e-6);
    let mut grown = Genome::from(graph(0.0));
    let mut known = super::super::genome::Innovations::of(&graph(0.0));
    grown.add_neuron(false, &mut known, &mut rng(2));
    // Two connections beyond the last of the other network; the split connection remains, disabled.
    assert!((distance(&graph(0.0), &grown.into()) - 2.0).abs() < 1e-9);
}

#[test]
fn what_either_parent_has_disabled_is_so_in_three_of_four_offspring() {
    let (parents, fitness) =
        ([vec![two_ways(0.0, true); 10], vec![two_ways(1.0, false); 10]].concat(), vec![1.0; 20]);
    // All networks breed, and none is kept.
    let spec = NeatSpec { survival: 1.0, elitism: 100, population: 400, ..spec() };
    let mut neat = told(spec, parents, &fitness);
    let next = ask(&mut neat, 1);
    let disabled = next.iter().filter(|graph| !graph.genes()[2].enabled).count() as f64;
    // In three of four pairs at least one parent has it disabled: 9/16 of 400, with a standard
    // error of 10.
    assert!((disabled - 225.0).abs() < 40.0, "{disabled}");
    // Weights that both have come from either parent.
    let mixed = |graph: &&Graph| {
        graph.params().iter().any(|w| *w > 0.5) && graph.params().iter().any(|w| *w < 0.5)
    };
    let mixed = next.iter().filter(mixed).count() as f64;
    // Half of the pairs differ, and three of four of these mix three weights: 150, with a standard
    // error of 10.
    assert!((mixed - 150.0).abs() < 40.0, "{mixed}");
}

#[test]
fn species_that_do_not_improve_are_given_up_but_for_the_best() {
    // Two species, neither of which ever improves. The better one lives on.
    let first = [vec![graph(0.0); 10], vec![graph(8.0); 10]].concat();
    let fitness: Vec<f64> = [vec![2.0; 10], vec![1.0; 10]].concat();
    let mut neat = told(NeatSpec { threshold: 1.0, ..spec() }, first.clone(), &fitness);
    assert_eq!((neat.state.species.len(), neat.places()), (2, vec![13, 7]));
    for generation in 1..=3 {
        assert!(neat.places()[1] > 0, "generation {generation}");
        neat.tell(
            super::super::rank_by(first.clone(), &fitness, &mut rng(generation)),
            &mut rng(0),
        );
    }
    assert_eq!(neat.places(), [20, 0]);
}

#[test]
fn mates_come_from_other_species_as_often_as_is_asked() {
    let first = [vec![graph(0.0); 10], vec![graph(8.0); 10]].concat();
    for (interspecies, expected) in [(0.0, 0.0), (1.0, 0.5)] {
        let spec =
            NeatSpec { threshold: 1.0, interspecies, population: 400, elitism: 100, ..spec() };
        let mut neat = told(spec, first.clone(), &[1.0; 20]);
        let mixed = |graph: &&Graph| {
            let high = graph.params().iter().filter(|weight| **weight > 4.0).count();
            high > 0 && high < 64
        };
        let share = ask(&mut neat, 3).iter().filter(mixed).count() as f64 / 400.0;
        // Half of all networks belong to the other species.
        assert!((share - expected).abs() < 0.1 + f64::EPSILON, "{share}");
    }
}

#[test]
fn the_best_of_a_large_species_is_kept_and_the_worse_half_does_not_breed() {
    let first: Vec<Graph> = (0..20).map(|index| graph(index as f32 / 100.0)).collect();
    let fitness: Vec<f64> = (0..20).map(f64::from).collect();
    let mut neat = told(NeatSpec { mutate_only: 1.0, ..spec() }, first, &fitness);
    let next = ask(&mut neat, 4);
    assert_eq!(next.len(), 20);
    assert!((next[0].params()[0] - 0.19).abs() < 1e-6);
    assert!(next.iter().all(|graph| graph.params()[0] > 0.095), "the better half breeds");
}

#[test]
fn a_species_keeps_its_best_from_as_many_members_on_as_it_is_told() {
    let fitness: Vec<f64> = (0..20).map(f64::from).collect();
    for (elitism, kept) in [(19, 1), (20, 1), (21, 0)] {
        // All 20 belong to one species, and every offspring mutates.
        let spec = NeatSpec { elitism, mutate_only: 1.0, mutate: 1.0, ..spec() };
        let mut neat = told(spec, vec![graph(0.25); 20], &fitness);
        let same = |graph: &&Graph| {
            graph.params().iter().all(|weight| weight.to_bits() == 0.25f32.to_bits())
        };
        assert_eq!(ask(&mut neat, 4).iter().filter(same).count(), kept, "elitism {elitism}");
    }
}
