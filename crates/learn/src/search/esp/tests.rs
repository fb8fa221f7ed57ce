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
    let spec = EspSpec {
        networks: 20,
        neurons: 12,
        rate: 0.4,
        size: 0.3,
        stagnation,
        adapt,
        deal: Deal::InTurn,
        mate: Mate::Quarter,
        stagnant: Stagnant::Record,
        lesion: 0.0,
        reset: false,
    };
    let mut rng = rng(0);
    Esp::new(spec, (First::Uniform, 6.0), || Mlp::uniform(shape.clone(), 6.0, &mut rng))
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

#[test]
fn neurons_drawn_at_random_take_part_unequally_and_those_that_do_not_rank_last() {
    let mut esp = esp(0, false);
    esp.spec.deal = Deal::Random;
    let neurons = esp.state.neurons.clone();
    // Fitness is negative, so that 0 would not be the last.
    generation(&mut esp, 1, |candidate| candidate as f64 - 100.0);
    let (mut unused, mut often) = (0, 0);
    for place in 0..PLACES {
        let uses = |neuron: &Neuron| {
            let at = neurons[place].iter().position(|one| one == neuron).unwrap() as u32;
            esp.state.asked.iter().filter(|network| network[place] == at).count()
        };
        let sorted: Vec<usize> = esp.state.neurons[place].iter().map(uses).collect();
        assert_eq!(sorted.iter().sum::<usize>(), 20);
        let used = sorted.iter().filter(|uses| **uses > 0).count();
        assert!(sorted[..used].iter().all(|uses| *uses > 0), "{sorted:?}");
        (unused, often) = (unused + 12 - used, often + sorted.iter().filter(|n| **n > 2).count());
    }
    // Of 60 neurons 17.6% are in no network and 24% in three or more: 10.5 and 14.5, with standard
    // errors below 3.3.
    assert!((1..=24).contains(&unused) && (2..=28).contains(&often), "{unused} {often}");
}

#[test]
fn a_mate_of_better_rank_is_better_and_the_best_has_any_of_the_quarter() {
    let mut mates = [[0; 3]; 3];
    for trial in 0..100 {
        let mut esp = esp(0, false);
        (esp.spec.mate, esp.spec.rate) = (Mate::Better, 0.0);
        // Weights tell whose they are.
        let ranked: Vec<Neuron> = (0..12).map(|rank| vec![rank as f32; 65]).collect();
        esp.state.neurons = vec![ranked; PLACES];
        esp.breed(&mut rng(100 + trial));
        for neurons in &esp.state.neurons {
            for rank in 0..3 {
                let children = [&neurons[11 - 2 * rank], &neurons[10 - 2 * rank]];
                let others = children.iter().flat_map(|child| child.iter());
                let mate = others.map(|weight| *weight as usize).find(|of| *of != rank);
                mates[rank][mate.unwrap_or(rank)] += 1;
            }
        }
    }
    // 500 each: a third, all, and half of them, with standard errors of 11 at most.
    let near = |count: i32, expected: i32| (count - expected).abs() < 50;
    assert!(mates[0].iter().all(|count| near(*count, 167)), "{mates:?}");
    assert_eq!(mates[1], [500, 0, 0]);
    assert!(near(mates[2][0], 250) && near(mates[2][1], 250) && mates[2][2] == 0, "{mates:?}");
}

/// The phases after generations whose champions have this fitness.
fn phases(esp: &mut Esp, index: &mut u64, champions: &[f64]) -> Vec<Phase> {
    let mut phase = |champion: &f64| {
        *index += 1;
        generation(esp, *index, |_| *champion);
        esp.state.phase
    };
    champions.iter().map(&mut phase).collect()
}

#[test]
fn champions_below_the_record_of_the_time_before_are_stagnation_in_spite_of_later_records() {
    use Phase::{Breed, Burst};
    let mut esp = esp(3, false);
    esp.spec.stagnant = Stagnant::Champion;
    let mut index = 0;
    // Records are 5, 6, 7, 7: in the fourth generation the champion is not above the second record.
    let found = phases(&mut esp, &mut index, &[5.0, 6.0, 7.0, 6.0]);
    assert_eq!(found, [Breed, Breed, Breed, Burst]);
    // Records before a burst are forgotten.
    assert_eq!(phases(&mut esp, &mut index, &[1.0, 1.0, 1.0]), [Breed, Breed, Burst]);
    // Champions that are above the record of two generations before are progress.
    let found = phases(&mut esp, &mut index, &[8.0, 9.0, 9.0, 9.5]);
    assert_eq!(found, [Breed; 4]);
}

/// Delta coding as in JavaESP.
fn renewing() -> Esp {
    let mut esp = esp(2, true);
    (esp.spec.stagnant, esp.spec.lesion, esp.spec.reset) = (Stagnant::Champion, 0.9, true);
    esp
}

#[test]
fn a_place_goes_if_the_network_keeps_enough_of_its_fitness_of_the_same_generation() {
    use Phase::{Breed, Burst, Grow, Lesion};
    for (without, after) in [(4.5, Burst), (4.4, Grow)] {
        let mut esp = renewing();
        let mut index = 0;
        // The first burst, and after as many generations with the same best network a lesion.
        let found = phases(&mut esp, &mut index, &[10.0, 9.0, 9.0, 9.0]);
        assert_eq!(found, [Breed, Burst, Breed, Lesion]);
        let best = esp.state.best.clone();
        index += 1;
        // The stored fitness is 10; now the whole network, the last, has 5.
        let tried = generation(&mut esp, index, |place| match place {
            PLACES => 5.0,
            3 => without,
            _ => 1.0,
        });
        assert_eq!((tried.len(), esp.state.phase), (PLACES + 1, after));
        assert_eq!(tried[PLACES].neurons(), best);
        assert!(esp.state.best_fitness.is_infinite(), "forgotten");
        let networks = generation(&mut esp, index + 1, |_| 5.0);
        let places = if after == Burst { PLACES - 1 } else { PLACES + 1 };
        assert!(networks.iter().all(|network| network.neurons().len() == places));
        assert_eq!(esp.state.best_fitness.to_bits(), 5f64.to_bits());
        // Equal fitness counts as the same network: 5 as measured last, or 10 as before.
        let found = phases(&mut esp, &mut index, &[5.0]);
        assert_eq!(found, [if after == Burst { Lesion } else { Burst }]);
    }
}

#[test]
fn a_better_network_after_a_burst_is_surrounded_in_turn() {
    use Phase::{Breed, Burst, Lesion};
    let mut esp = renewing();
    let found = phases(&mut esp, &mut 0, &[5.0, 5.0, 6.0, 6.0, 6.0, 6.0]);
    assert_eq!(found, [Breed, Burst, Breed, Burst, Breed, Lesion]);
}

#[test]
fn what_delta_coding_remembers_is_saved_if_it_is_used() {
    for esp in [renewing, || esp(3, true)] {
        let worth =
            |index: u64| move |candidate: usize| (candidate as u64 * 7 % 5 + index % 3) as f64;
        let mut unbroken = esp();
        let mut resumed = esp();
        for index in 1..60 {
            generation(&mut unbroken, index, worth(index));
            let saved = resumed.save();
            resumed = esp();
            resumed.restore(&saved).unwrap();
            generation(&mut resumed, index, worth(index));
            assert!(resumed.save() == unbroken.save(), "{index}");
        }
        assert_ne!(unbroken.state.neurons.len(), PLACES, "places have changed");
    }
    // A state without it is what it always was.
    let plain = esp(3, true);
    assert_eq!(plain.save(), saved(&plain.state));
    assert!(renewing().restore(&plain.save()).is_err());
}

#[test]
fn new_places_have_weights_like_the_first() {
    let mut esp = renewing();
    esp.fresh = (First::Normal, 2.0);
    generation(&mut esp, 1, |_| 1.0);
    esp.grow(&mut rng(2));
    let weights = esp.state.neurons[PLACES].iter().flatten();
    let squares: f64 = weights.map(|weight| f64::from(*weight).powi(2)).sum();
    // 12 neurons with 65 weights: a variance of 4, with a standard error of 0.2.
    assert!((squares / 780.0 - 4.0).abs() < 0.8, "{squares}");
}

#[test]
fn keys_that_would_do_nothing_are_refused() {
    let checked = |spec: EspSpec| {
        let method = crate::resolve("esp", &[]).unwrap();
        let spec = Spec { search: crate::SearchSpec::Esp(spec), ..method.spec };
        spec.check().map_err(|fault| fault.to_string())
    };
    let plain = esp(20, false).spec;
    assert_eq!(checked(plain.clone()), Ok(()));
    let refused = checked(EspSpec { lesion: 0.9, ..plain.clone() }).unwrap_err();
    assert_eq!(refused, "search.lesion = 0.9, expected 0, because search.adapt = false");
    let refused = checked(EspSpec { reset: true, ..plain.clone() }).unwrap_err();
    assert_eq!(refused, "search.reset = true, expected false, because search.adapt = false");
    assert!(checked(EspSpec { adapt: true, lesion: 1.5, ..plain.clone() }).is_err());
    // Neurons that are drawn need no network for each.
    let few = EspSpec { networks: 5, ..plain };
    assert!(checked(few.clone()).is_err());
    assert_eq!(checked(EspSpec { deal: Deal::Random, ..few }), Ok(()));
}
