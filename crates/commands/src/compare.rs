//! Compares studies.

use std::path::PathBuf;

use outflank_arena::{News, Watch};
use outflank_lab::{
    AgainstPublished, Comparison, Entry, Equivalence, Pair, Published, Question, Results, TTest,
    Tail, Test, common_probes, compare,
};
use serde::{Deserialize, Serialize};

use crate::teams::{Unfinished, parse_studies};
use crate::{Command, Error};

/// Compares studies: which method is better, and is it certain?
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompareRequest {
    /// Studies or single runs, `[NAME=]PATH`.
    pub studies: Vec<String>,
    /// Take every run at its last probe due at this number of training games or before, not at its
    /// end.
    pub at: Option<u64>,
    /// The probe to compare; if there is none, every probe that all studies have, except counts.
    pub probe: Option<String>,
    /// The tests of equivalence ask whether means are less than this apart.
    pub margin: Option<f64>,
    /// Published figures, each for the study of that name.
    pub published: Vec<PublishedFigure>,
    /// `welch` (also if empty), `student` or `mann-whitney`.
    pub test: String,
    /// What the tests ask about two studies, in the order in which they are named: `two-sided`
    /// (also if empty: do they differ?), `greater` or `less` (is the first?).
    pub tail: String,
    /// Compare the other studies only with this one, not with each other.
    pub baseline: Option<String>,
}

/// A published mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedFigure {
    /// The study it is compared with.
    pub name: String,
    /// The mean, as a share.
    pub mean: f64,
    /// Half the width of its 95% interval.
    pub half_width: f64,
    /// Number of runs.
    pub n: u64,
}

/// The comparisons, one for each probe.
#[derive(Clone, Debug, Serialize)]
pub struct CompareAnswer {
    /// One for each probe.
    pub results: Vec<Compared>,
    /// Runs that are not finished, taken as they stand.
    pub unfinished: Vec<Unfinished>,
    /// The same, for tables of text.
    #[serde(skip)]
    pub comparisons: Vec<Comparison>,
}

/// The studies compared by one probe.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The probe.
    pub probe: String,
    /// The test of whether studies differ.
    pub test: &'static str,
    /// Its alternative hypothesis.
    pub tail: &'static str,
    /// The only study that the others were compared with.
    pub baseline: Option<String>,
    /// The margin of the tests of equivalence.
    pub margin: Option<f64>,
    /// The studies, best mean first.
    pub studies: Vec<StudyRow>,
    /// The pairs that were compared.
    pub pairs: Vec<PairRow>,
    /// Comparisons with published figures.
    pub published: Vec<PublishedRow>,
    /// Remarks on how far to trust it.
    pub notes: Vec<String>,
}

/// A study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyRow {
    /// Its name.
    pub name: String,
    /// Its runs with a probe.
    pub runs: u64,
    /// Training games of each run.
    pub games: u64,
    /// Games of the probe.
    pub probe_games: u64,
    /// The mean over runs.
    pub mean: f64,
    /// Its 95% interval.
    pub interval: Option<[f64; 2]>,
    /// The median.
    pub median: f64,
    /// The standard deviation.
    pub deviation: Option<f64>,
    /// The minimum.
    pub least: f64,
    /// The maximum.
    pub most: f64,
    /// The letters of its groups: studies that share a letter do not differ significantly.
    pub group: Option<String>,
}

/// Two studies.
#[derive(Clone, Debug, Serialize)]
pub struct PairRow {
    /// The first.
    pub a: String,
    /// The second.
    pub b: String,
    /// The first mean minus the second.
    pub difference: f64,
    /// The test of means.
    #[serde(flatten)]
    pub means: TestRow,
    /// The p of the test that was asked for, after Holm's correction.
    pub holm: Option<f64>,
    /// Mann and Whitney's U.
    pub mann_whitney_u: Option<f64>,
    /// Its p.
    pub mann_whitney_p: Option<f64>,
    /// Vargha and Delaney's A.
    pub a12: Option<f64>,
    /// The size of the effect in a word.
    pub effect: Option<&'static str>,
    /// `>`, `<`, `~` (no significant difference) or `?` (not tested).
    pub relation: &'static str,
}

/// A study and a published figure.
#[derive(Clone, Debug, Serialize)]
pub struct PublishedRow {
    /// The study.
    pub name: String,
    /// Its runs with a probe.
    pub runs: u64,
    /// Its mean.
    pub mean: f64,
    /// The 95% interval of its mean.
    pub interval: Option<[f64; 2]>,
    /// The published mean.
    pub published_mean: f64,
    /// Half the width of its interval.
    pub published_half_width: f64,
    /// Its runs.
    pub published_runs: u64,
    /// Our mean minus the published one.
    pub difference: f64,
    /// The test of means.
    #[serde(flatten)]
    pub means: TestRow,
}

/// A test of means. An infinite t is null, because JSON has no such number.
#[derive(Clone, Debug, Serialize)]
pub struct TestRow {
    /// Student's t, or Welch's.
    pub t: Option<f64>,
    /// Its degrees of freedom.
    pub degrees_of_freedom: Option<f64>,
    /// Its p.
    pub p: Option<f64>,
    /// The p of two one-sided tests, where a margin was given.
    pub equivalence_p: Option<f64>,
    /// Whether they show that the means are less than the margin apart.
    pub equivalent: Option<bool>,
}

impl Command for CompareRequest {
    type Answer = CompareAnswer;
    const NAME: &'static str = "compare";

    fn run(&self, watch: &dyn Watch) -> Result<CompareAnswer, Error> {
        let mut question = self.question()?;
        let studies = parse_studies(&self.studies, self.at, watch)?;
        refuse_shared_runs(&studies)?;
        for figure in &mut question.published {
            figure.name = called("published figure", &figure.name, &studies)?;
        }
        if let Some(name) = &mut question.baseline {
            *name = called("baseline", name, &studies)?;
        }
        let probes = choose_probes(&studies, self.probe.as_deref(), watch)?;
        if probes.len() > 1 && !self.published.is_empty() {
            return Err(Error::Usage(format!(
                "a published figure belongs to one probe: add --probe with one of {}",
                probes.join(", ")
            )));
        }
        let comparisons: Vec<Comparison> =
            probes.iter().map(|probe| compare(&studies, probe, &question)).collect();
        Ok(CompareAnswer {
            results: comparisons.iter().map(compared).collect(),
            unfinished: Unfinished::among(&studies),
            comparisons,
        })
    }
}

impl CompareRequest {
    fn question(&self) -> Result<Question, Error> {
        let test = match self.test.as_str() {
            "" => Some(Test::default()),
            name => Test::ALL.into_iter().find(|test| test.name() == name),
        };
        let tail = match self.tail.as_str() {
            "" => Some(Tail::default()),
            name => Tail::ALL.into_iter().find(|tail| tail.name() == name),
        };
        let unknown = |what: &str, name: &str, all: &[&str]| {
            Error::Usage(format!("{what} = {name:?}, expected {}", all.join(", ")))
        };
        Ok(Question {
            test: test.ok_or_else(|| unknown("test", &self.test, &Test::ALL.map(Test::name)))?,
            tail: tail.ok_or_else(|| unknown("tail", &self.tail, &Tail::ALL.map(Tail::name)))?,
            margin: self.margin,
            published: self.published.iter().map(PublishedFigure::figure).collect(),
            baseline: self.baseline.clone(),
        })
    }
}

impl PublishedFigure {
    fn figure(&self) -> Published {
        let PublishedFigure { name, mean, half_width, n } = self.clone();
        Published { name, mean, half_width, n }
    }
}

/// Refuses studies that share a run, which would be compared with itself.
fn refuse_shared_runs(studies: &[Results]) -> Result<(), Error> {
    let real = |study: &Results| -> Vec<PathBuf> {
        let runs = study.runs.iter();
        runs.map(|run| run.path.canonicalize().unwrap_or_else(|_| run.path.clone())).collect()
    };
    let runs: Vec<Vec<PathBuf>> = studies.iter().map(real).collect();
    for (index, own) in runs.iter().enumerate() {
        for (other, before) in runs[..index].iter().enumerate() {
            if let Some(run) = own.iter().find(|run| before.contains(run)) {
                let [a, b] = [other, index].map(|index| studies[index].path.display());
                return Err(Error::Usage(format!(
                    "{a} and {b} both contain the run {}; a run cannot be compared with itself",
                    run.display()
                )));
            }
        }
    }
    Ok(())
}

/// The name of the study that is called so, or of the only one whose folder or preset is.
fn called(what: &str, name: &str, studies: &[Results]) -> Result<String, Error> {
    let is_called = |study: &&Results| study.name == name;
    let is_folder = |study: &&Results| study.path.file_name().is_some_and(|it| it == name);
    let is_preset = |study: &&Results| study.name.split(' ').next() == Some(name);
    let ways: [&dyn Fn(&&Results) -> bool; 3] = [&is_called, &is_folder, &is_preset];
    for is_it in ways {
        let mut found = studies.iter().filter(|study| is_it(study));
        if let (Some(study), None) = (found.next(), found.next()) {
            return Ok(study.name.clone());
        }
    }
    let names: Vec<&str> = studies.iter().map(|study| study.name.as_str()).collect();
    Err(Error::Usage(format!(
        "{what} {name}: no study is called {name:?}, only {}; {name}=STUDY names one",
        names.join(", ")
    )))
}

/// The probe that was asked for, or all that the studies have in common.
fn choose_probes(
    studies: &[Results],
    asked: Option<&str>,
    watch: &dyn Watch,
) -> Result<Vec<String>, Error> {
    let common = common_probes(studies);
    let lacks = |study: &&Results, probe: &str| !study.probes().iter().any(|own| own == probe);
    if let Some(probe) = asked {
        let without: Vec<String> =
            studies.iter().filter(|s| lacks(s, probe)).map(had_probes).collect();
        if without.is_empty() {
            return Ok(vec![probe.into()]);
        }
        let common = if common.is_empty() {
            "no probe is common to all".into()
        } else {
            format!("common to all: {}", common.join(", "))
        };
        return Err(Error::Usage(format!(
            "no probe {probe:?} in {}; {common}",
            without.join(", ")
        )));
    }
    if common.is_empty() {
        let all: Vec<String> = studies.iter().map(had_probes).collect();
        return Err(Error::Usage(format!(
            "no probe is common to all of {}; `outflank report` and `outflank measure` measure their \
             champions alike, in fresh games",
            all.join(", ")
        )));
    }
    let mut told = Vec::new();
    for probe in studies.iter().flat_map(Results::measures) {
        if !common.contains(&probe) && !told.contains(&probe) {
            let without: Vec<&str> =
                studies.iter().filter(|s| lacks(s, &probe)).map(|s| s.name.as_str()).collect();
            let note = if without.is_empty() {
                format!("{probe} is left out: the studies trained against different opponents")
            } else {
                format!("{probe} is left out: {} has no such probe", without.join(", "))
            };
            watch.tell(News::Note(&note));
            told.push(probe);
        }
    }
    Ok(common)
}

/// A study and the probes it has.
fn had_probes(study: &Results) -> String {
    match study.probes().join(", ") {
        probes if probes.is_empty() => format!("{} (without probes)", study.name),
        probes => format!("{} (which has {probes})", study.name),
    }
}

fn compared(comparison: &Comparison) -> Compared {
    let groups = comparison.groups();
    let study = |(index, entry): (usize, &Entry)| StudyRow {
        name: entry.name.clone(),
        runs: entry.sample.n,
        games: entry.games,
        probe_games: entry.probe_games,
        mean: entry.sample.mean,
        interval: entry.interval,
        median: entry.median,
        deviation: entry.sample.deviation(),
        least: entry.range[0],
        most: entry.range[1],
        group: groups.as_ref().map(|groups| groups[index].clone()),
    };
    Compared {
        probe: comparison.probe.clone(),
        test: comparison.test.name(),
        tail: comparison.tail.name(),
        baseline: comparison.baseline.clone(),
        margin: comparison.margin,
        studies: comparison.entries.iter().enumerate().map(study).collect(),
        pairs: comparison.pairs.iter().map(|pair| pair_row(comparison, pair)).collect(),
        published: comparison.published.iter().map(|it| published(comparison, it)).collect(),
        notes: comparison.notes.clone(),
    }
}

fn pair_row(comparison: &Comparison, pair: &Pair) -> PairRow {
    let [a, b] = pair.entries.map(|index| comparison.entries[index].name.clone());
    PairRow {
        a,
        b,
        difference: pair.difference,
        means: TestRow::of(pair.means, pair.equivalence),
        holm: pair.holm,
        mann_whitney_u: pair.ranks.map(|test| test.u),
        mann_whitney_p: pair.ranks.map(|test| test.p),
        a12: pair.a12,
        effect: pair.effect().map(|effect| effect.word()),
        relation: pair.relation.sign(),
    }
}

fn published(comparison: &Comparison, against: &AgainstPublished) -> PublishedRow {
    let entry = &comparison.entries[against.entry];
    PublishedRow {
        name: entry.name.clone(),
        runs: entry.sample.n,
        mean: entry.sample.mean,
        interval: entry.interval,
        published_mean: against.figure.mean,
        published_half_width: against.figure.half_width,
        published_runs: against.figure.n,
        difference: against.difference,
        means: TestRow::of(against.means, against.equivalence),
    }
}

impl TestRow {
    fn of(means: Option<TTest>, equivalence: Option<Equivalence>) -> TestRow {
        TestRow {
            t: means.map(|test| test.t),
            degrees_of_freedom: means.map(|test| test.df),
            p: means.map(|test| test.p),
            equivalence_p: equivalence.map(|found| found.p),
            equivalent: equivalence.map(Equivalence::is_shown),
        }
    }
}
