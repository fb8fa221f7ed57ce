//! Fronts: runs with several objectives, their players and figures.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;

/// Two objectives, and little else.
const SPEC: &str = "base = 'cel'\n\
    games = 4800\n\
    opponents = { games = 8, peers = false, fixed = { players = ['heuristic', 'lr2006'] } }\n\
    objective = { kind = 'fronts' }\n\
    policy = { epsilon = 0.1 }\n\
    probes = { every = 800, vs = ['random'], games = 10, front = ['random'], also = ['front-size', 'hypervolume'] }\n";

struct Trained {
    folder: tempfile::TempDir,
}

impl Trained {
    /// A folder with the spec.
    fn new() -> Trained {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("fr.toml"), SPEC).unwrap();
        Trained { folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn path(&self, name: &str) -> String {
        self.at(name).to_str().unwrap().into()
    }

    /// A command that learns to a folder.
    fn learn(&self, out: &str, more: &[&str]) -> Command {
        let spec = self.path("fr.toml");
        let mut command = outflank(&["learn", &spec, "--out", &self.path(out)]);
        command.args(more).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("OUTFLANK_CHECKPOINT_SECONDS", "0.0001");
        command
    }
}

/// The results of a run and the players of its front.
fn bytes(run: &Path) -> Vec<(String, Vec<u8>)> {
    let results = ["spec.toml", "metrics.csv", "champions.bin", "champion.json"].map(String::from);
    let front = fs::read_dir(run.join("front")).unwrap();
    let front = front.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = front.map(|name| format!("front/{name}")).collect();
    names.sort();
    let read = |name: String| (name.clone(), fs::read(run.join(name)).unwrap());
    results.into_iter().chain(names).map(read).collect()
}

#[test]
fn any_player_of_a_front_can_be_named_and_the_table_lists_them() {
    let trained = Trained::new();
    assert!(trained.learn("s", &["--seeds", "1..3"]).status().unwrap().success());
    let study = trained.path("s");
    let found = json(&["front", &study, "--json"]);
    let of = &found["results"][0];
    assert_eq!(of["objectives"], serde_json::json!(["heuristic", "lr2006"]));
    let players = of["players"].as_array().unwrap();
    let sizes: Vec<u64> = (0..3).map(|run| of["runs"][run]["size"].as_u64().unwrap()).collect();
    assert_eq!(players.len() as u64, sizes.iter().sum::<u64>());
    // The probe at the end says the same.
    let metrics = fs::read_to_string(trained.at("s/2/metrics.csv")).unwrap();
    let last = |probe: &str| {
        let row = metrics.lines().rfind(|line| line.split(',').nth(2) == Some(probe));
        row.unwrap().split(',').nth(3).unwrap().parse::<f64>().unwrap()
    };
    assert!((last("hypervolume") - of["runs"][1]["hypervolume"].as_f64().unwrap()).abs() < 1e-12);
    assert_eq!(last("front-size") as u64, sizes[1]);
    // Every reference is that player, with or without options.
    for player in [&players[0], &players[players.len() - 1]] {
        let name = player["player"].as_str().unwrap();
        let shown = json(&["show", name, "--json"]);
        let (seed, number) = (&player["seed"], &player["number"]);
        let file = trained.path(&format!("s/{seed}/front/{number}.json"));
        assert_eq!(shown["weights"], json(&["show", &file, "--json"])["weights"]);
        let quick = ["match", &format!("{name}@epsilon=0.1"), "random", "--games", "2", "--json"];
        assert!(json(&quick)["wins"].is_u64());
    }
    let team = format!("f={study}/1#1,{study}/2#1");
    json(&["tournament", "--team", &team, "heuristic", "--games", "2", "--json"]);
    let many = format!("{study}/2#{}", sizes[1] + 1);
    assert_says(&refused(&["show", &many], 2), &["the front of this run has", &many]);
    assert_says(&refused(&["match", &format!("{study}#1"), "random"], 2), &["several runs"]);
    let early = refused(&["show", &format!("{study}/1#1"), "--at", "800"], 2);
    assert_says(&early, &["only the last front of a run is kept"]);
    // A file that was changed is not taken.
    fs::write(trained.at("s/1/front/1.json"), "1 ".repeat(64)).unwrap();
    assert_says(&refused(&["show", &format!("{study}/1#1")], 1), &["has changed since its run"]);
}

#[test]
fn fronts_are_drawn_and_files_of_others_are_kept() {
    let trained = Trained::new();
    assert!(trained.learn("s", &["--seeds", "1..2"]).status().unwrap().success());
    let (study, figure) = (trained.path("s"), trained.path("f.svg"));
    let csv = trained.path("f.csv");
    for _ in 0..2 {
        // A second time they are ours.
        let output = run(&["front", &study, "--out", &figure, "--csv", &csv]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_says(text(&output.stdout), &["heuristic", "#1", "hypervolume", "all runs (*)"]);
    }
    let svg = fs::read_to_string(&figure).unwrap();
    assert_says(&svg, &["front of all runs", "50% of runs attain", "score against lr2006"]);
    let table = fs::read_to_string(&csv).unwrap();
    assert!(table.starts_with("study,seed,number,player,of_all_runs,objective,share\n"));
    let pdf = trained.path("f.pdf");
    assert!(run(&["front", &study, "--attained", "50%", "--out", &pdf]).status.success());
    assert!(fs::read(&pdf).unwrap().starts_with(b"%PDF"));
    let mine = trained.path("mine.svg");
    fs::write(&mine, "mine").unwrap();
    assert_says(&refused(&["front", &study, "--out", &mine], 2), &["--force"]);
    let png = trained.path("f.png");
    assert_says(&refused(&["front", &study, "--out", &png], 2), &[".svg or .pdf"]);
    let none = ["front", &study, "--attained", "0", "--out", &figure];
    assert_says(&refused(&none, 2), &["above 0 and up to 1"]);
    // One objective.
    let one = trained.path("one");
    let set = ["--set", "probes.games=2", "--seeds", "1"];
    let learned = outflank(&["learn", "cel", "--games", "2500", "--out", &one]).args(set).output();
    assert!(learned.unwrap().status.success());
    assert_says(&refused(&["front", &one], 2), &["has one objective, so it has no front"]);
    assert_says(&refused(&["show", &format!("{one}/1#1")], 2), &["there is no front"]);
}

#[test]
fn a_front_is_taken_as_it_stands_and_ends_with_the_same_bytes() {
    let trained = Trained::new();
    let long = ["--games", "80000", "--threads", "2"];
    assert!(trained.learn("whole", &long).status().unwrap().success());
    let standing = trained.at("cut/1/front.json");
    for attempt in 0.. {
        let mut child = trained.learn("cut", &long).spawn().unwrap();
        while !standing.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if standing.exists() {
            break;
        }
        assert!(attempt < 20, "the run ends too early every time");
        fs::remove_dir_all(trained.at("cut")).unwrap();
    }
    let name = trained.path("cut/1#1");
    let shown = json(&["show", &name, "--json"]);
    let of = &shown["unfinished"][0];
    assert!(of["games"].as_u64().is_some_and(|games| games < 80_000), "{shown}");
    let note = run(&["show", &name]);
    assert_says(text(&note.stderr), &["is unfinished, its front is taken as it stands at"]);
    assert!(
        trained.learn("cut", &["--games", "80000", "--threads", "1"]).status().unwrap().success()
    );
    assert!(!standing.exists(), "a finished run has its front in a folder");
    let whole = bytes(&trained.at("whole/1"));
    assert!(whole.len() > 5 && whole == bytes(&trained.at("cut/1")));
}

#[test]
fn a_study_file_has_figures_of_fronts_and_values_over_them() {
    let trained = Trained::new();
    let study = "title = 'Fronts'\nseeds = '1..2'\n\
        [[case]]\nname = 'a'\nmethod = 'fr.toml'\n\
        [[case]]\nname = 'b'\nmethod = 'fr.toml'\n\
        set = { search = { population = 40 }, probes = { vs = ['utility', 'random'], sample = 10 } }\n\
        [[value]]\nprinted = 'Table II'\nwhat = 'hypervolume'\nvalue = 0.11\nn = 20\n\
        ours = { kind = 'final', case = 'a', probe = 'hypervolume' }\n\
        [[value]]\nprinted = 'Table II'\nwhat = 'random'\nvalue = 61\nn = 20\n\
        ours = { kind = 'final', case = 'a', probe = 'front:random' }\n\
        [[figure]]\nname = 'fig3'\ntitle = 'All runs'\nof = 'fronts'\ncases = ['a', 'b']\n\
        [[figure]]\nname = 'median'\ntitle = 'Half'\nof = 'attainment'\ncases = ['a', 'b']\n";
    let path = trained.path("mini.toml");
    let out = trained.path("out");
    // Cases with one objective, or others, are refused before anything is trained.
    let one = "set = { search = { population = 40 }, probes = { vs = ['utility', 'random'], sample = 10 } }";
    for (other, expected) in [
        ("method = 'cel'", "b has one objective; a figure of fronts needs two objectives"),
        ("opponents.fixed.players = ['random', 'heuristic']", "a has the objectives heuristic and"),
    ] {
        let wrong = match other.starts_with("method") {
            true => study.replace(&format!("method = 'fr.toml'\n{one}"), other),
            false => study.replace("search = { population = 40 }", other),
        };
        assert_ne!(wrong, study);
        fs::write(&path, wrong).unwrap();
        assert_says(&refused(&["study", &path, "--out", &out], 2), &["line ", expected]);
    }
    fs::write(&path, study).unwrap();
    let output = run(&["study", &path, "--out", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = fs::read_to_string(trained.at("out/results.md")).unwrap();
    assert_says(&page, &["| hypervolume | 0.11 | 0.", "| random | 61% | "]);
    for name in ["fig3", "median"] {
        let csv = trained.at(&format!("out/results/mini-{name}.csv"));
        let data = fs::read_to_string(csv).unwrap();
        assert_says(&data, &["study,what,player,x,y\n", ",all runs,", ",attained by 50%,", "/1#1"]);
        assert!(
            data.contains("\na,") && data.contains("\nb,"),
            "whatever their probes are: {data}"
        );
    }
}

#[test]
fn the_first_particle_that_diverges_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let small = ["search.particles=6", "opponents.games=2", "probes.games=2", "local.alpha=1000"];
    let mut command = outflank(&["learn", "pso-td", "--games", "120", "--out"]);
    command.arg(&out).args(small.iter().flat_map(|set| ["--set", set]));
    let output = command.output().unwrap();
    assert!(output.status.success());
    let told = text(&output.stderr);
    assert_says(told, &["diverged in its game", "generation 1", "try a smaller local.alpha"]);
    assert_eq!(told.matches("diverged in its game").count(), 1, "{told}");
}
