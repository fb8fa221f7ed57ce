//! SANE (Moriarty & Miikkulainen 1996, and the program SANE 2.0): a population of neurons, and a
//! population of blueprints that say which neurons form a network. A neuron's fitness is the sum
//! over its best networks. In both populations good members breed with better ones by one-point
//! crossover.
//!
//! The keys that are neutral if they are missing are for what JavaSANE does otherwise (the package
//! of Vuurboom 2008, section 4.1.2; Sane.java and Sane_EA.java).

use serde::{Deserialize, Serialize};

use super::{Beginning, Breeds, Judged, Search, SearchKind};
use crate::limits::{MAX_COUNT, MAX_PLAYERS};
use crate::state::{restored, saved};
use crate::{Archive, Candidate, ModelSpec, Spec, Unreadable};
use outflank_game::model::{Mlp, MlpShape as Layers, Neuron};
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table, words};

table! {
/// SANE: neurons, and blueprints of networks.
pub struct SaneSpec {
    /// Networks in a generation.
    pub networks: usize,
    /// Neurons in the population.
    pub neurons: usize,
    /// How many of the best neurons breed; each has two offspring, which replace the worst neurons.
    pub elite: usize,
    /// How many of the best blueprints breed, in the same way; 0 for random networks in each
    /// generation.
    pub blueprints: usize,
    /// Probability that a weight mutates, in neurons that do not breed.
    pub rate: f64,
    /// Standard deviation of a mutation; one mutation in `flips` changes the sign of the weight
    /// instead.
    pub size: f64,
    /// Probability that a neuron is replaced by a random one, in blueprints that do not breed.
    pub replace: f64,
    /// A neuron's fitness is the sum over its best networks; this many of them count.
    pub best: usize,
    /// One mutation in this many changes the sign of the weight.
    pub flips: usize = 21,
    /// Whether a network that has a neuron twice counts twice for it.
    pub repeats: bool = false,
    /// Whether a network drawn at random has different neurons.
    pub distinct: bool = false,
    /// The mate of the best blueprint; others breed with better ones.
    pub partner: Partner = Partner::Itself,
    /// Which offspring may replace a neuron of the elite in the offspring of blueprints.
    pub heirs: Heirs = Heirs::Own,
}
}

words! {
/// The mate of the best blueprint.
pub enum Partner {
    /// The best one itself.
    Itself = "itself",
    /// Any of those that breed.
    Any = "any",
}
}

words! {
/// Which offspring may replace a neuron of the elite in a blueprint.
pub enum Heirs {
    /// One of its own two offspring.
    Own = "own",
    /// One of the two offspring of the best neuron.
    OfTheBest = "of-the-best",
}
}

impl SearchKind for SaneSpec {
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        at.whole("networks", self.networks, 1..=MAX_PLAYERS)?;
        at.whole("neurons", self.neurons, 2..=MAX_PLAYERS)?;
        // Checks that there are enough neurons for a network.
        if let ModelSpec::Mlp(mlp) = &spec.model
            && mlp.hidden.len() == 1
            && self.neurons < mlp.hidden[0]
        {
            let expected = format!("at least model.hidden[0] = {}", mlp.hidden[0]);
            return Err(at.fault("neurons", self.neurons, expected));
        }
        if self.elite == 0 || self.elite > self.neurons / 3 {
            let expected = format!(
                "1 to {}, because each of the elite has two offspring among {} = {}",
                self.neurons / 3,
                at.key("neurons"),
                self.neurons
            );
            return Err(at.fault("elite", self.elite, expected));
        }
        if self.blueprints > self.networks / 3 {
            let expected = format!(
                "0 to {}, because each has two offspring among {} = {}",
                self.networks / 3,
                at.key("networks"),
                self.networks
            );
            return Err(at.fault("blueprints", self.blueprints, expected));
        }
        at.chance("rate", self.rate)?;
        at.number("size", self.size, 0.0..=MAX_NUMBER)?;
        at.chance("replace", self.replace)?;
        at.whole("best", self.best, 1..=MAX_COUNT)?;
        at.whole("flips", self.flips, 1..=MAX_COUNT)
    }

    fn candidates(&self) -> usize {
        self.networks
    }

    fn breeds(&self) -> Breeds {
        Breeds::Neurons
    }

    fn shrink(&mut self) {
        (self.networks, self.neurons, self.elite) = (9, 60, 12);
        self.blueprints = self.blueprints.min(3);
    }

    fn sample() -> SaneSpec {
        SaneSpec {
            networks: 30,
            neurons: 60,
            elite: 15,
            blueprints: 8,
            rate: 0.05,
            size: 0.5,
            replace: 0.05,
            best: 5,
            flips: 20,
            repeats: true,
            distinct: true,
            partner: Partner::Any,
            heirs: Heirs::OfTheBest,
        }
    }

    fn build<M: Candidate>(&self, begin: Beginning<'_, M>) -> Box<dyn Search<M>> {
        begin.of_type(|mut begin| Box::new(Sane::new(self.clone(), || begin.one())))
    }
}

/// Both populations.
pub struct Sane {
    spec: SaneSpec,
    shape: Layers,
    state: State,
}

#[derive(Serialize, Deserialize)]
struct State {
    neurons: Vec<Neuron>,
    /// Networks as indices of neurons.
    blueprints: Vec<Vec<u32>>,
    /// The fitness of the blueprints, once they have been evaluated.
    fitness: Vec<f64>,
}

impl Sane {
    /// Starts from the neurons of as many perceptrons as needed.
    pub fn new(spec: SaneSpec, mut first: impl FnMut() -> Mlp) -> Sane {
        let model = first();
        let shape = model.shape().clone();
        let mut neurons = model.neurons();
        while neurons.len() < spec.neurons {
            neurons.extend(first().neurons());
        }
        neurons.truncate(spec.neurons);
        let state = State { neurons, blueprints: Vec::new(), fitness: Vec::new() };
        Sane { spec, shape, state }
    }

    fn hidden(&self) -> usize {
        self.shape.hidden[0]
    }

    /// A random blueprint.
    fn drawn(&self, rng: &mut Rng) -> Vec<u32> {
        let mut places: Vec<u32> = Vec::with_capacity(self.hidden());
        while places.len() < self.hidden() {
            let neuron = rng.below(self.state.neurons.len() as u32);
            if !self.spec.distinct || !places.contains(&neuron) {
                places.push(neuron);
            }
        }
        places
    }

    /// The fitness of each neuron: the sum over its best networks.
    fn worth(&self) -> Vec<f64> {
        let mut networks: Vec<Vec<f64>> = vec![Vec::new(); self.state.neurons.len()];
        // A neuron that was in no network must not be better than one that was.
        let least = self.state.fitness.iter().copied().fold(0.0, f64::min);
        for (blueprint, fitness) in self.state.blueprints.iter().zip(&self.state.fitness) {
            let mut members = blueprint.clone();
            if !self.spec.repeats {
                members.sort_unstable();
                members.dedup();
            }
            members.iter().for_each(|neuron| networks[*neuron as usize].push(fitness - least));
        }
        let best = |mut fitness: Vec<f64>| {
            fitness.sort_by(|a, b| b.total_cmp(a));
            fitness.iter().take(self.spec.best).sum()
        };
        networks.into_iter().map(best).collect()
    }

    /// Sorts neurons, best first, and breeds the elite. The offspring of rank j replace n - 1 - 2 j
    /// and n - 2 - 2 j.
    fn breed_neurons(&mut self, rng: &mut Rng) {
        let worth = self.worth();
        let mut order: Vec<(usize, u64)> =
            (0..worth.len()).map(|neuron| (neuron, rng.bits())).collect();
        order.sort_by(|(a, at), (b, bt)| worth[*b].total_cmp(&worth[*a]).then(at.cmp(bt)));
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, (neuron, _))| rank[*neuron] = at as u32);
        let mut sorted: Vec<Neuron> = order
            .iter()
            .map(|(neuron, _)| std::mem::take(&mut self.state.neurons[*neuron]))
            .collect();
        for place in self.state.blueprints.iter_mut().flatten() {
            *place = rank[*place as usize];
        }
        let (n, elite) = (sorted.len(), self.spec.elite);
        for j in 0..elite {
            let mate = match j {
                0 => rng.below(elite as u32),
                _ => rng.below(j as u32),
            } as usize;
            let cut = rng.below(sorted[j].len() as u32) as usize;
            // One of the two children of a crossover is a copy of the first parent.
            let mut child = sorted[j].clone();
            match rng.below(2) {
                0 => child[cut..].copy_from_slice(&sorted[mate][cut..]),
                _ => child[..cut].copy_from_slice(&sorted[mate][..cut]),
            }
            let mut children = [child, sorted[j].clone()];
            if rng.below(2) == 0 {
                children.swap(0, 1);
            }
            [sorted[n - 1 - 2 * j], sorted[n - 2 - 2 * j]] = children;
        }
        for neuron in &mut sorted[elite..] {
            for weight in neuron {
                if rng.unit() < self.spec.rate {
                    *weight = match rng.below(self.spec.flips as u32) {
                        0 => -*weight,
                        _ => (f64::from(*weight) + self.spec.size * rng.normal()) as f32,
                    };
                }
            }
        }
        self.state.neurons = sorted;
    }

    /// Breeds the best blueprints, and replaces neurons in the others. Blueprints are sorted.
    fn breed_blueprints(&mut self, rng: &mut Rng) {
        let (nets, breed, hidden) =
            (self.state.blueprints.len(), self.spec.blueprints, self.hidden());
        let count = self.state.neurons.len() as u32;
        for j in 0..breed {
            let mate = match (j, self.spec.partner) {
                (0, Partner::Itself) => 0,
                (0, Partner::Any) => rng.below(breed as u32),
                _ => rng.below(j as u32),
            } as usize;
            let cut = rng.below(hidden as u32) as usize;
            let mut children =
                [self.state.blueprints[j].clone(), self.state.blueprints[mate].clone()];
            let [a, b] = &mut children;
            a[cut..].swap_with_slice(&mut b[cut..]);
            for child in &mut children {
                for place in child.iter_mut() {
                    // A neuron of the elite may be replaced by an offspring; those of rank 0 are
                    // the last two.
                    if (*place as usize) < self.spec.elite && rng.below(2) == 0 {
                        let rank = if self.spec.heirs == Heirs::Own { *place } else { 0 };
                        *place = count - 1 - 2 * rank - rng.below(2);
                    }
                }
                if hidden > 10 {
                    child[rng.below(hidden as u32) as usize] = rng.below(count);
                }
            }
            [self.state.blueprints[nets - 1 - 2 * j], self.state.blueprints[nets - 2 - 2 * j]] =
                children;
        }
        for place in self.state.blueprints[breed..].iter_mut().flatten() {
            if rng.unit() < self.spec.replace {
                *place = rng.below(count);
            }
        }
    }
}

impl Search<Mlp> for Sane {
    fn ask(&mut self, _: &Archive<Mlp>, rng: &mut Rng) -> Vec<Mlp> {
        let judged = !self.state.fitness.is_empty();
        if judged {
            self.breed_neurons(rng);
        }
        if judged && self.spec.blueprints > 0 {
            self.breed_blueprints(rng);
        } else {
            self.state.blueprints = (0..self.spec.networks).map(|_| self.drawn(rng)).collect();
        }
        self.state.fitness.clear();
        let network = |blueprint: &Vec<u32>| {
            let neurons = blueprint.iter().map(|place| &self.state.neurons[*place as usize]);
            Mlp::of_neurons(&self.shape, neurons)
        };
        self.state.blueprints.iter().map(network).collect()
    }

    fn tell(&mut self, ranked: Vec<Judged<Mlp>>, _rng: &mut Rng) {
        let asked = std::mem::take(&mut self.state.blueprints);
        self.state.blueprints = ranked.iter().map(|judged| asked[judged.index].clone()).collect();
        self.state.fitness = ranked.iter().map(|judged| judged.fitness).collect();
    }

    fn save(&self) -> Vec<u8> {
        saved(&self.state)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), Unreadable> {
        let state: State = restored(bytes)?;
        let State { neurons, blueprints, fitness } = &state;
        let inputs = self.state.neurons[0].len();
        let are_neurons =
            neurons.len() == self.spec.neurons && neurons.iter().all(|one| one.len() == inputs);
        let is_network = |places: &Vec<u32>| {
            places.len() == self.hidden()
                && places.iter().all(|place| (*place as usize) < neurons.len())
        };
        let are_networks = [0, self.spec.networks].contains(&blueprints.len())
            && [0, blueprints.len()].contains(&fitness.len())
            && blueprints.iter().all(is_network);
        if !are_neurons || !are_networks {
            return Err(Unreadable("neurons and blueprints that do not match".into()));
        }
        self.state = state;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
