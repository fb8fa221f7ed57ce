//! Points for wins, draws and losses.

use super::{Judgement, ObjectiveKind};
use crate::Stop;
use outflank_arena::{Cell, Payoff, Stopped};
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table};

table! {
/// Points for wins, draws and losses.
pub struct PointsSpec {
    /// Points for a win.
    pub win: f64,
    /// Points for a draw.
    pub draw: f64,
    /// Points for a loss.
    pub loss: f64,
}
}

impl ObjectiveKind for PointsSpec {
    fn check(&self, at: &KeyPath) -> Result<(), Fault> {
        [("win", self.win), ("draw", self.draw), ("loss", self.loss)]
            .iter()
            .try_for_each(|(name, value)| at.number(name, *value, -MAX_NUMBER..=MAX_NUMBER))
    }

    fn judge(
        &self,
        rows: usize,
        payoffs: &[Payoff],
        _errors: &[f64],
        _stop: &Stop<'_>,
    ) -> Result<Vec<Judgement>, Stopped> {
        let value = |cell: Cell| {
            f64::from(cell.wins) * self.win
                + f64::from(cell.draws) * self.draw
                + f64::from(cell.losses) * self.loss
        };
        let mut fitness = vec![0.0; rows];
        for (row, _, cell) in payoffs.iter().flat_map(Payoff::cells) {
            fitness[row] += value(cell);
        }
        Ok(fitness.into_iter().map(Judgement::of).collect())
    }

    fn sample() -> PointsSpec {
        PointsSpec { win: 3.0, draw: 1.0, loss: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{cell, fitness};
    use super::*;
    use outflank_arena::Fixtures;

    #[test]
    fn points_add_up_over_all_sources() {
        let all = Payoff::new(2, 1, Fixtures::All, vec![cell(1, 1, 0), cell(0, 0, 2)]);
        let fixtures = Fixtures::Each(vec![vec![], vec![0, 0]]);
        let some = Payoff::new(2, 1, fixtures, vec![cell(0, 1, 0), cell(2, 0, 0)]);
        let points = PointsSpec { win: 3.0, draw: 1.0, loss: 0.0 };
        assert_eq!(fitness(&points, 2, &[all.clone(), some.clone()], &[]), [4.0, 7.0]);
        let halves = PointsSpec { win: 1.0, draw: 0.5, loss: 0.0 };
        assert_eq!(fitness(&halves, 2, &[all, some], &[]), [1.5, 2.5]);
    }
}
