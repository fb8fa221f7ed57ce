//! Values of the probes of cases: at the end, at some time, and when a level is reached.

use outflank_lab::{Sample, Tail, student, welch};
use outflank_schema::{table, words};

use super::{Find, Needs};
use crate::evidence::Evidence;
use crate::finding::{Finding, Outcome, Tested, Unit};
use crate::resample;

table! {
/// The mean of a probe over the runs of a case.
pub struct FinalSource {
    /// The case.
    pub case: String,
    /// The probe; the first of the case if it is empty.
    pub probe: String = String::new(),
    /// After this many training games; at the end if it is 0.
    pub at: u64 = 0,
    /// Another case, whose mean is taken away.
    pub minus: String = String::new(),
    /// Another probe of the same runs, which is taken away from each.
    pub minus_probe: String = String::new(),
    /// Another case; the value is how many times its mean this one is.
    pub over: String = String::new(),
}
}

table! {
/// The lowest or the highest run of a case.
pub struct SpreadSource {
    /// The case.
    pub case: String,
    /// The probe; the first of the case if it is empty.
    pub probe: String = String::new(),
    /// Which of the runs.
    pub which: Which,
}
}

words! {
/// One of the runs of a case.
pub enum Which {
    /// The one with the lowest value.
    Lowest = "lowest",
    /// The one with the highest value.
    Highest = "highest",
}
}

table! {
/// Training games until the mean of a case reaches a level for the first time.
pub struct ReachSource {
    /// The case.
    pub case: String,
    /// The probe; the first of the case if it is empty.
    pub probe: String = String::new(),
    /// The level in percent.
    pub level: Option<f64>,
    /// A case whose mean at the end is the level.
    pub level_of: String = String::new(),
    /// Without a level: within this many percentage points of the highest mean.
    pub within: f64 = 1.0,
    /// Another case; the value is how many times its games are needed.
    pub over: String = String::new(),
    /// Counted in generations of this many games; 1 to count games.
    pub generation: u64 = 1,
}
}

table! {
/// The t of Student's test of two cases, as papers print it.
pub struct TestSource {
    /// The case.
    pub case: String,
    /// The case it is compared with.
    pub minus: String,
    /// The probe; the first of the case if it is empty.
    pub probe: String = String::new(),
}
}

/// A sample of a probe of a case.
fn sample(evidence: &Evidence, case: &str, probe: &str, at: u64) -> Result<Sample, String> {
    let case = evidence.case(case)?;
    Ok(Sample::of(&case.values(&case.probe(probe)?, at)?))
}

impl FinalSource {
    fn found(&self, evidence: &Evidence) -> Result<Finding, String> {
        let case = evidence.case(&self.case)?;
        let probe = case.probe(&self.probe)?;
        let unit = case.unit(&probe);
        let values = case.values(&probe, self.at)?;
        if !self.minus_probe.is_empty() {
            let others = case.values(&case.probe(&self.minus_probe)?, self.at)?;
            let gaps: Vec<f64> = values.iter().zip(&others).map(|(a, b)| a - b).collect();
            return Ok(Finding::of_runs(&Sample::of(&gaps), unit.difference()));
        }
        let own = Sample::of(&values);
        if !self.over.is_empty() {
            return ratio(&own, &sample(evidence, &self.over, &self.probe, self.at)?);
        }
        if self.minus.is_empty() {
            return Ok(Finding::of_runs(&own, unit));
        }
        let other = sample(evidence, &self.minus, &self.probe, self.at)?;
        let squared = |sample: &Sample| sample.variance / sample.n as f64;
        let error = (squared(&own) + squared(&other)).sqrt();
        Ok(Finding {
            value: own.mean - other.mean,
            error: welch(&own, &other, Tail::TwoSided).map(|test| (error, test.df)),
            interval: None,
            n: own.n.min(other.n),
            what: "runs",
            unit: unit.difference(),
            deviation: Some((own.variance + other.variance).sqrt()),
        })
    }
}

/// The ratio of two means; its error is that of small relative errors.
fn ratio(own: &Sample, other: &Sample) -> Result<Finding, String> {
    if other.mean <= 0.0 {
        return Err("the mean to divide by is not above 0".into());
    }
    let value = own.mean / other.mean;
    let relative = |sample: &Sample, variance: f64| variance / (sample.mean * sample.mean);
    let of_means = |sample: &Sample| relative(sample, sample.variance / sample.n as f64);
    let error = value * (of_means(own) + of_means(other)).sqrt();
    let deviation = value * (relative(own, own.variance) + relative(other, other.variance)).sqrt();
    Ok(Finding {
        value,
        error: welch(own, other, Tail::TwoSided).map(|test| (error, test.df)),
        interval: None,
        n: own.n.min(other.n),
        what: "runs",
        unit: Unit::Count,
        deviation: Some(deviation),
    })
}

impl Find for FinalSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        self.found(evidence).into()
    }

    fn needs(&self) -> Needs {
        let cases = [("case", &*self.case), ("minus", &self.minus), ("over", &self.over)];
        let mut needs = Needs::probed(cases, &self.probe);
        if !self.minus_probe.is_empty() {
            needs.probes.push(("minus-probe", self.case.clone(), self.minus_probe.clone()));
        }
        needs
    }

    fn rank(&self) -> Option<String> {
        let plain = [&self.minus, &self.minus_probe, &self.over].iter().all(|it| it.is_empty());
        plain.then(|| format!("{} {}", self.probe, self.at))
    }

    fn sample() -> FinalSource {
        FinalSource {
            case: "a".into(),
            probe: String::new(),
            at: 0,
            minus: String::new(),
            minus_probe: String::new(),
            over: String::new(),
        }
    }
}

impl SpreadSource {
    fn found(&self, evidence: &Evidence) -> Result<Finding, String> {
        let case = evidence.case(&self.case)?;
        let probe = case.probe(&self.probe)?;
        let values = case.values(&probe, 0)?;
        let pick = match self.which {
            Which::Lowest => f64::min,
            Which::Highest => f64::max,
        };
        let value = values.iter().copied().reduce(pick).ok_or("no run is finished")?;
        // An extreme of n runs: how far another sample of the runs moves it.
        let deviation = Sample::of(&values).deviation();
        let again = resample::indices(values.len());
        let extremes: Vec<f64> = again
            .map(|chosen| chosen.iter().map(|&run| values[run]).reduce(pick).unwrap_or(value))
            .collect();
        let error = Sample::of(&extremes).variance.sqrt().max(deviation.unwrap_or(0.0) / 2.0);
        let df = values.len() as f64 - 1.0;
        Ok(Finding {
            value,
            error: (values.len() > 1).then_some((error, df)),
            interval: None,
            n: values.len() as u64,
            what: "runs",
            unit: case.unit(&probe),
            deviation: Some(error * (values.len() as f64).sqrt()),
        })
    }
}

impl Find for SpreadSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        self.found(evidence).into()
    }

    fn needs(&self) -> Needs {
        Needs::probed([("case", &self.case)], &self.probe)
    }

    fn sample() -> SpreadSource {
        SpreadSource { case: "a".into(), probe: String::new(), which: Which::Lowest }
    }
}

/// The first time at which the mean of some runs is at least a level.
fn first(times: &[u64], runs: &[&Vec<f64>], level: f64) -> Option<f64> {
    let mean = |time: usize| runs.iter().map(|run| run[time]).sum::<f64>() / runs.len() as f64;
    (0..times.len()).find(|&time| mean(time) >= level).map(|time| times[time] as f64)
}

/// Why there is no time at which a level is reached.
enum Missed {
    /// There are no runs to look at.
    Unknown(String),
    /// It is not reached, which is a result, too.
    Never {
        /// What was found.
        found: String,
        /// Number of runs.
        n: u64,
    },
}

impl From<String> for Missed {
    fn from(why: String) -> Missed {
        Missed::Unknown(why)
    }
}

impl ReachSource {
    /// When a case reaches the level, the same for other samples of its runs, and their number.
    fn when(&self, evidence: &Evidence, name: &str) -> Result<(f64, Vec<f64>, u64), Missed> {
        let case = evidence.case(name)?;
        let (times, rows) = case.rows(&case.probe(&self.probe)?)?;
        let all: Vec<&Vec<f64>> = rows.iter().collect();
        let level = match self.level {
            Some(level) => level,
            None if !self.level_of.is_empty() => {
                sample(evidence, &self.level_of, &self.probe, 0)?.mean
            }
            None => {
                let mean = |time: usize| all.iter().map(|run| run[time]).sum::<f64>();
                let highest = (0..times.len()).map(mean).fold(f64::NEG_INFINITY, f64::max);
                highest / all.len() as f64 - self.within
            }
        };
        let when = first(&times, &all, level).ok_or_else(|| Missed::Never {
            found: format!("{name} never reaches {level:.1}%"),
            n: rows.len() as u64,
        })?;
        let again = resample::indices(rows.len()).map(|chosen| {
            let chosen: Vec<&Vec<f64>> = chosen.iter().map(|&run| &rows[run]).collect();
            first(&times, &chosen, level).unwrap_or(f64::INFINITY)
        });
        Ok((when, again.collect(), rows.len() as u64))
    }

    fn found(&self, evidence: &Evidence) -> Result<Finding, Missed> {
        let (value, mut again, n) = self.when(evidence, &self.case)?;
        let generation = self.generation.max(1) as f64;
        let (mut value, mut unit) = (value / generation, Unit::Games);
        again.iter_mut().for_each(|time| *time /= generation);
        if self.generation > 1 {
            unit = Unit::Count;
        }
        if !self.over.is_empty() {
            let (other, others, _) = self.when(evidence, &self.over)?;
            value /= other / generation;
            again = again.iter().zip(&others).map(|(a, b)| a * generation / b).collect();
            unit = Unit::Count;
        }
        // If some samples of the runs never reach the level, the interval has no end.
        let interval = (n > 1).then(|| resample::middle(&mut again));
        let interval = interval.filter(|ends| ends.iter().all(|end| end.is_finite()));
        Ok(Finding { value, error: None, interval, n, what: "runs", unit, deviation: None })
    }
}

impl Find for ReachSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        match self.found(evidence) {
            Ok(finding) => Outcome::Number(finding),
            Err(Missed::Unknown(why)) => Outcome::Nothing(why),
            Err(Missed::Never { found, n }) => {
                Outcome::Claim(Tested { found, holds: false, is_possible: false, n })
            }
        }
    }

    fn needs(&self) -> Needs {
        let cases = [("case", &*self.case), ("level-of", &*self.level_of), ("over", &*self.over)];
        Needs::probed(cases, &self.probe)
    }

    fn sample() -> ReachSource {
        ReachSource {
            case: "a".into(),
            probe: String::new(),
            level: Some(50.0),
            level_of: String::new(),
            within: 1.0,
            over: String::new(),
            generation: 1,
        }
    }
}

impl TestSource {
    fn found(&self, evidence: &Evidence) -> Result<Finding, String> {
        let a = sample(evidence, &self.case, &self.probe, 0)?;
        let b = sample(evidence, &self.minus, &self.probe, 0)?;
        let test = student(&a, &b, Tail::TwoSided).ok_or("a test needs two runs of each case")?;
        // The error of a t that is far from 0, by the delta method.
        let error = (1.0 + test.t * test.t / (2.0 * test.df)).sqrt();
        let n = a.n.min(b.n);
        Ok(Finding {
            value: test.t,
            error: Some((error, test.df)),
            interval: None,
            n,
            what: "runs",
            unit: Unit::Count,
            // A t of as many runs has the same error.
            deviation: Some(error * (n as f64).sqrt()),
        })
    }
}

impl Find for TestSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        self.found(evidence).into()
    }

    fn needs(&self) -> Needs {
        Needs::probed([("case", &self.case), ("minus", &self.minus)], &self.probe)
    }

    fn sample() -> TestSource {
        TestSource { case: "a".into(), minus: "b".into(), probe: String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_reached_when_the_mean_first_is() {
        let runs = [vec![10.0, 40.0, 60.0], vec![20.0, 60.0, 50.0]];
        let all: Vec<&Vec<f64>> = runs.iter().collect();
        let times = [100, 200, 300];
        assert_eq!(first(&times, &all, 50.0), Some(200.0));
        assert_eq!(first(&times, &all, 50.1), Some(300.0));
        assert_eq!(first(&times, &all, 56.0), None);
    }
}
