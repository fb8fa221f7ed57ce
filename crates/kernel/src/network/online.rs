//! TD(λ) after every move, for a network whose output is unbounded and from Black's point of view.
//! The prediction is P = tanh(f(b)); after a move from b to b'
//!
//! ```text
//! e ← λ e + (1 − P²) ∇f(b),  w ← w + α (P' − P) e
//! ```
//!
//! where P' is the prediction for b', or the outcome of the game. The network stays compiled; its
//! image follows the weights.

use super::Network;
use super::learn::Desk;
use super::{Level, Links};
use crate::apprentice::Taught;
use crate::isa::Work;
use crate::rows::Rows;
use crate::rows::portable::Eight;
use crate::tanh::{Plain, tanh};

/// A network that learns after every move.
#[derive(Clone, Debug)]
pub struct Student {
    network: Network,
    /// The fading sum of gradients, in the places of the weights; none before the first move of a
    /// game, or without traces.
    trace: Option<Network>,
    desk: Desk,
}

impl Student {
    /// Prepares a network.
    pub fn new(network: Network) -> Student {
        let desk = Desk::new(&network);
        Student { network, trace: None, desk }
    }

    /// The network as it is.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Begins a game: traces are empty.
    pub fn begin(&mut self) {
        self.trace = None;
    }
}

/// A step of learning, as work.
pub struct TeachNetwork<'a, R> {
    /// With whose instructions.
    pub isa: R,
    /// Who learns.
    pub student: &'a mut Student,
    /// From what.
    pub taught: &'a Taught,
}

impl<R: Rows> Work for TeachNetwork<'_, R> {
    type Output = ();

    #[inline(always)]
    fn work(self) {
        let TeachNetwork { isa, student, taught } = self;
        let Student { network, trace, desk } = student;
        let Taught { before, after, outcome, alpha, lambda } = *taught;
        let heard = network.heard;
        let next = match outcome {
            Some(outcome) => outcome,
            None => tanh(Plain, network.forward(isa, desk, (after.0 & heard, after.1 & heard))),
        };
        let before = (before.0 & heard, before.1 & heard);
        let now = tanh(Plain, network.forward(isa, desk, before));
        let (change, slope) = (alpha * (next - now), 1.0 - now * now);
        if lambda > 0.0 {
            let trace = trace.get_or_insert_with(|| network.zeroed());
            trace.fade(isa, lambda);
            network.back(isa, desk, slope);
            trace.step(isa, desk, before);
            network.add(isa, trace, change);
        } else {
            network.back(isa, desk, change * slope);
            network.step(isa, desk, before);
        }
        network.refresh_with(isa);
    }
}

impl Network {
    /// The same network with all weights 0.
    fn zeroed(&self) -> Network {
        let mut network = self.clone();
        network.zero();
        network
    }

    /// Multiplies all weights.
    #[inline(always)]
    fn fade<R: Rows>(&mut self, isa: R, by: f32) {
        let factor = isa.real(by);
        for row in &mut self.rows {
            isa.store(isa.times(isa.load(&row.0), factor), &mut row.0);
        }
        for bias in &mut self.bias {
            *bias *= by;
        }
        for level in &mut self.levels {
            level.change(isa, None, by);
        }
    }

    /// Adds the weights of another network of the same shape, times a factor.
    #[inline(always)]
    fn add<R: Rows>(&mut self, isa: R, other: &Network, by: f32) {
        let factor = isa.real(by);
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            let change = isa.times(isa.load(&other.0), factor);
            isa.store(isa.plus(isa.load(&row.0), change), &mut row.0);
        }
        for (bias, other) in self.bias.iter_mut().zip(&other.bias) {
            *bias += by * other;
        }
        for (level, other) in self.levels.iter_mut().zip(&other.levels) {
            level.change(isa, Some(other), by);
        }
    }
}

impl Level {
    /// Adds the weights of another level, times a factor; or, without another, multiplies its own.
    #[inline(always)]
    fn change<R: Rows>(&mut self, isa: R, other: Option<&Level>, by: f32) {
        match (&mut self.links, other.map(|other| &other.links)) {
            (Links::Dot { weights, .. } | Links::Dense { weights, .. }, other) => {
                let other: Option<&[Eight<f32>]> = match other {
                    Some(Links::Dot { weights, .. } | Links::Dense { weights, .. }) => {
                        Some(weights.as_slice())
                    }
                    _ => None,
                };
                let factor = isa.real(by);
                for (at, weight) in weights.iter_mut().enumerate() {
                    let own = isa.load(&weight.0);
                    let changed = match other {
                        Some(other) => isa.plus(own, isa.times(isa.load(&other[at].0), factor)),
                        None => isa.times(own, factor),
                    };
                    isa.store(changed, &mut weight.0);
                }
            }
            (Links::Sparse(edges), Some(Links::Sparse(others))) => {
                for (edge, other) in edges.iter_mut().zip(others) {
                    edge.weight += by * other.weight;
                }
            }
            (Links::Sparse(edges), _) => {
                for edge in edges {
                    edge.weight *= by;
                }
            }
            (Links::None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{boards, params, rng, wirings};
    use super::*;
    use crate::Kernel;

    #[test]
    fn networks_learn_after_every_move_as_their_gradients_say_in_every_kernel() {
        let (mut rng, mut changed) = (rng(30), 0);
        for wiring in wirings() {
            let start = params(&wiring, 0.3, &mut rng);
            let list: Vec<(u64, u64)> = boards(30, &mut rng);
            for lambda in [0.0, 0.8] {
                let mut learned = Vec::new();
                for kernel in Kernel::available() {
                    let mut student = Student::new(Network::new(&wiring, &start));
                    for (step, pair) in list.windows(2).enumerate() {
                        let outcome = (step == 28).then_some(-1.0);
                        let [before, after] = [pair[0], pair[1]];
                        let taught = Taught { before, after, outcome, alpha: 0.05, lambda };
                        kernel.teach_network(&mut student, &taught);
                    }
                    let mut end = start.clone();
                    student.network().copy_params(&mut end);
                    learned.push(end);
                }
                let bits = |end: &[f32]| end.iter().map(|w| w.to_bits()).collect::<Vec<u32>>();
                assert!(learned.iter().all(|end| bits(end) == bits(&learned[0])));
                // The same by gradients.
                let (mut plain, mut trace) = (start.clone(), vec![0.0; start.len()]);
                for (step, pair) in list.windows(2).enumerate() {
                    let network = Network::new(&wiring, &plain);
                    let value = |(own, opp): (u64, u64)| network.value(own, opp).tanh();
                    let now = value(pair[0]);
                    let next = if step == 28 { -1.0 } else { value(pair[1]) };
                    let gradient = network.gradient(pair[0].0, pair[0].1, plain.len());
                    for ((param, trace), slope) in plain.iter_mut().zip(&mut trace).zip(gradient) {
                        *trace = lambda * *trace + (1.0 - now * now) * slope;
                        *param += 0.05 * (next - now) * *trace;
                    }
                }
                let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-3;
                assert!(learned[0].iter().zip(&plain).all(near), "{wiring:?} {lambda}");
                changed += usize::from(bits(&learned[0]) != bits(&start));
            }
        }
        assert!(changed > wirings().len(), "{changed}");
    }
}
