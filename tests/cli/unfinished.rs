//! Runs before their end: unfinished ones as they stand, and finished ones at an earlier moment.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;

const FEW: [&str; 6] =
    ["--set", "probes.vs=['random']", "--set", "probes.games=20", "--set", "probes.every=5000"];

/// Long enough to be killed before its end on any machine.
const GAMES: &str = "1000000";

fn learn(args: &[&str], out: &Path) -> Command {
    let mut command = outflank(&["learn"]);
    command.args(args).args(FEW).arg("--out").arg(out);
    command.env("OUTFLANK_CHECKPOINT_SECONDS", "0.02").stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// A study with a finished run 1, a run 2 that was killed after some probes, and a run 3 that never
/// began.
struct Standing {
    _folder: tempfile::TempDir,
    study: PathBuf,
}

impl Standing {
    fn new() -> Standing {
        let folder = tempfile::tempdir().unwrap();
        let study = folder.path().join("study");
        let args = ["cel", "--games", GAMES, "--threads", "1"];
        let metrics = study.join("2/metrics.csv");
        // A checkpoint writes its rows first and the champion last; on a slow disk that takes long.
        let champion = study.join("2/champion.json");
        let has_stood = || {
            let rows = fs::read_to_string(&metrics).map_or(0, |text| text.lines().count());
            rows >= 4 && champion.exists()
        };
        // The run may end before it is killed; then it is trained again.
        for attempt in 0.. {
            let both = [&args[..], &["--seeds", "2..3"]].concat();
            let mut child = learn(&both, &study).spawn().unwrap();
            while !has_stood() {
                assert!(child.try_wait().unwrap().is_none_or(|status| status.success()));
                std::thread::sleep(Duration::from_millis(1));
            }
            child.kill().unwrap();
            child.wait().unwrap();
            let path = study.join("2");
            let measure = ["measure", path.to_str().unwrap(), "--games", "2", "--vs", "random"];
            let found = run(&[&measure[..], &["--json"]].concat());
            let found: Value = serde_json::from_slice(&found.stdout).unwrap_or_default();
            let is_standing = found["unfinished"].as_array().is_some_and(|runs| runs.len() == 1);
            if is_standing && !study.join("3").exists() {
                break;
            }
            assert!(attempt < 20, "a run ends too early every time");
            fs::remove_dir_all(&study).unwrap();
        }
        assert!(learn(&args, &study).status().unwrap().success());
        Standing { _folder: folder, study }
    }

    fn path(&self, name: &str) -> String {
        self.study.join(name).to_str().unwrap().trim_end_matches('/').into()
    }
}

#[test]
fn unfinished_runs_are_taken_as_they_stand_and_said_to_be() {
    let standing = Standing::new();
    let (study, run) = (standing.path(""), standing.path("2"));
    let games = ["--games", "20", "--vs", "random"];
    let found = json(&[&["measure", &study, "--json"], &games[..]].concat());
    assert_eq!(found["results"].as_array().unwrap().len(), 2);
    let unfinished = found["unfinished"].as_array().unwrap();
    assert_eq!((unfinished.len(), &unfinished[0]["run"]), (1, &run.as_str().into()));
    let at = unfinished[0]["games"].as_u64().unwrap();
    assert!((5000..1_000_000).contains(&at), "{at}");
    // Its value is that of its last probe, and its champion the one that was measured then.
    let metrics = fs::read_to_string(standing.study.join("2/metrics.csv")).unwrap();
    let row = metrics.lines().find(|line| line.starts_with(&format!("{at},"))).unwrap();
    let compared = json(&["compare", &run, "--json"]);
    let value: f64 = row.split(',').nth(3).unwrap().parse().unwrap();
    assert_eq!(compared["results"][0]["studies"][0]["mean"].as_f64(), Some(value));
    assert_eq!(compared["results"][0]["studies"][0]["games"], at);
    let shown = |name: &str, at: &[&str]| json(&[&["show", name, "--json"], at].concat());
    let weights = shown(&run, &[])["weights"].clone();
    assert_eq!(weights, shown(&run, &["--at", &at.to_string()])["weights"]);
    assert_eq!(shown(&run, &[])["unfinished"][0]["games"], at);
    // Its growth ends there, too.
    let film = standing.path("film.svg");
    let growth = shown(&run, &["--animate", &film]);
    assert_eq!(growth["history"].as_array().unwrap().last().unwrap()["games"], at);
    assert_says(&fs::read_to_string(&film).unwrap(), &["class=\"o-last\"", " training games"]);
    let kept = standing.path("2/champions.bin");
    fs::rename(&kept, standing.path("kept.bin")).unwrap();
    let message = refused(&["show", &run, "--history", &standing.path("strip.svg")], 1);
    assert_says(&message, &["study/2 has no champions.bin: an older program trained it"]);
    fs::rename(standing.path("kept.bin"), &kept).unwrap();
    for command in
        [&["tournament", "random", "--games", "2"][..], &["profile"], &["compare"], &["measure"]]
    {
        let output = run_with(&[command, &[&study]].concat());
        assert_says(
            text(&output.stderr),
            &[
                "1 of 3 runs is unfinished, taken as it stands at",
                "1 of 3 runs has no probe yet and is left out",
            ],
        );
    }
    let page = standing.path("page.html");
    let args = ["report", &study, "--out", &page, "--no-profiles", "--sample", "10"];
    let found = json(&[&args[..], &games, &["--json"]].concat());
    assert_eq!(
        (&found["studies"][0]["runs"], &found["studies"][0]["unfinished"]),
        (&2.into(), &2.into())
    );
    assert_eq!(found["unfinished"][0]["games"], at);
    let html = fs::read_to_string(&page).unwrap();
    assert_says(&html, &["1 (seed 2) is unfinished, taken as it stands at", "2 (1 unfinished)"]);
    // The run itself is not touched: it ends as it would have.
    assert!(
        fs::read_to_string(standing.study.join("2/manifest.json")).unwrap().contains("running")
    );
}

fn run_with(args: &[&str]) -> Output {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    output
}

#[test]
fn a_watched_report_is_written_again_until_all_runs_are_finished() {
    let standing = Standing::new();
    let (study, page) = (standing.path(""), standing.path("page.html"));
    let args = ["report", &study, "--out", &page, "--no-profiles", "--vs", "random"];
    let few = ["--games", "2", "--watch", "0.1"];
    let mut child = outflank(&[&args[..], &few].concat()).stdout(Stdio::piped()).spawn().unwrap();
    while !Path::new(&page).exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended too early");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(fs::read_to_string(&page).unwrap().contains("taken as it stands"));
    let rest = ["cel", "--games", GAMES, "--seeds", "2..3"];
    assert!(learn(&rest, &standing.study).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(text(&output.stdout).matches("The report is in").count() >= 2);
    assert!(!fs::read_to_string(&page).unwrap().contains("taken as it stands"));
    assert_says(&refused(&["report", &study, "--watch", "0"], 2), &["seconds from 0.1"]);
}

#[test]
fn a_finished_study_can_be_measured_at_any_of_its_probes() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study");
    let args = ["cel", "--games", "20000", "--seeds", "1..2"];
    assert!(learn(&args, &study).status().unwrap().success());
    let early = folder.path().join("early");
    let args = ["cel", "--games", "10000", "--seeds", "1..2"];
    assert!(learn(&args, &early).status().unwrap().success());
    let [study, early] = [&study, &early].map(|path| path.to_str().unwrap());
    let measure = |name: &str, more: &[&str]| {
        json(
            &[
                &["measure", name, "--games", "20", "--vs", "random,utility", "--sample", "10"],
                more,
                &["--json"],
            ]
            .concat(),
        )
    };
    // The champion after 10,000 games is that of a run of 10,000 games.
    let numbers = |found: &Value| -> Vec<Value> {
        found["results"].as_array().unwrap().iter().map(|row| row["wins"].clone()).collect()
    };
    assert_eq!(numbers(&measure(study, &["--at", "10k"])), numbers(&measure(early, &[])));
    assert_eq!(numbers(&measure(study, &["--at", "1M"])), numbers(&measure(study, &[])));
    assert_ne!(numbers(&measure(study, &["--at", "10k"])), numbers(&measure(study, &[])));
    let mean = |args: &[&str]| {
        json(&[&["compare", "--json"], args].concat())["results"][0]["studies"][0]["mean"].clone()
    };
    assert_eq!(mean(&[study, "--at", "12345"]), mean(&[early]));
    for command in [&["measure", study][..], &["compare", study]] {
        let message = refused(&[command, &["--at", "100"]].concat(), 2);
        assert_says(
            &message,
            &["study/1 has no probe at 100 games or before; its first is at 5000"],
        );
    }
    assert_says(&refused(&["measure", "random", "--at", "5k"], 2), &["random is neither a run"]);
    assert_says(&refused(&["measure", study, "--at", "x"], 2), &["e.g. 1M or 500k"]);
    // A learning curve by another measure.
    let along = measure(study, &["--along"]);
    let rows = along["results"].as_array().unwrap();
    let games: Vec<u64> = rows.iter().map(|row| row["training_games"].as_u64().unwrap()).collect();
    assert_eq!(games, [5000, 5000, 10000, 10000, 15000, 15000, 20000, 20000].repeat(2));
    assert_eq!((rows.len(), along["means"].as_array().unwrap().len()), (16, 8));
    assert_eq!(
        numbers(&measure(study, &["--along", "--points", "1"])),
        numbers(&measure(study, &[]))
    );
    let csv = run_with(&[
        "measure", study, "--along", "--points", "2", "--games", "2", "--vs", "random", "--csv",
    ]);
    let csv = text(&csv.stdout);
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert_says(csv, &["player,training_games,generation,probe,games,wins", ",10000,4,random,2,"]);
    refused(&["measure", study, "--points", "2"], 2);
    // Without its history a run still has its end.
    fs::remove_file(format!("{study}/1/champions.bin")).unwrap();
    let message = refused(&["measure", study, "--at", "10k"], 1);
    assert_says(&message, &["study/1/champions.bin: it is missing", "makes it again"]);
    measure(study, &[]);
    assert_eq!(mean(&[study, "--at", "12345"]), mean(&[early]));
}

#[test]
fn a_finished_study_is_continued_by_longer_runs() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text_of = |path: &Path| path.to_str().unwrap().to_owned();
    let trained = |args: &[&str], name: &str| {
        assert!(learn(args, &at(name)).status().unwrap().success(), "{args:?}");
    };
    // The last probe of the short runs, at 12,500 games, is none of the long ones.
    trained(&["cel", "--games", "12k", "--seeds", "1..2"], "short");
    trained(&["cel", "--games", "20k", "--seeds", "1..2"], "whole");
    let short = text_of(&at("short"));
    trained(&["cel", "--games", "20k", "--continue", &short], "longer");
    for file in ["spec.toml", "metrics.csv", "champions.bin", "champion.json"] {
        for seed in ["1", "2"] {
            let read = |name: &str| fs::read(at(name).join(seed).join(file)).unwrap();
            assert_eq!(read("longer"), read("whole"), "{file} of seed {seed}");
        }
    }
    // What the beginning cost is a part of the whole.
    let probe_games = |name: &str| {
        let manifest = fs::read_to_string(at(name).join("1/manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        manifest["circumstances"]["cost"]["probe_games"].as_u64().unwrap()
    };
    assert!(probe_games("longer") >= probe_games("whole"));
    let refused = |args: &[&str], code: i32| {
        let out = text_of(&at("out"));
        let args = [&["learn"], args, &FEW, &["--continue", &short, "--out", &out]].concat();
        let output = run(&args);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        text(&output.stderr).to_string()
    };
    for (args, message) in [
        (&["td-lambda", "--games", "1M"][..], "local.epsilon changes over a run"),
        (
            &["cel", "--games", "20k", "--set", "probes.sample=7"],
            "other settings: probes.sample = ",
        ),
        (&["cel", "--games", "12k"], "its runs have 12,000 games, and 12,000 are not more"),
        (&["cel", "--games", "20k", "--seed", "3"], "no run with seed 3; its seeds are 1..2"),
    ] {
        assert_says(&refused(args, 2), &["cannot continue", &short, message]);
    }
    assert!(!at("out").exists());
    // A run that is not whole.
    fs::remove_file(at("short/1/checkpoint.bin")).unwrap();
    let message = refused(&["cel", "--games", "20k", "--seed", "1"], 1);
    assert_says(&message, &["short/1/checkpoint.bin: it is missing"]);
}
