//! The command line as a user sees it: what is printed where, and what happens to bad input.

mod analysing;
mod booking;
mod comparing;
mod contesting;
mod converting;
#[cfg(target_os = "linux")]
mod engines;
mod fronting;
mod listing;
mod measuring;
mod naming;
mod piecing;
mod profiling;
mod reporting;
mod showing;
mod solving;
mod studying;
mod terminal;
mod unfinished;
#[cfg(target_os = "linux")]
mod watching;

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn outflank(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("outflank"));
    command.args(args).env_remove("OUTFLANK_KERNEL").stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    outflank(args).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&value["schema"], &value["command"]), (&1.into(), &args[0].into()));
    value
}

/// Refused with this exit code and nothing on standard output; the message is returned.
fn refused(args: &[&str], code: i32) -> String {
    let output = run(args);
    let message = text(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(!message.contains("panicked") && !message.contains("a bug"), "{message}");
    message
}

fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

#[test]
fn a_match_counts_every_game() {
    let found = json(&["match", "heuristic", "random", "--games", "2000", "--seed", "3", "--json"]);
    let number = |key: &str| found[key].as_f64().unwrap_or_else(|| panic!("{key} in {found}"));
    assert!((number("wins") + number("draws") + number("losses") - 2000.0).abs() < 0.5);
    let score = (number("wins") + number("draws") / 2.0) / 2000.0;
    assert!((number("score") - score).abs() < 1e-12);
    let [low, high] = [0, 1].map(|i| found["interval"][i].as_f64().unwrap());
    assert!(low < score && score < high && high - low < 0.05);
    for key in ["mean_margin", "distinct_games", "games_per_second", "seed", "threads"] {
        number(key);
    }
    assert!(found["kernel"].is_string());
}

#[test]
fn a_match_is_the_same_with_any_kernel_and_any_number_of_threads() {
    let args = ["match", "lr2006@epsilon=0.1", "random-wpc", "--games", "5000", "--json"];
    let mut all = Vec::new();
    for kernel in outflank::kernel::Kernel::available() {
        for threads in ["1", "2", "8"] {
            let mut command = outflank(&args);
            command.args(["--threads", threads]).env("OUTFLANK_KERNEL", kernel.name());
            let output = command.output().unwrap();
            let mut found: Value = serde_json::from_slice(&output.stdout).unwrap();
            let object = found.as_object_mut().unwrap();
            assert_eq!(object.remove("kernel").unwrap(), kernel.name());
            assert_eq!(object.remove("threads").unwrap().to_string(), threads);
            object.remove("games_per_second").unwrap();
            all.push(found);
        }
    }
    assert!(all.iter().all(|found| *found == all[0]));
}

#[test]
fn deterministic_players_repeat_their_games_and_are_told_so() {
    let output = run(&["match", "lr2006", "ctdl2009-best", "--games", "1000"]);
    assert_says(text(&output.stdout), &["distinct games", "Games repeat", "--openings"]);
    let opened = ["match", "lr2006", "ctdl2009-best", "--games", "1000", "--openings", "random:8"];
    assert!(!text(&run(&opened).stdout).contains("Games repeat"));
}

#[test]
fn saved_games_replay_to_their_margins() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    let name = file.to_str().unwrap();
    let args = ["match", "mobility", "random", "--games", "100", "--save", name];
    assert!(run(&args).status.success());
    let saved = std::fs::read_to_string(&file).unwrap();
    assert_eq!(saved.lines().count(), 100);
    for (number, line) in saved.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [index, black, _, margin, start, moves] = fields[..] else { panic!("{line}") };
        assert_eq!((index, start), (&*number.to_string(), "-"));
        assert_eq!(black, if number % 2 == 0 { "mobility" } else { "random" });
        let game = outflank::othello::parse_game(moves).unwrap();
        assert!(game.is_over());
        assert_eq!(game.margin(outflank::othello::Side::Black), margin.parse::<i32>().unwrap());
    }
}

#[test]
fn saved_games_from_openings_have_their_start() {
    let folder = tempfile::tempdir().unwrap();
    let [openings, games] = ["o.txt", "g.txt"].map(|name| folder.path().join(name));
    let start = "---------------------------OX------XO--------------------------- X";
    std::fs::write(&openings, format!("f5d6c3\n{start}\n")).unwrap();
    let [openings, saved] = [&openings, &games].map(|path| path.to_str().unwrap());
    let args = ["match", "lr2006", "random", "--games", "4", "--openings", openings];
    assert!(run(&[&args[..], &["--save", saved]].concat()).status.success());
    let saved = std::fs::read_to_string(saved).unwrap();
    let starts: Vec<&str> = saved.lines().map(|line| line.split('\t').nth(4).unwrap()).collect();
    let opening = outflank::othello::parse_game("f5d6c3").unwrap().position();
    let opening = outflank::othello::write_position(opening);
    assert_eq!(starts, [&*opening, &*opening, "-", "-"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_leaves_nothing_behind() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        let args = ["match", "random", "random", "--games", "1000000000", "--save"];
        let mut command = outflank(&args);
        let mut child =
            command.arg(&path).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        // The temporary file shows that the match has begun.
        while left_in(folder.path()).is_empty() {
            std::thread::yield_now();
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        let mut message = String::new();
        child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        assert_says(&message, &["interrupted; nothing was written"]);
        assert_eq!(left_in(folder.path()), [""; 0]);
    }
}

#[test]
fn a_player_file_keeps_where_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a.json", "b.json"].map(|name| folder.path().join(name));
    let weights = vec!["0.5"; 64].join(",");
    let content = format!(
        "{{\"format\":\"outflank-player\",\"version\":1,\"name\":\"x\",\"model\":\"wpc\",\
         \"view\":\"mover\",\"parameters\":[{weights}],\"provenance\":{{\"run\":7}}}}"
    );
    std::fs::write(&first, &content).unwrap();
    let [a, b] = [&first, &second].map(|path| path.to_str().unwrap());
    assert!(run(&["show", a, "--player-file", b]).status.success());
    let read = |path| -> Value { serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap() };
    assert_eq!(read(&first), read(&second));
    let message = refused(&["show", "lr2006@epsilon=0.1", "--player-file", b], 2);
    assert_says(&message, &["not the policy"]);
    let message = refused(&["match", a, "random", "--save", a], 2);
    assert_says(&message, &["would overwrite a player"]);
}

#[test]
fn a_tournament_has_a_table_and_ratings() {
    let args = ["tournament", "random", "heuristic", "lr2006", "--games", "200"];
    let found = json(&[&args[..], &["--json"]].concat());
    let players = found["players"].as_array().unwrap();
    assert_eq!(players.len(), 3);
    for (i, player) in players.iter().enumerate() {
        assert_eq!(player["games"], 400);
        assert_eq!(
            player["points"].as_u64().unwrap(),
            3 * player["wins"].as_u64().unwrap() + player["draws"].as_u64().unwrap()
        );
        assert!(player["elo_interval"][0].as_f64() < player["elo"].as_f64());
        for j in 0..3 {
            let (row, column) = (&found["table"][i][j], &found["table"][j][i]);
            if i == j {
                assert!(row.is_null());
            } else {
                let sum = row.as_f64().unwrap() + column.as_f64().unwrap();
                assert!((sum - 1.0).abs() < 1e-12);
            }
        }
    }
    assert!(players[0]["elo"].as_f64() < players[1]["elo"].as_f64());
    let csv = run(&[&args[..], &["--csv"]].concat());
    let lines: Vec<&str> = text(&csv.stdout).lines().collect();
    assert_eq!((lines.len(), lines[0].split(',').count()), (4, 14));
    assert_says(text(&run(&args).stdout), &["95% interval", "Score of the row against the column"]);
}

#[test]
fn teams_add_up_their_players_games() {
    let one = "one=heuristic@epsilon=0.1,noise=0.01,lr2006";
    let args = ["tournament", "--team", one, "--team", "two=random,positional", "mobility"];
    let found = json(&[&args[..], &["--games", "10", "--json"]].concat());
    let games: Vec<u64> =
        found["players"].as_array().unwrap().iter().map(|p| p["games"].as_u64().unwrap()).collect();
    // mobility meets four players; a team's two players meet three others each.
    assert_eq!(games, [40, 60, 60]);
}

#[test]
fn perft_counts_in_both_conventions() {
    assert_eq!(json(&["perft", "--depth", "10", "--json"])["nodes"], 24_571_284);
    let edax = ["perft", "--depth", "10", "--convention", "edax", "--json"];
    assert_eq!(json(&edax)["nodes"], 24_571_056);
    let start = "---------------------------OX------XO--------------------------- X";
    assert_eq!(json(&["perft", "--depth", "3", "--position", start, "--json"])["nodes"], 56);
}

#[test]
fn weights_are_shown_and_drawn_and_written() {
    let shown = run(&["show", "heuristic"]);
    assert_says(text(&shown.stdout), &["1.00", "-0.25", "Szubert"]);
    assert!(!text(&shown.stdout).contains('\u{1b}'), "no colours where no terminal is");
    let folder = tempfile::tempdir().unwrap();
    let [svg, player] = ["w.svg", "lr.json"].map(|name| folder.path().join(name));
    let [svg, player] = [&svg, &player].map(|path| path.to_str().unwrap());
    assert!(run(&["show", "lr2006", "--svg", svg, "--player-file", player]).status.success());
    assert_says(&std::fs::read_to_string(svg).unwrap(), &["<svg", "5.78", "</svg>"]);
    let (named, file) = (json(&["show", "lr2006", "--json"]), json(&["show", player, "--json"]));
    assert_eq!(named["weights"], file["weights"]);
    assert_says(&refused(&["show", "mobility", "--svg", svg], 1), &["mobility has no weights"]);
}

#[test]
fn bench_prints_rates_for_every_kernel() {
    let found = json(&["bench", "--windows", "1", "--json"]);
    let help = String::from_utf8(outflank(&["bench", "--help"]).output().unwrap().stdout).unwrap();
    for workload in outflank::lab::Workload::ALL {
        assert!(help.contains(&format!("\n  {} ", workload.name())), "{}", workload.name());
    }
    for kernel in outflank::kernel::Kernel::available() {
        for workload in outflank::lab::Workload::ALL {
            let rate = &found["rates"][format!("{}-{}-1", kernel.name(), workload.name())];
            assert!(rate.as_f64().unwrap() > 0.0, "{found}");
        }
    }
    assert!(found["cpu"].is_string());
    assert_eq!(found["signature"].as_str().unwrap().len(), 16, "{found}");
}

#[test]
fn the_signature_is_printed_a_line_an_item() {
    let found = outflank(&["bench", "--signature"]).output().unwrap();
    let golden = include_str!("../golden/signature.txt");
    assert_eq!(String::from_utf8(found.stdout).unwrap(), golden);
    let found = json(&["bench", "--signature", "--json"]);
    let (hash, name) = golden.lines().next().unwrap().split_once("  ").unwrap();
    assert_eq!(found["items"][name], hash, "{found}");
    assert_eq!(found["items"].as_object().unwrap().len(), golden.lines().count());
    assert_eq!(found["signature"].as_str().unwrap().len(), 16, "{found}");
}

#[test]
fn every_command_helps_with_an_example() {
    let commands = [
        "learn",
        "presets",
        "preset",
        "measure",
        "profile",
        "profile build",
        "match",
        "tournament",
        "report",
        "players",
        "show",
        "play",
        "solve",
        "perft",
        "bench",
    ];
    for command in commands {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let output = run(&words);
        assert!(output.status.success());
        assert_says(text(&output.stdout), &["Examples:", &format!("outflank {command}")]);
    }
}

#[test]
fn bad_players_are_refused() {
    assert_says(&refused(&["match", "heuristc", "random"], 2), &["did you mean \"heuristic\"?"]);
    assert_says(&refused(&["show", "nobody-we-know"], 2), &["the names are random, heuristic"]);
    assert_says(&refused(&["match", "random@eps=0.1", "random"], 2), &["unknown option \"eps\""]);
    for bad in ["1.1", "-0.1", "nan"] {
        let player = format!("random@epsilon={bad}");
        assert_says(&refused(&["match", &player, "random"], 2), &["epsilon", "from 0 to 1"]);
    }
}

#[test]
fn bad_player_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let weights = |n: usize| vec!["0.5"; n].join(",");
    let file = |version: &str, model: &str, weights: &str| {
        format!(
            "{{\"format\":\"outflank-player\",\"version\":{version},\"name\":\"x\",\
             \"model\":\"{model}\",\"view\":\"black\",\"parameters\":[{weights}]}}"
        )
    };
    let cases = [
        ("63 weights", file("1", "wpc", &weights(63)), "63 weights, expected 64"),
        ("NaN", file("1", "wpc", &format!("NaN,{}", weights(63))), "not JSON"),
        ("infinity", file("1", "wpc", &format!("1e999,{}", weights(63))), "number out of range"),
        ("NaN as text", format!("nan {}", "0 ".repeat(63)), "weight 1 is NaN"),
        ("unknown model", file("1", "cnn", &weights(64)), "unknown model \"cnn\""),
        ("newer version", file("7", "wpc", &weights(64)), "version 7 is newer"),
        ("deep nesting", "{\"a\":".repeat(50_000), "recursion limit"),
        ("empty", String::new(), "the file is empty"),
        ("binary", "\0\u{1}garbage".into(), "is not a number"),
    ];
    for (name, content, expected) in cases {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let path = path.to_str().unwrap();
        assert_says(&refused(&["match", path, "random"], 1), &[path, expected]);
    }
    let sound = folder.path().join("sound.json");
    std::fs::write(&sound, file("1", "wpc", &weights(64))).unwrap();
    assert!(run(&["match", sound.to_str().unwrap(), "random", "--games", "2"]).status.success());
    let folder = folder.path().to_str().unwrap();
    assert_says(
        &refused(&["match", folder, "random"], 1),
        &[folder, "a folder without champion.json"],
    );
    assert_says(
        &refused(&["match", "no/such.json", "random"], 1),
        &["no/such.json", "No such file"],
    );
}

#[test]
fn bad_numbers_are_refused() {
    for games in ["0", "-2", "1.5", "many", "99999999999999999999"] {
        let message = refused(&["match", "random", "random", "--games", games], 2);
        assert_says(&message, &["--games", "even number of games from 2 to"]);
    }
    let odd = refused(&["match", "random", "random", "--games", "101"], 2);
    assert_says(&odd, &["must be even; try 102"]);
    for threads in ["0", "-1", "x", "100000"] {
        let message = refused(&["match", "random", "random", "--threads", threads], 2);
        assert_says(&message, &["--threads", "from 1 to 4096"]);
    }
    refused(&["match", "random", "random", "--seed", "-1"], 2);
    refused(&["perft", "--depth", "61"], 2);
    assert_says(&refused(&["tournament", "random"], 2), &["two players or teams"]);
    assert_says(&refused(&["tournament", "random", "random"], 2), &["random is named twice"]);
    assert_says(&refused(&["tournament", "--team", "random"], 2), &["NAME=PLAYER"]);
}

#[test]
fn bad_positions_say_where() {
    let start = "---------------------------OX------XO---------------------------";
    let refused = |position: &str| refused(&["perft", "--depth", "2", "--position", position], 2);
    assert_says(&refused(&format!("{}X", &start[1..])), &["the side to move is missing"]);
    assert_says(&refused(&start[1..]), &["63 squares, expected 64 and the side to move"]);
    assert_says(&refused(start), &["the side to move is missing"]);
    let letter = start.replacen('O', "Q", 1) + " X";
    assert_says(&refused(&letter), &["square d4 (character 28)", "'Q'"]);
}

#[test]
fn bad_openings_name_the_line_and_the_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    std::fs::write(&path, "f5d6\n\nf5d6c3d7 % illegal\n").unwrap();
    let args = ["match", "random", "random", "--openings", path.to_str().unwrap()];
    let message = refused(&args, 1);
    assert_says(
        &message,
        &["openings.txt, line 3: move 4: White cannot play d7: it turns no disc"],
    );
    assert_says(
        &refused(&["match", "random", "random", "--openings", "random:99"], 2),
        &["random:K"],
    );
    assert_says(
        &refused(&["match", "random", "random", "--openings", "none.txt"], 1),
        &["none.txt"],
    );
}

#[test]
fn files_that_cannot_be_written_are_refused_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing/games.txt");
    let missing = missing.to_str().unwrap();
    // Refused before the first of very many games.
    let args = ["match", "random", "random", "--games", "1000000000000", "--save", missing];
    assert_says(&refused(&args, 1), &["cannot write", missing]);
    assert_says(&refused(&["show", "heuristic", "--svg", missing], 1), &["cannot write", missing]);
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    let mut permissions = std::fs::metadata(&closed).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&closed, permissions).unwrap();
    let file = closed.join("w.svg");
    if std::fs::write(&file, "").is_ok() {
        // Not println, which a passing test hides.
        let _ = writeln!(std::io::stderr(), "skipped: this user may write to read-only folders");
    } else {
        let file = file.to_str().unwrap();
        assert_says(&refused(&["show", "heuristic", "--svg", file], 1), &["cannot write", file]);
    }
    assert_eq!(left_in(folder.path()), ["closed"]);
}

fn left_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn an_unknown_or_unsupported_kernel_lists_what_there_is() {
    let kernels = outflank::kernel::Kernel::available();
    for name in ["sse9", "AVX2", "avx512", "avx2"] {
        let output = outflank(&["match", "random", "random"]).env("OUTFLANK_KERNEL", name).output();
        let output = output.unwrap();
        if kernels.iter().any(|kernel| kernel.name() == name) {
            assert!(output.status.success());
        } else {
            assert_eq!(output.status.code(), Some(2));
            assert_says(text(&output.stderr), &["OUTFLANK_KERNEL", "portable"]);
        }
    }
}

#[test]
fn a_closed_pipe_ends_silently() {
    for args in [&["perft", "--depth", "9"][..], &["tournament", "random", "heuristic"], &["play"]]
    {
        let mut command = outflank(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}: {:?}", output.status);
        assert_eq!(text(&output.stderr), "", "{args:?}");
    }
}

#[test]
fn a_league_has_a_table_of_every_round() {
    let args = ["tournament", "--league", "heuristic", "lr2006", "random"];
    let output = run(&args);
    assert_says(text(&output.stdout), &["0%", "1%", "10%", "all", "2 games of each two at 0%"]);
    let output = run(&[&args[..], &["--rounds", "0:2,0.5:4", "--json"]].concat());
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["command"], "league");
    assert_eq!(json["rounds"][1]["players"][0]["games"], 8);
    assert_eq!(json["all"][0]["games"], 12);
    assert_says(&refused(&["tournament", "--league", "random"], 2), &["two players"]);
    let wrong = ["tournament", "--league", "random", "lr2006", "--rounds", "0.1"];
    assert_says(&refused(&wrong, 2), &["expected EPSILON:GAMES"]);
}
