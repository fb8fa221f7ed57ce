//! Studies side by side: the values of one probe at the end of their runs, tests of every pair, and
//! tests against published figures. A value, for whoever prints or draws it.

use crate::results::{Measurement, Results, RunResult};
use crate::stats::{
    Effect, RankTest, SIGNIFICANCE, Sample, TTest, Tail, equivalence, holm, mann_whitney, median,
    student, vargha_delaney, welch,
};
use outflank_learn::Quantity;

/// What is asked of studies.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The test that tells studies apart.
    pub test: Test,
    /// Whether the first of two studies is asked to be greater or less, or to differ. With one tail, the first is
    /// the one that was named first: a direction chosen by the data would halve every p.
    pub tail: Tail,
    /// How far apart two means may be and still count as equivalent.
    pub margin: Option<f64>,
    /// Figures to hold against the studies of the same name.
    pub published: Vec<Published>,
    /// The study with which the others are compared, and not with each other.
    pub baseline: Option<String>,
}

/// A test of whether two samples differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Test {
    /// Means; variances may differ.
    #[default]
    Welch,
    /// Means; with one variance for both.
    Student,
    /// Ranks.
    MannWhitney,
}

impl Test {
    /// All of them.
    pub const ALL: [Test; 3] = [Test::Welch, Test::Student, Test::MannWhitney];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Test::Welch => "welch",
            Test::Student => "student",
            Test::MannWhitney => "mann-whitney",
        }
    }

    /// The test of means: Welch's beside that of ranks.
    fn of_means(self, a: &Sample, b: &Sample, tail: Tail) -> Option<TTest> {
        match self {
            Test::Student => student(a, b, tail),
            Test::Welch | Test::MannWhitney => welch(a, b, tail),
        }
    }
}

/// A published mean ± half of its 95% interval, of n runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// The study it is held against.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval.
    pub half_width: f64,
    /// Runs.
    pub n: u64,
}

/// The answer, for one probe.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The probe.
    pub probe: String,
    /// The test that told studies apart.
    pub test: Test,
    /// On which side it looked.
    pub tail: Tail,
    /// The study that all others were compared with.
    pub baseline: Option<String>,
    /// How far apart two means may be and still count as equivalent.
    pub margin: Option<f64>,
    /// The studies, best mean first.
    pub entries: Vec<Entry>,
    /// Every two of them, the better one first; with one tail, the one that was named first; with a baseline, the
    /// other one first.
    pub pairs: Vec<Pair>,
    /// Those with published figures, best mean first.
    pub published: Vec<AgainstPublished>,
    /// What to know before believing it: sentences.
    pub notes: Vec<String>,
}

/// A study.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// Games that a run was trained on, by the spec.
    pub games: u64,
    /// Games of the probe.
    pub probe_games: u64,
    /// The probe at the end of each run, by seed.
    pub values: Vec<f64>,
    /// Their mean and variance.
    pub sample: Sample,
    /// The 95% interval of the mean; none for one run.
    pub interval: Option<[f64; 2]>,
    /// The value in the middle.
    pub median: f64,
    /// The least and the greatest value.
    pub range: [f64; 2],
}

/// Two studies; tests are missing where one has a single run.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The indices of their entries.
    pub entries: [usize; 2],
    /// First mean minus second.
    pub difference: f64,
    /// Student's test if that was asked for, else Welch's.
    pub means: Option<TTest>,
    /// The Mann-Whitney test.
    pub ranks: Option<RankTest>,
    /// The p of the test that was asked for, after Holm's correction over all pairs.
    pub holm: Option<f64>,
    /// Vargha and Delaney's A: how often a run of the first beats one of the second.
    pub a12: Option<f64>,
    /// Whether they are equivalent, where a margin was given.
    pub equivalence: Option<Equivalence>,
    /// What follows.
    pub relation: Relation,
}

/// The outcome of two one-sided tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equivalence {
    /// The greater p.
    pub p: f64,
}

impl Equivalence {
    fn of(a: &Sample, b: &Sample, margin: Option<f64>) -> Option<Equivalence> {
        equivalence(a, b, margin?).map(|p| Equivalence { p })
    }

    /// Whether the means are less than the margin apart, with 95% confidence.
    pub fn is_shown(self) -> bool {
        self.p < SIGNIFICANCE
    }

    /// What to call it.
    pub fn verdict(self) -> &'static str {
        if self.is_shown() { "equivalent" } else { "not shown" }
    }
}

/// How the first of two studies stands to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Better.
    Above,
    /// Not told apart.
    Level,
    /// Worse: ranks can say so where means do not.
    Below,
    /// Not tested.
    Unknown,
}

impl Relation {
    /// The sign between two names.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Above => ">",
            Relation::Level => "~",
            Relation::Below => "<",
            Relation::Unknown => "?",
        }
    }
}

/// A study against a published figure.
#[derive(Clone, Debug)]
pub struct AgainstPublished {
    /// The index of its entry.
    pub entry: usize,
    /// The figure.
    pub figure: Published,
    /// Our mean minus theirs.
    pub difference: f64,
    /// Student's test if that was asked for, else Welch's.
    pub means: Option<TTest>,
    /// Whether they are equivalent, where a margin was given.
    pub equivalence: Option<Equivalence>,
}

/// The probes by which all studies can be compared, in the order of the first; not those that count, for more are not
/// better, nor the games of training if they were not with the same opponents.
pub fn common_probes(studies: &[Results]) -> Vec<String> {
    let Some((first, others)) = studies.split_first() else { return Vec::new() };
    let mut probes = first.measures();
    for other in others {
        let same_games = other.trained_as() == first.trained_as();
        let theirs = other.probes();
        probes.retain(|probe| {
            theirs.contains(probe) && (same_games || Quantity::of(probe) != Quantity::Training)
        });
    }
    probes
}

/// Compares studies by a probe that all of them have.
pub fn compare(studies: &[Results], probe: &str, question: &Question) -> Comparison {
    let entries = studies.iter().map(|study| Entry::of(study, probe)).enumerate();
    let mut entries: Vec<(usize, Entry)> = entries.collect();
    // Stable: equal means stay in the order given.
    entries.sort_by(|(_, a), (_, b)| b.sample.mean.total_cmp(&a.sample.mean));
    let (named, entries): (Vec<usize>, Vec<Entry>) = entries.into_iter().unzip();
    let published = entries.iter().enumerate().flat_map(|(index, entry)| {
        let own = question.published.iter().filter(|figure| figure.name == entry.name);
        own.map(move |figure| AgainstPublished::of(index, entry, figure, question))
    });
    Comparison {
        probe: probe.into(),
        test: question.test,
        tail: question.tail,
        baseline: question.baseline.clone(),
        margin: question.margin,
        published: published.collect(),
        pairs: pairs(&entries, &named, question),
        notes: notes(&entries, studies),
        entries,
    }
}

impl Comparison {
    /// The studies in their order with a sign between neighbours: `a > b ~ c`.
    pub fn ranking(&self) -> String {
        let mut text = String::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if index > 0 {
                text += &format!(" {} ", self.relation(index - 1, index).sign());
            }
            text += &entry.name;
        }
        text
    }

    /// Letters of the groups in which each study is: two that share a letter are not told apart. None unless every two
    /// were tested, in both directions.
    pub fn groups(&self) -> Option<Vec<String>> {
        let all = self.entries.len();
        let tested = self.pairs.iter().filter(|pair| pair.relation != Relation::Unknown).count();
        if all < 2 || self.tail != Tail::TwoSided || tested < all * (all - 1) / 2 {
            return None;
        }
        // Piepho's insert and absorb: a group that has two that differ becomes two groups.
        let mut groups: Vec<Vec<usize>> = vec![(0..all).collect()];
        for pair in self.pairs.iter().filter(|pair| pair.relation != Relation::Level) {
            let both = |group: &Vec<usize>| pair.entries.iter().all(|entry| group.contains(entry));
            let (split, mut kept): (Vec<_>, Vec<_>) = groups.into_iter().partition(both);
            for group in split {
                for left_out in pair.entries {
                    let rest: Vec<usize> =
                        group.iter().copied().filter(|entry| *entry != left_out).collect();
                    let is_within = |other: &Vec<usize>| rest.iter().all(|e| other.contains(e));
                    if !kept.iter().any(is_within) {
                        kept.retain(|other| !other.iter().all(|entry| rest.contains(entry)));
                        kept.push(rest);
                    }
                }
            }
            groups = kept;
        }
        groups.sort();
        let letters = |entry: usize| -> String {
            let own = groups.iter().enumerate().filter(|(_, group)| group.contains(&entry));
            own.map(|(index, _)| letter(index)).collect()
        };
        Some((0..all).map(letters).collect())
    }

    fn relation(&self, a: usize, b: usize) -> Relation {
        let pair = self.pairs.iter().find(|pair| pair.entries == [a, b]);
        pair.map_or(Relation::Unknown, |pair| pair.relation)
    }
}

/// a to z, then numbers in brackets.
fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index @ 0..=25) => char::from(b'a' + index).to_string(),
        _ => format!("({index})"),
    }
}

impl Entry {
    fn of(study: &Results, probe: &str) -> Entry {
        let values = study.finals(probe);
        let sample = Sample::of(&values);
        let range =
            values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &value| {
                [low.min(value), high.max(value)]
            });
        Entry {
            name: study.name.clone(),
            games: training_games(study),
            probe_games: study.runs.first().map_or(0, |run| probe_games(run, probe)),
            sample,
            interval: sample.interval().map(|ends| Quantity::of(probe).within(ends)),
            median: median(&values).unwrap_or(f64::NAN),
            range,
            values,
        }
    }
}

/// The games of the spec: those that were played depend on the size of a generation, too.
fn training_games(study: &Results) -> u64 {
    let spec: Option<toml::Table> = study.spec.parse().ok();
    let games = spec.and_then(|spec| u64::try_from(spec.get("games")?.as_integer()?).ok());
    games.or(study.runs.first().map(|run| run.games)).unwrap_or(0)
}

fn probe_games(run: &RunResult, probe: &str) -> u64 {
    let last = run.measurements.iter().rfind(|measurement| measurement.probe == probe);
    let games = |m: &Measurement| Some(m.wins? + m.draws? + m.losses?);
    last.and_then(games).unwrap_or(0)
}

/// `named` has the place of each entry among those that were named.
fn pairs(entries: &[Entry], named: &[usize], question: &Question) -> Vec<Pair> {
    let is_baseline = |index: usize| question.baseline.as_ref() == Some(&entries[index].name);
    let mut pairs = Vec::new();
    for second in 0..entries.len() {
        for first in 0..second {
            let swapped = match question.baseline {
                Some(_) if !is_baseline(first) && !is_baseline(second) => continue,
                Some(_) => is_baseline(first),
                None => question.tail != Tail::TwoSided && named[first] > named[second],
            };
            let indices = if swapped { [second, first] } else { [first, second] };
            pairs.push(Pair::of(entries, indices, question));
        }
    }
    pairs.sort_by_key(|pair| match question.tail {
        Tail::TwoSided => pair.entries,
        _ => pair.entries.map(|index| named[index]),
    });
    let found: Vec<f64> = pairs.iter().filter_map(|pair| pair.p(question.test)).collect();
    let mut corrected = holm(&found).into_iter();
    for pair in &mut pairs {
        pair.holm = pair.p(question.test).and_then(|_| corrected.next());
        pair.relation = pair.conclude(question.test);
    }
    pairs
}

impl Pair {
    /// Without what depends on other pairs.
    fn of(entries: &[Entry], indices: [usize; 2], question: &Question) -> Pair {
        let [a, b] = indices.map(|index| &entries[index]);
        let ranks = mann_whitney(&a.values, &b.values, question.tail);
        Pair {
            entries: indices,
            difference: a.sample.mean - b.sample.mean,
            means: question.test.of_means(&a.sample, &b.sample, question.tail),
            ranks,
            holm: None,
            // Of single runs it would be all or nothing.
            a12: ranks.and_then(|_| vargha_delaney(&a.values, &b.values)),
            equivalence: Equivalence::of(&a.sample, &b.sample, question.margin),
            relation: Relation::Unknown,
        }
    }

    /// The p of a test, before correction.
    fn p(&self, test: Test) -> Option<f64> {
        match test {
            Test::Welch | Test::Student => self.means.map(|test| test.p),
            Test::MannWhitney => self.ranks.map(|test| test.p),
        }
    }

    fn conclude(&self, test: Test) -> Relation {
        let favour = match test {
            Test::Welch | Test::Student => self.difference,
            Test::MannWhitney => self.a12.unwrap_or(0.5) - 0.5,
        };
        match self.holm {
            None => Relation::Unknown,
            Some(p) if p >= SIGNIFICANCE => Relation::Level,
            Some(_) if favour < 0.0 => Relation::Below,
            Some(_) => Relation::Above,
        }
    }

    /// The size of the effect.
    pub fn effect(&self) -> Option<Effect> {
        self.a12.map(Effect::of)
    }
}

impl AgainstPublished {
    fn of(
        index: usize,
        entry: &Entry,
        figure: &Published,
        question: &Question,
    ) -> AgainstPublished {
        let theirs = Sample::published(figure.mean, figure.half_width, figure.n);
        AgainstPublished {
            entry: index,
            figure: figure.clone(),
            difference: entry.sample.mean - figure.mean,
            means: question.test.of_means(&entry.sample, &theirs, question.tail),
            equivalence: Equivalence::of(&entry.sample, &theirs, question.margin),
        }
    }
}

fn notes(entries: &[Entry], studies: &[Results]) -> Vec<String> {
    let mut notes = Vec::new();
    for entry in entries.iter().filter(|entry| entry.values.len() < 2) {
        notes.push(format!("{} has one run only: no interval, and no tests of it", entry.name));
    }
    if entries.windows(2).any(|pair| pair[0].games != pair[1].games) {
        notes.push("the studies were trained on different numbers of games".into());
    }
    if entries.windows(2).any(|pair| pair[0].probe_games != pair[1].probe_games) {
        notes.push("the probe took different numbers of games".into());
    }
    for (index, a) in studies.iter().enumerate() {
        for b in &studies[index + 1..] {
            let has = |seed: u64| b.runs.iter().any(|run| run.seed == seed);
            if a.spec == b.spec && a.runs.iter().any(|run| has(run.seed)) {
                let (a, b) = (&a.name, &b.name);
                notes.push(format!(
                    "{a} and {b} share runs (same spec, same seeds): tests of them mean nothing"
                ));
            }
        }
    }
    notes
}

#[cfg(test)]
mod tests;
