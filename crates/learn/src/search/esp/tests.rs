//! The operators of ESP, one by one.

use super::*;
use crate::{ArchiveSpec, NoArchiveSpec};
use outflank_game::model::{Eyes, View};
use outflank_game::player::Policy;
use outflank_kernel::Curve;
use outflank_kernel::rng::{Seed, Stream};

const PLACES: usize = 5;

fn rng(index: u64) -> Rng {
    Seed(2).at(Stream::Search, index).rng()
}

fn esp(stagnation: usize, adapt: bool) -> Esp {
    let (curve, eyes, view) = (Curve::Sigmoid, Eyes::Board, View::Mover);
    let shape = Layers { eyes, hidden: vec![PLACES], curve, output: curve, bias: false, view };
    let spec = EspSpec { networks: 20, neurons: 12, rate: 0.4, size: 0.3, stagnation, adapt };
    let mut rng = rng(0);
    Esp::new(spec, 6.0, || Mlp::uniform(shape.clone(), 6.0, &mut rng))
}

/// A generation in which candidate `i` has fitness `fitness(i)`.
fn generation(esp: &mut Esp, index: u64, fitness: impl Fn(usize) -> f64) -> Vec<Mlp> {
    let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
    let mut rng = rng(index);
    let asked = esp.ask(&archive, &mut rng);
    let worth: Vec<f64> = (0..asked.len()).map(fitness).collect();
    let ranked = super::super::rank_by(asked.clone(), &worth, &mut rng);
    esp.tell(ranked, &mut rng);
    asked
}

/// Generations without a better champion, up to the first phase other than breeding.
fn stagnate(esp: &mut Esp, index: &mut u64) {
    while {
        *index += 1;
        generation(esp, *index, |_| 1.0);
        esp.state.phase == Phase::Breed
    } {}
}

#[test]
fn the_best_quarter_breeds_in_the_places_of_the_worse_half() {
    let mut esp = esp(0, false);
    generation(&mut esp, 1, |candidate| candidate as f64);
    let before = esp.state.neurons.clone();
    generation(&mut esp, 2, |_| 0.0);
    // With equal fitness the neurons keep their order: of 12, 3 are the best quarter and 6 the
    // worse half.
    let (mut bred, mut mutants) = (0, 0);
    for (now, before) in esp.state.neurons.iter().zip(&before) {
        for kept in &before[..6] {
            assert!(now.contains(kept), "the better half stays as it is");
        }
        let fresh: Vec<&Neuron> = now.iter().filter(|neuron| !before.contains(neuron)).collect();
        assert!(fresh.len() <= 6);
        for neuron in fresh {
            // One-point crossover, and at most one mutated weight.
            let apart = |at: usize| {
                let parents = before[..3].iter();
                parents.filter(|parent| parent[at].to_bits() == neuron[at].to_bits()).count() == 0
            };
            let changed = (0..neuron.len()).filter(|at| apart(*at)).count();
            assert!(changed <= 1);
            (bred, mutants) = (bred + 1, mutants + changed);
        }
    }
    // Of 30 offspring at least the mutated ones are new, at a rate of 0.4: 12, with a standard
    // error of 2.7.
    assert!(bred > 15 && (2..=23).contains(&mutants), "{bred} {mutants}");
}

#[test]
fn the_number_of_places_has_ends() {
    // With one place it can only grow; at the largest number it continues breeding.
    let mut one = esp(1, true);
    one.state.neurons.truncate(1);
    one.shape.hidden = vec![1];
    let mut index = 1;
    for _ in 0..8 {
        index += 1;
        generation(&mut one, index, |_| 1.0);
    }
    assert!(one.state.neurons.len() > 1);
    let mut full = esp(1, true);
    full.state.neurons = vec![full.state.neurons[0].clone(); outflank_game::model::MOST_NODES];
    full.state.best = vec![full.state.neurons[0][0].clone(); outflank_game::model::MOST_NODES];
    (full.state.phase, full.state.best_fitness) = (Phase::Lesion, 5.0);
    generation(&mut full, 1, |_| 1.0);
    assert_eq!(
        (full.state.phase, full.state.neurons.len()),
        (Phase::Breed, outflank_game::model::MOST_NODES)
    );
}

#[test]
fn neurons_are_worth_the_mean_of_their_networks() {
    let mut esp = esp(0, false);
    let archive = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
    let asked = esp.ask(&archive, &mut rng(1));
    let neurons = esp.state.neurons.clone();
    let used = esp.state.asked.clone();
    let worth: Vec<f64> = (0..asked.len()).map(|candidate| (candidate * 7 % 20) as f64).collect();
    esp.tell(super::super::rank_by(asked, &worth, &mut rng(2)), &mut rng(0));
    for place in 0..PLACES {
        let mean = |neuron: usize| {
            let of: Vec<f64> = (0..20)
                .filter(|network| used[*network][place] as usize == neuron)
                .map(|network| worth[network])
                .collect();
            of.iter().sum::<f64>() / of.len() as f64
        };
        let means: Vec<f64> = esp.state.neurons[place]
            .iter()
            .map(|sorted| mean(neurons[place].iter().position(|one| one == sorted).unwrap()))
            .collect();
        assert!(means.is_sorted_by(|a, b| a >= b), "{means:?}");
    }
}

#[test]
fn a_burst_surrounds_the_best_network_with_cauchy_noise() {
    let mut esp = esp(3, false);
    let mut index = 1;
    generation(&mut esp, index, |candidate| f64::from(candidate == 7) + 1.0);
    let best = esp.state.best.clone();
    for _ in 0..2 {
        index += 1;
        generation(&mut esp, index, |_| 1.0);
        assert_eq!(esp.state.phase, Phase::Breed, "not yet");
    }
    stagnate(&mut esp, &mut index);
    assert_eq!((esp.state.phase, esp.state.bursts), (Phase::Burst, 1));
    assert_eq!(esp.state.best, best);
    let networks = generation(&mut esp, index + 1, |_| 1.0);
    let mut noise = Vec::new();
    for network in &networks {
        for (neuron, best) in network.neurons().iter().zip(&best) {
            noise.extend(neuron.iter().zip(best).map(|(a, b)| f64::from((a - b).abs())));
        }
    }
    noise.sort_by(f64::total_cmp);
    // Half of a Cauchy distribution is within its scale. 60 neurons with 65 weights: the median has
    // a standard error of 0.3 (π / 2) / √3900, about 0.0075.
    assert!((noise[noise.len() / 2] - 0.3).abs() < 0.03, "{}", noise[noise.len() / 2]);
    assert!(noise[noise.len() - 1] <= CUT + 1e-3);
    // A quarter is beyond 2.41 times the scale, unlike in a normal distribution.
    let far = noise.iter().filter(|noise| **noise > 3.0 * 0.3).count() as f64 / noise.len() as f64;
    assert!((far - 0.2).abs() < 0.04, "{far}");
}

#[test]
fn after_bursts_in_vain_the_best_network_is_tried_without_each_neuron() {
    for better in [Some(3), None] {
        let mut esp = esp(2, true);
        let mut index = 1;
        generation(&mut esp, index, |candidate| f64::from(candidate == 0) + 1.0);
        let best = esp.state.best.clone();
        for bursts in 1..=2 {
            stagnate(&mut esp, &mut index);
            assert_eq!((esp.state.phase, esp.state.bursts), (Phase::Burst, bursts));
        }
        stagnate(&mut esp, &mut index);
        assert_eq!(esp.state.phase, Phase::Lesion);
        index += 1;
        let lesioned = generation(&mut esp, index, |place| match Some(place) == better {
            true => 5.0,
            false => 0.5,
        });
        assert_eq!(lesioned.len(), PLACES);
        for (without, network) in lesioned.iter().enumerate() {
            let mut left = best.clone();
            left.remove(without);
            assert_eq!(network.neurons(), left);
        }
        // A place that is not needed is removed; otherwise one is added.
        index += 1;
        let networks = generation(&mut esp, index, |_| 1.0);
        let places = if better.is_some() { PLACES - 1 } else { PLACES + 1 };
        assert!(networks.iter().all(|network| network.neurons().len() == places));
        assert_eq!(esp.state.best.len(), places);
        if let Some(place) = better {
            assert_eq!(esp.state.best[place], best[place + 1]);
        }
    }
}

#[test]
fn a_burst_comes_after_as_many_generations_without_a_better_champion_as_it_is_told() {
    let mut esp = esp(3, false);
    // The first champion, three generations without a better one, and the same again after the
    // burst.
    let phases: Vec<Phase> = (1..=8)
        .map(|index| {
            generation(&mut esp, index, |_| 1.0);
            esp.state.phase
        })
        .collect();
    use Phase::{Breed, Burst};
    assert_eq!(phases, [Breed, Breed, Breed, Burst, Breed, Breed, Burst, Breed]);
    // A better champion restarts the count.
    generation(&mut esp, 9, |_| 2.0);
    let phases: Vec<Phase> = (10..=12)
        .map(|index| {
            generation(&mut esp, index, |_| 1.0);
            esp.state.phase
        })
        .collect();
    assert_eq!(phases, [Breed, Breed, Burst]);
}
