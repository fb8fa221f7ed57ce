//! Compares studies: the values of one probe at the end of their runs, tests of every pair, and
//! tests against published figures. The result is a value that others print or draw.

use crate::results::{Measurement, Results, RunResult};
use crate::stats::{
    Effect, RankTest, SIGNIFICANCE, Sample, TTest, Tail, equivalence, holm, mann_whitney, median,
    student, vargha_delaney, welch,
};
use outflank_learn::Quantity;

/// What to test about studies.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The test of whether studies differ.
    pub test: Test,
    /// Whether the first of two studies is tested to be greater, less or different. With one tail,
    /// the first is the one that was named first: a direction chosen by the data would halve every
    /// p.
    pub tail: Tail,
    /// The margin of the tests of equivalence.
    pub margin: Option<f64>,
    /// Figures to compare with the studies of the same name.
    pub published: Vec<Published>,
    /// Compare the other studies only with this one, not with each other.
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

    /// The test of means; Welch's if the test is of ranks.
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
    /// The study it is compared with.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval.
    pub half_width: f64,
    /// Number of runs.
    pub n: u64,
}

/// The result for one probe.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The probe.
    pub probe: String,
    /// The test of whether studies differ.
    pub test: Test,
    /// Its alternative hypothesis.
    pub tail: Tail,
    /// The study that all others were compared with.
    pub baseline: Option<String>,
    /// The margin of the tests of equivalence.
    pub margin: Option<f64>,
    /// The studies, best mean first.
    pub entries: Vec<Entry>,
    /// The pairs, with the better study first; with one tail, the one that was named first; with a
    /// baseline, the other study.
    pub pairs: Vec<Pair>,
    /// Comparisons with published figures, best mean first.
    pub published: Vec<AgainstPublished>,
    /// Remarks on how far to trust it, as sentences.
    pub notes: Vec<String>,
}

/// A study.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
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
    /// The median.
    pub median: f64,
    /// The minimum and the maximum.
    pub range: [f64; 2],
}

/// Two studies; tests are missing where one has a single run.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The indices of their entries.
    pub entries: [usize; 2],
    /// The first mean minus the second.
    pub difference: f64,
    /// Student's test if that was requested, else Welch's.
    pub means: Option<TTest>,
    /// The Mann-Whitney test.
    pub ranks: Option<RankTest>,
    /// The p of the requested test, after Holm's correction over all pairs.
    pub holm: Option<f64>,
    /// Vargha and Delaney's A: how often a run of the first beats one of the second.
    pub a12: Option<f64>,
    /// Whether they are equivalent, where a margin was given.
    pub equivalence: Option<Equivalence>,
    /// The conclusion.
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

    /// Says whether the means are significantly less than the margin apart.
    pub fn is_shown(self) -> bool {
        self.p < SIGNIFICANCE
    }

    /// The result in words.
    pub fn verdict(self) -> &'static str {
        if self.is_shown() { "equivalent" } else { "not shown" }
    }
}

/// How the first of two studies compares with the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Better.
    Above,
    /// No significant difference.
    Level,
    /// Worse: ranks can differ where means do not.
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
    /// Our mean minus the published one.
    pub difference: f64,
    /// Student's test if that was requested, else Welch's.
    pub means: Option<TTest>,
    /// Whether they are equivalent, where a margin was given.
    pub equivalence: Option<Equivalence>,
}

/// The probes by which all studies can be compared, in the order of the first study. Counts are
/// left out, because more is not better, and so are results of training games against different
/// opponents.
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

    /// The letters of the groups of each study: two that share a letter do not differ
    /// significantly. None unless every pair was tested, with two tails.
    pub fn groups(&self) -> Option<Vec<String>> {
        let all = self.entries.len();
        let tested = self.pairs.iter().filter(|pair| pair.relation != Relation::Unknown).count();
        if all < 2 || self.tail != Tail::TwoSided || tested < all * (all - 1) / 2 {
            return None;
        }
        // Piepho's insert and absorb: a group with two studies that differ becomes two groups.
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

/// The games in the spec; the number played also depends on the size of a generation. Of runs that
/// are not taken at their end, the most games.
fn training_games(study: &Results) -> u64 {
    if let Some(games) = study.runs.iter().filter(|run| run.is_cut).map(|run| run.games).max() {
        return games;
    }
    let spec: Option<toml::Table> = study.spec.parse().ok();
    let games = spec.and_then(|spec| u64::try_from(spec.get("games")?.as_integer()?).ok());
    games.or(study.runs.first().map(|run| run.games)).unwrap_or(0)
}

fn probe_games(run: &RunResult, probe: &str) -> u64 {
    let last = run.measurements.iter().rfind(|measurement| measurement.probe == probe);
    let games = |m: &Measurement| Some(m.wins? + m.draws? + m.losses?);
    last.and_then(games).unwrap_or(0)
}

/// `named` has the place of each entry on the command line.
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
    /// A pair without what depends on other pairs.
    fn of(entries: &[Entry], indices: [usize; 2], question: &Question) -> Pair {
        let [a, b] = indices.map(|index| &entries[index]);
        let ranks = mann_whitney(&a.values, &b.values, question.tail);
        Pair {
            entries: indices,
            difference: a.sample.mean - b.sample.mean,
            means: question.test.of_means(&a.sample, &b.sample, question.tail),
            ranks,
            holm: None,
            // For single runs it would be 0 or 1.
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
        notes.push(format!("{} has only one run: no interval and no tests", entry.name));
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
                    "{a} and {b} share runs (same spec, same seeds): tests between them are meaningless"
                ));
            }
        }
    }
    notes
}

#[cfg(test)]
mod tests;
