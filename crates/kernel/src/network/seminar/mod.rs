//! Networks that learn side by side, each from sequences of its own: a lane of a register each. A
//! node or a weight that only some of them have is a register in which the others are left alone.
//!
//! One network learns with long waits, because every step needs the weights that the step before
//! has changed. Many do not wait for each other. Each does the same operations in the same order as
//! alone ([`super::learn`]), so it ends with the same bits.

mod desk;
pub(crate) mod lanes;
mod plan;

use super::{Network, Sequence, Values};
use crate::isa::Work;
use crate::network::learn::{LearnSequences, Lessons};
use crate::rows::Rows;
use desk::Desk;
use lanes::Lanes;

/// A network, and what it learns from.
#[derive(Debug)]
pub struct Study<'a> {
    /// Who learns.
    pub network: &'a mut Network,
    /// From what, one after the other, each backwards.
    pub sequences: &'a [Sequence<'a>],
    /// What comes out: the root mean square error of each sequence.
    pub errors: Vec<f32>,
}

impl<'a> Study<'a> {
    /// Before it learns.
    pub fn new(network: &'a mut Network, sequences: &'a [Sequence<'a>]) -> Study<'a> {
        Study { network, sequences, errors: Vec::with_capacity(sequences.len()) }
    }
}

/// Learning side by side, as work.
pub struct LearnAbreast<'a, 's, R, L> {
    /// With whose instructions one network learns.
    pub isa: R,
    /// With whose many do.
    pub lanes: L,
    /// Who learns what.
    pub studies: &'a mut [Study<'s>],
    /// The step size.
    pub alpha: f32,
    /// The decay.
    pub lambda: f32,
}

impl<R: Rows, L: Lanes> Work for LearnAbreast<'_, '_, R, L> {
    type Output = ();

    #[inline(always)]
    fn work(self) {
        let LearnAbreast { isa, lanes, studies, alpha, lambda } = self;
        let mut side_by_side = Vec::with_capacity(studies.len());
        for study in studies {
            if study.network.learns_abreast() {
                side_by_side.push(study);
            } else {
                study.learn_alone(isa, alpha, lambda);
            }
        }
        // Those of about the same size together: the largest decides how long it takes.
        side_by_side.sort_by_key(|study| (study.network.fed, study.network.nodes()));
        for studies in side_by_side.chunks_mut(L::LANES) {
            if let [study] = studies {
                study.learn_alone(isa, alpha, lambda);
            } else {
                Desk::new(lanes, studies).learn(studies, alpha, lambda);
                for study in studies {
                    study.network.refresh_with(isa);
                }
            }
        }
    }
}

impl Study<'_> {
    #[inline(always)]
    fn learn_alone<R: Rows>(&mut self, isa: R, alpha: f32, lambda: f32) {
        for sequence in self.sequences {
            let sequences = std::slice::from_ref(sequence);
            let lessons = Lessons { sequences, alpha, lambda, values: Values::Recomputed };
            let mut error = [0.0];
            LearnSequences { isa, network: self.network, lessons, errors: &mut error }.work();
            self.errors.extend(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{boards, params, rng, wirings};
    use super::super::{Curve, Link, Source, Wiring};
    use super::*;
    use crate::Kernel;
    use crate::rng::Rng;

    /// A graph as evolution makes them: few hidden nodes, which may feed each other, and some
    /// squares; links in any order.
    fn graph(hidden: usize, share: f64, rng: &mut Rng) -> Wiring {
        let curve = |rng: &mut Rng| {
            [Curve::Sigmoid, Curve::SteepSigmoid, Curve::Tanh][rng.below(3) as usize]
        };
        let curves = (0..=hidden).map(|_| curve(rng)).collect();
        let mut wiring = Wiring { curves, links: Vec::new(), counters: Vec::new() };
        for to in 0..=hidden {
            let earlier = (0..to).map(Source::Node);
            let mut links: Vec<Source> =
                (0..64).map(Source::Square).chain([Source::One]).chain(earlier).collect();
            links.retain(|_| rng.unit() < share);
            for place in (1..links.len()).rev() {
                links.swap(place, rng.below(place as u32 + 1) as usize);
            }
            for from in links {
                wiring.links.push(Link { from, to, param: wiring.links.len() });
            }
        }
        wiring
    }

    fn bits(network: &Network, errors: &[f32], params: &[f32]) -> Vec<u32> {
        let mut params = params.to_vec();
        network.copy_params(&mut params);
        params.iter().chain(errors).map(|number| number.to_bits()).collect()
    }

    #[test]
    fn networks_learn_the_same_side_by_side_and_alone() {
        let mut rng = rng(40);
        let mut all = wirings();
        for hidden in [0, 1, 2, 2, 3, 3, 4, 5, 8, 10, 11, 13, 20] {
            all.extend([0.3, 0.6, 1.0].map(|share| graph(hidden, share, &mut rng)));
        }
        let games: Vec<Vec<(u64, u64)>> = (0..40).map(|at| boards(1 + at % 31, &mut rng)).collect();
        let empty = Vec::new();
        for round in 0..3 {
            let mut taught = Vec::new();
            for wiring in &all {
                let mut before = params(wiring, 0.5, &mut rng);
                if round == 2 && rng.below(4) == 0 && !before.is_empty() {
                    // Lanes that are left alone cannot keep it, so it learns alone.
                    before[0] = -0.0;
                }
                let sequences: Vec<Sequence> = (0..rng.below(7))
                    .map(|_| match rng.below(41) as usize {
                        40 => Sequence { boards: &empty, reward: 0.5 },
                        at => Sequence { boards: &games[at], reward: rng.below(3) as f32 / 2.0 },
                    })
                    .collect();
                taught.push((wiring, before, sequences));
            }
            for kernel in Kernel::available() {
                let mut networks: Vec<Network> =
                    taught.iter().map(|(wiring, before, _)| Network::new(wiring, before)).collect();
                let mut studies: Vec<Study> = networks
                    .iter_mut()
                    .zip(&taught)
                    .map(|(network, (_, _, sequences))| Study::new(network, sequences))
                    .collect();
                kernel.learn_abreast(&mut studies, [0.1, 0.9]);
                for (study, (wiring, before, sequences)) in studies.iter().zip(&taught) {
                    let mut alone = Network::new(wiring, before);
                    let mut errors = Vec::new();
                    for sequence in sequences {
                        errors.extend(kernel.learn_sequences(
                            &mut alone,
                            std::slice::from_ref(sequence),
                            [0.1, 0.9],
                            Values::Recomputed,
                        ));
                    }
                    let expected = bits(&alone, &errors, before);
                    let found = bits(study.network, &study.errors, before);
                    assert!(found == expected, "{} {wiring:?}", kernel.name());
                    let images = [&alone, &*study.network]
                        .map(|network| network.image.iter().map(|row| row.0).collect::<Vec<_>>());
                    assert!(images[0] == images[1], "it plays as it has learned");
                }
            }
        }
        let abreast = all
            .iter()
            .filter(|wiring| Network::new(wiring, &params(wiring, 0.5, &mut rng)).learns_abreast());
        assert!(abreast.count() > 30, "most of these graphs can learn side by side");
    }
}
