//! Specs as users write them: every mistake has an exit code and a message that says where it is,
//! and leaves nothing on disk; every preset and every key obeys the same laws.

mod documentation;
mod key_reference;
mod laws;
mod networks;
mod values;

use outflank::learn::{Method, PRESETS, SpecError, resolve};
use std::path::Path;
use std::process::{Command, Stdio};

use outflank::arena::Arena;
use outflank::kernel::Kernel;
use outflank::learn::{AnyRun, SearchSpec};
use outflank::rng::Seed;
use proptest::prelude::*;
use serde_json::Value;

/// A command in its own folder, which a refused command must leave unchanged.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn run(&self, args: &[&str]) -> std::process::Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("outflank"));
        command.args(args).current_dir(self.0.path()).env_remove("OUTFLANK_KERNEL");
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// The message of a command that is refused with this code.
    fn refused(&self, args: &[&str], code: i32) -> String {
        let before = names(self.0.path());
        let output = self.run(args);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert!(!message.contains("a bug"), "{args:?}: {message}");
        assert_eq!(names(self.0.path()), before, "{args:?} left something behind");
        message
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A file that is refused with exactly this message, by all commands that read specs.
fn refused_file(text: impl AsRef<[u8]>, expected: &str) {
    let folder = Folder::new();
    folder.write("mine.toml", text);
    for command in ["learn", "preset"] {
        let message = folder.refused(&[command, "mine.toml"], 2);
        // Values to copy may come from any preset that has them.
        let message = message.split_once("; preset ").map_or(&*message, |(told, _)| told);
        assert_eq!(message.trim_end(), format!("error: {}", with_kinds(expected)));
    }
}

/// An expected message, with all kinds of searches where it says so: a new one changes no test.
fn with_kinds(expected: &str) -> String {
    let Some((last, others)) = SearchSpec::NAMES.split_last() else {
        unreachable!("there are some")
    };
    expected.replace("{searches}", &format!("{} or {last}", others.join(", ")))
}

/// A preset that is refused with these overrides. The message starts with the last of them.
fn refused_sets(preset: &str, sets: &[&str], expected: &str) {
    let mut args = vec!["learn", preset];
    sets.iter().for_each(|set| args.extend(["--set", set]));
    let message = Folder::new().refused(&args, 2);
    let last = sets.last().unwrap();
    let last = if last.len() > 80 { format!("{}...", &last[..80]) } else { last.to_string() };
    assert_eq!(message, format!("error: --set {last}: {}\n", with_kinds(expected)));
}

#[test]
fn unknown_presets_suggest_the_nearest() {
    let folder = Folder::new();
    for (name, expected) in [
        ("ctdl-hoff", "unknown preset \"ctdl-hoff\": did you mean \"ctdl-hof\"?"),
        ("2cel_rs", "unknown preset \"2cel_rs\": did you mean \"2cel-rs\"?"),
        (
            "quicksort",
            "unknown preset \"quicksort\": there is no such file, and the presets are pso, ",
        ),
        ("", "unknown preset \"\": there is no such file, and the presets are pso, "),
    ] {
        for command in ["learn", "preset"] {
            let message = folder.refused(&[command, name], 2);
            assert!(message.starts_with(&format!("error: {expected}")), "{message}");
        }
    }
}

#[test]
fn unknown_keys_suggest_the_nearest_at_any_depth() {
    for (text, expected) in [
        ("gams = 5", "line 2: unknown key gams = 5: did you mean games?"),
        ("[searhc]\nkind = 'es'", "line 2: unknown key searhc: did you mean search?"),
        (
            "search.populaton = 9",
            "line 2: unknown key search.populaton = 9: did you mean search.population?",
        ),
        (
            "[search.mutation]\nrat = 1",
            "line 3: unknown key search.mutation.rat = 1: did you mean search.mutation.rate?",
        ),
        (
            "[search]\nmu = 5",
            "line 3: unknown key search.mu = 5: search.kind = \"es\" has it, but not \"ga\"",
        ),
        (
            "opponents.peers.sampel = 3",
            "line 2: unknown key opponents.peers.sampel = 3: did you mean opponents.peers.sample?",
        ),
        (
            "local.x = 1",
            "line 2: unknown key local.x = 1: there are no keys of local.kind = \"none\"",
        ),
    ] {
        refused_file(
            format!("base = 'cel'\n{text}\n"),
            &format!("spec file mine.toml, {expected}"),
        );
    }
}

#[test]
fn wrong_types_name_file_line_and_key() {
    for (text, expected) in [
        ("games = 'many'", "games = \"many\", expected a whole number, 0 or more"),
        ("games = 1.5", "games = 1.5, expected a whole number, 0 or more"),
        ("games = -5", "games = -5, expected a whole number, 0 or more"),
        ("games = 2020-01-01", "games = 2020-01-01, expected a whole number, 0 or more"),
        ("policy.epsilon = true", "policy.epsilon = true, expected a number"),
        ("opponents.peers.itself = 1", "opponents.peers.itself = 1, expected true or false"),
        (
            "probes.vs = 'random'",
            "probes.vs = \"random\", expected a list of texts, as [\"random\"]",
        ),
        ("probes.vs = [1]", "probes.vs[0] = 1, expected a text"),
        ("search = 5", "search = 5, expected a table with a kind, as { kind = \"still\" }"),
        ("probes = 5", "probes = 5, expected a table"),
        ("opponents.peers = 5", "opponents.peers = 5, expected a table, or false for none"),
        (
            "opponents.peers.sample = {}",
            "opponents.peers.sample is a table, expected a whole number, 0 or more",
        ),
        (
            "search.mutation.bounds = [1]",
            "search.mutation.bounds = [1], expected two numbers, as [-1, 1]",
        ),
        (
            "search.mutation.bounds = [0, 'x']",
            "search.mutation.bounds[1] = \"x\", expected a number",
        ),
        ("search.kind = 'cma'", "search.kind = \"cma\", expected {searches}"),
        ("search.kind = 5", "search.kind = 5, expected {searches}"),
        (
            "search.mutation.noise = 'gausian'",
            "search.mutation.noise = \"gausian\", expected gaussian, uniform or step (did you mean gaussian?)",
        ),
        ("summary = 5", "summary = 5, expected a line of text"),
    ] {
        let expected = format!("spec file mine.toml, line 3: {expected}");
        refused_file(format!("base = 'cel'\n\n{text}\n"), &expected);
    }
}

#[test]
fn missing_keys_are_named() {
    let all = "the keys games, model, search, local, archive, opponents, objective, policy and probes are missing";
    refused_file("", &format!("spec file mine.toml: {all}"));
    refused_file(
        "base = 'cel'\nlocal = { kind = 'td', games = 1, alpha = 0.01, epsilon = 0.1 }",
        "spec file mine.toml, line 2: the key local.lambda is missing (decay of eligibility traces, 0 to 1)",
    );
    refused_file(
        "base = 'cel'\nopponents.tests = { start = 0.1, beside = 0 }",
        "spec file mine.toml, line 2: the keys search and objective of opponents.tests are missing",
    );
}

#[test]
fn bases_are_one_each_and_end_somewhere() {
    refused_file(
        "base = 'cel'\nbase = 'tdl'",
        "spec file mine.toml, line 2: not TOML at column 1: duplicate key base",
    );
    refused_file(
        "base = ['cel', 'tdl']",
        "spec file mine.toml, line 1: base = [\"cel\", \"tdl\"], expected at most one base, a preset or a file",
    );
    refused_file(
        "base = 'mine.toml'",
        "spec file mine.toml, line 1: base = \"mine.toml\" is circular: spec file \
         mine.toml -> spec file mine.toml",
    );
    refused_file(
        "\nbase = 'other.toml'",
        "spec file mine.toml, line 2: base = \"other.toml\", but there is no file other.toml",
    );
    refused_file(
        "base = 'celx'",
        "spec file mine.toml, line 1: base = \"celx\": unknown preset \"celx\": did you mean \"cel\"?",
    );
    let folder = Folder::with(&[
        ("first.toml", "base = 'a.toml'"),
        ("a.toml", "games = 9\nbase = 'b.toml'"),
        ("b.toml", "\n\nbase = './a.toml'"),
    ]);
    let message = folder.refused(&["learn", "first.toml"], 2);
    assert_eq!(
        message,
        "error: spec file b.toml, line 3: base = \"./a.toml\" is circular: spec file \
         a.toml -> spec file b.toml -> spec file ./a.toml\n"
    );
    // More than enough, but limited.
    let chained = |count: usize| -> Vec<(String, String)> {
        let base = |number: usize| {
            if number + 1 < count { format!("{}.toml", number + 1) } else { "cel".into() }
        };
        let file = |number| (format!("{number}.toml"), format!("base = '{}'", base(number)));
        (0..count).map(file).collect()
    };
    for (count, is_refused) in [(31, false), (32, true), (3000, true)] {
        let files = chained(count);
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let folder = Folder::with(&files);
        if is_refused {
            let message = folder.refused(&["preset", "./0.toml"], 2);
            assert!(message.contains("a chain of more than 32 bases"), "{message}");
        } else {
            assert!(folder.run(&["preset", "./0.toml"]).status.success());
        }
    }
}

#[test]
fn whole_numbers_beyond_64_bits_are_shown_as_written() {
    for (number, shown) in [
        ("0xFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFF"),
        ("0o7777777777777777777777777", "0o7777777777777777777777777"),
        ("9223372036854775808", "9223372036854775808"),
        ("99999999999999999999999999999999999999999", "99999999999999999999999999999999999999999"),
    ] {
        refused_file(
            format!("base = 'cel'\ngames = {number}"),
            &format!(
                "spec file mine.toml, line 2: games = {shown}, expected a whole number, 0 or more"
            ),
        );
    }
}

#[test]
fn bases_are_found_beside_the_file_that_names_them() {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.path().join("sub")).unwrap();
    folder.write("sub/mine.toml", "base = 'near.toml'\ngames = 7000");
    folder.write("sub/near.toml", "base = 'cel'\ngames = 5000\npolicy.epsilon = 0.5");
    let output = folder.run(&["preset", "sub/mine.toml", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["name"], &found["spec"]["games"]), (&"mine".into(), &7000.into()));
    assert_eq!(found["spec"]["policy"]["epsilon"], 0.5);
    assert!(found["summary"].is_string() && found["paper"].is_string());
}

#[test]
fn what_is_not_toml_names_line_and_column() {
    refused_file(
        "base = 'cel'\ngames = = 5",
        "spec file mine.toml, line 2: not TOML at column 9: extra `=`, expected nothing",
    );
    let mut latin = b"base = 'cel'\n# Ja".to_vec();
    latin.push(0xb6);
    refused_file(latin, "spec file mine.toml, line 2: not UTF-8 text");
    let large = format!("base = 'cel'\n{}", "#\n".repeat(1 << 19));
    refused_file(large, "spec file mine.toml: larger than 1 MiB");
    // The byte order mark and the line endings of some editors.
    let folder = Folder::with(&[("mine.toml", "\u{feff}base = 'cel'\r\ngames = 5000\r\n")]);
    assert!(folder.run(&["preset", "mine.toml"]).status.success());
}

#[test]
fn files_that_cannot_be_read_are_failures() {
    let folder = Folder::new();
    let message = folder.refused(&["learn", "nowhere.toml"], 1);
    assert!(message.starts_with("error: cannot read spec file nowhere.toml: "), "{message}");
    std::fs::create_dir(folder.0.path().join("folder.toml")).unwrap();
    let message = folder.refused(&["learn", "folder.toml"], 1);
    assert!(message.starts_with("error: cannot read spec file folder.toml: "), "{message}");
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = 100_000;
    let dotted = vec!["a"; deep].join(".");
    for text in [
        format!("a = {}", "[".repeat(deep)),
        format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
        format!("a = {}1{}", "{a=".repeat(deep), "}".repeat(deep)),
        format!("{dotted} = 1"),
        format!("[{dotted}]"),
        format!("a = {{ {dotted} = 1 }}"),
        format!("[[{dotted}]]"),
    ] {
        let folder = Folder::with(&[("mine.toml", &text)]);
        let message = folder.refused(&["learn", "mine.toml"], 2);
        assert!(message.starts_with("error: spec file mine.toml, line 1: "), "{message}");
        assert!(message.len() < 300);
        assert!(resolve("cel", std::slice::from_ref(&text)).is_err());
        assert!(resolve("cel", &[format!("games={text}")]).is_err());
    }
}

#[test]
fn bad_overrides_are_quoted() {
    let example = "expected KEY=VALUE, as in search.mutation.rate=0.1";
    refused_sets("cel", &[""], &format!("the override is empty, {example}"));
    refused_sets("cel", &["games"], &format!("there is no =, {example}"));
    refused_sets("cel", &["=5"], &format!("the key \"\" has an empty part, {example}"));
    refused_sets("cel", &["a..b=5"], &format!("the key \"a..b\" has an empty part, {example}"));
    refused_sets("cel", &["games="], "games = \"\", expected a whole number, 0 or more");
    refused_sets("cel", &["gams=5"], "unknown key gams = 5: did you mean games?");
    refused_sets(
        "ctdl",
        &["games=5000", "local.alhpa=5"],
        "unknown key local.alhpa = 5: did you mean local.alpha?",
    );
    // The end of a key, as labels of studies have it.
    refused_sets("rsel", &["mu=5"], "unknown key mu = 5: did you mean search.mu?");
    refused_sets(
        "rsel",
        &["mutation.size=5"],
        "unknown key mutation: did you mean search.mutation?",
    );
    refused_sets(
        "rsel",
        &["search.noise=5"],
        "unknown key search.noise = 5: did you mean search.mutation.noise?",
    );
    refused_sets(
        "2cel",
        &["mu=5"],
        "unknown key mu = 5: did you mean search.mu or opponents.tests.search.mu?",
    );
    refused_sets("cel", &["search.kind=cma"], "search.kind = \"cma\", expected {searches}");
    let keys =
        "games, model, search, local, archive, opponents, objective, policy, probes, until, before";
    refused_sets("cel", &["base=tdl"], &format!("unknown key base = \"tdl\": the keys are {keys}"));
}

#[test]
fn bad_numbers_of_games_and_seeds_name_their_option() {
    let folder = Folder::new();
    let message = folder.refused(&["learn", "cel", "--games", "10"], 2);
    assert_eq!(message, "error: games = 10, expected at least 2500, the games of a generation\n");
    let message = folder.refused(&["learn", "cel", "--games", "0"], 2);
    assert!(
        message.starts_with("error: games = 0, expected a whole number from 1 to "),
        "{message}"
    );
    for bad in ["x", "", "-1", "1.5", "1e", "99999999999999999999"] {
        let message = folder.refused(&["learn", "cel", "--games", bad], 2);
        let expected = "for '--games <N>': expected a whole number of games from 1 to 10000";
        let expected = if bad.is_empty() { "--games <N>" } else { expected };
        assert!(message.contains(expected), "{message}");
    }
    let message = folder.refused(&["learn", "cel", "--seeds", "5..1"], 2);
    assert!(message.contains("5..1 runs backwards; did you mean 1..5?"), "{message}");
    for bad in ["x", "1..", "1..2..3", "-1", ""] {
        let message = folder.refused(&["learn", "cel", "--seeds", bad], 2);
        assert!(message.contains("--seeds <A..B>"), "{message}");
    }
    let message = folder.refused(&["learn", "cel", "--seeds", "1..3,2"], 2);
    assert!(message.contains("seed 2 appears twice"), "{message}");
}

#[test]
fn numbers_of_games_may_have_underscores() {
    for games in ["5_000", "5000"] {
        let folder = Folder::new();
        let sets = ["--set", "probes.vs=[]", "--threads", "1", "--out", "out", "--json"];
        let output = folder.run(&[&["learn", "cel", "--games", games][..], &sets].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["results"][0]["games"], 5000);
        let spec = std::fs::read_to_string(folder.0.path().join("out/1/spec.toml")).unwrap();
        assert!(spec.contains("games = 5000"), "{spec}");
    }
}

#[test]
fn presets_are_listed_and_printed() {
    let folder = Folder::new();
    let listed = String::from_utf8(folder.run(&["presets"]).stdout).unwrap();
    let found: Value = serde_json::from_slice(&folder.run(&["presets", "--json"]).stdout).unwrap();
    assert_eq!((&found["schema"], &found["command"]), (&1.into(), &"presets".into()));
    let results = found["results"].as_array().unwrap();
    assert_eq!(results.len(), PRESETS.len());
    for (result, preset) in results.iter().zip(PRESETS) {
        assert_eq!(result["name"], preset.name);
        assert!(listed.contains(result["summary"].as_str().unwrap()));
        // The output is a spec file of the same method.
        let printed = folder.run(&["preset", preset.name]).stdout;
        folder.write("printed.toml", &printed);
        assert_eq!(folder.run(&["preset", "printed.toml"]).stdout, printed);
        let [a, b] = [preset.name, "printed.toml"].map(|name| {
            let output = folder.run(&["preset", name, "--json"]);
            serde_json::from_slice::<Value>(&output.stdout).unwrap()
        });
        assert_eq!((&a["spec"], &a["paper"]), (&b["spec"], &b["paper"]));
        assert_eq!(a["paper"], result["paper"]);
    }
}
