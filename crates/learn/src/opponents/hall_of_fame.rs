//! Champions from the archive (Rosin & Belew 1997), a sample for each candidate or for
//! all.

use super::{COMPARED, Credit, Drawn, Field, Opponents, SourceKind, SourceSetting};
use crate::limits::MAX_PLAYERS;
use crate::{Candidate, LearnError, Spec};
use outflank_arena::Fixtures;
use outflank_kernel::rng::Rng;
use outflank_schema::{Fault, KeyPath, table};

table! {
/// Champions from the archive as opponents.
pub struct HallOfFameSpec {
    /// Champions that each candidate meets; drawn with replacement while the archive has fewer.
    pub sample: usize,
    /// Whether one sample is drawn for all candidates of a generation, instead of one for each (as
    /// in the library of the authors of Szubert et al. 2009).
    pub shared: bool = false,
}
}

impl SourceKind for HallOfFameSpec {
    fn check(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        at.whole("sample", self.sample, 1..=MAX_PLAYERS)?;
        if spec.archive.capacity().is_none() {
            let expected = format!(
                "no hall of fame, because archive.kind = {:?} keeps no champions",
                spec.archive.kind()
            );
            return Err(at.fault("sample", self.sample, expected));
        }
        Ok(())
    }

    /// As if the archive were full.
    fn per_candidate(&self, _: &Spec) -> u64 {
        self.sample as u64
    }

    fn is_same_for_all(&self) -> bool {
        false
    }

    fn check_all_meet_all(&self, at: &KeyPath) -> Result<(), Fault> {
        Err(at.fault("sample", self.sample, format!("no hall of fame, {COMPARED}")))
    }

    fn shrink(&mut self) {
        self.sample = 3;
    }

    fn sample() -> HallOfFameSpec {
        HallOfFameSpec { sample: 2, shared: false }
    }

    fn build<M: Candidate>(
        &self,
        _: &mut SourceSetting<'_, M>,
    ) -> Result<Box<dyn Opponents<M>>, LearnError> {
        Ok(Box::new(HallOfFame(self.clone())))
    }
}

/// Champions from the archive, a sample for each candidate or for all; none while it is empty.
struct HallOfFame(HallOfFameSpec);

impl<M: Candidate> Opponents<M> for HallOfFame {
    fn draw(&mut self, field: &Field<'_, M>, rng: &mut Rng) -> Drawn {
        let HallOfFameSpec { sample, shared } = self.0;
        let n = field.archive.len();
        let mut draw = || match n {
            0 => Vec::new(),
            n if n < sample => (0..sample).map(|_| rng.below(n as u32) as usize).collect(),
            n => rng.without_replacement(n, sample),
        };
        let mut lists: Vec<Vec<usize>> = match shared {
            true => vec![draw(); field.players.len()],
            false => field.players.iter().map(|_| draw()).collect(),
        };
        // Only champions that are met take part, because an archive may have a million.
        let mut met: Vec<usize> = lists.iter().flatten().copied().collect();
        met.sort_unstable();
        met.dedup();
        for champion in lists.iter_mut().flatten() {
            *champion = met.binary_search(champion).expect("champions that were drawn are met");
        }
        let players = met.into_iter().map(|index| field.archive.player(index).clone()).collect();
        Drawn { players, fixtures: Fixtures::Each(lists), credit: Credit::Own }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{archive, draw, lists, players};
    use super::*;
    use outflank_game::model::Wpc;
    use outflank_game::player::{Player, Policy};
    use outflank_kernel::rng::{Seed, Stream};
    use std::sync::Arc;

    #[test]
    fn of_a_large_hall_of_fame_only_those_who_are_met_are_handed_out() {
        let drawn = draw(&mut HallOfFame(HallOfFameSpec { sample: 3, shared: false }), 5000);
        assert!(drawn.players.len() <= 10 * 3, "{} of 5000", drawn.players.len());
        let mut met: Vec<usize> = lists(&drawn).iter().flatten().copied().collect();
        met.sort_unstable();
        met.dedup();
        assert_eq!(met, (0..drawn.players.len()).collect::<Vec<_>>());
    }

    #[test]
    fn the_hall_of_fame_is_drawn_with_replacement_only_while_it_is_small() {
        let mut hall = HallOfFame(HallOfFameSpec { sample: 5, shared: false });
        assert!(lists(&draw(&mut hall, 0)).iter().all(Vec::is_empty));
        let few = draw(&mut hall, 2);
        assert!(lists(&few).iter().all(|list| list.len() == 5 && list.iter().all(|&c| c < 2)));
        let many = draw(&mut hall, 7);
        for list in lists(&many) {
            let mut once = list.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), 5);
        }
        // All are drawn equally often: each list leaves out two of seven, so in 400 lists each
        // appears 286 times, with a standard deviation of 9.
        let mut drawn = [0u32; 7];
        for _ in 0..40 {
            let mut rng = Seed(drawn.iter().sum::<u32>().into()).at(Stream::Search, 0).rng();
            let (players, archive) = (players(10), archive(7));
            let field = Field { players: &players, archive: &archive, policy: Policy::default() };
            let many = Opponents::<Wpc>::draw(&mut hall, &field, &mut rng);
            for column in lists(&many).iter().flatten() {
                let is_met = |other: &Arc<Player>| Arc::ptr_eq(other, &many.players[*column]);
                drawn[archive.players().position(is_met).unwrap()] += 1;
            }
        }
        assert!(drawn.iter().all(|times| (250..=322).contains(times)), "{drawn:?}");
    }

    #[test]
    fn a_shared_sample_is_the_same_for_all() {
        for (champions, sample) in [(0, 0), (2, 5), (7, 5), (500, 5)] {
            let mut shared = HallOfFame(HallOfFameSpec { sample: 5, shared: true });
            let drawn = draw(&mut shared, champions);
            let first = &lists(&drawn)[0];
            assert_eq!((first.len(), lists(&drawn).len()), (sample, 10));
            assert!(lists(&drawn).iter().all(|list| list == first), "{:?}", lists(&drawn));
            let mut own = HallOfFame(HallOfFameSpec { sample: 5, shared: false });
            let drawn = draw(&mut own, champions);
            assert!(champions == 0 || lists(&drawn).iter().any(|list| *list != lists(&drawn)[0]));
        }
    }
}
