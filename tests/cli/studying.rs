//! `outflank study` and `outflank reproduce` as a user sees them.

mod interrupted;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{assert_says, json, refused, run, text};

/// A grid, another case, a tournament, a match, a profile, values, tables and figures.
const STUDY: &str = r#"
title = "Steps"
seeds = "1..3"

[[case]]
name = "step"
method = "rsel"
set = { games = 10_000, probes.every = 5000, probes.sample = 50 }
grid = { search.mutation.size = [0.05, 0.2], search.mu = [10, 25] }

[[case]]
name = "coevolution"
method = "1cel"
label = "1CEL"
set = { games = 10_000, probes.every = 5000, probes.sample = 50 }
reading = "Nothing is read otherwise."

[[tournament]]
name = "all"
cases = ["step", "coevolution"]

[[profile]]
name = "strengths"
cases = ["coevolution"]
opponents = 2000
doubles = 5

[[value]]
printed = "Table 1"
what = "1CEL"
value = 99.34
interval = 0.54
n = 120
ours = { kind = "final", case = "coevolution" }
tried = [{ what = "small steps", ours = { kind = "final", case = "step/10/0.05" } }]

[[value]]
printed = "Text"
what = "the heuristic wins"
between = [70, 85]
n = 100
ours = { kind = "match", player = "heuristic", against = "random", games = 200 }

[[value]]
printed = "Text"
what = "an order"
ours = { kind = "order", claim = "step/10/0.05, coevolution; step/10/0.2 ~ coevolution" }

[[table]]
name = "ends"
title = "At the end"
of = "finals"
cases = ["step", "coevolution"]

[[table]]
name = "table2"
title = "Round robin"
of = "crosstable"
tournament = "all"

[[figure]]
name = "map"
title = "Grid"
of = "heatmap"
cases = ["step"]

[[figure]]
name = "best"
title = "The best player"
of = "best"
tournament = "all"

[[figure]]
name = "profiles"
title = "Profiles"
of = "profiles"
profile = "strengths"
"#;

/// A folder for the files of a test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().into()
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().into()
    }
}

/// What a study wrote besides its runs: pages, tables, figures and contests.
pub fn written(out: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    fn add(folder: &Path, into: &mut BTreeMap<PathBuf, Vec<u8>>, root: &Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(&path, into, root);
            } else if ["json", "md", "html", "svg", "csv", "bin"]
                .iter()
                .any(|ending| path.extension().is_some_and(|own| own == *ending))
                && !["manifest.json", "checkpoint.bin"]
                    .iter()
                    .any(|name| path.file_name().is_some_and(|own| own == *name))
            {
                let name = path.strip_prefix(root).unwrap().to_owned();
                into.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut all = BTreeMap::new();
    add(Path::new(out), &mut all, Path::new(out));
    all.retain(|name, _| !name.to_string_lossy().contains("checkpoint"));
    all
}

#[test]
fn a_study_trains_measures_judges_and_writes_pages() {
    let folder = Folder::new();
    let (study, out) = (folder.file("steps.toml", STUDY), folder.path("out"));
    let plan = json(&["study", &study, "--plan", "--out", &out, "--json"]);
    assert_eq!(plan["plan"]["missing"], 15);
    assert!(!Path::new(&out).exists(), "a plan writes nothing");
    let found = json(&["study", &study, "--out", &out, "--json"]);
    assert_eq!(found["trained"], 15);
    let values = found["results"].as_array().unwrap();
    let verdicts: Vec<&str> = values.iter().map(|v| v["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["differs", "agrees", "agrees"], "{values:#?}");
    assert_says(values[0]["explained"].as_str().unwrap(), &["small steps: "]);
    assert_eq!(values[0]["effort"], "3 × 10,000 games");
    assert_eq!(values[1]["effort"], "200 games");
    let page = std::fs::read_to_string(Path::new(&out).join("index.html")).unwrap();
    assert_says(
        &page,
        &[
            "Steps",
            "99.34% ± 0.54",
            "search.mutation.size",
            "Nothing is read otherwise.",
            "<svg",
            "Effort: 9 × 10,000 games.",
        ],
    );
    for file in ["steps-map.svg", "steps-map.csv", "steps-best.svg", "steps-table2.csv"] {
        assert!(Path::new(&out).join("results").join(file).exists(), "{file}");
    }
    // Other commands take the folder for its cases.
    let compared = json(&["compare", &out, "--probe", "utility", "--json"]);
    assert_eq!(compared["results"][0]["studies"].as_array().unwrap().len(), 5);
    let measured = json(&["measure", &out, "--vs", "random", "--games", "20", "--json"]);
    assert_eq!(measured["results"].as_array().unwrap().len(), 15);
    let means: Vec<&str> = measured["means"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["study"].as_str().unwrap())
        .collect();
    assert!(means.len() == 5 && means[0].ends_with("cases/coevolution"), "{means:?}");
    let before = written(&out);
    // A no-break space would be lost on whoever searches or splits the text.
    for (file, bytes) in before.iter().filter(|(file, _)| {
        file.extension()
            .is_some_and(|ending| ["md", "csv", "json"].iter().any(|own| ending == *own))
    }) {
        assert!(!String::from_utf8_lossy(bytes).contains('\u{a0}'), "{}", file.display());
    }
    // Nothing is left to be done, also of contests.
    assert!(plan["plan"]["contest_games"].as_u64().unwrap() > 0);
    let plan = json(&["study", &study, "--plan", "--out", &out, "--json"]);
    assert_eq!((&plan["plan"]["missing"], &plan["plan"]["contest_games"]), (&0.into(), &0.into()));
    let said = run(&["study", &study, "--plan", "--out", &out]);
    assert_says(text(&said.stdout), &["Nothing is missing; only pages"]);
    // Again: nothing is trained, and nothing changes.
    let again = json(&["study", &study, "--out", &out, "--json", "--threads", "1"]);
    assert_eq!(again["trained"], 0);
    assert_eq!(written(&out), before);
    // A contest that was altered is played again, and so is a damaged database.
    let contest = Path::new(&out).join("contests/tournament-all.json");
    let kept = std::fs::read_to_string(&contest).unwrap();
    std::fs::write(&contest, kept.replacen("\"wins\":1", "\"wins\":800", 1)).unwrap();
    let database = Path::new(&out).join("opponents-2000-5.db");
    std::fs::write(&database, "damaged").unwrap();
    std::fs::remove_file(Path::new(&out).join("contests/profile-strengths.json")).unwrap();
    let output = run(&["study", &study, "--out", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(written(&out), before);
    // On one thread the same bytes come out.
    let alone = folder.path("alone");
    assert!(run(&["study", &study, "--out", &alone, "--threads", "1"]).status.success());
    assert_eq!(written(&alone), before);
}

#[test]
fn with_its_ledger_a_study_needs_no_run_again() {
    let folder = Folder::new();
    let (study, out) = (folder.file("steps.toml", STUDY), folder.path("out"));
    let ledgers = folder.path("ledgers");
    // A part of it here, entered in the ledger, and the rest elsewhere.
    let part = ["study", &study, "--out", &out, "--ledger", &ledgers, "--only", "profiles"];
    assert!(run(&part).status.success());
    let whole = folder.path("whole");
    assert!(run(&["study", &study, "--out", &whole]).status.success());
    let there = folder.path("there");
    let rest = ["study", &study, "--out", &there, "--ledger", &ledgers, "--json"];
    assert_eq!(json(&rest)["trained"], 12, "three are in the ledger");
    // The tournament needs champions that are not there.
    let page = std::fs::read_to_string(Path::new(&there).join("results.md")).unwrap();
    assert_says(&page, &["tournament all was not played", "coevolution", "seeds 1..3"]);
    // The ledger learns of it where all champions are.
    let enter = ["study", &study, "--out", &whole, "--ledger", &ledgers, "--json"];
    assert_eq!(json(&enter)["trained"], 0);
    // Now pages can be made anywhere, with the same bytes.
    let pages = folder.path("pages");
    let again = ["study", &study, "--out", &pages, "--ledger", &ledgers, "--json"];
    assert_eq!(json(&again)["trained"], 0);
    let shown = |out: &str| {
        let mut all = written(out);
        let is_shown =
            |name: &Path| name.starts_with("results") || name.parent() == Some("".as_ref());
        all.retain(|name, _| is_shown(name));
        all
    };
    assert!(shown(&pages).len() > 10);
    assert_eq!(shown(&pages), shown(&whole));
    // A smaller study has other runs, and leaves these alone.
    let file = Path::new(&ledgers).join("steps.jsonl");
    let before = std::fs::read_to_string(&file).unwrap();
    let small = folder.path("small");
    let smaller = ["study", &study, "--out", &small, "--ledger", &ledgers, "--games", "5000"];
    let output = run(&smaller);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(text(&output.stderr), &["other settings or of another program", "not used"]);
    let after = std::fs::read_to_string(&file).unwrap();
    assert!(before.lines().filter(|line| line.contains("\"seed\"")).all(|run| after.contains(run)));
    assert_eq!(json(&again)["trained"], 0);
    assert_eq!(shown(&pages), shown(&whole));
    // Damage is named, and nothing is lost.
    let damaged = before.replacen("\"games\":", "\"games\":9", 1);
    std::fs::write(&file, &damaged).unwrap();
    let message = refused(&again, 1);
    assert_says(&message, &["steps.jsonl", "line", "checksum", "remove it"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), damaged);
}

#[test]
fn only_takes_tables_and_figures_as_papers_name_them() {
    let plan = |only: &str| {
        let output = run(&["reproduce", "ctdl2009", "--plan", "--scale", "0.001", "--only", only]);
        (output.status.success(), text(&output.stdout).to_owned() + text(&output.stderr))
    };
    let (found, said) = plan("figure3");
    assert!(found && said.contains("ctdl-hof"), "{said}");
    let (found, said) = plan("figure33");
    assert!(!found && said.contains("study \"ctdl2009\" has no table or figure"), "{said}");
    // Table II is called table2, and has its published values beside it.
    let folder = Folder::new();
    let out = folder.path("out");
    let small = ["--runs", "2", "--games", "10100", "--out", &out, "--json"];
    let found = json(&[&["study", "ctdl2009", "--only", "table2"][..], &small].concat());
    let printed = |value: &serde_json::Value| value["printed"] == "Table II";
    assert!(found["results"].as_array().unwrap().iter().filter(|v| printed(v)).count() >= 20);
    // Points are those of the games that were played.
    let table = std::fs::read_to_string(Path::new(&out).join("results/ctdl2009-table2.csv"));
    let row = table.unwrap().lines().nth(1).unwrap().to_owned();
    let size = "with at most 2 runs of each case and with at most 10100 games in a run\"";
    assert!(row.ends_with(size), "{row}");
    let cells: Vec<&str> = row.split(',').collect();
    let number = |index: usize| cells[index].parse::<f64>().unwrap();
    assert!((number(6) - 3.0 * number(3) - number(4)).abs() < 0.51, "{row}");
    // The command of a value makes its part of the study, also where it is in a section.
    let values = found["results"].as_array().unwrap();
    let command = values[0]["command"].as_str().unwrap();
    assert_says(command, &["reproduce ctdl2009 --runs 2 --games 10100 --only table2"]);
    let found = json(&[&["study", "ctdl2009", "--only", "Sect. V-A"][..], &small].concat());
    let values = found["results"].as_array().unwrap();
    assert!(values.len() == 1 && values[0]["printed"] == "Sect. V-A", "{values:?}");
}

#[test]
fn smaller_studies_say_so_and_do_not_mix_with_others() {
    let folder = Folder::new();
    let (study, out) = (folder.file("steps.toml", STUDY), folder.path("out"));
    let output = run(&["study", &study, "--out", &out, "--runs", "1", "--games", "5000"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(text(&output.stdout), &["This is a smaller study", "fewer runs and fewer games"]);
    let page = std::fs::read_to_string(Path::new(&out).join("index.html")).unwrap();
    assert_says(&page, &["This is a smaller study"]);
    let svg = std::fs::read_to_string(Path::new(&out).join("results/steps-map.svg")).unwrap();
    assert_says(&svg, &["<desc>This is a smaller study, with at most 1 run of each case"]);
    let message = refused(&["study", &study, "--out", &out], 2);
    assert_says(
        &message,
        &["holds it with at most 1 run of each case, not with all runs", "--out"],
    );
    // A limit above all cases makes nothing smaller.
    let output = run(&["study", &study, "--out", "x", "--plan", "--runs", "100"]);
    assert_says(text(&output.stdout), &["This study has its full size", "at most 100 runs"]);
    let output =
        run(&["study", &study, "--out", "x", "--plan", "--runs", "100", "--games", "9000"]);
    assert_says(text(&output.stdout), &["This is a smaller study", "all runs, with fewer games"]);
    let other = folder.file("other.toml", STUDY);
    let message = refused(&["study", &other, "--out", &out, "--runs", "1", "--games", "5000"], 2);
    assert_says(&message, &["holds study steps, not other"]);
    // Nor do they mix with runs of `learn`, with a case of a study, or with what was one.
    let learned = folder.path("learned");
    let learn = ["learn", "cel", "--games", "5000", "--out", &learned, "--set", "probes.games=10"];
    assert!(run(&learn).status.success());
    let message = refused(&["study", &study, "--out", &learned], 2);
    assert_says(&message, &["holds runs of `outflank learn`", "--out"]);
    let inside = format!("{out}/cases/coevolution");
    std::fs::rename(format!("{inside}/study.json"), format!("{inside}/kept.json")).unwrap();
    let message = refused(&["study", &study, "--out", &inside], 2);
    assert_says(&message, &["is the place of a case of another study"]);
    std::fs::rename(format!("{inside}/kept.json"), format!("{inside}/study.json")).unwrap();
    std::fs::write(Path::new(&out).join("plan.json"), "damaged").unwrap();
    let smaller = STUDY.replace("coevolution", "other");
    let smaller = folder.file("smaller.toml", &smaller);
    let message = refused(&["study", &smaller, "--out", &out], 2);
    assert_says(&message, &["damaged plan.json and a case \"coevolution\""]);
    // Other settings under the name of a case are refused by its runs.
    let out = folder.path("settings");
    assert!(run(&["study", &study, "--out", &out, "--only", "profiles"]).status.success());
    let changed = folder.file("steps.toml", &STUDY.replace("sample = 50", "sample = 60"));
    let message = refused(&["study", &changed, "--out", &out], 2);
    assert_says(&message, &["probes.sample"]);
    let message = refused(&["study", &changed, "--out", &out, "--as-is"], 2);
    assert_says(&message, &["other settings", "probes.sample"]);
    // A study of the same name that is another one.
    let renamed = folder.file("steps.toml", &STUDY.replace("\"Steps\"", "\"Other steps\""));
    let message = refused(&["study", &renamed, "--out", &out], 2);
    assert_says(&message, &["another study of that name", "Other steps"]);
    // A page that is not ours is not replaced.
    let foreign = folder.path("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(Path::new(&foreign).join("index.html"), "mine").unwrap();
    assert_says(
        &refused(&["study", &study, "--out", &foreign], 2),
        &["index.html", "not of a study"],
    );
    // A folder of a newer program.
    let plan = Path::new(&out).join("plan.json");
    let newer = std::fs::read_to_string(&plan).unwrap().replace("\"version\": 1", "\"version\": 9");
    std::fs::write(&plan, newer).unwrap();
    assert_says(&refused(&["study", &study, "--out", &out], 2), &["newer program", "version 9"]);
}

#[test]
fn mistakes_in_a_study_are_named_with_their_lines() {
    let folder = Folder::new();
    let out = folder.path("out");
    let list: String = (0..1000).map(|n| format!("{n},")).collect();
    let huge =
        format!("grid = {{ search.mu = [{list}], search.lambda = [{list}], games = [{list}] }}");
    let cases: &[(&str, &str, &[&str])] = &[
        ("method = \"1cel\"", "method = \"1cell\"", &["1cell", "did you mean", "coevolution"]),
        ("search.mu = [10, 25]", "search.mux = [10, 25]", &["search.mux", "did you mean"]),
        ("search.mu = [10, 25]", "search.mu = 10", &["grid.search.mu", "a list of values"]),
        ("search.mu = [10, 25]", "search.mu = []", &["a list of values"]),
        (
            "label = \"1CEL\"",
            "lable = \"1CEL\"",
            &["line 14", "lable", "did you mean case[1].label?"],
        ),
        ("cases = [\"step\", \"coevolution\"]", "cases = [\"steps\"]", &["steps", "did you mean"]),
        ("case = \"coevolution\" }", "case = \"nobody\" }", &["nobody", "no such case"]),
        ("kind = \"match\"", "kind = \"macth\"", &["macth", "did you mean"]),
        ("player = \"heuristic\"", "player = \"hueristic\"", &["hueristic"]),
        ("games = 200 }", "games = 3 }", &["games = 3", "an even number"]),
        ("value = 99.34\n", "", &["Table 1", "a value, or a range"]),
        (
            "of = \"heatmap\"\ncases = [\"step\"]",
            "of = \"heatmap\"\ncases = [\"coevolution\"]",
            &["a heat map"],
        ),
        ("tournament = \"all\"", "tournament = \"al\"", &["no such tournament"]),
        ("seeds = \"1..3\"", "seeds = \"2..1\"", &["seeds"]),
        ("name = \"best\"", "name = \"map\"", &["two tables or figures", "map"]),
        ("claim = \"step/10/0.05,", "claim = \">", &["claim"]),
        ("title = \"Steps\"", "", &["title is missing"]),
        ("title = \"Steps\"", "title = \"Steps\"\nversion = 9", &["line 3", "newer program", "9"]),
        ("title = \"Steps\"", "title = \"Steps\"\nmargin = -1", &["margin = -1"]),
        ("name = \"map\"", "name = \"../map\"", &["figure.name", "letters, digits"]),
        ("name = \"coevolution\"", "name = \"a > b\"", &["case.name", "a > b"]),
        ("search.mu = [10, 25]", "search.mu = [10, 10]", &["search.mu has 10 twice"]),
        ("search.mu = [10, 25]", "search.mu = [10, 0]", &["line 9: case", "\"step\": search.mu=0"]),
        ("seeds = \"1..3\"", "seeds = \"1..\"", &["line 3: seeds"]),
        (
            "title = \"Steps\"",
            "title = \"Steps\"\nversion = 0",
            &["line 3: version = 0, expected 1"],
        ),
        ("name = \"map\"", "name = \"ends\"", &["line 62", "two tables or figures are called"]),
        ("doubles = 5", "doubles = 0", &["doubles = 0", "from 1 to"]),
        ("opponents = 2000", "opponents = 9000000000", &["opponents = 9000000000", "from 1 to"]),
        ("between = [70, 85]", "between = [85, 70]", &["between", "the smaller number first"]),
        ("interval = 0.54", "interval = -1", &["interval = -1", "above 0"]),
        ("value = 99.34", "value = nan", &["value = NaN"]),
        ("n = 120", "n = 0", &["n = 0"]),
        (
            "case = \"coevolution\" }",
            "case = \"coevolution\", probe = \"utilty\" }",
            &["utilty", "did you mean utility"],
        ),
        (
            "of = \"finals\"\ncases = [\"step\", \"coevolution\"]",
            "of = \"finals\"",
            &["no cases to show"],
        ),
        (
            "grid = { search.mutation.size = [0.05, 0.2], search.mu = [10, 25] }",
            &huge,
            &["1000 × 1000", "at most 10000"],
        ),
    ];
    for (from, to, parts) in cases {
        assert!(STUDY.contains(from), "{from}");
        let study = folder.file("wrong.toml", &STUDY.replace(from, to));
        let message = refused(&["study", &study, "--out", &out], 2);
        assert_says(&message, parts);
        assert!(!Path::new(&out).exists(), "{to}: nothing is written");
    }
    for (args, parts) in [
        (&["study", "nowhere.toml"][..], &["nowhere.toml"][..]),
        (&["study"], &["no study is named"]),
        (&["reproduce", "ctdl2010"], &["ctdl2009"]),
        (&["study", "ctdl2009", "--scale", "0"], &["to 1"]),
        (&["learn", "rsel", "--set", "search.mu=5,5"], &["search.mu=5,5: 5 is there twice"]),
        (&["learn", "rsel", "--set", "search.mu=5,6", "--set", "search.mu=7"], &["set twice"]),
        (&["study", "ctdl2009", "--scale", "2"], &["to 1"]),
        (&["study", "ctdl2009", "--only", "tableXI"], &["tableXI"]),
    ] {
        assert_says(&refused(args, 2), parts);
    }
}

#[test]
fn a_study_is_shown_with_the_meaning_of_its_keys() {
    let folder = Folder::new();
    let study = folder.file("steps.toml", STUDY);
    let shown = run(&["study", "show", &study]);
    let shown = text(&shown.stdout);
    assert_says(
        shown,
        &["# What it is about, in a line.", "[[case]]", "mu = [10, 25]", "[value.ours]"],
    );
    // What is shown is a study again, and the same one.
    let again = folder.file("again.toml", shown);
    let plan = |file: &str| {
        json(&["study", file, "--plan", "--out", "x", "--json"])["plan"]["cases"][3]["games"]
            .clone()
    };
    assert_eq!(plan(&again), plan(&study));
    for (name, _) in outflank::study::PAPERS {
        assert!(run(&["study", "show", name]).status.success(), "{name}");
    }
}

#[test]
fn lists_in_set_train_every_combination() {
    let folder = Folder::new();
    let out = folder.path("out");
    let args = ["learn", "rsel", "--games", "5000", "--set", "probes.sample=20", "--seeds", "1..2"];
    let sweep =
        ["--set", "search.mutation.size=0.05,0.1", "--set", "search.mu=10,25", "--out", &out];
    let output = run(&[&args[..], &sweep].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(
        text(&output.stdout),
        &["search.mutation.size", "search.mu", "0.05", "8 runs trained"],
    );
    let results = Path::new(&out).join("results");
    assert!(results.join("rsel-sweep-map.svg").exists());
    let grid = std::fs::read_to_string(results.join("rsel-sweep-grid.csv")).unwrap();
    assert_says(&grid, &["case,search.mu,search.mutation.size,runs,games,utility"]);
    assert_eq!(grid.lines().count(), 5);
    // Numbers of games are a column, beside that of the games that were played.
    let longer = folder.path("longer");
    let args = ["learn", "rsel", "--set", "games=5000,10000", "--set", "probes.sample=20"];
    assert!(run(&[&args[..], &["--out", &longer]].concat()).status.success());
    let table = Path::new(&longer).join("results/rsel-sweep-grid.csv");
    let table = std::fs::read_to_string(table).unwrap();
    assert_says(&table, &["case,games,runs,games played,utility"]);
    let message = refused(&["learn", "rsel", "--set", "search.mu=10,"], 2);
    assert_says(&message, &["search.mu=10,", "empty"]);
}
