//! The operators of SANE, one by one.

use super::*;
use outflank_game::model::{Eyes, View};
use outflank_kernel::Curve;
use outflank_kernel::rng::{Seed, Stream};

fn rng(index: u64) -> Rng {
    Seed(3).at(Stream::Search, index).rng()
}

/// Thirty neurons in networks of four.
fn sane(rate: f64, replace: f64) -> Sane {
    let (curve, eyes, view) = (Curve::Sigmoid, Eyes::Board, View::Mover);
    let shape = Layers { eyes, hidden: vec![4], curve, output: curve, bias: false, view };
    let (networks, neurons, elite, blueprints) = (12, 30, 6, 3);
    let spec = SaneSpec {
        networks,
        neurons,
        elite,
        blueprints,
        rate,
        size: 1.0,
        replace,
        best: 2,
        flips: 21,
        repeats: false,
        distinct: false,
        partner: Partner::Itself,
        heirs: Heirs::Own,
    };
    let mut rng = rng(0);
    Sane::new(spec, || Mlp::uniform(shape.clone(), 1.0, &mut rng))
}

/// Sets blueprints with their fitness, best first.
fn judged(sane: &mut Sane, blueprints: Vec<Vec<u32>>) {
    sane.state.fitness = (0..blueprints.len()).map(|rank| 50.0 - rank as f64).collect();
    sane.state.blueprints = blueprints;
}

/// Network `i` has four neurons, starting with `2 i`.
fn staggered() -> Vec<Vec<u32>> {
    (0..12u32).map(|network| (2 * network..2 * network + 4).collect()).collect()
}

#[test]
fn a_neuron_is_worth_its_best_networks_and_each_once() {
    let mut sane = sane(0.0, 0.0);
    judged(&mut sane, vec![vec![0, 0, 0, 1], vec![0, 1, 2, 3], vec![0, 2, 4, 5]]);
    let worth = sane.worth();
    assert_eq!(worth[..7], [99.0, 99.0, 97.0, 49.0, 48.0, 48.0, 0.0]);
    // With negative fitness, neurons that were in no network are not preferred.
    sane.state.fitness = vec![-1.0, -2.0, -3.0];
    let worth = sane.worth();
    assert!(worth[0] > worth[6] && worth[3] > worth[6]);
}

#[test]
fn of_two_offspring_one_is_a_copy_and_the_other_has_parts_of_a_better_one() {
    let mut sane = sane(0.0, 0.0);
    judged(&mut sane, staggered());
    sane.breed_neurons(&mut rng(1));
    let neurons = &sane.state.neurons;
    let (mut crossed, mut first) = (0, 0);
    for rank in 0..6 {
        let children = [&neurons[29 - 2 * rank], &neurons[28 - 2 * rank]];
        let copies = children.iter().filter(|child| **child == &neurons[rank]).count();
        assert!(copies >= 1, "one is a copy");
        first += usize::from(children[0] == &neurons[rank]);
        let other = children.into_iter().find(|child| *child != &neurons[rank]);
        if let Some(child) = other {
            crossed += 1;
            // Every weight comes from a parent; the best neuron mates with any of the elite, others
            // with better ones.
            let better = if rank == 0 { 6 } else { rank };
            let of_one_mate = |mate: &Neuron| {
                (0..child.len()).all(|at| {
                    child[at].to_bits() == neurons[rank][at].to_bits()
                        || child[at].to_bits() == mate[at].to_bits()
                })
            };
            assert!(neurons[..better].iter().any(of_one_mate));
        }
    }
    assert!(crossed >= 3 && (1..6).contains(&first), "{crossed} {first}");
}

#[test]
fn all_but_the_elite_mutate_at_the_rate_given() {
    let (rate, mut sane) = (0.08, sane(0.08, 0.0));
    judged(&mut sane, staggered());
    let mut still = Sane { spec: SaneSpec { rate: 0.0, ..sane.spec.clone() }, ..sane_like(&sane) };
    sane.breed_neurons(&mut rng(2));
    still.breed_neurons(&mut rng(2));
    // The same random numbers up to mutation, which comes last.
    assert_eq!(sane.state.neurons[..6], still.state.neurons[..6]);
    let pairs = sane.state.neurons[6..].iter().zip(&still.state.neurons[6..]);
    let weights: Vec<(f32, f32)> =
        pairs.flat_map(|(a, b)| a.iter().copied().zip(b.iter().copied())).collect();
    let changed: Vec<&(f32, f32)> =
        weights.iter().filter(|(a, b)| a.to_bits() != b.to_bits()).collect();
    let (n, found) = (weights.len() as f64, changed.len() as f64);
    assert!((found - n * rate).abs() < 4.0 * (n * rate * (1.0 - rate)).sqrt(), "{found} of {n}");
    let flipped = changed.iter().filter(|(a, b)| a.to_bits() == (-b).to_bits()).count();
    assert!((1..20).contains(&flipped), "one in 21 changes its sign: {flipped} of {found}");
}

fn sane_like(sane: &Sane) -> Sane {
    let State { neurons, blueprints, fitness } = &sane.state;
    let state = State {
        neurons: neurons.clone(),
        blueprints: blueprints.clone(),
        fitness: fitness.clone(),
    };
    Sane { spec: sane.spec.clone(), shape: sane.shape.clone(), state }
}

#[test]
fn the_best_blueprints_breed_and_point_to_their_neurons_or_the_offspring() {
    let mut sane = sane(0.0, 0.0);
    judged(&mut sane, staggered());
    sane.breed_blueprints(&mut rng(4));
    let (before, after) = (staggered(), &sane.state.blueprints);
    assert_eq!(after[..6], before[..6], "they stay, and so do all that are not replaced");
    for rank in 0..3 {
        for child in [&after[11 - 2 * rank], &after[10 - 2 * rank]] {
            // Networks of up to ten neurons get no random one.
            for (place, neuron) in child.iter().enumerate() {
                let of_parent = |parent: &Vec<u32>| {
                    let own = parent[place];
                    let offspring = [29, 28].map(|last: u32| last.wrapping_sub(2 * own));
                    *neuron == own || (own < 6 && offspring.contains(neuron))
                };
                assert!(before[..=rank].iter().any(of_parent), "{child:?}");
            }
        }
    }
}

#[test]
fn a_state_with_foreign_places_is_refused() {
    let refused = |spoil: &dyn Fn(&mut State)| {
        let mut other = sane(0.0, 0.0);
        judged(&mut other, staggered());
        spoil(&mut other.state);
        sane(0.0, 0.0).restore(&other.save()).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(!refused(&|state| state.fitness.clear()), "asked, but not judged");
    assert!(refused(&|state| state.blueprints[3][1] = 30));
    assert!(refused(&|state| state.blueprints[3].truncate(3)));
    assert!(refused(&|state| state.blueprints.truncate(5)));
    assert!(refused(&|state| state.fitness.truncate(5)));
    assert!(refused(&|state| state.neurons.truncate(29)));
    assert!(refused(&|state| state.neurons[7].truncate(2)));
}

#[test]
fn a_neuron_that_is_twice_in_a_network_can_count_twice() {
    let mut sane = sane(0.0, 0.0);
    sane.spec.repeats = true;
    judged(&mut sane, vec![vec![0, 0, 0, 1], vec![0, 1, 2, 3], vec![0, 2, 4, 5]]);
    // The best two count: for neuron 0 the first network twice.
    assert_eq!(sane.worth()[..4], [100.0, 99.0, 97.0, 49.0]);
}

#[test]
fn random_blueprints_can_have_different_neurons() {
    let repeated = |distinct: bool| {
        let mut sane = sane(0.0, 0.0);
        sane.spec.distinct = distinct;
        let mut rng = rng(6);
        let repeats = |mut places: Vec<u32>| {
            assert_eq!(places.len(), 4);
            places.sort_unstable();
            places.windows(2).any(|pair| pair[0] == pair[1])
        };
        (0..500).filter(|_| repeats(sane.drawn(&mut rng))).count()
    };
    // Of four among thirty, two are the same in 19% of the cases.
    assert_eq!(repeated(true), 0);
    assert!((50..150).contains(&repeated(false)));
}

#[test]
fn the_best_blueprint_breeds_with_itself_or_with_any_that_breeds() {
    let mates = |partner: Partner| {
        let mut mates = [0; 3];
        for trial in 0..300 {
            let mut sane = sane(0.0, 0.0);
            sane.spec.partner = partner;
            // Neurons beyond the elite of six stay as they are, and tell whose they are.
            judged(&mut sane, (0..12).map(|rank| vec![10 + rank; 4]).collect());
            sane.breed_blueprints(&mut rng(trial));
            let children = sane.state.blueprints[10..].iter().flatten();
            let mate = children.copied().find(|neuron| *neuron != 10).unwrap_or(10);
            mates[mate as usize - 10] += 1;
        }
        mates
    };
    assert_eq!(mates(Partner::Itself), [300, 0, 0]);
    let any = mates(Partner::Any);
    assert!(any.iter().all(|count| (60..140).contains(count)), "{any:?}");
}

#[test]
fn neurons_of_the_elite_can_give_way_to_the_offspring_of_the_best() {
    let mut sane = sane(0.0, 0.0);
    sane.spec.heirs = Heirs::OfTheBest;
    let mut heirs = 0;
    for trial in 0..20 {
        judged(&mut sane, vec![vec![2, 3, 4, 9]; 12]);
        sane.breed_blueprints(&mut rng(trial));
        for child in &sane.state.blueprints[6..] {
            assert_eq!(child[3], 9, "not of the elite");
            let own = [2, 3, 4];
            for (neuron, own) in child.iter().zip(own) {
                assert!([own, 29, 28].contains(neuron), "{child:?}");
                heirs += i32::from(*neuron != own);
            }
        }
    }
    // Half of 360, with a standard error of 9.5.
    assert!((heirs - 180).abs() < 45, "{heirs}");
}

#[test]
fn as_many_mutations_change_the_sign_as_are_asked_for() {
    let mut sane = sane(1.0, 0.0);
    sane.spec.flips = 1;
    judged(&mut sane, staggered());
    let mut still = Sane { spec: SaneSpec { rate: 0.0, ..sane.spec.clone() }, ..sane_like(&sane) };
    sane.breed_neurons(&mut rng(2));
    still.breed_neurons(&mut rng(2));
    for (flipped, still) in sane.state.neurons[6..].iter().zip(&still.state.neurons[6..]) {
        assert!(flipped.iter().zip(still).all(|(a, b)| a.to_bits() == (-b).to_bits()));
    }
}
