//! The tables of a study.

use outflank_lab::{Comparison, Pair, Question, compare, holm};
use outflank_learn::Quantity;

use super::{Cell, Made, alike, cases, label, probe_of, studies};
use crate::design::{Case, Design};
use crate::evidence::{CaseResults, Evidence};
use crate::file::{TableKind, TableSpec};
use crate::finding::Unit;
use crate::source::Count;

/// What stands where there is nothing.
pub const NONE: &str = "–";

/// A mean with its interval.
fn mean(case: &CaseResults, probe: &str) -> Cell {
    match case.values(probe, 0) {
        Err(_) => NONE.into(),
        Ok(values) => {
            let sample = outflank_lab::Sample::of(&values);
            (&crate::Finding::of_runs(&sample, case.unit(probe))).into()
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

type Cells = (Vec<String>, Vec<Vec<Cell>>);

fn finals(spec: &TableSpec, design: &Design, evidence: &Evidence) -> Cells {
    let named = spec.cases.iter().flat_map(|name| design.named(name));
    // Those of a damaged case are not known; a case without a finished run is said to have none.
    let all: Vec<(&Case, Option<&CaseResults>)> = named
        .filter(|case| !evidence.damaged.contains_key(&case.name))
        .map(|case| (case, evidence.case(&case.name).ok()))
        .collect();
    let mut probes = spec.probes.clone();
    if probes.is_empty() {
        for results in all.iter().filter_map(|(_, results)| *results) {
            for probe in results.results.probes() {
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
    // A grid of numbers of games has a column of that name.
    let is_grid = keys.iter().any(|key| key == "games");
    head.push(if is_grid { "games played" } else { "games" }.into());
    head.extend(probes.iter().cloned());
    let rows = all.iter().map(|(case, results)| {
        let mut row: Vec<Cell> = vec![case.label.as_str().into()];
        row.extend(keys.iter().map(|key| {
            let own = case.parameters.iter().find(|(other, _)| other == key);
            own.map_or("", |(_, value)| value).into()
        }));
        row.push(Cell::count(results.map_or(0, CaseResults::runs) as u64));
        // A run ends with the generation that reaches its number of games.
        let first = results.and_then(|results| results.results.runs.first());
        row.push(first.map_or(NONE.into(), |run| Cell::count(run.games)));
        row.extend(probes.iter().map(|probe| {
            let found = results.and_then(|own| Some((own, own.probe(probe).ok()?)));
            found.map_or(NONE.into(), |(own, probe)| mean(own, &probe))
        }));
        row
    });
    let rows = rows.collect();
    (head, rows)
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
        let team = contest.teams.iter().find(|team| team.case == case);
        let players = team.map_or(0, |team| team.members.len());
        let mut row = vec![label(design, &case).into(), Cell::count(players as u64)];
        row.extend([all.games(), all.wins, all.draws, all.losses].map(Cell::count));
        // A player alone has no mean.
        row.push(match players {
            1 => Cell::count(all.of(Count::Points) as u64),
            _ => (&contest.count_played(&case, "", Count::Points)?).into(),
        });
        row.push((&contest.count(&case, "", Count::Score)?).into());
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
        let mut row: Vec<Cell> = vec![label(design, case).into()];
        for other in &order {
            row.push(match case == other {
                true => "".into(),
                false => (&contest.count(case, other, Count::Score)?).into(),
            });
        }
        row.push((&contest.count(case, "", Count::Score)?).into());
        rows.push(row);
    }
    Ok((head, rows))
}

fn tests(spec: &TableSpec, design: &Design, evidence: &Evidence) -> Result<Cells, String> {
    let name = spec.probes.first().map_or("", |probe| probe);
    let all = alike(name, cases(design, evidence, &spec.cases));
    let probe = probe_of(name, &all)?;
    let head = ["first", "second", "difference", "t", "df", "p (Holm)", "A12"];
    let compared: Vec<(Comparison, Pair)> = if spec.against.is_empty() {
        let compared = compare(&studies(&all), &probe, &Question::default());
        compared.pairs.iter().map(|pair| (compared.clone(), pair.clone())).collect()
    } else {
        let others = alike(name, cases(design, evidence, &spec.against));
        let pairs = all.iter().zip(&others).filter_map(|(one, other)| {
            let compared = compare(&studies(&[*one, *other]), &probe, &Question::default());
            let pair = compared.pairs.first()?.clone();
            Some((compared, pair))
        });
        pairs.collect()
    };
    // Only the pairs of this table are asked about.
    let p: Vec<f64> =
        compared.iter().map(|(_, pair)| pair.means.map_or(1.0, |test| test.p)).collect();
    let rows = compared.iter().zip(holm(&p)).map(|((compared, pair), holm)| {
        let name = |index: usize| compared.entries[pair.entries[index]].name.clone();
        let number = |value: Option<f64>, digits: usize| {
            Cell::number(value.map_or(NONE.into(), |value| format!("{value:.digits$}")), value)
        };
        let p = pair.means.map(|_| holm);
        vec![
            name(0).into(),
            name(1).into(),
            difference(&probe, pair.difference),
            number(pair.means.map(|test| test.t), 2),
            number(pair.means.map(|test| test.df), 1),
            Cell::number(p.map_or(NONE.into(), crate::verdict::short), p),
            number(pair.a12, 2),
        ]
    });
    let rows = rows.collect();
    Ok((head.map(String::from).to_vec(), rows))
}

/// A difference between two means of a probe, in its unit.
fn difference(probe: &str, difference: f64) -> Cell {
    let (unit, difference) = match Quantity::of(probe) {
        Quantity::Strength | Quantity::Training => (Unit::Points, 100.0 * difference),
        Quantity::Volume => (Unit::Volume, difference),
        Quantity::Count => (Unit::Count, difference),
    };
    Cell::number(unit.text(difference), Some(difference))
}
