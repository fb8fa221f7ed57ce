//! Comparisons of made-up studies.

use std::path::PathBuf;

use super::*;
use crate::Measurement;

/// A study of runs that ended with these values.
fn study(name: &str, values: &[f64]) -> Results {
    let run = |(index, value): (usize, &f64)| RunResult {
        seed: index as u64,
        path: PathBuf::from(name).join(index.to_string()),
        games: 100,
        generations: 1,
        is_finished: true,
        is_cut: false,
        measurements: ["other", "utility"]
            .map(|probe| Measurement {
                games: 100,
                generation: 1,
                probe: probe.into(),
                value: *value,
                score: Some(*value),
                wins: Some(60),
                draws: Some(0),
                losses: Some(40),
            })
            .into(),
        cost: None,
        command: Vec::new(),
        program: String::new(),
        signature: 0,
    };
    Results {
        name: name.into(),
        path: name.into(),
        spec: format!("games = 90 # {name}"),
        runs: values.iter().enumerate().map(run).collect(),
        left_out: Vec::new(),
    }
}

fn around(mean: f64, spread: f64) -> Vec<f64> {
    (-4..=5).map(|i| mean + spread * f64::from(i)).collect()
}

#[test]
fn the_best_mean_comes_first_and_neighbours_get_signs() {
    let studies = [
        study("low", &around(0.2, 0.002)),
        study("high", &around(0.9, 0.002)),
        study("middle", &around(0.5, 0.002)),
        study("also-middle", &around(0.499, 0.002)),
    ];
    let question = Question { margin: Some(0.02), ..Question::default() };
    let comparison = compare(&studies, "utility", &question);
    assert_eq!(comparison.ranking(), "high > middle ~ also-middle > low");
    assert_eq!(comparison.notes, Vec::<String>::new());
    assert_eq!(comparison.pairs.len(), 6);
    for pair in &comparison.pairs {
        let [p, holm] = [pair.means.unwrap().p, pair.holm.unwrap()];
        assert!(pair.difference >= 0.0 && p <= holm && holm <= 6.0 * p, "{pair:?}");
        let is_middle = pair.entries == [1, 2];
        assert_eq!(pair.relation == Relation::Level, is_middle);
        assert_eq!(pair.equivalence.unwrap().is_shown(), is_middle);
        assert_eq!(pair.effect() == Some(Effect::Large), !is_middle);
    }
    let entry = &comparison.entries[0];
    assert_eq!((entry.games, entry.probe_games, entry.values.len()), (90, 100, 10));
    assert!((entry.median - 0.901).abs() < 1e-12 && (entry.range[1] - 0.91).abs() < 1e-12);
}

#[test]
fn the_ends_may_differ_where_neighbours_do_not() {
    let studies = [0.52, 0.51, 0.5].map(|mean| study(&mean.to_string(), &around(mean, 0.004)));
    let comparison = compare(&studies, "utility", &Question::default());
    assert_eq!(comparison.ranking(), "0.52 ~ 0.51 ~ 0.5");
    assert_eq!(comparison.groups().unwrap(), ["a", "ab", "b"]);
}

#[test]
fn a_single_run_is_not_tested_and_not_counted_by_holm() {
    let studies =
        [study("a", &[0.9]), study("b", &around(0.8, 0.01)), study("c", &around(0.7, 0.01))];
    let question = Question { margin: Some(0.1), ..Question::default() };
    let comparison = compare(&studies, "utility", &question);
    assert_eq!(comparison.ranking(), "a ? b > c");
    let [ab, _, bc] = &comparison.pairs[..] else { panic!("{:?}", comparison.pairs) };
    assert!(ab.means.is_none() && ab.ranks.is_none() && ab.holm.is_none() && ab.a12.is_none());
    assert_eq!((ab.equivalence, comparison.entries[0].interval), (None, None));
    assert!((bc.holm.unwrap() - bc.means.unwrap().p).abs() < 1e-300);
    assert_eq!(comparison.notes.len(), 1, "{:?}", comparison.notes);
}

#[test]
fn published_figures_meet_the_study_of_their_name() {
    let studies = [study("a", &around(0.85, 0.002)), study("b", &around(0.5, 0.002))];
    let figure = |mean| Published { name: "a".into(), mean, half_width: 0.0025, n: 120 };
    let question = Question {
        test: Test::Student,
        margin: Some(0.01),
        published: vec![figure(0.8505), figure(0.8)],
        ..Question::default()
    };
    let comparison = compare(&studies, "utility", &question);
    let [near, far] = &comparison.published[..] else { panic!("{comparison:?}") };
    assert!(near.equivalence.unwrap().is_shown() && near.means.unwrap().p > 0.5);
    assert!(!far.equivalence.unwrap().is_shown() && far.means.unwrap().p < 1e-6);
    assert!((far.means.unwrap().df - 128.0).abs() < 1e-9);
}

#[test]
fn one_tail_follows_the_order_of_the_arguments() {
    let [a, b] = [study("a", &around(0.85, 0.02)), study("b", &around(0.84, 0.02))];
    let p = |studies: &[Results], tail| {
        let question = Question { tail, ..Question::default() };
        let comparison = compare(studies, "utility", &question);
        let pair = &comparison.pairs[0];
        let first = comparison.entries[pair.entries[0]].name.clone();
        (first, pair.means.unwrap().p, pair.ranks.unwrap().p, pair.difference)
    };
    let (forth, back) = ([a.clone(), b.clone()], [b, a]);
    let two_sided = p(&forth, Tail::TwoSided).1;
    // "Is a greater than b?" and "is b greater than a?" are different questions, whichever did
    // better.
    let (first, greater, ranks, difference) = p(&forth, Tail::Greater);
    assert!((2.0 * greater - two_sided).abs() < 1e-12 && first == "a" && difference > 0.0);
    let (first, not_greater, back_ranks, difference) = p(&back, Tail::Greater);
    assert!((greater + not_greater - 1.0).abs() < 1e-12 && first == "b" && difference < 0.0);
    assert!(ranks < 0.5 && back_ranks > 0.5);
    let (_, less, ..) = p(&back, Tail::Less);
    assert!((less - greater).abs() < 1e-12);
    assert!((p(&back, Tail::TwoSided).1 - two_sided).abs() < 1e-12);
}

#[test]
fn a_baseline_is_compared_with_each_and_alone_corrected_for() {
    let studies = [0.5, 0.52, 0.48].map(|mean| study(&mean.to_string(), &around(mean, 0.004)));
    let question = Question { baseline: Some("0.5".into()), ..Question::default() };
    let comparison = compare(&studies, "utility", &question);
    let names: Vec<[&str; 2]> = comparison
        .pairs
        .iter()
        .map(|pair| pair.entries.map(|index| comparison.entries[index].name.as_str()))
        .collect();
    assert_eq!(names, [["0.52", "0.5"], ["0.48", "0.5"]]);
    let relations: Vec<Relation> = comparison.pairs.iter().map(|pair| pair.relation).collect();
    assert_eq!(relations, [Relation::Above, Relation::Below]);
    let p = comparison.pairs[0].means.unwrap().p;
    assert!(comparison.pairs[0].holm.unwrap() <= 2.0 * p + 1e-15);
    assert_eq!(comparison.groups(), None);
}

#[test]
fn studies_that_share_a_letter_are_not_told_apart() {
    let letters = |means: &[f64]| {
        let studies: Vec<Results> =
            means.iter().map(|mean| study(&mean.to_string(), &around(*mean, 0.004))).collect();
        compare(&studies, "utility", &Question::default()).groups()
    };
    // Neighbours do not differ significantly, the ends do.
    assert_eq!(letters(&[0.52, 0.51, 0.5]).unwrap(), ["a", "ab", "b"]);
    assert_eq!(letters(&[0.9, 0.7, 0.5]).unwrap(), ["a", "b", "c"]);
    assert_eq!(letters(&[0.5, 0.5]).unwrap(), ["a", "a"]);
    assert_eq!(letters(&[0.53, 0.52, 0.51, 0.5]).unwrap(), ["a", "ab", "bc", "c"]);
    assert_eq!(letters(&[0.5]), None);
    let studies = [study("a", &[0.9]), study("b", &around(0.8, 0.01))];
    assert_eq!(compare(&studies, "utility", &Question::default()).groups(), None);
}

#[test]
fn ranks_may_say_otherwise_than_means() {
    // One lucky run lifts the mean above all others.
    let mut lucky = around(0.5, 0.0001);
    lucky[0] = 0.99;
    let studies = [study("lucky", &lucky), study("steady", &around(0.51, 0.0001))];
    let question = Question { test: Test::MannWhitney, ..Question::default() };
    assert_eq!(compare(&studies, "utility", &question).ranking(), "lucky < steady");
    let welch = compare(&studies, "utility", &Question::default());
    assert_eq!(welch.ranking(), "lucky ~ steady");
}

#[test]
fn what_makes_a_comparison_doubtful_is_said() {
    let [a, mut b] = ["a", "b"].map(|name| study(name, &around(0.5, 0.01)));
    b.spec = "games = 91".into();
    b.runs[0].measurements[1].wins = Some(1);
    let notes =
        |studies: &[Results]| compare(studies, "utility", &Question::default()).notes.join("\n");
    let found = notes(&[a.clone(), b]);
    assert!(found.contains("trained on different numbers of games"), "{found}");
    assert!(found.contains("probe took different numbers"), "{found}");
    let mut copy = a.clone();
    copy.name = "copy".into();
    let found = notes(&[a, copy]);
    assert!(found.contains("a and copy share runs"), "{found}");
}

#[test]
fn probes_are_those_of_all_studies() {
    let [a, mut b] = ["a", "b"].map(|name| study(name, &[0.5]));
    assert_eq!(common_probes(&[a.clone(), b.clone()]), ["other", "utility"]);
    b.runs[0].measurements.remove(0);
    assert_eq!(common_probes(&[a, b]), ["utility"]);
    // Shares of training games are not comparable with different opponents.
    let [mut a, mut b] = ["a", "b"].map(|name| study(name, &[0.5]));
    for study in [&mut a, &mut b] {
        study.runs[0].measurements[0].probe = "top10".into();
        study.spec = "[opponents.fixed]\nplayers = [\"random\"]\n".into();
    }
    assert_eq!(common_probes(&[a.clone(), b.clone()]), ["top10", "utility"]);
    b.spec = b.spec.replace("random", "positional");
    assert_eq!(common_probes(&[a, b]), ["utility"]);
    assert!(common_probes(&[]).is_empty());
}

#[test]
fn signs_come_from_the_corrected_p() {
    // Neighbours differ with p = 0.027 each, which is not enough for three tests.
    let studies = [0.526, 0.513, 0.5].map(|mean| study(&mean.to_string(), &around(mean, 0.004)));
    for test in [Test::Welch, Test::Student, Test::MannWhitney] {
        let question = Question { test, ..Question::default() };
        let comparison = compare(&studies, "utility", &question);
        for pair in comparison.pairs.iter().filter(|pair| pair.entries != [0, 2]) {
            let (p, corrected) = (pair.p(test).unwrap(), pair.holm.unwrap());
            assert!(p < SIGNIFICANCE && SIGNIFICANCE < corrected, "{test:?}: {p} {corrected}");
            assert_eq!(pair.relation, Relation::Level);
        }
        assert_eq!(comparison.ranking(), "0.526 ~ 0.513 ~ 0.5");
        assert_eq!(comparison.groups().unwrap(), ["a", "ab", "b"]);
    }
}
