//! Laws of searches over networks, besides those of all searches.

use super::genome::{Difference, Genome, Innovations};
use super::species::apportion;
use super::*;
use crate::{ArchiveSpec, MlpSpec, ModelKind, MutationSpec, NoArchiveSpec, Noise};
use outflank_game::model::graph::Response;
use outflank_game::model::{Graph, Mlp, Model, View};
use outflank_game::player::Policy;
use outflank_kernel::Curve;
use outflank_kernel::rng::{Seed, Stream};

fn rng(index: u64) -> Rng {
    Seed(1).at(Stream::Search, index).rng()
}

fn layered(hidden: usize, weight: f32) -> Graph {
    let response =
        Response { curve: Curve::SteepSigmoid, output: Curve::SteepSigmoid, view: View::Mover };
    Graph::layered(response, hidden, false, || weight)
}

fn archive<M: Candidate>() -> Archive<M> {
    Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default())
}

/// A search over the models of a preset, made small.
fn perceptrons(search: &SearchSpec, hidden: usize) -> Box<dyn Search<Mlp>> {
    use outflank_game::model::{Eyes, MlpShape};
    let (curve, eyes) = (Curve::Sigmoid, Eyes::Board);
    let shape = MlpShape {
        eyes,
        hidden: vec![hidden],
        curve,
        output: curve,
        bias: false,
        view: View::Mover,
    };
    let mut rng = rng(9);
    let model = ModelSpec::Mlp(<MlpSpec as ModelKind>::sample());
    let first = &mut || Mlp::uniform(shape.clone(), 1.0, &mut rng);
    search.build(Beginning { model: &model, start: 1.0, first })
}

/// The closer the sum of the output weights is to 10, the better: neurons must cooperate.
fn together(mlp: &Mlp) -> f64 {
    let sum: f32 = mlp.neurons().iter().map(|neuron| neuron[neuron.len() - 1]).sum();
    20.0 - f64::from((sum - 10.0).abs())
}

fn climb(mut search: Box<dyn Search<Mlp>>, generations: u64) -> (f64, f64) {
    let (mut first, mut last) = (0.0, 0.0);
    for generation in 0..generations {
        let mut rng = rng(100 + generation);
        let asked = search.ask(&archive(), &mut rng);
        let worth: Vec<f64> = asked.iter().map(together).collect();
        last = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if generation == 0 {
            first = last;
        }
        let ranked = rank_by(asked, &worth, &mut rng);
        search.tell(ranked, &mut rng);
    }
    (first, last)
}

/// ESP with every key that can be neutral so.
fn dealt_in_turn() -> crate::EspSpec {
    crate::EspSpec {
        networks: 20,
        neurons: 10,
        rate: 0.4,
        size: 0.3,
        stagnation: 0,
        adapt: false,
        deal: crate::Deal::InTurn,
        mate: crate::Mate::Quarter,
        stagnant: crate::Stagnant::Record,
        lesion: 0.0,
        reset: false,
    }
}

#[test]
fn neurons_learn_to_work_together() {
    let sane = |blueprints| {
        SearchSpec::Sane(crate::SaneSpec {
            networks: 20,
            neurons: 60,
            elite: 12,
            blueprints,
            rate: 0.1,
            size: 0.5,
            replace: 0.01,
            best: 5,
            flips: 21,
            repeats: false,
            distinct: false,
            partner: crate::Partner::Itself,
            heirs: crate::Heirs::Own,
        })
    };
    let esp = |stagnation, adapt| {
        SearchSpec::Esp(crate::EspSpec { stagnation, adapt, ..dealt_in_turn() })
    };
    for search in [sane(4), sane(0), esp(0, false), esp(3, false)] {
        let (first, last) = climb(perceptrons(&search, 5), 80);
        assert!(last > first + 2.0 && last > 15.0, "{search:?}: {first} to {last}");
    }
    // With adaptation the number of neurons may change; the search continues all the same.
    let (_, last) = climb(perceptrons(&esp(2, true), 5), 80);
    assert!(last > 15.0, "{last}");
}

#[test]
fn every_neuron_of_a_subpopulation_takes_part_as_often() {
    let mut search = perceptrons(&SearchSpec::Esp(dealt_in_turn()), 3);
    let asked = search.ask(&archive(), &mut rng(0));
    for place in 0..3 {
        let mut uses = std::collections::BTreeMap::new();
        for mlp in &asked {
            *uses.entry(format!("{:?}", mlp.neurons()[place])).or_insert(0) += 1;
        }
        assert!(uses.len() == 10 && uses.values().all(|count| *count == 2));
    }
}

#[test]
fn a_new_neuron_changes_little_and_has_a_number_that_others_share() {
    let mut known = Innovations::of(&layered(2, 0.5));
    let mut one = Genome::from(layered(2, 0.5));
    let mut other = Genome::from(layered(2, 0.5));
    // The same random numbers split the same connection.
    one.add_neuron(true, &mut known, &mut rng(1));
    other.add_neuron(true, &mut known, &mut rng(1));
    let (one, other) = (Graph::from(one), Graph::from(other));
    assert_eq!((one.hidden(), one.genes()), (other.hidden(), other.genes()));
    assert_eq!(one.hidden().len(), 3);
    assert_eq!(one.genes().len(), 2 * 64 + 2 + 1, "one is removed, two are added");
    let mut kept = Genome::from(layered(2, 0.5));
    kept.add_neuron(false, &mut known, &mut rng(1));
    let kept = Graph::from(kept);
    assert_eq!(kept.genes().iter().filter(|gene| !gene.enabled).count(), 1);
    assert_eq!(kept.connections().count(), one.genes().len());
    // Split again, the same connection gives another neuron.
    let mut again = Genome::from(kept);
    for index in 0..50 {
        again.add_neuron(false, &mut known, &mut rng(2 + index));
    }
    let again = Graph::from(again);
    assert_eq!(again.hidden().len(), 53);
    assert!(
        Graph::new(
            again.response(),
            again.hidden().to_vec(),
            again.genes().to_vec(),
            again.params().to_vec()
        )
        .is_ok()
    );
}

#[test]
fn connections_come_and_go_without_cycles_and_nobody_is_stranded() {
    let mut known = Innovations::of(&layered(3, 0.1));
    let mut genome = Genome::from(layered(3, 0.1));
    let mut rng = rng(3);
    for _ in 0..300 {
        genome.add_connection(true, [-9.0, 9.0], &mut known, &mut rng);
        if rng.unit() < 0.2 {
            genome.add_neuron(true, &mut known, &mut rng);
        }
        genome.remove_connections(0.05, 100.0, &mut rng);
        genome.prune();
        let graph = Graph::from(genome.clone());
        let parts = (graph.hidden().to_vec(), graph.genes().to_vec(), graph.params().to_vec());
        let graph = Graph::new(graph.response(), parts.0, parts.1, parts.2).unwrap();
        for node in graph.hidden() {
            assert!(graph.genes().iter().any(|gene| gene.to == *node), "has no input");
            assert!(
                graph.genes().iter().any(|gene| gene.from == *node),
                "has no path to the output"
            );
        }
    }
    // All connections are removed, so nothing is left.
    genome.remove_connections(1.0, 1e9, &mut rng);
    genome.remove_connections(1.0, 1e9, &mut rng);
    genome.prune();
    let graph = Graph::from(genome);
    assert!(graph.hidden().len() <= 1);
}

#[test]
fn connections_are_removed_the_likelier_the_smaller_they_are() {
    let removed = |weight: f32| {
        let mut genome = Genome::from(layered(10, weight));
        genome.remove_connections(0.5, 1.0, &mut rng(4));
        650 - Graph::from(genome).genes().len()
    };
    // Of 650 connections: half, an eighth, none.
    let near = |found: usize, p: f64| {
        (found as f64 - 650.0 * p).abs() < 4.0 * (650.0 * p * (1.0 - p)).sqrt() + 0.1
    };
    assert!(near(removed(0.0), 0.5) && near(removed(0.5), 0.125) && removed(1.5) == 0);
}

#[test]
fn differences_count_what_only_one_has() {
    let first = layered(2, 0.5);
    let mut known = Innovations::of(&first);
    let mut genome = Genome::from(first.clone());
    genome.add_neuron(false, &mut known, &mut rng(5));
    let bounds = [0.75, 0.75 + 1e-6];
    let mutation = MutationSpec { size: 0.0, bounds, ..MutationSpec::sample(Noise::Uniform, 1.0) };
    let grown = Graph::from(genome.clone());
    let found = Difference::of(&first, &grown);
    assert_eq!((found.excess, found.disjoint, found.neurons), (2, 0, 1));
    assert_eq!((found.shared, found.shared_neurons), (130, 2));
    assert!(found.weights.abs() < 1e-6);
    genome.mutate_weights(&mutation, 0.0, &mut rng(6));
    let found = Difference::of(&Graph::from(genome), &first);
    assert_eq!((found.excess, found.disjoint, found.neurons), (2, 0, 1));
    assert!((found.weights / 130.0 - 0.25).abs() < 1e-4, "{found:?}");
}

#[test]
fn places_are_shared_out_to_the_last() {
    assert_eq!(apportion(10, &[1.0, 1.0, 2.0]), [3, 2, 5]);
    assert_eq!(apportion(3, &[0.0, 0.0]), [2, 1]);
    assert_eq!(apportion(0, &[1.0]), [0]);
    assert_eq!(apportion(7, &[]), Vec::<usize>::new());
    let many = apportion(100, &[0.3, 0.1, 7.0, 2.2, 0.0]);
    assert_eq!(many.iter().sum::<usize>(), 100);
}
