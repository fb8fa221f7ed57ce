//! Values of given players, and what champions look like.

use outflank_schema::{PlayerName, table, words};

use super::{Find, Needs};
use crate::evidence::Evidence;
use crate::finding::{Finding, Outcome, Tested, Unit};

table! {
/// Games between two given players: the share that the first wins.
pub struct MatchSource {
    /// The player.
    pub player: PlayerName,
    /// The opponent.
    pub against: PlayerName,
    /// Single games, an even number.
    pub games: u64,
}
}

table! {
/// The share of a case's champions that use at most two corners of the board.
pub struct CornersSource {
    /// The case; its champions are networks.
    pub case: String,
    /// The most corners that count as few.
    pub most: u64 = 2,
}
}

table! {
/// Whether the best player of a tournament, a WPC, looks as a paper describes its own.
pub struct BoardSource {
    /// The tournament.
    pub tournament: String,
    /// What is said of the board.
    pub shown: Shown,
    /// The case of the best player, for `best-case`.
    pub case: String = String::new(),
}
}

words! {
/// What is said of the weights of a player as a board.
pub enum Shown {
    /// It is a champion of this case.
    BestCase = "best-case",
    /// All of what follows.
    All = "all",
    /// Weights differ less between squares that symmetry makes equal than between others.
    Symmetric = "symmetric",
    /// The four corners have the largest weights.
    Corners = "corners",
    /// The squares beside the corners have the smallest weights.
    BesideCorners = "beside-corners",
    /// The squares of the edge two from a corner have the largest weights after the corners.
    Edges = "edges",
}
}

impl MatchSource {
    /// What the match is called.
    pub fn name(&self) -> String {
        format!("{}-{}", self.player, self.against)
    }
}

impl Find for MatchSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        let found = || {
            let tally = evidence.played(self)?;
            let games = tally.games().max(1) as f64;
            let share = tally.wins as f64 / games;
            // The pair is the unit: its two games share an opening.
            let error = 100.0 * (share * (1.0 - share) / games).sqrt();
            Ok(Finding {
                value: 100.0 * share,
                error: Some((error, games)),
                interval: None,
                n: tally.games(),
                what: "games",
                unit: Unit::Percent,
                deviation: Some(100.0 * (share * (1.0 - share)).sqrt()),
            })
        };
        found().into()
    }

    fn needs(&self) -> Needs {
        Needs { matches: vec![self.clone()], ..Needs::default() }
    }

    fn sample() -> MatchSource {
        MatchSource { player: "heuristic".into(), against: "random".into(), games: 100 }
    }
}

impl Find for CornersSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        let found = || {
            let case = evidence.case(&self.case)?;
            let counts = case.corners()?;
            let few = counts.iter().filter(|corners| **corners as u64 <= self.most).count() as f64;
            let n = counts.len() as f64;
            let share = few / n;
            let error = 100.0 * (share * (1.0 - share) / n).sqrt();
            Ok(Finding {
                value: 100.0 * share,
                error: (n > 1.0).then_some((error, n - 1.0)),
                interval: None,
                n: counts.len() as u64,
                what: "champions",
                unit: Unit::Percent,
                deviation: Some(100.0 * (share * (1.0 - share)).sqrt()),
            })
        };
        found().into()
    }

    fn needs(&self) -> Needs {
        Needs::cases([("case", &self.case)])
    }

    fn sample() -> CornersSource {
        CornersSource { case: "a".into(), most: 2 }
    }
}

/// The class of squares that the symmetries of the board make equal: its nearest distance to an
/// edge, and the other distance.
fn class(square: usize) -> (usize, usize) {
    let fold = |line: usize| line.min(7 - line);
    let (row, column) = (fold(square / 8), fold(square % 8));
    (row.min(column), row.max(column))
}

/// The mean weight of a class.
fn mean(weights: &[f32; 64], wanted: (usize, usize)) -> f64 {
    let own = (0..64).filter(|&square| class(square) == wanted);
    let own: Vec<f64> = own.map(|square| f64::from(weights[square])).collect();
    own.iter().sum::<f64>() / own.len() as f64
}

impl BoardSource {
    fn found(&self, evidence: &Evidence) -> Result<Tested, String> {
        let contest = evidence.whole_tournament(&self.tournament)?;
        let best = contest.best.as_ref().ok_or("there is no best player")?;
        let who = format!("{}, seed {}", best.case, best.seed);
        let n = 1;
        if self.shown == Shown::BestCase {
            let holds = self.case == best.case;
            return Ok(Tested { found: who, holds, is_possible: holds, n });
        }
        let weights = best.weights.as_ref().ok_or("the best player is not a WPC")?;
        let all: Vec<(usize, usize)> =
            (0..4).flat_map(|row| (row..4).map(move |column| (row, column))).collect();
        let ranked = |wanted: (usize, usize)| {
            all.iter().filter(|&&other| mean(weights, other) > mean(weights, wanted)).count()
        };
        let one = |shown: Shown| match shown {
            Shown::Corners => (
                format!("corners {:.2}, rank {} of 10", mean(weights, (0, 0)), ranked((0, 0)) + 1),
                ranked((0, 0)) == 0,
            ),
            Shown::BesideCorners => {
                let lowest = ranked((1, 1)).min(ranked((0, 1)));
                let [x, c] = [(1, 1), (0, 1)].map(|class| mean(weights, class));
                (format!("X squares {x:.2}, C squares {c:.2}"), lowest >= 8)
            }
            Shown::Edges => (
                format!(
                    "edges two from a corner {:.2}, rank {} of 10",
                    mean(weights, (0, 2)),
                    ranked((0, 2)) + 1
                ),
                ranked((0, 2)) == 1,
            ),
            Shown::Symmetric | Shown::BestCase | Shown::All => {
                let total = (0..64).map(|s| f64::from(weights[s])).sum::<f64>() / 64.0;
                let within: f64 = (0..64)
                    .map(|s| (f64::from(weights[s]) - mean(weights, class(s))).powi(2))
                    .sum();
                let about: f64 = (0..64).map(|s| (f64::from(weights[s]) - total).powi(2)).sum();
                let share = 1.0 - within / about;
                (format!("symmetry explains {:.0}% of the variance", 100.0 * share), share > 0.5)
            }
        };
        let parts = match self.shown {
            Shown::All => {
                vec![Shown::Symmetric, Shown::Corners, Shown::BesideCorners, Shown::Edges]
            }
            other => vec![other],
        };
        let parts: Vec<(String, bool)> = parts.into_iter().map(one).collect();
        let holds = parts.iter().all(|(_, holds)| *holds);
        let found: Vec<&str> = parts.iter().map(|(found, _)| found.as_str()).collect();
        let found = format!("{} ({who})", found.join("; "));
        Ok(Tested { found, holds, is_possible: holds, n })
    }
}

impl Find for BoardSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        self.found(evidence).into()
    }

    fn needs(&self) -> Needs {
        let tournaments = vec![("tournament", self.tournament.clone())];
        Needs { tournaments, ..Needs::cases([("case", &self.case)]) }
    }

    fn sample() -> BoardSource {
        BoardSource { tournament: "t".into(), shown: Shown::Corners, case: String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetry_makes_ten_classes_of_squares() {
        let mut classes: Vec<(usize, usize)> = (0..64).map(class).collect();
        classes.sort_unstable();
        classes.dedup();
        assert_eq!(classes.len(), 10);
        assert_eq!([0, 7, 56, 63].map(class), [(0, 0); 4]);
        assert_eq!([1, 8, 62].map(class), [(0, 1); 3]);
        assert_eq!([2, 16, 61].map(class), [(0, 2); 3]);
        let mut weights = [0.0f32; 64];
        for corner in [0, 7, 56, 63] {
            weights[corner] = 1.0;
        }
        assert!(mean(&weights, (0, 0)) > 0.99 && mean(&weights, (3, 3)).abs() < 1e-9);
    }
}
