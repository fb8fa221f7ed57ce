//! Studies that were killed, that are not finished, or damaged.

use std::time::Duration;

use super::*;
use crate::outflank;

#[test]
fn a_study_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let folder = Folder::new();
    let study = folder.file("steps.toml", &STUDY.replace("games = 10_000", "games = 40_000"));
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    assert!(run(&["study", &study, "--out", &whole]).status.success());
    let mut kills = 0;
    for attempt in 0u64..40 {
        let mut child = outflank(&["study", &study, "--out", &killed])
            .env("OUTFLANK_CHECKPOINT_SECONDS", "0.02")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60 + 37 * (attempt * attempt % 23)));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(run(&["study", &study, "--out", &killed]).status.success());
    assert!(kills > 0, "it was too fast to be killed");
    assert_eq!(written(&killed), written(&whole));
}

#[test]
fn what_is_there_can_be_looked_at_before_the_end() {
    let folder = Folder::new();
    let (study, out) = (folder.file("steps.toml", STUDY), folder.path("out"));
    // Before anything is there, no page is made.
    let message = refused(&["study", &study, "--out", &out, "--as-is"], 1);
    assert_says(&message, &["no run of steps", &out, "without --as-is trains them"]);
    assert!(!Path::new(&out).exists(), "nothing is written");
    // Only one case is trained so far.
    assert!(run(&["study", &study, "--out", &out, "--only", "profiles"]).status.success());
    let figure = ["--pdf", "--width", "8.5cm", "--no-titles"];
    let output = run(&[&["study", &study, "--out", &out, "--as-is"], &figure[..]].concat());
    let pdf = std::fs::read(Path::new(&out).join("results/steps-profiles.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF"));
    let svg = std::fs::read_to_string(Path::new(&out).join("results/steps-profiles.svg")).unwrap();
    assert!(svg.contains("width=\"8.5cm\"") && !svg.contains(">Profiles<"), "{svg}");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(text(&output.stdout), &["This study is not finished: 3 of 15 runs are."]);
    assert_says(text(&output.stdout), &["1CEL", "0 runs trained"]);
    // Cases without a finished run are in the table, and have none.
    let table = std::fs::read_to_string(Path::new(&out).join("results/steps-ends.csv")).unwrap();
    assert!(table.contains("step mu=10 size=0.05,10,0.05,0,,"), "{table}");
    // The rest of the pictures is gone with the page that had them, and the PDFs with theirs.
    assert!(run(&["study", &study, "--out", &out, "--only", "profiles"]).status.success());
    let is_there = |name: &str| Path::new(&out).join("results").join(name).exists();
    assert!(is_there("steps-profiles.svg"));
    assert!(!is_there("steps-profiles.pdf") && !is_there("steps-ends.csv"));
}

#[test]
fn a_tournament_without_all_of_its_teams_gives_no_value() {
    const THREE: &str = r#"
title = "Three"
seeds = "1..2"
case = [
    { name = "a", method = "1cel", set = { games = 5000, probes.sample = 20 } },
    { name = "b", method = "cel", set = { games = 5000, probes.games = 20 } },
    { name = "c", method = "rsel", set = { games = 5000, probes.sample = 20 } },
]
tournament = [{ name = "all", cases = ["a", "b", "c"] }]
table = [
    { name = "some", title = "Some", of = "finals", cases = ["a", "b"] },
    { name = "standings", title = "Standings", of = "standings", tournament = "all" },
]

[[value]]
printed = "Table 1"
what = "wins"
value = 5
n = 2
ours = { kind = "tournament", tournament = "all", case = "a", count = "wins" }

[[value]]
printed = "Table 1"
what = "an order"
ours = { kind = "order", tournament = "all", claim = "a > b" }
"#;
    let folder = Folder::new();
    let (study, out) = (folder.file("three.toml", THREE), folder.path("out"));
    assert!(run(&["study", &study, "--out", &out, "--only", "some"]).status.success());
    let values = |args: &[&str]| -> Vec<(String, String)> {
        let found = json(&[&["study", &study, "--out", &out, "--json"], args].concat());
        let of = |value: &serde_json::Value| {
            let text = |key: &str| value[key].as_str().unwrap_or("").to_owned();
            (text("verdict"), text("why"))
        };
        found["results"].as_array().unwrap().iter().map(of).collect()
    };
    for (verdict, why) in values(&["--as-is"]) {
        assert_eq!(verdict, "not-attempted");
        assert_says(&why, &["ournament all was played without c"]);
    }
    // The table shows those that are there.
    let table = std::fs::read_to_string(Path::new(&out).join("results/three-standings.csv"));
    assert_eq!(table.unwrap().lines().count(), 3);
    assert!(values(&[]).iter().all(|(verdict, _)| verdict != "not-attempted"));
}

#[test]
fn runs_that_are_not_finished_are_in_curves_and_in_nothing_else() {
    let folder = Folder::new();
    let text_of = |games: u64| {
        format!(
            "title = \"T\"\nseeds = \"1..2\"\n[[case]]\nname = \"a\"\nmethod = \"cel\"\n\
             set = {{ games = {games}, probes.every = 2500, probes.games = 100 }}\n\
             [[case]]\nname = \"b\"\nmethod = \"cel\"\n\
             set = {{ games = 5000, probes.games = 100, model.start = 0.5 }}\n\
             [[value]]\nprinted = \"Table I\"\nwhat = \"x\"\nvalue = 60\nn = 10\n\
             ours = {{ kind = \"final\", case = \"a\" }}\n\
             [[table]]\nname = \"table1\"\ntitle = \"E\"\nof = \"finals\"\ncases = [\"a\"]\n\
             [[figure]]\nname = \"fig1\"\ntitle = \"F\"\nof = \"curves\"\ncases = [\"a\"]\n"
        )
    };
    let (study, out) = (folder.file("t.toml", &text_of(200_000_000)), folder.path("out"));
    let path = Path::new(&out).join("cases/a/1/metrics.csv");
    let mut child = outflank(&["study", &study, "--out", &out, "--threads", "1"])
        .env("OUTFLANK_CHECKPOINT_SECONDS", "0")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let is_measured = || {
        std::fs::read_to_string(&path).is_ok_and(|rows| rows.lines().count() > 4)
            && Path::new(&out).join("cases/a/1/checkpoint.bin").exists()
    };
    while !is_measured() {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let output = run(&["study", &study, "--out", &out, "--as-is", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(text(&output.stdout), &["not-attempted", "no run of a is finished yet"]);
    let page = std::fs::read_to_string(Path::new(&out).join("results.md")).unwrap();
    assert_says(&page, &["0 of 4 runs are.", "1 run that is not is in the curves only", "0 of 2"]);
    let curve = std::fs::read_to_string(Path::new(&out).join("results/t-fig1.csv")).unwrap();
    assert!(curve.lines().count() >= 2, "{curve}");
    // The case that has not begun does not keep others from being looked at.
    let output = run(&["compare", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(text(&output.stderr), &["b has no probe yet and is left out"]);
}

#[test]
fn a_damaged_run_leaves_the_rest_of_its_study_alone() {
    let folder = Folder::new();
    let (study, out) = (folder.file("steps.toml", STUDY), folder.path("out"));
    assert!(run(&["study", &study, "--out", &out]).status.success());
    let whole = written(&out);
    let champion = Path::new(&out).join("cases/coevolution/2/champion.json");
    let altered = std::fs::read_to_string(&champion).unwrap().replacen("0.", "1.", 1);
    std::fs::write(&champion, altered).unwrap();
    let output = run(&["study", &study, "--out", &out, "--as-is"]);
    assert_eq!(output.status.code(), Some(1));
    let problem = format!("run 2 of coevolution is damaged ({}", champion.display());
    assert_says(text(&output.stderr), &[&problem, "without --as-is repairs it"]);
    assert_says(text(&output.stdout), &["Not attempted: run 2 of coevolution", "step mu=10"]);
    let page = std::fs::read_to_string(Path::new(&out).join("results.md")).unwrap();
    assert_says(&page, &["tournament all was not played: run 2 of coevolution", "| damaged |"]);
    let table = std::fs::read_to_string(Path::new(&out).join("results/steps-ends.csv")).unwrap();
    assert!(table.contains("step mu=10") && !table.contains("1CEL"), "{table}");
    let found = run(&["study", &study, "--out", &out, "--as-is", "--json"]);
    assert_eq!(found.status.code(), Some(1));
    assert_says(text(&found.stdout), &["\"not-attempted\"", "\"damaged\": [\n    \"run 2"]);
    // Without --as-is the file is made again, and so are the pages.
    let output = run(&["study", &study, "--out", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(written(&out), whole);
}
