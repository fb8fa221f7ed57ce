//! Engines: ours for other programs, and others in our matches, however they misbehave.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::{assert_says, json, outflank, refused, run, text};

fn program() -> String {
    assert_cmd::cargo::cargo_bin!("outflank").display().to_string()
}

/// An engine that misbehaves, and whatever marks its processes.
struct Bad {
    player: String,
    mark: TempDir,
}

fn bad(mode: &str) -> Bad {
    let mark = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/engines/bad-engine.sh");
    let player = format!("gtp:sh '{script}' {mode} {}@time=0.3,start=20", mark.path().display());
    Bad { player, mark }
}

impl Bad {
    /// The processes of this engine that are there, zombies too.
    fn processes(&self) -> Vec<String> {
        let mark = self.mark.path().to_str().unwrap();
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = entries.filter_map(|entry| {
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            Some(String::from_utf8_lossy(&line).replace('\0', " "))
        });
        let engine = lines.filter(|line| line.contains(mark) && !line.contains("match"));
        engine.collect()
    }

    /// A process that was ended takes a moment to be gone.
    fn assert_all_gone(&self, mode: &str) {
        let until = Instant::now() + Duration::from_secs(60);
        while !self.processes().is_empty() {
            assert!(Instant::now() < until, "{mode}: {:?} stayed behind", self.processes());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn an_engine_that_misbehaves_loses_the_game_and_is_reported() {
    for (mode, kind, says) in [
        ("crash", "crash", "exit status: 7; it wrote: out of ideas"),
        ("dies", "crash", "signal: 9"),
        ("crash-at-play", "crash", "it ended at \"play"),
        ("crash-at-clear", "crash", "it ended at \"clear_board\""),
        ("closes", "crash", "it closed its output"),
        ("forks", "crash", "exit status: 0"),
        ("hangs", "time", "no answer to \"genmove"),
        ("stubborn", "time", "no answer to \"genmove"),
        ("half", "time", "no whole answer"),
        ("no-sign", "time", "no whole answer"),
        ("illegal", "illegal", "a1 is not a legal move"),
        ("occupied", "illegal", "d4 is not a legal move"),
        ("passes", "illegal", "it passed, but has legal moves"),
        ("resigns", "resigned", "it resigned"),
        ("no-square", "nonsense", "\"i9\" is not a move"),
        ("empty", "nonsense", "\"\" is not a move"),
        ("bytes", "nonsense", "is not a move"),
        ("floods", "nonsense", "more than 256 kB"),
        ("long-line", "nonsense", "more than 256 kB"),
        ("refuses", "refusal", "it refused \"genmove"),
        ("refuses-play", "refusal", "it refused \"play"),
        ("refuses-clear", "refusal", "it refused \"clear_board\": no"),
    ] {
        let engine = bad(mode);
        let args =
            ["match", &engine.player, "mobility", "--games", "4", "--threads", "2", "--json"];
        let found = json(&args);
        assert_eq!((&found["games"], &found["losses"]), (&4.into(), &4.into()), "{mode}: {found}");
        assert_eq!(found["mean_margin"], -64.0, "{mode}");
        let faults = &found["engine_faults"][0];
        assert_eq!((&faults["player"], &faults["games"]), (&engine.player[..].into(), &4.into()));
        let count = &faults["faults"][0];
        assert_eq!((&count["kind"], &count["games"]), (&kind.into(), &4.into()), "{mode}: {found}");
        assert!(count["first"].as_str().unwrap().contains(says), "{mode}: {count}");
        engine.assert_all_gone(mode);
    }
}

#[test]
fn an_engine_that_cannot_start_is_an_error_before_any_game() {
    let message = refused(&["match", "gtp:no-such-engine -x", "random"], 1);
    assert_says(&message, &["cannot start the engine \"no-such-engine\"", "no such program"]);
    for (mode, says) in [
        ("crash-at-start", "exit status: 3; it wrote: cannot read weights"),
        ("no-othello", "it refused \"set_game Othello\": only Go"),
    ] {
        let engine = bad(mode);
        assert_says(&refused(&["match", "random", &engine.player], 1), &[says]);
        engine.assert_all_gone(mode);
    }
    for mode in ["silent-at-start", "no-gtp"] {
        let engine = bad(mode);
        let player = engine.player.replace("start=20", "start=0.5");
        let message = refused(&["tournament", "random", &player, "--games", "2"], 1);
        assert_says(&message, &["cannot start the engine \"sh\"", "does it speak GTP"]);
        engine.assert_all_gone(mode);
    }
    // One that does not start again loses the rest, and is not started for ever.
    let engine = bad("starts-once");
    let found =
        json(&["match", &engine.player, "random", "--games", "10", "--threads", "1", "--json"]);
    assert_eq!(found["losses"], 10);
    let kinds = found["engine_faults"][0]["faults"].as_array().unwrap();
    let games = |kind: &str| kinds.iter().find(|of| of["kind"] == kind).unwrap()["games"].clone();
    assert_eq!((games("crash"), games("start")), (1.into(), 9.into()), "{found}");
}

#[test]
fn crashes_lose_no_files_and_text_reports_them() {
    let engine = bad("crash");
    // So few open files are allowed that a leak would show.
    let command = "ulimit -n 40; exec \"$0\" match \"$1\" random --games 60 --threads 1";
    let output =
        Command::new("sh").args(["-c", command, &program(), &engine.player]).output().unwrap();
    let out = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(out, &["engine faults: 60 games lost", "crashed: 60, first: it ended at"]);
    engine.assert_all_gone("crash");
}

#[test]
fn ctrl_c_ends_engines_too() {
    for mode in ["stubborn", "silent-at-start"] {
        let engine = bad(mode);
        let player = engine.player.replace("time=0.3,start=20", "time=600,start=600");
        let mut command = outflank(&["match", &player, "random", "--games", "2", "--threads", "1"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while engine.processes().is_empty() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let pid = child.id().to_string();
        // The signal may come before it is caught, which ends the program as well.
        assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let code = output.status.code();
        assert!(matches!(code, Some(130) | None), "{code:?}: {}", text(&output.stderr));
        engine.assert_all_gone(mode);
    }
}

#[test]
fn engines_are_refused_where_results_must_repeat() {
    for args in [
        &["learn", "rsel", "--set", "opponents.fixed.players=['gtp:x']"][..],
        &["learn", "rsel", "--set", "probes.vs=['gtp:x']"],
        &["book", "build", "--player", "gtp:x", "--out", "never.book"],
        &["show", "gtp:x"],
        &["analyse", "f5d6", "--player", "gtp:x"],
        &["gtp", "gtp:x"],
        &["play", "gtp:x"],
    ] {
        let message = refused(args, 2);
        assert_says(&message, &["gtp:x", "another program"]);
    }
    let positions = tempfile::NamedTempFile::new().unwrap();
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X\n";
    std::fs::write(positions.path(), format!("f5d6\n{position}")).unwrap();
    let us = format!("gtp:'{}' gtp random", program());
    let file = positions.path().to_str().unwrap();
    let message = refused(&["match", &us, "random", "--games", "2", "--openings", file], 2);
    assert_says(&message, &["opening 2 is a position without its moves", "transcripts"]);
}

#[test]
fn mistakes_in_an_engine_are_named() {
    for (player, says) in [
        ("gtp:", "no program is named"),
        ("gtp:'x", "a quote is not closed"),
        ("gtp:x@time=0", "is not a number of seconds"),
        ("gtp:x@depth=3", "depth is of no use to an engine"),
        ("gtp:x@tiem=3", "did you mean time?"),
    ] {
        assert_says(&refused(&["match", player, "random"], 2), &[says]);
    }
}

/// Our own program is an engine for itself, through pipes that change what it says and hears.
#[test]
fn whole_games_are_played_whatever_the_habits_of_an_engine() {
    let engine = format!("'{}' gtp random --seed 5", program());
    let behind = |filter: &str| format!("gtp:sh -c \"{filter}\"");
    let players = [
        format!("gtp:{engine}"),
        // Lower case, numbers that nobody asked for, remarks before every answer, and CRLF.
        behind(&format!("{engine} | sed -u 'y/ABCDEFGH/abcdefgh/'")),
        behind(&format!("{engine} | sed -u 's/^=/=12/'")),
        behind(&format!("{engine} | sed -u 's/^=/thinking\\n\\n=/'")),
        behind(&format!("{engine} | sed -u 's/$/\\r/'")),
        // It passes by itself, and refuses to be told.
        behind(&format!("sed -u 's/^play .* pass$/no/' | {engine}")),
        format!("gtp:{engine}@epsilon=0.3,solve=6,opening=5,time=30"),
    ];
    for player in &players {
        let args =
            ["match", player, "mobility", "--games", "20", "--openings", "random:5", "--json"];
        let found = json(&args);
        let faults = &found["engine_faults"][0];
        assert_eq!(
            (&found["games"], &faults["games"]),
            (&20.into(), &0.into()),
            "{player}: {found}"
        );
        assert_eq!(faults["engine"], format!("Outflank random {}", env!("CARGO_PKG_VERSION")));
        let losses = found["losses"].as_u64().unwrap();
        assert!(losses > 5, "a random mover: {found}");
    }
}

#[test]
fn a_match_with_an_engine_saves_games_that_replay() {
    let folder = tempfile::tempdir().unwrap();
    let (file, book) = (folder.path().join("games.txt"), folder.path().join("games.book"));
    let [file, book] = [&file, &book].map(|path| path.to_str().unwrap());
    let engine = format!("gtp:'{}' gtp lr2006@epsilon=0.2", program());
    let args = ["match", &engine, "random", "--games", "10", "--openings", "random:4"];
    let output = outflank(&args).args(["--save", file]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(text(&output.stdout), &["no engine faults", "games saved in"]);
    let saved = std::fs::read_to_string(file).unwrap();
    assert_eq!(saved.lines().count(), 10);
    assert!(saved.lines().all(|line| line.split('\t').count() == 6));
    let built = run(&["book", "build", "--from", file, "--out", book]);
    assert!(built.status.success(), "{}", text(&built.stderr));
}

#[test]
fn engines_take_part_in_tournaments_leagues_and_measures() {
    let engine = format!("gtp:'{}' gtp lr2006", program());
    let found = json(&["tournament", &engine, "random", "--games", "4", "--json"]);
    assert_eq!(found["engine_faults"][0]["games"], 0);
    let team = format!("us={engine},mobility");
    let args = ["tournament", "--team", &team, "heuristic", "--games", "2", "--json"];
    let found = json(&args);
    assert_eq!(
        (&found["players"][1]["name"], &found["players"][1]["games"]),
        (&"us".into(), &4.into())
    );
    let output = run(&["tournament", "--league", &engine, "random", "--rounds", "0:2,0.1:2"]);
    assert_says(text(&output.stdout), &["no engine faults"]);
    let args = ["measure", "lr2006", "--vs", &engine, "--games", "4", "--json"];
    let found = json(&args);
    assert_eq!(
        (&found["results"][0]["games"], &found["engine_faults"][0]["games"]),
        (&4.into(), &0.into())
    );
    let args = ["measure", &engine, "--vs", "random", "--games", "4", "--json"];
    assert_eq!(json(&args)["engine_faults"][0]["player"], engine);
    assert_says(&refused(&["profile", &engine], 2), &["too slow for the games of a profile"]);
}

/// Says lines to one of our engines, and returns all that it answers.
fn conversation(args: &[&str], lines: &str) -> (String, String) {
    let mut command = outflank(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    (text(&output.stdout).into(), text(&output.stderr).into())
}

#[test]
fn an_engine_answers_at_once_and_ends_with_its_input() {
    let mut command = outflank(&["gtp", "lr2006@depth=2,solve=4,book=small"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for number in 0..3 {
        writeln!(input, "{number} play {} {}", ["b", "w", "b"][number], ["f5", "d6", "c3"][number])
            .unwrap();
        // Each answer is there before the next command is sent.
        assert_eq!(answers.next().unwrap().unwrap(), format!("={number}"));
        assert_eq!(answers.next().unwrap().unwrap(), "");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    let (out, _) = conversation(&["gtp", "random"], "fly\nquit\nname\n");
    assert_eq!(out, "? unknown command\n\n=\n\n");
    let (_, note) = conversation(&["gtp", "random"], "time_left b 5 0\ntime_left w 5 0\n");
    assert_eq!(note.matches("times have no effect").count(), 1);
    let (out, _) = conversation(&["nboard", "lr2006@depth=2,solve=12"], "nboard 2\nping 3\nquit\n");
    assert_eq!(out, "set myname lr2006@depth=2,solve=12\npong 3\n");
    assert_says(&refused(&["gtp", "lr206"], 2), &["did you mean \"lr2006\"?"]);
    assert_says(&refused(&["nboard"], 2), &["PLAYER"]);
}

#[test]
fn the_same_seed_gives_the_same_games() {
    let lines = "genmove b\ngenmove w\ngenmove b\nclear_board\n".repeat(4);
    let said = |seed| conversation(&["gtp", "random", "--seed", seed], &lines).0;
    assert_eq!(said("1"), said("1"));
    assert_ne!(said("1"), said("2"));
    let games: Vec<Value> = said("1").split("=\n\n").map(|game| game.trim().into()).collect();
    assert!(games.iter().any(|game| *game != games[0]), "games of a process differ");
}
