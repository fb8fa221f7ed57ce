//! `outflank compare` as a user sees it.

use outflank::store::RunError;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{assert_says, json, refused, run, text};

/// Small studies to compare: two methods with the same probes, one with others and other games.
struct Studies {
    folder: tempfile::TempDir,
}

impl Studies {
    fn new() -> Studies {
        let studies = Studies { folder: tempfile::tempdir().unwrap() };
        studies.learn("tdl", "tdl", "1..4", &["--games", "200"]);
        studies.learn("slow", "tdl", "1..4", &["--games", "200", "--set", "local.alpha=0.001"]);
        let others = ["--games", "400", "--set", "probes.vs=[\"utility\"]", "--set"];
        studies.learn("other", "tdl", "1..2", &[&others[..], &["probes.sample=50"]].concat());
        studies
    }

    fn learn(&self, name: &str, preset: &str, seeds: &str, more: &[&str]) {
        let out = self.path(name);
        let args = [&["learn", preset, "--seeds", seeds, "--out", &out], more].concat();
        let output = run(&args);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().into()
    }
}

/// What a command that works prints, and what it complains of.
fn printed(args: &[&str]) -> (String, String) {
    let output = run(args);
    let complaints = text(&output.stderr).to_string();
    assert!(output.status.success(), "{args:?}: {complaints}");
    (text(&output.stdout).into(), complaints)
}

/// The last value of a probe in each run of a study.
fn last_values(study: &str, probe: &str) -> Vec<f64> {
    let mut runs: Vec<PathBuf> =
        (1..=4).map(|seed| Path::new(study).join(seed.to_string())).collect();
    runs.retain(|run| run.exists());
    let last = |run: &PathBuf| {
        let metrics = std::fs::read_to_string(run.join("metrics.csv")).unwrap();
        let line = metrics.lines().rfind(|line| line.contains(&format!(",{probe},"))).unwrap();
        line.split(',').nth(3).unwrap().parse().unwrap()
    };
    runs.iter().map(last).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn studies_are_compared() {
    let studies = Studies::new();
    let [tdl, slow] = ["tdl", "slow"].map(|name| format!("{name}={}", studies.path(name)));
    let object = json(&["compare", &tdl, &slow, "--margin", "0.05", "--json"]);
    let results = object["results"].as_array().unwrap();
    let probes: Vec<&str> = results.iter().map(|r| r["probe"].as_str().unwrap()).collect();
    assert_eq!(probes, ["random", "heuristic"]);
    for result in results {
        let [first, second] = &result["studies"].as_array().unwrap()[..] else {
            panic!("{result}")
        };
        assert!(number(&first["mean"]) >= number(&second["mean"]));
        for study in [first, second] {
            let name = study["name"].as_str().unwrap();
            let values = last_values(&studies.path(name), result["probe"].as_str().unwrap());
            assert!((number(&study["mean"]) - values.iter().sum::<f64>() / 4.0).abs() < 1e-12);
            assert!(number(&study["interval"][0]) < number(&study["mean"]));
            assert_eq!((&study["runs"], &study["games"]), (&4.into(), &200.into()));
        }
        let [pair] = &result["pairs"].as_array().unwrap()[..] else { panic!("{result}") };
        let p = number(&pair["p"]);
        assert!((number(&pair["holm"]) - p).abs() < 1e-12, "one pair: {pair}");
        let is_clear = p < 0.05;
        assert_eq!(pair["relation"], if is_clear { ">" } else { "~" });
        let groups = [first, second].map(|study| study["group"].as_str().unwrap());
        assert_eq!(groups, if is_clear { ["a", "b"] } else { ["a", "a"] });
        for key in ["t", "degrees_of_freedom", "mann_whitney_p", "a12", "equivalence_p"] {
            number(&pair[key]);
        }
    }
    the_same_in_csv(&[&tdl, &slow], results);
    let (text, _) = printed(&["compare", &tdl, &slow, "--margin", "0.05"]);
    assert_says(
        &text,
        &["random: share", "heuristic: share", "Holm p", "TOST p", "group", "share a letter"],
    );
    assert!(!text.contains("NaN"));
}

fn the_same_in_csv(studies: &[&str; 2], results: &[Value]) {
    let [a, b] = studies;
    let (csv, _) = printed(&["compare", a, b, "--margin", "0.05", "--csv"]);
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    // Two studies and a pair for each probe.
    assert_eq!(rows.len(), 6, "{csv}");
    let cell = |row: usize, name: &str| rows[row][head.iter().position(|h| *h == name).unwrap()];
    for (index, result) in results.iter().enumerate() {
        let (study, pair) = (3 * index, 3 * index + 2);
        assert_eq!((cell(study, "row"), cell(pair, "row")), ("study", "pair"));
        assert_eq!(cell(study, "probe"), result["probe"].as_str().unwrap());
        assert_eq!(cell(study, "a"), result["studies"][0]["name"].as_str().unwrap());
        assert_eq!(cell(study, "low"), result["studies"][0]["interval"][0].to_string());
        assert_eq!(cell(pair, "p"), result["pairs"][0]["p"].to_string());
        assert_eq!((cell(study, "p"), cell(pair, "mean")), ("", ""));
    }
}

#[test]
fn studies_are_called_by_what_differs_from_their_preset() {
    let studies = Studies::new();
    let [tdl, slow] = ["tdl", "slow"].map(|name| studies.path(name));
    let names = |more: &[&str]| {
        let args = [&["compare", &tdl, &slow, "--probe", "random", "--json"], more].concat();
        let found = json(&args);
        let rows = found["results"][0]["studies"].as_array().unwrap().clone();
        let mut names: Vec<String> =
            rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        (names, found["results"][0]["pairs"].clone())
    };
    let ours = ["tdl games=200", "tdl games=200 alpha=0.001"];
    let (found, pairs) = names(&[]);
    assert_eq!(found, ours);
    // A baseline may be told by its folder, and a name that is given wins.
    assert_eq!(names(&["--baseline", "slow"]).1, names(&["--baseline", ours[1]]).1);
    assert!(pairs[0]["a"].as_str().is_some_and(|name| name.starts_with("tdl games=200")));
    let message = refused(&["compare", &tdl, &slow, "--baseline", "tdl games"], 2);
    assert_says(&message, &["no study is called \"tdl games\"", "alpha=0.001"]);
}

#[test]
fn published_figures_are_held_against_studies() {
    let studies = Studies::new();
    let mine = format!("mine={}", studies.path("tdl"));
    let mean = last_values(&studies.path("tdl"), "random").iter().sum::<f64>() / 4.0;
    let figure = format!("mine={mean},0.001,120");
    let args = ["compare", &mine, "--probe", "random", "--published", &figure, "--margin", "0.5"];
    let (text, _) = printed(&args);
    assert_says(&text, &["Against published figures (Welch's test)", "+0.00", "equivalent"]);
    assert!(!text.contains("group"), "{text}");
    let found = json(&[&args[..], &["--json"]].concat());
    let published = &found["results"][0]["published"][0];
    assert!((number(&published["p"]) - 1.0).abs() < 1e-6, "{published}");
    assert_eq!(published["equivalent"], true);
    let far = json(&[
        "compare",
        &mine,
        "--probe",
        "random",
        "--published",
        "mine=0.01,0.001,120",
        "--json",
    ]);
    let published = &far["results"][0]["published"][0];
    assert!(number(&published["t"]) > 1.0 && published["equivalent"].is_null(), "{published}");
}

#[test]
fn one_run_has_no_interval_and_no_tests() {
    let studies = Studies::new();
    let (one, slow) = (studies.path("tdl") + "/2", studies.path("slow"));
    let (text, _) = printed(&["compare", &one, &slow, "--probe", "random", "--margin", "0.1"]);
    assert_says(&text, &[&format!("Note: {one} has only one run: no interval and no tests.")]);
    assert!(!text.contains("group") && !text.contains("Holm"), "{text}");
    let found = json(&["compare", &one, &slow, "--probe", "random", "--json"]);
    let pair = &found["results"][0]["pairs"][0];
    for key in ["t", "p", "holm", "a12", "mann_whitney_p", "equivalence_p"] {
        assert!(pair[key].is_null(), "{key} in {pair}");
    }
    number(&pair["difference"]);
    assert_eq!(pair["relation"], "?");
}

#[test]
fn probes_that_differ_are_named() {
    let studies = Studies::new();
    let [tdl, slow, other] = ["tdl", "slow", "other"].map(|name| studies.path(name));
    let message = refused(&["compare", &tdl, &slow, "--probe", "utility"], 2);
    assert_says(
        &message,
        &[
            "no probe \"utility\"",
            "tdl games=200 (which has random, heuristic)",
            "common to all: random, heu",
        ],
    );
    let message = refused(&["compare", &tdl, &format!("u={other}")], 2);
    let parts = ["no probe is common", "tdl games=200 (which has random", "u (which has utility)"];
    assert_says(&message, &parts);
    let more = ["--games", "400", "--set", "probes.vs=[\"utility\",\"random\"]", "--set"];
    studies.learn("both", "tdl", "1..2", &[&more[..], &["probes.sample=50"]].concat());
    let both = format!("both={}", studies.path("both"));
    let (text, complaints) = printed(&["compare", &format!("first={tdl}"), &both]);
    assert!(text.starts_with("random: ") && !text.contains("heuristic"), "{text}");
    assert_says(
        &complaints,
        &["utility is left out: first has no such", "heuristic is left out: both"],
    );
    assert_says(&text, &["Note: the studies were trained on different numbers of games."]);
    studies.learn("rough", "tdl", "1..2", &["--games", "200", "--set", "probes.games=100"]);
    let (text, _) = printed(&["compare", &tdl, &studies.path("rough"), "--probe", "random"]);
    assert_says(&text, &["Note: the probe took different numbers of games."]);
}

#[test]
fn mistakes_are_named() {
    let studies = Studies::new();
    let [tdl, slow] = ["tdl", "slow"].map(|name| studies.path(name));
    let (run, same) = (format!("{tdl}/1"), format!("{tdl}/../tdl"));
    let missing = studies.path("missing");
    let (twice, again) = (format!("x={tdl}"), format!("x={slow}"));
    let file = format!("{tdl}/study.json");
    let with = |more: &[&'static str]| [&[tdl.as_str(), slow.as_str()], more].concat();
    let cases: &[(Vec<&str>, &str)] = &[
        (vec![], "STUDY"),
        (vec![&tdl, &tdl], "named twice"),
        (vec![&tdl, &same], "a run cannot be compared with itself"),
        (vec![&tdl, &run], "both contain the run"),
        (vec![&missing], "is neither a study nor a run"),
        (with(&["--margin", "0"]), "expected a difference between 0 and 1"),
        (with(&["--margin", "-0.1"]), "expected a difference between 0 and 1"),
        (with(&["--margin", "nan"]), "expected a difference between 0 and 1"),
        (with(&["--published", "tdl=0.5"]), "NAME=MEAN,HALF_WIDTH,N"),
        (with(&["--published", "tdl=86.5,0.2,10"]), "is written 86.5%"),
        (with(&["--published", "tdl=0.5,0.1,10"]), "--probe with one of random, heuristic"),
        (with(&["--published", "x=0.5,0.1,9", "--probe", "random"]), "no study is called \"x\""),
        (with(&["--test", "anova"]), "[possible values: welch, student, mann-whitney]"),
        (with(&["--tail", "both"]), "[possible values: two-sided, greater, less]"),
        (with(&["--csv", "--json"]), "cannot be used with"),
        (vec![&twice, &again], "two teams are called \"x\""),
        (vec![&file], "is neither a study nor a run"),
    ];
    for (args, message) in cases {
        let args: Vec<&str> = ["compare"].into_iter().chain(args.iter().copied()).collect();
        assert_says(&refused(&args, 2), &[message]);
    }
}

#[test]
fn a_study_without_probes_says_what_to_do() {
    let studies = Studies::new();
    let tdl = studies.path("tdl");
    // As after a kill: without the manifest that says that the run has ended.
    for seed in 2..=4 {
        std::fs::remove_dir_all(Path::new(&tdl).join(seed.to_string())).unwrap();
    }
    let (_, complaints) = printed(&["compare", &tdl]);
    assert_says(&complaints, &["3 of 4 runs have no probe yet and are left out"]);
    // Teams have the same members.
    for command in [&["measure", "--games", "2"][..], &["tournament", "random"], &["profile"]] {
        let (_, complaints) = printed(&[command, &[&tdl]].concat());
        assert_says(&complaints, &["3 of 4 runs have no probe yet and are left out"]);
    }
    std::fs::remove_dir_all(Path::new(&tdl).join("1")).unwrap();
    assert_says(&refused(&["measure", &tdl], 1), &[&tdl, "no probe yet", "outflank learn"]);
    assert_says(&refused(&["compare", &tdl], 1), &[&tdl, "no probe yet", "outflank learn"]);
}

#[test]
fn results_that_were_altered_are_refused() {
    use outflank::lab::{Results, ResultsError};
    let studies = Studies::new();
    let tdl = studies.path("tdl");
    for name in ["metrics.csv", "champion.json"] {
        let path = Path::new(&tdl).join("2").join(name);
        let whole = std::fs::read_to_string(&path).unwrap();
        let at = whole.rfind(|c: char| c.is_ascii_digit()).unwrap();
        let other = if &whole[at..=at] == "7" { "8" } else { "7" };
        let altered = format!("{}{other}{}", &whole[..at], &whole[at + 1..]);
        for content in [altered, format!("{whole}\n"), String::new()] {
            std::fs::write(&path, content).unwrap();
            for read in [&tdl, &format!("{tdl}/2")] {
                match Results::read(Path::new(read)) {
                    Err(ResultsError::Run(RunError::Altered { path: named, .. })) => {
                        assert_eq!(named, path)
                    }
                    other => panic!("{name}: {other:?}"),
                }
                let message = refused(&["compare", read], 1);
                assert_says(&message, &[path.to_str().unwrap(), "has changed since the run ended"]);
            }
        }
        std::fs::write(&path, whole).unwrap();
        printed(&["compare", &tdl]);
    }
}

fn copy_run(from: &Path, to: &Path) {
    std::fs::remove_dir_all(to).unwrap();
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let from = entry.unwrap().path();
        std::fs::copy(&from, to.join(from.file_name().unwrap())).unwrap();
    }
}

/// Changes a manifest as an older program might have written it: without a checksum.
fn rewrite_manifest(run: &Path, change: impl FnOnce(&mut Value)) {
    let path = run.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    manifest.as_object_mut().unwrap().remove("checksum");
    change(&mut manifest);
    std::fs::write(&path, manifest.to_string()).unwrap();
}

#[test]
fn runs_that_are_not_of_their_study_are_refused() {
    let studies = Studies::new();
    let [tdl, slow] = ["tdl", "slow"].map(|name| studies.path(name));
    let run = |seed: u64| Path::new(&tdl).join(seed.to_string());
    let kept = studies.folder.path().join("kept");
    std::fs::create_dir(&kept).unwrap();
    copy_run(&run(2), &kept);
    let refused_with = |path: &Path, problem: &str| {
        for command in [vec!["compare", &slow, &tdl], vec!["measure", &tdl], vec!["report", &tdl]] {
            let message = refused(&command, 1);
            assert_says(&message, &[path.to_str().unwrap(), problem, "outflank learn"]);
        }
    };
    copy_run(&run(1), &run(2));
    refused_with(&run(2), "a run with seed 1, but its study expects seed 2");
    copy_run(&Path::new(&slow).join("2"), &run(2));
    refused_with(&run(2), "other settings than its study: local.alpha = 0.01 there, 0.001 here");
    copy_run(&kept, &run(2));
    let spec = run(2).join("spec.toml");
    let text = std::fs::read_to_string(&spec).unwrap();
    std::fs::write(&spec, text.replace("alpha = 0.01", "alpha = 0.93")).unwrap();
    refused_with(&spec, "it has changed since the run ended");
    std::fs::write(&spec, text).unwrap();
    let manifest = run(2).join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let altered = text.replace("\"games\": 200", "\"games\": 999999999");
    assert_ne!(altered, text);
    std::fs::write(&manifest, altered).unwrap();
    refused_with(&manifest, "its checksum is wrong");
    copy_run(&kept, &run(2));
    rewrite_manifest(&run(2), |_| ());
    printed(&["compare", &slow, &tdl]);
    rewrite_manifest(&run(2), |manifest| manifest["generations"] = 9.into());
    refused_with(&manifest, "it says generation 9, but champion.json says");
    // The same command repairs it.
    std::fs::remove_dir_all(run(2)).unwrap();
    studies.learn("tdl", "tdl", "1..4", &["--games", "200"]);
    printed(&["compare", &slow, &tdl]);
}

#[test]
fn values_that_nothing_was_measured_to_be_are_refused_with_their_line() {
    let studies = Studies::new();
    let [tdl, slow] = ["tdl", "slow"].map(|name| studies.path(name));
    let run = Path::new(&tdl).join("2");
    let metrics = run.join("metrics.csv");
    let text = std::fs::read_to_string(&metrics).unwrap();
    let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
    let last: Vec<String> = rows.pop().unwrap().split(',').map(str::to_owned).collect();
    for (column, value, problem) in [
        (3, "NaN", "value = NaN"),
        (3, "1e308", "is not from 0 to 1"),
        (3, "-inf", "value = -inf"),
        (4, "NaN", "score = NaN"),
        (1, "-1", "invalid digit"),
    ] {
        let mut fields = last.clone();
        fields[column] = value.into();
        let text = format!("{}\n{}\n", rows.join("\n"), fields.join(","));
        std::fs::write(&metrics, &text).unwrap();
        rewrite_manifest(&run, |manifest| {
            manifest["metrics"] = blake3::hash(text.as_bytes()).to_string().into();
        });
        let line = format!("line {}: ", rows.len() + 1);
        for command in [vec!["compare", &tdl, &slow], vec!["report", &tdl]] {
            let message = refused(&command, 1);
            assert_says(&message, &[metrics.to_str().unwrap(), &line, problem]);
        }
    }
}

#[test]
fn a_study_whose_listing_is_lost_is_read_and_mended() {
    let studies = Studies::new();
    let tdl = studies.path("tdl");
    let listing = Path::new(&tdl).join("study.json");
    let whole = std::fs::read(&listing).unwrap();
    let (before, _) = printed(&["compare", &tdl]);
    for damage in [None, Some("{"), Some("")] {
        match damage {
            None => std::fs::remove_file(&listing).unwrap(),
            Some(content) => std::fs::write(&listing, content).unwrap(),
        }
        let (after, complaints) = printed(&["compare", &tdl]);
        assert_eq!(after, before);
        assert_says(&complaints, &[listing.to_str().unwrap(), "read the runs instead"]);
        let (_, complaints) = printed(&["measure", &tdl, "--games", "2"]);
        assert_says(&complaints, &[listing.to_str().unwrap(), "read the runs instead"]);
        let learned = run(&["learn", "tdl", "--seeds", "1..4", "--games", "200", "--out", &tdl]);
        assert!(learned.status.success());
        assert_says(text(&learned.stderr), &["wrote it again from the runs"]);
        assert_eq!(std::fs::read(&listing).unwrap(), whole);
    }
}
