//! Values of tournaments and performance profiles.

use outflank_schema::{table, words};

use super::{Find, Needs};
use crate::evidence::Evidence;
use crate::finding::{Finding, Outcome, Tested, Unit};

table! {
/// The result of a case in a tournament.
pub struct TournamentSource {
    /// The tournament.
    pub tournament: String,
    /// The case.
    pub case: String,
    /// Against this case; against all if it is empty.
    pub against: String = String::new(),
    /// What is counted.
    pub count: Count,
}
}

words! {
/// What is counted in a tournament.
pub enum Count {
    /// Games won.
    Wins = "wins",
    /// Games drawn.
    Draws = "draws",
    /// Games lost.
    Losses = "losses",
    /// Three points for a win, one for a draw.
    Points = "points",
    /// The share of points, a win one and a draw a half, in percent.
    Score = "score",
}
}

table! {
/// The score of a case against opponents of some strength.
pub struct ProfileSource {
    /// The profile.
    pub profile: String,
    /// The case.
    pub case: String,
    /// The performance of the opponents, in percent.
    pub at: f64,
}
}

table! {
/// The performance of opponents at which a case draws level with another: the lowest from which on
/// it is not behind.
pub struct CrossingSource {
    /// The profile.
    pub profile: String,
    /// The case that is behind against weak opponents.
    pub case: String,
    /// The case that is ahead there.
    pub other: String,
}
}

table! {
/// The performance of the strongest random opponent, in percent.
pub struct StrongestSource {
    /// The profile.
    pub profile: String,
}
}

impl Find for TournamentSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        let found = || {
            let contest = evidence.whole_tournament(&self.tournament)?;
            contest.count(&self.case, &self.against, self.count)
        };
        found().into()
    }

    fn needs(&self) -> Needs {
        let tournaments = vec![("tournament", self.tournament.clone())];
        let cases = Needs::cases([("case", &self.case), ("against", &self.against)]);
        Needs { tournaments, ..cases }
    }

    fn rank(&self) -> Option<String> {
        Some(format!("{} {:?} {}", self.tournament, self.count, self.against))
    }

    fn sample() -> TournamentSource {
        TournamentSource {
            tournament: "t".into(),
            case: "a".into(),
            against: String::new(),
            count: Count::Score,
        }
    }
}

/// What a value of a profile needs.
fn of_profile<const N: usize>(profile: &str, cases: [(&'static str, &str); N]) -> Needs {
    Needs { profiles: vec![("profile", profile.to_owned())], ..Needs::cases(cases) }
}

impl Find for ProfileSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        let found = || {
            let bin = evidence.profile(&self.profile)?.bin(&self.case, self.at / 100.0)?;
            let value = 100.0 * bin.mean.ok_or("no opponent is that strong")?;
            let interval = bin.interval_players.map(|ends| ends.map(|end| 100.0 * end));
            let half = interval.map(|[low, high]| (high - low) / 2.0);
            let n = bin.double_games.checked_div(bin.opponents).unwrap_or(0);
            let error = half.filter(|_| n > 1).map(|half| {
                let df = n as f64 - 1.0;
                (half / outflank_lab::student_point(df), df)
            });
            let deviation = error.map(|(error, _)| error * (n as f64).sqrt());
            let (unit, what) = (Unit::Percent, "runs");
            Ok(Finding { value, error, interval: None, n, what, unit, deviation })
        };
        found().into()
    }

    fn needs(&self) -> Needs {
        of_profile(&self.profile, [("case", &self.case)])
    }

    fn sample() -> ProfileSource {
        ProfileSource { profile: "p".into(), case: "a".into(), at: 40.0 }
    }
}

impl Find for CrossingSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        let found = || -> Result<Outcome, String> {
            let crossing = evidence.profile(&self.profile)?.crossing(&self.case, &self.other)?;
            let n = evidence.case(&self.case)?.runs() as u64;
            Ok(match crossing {
                Some([value, low, high]) => Outcome::Number(Finding {
                    value,
                    error: None,
                    interval: Some([low, high]),
                    n,
                    what: "runs",
                    unit: Unit::Percent,
                    deviation: None,
                }),
                // That the two do not cross is a result, too.
                None => {
                    let found = format!("{} and {} do not cross", self.case, self.other);
                    Outcome::Claim(Tested { found, holds: false, is_possible: false, n })
                }
            })
        };
        found().unwrap_or_else(Outcome::Nothing)
    }

    fn needs(&self) -> Needs {
        of_profile(&self.profile, [("case", &self.case), ("other", &self.other)])
    }

    fn sample() -> CrossingSource {
        CrossingSource { profile: "p".into(), case: "a".into(), other: "b".into() }
    }
}

impl Find for StrongestSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        let found = || {
            let profile = evidence.profile(&self.profile)?;
            Ok(Finding {
                value: 100.0 * profile.strongest,
                error: None,
                interval: None,
                n: profile.opponents,
                what: "opponents",
                unit: Unit::Percent,
                deviation: None,
            })
        };
        found().into()
    }

    fn needs(&self) -> Needs {
        of_profile(&self.profile, [])
    }

    fn sample() -> StrongestSource {
        StrongestSource { profile: "p".into() }
    }
}
