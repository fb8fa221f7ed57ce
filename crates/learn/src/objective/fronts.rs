//! Several objectives: nondominated sorting and crowding distance (Deb et al. 2002).

use super::{Judgement, ObjectiveKind};
use crate::{Spec, Stop};
use outflank_arena::{Payoff, Stopped};
use outflank_schema::{Fault, KeyPath, fault, table, words};

table! {
/// Several objectives.
pub struct FrontsSpec {
    /// What has an objective of its own.
    pub by: By = By::Opponent,
}
}

words! {
/// What has an objective of its own.
pub enum By {
    /// Each opponent; all candidates must meet the same ones.
    Opponent = "opponent",
    /// Each source of opponents, such as peers and the hall of fame: the score against all of its
    /// opponents.
    Source = "source",
}
}

impl ObjectiveKind for FrontsSpec {
    fn check_with(&self, at: &KeyPath, spec: &Spec) -> Result<(), Fault> {
        let sources = spec.opponents.sources();
        if self.by == By::Source {
            if sources.len() > 1 {
                return Ok(());
            }
            let found = match sources.len() {
                0 => "there is none".into(),
                _ => format!("{} is the only one", sources[0].0.key("").trim_end_matches('.')),
            };
            let expected = format!("\"opponent\", or two sources of opponents or more; {found}");
            return Err(at.fault("by", "\"source\"", expected));
        }
        let is_same_for_all = sources.iter().all(|(_, source)| source.is_same_for_all());
        if let Some(fixed) = spec.opponents.fixed.as_ref().filter(|_| is_same_for_all) {
            let (players, kind) = (&fixed.players, at.key("kind"));
            let twice = (1..players.len()).find(|&at| players[..at].contains(&players[at]));
            return twice.map_or(Ok(()), |twice| {
                let expected = format!(
                    "players that differ, because {kind} = \"fronts\" makes each an objective"
                );
                let value = format!("{:?} twice", &*players[twice]);
                Err(fault("opponents.fixed.players", value, expected))
            });
        }
        let expected = format!(
            "another kind, or opponents.fixed without peers and hall-of-fame: all candidates must \
             meet the same opponents, unless {} = \"source\"",
            at.key("by")
        );
        Err(at.fault("kind", "\"fronts\"", expected))
    }

    fn judge(
        &self,
        rows: usize,
        payoffs: &[Payoff],
        _errors: &[f64],
        stop: &Stop<'_>,
    ) -> Result<Vec<Judgement>, Stopped> {
        let points = match self.by {
            By::Opponent => by_opponent(rows, payoffs),
            By::Source => by_source(rows, payoffs),
        };
        let fitness = fronts(&points, stop)?;
        let judgement =
            |(fitness, point): (f64, Vec<f64>)| Judgement { fitness, objectives: point.into() };
        Ok(fitness.into_iter().zip(points).map(judgement).collect())
    }

    fn objectives(&self, spec: &Spec) -> u64 {
        match self.by {
            By::Opponent => spec.opponents_per_candidate(),
            By::Source => spec.opponents.sources().len() as u64,
        }
    }

    fn sample() -> FrontsSpec {
        FrontsSpec { by: By::Opponent }
    }
}

/// Half points against each opponent.
fn by_opponent(rows: usize, payoffs: &[Payoff]) -> Vec<Vec<f64>> {
    let mut points: Vec<Vec<f64>> = vec![Vec::new(); rows];
    for (row, _, cell) in payoffs.iter().flat_map(Payoff::cells) {
        points[row].push(f64::from(cell.half_points()));
    }
    points
}

/// Half points against all opponents of a source, for each game of an opponent: as many as against
/// one of them. A source that has no opponents yet, such as an empty hall of fame, gives 0.
fn by_source(rows: usize, payoffs: &[Payoff]) -> Vec<Vec<f64>> {
    let mut points: Vec<Vec<f64>> = vec![Vec::new(); rows];
    for payoff in payoffs {
        let mut sums = vec![(0.0, 0.0); rows];
        for (row, _, cell) in payoff.cells() {
            sums[row].0 += f64::from(cell.half_points());
            sums[row].1 += 1.0;
        }
        for (point, (sum, met)) in points.iter_mut().zip(sums) {
            point.push(if met > 0.0 { sum / met } else { 0.0 });
        }
    }
    points
}

/// Whether `a` dominates `b`: it is nowhere worse, and somewhere better.
pub fn dominates(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a >= b) && a.iter().zip(b).any(|(a, b)| a > b)
}

/// The indices of the points that no other point dominates: the first front.
pub fn undominated(points: &[&[f64]]) -> Vec<usize> {
    let is_beaten = |at: &usize| points.iter().any(|other| dominates(other, points[*at]));
    (0..points.len()).filter(|at| !is_beaten(at)).collect()
}

/// Nondominated sorting (Deb et al. 2002): the first front is the candidates that no other
/// dominates, the next front those that are nondominated among the rest, and so on. The integer
/// part of the fitness is the number of later fronts. The fraction grows with the crowding distance
/// within the front.
fn fronts(points: &[Vec<f64>], stop: &Stop<'_>) -> Result<Vec<f64>, Stopped> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut all: Vec<Vec<usize>> = Vec::new();
    while !left.is_empty() {
        let mut front = Vec::new();
        let mut behind = Vec::new();
        for &row in &left {
            if stop.stop() {
                return Err(Stopped);
            }
            let is_beaten = left.iter().any(|other| dominates(&points[*other], &points[row]));
            if is_beaten { behind.push(row) } else { front.push(row) }
        }
        left = behind;
        all.push(front);
    }
    let mut fitness = vec![0.0; points.len()];
    for (behind, front) in all.iter().rev().enumerate() {
        for (row, room) in front.iter().zip(rooms(points, front)) {
            // Between 0 and 1, so that a front always matters more than crowding.
            fitness[*row] =
                behind as f64 + if room.is_finite() { room / (1.0 + room) } else { 1.0 - 1e-9 };
        }
    }
    Ok(fitness)
}

/// The crowding distance of each member of a front, summed over objectives; infinite at the ends.
fn rooms(points: &[Vec<f64>], front: &[usize]) -> Vec<f64> {
    let mut rooms = vec![0.0; front.len()];
    let objectives = points[front[0]].len();
    for value in (0..objectives).map(|objective| move |at: usize| points[front[at]][objective]) {
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
        let (first, last) = (order[0], order[order.len() - 1]);
        let width = value(last) - value(first);
        (rooms[first], rooms[last]) = (f64::INFINITY, f64::INFINITY);
        if width > 0.0 {
            order
                .windows(3)
                .for_each(|near| rooms[near[1]] += (value(near[2]) - value(near[0])) / width);
        }
    }
    rooms
}

#[cfg(test)]
mod tests {
    use super::super::testing::{cell, fitness};
    use super::*;
    use outflank_arena::Fixtures;

    #[test]
    fn the_same_player_is_not_two_objectives() {
        let mut spec = crate::resolve("mopso", &[]).unwrap().spec;
        assert!(spec.check().is_ok());
        let players = &mut spec.opponents.fixed.as_mut().unwrap().players;
        players[1] = players[0].clone();
        let fault = spec.check().unwrap_err();
        assert_eq!(
            (&*fault.key, &*fault.value),
            ("opponents.fixed.players", "\"heuristic\" twice")
        );
    }

    #[test]
    fn fronts_come_before_room() {
        // Against two opponents: 0 and 1 are best against one each, 2 is between, 2 dominates 3,
        // all dominate 4.
        let wins = [(10, 0), (0, 10), (5, 5), (5, 4), (0, 0)];
        let cells =
            wins.iter().flat_map(|(a, b)| [cell(*a, 0, 10 - a), cell(*b, 0, 10 - b)]).collect();
        let payoff = Payoff::new(5, 2, Fixtures::All, cells);
        let fitness = fitness(&FrontsSpec::sample(), 5, &[payoff], &[]);
        assert_eq!(fitness.iter().map(|f| *f as u32).collect::<Vec<_>>(), [2, 2, 2, 1, 0]);
        assert!(fitness[0] > fitness[2] && fitness[1] > fitness[2]);
    }

    #[test]
    fn within_a_front_room_decides_also_between_its_ends() {
        // One front of five: 1 and 2 are close together, 3 is far from the others; the ends have
        // infinite distance.
        let wins: [(u32, u32); 5] = [(0, 100), (10, 90), (15, 85), (60, 40), (100, 0)];
        let all = |(a, b): &(u32, u32)| [cell(*a, 0, 100 - a), cell(*b, 0, 100 - b)];
        let cells = wins.iter().flat_map(all).collect();
        let payoff = Payoff::new(5, 2, Fixtures::All, cells);
        let judged = FrontsSpec::sample().judge(5, &[payoff], &[], &|| false).unwrap();
        let fitness: Vec<f64> = judged.iter().map(|one| one.fitness).collect();
        assert!(fitness[0] > fitness[3] && fitness[4] > fitness[3], "{fitness:?}");
        // By hand: distances (15 + 15) / 100, (50 + 50) / 100 and (85 + 85) / 100, as d / (1 + d).
        for (at, room) in [(1, 0.3), (2, 1.0), (3, 1.7)] {
            assert!((fitness[at] - room / (1.0 + room)).abs() < 1e-9, "{at}: {fitness:?}");
        }
        assert_eq!(*judged[1].objectives, [20.0, 180.0], "half points against each opponent");
    }
}
