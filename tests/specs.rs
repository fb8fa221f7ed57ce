//! Specs as users write them: every mistake has an exit code and a message that says where it is,
//! and leaves nothing on disk; every preset and every key obeys the same laws.

use std::path::Path;
use std::process::{Command, Stdio};

use outflank::arena::Arena;
use outflank::kernel::Kernel;
use outflank::lab::{Method, PRESETS, SpecError, resolve};
use outflank::learn::{Key, Run, Shape, Spec, Table, step};
use outflank::model::Wpc;
use outflank::rng::Seed;
use proptest::prelude::*;
use serde_json::Value;

/// A command in a folder of its own, which must be as it was when the command has been refused.
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

    /// What a command says that is refused with this code.
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
        assert_eq!(message, format!("error: {expected}\n"));
    }
}

/// A preset that is refused with these overrides. The message starts with the last of them.
fn refused_sets(preset: &str, sets: &[&str], expected: &str) {
    let mut args = vec!["learn", preset];
    sets.iter().for_each(|set| args.extend(["--set", set]));
    let message = Folder::new().refused(&args, 2);
    let last = sets.last().unwrap();
    let last = if last.len() > 80 { format!("{}...", &last[..80]) } else { last.to_string() };
    assert_eq!(message, format!("error: --set {last}: {expected}\n"));
}

#[test]
fn unknown_presets_suggest_the_nearest() {
    let folder = Folder::new();
    for (name, expected) in [
        ("ctdl-hoff", "unknown preset \"ctdl-hoff\": did you mean \"ctdl-hof\"?"),
        ("2cel_rs", "unknown preset \"2cel_rs\": did you mean \"2cel-rs\"?"),
        (
            "quicksort",
            "unknown preset \"quicksort\": there is no such file, and the presets are tdl, ",
        ),
        ("", "unknown preset \"\": there is no such file, and the presets are tdl, "),
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
        ("search.kind = 'pso'", "search.kind = \"pso\", expected still, es or ga"),
        ("search.kind = 5", "search.kind = 5, expected still, es or ga"),
        (
            "search.mutation.noise = 'gausian'",
            "search.mutation.noise = \"gausian\", expected gaussian or uniform (did you mean gaussian?)",
        ),
        ("summary = 5", "summary = 5, expected a line of text"),
    ] {
        let expected = format!("spec file mine.toml, line 3: {expected}");
        refused_file(format!("base = 'cel'\n\n{text}\n"), &expected);
    }
}

#[test]
fn missing_keys_are_named() {
    let games = "the key games is missing (games after which a run ends, with the generation that \
                 reaches them)";
    refused_file("", &format!("spec file mine.toml: {games}"));
    refused_file(
        "base = 'cel'\nlocal = { kind = 'td', games = 1, alpha = 0.01, epsilon = 0.1 }",
        "spec file mine.toml, line 2: the key local.lambda is missing (decay of eligibility traces, 0 to 1)",
    );
    refused_file(
        "base = 'cel'\nopponents.tests.start = 0.1",
        "spec file mine.toml, line 2: the key opponents.tests.search is missing (how tests are \
         proposed and replaced)",
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
        "spec file mine.toml, line 1: base = [\"cel\", \"tdl\"], expected one base at most, a preset or a file",
    );
    refused_file(
        "base = 'mine.toml'",
        "spec file mine.toml, line 1: base = \"mine.toml\" goes round in a circle: spec file \
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
        "error: spec file b.toml, line 3: base = \"./a.toml\" goes round in a circle: spec file \
         a.toml -> spec file b.toml -> spec file ./a.toml\n"
    );
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
    // The beginning that some editors give a file, and their ends of lines.
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
    refused_sets("cel", &["search.kind=pso"], "search.kind = \"pso\", expected still, es or ga");
    let keys = "games, model, search, local, archive, opponents, objective, policy, probes";
    refused_sets("cel", &["base=tdl"], &format!("unknown key base = \"tdl\": the keys are {keys}"));
}

const MILLION: &str = "1000000";

#[test]
fn values_that_mean_nothing_are_refused() {
    let (million, trillion) = (MILLION, "1000000000000");
    let from_to = |low: &str, high: &str| format!("expected a whole number from {low} to {high}");
    let number = |low: &str, high: &str| format!("expected a number from {low} to {high}");
    let bounds = "expected two numbers from -1000000 to 1000000, the smaller first";
    let td_games =
        "expected a whole number, or 1/n for a game every n generations, n up to 1000000";
    let pairs = "expected 1, or an even number up to 1000000: a game as each colour";
    let probed = "expected an even number from 2 to 1000000000: half as each colour";
    for (preset, set, value, expected) in [
        ("cel", "games", "0", from_to("1", "1000000000000000")),
        ("cel", "search.population", "0", from_to("2", million)),
        ("cel", "search.population", "1", from_to("2", million)),
        ("cel", "search.population", "1000001", from_to("2", million)),
        ("rsel", "search.mu", "0", from_to("1", million)),
        ("rsel", "search.lambda", "0", from_to("1", million)),
        ("cel", "search.archive-parents", "1.5", number("0", "1")),
        ("cel", "search.mutation.rate", "-0.1", number("0", "1")),
        ("cel", "search.mutation.rate", "1.1", number("0", "1")),
        ("cel", "search.mutation.rate", "NaN", number("0", "1")),
        ("cel", "search.mutation.size", "-1", number("0", million)),
        ("cel", "search.mutation.size", "inf", number("0", million)),
        ("cel", "search.mutation.size", "1e300", number("0", million)),
        ("cel", "search.mutation.bounds", "[1, -1]", bounds.into()),
        ("cel", "search.mutation.bounds", "[0, 0]", bounds.into()),
        ("cel", "search.mutation.bounds", "[-1, inf]", bounds.into()),
        ("cel", "search.mutation.bounds", "[NaN, 1]", bounds.into()),
        ("cel", "model.start", "-1", number("0", million)),
        ("cel", "model.start", "NaN", number("0", million)),
        ("cel", "model.start", "inf", number("0", million)),
        ("2cel", "opponents.tests.start", "-1", number("0", million)),
        ("2cel", "opponents.tests.search.mu", "0", from_to("1", million)),
        ("ctdl", "local.alpha", "NaN", number("-1000", "1000")),
        ("ctdl", "local.alpha", "-inf", number("-1000", "1000")),
        ("ctdl", "local.alpha", "1001", number("-1000", "1000")),
        ("ctdl", "local.lambda", "-0.1", number("0", "1")),
        ("ctdl", "local.lambda", "1.1", number("0", "1")),
        ("ctdl", "local.epsilon", "2", number("0", "1")),
        ("ctdl", "local.games", "0", td_games.into()),
        ("ctdl", "local.games", "-1", td_games.into()),
        ("ctdl", "local.games", "NaN", td_games.into()),
        ("ctdl", "local.games", "1.5", td_games.into()),
        ("ctdl", "local.games", "0.3", td_games.into()),
        ("ctdl", "local.games", "0.0000001", td_games.into()),
        ("ctdl", "local.games", "1e15", td_games.into()),
        (
            "ctdl",
            "local.games",
            trillion,
            format!("expected at most {trillion} games a generation, not 50000000002500"),
        ),
        ("cel-hof", "archive.capacity", "1000001", from_to("0", million)),
        ("cel", "opponents.games", "0", pairs.into()),
        ("cel", "opponents.games", "3", pairs.into()),
        ("cel", "opponents.games", "1000002", pairs.into()),
        ("cel-hof", "opponents.hall-of-fame.sample", "0", from_to("1", million)),
        ("rsel", "opponents.random-wpc.number", "0", from_to("1", million)),
        ("rsel", "opponents.random-wpc.number", "1000001", from_to("1", million)),
        (
            "rsel",
            "opponents.fixed.players",
            "[]",
            "expected at least one player, as [\"heuristic\"]".into(),
        ),
        ("cel", "objective.win", "inf", number("-1000000", million)),
        ("cel", "policy.epsilon", "-0.5", number("0", "1")),
        ("cel", "probes.games", "0", probed.into()),
        ("cel", "probes.games", "7", probed.into()),
        ("cel", "probes.sample", "0", from_to("1", "1000000000")),
    ] {
        let written = value.replace("NaN", "nan");
        let set_to = format!("{set}={written}");
        refused_sets(preset, &[&set_to], &format!("{set} = {value}, {expected}"));
    }
    for (preset, set, expected) in [
        (
            "rsel",
            "opponents.fixed.players=['heuristc']",
            "opponents.fixed.players[0] = \"heuristc\", expected a player: unknown player \"heuristc\": did you mean \"heuristic\"?",
        ),
        (
            "cel",
            "probes.vs=['random', 'utilty']",
            "probes.vs[1] = \"utilty\", expected utility or a player: unknown player \"utilty\": ",
        ),
        (
            "cel",
            "probes.vs=['random', 'utility', 'random']",
            "probes.vs[2] = \"random\", expected each yardstick once",
        ),
    ] {
        let message = Folder::new().refused(&["learn", preset, "--set", set], 2);
        assert!(message.starts_with(&format!("error: --set {set}: {expected}")), "{message}");
    }
}

#[test]
fn keys_that_disagree_are_both_named() {
    let met = "for objective.kind = \"distinctions\" compares by opponents that all have met";
    for (preset, sets, expected) in [
        (
            "cel",
            &["search.tournament=0"][..],
            "search.tournament = 0, expected 1 to search.population = 50",
        ),
        (
            "cel",
            &["search.tournament=51"],
            "search.tournament = 51, expected 1 to search.population = 50",
        ),
        (
            "rsel",
            &["search.mu=600000", "search.lambda=600000"],
            "search.lambda = 600000, expected at most 1000000 candidates with search.mu = 600000",
        ),
        (
            "cel",
            &["search.archive-parents=0.2"],
            "search.archive-parents = 0.2, expected 0, for archive.kind = \"none\" keeps no champions",
        ),
        (
            "cel",
            &["opponents.hall-of-fame.sample=5"],
            "opponents.hall-of-fame.sample = 5, expected no hall of fame, for archive.kind = \"none\" keeps no champions",
        ),
        (
            "cel",
            &["search.mutation.bounds=[-0.1, 0.1]", "model.start=0.5"],
            "model.start = 0.5, expected [-start, start] within search.mutation.bounds = [-0.1, 0.1]",
        ),
        (
            "1cel",
            &["opponents.peers.sample=51"],
            "opponents.peers.sample = 51, expected at most 50, the peers of each of 50 candidates with opponents.peers.itself = true",
        ),
        (
            "1cel",
            &["opponents.peers.itself=false", "opponents.peers.sample=50"],
            "opponents.peers.sample = 50, expected at most 49, the peers of each of 50 candidates with opponents.peers.itself = false",
        ),
        (
            "cel",
            &["search.kind=still", "opponents.peers.itself=false"],
            "opponents.peers.itself = false, expected true, or no peers: search.kind = \"still\" has one candidate",
        ),
        (
            "tdl",
            &["local.kind=none"],
            "local.kind = \"none\", expected td, for search.kind = \"still\" without opponents plays no games",
        ),
        (
            "2cel",
            &["opponents.tests.search.kind=still"],
            "opponents.tests.search.kind = \"still\", expected es or ga: tests that never vary are fixed opponents",
        ),
        (
            "1cel-rs",
            &["objective.kind=distinctions", "opponents.peers.sample=25"],
            &format!("opponents.peers.sample = 25, expected 0, {met}"),
        ),
        (
            "1cel",
            &["objective.kind=distinctions", "opponents.peers.itself=false"],
            &format!("opponents.peers.itself = false, expected true, {met}"),
        ),
        (
            "cel-hof",
            &["objective.kind=distinctions", "opponents.hall-of-fame.sample=5"],
            &format!("opponents.hall-of-fame.sample = 5, expected no hall of fame, {met}"),
        ),
        (
            "1cel",
            &["objective.kind=distinctions", "opponents.peers.credit=both"],
            "opponents.peers.credit = \"both\", expected own, for objective.kind = \"distinctions\" pays those who meet opponents",
        ),
        (
            "rsel",
            &["opponents.random-wpc.number=1", "objective.kind=distinctions"],
            "objective.kind = \"distinctions\", expected 2 to 10000 opponents to tell apart, not 1",
        ),
        (
            "tdl",
            &[
                "opponents.tests={start=0, search={kind='es', mu=1, lambda=1, mutation={noise='uniform', rate=1, size=1, bounds=[-1, 1]}}, objective={kind='distinctions'}}",
            ],
            "opponents.tests.objective.kind = \"distinctions\", expected 2 to 10000 candidates to tell apart, not 1",
        ),
        ("cel", &["games=2499"], "games = 2499, expected at least 2500, the games of a generation"),
        (
            "ctdl-hof",
            &["games=5049"],
            "games = 5049, expected at least 5050, the games of a generation",
        ),
    ] {
        refused_sets(preset, sets, expected);
    }
    let many = ["--set", "search.mu=500000", "--set", "opponents.random-wpc.number=1000000"];
    let message = Folder::new().refused(&[&["learn", "rsel"][..], &many].concat(), 2);
    let limit = "expected at most 100000000 pairs of candidates and opponents a generation, not ";
    assert!(message.contains(limit), "{message}");
    let message = Folder::new().refused(&["learn", "cel", "--set", "opponents.peers=false"], 2);
    let expected = "opponents: expected peers, hall-of-fame, random-wpc, fixed or tests, for \
                    search.kind = \"ga\" needs fitness";
    assert!(message.contains(expected), "{message}");
    let crossed = "opponents.tests.search={kind='ga', population=4, tournament=1, crossover='none', archive-parents=0.5}";
    refused_sets(
        "2cel",
        &["archive={kind='champions', capacity=0}", crossed],
        "opponents.tests.search.archive-parents = 0.5, expected 0, for champions are not tests",
    );
}

#[test]
fn what_is_odd_but_sound_is_allowed() {
    for (preset, sets) in [
        ("ctdl", &["local.alpha=-0.01"][..]),
        ("ctdl", &["local.games=0.333"]),
        ("ctdl", &["local.games=0.1", "local.lambda=1"]),
        ("tdl", &["opponents.random-wpc.number=10"]),
        ("cel", &["search.kind=still"]),
        ("cel", &["games=2500"]),
        ("cel", &["games=2_500", "opponents.peers.credit=both"]),
        ("1cel", &["opponents.peers.itself=false", "opponents.peers.sample=49"]),
        ("rsel", &["search.mu=1", "search.lambda=1", "objective.kind=distinctions"]),
        (
            "rsel",
            &[
                "opponents.fixed.players=['heuristic@epsilon=0.1', 'random']",
                "opponents.random-wpc=false",
            ],
        ),
        ("cel", &["probes.vs=[]", "probes.every=0"]),
    ] {
        let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
        resolve(preset, &sets).unwrap_or_else(|error| panic!("{preset} {sets:?}: {error}"));
    }
}

#[test]
fn bad_numbers_of_games_and_seeds_name_their_option() {
    let folder = Folder::new();
    let message = folder.refused(&["learn", "cel", "--games", "10"], 2);
    assert_eq!(message, "error: --games 10: expected at least 2500, the games of a generation\n");
    let message = folder.refused(&["learn", "cel", "--games", "0"], 2);
    assert!(
        message.starts_with("error: --games 0: expected a whole number from 1 to "),
        "{message}"
    );
    for bad in ["x", "", "-1", "1.5", "1e6", "99999999999999999999"] {
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
    assert!(message.contains("seed 2 is given twice"), "{message}");
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
        // What is printed is a spec file of the same method.
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

fn method(name: &str) -> Method {
    resolve(name, &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_preset_is_sound_and_reads_back() {
    let folder = Folder::new();
    for preset in PRESETS {
        let method = method(preset.name);
        assert_eq!(method.spec.check(), Ok(()));
        for text in [method.spec.to_toml(), method.commented()] {
            folder.write("copy.toml", &text);
            let path = folder.0.path().join("copy.toml");
            let read = resolve(path.to_str().unwrap(), &[]).unwrap();
            assert_eq!(read.spec, method.spec, "{}", preset.name);
            assert_eq!(read.spec.to_toml(), method.spec.to_toml());
        }
    }
}

fn step_once(run: &mut Run<Wpc>) -> u64 {
    let arena = Arena::new(Kernel::available()[0], 1).unwrap();
    let before = run.games();
    step(&mut [&mut *run], &arena, &|| false).remove(0).unwrap();
    run.games() - before
}

#[test]
fn generations_have_as_many_games_as_are_foretold() {
    for preset in PRESETS {
        let spec = method(preset.name).spec;
        let foretold = spec.games_per_generation();
        let mut run = Run::new(spec, Seed(1), Wpc::uniform).unwrap();
        // In the first generation the hall of fame is empty.
        assert!(step_once(&mut run) <= foretold);
        assert_eq!(step_once(&mut run), foretold, "{}", preset.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_global_rejects: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// What is not refused can be run.
    #[test]
    fn sound_specs_run(
        preset in 0..PRESETS.len(),
        search in prop::sample::select(vec!["still", "es", "ga"]),
        (mu, lambda, population, tournament) in (0..4u8, 0..4u8, 0..5u8, 0..5u8),
        sources in prop::collection::vec(prop::sample::select(vec![
            "opponents.peers=false", "opponents.peers.sample=2", "opponents.peers.itself=false",
            "opponents.peers.credit=both", "opponents.hall-of-fame.sample=2",
            "archive={kind='champions', capacity=1}", "archive.kind=none",
            "opponents.random-wpc.number=2", "opponents.random-wpc=false", "opponents.tests=false",
            "opponents.fixed.players=['heuristic', 'random', 'random-wpc']",
            "objective.kind=distinctions", "opponents.games=2", "opponents.games=1",
            "opponents.tests.search.mu=1", "opponents.tests.search.lambda=2",
            "local={kind='td', games=2, alpha=-0.1, lambda=0.5, epsilon=0.2}", "local.games=0.5",
            "search.archive-parents=0.5", "policy.epsilon=0.3",
        ]), 0..6),
    ) {
        let mut sets = vec![
            "search.mutation={noise='uniform', rate=0.5, size=1, bounds=[-10, 10]}".to_string(),
            format!("search.kind={search}"),
        ];
        match search {
            "es" => sets.extend([format!("search.mu={mu}"), format!("search.lambda={lambda}")]),
            "ga" => sets.extend([
                format!("search.population={population}"),
                format!("search.tournament={tournament}"),
                "search.archive-parents=0".into(),
                "search.crossover=one-point".into(),
            ]),
            _ => {}
        }
        sets.extend(sources.iter().map(ToString::to_string));
        let method = resolve(PRESETS[preset].name, &sets);
        prop_assume!(method.is_ok());
        let spec = method.unwrap().spec;
        let most = spec.games_per_generation();
        let mut run = Run::new(spec, Seed(1), Wpc::uniform).unwrap();
        for _ in 0..2 {
            prop_assert!(step_once(&mut run) <= most, "{sets:?}");
        }
    }

    /// Whatever is in a file or an override, it is read or refused.
    #[test]
    fn noise_is_refused(noise in "\\PC{0,40}", line in 0..60usize, number in any::<f64>()) {
        let folder = Folder::new();
        let text = method("2cel-rs").commented();
        let mut lines: Vec<&str> = text.lines().collect();
        let line = line % lines.len();
        lines[line] = &noise;
        let path = folder.0.path().join("noise.toml");
        std::fs::write(&path, lines.join("\n")).unwrap();
        let _ = resolve(path.to_str().unwrap(), &[]);
        let _ = resolve("cel", std::slice::from_ref(&noise));
        let _ = resolve("cel", &[format!("games={noise}"), format!("search.mutation.size={number:?}")]);
        if let Err(error @ SpecError::Read { .. }) = resolve(path.to_str().unwrap(), &[]) {
            return Err(TestCaseError::fail(error.to_string()));
        }
    }
}

/// The keys as docs/specs.md lists them. Tables that are alike are listed once.
#[derive(Default)]
struct KeyTable {
    text: String,
    /// Shapes that have been listed, and where.
    listed: Vec<(String, String)>,
}

impl KeyTable {
    fn of_all_keys() -> String {
        let mut table = KeyTable::default();
        table.text.push_str("| key | holds | means |\n|---|---|---|\n");
        table.list("", Spec::KEYS, "");
        table.text
    }

    fn row(&mut self, name: &str, of: &str, holds: &str, about: &str) {
        assert!(about.len() > 10 && about.ends_with('.'), "{name} has no comment");
        self.text.push_str(&format!("| `{name}`{of} | {holds} | {about} |\n"));
    }

    fn list(&mut self, path: &str, keys: &[Key], of: &str) {
        for key in keys {
            let path = if path.is_empty() { key.name() } else { format!("{path}.{}", key.name()) };
            let shape = format!("{:?}", key.shape);
            let listed = self.listed.iter().find(|(other, _)| *other == shape);
            match (listed, key.shape.keys().next()) {
                (Some((_, at)), Some(_)) => {
                    let holds = format!("as `{at}`");
                    self.row(&path, of, &holds, key.about());
                }
                _ => {
                    self.listed.push((shape, path.clone()));
                    self.list_one(&path, key, of);
                }
            }
        }
    }

    fn list_one(&mut self, path: &str, key: &Key, of: &str) {
        let holds = match key.shape {
            Shape::Whole => "whole number",
            Shape::Number => "number",
            Shape::Flag => "true or false",
            Shape::Texts => "list of texts",
            Shape::Interval => "two numbers",
            Shape::Word(_) => "word",
            Shape::Table(_) => "table",
            Shape::Source(_) => "table, or `false`",
            Shape::Kinds(_) => "table with a kind",
        };
        self.row(path, of, holds, key.about());
        match key.shape {
            Shape::Word(words) => {
                for word in words {
                    self.row(path, of, &format!("`{:?}`", word.name), word.about());
                }
            }
            Shape::Table(inner) | Shape::Source(inner) => self.list(path, inner, of),
            Shape::Kinds(kinds) => {
                for kind in kinds {
                    let name = format!("{path}.kind");
                    self.row(&name, "", &format!("`{:?}`", kind.name), kind.about());
                }
                for kind in kinds {
                    self.list(path, kind.keys, &format!(" ({})", kind.name));
                }
            }
            _ => {}
        }
    }
}

#[test]
fn the_documentation_lists_every_key() {
    let docs = std::fs::read_to_string("docs/specs.md").unwrap();
    let table = KeyTable::of_all_keys();
    let from = docs.find("| key |").expect("docs/specs.md has a table of keys");
    let written =
        &docs[from..from + docs[from..].find("\n\n").unwrap_or(docs.len() - from - 1) + 1];
    assert!(written == table, "docs/specs.md should have this table:\n{table}");
}

#[test]
fn the_documentation_has_every_preset() {
    let docs = std::fs::read_to_string("docs/methods.md").unwrap();
    for preset in PRESETS {
        assert!(
            docs.contains(&format!("**{}**", preset.name)),
            "{} in docs/methods.md",
            preset.name
        );
    }
    // Commands in the documentation are complete and sound.
    for line in ["docs/methods.md", "docs/specs.md"]
        .iter()
        .flat_map(|path| {
            std::fs::read_to_string(path).unwrap().lines().map(String::from).collect::<Vec<_>>()
        })
        .filter(|line| line.starts_with("outflank learn ") || line.starts_with("outflank preset "))
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        let sets: Vec<String> = words
            .windows(2)
            .filter(|pair| pair[0] == "--set")
            .map(|pair| pair[1].trim_matches('\'').to_owned())
            .collect();
        if Path::new(words[2]).extension().is_none() {
            resolve(words[2], &sets).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
}

#[test]
fn the_documentation_has_sound_specs() {
    for name in ["docs/specs.md", "docs/extending.md"] {
        let docs = std::fs::read_to_string(name).unwrap();
        let blocks: Vec<&str> = docs.split("```toml\n").skip(1).collect();
        assert!(!blocks.is_empty());
        for block in blocks {
            let text = block.split("```").next().unwrap();
            let folder = Folder::with(&[("mine.toml", text)]);
            let path = folder.0.path().join("mine.toml");
            resolve(path.to_str().unwrap(), &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}
