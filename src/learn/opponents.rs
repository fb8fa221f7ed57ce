//! Whom candidates meet. A source draws opponents for the candidates of a generation and may learn
//! from the games; a run can have several.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::search::{Search, rank};
use super::{
    Archive, ArchiveSpec, Candidate, Credit, HallOfFameSpec, NoArchiveSpec, ObjectiveSpec,
    OpponentsSpec, PeersSpec, RandomWpcSpec, Spec,
};
use crate::arena::{Fixtures, Payoff};
use crate::player::{NAMED, Player, PlayerError, Policy, parse_player, split_options};
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
        spec: &Spec,
        mut first: impl FnMut(f64) -> M,
    ) -> Result<Vec<Box<dyn Opponents<M>>>, PlayerError> {
        let mut sources: Vec<Box<dyn Opponents<M>>> = Vec::new();
        let opening = spec.policy.opening as u32;
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
            let players = players.collect::<Result<_, _>>()?;
            sources.push(Box::new(Fixed { players, opening }));
        }
        if let Some(tests) = &self.tests {
            let search = M::search(&tests.search, &spec.model, &mut || first(tests.start));
            let spec = tests;
            sources.push(Box::new(Tests {
                search,
                beside: RandomWpcs(RandomWpcSpec { number: spec.beside }),
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
        // The j-th peer of candidate i, who may have to be left out.
        let peer = |i: usize, j: usize| if itself || j < i { j } else { j + 1 };
        let peers = if itself { n } else { n - 1 };
        let fixtures = match (sample, itself) {
            (0, true) => Fixtures::All,
            (0, false) => {
                let all = |i| (0..peers).map(|j| peer(i, j)).collect();
                Fixtures::Each((0..n).map(all).collect())
            }
            _ => {
                let mut some = |i| {
                    let drawn = without_replacement(peers, sample, rng);
                    drawn.into_iter().map(|j| peer(i, j)).collect()
                };
                Fixtures::Each((0..n).map(&mut some).collect())
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
            n => without_replacement(n, sample, rng),
        };
        let fixtures = Fixtures::Each(field.players.iter().map(|_| draw()).collect());
        let players = field.archive.players().cloned().collect();
        Drawn { players, fixtures, credit: Credit::Own }
    }
}

/// Draws some of the numbers below `n`, in random order: the beginning of a Fisher-Yates shuffle, of
/// which only what has changed places is kept, so that a few of many cost little.
pub(super) fn without_replacement(n: usize, sample: usize, rng: &mut Rng) -> Vec<usize> {
    let mut moved = BTreeMap::new();
    let draw = |i: usize| {
        let j = i + rng.below((n - i) as u32) as usize;
        let here = moved.get(&i).copied().unwrap_or(i);
        moved.insert(j, here).unwrap_or(j)
    };
    (0..sample.min(n)).map(draw).collect()
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
struct Fixed {
    players: Vec<Player>,
    opening: u32,
}

/// A fixed opponent as it is met: without a policy of its own with that of the run, and with a random opening if it would
/// repeat itself and says nothing of that.
pub fn as_met(player: &Player, policy: Policy, opening: u32) -> Player {
    let own = player.policy != Policy::default();
    let mut met = Player { policy: if own { player.policy } else { policy }, ..player.clone() };
    let asked = split_options(&player.name).1.is_some();
    if met.repeats_itself() && !asked {
        met.policy.opening = opening;
    }
    met
}

impl<M> Opponents<M> for Fixed {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let seed = Seed(rng.bits());
        let player = |(index, player): (usize, &Player)| {
            let player = as_met(player, field.policy, self.opening);
            match player.is_drawn() {
                true => Arc::new(player.drawn(seed.at(Stream::Weights, index as u64))),
                false => Arc::new(player),
            }
        };
        Drawn::all(self.players.iter().enumerate().map(player).collect())
    }
}

/// A second population, which lives of telling the candidates apart.
struct Tests<M> {
    search: Box<dyn Search<M>>,
    beside: RandomWpcs,
    objective: ObjectiveSpec,
    /// The tests of this generation.
    asked: Vec<M>,
}

impl<M: Candidate> Opponents<M> for Tests<M> {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let nobody = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), field.policy);
        self.asked = self.search.ask(&nobody, rng);
        let mut drawn = self.beside.draw(field, rng);
        let tests = self.asked.iter().map(|test| Arc::new(test.player(field.policy)));
        drawn.players.splice(..0, tests);
        drawn
    }

    fn learn(&mut self, payoff: &Payoff, rng: &mut Rng) {
        let tests = std::mem::take(&mut self.asked);
        let all = payoff.transposed();
        let fitness = self.objective.fitness(all.rows(), &[all], &[]);
        self.search.tell(rank(tests, &fitness, rng));
    }

    fn save(&self) -> Vec<u8> {
        self.search.save()
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), postcard::Error> {
        self.search.restore(saved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Cell;
    use crate::learn::{
        ChampionsSpec, DistinctionsSpec, EsSpec, MutationSpec, Noise, SearchSpec, StillSpec,
    };
    use crate::model::Wpc;

    fn players(n: usize) -> Vec<Arc<Player>> {
        (0..n).map(|_| Arc::new(parse_player("heuristic").unwrap())).collect()
    }

    fn archive(n: usize) -> Archive<Wpc> {
        let spec = ArchiveSpec::Champions(ChampionsSpec { capacity: 0 });
        let mut archive = Archive::new(&spec, Policy::default());
        (0..n).for_each(|i| archive.note(&Wpc::new([i as f32; 64]).unwrap()));
        archive
    }

    /// What a source draws for ten candidates and so many champions.
    fn draw(source: &mut dyn Opponents<Wpc>, champions: usize) -> Drawn {
        let (players, archive) = (players(10), archive(champions));
        let field = Field { players: &players, archive: &archive, policy: Policy::default() };
        source.draw(&field, &mut Seed(1).at(Stream::Search, 0).rng())
    }

    fn lists(drawn: &Drawn) -> &[Vec<usize>] {
        match &drawn.fixtures {
            Fixtures::Each(lists) => lists,
            Fixtures::All => panic!("a sample"),
        }
    }

    #[test]
    fn peers_are_all_or_a_sample_with_or_without_oneself() {
        let peers = |sample, itself| Peers(PeersSpec { sample, itself, credit: Credit::Own });
        assert_eq!(draw(&mut peers(0, true), 0).fixtures, Fixtures::All);
        let drawn = draw(&mut peers(0, false), 0);
        for (i, list) in lists(&drawn).iter().enumerate() {
            assert_eq!(*list, (0..10).filter(|&j| j != i).collect::<Vec<_>>());
        }
        for (sample, itself) in [(9, false), (4, false), (10, true), (3, true)] {
            let drawn = draw(&mut peers(sample, itself), 0);
            for (i, list) in lists(&drawn).iter().enumerate() {
                let mut once = list.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), sample, "no peer twice");
                assert!(itself || !list.contains(&i));
            }
            assert_ne!(lists(&drawn)[0], lists(&drawn)[1], "each has its own sample");
        }
    }

    #[test]
    fn the_hall_of_fame_is_drawn_with_replacement_only_while_it_is_small() {
        let mut hall = HallOfFame(HallOfFameSpec { sample: 5 });
        assert!(lists(&draw(&mut hall, 0)).iter().all(Vec::is_empty));
        let few = draw(&mut hall, 2);
        assert!(lists(&few).iter().all(|list| list.len() == 5 && list.iter().all(|&c| c < 2)));
        let many = draw(&mut hall, 7);
        assert_eq!(many.players.len(), 7);
        for list in lists(&many) {
            let mut once = list.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), 5);
        }
    }

    #[test]
    fn random_opponents_are_the_same_for_all_and_others_in_each_generation() {
        let mut source = RandomWpcs(RandomWpcSpec { number: 3 });
        let drawn = draw(&mut source, 0);
        assert_eq!((drawn.players.len(), &drawn.fixtures), (3, &Fixtures::All));
        let weights = |drawn: &Drawn| drawn.players[0].lane().unwrap().weights.copied();
        let (players, archive) = (players(2), archive(0));
        let field = Field { players: &players, archive: &archive, policy: Policy::default() };
        let other: Drawn = source.draw(&field, &mut Seed(2).at(Stream::Search, 0).rng());
        assert_ne!(weights(&drawn), weights(&other));
    }

    #[test]
    fn fixed_players_keep_a_policy_of_their_own() {
        let names = ["heuristic", "heuristic@epsilon=0.5", "random-wpc"];
        let fixed = names.map(|name| parse_player(name).unwrap()).to_vec();
        let mut source = Fixed { players: fixed, opening: 4 };
        let epsilon = crate::rng::Chance::new(0.25).unwrap();
        let (players, archive) = (players(1), archive(0));
        let policy = Policy { epsilon, ..Policy::default() };
        let field: Field<'_, Wpc> = Field { players: &players, archive: &archive, policy };
        let drawn = source.draw(&field, &mut Seed(1).at(Stream::Search, 0).rng());
        let chances: Vec<f64> =
            drawn.players.iter().map(|p| p.lane().unwrap().random.probability()).collect();
        assert!((chances[0] - 0.25).abs() < 1e-9 && (chances[1] - 0.5).abs() < 1e-9);
        assert!(drawn.players.iter().all(|player| !player.is_drawn()));
    }

    #[test]
    fn tests_that_tell_candidates_apart_survive() {
        let bounds = [-10.0, 10.0];
        let mutation = MutationSpec { noise: Noise::Uniform, rate: 1.0, size: 0.1, bounds };
        let search = SearchSpec::Es(EsSpec { mu: 1, lambda: 1, mutation });
        let objective = ObjectiveSpec::Distinctions(DistinctionsSpec { directed: true });
        let mut tests = Tests {
            search: search.build(&mut || Wpc::new([1.0; 64]).unwrap()),
            beside: RandomWpcs(RandomWpcSpec { number: 1 }),
            objective,
            asked: vec![],
        };
        assert_eq!(draw(&mut tests, 0).players.len(), 3);
        let (parent, child) = (tests.asked[0].clone(), tests.asked[1].clone());
        let bits = |wpc: &Wpc| wpc.weights().map(f32::to_bits);
        assert!(bits(&parent) != bits(&child));
        // Ten candidates: all beat the parent, half of them the child, one who stands beside.
        let won = Cell { wins: 2, ..Cell::default() };
        let lost = won.reversed();
        let cells = (0..10)
            .flat_map(|i| [won, if i < 5 { won } else { lost }, if i < 1 { won } else { lost }]);
        let cells = cells.collect();
        let payoff = Payoff::new(10, 3, Fixtures::All, cells);
        tests.learn(&payoff, &mut Seed(1).at(Stream::Search, 1).rng());
        draw(&mut tests, 0);
        assert!(bits(&tests.asked[0]) == bits(&child));
        let still = SearchSpec::Still(StillSpec {});
        assert_eq!(still.candidates(), 1);
    }
}
