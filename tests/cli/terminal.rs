//! The command line with narrow terminals, full disks and malicious names.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{assert_says, json, outflank, refused, run, text};

/// What a command prints in a window of this width.
fn printed_in(columns: &str, args: &[&str]) -> String {
    let output = outflank(args).env("COLUMNS", columns).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).into()
}

#[test]
fn tables_and_help_fit_sixty_columns() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("s");
    let learn = ["learn", "tdl", "--games", "200", "--seeds", "1..2", "--set", "probes.games=10"];
    let study = study.to_str().unwrap();
    let learned = printed_in("60", &[&learn[..], &["--out", study]].concat());
    let commands = "learn measure compare profile match tournament convert report runs players presets \
                    preset show play solve perft bench completions man";
    let mut texts: Vec<(String, String)> = commands
        .split_whitespace()
        .map(|command| (command.into(), printed_in("60", &[command, "--help"])))
        .collect();
    let short = study.strip_prefix("/tmp/").unwrap_or(study);
    texts.push(("learn".into(), learned));
    for args in [
        &["--help"][..],
        &["measure", "heuristic", "random", "--games", "20", "--sample", "10"],
        &["tournament", "random", "heuristic", "lr2006", "--games", "10"],
        &["players"],
        &["presets"],
        &["match", "random", "heuristic", "--games", "10"],
        &["profile", "heuristic", "lr2006"],
    ] {
        texts.push((args.join(" "), printed_in("60", args)));
    }
    let mut compared = outflank(&["compare", "a=s"]);
    let compared = compared.current_dir(folder.path()).env("COLUMNS", "60").output().unwrap();
    texts.push(("compare a=s".into(), text(&compared.stdout).into()));
    for (what, printed) in texts {
        for line in printed.lines().filter(|line| !line.contains(short)) {
            // Usage lines of clap, paths and commands are not broken.
            let is_whole = line.starts_with("Usage:") || !line.trim().contains(' ');
            assert!(is_whole || line.chars().count() <= 60, "{what}: {line:?}\n{printed}");
        }
    }
}

#[test]
fn standard_error_that_cannot_be_written_is_no_reason_to_die() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let status = outflank(&["show", "nosuch"]).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("s");
    let args = ["learn", "cel", "--games", "300000", "--threads", "1", "--out"];
    let args = [&args[..], &[out.to_str().unwrap()]].concat();
    // Interrupted, and resumed with a note that cannot be written.
    let mut child = outflank(&args)
        .env("OUTFLANK_CHECKPOINT_SECONDS", "0")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&out.join("1/checkpoint.bin"));
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = outflank(&args).stderr(full()).stdout(Stdio::null()).status().unwrap();
    assert_eq!(resumed.code(), Some(0));
    assert!(out.join("1/champion.json").exists());
    // A note about a run that is missing.
    fs::remove_dir_all(out.join("1")).unwrap();
    let measured = outflank(&["measure", out.to_str().unwrap()]).stderr(full()).status().unwrap();
    assert_eq!(measured.code(), Some(1));
}

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed() < Duration::from_secs(120), "{} never came", path.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(unix)]
#[test]
fn a_closed_terminal_leaves_a_checkpoint() {
    // Whoever runs the tests with nohup passes it on.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    for (signal, code) in [("HUP", 129), ("XCPU", 152)] {
        if signal == "HUP" && ignored & 1 != 0 {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("s");
        let args = ["learn", "ctdl-hof", "--games", "30000000", "--threads", "1", "--out"];
        let mut command = outflank(&[&args[..], &[out.to_str().unwrap()]].concat());
        let mut child = command
            .env("OUTFLANK_CHECKPOINT_SECONDS", "1000")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for(&out.join("1/lock"));
        std::thread::sleep(Duration::from_millis(500));
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
        assert!(out.join("1/checkpoint.bin").exists(), "{signal}");
    }
}

#[test]
fn without_a_terminal_a_line_is_written_now_and_then() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("s");
    let args = ["learn", "tdl", "--games", "2000", "--seeds", "1..3", "--threads", "1", "--out"];
    let args = [&args[..], &[out.to_str().unwrap(), "--set", "probes.games=10"]].concat();
    let often = outflank(&args).env("OUTFLANK_PROGRESS_SECONDS", "0").output().unwrap();
    assert_says(text(&often.stderr), &["/3 runs, ", " games/s", "; seed 1: ", "% done"]);
    fs::remove_dir_all(&out).unwrap();
    assert_eq!(text(&run(&args).stderr), "");
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let games = |number: &str| {
        json(&["match", "random", "random", "--games", number, "--json"])["games"].as_u64().unwrap()
    };
    assert_eq!([games("1e3"), games("1,000"), games("1_000")], [1000; 3]);
    assert_says(
        &refused(&["match", "random", "random", "--games", "1e"], 2),
        &["e.g. 1000 or 1e6"],
    );
}

#[test]
fn names_from_files_play_no_tricks_on_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("t.toml");
    fs::write(&spec, "base=\"cel\"\n\"a\\u001b[31m\\u202e\"=1\n").unwrap();
    let message = refused(&["learn", spec.to_str().unwrap()], 2);
    assert!(!message.contains('\u{1b}') && !message.contains('\u{202e}'), "{message:?}");
    let player = folder.path().join("a\u{1b}[31mb.txt");
    fs::write(&player, "1 ".repeat(64)).unwrap();
    let player = player.to_str().unwrap();
    for args in [
        &["tournament", player, "random", "--games", "2"][..],
        &["measure", player, "--vs", "random", "--games", "2"],
        &["match", player, "random", "--games", "2"],
        &["show", player],
        &["profile", player],
    ] {
        let output = run(&[args, &["--color", "never"]].concat());
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        assert!(!text(&output.stdout).contains('\u{1b}'), "{args:?}");
    }
}

#[test]
fn colours_come_when_they_are_asked_for_and_as_many_as_there_are() {
    let shown = |when: &str, colorterm: &str| {
        let mut command = outflank(&["show", "heuristic", "--color", when]);
        text(&command.env("COLORTERM", colorterm).output().unwrap().stdout).to_string()
    };
    assert!(!shown("auto", "truecolor").contains('\u{1b}'));
    assert!(!shown("never", "truecolor").contains('\u{1b}'));
    assert!(shown("always", "truecolor").contains("\u{1b}[48;2;"));
    let few = shown("always", "");
    assert!(few.contains("48;5;") && !few.contains("48;2;"), "{few:?}");
}

#[test]
fn files_that_others_made_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine.toml");
    let path = mine.to_str().unwrap();
    for args in [
        &["match", "random", "heuristic", "--games", "2", "--save", path][..],
        &["show", "heuristic", "--svg", path],
        &["show", "td-greedy", "--dot", path],
        &["show", "heuristic", "--player-file", path],
        &["profile", "heuristic", "--svg", path],
    ] {
        fs::write(&mine, "base = \"rsel\"\n").unwrap();
        assert_says(&refused(args, 2), &[path, "was not made by this command", "--force"]);
        assert_eq!(fs::read_to_string(&mine).unwrap(), "base = \"rsel\"\n");
        let forced = run(&[args, &["--force"]].concat());
        assert!(forced.status.success(), "{}", text(&forced.stderr));
        assert_ne!(fs::read_to_string(&mine).unwrap(), "base = \"rsel\"\n");
        assert_says(text(&forced.stdout), &[path]);
        // A file of this command can be replaced by it.
        let again = run(args);
        assert!(again.status.success(), "{args:?}: {}", text(&again.stderr));
    }
}

#[test]
fn what_only_looks_like_ours_is_not_replaced_and_nothing_is_half_done() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (dot, json, games, run) = (at("mine.dot"), at("n.json"), at("g.txt"), at("s"));
    fs::write(&dot, "digraph mine { a -> b }\n").unwrap();
    fs::write(&json, "{\"notes\": \"about outflank-player files\"}\n").unwrap();
    fs::write(&games, "0\ta\tb\t+2\t-\tf5\nmy own notes\n").unwrap();
    let learn = ["learn", "tdl", "--games", "200", "--set", "probes.games=10", "--out", &run];
    assert!(self::run(&learn).status.success());
    let champion = format!("{run}/1/champion.json");
    for (args, path) in [
        (&["show", "td-greedy", "--dot", &dot][..], &dot),
        (&["show", "heuristic", "--player-file", &json], &json),
        (&["show", "heuristic", "--player-file", &champion], &champion),
        (&["match", "random", "random", "--games", "2", "--save", &games], &games),
    ] {
        let before = fs::read(path).unwrap();
        assert_says(&refused(args, 2), &["was not made by this command"]);
        assert_eq!(fs::read(path).unwrap(), before, "{args:?}");
    }
    let svg = at("board.svg");
    refused(&["show", "heuristic", "--svg", &svg, "--player-file", &json], 2);
    assert!(!Path::new(&svg).exists(), "one file is refused, so none is written");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_at_the_start_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("s");
    let binary = assert_cmd::cargo::cargo_bin!("outflank");
    let learn = format!(
        "trap '' HUP; exec {} learn ctdl-hof --games 400000 --threads 1 --out {}",
        binary.display(),
        out.display()
    );
    let mut child = Command::new("sh")
        .args(["-c", &learn])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&out.join("1/lock"));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "HUP", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_report_replaces_reports_only() {
    let folder = tempfile::tempdir().unwrap();
    let [study, page] = ["s", "page.html"].map(|name| folder.path().join(name));
    let [study, page] = [&study, &page].map(|path| path.to_str().unwrap());
    let learn = ["learn", "tdl", "--games", "200", "--set", "probes.games=10", "--out", study];
    assert!(run(&learn).status.success());
    fs::write(page, "<html>my own page</html>").unwrap();
    let args = ["report", study, "--out", page, "--games", "2", "--sample", "2", "--no-profiles"];
    assert_says(&refused(&args, 2), &[page, "was not made by this command", "--force"]);
    assert_eq!(fs::read_to_string(page).unwrap(), "<html>my own page</html>");
    assert!(run(&[&args[..], &["--force"]].concat()).status.success());
    assert!(run(&args).status.success(), "a report can be made again");
}

#[test]
fn one_tailed_tests_follow_the_order_of_the_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let learn = |name: &str, alpha: &str| {
        let out = folder.path().join(name);
        let args = ["learn", "tdl", "--games", "2000", "--seeds", "1..4", "--set", alpha];
        let args = [&args[..], &["--set", "probes.vs=['random']", "--out", out.to_str().unwrap()]];
        assert!(run(&args.concat()).status.success());
        format!("{name}={}", out.to_str().unwrap())
    };
    let (good, bad) = (learn("good", "local.alpha=0.01"), learn("bad", "local.alpha=-0.01"));
    let p = |first: &str, second: &str, tail: &str| {
        let found = json(&["compare", first, second, "--tail", tail, "--json"]);
        let pair = found["results"][0]["pairs"][0].clone();
        assert_eq!(pair["a"], first.split('=').next().unwrap());
        pair["p"].as_f64().unwrap()
    };
    assert!(p(&good, &bad, "greater") < 0.05 && p(&bad, &good, "less") < 0.05);
    assert!(p(&bad, &good, "greater") > 0.95 && p(&good, &bad, "less") > 0.95);
    let found = json(&["compare", &bad, &good, "--baseline", "good", "--tail", "less", "--json"]);
    assert_eq!(found["results"][0]["pairs"][0]["b"], "good");
    assert!(found["results"][0]["pairs"][0]["p"].as_f64().unwrap() < 0.05);
    let message = refused(&["compare", &bad, &good, "--baseline", "x"], 2);
    assert_says(&message, &["no study is called \"x\"", "bad, good"]);
}

#[test]
fn the_same_player_has_one_figure_whatever_else_is_asked() {
    let won = |vs: &str| {
        let args = ["measure", "lr2006", "--vs", vs, "--games", "400", "--sample", "100", "--json"];
        let found = json(&args);
        let results = found["results"].as_array().unwrap().clone();
        let of = results.iter().find(|result| result["probe"] == "heuristic").unwrap();
        of["wins"].as_u64().unwrap()
    };
    assert_eq!(won("heuristic"), won("random,utility,heuristic"));
}
