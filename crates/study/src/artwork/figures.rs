//! The figures of a study.

use outflank_game::player::MoveValue;
use outflank_lab::{Fronts, Profile, Question, compare};
use outflank_learn::{Measure, Quantity};
use outflank_report::figure::{
    Axis, AxisUnit, Better, BoardFigure, BoxCase, BoxPlot, Chart, Detail, HeatCell, HeatKey,
    HeatMap, Mark, Point, Published, RankDiagram, RankedMethod, Reference, Scatter, ScatterCase,
    Series,
};
use outflank_report::{
    Lead, attainment_chart, fronts_chart, fronts_csv, leads_chart, profile_chart,
};

use super::forest::{in_axis, percent_of};
use super::{Drawn, alike, begun, cases, label, probe_of, studies};
use crate::design::{Case, Design};
use crate::evidence::{CaseResults, Evidence, LedGame};
use crate::file::{FigureKind, FigureSpec};
use crate::results::Row;
use crate::source::{Count, Find, Source};

/// Draws a figure.
pub fn figure(
    spec: &FigureSpec,
    design: &Design,
    evidence: &Evidence,
    rows: &[Row],
) -> Result<Drawn, String> {
    let all = match spec.of {
        FigureKind::Curves => begun(design, evidence, &spec.cases),
        _ => cases(design, evidence, &spec.cases),
    };
    let all = match spec.of {
        // These show no probe.
        FigureKind::Fronts | FigureKind::Attainment => all,
        _ => alike(&spec.probe, all),
    };
    let (svg, narrow, data) = match spec.of {
        FigureKind::Curves => curves(spec, &all)?,
        FigureKind::Boxes => boxes(spec, &all, rows)?,
        FigureKind::Heatmap => heatmap(spec, &all)?,
        FigureKind::Ranks => ranks(spec, &all)?,
        FigureKind::Profiles => profiles(spec, design, evidence)?,
        FigureKind::Objectives => objectives(spec, design, evidence)?,
        FigureKind::Best => best(spec, evidence)?,
        FigureKind::Fronts => fronts(spec, &all, fronts_chart)?,
        FigureKind::Attainment => fronts(spec, &all, |all| attainment_chart(all, 0.5))?,
        FigureKind::Leads => leads(spec, design, evidence)?,
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
        Quantity::Volume => AxisUnit::Plain,
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
    let all = results.as_it_stands();
    let points = all.curve(probe).iter().map(point).collect();
    let runs = all.runs.iter().map(|run| {
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
            let plain = Find::rank(source).is_some() && source.at == 0;
            plain && source.case == case && source.probe == probe
        }
        _ => false,
    })?;
    Some(in_axis(row, percent_of(row)))
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

fn leads(spec: &FigureSpec, design: &Design, evidence: &Evidence) -> Result<Picture, String> {
    let games = evidence.leads(&spec.name)?;
    let lines: Vec<Vec<Lead>> = games.iter().map(|game| game.leads.clone()).collect();
    let mut chart = leads_chart(spec.title.clone(), &spec.judge, &lines);
    let names: Vec<String> = spec.cases.iter().map(|case| label(design, case)).collect();
    chart.note = format!("{}: Black; {}: White. {}", names[0], names[1], chart.note);
    let mut data = String::from("seed,move,value,discs,game\n");
    for LedGame { seed, game, leads } in games {
        for (number, lead) in leads {
            let row = match lead {
                MoveValue::Value(value) => format!("{value},"),
                MoveValue::Margin(discs) => format!(",{discs}"),
            };
            data += &format!("{seed},{number},{row},{game}\n");
        }
    }
    Ok((chart.svg(), Some(chart.narrow()), vec![("", data)]))
}

fn fronts(
    spec: &FigureSpec,
    all: &[(&Case, &CaseResults)],
    draw: impl Fn(&[Fronts]) -> Result<Chart, String>,
) -> Result<Picture, String> {
    let mut fronts = Vec::new();
    for (study, (_, case)) in studies(all).into_iter().zip(all) {
        let own = case.fronts.clone().ok_or_else(|| format!("{} has no front", study.name))?;
        fronts.push(Fronts { name: study.name, ..own });
    }
    let mut chart = draw(&fronts)?;
    chart.title = spec.title.clone();
    Ok((chart.svg(), Some(chart.narrow()), vec![("", fronts_csv(&fronts))]))
}
