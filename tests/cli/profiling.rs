//! `outflank profile` and `outflank profile build` as a user sees them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::{assert_says, json, left_in, outflank, refused, run, text};

const SIZE: [&str; 4] = ["--opponents", "3000", "--doubles", "20"];

/// A small database, built once.
static SMALL: LazyLock<(TempDir, String)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.db").to_str().unwrap().to_owned();
    printed(&[&["profile", "build", "--out", &path][..], &SIZE].concat());
    (folder, path)
});

/// What a command that works prints.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).into()
}

fn build(out: &Path) -> Command {
    let mut command = outflank(&["profile", "build", "--out"]);
    command.arg(out).args(SIZE).env("OUTFLANK_CHECKPOINT_SECONDS", "0.01");
    command
}

#[test]
fn a_profile_has_a_hundred_bins() {
    let object = json(&["profile", "heuristic", "random", "--db", &SMALL.1, "--json"]);
    let results = object["results"].as_array().unwrap();
    assert_eq!(object["database"]["games"], 120_000);
    for (result, name) in results.iter().zip(["heuristic", "random"]) {
        assert_eq!((&result["name"], &result["players"]), (&name.into(), &1.into()));
        let bins = result["bins"].as_array().unwrap();
        let sum: u64 = bins.iter().map(|bin| bin["double_games"].as_u64().unwrap()).sum();
        assert_eq!((bins.len(), sum), (100, 3000));
        for bin in bins {
            let few = bin["double_games"].as_u64().unwrap() <= 120;
            assert_eq!(bin["dropped"], few, "{bin}");
            assert_eq!(bin["mean"].is_null(), bin["opponents"] == 0);
            assert!(bin["interval_players"].is_null());
        }
    }
}

#[test]
fn the_table_shows_the_bins_that_say_something_and_csv_all() {
    let args = ["profile", "pair=heuristic,lr2006", "random", "--db", &SMALL.1];
    let table = printed(&args);
    assert_says(
        &table,
        &[
            "utility",
            "opponents",
            " pair ",
            "95% interval",
            "pair is the mean of 2 players",
            "Left out: ",
        ],
    );
    assert_says(
        &table,
        &[&SMALL.1, "3,000 random WPCs (seed 1)", "20 double games", "120,000 games"],
    );
    let csv = printed(&[&args[..], &["--csv"]].concat());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 201);
    assert_eq!(
        lines[0],
        "name,players,bin_low,bin_high,opponents,double_games,mean,low,high,players_low,players_high,\
         dropped"
    );
    assert!(lines[1].starts_with("pair,2,0,0.01,") && lines[101].starts_with("random,1,0,0.01,"));
    let kept = lines.iter().filter(|line| line.ends_with(",false")).count();
    let shown = table.lines().filter(|line| line.contains("% to ") && line.ends_with('%')).count();
    assert!(kept > shown && shown > 5, "{kept} {shown}");
}

#[test]
fn a_database_comes_with_the_program() {
    let table = printed(&["profile", "heuristic"]);
    assert_says(&table, &["the database that comes with outflank", "500,000 random WPCs (seed 1)"]);
    assert!(table.lines().count() > 40, "{table}");
    let object = json(&["profile", "heuristic", "--json"]);
    assert!(object["database"]["file"].is_null());
    assert_eq!(object["database"]["cap"], 500);
}

#[test]
fn profiles_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("profiles.svg");
    let svg = svg.to_str().unwrap();
    printed(&["profile", "lr2006", "random", "--db", &SMALL.1, "--svg", svg]);
    assert_says(&fs::read_to_string(svg).unwrap(), &["<svg", "lr2006", "random", "</svg>"]);
    let over = refused(&["profile", "lr2006", "--db", &SMALL.1, "--svg", &SMALL.1], 2);
    assert_says(&over, &["--svg would overwrite the database"]);
    let nowhere = folder.path().join("none/profiles.svg");
    let nowhere = nowhere.to_str().unwrap();
    let message = refused(&["profile", "lr2006", "--db", &SMALL.1, "--svg", nowhere], 1);
    assert_says(&message, &["cannot write", nowhere]);
}

#[test]
fn profiles_do_not_depend_on_threads_or_kernel() {
    let args = ["profile", "lr2006@epsilon=0.1", "mobility", "--db", &SMALL.1, "--csv"];
    let expected = printed(&args);
    for kernel in outflank::kernel::Kernel::available() {
        for threads in ["1", "3"] {
            let mut command = outflank(&args);
            command.args(["--threads", threads]).env("OUTFLANK_KERNEL", kernel.name());
            assert_eq!(text(&command.output().unwrap().stdout), expected, "{kernel:?} {threads}");
        }
    }
    assert_ne!(printed(&[&args[..], &["--seed", "2"]].concat()), expected);
}

#[test]
fn a_study_is_a_team() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("study");
    let path = out.to_str().unwrap();
    printed(&["learn", "tdl", "--seeds", "1..3", "--games", "200", "--out", path]);
    let run = out.join("1");
    let object = json(&["profile", path, run.to_str().unwrap(), "--db", &SMALL.1, "--json"]);
    let [study, run] = [0, 1].map(|index| &object["results"][index]);
    assert_eq!((&study["name"], &study["players"]), (&"tdl games=200".into(), &3.into()));
    assert_eq!(run["players"], 1);
    let bin = study["bins"].as_array().unwrap().iter().find(|bin| bin["dropped"] == false).unwrap();
    assert!(bin["interval_players"][0].as_f64() < bin["mean"].as_f64());
    assert_eq!(bin["double_games"].as_u64().unwrap(), 3 * bin["opponents"].as_u64().unwrap());
}

#[test]
fn builds_are_the_same_on_any_threads_and_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let expected = fs::read(&SMALL.1).unwrap();
    for kernel in outflank::kernel::Kernel::available() {
        let out = folder.path().join(kernel.name());
        let mut command = build(&out);
        command.args(["--threads", "3", "--json"]).env("OUTFLANK_KERNEL", kernel.name());
        let output = command.output().unwrap();
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&object["state"], &object["kept"]), (&"built".into(), &3000.into()));
        assert_eq!(fs::read(out).unwrap(), expected);
    }
}

#[test]
fn a_smaller_database_is_cut_from_a_larger_one() {
    let folder = tempfile::tempdir().unwrap();
    let [cut, direct] = ["cut.db", "direct.db"].map(|name| folder.path().join(name));
    let [cut_path, direct_path] = [&cut, &direct].map(|path| path.to_str().unwrap());
    let args = ["profile", "build", "--from", &SMALL.1, "--cap", "10", "--out", cut_path];
    assert_says(&printed(&args), &["cut.db: ", "kept, at most 10 in each bin"]);
    let all = [&["profile", "build", "--cap", "10", "--out", direct_path][..], &SIZE].concat();
    printed(&all);
    assert_eq!(fs::read(&cut).unwrap(), fs::read(&direct).unwrap());
    assert_says(&printed(&args), &["cut.db already existed: "]);
    let more = ["profile", "build", "--from", cut_path, "--cap", "11", "--out", "more.db"];
    assert_says(&refused(&more, 2), &["use a --cap up to 10"]);
    assert_says(
        &refused(&["profile", "build", "--from", &SMALL.1, "--out", "x.db"], 2),
        &["--cap"],
    );
    let both = [&args[..], &["--opponents", "7"]].concat();
    assert_says(&refused(&both, 2), &["cannot be used with"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_or_killed_build_resumes_and_ends_with_the_same_bytes() {
    let expected = fs::read(&SMALL.1).unwrap();
    for (signal, code) in [("INT", Some(130)), ("TERM", Some(143)), ("KILL", None)] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.db");
        let mut command = build(&out);
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        wait_for_blocks(&out, 2000);
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        let status = child.wait().unwrap();
        // On a busy machine the build may end before the signal arrives.
        if !status.success() {
            assert_eq!(status.code(), code);
            let mut message = String::new();
            std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut message).unwrap();
            if code.is_some() {
                assert_says(&message, &["interrupted; repeat the command to continue"]);
            }
            assert_eq!(left_in(folder.path()), ["x.db.part"]);
        }
        let output = build(&out).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        if !status.success() {
            assert_says(text(&output.stderr), &["resumed after "]);
        }
        assert_eq!(fs::read(&out).unwrap(), expected);
        assert_eq!(left_in(folder.path()), ["x.db"]);
    }
}

/// Waits until some bytes of the blocks are written, or the file is complete.
#[cfg(unix)]
fn wait_for_blocks(out: &Path, bytes: u64) {
    let blocks = PathBuf::from(format!("{}.part/blocks", out.display()));
    while !out.exists() && fs::metadata(&blocks).map_or(0, |metadata| metadata.len()) < bytes {
        std::thread::yield_now();
    }
}

#[test]
fn bad_databases_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.db");
    let name = path.to_str().unwrap();
    let sound = fs::read(&SMALL.1).unwrap();
    let newer = {
        let mut content = sound[..sound.len() - 32].to_vec();
        content[8] = 2;
        [&content[..], blake3_of(&content).as_slice()].concat()
    };
    let mut flipped = sound.clone();
    flipped[1000] ^= 1;
    let cases: [(&[u8], &[&str]); 6] = [
        (&sound[..sound.len() / 2], &["is damaged", "checksum", "outflank profile build"]),
        (&flipped, &["is damaged: its checksum is wrong", "outflank profile build"]),
        (b"", &["is not a database of opponents: it is empty"]),
        (b"OUTFLOPP", &["is damaged: 8 bytes are too few"]),
        (b"my notes", &["is not a database of opponents: it does not begin like one"]),
        (&newer, &["version 2 is newer than this program", "use a newer program"]),
    ];
    for (bytes, parts) in cases {
        fs::write(&path, bytes).unwrap();
        let message = refused(&["profile", "random", "--db", name], 1);
        assert_says(&message, &[name]);
        assert!(!message.contains("remove"), "{message}");
        assert_says(&message, parts);
        // Nor is it overwritten.
        assert_says(&refused(&["profile", "build", "--out", name], 1), parts);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    for (bytes, problem) in
        [(&b"notes"[..], "does not begin like one"), (b"OUTFLOPP", "larger than")]
    {
        fs::write(&path, bytes).unwrap();
        fs::File::options().append(true).open(&path).unwrap().set_len(10 << 30).unwrap();
        let began = std::time::Instant::now();
        let message = refused(&["profile", "random", "--db", name], 1);
        assert_says(&message, &[name, "is not a database of opponents", problem]);
        assert!(began.elapsed().as_secs() < 2, "{:?}", began.elapsed());
    }
    let message = refused(&["profile", "random", "--db", "/dev/zero"], 1);
    assert_says(&message, &["/dev/zero is not a database of opponents: it is not a regular file"]);
    let none = folder.path().join("none.db");
    let none = none.to_str().unwrap();
    assert_says(&refused(&["profile", "random", "--db", none], 1), &["none.db", "No such file"]);
    let folder = folder.path().to_str().unwrap();
    assert_says(&refused(&["profile", "random", "--db", folder], 1), &[folder, "directory"]);
}

/// The checksum that ends a database.
fn blake3_of(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

#[test]
fn a_database_of_other_settings_is_not_overwritten() {
    let before = fs::read(&SMALL.1).unwrap();
    let args = ["profile", "build", "--out", &SMALL.1, "--opponents", "3000", "--doubles"];
    let message = refused(&[&args[..], &["21"]].concat(), 2);
    assert_says(&message, &[&SMALL.1, "other settings: doubles = 20 there, 21 here"]);
    assert_says(&printed(&[&args[..], &["20"]].concat()), &["already existed"]);
    assert_eq!(fs::read(&SMALL.1).unwrap(), before);
}

#[test]
fn players_without_a_profile_are_refused() {
    let drawn = refused(&["profile", "random-wpc"], 2);
    assert_says(
        &drawn,
        &["random-wpc is a different player in every pair of games", "name a player"],
    );
    assert_says(&refused(&["profile", "x=heuristic,random-wpc"], 2), &["random-wpc"]);
    assert_says(&refused(&["profile", "none.json"], 1), &["none.json"]);
    assert_says(&refused(&["profile", "heuristik"], 2), &["did you mean \"heuristic\"?"]);
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().to_str().unwrap();
    assert_says(&refused(&["profile", run], 1), &[run, "a folder without champion.json"]);
}

#[test]
fn mistakes_are_named() {
    let cases: &[(&[&str], &str)] = &[
        (&["profile"], "PLAYER|RUN|STUDY"),
        (&["profile", "build"], "--out"),
        (&["profile", "random", "--threads", "0"], "a number of threads"),
        (&["profile", "random", "--csv", "--json"], "cannot be used with"),
        (&["profile", "random", "random"], "random is named twice"),
        (&["profile", "build", "--out", "x.db", "--opponents", "0"], "from 1 to 100000000"),
        (&["profile", "build", "--out", "x.db", "--doubles", "-1"], "from 1 to 1000000"),
        (&["profile", "build", "--out", "x.db", "--cap", "0"], "a number of opponents"),
    ];
    for (args, message) in cases {
        assert_says(&refused(args, 2), &[message]);
    }
    let nowhere = refused(&["profile", "build", "--out", "no/such/folder/x.db"], 1);
    assert_says(
        &nowhere,
        &["cannot write no/such/folder/x.db", "there is no folder no/such/folder"],
    );
}
