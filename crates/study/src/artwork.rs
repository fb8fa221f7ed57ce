//! The tables and figures of a study.

use outflank_lab::{Profile, Question, Results, compare};
use outflank_learn::{Measure, Quantity};
use outflank_report::figure::{
    Axis, AxisUnit, Better, BoardFigure, BoxCase, BoxPlot, Chart, Detail, ForestGroup, ForestPlot,
    ForestRow, Found, HeatCell, HeatKey, HeatMap, Mark, Point, Published, RankDiagram,
    RankedMethod, Reference, Scatter, ScatterCase, Series, Spread,
};
use outflank_report::profile_chart;

use crate::design::{Case, Design};
use crate::evidence::{CaseResults, Evidence};
use crate::file::{FigureKind, FigureSpec, TableKind, TableSpec};
use crate::finding::{Outcome, Unit};
use crate::results::Row;
use crate::source::{Count, Source};
use crate::verdict::Verdict;

/// A table that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// The columns that hold words; all others hold numbers.
    pub words: &'static [usize],
    /// A sentence below it.
    pub note: String,
}

/// A figure that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The picture.
    pub svg: String,
    /// The same for a phone.
    pub narrow: Option<String>,
    /// Its data, each a part of a file name and CSV.
    pub data: Vec<(&'static str, String)>,
    /// A sentence below it.
    pub note: String,
}

/// The cases that a list of names stands for, with their runs; those without runs are left out.
fn cases<'a>(
    design: &'a Design,
    evidence: &'a Evidence,
    names: &[String],
) -> Vec<(&'a Case, &'a CaseResults)> {
    let all = names.iter().flat_map(|name| design.named(name));
    all.filter_map(|case| Some((case, evidence.case(&case.name).ok()?))).collect()
}

/// A mean with its interval.
fn mean(case: &CaseResults, probe: &str) -> String {
    match case.values(probe, 0) {
        Err(_) => "–".into(),
        Ok(values) => {
            let sample = outflank_lab::Sample::of(&values);
            crate::Finding::of_runs(&sample, case.unit(probe)).text()
        }
    }
}

/// Makes a table.
pub fn table(spec: &TableSpec, design: &Design, evidence: &Evidence) -> Result<Made, String> {
    let (head, rows) = match spec.of {
        TableKind::Finals => finals(spec, design, evidence),
        TableKind::Standings => standings(spec, design, evidence)?,
        TableKind::Crosstable => crosstable(spec, design, evidence)?,
        TableKind::Tests => tests(spec, design, evidence)?,
    };
    Ok(Made {
        name: spec.name.clone(),
        title: spec.title.clone(),
        head,
        rows,
        words: if spec.of == TableKind::Tests { &[0, 1] } else { &[0] },
        note: spec.note.clone(),
    })
}

type Cells = (Vec<String>, Vec<Vec<String>>);

fn finals(spec: &TableSpec, design: &Design, evidence: &Evidence) -> Cells {
    let all = cases(design, evidence, &spec.cases);
    let mut probes = spec.probes.clone();
    if probes.is_empty() {
        for (_, case) in &all {
            for probe in case.results.probes() {
                if !probes.contains(&probe) {
                    probes.push(probe);
                }
            }
        }
    }
    // The keys of a grid are columns.
    let mut keys: Vec<String> = Vec::new();
    for (key, _) in all.iter().flat_map(|(case, _)| &case.parameters) {
        if !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    let mut head = vec!["case".to_owned()];
    head.extend(keys.iter().cloned());
    head.push("runs".into());
    head.push("games".into());
    head.extend(probes.iter().cloned());
    let rows = all.iter().map(|(case, results)| {
        let mut row = vec![case.label.clone()];
        row.extend(keys.iter().map(|key| {
            let own = case.parameters.iter().find(|(other, _)| other == key);
            own.map_or(String::new(), |(_, value)| value.clone())
        }));
        row.push(results.runs().to_string());
        // A run ends with the generation that reaches its number of games.
        let played = results.results.runs.first().map_or(0, |run| run.games);
        row.push(outflank_report::count(played));
        row.extend(probes.iter().map(|probe| match results.probe(probe) {
            Ok(probe) => mean(results, &probe),
            Err(_) => "–".into(),
        }));
        row
    });
    let rows = rows.collect();
    (head, rows)
}

/// The label of a case.
fn label(design: &Design, name: &str) -> String {
    design.case(name).map_or(name.into(), |case| case.label.clone())
}

/// Teams from the best to the worst.
fn ranked(contest: &crate::Contest) -> Vec<String> {
    let mut teams: Vec<(f64, String)> = contest
        .teams
        .iter()
        .map(|team| {
            let points = contest.total(&team.case, "").map_or(0.0, |all| all.of(Count::Points));
            (points, team.case.clone())
        })
        .collect();
    teams.sort_by(|a, b| b.0.total_cmp(&a.0));
    teams.into_iter().map(|(_, case)| case).collect()
}

fn standings(spec: &TableSpec, design: &Design, evidence: &Evidence) -> Result<Cells, String> {
    let contest = evidence.tournament(&spec.tournament)?;
    let head = ["team", "players", "games", "won", "drawn", "lost", "points (3/1/0)", "score"];
    let mut rows = Vec::new();
    for case in ranked(contest) {
        let all = contest.total(&case, "")?;
        let players = contest.teams.iter().find(|team| team.case == case);
        let mut row = vec![label(design, &case)];
        row.push(players.map_or(0, |team| team.members.len()).to_string());
        row.extend([all.games(), all.wins, all.draws, all.losses].map(outflank_report::count));
        row.push(contest.points(&case)?.text());
        row.push(contest.count(&case, "", Count::Score)?.text());
        rows.push(row);
    }
    Ok((head.map(String::from).to_vec(), rows))
}

fn crosstable(spec: &TableSpec, design: &Design, evidence: &Evidence) -> Result<Cells, String> {
    let contest = evidence.tournament(&spec.tournament)?;
    let order = ranked(contest);
    let mut head = vec!["team".to_owned()];
    head.extend(order.iter().map(|case| label(design, case)));
    head.push("overall".into());
    let mut rows = Vec::new();
    for case in &order {
        let mut row = vec![label(design, case)];
        for other in &order {
            row.push(match case == other {
                true => String::new(),
                false => contest.count(case, other, Count::Score)?.text(),
            });
        }
        row.push(contest.count(case, "", Count::Score)?.text());
        rows.push(row);
    }
    Ok((head, rows))
}

/// The runs of cases under their labels.
fn studies(cases: &[(&Case, &CaseResults)]) -> Vec<Results> {
    let named = cases
        .iter()
        .map(|(case, results)| Results { name: case.label.clone(), ..results.results.clone() });
    named.collect()
}

/// The cases whose probe is of the same kind as that of the first; others cannot stand beside it.
fn alike<'a>(
    name: &str,
    cases: Vec<(&'a Case, &'a CaseResults)>,
) -> Vec<(&'a Case, &'a CaseResults)> {
    let kind = |case: &CaseResults| {
        case.probe(name).map(|probe| CaseResults::kind(&probe).to_owned()).ok()
    };
    let first = cases.iter().find_map(|(_, case)| kind(case));
    cases.into_iter().filter(|(_, case)| kind(case) == first).collect()
}

/// The probe that a table or figure shows: its own, or the first of the first case.
fn probe_of(name: &str, cases: &[(&Case, &CaseResults)]) -> Result<String, String> {
    let (_, first) = cases.first().ok_or("no run is there yet")?;
    first.probe(name)
}

fn tests(spec: &TableSpec, design: &Design, evidence: &Evidence) -> Result<Cells, String> {
    let name = spec.probes.first().map_or("", |probe| probe);
    let all = alike(name, cases(design, evidence, &spec.cases));
    let probe = probe_of(name, &all)?;
    let compared = compare(&studies(&all), &probe, &Question::default());
    let head = ["first", "second", "difference", "t", "df", "p (Holm)", "A12"];
    let rows = compared.pairs.iter().map(|pair| {
        let name = |index: usize| compared.entries[pair.entries[index]].name.clone();
        let number = |value: Option<f64>, digits: usize| {
            value.map_or("–".into(), |value| format!("{value:.digits$}"))
        };
        vec![
            name(0),
            name(1),
            Unit::Points.text(100.0 * pair.difference),
            number(pair.means.map(|test| test.t), 2),
            number(pair.means.map(|test| test.df), 1),
            pair.holm.map_or("–".into(), crate::verdict::short),
            number(pair.a12, 2),
        ]
    });
    let rows = rows.collect();
    Ok((head.map(String::from).to_vec(), rows))
}

/// Draws a figure.
pub fn figure(
    spec: &FigureSpec,
    design: &Design,
    evidence: &Evidence,
    rows: &[Row],
) -> Result<Drawn, String> {
    let all = alike(&spec.probe, cases(design, evidence, &spec.cases));
    let (svg, narrow, data) = match spec.of {
        FigureKind::Curves => curves(spec, &all)?,
        FigureKind::Boxes => boxes(spec, &all, rows)?,
        FigureKind::Heatmap => heatmap(spec, &all)?,
        FigureKind::Ranks => ranks(spec, &all)?,
        FigureKind::Profiles => profiles(spec, design, evidence)?,
        FigureKind::Objectives => objectives(spec, design, evidence)?,
        FigureKind::Best => best(spec, evidence)?,
    };
    let (name, title, note) = (spec.name.clone(), spec.title.clone(), spec.note.clone());
    Ok(Drawn { name, title, svg, narrow, data, note })
}

type Picture = (String, Option<String>, Vec<(&'static str, String)>);

/// The axis of a probe.
fn axis(probe: &str) -> Axis {
    let unit = match Quantity::of(probe) {
        Quantity::Strength | Quantity::Training => AxisUnit::Percent,
        Quantity::Count => AxisUnit::Count,
    };
    Axis::new(Measure::axis_of(probe), unit)
}

/// The curve of a case in a chart.
fn series(look: usize, case: &Case, results: &CaseResults, probe: &str) -> Series {
    let point = |(games, values): &(u64, Vec<f64>)| {
        let (mean, interval) = outflank_lab::mean_interval(values);
        let within = interval.map(|ends| Quantity::of(probe).within(ends));
        Point::with_interval(*games as f64, mean, within)
    };
    let points = results.results.curve(probe).iter().map(point).collect();
    let runs = results.results.runs.iter().map(|run| {
        let own = run.measurements.iter().filter(|measured| measured.probe == probe);
        own.map(|measured| [measured.games as f64, measured.value]).collect()
    });
    Series { name: case.label.clone(), look, mark: Mark::Band, points, runs: runs.collect() }
}

fn curves(spec: &FigureSpec, all: &[(&Case, &CaseResults)]) -> Result<Picture, String> {
    let probe = probe_of(&spec.probe, all)?;
    let x = Axis::new("training games", AxisUnit::Count).showing([0.0]);
    let mut chart = Chart::new(spec.title.clone(), x, axis(&probe));
    for (look, (case, results)) in all.iter().enumerate() {
        if let Ok(probe) = results.probe(&spec.probe) {
            chart.series.push(series(look, case, results, &probe));
        }
    }
    let data = vec![("", chart.means_csv()), ("-runs", chart.runs_csv())];
    // Many cases with all their runs would be one mass.
    for series in &mut chart.series {
        series.runs.clear();
    }
    chart.note = "Lines: means over runs. Bands: their 95% intervals.".into();
    Ok((chart.svg(), Some(chart.narrow()), data))
}

/// The published value of the end of a case, if there is one.
fn published(rows: &[Row], case: &str, probe: &str) -> Option<Published> {
    let row = rows.iter().find(|row| match &row.value.ours {
        Source::Final(source) => {
            let plain = source.minus.is_empty() && source.minus_probe.is_empty() && source.at == 0;
            plain && source.case == case && source.probe == probe
        }
        _ => false,
    })?;
    Some(in_axis(row, percent_of(row)))
}

/// Shares are from 0 to 1 in figures.
fn percent_of(row: &Row) -> f64 {
    match &row.outcome {
        Outcome::Number(finding) if finding.unit == Unit::Percent => 0.01,
        _ => 1.0,
    }
}

fn in_axis(row: &Row, scale: f64) -> Published {
    let value = &row.value;
    match (value.value, value.between, value.interval) {
        (Some(mean), _, Some(half)) => Published {
            value: Some(scale * mean),
            spread: Some(Spread::Interval([scale * (mean - half), scale * (mean + half)])),
        },
        (Some(mean), ..) => Published::value(scale * mean),
        (None, Some(range), _) => Published::range(range.map(|end| scale * end)),
        (None, None, _) => Published::default(),
    }
}

fn boxes(
    spec: &FigureSpec,
    all: &[(&Case, &CaseResults)],
    rows: &[Row],
) -> Result<Picture, String> {
    let probe = probe_of(&spec.probe, all)?;
    let plot = BoxPlot {
        title: spec.title.clone(),
        x: axis(&probe),
        cases: all
            .iter()
            .enumerate()
            .filter_map(|(look, (case, results))| {
                let probe = results.probe(&spec.probe).ok()?;
                Some(BoxCase {
                    name: case.label.clone(),
                    look,
                    values: results.results.finals(&probe),
                    published: published(rows, &case.name, &spec.probe),
                })
            })
            .collect(),
        note: String::new(),
    };
    Ok((plot.svg(), Some(plot.narrow()), vec![("", plot.csv())]))
}

fn heatmap(spec: &FigureSpec, all: &[(&Case, &CaseResults)]) -> Result<Picture, String> {
    let probe = probe_of(&spec.probe, all)?;
    let key = |index: usize| -> HeatKey {
        let mut values: Vec<String> = Vec::new();
        for (case, _) in all {
            let value = case.parameters.get(index).map_or("", |(_, value)| value);
            if !values.iter().any(|other| other == value) {
                values.push(value.into());
            }
        }
        let name = all.first().and_then(|(case, _)| case.parameters.get(index));
        HeatKey { name: name.map_or(String::new(), |(key, _)| key.clone()), values }
    };
    let (rows, columns) = (key(0), key(1));
    let cell = |row: &String, column: &String| -> Option<HeatCell> {
        let (_, results) = all.iter().find(|(case, _)| {
            case.parameters.first().is_some_and(|(_, value)| value == row)
                && case.parameters.get(1).is_some_and(|(_, value)| value == column)
        })?;
        let values = results.results.finals(&probe);
        let (mean, interval) = outflank_lab::mean_interval(&values);
        Some(HeatCell { mean, interval, n: values.len() })
    };
    let cells = rows
        .values
        .iter()
        .map(|row| columns.values.iter().map(|column| cell(row, column)).collect());
    let cells = cells.collect();
    let (title, note) = (spec.title.clone(), String::new());
    let map = HeatMap { title, columns, rows, measure: axis(&probe), cells, note };
    Ok((map.svg(), Some(map.narrow()), vec![("", map.csv())]))
}

fn ranks(spec: &FigureSpec, all: &[(&Case, &CaseResults)]) -> Result<Picture, String> {
    let probe = probe_of(&spec.probe, all)?;
    let compared = compare(&studies(all), &probe, &Question::default());
    let groups = compared.groups().ok_or("ranks need two runs of each case")?;
    let diagram = RankDiagram {
        title: spec.title.clone(),
        axis: axis(&probe),
        better: Better::High,
        methods: compared
            .entries
            .iter()
            .map(|entry| RankedMethod { name: entry.name.clone(), mean: entry.sample.mean })
            .collect(),
        groups: RankDiagram::groups_of(&groups),
        critical: None,
        note: "Bars join cases that do not differ significantly (Welch's test, Holm's correction)."
            .into(),
    };
    Ok((diagram.svg(), Some(diagram.narrow()), vec![("", diagram.csv())]))
}

fn profiles(spec: &FigureSpec, design: &Design, evidence: &Evidence) -> Result<Picture, String> {
    let found = evidence.profile(&spec.profile)?;
    let profiles: Vec<Profile> = found
        .cases
        .iter()
        .map(|(case, bins)| Profile {
            name: label(design, case),
            players: evidence.case(case).map_or(0, CaseResults::runs),
            bins: bins.clone(),
        })
        .collect();
    let mut chart = profile_chart(&profiles);
    chart.title = spec.title.clone();
    Ok((chart.svg(), Some(chart.narrow()), vec![("", chart.means_csv())]))
}

fn objectives(spec: &FigureSpec, design: &Design, evidence: &Evidence) -> Result<Picture, String> {
    let contest = evidence.tournament(&spec.tournament)?;
    let mut cases = Vec::new();
    let mut label_of_probe = String::new();
    for (look, team) in contest.teams.iter().enumerate() {
        let results = evidence.case(&team.case)?;
        let probe = results.probe(&spec.probe)?;
        let (x, x_interval) = outflank_lab::mean_interval(&results.results.finals(&probe));
        let score = contest.count(&team.case, "", Count::Score)?;
        let y_interval = score.interval().map(|ends| ends.map(|end| end / 100.0));
        let point = Point { x, y: score.value / 100.0, x_interval, y_interval };
        cases.push(ScatterCase { name: label(design, &team.case), look, point });
        label_of_probe = probe;
    }
    let scatter = Scatter {
        title: spec.title.clone(),
        x: axis(&label_of_probe),
        y: Axis::new("score in the round robin", AxisUnit::Percent),
        cases,
        references: vec![Reference { name: "even score".into(), y: 0.5 }],
        note: String::new(),
    };
    Ok((scatter.svg(), Some(scatter.narrow()), vec![("", scatter.csv())]))
}

fn best(spec: &FigureSpec, evidence: &Evidence) -> Result<Picture, String> {
    let contest = evidence.tournament(&spec.tournament)?;
    let best = contest.best.as_ref().ok_or("there is no best player")?;
    let weights = best.weights.ok_or("the best player is not a WPC")?;
    let title = format!("{}: {}, seed {}", spec.title, best.case, best.seed);
    let board = BoardFigure { title, weights, detail: Detail::Numbers };
    Ok((board.svg(), None, Vec::new()))
}

/// All numbers beside the published ones, in one figure.
pub fn forest(title: &str, rows: &[Row]) -> Option<Drawn> {
    let mut own = Vec::new();
    for row in rows {
        let Outcome::Number(finding) = &row.outcome else { continue };
        if finding.unit != Unit::Percent || !finding.value.is_finite() {
            continue;
        }
        let scale = percent_of(row);
        let verdict = match row.judged.verdict {
            Verdict::Agrees => outflank_report::figure::Verdict::Agrees,
            Verdict::SameOrder => outflank_report::figure::Verdict::SameOrder,
            Verdict::Differs => outflank_report::figure::Verdict::Differs,
            Verdict::NotComparable | Verdict::NotAttempted => {
                outflank_report::figure::Verdict::NotComparable
            }
        };
        let interval = finding.interval().map(|ends| ends.map(|end| scale * end));
        // The middle of a range stands for it in the difference.
        let mut published = in_axis(row, scale);
        if let (None, Some(spread)) = (published.value, published.spread) {
            published.value = Some(spread.ends().iter().sum::<f64>() / 2.0);
        }
        own.push(ForestRow {
            label: format!("{}: {}", row.value.printed, row.value.what),
            published,
            ours: Some(Found { value: scale * finding.value, interval }),
            difference: None,
            verdict,
        });
    }
    if own.is_empty() {
        return None;
    }
    // One scale for all, so that rows can be compared.
    let axis = Axis::new("percent", AxisUnit::Percent);
    let groups = vec![ForestGroup { heading: String::new(), axis, rows: own }];
    let plot = ForestPlot { title: title.into(), groups, note: String::new() };
    Some(Drawn {
        name: "published".into(),
        title: title.into(),
        svg: plot.svg(),
        narrow: Some(plot.narrow()),
        data: vec![("", plot.csv())],
        note: String::new(),
    })
}
