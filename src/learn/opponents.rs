//! Whom candidates meet. A source draws opponents for the candidates of a generation and may learn
//! from the games; a run can have several.

use std::sync::Arc;

use super::search::{Search, rank};
use super::{
    Archive, ArchiveSpec, Candidate, Credit, HallOfFameSpec, NoArchiveSpec, ObjectiveSpec,
    OpponentsSpec, PeersSpec, RandomWpcSpec,
};
use crate::arena::{Fixtures, Payoff};
use crate::player::{NAMED, Player, PlayerError, Policy, parse_player};
use crate::rng::{Rng, Seed, Stream};

/// The candidates of a generation, for whom opponents are drawn.
#[derive(Debug)]
pub struct Field<'a, M> {
    /// The candidates as players.
    pub players: &'a [Arc<Player>],
    /// Earlier champions.
    pub archive: &'a Archive<M>,
    /// How moves are chosen in the games that count.
    pub policy: Policy,
}

/// Opponents, and who meets them.
#[derive(Debug)]
pub struct Drawn {
    /// The opponents; the columns of a payoff table whose rows are the candidates.
    pub players: Vec<Arc<Player>>,
    /// Who meets whom.
    pub fixtures: Fixtures,
    /// Whether games count for the opponents too, which are then the candidates themselves.
    pub credit: Credit,
}

impl Drawn {
    /// All candidates meet all of these.
    pub fn all(players: Vec<Arc<Player>>) -> Drawn {
        Drawn { players, fixtures: Fixtures::All, credit: Credit::Own }
    }
}

/// A source of opponents.
pub trait Opponents<M>: Send {
    /// Draws opponents for the candidates of a generation.
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn;

    /// Learns from the games just played; rows are the candidates, columns the opponents drawn.
    fn learn(&mut self, _payoff: &Payoff, _rng: &mut Rng) {}

    /// What must survive an interruption, as bytes.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes up what [`Opponents::save`] gave.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), postcard::Error> {
        Ok(())
    }
}

impl OpponentsSpec {
    /// The sources. `first` makes models for a population of tests, given how far from 0 they start.
    pub fn build<M: Candidate>(
        &self,
        mut first: impl FnMut(f64) -> M,
    ) -> Result<Vec<Box<dyn Opponents<M>>>, PlayerError> {
        let mut sources: Vec<Box<dyn Opponents<M>>> = Vec::new();
        if let Some(spec) = &self.peers {
            sources.push(Box::new(Peers(spec.clone())));
        }
        if let Some(spec) = &self.hall_of_fame {
            sources.push(Box::new(HallOfFame(spec.clone())));
        }
        if let Some(spec) = &self.random_wpc {
            sources.push(Box::new(RandomWpcs(spec.clone())));
        }
        if let Some(spec) = &self.fixed {
            let players = spec.players.iter().map(|name| parse_player(name));
            sources.push(Box::new(Fixed(players.collect::<Result<_, _>>()?)));
        }
        if let Some(spec) = &self.tests {
            let search = spec.search.build(|| first(spec.start));
            sources.push(Box::new(Tests {
                search,
                objective: spec.objective.clone(),
                asked: Vec::new(),
            }));
        }
        Ok(sources)
    }
}

/// The other candidates: round robin, or a sample for each.
struct Peers(PeersSpec);

impl<M> Opponents<M> for Peers {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let n = field.players.len();
        let PeersSpec { sample, itself, credit } = self.0;
        let fixtures = match (sample, itself) {
            (0, true) => Fixtures::All,
            _ => {
                let others = |i: usize| (0..n).filter(move |&j| itself || j != i);
                let some = |i| {
                    if sample == 0 {
                        others(i).collect()
                    } else {
                        without_replacement(others(i).collect(), sample, rng)
                    }
                };
                Fixtures::Each((0..n).map(some).collect())
            }
        };
        Drawn { players: field.players.to_vec(), fixtures, credit }
    }
}

/// Members of the archive, a sample for each candidate; none while it is empty.
struct HallOfFame(HallOfFameSpec);

impl<M: Candidate> Opponents<M> for HallOfFame {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let (n, sample) = (field.archive.len(), self.0.sample);
        let mut draw = || match n {
            0 => Vec::new(),
            n if n < sample => (0..sample).map(|_| rng.below(n as u32) as usize).collect(),
            n => without_replacement((0..n).collect(), sample, rng),
        };
        let fixtures = Fixtures::Each(field.players.iter().map(|_| draw()).collect());
        let players = field.archive.players().cloned().collect();
        Drawn { players, fixtures, credit: Credit::Own }
    }
}

/// Draws some of a list, in random order: the beginning of a Fisher-Yates shuffle.
fn without_replacement(mut list: Vec<usize>, sample: usize, rng: &mut Rng) -> Vec<usize> {
    let sample = sample.min(list.len());
    for i in 0..sample {
        let j = i + rng.below((list.len() - i) as u32) as usize;
        list.swap(i, j);
    }
    list.truncate(sample);
    list
}

/// WPCs drawn anew in each generation, the same for all candidates (Jaśkowski et al. 2013).
struct RandomWpcs(RandomWpcSpec);

impl<M> Opponents<M> for RandomWpcs {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let seed = Seed(rng.bits());
        let named = NAMED.iter().find(|named| named.name == "random-wpc");
        let kind =
            Player { policy: field.policy, ..named.expect("a player of that name").player() };
        let draw = |index| Arc::new(kind.drawn(seed.at(Stream::Weights, index)));
        Drawn::all((0..self.0.number as u64).map(draw).collect())
    }
}

/// Players that stay the same. With a policy of their own they keep it.
struct Fixed(Vec<Player>);

impl<M> Opponents<M> for Fixed {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let seed = Seed(rng.bits());
        let player = |(index, player): (usize, &Player)| {
            let own = player.policy != Policy::default();
            let policy = if own { player.policy } else { field.policy };
            let player = Player { policy, ..player.clone() };
            match player.is_drawn() {
                true => Arc::new(player.drawn(seed.at(Stream::Weights, index as u64))),
                false => Arc::new(player),
            }
        };
        Drawn::all(self.0.iter().enumerate().map(player).collect())
    }
}

/// A second population, which lives of telling the candidates apart.
struct Tests<M> {
    search: Box<dyn Search<M>>,
    objective: ObjectiveSpec,
    /// The tests of this generation.
    asked: Vec<M>,
}

impl<M: Candidate> Opponents<M> for Tests<M> {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let nobody = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), field.policy);
        self.asked = self.search.ask(&nobody, rng);
        Drawn::all(self.asked.iter().map(|test| Arc::new(test.player(field.policy))).collect())
    }

    fn learn(&mut self, payoff: &Payoff, rng: &mut Rng) {
        let tests = std::mem::take(&mut self.asked);
        let fitness = self.objective.fitness(tests.len(), &[payoff.transposed()]);
        self.search.tell(rank(tests, &fitness, rng));
    }

    fn save(&self) -> Vec<u8> {
        self.search.save()
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        self.search.restore(saved)
    }
}
