//! `outflank measure` as a user sees it.

use crate::{assert_says, json, outflank, refused, run, text};

/// What a command that works prints.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).into()
}

#[test]
fn players_are_measured_by_the_papers_yardsticks() {
    let args = ["measure", "heuristic", "lr2006", "--games", "4000", "--sample", "2000", "--json"];
    let object = json(&args);
    let results = object["results"].as_array().unwrap();
    let names: Vec<(&str, &str)> = results
        .iter()
        .map(|result| (result["player"].as_str().unwrap(), result["probe"].as_str().unwrap()))
        .collect();
    let probes = ["random", "heuristic", "utility"];
    let expected: Vec<(&str, &str)> =
        ["heuristic", "lr2006"].iter().flat_map(|p| probes.map(|probe| (*p, probe))).collect();
    assert_eq!(names, expected);
    for result in results {
        let number = |key: &str| result[key].as_f64().unwrap();
        assert_eq!(number("games") as u64, 4000);
        assert_eq!((number("wins") + number("draws") + number("losses")) as u64, 4000);
        assert!((number("win_probability") - number("wins") / 4000.0).abs() < 1e-12);
        let interval = result["interval"].as_array().unwrap();
        let [low, high] = [0, 1].map(|i| interval[i].as_f64().unwrap());
        assert!(low < number("score") && number("score") < high);
    }
    // Rates of tests/base_rates.rs; 4,000 games have a standard error of 0.0066 and less.
    for (index, rate) in [(0, 0.779), (3, 0.883)] {
        let won = results[index]["win_probability"].as_f64().unwrap();
        assert!((won - rate).abs() < 4.0 * 0.0066, "{won}");
    }
}

#[test]
fn a_table_has_a_line_for_each_player_and_yardstick() {
    let args = ["measure", "random", "--vs", "random,lr2006@epsilon=0.2", "--games", "200"];
    let text = printed(&args);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].contains("against") && lines[0].contains("95% interval"));
    assert!(lines[2].contains("lr2006@epsilon=0.2"));
}

#[test]
fn results_do_not_depend_on_threads_or_kernel() {
    let args = ["measure", "lr2006", "--games", "2000", "--sample", "700", "--json"];
    let expected = printed(&args);
    for kernel in outflank::kernel::Kernel::available() {
        for threads in ["1", "2", "8"] {
            let mut command = outflank(&args);
            command.args(["--threads", threads]).env("OUTFLANK_KERNEL", kernel.name());
            let output = command.output().unwrap();
            assert_eq!(text(&output.stdout), expected, "{kernel:?} {threads}");
        }
    }
}

#[test]
fn a_run_is_its_champion_and_a_study_all_of_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("study");
    let path = out.to_str().unwrap();
    printed(&["learn", "tdl", "--seeds", "1..2", "--games", "200", "--out", path]);
    let study = printed(&["measure", path, "--vs", "random", "--games", "100"]);
    let (runs, means) = study.split_once("\n\n").unwrap();
    assert_eq!((runs.lines().count(), means.lines().count()), (3, 3), "{study}");
    let run = out.join("2");
    let run = printed(&["measure", run.to_str().unwrap(), "--vs", "random", "--games", "100"]);
    assert_eq!(run.lines().last(), runs.lines().last());
    // It works wherever a player is expected; but a study is not a player.
    let one = out.join("1");
    printed(&["match", one.to_str().unwrap(), "random", "--games", "10"]);
    printed(&["show", one.to_str().unwrap()]);
    let problem = refused(&["match", path, "random", "--games", "10"], 1);
    assert!(problem.contains("a study of several runs"), "{problem}");
}

#[test]
fn mistakes_are_named() {
    let cases: &[(&[&str], &str)] = &[
        (&["measure"], "PLAYER|RUN|STUDY"),
        (&["measure", "heuristik"], "did you mean \"heuristic\"?"),
        (&["measure", "random", "--vs", "utilty"], "did you mean \"utility\"?"),
        (&["measure", "random", "--vs", "random,,heuristic"], "has an empty name"),
        (&["measure", "random", "--vs", ""], "has an empty name"),
        (&["measure", "random", "--vs", "random,random"], "names \"random\" twice"),
        (&["measure", "random", "--vs", "heuristic@epsilon=2"], "is not a probability"),
        (&["measure", "random", "--games", "7"], "must be even"),
        (&["measure", "random", "--games", "0"], "an even number of games"),
        (&["measure", "random", "--sample", "0"], "a number of double games"),
        (&["measure", "random", "--threads", "0"], "a number of threads"),
        (&["measure", "random", "--seed", "-1"], "a whole number"),
    ];
    for (args, message) in cases {
        assert_says(&refused(args, 2), &[message]);
    }
    let folder = tempfile::tempdir().unwrap();
    let problem = refused(&["measure", folder.path().to_str().unwrap()], 1);
    assert!(problem.contains("a folder without champion.json"), "{problem}");
    std::fs::write(folder.path().join("study.json"), "{}").unwrap();
    let output = outflank(&["measure", folder.path().to_str().unwrap()]).output().unwrap();
    assert!(!output.status.success());
}

#[test]
fn the_cost_of_probes_stands_beside_that_of_training() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("study");
    let order = ["learn", "rsel", "--games", "10000", "--seeds", "1..2", "--out"];
    let sets = ["--set", "probes.every=5000", "--set", "probes.sample=50"];
    let order = [&order[..], &[out.to_str().unwrap()], &sets].concat();
    let found = json(&[&order[..], &["--json"]].concat());
    for result in found["results"].as_array().unwrap() {
        // Two probes of 50 double games.
        assert_eq!(result["cost"]["probe_games"], 200);
        let seconds = |key: &str| result["cost"][key].as_f64().unwrap();
        assert!(seconds("training_seconds") > 0.0 && seconds("probe_seconds") > 0.0);
    }
    // A study has a mean.
    let study = ["measure", out.to_str().unwrap(), "--games", "20", "--vs", "random"];
    assert_says(&printed(&study), &["Means over the runs of each study", "95% interval"]);
    let found = json(&[&study[..], &["--json"]].concat());
    let score = |result: &serde_json::Value| result["score"].as_f64().unwrap();
    let sum: f64 = found["results"].as_array().unwrap().iter().map(score).sum();
    assert!((2.0 * score(&found["means"][0]) - sum).abs() < 1e-12);
    assert_eq!(found["means"][0]["runs"], 2);
    // Runs that were finished before have their cost, too.
    let again = run(&order);
    assert_says(
        text(&again.stdout),
        &["was finished", "Cost: training 20,000 games", "probes 400 games"],
    );
}

#[test]
fn an_altered_champion_is_refused_however_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study").to_str().unwrap().to_string();
    let args = ["learn", "tdl", "--games", "200", "--set", "probes.games=10", "--out", &study];
    assert!(run(&args).status.success());
    let run_folder = format!("{study}/1");
    let champion = format!("{run_folder}/champion.json");
    let whole = std::fs::read_to_string(&champion).unwrap();
    // A digit of a weight.
    let at = whole.find("0.").unwrap() + 2;
    let other = if &whole[at..=at] == "7" { "8" } else { "7" };
    std::fs::write(&champion, format!("{}{other}{}", &whole[..at], &whole[at + 1..])).unwrap();
    for name in [&run_folder, &champion] {
        for command in [
            vec!["show", name],
            vec!["match", name, "random", "--games", "2"],
            vec!["measure", name],
            vec!["profile", name],
            vec!["tournament", name, "random"],
            vec!["play", name],
            vec!["measure", "random", "--vs", name],
        ] {
            let message = refused(&command, 1);
            assert_says(&message, &[&champion, "it has changed since its run ended"]);
        }
    }
    // In another place it is a player like any other.
    let copy = folder.path().join("copy.json");
    std::fs::copy(&champion, &copy).unwrap();
    printed(&["show", copy.to_str().unwrap()]);
    std::fs::write(&champion, whole).unwrap();
    printed(&["show", &run_folder]);
}
