//! The other candidates: a round robin, or a sample for each candidate or for all.

use super::{COMPARED, Drawn, Field, Opponents, SourceKind, SourceSetting};
use crate::{Candidate, LearnError, Spec};
use outflank_arena::Fixtures;
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table, words};

table! {
/// The candidates of the generation as opponents of each other.
pub struct PeersSpec {
    /// Peers that each candidate meets, drawn without replacement; 0 for all.
    pub sample: usize,
    /// Whether a candidate also meets itself.
    pub itself: bool,
    /// Whose fitness a game counts for.
    pub credit: Credit,
    /// Whether one sample is drawn for all candidates of a generation, instead of one for each
    /// (the authors' configuration of Jaśkowski et al. 2013).
    pub shared: bool = false,
}
}

words! {
/// Whose fitness a game between peers counts for.
pub enum Credit {
    /// Only the candidate being evaluated scores.
    Own = "own",
    /// Both players score.
    Both = "both",
}
}

impl PeersSpec {
    /// The number of peers of each candidate.
    fn all(&self, spec: &Spec) -> u64 {
        (spec.search.candidates() as u64).saturating_sub(u64::from(!self.itself))
    }
}

impl SourceKind for PeersSpec {
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        let most = self.all(spec);
        if most == 0 {
            let expected = format!(
                "true, or no peers: search.kind = {:?} has one candidate",
                spec.search.kind()
            );
            return Err(at.fault("itself", self.itself, expected));
        }
        if self.sample as u64 > most {
            let expected = format!(
                "at most {most}, the peers of each of {} candidates with {} = {}",
                spec.search.candidates(),
                at.key("itself"),
                self.itself
            );
            return Err(at.fault("sample", self.sample, expected));
        }
        if self.shared && self.sample == 0 {
            let expected = format!("false, because {} = 0 is no sample", at.key("sample"));
            return Err(at.fault("shared", true, expected));
        }
        // A candidate in the sample would have one game less than the others.
        if self.shared && !self.itself {
            let expected =
                format!("false, or {} = true: who is in the sample meets itself", at.key("itself"));
            return Err(at.fault("shared", true, expected));
        }
        Ok(())
    }

    fn per_candidate(&self, spec: &Spec) -> u64 {
        match self.sample {
            0 => self.all(spec),
            sample => sample as u64,
        }
    }

    fn is_same_for_all(&self) -> bool {
        false
    }

    fn check_all_meet_all(&self, at: &KeyPath) -> Result<(), Fault> {
        if self.sample > 0 {
            return Err(at.fault("sample", self.sample, format!("0, {COMPARED}")));
        }
        if !self.itself {
            return Err(at.fault("itself", self.itself, format!("true, {COMPARED}")));
        }
        if self.credit == Credit::Both {
            let expected = "own, because objective.kind = \"distinctions\" rewards only candidates being evaluated";
            return Err(at.fault("credit", "\"both\"", expected));
        }
        Ok(())
    }

    fn shrink(&mut self) {
        self.sample = self.sample.min(3);
    }

    fn sample() -> PeersSpec {
        PeersSpec { sample: 2, itself: false, credit: Credit::Own, shared: false }
    }

    fn build<M: Candidate>(
        &self,
        _: &mut SourceSetting<'_, M>,
    ) -> Result<Box<dyn Opponents<M>>, LearnError> {
        Ok(Box::new(Peers(self.clone())))
    }
}

/// The other candidates: a round robin, or a sample for each candidate or for all.
struct Peers(PeersSpec);

impl<M> Opponents<M> for Peers {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let n = field.players.len();
        let PeersSpec { sample, itself, credit, shared } = self.0;
        // The j-th peer of candidate i, which is itself left out unless it may meet itself.
        let peer = |i: usize, j: usize| if itself || j < i { j } else { j + 1 };
        let peers = if itself { n } else { n - 1 };
        let fixtures = match (sample, itself) {
            (0, true) => Fixtures::All,
            (0, false) => {
                let all = |i| (0..peers).map(|j| peer(i, j)).collect();
                Fixtures::Each((0..n).map(all).collect())
            }
            _ if shared => Fixtures::Each(vec![rng.without_replacement(n, sample); n]),
            _ => {
                let mut some = |i| {
                    let drawn = rng.without_replacement(peers, sample);
                    drawn.into_iter().map(|j| peer(i, j)).collect()
                };
                Fixtures::Each((0..n).map(&mut some).collect())
            }
        };
        Drawn { players: field.players.to_vec(), fixtures, credit }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{archive, draw, lists, players};
    use super::*;
    use outflank_game::model::Wpc;
    use outflank_game::player::Policy;
    use outflank_kernel::rng::{Seed, Stream};

    #[test]
    fn peers_are_all_or_a_sample_with_or_without_oneself() {
        let one = PeersSpec::sample();
        let peers = |sample, itself| Peers(PeersSpec { sample, itself, ..one.clone() });
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
    fn a_shared_sample_is_the_same_for_all_and_new_in_each_generation() {
        let shared = PeersSpec { sample: 3, itself: true, shared: true, ..PeersSpec::sample() };
        let (mut peers, players) = (Peers(shared), players(10));
        let field = Field { players: &players, archive: &archive(0), policy: Policy::default() };
        let mut rng = Seed(1).at(Stream::Search, 0).rng();
        let mut met = [0u32; 10];
        for _ in 0..400 {
            let drawn = Opponents::<Wpc>::draw(&mut peers, &field, &mut rng);
            let first = &lists(&drawn)[0];
            assert!(lists(&drawn).len() == 10 && lists(&drawn).iter().all(|list| list == first));
            let mut once = first.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), 3, "no peer twice");
            once.into_iter().for_each(|peer| met[peer] += 1);
        }
        // All are drawn equally often: 120 times, with a standard deviation of 9.
        assert!(met.iter().all(|times| (84..=156).contains(times)), "{met:?}");
    }
}
