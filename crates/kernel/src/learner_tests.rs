//! Learning by self-play in every kernel, against the method as it is written down.

use super::tanh::{Plain, Reals, tanh};
use super::tests::{each_kernel, rng};
use super::*;
use crate::rng::{Rng, Seed, Stream};

/// A learner that owns its weights.
#[derive(Clone, Debug)]
struct Pupil {
    weights: [f32; 64],
    alpha: f32,
    lambda: f32,
    epsilon: Chance,
    seed: Seed,
}

impl Pupil {
    fn learner(&mut self) -> Learner<'_> {
        let Pupil { weights, alpha, lambda, epsilon, seed } = self;
        Learner { weights, alpha: *alpha, lambda: *lambda, epsilon: *epsilon, seed: *seed }
    }
}

fn chance(probability: f64) -> Chance {
    Chance::new(probability).unwrap()
}

/// The image of the weights in which sums are exact.
fn image(weights: &[f32; 64]) -> [i64; 64] {
    weights.map(|weight| {
        let clamped = Plain.greater(Plain.lesser(weight, DIVERGED), -DIVERGED);
        f64::from(clamped * 262_144.0).round_ties_even() as i64
    })
}

/// +1 for own, -1 for opposing discs.
fn discs(own: u64, opp: u64) -> [i64; 64] {
    std::array::from_fn(|square| (own >> square & 1) as i64 - (opp >> square & 1) as i64)
}

fn value(weights: &[f32; 64], own: u64, opp: u64) -> f32 {
    let sum: i64 = image(weights).iter().zip(discs(own, opp)).map(|(w, b)| w * b).sum();
    sum as i32 as f32 / 262_144.0
}

/// A game of self-play as the method is written down: the twin of all kernels.
fn play_plainly(pupil: &mut Pupil, game: u32) {
    let key = pupil.seed.at(Stream::Learning, u64::from(game));
    let (mut own, mut opp) = learner::START;
    let mut trace = [0.0; 64];
    // Brings no sum to -0.
    pupil.weights = pupil.weights.map(|weight| weight + 0.0);
    let mut passed = false;
    for ply in 0.. {
        let moves = rules::moves(own, opp);
        if moves == 0 && passed {
            return;
        }
        passed = moves == 0;
        if passed {
            (own, opp) = (opp, own);
            continue;
        }
        let after = |at: u64| {
            let flips = rules::flips(own, opp, at);
            (own | flips | at, opp ^ flips)
        };
        let draw = key.draw(ply);
        let random = draw.happens(pupil.epsilon);
        let mut candidates: Vec<u64> = (0..64).map(|s| 1 << s).filter(|s| moves & s != 0).collect();
        if !random {
            let weights = image(&pupil.weights);
            let score = |at: u64| -> i64 {
                let (own, opp) = after(at);
                weights.iter().zip(discs(own, opp)).map(|(w, b)| w * b).sum()
            };
            let best = candidates.iter().map(|&at| score(at)).max().unwrap();
            candidates.retain(|&at| score(at) == best);
        }
        let at = candidates[draw.index(candidates.len() as u32) as usize];
        let (next_own, next_opp) = after(at);
        if !random {
            let over =
                rules::moves(next_opp, next_own) == 0 && rules::moves(next_own, next_opp) == 0;
            let now = tanh(Plain, value(&pupil.weights, own, opp));
            let next = match over {
                true => {
                    (next_own.count_ones() as f32 - next_opp.count_ones() as f32).clamp(-1.0, 1.0)
                }
                false => tanh(Plain, value(&pupil.weights, next_own, next_opp)),
            };
            let view = if ply % 2 == 0 { 1.0 } else { -1.0 };
            let delta = next - now;
            let slope = 1.0 - now * now;
            for (square, disc) in discs(own, opp).into_iter().enumerate() {
                trace[square] = pupil.lambda * trace[square] + slope * (view * disc as f32);
                pupil.weights[square] += (pupil.alpha * (view * delta)) * trace[square];
            }
        }
        (own, opp) = (next_opp, next_own);
    }
}

fn learn_plainly(pupil: &mut Pupil, games: u32) -> Option<u32> {
    (0..games).find(|&game| {
        play_plainly(pupil, game);
        let diverged = pupil.weights.iter().any(|w| !w.is_finite() || w.abs() >= DIVERGED);
        if diverged {
            let same = |w: f32| if w.is_nan() { f32::NAN } else { w };
            pupil.weights = pupil.weights.map(same);
        }
        diverged
    })
}

fn bits(weights: &[f32; 64]) -> [u32; 64] {
    weights.map(f32::to_bits)
}

/// Pupils with all kinds of settings.
fn pupils(rng: &mut Rng, n: usize, lambdas: &[f32]) -> Vec<Pupil> {
    let alphas = [0.01, 0.01, 0.1, 0.001, 1.0, -0.01, 0.0, 1000.0, -1e6];
    let epsilons = [0.1, 0.1, 0.0, 0.5, 1.0];
    // Zero, few different values that make ties, small, about to diverge, absurd.
    let sizes = [0.0, 0.5, 0.1, 1.0, 126.9, 1e30];
    (0..n)
        .map(|i| {
            let pick = |rng: &mut Rng, n: usize| rng.below(n as u32) as usize;
            let (alpha, epsilon) =
                (alphas[pick(rng, alphas.len())], epsilons[pick(rng, epsilons.len())]);
            let (size, lambda) = (sizes[pick(rng, sizes.len())], lambdas[pick(rng, lambdas.len())]);
            let weights = std::array::from_fn(|_| match size {
                0.5 => size * (pick(rng, 3) as f32 - 1.0),
                0.0 => [0.0, -0.0][pick(rng, 2)],
                _ => size * rng.uniform(-1.0, 1.0) as f32,
            });
            let (epsilon, seed) = (chance(epsilon), Seed(i as u64));
            Pupil { weights, alpha, lambda, epsilon, seed }
        })
        .collect()
}

type Engine<'a> = &'a dyn Fn(&mut [Learner<'_>], &mut [Option<u32>]);

fn assert_alike(engine: Engine<'_>, what: &str, pupils: &[Pupil], twins: &[(Pupil, Option<u32>)]) {
    let mut pupils = pupils.to_vec();
    let mut ends = vec![None; pupils.len()];
    let mut learners: Vec<Learner<'_>> = pupils.iter_mut().map(Pupil::learner).collect();
    engine(&mut learners, &mut ends);
    for (i, (pupil, (twin, end))) in pupils.iter().zip(twins).enumerate() {
        assert_eq!(ends[i], *end, "{what}, {i}: {pupil:?}");
        assert_eq!(bits(&pupil.weights), bits(&twin.weights), "{what}, {i}: {twin:?}");
    }
}

/// With the engine that the kernel takes, and those that it can take.
fn assert_all_learn_alike(
    kernel: Kernel,
    pupils: &[Pupil],
    twins: &[(Pupil, Option<u32>)],
    games: u32,
) {
    let any: Engine<'_> =
        &|learners, ends| ends.copy_from_slice(&kernel.self_play(learners, games));
    assert_alike(any, &format!("{kernel:?}"), pupils, twins);
    let alone: Engine<'_> = &|learners, ends| {
        for (learner, end) in learners.iter_mut().zip(ends) {
            *end = (kernel.0.learn_alone)(learner, games);
        }
    };
    assert_alike(alone, &format!("{kernel:?}, alone"), pupils, twins);
    if pupils.iter().all(|pupil| pupil.lambda <= 0.0) && pupils.len() <= kernel.batch_games() {
        let together: Engine<'_> =
            &|learners, ends| (kernel.0.learn_together)(learners, games, ends);
        assert_alike(together, &format!("{kernel:?}, together"), pupils, twins);
    }
}

#[test]
fn all_kernels_learn_alike_alone_and_side_by_side() {
    for (lambdas, games) in [(&[0.0][..], 3), (&[0.0, 0.5, 0.9, 1.0][..], 2)] {
        let pupils = pupils(&mut rng(20), 300, lambdas);
        let expected: Vec<(Pupil, Option<u32>)> = pupils
            .iter()
            .map(|pupil| {
                let mut twin = pupil.clone();
                let end = learn_plainly(&mut twin, games);
                (twin, end)
            })
            .collect();
        let diverged = expected.iter().filter(|(_, end)| end.is_some()).count();
        assert!((60..240).contains(&diverged), "{diverged} of 300");
        each_kernel(|kernel| {
            for (from, to) in [(0, 0), (0, 300), (7, 8), (20, 22), (30, 63), (100, 150), (3, 260)] {
                assert_all_learn_alike(kernel, &pupils[from..to], &expected[from..to], games);
            }
            for i in 0..20 {
                assert_all_learn_alike(kernel, &pupils[i..i + 1], &expected[i..i + 1], games);
            }
        });
    }
}

#[test]
fn what_a_pupil_learns_is_the_same_from_call_to_call() {
    let pupil =
        Pupil { weights: [0.0; 64], alpha: 0.01, lambda: 0.0, epsilon: chance(0.1), seed: Seed(3) };
    let mut twin = pupil.clone();
    assert_eq!(learn_plainly(&mut twin, 100), None);
    assert_ne!(bits(&twin.weights), bits(&pupil.weights));
    each_kernel(|kernel| {
        let mut pupil = pupil.clone();
        assert_eq!(kernel.self_play(&mut [pupil.learner()], 100), [None]);
        assert_eq!(bits(&pupil.weights), bits(&twin.weights), "{kernel:?}");
        // No game, nothing learned.
        assert_eq!(kernel.self_play(&mut [pupil.learner()], 0), [None]);
        assert_eq!(bits(&pupil.weights), bits(&twin.weights), "{kernel:?}");
    });
}

#[test]
fn a_learner_finds_out_that_corners_are_good() {
    let kernel = Kernel::available()[0];
    for lambda in [0.0, 0.7] {
        let mut pupil =
            Pupil { weights: [0.0; 64], alpha: 0.01, lambda, epsilon: chance(0.1), seed: Seed(4) };
        assert_eq!(kernel.self_play(&mut [pupil.learner()], 2000), [None]);
        for corner in [0, 7, 56, 63] {
            let weight = pupil.weights[corner];
            assert!(weight > 0.1, "lambda {lambda}, {corner}: {weight}, {:?}", pupil.weights);
        }
    }
}

#[test]
#[should_panic(expected = "lambda")]
fn a_trace_that_grows_is_refused() {
    let mut weights = [0.0; 64];
    let learner = Learner {
        weights: &mut weights,
        alpha: 0.1,
        lambda: 1.1,
        epsilon: Chance::NEVER,
        seed: Seed(1),
    };
    Kernel::available()[0].self_play(&mut [learner], 1);
}
