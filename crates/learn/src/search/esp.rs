//! ESP (Gomez & Miikkulainen 1999): a subpopulation of neurons for each place in the hidden layer.
//! A network takes one neuron from each; the best quarter of a subpopulation breeds, and its
//! offspring replace the worse half. Delta coding: when champions no longer improve, a burst
//! restarts the subpopulations as variations of the best network's neurons. After bursts without
//! success the number of places can change.
//!
//! The keys that are neutral if they are missing are for what JavaESP 1.1 does otherwise (the
//! package of Vuurboom 2008, section 4.1.3; SubPopulation.java, Esp.java and Network.java).

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Beginning, Breeds, Judged, Search, SearchKind};
use crate::limits::{MAX_COUNT, MAX_PLAYERS};
use crate::state::{restored, saved};
use crate::{Archive, Candidate, First, Spec, Unreadable};
use outflank_game::model::{Mlp, MlpShape as Layers, Neuron};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table, words};

table! {
/// ESP: a subpopulation of neurons for each place in the hidden layer.
pub struct EspSpec {
    /// Networks in a generation.
    pub networks: usize,
    /// Neurons in each subpopulation; the best quarter breeds, and its offspring replace the worse
    /// half.
    pub neurons: usize,
    /// Probability that one weight of an offspring mutates.
    pub rate: f64,
    /// Scale of mutations, which have a Cauchy distribution.
    pub size: f64,
    /// Generations without a better champion after which delta coding restarts the subpopulations
    /// around the best network; 0 for never.
    pub stagnation: usize,
    /// Whether a hidden node is removed or added after two rounds of delta coding without success.
    pub adapt: bool,
    /// How networks get their neurons.
    pub deal: Deal = Deal::InTurn,
    /// Whom a neuron of the best quarter breeds with.
    pub mate: Mate = Mate::Quarter,
    /// What `stagnation` counts.
    pub stagnant: Stagnant = Stagnant::Record,
    /// With `adapt`: the share of its fitness that the best network must keep without a node for
    /// that node to be removed; both are measured in the same generation. 0: without the node it
    /// must be better than it ever was.
    pub lesion: f64 = 0.0,
    /// With `adapt`: whether a change of nodes begins again. It then comes after one round of delta
    /// coding without success, the best fitness is forgotten, and a removal is followed by delta
    /// coding.
    pub reset: bool = false,
}
}

words! {
/// How networks get their neurons.
pub enum Deal {
    /// Every neuron of a subpopulation takes part equally often.
    InTurn = "in-turn",
    /// At random, with replacement; neurons that take no part rank last.
    Random = "random",
}
}

words! {
/// Whom a neuron of the best quarter breeds with.
pub enum Mate {
    /// Any neuron of the quarter.
    Quarter = "quarter",
    /// A neuron of better rank; the best with any of the quarter.
    Better = "better",
}
}

words! {
/// What counts as stagnation.
pub enum Stagnant {
    /// No new record for `stagnation` generations.
    Record = "record",
    /// A champion no better than the record was when the last `stagnation` generations began, even
    /// if there were records since.
    Champion = "champion",
}
}

impl SearchKind for EspSpec {
    fn check(&self, at: &KeyPath, _: &Spec) -> Result<(), Fault> {
        at.whole("neurons", self.neurons, 3..=MAX_PLAYERS)?;
        if self.deal == Deal::Random {
            at.whole("networks", self.networks, 1..=MAX_PLAYERS)?;
        } else if self.networks < self.neurons || self.networks as u64 > MAX_PLAYERS {
            let expected = format!(
                "{} = {} to {MAX_PLAYERS}, so that every neuron takes part",
                at.key("neurons"),
                self.neurons
            );
            return Err(at.fault("networks", self.networks, expected));
        }
        at.chance("rate", self.rate)?;
        at.number("size", self.size, 0.0..=MAX_NUMBER)?;
        at.whole("stagnation", self.stagnation, 0..=MAX_COUNT)?;
        if self.adapt && self.stagnation == 0 {
            let expected =
                format!("false, because {} = 0 means no delta coding", at.key("stagnation"));
            return Err(at.fault("adapt", true, expected));
        }
        at.chance("lesion", self.lesion)?;
        let unused = |key: &str, value: &str, neutral: &str| {
            let expected = format!("{neutral}, because {} = false", at.key("adapt"));
            Err(at.fault(key, value, expected))
        };
        match (self.adapt, self.lesion > 0.0, self.reset) {
            (false, true, _) => unused("lesion", &self.lesion.to_string(), "0"),
            (false, _, true) => unused("reset", "true", "false"),
            _ => Ok(()),
        }
    }

    fn candidates(&self) -> usize {
        self.networks
    }

    fn breeds(&self) -> Breeds {
        Breeds::Neurons
    }

    fn shrink(&mut self) {
        (self.networks, self.neurons) = (8, self.neurons.min(8));
    }

    fn sample() -> EspSpec {
        EspSpec {
            networks: 30,
            neurons: 10,
            rate: 0.4,
            size: 0.3,
            stagnation: 5,
            adapt: false,
            deal: Deal::Random,
            mate: Mate::Better,
            stagnant: Stagnant::Champion,
            lesion: 0.0,
            reset: false,
        }
    }

    fn build<M: Candidate>(&self, begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        let fresh = (begin.model.first(), begin.start);
        begin.of_type(|mut begin| Box::new(Esp::new(self.clone(), fresh, || begin.one())))
    }
}

/// The subpopulations.
pub struct Esp {
    spec: EspSpec,
    shape: Layers,
    /// The distribution of initial weights, and how far they are from 0.
    fresh: (First, f64),
    state: State,
    delta: Delta,
}

#[derive(Serialize, Deserialize)]
struct State {
    /// By place; best first once they have been evaluated.
    neurons: Vec<Vec<Neuron>>,
    /// The neuron of each place, for each network of this generation.
    asked: Vec<Vec<u32>>,
    phase: Phase,
    best: Vec<Neuron>,
    best_fitness: f64,
    /// Generations since the last better network or burst.
    stagnant: usize,
    /// Bursts since the last better network.
    bursts: usize,
}

/// What delta coding remembers besides, with keys that are not neutral; otherwise it stays empty
/// and is not saved.
#[derive(Default, Serialize, Deserialize)]
struct Delta {
    /// The record after each of the last generations, the newest first.
    records: VecDeque<f64>,
    /// The fitness of the network of the last burst.
    burst: Option<f64>,
}

/// What happens in the next generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    /// The first generation.
    First,
    /// Breeding.
    Breed,
    /// Delta coding.
    Burst,
    /// Tries the best network without each of its neurons in turn.
    Lesion,
    /// Adds a place, and breeds.
    Grow,
}

impl Esp {
    /// Starts from the neurons of as many perceptrons as a subpopulation has members.
    pub fn new(spec: EspSpec, fresh: (First, f64), mut first: impl FnMut() -> Mlp) -> Esp {
        let models: Vec<Mlp> = (0..spec.neurons).map(|_| first()).collect();
        let shape = models[0].shape().clone();
        let each: Vec<Vec<Neuron>> = models.iter().map(Mlp::neurons).collect();
        let place = |at: usize| each.iter().map(|neurons| neurons[at].clone()).collect();
        let neurons = (0..shape.hidden[0]).map(place).collect();
        let state = State {
            neurons,
            asked: Vec::new(),
            phase: Phase::First,
            best: Vec::new(),
            best_fitness: f64::NEG_INFINITY,
            stagnant: 0,
            bursts: 0,
        };
        Esp { spec, shape, fresh, state, delta: Delta::default() }
    }

    /// Composes networks. If neurons are dealt in turn, the numbers of networks with each differ by
    /// at most one.
    fn compose(&mut self, rng: &mut Rng) -> Vec<Mlp> {
        let (networks, size) = (self.spec.networks, self.spec.neurons as u32);
        let places = self.state.neurons.len();
        let mut asked = vec![Vec::with_capacity(places); networks];
        for _ in 0..places {
            let mut order: Vec<u32> = Vec::new();
            for (network, chosen) in asked.iter_mut().enumerate() {
                if self.spec.deal == Deal::Random {
                    chosen.push(rng.below(size));
                    continue;
                }
                let at = network % size as usize;
                if at == 0 {
                    order = (0..size).collect();
                    (1..size).rev().for_each(|i| order.swap(i as usize, rng.below(i + 1) as usize));
                }
                chosen.push(order[at]);
            }
        }
        self.state.asked = asked;
        let network = |chosen: &Vec<u32>| {
            let neurons =
                chosen.iter().zip(&self.state.neurons).map(|(at, place)| &place[*at as usize]);
            Mlp::of_neurons(&self.shape, neurons)
        };
        self.state.asked.iter().map(network).collect()
    }

    fn breed(&mut self, rng: &mut Rng) {
        let quarter = (self.spec.neurons / 4).max(1);
        for neurons in &mut self.state.neurons {
            let n = neurons.len();
            for j in 0..quarter {
                let mate = match self.spec.mate {
                    Mate::Better if j > 0 => rng.below(j as u32),
                    Mate::Better | Mate::Quarter => rng.below(quarter as u32),
                } as usize;
                let cut = rng.below(neurons[j].len() as u32) as usize;
                let (mut a, mut b) = (neurons[j].clone(), neurons[mate].clone());
                a[cut..].swap_with_slice(&mut b[cut..]);
                (neurons[n - 1 - 2 * j], neurons[n - 2 - 2 * j]) = (a, b);
            }
            // All of the worse half may mutate.
            for neuron in &mut neurons[2 * quarter..] {
                if rng.unit() < self.spec.rate {
                    let weight = rng.below(neuron.len() as u32) as usize;
                    neuron[weight] = changed(neuron[weight], self.spec.size, rng);
                }
            }
        }
    }

    fn burst(&mut self, rng: &mut Rng) {
        for (place, best) in self.state.neurons.iter_mut().zip(&self.state.best) {
            for neuron in place {
                *neuron = best.iter().map(|weight| changed(*weight, self.spec.size, rng)).collect();
            }
        }
    }

    /// Removes the place without which the best network does better, or well enough; if there is
    /// none, one is added.
    fn adapt(&mut self, ranked: &[Judged<Mlp>]) {
        let places = self.state.neurons.len();
        let Some(worst) = ranked.iter().find(|judged| judged.index < places) else { return };
        // With `lesion` the whole network plays beside the others.
        let whole = ranked.iter().find(|judged| judged.index == places);
        let is_unneeded = match whole {
            Some(whole) => worst.fitness >= self.spec.lesion * whole.fitness,
            None => worst.fitness > self.state.best_fitness,
        };
        self.state.phase = Phase::Breed;
        if is_unneeded && places > 1 {
            self.state.neurons.remove(worst.index);
            self.state.best.remove(worst.index);
            self.state.best_fitness = worst.fitness;
            if self.spec.reset {
                self.delta.burst = Some(whole.unwrap_or(worst).fitness);
                self.state.phase = Phase::Burst;
            }
        } else if places < outflank_game::model::MOST_NODES {
            self.state.phase = Phase::Grow;
        }
        self.begin_anew();
    }

    /// After a change of places.
    fn begin_anew(&mut self) {
        (self.state.bursts, self.state.stagnant) = (0, 0);
        if self.spec.reset {
            self.state.best_fitness = f64::NEG_INFINITY;
        }
    }

    /// Whether the champions of this generation and of those before it call for delta coding.
    fn is_stagnant(&mut self, champion: f64) -> bool {
        let (wait, records) = (self.spec.stagnation, &mut self.delta.records);
        match self.spec.stagnant {
            _ if wait == 0 => false,
            Stagnant::Record => self.state.stagnant >= wait,
            Stagnant::Champion => {
                records.push_front(self.state.best_fitness);
                records.truncate(wait);
                let is_stagnant = records.len() == wait && champion <= records[wait - 1];
                if is_stagnant {
                    records.clear();
                }
                is_stagnant
            }
        }
    }

    /// Says whether bursts around the best network were in vain, and counts the one that is next.
    fn is_in_vain(&mut self) -> bool {
        let best = Some(self.state.best_fitness);
        (self.state.stagnant, self.state.bursts) = (0, self.state.bursts + 1);
        if !self.spec.reset {
            return self.state.bursts > 2;
        }
        // JavaESP takes networks of equal fitness for the same; bits, because fitness is stored.
        self.delta.burst.replace(self.state.best_fitness).map(f64::to_bits)
            == best.map(f64::to_bits)
    }

    /// Whether there is something in [`Delta`].
    fn remembers(&self) -> bool {
        self.spec.stagnation > 0 && (self.spec.stagnant == Stagnant::Champion || self.spec.reset)
    }

    /// Adds a place with new neurons, with weights drawn like those of the first generation.
    fn grow(&mut self, rng: &mut Rng) {
        let (length, (first, start)) = (self.state.best[0].len(), self.fresh);
        let mut fresh = || (0..length).map(|_| first.draw(start, rng)).collect();
        self.state.neurons.push((0..self.spec.neurons).map(|_| fresh()).collect());
        self.state.best.push(vec![0.0; length]);
    }

    /// Sorts each subpopulation by the mean fitness of its neurons' networks.
    fn sort(&mut self, ranked: &[Judged<Mlp>]) {
        for (place, neurons) in self.state.neurons.iter_mut().enumerate() {
            let mut worth = vec![(0.0, 0.0); neurons.len()];
            for judged in ranked {
                let (sum, trials) = &mut worth[self.state.asked[judged.index][place] as usize];
                (*sum, *trials) = (*sum + judged.fitness, *trials + 1.0);
            }
            let mean = |at: usize| match worth[at] {
                (_, 0.0) => f64::NEG_INFINITY,
                (sum, trials) => sum / trials,
            };
            let mut order: Vec<usize> = (0..neurons.len()).collect();
            order.sort_by(|a, b| mean(*b).total_cmp(&mean(*a)));
            *neurons = order.into_iter().map(|at| std::mem::take(&mut neurons[at])).collect();
        }
    }
}

/// Adds Cauchy noise to a weight; noise that is too large is drawn again.
fn changed(weight: f32, scale: f64, rng: &mut Rng) -> f32 {
    loop {
        let noise = scale * libm::tan(std::f64::consts::PI * (rng.unit() - 0.5));
        if noise.abs() <= CUT.max(scale) {
            return (f64::from(weight) + noise) as f32;
        }
    }
}

/// The Cauchy distribution has no mean, so larger noise is drawn again, as in the ESP package.
const CUT: f64 = 10.0;

impl Search<Mlp> for Esp {
    fn ask(&mut self, _: &Archive<Mlp>, rng: &mut Rng) -> Vec<Mlp> {
        match self.state.phase {
            Phase::First => {}
            Phase::Breed => self.breed(rng),
            Phase::Burst => self.burst(rng),
            Phase::Grow => {
                self.grow(rng);
                self.breed(rng);
            }
            Phase::Lesion => {
                let best = &self.state.best;
                let without = |at: usize| best.iter().take(at).chain(best.iter().skip(at + 1));
                // Without the one behind the last is the whole.
                let networks = best.len() + usize::from(self.spec.lesion > 0.0);
                return (0..networks).map(|at| Mlp::of_neurons(&self.shape, without(at))).collect();
            }
        }
        self.compose(rng)
    }

    fn tell(&mut self, ranked: Vec<Judged<Mlp>>, _rng: &mut Rng) {
        if self.state.phase == Phase::Lesion {
            self.adapt(&ranked);
            return;
        }
        let champion = &ranked[0];
        self.state.stagnant += 1;
        if champion.fitness > self.state.best_fitness {
            self.state.best = champion.candidate.neurons();
            self.state.best_fitness = champion.fitness;
            (self.state.stagnant, self.state.bursts) = (0, 0);
        }
        self.sort(&ranked);
        self.state.phase = Phase::Breed;
        if self.is_stagnant(ranked[0].fitness) {
            let in_vain = self.is_in_vain() && self.spec.adapt;
            self.state.phase = match self.state.best.len() {
                _ if !in_vain => Phase::Burst,
                // A network cannot lose its only neuron.
                1 => Phase::Grow,
                _ => Phase::Lesion,
            };
            if self.state.phase == Phase::Grow && self.spec.reset {
                self.begin_anew();
            }
        }
    }

    fn save(&self) -> Vec<u8> {
        let mut bytes = saved(&self.state);
        if self.remembers() {
            bytes.extend(saved(&self.delta));
        }
        bytes
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), Unreadable> {
        let (state, rest) = postcard::take_from_bytes(bytes)?;
        let delta = if self.remembers() { restored(rest)? } else { Delta::default() };
        (self.state, self.delta) = (state, delta);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
