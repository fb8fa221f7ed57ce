//! Sources find their values in the evidence of small runs whose results are known.

use std::path::PathBuf;

use outflank_lab::{Measurement, Results, RunResult};
use outflank_study::{
    CaseResults, Contest, ContestTeam, Counts, Design, Evidence, Outcome, Shrink, Verdict, rows,
};

/// A run with these values of a probe, measured every 100 games.
fn run(seed: u64, probe: &str, values: &[f64]) -> RunResult {
    let measurements = (1..).zip(values).map(|(number, value)| Measurement {
        games: 100 * number,
        generation: number,
        probe: probe.into(),
        value: *value,
        score: None,
        wins: None,
        draws: None,
        losses: None,
    });
    RunResult {
        seed,
        path: PathBuf::new(),
        games: 100 * values.len() as u64,
        generations: values.len() as u64,
        is_finished: true,
        is_cut: false,
        measurements: measurements.collect(),
        cost: None,
        command: Vec::new(),
        program: String::new(),
        signature: 0,
    }
}

fn case(name: &str, runs: &[&[f64]]) -> (String, CaseResults) {
    let runs = (1..).zip(runs).map(|(seed, values)| run(seed, "random", values)).collect();
    let results = Results {
        name: name.into(),
        path: PathBuf::new(),
        spec: String::new(),
        runs,
        left_out: Vec::new(),
    };
    let (label, corners) = (name.to_owned(), vec![0, 2, 4]);
    (
        name.into(),
        CaseResults {
            name: name.into(),
            label,
            results,
            standing: Vec::new(),
            share: 1.0,
            corners,
            fronts: None,
            champions: Vec::new(),
            recorded: Vec::new(),
        },
    )
}

fn evidence() -> Evidence {
    let mut evidence = Evidence::default();
    let low: &[&[f64]] = &[&[0.30, 0.50, 0.60], &[0.32, 0.52, 0.62], &[0.34, 0.54, 0.64]];
    let high: &[&[f64]] = &[&[0.40, 0.60, 0.80], &[0.42, 0.62, 0.82], &[0.44, 0.64, 0.84]];
    evidence.cases.extend([case("low", low), case("high", high)]);
    // Each of two members meets each of two members of the other team in two games.
    let counts = |wins, draws, losses| Counts { wins, draws, losses };
    let none = Counts::default();
    let teams = vec![
        ContestTeam {
            case: "high".into(),
            members: vec![vec![none, counts(3, 1, 0)], vec![none, counts(2, 0, 2)]],
        },
        ContestTeam {
            case: "low".into(),
            members: vec![vec![counts(1, 1, 2), none], vec![counts(1, 0, 3), none]],
        },
    ];
    evidence.tournaments.insert("t".into(), Contest { teams, factor: 2.0, best: None });
    evidence
}

/// A study of the two cases with one value.
fn found(printed: &str, ours: &str) -> (Outcome, Verdict) {
    let text = format!(
        "title = 'x'\nseeds = '1..3'\n\
         [[case]]\nname = 'low'\nmethod = 'rsel'\n[[case]]\nname = 'high'\nmethod = 'rsel'\n\
         [[tournament]]\nname = 't'\ncases = ['low', 'high']\n\
         [[value]]\nprinted = 'Table'\nwhat = 'it'\n{printed}\nours = {ours}\n"
    );
    let design = Design::of_text("x", &text, &Shrink::default()).unwrap();
    let row = rows(&design, &evidence()).remove(0);
    (row.outcome, row.judged.verdict)
}

fn number(ours: &str) -> f64 {
    match found("value = 1", ours).0 {
        Outcome::Number(finding) => finding.value,
        other => panic!("{ours}: {other:?}"),
    }
}

#[test]
fn sources_find_what_they_say() {
    for (ours, expected) in [
        ("{ kind = 'final', case = 'low' }", 62.0),
        ("{ kind = 'final', case = 'low', at = 180 }", 52.0),
        ("{ kind = 'final', case = 'high', minus = 'low' }", 20.0),
        ("{ kind = 'final', case = 'high', over = 'low' }", 82.0 / 62.0),
        ("{ kind = 'spread', case = 'high', which = 'lowest' }", 80.0),
        ("{ kind = 'spread', case = 'high', which = 'highest' }", 84.0),
        ("{ kind = 'reach', case = 'low', level = 50 }", 200.0),
        ("{ kind = 'reach', case = 'low', level-of = 'low', over = 'high' }", 1.5),
        ("{ kind = 'reach', case = 'low', within = 11 }", 200.0),
        ("{ kind = 'reach', case = 'low', level = 50, generation = 100 }", 2.0),
        ("{ kind = 'tournament', tournament = 't', case = 'high', count = 'wins' }", 10.0),
        ("{ kind = 'tournament', tournament = 't', case = 'low', count = 'points' }", 14.0),
        ("{ kind = 'tournament', tournament = 't', case = 'high', count = 'score' }", 68.75),
        ("{ kind = 'corners', case = 'low' }", 200.0 / 3.0),
    ] {
        let value = number(ours);
        assert!((value - expected).abs() < 1e-9, "{ours}: {value}, expected {expected}");
    }
    // Means 0.2 apart, both with a deviation of 0.02 in three runs.
    let t = number("{ kind = 'test', case = 'high', minus = 'low' }");
    assert!((t - 20.0 / (2.0 * (2.0f64 / 3.0).sqrt())).abs() < 1e-9, "{t}");
}

#[test]
fn what_never_happens_differs_and_what_is_not_there_was_not_attempted() {
    let never = found("value = 1", "{ kind = 'reach', case = 'low', level = 90 }");
    assert_eq!(never.1, Verdict::Differs, "{never:?}");
    let text = "{ kind = 'final', case = 'low', probe = 'utility' }";
    assert_eq!(found("value = 1", text).1, Verdict::NotAttempted);
}

#[test]
fn claims_are_tested() {
    for (claim, expected) in [
        ("high > low", Verdict::Agrees),
        ("low > high", Verdict::Differs),
        ("low ~ high", Verdict::Differs),
        ("low, high", Verdict::Agrees),
        ("high > low; low > high", Verdict::Differs),
    ] {
        let ours = format!("{{ kind = 'order', claim = '{claim}' }}");
        assert_eq!(found("", &ours).1, expected, "{claim}");
        let early = format!("{{ kind = 'order', claim = '{claim}', at = 100 }}");
        assert_eq!(found("", &early).1, expected, "{claim}");
    }
    // Two players a team are too few.
    let points = "{ kind = 'order', claim = 'high > low', tournament = 't' }";
    assert_eq!(found("", points).1, Verdict::NotComparable);
}
